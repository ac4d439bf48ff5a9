//! Comments above tests, and elsewhere.

use super::*;

const IDS: &str = "G9\thuman gate\nR1\tone task after another\n";

fn traced(text: &str) -> (Vec<Requirement>, Vec<Stray>) {
    trace(IDS, &[("a.rs".to_owned(), text.to_owned())])
}

#[test]
fn a_test_proves_what_stands_above_it() {
    let (found, strays) = traced("// proves: G9, R1\n#[test]\nfn it_waits() {}\n");
    assert!(strays.is_empty(), "{strays:?}");
    assert!(found.iter().all(|requirement| requirement.tests == ["a.rs::it_waits"]), "{found:?}");
}

#[test]
fn what_nothing_proves_has_no_test() {
    let (found, _) = traced("    // proves: R1\n    // and more\n    #[test]\n    fn goes_on() {}\n");
    assert_eq!((found[0].tests.len(), found[1].tests.len()), (0, 1));
}

#[test]
fn a_comment_above_no_test_or_of_an_unknown_id_is_a_stray() {
    for text in
        ["// proves: G9\nfn helper() {}\n", "// proves: G9\n\n\n", "// proves: Z1\n#[test]\nfn a() {}\n"]
    {
        let (found, strays) = traced(text);
        assert_eq!(strays.len(), 1, "{text}");
        assert!(found.iter().all(|requirement| requirement.tests.is_empty()), "{text}");
        assert!(strays[0].place.starts_with("a.rs:1"), "{strays:?}");
    }
}
