//! Evidence that is there, and evidence that is not.

use proptest::prelude::*;

use super::given::*;
use crate::judge::fence::name;
use crate::judge::*;

/// What was found of one piece of evidence.
fn found(exhibits: &Exhibits, evidence: Evidence) -> (Word, Finding) {
    let words = check(&answer(vec![said(1, Word::Met, vec![evidence])]), exhibits);
    (words[0].word, words[0].evidence[0].finding.clone())
}

fn check_found(evidence: Evidence, finding: Finding) {
    assert_eq!(found(&exhibits(), evidence), (Word::Met, finding));
}

fn check_absent(exhibits: &Exhibits, evidence: Evidence, expected: &str) {
    match found(exhibits, evidence) {
        (Word::Unsure, Finding::Absent { why }) => assert!(why.contains(expected), "{why}"),
        other => panic!("{expected}: {other:?}"),
    }
}

fn named(name: &str) -> Evidence {
    Evidence::Check { name: name.to_owned() }
}

fn examined(path: &str) -> Evidence {
    Evidence::Examined { path: path.to_owned() }
}

#[test]
fn a_quote_counts_where_it_stands_and_says_whether_it_is_inside_the_change() {
    check_found(quote("src/form.js", "return label('name')"), Finding::Inside);
    check_found(quote("src/form.js", "export function form() {"), Finding::Counts);
    check_found(quote("src/error.js", "// an old line that was there before"), Finding::Counts);
    check_found(quote("./src/form.js", "return label('name')"), Finding::Inside);
}

#[test]
fn white_space_is_left_aside() {
    for text in [
        "return\n\tlabel( 'name' )",
        "return\u{a0}label('name')",
        "return\u{3000}label('name')\r\n",
        "export function form() {\r\n  return label('name')",
    ] {
        check_found(quote("src/form.js", text), Finding::Inside);
    }
    let mut windows = exhibits();
    windows.files = vec![file("a.js", "old line of code\r\nnew line of code\r\n", &[(2, 2)])];
    assert_eq!(found(&windows, quote("a.js", "new line of\ncode")), (Word::Met, Finding::Inside));
}

#[test]
fn words_of_any_language_are_found() {
    let mut korean = exhibits();
    korean.files = vec![file("읽기.md", "로그인 양식에는 반드시 이름표가 있어야 합니다.\n", &[(1, 1)])];
    let inside = (Word::Met, Finding::Inside);
    assert_eq!(found(&korean, quote("읽기.md", "양식에는 반드시 이름표가 있어야")), inside);
    check_absent(&korean, quote("읽기.md", "양식에는 반드시 오류가 있어야 함"), "does not stand");
}

// proves: B4
#[test]
fn a_quote_that_is_not_there_makes_the_criterion_unsure() {
    let exhibits = exhibits();
    check_absent(
        &exhibits,
        quote("src/form.js", "return caption('name')"),
        "does not stand in `src/form.js`",
    );
    check_absent(&exhibits, quote("src/form.js", "show(error.message);"), "does not stand in `src/form.js`");
    check_absent(&exhibits, quote("src/none.js", "return label('name')"), "no file `src/none.js` was shown");
    check_absent(&exhibits, quote("SRC/FORM.JS", "return label('name')"), "no file");
    check_absent(&exhibits, quote("src/form.js", "export function form() … field('name')"), "does not stand");
}

#[test]
fn what_the_worker_says_of_its_work_is_no_evidence() {
    let exhibits = exhibits();
    for path in ["what the worker says", "commit messages", "progress.txt", "", "alignment"] {
        check_absent(&exhibits, quote(path, "the errors are shown very well"), "no file");
        check_absent(&exhibits, quote(path, "Add the form, all criteria are met"), "no file");
    }
    check_absent(&exhibits, quote("src/form.js", "Add the form, all criteria are met"), "does not stand");
}

#[test]
fn a_quote_too_short_neither_proves_nor_disproves() {
    let exhibits = exhibits();
    for text in ["form()", "}", "  (( )) [[ ]] {{ }} ;;;; ....", "", "a ((((((((((((((((((("] {
        let (word, finding) = found(&exhibits, quote("src/form.js", text));
        assert!(matches!(finding, Finding::Weak { .. }), "{text}: {finding:?}");
        assert_eq!(word, Word::Unsure, "{text}");
    }
    let both = vec![quote("src/form.js", "}"), quote("src/form.js", "return label('name')")];
    assert_eq!(check(&answer(vec![said(1, Word::Met, both)]), &exhibits)[0].word, Word::Met);
}

#[test]
fn one_piece_of_evidence_that_is_not_there_outweighs_those_that_are() {
    let both = vec![quote("src/form.js", "return label('name')"), quote("src/form.js", "never written here")];
    let words = check(&answer(vec![said(1, Word::Met, both)]), &exhibits());
    assert_eq!((words[0].word, words[0].said), (Word::Unsure, Word::Met));
    assert_eq!(words[0].reason, "said to be met, but the quote does not stand in `src/form.js`");
    assert!(!words[0].is_inside());
}

#[test]
fn met_without_evidence_is_unsure() {
    let words = check(&answer(vec![said(1, Word::Met, Vec::new())]), &exhibits());
    assert_eq!(words[0].word, Word::Unsure);
    assert_eq!(words[0].reason, "said to be met, but without evidence");
}

#[test]
fn a_check_counts_if_it_is_one_and_passed() {
    let mut exhibits = exhibits();
    let lint = check_exhibit("lint", "all of this is perfectly clean");
    exhibits.checks.push(CheckExhibit { passed: false, ..lint });
    assert_eq!(found(&exhibits, named("test")), (Word::Met, Finding::Counts));
    check_absent(&exhibits, named("lint"), "the check `lint` did not pass");
    check_absent(&exhibits, named("npm test"), "there is no check `npm test`");
    assert_eq!(found(&exhibits, quote("test", "12 tests passed")), (Word::Met, Finding::Counts));
    check_absent(&exhibits, quote("lint", "all of this is perfectly clean"), "no file `lint`");
}

#[test]
fn a_file_counts_as_examined_if_it_was_shown_and_never_as_inside() {
    let mut exhibits = exhibits();
    exhibits.files.push(binary("logo.png"));
    exhibits.files.push(FileExhibit { path: "old.js".to_owned(), fate: Fate::Deleted });
    assert_eq!(found(&exhibits, examined("src/form.js")), (Word::Met, Finding::Counts));
    assert_eq!(found(&exhibits, examined("old.js")), (Word::Met, Finding::Counts));
    check_absent(&exhibits, examined("src/none.js"), "no file");
    check_absent(&exhibits, examined("logo.png"), "the content of `logo.png` was not shown");
    check_absent(&exhibits, quote("logo.png", "return label('name')"), "does not stand");
}

#[test]
fn a_path_is_known_by_the_name_under_which_it_was_shown() {
    let long = |end: &str| format!("{}{end}{}", "a".repeat(300), "b".repeat(300));
    let mut exhibits = exhibits();
    exhibits.files = vec![file("we\nird\".js", "const label = 'a label';\n", &[(1, 1)])];
    exhibits.files.push(file(&long("x"), "const label = 'a label';\n", &[]));
    let shown = quote("we\\nird\\u{22}.js", "const label = 'a label'");
    assert_eq!(found(&exhibits, shown), (Word::Met, Finding::Inside));
    let short = name(&long("x"));
    assert_eq!(found(&exhibits, examined(&short)), (Word::Met, Finding::Counts));
    exhibits.files.push(file(&long("y"), "", &[]));
    check_absent(&exhibits, examined(&short), "two files are shown as");
}

#[test]
fn a_quote_that_stood_without_the_change_is_not_inside_it() {
    let mut exhibits = exhibits();
    exhibits.files =
        vec![file("a.js", "return result.value;\nx();\nreturn result.value;\n}\nold_function();", &[(3, 4)])];
    let counts = (Word::Met, Finding::Counts);
    assert_eq!(found(&exhibits, quote("a.js", "return result.value;")), counts);
    assert_eq!(found(&exhibits, quote("a.js", "x(); return result.value;")), (Word::Met, Finding::Inside));
    assert_eq!(found(&exhibits, quote("a.js", "} old_function();")), counts, "a bracket says nothing");
}

#[test]
fn files_of_the_same_text_are_told_apart() {
    let mut exhibits = exhibits();
    let text = "const label = 'a label';\n";
    exhibits.files = vec![file("old.js", text, &[]), file("new.js", text, &[(1, 1)])];
    let quotes = vec![quote("old.js", text), quote("new.js", text)];
    let words = check(&answer(vec![said(1, Word::Met, quotes)]), &exhibits);
    let findings: Vec<_> = words[0].evidence.iter().map(|weighed| &weighed.finding).collect();
    assert_eq!(findings, [&Finding::Counts, &Finding::Inside]);
}

#[test]
fn evidence_changes_only_the_word_met() {
    for word in [Word::Unmet, Word::Unsure, Word::NotHere] {
        let words = check(&answer(vec![said(1, word, vec![named("none")])]), &exhibits());
        assert_eq!((words[0].word, words[0].said), (word, word));
        assert_eq!(words[0].reason, "because of 1");
    }
}

proptest! {
    #[test]
    fn any_stretch_of_a_file_is_found_in_it(text in "[a-z ]{40,80}(\n|\r\n)[a-z\u{ac00}-\u{ac20} ]{40,80}", start in 0..30_usize) {
        let wanted: String = text.chars().skip(start).take(30).collect();
        prop_assume!(wanted.chars().filter(|character| !character.is_whitespace()).count() >= QUOTE_CHARS_MIN);
        let mut exhibits = exhibits();
        exhibits.files = vec![file("a.txt", &text, &[(1, 2)])];
        prop_assert_eq!(found(&exhibits, quote("a.txt", &wanted)), (Word::Met, Finding::Inside));
        exhibits.files = vec![file("a.txt", &text, &[])];
        prop_assert_eq!(found(&exhibits, quote("a.txt", &wanted)), (Word::Met, Finding::Counts));
    }

    #[test]
    fn nothing_is_found_that_is_not_there(text in "[a-m \n]{0,200}", wanted in "[n-z]{12,40}") {
        let mut exhibits = exhibits();
        exhibits.files = vec![file("a.txt", &text, &[(1, 9)])];
        prop_assert_eq!(found(&exhibits, quote("a.txt", &wanted)).0, Word::Unsure);
    }
}
