//! Loops in sessions of the real Claude Code, Codex and Copilot CLI: our plugin, installed by their own commands, and a
//! scripted model at the far end of their line.
//!
//! Here the person starts the agent, and gulf is called by it.

mod acts;
mod apart;
mod background;
mod claims;
mod commands;
mod compaction;
mod crashes;
mod guarding;
mod landing;
mod last_words;
mod limits;
mod moves;
mod parallel;
mod prompts;
mod story;
mod terminals;
mod twice;

use camino::Utf8PathBuf;
use gulf_testkit::model::{ModelServer, Reply, Script};
use gulf_testkit::{Finished, Invocation, RealAgents, Sample, Sandbox, Started, has_turn, repository_root};

use crate::real::{EVERY, TO_JUDGE};

/// An agent with sessions of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    Claude,
    Codex,
    Copilot,
}

const HOSTS: [Host; 3] = [Host::Claude, Host::Codex, Host::Copilot];

/// A sandbox with one host in it that has the plugin, and the model it asks.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) host: Host,
    pub(crate) sandbox: Sandbox,
    pub(crate) server: ModelServer,
    pub(crate) agents: RealAgents,
}

impl Scene {
    /// With the plugin; or a loud word that it is not its turn, or that the agents are not installed here.
    #[track_caller]
    pub(crate) fn with(
        host: Host,
        sample: &Sample,
        script: impl FnOnce(&Sandbox) -> Script,
    ) -> Option<Scene> {
        if has_turn(EVERY) { Scene::in_every_run(host, sample, script) } else { None }
    }

    pub(crate) fn in_every_run(
        host: Host,
        sample: &Sample,
        script: impl FnOnce(&Sandbox) -> Script,
    ) -> Option<Scene> {
        let scene = Scene::without_plugin(host, sample, script)?;
        scene.install_plugin();
        Some(scene)
    }

    pub(crate) fn without_plugin(
        host: Host,
        sample: &Sample,
        script: impl FnOnce(&Sandbox) -> Script,
    ) -> Option<Scene> {
        let sandbox = Sandbox::for_agents(sample);
        let server = ModelServer::start(script(&sandbox));
        let agents = RealAgents::ready(&sandbox, &server)?.for_sessions(&sandbox, &server);
        // Copilot keeps a key of Claude's from what it calls: a judge needs a login there.
        let agents = if host == Host::Copilot { agents.with_subscription() } else { agents };
        Some(Scene { host, sandbox, server, agents })
    }

    /// As a person does.
    pub(crate) fn install_plugin(&self) {
        for command in self.host.install_commands() {
            self.call(command.iter().map(String::as_str)).run().expect_exit(0);
        }
    }

    /// The host itself, in the repository.
    pub(crate) fn call<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        match self.host {
            Host::Claude => self.agents.claude(&self.sandbox, arguments),
            Host::Codex => self.agents.codex(&self.sandbox, arguments),
            Host::Copilot => self.agents.copilot(&self.sandbox, arguments),
        }
    }

    /// A session without a terminal, from this prompt until the host ends.
    pub(crate) fn say(&self, prompt: &str) -> Said {
        self.say_in(self.host.fresh(), prompt)
    }

    /// The same, and Codex keeps its commands where they can write nothing but the project.
    pub(crate) fn say_in_its_sandbox(&self, prompt: &str) -> Said {
        self.say_in(self.host.in_its_sandbox(), prompt)
    }

    /// The same where the person has said that nothing is asked.
    pub(crate) fn say_unasked(&self, prompt: &str) -> Said {
        self.say_in(self.host.unasked(), prompt)
    }

    /// The same, and the test goes on meanwhile.
    pub(crate) fn begin(&self, prompt: &str) -> Started {
        self.invocation(self.host.fresh(), prompt).start()
    }

    /// The same in a folder of the repository.
    pub(crate) fn say_in_folder(&self, folder: &str, prompt: &str) -> Said {
        let call = self.invocation(self.host.fresh(), prompt).directory(self.sandbox.file(folder));
        Said { host: self.host, finished: call.run() }
    }

    /// The session goes on with a further prompt.
    pub(crate) fn say_again(&self, session: &str, prompt: &str) -> Said {
        self.say_in(self.host.again(session), prompt)
    }

    /// The same, with nothing allowed that the host does not allow by itself.
    pub(crate) fn say_by_default(&self, prompt: &str) -> Said {
        self.say_in(self.host.by_default(), prompt)
    }

    fn say_in(&self, arguments: Vec<&str>, prompt: &str) -> Said {
        Said { host: self.host, finished: self.invocation(arguments, prompt).run() }
    }

    fn invocation(&self, arguments: Vec<&str>, prompt: &str) -> Invocation {
        let call = self.call(arguments);
        match self.host {
            Host::Claude | Host::Codex => call.stdin(prompt),
            // It reads a prompt from stdin, too, and trims it.
            Host::Copilot => call.arguments(["-p", prompt]),
        }
    }

    /// How often a judge was asked.
    pub(crate) fn judged(&self) -> usize {
        let calls = self.server.model_calls().into_iter();
        calls.filter(|call| call.answers_before() == 0 && call.contains(TO_JUDGE)).count()
    }

    /// Nothing runs any more, and nobody was asked but the model.
    #[track_caller]
    pub(crate) fn close(self) {
        self.sandbox.assert_nothing_left();
        self.agents.assert_no_other_traffic();
    }
}

impl Host {
    /// As a journal has it.
    fn name(self) -> &'static str {
        match self {
            Host::Claude => "claude",
            Host::Codex => "codex",
            Host::Copilot => "copilot",
        }
    }

    /// The plugin as a person installs it, from this very checkout.
    fn install_commands(self) -> Vec<Vec<String>> {
        let market = marketplace();
        let command = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        match self {
            Host::Claude => {
                vec![command(&["plugin", "install", "gulf-loop", "--marketplace", market.as_str()])]
            }
            Host::Codex => vec![
                command(&["plugin", "marketplace", "add", market.as_str()]),
                command(&["plugin", "add", "gulf-loop@gulf-market"]),
            ],
            Host::Copilot => vec![
                command(&["plugin", "marketplace", "add", market.as_str()]),
                command(&["plugin", "install", "gulf-loop@gulf-market"]),
            ],
        }
    }

    fn fresh(self) -> Vec<&'static str> {
        match self {
            Host::Claude => CLAUDE_SESSION.to_vec(),
            Host::Codex => ["exec"].into_iter().chain(CODEX_SESSION).chain(["-"]).collect(),
            Host::Copilot => COPILOT_SESSION.to_vec(),
        }
    }

    #[track_caller]
    pub(crate) fn session_of(self, finished: &Finished) -> String {
        let member = match self {
            Host::Claude => "session_id",
            Host::Codex => "thread_id",
            Host::Copilot => "sessionId",
        };
        let mut lines = finished.json_lines().into_iter();
        let named = lines.find_map(|line| line[member].as_str().map(str::to_owned));
        named.unwrap_or_else(|| panic!("no {member} in {}", finished.stdout))
    }

    fn by_default(self) -> Vec<&'static str> {
        match self {
            Host::Claude => vec!["-p", "--output-format", "stream-json", "--verbose"],
            Host::Codex => vec!["exec", "--json", "--dangerously-bypass-hook-trust", "-"],
            Host::Copilot => vec!["--output-format", "json"],
        }
    }

    fn in_its_sandbox(self) -> Vec<&'static str> {
        match self {
            Host::Codex => {
                let trusted = ["exec", "--json", "--dangerously-bypass-hook-trust"];
                trusted.into_iter().chain(["--sandbox", "workspace-write", "-"]).collect()
            }
            Host::Claude | Host::Copilot => self.fresh(),
        }
    }

    /// The sessions of the other two are so always.
    fn unasked(self) -> Vec<&'static str> {
        match self {
            Host::Claude => {
                vec!["-p", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"]
            }
            Host::Codex | Host::Copilot => self.fresh(),
        }
    }

    fn again(self, session: &str) -> Vec<&str> {
        match self {
            Host::Claude => CLAUDE_SESSION.into_iter().chain(["--resume", session]).collect(),
            Host::Codex => {
                ["exec", "resume"].into_iter().chain(CODEX_SESSION).chain([session, "-"]).collect()
            }
            Host::Copilot => COPILOT_SESSION.into_iter().chain(["--resume", session]).collect(),
        }
    }
}

const CLAUDE_SESSION: [&str; 8] = [
    "-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits",
    "--allowedTools", "Bash",
];

/// Hooks are trusted in the terminal; without one there is this flag.
const CODEX_SESSION: [&str; 3] =
    ["--json", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"];

const COPILOT_SESSION: [&str; 3] = ["--output-format", "json", "--allow-all"];

/// What a host has said by its end.
#[derive(Debug)]
pub(crate) struct Said {
    host: Host,
    pub(crate) finished: Finished,
}

impl Said {
    /// By which the host knows the session, and our hooks.
    #[track_caller]
    pub(crate) fn session(&self) -> String {
        self.host.session_of(&self.finished)
    }
}

/// What a worker of the tests writes about its task, so that the research counts.
pub(crate) const RESEARCH: &str = "cat > progress.txt <<'END'
ORIGINAL_GOAL: make value.txt say right
STRENGTHS:
- there is a check
RISKS:
- none
GAPS:
- why it is wrong
APPROACHES_CONSIDERED:
- write the value: simple
- generate the value: more than is asked for
APPROACH: write the value that the check asks for, then run the check, then say why
CONFIDENCE: 90
REMAINING_GAP:
- write it
END";

/// The worker's word that it is done.
pub(crate) fn promise() -> Reply {
    Reply::text("It is done.\n\n<promise>COMPLETE</promise>")
}

/// The root of our repository is one.
fn marketplace() -> Utf8PathBuf {
    repository_root()
}
