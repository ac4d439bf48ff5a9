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
