//! Which inputs of which tools are paths, commands or patches.
//!
//! It stands apart because three hosts name the same inputs differently, and one host's tools come under another's
//! names: Copilot calls its `create` a `Write` and its `apply_patch` an `Edit`, with a bare patch as input (seen with
//! Copilot CLI 1.0.102); Codex calls all that runs a command `Bash` (seen with 0.169.0).

use serde_json::Value as Json;

use super::ground::{self, Folder, Ground};
use super::shell::Shell;
use super::value::Value;
use super::{ToolUse, Verdict, patch};

/// Bytes of a command that are looked at.
const COMMAND_BYTES_MAX: usize = 1024 * 1024;

/// Values of one input that are looked at, and how deep.
const VALUES_MAX: usize = 4096;
const DEPTH_MAX: usize = 8;

/// Fields that hold the path a tool writes.
const PATHS: [&str; 19] = [
    "file_path",
    "filepath",
    "notebook_path",
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "target_file",
    "target",
    "relative_path",
    "old_path",
    "new_path",
    "source",
    "destination",
    "source_path",
    "destination_path",
    "uri",
    "dirpath",
];

/// Fields that hold a list of changes, each with a path of its own.
const LISTS: [&str; 4] = ["edits", "replacements", "changes", "operations"];

const COMMANDS: [&str; 5] = ["command", "cmd", "script", "input", "chars"];

const PATCHES: [&str; 6] = ["command", "input", "patch", "patchtext", "diff", "content"];

const FOLDERS: [&str; 4] = ["workdir", "cwd", "working_directory", "directory"];

const WRITING: [&str; 14] = [
    "write", "edit", "create", "delete", "remove", "move", "rename", "replace", "insert", "append", "update",
    "patch", "save", "put",
];

/// What kind of tool it is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Shell,
    Patch,
    Writer,
    /// Any text of its input may be a path.
    Foreign,
    Reader,
}

impl Kind {
    fn of(name: &str) -> Self {
        let writes = |name: &str| WRITING.iter().any(|word| name.contains(word));
        if let Some(foreign) = name.strip_prefix("mcp__") {
            let tool = foreign.rsplit("__").next().unwrap_or(foreign);
            return if writes(tool) { Self::Foreign } else { Self::Reader };
        }
        let runs = ["bash", "shell", "terminal", "command", "monitor", "stdin"];
        if name.ends_with("apply_patch") || name == "patch" {
            Self::Patch
        } else if runs.iter().any(|word| name.contains(word)) {
            Self::Shell
        } else if writes(name) {
            Self::Writer
        } else {
            Self::Reader
        }
    }
}

/// Objects to what the tool would write.
pub(super) fn judge(ground: &Ground, tool_use: &ToolUse<'_>) -> Verdict {
    let name = tool_use.name.to_lowercase();
    let text = tool_use.input.as_str();
    let parsed = text.and_then(|text| serde_json::from_str::<Json>(text).ok()).filter(Json::is_object);
    let call = Tool {
        ground,
        name: tool_use.name,
        input: parsed.as_ref().unwrap_or(tool_use.input),
        folder: ground::folder(tool_use.cwd),
    };
    match Kind::of(&name) {
        Kind::Reader => Ok(()),
        Kind::Shell => call.shell(),
        Kind::Patch => call.patch(),
        Kind::Writer if call.is_bare_patch() => call.patch(),
        Kind::Writer if call.is_viewing() => Ok(()),
        Kind::Writer => call.paths(call.input, 0),
        Kind::Foreign => call.any_text(call.input, Touch::of(&name)),
    }
}

/// What a tool does to the path that it is given.
#[derive(Clone, Copy)]
enum Touch {
    Writes,
    /// With all that lies below.
    Takes,
}

impl Touch {
    fn of(name: &str) -> Self {
        let takes = ["delete", "remove", "move", "rename"].iter().any(|word| name.contains(word));
        if takes { Self::Takes } else { Self::Writes }
    }
}

struct Tool<'event> {
    ground: &'event Ground,
    name: &'event str,
    input: &'event Json,
    folder: Option<Folder>,
}

impl Tool<'_> {
    /// The first of these fields that is there, whatever its case and with or without `_`.
    fn field(&self, names: &[&str]) -> Option<&Json> {
        let fields = self.input.as_object()?;
        names.iter().find_map(|name| {
            fields.iter().take(VALUES_MAX).find(|(key, _)| is_named(key, name)).map(|(_, value)| value)
        })
    }

    fn is_bare_patch(&self) -> bool {
        self.input.as_str().is_some_and(|text| text.trim_start().starts_with("*** Begin Patch"))
    }

    /// `str_replace_editor` has a command for it.
    fn is_viewing(&self) -> bool {
        self.field(&["command"]).and_then(Json::as_str) == Some("view")
    }

    fn shell(&self) -> Verdict {
        let folder = match self.field(&FOLDERS).and_then(Json::as_str) {
            Some(folder) if !folder.is_empty() => {
                self.ground.enter(&Value::literal(folder), self.folder.as_ref())
            }
            Some(_) | None => self.folder.clone(),
        };
        let mut shell = Shell::new(self.ground, folder);
        match self.input.as_str().map(Json::from).as_ref().or_else(|| self.field(&COMMANDS)) {
            Some(Json::String(command)) => shell.run(cut(command)),
            Some(Json::Array(words)) => {
                let words = words.iter().take(VALUES_MAX).filter_map(Json::as_str);
                let words: Vec<Value> = words.map(|word| Value::literal(cut(word))).collect();
                shell.call(&words, None)
            }
            Some(Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_)) | None => Ok(()),
        }
    }

    fn patch(&self) -> Verdict {
        let text = match self.input.as_str() {
            Some(text) => text.to_owned(),
            None => match self.field(&PATCHES) {
                Some(Json::String(text)) => text.clone(),
                Some(Json::Array(words)) => {
                    words.iter().filter_map(Json::as_str).collect::<Vec<_>>().join("\n")
                }
                Some(Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_)) | None => String::new(),
            },
        };
        let text = cut(&text);
        let envelope = patch::paths_of_envelope(text);
        let is_diff = !text.contains("*** Begin Patch");
        let diff = patch::paths_of_diff(text).filter(|_| is_diff);
        for path in envelope.chain(diff).take(VALUES_MAX) {
            self.path(path, Touch::Writes)?;
        }
        self.paths(self.input, 0)
    }

    /// Fields that are known to hold paths.
    fn paths(&self, input: &Json, depth: usize) -> Verdict {
        let Some(fields) = input.as_object().filter(|_| depth < DEPTH_MAX) else { return Ok(()) };
        for (key, value) in fields.iter().take(VALUES_MAX) {
            if PATHS.iter().any(|name| is_named(key, name)) {
                self.each_path(value)?;
            }
            if LISTS.iter().any(|name| is_named(key, name)) {
                for change in value.as_array().into_iter().flatten().take(VALUES_MAX) {
                    self.paths(change, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    fn each_path(&self, value: &Json) -> Verdict {
        let one = value.as_str();
        let many = value.as_array().into_iter().flatten().filter_map(Json::as_str);
        for path in one.into_iter().chain(many).take(VALUES_MAX) {
            self.path(path, Touch::of(&self.name.to_lowercase()))?;
        }
        Ok(())
    }

    /// Any text at any depth.
    fn any_text(&self, input: &Json, touch: Touch) -> Verdict {
        let mut open = vec![input];
        for _ in 0..VALUES_MAX {
            let Some(value) = open.pop() else { break };
            match value {
                Json::String(text) => self.path(text, touch)?,
                Json::Array(values) => open.extend(values.iter().take(VALUES_MAX)),
                Json::Object(fields) => open.extend(fields.values().take(VALUES_MAX)),
                Json::Null | Json::Bool(_) | Json::Number(_) => {}
            }
        }
        Ok(())
    }

    fn path(&self, path: &str, touch: Touch) -> Verdict {
        let mut path = Value::literal(path.strip_prefix("file://").unwrap_or(path));
        path.is_below_home = path.text.starts_with('~');
        let found = match touch {
            Touch::Takes => self.ground.taken(&path, self.folder.as_ref()),
            Touch::Writes => self.ground.written(&path, self.folder.as_ref()),
        };
        found.map_or(Ok(()), |entry| Err(entry.offence(format!("`{}` would write it", self.name))))
    }
}

fn is_named(key: &str, name: &str) -> bool {
    let letters = |text: &str| {
        text.bytes().filter(|byte| *byte != b'_').map(|byte| byte.to_ascii_lowercase()).collect::<Vec<_>>()
    };
    key.eq_ignore_ascii_case(name) || letters(key) == letters(name)
}

fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(COMMAND_BYTES_MAX)).unwrap_or(text)
}
