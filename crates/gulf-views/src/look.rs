//! How something is shown: colours that have a meaning, and how wide. A view says what a text means, and the palette picks
//! the colour.

use crate::language::ScreenLanguage;
use anstyle::{AnsiColor, Style};
use serde::Serialize;

/// With or without ANSI colours; `NO_COLOR` and pipes are the caller's business.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// Text alone.
    #[default]
    Plain,
    /// The sixteen ANSI colours, as the person's terminal defines them.
    Colour,
}

/// Where a view is shown.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub palette: Palette,
    /// No line gets wider, except for a command that a person is to copy.
    pub columns_max: u16,
    pub language: ScreenLanguage,
    /// Takes out what is secret, before a line's end can part a name from its value.
    pub mask: fn(&str) -> std::borrow::Cow<'_, str>,
}

impl Look {
    /// For a pipe or a file: plain, and never cut at a terminal's edge.
    pub fn piped() -> Look {
        Look::terminal(Palette::Plain, u16::MAX)
    }

    /// For a terminal of this width.
    pub const fn terminal(palette: Palette, columns_max: u16) -> Look {
        Look { palette, columns_max, language: ScreenLanguage::English, mask: |text| text.into() }
    }

    /// The same for somebody who reads this language.
    #[must_use]
    pub const fn in_language(self, language: ScreenLanguage) -> Look {
        Look { language, ..self }
    }

    /// What is left of the line beside an indent.
    pub(crate) fn narrower(self, indent: usize) -> Look {
        let indent = u16::try_from(indent).unwrap_or(u16::MAX);
        Look { columns_max: self.columns_max.saturating_sub(indent), ..self }
    }

    /// At least one column, whatever a terminal says of itself.
    pub(crate) fn columns(self) -> usize {
        usize::from(self.columns_max.max(1))
    }
}

/// What a piece of text means (house style: colour only has meaning).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// Nothing in particular.
    Plain,
    /// Verified, passed.
    Verified,
    /// Failed, refused.
    Failed,
    /// A person should look.
    Attention,
    /// To be copied as it stands, or a hint.
    Literal,
    /// Less important than its surroundings.
    Secondary,
}

impl Tone {
    /// The text in this tone.
    pub fn paint(self, text: &str, palette: Palette) -> String {
        match palette {
            Palette::Plain => text.to_owned(),
            Palette::Colour if self == Tone::Plain || text.is_empty() => text.to_owned(),
            Palette::Colour => {
                let style = self.style();
                format!("{style}{text}{style:#}")
            }
        }
    }

    fn style(self) -> Style {
        match self {
            Tone::Plain => Style::new(),
            Tone::Verified => AnsiColor::Green.on_default(),
            Tone::Failed => AnsiColor::Red.on_default(),
            Tone::Attention => AnsiColor::Yellow.on_default(),
            Tone::Literal => AnsiColor::Cyan.on_default(),
            Tone::Secondary => Style::new().dimmed(),
        }
    }
}
