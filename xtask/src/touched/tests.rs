//! Which tests which files touch.

use super::filter;

#[track_caller]
fn check(files: &[&str], expected: Option<&str>) {
    let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
    assert_eq!(filter(&files).as_deref(), expected);
}

#[test]
fn a_change_of_a_crate_touches_what_depends_on_it_and_every_way_through_the_product() {
    let files = vec!["crates/gulf/src/main.rs".to_owned(), "crates/gulf-host/src/lock.rs".to_owned()];
    let filter = filter(&files).unwrap();
    for part in
        ["(rdeps(=gulf-loop) - package(=e2e))", "(rdeps(=gulf-host) - package(=e2e))", "test(/^keeping::/)"]
    {
        assert!(filter.contains(part), "{filter}");
    }
}

#[test]
fn other_files_touch_their_own_tests() {
    check(&["e2e/tests/e2e/contract/claims.rs"], Some("(package(=e2e) & test(/^contract::claims::/))"));
    check(&["e2e/tests/e2e/contract/harness.rs"], Some("(package(=e2e) & test(/^contract::/))"));
    check(&["e2e/tests/e2e/main.rs"], Some("package(=e2e)"));
    check(&["docs/lint.md"], Some("(package(=e2e) & test(/^documents::/))"));
    check(&["xtask/src/ci.rs"], Some("package(=xtask)"));
    check(&["Cargo.lock"], Some("all()"));
    check(&["LICENSE-MIT", ".gitignore"], None);
}
