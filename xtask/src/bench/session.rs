//! A session that gulf's hook is called for: a sandbox whose checkout has a loop in it, or none.
//!
//! An agent's program speaks here: events on stdin, one JSON object back, and a file of the session that grows
//! between them.

use super::sandbox::Sandbox;
use crate::failure::Failure;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The session that the loop belongs to.
const SESSION: &str = "11111111-1111-4111-8111-111111111111";
const OTHER_SESSION: &str = "22222222-2222-4222-8222-222222222222";

/// More iterations than any measurement has.
const ITERATIONS: &str = "100000";

/// What the session's file grows by in a turn.
const TURN: &str = "{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\
    \"id\":\"toolu_1\",\"name\":\"Bash\",\"input\":{\"command\":\"cargo test\"}}]}}\n";

/// What an answer must have in it: measuring something else would be worse than not measuring.
#[derive(Debug, Clone, Copy)]
pub(super) enum Expected {
    Nothing,
    Words(&'static str),
}

/// What the agent's last words are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Claim {
    None,
    Done,
}

/// A checkout, and the agent's program that works in it.
pub(super) struct Session {
    pub(super) sandbox: Sandbox,
    turns: u32,
}

impl Session {
    /// Without a loop.
    pub(super) fn alone(gulf: PathBuf) -> Result<Self, Failure> {
        let session = Self { sandbox: Sandbox::new(gulf)?, turns: 0 };
        let path = session.file();
        fs::write(&path, TURN).map_err(Failure::file(&path))?;
        Ok(session)
    }

    /// With a loop that has this check, in its second iteration.
    pub(super) fn armed(gulf: PathBuf, check: &str) -> Result<Self, Failure> {
        let mut session = Self::alone(gulf)?;
        let mut command = session.sandbox.gulf();
        command.args(["start", "--preset", "basic", "--research", "off", "--completion-promise", "DONE"]);
        command.args(["--check", check, "--max-iterations", ITERATIONS, "wait"]);
        command.env("CLAUDE_CODE_SESSION_ID", SESSION);
        crate::program::stdout(command)?;
        session.stop(Claim::None)?;
        Ok(session)
    }

    /// The session's own stop, after a turn.
    pub(super) fn stop(&mut self, claim: Claim) -> Result<Duration, Failure> {
        self.turns += 1;
        let path = self.file();
        let mut file = File::options().append(true).open(&path).map_err(Failure::file(&path))?;
        file.write_all(TURN.as_bytes()).map_err(Failure::file(&path))?;
        let said = match claim {
            Claim::None => format!("turn {}", self.turns),
            Claim::Done => format!("turn {}\\n<promise>DONE</promise>", self.turns),
        };
        self.hook(&self.stop_event(SESSION, &said), Expected::Words("\"additionalContext\""))
    }

    /// A stop where no loop is, or of a session that has none.
    pub(super) fn stop_elsewhere(&self) -> Result<Duration, Failure> {
        self.hook(&self.stop_event(OTHER_SESSION, "done"), Expected::Nothing)
    }

    /// A tool call that nobody minds.
    pub(super) fn tool(&self) -> Result<Duration, Failure> {
        let fields =
            "\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"cargo test\"},\"tool_use_id\":\"toolu_1\"";
        self.hook(&self.event("PreToolUse", SESSION, fields), Expected::Nothing)
    }

    /// A person who asks where the loop stands.
    pub(super) fn status(&self) -> Result<Duration, Failure> {
        let event = self.event("UserPromptSubmit", SESSION, "\"prompt\":\"/gulf-loop:status\"");
        self.hook(&event, Expected::Words("Iteration"))
    }

    /// The work of a turn: one file is another than before.
    pub(super) fn work(&mut self) -> Result<(), Failure> {
        self.turns += 1;
        let path = self.sandbox.repository().join("src").join("1.txt");
        fs::write(&path, format!("turn {}\n", self.turns)).map_err(Failure::file(&path))
    }

    fn stop_event(&self, session: &str, said: &str) -> String {
        let fields = format!("\"stop_hook_active\":true,\"last_assistant_message\":\"{said}\"");
        self.event("Stop", session, &fields)
    }

    fn event(&self, name: &str, session: &str, fields: &str) -> String {
        format!(
            "{{\"session_id\":\"{session}\",\"transcript_path\":\"{}\",\"cwd\":\"{}\",\"prompt_id\":\"prompt-{}\",\
             \"permission_mode\":\"default\",\"hook_event_name\":\"{name}\",{fields}}}",
            self.file().display(),
            self.sandbox.repository().display(),
            self.turns
        )
    }

    fn hook(&self, event: &str, expected: Expected) -> Result<Duration, Failure> {
        let path = self.file().with_extension("event");
        fs::write(&path, event).map_err(Failure::file(&path))?;
        let stdin = File::open(&path).map_err(Failure::file(&path))?;
        let mut command = self.sandbox.gulf();
        command.arg("hook").stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("CLAUDECODE", "1").env("CLAUDE_PROJECT_DIR", self.sandbox.repository());
        let started = Instant::now();
        let start = |source| Failure::Start { program: "gulf hook".to_owned(), source };
        let output = command.output().map_err(start)?;
        let elapsed = started.elapsed();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let is_expected = match expected {
            Expected::Nothing => said.is_empty(),
            Expected::Words(words) => said.contains(words),
        };
        if output.status.success() && is_expected {
            return Ok(elapsed);
        }
        let talk = String::from_utf8_lossy(&output.stderr);
        let what = format!("gulf hook was to answer {expected:?} to {event}, and said {said:?} {talk:?}");
        Err(Failure::Found { what, hint: "see bench/session.rs for what is expected of it" })
    }

    /// As Claude Code names the file of a session.
    fn file(&self) -> PathBuf {
        self.sandbox.beside(&format!("{SESSION}.jsonl"))
    }
}
