//! The table of all keys: path, shape, default, variable, flag and what it does.
//!
//! The one place where a key is described: reading, suggestions, `gulf config explain`, the reference page and
//! the `gulf.toml` that `gulf init` writes all follow it.

use super::{Origin, Setting, SettingLayer, Value};
use crate::problem::nearest;
use crate::text::{Source, Span};

/// What a value of a key looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Any text; empty means that nothing is set.
    Text,
    /// A text on one line that is not blank.
    Line,
    Count {
        min: u32,
        max: u32,
    },
    Duration,
    DurationOrOff,
    Size,
    /// The first and the last of a row of ports.
    PortRange,
    /// US dollars.
    Money,
    MoneyOrOff,
    Tokens,
    TokensOrOff,
    Switch,
    Choice(&'static [&'static str]),
    /// Texts; in a variable or flag separated by commas.
    List,
    /// Names to texts, as a table.
    Pairs,
}

impl Shape {
    /// Is a text of TOML its form, also of what is more than a text?
    pub(super) fn is_text(self) -> bool {
        !matches!(self, Self::Count { .. } | Self::Switch | Self::List | Self::Pairs)
    }
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct KeyRow {
    pub key: Key,
    /// `group.name`, or `name` where it stands at the top of the file.
    pub path: &'static str,
    pub shape: Shape,
    /// As it would be written in a variable.
    pub default: &'static str,
    pub variable: Option<&'static str>,
    pub flag: Option<&'static str>,
    pub summary: &'static str,
}

/// Variables that begin with `GULF_` and set no key.
pub const OTHER_VARIABLES: [&str; 10] = [
    "GULF_HOME", "GULF_LOOP", "GULF_LOOP_HOME", "GULF_ITERATION", "GULF_ATTEMPT", "GULF_EXTERNAL",
    "GULF_HOOK_DEADLINE", "GULF_MARK", "GULF_CRASH_AT", "GULF_CRASH_COUNT",
];

/// Variables of gulf's own tests begin so; they set no key either.
pub(crate) const TEST_VARIABLE_PREFIX: &str = "GULF_TEST_";

const MANY: u32 = 1_000_000;
/// Each worker is an agent, its checks and a checkout on one machine.
const WORKERS_MAX: u32 = 64;
/// Each lane is a checkout and a run of all checks on one machine.
const LANES_MAX: u32 = 16;

/// Each key once: what the code calls it, then the columns of its row.
macro_rules! keys {
    ($($key:ident: $path:expr, $shape:expr, $default:expr, $variable:expr, $flag:expr, $summary:expr;)*) => {
        /// A key of `gulf.toml`; the order is the order of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Key { $($key),* }

        const ROWS: &[KeyRow] = &[$(KeyRow {
            key: Key::$key,
            path: $path,
            shape: $shape,
            default: $default,
            variable: $variable,
            flag: $flag,
            summary: $summary,
        }),*];
    };
}

keys! {
    Preset: "preset", Shape::Line, "auto", Some("GULF_PRESET"), Some("--preset"), "named setting of the loop: basic, judge, autonomous, parallel, tasks, feedback, ralph, autopilot, or auto: judge where RUBRIC.md has criteria";
    JudgeRequired: "with_judge", Shape::Switch, "false", Some("GULF_WITH_JUDGE"), Some("--with-judge"), "refuse to start without criteria for a judge; if no preset is named, use the preset judge";
    CompletionPromise: "completion_promise", Shape::Line, "COMPLETE", Some("GULF_COMPLETION_PROMISE"), Some("--completion-promise"), "the word in <promise>…</promise> that claims completion";
    MilestoneEvery: "milestone_every", Shape::Count { min: 0, max: MANY }, "0", Some("GULF_MILESTONE_EVERY"), Some("--milestone-every"), "pause for a review after every N iterations; 0: never";
    ForceMax: "force_max", Shape::Switch, "false", Some("GULF_FORCE_MAX"), Some("--force-max"), "use all iterations, even after the gates have passed";
    Research: "research", Shape::Choice(&["gate", "inline", "off"]), "inline", Some("GULF_RESEARCH"), Some("--research"), "gate: iteration 1 only writes a research brief into progress.txt; inline: iteration 1 begins with one; off: none";
    HitlThreshold: "hitl_threshold", Shape::Count { min: 1, max: MANY }, "5", Some("GULF_HITL_THRESHOLD"), Some("--hitl-threshold"), "rejections in a row after which a person is asked";
    StructuredMemory: "structured_memory", Shape::Switch, "false", Some("GULF_STRUCTURED_MEMORY"), Some("--structured-memory"), "keep .claude/memory/ beside progress.txt, and archive each loop there";
    Expect: "expect", Shape::Choice(&["auto", "stay-green"]), "auto", Some("GULF_EXPECT"), Some("--expect"), "auto: something must have been seen to fail without the change; stay-green, for a refactoring: the checks must notice errors that gulf puts into the changed lines";
    Prd: "prd", Shape::Text, "", Some("GULF_PRD"), Some("--prd"), "document whose acceptance criteria the judge uses; empty: .gulf/prd.md or prd.md with the presets ralph and autopilot";
    LoopFolder: "loop_folder", Shape::Switch, "false", Some("GULF_LOOP_FOLDER"), None, "keep .gulf/loops/LOOP/ in the project: where the loop stands, the worker's notepad, a copy of the PRD, the report";
    PresetHints: "preset_hints", Shape::Switch, "true", Some("GULF_PRESET_HINTS"), None, "suggest a preset if a prompt contains words for it, such as \"끝까지\" for ralph";
    AgentTool: "agent.tool", Shape::Text, "", Some("GULF_AGENT"), Some("--agent"), "who does the work: \"claude\", \"codex\", \"copilot\", \"opencode\", \"gemini\" or \"command:PROGRAM\"; empty: the first that is installed";
    AgentTimeout: "agent.timeout", Shape::Duration, "2h", Some("GULF_AGENT_TIMEOUT"), None, "maximum time of one turn";
    AgentIdleTimeout: "agent.idle_timeout", Shape::Duration, "30m", Some("GULF_AGENT_IDLE_TIMEOUT"), None, "maximum time in which the agent prints nothing";
    AgentModel: "agent.model", Shape::Text, "", Some("GULF_AGENT_MODEL"), Some("--model"), "the agent's model; empty: its own default";
    AgentSandbox: "agent.sandbox", Shape::Choice(&["auto", "isolated", "off"]), "auto", Some("GULF_AGENT_SANDBOX"), Some("--sandbox"), "auto: if bubblewrap is installed, an agent that gulf starts can neither write your toolchains, settings or gulf's own files nor read your keys; isolated: the same, or the loop does not start; off: it works with your rights";
    AgentReach: "agent.reach", Shape::List, "", Some("GULF_AGENT_REACH"), None, "paths that the agent may use despite its sandbox, such as \"~/.ssh\" or \"/run/docker.sock\"";
    AgentAllow: "agent.allow", Shape::List, "", Some("GULF_AGENT_ALLOW"), Some("--allow"), "more commands that the agent may run, such as \"cargo bench\"";
    AgentArguments: "agent.arguments", Shape::List, "", Some("GULF_AGENT_ARGUMENTS"), None, "your own arguments for the agent, after gulf's; those of `command:PROGRAM` stand in the command itself";
    AgentContext: "agent.context", Shape::Choice(&["fresh", "continue", "auto"]), "auto", Some("GULF_AGENT_CONTEXT"), Some("--context"), "what a turn remembers of earlier ones. fresh: nothing; continue: the agent's whole session; auto: the session, until it has used agent.context_share";
    AgentContextShare: "agent.context_share", Shape::Count { min: 1, max: 100 }, "50", Some("GULF_AGENT_CONTEXT_SHARE"), None, "percentage of the context window after which auto starts a fresh session";
    AgentFollowUp: "agent.follow_up", Shape::Switch, "true", Some("GULF_AGENT_FOLLOW_UP"), None, "if a turn changed something but claimed nothing, ask about it once in the same session";
    AgentMcp: "agent.mcp", Shape::Switch, "false", Some("GULF_AGENT_MCP"), None, "give the agent the tools of `gulf mcp`: claim, ask, report_progress, get_feedback, status";
    JudgeTool: "judge.tool", Shape::Text, "", Some("GULF_JUDGE"), Some("--judge"), "who judges: \"claude\", \"codex\", \"copilot\", \"opencode\", \"gemini\", with a model \"claude:MODEL\", or \"command:PROGRAM\"; empty: the first that is installed";
    JudgeWhen: "judge.when", Shape::Choice(&["on-claim", "every"]), "on-claim", Some("GULF_JUDGE_WHEN"), None, "on-claim: the judge is asked at a claim and at the iteration limit; every: after every turn";
    JudgeProtocol: "judge.protocol", Shape::Choice(&["evidence", "line"]), "evidence", Some("GULF_JUDGE_PROTOCOL"), None, "evidence: a verdict for each criterion, with evidence that gulf checks; line: APPROVED or REJECTED: reason";
    JudgeTimeout: "judge.timeout", Shape::Duration, "10m", Some("GULF_JUDGE_TIMEOUT"), None, "maximum time of one call of the judge";
    JudgeCallLimit: "judge.call_limit", Shape::Size, "256KiB", Some("GULF_JUDGE_CALL_LIMIT"), None, "maximum size of what one call shows the judge; more is split over several calls, never cut";
    JudgeReviewers: "judge.reviewers", Shape::List, "", Some("GULF_JUDGE_REVIEWERS"), Some("--reviewers"), "reviewers besides the judge: qa, security, documents";
    LimitsMaxIterations: "limits.max_iterations", Shape::Count { min: 1, max: MANY }, "50", Some("GULF_MAX_ITERATIONS"), Some("--max-iterations"), "maximum number of iterations; with a list of tasks, of each task";
    LimitsMaxDuration: "limits.max_duration", Shape::DurationOrOff, "off", Some("GULF_MAX_DURATION"), Some("--max-duration"), "maximum time of one loop, or off";
    LimitsMaxCost: "limits.max_cost", Shape::MoneyOrOff, "off", Some("GULF_MAX_COST"), Some("--max-cost"), "maximum cost of worker and judge together, in US dollars, or off";
    LimitsMaxTokens: "limits.max_tokens", Shape::TokensOrOff, "off", Some("GULF_MAX_TOKENS"), Some("--max-tokens"), "maximum number of tokens of worker and judge together, or off";
    LimitsTurnsPerHour: "limits.turns_per_hour", Shape::Count { min: 0, max: MANY }, "0", Some("GULF_TURNS_PER_HOUR"), Some("--turns-per-hour"), "maximum number of turns started per hour; further ones wait; 0: no limit";
    LimitsMaxFailures: "limits.max_failures", Shape::Count { min: 1, max: MANY }, "10", Some("GULF_MAX_FAILURES"), None, "failures in a row of the agent, the judge or the machine after which the loop ends as unavailable, in a session 5; gulf waits 1 s after the first and twice as long after each further one, up to about a minute";
    LimitsAssumedCost: "limits.assumed_cost", Shape::Money, "$5.00", Some("GULF_ASSUMED_COST"), None, "what a turn is assumed to cost if the agent does not report it";
    LimitsAssumedTokens: "limits.assumed_tokens", Shape::Tokens, "2M", Some("GULF_ASSUMED_TOKENS"), None, "how many tokens a turn is assumed to use if the agent does not report it";
    StuckSameCandidate: "stuck.same_candidate", Shape::Count { min: 1, max: MANY }, "3", Some("GULF_STUCK_SAME_CANDIDATE"), None, "the loop stalls after so many claims in a row on the same refused candidate";
    StuckSameFailure: "stuck.same_failure", Shape::Count { min: 1, max: MANY }, "5", Some("GULF_STUCK_SAME_FAILURE"), None, "the loop stalls after so many claims in a row that are refused for the same failure";
    StuckOscillations: "stuck.oscillations", Shape::Count { min: 1, max: MANY }, "3", Some("GULF_STUCK_OSCILLATIONS"), None, "the loop stalls after so many returns to an earlier state of the files";
    StuckIdleIterations: "stuck.idle_iterations", Shape::Count { min: 1, max: MANY }, "3", Some("GULF_STUCK_IDLE_ITERATIONS"), None, "the loop stalls after so many turns in a row without a change, a claim or a tool call";
    StuckRecurrences: "stuck.recurrences", Shape::Count { min: 0, max: MANY }, "0", Some("GULF_STUCK_RECURRENCES"), None, "the loop stalls after so many claims that are refused for the same failure, if there is no progress and whatever failed in between; 0: never";
    StuckOrientation: "stuck.orientation", Shape::Count { min: 0, max: 100 }, "20", Some("GULF_STUCK_ORIENTATION"), None, "percentage of a fresh context; worker and person are told if, in two turns in a row, the agent reads that much before its first edit; nothing ends by it; 0: never";
    StuckThen: "stuck.then", Shape::Choice(&["end", "ask"]), "end", Some("GULF_STUCK_THEN"), None, "if the loop stalls or reaches its iteration limit. end: it ends; ask: it pauses, and a person decides how to continue";
    EnvironmentCopy: "environment.copy", Shape::List, "", Some("GULF_ENVIRONMENT_COPY"), None, "files ignored by git that every fresh checkout gets, such as \".env\"; patterns as in .gitignore";
    EnvironmentLink: "environment.link", Shape::List, "", Some("GULF_ENVIRONMENT_LINK"), None, "paths that every fresh checkout shares with yours by a link, such as large data that is only read";
    EnvironmentSetup: "environment.setup", Shape::Text, "", Some("GULF_ENVIRONMENT_SETUP"), None, "command that prepares a fresh checkout, such as \"npm ci\"; empty: the detected one";
    EnvironmentSetupTimeout: "environment.setup_timeout", Shape::Duration, "30m", Some("GULF_ENVIRONMENT_SETUP_TIMEOUT"), None, "maximum time of the set-up command";
    EnvironmentCache: "environment.cache", Shape::List, "", Some("GULF_ENVIRONMENT_CACHE"), None, "more folders ignored by git that every fresh checkout begins with, such as \".next/cache\"";
    EnvironmentCopyLimit: "environment.copy_limit", Shape::Size, "1GiB", Some("GULF_ENVIRONMENT_COPY_LIMIT"), None, "maximum size of a folder that is copied, if the file system cannot clone it";
    EnvironmentPorts: "environment.ports", Shape::List, "", Some("GULF_ENVIRONMENT_PORTS"), None, "variables that hold a free port, a different one in every checkout, such as \"PORT\"";
    EnvironmentPortRange: "environment.port_range", Shape::PortRange, "20000-24999", Some("GULF_ENVIRONMENT_PORT_RANGE"), None, "range from which these ports are taken";
    EnvironmentWorktrees: "environment.worktrees", Shape::Text, "", Some("GULF_ENVIRONMENT_WORKTREES"), None, "folder for the worktrees of loops; empty: beside the repository";
    LandingBase: "landing.base", Shape::Text, "", Some("GULF_BASE_BRANCH"), Some("--base-branch"), "branch on which autonomous, parallel and autopilot work lands; empty: the one that is checked out";
    LandingInPlace: "landing.in_place", Shape::Switch, "false", Some("GULF_IN_PLACE"), Some("--in-place"), "work autonomously in this checkout, on a branch of its own, instead of in a worktree beside it";
    LandingPush: "landing.push", Shape::Switch, "false", Some("GULF_PUSH"), Some("--push"), "push what has landed; without it nothing is ever pushed";
    LandingAccept: "landing.accept", Shape::Choice(&["verified", "attested"]), "verified", Some("GULF_LANDING_ACCEPT"), None, "verified: only verified work may land; attested: also work that passed every gate without proof";
    LandingLanes: "landing.lanes", Shape::Count { min: 1, max: LANES_MAX }, "1", Some("GULF_LANDING_LANES"), None, "number of merges tested at the same time before they land";
    ParallelWorkers: "parallel.workers", Shape::Count { min: 1, max: WORKERS_MAX }, "2", Some("GULF_WORKERS"), Some("--workers"), "number of loops that work on one goal at the same time, each in a worktree of its own";
    ParallelSelect: "parallel.select", Shape::Choice(&["all", "first"]), "all", Some("GULF_SELECT"), Some("--select"), "all: every worker's work lands; first: once one has landed, the others are stopped and kept";
    ParallelStrategies: "parallel.strategies", Shape::List, "", Some("GULF_STRATEGIES"), Some("--strategy"), "files with a hint for one worker each, in turn; empty: gulf's own hints";
    FeedbackAutoConverge: "feedback.auto_converge", Shape::Switch, "true", Some("GULF_AUTO_CONVERGE"), Some("--auto-converge"), "two iterations in a row without progress end the loop as stalled";
    FeedbackHumanReview: "feedback.human_review", Shape::Switch, "true", Some("GULF_HUMAN_REVIEW"), Some("--human-review"), "a person reviews what was measured before the next iteration begins";
    FeedbackCoverageMin: "feedback.coverage_min", Shape::Count { min: 0, max: 100 }, "85", Some("GULF_COVERAGE_MIN"), Some("--coverage-min"), "minimum line coverage in percent, where it is measured";
    FeedbackCoverage: "feedback.coverage", Shape::Choice(&["shown", "required"]), "shown", Some("GULF_COVERAGE"), None, "shown: coverage is only shown; required: without measured coverage there is no success";
    TasksFile: "tasks.file", Shape::Text, "", Some("GULF_TASKS_FILE"), Some("--tasks"), "list of tasks for the preset tasks; empty: the first of the usual names that exists";
    TasksOnly: "tasks.only", Shape::Text, "", Some("GULF_TASKS_ONLY"), Some("--task"), "the only task of the list that is done, with those it depends on; empty: all tasks";
    TasksOnLimit: "tasks.on_limit", Shape::Choice(&["ask", "skip", "stop"]), "ask", Some("GULF_TASKS_ON_LIMIT"), Some("--on-task-limit"), "if a task reaches its limit. ask: pause and ask a person; skip: continue with the next task; stop: end the loop";
    TasksSpecialists: "tasks.specialists", Shape::List, "", Some("GULF_TASKS_SPECIALISTS"), None, "agents for the tasks of a specialist, such as \"backend=claude:opus\" or \"qa=command:my-qa\"";
    VerifyFromClean: "verify.from_clean", Shape::Switch, "false", Some("GULF_VERIFY_FROM_CLEAN"), Some("--verify-from-clean"), "run the checks without kept build output";
    VerifyInPlace: "verify.in_place", Shape::List, "", Some("GULF_VERIFY_IN_PLACE"), None, "names of checks that must run in the project itself";
    VerifyIsolation: "verify.isolation", Shape::Choice(&["auto", "isolated", "none"]), "auto", Some("GULF_VERIFY_ISOLATION"), Some("--isolation"), "auto: if bubblewrap is installed, checks run without your network, home and processes, provided that the base's results are the same there; isolated: always, or the loop does not start; none: they run with your rights";
    VerifyOpen: "verify.open", Shape::List, "", Some("GULF_VERIFY_OPEN"), None, "names of checks that run without isolation, such as those that need Docker, a database or the network";
    VerifyVisible: "verify.visible", Shape::List, "", Some("GULF_VERIFY_VISIBLE"), None, "absolute paths outside the project that isolated checks may read, besides your toolchains";
    VerifyBaseline: "verify.baseline", Shape::Switch, "false", Some("GULF_VERIFY_BASELINE"), Some("--baseline"), "accept the tests that fail at the start; new failures still count";
    VerifyDetected: "verify.detected", Shape::Switch, "false", Some("GULF_VERIFY_DETECTED"), Some("--detected"), "if no check is named, use what the project's CI and task files run";
    VerifyLevel: "verify.level", Shape::Count { min: 1, max: 4 }, "2", Some("GULF_VERIFY_LEVEL"), Some("--level"), "level of verification in the presets ralph and autopilot: 1 checks only, 2 also a judge, 3 also a QA review, 4 also reviews of security and documents";
    VerifyTestsMayChange: "verify.tests_may_change", Shape::List, "", Some("GULF_TESTS_MAY_CHANGE"), Some("--tests-may-change"), "tests whose expectations the work may change, such as \"tests/cli/**\"; patterns as in .gitignore";
    VerifyCountAsTests: "verify.count_as_tests", Shape::List, "", Some("GULF_COUNT_AS_TESTS"), Some("--count-as-tests"), "more files that checks judge by, such as \"expected/**\" or \"compare.py\": they count as tests; patterns as in .gitignore";
    VerifyOnTestChange: "verify.on_test_change", Shape::Choice(&["refuse", "ask", "stop"]), "refuse", Some("GULF_ON_TEST_CHANGE"), Some("--on-test-change"), "if nothing but changed tests prevents a proof. refuse: the loop ends attested; ask: it pauses, and a person's approval counts; stop: the first such finding ends it as violated";
    VerifyReportLimit: "verify.report_limit", Shape::Size, "16MiB", Some("GULF_VERIFY_REPORT_LIMIT"), None, "maximum size of a check's report, and of the end of its output, that gulf reads; reading takes about three times as much memory";
    PromptTemplate: "prompt.template", Shape::Text, "", Some("GULF_PROMPT_TEMPLATE"), None, "path of the project's own prompt template";
    PromptContextTokensMax: "prompt.context_tokens_max", Shape::Tokens, "20k", Some("GULF_CONTEXT_TOKENS_MAX"), None, "maximum number of tokens of the project's own texts in a prompt, including the goal; four bytes count as a token";
    StepsAnalyze: "steps.analyze", Shape::Choice(&["off", "first", "every"]), "off", Some("GULF_STEPS_ANALYZE"), None, "a turn that studies the goal and the existing code, before the first or every iteration";
    StepsAnalyzeAgent: "steps.analyze_agent", Shape::Text, "", Some("GULF_STEPS_ANALYZE_AGENT"), None, "who analyzes, as in agent.tool; empty: the agent";
    StepsAnalyzePrompt: "steps.analyze_prompt", Shape::Text, "", Some("GULF_STEPS_ANALYZE_PROMPT"), None, "path of a text that is added to the question";
    StepsPlan: "steps.plan", Shape::Choice(&["off", "first"]), "off", Some("GULF_STEPS_PLAN"), None, "a turn that plans the work, before the first iteration";
    StepsPlanAgent: "steps.plan_agent", Shape::Text, "", Some("GULF_STEPS_PLAN_AGENT"), None, "who plans, as in agent.tool; empty: the agent";
    StepsPlanPrompt: "steps.plan_prompt", Shape::Text, "", Some("GULF_STEPS_PLAN_PROMPT"), None, "path of a text that is added to the question";
    StepsCritic: "steps.critic", Shape::Choice(&["off", "first"]), "off", Some("GULF_STEPS_CRITIC"), None, "a turn that criticizes the plan, which is revised until there is no objection";
    StepsCriticAgent: "steps.critic_agent", Shape::Text, "", Some("GULF_STEPS_CRITIC_AGENT"), None, "who criticizes, as in agent.tool; empty: the agent";
    StepsCriticPrompt: "steps.critic_prompt", Shape::Text, "", Some("GULF_STEPS_CRITIC_PROMPT"), None, "path of a text that is added to the question";
    StepsParallel: "steps.parallel", Shape::Count { min: 1, max: WORKERS_MAX }, "1", Some("GULF_STEPS_PARALLEL"), None, "number of independent steps of the plan that are worked on at the same time, each in a worktree of its own; 1: one after the other";
    StepsCause: "steps.cause", Shape::Choice(&["off", "after-refusal", "repeated"]), "repeated", Some("GULF_STEPS_CAUSE"), None, "a turn that finds out why the last attempt was refused, before anything is fixed. after-refusal: after each refusal; repeated: after the same failure three times in a row";
    StepsCauseAgent: "steps.cause_agent", Shape::Text, "", Some("GULF_STEPS_CAUSE_AGENT"), None, "who looks for the cause, as in agent.tool; empty: the agent";
    StepsCausePrompt: "steps.cause_prompt", Shape::Text, "", Some("GULF_STEPS_CAUSE_PROMPT"), None, "path of a text that is added to the question";
    NotifyEvents: "notify.events", Shape::List, "question,pause,end", Some("GULF_NOTIFY_EVENTS"), None, "what is sent to the channels: question, pause, end";
    NotifyPoll: "notify.poll", Shape::Duration, "30s", Some("GULF_NOTIFY_POLL"), None, "how often gulf checks a channel for an answer";
    NotifyWait: "notify.wait", Shape::DurationOrOff, "10m", Some("GULF_NOTIFY_WAIT"), None, "how long an unattended `gulf run` waits for an answer; later ones are read by `gulf resume`";
    NotifyTimeout: "notify.timeout", Shape::Duration, "10s", Some("GULF_NOTIFY_TIMEOUT"), None, "maximum time of one call to a channel";
    NotifySlack: "notify.slack", Shape::Text, "", Some("GULF_NOTIFY_SLACK"), None, "id of the Slack channel or user to write to, such as \"C0123456789\"; empty: none";
    NotifySlackToken: "notify.slack_token", Shape::Text, "", Some("GULF_NOTIFY_SLACK_TOKEN"), None, "where the bot's token is: the NAME of a variable, or a file outside the project; never the token itself";
    NotifySlackAllow: "notify.slack_allow", Shape::List, "", Some("GULF_NOTIFY_SLACK_ALLOW"), None, "ids of the Slack users whose answers count, such as \"U0123456789\"";
    NotifySlackUrl: "notify.slack_url", Shape::Line, "https://slack.com/api", Some("GULF_NOTIFY_SLACK_URL"), None, "address of the Slack Web API";
    NotifyWebhook: "notify.webhook", Shape::Text, "", Some("GULF_NOTIFY_WEBHOOK"), None, "where the URL is to which each event is posted: the NAME of a variable, or a file outside the project; empty: none";
    NotifyWebhookSecret: "notify.webhook_secret", Shape::Text, "", Some("GULF_NOTIFY_WEBHOOK_SECRET"), None, "where the secret is that signs it, given in the same way; empty: unsigned";
    NotifyCommand: "notify.command", Shape::List, "", Some("GULF_NOTIFY_COMMAND"), None, "program and arguments that get each event as JSON on standard input; empty: none";
    NotifyCommandAnswers: "notify.command_answers", Shape::Switch, "false", Some("GULF_NOTIFY_COMMAND_ANSWERS"), None, "use what that program prints as the answer";
    NotifyWeb: "notify.web", Shape::Text, "", Some("GULF_NOTIFY_WEB"), None, "address of `gulf web`, such as \"https://box.tail1234.ts.net\": each message then links to its loop's page; empty: no link";
    UiLanguage: "ui.language", Shape::Choice(&["auto", "en", "ko"]), "auto", Some("GULF_UI_LANGUAGE"), None, "language of screens, logs, reports, pages, questions and messages in a session: English, Korean, or auto, by LC_ALL, LC_MESSAGES and LANG; JSON, journals, prompts and errors stay English";
    CheckName: "check.name", Shape::Line, "", None, None, "name of the check; default: its command";
    CheckCommand: "check.command", Shape::Line, "", None, Some("--check"), "shell command; it passes if it exits with 0";
    CheckTimeout: "check.timeout", Shape::Duration, "10m", None, None, "maximum time of one run";
    CheckCwd: "check.cwd", Shape::Text, "", None, None, "folder of the project in which it runs";
    CheckEnv: "check.env", Shape::Pairs, "", None, None, "environment variables for the check";
    CheckMeasures: "check.measures", Shape::Choice(&["auto", "tests", "lint", "build", "coverage"]), "auto", None, None, "what its numbers mean, if the command does not make that clear";
    CheckReports: "check.reports", Shape::List, "", None, None, "report files that it writes, such as \"coverage.xml\": LCOV, Cobertura, JUnit, SARIF; empty: where tools usually write them";
    CheckNew: "check.new", Shape::Switch, "false", None, Some("--new-check"), "it cannot run yet: creating what it runs is part of the work";
    CheckHidden: "check.hidden", Shape::Switch, "false", None, Some("--acceptance"), "held out: it runs only at a claim, and the worker learns its name and that it failed, no more; its command, or a folder with a program `run`, lies outside the project";
}

/// Keys that are no longer read, by their path and variable; each is an error that names its successor.
pub(crate) const MOVED: [(&str, &str, Key); 2] = [
    ("verify.setup", "GULF_VERIFY_SETUP", Key::EnvironmentSetup),
    ("verify.copy_limit", "GULF_VERIFY_COPY_LIMIT", Key::EnvironmentCopyLimit),
];

/// The head of the paths of a check's keys.
pub(crate) const CHECK_GROUP: &str = "check";

impl Key {
    /// The whole table.
    pub fn rows() -> &'static [KeyRow] {
        ROWS
    }

    /// The row of this key.
    pub fn row(self) -> &'static KeyRow {
        &ROWS[self as usize]
    }
}

impl KeyRow {
    /// What counts where nobody said anything.
    pub(super) fn unsaid(&self) -> (Key, Setting) {
        let source = Source::word("default", self.default);
        let value = Value::read(self, self.default).unwrap_or(Value::Text(self.default.to_owned()));
        let span = Span { start: 0, end: self.default.len() };
        (self.key, Setting { value, origin: Origin { layer: SettingLayer::Default, source, span } })
    }

    /// The table of the file in which the key stands; none at the top.
    pub fn group(&self) -> Option<&'static str> {
        self.path.split_once('.').map(|(group, _)| group)
    }

    /// The last part of the path.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }
}

/// The key of a path.
pub(crate) fn find(path: &str) -> Option<&'static KeyRow> {
    ROWS.iter().find(|row| row.path == path)
}

/// The key that a variable sets.
pub(crate) fn find_variable(name: &str) -> Option<&'static KeyRow> {
    ROWS.iter().find(|row| row.variable == Some(name))
}

/// Whether keys stand in a table of this name.
pub(crate) fn is_group(name: &str) -> bool {
    ROWS.iter().any(|row| row.group() == Some(name))
}

/// The path that an unknown one probably means: right name in the wrong table, else a misspelt name.
pub(crate) fn suggest(path: &str) -> Option<&'static str> {
    let (group, name) = path.rsplit_once('.').unwrap_or(("", path));
    let named = |name: &str| ROWS.iter().find(|row| row.name() == name).map(|row| row.path);
    let siblings = || ROWS.iter().filter(|row| row.group().unwrap_or_default() == group);
    let sibling = nearest(name, siblings().map(KeyRow::name));
    named(name)
        .or_else(|| siblings().find(|row| Some(row.name()) == sibling).map(|row| row.path))
        .or_else(|| nearest(path, ROWS.iter().map(|row| row.path)))
        .or_else(|| nearest(name, ROWS.iter().filter_map(KeyRow::group)))
        .or_else(|| nearest(name, ROWS.iter().map(KeyRow::name)).and_then(named))
}

/// The variable that an unknown one probably means.
pub(crate) fn suggest_variable(name: &str) -> Option<&'static str> {
    // Whoever knows the key spells the variable after it.
    let spelt = |row: &&KeyRow| format!("GULF_{}", row.path.replace('.', "_").to_uppercase()) == name;
    let meant = ROWS.iter().find(spelt).and_then(|row| row.variable);
    meant.or_else(|| nearest(name, ROWS.iter().filter_map(|row| row.variable).chain(OTHER_VARIABLES)))
}
