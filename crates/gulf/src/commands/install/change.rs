//! Files as they were read and as they shall be: shown as a difference, or written whole.
//!
//! Everything is decided before the first byte is written, and a file that somebody else has changed meanwhile is
//! left to them.

use std::fmt::Write as _;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, ByteOrderMark, Durability, WriteError};
use gulf_spec::problem::{Located, Mistake};
use gulf_spec::text::{Source, Span};
use jsonc_parser::cst::{CstArray, CstContainerNode, CstLeafNode, CstNode, CstObject, CstRootNode};
use jsonc_parser::errors::ParseError;
use jsonc_parser::{ParseOptions, json};
use similar::TextDiff;

use crate::failure::{Failure, Result};

/// People's settings are far smaller.
const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Unchanged lines around a change.
const CONTEXT_LINES: usize = 3;

/// A file that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Present {
    /// The file itself, where its name is a link.
    pub target: Utf8PathBuf,
    pub text: String,
    mark: ByteOrderMark,
}

/// What becomes of one file.
#[derive(Debug)]
pub struct Change {
    path: Utf8PathBuf,
    before: Option<Present>,
    /// `None` where it goes.
    after: Option<String>,
}

impl Present {
    /// `None` where nothing is. A link is followed, so that the file it names is the one that is written; one that leads
    /// nowhere is refused.
    pub fn read(path: &Utf8Path) -> Result<Option<Present>> {
        if fs::symlink_metadata(path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            return Ok(None);
        }
        let target = path.canonicalize_utf8().map_err(|source| {
            let message = format!("{path} is a link that leads nowhere, or cannot be followed: {source}");
            Failure::usage(message, "look where it leads")
        })?;
        // What cannot be read is refused like what cannot be understood.
        let text = files::read_text(&target, FILE_BYTES_MAX).map_err(|error| Failure::refused(&error))?;
        Ok(Some(Present { target, text: text.content, mark: text.byte_order_mark }))
    }

    /// Every byte of it.
    pub fn whole(&self) -> String {
        match self.mark {
            ByteOrderMark::Stripped => format!("\u{feff}{}", self.text),
            ByteOrderMark::Absent => self.text.clone(),
        }
    }
}

impl Change {
    /// `None` where the file is already as it shall be.
    pub fn new(path: Utf8PathBuf, before: Option<Present>, after: Option<String>) -> Option<Change> {
        let is_same = before.as_ref().map(|present| &present.text) == after.as_ref();
        (!is_same).then_some(Change { path, before, after })
    }

    /// As `diff -u` shows it.
    pub fn difference(&self) -> String {
        let before = self.before.as_ref().map_or("", |present| present.text.as_str());
        let after = self.after.as_deref().unwrap_or_default();
        let name = |is_there: bool| if is_there { self.path.as_str() } else { "/dev/null" };
        let (old, new) = (name(self.before.is_some()), name(self.after.is_some()));
        let diff = TextDiff::from_lines(before, after);
        diff.unified_diff().context_radius(CONTEXT_LINES).header(old, new).to_string()
    }

    /// What was done, in a line.
    pub fn describe(&self) -> String {
        let word = match (&self.before, &self.after) {
            (None, _) => "written",
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "removed",
        };
        let mut line = format!("{word} {}", self.path);
        if let Some(present) = self.before.as_ref().filter(|present| present.target != self.path) {
            let _ = write!(line, ", which is {}", present.target);
        }
        line
    }

    /// Writes it, unless somebody else did. Below the host's folder nothing empty stays.
    pub fn apply(&self, host_folder: &Utf8Path) -> Result<()> {
        if Present::read(&self.path)? != self.before {
            let message = format!("{} was changed by another program meanwhile", self.path);
            return Err(Failure::usage(message, "run the same command again"));
        }
        let Some(after) = &self.after else { return self.remove(host_folder) };
        let written = if let Some(present) = &self.before {
            let whole = Present { text: after.clone(), ..present.clone() }.whole();
            files::replace(&present.target, whole.as_bytes(), Durability::Synced)
        } else {
            files::create_private_directories(self.path.parent().unwrap_or(host_folder), Durability::Synced)
                .and_then(|()| files::create_new(&self.path, after.as_bytes(), Durability::Synced))
        };
        written.map_err(|error| Failure::refused(&error))
    }

    /// The file, and its folder if nothing else is in it.
    fn remove(&self, host_folder: &Utf8Path) -> Result<()> {
        fs::remove_file(&self.path).map_err(|source| {
            Failure::refused(&WriteError::Failed { path: self.path.clone(), action: "remove", source })
        })?;
        if let Some(folder) = self.path.parent().filter(|folder| *folder != host_folder) {
            // A folder with something in it stays.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }
}

// A file of settings as its owner wrote it: comments, commas and blanks stay, and what is not understood has a place.

/// JSON with comments and trailing commas: what editors write. Everything looser is somebody's mistake.
const FORM: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A text that can be edited in place.
#[derive(Debug)]
pub struct Document {
    source: Source,
    root: CstRootNode,
}

/// A refusal to touch the file: what does not fit, and the place in it.
pub type EditRefused = Box<Located<Mistake>>;

impl Document {
    /// Reads a text; an empty one is an empty object.
    pub fn parse(name: &str, text: &str) -> Result<Document, EditRefused> {
        let source = Source::new(name, text);
        let root = CstRootNode::parse(text, &FORM).map_err(|error| syntax(&source, &error))?;
        if root.value().is_none() {
            root.set_value(json!({}));
        }
        Ok(Document { source, root })
    }

    /// The text as it is now.
    pub fn text(&self) -> String {
        self.root.to_string()
    }

    /// The object that everything stands in.
    pub fn top(&self) -> Result<CstObject, EditRefused> {
        match self.root.value() {
            Some(value) => self.object(&value, "the whole file"),
            None => Ok(self.root.object_value_or_set()),
        }
    }

    /// The value of a key, which may stand there once.
    pub fn member(&self, object: &CstObject, key: &str) -> Result<Option<CstNode>, EditRefused> {
        let named = |name: Option<String>| name.as_deref() == Some(key);
        let mut found = object.properties().into_iter().filter(|property| named(property.decoded_name()));
        let first = found.next();
        if let Some(second) = found.next() {
            let hint = "remove the one that is not meant: which of them is in force is a guess";
            return Err(self.refuse(&second.into(), format!("\"{key}\" is there twice"), hint));
        }
        Ok(first.and_then(|property| property.value()))
    }

    pub fn object(&self, node: &CstNode, what: &str) -> Result<CstObject, EditRefused> {
        node.as_object().ok_or_else(|| self.misfit(node, what, "an object"))
    }

    pub fn array(&self, node: &CstNode, what: &str) -> Result<CstArray, EditRefused> {
        node.as_array().ok_or_else(|| self.misfit(node, what, "an array"))
    }

    fn misfit(&self, node: &CstNode, what: &str, wanted: &str) -> EditRefused {
        let what = format!("{what} should be {wanted}, and is {}", kind(node));
        self.refuse(node, what, "fix this by hand: gulf does not guess what was meant")
    }

    fn refuse(&self, node: &CstNode, what: String, hint: &'static str) -> EditRefused {
        let start = offset(node);
        let span = Span { start, end: start + node.to_string().len() };
        Box::new(Located { problem: Mistake::error(what, hint), source: self.source.clone(), span })
    }
}

fn syntax(source: &Source, error: &ParseError) -> EditRefused {
    let (range, what) = (error.range(), format!("this is not JSON: {}", error.kind()));
    let span = Span { start: range.start, end: range.end };
    let problem = Mistake::error(what, "fix it, then run the same command again");
    Box::new(Located { problem, source: source.clone(), span })
}

/// Where a node begins: as long as everything before it.
fn offset(node: &CstNode) -> usize {
    let before: usize = node.previous_siblings().map(|sibling| sibling.to_string().len()).sum();
    before + node.parent().map_or(0, |parent| offset(&CstNode::Container(parent)))
}

fn kind(node: &CstNode) -> &'static str {
    match node {
        CstNode::Container(CstContainerNode::Object(_)) => "an object",
        CstNode::Container(CstContainerNode::Array(_)) => "an array",
        CstNode::Leaf(CstLeafNode::StringLit(_)) => "a string",
        CstNode::Leaf(CstLeafNode::NumberLit(_)) => "a number",
        CstNode::Leaf(CstLeafNode::BooleanLit(_)) => "true or false",
        CstNode::Leaf(CstLeafNode::NullKeyword(_)) => "null",
        CstNode::Container(_) | CstNode::Leaf(_) => "something else",
    }
}
