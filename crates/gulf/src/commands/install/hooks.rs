//! gulf's entries among a host's hooks: put in, renewed, taken out. Text in, text out.
//!
//! This is what must be exact: only gulf's own entries are written, and what was there before is there afterwards,
//! byte for byte.

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject};

use super::change::{Document, EditRefused};
use super::shell_words::calls_gulf;

/// A hook of gulf's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registration {
    pub event: &'static str,
    /// Which tools it is about, as a regular expression.
    pub matcher: Option<&'static str>,
    pub timeout_seconds: u32,
    /// What the host shows while it waits for the hook.
    pub status_message: Option<&'static str>,
}

/// The same as in the plugin's hooks.json.
pub const REGISTRATIONS: [Registration; 3] = [
    Registration {
        event: "Stop",
        matcher: None,
        timeout_seconds: 3600,
        status_message: Some("gulf: checking the work (gulf status shows which check)"),
    },
    Registration { event: "UserPromptSubmit", matcher: None, timeout_seconds: 600, status_message: None },
    Registration {
        event: "PreToolUse",
        matcher: Some(
            "^(Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|Monitor|apply_patch|shell|bash|edit|create|str_replace_editor|mcp__.+)$",
        ),
        timeout_seconds: 60,
        status_message: None,
    },
];

/// One hook that stands in the file.
#[derive(Debug)]
pub struct Entry {
    group: CstObject,
    /// How many hooks the group has.
    group_size: usize,
    hook: CstObject,
    pub command: String,
    /// Which of an event's groups, and which hook of that group, from 0.
    pub place: (usize, usize),
}

/// Looks at everything that will be looked at again: places are only right as long as nothing was changed.
pub fn check(document: &Document) -> Result<(), EditRefused> {
    REGISTRATIONS.iter().try_for_each(|registration| entries(document, registration.event).map(drop))
}

/// All hooks of an event that have a command.
pub fn entries(document: &Document, event: &str) -> Result<Vec<Entry>, EditRefused> {
    let Some(groups) = groups(document, event)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (number, group) in groups.elements().into_iter().enumerate() {
        let group = document.object(&group, &format!("an entry of \"{event}\""))?;
        let Some(hooks) = document.member(&group, "hooks")? else { continue };
        let hooks = document.array(&hooks, &format!("\"hooks\" of an entry of \"{event}\""))?.elements();
        for (index, hook) in hooks.iter().enumerate() {
            let hook = document.object(hook, &format!("a hook of \"{event}\""))?;
            let command = document.member(&hook, "command")?.and_then(|command| text_of(&command));
            if let Some(command) = command {
                let place = (number, index);
                found.push(Entry { group: group.clone(), group_size: hooks.len(), hook, command, place });
            }
        }
    }
    Ok(found)
}

/// Puts gulf's hooks in, or renews those that are there: their program and what they are about, not their time.
pub fn register(document: &Document, command: &str) -> Result<(), EditRefused> {
    let top = document.top()?;
    for registration in &REGISTRATIONS {
        let mut ours = entries(document, registration.event)?.into_iter().filter(Entry::is_ours);
        match ours.next() {
            None => {
                let groups = groups(document, registration.event)?;
                // Neither is something else: that was looked at.
                let new = || top.object_value_or_set("hooks").array_value_or_set(registration.event);
                groups.unwrap_or_else(new).append(group(registration, command));
            }
            Some(entry) => entry.renew(document, registration, command)?,
        }
        // One too many would be asked at every stop, and answer the same.
        for more in ours.collect::<Vec<_>>() {
            more.remove(document, registration.event)?;
        }
    }
    Ok(())
}

/// Takes gulf's hooks out, and what is empty without them.
pub fn unregister(document: &Document) -> Result<(), EditRefused> {
    for registration in &REGISTRATIONS {
        for entry in entries(document, registration.event)?.into_iter().filter(Entry::is_ours) {
            entry.remove(document, registration.event)?;
        }
    }
    Ok(())
}

impl Entry {
    pub fn is_ours(&self) -> bool {
        calls_gulf(&self.command)
    }

    fn renew(
        &self,
        document: &Document,
        registration: &Registration,
        command: &str,
    ) -> Result<(), EditRefused> {
        if self.command != command {
            set(document, &self.hook, "command", command)?;
        }
        // A group with somebody else's hook in it is somebody else's.
        if let (Some(matcher), 1) = (registration.matcher, self.group_size) {
            set(document, &self.group, "matcher", matcher)?;
        }
        Ok(())
    }

    /// Takes it out, and every container that would be left empty.
    pub fn remove(self, document: &Document, event: &str) -> Result<(), EditRefused> {
        if self.group_size > 1 {
            // Of several of ours in one group the last takes the group along.
            let hooks = document.member(&self.group, "hooks")?.and_then(|hooks| hooks.as_array());
            take_out(self.hook.into(), hooks.as_ref());
            if hooks.is_some_and(|hooks| !hooks.elements().is_empty()) {
                return Ok(());
            }
        }
        let groups = groups(document, event)?;
        take_out(self.group.into(), groups.as_ref());
        let top = document.top()?;
        let is_empty = groups.is_some_and(|groups| groups.elements().is_empty());
        if let (true, Some(hooks)) = (is_empty, top.object_value("hooks")) {
            remove_member(&hooks, event);
            if hooks.properties().is_empty() {
                remove_member(&top, "hooks");
            }
        }
        Ok(())
    }
}

fn groups(document: &Document, event: &str) -> Result<Option<CstArray>, EditRefused> {
    let Some(hooks) = document.member(&document.top()?, "hooks")? else { return Ok(None) };
    let Some(groups) = document.member(&document.object(&hooks, "\"hooks\"")?, event)? else {
        return Ok(None);
    };
    document.array(&groups, &format!("\"{event}\"")).map(Some)
}

fn group(registration: &Registration, command: &str) -> CstInputValue {
    let word = |text: &str| CstInputValue::String(text.to_owned());
    let mut hook = vec![
        ("type".to_owned(), word("command")),
        ("command".to_owned(), word(command)),
        ("timeout".to_owned(), CstInputValue::Number(registration.timeout_seconds.to_string())),
    ];
    let message = registration.status_message.map(|message| ("statusMessage".to_owned(), word(message)));
    hook.extend(message);
    let hooks = ("hooks".to_owned(), CstInputValue::Array(vec![CstInputValue::Object(hook)]));
    let matcher = registration.matcher.map(|matcher| ("matcher".to_owned(), word(matcher)));
    CstInputValue::Object(matcher.into_iter().chain([hooks]).collect())
}

/// Sets a text, and touches nothing where it is the same.
fn set(document: &Document, object: &CstObject, key: &str, value: &str) -> Result<(), EditRefused> {
    if document.member(object, key)?.and_then(|present| text_of(&present)).as_deref() == Some(value) {
        return Ok(());
    }
    match object.get(key) {
        Some(property) => property.set_value(value.into()),
        None => {
            object.insert(0, key, value.into());
        }
    }
    Ok(())
}

pub fn text_of(node: &CstNode) -> Option<String> {
    node.as_string_lit()?.decoded_value().ok()
}

fn remove_member(object: &CstObject, key: &str) {
    if let Some(property) = object.get(key) {
        property.remove();
    }
}

/// An element that was put below its neighbours leaves the end of its line behind where those stand in one line.
fn take_out(node: CstNode, container: Option<&CstArray>) {
    let begins_new_line = |array: &CstArray| array.children().get(1).is_some_and(CstNode::is_newline);
    let was_compact = container.is_some_and(|array| !begins_new_line(array));
    node.remove();
    let Some(array) = container.filter(|array| was_compact && !array.elements().is_empty()) else { return };
    let left = array.children().into_iter().rev().skip(1).take_while(CstNode::is_trivia);
    for line_end in left.filter(CstNode::is_newline).collect::<Vec<_>>() {
        line_end.remove();
    }
}
