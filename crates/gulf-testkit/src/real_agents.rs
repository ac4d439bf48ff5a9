//! The real Claude Code, Codex and Copilot CLI in a home of their own, with a scripted model at the far end and no way
//! elsewhere.
//!
//! Everything these programs must be told, so that they neither ask nor call home, is one list.

mod others;

use std::fs;
use std::os::unix::fs::symlink;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};

pub use others::OtherAgent;

use crate::gulf::Invocation;
use crate::model::{ModelServer, TrapProxy};
use crate::programs;
use crate::sandbox::Sandbox;

/// One that Codex knows by itself, so that it offers the tools it offers people.
const CODEX_MODEL: &str = "gpt-5.5";

/// One that Copilot knows by itself; a provider of one's own has no other.
const COPILOT_MODEL: &str = "claude-sonnet-4.5";

/// What Codex asks for whenever it may have plugins, and on a terminal: lists of plugins, and news. No setting keeps it
/// from that.
const CALLS_OF_CODEX: [&str; 4] =
    ["github.com:443", "api.github.com:443", "chatgpt.com:443", "raw.githubusercontent.com:443"];

/// Keys that nobody issued.
const KEY: &str = "dummy";
const SUBSCRIPTION_TOKEN: &str = "sk-ant-oat01-dummy";
/// Not one of `GULF_…`: those gulf keeps from its workers.
const CODEX_KEY_VARIABLE: &str = "SCRIPTED_MODEL_KEY";

/// What Codex is set up for: as gulf's worker it has no plugins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Worker,
    Session,
}

/// The agents, ready to run in one sandbox: by a test itself or by gulf.
#[derive(Debug)]
pub struct RealAgents {
    folder: Utf8PathBuf,
    variables: Vec<(String, String)>,
    trap: TrapProxy,
    expected_traffic: &'static [&'static str],
}

impl RealAgents {
    /// Or a loud word that they are not installed here; in CI that is a failure.
    pub fn ready(sandbox: &Sandbox, server: &ModelServer) -> Option<RealAgents> {
        let installed = [
            ("claude", programs::claude()?),
            ("codex", programs::codex()?),
            ("copilot", programs::copilot()?),
        ];
        // Beside the sandbox's TMPDIR and not in it: there Codex refuses to keep its own helpers.
        let folder = sandbox.path("agents");
        for name in ["bin", "claude", "codex", "copilot"] {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        for (name, path) in &installed {
            symlink(path, folder.join("bin").join(name)).unwrap();
        }
        let settings = codex_settings(sandbox, server, Use::Worker);
        fs::write(folder.join("codex/config.toml"), settings).unwrap();
        let trap = TrapProxy::start();
        let variables = variables(&folder, server, &trap);
        Some(RealAgents { folder, variables, trap, expected_traffic: &[] })
    }

    /// For sessions of a person: gulf is on the PATH, plugins are on, and nothing is asked before the first prompt.
    pub fn for_sessions(mut self, sandbox: &Sandbox, server: &ModelServer) -> RealAgents {
        symlink(programs::gulf(), self.folder.join("bin/gulf")).unwrap();
        let settings = codex_settings(sandbox, server, Use::Session);
        fs::write(self.folder.join("codex/config.toml"), settings).unwrap();
        let known = claude_state(sandbox).to_string();
        fs::write(self.folder.join("claude/.claude.json"), known).unwrap();
        self.expected_traffic = &CALLS_OF_CODEX;
        self
    }

    /// Where they are on a person's machine: what they keep lies in the home, and no variable says so.
    pub fn at_home(mut self, sandbox: &Sandbox) -> RealAgents {
        for name in ["claude", "codex", "copilot"] {
            fs::rename(self.folder.join(name), sandbox.home().join(format!(".{name}"))).unwrap();
        }
        fs::write(sandbox.home().join(".claude.json"), claude_state(sandbox).to_string()).unwrap();
        self.variables.retain(|(name, _)| !["CLAUDE_CONFIG_DIR", "CODEX_HOME"].contains(&name.as_str()));
        self
    }

    /// With the login of a subscription instead of a key: only then does Claude Code tell when a limit ends.
    pub fn with_subscription(mut self) -> RealAgents {
        self.variables.retain(|(name, _)| name != "ANTHROPIC_API_KEY");
        self.variables.push(("CLAUDE_CODE_OAUTH_TOKEN".to_owned(), SUBSCRIPTION_TOKEN.to_owned()));
        self
    }

    /// What `gulf run` is started with, so that `claude` and `codex` on its PATH are these.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Claude Code itself, in the repository.
    pub fn claude<'a>(&self, sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        self.program(sandbox, "claude", arguments)
    }

    /// Codex itself, in the repository.
    pub fn codex<'a>(&self, sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        self.program(sandbox, "codex", arguments)
    }

    /// Copilot CLI itself, in the repository.
    pub fn copilot<'a>(&self, sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        let home = self.copilot_folder();
        // It unpacks 235 MB of itself: once for all tests, where `cargo xtask setup` has it done already.
        let cache = programs::repository_root().join("target/tools/agents/cache");
        self.program(sandbox, "copilot", arguments)
            .variable("COPILOT_HOME", home)
            .variable("XDG_CACHE_HOME", cache)
    }

    /// `$CLAUDE_CONFIG_DIR`
    pub fn claude_folder(&self) -> Utf8PathBuf {
        self.folder.join("claude")
    }

    /// `$CODEX_HOME`, with its `config.toml`.
    pub fn codex_folder(&self) -> Utf8PathBuf {
        self.folder.join("codex")
    }

    /// `$COPILOT_HOME`
    pub fn copilot_folder(&self) -> Utf8PathBuf {
        self.folder.join("copilot")
    }

    /// What was asked for besides the model server, as `CONNECT example.com:443`; all of it was refused.
    pub fn other_traffic(&self) -> Vec<String> {
        let is_expected = |asked: &String| self.expected_traffic.iter().any(|host| asked.ends_with(host));
        self.trap.requests().into_iter().filter(|asked| !is_expected(asked)).collect()
    }

    /// Fails when anything but the model server was asked for.
    #[track_caller]
    pub fn assert_no_other_traffic(&self) {
        let requests = self.other_traffic();
        assert!(requests.is_empty(), "traffic to elsewhere: {requests:#?}");
    }

    fn program<'a>(
        &self,
        sandbox: &Sandbox,
        name: &str,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> Invocation {
        let path = self.folder.join("bin").join(name);
        sandbox.program(path.as_str(), arguments).variables(self.variables())
    }
}

fn variables(folder: &Utf8Path, server: &ModelServer, trap: &TrapProxy) -> Vec<(String, String)> {
    let (model, trap) = (server.url(), trap.url());
    let path = format!("{}:{}", folder.join("bin"), programs::search_path());
    let (claude, codex) = (folder.join("claude"), folder.join("codex"));
    let mut variables = vec![
        ("PATH", path.as_str()),
        ("CLAUDE_CONFIG_DIR", claude.as_str()),
        ("ANTHROPIC_BASE_URL", model.as_str()),
        ("ANTHROPIC_API_KEY", KEY),
        ("DISABLE_AUTOUPDATER", "1"),
        ("DISABLE_ERROR_REPORTING", "1"),
        ("DISABLE_TELEMETRY", "1"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        // Each further try waits twice as long.
        ("CLAUDE_CODE_MAX_RETRIES", "1"),
        // Else one that has plugins asks for its maker's list of them.
        ("CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL", "1"),
        ("CODEX_HOME", codex.as_str()),
        (CODEX_KEY_VARIABLE, KEY),
        ("COPILOT_OFFLINE", "true"),
        ("COPILOT_AUTO_UPDATE", "false"),
        ("COPILOT_PROVIDER_TYPE", "anthropic"),
        ("COPILOT_PROVIDER_BASE_URL", model.as_str()),
        ("COPILOT_PROVIDER_API_KEY", KEY),
        ("COPILOT_MODEL", COPILOT_MODEL),
        ("HTTP_PROXY", trap.as_str()),
        ("HTTPS_PROXY", trap.as_str()),
        ("NO_PROXY", "127.0.0.1"),
    ];
    if rustix::process::geteuid().is_root() {
        // Else root may not use it without permissions.
        variables.push(("IS_SANDBOX", "1"));
    }
    variables.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// What a person's Claude Code has asked already: whether it may use the key, and whether it trusts the folder.
fn claude_state(sandbox: &Sandbox) -> Value {
    let trusted = json!({"hasTrustDialogAccepted": true});
    json!({
        "hasCompletedOnboarding": true,
        "bypassPermissionsModeAccepted": true,
        "customApiKeyResponses": {"approved": [KEY], "rejected": []},
        "projects": Value::from_iter([(sandbox.repository().as_str(), trusted)]),
    })
}

/// Text in TOML is written as in JSON.
fn codex_settings(sandbox: &Sandbox, server: &ModelServer, what_for: Use) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let address = quoted(&format!("{}/v1", server.url()));
    let repository = quoted(sandbox.repository().as_str());
    let (top, plugins) = match what_for {
        Use::Worker => ("", false),
        Use::Session => (CODEX_FOR_SESSIONS, true),
    };
    format!(
        "\
model = \"{CODEX_MODEL}\"
model_provider = \"scripted\"
{top}
[model_providers.scripted]
name = \"scripted\"
base_url = {address}
wire_api = \"responses\"
env_key = \"{CODEX_KEY_VARIABLE}\"
request_max_retries = 1
stream_max_retries = 1

[projects.{repository}]
trust_level = \"trusted\"

[analytics]
enabled = false

# Both call home.
[features]
plugins = {plugins}
apps = false
"
    )
}

/// A login shell sets PATH anew, and a test types faster than a person; the rest is what Codex asks and looks up at its
/// start.
const CODEX_FOR_SESSIONS: &str = "\
allow_login_shell = false
disable_paste_burst = true
check_for_update_on_startup = false
tui.show_tooltips = false
notice.model_migrations.\"gpt-5.5\" = \"gpt-6-sol\"
";
