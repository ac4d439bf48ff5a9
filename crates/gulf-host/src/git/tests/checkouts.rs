//! Checkouts: exact, incremental, and out of reach of the person's repository.

use std::fs;
use std::time::SystemTime;

use super::support::{Sandbox, commit_of, files_below, path, persons_state, run_git, write_below};
use crate::files;
use crate::git::{CommitId, Keep, Repository, SubmoduleFinding, SubmoduleState, TreePath};

fn names(sandbox: &Sandbox) -> Vec<String> {
    files_below(&sandbox.checkout_directory())
}

fn read(sandbox: &Sandbox, at: &str) -> String {
    fs::read_to_string(sandbox.in_checkout(at)).unwrap()
}

fn stray(sandbox: &Sandbox, at: &str) {
    write_below(&sandbox.checkout_directory(), at, b"stray");
}

/// A repository with these files, checked out once.
fn checked_out(files: &[(&str, &str)]) -> (Sandbox, Repository, CommitId) {
    let sandbox = Sandbox::with(files);
    let repository = sandbox.open();
    let commit = sandbox.candidate(&repository);
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    (sandbox, repository, commit)
}

#[test]
fn a_checkout_holds_exactly_the_commit() {
    let (sandbox, _, _) = checked_out(&[("a.txt", "a\n"), ("src/b.txt", "b\n")]);
    assert_eq!(names(&sandbox), ["a.txt", "src/", "src/b.txt"]);
    assert_eq!(read(&sandbox, "src/b.txt"), "b\n");
}

#[test]
fn the_next_candidate_changes_only_what_changed() {
    let (sandbox, repository, _) = checked_out(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("gone.txt", "c\n")]);
    let modified = |at: &str| fs::metadata(sandbox.in_checkout(at)).unwrap().modified().unwrap();
    let before = modified("a.txt");
    sandbox.write("b.txt", "B\n");
    sandbox.remove("gone.txt");
    let commit = sandbox.candidate(&repository);
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(names(&sandbox), ["a.txt", "b.txt"]);
    assert_eq!(read(&sandbox, "b.txt"), "B\n");
    assert_eq!(modified("a.txt"), before, "an unchanged file keeps its time stamp");
}

#[test]
fn stray_files_go_and_ignored_output_stays() {
    let (sandbox, repository, commit) = checked_out(&[(".gitignore", "target/\n*.o\n"), ("src/a.c", "a\n")]);
    for at in ["stray.txt", "src/stray.c", "new/dir/x", "target/debug/out", "src/a.o", "built/only.o"] {
        stray(&sandbox, at);
    }
    fs::create_dir_all(sandbox.in_checkout("empty/inner")).unwrap();
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(
        names(&sandbox),
        [
            ".gitignore", "built/", "built/only.o", "src/", "src/a.c", "src/a.o", "target/", "target/debug/",
            "target/debug/out"
        ]
    );
}

#[test]
fn keeping_nothing_leaves_the_provided_folders_alone() {
    let (sandbox, repository, commit) =
        checked_out(&[(".gitignore", "target/\nnode_modules/\n"), ("a", "a\n")]);
    for at in ["target/out", "node_modules/x.js", "web/node_modules/y.js", "[odd] na*me/z", "odd/z"] {
        stray(&sandbox, at);
    }
    let kept = [path("node_modules"), path("web/node_modules"), path("[odd] na*me")];
    sandbox.checkout_keeping(&repository, &commit, Keep::Nothing, &kept).unwrap();
    let expected = [
        ".gitignore", "[odd] na*me/", "[odd] na*me/z", "a", "node_modules/", "node_modules/x.js", "web/",
        "web/node_modules/", "web/node_modules/y.js",
    ];
    assert_eq!(names(&sandbox), expected);
}

#[test]
fn ignored_leftovers_go_when_an_ignore_file_changed() {
    let (sandbox, repository, _) = checked_out(&[(".gitignore", "target/\nnode_modules/\n"), ("a", "a\n")]);
    stray(&sandbox, "target/out");
    stray(&sandbox, "node_modules/x.js");
    sandbox.write("sub/.gitignore", "*\n!.gitignore\n");
    let commit = sandbox.candidate(&repository);
    sandbox.checkout_keeping(&repository, &commit, Keep::IgnoredOutput, &[path("node_modules")]).unwrap();
    let expected = [".gitignore", "a", "node_modules/", "node_modules/x.js", "sub/", "sub/.gitignore"];
    assert_eq!(names(&sandbox), expected);
}

#[test]
fn ignored_leftovers_go_when_the_rules_beside_the_repository_changed() {
    let (sandbox, repository, commit) = checked_out(&[("a", "a\n")]);
    stray(&sandbox, "poison.py");
    repository.exclude(&["*"]).unwrap();
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(names(&sandbox), ["a"]);
}

#[test]
fn a_tampered_file_is_restored_even_with_its_length_and_time_stamp_kept() {
    let (sandbox, repository, commit) = checked_out(&[("test.sh", "exit 1\n"), ("b.txt", "b\n")]);
    let file = sandbox.in_checkout("test.sh");
    let times = fs::metadata(&file).unwrap().modified().unwrap();
    fs::write(&file, "exit 0\n").unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(times).unwrap();
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(read(&sandbox, "test.sh"), "exit 1\n");
}

#[test]
fn a_file_tampered_with_after_a_clean_look_is_restored_too() {
    let (sandbox, repository, commit) = checked_out(&[("test.sh", "exit 1\n"), ("b.txt", "b\n")]);
    let index = sandbox.root.join("gulf/checkout-index");
    for round in 0..3 {
        let look = || repository.rewritten(&sandbox.checkout_directory(), &index, &|_| false).unwrap();
        assert_eq!(look(), [], "round {round}");
        let file = sandbox.in_checkout("test.sh");
        let times = fs::metadata(&file).unwrap().modified().unwrap();
        fs::write(&file, "exit 0\n").unwrap();
        fs::File::options().write(true).open(&file).unwrap().set_modified(times).unwrap();
        if round == 1 {
            assert_eq!(look(), [path("test.sh")]);
        }
        sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
        assert_eq!(read(&sandbox, "test.sh"), "exit 1\n", "round {round}");
    }
}

#[test]
fn what_was_rewritten_and_removed_is_named_once_and_what_was_added_is_not() {
    let (sandbox, repository, _) = checked_out(&[("a", "a\n"), ("b", "b\n"), ("c", "c\n"), ("d e", "d\n")]);
    write_below(&sandbox.checkout_directory(), "a", b"x\n");
    fs::remove_file(sandbox.in_checkout("d e")).unwrap();
    stray(&sandbox, "new");
    let index = sandbox.root.join("gulf/checkout-index");
    let rewritten = repository.rewritten(&sandbox.checkout_directory(), &index, &|_| false).unwrap();
    assert_eq!(rewritten, [path("a"), path("d e")]);
}

#[test]
fn what_was_written_and_put_back_is_named_where_it_is_asked_about() {
    let (sandbox, repository, _) = checked_out(&[("tests/a", "a\n"), ("b", "b\n"), ("tests/c", "c\n")]);
    let begun = SystemTime::now();
    for name in ["tests/a", "b"] {
        let file = sandbox.in_checkout(name);
        let (bytes, times) = (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().modified().unwrap());
        // The clock of the file system may stand still for a moment.
        while !files::changed_since(&file, begun) {
            fs::write(&file, "x").unwrap();
            fs::write(&file, &bytes).unwrap();
        }
        fs::File::options().write(true).open(&file).unwrap().set_modified(times).unwrap();
    }
    let directory = sandbox.checkout_directory();
    let index = sandbox.root.join("gulf/checkout-index");
    let touched = |path: &TreePath| {
        path.as_utf8().is_some_and(|path| {
            path.starts_with("tests") && files::changed_since(&directory.join(path), begun)
        })
    };
    assert_eq!(repository.rewritten(&directory, &index, &touched).unwrap(), [path("tests/a")]);
    assert_eq!(repository.rewritten(&directory, &index, &|_| false).unwrap(), []);
}

#[test]
fn of_ignored_output_what_a_rule_takes_out_again_goes() {
    let (sandbox, repository, commit) =
        checked_out(&[(".gitignore", "*.log\n!keep.log\nout/\n"), ("a", "a\n")]);
    for at in ["x.log", "keep.log", "out/keep.log", "deep/y.log"] {
        stray(&sandbox, at);
    }
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(names(&sandbox), [".gitignore", "a", "deep/", "deep/y.log", "out/", "out/keep.log", "x.log"]);
}

#[test]
fn attributes_written_by_a_check_change_no_bytes() {
    for attributes in ["* text eol=crlf\n", "* working-tree-encoding=UTF-16\n", "* ident\n"] {
        for rules in ["", "*.log\n", ".git*\n!.gitignore\n"] {
            let (sandbox, repository, commit) =
                checked_out(&[("test.sh", "exit 1\n"), ("b.txt", "$Id$\n"), (".gitignore", rules)]);
            for keep in [Keep::IgnoredOutput, Keep::Nothing] {
                for file in [".gitattributes", "test.sh", "b.txt"] {
                    write_below(&sandbox.checkout_directory(), file, attributes.as_bytes());
                }
                sandbox.checkout(&repository, &commit, keep);
                let found = (read(&sandbox, "test.sh"), read(&sandbox, "b.txt"));
                let told = format!("{attributes:?} {rules:?} {keep:?}");
                assert_eq!(found, ("exit 1\n".to_owned(), "$Id$\n".to_owned()), "{told}");
                assert!(!sandbox.in_checkout(".gitattributes").exists(), "{told}");
            }
        }
    }
}

#[test]
fn an_ignore_file_written_by_a_check_protects_nothing() {
    let (sandbox, repository, commit) = checked_out(&[("a", "a\n"), (".gitignore", "target/\n")]);
    write_below(&sandbox.checkout_directory(), ".gitignore", b"*\n");
    write_below(&sandbox.checkout_directory(), "sub/.gitignore", b"*\n");
    for at in ["poison.py", "sub/deep/poison.py", "sub/kept/x.js", "target/out"] {
        stray(&sandbox, at);
    }
    let kept = [path("sub/kept")];
    sandbox.checkout_keeping(&repository, &commit, Keep::IgnoredOutput, &kept).unwrap();
    let expected = [".gitignore", "a", "sub/", "sub/kept/", "sub/kept/x.js", "target/", "target/out"];
    assert_eq!(names(&sandbox), expected);
}

#[cfg(unix)]
#[test]
fn a_directory_replaced_by_a_link_is_a_directory_again() {
    let (sandbox, repository, commit) = checked_out(&[("src/a.txt", "a\n"), ("b.txt", "b\n")]);
    let elsewhere = sandbox.root.join("elsewhere");
    fs::rename(sandbox.in_checkout("src"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, sandbox.in_checkout("src")).unwrap();
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert!(fs::symlink_metadata(sandbox.in_checkout("src")).unwrap().is_dir());
    assert_eq!(names(&sandbox), ["b.txt", "src/", "src/a.txt"]);
    assert_eq!(fs::read_to_string(elsewhere.join("a.txt")).unwrap(), "a\n", "the link was not followed");
}

#[cfg(unix)]
#[test]
fn locked_files_and_directories_do_not_stop_a_checkout() {
    use std::os::unix::fs::PermissionsExt;
    let (sandbox, repository, commit) = checked_out(&[("src/a.txt", "a\n")]);
    write_below(&sandbox.checkout_directory(), "src/a.txt", b"changed");
    stray(&sandbox, "cache/deep/x");
    for (at, mode) in [("src/a.txt", 0o444), ("cache/deep/x", 0o400), ("cache/deep", 0o500), ("src", 0o500)] {
        fs::set_permissions(sandbox.in_checkout(at), fs::Permissions::from_mode(mode)).unwrap();
    }
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(names(&sandbox), ["src/", "src/a.txt"]);
    assert_eq!(read(&sandbox, "src/a.txt"), "a\n");
}

#[test]
fn files_and_directories_swap_places() {
    let (sandbox, repository, _) = checked_out(&[("a", "file\n"), ("b/c", "below\n")]);
    sandbox.remove("a");
    fs::remove_dir_all(sandbox.project.join("b")).unwrap();
    sandbox.write_all(&[("a/x", "now below\n"), ("b", "now a file\n")]);
    let commit = sandbox.candidate(&repository);
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(names(&sandbox), ["a/", "a/x", "b"]);
}

#[test]
fn git_in_the_checkout_sees_the_candidate_and_nothing_of_the_persons_branches() {
    let (sandbox, repository, _) = checked_out(&[("a.txt", "a\n")]);
    sandbox.write("a.txt", "b\n");
    let commit = sandbox.candidate(&repository);
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    let directory = sandbox.checkout_directory();
    let git = |arguments: &[&str]| run_git(&directory, arguments);
    assert_eq!(git(&["rev-parse", "HEAD"]), commit.as_str());
    assert_eq!(git(&["rev-parse", "--show-toplevel"]), directory.as_str());
    assert_eq!(git(&["ls-files"]), "a.txt");
    assert_eq!(git(&["status", "--porcelain"]), "");
    assert_eq!(git(&["log", "--format=%s"]), "candidate\nwork");
    assert_eq!(git(&["for-each-ref"]), "");
}

#[test]
fn a_check_that_commits_and_configures_moves_nothing_and_leaves_nothing() {
    let (sandbox, repository, commit) = checked_out(&[("a.txt", "a\n")]);
    let before = persons_state(&sandbox);
    let directory = sandbox.checkout_directory();
    write_below(&directory, "a.txt", b"evil\n");
    run_git(&directory, &["checkout", "-q", "-b", "main"]);
    run_git(&directory, &["commit", "-qam", "evil"]);
    run_git(&directory, &["config", "filter.evil.smudge", "echo evil"]);
    write_below(&directory, ".git/info/attributes", b"* filter=evil\n");
    assert_eq!(persons_state(&sandbox), before);
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(read(&sandbox, "a.txt"), "a\n");
    assert_eq!(run_git(&directory, &["rev-parse", "HEAD"]), commit.as_str());
    assert_eq!(run_git(&directory, &["for-each-ref"]), "");
    assert_eq!(persons_state(&sandbox), before);
}

#[test]
fn a_deleted_or_linked_git_directory_is_made_anew() {
    let (sandbox, repository, commit) = checked_out(&[("a.txt", "a\n")]);
    let directory = sandbox.checkout_directory();
    fs::remove_dir_all(directory.join(".git")).unwrap();
    fs::write(directory.join(".git"), format!("gitdir: {}/.git\n", sandbox.project)).unwrap();
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert!(directory.join(".git").is_dir());
    assert_eq!(run_git(&directory, &["rev-parse", "HEAD"]), commit.as_str());
}

#[test]
fn a_lost_or_broken_index_of_the_checkout_is_made_anew() {
    let (sandbox, repository, commit) = checked_out(&[("a.txt", "a\n"), ("b/c.txt", "c\n")]);
    let index = sandbox.root.join("gulf/checkout-index");
    for broken in ["", "nonsense that is longer than any checksum"] {
        fs::write(&index, broken).unwrap();
        fs::write(format!("{index}.lock"), "").unwrap();
        write_below(&sandbox.checkout_directory(), "a.txt", b"changed");
        sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
        assert_eq!(names(&sandbox), ["a.txt", "b/", "b/c.txt"]);
        assert_eq!(read(&sandbox, "a.txt"), "a\n");
    }
}

#[test]
fn other_attributes_give_other_bytes_for_the_same_objects() {
    let (sandbox, repository, _) = checked_out(&[("a.txt", "a\nb\n")]);
    sandbox.write(".gitattributes", "*.txt text eol=crlf\n");
    let commit = sandbox.candidate(&repository);
    sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    assert_eq!(read(&sandbox, "a.txt"), "a\r\nb\r\n");
}

#[test]
fn submodules_are_filled_from_the_worktree_and_cleaned_like_the_rest() {
    let library = Sandbox::with(&[("lib.txt", "1\n")]);
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.git(&["submodule", "add", "-q", library.project.as_str(), "lib"]);
    sandbox.commit_all();
    let repository = sandbox.open();
    let commit = sandbox.candidate(&repository);
    for round in 0..2 {
        let submodules = sandbox.checkout(&repository, &commit, Keep::Nothing);
        assert_eq!(submodules, [], "round {round}");
        assert_eq!(names(&sandbox), [".gitmodules", "a.txt", "lib/", "lib/lib.txt"], "round {round}");
        assert_eq!(read(&sandbox, "lib/lib.txt"), "1\n");
        write_below(&sandbox.checkout_directory(), "lib/lib.txt", b"2\n");
        stray(&sandbox, "lib/stray.txt");
    }
    let directory = sandbox.in_checkout("lib");
    assert_eq!(
        run_git(&directory, &["rev-parse", "HEAD"]),
        run_git(&library.project, &["rev-parse", "HEAD"])
    );
    let inner = sandbox.project.join("lib");
    write_below(&inner, "lib.txt", b"3\n");
    run_git(&inner, &["commit", "-q", "-a", "-m", "three"]);
    sandbox.commit_all();
    for (commit, text) in [(sandbox.candidate(&repository), "3\n"), (commit, "1\n")] {
        sandbox.checkout(&repository, &commit, Keep::Nothing);
        assert_eq!(read(&sandbox, "lib/lib.txt"), text);
    }
}

#[test]
fn a_submodule_that_is_nowhere_is_reported() {
    let library = Sandbox::with(&[("lib.txt", "1\n")]);
    let sandbox = Sandbox::with(&[("a.txt", "a\n")]);
    sandbox.git(&["submodule", "add", "-q", library.project.as_str(), "lib"]);
    sandbox.commit_all();
    sandbox.git(&["submodule", "deinit", "-q", "-f", "lib"]);
    let repository = sandbox.open();
    let commit = sandbox.candidate(&repository);
    let submodules = sandbox.checkout(&repository, &commit, Keep::IgnoredOutput);
    let finding = SubmoduleFinding { path: path("lib"), state: SubmoduleState::NotCheckedOut };
    assert_eq!(submodules, [finding]);
}

#[test]
fn a_checkout_of_the_base_and_back_is_exact_both_ways() {
    let (sandbox, repository, base) = checked_out(&[("a.txt", "a\n")]);
    sandbox.write_all(&[("a.txt", "b\n"), ("tests/new.txt", "t\n")]);
    let snapshot = sandbox.snapshot(&repository);
    let candidate = commit_of(&repository, &snapshot.tree);
    for (commit, expected) in
        [(&candidate, &["a.txt", "tests/", "tests/new.txt"][..]), (&base, &["a.txt"][..])]
    {
        sandbox.checkout(&repository, commit, Keep::IgnoredOutput);
        assert_eq!(names(&sandbox), expected);
    }
    assert_eq!(read(&sandbox, "a.txt"), "a\n");
}
