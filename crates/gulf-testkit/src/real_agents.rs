//! The real Claude Code and Codex in a home of their own, with a scripted model at the far end and no way elsewhere.
//!
//! It stands apart because everything these programs must be told, so that they neither ask nor call home, is one list.

use std::fs;
use std::os::unix::fs::symlink;

use camino::{Utf8Path, Utf8PathBuf};

use crate::gulf::Invocation;
use crate::model::{ModelServer, TrapProxy};
use crate::programs;
use crate::sandbox::Sandbox;

/// One that Codex knows by itself, so that it offers the tools it offers people.
const CODEX_MODEL: &str = "gpt-5.5";

/// Keys that nobody issued.
const KEY: &str = "dummy";
const SUBSCRIPTION_TOKEN: &str = "sk-ant-oat01-dummy";
/// Not one of `GULF_…`: those gulf keeps from its workers.
const CODEX_KEY_VARIABLE: &str = "SCRIPTED_MODEL_KEY";

/// Both agents, ready to run in one sandbox: by a test itself or by gulf.
#[derive(Debug)]
pub struct RealAgents {
    folder: Utf8PathBuf,
    variables: Vec<(String, String)>,
    trap: TrapProxy,
}

impl RealAgents {
    /// Or a loud word that they are not installed here; in CI that is a failure.
    pub fn ready(sandbox: &Sandbox, server: &ModelServer) -> Option<RealAgents> {
        let installed = [("claude", programs::claude()?), ("codex", programs::codex()?)];
        // Beside the sandbox's TMPDIR and not in it: there Codex refuses to keep its own helpers.
        let folder = sandbox.path("agents");
        for name in ["bin", "claude", "codex"] {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        for (name, path) in &installed {
            symlink(path, folder.join("bin").join(name)).unwrap();
        }
        fs::write(folder.join("codex/config.toml"), codex_settings(sandbox, server)).unwrap();
        let trap = TrapProxy::start();
        let variables = variables(&folder, server, &trap);
        Some(RealAgents { folder, variables, trap })
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

    /// `$CLAUDE_CONFIG_DIR`
    pub fn claude_folder(&self) -> Utf8PathBuf {
        self.folder.join("claude")
    }

    /// `$CODEX_HOME`, with its `config.toml`.
    pub fn codex_folder(&self) -> Utf8PathBuf {
        self.folder.join("codex")
    }

    /// What was asked for besides the model server, as `CONNECT example.com:443`.
    pub fn other_traffic(&self) -> Vec<String> {
        self.trap.requests()
    }

    /// Fails when anything but the model server was asked for.
    #[track_caller]
    pub fn assert_no_other_traffic(&self) {
        self.trap.assert_unused();
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
        ("CODEX_HOME", codex.as_str()),
        (CODEX_KEY_VARIABLE, KEY),
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

/// Text in TOML is written as in JSON.
fn codex_settings(sandbox: &Sandbox, server: &ModelServer) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let address = quoted(&format!("{}/v1", server.url()));
    let repository = quoted(sandbox.repository().as_str());
    format!(
        "\
model = \"{CODEX_MODEL}\"
model_provider = \"scripted\"

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
plugins = false
apps = false
"
    )
}
