//! What patterns select, and what people write about ports and folders.

use proptest::prelude::*;

use super::{PortRange, Selection, is_below, is_variable, worktree_include, worktrees};

fn selected(patterns: &[&str], paths: &[&str]) -> Vec<String> {
    let selection = Selection::new(patterns.iter().copied()).unwrap();
    paths.iter().filter(|path| selection.selects(path)).map(|path| (*path).to_owned()).collect()
}

#[test]
fn patterns_mean_what_they_mean_in_gitignore() {
    let paths = [".env", ".env.local", "web/.env", "config/a.local", "web/config/a.local", "keys/deep/a.pem"];
    assert_eq!(selected(&[".env"], &paths), [".env", "web/.env"]);
    assert_eq!(selected(&["/.env*"], &paths), [".env", ".env.local"]);
    assert_eq!(selected(&["config/*.local"], &paths), ["config/a.local"]);
    assert_eq!(selected(&["keys/"], &paths), ["keys/deep/a.pem"]);
    assert_eq!(selected(&[".env*", "!.env.local"], &paths), [".env", "web/.env"]);
    assert!(Selection::new([]).unwrap().is_empty());
    assert!(!Selection::new([".env"]).unwrap().is_empty());
}

#[test]
fn what_leaves_the_repository_is_never_selected() {
    assert!(selected(&["*"], &["/etc/passwd", "../a", "a/../../b", "C:\\x"]).is_empty());
}

#[test]
fn a_worktreeinclude_has_comments_and_empty_lines() {
    let text = "\u{feff}# secrets\r\n.env\r\n\n  \nconfig/*.local\n";
    assert_eq!(worktree_include(text).collect::<Vec<_>>(), [".env", "config/*.local"]);
}

#[test]
fn a_range_of_ports_needs_no_rights_and_goes_upwards() {
    let read = |text: &str| PortRange::parse(text).map(|range| (range.to_string(), range.len()));
    assert_eq!(read("20000-24999"), Some(("20000-24999".to_owned(), 5000)));
    assert_eq!(read(" 1024 - 1024 "), Some(("1024-1024".to_owned(), 1)));
    for wrong in ["", "3000", "80-90", "1023-2000", "3000-2000", "3000-70000", "a-b", "1-2-3"] {
        assert_eq!(read(wrong), None, "{wrong}");
    }
}

#[test]
fn a_variable_has_a_plain_name_that_is_not_gulfs_own() {
    assert!(["PORT", "_p1", "db_port"].into_iter().all(is_variable));
    assert!(!["", "1A", "A-B", "Ä", "A=B", "GULF_HOME"].into_iter().any(is_variable));
}

#[test]
fn a_path_below_the_project_is_written_as_git_shows_it() {
    assert!(["data", "data/large/", "node_modules/.cache"].into_iter().all(is_below));
    assert!(
        !["", "/", ".", "./a", "a//b", "a/../b", "..", "/a", "\\a", "c:x", ".git/x"]
            .into_iter()
            .any(is_below)
    );
}

#[test]
fn worktrees_lie_beside_the_repository_or_where_it_was_said() {
    let lie = |setting| worktrees(setting, "/home/ana/code/app", Some("/home/ana/"));
    assert_eq!(lie(None).as_deref(), Some("/home/ana/code"));
    assert_eq!(lie(Some("~/trees")).as_deref(), Some("/home/ana/trees"));
    assert_eq!(lie(Some("/mnt/trees")).as_deref(), Some("/mnt/trees"));
    assert_eq!(lie(Some("../trees")).as_deref(), Some("/home/ana/code/app/../trees"));
    assert_eq!(worktrees(None, "/app", None).as_deref(), Some("/"));
    assert_eq!(worktrees(Some("~/trees"), "/app", None), None);
}

#[test]
fn what_is_no_path_below_the_top_is_not_selected() {
    let everything = Selection::new(["*"]).unwrap();
    for path in [".///", "", "/etc/passwd", "a//b", "../a", "./a"] {
        assert!(!everything.selects(path), "{path}");
    }
    assert!(everything.selects("tests/test_a.py::test_b (pytest)"));
}

proptest! {
    #[test]
    fn no_pattern_and_no_path_make_it_panic(pattern in any::<String>(), path in any::<String>()) {
        if let Ok(selection) = Selection::new([pattern.as_str()]) {
            selection.selects(&path);
        }
    }

    #[test]
    fn no_pieces_of_patterns_and_paths_make_it_panic(
        patterns in proptest::collection::vec("[!/*?\\[\\]a.{},\\\\ ]{0,6}", 0..4),
        path in "[/a.\\\\: ]{0,8}",
    ) {
        if let Ok(selection) = Selection::new(patterns.iter().map(String::as_str)) {
            selection.selects(&path);
        }
    }
}
