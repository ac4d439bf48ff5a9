//! The pages of what programs rely on, events and exit codes: each is what gulf does, and names all there is.

use gulf_engine::{EffectResult, End, Event, Exhaustion, Fact, PAUSED_EXIT_CODE, Party, Stall};
use gulf_runner::book;
use gulf_spec::config::{AGENTS, Preset};
use gulf_testkit::repository_root;
use serde::de::DeserializeOwned;
use strum::VariantNames;

fn page(name: &str) -> String {
    std::fs::read_to_string(repository_root().join("docs/reference").join(name)).unwrap()
}

/// The names of all variants of a tagged enum, as its own decoder lists them.
fn variants<T: DeserializeOwned + std::fmt::Debug>(tag: &str) -> Vec<String> {
    let nobody = serde_json::json!({ tag: "?" });
    let complaint = serde_json::from_value::<T>(nobody).unwrap_err().to_string();
    let names: Vec<String> = complaint.split('`').skip(3).step_by(2).map(str::to_owned).collect();
    assert!(names.len() > 2, "no list of names in: {complaint}");
    names
}

#[test]
fn every_fact_has_a_sentence_and_every_result_an_example() {
    let page = page("events.md");
    for name in variants::<Fact>("type") {
        let (_, section) =
            page.split_once(&format!("\n## {name}\n\n")).unwrap_or_else(|| panic!("{name} is missing"));
        assert!(section.starts_with(|letter: char| letter.is_uppercase()), "{name} has no sentence");
        let example = section.lines().find(|line| line.starts_with('{')).unwrap();
        assert!(example.contains(&format!("\"fact\":{{\"type\":\"{name}\"")), "{name} has no example");
    }
    for name in variants::<EffectResult>("kind") {
        assert!(page.contains(&format!("\"result\":{{\"kind\":\"{name}\"")), "{name} has no example");
    }
}

#[test]
fn every_example_of_an_event_is_the_line_that_the_journal_has() {
    #[derive(serde::Deserialize)]
    struct Line {
        event: Event,
    }
    let page = page("events.md");
    let examples: Vec<&str> = page.lines().filter(|line| line.starts_with('{')).collect();
    assert!(examples.len() > variants::<Fact>("type").len());
    for (sequence, line) in (1..).zip(examples) {
        let read: Line = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(read.event.sequence, sequence, "{line}");
        assert_eq!(String::from_utf8(book::print(&read.event).unwrap()).unwrap(), line);
    }
}

#[test]
fn every_end_has_a_row_with_its_exit_code() {
    let page = page("exit-codes.md");
    let ends = [
        End::Verified { proofs: Vec::new() },
        End::Attested { causes: Vec::new() },
        End::Stalled { by: Stall::Idle },
        End::Exhausted { limit: Exhaustion::Iterations },
        End::Unavailable { party: Party::Agent, reason: String::new() },
        End::Violated,
        End::Cancelled,
    ];
    let words: Vec<&str> = ends.iter().map(End::word).collect();
    assert_eq!(words, variants::<End>("kind"));
    let rows = ends.iter().map(|end| (end.exit_code(), end.word()));
    for (code, word) in
        rows.chain([(PAUSED_EXIT_CODE, "paused"), (1, "error"), (2, "usage"), (130, "interrupted")])
    {
        assert!(page.contains(&format!("\n| {code} | {word} | ")), "{code} {word} is missing:\n{page}");
    }
}

#[test]
fn where_agents_or_presets_are_listed_none_is_left_out() {
    for name in ["cli.md", "config.md", "glossary.md"] {
        // What is wrapped is one line.
        for line in page(name).replace("\n          ", " ").lines() {
            let words: Vec<&str> = line.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
            for names in [&AGENTS[..], Preset::VARIANTS] {
                let missing: Vec<&&str> = names.iter().filter(|name| !words.contains(name)).collect();
                assert!(missing.len() != 1, "{name} lists all but {missing:?}: {line}");
            }
        }
    }
}
