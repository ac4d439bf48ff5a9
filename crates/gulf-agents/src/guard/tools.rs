//! Which inputs of which tools are paths, commands or patches.
//!
//! Three hosts name the same inputs differently, and one host's tools come under another's names: Copilot calls its
//! `create` a `Write` and its `apply_patch` an `Edit`, with a bare patch as input (seen with Copilot CLI 1.0.102); Codex
//! calls all that runs a command `Bash` (seen with 0.169.0).

use serde_json::Value;

use super::commands;
use super::paths::{Paths, Touch};
use super::{GuardVerdict, ToolUse};

/// Values of one input that are looked at, and how deep.
const VALUES_MAX: usize = 4096;
const DEPTH_MAX: usize = 8;

/// Fields that hold a path, in lower case and without `_`.
const PATHS: [&str; 12] = [
    "filepath", "notebookpath", "path", "paths", "file", "files", "filename", "oldpath", "newpath", "source",
    "destination", "uris",
];

/// Fields that hold a list of changes, each with a path of its own.
const LISTS: [&str; 4] = ["edits", "replacements", "changes", "operations"];

/// Fields that hold a command or a patch.
const TEXTS: [&str; 5] = ["command", "cmd", "input", "patch", "script"];

const FOLDERS: [&str; 3] = ["workdir", "cwd", "workingdirectory"];

const WRITING: [&str; 8] = ["write", "edit", "create", "delete", "remove", "move", "rename", "replace"];

/// The lines of a patch of Codex and Copilot that name a path; a line of content begins with another character.
const HEADERS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

/// Objects to what the tool would write.
pub(super) fn check(paths: &mut Paths, tool_use: &ToolUse<'_>) -> GuardVerdict {
    let name = tool_use.name.to_lowercase();
    let text = tool_use.input.as_str();
    let parsed = text.and_then(|text| serde_json::from_str::<Value>(text).ok()).filter(Value::is_object);
    let input = parsed.as_ref().unwrap_or(tool_use.input);
    let tool = name.rsplit("__").next().unwrap_or(&name);
    let is_foreign = name.starts_with("mcp__");
    let runs = ["bash", "shell", "terminal", "command", "monitor"].iter().any(|word| tool.contains(word));
    if tool.ends_with("apply_patch") {
        patch(paths, tool_use.name, input)
    } else if runs && !is_foreign {
        shell(paths, input)
    } else if !WRITING.iter().any(|word| tool.contains(word)) {
        Ok(())
    } else if input.is_string() {
        patch(paths, tool_use.name, input)
    } else if field(input, &["command"]).and_then(Value::as_str) == Some("view") {
        // `str_replace_editor` has a command for it.
        Ok(())
    } else {
        let takes = ["delete", "remove", "move", "rename"].iter().any(|word| tool.contains(word));
        let touch = if takes { Touch::Takes } else { Touch::Writes };
        check_path_fields(paths, tool_use.name, input, touch, 0)
    }
}

fn shell(paths: &mut Paths, input: &Value) -> GuardVerdict {
    if let Some(folder) = field(input, &FOLDERS).and_then(Value::as_str).filter(|folder| !folder.is_empty()) {
        paths.folder = paths.resolve(folder);
    }
    match field(input, &TEXTS) {
        Some(Value::String(command)) => commands::check(paths, command),
        Some(Value::Array(words)) => {
            let words: Vec<String> =
                words.iter().take(VALUES_MAX).filter_map(Value::as_str).map(str::to_owned).collect();
            commands::check_call(paths, &words)
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => Ok(()),
    }
}

fn patch(paths: &Paths, tool: &str, input: &Value) -> GuardVerdict {
    let text = input.as_str().or_else(|| field(input, &TEXTS).and_then(Value::as_str));
    in_patch(paths, text.unwrap_or_default(), tool)
}

/// Objects to a file that a patch names.
pub(super) fn in_patch(paths: &Paths, patch: &str, how: &str) -> GuardVerdict {
    let mut named =
        patch.lines().filter_map(|line| HEADERS.iter().find_map(|header| line.strip_prefix(header)));
    named.try_for_each(|path| paths.check(path.trim(), Touch::Writes, || format!("`{how}` would write it")))
}

/// Fields that are known to hold paths.
fn check_path_fields(paths: &Paths, tool: &str, input: &Value, touch: Touch, depth: usize) -> GuardVerdict {
    let Some(fields) = input.as_object().filter(|_| depth < DEPTH_MAX) else { return Ok(()) };
    for (key, value) in fields.iter().take(VALUES_MAX) {
        let many = value.as_array().into_iter().flatten().take(VALUES_MAX);
        if is_named(key, &PATHS) {
            for path in value.as_str().into_iter().chain(many.clone().filter_map(Value::as_str)) {
                let path = path.strip_prefix("file://").unwrap_or(path);
                paths.check(path, touch, || format!("`{tool}` would write it"))?;
            }
        }
        if is_named(key, &LISTS) {
            for change in many {
                check_path_fields(paths, tool, change, touch, depth + 1)?;
            }
        }
    }
    Ok(())
}

/// The first field of one of these names that is there.
fn field<'input>(input: &'input Value, names: &[&str]) -> Option<&'input Value> {
    let fields = input.as_object()?;
    let named = |name: &&str| fields.iter().find(|(key, _)| is_named(key, &[name]));
    names.iter().find_map(named).map(|(_, value)| value)
}

/// Whatever its case, and with or without `_`.
fn is_named(key: &str, names: &[&str]) -> bool {
    let letters: String = key.chars().filter(|letter| *letter != '_').collect();
    names.iter().any(|name| letters.eq_ignore_ascii_case(name))
}
