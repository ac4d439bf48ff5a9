//! `gulf land --pull-request`: the work goes to the remote as a branch, and a program that the person has asks there for it
//! to be merged.
//!
//! The program runs in the loop's folder, outside of every repository: what a worker wrote into git's settings of the project
//! would else decide what runs.

use std::io::{self, ErrorKind, Write as _};
use std::process::{Command, Output, Stdio};

use gulf_engine::PAUSED_EXIT_CODE;
use gulf_host::clock::Clock;
use gulf_runner::branching;
use gulf_runner::keeping::{self, Proposal};
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::KnownLoop;
use gulf_spec::config::{LandingPlace, LandingSettings, Push};
use gulf_views::{brief, tame_text};
use serde::Deserialize;

use crate::cli::{LandArguments, PullRequestTool};
use crate::commands::report;
use crate::failure::{Failure, Result};
use crate::out::masked;
use crate::report::ReportDepth;

/// So much of what a program said is told.
const TOLD_LINES_MAX: usize = 8;

/// A program that knows one kind of host.
#[derive(Debug)]
struct Forge {
    program: &'static str,
    site: &'static str,
    /// What a request is called.
    request: &'static str,
    /// Has it print a request as JSON.
    as_json: [&'static str; 2],
    base_flag: &'static str,
    branch_flag: &'static str,
    /// Has it take this text for a request's; it has it on its standard input as well.
    body_flags: fn(&str) -> Vec<&str>,
}

const GITHUB: Forge = Forge {
    program: "gh",
    site: "https://cli.github.com",
    request: "pr",
    as_json: ["--json", "state,url"],
    base_flag: "--base",
    branch_flag: "--head",
    body_flags: |_| vec!["--body-file", "-"],
};

const GITLAB: Forge = Forge {
    program: "glab",
    site: "https://gitlab.com/gitlab-org/cli",
    request: "mr",
    as_json: ["--output", "json"],
    base_flag: "--target-branch",
    branch_flag: "--source-branch",
    body_flags: |body| vec!["--yes", "--description", body],
};

/// What a program did not do.
#[derive(Debug, thiserror::Error)]
enum ForgeError {
    #[error("`{program}` cannot be started")]
    Missing { program: &'static str, source: io::Error },
    #[error("`{program}` opened no request: {words}")]
    Refused { program: &'static str, words: String },
    #[error("cannot read what `{program}` says of the request")]
    Unread { program: &'static str, source: serde_json::Error },
}

/// How a request stands, as both programs print it, each in its words.
#[derive(Debug, Deserialize)]
struct RequestState {
    #[serde(rename = "state")]
    word: String,
    #[serde(alias = "web_url")]
    url: String,
}

/// Opens a request, or says how the one that is there stands.
pub(super) fn ask_for(
    place: &PlaceOfWork,
    known: &KnownLoop,
    tool: PullRequestTool,
    arguments: &LandArguments,
) -> Result<u8> {
    let settings = LandingSettings {
        base: arguments.base_branch.clone(),
        place: LandingPlace::Worktree,
        push: Push::Asked,
    };
    let terms = branching::lands_on(place, &known.agreement()?, &settings)?;
    let url = terms.push.as_ref().map(|push| push.url.clone()).unwrap_or_default();
    let forge = Forge::from_url(tool, &url)?;
    // Before anything is pushed: without the program the branch would lie there for nothing.
    forge.is_here()?;
    let proposal = keeping::propose(place, known, &terms, &Clock::new())?;
    if let Some(standing) = forge.request_state(known, &proposal)? {
        return Ok(tell(known, &standing));
    }
    let body = brief(&report::of_loop(place, known, ReportDepth::Full)?);
    let said = forge.open(known, &proposal, &masked(&body))?;
    if !said.status.success() {
        return Err(forge.refused(&proposal, &said));
    }
    let url = String::from_utf8_lossy(&said.stdout).split_whitespace().last().unwrap_or_default().to_owned();
    Ok(tell(known, &RequestState { word: "open".to_owned(), url }))
}

/// Work that is asked for rests: only who merges it lands it.
fn tell(known: &KnownLoop, standing: &RequestState) -> u8 {
    let (handle, RequestState { word, url }) = (known.handle(), standing);
    match word.as_str() {
        "merged" => {
            outln!("{handle} was merged: {url}");
            0
        }
        "open" => {
            outln!("{handle} is ready to land: {url}");
            outln!("`gulf land --pull-request {handle}` shows its state again");
            PAUSED_EXIT_CODE
        }
        _ => {
            outln!("{handle} was not merged, the request is {word}: {url}");
            PAUSED_EXIT_CODE
        }
    }
}

impl Forge {
    fn from_url(tool: PullRequestTool, url: &str) -> Result<&'static Forge> {
        let address = url.to_ascii_lowercase();
        match (tool, address.contains("github"), address.contains("gitlab")) {
            (PullRequestTool::Gh, ..) | (PullRequestTool::Auto, true, false) => Ok(&GITHUB),
            (PullRequestTool::Glab, ..) | (PullRequestTool::Auto, false, true) => Ok(&GITLAB),
            (PullRequestTool::Auto, true, true) | (PullRequestTool::Auto, false, false) => {
                let what = format!("cannot tell from {} whether it is GitHub or GitLab", masked(url));
                Err(Failure::usage(what, "name the program: `--pull-request=gh` or `--pull-request=glab`"))
            }
        }
    }

    fn is_here(&self) -> Result<()> {
        let asked = Command::new(self.program).arg("--version").stdin(Stdio::null()).output();
        match asked {
            Err(error) if error.kind() == ErrorKind::NotFound => Err(self.missing(error)),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    fn missing(&self, source: io::Error) -> Failure {
        let Forge { program, site, .. } = *self;
        let hint = format!(
            "install `{program}` ({site}) and type `{program} auth login`; or push a branch yourself, with the text of `gulf report --markdown`"
        );
        Failure::world(&ForgeError::Missing { program, source }, Some(hint))
    }

    /// Nothing where there is no request yet, or it cannot be told: then opening one says why.
    fn request_state(&self, known: &KnownLoop, proposal: &Proposal) -> Result<Option<RequestState>> {
        let Forge { program, request, as_json: [flag, form], .. } = *self;
        let Proposal { url, branch, .. } = proposal;
        let said = self.call(known, &[request, "view", branch, "--repo", url, flag, form], "")?;
        if !said.status.success() {
            return Ok(None);
        }
        let mut told: RequestState = serde_json::from_slice(&said.stdout).map_err(|source| {
            let hint = format!("another version may behave differently: `{program} {request} view {branch}`");
            Failure::world(&ForgeError::Unread { program, source }, Some(hint))
        })?;
        told.word = match told.word.to_ascii_lowercase().as_str() {
            "open" | "opened" => "open".to_owned(),
            other => tame_text(other),
        };
        told.url = tame_text(&told.url);
        Ok(Some(told))
    }

    fn open(&self, known: &KnownLoop, proposal: &Proposal, body: &str) -> Result<Output> {
        let Proposal { url, base, branch, title } = proposal;
        let mut words = vec![self.request, "create", self.base_flag, base, self.branch_flag, branch];
        words.extend(["--repo", url, "--title", title]);
        words.extend((self.body_flags)(body));
        self.call(known, &words, body)
    }

    fn call(&self, known: &KnownLoop, words: &[&str], body: &str) -> Result<Output> {
        let mut command = Command::new(self.program);
        command.args(words).current_dir(known.home.root());
        command.env("GH_PROMPT_DISABLED", "1").env("NO_COLOR", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let said = command.spawn().and_then(|mut child| {
            if let Some(mut stdin) = child.stdin.take() {
                // Whoever does not want it ends before.
                let _ = stdin.write_all(body.as_bytes());
            }
            child.wait_with_output()
        });
        said.map_err(|error| self.missing(error))
    }

    fn refused(&self, proposal: &Proposal, said: &Output) -> Failure {
        let words = String::from_utf8_lossy(&said.stderr).into_owned();
        let lines: Vec<&str> = words.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = lines[lines.len().saturating_sub(TOLD_LINES_MAX)..].join("; ");
        let program = self.program;
        let hint = format!(
            "`{program} auth status` says whether it knows you; the branch {} is pushed, and the same command tries again",
            proposal.branch
        );
        let words = masked(&tame_text(&last)).into_owned();
        Failure::world(&ForgeError::Refused { program, words }, Some(hint))
    }
}
