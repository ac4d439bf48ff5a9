//! What holds for any input: no panic, no denial out of nothing, and an end before anybody waits.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn judged(command: &str) -> Option<Offence> {
    let input = json!({ "command": command });
    offence(&protected(), &ToolUse { name: "Bash", input: &input, cwd: PROJECT })
}

/// Pieces of which hostile and half-written commands are made.
const PIECES: [&str; 24] = [
    "rm ", "RUBRIC.md", ".gulf", "\"", "'", "`", "$(", ")", "(", "<<EOF\n", "\nEOF\n", "<<<", ">", ">&",
    "2>", "|", "&&", ";", "\n", " ", "\\", "#", "sh -c ", "é",
];

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC*", name in "\\PC*", cwd in "\\PC*") {
        let _ = judged(&text);
        let input = json!({ "file_path": text, "command": text });
        for name in [name.as_str(), "Write", "apply_patch", "shell", "mcp__a__write"] {
            let _ = offence(&protected(), &ToolUse { name, input: &input, cwd: &cwd });
        }
    }

    #[test]
    fn no_half_written_command_makes_it_panic(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)) {
        let _ = judged(&pieces.concat());
    }

    #[test]
    fn no_protected_project_makes_it_panic(project in "\\PC*", sealed in "\\PC*", path in "\\PC*") {
        let protected = Protected { project, sealed: vec![sealed], ..protected() };
        let input = json!({ "file_path": path });
        let _ = offence(&protected, &ToolUse { name: "Write", input: &input, cwd: PROJECT });
    }

    /// Words out of letters that are in no protected name's beginning, and all that a shell puts between them.
    #[test]
    fn a_command_without_a_protected_name_is_never_denied(
        words in prop::collection::vec("[fhnqtvxyz]{1,6}(/[fhnqtvxyz]{1,5})?", 1..12),
        marks in prop::collection::vec(prop::sample::select(&[" ", " > ", " | ", "; ", " && ", " 'x' ", " -- ", " -f ", "\n"][..]), 12),
        program in prop::sample::select(&["rm -rf ", "mv ", "cp ", "tee ", "sed -i s/a/b/ ", "git checkout ", "touch ", "dd of=", "git reset --hard "][..]),
    ) {
        let mut command = program.to_owned();
        for (word, mark) in words.iter().zip(&marks) {
            let _ = write!(command, "{word}{mark}");
        }
        prop_assert_eq!(judged(&command), None, "{}", command);
    }
}

/// Each of them would be too slow by far if work were done again for every level or every word.
#[test]
fn hostile_repetitions_come_to_an_end() {
    for piece in
        ["(", "`", "cat <<E\n$(cat <<E\n", "sh -c 'rm a'; ", "sh -c ", "> ", "<< ", "RUBRIC.md ", "cd .. ; "]
    {
        let _ = judged(&piece.repeat(50_000 / piece.len()));
    }
}
