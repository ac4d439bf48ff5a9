//! Copilot CLI, OpenCode and Gemini CLI as gulf's workers and judges, one at a time.
//!
//! A test that needs one of them must not fail where another is not installed.

use std::fs;
use std::os::unix::fs::symlink;

use camino::Utf8Path;
use serde_json::json;

use super::{KEY, RealAgents};
use crate::model::{ModelServer, TrapProxy};
use crate::programs;
use crate::sandbox::Sandbox;

/// One that OpenCode is told the price of, as a provider's list would.
const OPENCODE_MODEL: &str = "claude-sonnet-4-5";

/// One with a price in gulf's table, and named so that Gemini CLI does not ask a model which to take.
const GEMINI_MODEL: &str = "gemini-2.5-pro";

/// OpenCode looks for a package of its own whenever it starts; it goes on without.
const CALLS_OF_OPENCODE: [&str; 1] = ["registry.npmjs.org:443"];

/// An agent that gulf knows by name, besides the two that most tests use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherAgent {
    Copilot,
    OpenCode,
    Gemini,
}

impl OtherAgent {
    /// As `--agent` and `--judge` name it.
    pub fn name(self) -> &'static str {
        match self {
            OtherAgent::Copilot => "copilot",
            OtherAgent::OpenCode => "opencode",
            OtherAgent::Gemini => "gemini",
        }
    }

    /// With the model that it is to ask for.
    pub fn with_model(self) -> String {
        match self {
            OtherAgent::Copilot => self.name().to_owned(),
            OtherAgent::OpenCode => format!("{}:scripted/{OPENCODE_MODEL}", self.name()),
            OtherAgent::Gemini => format!("{}:{GEMINI_MODEL}", self.name()),
        }
    }
}

impl RealAgents {
    /// This one alone, or a loud word that it is not installed here; in CI that is a failure.
    pub fn only(agent: OtherAgent, sandbox: &Sandbox, server: &ModelServer) -> Option<RealAgents> {
        let program = match agent {
            OtherAgent::Copilot => programs::copilot()?,
            OtherAgent::OpenCode => programs::opencode()?,
            OtherAgent::Gemini => programs::gemini()?,
        };
        let folder = sandbox.path("agents");
        fs::create_dir_all(folder.join("bin")).unwrap();
        symlink(&program, folder.join("bin").join(agent.name())).unwrap();
        let trap = TrapProxy::start();
        let mut variables = super::variables(&folder, server, &trap);
        let mut more = |name: &str, value: &str| variables.push((name.to_owned(), value.to_owned()));
        match agent {
            OtherAgent::Copilot => {
                more("COPILOT_HOME", folder.join("copilot").as_str());
                more(
                    "XDG_CACHE_HOME",
                    programs::repository_root().join("target/tools/agents/cache").as_str(),
                );
            }
            OtherAgent::OpenCode => {
                more("OPENCODE_CONFIG", opencode_settings(&folder, server).as_str());
                more("OPENCODE_DISABLE_MODELS_FETCH", "1");
            }
            OtherAgent::Gemini => {
                gemini_settings(sandbox);
                more("GEMINI_API_KEY", KEY);
                more("GOOGLE_GEMINI_BASE_URL", &server.url());
            }
        }
        let expected_traffic: &[&str] = if agent == OtherAgent::OpenCode { &CALLS_OF_OPENCODE } else { &[] };
        Some(RealAgents { folder, variables, trap, expected_traffic })
    }
}

/// A provider that is the scripted model.
fn opencode_settings(folder: &Utf8Path, server: &ModelServer) -> camino::Utf8PathBuf {
    let model = json!({
        "cost": {"input": 3, "output": 15}, "limit": {"context": 200_000, "output": 8_000},
    });
    let provider = json!({
        "npm": "@ai-sdk/anthropic", "name": "Scripted",
        "options": {"baseURL": format!("{}/v1", server.url()), "apiKey": KEY},
        "models": {OPENCODE_MODEL: model},
    });
    let path = folder.join("opencode.json");
    let settings =
        json!({"provider": {"scripted": provider}, "snapshot": false, "lsp": false, "formatter": false});
    fs::write(&path, settings.to_string()).unwrap();
    path
}

/// Which way it signs in it asks a person once; and it is not to call home.
fn gemini_settings(sandbox: &Sandbox) {
    let settings = json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": false},
        "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
    });
    let folder = sandbox.home().join(".gemini");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
}
