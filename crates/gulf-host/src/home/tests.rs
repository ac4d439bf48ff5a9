//! What home promises, shown on the real thing.

use super::*;
use crate::files::ReadError;
use crate::hint::Hint as _;
use crate::places::{Folder, make_fifo};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

fn from(system: &str, variables: &[(&str, &str)]) -> Result<Home, HomeError> {
    Home::from_variables(system, |name| {
        variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| OsString::from(value))
    })
}

fn check_root(system: &str, variables: &[(&str, &str)], expected: &str) {
    assert_eq!(from(system, variables).unwrap().root(), expected, "{system} {variables:?}");
}

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

#[test]
fn the_home_is_found_in_the_environment() {
    check_root("linux", &[("GULF_HOME", "/a b"), ("XDG_STATE_HOME", "/s"), ("HOME", "/h")], "/a b");
    check_root("linux", &[("GULF_HOME", ""), ("XDG_STATE_HOME", "/s"), ("HOME", "/h")], "/s/gulf");
    check_root("linux", &[("XDG_STATE_HOME", "relative"), ("HOME", "/h")], "/h/.local/state/gulf");
    check_root("macos", &[("HOME", "/Users/홍")], "/Users/홍/Library/Application Support/gulf");
}

#[test]
fn a_relative_home_and_none_at_all_are_refused_with_a_hint() {
    let relative = from("linux", &[("GULF_HOME", "state")]).unwrap_err();
    assert_eq!(relative.to_string(), "GULF_HOME is a relative path: state");
    let nowhere = from("linux", &[]).unwrap_err();
    assert!(nowhere.to_string().starts_with("no place for gulf's state"), "{nowhere:?}");
    assert!(nowhere.hint().unwrap().contains("GULF_HOME") && relative.hint().is_some());
}

fn check_inside(home: Utf8PathBuf, worktree: &Utf8Path, is_inside: bool) {
    let answer = Home::at(home).unwrap().refuse_inside(worktree);
    match answer {
        Ok(()) => assert!(!is_inside),
        Err(HomeError::InsideWorktree { .. }) => assert!(is_inside),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_home_inside_the_worktree_is_refused_by_whatever_path_it_is_named() {
    let folder = Folder::new();
    let worktree = folder.join("작업 tree");
    fs::create_dir_all(worktree.join("sub")).unwrap();
    fs::create_dir(folder.join("elsewhere")).unwrap();
    symlink(worktree.join("sub"), folder.join("into")).unwrap();
    symlink(&worktree, folder.join("alias")).unwrap();
    symlink(folder.join("elsewhere"), worktree.join("out")).unwrap();
    let inside = [
        "작업 tree", "작업 tree/not/yet", "into/not/yet", "elsewhere/../작업 tree/x", "into/../x", "alias/x",
    ];
    for path in inside {
        check_inside(folder.join(path), &worktree, true);
        check_inside(folder.join(path), &folder.join("alias"), true);
    }
    for path in ["elsewhere", "작업 tree beside", "작업 tree/out/x", "not/../yet"] {
        check_inside(folder.join(path), &worktree, false);
    }
}

#[test]
fn a_home_behind_a_dangling_link_is_not_believed_to_be_outside() {
    let folder = Folder::new();
    let worktree = folder.join("worktree");
    fs::create_dir(&worktree).unwrap();
    symlink(worktree.join("later"), folder.join("link")).unwrap();
    assert!(Home::at(folder.join("link/gulf")).unwrap().refuse_inside(&worktree).is_err());
}

#[test]
fn everything_of_a_repository_lies_in_its_folder() {
    let home = Home::at("/h".into()).unwrap();
    let repository = home.repository(&name("key"));
    assert_eq!(repository.identity(), "/h/repositories/key/identity.json");
    let folder = repository.loop_root(&name("2026-02-13T1430_로그인"));
    assert_eq!(folder, "/h/repositories/key/loops/2026-02-13T1430_로그인");
}

#[test]
fn loops_are_listed_by_their_names_and_what_is_no_loop_is_not() {
    let folder = Folder::new();
    let repository = Home::at(folder.join("home")).unwrap().repository(&name("key"));
    assert_eq!(repository.loop_names().unwrap(), []);
    let names = ["2026-01-01T0000_a", "2026-01-02T0000_가", "2026-01-02T0000_b"].map(name);
    for loop_name in &names {
        for _ in 0..2 {
            files::create_private_directories(&repository.loop_root(loop_name), Durability::Buffered)
                .unwrap();
        }
    }
    fs::write(repository.root().join("loops/a-file"), b"").unwrap();
    fs::create_dir(repository.root().join("loops/.hidden")).unwrap();
    let mut sorted = names.to_vec();
    sorted.sort();
    assert_eq!(repository.loop_names().unwrap(), sorted);
    for made in [folder.join("home"), repository.loop_root(&names[0])] {
        assert_eq!(fs::metadata(&made).unwrap().permissions().mode() & 0o777, 0o700, "{made}");
    }
}

fn check_name_refused(text: &str, expected: &str) {
    assert_eq!(Name::parse(text).unwrap_err().to_string(), expected);
}

#[test]
fn a_name_that_could_lead_elsewhere_is_refused() {
    check_name_refused("", "a name cannot be empty");
    check_name_refused("a/b", r#"the name "a/b" cannot contain '/'"#);
    check_name_refused("a\nb", r#"the name "a\nb" cannot contain '\n'"#);
    check_name_refused("a b", r#"the name "a b" cannot contain ' '"#);
    check_name_refused("a..b", r#"the name "a..b" cannot contain "..""#);
    check_name_refused("..", r#"the name ".." cannot contain "..""#);
    check_name_refused(".git", r#"the name ".git" cannot begin with '.'"#);
    check_name_refused("--force", r#"the name "--force" cannot begin with '-'"#);
    check_name_refused("a.lock", r#"the name "a.lock" cannot end with ".lock""#);
    check_name_refused(&"가".repeat(100), "the name is too long: 300 bytes, where 200 are allowed");
}

#[test]
fn requests_come_in_the_order_of_their_time_and_go_when_removed() {
    let folder = Folder::new();
    let requests = Requests::in_directory(folder.join("requests"));
    assert!(requests.list().unwrap().is_empty(), "no folder, no request");
    fs::create_dir(requests.directory()).unwrap();
    for (wall_ms, content) in [(1_000_000, "third"), (5, "first"), (6, "second")] {
        requests.leave(wall_ms, content.as_bytes(), Durability::Synced).unwrap();
    }
    let listed = requests.list().unwrap();
    let contents: Vec<_> = listed.iter().map(|request| request.content.as_deref().unwrap()).collect();
    assert_eq!(contents, [&b"first"[..], b"second", b"third"]);
    requests.remove(&listed[0].name).unwrap();
    requests.remove(&listed[0].name).unwrap();
    assert_eq!(requests.list().unwrap().len(), 2);
}

#[test]
fn what_is_no_whole_request_is_left_out_or_named() {
    let folder = Folder::new();
    let requests = Requests::in_directory(folder.path().to_owned());
    fs::write(folder.join(".gulf-new-x.json"), b"unfinished").unwrap();
    fs::write(folder.join("readme.txt"), b"no request").unwrap();
    fs::write(folder.join("1.json"), vec![b' '; 2 << 20]).unwrap();
    make_fifo(&folder.join("2.json"));
    fs::create_dir(folder.join("3.json")).unwrap();
    let listed = requests.list().unwrap();
    assert_eq!(
        listed.iter().map(|request| &*request.name).collect::<Vec<_>>(),
        ["1.json", "2.json", "3.json"]
    );
    assert!(matches!(listed[0].content, Err(ReadError::TooLarge { .. })));
    assert!(matches!(listed[1].content, Err(ReadError::NotAFile { kind: "a FIFO", .. })));
    assert!(matches!(listed[2].content, Err(ReadError::NotAFile { kind: "a directory", .. })));
}

#[test]
fn many_requests_of_one_moment_are_all_kept() {
    let folder = Folder::new();
    let requests = Requests::in_directory(folder.path().to_owned());
    for _ in 0..50 {
        requests.leave(7, b"{}", Durability::Synced).unwrap();
    }
    assert_eq!(requests.list().unwrap().len(), 50);
}
