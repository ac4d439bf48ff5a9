//! `gulf claim` and `gulf ask`: the worker's word, from within its turn.
//!
//! They stand apart from the acts of a person: only a worker may claim, it finds its loop by a variable, wherever it
//! stands, and what is wrong with its words is said at once, while it can still say them better.

use gulf_engine::{Claim, Concern, Question};

use crate::cli::{AskFlags, AskKind, ClaimSubcommand, QuestionArguments};
use crate::failure::Result;
use crate::input;
use crate::turn::{OwnTurn, askable, done};

pub fn claim(claim: &ClaimSubcommand) -> Result<u8> {
    say(match claim {
        ClaimSubcommand::Done { no_test } => done(no_test.clone())?,
        ClaimSubcommand::Blocked { task } => Claim::Blocked { task: input::given(task, "the task")? },
        ClaimSubcommand::Cannot(asked) => Claim::Cannot(question(asked)?),
        ClaimSubcommand::Conflict(asked) => Claim::Conflict(question(asked)?),
        ClaimSubcommand::NeedDecision(asked) => Claim::NeedDecision(question(asked)?),
    })
}

/// What a worker must not decide by itself goes to the person (SPEC A5).
pub fn ask(arguments: &AskFlags) -> Result<u8> {
    let asking = Question {
        text: input::given(&arguments.text, "the question")?,
        evidence: arguments.because.clone(),
        options: arguments.options.clone(),
        concern: Some(match arguments.kind {
            AskKind::Destructive => Concern::Destructive,
            AskKind::Architecture => Concern::Architecture,
            AskKind::Security => Concern::Security,
            AskKind::Unclear => Concern::Unclear,
        }),
    };
    say(Claim::NeedDecision(askable(asking)?))
}

fn say(claim: Claim) -> Result<u8> {
    outln!("{}", OwnTurn::find()?.say(claim)?);
    Ok(0)
}

fn question(asked: &QuestionArguments) -> Result<Question> {
    let text = input::given(&asked.text, "the question")?;
    let (evidence, options) = (asked.evidence.clone(), asked.options.clone());
    askable(Question { text, evidence, options, concern: None })
}
