//! Which key stands for what, and what each part of a loop holds: tables, which the help and both faces show.

use gulf_views::BoardTexts;

/// What a person can do to a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActKind {
    Answer,
    Steer,
    Approve,
    Reject,
    Pause,
    Resume,
    Skip,
    Land,
    Discard,
    Cancel,
}

impl ActKind {
    pub const ALL: [ActKind; 10] = [
        ActKind::Answer,
        ActKind::Steer,
        ActKind::Approve,
        ActKind::Reject,
        ActKind::Pause,
        ActKind::Resume,
        ActKind::Skip,
        ActKind::Land,
        ActKind::Discard,
        ActKind::Cancel,
    ];

    pub fn key(self) -> char {
        match self {
            ActKind::Answer => 'a',
            ActKind::Steer => 's',
            ActKind::Approve => 'A',
            ActKind::Reject => 'R',
            ActKind::Pause => 'p',
            ActKind::Resume => 'r',
            ActKind::Skip => 'S',
            ActKind::Land => 'l',
            ActKind::Discard => 'D',
            ActKind::Cancel => 'C',
        }
    }

    /// As the command is called.
    pub fn word(self) -> &'static str {
        match self {
            ActKind::Answer => "answer",
            ActKind::Steer => "steer",
            ActKind::Approve => "approve",
            ActKind::Reject => "reject",
            ActKind::Pause => "pause",
            ActKind::Resume => "resume",
            ActKind::Skip => "skip",
            ActKind::Land => "land",
            ActKind::Discard => "discard",
            ActKind::Cancel => "cancel",
        }
    }

    pub(super) fn of_key(key: char) -> Option<ActKind> {
        ActKind::ALL.into_iter().find(|act| act.key() == key)
    }

    /// Does a person say something with it?
    pub fn takes_words(self) -> bool {
        matches!(self, ActKind::Answer | ActKind::Steer | ActKind::Approve | ActKind::Reject)
    }

    /// Can it not be taken back? Then it is asked about once more.
    pub fn is_final(self) -> bool {
        match self {
            ActKind::Approve | ActKind::Reject | ActKind::Skip => true,
            ActKind::Land | ActKind::Discard | ActKind::Cancel => true,
            ActKind::Answer | ActKind::Steer | ActKind::Pause | ActKind::Resume => false,
        }
    }
}

/// What of a loop is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    Overview,
    Turn,
    Diff,
    Verdict,
    Journal,
    Prompt,
}

impl Tab {
    pub const ALL: [Tab; 6] = [Tab::Overview, Tab::Turn, Tab::Diff, Tab::Verdict, Tab::Journal, Tab::Prompt];

    pub fn title(self) -> &'static str {
        match self {
            Tab::Overview => "overview",
            Tab::Turn => "turn",
            Tab::Diff => "diff",
            Tab::Verdict => "verdict",
            Tab::Journal => "journal",
            Tab::Prompt => "prompt",
        }
    }

    /// What it shows, and what is said where that is nothing; the overview is made of the model itself.
    pub(crate) fn lines(self, texts: &BoardTexts) -> (&[String], &'static str) {
        match self {
            Tab::Overview => (&[], ""),
            Tab::Turn => (&texts.turn, "No turn has said anything yet."),
            Tab::Diff => (&texts.diff, "Nothing has changed yet."),
            Tab::Verdict => (&texts.verdict, "No judge has spoken yet."),
            Tab::Journal => (&texts.journal, "The journal is empty."),
            Tab::Prompt => (&texts.prompt, "No turn has begun yet."),
        }
    }

    /// Does it grow at its end?
    pub(super) fn is_log(self) -> bool {
        matches!(self, Tab::Turn | Tab::Journal)
    }

    fn place(self) -> usize {
        Tab::ALL.iter().position(|one| *one == self).unwrap_or_default()
    }

    pub(super) fn next(self) -> Tab {
        Tab::ALL[(self.place() + 1) % Tab::ALL.len()]
    }

    pub(super) fn previous(self) -> Tab {
        Tab::ALL[(self.place() + Tab::ALL.len() - 1) % Tab::ALL.len()]
    }

    /// `1` is the first.
    pub(super) fn of_key(key: char) -> Option<Tab> {
        let number = usize::try_from(key.to_digit(10)?).ok()?;
        Tab::ALL.get(number.checked_sub(1)?).copied()
    }
}
