//! The flags that set a key of gulf.toml, each once: what clap shows of it. What it is called its key's row says.
//!
//! Apart from the other flags because nobody asks for one of them: what was typed goes to the settings as it is.

use clap::error::Error;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use gulf_spec::config::{Key, Shape};

use FlagOperand::{Many, Nothing, One};

use crate::paths::word;

/// What stands behind a flag, and what the help calls it.
#[derive(Debug)]
enum FlagOperand {
    Nothing,
    One(&'static str),
    /// It can be said again.
    Many(&'static str),
}

#[derive(Debug)]
struct SettingFlag {
    key: Key,
    short: Option<char>,
    takes: FlagOperand,
    help: &'static str,
}

/// Flags that stand together in a command, by the numbers below.
const SETS: [&[&[SettingFlag]]; 3] = [&[TERMS, LIMITS, STEERING], &[DESIGNS], &[LIMITS, &[ALLOW]]];
/// Flags of every loop, and of loops with a branch of their own.
pub const OF_LOOP: usize = 0;
/// Flags of the presets feedback and tasks.
pub const OF_DESIGNS: usize = 1;
/// What a loop may spend, worker and judge together, and what its agent may run besides.
pub const OF_LIMITS: usize = 2;

/// What was typed of a set of flags.
#[derive(Debug, Default)]
pub struct SettingFlags<const SET: usize> {
    /// By the key that each sets; a flag that adds to a list or adds a check stands there with all that was said.
    pub said: Vec<(Key, String)>,
}

#[rustfmt::skip]
const TERMS: &[SettingFlag] = &[
    flag(Key::Preset, None, One("NAME"), "Named setting: basic, judge, autonomous, parallel, tasks, feedback, ralph, autopilot, or auto: judge if RUBRIC.md has criteria"),
    flag(Key::JudgeRequired, None, Nothing, "Require a judge; without `--preset` the same as `--preset judge`"),
    flag(Key::AgentTool, None, One("AGENT"), "Who does the work: claude, codex, copilot, opencode, gemini, or `command:PROGRAM`, which gets the prompt on stdin and prints its final message; default: the first that is installed"),
    flag(Key::AgentModel, None, One("MODEL"), "The agent's model"),
    flag(Key::JudgeTool, None, One("JUDGE"), "Who judges the criteria: claude, codex, copilot, opencode, gemini, with a model `claude:MODEL`, or `command:PROGRAM`"),
    flag(Key::JudgeReviewers, None, One("WHO"), "Reviewers besides the judge: qa, security, documents"),
    flag(Key::HitlThreshold, Some('t'), One("N"), "Rejections in a row before a person is asked"),
    ALLOW,
    flag(Key::AgentSandbox, None, One("WHEN"), "auto: if this machine supports it, the agent can neither write your toolchains, settings or gulf's own files nor read your keys; isolated: the same, or the loop does not start; off: it works with your rights"),
    flag(Key::AgentContext, None, One("FORM"), "What a turn remembers of earlier ones: fresh, continue or auto"),
    flag(Key::StructuredMemory, None, Nothing, "Keep .claude/memory/ beside progress.txt"),
    flag(Key::CheckCommand, None, Many("COMMAND"), "A command that must exit with 0; repeatable"),
    flag(Key::CheckNew, None, Many("COMMAND"), "Like `--check`, for a command that cannot run yet: creating it is part of the work; repeatable"),
    flag(Key::CheckHidden, None, Many("COMMAND|FOLDER"), "A held-out check that the worker does not see: a command, or a folder outside the project with a program `run`; repeatable"),
];

#[rustfmt::skip]
const ALLOW: SettingFlag =
    flag(Key::AgentAllow, None, Many("COMMAND"), "Another command the agent may run, such as 'cargo bench'; repeatable");

#[rustfmt::skip]
const LIMITS: &[SettingFlag] = &[
    flag(Key::LimitsMaxIterations, Some('n'), One("N"), "Maximum number of iterations"),
    flag(Key::LimitsMaxDuration, None, One("TIME"), "Maximum time, such as 90s, 30m or 2h"),
    flag(Key::LimitsMaxCost, None, One("DOLLARS"), "Maximum cost in US dollars, such as 5 or 2.50"),
    flag(Key::LimitsMaxTokens, None, One("TOKENS"), "Maximum number of tokens, such as 500k or 2M"),
    flag(Key::LimitsTurnsPerHour, None, One("N"), "Maximum number of turns started per hour; further ones wait"),
];

#[rustfmt::skip]
const STEERING: &[SettingFlag] = &[
    flag(Key::CompletionPromise, Some('p'), One("TEXT"), "The word in <promise>…</promise> by which the worker claims completion"),
    flag(Key::MilestoneEvery, Some('m'), One("N"), "Pause for review after every N iterations"),
    flag(Key::ForceMax, None, Nothing, "Use all iterations, even after the gates have passed"),
    flag(Key::Research, None, One("FORM"), "What iteration 1 is for: gate, inline or off"),
    flag(Key::VerifyBaseline, None, Nothing, "Accept the tests that fail at the start; new failures still count"),
    flag(Key::VerifyDetected, None, Nothing, "If no check is named, use what the project's CI and task files run"),
    flag(Key::Expect, None, One("WHAT"), "auto: something must have been seen to fail without the change; stay-green: for a refactoring, proven by errors inserted into it"),
    flag(Key::VerifyTestsMayChange, None, One("PATTERNS"), "Tests whose expectations the work may change, such as 'tests/cli/**,*.snap'; patterns as in .gitignore"),
    flag(Key::VerifyCountAsTests, None, One("PATTERNS"), "Further files that checks judge by, such as 'expected/**,compare.py': they count as tests"),
    flag(Key::VerifyIsolation, None, One("WHEN"), "auto: checks run without your network, home and processes if this machine supports it and the base's results are the same there; isolated: always, or the loop does not start; none: they run with your rights"),
    flag(Key::VerifyOnTestChange, None, One("WHAT"), "If other tests were changed: refuse (attested at most), ask (a person's approval counts) or stop (violated)"),
    flag(Key::VerifyFromClean, None, Nothing, "Run the checks without kept build output"),
    flag(Key::VerifyLevel, None, One("N"), "Level of verification, with `--preset ralph` and `autopilot`: 1 checks only, 2 also a judge, 3 also a QA review, 4 also reviews of security and documents"),
    flag(Key::Prd, None, One("FILE"), "A document whose acceptance criteria the judge uses; default with `--preset ralph` and `autopilot`: .gulf/prd.md or prd.md"),
    flag(Key::LandingBase, Some('b'), One("BRANCH"), "Where autonomous and parallel work lands; default: the branch that is checked out"),
    flag(Key::LandingInPlace, None, Nothing, "Work autonomously in this checkout, on a branch of its own, instead of in a worktree beside it"),
    flag(Key::LandingPush, None, Nothing, "Push what has landed; without it nothing is ever pushed"),
    flag(Key::ParallelWorkers, Some('w'), One("N"), "Number of workers on the goal at the same time, with `--preset parallel`"),
    flag(Key::ParallelSelect, None, One("WHOSE"), "all: every worker's work lands; first: once one has landed, the others are stopped and kept"),
    flag(Key::ParallelStrategies, None, Many("FILE"), "A file with a hint for one worker; repeatable, one file per worker in turn"),
];

#[rustfmt::skip]
const DESIGNS: &[SettingFlag] = &[
    flag(Key::FeedbackHumanReview, None, One("true|false"), "With `--preset feedback`: a person reviews each iteration before the next one"),
    flag(Key::FeedbackAutoConverge, None, One("true|false"), "With `--preset feedback`: two iterations in a row without progress end the loop as stalled"),
    flag(Key::FeedbackCoverageMin, None, One("PERCENT"), "With `--preset feedback`: minimum line coverage in percent, where it is measured"),
    flag(Key::TasksFile, None, One("FILE"), "The list for `--preset tasks`; default: docs/planning/TASKS.md, TASKS.md, fix_plan.md or prd.json"),
    flag(Key::TasksOnly, None, One("ID"), "Only this task of the list, and those it depends on"),
    flag(Key::TasksOnLimit, None, One("WHAT"), "If a task reaches its limit: ask (pause), skip (to the next task) or stop (end the loop)"),
];

const fn flag(key: Key, short: Option<char>, takes: FlagOperand, help: &'static str) -> SettingFlag {
    SettingFlag { key, short, takes, help }
}

/// What was said once as it is typed again, after a blank; nothing where no flag says it.
pub fn typed(key: Key, value: &str) -> String {
    let mut all = SETS.into_iter().flatten().copied().flatten();
    match all.find(|flag| flag.key == key).map(|flag| (flag.name(), &flag.takes)) {
        Some((name, Nothing)) if value == "true" => format!(" --{name}"),
        Some((name, One(_) | Many(_))) => format!(" --{name} {}", word(value)),
        Some((_, Nothing)) | None => String::new(),
    }
}

impl SettingFlag {
    /// As it is typed, without its dashes.
    fn name(&self) -> &'static str {
        self.key.row().flag.unwrap_or_default().trim_start_matches('-')
    }

    fn arg(&self) -> Arg {
        let shape = self.key.row().shape;
        // A number that begins with a dash is refused as a number, not as a flag that nobody knows.
        let is_number = matches!(
            shape,
            Shape::Count { .. } | Shape::DurationOrOff | Shape::MoneyOrOff | Shape::TokensOrOff
        );
        let arg = Arg::new(self.name()).long(self.name()).help(self.help);
        let arg = match self.takes {
            Nothing => arg.action(ArgAction::SetTrue),
            One(value) => arg.value_name(value).allow_hyphen_values(is_number),
            Many(value) => arg.value_name(value).action(ArgAction::Append),
        };
        let arg = if self.key == Key::Preset { arg.alias("mode") } else { arg };
        arg.short(self.short)
    }

    fn stated_values(&self, matches: &ArgMatches) -> Vec<(Key, String)> {
        let mut values: Vec<String> = match self.takes {
            Nothing => matches.get_flag(self.name()).then(|| "true".to_owned()).into_iter().collect(),
            One(_) | Many(_) => matches.get_many(self.name()).into_iter().flatten().cloned().collect(),
        };
        if self.key.row().shape == Shape::List && !values.is_empty() {
            values = vec![values.join(",")];
        }
        values.into_iter().map(|value| (self.key, value)).collect()
    }
}

impl<const SET: usize> FromArgMatches for SettingFlags<SET> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let flags = SETS[SET].iter().copied().flatten();
        Ok(Self { said: flags.flat_map(|flag| flag.stated_values(matches)).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<const SET: usize> Args for SettingFlags<SET> {
    fn augment_args(command: Command) -> Command {
        command.args(SETS[SET].iter().copied().flatten().map(SettingFlag::arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
