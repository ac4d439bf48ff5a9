//! What passes between worker and person: claims, questions, answers, and the person's own word.
//!
//! A worker reads the help of `claim`: the words here are part of every prompt.

use clap::{Args, Subcommand, ValueEnum};

/// What a worker can say.
#[derive(Debug, Subcommand)]
pub enum ClaimSubcommand {
    /// The goal is reached: ask for evaluation
    #[command(
        after_help = "Examples:\n  gulf claim done\n  gulf claim done --no-test \"only the wording of a comment changed\""
    )]
    Done {
        /// Why no test can show it
        #[arg(long, value_name = "REASON")]
        no_test: Option<String>,
    },
    /// Another task has to be done first: name it, and this one is postponed until then
    #[command(after_help = "Example:\n  gulf claim blocked \"add a key for Stripe to .env.example\"")]
    Blocked {
        /// What has to be done first, in one line
        task: String,
    },
    /// It cannot be done as asked: say why, and a person decides how to continue
    #[command(
        after_help = "Examples:\n  gulf claim cannot \"the API has no endpoint for this\" --evidence \"GET /users answers 404\"\n  gulf claim cannot \"the key has expired\" --option \"renew the key\" --option \"leave this part out\""
    )]
    Cannot(QuestionArguments),
    /// What is asked for contradicts itself: a person says which part counts
    #[command(
        after_help = "Example:\n  gulf claim conflict \"the test wants UTC, the goal wants local time\" --evidence \"tests/time.rs:40\" --option UTC --option \"local time\""
    )]
    Conflict(QuestionArguments),
    /// A person must choose: ask, and name the choices
    #[command(
        after_help = "Examples:\n  gulf claim need-decision \"keep the old flag?\" --option \"keep it as an alias\" --option \"remove it\"\n  gulf claim need-decision - --option yes --option no < question.txt"
    )]
    NeedDecision(QuestionArguments),
}

/// What a person is asked.
#[derive(Debug, Args)]
pub struct QuestionArguments {
    /// The question, or what is in the way; `-` reads it from standard input
    pub text: String,
    /// Why you ask: a message, a place in a file, a command and its output
    #[arg(long, value_name = "TEXT")]
    pub evidence: Option<String>,
    /// An answer to choose from; repeatable
    #[arg(long = "option", value_name = "ANSWER")]
    pub options: Vec<String>,
}

/// Flags of `gulf ask`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf ask --kind destructive \"drop the table orders?\" --because \"two million rows, no backup\"\n  gulf ask --kind architecture \"may polling replace the queue?\" --option yes --option no\n  gulf ask --kind security \"may the token stand in the log?\"\n  gulf ask --kind unclear \"is `quickly` 1 s or 100 ms?\" --option \"1 s\" --option \"100 ms\"\n\nFor workers, during their turn: the loop pauses when the turn ends, a person answers with\n`gulf answer`, and the answer is in the next prompt. Asking is never held against you."
)]
pub struct AskFlags {
    /// Why it is not yours to decide
    #[arg(long, value_name = "KIND")]
    pub kind: AskKind,
    /// The question; `-` reads it from standard input
    #[arg(value_name = "QUESTION")]
    pub text: String,
    /// An answer to choose from; repeatable
    #[arg(long = "option", value_name = "ANSWER")]
    pub options: Vec<String>,
    /// Why you ask: a message, a place in a file, a command and its output
    #[arg(long, value_name = "EVIDENCE", visible_alias = "evidence")]
    pub because: Option<String>,
}

/// What a worker puts to a person before it does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AskKind {
    /// Something would be lost for good: data, history, an interface others use
    Destructive,
    /// The architecture would change: a dependency, a format, a boundary
    Architecture,
    /// Keys, permissions, exposure: what is safe enough
    Security,
    /// The request is ambiguous
    Unclear,
}

/// Flags of `gulf inbox`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  gulf inbox\n  gulf inbox --all k3v9")]
pub struct InboxArguments {
    /// A loop, such as k3v9; default: every unfinished loop of this repository
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Include answered questions and finished loops
    #[arg(long)]
    pub all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Flags of `gulf answer`.
#[derive(Debug, Args)]
#[command(
    override_usage = "gulf answer [OPTIONS] [NUMBER] <ANSWER>",
    after_help = "Examples:\n  gulf answer \"use the old name\"       the one open question\n  gulf answer b                        its second option\n  gulf answer 2 \"use the old name\"     question 2\n  gulf answer 2 1                      question 2, its first option\n  gulf answer 1 - < reply.txt          a longer answer"
)]
pub struct AnswerArguments {
    /// The answer: a text, `-` for standard input, or the number or letter of an option; the question's number before
    /// it, where several are open
    #[arg(required = true, value_name = "ANSWER")]
    pub words: Vec<String>,
    /// A loop, such as k3v9; default: the one that asks
    #[arg(long = "loop", value_name = "LOOP")]
    pub id: Option<String>,
}

/// Flags of `gulf approve` and `gulf reject`.
#[derive(Debug, Args)]
pub struct OverruleArguments {
    /// Why, or `-` to read it from standard input; it is recorded in the journal and shown in the report
    pub reason: String,
    /// A loop, such as k3v9; default: the unfinished one here
    #[arg(long = "loop", value_name = "LOOP")]
    pub id: Option<String>,
}

// What a person says about a task of a list.

/// Flags of `gulf skip`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf skip\n  gulf skip --because \"there is no key for Stripe yet\"\n\nThe loop must be paused between two turns (`gulf pause`, or a task at its limit). What the task changed is set aside; tasks that depend on it never start. `gulf resume` continues with the next task."
)]
pub struct SkipArguments {
    /// A loop, such as k3v9; default: the unfinished one here
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Why, for .claude/progress.txt
    #[arg(long, value_name = "REASON")]
    pub because: Option<String>,
}
