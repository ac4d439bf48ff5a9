//! The command line: every command, flag and example, and nothing that acts.
//!
//! It stands apart because the reference pages and the shell completions are made of it.

mod around;
mod branching;
mod exchange;
mod faces;
mod feedback;
mod install;
mod keeping;
mod reference;
mod session;
mod tasks;
mod terms;
mod texts;
mod travel;
mod trust;
mod verifying;

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand};

pub use around::{CleanArguments, DemoArguments, InitArguments};
pub use branching::BranchingArguments;
pub use exchange::{
    AnswerArguments, AskFlags, AskKind, ClaimFlags, ClaimSubcommand, InboxArguments, McpArguments,
    OverruleArguments, QuestionArguments,
};
pub use faces::{EntranceArguments, LoopReportArguments, StatsArguments, UiArguments, WebArguments};
pub use feedback::{
    CollectArguments, FeedbackArguments, FeedbackCommand, FeedbackFlags, PhaseName, RecordArguments,
};
pub use install::{HostName, InstallArguments};
pub use keeping::{DiscardArguments, LandArguments, PullRequestTool};
pub use reference::{CompletionsArguments, ManArguments, ReferenceArguments, ReferencePage};
pub use session::{HookArguments, StartArguments};
pub use tasks::{ListArguments, SkipArguments};
pub use terms::TermsArguments;
pub use texts::{AlignArguments, ImportArguments, LintArguments};
pub use travel::{DiffArguments, ForkArguments, RestoreArguments, ShowArguments};
pub use trust::TrustArguments;
pub use verifying::VerifyArguments;

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
    /// Begin a loop in an agent's session: Claude Code, Codex or Copilot CLI
    Start(StartArguments),
    /// What an agent's program calls when its session stops, is prompted, or uses a tool
    Hook(HookArguments),
    /// Go on with a paused or interrupted loop
    Resume(ResumeArguments),
    /// Keep finished work: one commit of the loop's change here, or what is ready onto its base branch
    Land(LandArguments),
    /// Take a finished loop's change back out of the checkout, or throw its worktree and branch away
    Discard(DiscardArguments),
    /// Say where a loop stands
    #[command(
        after_help = "Examples:\n  gulf status\n  gulf status --watch\n  gulf status --report\n  gulf status k3v9 --json"
    )]
    Status(StatusArguments),
    /// Watch loops on a live screen, and act on them
    Ui(UiArguments),
    /// Serve the loops as pages for a browser, also on a phone
    Web(WebArguments),
    /// List the loops of this repository
    #[command(
        after_help = "Examples:\n  gulf list\n  gulf list --state paused,running\n  gulf list --state verified --since yesterday --json"
    )]
    List(LoopsArguments),
    /// Show a loop's journal, or the prompt and logs of an iteration
    Log(LogArguments),
    /// What an iteration was asked, did and claimed, what the gates said, and what it changed
    Show(ShowArguments),
    /// What changed between two moments of a loop, as `git diff` shows it
    Diff(DiffArguments),
    /// Write an iteration's files into a folder of their own
    Restore(RestoreArguments),
    /// Start again from an iteration, on a branch and in a worktree of their own
    Fork(ForkArguments),
    /// Decide a loop once more from its journal, and compare
    #[command(
        after_help = "Examples:\n  gulf replay\n  gulf replay k3v9 --json\n\nExit codes: 0 every decision comes out as journalled, or other rules had decided; 1 these very rules contradict themselves, or the journal is damaged; 2 usage."
    )]
    Replay(LoopArguments),
    /// Let a loop rest, also in the middle of a turn
    #[command(after_help = "Examples:\n  gulf pause\n  gulf resume                                   go on")]
    Pause(ActArguments),
    /// End a loop
    #[command(
        after_help = "Example:\n  gulf cancel\n\nWhat it did stays where it is; `gulf report` says what became of it."
    )]
    Cancel(ActArguments),
    /// Leave a note for the worker's next iteration
    Steer(SteerArguments),
    /// Give the task in hand of a list up, and go on with the next one
    Skip(SkipArguments),
    /// What workers ask, and the command that answers it
    Inbox(InboxArguments),
    /// Answer a worker's question
    Answer(AnswerArguments),
    /// Overrule the judge about the last candidate: the loop ends attested at most
    #[command(after_help = "Example:\n  gulf approve \"the judge looked at the old screenshots\"")]
    Approve(OverruleArguments),
    /// Say no to the last candidate, whatever the gates said
    #[command(after_help = "Example:\n  gulf reject \"the flag must have a short form, too\"")]
    Reject(OverruleArguments),
    /// What was asked, done, proven and not proven, and where to look first
    Report(LoopReportArguments),
    /// Numbers over all loops: what a verified result takes, and who refuses claims
    Stats(StatsArguments),
    /// Run the gates once, now, on what lies in the worktree
    Verify(VerifyArguments),
    /// What was measured: collect it now, show it by iteration, or record what others counted
    Feedback(FeedbackArguments),
    /// The worker's word, from within its turn
    Claim(ClaimFlags),
    /// Put to the person what the worker must not decide by itself, from within its turn
    Ask(AskFlags),
    /// The worker's word as tools: a server of the Model Context Protocol, which an agent's program starts
    Mcp(McpArguments),
    /// Watch a scripted worker claim too early, be refused, and get it right
    Demo(DemoArguments),
    /// Detect the project's checks, try them, and write gulf.toml, RUBRIC.md and PROMPT.md
    Init(InitArguments),
    /// Take a Ralph project's settings over into gulf.toml: shows the difference, writes when told to
    Import(ImportArguments),
    /// Look whether it is written down what the work means, and whether a question is open
    Align(AlignArguments),
    /// Look for checks that cannot say no, and work that is too much for one loop
    Lint(LintArguments),
    /// Trust a repository: in it gulf's hooks take over the loop of a state file, and run its commands
    Trust(TrustArguments),
    /// Look whether everything a loop needs is there
    #[command(after_help = "Examples:\n  gulf doctor\n  gulf doctor --json")]
    Doctor(ReportArguments),
    /// Make gulf known to the sessions of Claude Code, Codex or Copilot CLI, or take it out again
    Install(InstallArguments),
    /// Remove what finished loops left; nothing that would be lost
    Clean(CleanArguments),
    /// Look at the settings in force
    Config(ConfigArguments),
    /// Print a shell's completion script
    Completions(CompletionsArguments),
    /// The handles of this repository's loops, for completion scripts
    #[command(name = "__loops", hide = true)]
    Loops,
    /// Man pages, for `cargo xtask dist`
    #[command(name = "__man", hide = true)]
    Man(ManArguments),
    /// Pages of the reference, for `cargo xtask gen`
    #[command(name = "__reference", hide = true)]
    Reference(ReferenceArguments),
}

/// Flags of `gulf run`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf run \"add a --json flag\" --check 'cargo test'\n  gulf run \"add a --json flag\" --agent codex --judge claude --max-cost 5\n  gulf run \"add a --json flag\" --agent 'command:my-agent' --check 'cargo test'\n  gulf run -f PROMPT.md -n 10 --max-duration 2h\n  gulf run --ui \"add a --json flag\"             watched on a live screen, where you answer and steer\n  echo \"fix the failing test\" | gulf run -\n  gulf run --preset autonomous \"add a flag\"    in a worktree of its own; what is verified lands\n  gulf run --preset parallel --workers 3 \"make the tests fast\" --select first\n  gulf run --preset feedback --spec LOGIN-001   measured, reviewed, measured again\n  gulf run --preset tasks                       work TASKS.md off, one task after the other\n  gulf run --preset ralph \"add the login\"        analyzed, planned and criticized first\n  gulf run --preset autopilot \"add the login\"    the same, independent steps side by side\n  gulf run \"add a --json flag\" --dry-run        show what would be sealed; run nothing"
)]
pub struct RunArguments {
    /// What is to be done; `-` reads it from standard input; without it PROMPT.md
    pub prompt: Option<String>,
    #[command(flatten)]
    pub terms: TermsArguments,
    /// Wait for a person as long as it takes, or so long: `--wait=2h`; their answer leads on
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub wait: Option<String>,
    /// Print the journal's events as JSON lines
    #[arg(long)]
    pub json: bool,
    /// Show it on the live screen of `gulf ui`; `q` leaves the screen, and the loop goes on
    #[arg(long, conflicts_with_all = ["json", "dry_run"])]
    pub ui: bool,
    /// Show the first prompt, the contract and the commands; run nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Flags that set a key of gulf.toml; see `gulf config explain`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that a person types")]
pub struct SettingArguments {
    /// Named setting: basic, judge, autonomous, parallel, tasks, feedback, ralph, autopilot, or auto: judge if RUBRIC.md has criteria
    #[arg(long, alias = "mode", value_name = "NAME")]
    pub preset: Option<String>,
    /// A judge must be asked; without `--preset` the same as `--preset judge`
    #[arg(long)]
    pub with_judge: bool,
    /// Who does the work: claude, codex, copilot, opencode, gemini, or `command:PROGRAM`, which gets the prompt on stdin
    /// and prints its final message; without it the first that is installed
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// The agent's model
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Who judges the criteria: claude, codex, copilot, opencode, gemini, with a model `claude:MODEL`, or
    /// `command:PROGRAM`
    #[arg(long, value_name = "JUDGE")]
    pub judge: Option<String>,
    /// Who looks at the work beside the judge: qa, security, documents
    #[arg(long, value_name = "WHO")]
    pub reviewers: Option<String>,
    /// Rejections in a row before a person is asked
    #[arg(short = 't', long, value_name = "N", allow_hyphen_values = true)]
    pub hitl_threshold: Option<String>,
    /// A further command the agent may run, such as 'cargo bench'; may be given several times
    #[arg(long, value_name = "COMMAND")]
    pub allow: Vec<String>,
    /// auto: where this machine can do it, the agent cannot write your toolchains, your settings or gulf's own files, nor read your keys;
    /// isolated: or the loop does not start; off: it works as you
    #[arg(long, value_name = "WHEN")]
    pub sandbox: Option<String>,
    /// What a turn remembers of those before it: fresh, continue or auto
    #[arg(long, value_name = "FORM")]
    pub context: Option<String>,
    /// Keep .claude/memory/ beside progress.txt
    #[arg(long)]
    pub structured_memory: bool,
    /// A command that must exit with 0; may be given several times
    #[arg(long, value_name = "COMMAND")]
    pub check: Vec<String>,
    /// The same for one that cannot run yet: to create what it runs is part of the work; may be given several times
    #[arg(long, value_name = "COMMAND")]
    pub new_check: Vec<String>,
    /// A command, or a folder with a program `run`, outside of the project, that must exit with 0 and that the worker does not get to
    /// know; may be given several times
    #[arg(long, value_name = "COMMAND|FOLDER")]
    pub acceptance: Vec<String>,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// The word in <promise>…</promise> by which the worker claims completion
    #[arg(short = 'p', long, value_name = "TEXT")]
    pub completion_promise: Option<String>,
    /// Pause for review after every N iterations
    #[arg(short = 'm', long, value_name = "N", allow_hyphen_values = true)]
    pub milestone_every: Option<String>,
    /// Use all iterations, also after the gates passed
    #[arg(long)]
    pub force_max: bool,
    /// What iteration 1 is for: gate, inline or off
    #[arg(long, value_name = "FORM")]
    pub research: Option<String>,
    /// The same as `--research off`
    #[arg(long, conflicts_with = "research")]
    pub no_research: bool,
    /// Accept the tests that fail at the start; new failures still count
    #[arg(long)]
    pub baseline: bool,
    /// Where no check is named, take what the project's CI and task files run
    #[arg(long)]
    pub detected: bool,
    /// auto: something must have been seen to fail without the change; stay-green: a refactoring, proven by errors put into it
    #[arg(long, value_name = "WHAT")]
    pub expect: Option<String>,
    /// Tests whose expectations the work may change, such as 'tests/cli/**,*.snap'; patterns as in .gitignore
    #[arg(long, value_name = "PATTERNS")]
    pub tests_may_change: Option<String>,
    /// auto: checks run without your network, home and processes where this machine can do that and the base's checks say the same
    /// there; isolated: or the loop does not start; none: they run as you
    #[arg(long, value_name = "WHEN")]
    pub isolation: Option<String>,
    /// What follows where other tests were changed: refuse (attested at most), ask (a person's yes is a gate's) or stop (violated)
    #[arg(long, value_name = "WHAT")]
    pub on_test_change: Option<String>,
    /// Start the checks without kept build output
    #[arg(long)]
    pub verify_from_clean: bool,
    /// Who looks at the work, with `--preset ralph` and `autopilot`: 1 the checks alone, 2 a judge as well, 3 a QA review too, 4 security and
    /// documents too
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub level: Option<String>,
    /// A text whose acceptance criteria are criteria for the judge; with `--preset ralph` and `autopilot` .gulf/prd.md or prd.md
    #[arg(long, value_name = "FILE")]
    pub prd: Option<String>,
}

/// What a loop may spend, worker and judge together.
#[derive(Debug, Default, Args)]
pub struct LimitArguments {
    /// Most iterations of the loop
    #[arg(short = 'n', long, value_name = "N", allow_hyphen_values = true)]
    pub max_iterations: Option<String>,
    /// Longest time, such as 90s, 30m or 2h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub max_duration: Option<String>,
    /// Most money, in US dollars, such as 5 or 2.50
    #[arg(long, value_name = "DOLLARS", allow_hyphen_values = true)]
    pub max_cost: Option<String>,
    /// Most tokens, such as 500k or 2M
    #[arg(long, value_name = "TOKENS", allow_hyphen_values = true)]
    pub max_tokens: Option<String>,
    /// Most turns that begin within an hour; the next one waits
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub turns_per_hour: Option<String>,
}

/// Which loop, and in which form.
#[derive(Debug, Args)]
pub struct StatusArguments {
    #[command(flatten)]
    pub which: LoopArguments,
    /// A report of progress in a few fixed lines: iteration, phase, last result, open issues, next action
    #[arg(long, conflicts_with = "json")]
    pub report: bool,
    /// Exit as `gulf run` does at this end: 0 verified, 3 attested, 10 paused …; 16 while it is under way, 2 without a loop
    #[arg(long)]
    pub exit_code: bool,
    /// Say it again whenever something happens, until the loop rests or is over
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
    /// Only those that stand so; several with commas
    #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = STATES)]
    pub state: Vec<String>,
    /// Only those to which something happened since then: yesterday, today, a date, or so long ago (12h)
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Which loop, and how it is told.
#[derive(Debug, Args)]
pub struct LoopArguments {
    /// A loop, such as k3v9; without it the one that runs here, else the last that ended
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
    /// A loop, such as k3v9; without it the unfinished one here
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Go on in processes of gulf's own, also where a session worked until now
    #[arg(long)]
    pub here: bool,
    /// Agree to RUBRIC.md and the checks as they are now, without asking
    #[arg(long)]
    pub accept_contract: bool,
    /// Go on with what was sealed, whatever RUBRIC.md and the checks say now
    #[arg(long, conflicts_with = "accept_contract")]
    pub keep_contract: bool,
    /// So many more for the task of the list that is at its limit
    #[arg(long, value_name = "N", conflicts_with = "max_iterations")]
    pub iterations: Option<std::num::NonZeroU32>,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// A further command the agent may run, such as 'cargo bench'; may be given several times
    #[arg(long, value_name = "COMMAND")]
    pub allow: Vec<String>,
    /// Wait for a person as long as it takes, or so long: `--wait=2h`; their answer leads on
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
    /// A loop, such as k3v9; without it the one that runs here, else the last that ended
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Go on until the loop ends or rests
    #[arg(short = 'f', long)]
    pub follow: bool,
    /// The files of one iteration
    #[arg(long, value_name = "N")]
    pub iteration: Option<u32>,
    /// The prompt of that iteration, as its last attempt got it
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
    /// A loop, such as k3v9; without it the unfinished one here
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
}

/// Flags of `gulf steer`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  gulf steer \"keep the old flag as an alias\"")]
pub struct SteerArguments {
    /// What the worker should know; `-` reads it from standard input
    pub note: String,
    /// A loop, such as k3v9; without it the unfinished one here
    #[arg(long = "loop", value_name = "LOOP")]
    pub id: Option<String>,
}

/// How the work is checked where no loop says it.
#[derive(Debug, Args)]
pub struct ChecksArguments {
    /// A command that must exit with 0; may be given several times
    #[arg(long, value_name = "COMMAND")]
    pub check: Vec<String>,
    /// Criteria and checks from this file instead of RUBRIC.md
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<Utf8PathBuf>,
    /// Where no check is named, take what the project's CI and task files run
    #[arg(long)]
    pub detected: bool,
    /// Start the checks without kept build output
    #[arg(long)]
    pub verify_from_clean: bool,
}

/// Flags of `gulf config`.
#[derive(Debug, Args)]
pub struct ConfigArguments {
    #[command(subcommand)]
    pub command: ConfigCommand,
}

/// What can be asked of the settings.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Every value, and who said it
    #[command(after_help = "Examples:\n  gulf config explain\n  gulf config explain --json")]
    Explain(ReportArguments),
    /// The JSON schema of gulf.toml, for editors
    #[command(
        after_help = "Example:\n  gulf config schema > gulf.schema.json\n\nEditors that know taplo read the line `#:schema ./gulf.schema.json` at the top of gulf.toml."
    )]
    Schema,
}
