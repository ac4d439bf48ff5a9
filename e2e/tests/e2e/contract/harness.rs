//! A session as its host drives it: the hook gets an event on stdin and says what it says; files are read from outside.
//!
//! The contract speaks about a command and about files, and of nothing that is inside gulf.

use std::cell::Cell;
use std::fs;
use std::io::Write as _;
use std::rc::Rc;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeJudge, Finished, Invocation, LoopFolder, Sample, Sandbox, Started};
use serde_json::{Value, json};

use super::marker::Marker;
use super::outcome::Outcome;
use super::transcript;

/// Where a hand-made loop is armed, and where gulf shows how it stands.
pub(crate) const MARKER: &str = ".claude/gulf-loop.local.md";

/// What the sealed contract of most tests asks for, in an executable `.claude/autochecks.sh`.
pub(crate) const AUTOCHECKS: &str = "#!/bin/sh\nexec sh check.sh\n";

/// One check and one criterion.
pub(crate) const RUBRIC: &str =
    "## Checks\n- sh check.sh\n\n## Judge criteria\n- value.txt says right, and notes/ says why\n";

/// A research brief in which nothing is missing.
pub(crate) const BRIEF: &str = "\
ORIGINAL_GOAL: make value.txt say right
STRENGTHS:
- the check is there and red
RISKS:
1. the value is read elsewhere
GAPS:
- nobody decided on the line end
APPROACHES_CONSIDERED:
- write the one word into the file
- generate the file
APPROACH: Write the word into value.txt, run the check, and write down why it was wrong before.
CONFIDENCE: 80
";

/// What a hand-made marker says where nothing else matters: the second iteration of a basic loop has just ended.
pub(crate) const SECOND: &str =
    "active: true\niteration: 2\nmax_iterations: 50\ncompletion_promise: \"COMPLETE\"";

/// The same in judge mode.
pub(crate) const JUDGED: &str = "active: true\niteration: 2\nmax_iterations: 50\njudge_enabled: true\nconsecutive_rejections: 0\nhitl_threshold: 5";

pub(crate) const PROMISE: &str = "It is done.\n\n<promise>COMPLETE</promise>";

pub(crate) const PROMPT: &str = "Make value.txt say right.";

/// Whose session it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    /// The fields and the environment that every host has; what the original was driven by.
    Plain,
    Claude,
    Codex,
}

pub(crate) const HOSTS: [Host; 3] = [Host::Plain, Host::Claude, Host::Codex];

/// A session in a checkout. Another session can share the sandbox.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) sandbox: Rc<Sandbox>,
    pub(crate) host: Host,
    id: String,
    /// Where the session stands; the checkout's top where nothing else is said.
    directory: Utf8PathBuf,
    project: Utf8PathBuf,
    variables: Vec<(String, String)>,
    turns: Cell<u32>,
    uses_tools: Cell<bool>,
}

impl Session {
    pub(crate) fn on(host: Host, sandbox: Sandbox) -> Session {
        let project = sandbox.repository();
        Session {
            sandbox: Rc::new(sandbox),
            host,
            id: "5ea53bba-0000-4000-8000-000000000001".to_owned(),
            directory: project.clone(),
            project,
            variables: Vec::new(),
            turns: Cell::new(0),
            uses_tools: Cell::new(true),
        }
    }

    /// In a checkout without any check.
    pub(crate) fn bare(host: Host) -> Session {
        Session::on(host, Sandbox::with(&Sample::shell()))
    }

    /// In a checkout with [`AUTOCHECKS`].
    pub(crate) fn checked(host: Host) -> Session {
        let session = Session::bare(host);
        session.autochecks(AUTOCHECKS);
        session
    }

    /// A loop after its first stop, at iteration 3.
    #[track_caller]
    pub(crate) fn running(host: Host) -> Session {
        let session = Session::checked(host);
        session.marker(SECOND, PROMPT);
        session.work_and_stop("").continues();
        session
    }

    /// In a checkout with [`RUBRIC`] and this judge.
    pub(crate) fn judged(host: Host) -> (Session, FakeJudge) {
        Session::judged_in(host, Sandbox::with(&Sample::shell().file("RUBRIC.md", RUBRIC)))
    }

    pub(crate) fn judged_in(host: Host, sandbox: Sandbox) -> (Session, FakeJudge) {
        let judge = FakeJudge::new(&sandbox);
        let session = Session::on(host, sandbox);
        session.write("gulf.toml", format!("[judge]\ntool = {:?}\n", judge.flag()));
        session.sandbox.commit("judge");
        (session, judge)
    }

    /// Another session of the same host in the same sandbox.
    pub(crate) fn another(&self, id: &str) -> Session {
        Session {
            sandbox: Rc::clone(&self.sandbox),
            host: self.host,
            id: id.to_owned(),
            directory: self.directory.clone(),
            project: self.project.clone(),
            variables: self.variables.clone(),
            turns: Cell::new(0),
            uses_tools: Cell::new(true),
        }
    }

    /// The same session, where it has changed its folder.
    pub(crate) fn standing_in(mut self, directory: impl Into<Utf8PathBuf>) -> Session {
        self.directory = directory.into();
        self
    }

    /// In another project than the sandbox's repository.
    pub(crate) fn in_project(mut self, project: impl Into<Utf8PathBuf>) -> Session {
        self.project = project.into();
        self.directory = self.project.clone();
        self
    }

    pub(crate) fn variable(mut self, name: &str, value: &str) -> Session {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Codex begins a turn by this, as its file of the session says.
    pub(crate) fn begins_by(self, trigger: &str) -> Session {
        let attribution = json!({"turn_trigger": trigger, "parent_turn_id": null});
        let payload = json!({"type": "task_started", "turn_attribution": attribution});
        self.note(&json!({"type": "event_msg", "payload": payload}));
        self
    }

    /// From now on no turn calls a tool, as its host's file has it.
    pub(crate) fn without_tools(self) -> Session {
        self.uses_tools.set(false);
        self
    }

    pub(crate) fn autochecks(&self, script: &str) {
        self.write(".claude/autochecks.sh", script);
        self.sandbox.program("chmod", ["+x", ".claude/autochecks.sh"]).run().expect_exit(0);
        self.sandbox.commit("autochecks");
    }

    /// A file of the project.
    pub(crate) fn file(&self, path: &str) -> Utf8PathBuf {
        self.project.join(path)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.file(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[track_caller]
    pub(crate) fn read(&self, path: &str) -> String {
        let path = self.file(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// A file's text, empty where there is none.
    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.file(path)).unwrap_or_default()
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.file(path).exists()
    }

    /// A marker made by hand: front matter without its fences, then the prompt.
    pub(crate) fn marker(&self, fields: &str, prompt: &str) {
        self.write(MARKER, format!("---\n{fields}\n---\n{prompt}\n"));
        self.trust();
    }

    /// The person says that the repository is theirs.
    #[track_caller]
    pub(crate) fn trust(&self) {
        self.gulf(&["trust"]).run().expect_exit(0);
    }

    /// Some work that nothing asks for, another one every time.
    pub(crate) fn work(&self) {
        let text = self.text("notes/work.txt");
        self.write("notes/work.txt", format!("{text}a line more\n"));
    }

    /// What [`AUTOCHECKS`] and [`RUBRIC`] ask for.
    pub(crate) fn mend(&self) {
        self.write("value.txt", "right\n");
    }

    /// The turn ends with this message.
    #[track_caller]
    pub(crate) fn stop(&self, message: &str) -> Outcome {
        self.stop_with(&self.event(message))
    }

    /// The turn ends after some work, with this message.
    #[track_caller]
    pub(crate) fn work_and_stop(&self, message: &str) -> Outcome {
        self.work();
        self.stop(message)
    }

    #[track_caller]
    pub(crate) fn stop_with(&self, event: &Value) -> Outcome {
        self.deliver(event.to_string().into_bytes())
    }

    /// Whatever bytes on stdin.
    #[track_caller]
    pub(crate) fn deliver(&self, stdin: Vec<u8>) -> Outcome {
        self.outcome(self.hook(stdin).run())
    }

    /// A stop that is begun and not waited for.
    #[track_caller]
    pub(crate) fn begin(&self, event: &Value) -> Started {
        self.hook(event.to_string().into_bytes()).start()
    }

    #[track_caller]
    pub(crate) fn outcome(&self, finished: Finished) -> Outcome {
        Outcome::of(self.host, finished, &self.project)
    }

    /// The person says this to the agent.
    #[track_caller]
    pub(crate) fn prompt(&self, text: &str) -> Outcome {
        self.outcome(self.try_prompt(text))
    }

    /// The same, whatever becomes of the hook.
    pub(crate) fn try_prompt(&self, text: &str) -> Finished {
        self.note(&transcript::said_by_person(self.host, text));
        let mut event = self.base("UserPromptSubmit");
        event["prompt"] = json!(text);
        self.any_hook(&["hook"], event.to_string().into_bytes()).run()
    }

    /// The agent is about to call a tool.
    #[track_caller]
    pub(crate) fn tool(&self, name: &str, input: &Value) -> Outcome {
        let mut event = self.base("PreToolUse");
        event["tool_name"] = json!(name);
        event["tool_input"] = input.clone();
        event["tool_use_id"] = json!("toolu_1");
        self.outcome(self.any_hook(&["hook"], event.to_string().into_bytes()).run())
    }

    /// The event of a stop that was never delivered before; the host's file has grown.
    pub(crate) fn event(&self, message: &str) -> Value {
        let turn = self.turns.get() + 1;
        self.turns.set(turn);
        if self.uses_tools.get() {
            self.note(&transcript::called_tool(self.host, turn));
        }
        self.note(&transcript::said_by_agent(self.host, turn, message));
        let mut event = self.base("Stop");
        event["stop_hook_active"] = json!(turn > 1);
        event["last_assistant_message"] = json!(message);
        if self.host == Host::Claude {
            event["background_tasks"] = json!([]);
            event["session_crons"] = json!([]);
        }
        event
    }

    /// What is in every event of this host.
    fn base(&self, name: &str) -> Value {
        let mut event = json!({
            "session_id": self.id,
            "transcript_path": self.transcript(),
            "cwd": self.directory,
            "hook_event_name": name,
            "permission_mode": "bypassPermissions",
        });
        match self.host {
            Host::Plain => {}
            // On both hosts one id for all that follows a prompt of the person.
            Host::Claude => {
                event["prompt_id"] = json!("2666e692-3388-4de5-8d53-5110be3a9dff");
                event["effort"] = json!({"level": "medium"});
            }
            Host::Codex => {
                event["turn_id"] = json!("01a1ffc8-0ee3-7351-b289-11a9288d9cc0");
                event["model"] = json!("fake-model");
            }
        }
        event
    }

    fn transcript(&self) -> Utf8PathBuf {
        let name = match self.host {
            Host::Plain => format!("session of {}.jsonl", self.id),
            Host::Claude => format!("{}.jsonl", self.id),
            Host::Codex => format!("rollout-2026-11-21T20-24-23-{}.jsonl", self.id),
        };
        self.sandbox.path("sessions").join(name)
    }

    /// A line more in the host's file of the session.
    fn note(&self, line: &Value) {
        let path = self.transcript();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
        writeln!(file, "{line}").unwrap();
    }

    pub(crate) fn hook(&self, stdin: Vec<u8>) -> Invocation {
        self.any_hook(&["hook", "stop"], stdin)
    }

    fn any_hook(&self, arguments: &[&str], stdin: Vec<u8>) -> Invocation {
        let mut hook = self.gulf(arguments).stdin(stdin);
        let project = self.project.as_str();
        let own: &[(&str, &str)] = match self.host {
            Host::Plain => &[],
            Host::Claude => {
                &[("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", &self.id), ("CLAUDE_PROJECT_DIR", project)]
            }
            Host::Codex => &[("PLUGIN_ROOT", "/nowhere"), ("CLAUDE_PLUGIN_ROOT", "/nowhere")],
        };
        hook = hook.variables(own.iter().copied());
        hook.variables(self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str())))
    }

    /// gulf as the person calls it in a terminal, where the session stands.
    pub(crate) fn gulf(&self, arguments: &[&str]) -> Invocation {
        self.sandbox.gulf(arguments.iter().copied()).directory(&self.directory)
    }

    /// The marker, if it is there.
    pub(crate) fn look(&self) -> Option<Marker> {
        fs::read_to_string(self.file(MARKER)).ok().map(|text| Marker::parse(&text))
    }

    /// One field of the marker; the marker must be there.
    #[track_caller]
    pub(crate) fn field(&self, key: &str) -> Option<String> {
        let marker = self.look().unwrap_or_else(|| panic!("{MARKER} is gone"));
        marker.get(key).map(str::to_owned)
    }

    #[track_caller]
    pub(crate) fn expect_fields(&self, expected: &[(&str, &str)]) {
        for (key, value) in expected {
            assert_eq!(self.field(key).as_deref(), Some(*value), "{key} in\n{}", self.text(MARKER));
        }
    }

    /// The newest loop that gulf keeps.
    pub(crate) fn newest(&self) -> Option<LoopFolder> {
        self.sandbox.loops().pop()
    }

    /// How the newest loop ended, in one word.
    pub(crate) fn end(&self) -> Option<String> {
        let end = self.newest()?.end()?;
        Some(end["kind"].as_str().unwrap().to_owned())
    }

    /// The work is right now, and its promise ends the loop.
    #[track_caller]
    pub(crate) fn completes(&self) {
        self.mend();
        self.stop(PROMISE).lets_stop();
        self.expect_completed();
    }

    /// It is over as a success, and nothing says that it is still armed.
    #[track_caller]
    pub(crate) fn expect_completed(&self) {
        let end = self.end();
        assert!(["verified", "attested"].map(str::to_owned).map(Some).contains(&end), "ended as {end:?}");
        assert!(!self.exists(MARKER), "the marker of a finished loop is still there");
    }

    /// No loop has ended as a success.
    #[track_caller]
    pub(crate) fn expect_no_success(&self) {
        let end = self.end();
        assert!(!["verified", "attested"].map(str::to_owned).map(Some).contains(&end), "ended as {end:?}");
    }
}
