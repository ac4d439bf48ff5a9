//! The list of rules, each with its reason: the one page to read before arguing with tidy.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Edge,
    SharedManifest,
    DependencyReason,
    LockSize,
    FunctionLength,
    FileLength,
    Exception,
    CrateSize,
    ImportCircle,
    SharedName,
    VagueName,
    EngineNoStd,
    MapLength,
    FileWeight,
    ModuleDoc,
    Syntax,
    IgnoredTest,
    Sleep,
    Leftover,
    Unfinished,
    Korean,
}

impl Rule {
    pub(super) fn name(self) -> &'static str {
        self.text().0
    }

    pub(super) fn reason(self) -> &'static str {
        self.text().1
    }

    fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::Edge => ("edge", "a crate exists to make an import impossible"),
            Self::SharedManifest => {
                ("shared-manifest", "versions and lints are decided once, for all crates")
            }
            Self::DependencyReason => ("dependency-reason", "a dependency that saves nothing is only a risk"),
            Self::LockSize => ("lock-size", "dependencies are a budget: somebody must be able to read them"),
            Self::FunctionLength => {
                ("function-length", "a function that does not fit a screen does two things")
            }
            Self::FileLength => ("file-length", "a file is read whole, or it hides things"),
            Self::Exception => ("exception", "the list of exceptions is a ratchet: it only shrinks"),
            Self::CrateSize => (
                "crate-size",
                "the house must be small enough to be known; a larger one is argued for in ARCHITECTURE.md",
            ),
            Self::ImportCircle => {
                ("import-circle", "modules that import each other can only be understood together")
            }
            Self::SharedName => {
                ("shared-name", "one word, one meaning: of two types of one name one is wrong")
            }
            Self::VagueName => {
                ("vague-name", "a call that has to be looked up makes its reader read two functions")
            }
            Self::EngineNoStd => ("engine-no-std", "an engine without std cannot perform I/O"),
            Self::MapLength => ("map-length", "a map as large as the land is no map"),
            Self::FileWeight => ("file-weight", "git keeps every large file for ever, in every clone"),
            Self::ModuleDoc => ("module-doc", "the first line says what a file does and why it stands apart"),
            Self::Syntax => ("syntax", "a file that does not parse cannot be checked"),
            Self::IgnoredTest => {
                ("ignored-test", "a test that is not run guards nothing and looks as if it did")
            }
            Self::Sleep => (
                "sleep",
                "a sleep is too short on a slow machine and too long on a fast one: wait for the event",
            ),
            Self::Leftover => ("leftover", "a person's loop must not meet our scaffolding, on any platform"),
            Self::Unfinished => {
                ("unfinished", "work that is left belongs in an issue, where somebody sees it")
            }
            Self::Korean => (
                "korean",
                "half a screen in another language is worse than none: say it in korean.toml, or in elsewhere.txt that \
                 no Korean screen shows it",
            ),
        }
    }
}

/// One place that breaks one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Violation {
    pub(super) path: String,
    /// From 1; 1 also where the whole file is meant.
    pub(super) line: usize,
    pub(super) rule: Rule,
    pub(super) message: String,
}

impl Violation {
    pub(super) fn new(path: &str, line: usize, rule: Rule, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, rule, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}: {}", self.path, self.line, self.rule.name(), self.message)
    }
}
