//! The commands that a person types into a session: `/gulf-loop:start …`, read from the prompt as the host got it.
//!
//! Apart from the command line because here the words come unparted: what is a flag and what is the prompt must be
//! found in one text, without a shell, and the prompt must arrive byte for byte.

mod flags;
mod foreign;
mod problem;
mod tail;
mod typed;
mod words;
mod wrapped;

pub use flags::{Flag, FlagTakes};
pub use foreign::{Foreign, foreign};
pub use problem::no_prompt;
pub use typed::CommandWords;

use crate::problem::{Mistake, nearest};
use problem::{FlagPlace, no_such_command, surplus};
use words::{first_word, skip_blanks};

/// A command of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlashCommand {
    Start(CommandWords),
    /// With what stood behind it, such as the path of a rubric.
    Align(Option<String>),
    Status,
    Cancel,
    Resume(CommandWords),
    /// Without anything it only shows what would go.
    Clean(CommandWords),
    Answer(AnswerWords),
    Help,
}

/// What was said with `answer`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerWords {
    /// None: the one that was asked first.
    pub question: Option<u32>,
    /// Blank: to see what is asked.
    pub answer: String,
}

/// The commands that have flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flagged {
    /// Also those that stand for it with a preset.
    Start,
    Resume,
    Clean,
}

/// The commands that there are.
pub const COMMANDS: [&str; 13] = [
    "align", "start", "start-with-judge", "start-autonomous", "start-parallel", "ralph", "autopilot",
    "status", "cancel", "resume", "answer", "clean", "help",
];

/// Those that stand for `start` with a preset.
const WITH_PRESET: [(&str, &str); 5] = [
    ("start-with-judge", "judge"),
    ("start-autonomous", "autonomous"),
    ("start-parallel", "parallel"),
    ("ralph", "ralph"),
    ("autopilot", "autopilot"),
];

/// Bytes from which a word is no misspelt command; comparing costs the square of them.
const COMMAND_BYTES_MAX: usize = 40;

const PREFIX: &str = "gulf-loop:";

/// Whether the prompt of a session is a command of ours, right or wrong.
pub fn is_command(prompt: &str) -> bool {
    spoken(prompt, &|_| Vec::new()).is_some()
}

/// Reads the prompt of a session; none where it is no command of ours.
///
/// A command begins with `/gulf-loop:`, `$gulf-loop:` or `gulf-loop:`; a host may have wrapped it. Flags stand before the
/// prompt or at its very end, and all behind a `--` is the prompt; what else looks like a flag is prose. The flags
/// that there are, help among them, are asked for only where a command has some.
pub fn spoken(prompt: &str, flags: &dyn Fn(Flagged) -> Vec<Flag>) -> Option<Result<SlashCommand, Mistake>> {
    let typed = wrapped::typed(prompt);
    let prompt = typed.trim_start();
    let marked = prompt.strip_prefix(['/', '$']);
    let after = marked.unwrap_or(prompt).strip_prefix(PREFIX)?;
    let command = first_word(after);
    let rest = &after[command.len()..];
    let is_help = matches!(rest.trim(), "-h" | "--help");
    Some(match command {
        "align" | "status" | "cancel" | "answer" if is_help => Ok(SlashCommand::Help),
        "start" => start(&flags(Flagged::Start), CommandWords::default(), rest),
        "align" => Ok(SlashCommand::Align(Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty()))),
        "status" => alone("status", rest, SlashCommand::Status),
        "cancel" => alone("cancel", rest, SlashCommand::Cancel),
        "resume" => flags_and_word("resume", &flags(Flagged::Resume), rest, SlashCommand::Resume),
        "answer" => Ok(SlashCommand::Answer(answer(rest.trim()))),
        "clean" => flags_and_word("clean", &flags(Flagged::Clean), rest, SlashCommand::Clean),
        "help" => Ok(SlashCommand::Help),
        _ => {
            if let Some((_, preset)) = WITH_PRESET.into_iter().find(|(name, _)| *name == command) {
                let typed = CommandWords::preset(command, preset);
                return Some(start(&flags(Flagged::Start), typed, rest));
            }
            let close = (command.len() <= COMMAND_BYTES_MAX).then(|| nearest(command, COMMANDS)).flatten();
            if marked.is_none() && close.is_none() {
                return None;
            }
            Err(no_such_command(command, close))
        }
    })
}

/// `start`, or a command that stands for it with a preset.
fn start(flags: &[Flag], mut typed: CommandWords, rest: &str) -> Result<SlashCommand, Mistake> {
    let place = FlagPlace::BeforePrompt;
    let mut at = skip_blanks(rest, 0);
    typed.text = loop {
        if first_word(&rest[at..]) == "--" {
            break words::after_separator(&rest[at + 2..]).to_owned();
        }
        let Some(taken) = flags::take_at(flags, rest, at, place)? else {
            let tail = tail::split(flags, &rest[at..])?;
            typed.taken_from_end = tail.text.map(str::to_owned);
            for taken in tail.flags {
                typed.take(taken, FlagPlace::AtEnd)?;
            }
            break tail.prompt;
        };
        if taken.flag.is_help() {
            return Ok(SlashCommand::Help);
        }
        at = skip_blanks(rest, taken.end);
        typed.take(taken, place)?;
    };
    typed.with_one_goal().map(SlashCommand::Start)
}

/// Flags, and for a resume one word between them.
fn flags_and_word(
    command: &str,
    flags: &[Flag],
    rest: &str,
    spoken: fn(CommandWords) -> SlashCommand,
) -> Result<SlashCommand, Mistake> {
    let place = FlagPlace::AfterCommand;
    let mut typed = CommandWords::default();
    let mut at = skip_blanks(rest, 0);
    while at < rest.len() {
        let end = match flags::take_at(flags, rest, at, place)? {
            Some(taken) if taken.flag.is_help() => return Ok(SlashCommand::Help),
            Some(taken) => {
                let end = taken.end;
                typed.take(taken, place)?;
                end
            }
            None if command == "clean" || !typed.text.is_empty() => {
                return Err(surplus(command, &rest[at..]));
            }
            None => {
                first_word(&rest[at..]).clone_into(&mut typed.text);
                at + typed.text.len()
            }
        };
        at = skip_blanks(rest, end);
    }
    Ok(spoken(typed))
}

/// A number before the answer is the question's; alone it is an answer.
fn answer(rest: &str) -> AnswerWords {
    let word = first_word(rest);
    let behind = rest[word.len()..].trim();
    match word.parse() {
        Ok(number) if !behind.is_empty() => AnswerWords { question: Some(number), answer: behind.to_owned() },
        Ok(_) | Err(_) => AnswerWords { question: None, answer: rest.to_owned() },
    }
}

/// A command that nothing may stand behind: it could be meant for another loop.
fn alone(command: &str, rest: &str, spoken: SlashCommand) -> Result<SlashCommand, Mistake> {
    let rest = rest.trim();
    if rest.is_empty() { Ok(spoken) } else { Err(surplus(command, rest)) }
}
