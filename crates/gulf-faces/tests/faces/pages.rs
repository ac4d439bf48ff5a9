//! A page says everything that its model holds, as text, and loads nothing.

use std::borrow::Cow;

use gulf_faces::PageTerms;
use gulf_views::{
    FileKind, MomentWord, NextStep, PageCriterion, PatchPlace, RedToGreen, ReportBrief, ReportPage,
    RiskyFile, ScreenLanguage, Statement, StoryOutcome, StoryPoint, Tone,
};

/// Markup, an attribute's end, a reordering mark and an escape sequence, as a worker could write them.
pub(crate) const ATTACK: &str = "<script>alert(1)</script>\" onload=x '\u{202e}txt.exe \u{1b}[31mred";

fn unmasked(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// For somebody who reads English, and may see everything.
pub(crate) fn plain() -> PageTerms {
    PageTerms { mask: unmasked, language: ScreenLanguage::English }
}

fn point(number: u32, outcome: StoryOutcome, words: &str) -> StoryPoint {
    StoryPoint {
        unit: 1,
        number,
        outcome,
        tone: outcome.tone(),
        what: format!("{words} what {number}"),
        message: format!("{words} message {number}"),
        duration_ms: 61_000 * u64::from(number),
        microdollars: 120_000,
        cost: Some(format!("{words} cost")),
        spent: None,
        tests_failed: Some(u64::from(7_u32.saturating_sub(number))),
        checks_failed: 1,
        lint_errors: None,
        coverage_bp: Some(7_100),
        lines_changed: Some(12),
    }
}

fn statement(words: &str, name: &str) -> Vec<Statement> {
    vec![Statement { what: format!("{words} {name}"), each: vec![format!("{words} each of {name}")] }]
}

/// A report in which every field holds something, all words beginning alike.
pub(crate) fn page(words: &str) -> ReportPage {
    let line = |name: &str| vec![format!("{words} {name}")];
    let spoken = |at: &str| MomentWord {
        at: format!("{words} {at}"),
        word: format!("{words} word {at}"),
        output: Some(format!("{words} output {at}")),
    };
    ReportPage {
        version: 1,
        handle: "k3v9".into(),
        title: format!("{words} title"),
        goal: format!("{words} goal"),
        word: "verified",
        tone: Tone::Verified,
        meaning: format!("{words} meaning"),
        brief: ReportBrief {
            proven: format!("{words} brief proven"),
            not_proven: format!("{words} brief not proven"),
            spent: format!("{words} brief spent"),
            changed: Some(format!("{words} changed")),
            look_first: Some(format!("{words} brief look_first")),
        },
        advice: line("advice"),
        next: vec![NextStep { command: format!("{words} command"), purpose: format!("{words} purpose") }],
        refused: statement(words, "refused"),
        proven: statement(words, "proven"),
        unproven: statement(words, "unproven"),
        questions: statement(words, "questions"),
        look_first: line("look_first"),
        files: vec![RiskyFile {
            path: format!("{words} path"),
            counts: format!("{words} counts"),
            kind: FileKind::Test,
            why: line("why"),
            tone: Tone::Failed,
            places: vec![PatchPlace { head: format!("{words} head"), lines: line("line") }],
            places_left_out: Some(format!("{words} left out")),
        }],
        files_more: 3,
        story: vec![point(1, StoryOutcome::Checks, words), point(2, StoryOutcome::Passed, words)],
        red_to_green: vec![RedToGreen {
            what: format!("{words} red_to_green"),
            red: spoken("red"),
            green: spoken("green"),
        }],
        criteria: statement(words, "criteria")
            .into_iter()
            .map(|said| PageCriterion { tone: Tone::Verified, said })
            .collect(),
        tasks: statement(words, "tasks"),
        acts: line("acts"),
        denials: line("denials"),
        decisions: line("decisions"),
        doubts: line("doubts"),
        cost: line("cost"),
        risk: Some(format!("{words} risk")),
        commit: Some(format!("{words} commit")),
        base: Some(format!("{words} base")),
        reproduce: line("reproduce"),
    }
}

/// Every text below a value; a word of gulf's own is no worker's.
fn texts(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) if text.starts_with("said:") => found.push(text.clone()),
        serde_json::Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
        serde_json::Value::Object(fields) => fields.values().for_each(|value| texts(value, found)),
        serde_json::Value::Null | serde_json::Value::Bool(_) => {}
        serde_json::Value::Number(_) | serde_json::Value::String(_) => {}
    }
}

#[test]
fn every_word_of_the_model_stands_on_the_page() {
    let page = page("said:");
    let html = gulf_faces::report(&page, plain());
    let mut all = Vec::new();
    texts(&serde_json::to_value(&page).unwrap(), &mut all);
    assert!(all.len() > 40, "the model holds words: {all:?}");
    for text in all {
        assert!(html.contains(&text), "{text} is missing");
    }
}

#[test]
fn what_a_worker_wrote_is_text_and_never_markup() {
    let html = gulf_faces::report(&page(ATTACK), plain());
    assert!(html.contains("&lt;script&gt;alert(1)&lt;"), "it is shown");
    assert!(!html.contains("<script"), "no script");
    assert!(!html.contains("\" onload"), "no attribute");
    assert!(html.contains("&lt;U+202E&gt;") && !html.contains('\u{202e}'), "no reordering");
    assert!(!html.contains('\u{1b}'), "no escape sequence");
}

#[test]
fn a_page_loads_nothing_and_says_so() {
    let html = gulf_faces::report(&page("said:"), plain());
    assert!(html.contains("Content-Security-Policy\" content=\"default-src 'none'"), "{html}");
    for loaded in ["src=", "href=", "url(", "@import", "<script", "<link", "http://", "https://"] {
        assert!(!html.contains(loaded), "{loaded}");
    }
    assert!(html.contains("prefers-color-scheme: dark"));
}

#[test]
fn a_report_of_fifty_long_iterations_is_small() {
    let long = "said: 한국어 단어와 an output line that goes on\n".repeat(30);
    let story = (1..=50).map(|number| StoryPoint {
        message: long[..long.floor_char_boundary(1200)].to_owned(),
        ..point(number, StoryOutcome::Judge, "said:")
    });
    let spoken = |at: &str| MomentWord { at: at.into(), word: "FAILED".into(), output: Some(long.clone()) };
    let pair = RedToGreen { what: "check test".into(), red: spoken("a"), green: spoken("b") };
    // As much of a change as the views let through, and as many colours as code has.
    let line = "+    let value = call(\"text\", 17, 'c') + 2; // <a> word".to_owned();
    let lines = vec![line.clone(); 20_000 / (line.len() + 80)];
    let head = format!("@@ -0,0 +1,{} @@", lines.len());
    let place = PatchPlace { head, lines };
    let unremarkable = RiskyFile { places: Vec::new(), ..page("said:").files.remove(0) };
    let large = RiskyFile { path: "src/a.rs".into(), places: vec![place], ..unremarkable.clone() };
    let files = [vec![large; 4], vec![unremarkable; 56]].concat();
    let page = ReportPage { story: story.collect(), red_to_green: vec![pair; 12], files, ..page("said:") };
    let bytes = gulf_faces::report(&page, plain()).len();
    assert!(bytes < 300_000, "{bytes} bytes");
}

#[test]
fn each_iteration_has_a_bar_of_its_gates_colour_in_each_panel() {
    let html = gulf_faces::report(&page("said:"), plain());
    // Failing tests, dollars, seconds or minutes.
    let bars = |tone: &str| html.matches(&format!("<rect class=\"{tone}\"")).count();
    assert_eq!(bars("failed"), 3, "refused by the checks");
    assert_eq!(bars("verified"), 3, "every gate passed");
    for panel in ["failing tests", "US dollars", "minutes"] {
        assert_eq!(html.matches(panel).count(), 1, "{panel}");
    }
}

#[test]
fn a_loop_without_an_iteration_has_a_page_without_a_picture() {
    let page = ReportPage { story: Vec::new(), ..page("said:") };
    let html = gulf_faces::report(&page, plain());
    assert!(!html.contains("<svg"));
    assert!(html.contains("said: goal"));
}

#[test]
fn numbers_over_no_loop_are_a_sentence_and_no_table() {
    let html = gulf_faces::stats(&gulf_views::Stats::from_loops([]), plain());
    assert!(html.contains("No loop has started yet.") && !html.contains("<table"), "{html}");
}

#[test]
fn a_night_without_a_loop_has_a_page() {
    let night = gulf_views::Night::new("2026-02-13 00:00".into(), 0, Vec::new());
    let html = gulf_faces::night(&night, plain());
    assert!(html.contains("<h1>since 2026-02-13 00:00</h1>") && html.contains("0 loops"), "{html}");
}
