//! One thing that a person is told: a question, a pause, an end.
//!
//! All of them tell the same, and know it again by the same key.

use serde::Serialize;

use crate::shortening::shortened;

/// The version of a notice as JSON.
const VERSION: u32 = 1;
/// So much of a text goes into a chat; all of it is in the inbox.
const TEXT_CHARS_MAX: usize = 3_000;
/// So much of an option.
const OPTION_CHARS_MAX: usize = 300;
/// What stands behind a text that was longer.
const CUT: &str = "… (all of it: gulf inbox)";

/// Something that a person should know, and may have to answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// Its name within the loop, by which it is told once: `question-1`, `pause-57`, `stopped-57`, `end`.
    pub key: String,
    pub kind: NoticeKind,
    #[serde(rename = "loop")]
    pub loop_id: String,
    /// The goal's title.
    pub goal: String,
    /// The folder where it works.
    pub project: String,
    /// Where the loop stands: `paused`, `verified`.
    pub standing: String,
    /// What that means, or what the worker does by asking.
    pub says: String,
    /// What the worker asks.
    pub text: Option<String>,
    /// What the worker saw that makes it ask.
    pub evidence: Option<String>,
    pub options: Vec<String>,
    pub takes: Takes,
    /// What a person types in the project instead of answering here.
    pub command: String,
    /// Where a browser shows the loop, if a person said where that is.
    pub page: Option<String>,
}

/// What it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum NoticeKind {
    /// The worker asks something.
    Question,
    /// A person must look before the loop goes on.
    Pause,
    End,
}

/// What can be said to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Takes {
    Nothing,
    /// An answer: one of the options, or a text.
    Answer,
    /// `go on`
    GoOn,
    /// `go on`, `approve: why`, `reject: why`
    Verdict,
}

/// Where an answer counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// In the message's thread, and in the project.
    Here,
    /// In the project only: nobody may answer in the chat.
    InProject,
}

#[derive(Serialize)]
struct NoticeDocument<'a> {
    version: u32,
    notice: &'a Notice,
}

impl Notice {
    /// For programs.
    pub fn json(&self) -> Vec<u8> {
        serde_json::to_vec(&NoticeDocument { version: VERSION, notice: self }).unwrap_or_default()
    }

    /// For people, as a message: what it is, what is asked, how to answer.
    pub fn message(&self, answers: Answers) -> String {
        let goal = visible(&self.goal);
        let mut lines =
            vec![format!("{}: {goal}", self.project), format!("{}: {}", self.standing, self.says)];
        lines.extend(self.text.iter().map(|text| format!("\n{}", quoted(text))));
        lines.extend(self.evidence.iter().map(|text| format!("it saw:\n{}", quoted(text))));
        lines.extend(self.listed());
        lines.extend(self.how(answers).map(|how| format!("\n{how}")));
        lines.extend(self.page.iter().map(|page| format!("\n{page}")));
        lines.push(format!("({}, {})", self.loop_id, self.key));
        lines.join("\n")
    }

    /// What can be said to it, for somebody who said something else.
    pub fn reminder(&self, why: &str) -> String {
        let mut lines = vec![why.to_owned()];
        lines.extend(self.listed());
        lines.extend(self.how(Answers::Here));
        lines.join("\n")
    }

    fn listed(&self) -> impl Iterator<Item = String> {
        (1..).zip(&self.options).map(|(number, option)| {
            let option = option.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{number}. {}", visible(&shortened(&option, OPTION_CHARS_MAX, CUT)))
        })
    }

    fn how(&self, answers: Answers) -> Option<String> {
        let here = match (self.takes, self.options.is_empty()) {
            (Takes::Nothing, _) => return None,
            _ if answers == Answers::InProject => {
                return Some(format!("type in the project: {}", self.command));
            }
            (Takes::Answer, true) => "reply in this thread with your answer",
            (Takes::Answer, false) => {
                "reply in this thread with the number of an option, or `answer: …` in your own words"
            }
            (Takes::GoOn, _) => "reply in this thread with `go on`",
            (Takes::Verdict, _) => "reply in this thread with `go on`, `approve: why` or `reject: why`",
        };
        Some(format!("{here}; or type in the project: {}", self.command))
    }
}

/// Line by line, so that whatever a worker writes cannot pass for gulf's own words, or for further options.
fn quoted(text: &str) -> String {
    let shown = shortened(text.trim(), TEXT_CHARS_MAX, CUT);
    shown.lines().map(|line| format!("> {}", visible(line))).collect::<Vec<_>>().join("\n")
}

/// Without what moves a cursor, or turns a line around.
fn visible(line: &str) -> String {
    let turns = |character| matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    line.chars().filter(|character| !character.is_control() && !turns(*character)).collect()
}
