//! The command line: every command, flag and example, and nothing that acts.
//!
//! The reference pages and the shell completions are made of it.

mod exchange;
mod faces;
mod others;
mod settings;
mod travel;
mod verifying;

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand};

pub use exchange::{
    AnswerArguments, AskFlags, AskKind, ClaimSubcommand, InboxArguments, OverruleArguments,
    QuestionArguments, SkipArguments,
};
pub use faces::{LoopReportArguments, StatsArguments, UiArguments, WebArguments, typed_act};
pub use others::{
    AlignArguments, CleanArguments, DemoArguments, HostName, ImportArguments, InitArguments,
    InstallArguments, LintArguments, ReferencePage, TrustArguments,
};
pub use settings::{OF_DESIGNS, OF_LIMITS, OF_LOOP, SettingFlags, typed};
pub use travel::{
    DiffArguments, DiscardArguments, ForkArguments, LandArguments, PullRequestTool, RestoreArguments,
    ShowArguments,
};
pub use verifying::{CollectArguments, FeedbackCommand, RecordArguments, VerifyArguments};

/// Keeps a coding agent working until the work is verified.
#[derive(Debug, Parser)]
#[command(
    name = "gulf",
    version,
    max_term_width = 100,
    after_help = "Examples:\n  gulf                                          what it finds here, and the one command to type\n  gulf demo                                     watch a loop fail, be told why, and get it right\n  gulf init                                     write gulf.toml, RUBRIC.md and PROMPT.md\n  gulf run \"add a --json flag\" --check 'cargo test'\n  gulf status                                   where the loop stands\n  gulf help verified                            what a term means: also base, candidate, proof …\n\nExit codes: 0 verified, 3 attested, 10 paused, 11 stalled, 12 exhausted, 13 unavailable,\n14 violated, 15 cancelled, 130 interrupted; 1 error, 2 usage or refused start."
)]
pub struct Cli {
    /// Without one: what is here, and what to type.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What gulf can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a loop here until it is verified, or until it cannot be
    Run(RunArguments),
    /// Start a loop in an agent's session: Claude Code, Codex or Copilot CLI
    Start(StartArguments),
    /// Handle the hook events of an agent's session: stops, prompts and tool calls
    #[command(
        after_help = "The event comes on standard input as one JSON object; nothing or one JSON object goes to standard output.\n\nExample:\n  echo '{\"hook_event_name\":\"Stop\",\"session_id\":\"s1\",\"last_assistant_message\":\"done\"}' | gulf hook"
    )]
    Hook {
        /// The event, where standard input does not name it: stop
        event: Option<String>,
    },
    /// Continue a paused or interrupted loop
    Resume(ResumeArguments),
    /// Keep finished work: commit the loop's change here, or land it on its base branch
    Land(LandArguments),
    /// Revert a finished loop's change in the checkout, or delete its worktree and branch
    Discard(DiscardArguments),
    /// Show where a loop stands
    #[command(
        after_help = "Examples:\n  gulf status\n  gulf status --watch\n  gulf status --report\n  gulf status k3v9 --json"
    )]
    Status(StatusArguments),
    /// Watch loops on a live screen, and act on them
    Ui(UiArguments),
    /// Serve the loops as web pages, also for a phone
    Web(WebArguments),
    /// List the loops of this repository
    #[command(
        after_help = "Examples:\n  gulf list\n  gulf list --state paused,running\n  gulf list --state verified --since yesterday --json"
    )]
    List(LoopsArguments),
    /// Show a loop's journal, or the prompt and logs of an iteration
    Log(LogArguments),
    /// Show an iteration: its prompt, claim, gate results and changes
    Show(ShowArguments),
    /// Show what changed between two points of a loop, as `git diff` does
    Diff(DiffArguments),
    /// Write an iteration's files to a new folder
    Restore(RestoreArguments),
    /// Start again from an iteration, on a new branch in a worktree of its own
    Fork(ForkArguments),
    /// Recompute a loop's decisions from its journal, and compare
    #[command(
        after_help = "Examples:\n  gulf replay\n  gulf replay k3v9 --json\n\nExit codes: 0 every decision matches the journal, or was made by another version's rules; 1 a decision differs under the same rules, or the journal is damaged; 2 usage."
    )]
    Replay(LoopArguments),
    /// Pause a loop, even in the middle of a turn
    #[command(
        after_help = "Examples:\n  gulf pause\n  gulf resume                                   continue"
    )]
    Pause(ActArguments),
    /// End a loop
    #[command(
        after_help = "Example:\n  gulf cancel\n\nIts work stays where it is; `gulf report` describes it."
    )]
    Cancel(ActArguments),
    /// Leave a note for the worker's next iteration
    Steer(SteerArguments),
    /// Give up the current task of a list, and continue with the next
    Skip(SkipArguments),
    /// Show what workers ask, and the command that answers it
    Inbox(InboxArguments),
    /// Answer a worker's question
    Answer(AnswerArguments),
    /// Approve the last candidate; over a judge that did not, the loop ends attested at most
    #[command(after_help = "Example:\n  gulf approve \"the judge looked at the old screenshots\"")]
    Approve(OverruleArguments),
    /// Reject the last candidate, whatever the gates said
    #[command(after_help = "Example:\n  gulf reject \"the flag must have a short form, too\"")]
    Reject(OverruleArguments),
    /// Report what was asked, done, proven and not proven, and where to look first
    Report(LoopReportArguments),
    /// Show numbers over all loops: what a verified result costs, and who refuses claims
    Stats(StatsArguments),
    /// Run the gates once, now, on the worktree as it is
    Verify(VerifyArguments),
    /// Collect, show or record measurements: tests, lint errors, build, coverage
    #[command(
        subcommand,
        after_help = "Examples:\n  gulf feedback collect                         run the checks on the worktree, and count\n  gulf feedback show --json\n  gulf feedback record --tests-passed 120 --tests-failed 0 --notes \"nightly on macOS\"\n\nExit codes of collect: 0 the numbers meet the thresholds, 1 they do not, 2 usage, 130 interrupted."
    )]
    Feedback(FeedbackCommand),
    /// Claim completion or ask a person, as a worker during its turn
    #[command(
        subcommand,
        after_help = "Examples:\n  gulf claim done\n  gulf claim done --no-test \"only the wording of a comment changed\"\n  gulf claim cannot \"the API has no endpoint for this\" --evidence \"GET /users answers 404\"\n  gulf claim conflict \"the test wants UTC, the goal wants local time\" --option UTC --option \"local time\"\n  gulf claim need-decision \"keep the old flag?\" --option \"keep it as an alias\" --option \"remove it\"\n\nA question is not a failure: the loop pauses, a person answers, and the answer is in the next prompt."
    )]
    Claim(ClaimSubcommand),
    /// Ask a person what a worker must not decide alone, during its turn
    Ask(AskFlags),
    /// Serve claims and questions as tools of the Model Context Protocol, to an agent that starts this
    #[command(
        after_help = "Examples:\n  GULF_AGENT_MCP=true gulf run \"add a --json flag\"    agents that gulf starts get it (agent.mcp)\n  claude mcp add gulf -- gulf mcp                     in sessions of Claude Code\n  codex mcp add gulf -- gulf mcp                      in sessions of Codex\n\nTools: claim, ask, report_progress, get_feedback, status. It speaks on standard input and output, and ends when its input does."
    )]
    Mcp,
    /// Watch a scripted worker claim too early, be refused, and get it right
    Demo(DemoArguments),
    /// Detect the project's checks, try them, and write gulf.toml, RUBRIC.md and PROMPT.md
    Init(InitArguments),
    /// Import a Ralph project's settings into gulf.toml: show the difference, or write it
    Import(ImportArguments),
    /// Check that gulf-align.md says what the work means and has no open question
    Align(AlignArguments),
    /// Find checks that cannot fail, and work that is too large for one loop
    Lint(LintArguments),
    /// Trust a repository: gulf's hooks may take over its state files and run its commands
    Trust(TrustArguments),
    /// Check that everything a loop needs is installed and configured
    #[command(after_help = "Examples:\n  gulf doctor\n  gulf doctor --json")]
    Doctor(ReportArguments),
    /// Install gulf's hooks for Claude Code, Codex or Copilot CLI, or remove them
    Install(InstallArguments),
    /// Remove what finished loops left behind, except unsaved work
    Clean(CleanArguments),
    /// Show the settings in effect
    Config {
        #[command(subcommand)]
        command: Option<ConfigCommand>,
    },
    /// Print a shell's completion script
    #[command(
        after_help = "Example:\n  gulf completions bash > ~/.local/share/bash-completion/completions/gulf"
    )]
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
    /// The handles of this repository's loops, for completion scripts
    #[command(name = "__loops", hide = true)]
    Loops,
    /// Man pages, for `cargo xtask dist`
    #[command(name = "__man", hide = true)]
    Man {
        /// Where the pages are written
        folder: Utf8PathBuf,
    },
    /// Pages of the reference, for `cargo xtask gen`
    #[command(name = "__reference", hide = true)]
    Reference { page: ReferencePage },
}

/// Flags of `gulf run`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf run \"add a --json flag\" --check 'cargo test'\n  gulf run \"add a --json flag\" --agent codex --judge claude --max-cost 5\n  gulf run \"add a --json flag\" --agent 'command:my-agent' --check 'cargo test'\n  gulf run -f PROMPT.md -n 10 --max-duration 2h\n  gulf run --ui \"add a --json flag\"             watched on a live screen, where you answer and steer\n  echo \"fix the failing test\" | gulf run -\n  gulf run --preset autonomous \"add a flag\"    in a worktree of its own; what is verified lands\n  gulf run --preset parallel --workers 3 \"make the tests fast\" --select first\n  gulf run --preset feedback --spec LOGIN-001   measured, reviewed, measured again\n  gulf run --preset tasks                       work TASKS.md off, one task after the other\n  gulf run --preset ralph \"add the login\"        analyzed, planned and criticized first\n  gulf run --preset autopilot \"add the login\"    the same, independent steps side by side\n  gulf run \"add a --json flag\" --dry-run        show what would be sealed; run nothing"
)]
pub struct RunArguments {
    /// What should be done; `-` reads it from standard input; default: PROMPT.md
    pub prompt: Option<String>,
    #[command(flatten)]
    pub terms: TermsArguments,
    /// Wait for a person's answer and continue with it: as long as it takes, or for `--wait=2h`
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub wait: Option<String>,
    /// Print the journal's events as JSON lines
    #[arg(long)]
    pub json: bool,
    /// Show it on the live screen of `gulf ui`; `q` leaves the screen, and the loop keeps running
    #[arg(long, conflicts_with_all = ["json", "dry_run"])]
    pub ui: bool,
    /// Show the first prompt, the contract and the commands; run nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Flags of `gulf start`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf start \"add a --json flag\" --check 'cargo test'\n  gulf start --preset judge -f PROMPT.md\n  gulf start -n 20 \"fix the failing test\"\n\nIn a session, type `/gulf-loop:start PROMPT` instead: there nothing has to be quoted."
)]
pub struct StartArguments {
    /// What should be done; `-` reads it from standard input; default: PROMPT.md
    pub prompt: Vec<String>,
    #[command(flatten)]
    pub terms: TermsArguments,
}

/// What every start of a loop takes besides the prompt: where it stands, settings, and what may be passed over.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line, and clap wants it so")]
#[derive(Debug, Args)]
pub struct TermsArguments {
    /// Read the prompt from a file
    #[arg(short = 'f', long, value_name = "FILE", conflicts_with = "prompt")]
    pub file: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub settings: SettingFlags<OF_LOOP>,
    /// The same as `--research off`
    #[arg(long, conflicts_with = "research")]
    pub no_research: bool,
    /// The goal is this spec's text: .moai/specs/SPEC-ID/spec.md, else specs/ID.md
    #[arg(long, value_name = "ID", conflicts_with_all = ["prompt", "file"])]
    pub spec: Option<String>,
    #[command(flatten)]
    pub of_designs: SettingFlags<OF_DESIGNS>,
    /// Criteria and checks from this file instead of RUBRIC.md
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<Utf8PathBuf>,
    /// Start without any check: the loop ends attested at most
    #[arg(long)]
    pub unverified: bool,
    /// Start despite open questions in gulf-align.md; the journal records them
    #[arg(long)]
    pub ignore_questions: bool,
    /// End an unfinished loop here first
    #[arg(long)]
    pub replace: bool,
    /// With --replace: end it without asking, even while it runs
    #[arg(long, requires = "replace")]
    pub yes: bool,
}

/// Which loop, and in which form.
#[derive(Debug, Args)]
pub struct StatusArguments {
    #[command(flatten)]
    pub which: LoopArguments,
    /// Print a progress report in fixed lines: iteration, phase, last result, open issues, next action
    #[arg(long, conflicts_with = "json")]
    pub report: bool,
    /// Exit with the code of the loop's end: 0 verified, 3 attested, 10 paused …; 16 while it is running, 2 without a loop
    #[arg(long)]
    pub exit_code: bool,
    /// Print it again whenever something happens, until the loop pauses or ends
    #[arg(long, conflicts_with = "json")]
    pub watch: bool,
}

/// The first words of the list's own column.
const STATES: [&str; 12] = [
    "running", "paused", "interrupted", "ready", "verified", "attested", "stalled", "exhausted",
    "unavailable", "violated", "cancelled", "error",
];

/// Which loops, and how they are told.
#[derive(Debug, Args)]
pub struct LoopsArguments {
    /// Only loops in these states, separated by commas
    #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = STATES)]
    pub state: Vec<String>,
    /// Only loops with an event since then: yesterday, today, a date, or a time span such as 12h
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Which loop, and how it is told.
#[derive(Debug, Args)]
pub struct LoopArguments {
    /// A loop, such as k3v9; default: the one running here, else the last that ended
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Flags of `gulf resume`.
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that a person types")]
#[command(
    after_help = "Examples:\n  gulf resume\n  gulf resume --accept-contract            with RUBRIC.md and the checks as they are now\n  gulf resume --max-cost 20                with a larger budget\n  gulf resume --iterations 10              ten more for the task that is at its limit\n  gulf resume k3v9 --json"
)]
pub struct ResumeArguments {
    /// A loop, such as k3v9; default: the unfinished one here
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Continue in gulf's own processes, even if a session worked on it until now
    #[arg(long)]
    pub here: bool,
    /// Agree to RUBRIC.md and the checks as they are now, without asking
    #[arg(long)]
    pub accept_contract: bool,
    /// Continue with what was sealed, whatever RUBRIC.md and the checks say now
    #[arg(long, conflicts_with = "accept_contract")]
    pub keep_contract: bool,
    /// Additional iterations for the task that has reached its limit
    #[arg(long, value_name = "N", conflicts_with = "max-iterations")]
    pub iterations: Option<std::num::NonZeroU32>,
    #[command(flatten)]
    pub limits: SettingFlags<OF_LIMITS>,
    /// Wait for a person's answer and continue with it: as long as it takes, or for `--wait=2h`
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub wait: Option<String>,
    /// Print the journal's events as JSON lines
    #[arg(long)]
    pub json: bool,
}

/// Flags of commands that only report.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Flags of `gulf log`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that a person types")]
#[command(
    after_help = "Examples:\n  gulf log\n  gulf log -f\n  gulf log --iteration 2 --prompt\n  gulf log --iteration 2 --verdict"
)]
pub struct LogArguments {
    /// A loop, such as k3v9; default: the one running here, else the last that ended
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Follow the journal until the loop ends or pauses
    #[arg(short = 'f', long)]
    pub follow: bool,
    /// The files of one iteration
    #[arg(long, value_name = "N")]
    pub iteration: Option<u32>,
    /// The prompt of that iteration, as its last attempt received it
    #[arg(long, requires = "iteration")]
    pub prompt: bool,
    /// What the judge said in that iteration
    #[arg(long, requires = "iteration", conflicts_with = "prompt")]
    pub verdict: bool,
    /// Print the journal's events as JSON lines
    #[arg(long)]
    pub json: bool,
}

/// Flags of `gulf pause` and `gulf cancel`.
#[derive(Debug, Args)]
pub struct ActArguments {
    /// A loop, such as k3v9; default: the unfinished one here
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
}

/// Flags of `gulf steer`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  gulf steer \"keep the old flag as an alias\"")]
pub struct SteerArguments {
    /// What the worker should know; `-` reads it from standard input
    pub note: String,
    /// A loop, such as k3v9; default: the unfinished one here
    #[arg(long = "loop", value_name = "LOOP")]
    pub id: Option<String>,
}

/// How the work is checked where no loop says it.
#[derive(Debug, Args)]
pub struct ChecksArguments {
    /// A command that must exit with 0; repeatable
    #[arg(long, value_name = "COMMAND")]
    pub check: Vec<String>,
    /// A check that lies outside of the project: a command, or a folder with a program `run`; repeatable
    #[arg(long, value_name = "COMMAND|FOLDER")]
    pub acceptance: Vec<String>,
    /// Criteria and checks from this file instead of RUBRIC.md
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<Utf8PathBuf>,
    /// If no check is named, use what the project's CI and task files run
    #[arg(long)]
    pub detected: bool,
    /// Run the checks without kept build output
    #[arg(long)]
    pub verify_from_clean: bool,
}

/// What can be asked of the settings.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Show each value, and where it comes from
    #[command(
        after_help = "Examples:\n  gulf config explain\n  gulf config explain budget\n  gulf config explain --json"
    )]
    Explain {
        /// Only settings whose name contains this
        key: Option<String>,
        #[command(flatten)]
        report: ReportArguments,
    },
    /// The JSON schema of gulf.toml, for editors
    #[command(
        after_help = "Example:\n  gulf config schema > gulf.schema.json\n\nEditors that know taplo read the line `#:schema ./gulf.schema.json` at the top of gulf.toml."
    )]
    Schema,
}
