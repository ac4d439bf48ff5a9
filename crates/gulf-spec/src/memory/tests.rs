//! What becomes of a memory when loops complete, also where a worker or a person rewrote it.

use proptest::prelude::*;

use super::{ARCHIVED_BYTES_MAX, Archive, Completed, SCAFFOLD, archive, is_untouched};

const CURRENT: &str = "# This loop\n\n## Done\n- the store\n";

fn template(path: &str) -> &'static str {
    SCAFFOLD.into_iter().find(|(own, _)| *own == path).unwrap().1
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn completed<'t>(names: &'t [String], index: &'t str) -> Completed<'t> {
    Completed {
        at_text: "2026-02-28 14:22:11",
        iteration: 23,
        current: CURRENT,
        progress: Some("CONFIDENCE: 80"),
        index,
        names,
        newest: None,
    }
}

#[test]
fn the_first_loop_is_filed_and_entered() {
    let names = names(&["current.md"]);
    let Archive { path, text, index, current } = archive(&completed(&names, template("INDEX.md")));
    assert_eq!(path, "loops/loop-001.md");
    insta::assert_snapshot!(text, @r"
        # Loop 001 — completed 2026-02-28 14:22:11 (iteration 23)

        # This loop

        ## Done
        - the store

        ## progress.txt snapshot

        CONFIDENCE: 80
        ");
    assert!(index.ends_with(
        "<!-- loop-archive-start -->\n- [Loop 001](loops/loop-001.md) — 2026-02-28 (iter 23)\n<!-- loop-archive-end -->\n"
    ), "{index}");
    assert!(is_untouched(&current));
}

#[test]
fn later_loops_follow_in_order_and_no_archive_is_written_over() {
    let one = names(&["current.md", "loop-001.md"]);
    assert_eq!(archive(&completed(&one, "")).path, "loops/loop-002.md");
    let gaps = names(&["loop-007.md", "loop-x.md", "notes.md"]);
    assert_eq!(archive(&completed(&gaps, "")).path, "loops/loop-008.md");
    let odd = names(&["loop-a.md", "loop-b.md"]);
    assert_eq!(archive(&completed(&odd, "")).path, "loops/loop-003.md");
    let many = names(&["loop-1234.md"]);
    assert_eq!(archive(&completed(&many, "")).path, "loops/loop-1235.md");
    let first = archive(&completed(&[], template("INDEX.md"))).index;
    let second = archive(&completed(&one, &first)).index;
    let entries: Vec<&str> = second.lines().filter(|line| line.contains("[Loop ")).collect();
    assert_eq!(
        entries,
        [
            "- [Loop 001](loops/loop-001.md) — 2026-02-28 (iter 23)",
            "- [Loop 002](loops/loop-002.md) — 2026-02-28 (iter 23)",
        ]
    );
}

#[test]
fn the_same_loop_is_filed_once_wherever_a_crash_came_between() {
    let none = names(&["current.md"]);
    let whole = archive(&completed(&none, template("INDEX.md")));
    let there = names(&["current.md", "loop-001.md"]);
    // The current page may have been emptied already.
    let again = Completed {
        newest: Some(&whole.text),
        current: &whole.current,
        ..completed(&there, template("INDEX.md"))
    };
    assert_eq!(archive(&again), whole);
    assert_eq!(archive(&Completed { index: &whole.index, ..again }), whole);
    let next = Completed { iteration: 24, ..again };
    assert_eq!(archive(&next).path, "loops/loop-002.md");
}

#[test]
fn an_index_without_its_mark_gets_the_entry_at_its_end() {
    let index = archive(&completed(&[], "# Mine")).index;
    assert_eq!(
        index,
        "# Mine\n\n## Loop archive\n\n- [Loop 001](loops/loop-001.md) — 2026-02-28 (iter 23)\n<!-- loop-archive-end -->\n"
    );
    let windows = "a\r\n<!-- loop-archive-end -->\r\nb";
    assert!(archive(&completed(&[], windows)).index.ends_with("(iter 23)\n<!-- loop-archive-end -->\r\nb"));
}

#[test]
fn a_page_is_untouched_until_somebody_writes_on_it() {
    let page = template("loops/current.md");
    assert!(is_untouched(page) && is_untouched("") && is_untouched(&page.replace('\n', "\r\n")));
    assert!(!is_untouched(CURRENT) && !is_untouched(&page.replace("## Done\n", "## Done\n- the store\n")));
}

#[test]
fn a_long_text_is_cut_and_that_is_said() {
    let long = "a line\n".repeat(20_000);
    let text = archive(&Completed { current: &long, ..completed(&[], "") }).text;
    assert!(text.len() < ARCHIVED_BYTES_MAX + 200, "{}", text.len());
    assert!(text.contains("\n… lines left out: ") && text.ends_with("CONFIDENCE: 80\n"));
}

proptest! {
    #[test]
    fn whatever_stands_there_the_loop_is_filed_under_a_new_name_and_entered(
        index in "(<!-- loop-archive-end -->|\n|# |a|\r|가){0,12}",
        names in proptest::collection::vec("(loop-[0-9]{0,12}.md|[a-z]{0,4})", 0..6),
        at in any::<String>(),
    ) {
        let archive = archive(&Completed { at_text: &at, ..completed(&names, &index) });
        let name = archive.path.strip_prefix("loops/").unwrap();
        prop_assert!(!names.iter().any(|there| there == name));
        prop_assert_eq!(archive.index.matches(&format!("({})", archive.path)).count(), 1);
        prop_assert!(archive.text.contains(CURRENT));
    }
}
