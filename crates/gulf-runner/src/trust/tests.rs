//! What trust is bound to, and what it is not.

use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::home::Home;
use tempfile::TempDir;

use super::{GivenOn, Trust, TrustStore, came_along};
use crate::place::Project;

struct Ground {
    _folder: TempDir,
    root: Utf8PathBuf,
    store: TrustStore,
}

impl Ground {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let home = Home::at(root.join("home")).unwrap();
        let ground = Self { _folder: folder, root, store: TrustStore::open(&home) };
        ground.git(&ground.root, &["init", "-q", "-b", "main", "내 것 mine"]);
        let mine = ground.mine();
        let who = ["-c", "user.name=P", "-c", "user.email=p@example.invalid"];
        ground.git(&mine, &[&who[..], &["commit", "-q", "--allow-empty", "-m", "base"]].concat());
        ground.give(&mine, &["make test"], GivenOn::Beginning);
        ground
    }

    fn mine(&self) -> Utf8PathBuf {
        self.root.join("내 것 mine")
    }

    fn git(&self, directory: &Utf8Path, arguments: &[&str]) {
        let output = Command::new("git").arg("-C").arg(directory).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn copy(&self, from: &Utf8Path, to: &str) -> Utf8PathBuf {
        let to = self.root.join(to);
        assert!(Command::new("cp").arg("-a").args([from, &to]).status().unwrap().success());
        to
    }

    fn give(&self, project: &Utf8Path, commands: &[&str], occasion: GivenOn) {
        let commands: Vec<String> = commands.iter().map(|command| (*command).to_owned()).collect();
        let (project, by) = (project.to_owned(), "gulf trust".to_owned());
        let mark = Project::find(&project).unwrap().mark().unwrap();
        let given = Trust { project, given_at_ms: 1, by, commands, ..Trust::default() };
        self.store.give(&mark, given, occasion).unwrap();
    }

    fn trusts(&self, project: &Utf8Path) -> bool {
        self.store.find(&Project::find(project).unwrap().mark().unwrap()).is_some()
    }
}

#[test]
fn trust_goes_with_a_repository_that_its_person_moves() {
    let ground = Ground::new();
    let moved = ground.root.join("moved");
    std::fs::rename(ground.mine(), &moved).unwrap();
    assert!(ground.trusts(&moved));
}

#[test]
fn a_clone_a_copy_and_an_archive_that_names_the_key_are_not_trusted() {
    let ground = Ground::new();
    ground.git(&ground.mine(), &["config", "gulf.repository", "0123456789abcdef"]);
    ground.git(&ground.root, &["clone", "-q", "내 것 mine", "clone"]);
    assert!(!ground.trusts(&ground.root.join("clone")));
    let copy = ground.copy(&ground.mine(), "copy");
    assert!(!ground.trusts(&copy));
    std::fs::remove_dir_all(ground.mine()).unwrap();
    std::fs::rename(copy, ground.mine()).unwrap();
    assert!(!ground.trusts(&ground.mine()), "an archive unpacked at the path of a repository that is gone");
}

#[test]
fn an_added_worktree_is_its_repositorys() {
    let ground = Ground::new();
    ground.git(&ground.mine(), &["worktree", "add", "-q", "../beside"]);
    assert!(ground.trusts(&ground.root.join("beside")));
}

#[test]
fn a_folder_that_says_it_belongs_to_a_trusted_repository_does_not() {
    let ground = Ground::new();
    ground.git(&ground.mine(), &["worktree", "add", "-q", "../beside"]);
    let git = ground.mine().join(".git");
    let foreign = |name: &str| {
        let folder = ground.root.join(name);
        std::fs::create_dir(&folder).unwrap();
        folder
    };
    let by_file = foreign("by-file");
    std::fs::write(by_file.join(".git"), format!("gitdir: {git}\n")).unwrap();
    let by_worktree = foreign("by-worktree");
    std::fs::write(by_worktree.join(".git"), format!("gitdir: {git}/worktrees/beside\n")).unwrap();
    let by_common = foreign("by-common-directory");
    std::fs::create_dir(by_common.join(".git")).unwrap();
    std::fs::write(by_common.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    std::fs::write(by_common.join(".git/commondir"), format!("{git}\n")).unwrap();
    let mut all = vec![by_file, by_worktree, by_common];
    #[cfg(unix)]
    {
        let by_link = foreign("by-link");
        std::os::unix::fs::symlink(&git, by_link.join(".git")).unwrap();
        all.push(by_link);
    }
    for folder in all {
        let project = Project::find(&folder).unwrap();
        assert_eq!(project.directory, folder, "git takes it for a checkout of that repository");
        assert!(!ground.trusts(&folder), "{folder}");
    }
}

#[test]
fn commands_are_added_by_what_is_typed_and_set_by_gulf_trust() {
    let ground = Ground::new();
    let commands = || {
        let mark = Project::find(&ground.mine()).unwrap().mark().unwrap();
        ground.store.find(&mark).unwrap().commands
    };
    ground.give(&ground.mine(), &["make lint", "make test"], GivenOn::Beginning);
    assert_eq!(commands(), ["make lint", "make test"]);
    ground.give(&ground.mine(), &["make all"], GivenOn::Beginning);
    assert_eq!(commands(), ["make all", "make lint", "make test"]);
    ground.give(&ground.mine(), &["make test"], GivenOn::Looking);
    assert_eq!(commands(), ["make test"]);
}

#[test]
fn trust_in_a_repository_that_is_gone_can_be_taken_back() {
    let ground = Ground::new();
    std::fs::remove_dir_all(ground.mine()).unwrap();
    assert_eq!(ground.store.all().len(), 1);
    assert_eq!(ground.store.all()[0].1, super::TrustedPlace::Nothing);
    assert!(ground.store.revoke_at(&ground.mine()).unwrap());
    assert!(ground.store.all().is_empty());
    assert!(!ground.store.revoke_at(&ground.mine()).unwrap());
}

#[test]
fn what_is_said_once_is_said_again_after_trust_has_changed() {
    let ground = Ground::new();
    let mark = Project::find(&ground.mine()).unwrap().mark().unwrap();
    assert!(ground.store.says_first(&mark, "a marker lies here"));
    assert!(!ground.store.says_first(&mark, "a marker lies here"));
    assert!(ground.store.says_first(&mark, "something else"));
    assert!(ground.store.revoke(mark.as_str()).unwrap());
    assert!(ground.store.says_first(&mark, "a marker lies here"));
}

#[test]
fn what_git_tracks_or_lies_behind_a_link_or_in_a_repository_within_came_along() {
    let ground = Ground::new();
    let mine = ground.mine();
    let came = |path: &str| came_along(&Project::find(&mine).unwrap(), &mine, path).unwrap();
    std::fs::create_dir_all(mine.join("a/b")).unwrap();
    for path in ["a/own.md", "a/Tracked.md", "a/b/within.md"] {
        std::fs::write(mine.join(path), "text").unwrap();
    }
    ground.git(&mine, &["add", "a/Tracked.md"]);
    ground.git(&mine, &["init", "-q", "a/b"]);
    assert!(!came("a/own.md"));
    assert!(came("a/Tracked.md"));
    assert!(came("a/tracked.md"), "a file system that knows no capitals opens the tracked one");
    assert!(came("a/b/within.md"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(mine.join("a"), mine.join("link")).unwrap();
        assert!(came("link/own.md"));
    }
}

#[test]
fn a_state_file_that_lay_there_before_trust_was_given_in_passing_is_passed_over() {
    let ground = Ground::new();
    let mine = ground.mine();
    let mark = || Project::find(&mine).unwrap().mark().unwrap();
    let file = mine.join(crate::session::MARKER);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "somebody's").unwrap();
    assert!(!ground.store.find(&mark()).unwrap().passes_over(&file), "it came after trust was given");
    ground.store.revoke(mark().as_str()).unwrap();
    ground.give(&mine, &[], GivenOn::Beginning);
    ground.give(&mine, &["make test"], GivenOn::Beginning);
    assert!(ground.store.find(&mark()).unwrap().passes_over(&file));
    std::fs::write(&file, "the person's own").unwrap();
    assert!(!ground.store.find(&mark()).unwrap().passes_over(&file));
    std::fs::write(&file, "somebody's").unwrap();
    ground.give(&mine, &[], GivenOn::GoingOn);
    assert!(!ground.store.find(&mark()).unwrap().passes_over(&file));
}
