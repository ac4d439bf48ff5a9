//! What a host says to a hook, and the file it keeps of a session; apart because neither was written for gulf.

use gulf_agents::sessions::{Answer, HookKind, Host, answer, hear, read};

use crate::{Outcome, parts, read_if};

/// One event on stdin, and the names of variables that are set.
pub fn hook_event(bytes: &[u8]) -> Outcome {
    let parts = parts(bytes);
    let variables = parts.get(1).map_or("".into(), |names| String::from_utf8_lossy(names));
    let is_set = |name: &str| variables.contains(name).then(|| "1".to_owned());
    let Ok(event) = read(parts[0], None, &is_set) else { return Outcome::Refused };
    assert_ne!(event.session.as_deref(), Some(""), "a session has a name or none");
    let told = match event.kind {
        HookKind::Stop { message, .. } => message.unwrap_or_default(),
        HookKind::Prompt { text } => text,
        HookKind::Tool { name, .. } | HookKind::Other { name } => name,
        HookKind::Start { source } => source.unwrap_or_default(),
    };
    let line = answer(event.host, &Answer::Continue { brief: told.clone(), told });
    assert!(line.is_some_and(|line| !line.contains('\n')), "an answer is one line");
    Outcome::Read
}

/// A host's name, then the file of a session, whole and in two readings.
pub fn session_file(bytes: &[u8]) -> Outcome {
    let parts = parts(bytes);
    let file = parts.get(1).copied().unwrap_or_default();
    let Some(host) = str::from_utf8(parts[0]).ok().and_then(Host::from_name) else { return Outcome::Refused };
    let whole = hear(host, file, None);
    let first = hear(host, &file[..file.len() / 2], None);
    assert!(first.complete_bytes <= whole.complete_bytes && whole.complete_bytes <= file.len());
    let second = hear(host, &file[first.complete_bytes..], first.mark.as_deref());
    assert_eq!(first.complete_bytes + second.complete_bytes, whole.complete_bytes);
    let calls = first.tool_calls.zip(second.tool_calls).map(|(one, other)| one + other);
    assert_eq!(calls, whole.tool_calls, "any two readings hear the same calls");
    read_if(!whole.spent.is_empty())
}
