//! What lies in a loop's folder in the project, and what does not get out of it.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::{NOTEPAD, NOTEPAD_BYTES_MAX, ProjectFolder};

struct Ground {
    _folder: tempfile::TempDir,
    root: Utf8PathBuf,
}

fn ground() -> Ground {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap().join("작업 공간 a b");
    fs::create_dir(&root).unwrap();
    Ground { _folder: folder, root }
}

impl Ground {
    /// Of a loop that was started in one checkout, and works in this one.
    fn folder(&self, workplace: &str) -> ProjectFolder {
        for name in ["main", workplace] {
            fs::create_dir_all(self.root.join(name)).unwrap();
        }
        ProjectFolder {
            checkout: self.root.join("main"),
            workplace: self.root.join(workplace),
            relative: ".gulf/loops/2026-02-13T1430_로그인".into(),
            prd: None,
        }
    }
}

fn note(folder: &ProjectFolder, text: impl AsRef<[u8]>) {
    let own = folder.workplace.join(&folder.relative);
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join(NOTEPAD), text).unwrap();
}

// proves: A2
#[test]
fn a_hand_edit_of_a_view_is_written_over() {
    let ground = ground();
    let folder = ground.folder("main");
    folder.put("ralph-state.md", "- phase: execute\n");
    fs::write(folder.path().join("ralph-state.md"), "- phase: complete\n").unwrap();
    folder.put("ralph-state.md", "- phase: verify\n");
    assert_eq!(fs::read_to_string(folder.path().join("ralph-state.md")).unwrap(), "- phase: verify\n");
}

#[test]
fn the_description_of_the_product_is_put_back_as_it_was_read() {
    let ground = ground();
    let folder =
        ProjectFolder { prd: Some("## 수용 기준\n\n- 된다\n".to_owned()), ..ground.folder("main") };
    folder.put_texts();
    fs::write(folder.path().join("prd.md"), "- nothing\n").unwrap();
    folder.put_texts();
    assert_eq!(fs::read_to_string(folder.path().join("prd.md")).unwrap(), "## 수용 기준\n\n- 된다\n");
}

// proves: A2/note
#[test]
fn notes_of_a_worker_with_a_worktree_reach_the_persons_checkout() {
    let ground = ground();
    let folder = ground.folder("worktree");
    folder.put_texts();
    assert!(!folder.exists());
    note(&folder, "- 하나\n");
    folder.put_texts();
    note(&folder, "- 하나\n- 둘\n");
    folder.put_texts();
    assert_eq!(fs::read_to_string(folder.path().join(NOTEPAD)).unwrap(), "- 하나\n- 둘\n");
    folder.remove().unwrap();
    assert!(!folder.exists() && !folder.workplace.join(&folder.relative).exists());
    folder.remove().unwrap();
}

#[test]
fn of_notes_without_end_the_end_is_read() {
    let ground = ground();
    let folder = ground.folder("main");
    note(&folder, "x".repeat(usize::try_from(NOTEPAD_BYTES_MAX).unwrap()) + "\nlast\n");
    let (text, is_whole) = folder.notes().unwrap();
    assert!(text.ends_with("\nlast\n") && !is_whole);
    note(&folder, b"\xff\xfe broken\n");
    assert_eq!(folder.notes().unwrap(), ("\u{fffd}\u{fffd} broken\n".to_owned(), true));
}

#[cfg(unix)]
#[test]
fn a_link_leads_neither_gulfs_pen_nor_its_eyes_elsewhere() {
    use std::os::unix::fs::symlink;

    let ground = ground();
    let folder = ground.folder("main");
    let elsewhere = ground.root.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join(NOTEPAD), "a secret").unwrap();
    note(&folder, "");
    fs::remove_file(folder.path().join(NOTEPAD)).unwrap();
    symlink(elsewhere.join(NOTEPAD), folder.path().join(NOTEPAD)).unwrap();
    assert_eq!(folder.notes(), None);

    fs::remove_dir_all(folder.path()).unwrap();
    symlink(&elsewhere, folder.path()).unwrap();
    folder.put("ralph-state.md", "- active: true\n");
    assert_eq!(folder.notes(), None);
    folder.remove().unwrap();
    assert!(!elsewhere.join("ralph-state.md").exists() && elsewhere.join(NOTEPAD).exists());
}

// proves: A2/note, A3
#[test]
fn what_became_of_a_step_is_noted_once_and_behind_no_link() {
    let ground = ground();
    let folder = ground.folder("worktree");
    note(&folder, "- mine");
    folder.note("- S1: 하나: joined");
    folder.note("- S1: 하나: joined");
    folder.note("- S2: two: stays out: it conflicts");
    let (text, _) = folder.notes().unwrap();
    assert_eq!(text, "- mine\n- S1: 하나: joined\n- S2: two: stays out: it conflicts\n");
    let elsewhere = ground.folder("linked");
    let theirs = ground.root.join("theirs");
    fs::create_dir(&theirs).unwrap();
    std::os::unix::fs::symlink(&theirs, elsewhere.workplace.join(".gulf")).unwrap();
    elsewhere.note("- S1: joined");
    assert_eq!(fs::read_dir(&theirs).unwrap().count(), 0);
}
