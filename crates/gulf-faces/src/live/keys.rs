//! What each part of a loop holds: a table, which the help and both faces show.

use gulf_views::BoardTexts;

/// What of a loop is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
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
        self.into()
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
