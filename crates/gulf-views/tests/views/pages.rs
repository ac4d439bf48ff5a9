//! The report as a page and as a pull request has it: the same facts, in the order in which a reader needs them.

use std::collections::BTreeMap;

use crate::golden;
use crate::report::{attested, attested_texts, file, report_of, reports, texts, verified};
use crate::scene::{self, Scene, done, snapshot};
use gulf_engine::*;
use gulf_views::{
    CheckWords, FileKind, PatchPlace, ReportPage, ReportTexts, StoryOutcome, Tone, brief, report_json,
};

fn page_of(scene: &Scene, texts: ReportTexts) -> ReportPage {
    ReportPage::new(&report_of(scene, texts))
}

// proves: B11
#[test]
fn a_brief_fits_a_pull_request_and_answers_first() {
    for (name, report) in reports() {
        let text = brief(&report);
        assert!(text.lines().count() <= 60, "{name}: {text}");
        let first: Vec<&str> = text.lines().take(7).collect();
        assert!(first[0].starts_with(&format!("# {}: ", report.summary.standing.word())), "{name}: {text}");
        assert!(first[4].starts_with("- **Proven:**") && first[5].starts_with("- **Not proven:**"), "{text}");
        assert_eq!(text.matches("<details>").count(), text.matches("</details>").count(), "{name}");
        assert!(!text.contains('\u{1}'), "{name}");
    }
    golden!("brief_attested", brief(&report_of(&attested(), attested_texts())));
}

#[test]
fn a_brief_of_a_large_change_stays_short_and_counts_what_it_leaves_out() {
    let files = (0..70).map(|index| file(&format!("src/{index}.rs"), index, 1, FileKind::Code)).collect();
    let long = "word ".repeat(500);
    let texts = ReportTexts { changed_files: files, decisions: vec![long.clone()], ..texts() };
    let mut scene = Scene::sealed();
    for tree in ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"] {
        scene = scene
            .turn(Some(done()), &tree.repeat(6))
            .check("test", scene::red(&long))
            .then(Fact::Settled { settlement: Settlement::Refused { gate: Gate::Checks } });
    }
    let text = brief(&report_of(&scene, texts));
    assert!(text.lines().count() <= 60, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 250), "{text}");
    assert!(text.contains("Each iteration (8)") && text.contains("- and 3 more\n"), "{text}");
}

#[test]
fn a_page_has_the_riskiest_places_of_a_change_and_counts_what_it_leaves_out() {
    let place = |head: &str, lines: &[&str]| PatchPlace {
        head: head.to_owned(),
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
    };
    let large = place("@@ large @@", &["+<a line with 'signs'>"; 5_000]);
    let gutted = [place("@@ -1 +1,3 @@", &["+a", "+b", "+c"]), place("@@ -9 +9 @@", &["-assert"])];
    let small = place("@@ small @@", &["+x"]);
    let names: Vec<String> = (0..9).map(|index| format!("src/{index}.rs")).collect();
    let mut changed_files: Vec<_> = names.iter().map(|name| file(name, 5_000, 0, FileKind::Code)).collect();
    changed_files.extend([file("tests/a.rs", 3, 1, FileKind::Test), file("z.rs", 1, 0, FileKind::Code)]);
    let mut places: BTreeMap<_, _> = names.into_iter().map(|name| (name, vec![large.clone()])).collect();
    places.insert("tests/a.rs".to_owned(), gutted.to_vec());
    places.insert("z.rs".to_owned(), vec![small]);
    let page = page_of(&verified(), ReportTexts { changed_files, places, ..texts() });
    let of = |path: &str| page.files.iter().find(|file| file.path == path).unwrap();
    let heads: Vec<&str> = of("tests/a.rs").places.iter().map(|place| place.head.as_str()).collect();
    assert_eq!(heads, ["@@ -9 +9 @@", "@@ -1 +1,3 @@"], "what is taken away from tests comes first");
    assert_eq!(of("tests/a.rs").places_left_out, None);
    let shown = of("src/0.rs").places[0].lines.len();
    let said = of("src/0.rs").places_left_out.clone().unwrap();
    assert!(shown > 100 && said.starts_with(&format!("{} lines of this change", 5_000 - shown)), "{said}");
    assert!(said.contains("`gulf diff k3v9` shows them"), "{said}");
    let lines = page.files.iter().flat_map(|file| &file.places).flat_map(|place| &place.lines);
    assert!(lines.map(String::len).sum::<usize>() < 100_000);
    assert_eq!(of("z.rs").places_left_out.as_deref().map(|said| &said[..6]), Some("1 line"));
}

#[test]
fn a_worker_cannot_close_what_a_brief_folds() {
    let hostile = "</details>\n# verified: <img src=x> [x](http://e)";
    let texts =
        ReportTexts { changed_files: vec![file(hostile, 1, 1, FileKind::Code)], ..ReportTexts::default() };
    let scene = Scene::sealed().turn(Some(done()), "aaaaaaaaaaaa").check("test", scene::red(hostile));
    let text = brief(&report_of(&scene, texts));
    let headings = text.lines().filter(|line| line.starts_with("# ")).count();
    assert_eq!(headings, 1, "{text}");
    let bare = text.replace("\\<", "").replace("\n</details>\n", "").replace("\\[", "");
    let is_in_code = bare.replace("`</details> # verified: <img src=x> [x](http://e)`", "");
    assert!(!is_in_code.contains("</details>") && !is_in_code.contains("<img"), "{text}");
}

#[test]
fn the_riskiest_file_stands_first() {
    let findings = scene::findings().findings;
    let scene = Scene::sealed()
        .turn(Some(done()), "aaaaaaaaaaaa")
        .check("test", scene::green(Some(12)))
        .done(EffectKind::Integrity, EffectResult::Integrity(scene::findings()));
    let texts = ReportTexts {
        changed_files: vec![
            file("src/large.rs", 400, 0, FileKind::Code),
            file("src/spread.rs", 9, 9, FileKind::Code),
            file("README.md", 2, 0, FileKind::Other),
            file("tests/other.rs", 5, 0, FileKind::Test),
            file(&findings[0].path, 1, 1, FileKind::Test),
        ],
        places: [("src/spread.rs".to_owned(), vec![PatchPlace::default(); 7])].into_iter().collect(),
        ..ReportTexts::default()
    };
    let page = page_of(&scene, texts);
    let order: Vec<&str> = page.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(order[0], findings[0].path);
    assert_eq!(page.files[0].tone, Tone::Failed);
    assert!(page.files[0].why.contains(&findings[0].what), "{:?}", page.files[0]);
    assert_eq!(order.last(), Some(&"README.md"));
    let spread = page.files.iter().find(|file| file.path == "src/spread.rs").unwrap();
    assert_eq!(spread.why, ["changed in 7 places"]);
    // What is about a file that did not change is not lost.
    let told: usize = page
        .files
        .iter()
        .map(|file| file.why.iter().filter(|why| findings.iter().any(|one| one.what == **why)).count())
        .sum();
    assert_eq!(told, findings.len());
}

#[test]
fn what_was_red_on_the_base_and_is_green_is_shown_with_both_outputs() {
    let scene = Scene::honest();
    let base = scene.state.base().unwrap().tree.clone();
    let last = scene.history.last_evaluated().unwrap().candidate().unwrap().tree.clone();
    let test = CheckName::new("test");
    let outputs: CheckWords =
        [((base, test.clone()), "1 failed".to_owned()), ((last, test), "all passed".to_owned())]
            .into_iter()
            .collect();
    let page = page_of(&scene, ReportTexts { outputs, ..ReportTexts::default() });
    let turned = page.red_to_green.iter().find(|one| one.what == "check test").unwrap();
    assert_eq!((turned.red.at.as_str(), turned.red.output.as_deref()), ("on the base", Some("1 failed")));
    assert_eq!(turned.green.output.as_deref(), Some("all passed"));
    assert!(turned.red.word.starts_with("FAILED") && turned.green.word.starts_with("passed"), "{turned:?}");
}

#[test]
fn a_check_that_was_red_in_an_earlier_iteration_counts_and_one_that_is_red_still_does_not() {
    let refused = Fact::Settled { settlement: Settlement::Refused { gate: Gate::Checks } };
    let scene = Scene::sealed()
        .turn(Some(done()), "aaaaaaaaaaaa")
        .check("test", scene::red("a"))
        .check("lint", scene::red("b"))
        .then(refused)
        .turn(Some(done()), "bbbbbbbbbbbb")
        .check("test", scene::green(Some(1)))
        .check("lint", scene::red("b"));
    let page = page_of(&scene, ReportTexts::default());
    let turned: Vec<(&str, &str)> =
        page.red_to_green.iter().map(|one| (one.what.as_str(), one.red.at.as_str())).collect();
    assert_eq!(turned, [("check test", "in iteration 1")]);
    assert_eq!(page.red_to_green[0].red.output, None, "nobody looked it up");
}

#[test]
fn the_story_says_which_gate_said_no() {
    let outcomes = |settlement: Settlement| {
        let scene = Scene::sealed()
            .turn(Some(done()), "aaaaaaaaaaaa")
            .check("test", scene::green(None))
            .then(Fact::Settled { settlement });
        report_of(&scene, ReportTexts::default()).story[0].outcome
    };
    assert_eq!(outcomes(Settlement::Refused { gate: Gate::Checks }), StoryOutcome::Checks);
    assert_eq!(outcomes(Settlement::Refused { gate: Gate::Judge }), StoryOutcome::Judge);
    assert_eq!(outcomes(Settlement::Refused { gate: Gate::Integrity }), StoryOutcome::Integrity);
    assert_eq!(outcomes(Settlement::Unclaimed), StoryOutcome::Unclaimed);
    assert_eq!(outcomes(Settlement::Rejected), StoryOutcome::Refused);
    let story = report_of(&verified(), texts()).story;
    assert_eq!(story.last().unwrap().outcome, StoryOutcome::Passed);
}

#[test]
fn a_long_message_and_a_long_output_are_cut_at_a_character() {
    let scene = Scene::honest();
    let base = scene.state.base().unwrap().tree.clone();
    let outputs: CheckWords =
        [((base, CheckName::new("test")), format!("{}the end", "가".repeat(9000)))].into_iter().collect();
    let messages = [(1, "가".repeat(9000))].into_iter().collect();
    let page = page_of(&scene, ReportTexts { outputs, messages, ..ReportTexts::default() });
    assert!(page.story[0].message.len() <= 1200 && page.story[0].message.ends_with('…'));
    let red = page.red_to_green[0].red.output.as_deref().unwrap();
    assert!(red.len() <= 2010 && red.starts_with('…') && red.ends_with("the end"), "{red}");
}

#[test]
fn programs_get_the_story_and_what_turned_green() {
    let document = report_json(&report_of(&Scene::honest(), ReportTexts::default()));
    assert_eq!(document["story"][0]["outcome"], "checks");
    assert_eq!(document["red_to_green"][0]["red"]["at"], "on the base");
    let snapshot = snapshot("aaaaaaaaaaaa");
    assert_ne!(document["candidate"], serde_json::to_value(&snapshot.candidate).unwrap(), "the last one");
}
