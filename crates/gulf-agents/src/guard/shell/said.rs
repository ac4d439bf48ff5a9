//! What a command says on its output, where that can be told from its words.
//!
//! It stands apart because it is the one way in which what one command says becomes what another one does: through a
//! pipe, or through `$(…)`.

use std::borrow::Cow;

use super::expand;
use super::tree::{Body, Command};
use super::{Rc, Shell};
use crate::guard::ground;
use crate::guard::programs::{find, options::Options};
use crate::guard::value::Value;

/// Output of a command.
#[derive(Clone, Debug)]
pub(in crate::guard) enum Said {
    Words(Vec<Value>),
    Text(String),
}

impl Said {
    /// As a script or as a file would be read.
    pub(in crate::guard) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Words(words) => {
                let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
                Cow::Owned(words.join(" "))
            }
        }
    }

    /// As `xargs` would read it.
    pub(in crate::guard) fn words(&self) -> Vec<Value> {
        match self {
            Self::Text(text) => text.split_whitespace().map(Value::literal).collect(),
            Self::Words(words) => expand::split(words),
        }
    }
}

impl Shell<'_> {
    /// What this command says; nothing where that is unknown.
    pub(super) fn said(&mut self, command: &Command<'_>, bodies: &[Body<'_>]) -> Option<Rc<Said>> {
        let arguments = self.arguments(command);
        let (program, rest) = arguments.split_first()?;
        let words = match program.text.as_str() {
            "echo" => {
                let options =
                    rest.iter().take_while(|word| matches!(word.text.as_str(), "-n" | "-e" | "-ne" | "-en"));
                let words = &rest[options.count()..];
                unescaped(words)
            }
            "printf" => unescaped(rest),
            "pwd" => vec![Value::literal(ground::text(self.folder.as_ref()?))],
            "ls" => match Options::of(rest, &[]).operands.as_slice() {
                [] => {
                    let mut all = Value::default();
                    all.push_bare("*");
                    vec![all]
                }
                operands => operands.iter().copied().cloned().collect(),
            },
            "realpath" | "readlink" => Options::of(rest, &[]).operands.into_iter().cloned().collect(),
            "git" => self.said_by_git(rest)?,
            "find" => find::selected(self, rest),
            "cat" | "sort" | "uniq" | "head" | "tail" | "grep" | "tr" | "tee" => {
                let is_alone =
                    matches!(program.text.as_str(), "cat") && rest.iter().any(|word| word.text != "-");
                return if is_alone { None } else { self.stdin(command, bodies) };
            }
            _ => return None,
        };
        Some(Rc::new(Said::Words(words)))
    }

    fn said_by_git(&self, rest: &[Value]) -> Option<Vec<Value>> {
        let (subcommand, rest) = rest.split_first()?;
        match subcommand.text.as_str() {
            "rev-parse" if rest.iter().any(|word| word.text == "--show-toplevel") => {
                Some(vec![Value::literal(ground::text(self.ground.project()?))])
            }
            "ls-files" => {
                let operands = Options::of(rest, &[]).operands;
                Some(operands.into_iter().map(Value::as_pattern).collect())
            }
            _ => None,
        }
    }
}

/// `\n` and `\0` part words where `printf` reads them.
fn unescaped(words: &[Value]) -> Vec<Value> {
    let mut pieces = Vec::new();
    for word in words {
        if word.text.contains("\\n") || word.text.contains("\\0") {
            let text = word.text.replace("\\0", "\\n");
            pieces.extend(text.split("\\n").filter(|piece| !piece.is_empty()).map(Value::literal));
        } else {
            pieces.push(word.clone());
        }
    }
    pieces
}
