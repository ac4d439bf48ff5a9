//! The last screen for those who read Korean: as wide as any other, and no half sentence in English.

use crate::golden;
use crate::report::reports;
use crate::result::summaries;
use crate::scene::{Scene, facts};
use gulf_views::{
    DriverPresence, Look, Member, Palette, ReportPage, ScreenLanguage, group_result, left_line, report,
    result,
};
use unicode_width::UnicodeWidthStr;

const WIDE: Look = Look::terminal(Palette::Plain, 80).in_language(ScreenLanguage::Korean);
const NARROW: Look = Look::terminal(Palette::Plain, 40).in_language(ScreenLanguage::Korean);

/// What others said in those scenes: goals, findings of the journal, reasons, output.
const QUOTED: &[&str] = &[
    "I can't help with that.",
    "May the old format be dropped?",
    "Two callers still write it.",
    "reads it, the goal does not name it",
    "keep reading it",
    "drop it, and say so in CHANGELOG.md",
    "connection refused, 5 times in a row",
    "is checked out in /work/shop, with changes to app.py",
    "a merge in progress in this checkout",
    "add a test for it",
    "an empty name is refused",
    "only a comment changed",
    "the API stays as it is",
    "tests/login.rs: the test",
    "over the limit",
    "sh: cargo: not found",
    "no public item was removed or changed its type",
    "chose a constant-time comparison; rejected ==; reason: timing; revisit_if: a library does it",
    "whether 3 tries before the lock are enough",
    "keep the old route as well",
    "criterion 2 is about another page",
    "only words changed",
    "takes a *second* argument now",
    "takes a \\*second\\* argument now",
    "the form has no label",
    "the message is not shown",
    "drop it and say so",
    "The API has no endpoint for this.",
];

/// The longest row of English words that stands in no code and is nobody else's.
fn english(screen: &str) -> Option<String> {
    let code = screen.split('`').step_by(2).collect::<String>();
    let quoted = QUOTED.iter().fold(code, |text, quoted| text.replace(quoted, "…"));
    let is_word = |word: &&str| {
        let word = word.trim_end_matches([',', '.', ':', ';']);
        word.len() > 1 && word.chars().all(|character| character.is_ascii_lowercase() || character == '\'')
    };
    quoted.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.windows(3).any(|three| three.iter().all(is_word)).then(|| line.to_owned())
    })
}

#[test]
fn the_last_screen_is_korean_at_both_widths() {
    for name in [
        "verified", "attested", "exhausted-iterations", "unavailable-agent", "paused-humangate",
        "paused-question", "paused-review", "interrupted",
    ] {
        let Some((_, summary)) = summaries().into_iter().find(|(known, _)| known == name) else {
            panic!("no scene is called {name}")
        };
        golden!(format!("korean_80_{name}"), result(&summary, WIDE));
        golden!(format!("korean_40_{name}"), result(&summary, NARROW));
    }
}

#[test]
fn no_end_and_no_pause_leaves_a_sentence_in_english() {
    for (name, summary) in summaries() {
        let screen = result(&summary, WIDE);
        assert_eq!(english(&screen), None, "{name}:\n{screen}");
        let line = left_line(&summary, ScreenLanguage::Korean);
        assert_eq!(english(&line), None, "{name}: {line}");
        let word = summary.standing.word();
        assert!(
            screen.starts_with(&format!("{word}: ")),
            "{name}: a word that programs read is gone:\n{screen}"
        );
    }
}

#[test]
fn no_report_leaves_a_sentence_in_english() {
    for (name, one) in reports() {
        let one = one.in_language(ScreenLanguage::Korean);
        let text = report(&one);
        assert_eq!(english(&text.replace("\n    ", " ").replace("\n  ", " ")), None, "{name}:\n{text}");
        assert!(text.starts_with(&format!("# {}: ", one.summary.standing.word())), "{name}:\n{text}");
        let page = ReportPage::new(&one);
        let statements = page.proven.iter().chain(&page.unproven).chain(&page.refused).chain(&page.questions);
        let said =
            statements.map(|one| one.what.clone()).chain(page.advice).chain(page.acts).chain(page.cost);
        let told = |text: String| ScreenLanguage::Korean.tell(&text).into_owned();
        let said: Vec<String> = said.chain(page.story.into_iter().map(|one| told(one.what))).collect();
        assert_eq!(english(&said.join("\n")), None, "{name}:\n{said:#?}");
    }
    let (_, verified) = reports().remove(0);
    golden!("korean_report", report(&verified.in_language(ScreenLanguage::Korean)));
}

#[test]
fn korean_words_take_two_columns_each_and_no_line_is_too_wide() {
    for (name, summary) in summaries() {
        let commands: Vec<&str> = summary.next.iter().map(|step| step.command.as_str()).collect();
        for line in result(&summary, NARROW).lines() {
            let is_copied = commands.contains(&line.trim()) || line.starts_with("로그: ");
            assert!(is_copied || line.width() <= 40, "{name}: {line}");
        }
    }
}

#[test]
fn several_workers_are_told_of_in_korean() {
    let scene = Scene::honest();
    let member = Member::new(&facts(), &scene.history, &scene.state, DriverPresence::Absent);
    let screen = group_result("로그인을 추가한다", &[member], WIDE);
    assert_eq!(english(&screen), None, "{screen}");
    assert!(screen.starts_with("1개 중 0개 반영됨"), "{screen}");
}
