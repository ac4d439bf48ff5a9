//! A repository keeps its loops, whatever somebody writes into its settings.

use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::home::Home;
use tempfile::TempDir;

use super::PlaceOfWork;

struct Ground {
    _folder: TempDir,
    project: Utf8PathBuf,
    home: Home,
}

impl Ground {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let project = root.join("저장소 one");
        std::fs::create_dir(&project).unwrap();
        let ground = Self { _folder: folder, project, home: Home::at(root.join("home")).unwrap() };
        ground.git(&["init", "-q", "-b", "main"]);
        ground
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git").arg("-C").arg(&self.project).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Another folder at the same path, surely made at another moment.
    fn remake(&self) {
        let born = || std::fs::metadata(&self.project).unwrap().created().unwrap();
        let before = born();
        loop {
            std::fs::remove_dir_all(&self.project).unwrap();
            std::fs::create_dir(&self.project).unwrap();
            if born() != before {
                return;
            }
        }
    }

    fn make_anew(&self) {
        self.remake();
        self.git(&["init", "-q", "-b", "main"]);
    }

    fn found(&self) -> Utf8PathBuf {
        let place = PlaceOfWork::find(Utf8Path::new(&self.project), self.home.clone()).unwrap();
        place.repository.root().to_owned()
    }
}

#[test]
fn a_key_that_nobody_knows_hides_no_loops_and_is_set_right() {
    let ground = Ground::new();
    let first = ground.found();
    let key = ground.git(&["config", "gulf.repository"]);
    ground.git(&["config", "gulf.repository", "01J-other"]);
    assert_eq!(ground.found(), first);
    assert_eq!(ground.git(&["config", "gulf.repository"]), key);
}

#[test]
fn a_key_is_kept_where_the_home_is_new() {
    let ground = Ground::new();
    ground.git(&["config", "gulf.repository", "01J-brought-along"]);
    assert!(ground.found().ends_with("01J-brought-along"));
    assert!(ground.found().ends_with("01J-brought-along"));
}

#[test]
fn a_repository_made_where_another_one_was_deleted_inherits_nothing() {
    let ground = Ground::new();
    let first = ground.found();
    assert_eq!(ground.found(), first);
    ground.make_anew();
    let second = ground.found();
    assert_ne!(second, first);
    assert_eq!(ground.found(), second);
}

#[test]
fn a_folder_without_git_that_is_made_anew_inherits_nothing() {
    let ground = Ground::new();
    std::fs::remove_dir_all(ground.project.join(".git")).unwrap();
    let first = ground.found();
    std::fs::create_dir_all(first.join("loops")).unwrap();
    assert_eq!(ground.found(), first);
    ground.remake();
    assert_ne!(ground.found(), first);
}

#[test]
fn a_repository_that_was_moved_keeps_its_home_and_a_copy_gets_its_own() {
    let mut ground = Ground::new();
    let first = ground.found();
    let moved = ground.project.with_file_name("moved");
    std::fs::rename(&ground.project, &moved).unwrap();
    ground.project = moved;
    assert_eq!(ground.found(), first);
    let copy = ground.project.with_file_name("copy");
    assert!(Command::new("cp").arg("-a").args([&ground.project, &copy]).status().unwrap().success());
    ground.project = copy;
    assert_ne!(ground.found(), first);
}

#[test]
fn a_home_that_an_earlier_version_made_is_found_and_marked() {
    let ground = Ground::new();
    let home = ground.found();
    let file = home.join("identity.json");
    let path = ground.project.join(".git");
    std::fs::write(&file, format!(r#"{{"version":1,"path":"{path}"}}"#)).unwrap();
    assert_eq!(ground.found(), home);
    assert!(std::fs::read_to_string(&file).unwrap().contains("mark"));
}

#[test]
fn a_home_that_an_earlier_version_named_by_the_path_is_found_where_the_key_was_lost() {
    let ground = Ground::new();
    let git = ground.project.join(".git");
    let key = super::key_of(&git).unwrap();
    let home = ground.home.repository(&key);
    home.create().unwrap();
    std::fs::write(home.identity(), format!(r#"{{"version":1,"path":"{git}"}}"#)).unwrap();
    assert_eq!(ground.found(), home.root());
}
