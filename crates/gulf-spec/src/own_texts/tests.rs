//! Whose a path is.

use super::{OWN_TEXTS, Writer, exclude_lines, own_text};

#[test]
fn a_folder_covers_itself_and_all_in_it_and_nothing_beside_it() {
    assert_eq!(own_text(".gulf").map(|text| text.writer), Some(Writer::Loop));
    assert_eq!(own_text(".gulf/notepad.md").map(|text| text.path), Some(".gulf/"));
    assert_eq!(own_text(".gulfs/x"), None);
    assert_eq!(own_text(".claude/settings.json"), None);
}

#[test]
fn only_the_text_at_its_own_path_counts() {
    assert_eq!(own_text("RUBRIC.md").map(|text| text.writer), Some(Writer::Person));
    assert_eq!(own_text("docs/RUBRIC.md"), None);
}

#[test]
fn state_files_of_sessions_are_the_loops_whoever_wrote_them() {
    for path in
        [".claude/gulf-loop.local.md", ".claude/gulf-loop.local.md.tmp", ".claude/ralph-loop.local.md"]
    {
        assert_eq!(own_text(path).map(|text| text.writer), Some(Writer::Loop), "{path}");
    }
}

#[test]
fn what_the_person_commits_is_not_excluded() {
    let lines: Vec<_> = exclude_lines().collect();
    assert!(lines.contains(&"/progress.txt".to_owned()) && lines.contains(&"/.gulf/".to_owned()));
    for text in OWN_TEXTS {
        assert_eq!(lines.contains(&format!("/{}", text.path)), text.writer == Writer::Loop, "{}", text.path);
    }
}
