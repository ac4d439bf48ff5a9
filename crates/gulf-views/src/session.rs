//! A loop whose worker is a session that a person opened: what it is called, and how it is told to go on.

use gulf_engine::{State, Worker};

/// The host of the session that works; none where gulf's own processes do.
pub(crate) fn host(state: &State) -> Option<&str> {
    match state.worker() {
        Worker::Session { host, id: _ } => Some(host),
        Worker::Processes => None,
    }
}

/// `claude 0199a213`, as the host itself calls it; less where less is known.
pub(crate) fn name(host: &str, id: Option<&str>) -> String {
    match (host, id) {
        ("other", Some(id)) => id.to_owned(),
        (host, Some(id)) => format!("{host} {id}"),
        (_, None) => "the next one that stops in this checkout".to_owned(),
    }
}

/// What a person types into it. Codex has no slash commands of plugins, and every other host lets `/` pass as text.
pub fn resume_command(host: &str) -> &'static str {
    if host == "codex" { "$gulf-loop:resume" } else { "/gulf-loop:resume" }
}
