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
    JudgeRequired: "with_judge", Shape::Switch, "false", Some("GULF_WITH_JUDGE"), Some("--with-judge"), "no start without criteria for a judge; as the only flag of its kind it means the preset judge";
    CompletionPromise: "completion_promise", Shape::Line, "COMPLETE", Some("GULF_COMPLETION_PROMISE"), Some("--completion-promise"), "the word in <promise>…</promise> that claims completion";
    MilestoneEvery: "milestone_every", Shape::Count { min: 0, max: MANY }, "0", Some("GULF_MILESTONE_EVERY"), Some("--milestone-every"), "pause for a review after every so many iterations; 0 is off";
    ForceMax: "force_max", Shape::Switch, "false", Some("GULF_FORCE_MAX"), Some("--force-max"), "use all iterations, also after the gates passed";
    Research: "research", Shape::Choice(&["gate", "inline", "off"]), "inline", Some("GULF_RESEARCH"), Some("--research"), "research brief before the first change: a gate, inline in iteration 1, or off";
    HitlThreshold: "hitl_threshold", Shape::Count { min: 1, max: MANY }, "5", Some("GULF_HITL_THRESHOLD"), Some("--hitl-threshold"), "rejections in a row before a person is asked";
    StructuredMemory: "structured_memory", Shape::Switch, "false", Some("GULF_STRUCTURED_MEMORY"), Some("--structured-memory"), "keep .claude/memory/ beside progress.txt, and archive each loop there";
    Expect: "expect", Shape::Choice(&["auto", "stay-green"]), "auto", Some("GULF_EXPECT"), Some("--expect"), "auto: a check must have been seen to fail without the change; stay-green: the checks must see errors put into the changed lines";
    Prd: "prd", Shape::Text, "", Some("GULF_PRD"), Some("--prd"), "text whose acceptance criteria are criteria for the judge; empty: .gulf/prd.md or prd.md with the presets ralph and autopilot";
    LoopFolder: "loop_folder", Shape::Switch, "false", Some("GULF_LOOP_FOLDER"), None, "keep .gulf/loops/LOOP/ in the project: where the loop stands, the worker's notepad, a copy of the PRD, the report";
    PresetHints: "preset_hints", Shape::Switch, "true", Some("GULF_PRESET_HINTS"), None, "say so when a prompt has the words for which there is a preset, such as \"끝까지\" for ralph";
    AgentTool: "agent.tool", Shape::Text, "", Some("GULF_AGENT"), Some("--agent"), "who does the work: \"claude\", \"codex\", \"copilot\", \"opencode\", \"gemini\" or \"command:PROGRAM\"; empty: the first that is installed";
    AgentTimeout: "agent.timeout", Shape::Duration, "2h", Some("GULF_AGENT_TIMEOUT"), None, "longest turn of the agent";
    AgentIdleTimeout: "agent.idle_timeout", Shape::Duration, "30m", Some("GULF_AGENT_IDLE_TIMEOUT"), None, "longest silence of the agent";
    AgentModel: "agent.model", Shape::Text, "", Some("GULF_AGENT_MODEL"), Some("--model"), "the agent's model; empty: its own default";
    AgentSandbox: "agent.sandbox", Shape::Choice(&["auto", "isolated", "off"]), "auto", Some("GULF_AGENT_SANDBOX"), Some("--sandbox"), "auto: where bubblewrap is installed, an agent that gulf starts cannot write your toolchains, your settings or gulf's own files, nor read your keys; isolated: the same, or the loop does not start; off: it works with your rights";
    AgentReach: "agent.reach", Shape::List, "", Some("GULF_AGENT_REACH"), None, "paths that it may use all the same, such as \"~/.ssh\" or \"/run/docker.sock\"";
    AgentAllow: "agent.allow", Shape::List, "", Some("GULF_AGENT_ALLOW"), Some("--allow"), "further commands the agent may run, such as \"cargo bench\"";
    AgentArguments: "agent.arguments", Shape::List, "", Some("GULF_AGENT_ARGUMENTS"), None, "arguments of your own for the agent, after gulf's; a command has its own";
    AgentContext: "agent.context", Shape::Choice(&["fresh", "continue", "auto"]), "auto", Some("GULF_AGENT_CONTEXT"), Some("--context"), "what a turn remembers: nothing, the agent's whole session, or that until agent.context_share";
    AgentContextShare: "agent.context_share", Shape::Count { min: 1, max: 100 }, "50", Some("GULF_AGENT_CONTEXT_SHARE"), None, "percent of the context window from which auto begins afresh";
    AgentFollowUp: "agent.follow_up", Shape::Switch, "true", Some("GULF_AGENT_FOLLOW_UP"), None, "ask once in the same session when a turn changed things and said nothing";
    AgentMcp: "agent.mcp", Shape::Switch, "false", Some("GULF_AGENT_MCP"), None, "give the agent the tools of `gulf mcp`: claim, ask, report_progress, get_feedback, status";
    JudgeTool: "judge.tool", Shape::Text, "", Some("GULF_JUDGE"), Some("--judge"), "who judges: \"claude\", \"codex\", \"copilot\", \"opencode\", \"gemini\", with a model \"claude:MODEL\", or \"command:PROGRAM\"; empty: the first that is installed";
    JudgeWhen: "judge.when", Shape::Choice(&["on-claim", "every"]), "on-claim", Some("GULF_JUDGE_WHEN"), None, "on-claim: on a claim and at the limit; every: after every turn";
    JudgeProtocol: "judge.protocol", Shape::Choice(&["evidence", "line"]), "evidence", Some("GULF_JUDGE_PROTOCOL"), None, "evidence: a verdict per criterion that gulf checks; line: APPROVED or REJECTED: reason";
    JudgeTimeout: "judge.timeout", Shape::Duration, "10m", Some("GULF_JUDGE_TIMEOUT"), None, "longest call of the judge";
    JudgeCallLimit: "judge.call_limit", Shape::Size, "256KiB", Some("GULF_JUDGE_CALL_LIMIT"), None, "most that one call shows; more is split over several calls, never cut";
    JudgeReviewers: "judge.reviewers", Shape::List, "", Some("GULF_JUDGE_REVIEWERS"), Some("--reviewers"), "who looks at the work beside the judge: qa, security, documents";
    LimitsMaxIterations: "limits.max_iterations", Shape::Count { min: 1, max: MANY }, "50", Some("GULF_MAX_ITERATIONS"), Some("--max-iterations"), "most iterations of one loop";
    LimitsMaxDuration: "limits.max_duration", Shape::DurationOrOff, "off", Some("GULF_MAX_DURATION"), Some("--max-duration"), "longest time of one loop, or off";
    LimitsMaxCost: "limits.max_cost", Shape::MoneyOrOff, "off", Some("GULF_MAX_COST"), Some("--max-cost"), "most money of worker and judge together, in US dollars, or off";
    LimitsMaxTokens: "limits.max_tokens", Shape::TokensOrOff, "off", Some("GULF_MAX_TOKENS"), Some("--max-tokens"), "most tokens of worker and judge together, or off";
    LimitsTurnsPerHour: "limits.turns_per_hour", Shape::Count { min: 0, max: MANY }, "0", Some("GULF_TURNS_PER_HOUR"), Some("--turns-per-hour"), "most turns that begin within any hour in which the loop runs; the next one waits until then; 0 is off";
    LimitsMaxFailures: "limits.max_failures", Shape::Count { min: 1, max: MANY }, "10", Some("GULF_MAX_FAILURES"), None, "failures in a row of agent, judge or machine before the loop is unavailable; waited for 1 s, then twice as long each time, up to about a minute; in a session 5";
    LimitsAssumedCost: "limits.assumed_cost", Shape::Money, "$5.00", Some("GULF_ASSUMED_COST"), None, "what a turn counts for whose cost nobody tells";
    LimitsAssumedTokens: "limits.assumed_tokens", Shape::Tokens, "2M", Some("GULF_ASSUMED_TOKENS"), None, "what a turn counts for whose tokens nobody tells";
    StuckSameCandidate: "stuck.same_candidate", Shape::Count { min: 1, max: MANY }, "3", Some("GULF_STUCK_SAME_CANDIDATE"), None, "claims in a row on the candidate just refused before the loop is stalled";
    StuckSameFailure: "stuck.same_failure", Shape::Count { min: 1, max: MANY }, "5", Some("GULF_STUCK_SAME_FAILURE"), None, "claims in a row refused for the same failure before the loop is stalled";
    StuckOscillations: "stuck.oscillations", Shape::Count { min: 1, max: MANY }, "3", Some("GULF_STUCK_OSCILLATIONS"), None, "returns to an earlier tree before the loop is stalled";
    StuckIdleIterations: "stuck.idle_iterations", Shape::Count { min: 1, max: MANY }, "3", Some("GULF_STUCK_IDLE_ITERATIONS"), None, "turns in a row without a change, a claim or a tool call before the loop is stalled";
    StuckRecurrences: "stuck.recurrences", Shape::Count { min: 0, max: MANY }, "0", Some("GULF_STUCK_RECURRENCES"), None, "claims refused for the same failure, others in between and no progress, before the loop is stalled; 0 is off";
    StuckOrientation: "stuck.orientation", Shape::Count { min: 0, max: 100 }, "20", Some("GULF_STUCK_ORIENTATION"), None, "percent of a fresh context, read before the first edit in two turns in a row, from which worker and person are told; it ends nothing, and 0 is off";
    StuckThen: "stuck.then", Shape::Choice(&["end", "ask"]), "end", Some("GULF_STUCK_THEN"), None, "end: a loop that is stalled, or at its last iteration, ends; ask: it rests until a person says how it goes on";
    EnvironmentCopy: "environment.copy", Shape::List, "", Some("GULF_ENVIRONMENT_COPY"), None, "files that git ignores and every fresh checkout gets, such as \".env\"; patterns as in .gitignore";
    EnvironmentLink: "environment.link", Shape::List, "", Some("GULF_ENVIRONMENT_LINK"), None, "paths that every fresh checkout shares with yours, by a link: large data that is only read";
    EnvironmentSetup: "environment.setup", Shape::Text, "", Some("GULF_ENVIRONMENT_SETUP"), None, "command that prepares a fresh checkout, such as \"npm ci\"; empty: the detected one";
    EnvironmentSetupTimeout: "environment.setup_timeout", Shape::Duration, "30m", Some("GULF_ENVIRONMENT_SETUP_TIMEOUT"), None, "longest run of the set-up command";
    EnvironmentCache: "environment.cache", Shape::List, "", Some("GULF_ENVIRONMENT_CACHE"), None, "further folders that git ignores and every fresh checkout begins with, such as \".next/cache\"";
    EnvironmentCopyLimit: "environment.copy_limit", Shape::Size, "1GiB", Some("GULF_ENVIRONMENT_COPY_LIMIT"), None, "largest folder that is copied where it cannot be cloned";
    EnvironmentPorts: "environment.ports", Shape::List, "", Some("GULF_ENVIRONMENT_PORTS"), None, "variables that hold a free port of its own in every checkout, such as \"PORT\"";
    EnvironmentPortRange: "environment.port_range", Shape::PortRange, "20000-24999", Some("GULF_ENVIRONMENT_PORT_RANGE"), None, "where these ports are taken from";
    EnvironmentWorktrees: "environment.worktrees", Shape::Text, "", Some("GULF_ENVIRONMENT_WORKTREES"), None, "folder for the worktrees of loops; empty: beside the repository";
    LandingBase: "landing.base", Shape::Text, "", Some("GULF_BASE_BRANCH"), Some("--base-branch"), "branch on which autonomous, parallel and autopilot work lands; empty: the one that is checked out";
    LandingInPlace: "landing.in_place", Shape::Switch, "false", Some("GULF_IN_PLACE"), Some("--in-place"), "autonomous in this checkout, on a branch of its own, and not in a worktree beside it";
    LandingPush: "landing.push", Shape::Switch, "false", Some("GULF_PUSH"), Some("--push"), "push what has landed; without it nothing is ever pushed";
    LandingAccept: "landing.accept", Shape::Choice(&["verified", "attested"]), "verified", Some("GULF_LANDING_ACCEPT"), None, "what may land: verified work only, or attested work, too, which nothing was seen to prove";
    LandingLanes: "landing.lanes", Shape::Count { min: 1, max: LANES_MAX }, "1", Some("GULF_LANDING_LANES"), None, "how many merges are tested side by side before they land";
    ParallelWorkers: "parallel.workers", Shape::Count { min: 1, max: WORKERS_MAX }, "2", Some("GULF_WORKERS"), Some("--workers"), "how many loops work on one goal at the same time, each in a worktree of its own";
    ParallelSelect: "parallel.select", Shape::Choice(&["all", "first"]), "all", Some("GULF_SELECT"), Some("--select"), "all: every worker's work lands; first: once one has landed, the others are stopped and kept";
    ParallelStrategies: "parallel.strategies", Shape::List, "", Some("GULF_STRATEGIES"), Some("--strategy"), "files with a hint for one worker each, in turn; empty: hints of gulf's own";
    FeedbackAutoConverge: "feedback.auto_converge", Shape::Switch, "true", Some("GULF_AUTO_CONVERGE"), Some("--auto-converge"), "two iterations in a row without progress end the loop as stalled";
    FeedbackHumanReview: "feedback.human_review", Shape::Switch, "true", Some("GULF_HUMAN_REVIEW"), Some("--human-review"), "a person looks at what was measured before another iteration follows";
    FeedbackCoverageMin: "feedback.coverage_min", Shape::Count { min: 0, max: 100 }, "85", Some("GULF_COVERAGE_MIN"), Some("--coverage-min"), "minimum line coverage in percent, where it is measured";
    FeedbackCoverage: "feedback.coverage", Shape::Choice(&["shown", "required"]), "shown", Some("GULF_COVERAGE"), None, "required: coverage that nobody measured is no success";
    TasksFile: "tasks.file", Shape::Text, "", Some("GULF_TASKS_FILE"), Some("--tasks"), "the list that the preset tasks works off; empty: the first of the usual names that is there";
    TasksOnly: "tasks.only", Shape::Text, "", Some("GULF_TASKS_ONLY"), Some("--task"), "the one task of the list that is done, and what it waits for; empty: all of them";
    TasksOnLimit: "tasks.on_limit", Shape::Choice(&["ask", "skip", "stop"]), "ask", Some("GULF_TASKS_ON_LIMIT"), Some("--on-task-limit"), "what follows when a task comes to no end: a person is asked, the next task, or the end of the loop";
    TasksSpecialists: "tasks.specialists", Shape::List, "", Some("GULF_TASKS_SPECIALISTS"), None, "who does the tasks of a specialist, such as \"backend=claude:opus\" or \"qa=command:my-qa\"";
    VerifyFromClean: "verify.from_clean", Shape::Switch, "false", Some("GULF_VERIFY_FROM_CLEAN"), Some("--verify-from-clean"), "start the checks without kept build output";
    VerifyInPlace: "verify.in_place", Shape::List, "", Some("GULF_VERIFY_IN_PLACE"), None, "names of checks that must run in the project itself";
    VerifyIsolation: "verify.isolation", Shape::Choice(&["auto", "isolated", "none"]), "auto", Some("GULF_VERIFY_ISOLATION"), Some("--isolation"), "auto: checks run without your network, home and processes where bubblewrap is installed and the base's checks say the same there; isolated: always, or the loop does not start; none: they run with your rights";
    VerifyOpen: "verify.open", Shape::List, "", Some("GULF_VERIFY_OPEN"), None, "names of checks that are not isolated: what needs Docker, a database or the network";
    VerifyVisible: "verify.visible", Shape::List, "", Some("GULF_VERIFY_VISIBLE"), None, "absolute paths outside of the project that isolated checks may read, besides your toolchains";
    VerifyBaseline: "verify.baseline", Shape::Switch, "false", Some("GULF_VERIFY_BASELINE"), Some("--baseline"), "accept the tests that fail at the start; new failures still count";
    VerifyDetected: "verify.detected", Shape::Switch, "false", Some("GULF_VERIFY_DETECTED"), Some("--detected"), "where no check is named, take what the project's CI and task files run";
    VerifyLevel: "verify.level", Shape::Count { min: 1, max: 4 }, "2", Some("GULF_VERIFY_LEVEL"), Some("--level"), "who looks at the work in the presets ralph and autopilot: 1 the checks alone, 2 a judge as well, 3 a QA review too, 4 security and documents too";
    VerifyTestsMayChange: "verify.tests_may_change", Shape::List, "", Some("GULF_TESTS_MAY_CHANGE"), Some("--tests-may-change"), "tests whose expectations the work may change, such as \"tests/cli/**\"; patterns as in .gitignore";
    VerifyCountAsTests: "verify.count_as_tests", Shape::List, "", Some("GULF_COUNT_AS_TESTS"), Some("--count-as-tests"), "further files that checks judge the work by, such as \"expected/**\" or \"compare.py\": they count as tests; patterns as in .gitignore";
    VerifyOnTestChange: "verify.on_test_change", Shape::Choice(&["refuse", "ask", "stop"]), "refuse", Some("GULF_ON_TEST_CHANGE"), Some("--on-test-change"), "where only changed tests are in the way of a proof, refuse: the loop ends attested; ask: it rests, and a person's yes is a gate's; stop: the first such finding ends it as violated";
    VerifyReportLimit: "verify.report_limit", Shape::Size, "16MiB", Some("GULF_VERIFY_REPORT_LIMIT"), None, "largest report of a check that is read, and how much of the end of its output; reading takes about three times as much memory";
    PromptTemplate: "prompt.template", Shape::Text, "", Some("GULF_PROMPT_TEMPLATE"), None, "path of the project's own prompt template";
    PromptContextTokensMax: "prompt.context_tokens_max", Shape::Tokens, "20k", Some("GULF_CONTEXT_TOKENS_MAX"), None, "most tokens of the project's own texts in a prompt, its goal among them; a token counts as four bytes";
    StepsAnalyze: "steps.analyze", Shape::Choice(&["off", "first", "every"]), "off", Some("GULF_STEPS_ANALYZE"), None, "a turn that looks at what is asked for and what stands, before the first or every iteration";
    StepsAnalyzeAgent: "steps.analyze_agent", Shape::Text, "", Some("GULF_STEPS_ANALYZE_AGENT"), None, "who analyzes, as in agent.tool; empty: the agent";
    StepsAnalyzePrompt: "steps.analyze_prompt", Shape::Text, "", Some("GULF_STEPS_ANALYZE_PROMPT"), None, "path of a text that is added to the question";
    StepsPlan: "steps.plan", Shape::Choice(&["off", "first"]), "off", Some("GULF_STEPS_PLAN"), None, "a turn that plans the work, before the first iteration";
    StepsPlanAgent: "steps.plan_agent", Shape::Text, "", Some("GULF_STEPS_PLAN_AGENT"), None, "who plans, as in agent.tool; empty: the agent";
    StepsPlanPrompt: "steps.plan_prompt", Shape::Text, "", Some("GULF_STEPS_PLAN_PROMPT"), None, "path of a text that is added to the question";
    StepsCritic: "steps.critic", Shape::Choice(&["off", "first"]), "off", Some("GULF_STEPS_CRITIC"), None, "a turn that criticizes the plan: it is planned again until nothing is objected to";
    StepsCriticAgent: "steps.critic_agent", Shape::Text, "", Some("GULF_STEPS_CRITIC_AGENT"), None, "who criticizes, as in agent.tool; empty: the agent";
    StepsCriticPrompt: "steps.critic_prompt", Shape::Text, "", Some("GULF_STEPS_CRITIC_PROMPT"), None, "path of a text that is added to the question";
    StepsParallel: "steps.parallel", Shape::Count { min: 1, max: WORKERS_MAX }, "1", Some("GULF_STEPS_PARALLEL"), None, "how many independent steps of the plan are worked on at the same time, each in a worktree of its own; 1: one after the other";
    StepsCause: "steps.cause", Shape::Choice(&["off", "after-refusal", "repeated"]), "repeated", Some("GULF_STEPS_CAUSE"), None, "a turn that finds out why the last attempt was refused, before anything is fixed; repeated: when the same failure came three times in a row";
    StepsCauseAgent: "steps.cause_agent", Shape::Text, "", Some("GULF_STEPS_CAUSE_AGENT"), None, "who looks for the cause, as in agent.tool; empty: the agent";
    StepsCausePrompt: "steps.cause_prompt", Shape::Text, "", Some("GULF_STEPS_CAUSE_PROMPT"), None, "path of a text that is added to the question";
    NotifyEvents: "notify.events", Shape::List, "question,pause,end", Some("GULF_NOTIFY_EVENTS"), None, "what channels tell: question, pause, end";
    NotifyPoll: "notify.poll", Shape::Duration, "30s", Some("GULF_NOTIFY_POLL"), None, "how often a channel is asked for an answer";
    NotifyWait: "notify.wait", Shape::DurationOrOff, "10m", Some("GULF_NOTIFY_WAIT"), None, "how long an unattended `gulf run` waits for an answer; later ones are read by `gulf resume`";
    NotifyTimeout: "notify.timeout", Shape::Duration, "10s", Some("GULF_NOTIFY_TIMEOUT"), None, "longest call of a channel";
    NotifySlack: "notify.slack", Shape::Text, "", Some("GULF_NOTIFY_SLACK"), None, "id of the Slack channel or user that is written to, such as \"C0123456789\"; empty: none";
    NotifySlackToken: "notify.slack_token", Shape::Text, "", Some("GULF_NOTIFY_SLACK_TOKEN"), None, "where the bot's token is: the NAME of a variable, or a file outside of the project; never the token itself";
    NotifySlackAllow: "notify.slack_allow", Shape::List, "", Some("GULF_NOTIFY_SLACK_ALLOW"), None, "ids of the Slack users whose answers count, such as \"U0123456789\"";
    NotifySlackUrl: "notify.slack_url", Shape::Line, "https://slack.com/api", Some("GULF_NOTIFY_SLACK_URL"), None, "where the Slack Web API is";
    NotifyWebhook: "notify.webhook", Shape::Text, "", Some("GULF_NOTIFY_WEBHOOK"), None, "where the URL is that gets a POST: the NAME of a variable, or a file outside of the project; empty: none";
    NotifyWebhookSecret: "notify.webhook_secret", Shape::Text, "", Some("GULF_NOTIFY_WEBHOOK_SECRET"), None, "where the secret is that signs it, in the same way; empty: unsigned";
    NotifyCommand: "notify.command", Shape::List, "", Some("GULF_NOTIFY_COMMAND"), None, "program and arguments that get each event as JSON on standard input; empty: none";
    NotifyCommandAnswers: "notify.command_answers", Shape::Switch, "false", Some("GULF_NOTIFY_COMMAND_ANSWERS"), None, "what that program prints is the answer";
    NotifyWeb: "notify.web", Shape::Text, "", Some("GULF_NOTIFY_WEB"), None, "where `gulf web` is reached, such as \"https://box.tail1234.ts.net\": each message has the address of its loop's page; empty: none";
    UiLanguage: "ui.language", Shape::Choice(&["auto", "en", "ko"]), "auto", Some("GULF_UI_LANGUAGE"), None, "language of screens, logs, reports, pages, questions and what a session shows you: English, Korean, or by LC_ALL, LC_MESSAGES, LANG; JSON, journals, prompts and errors stay English";
    CheckName: "check.name", Shape::Line, "", None, None, "what the check is called; its command where absent";
    CheckCommand: "check.command", Shape::Line, "", None, Some("--check"), "shell command; exit code 0 passes";
    CheckTimeout: "check.timeout", Shape::Duration, "10m", None, None, "longest run of the check";
    CheckCwd: "check.cwd", Shape::Text, "", None, None, "folder of the project to run in";
    CheckEnv: "check.env", Shape::Pairs, "", None, None, "variables of the check";
    CheckMeasures: "check.measures", Shape::Choice(&["auto", "tests", "lint", "build", "coverage"]), "auto", None, None, "what its numbers mean, where the command does not tell";
    CheckReports: "check.reports", Shape::List, "", None, None, "files that it writes, such as \"coverage.xml\": LCOV, Cobertura, JUnit, SARIF; empty: where tools usually write them";
    CheckNew: "check.new", Shape::Switch, "false", None, Some("--new-check"), "it cannot run yet: to create what it runs is part of the work";
    CheckHidden: "check.hidden", Shape::Switch, "false", None, Some("--acceptance"), "held out: it runs at a claim only, and the worker hears its name and that it failed, no more; its command, or a folder with a program `run`, lies outside of the project";
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
