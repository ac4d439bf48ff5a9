//! The pictures of our documents are drawn from real runs, and compared with one: a picture that is not true is worse
//! than none.

use std::collections::BTreeSet;
use std::fs;

use camino::Utf8Path;
use gulf_testkit::{Sandbox, Size, Terminal, quote, repository_root};

use crate::documents::steady;

/// Where a terminal cuts a line depends on how long things took: lines are compared up to here.
const COMPARED_CHARACTERS: usize = 60;

#[test]
fn the_picture_of_the_demo_shows_what_it_does() {
    let sandbox = Sandbox::without_git();
    let terminal = sandbox.gulf(["demo"]).on_terminal(Size { rows: 60, columns: 100 });
    compare("demo.svg", "gulf demo", &terminal);
    assert_eq!(terminal.finish(), 0);
}

/// Times, ids and the order of what runs side by side may differ; words and colours may not.
#[track_caller]
fn compare(name: &str, title: &str, terminal: &Terminal) {
    let fresh = terminal.last_picture(title);
    let path = repository_root().join("docs/pictures").join(name);
    let drawn = fs::read_to_string(&path).unwrap_or_default();
    if lines(&fresh) != lines(&drawn) {
        let kept = Utf8Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&kept, &fresh).unwrap();
        let copy = format!("cp {} {}", quote(kept.as_str()), quote(path.as_str()));
        panic!("{path} is stale; look at the new picture, and keep it with `{copy}`");
    }
}

/// Each line's classes and text, in order of the alphabet.
fn lines(svg: &str) -> BTreeSet<(Vec<&str>, String)> {
    let classes = |line| str::split(line, "class=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let lines = svg.lines().filter(|line| line.starts_with("<text"));
    lines
        .map(|line| {
            let text: String = line.split('<').filter_map(|part| Some(part.split_once('>')?.1)).collect();
            (
                classes(line).collect(),
                steady(&without_handle(&text)).chars().take(COMPARED_CHARACTERS).collect(),
            )
        })
        .collect()
}

/// `loop k3v9 · …`: another loop has another handle.
fn without_handle(line: &str) -> String {
    let handle = line.strip_prefix("loop ").and_then(|rest| rest.split(' ').next());
    handle.map_or_else(|| line.to_owned(), |handle| line.replacen(handle, "*", 1))
}
