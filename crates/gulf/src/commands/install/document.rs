//! A file of settings as its owner wrote it: comments, commas and blanks stay, and what is not understood has a place.
//!
//! It stands apart because nothing may be changed in a file whose form is guessed: each reading here either finds what
//! it expects or says where it found something else.

use gulf_spec::problem::{Located, Problem};
use gulf_spec::text::{Source, Span};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstContainerNode, CstLeafNode, CstNode, CstObject, CstRootNode};
use jsonc_parser::errors::ParseError;
use jsonc_parser::json;

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
pub(super) struct Document {
    source: Source,
    root: CstRootNode,
}

/// What does not fit.
#[derive(Debug, thiserror::Error)]
pub(super) enum Misfit {
    #[error("this is not JSON: {reason}")]
    Syntax { reason: String },
    #[error("{what} should be {wanted}, and is {found}")]
    Kind { what: String, wanted: &'static str, found: &'static str },
    #[error("{what} is there twice")]
    Twice { what: String },
}

/// A refusal to touch the file, with the place in it.
pub(super) type EditRefused = Box<Located<Misfit>>;

impl Problem for Misfit {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Misfit::Syntax { .. } => "fix it, then run the same command again",
            Misfit::Kind { .. } => "fix this by hand: gulf does not guess what was meant",
            Misfit::Twice { .. } => "remove the one that is not meant: which of them is in force is a guess",
        };
        Some(hint.to_owned())
    }
}

impl Document {
    /// Reads a text; an empty one is an empty object.
    pub(super) fn parse(name: &str, text: &str) -> Result<Document, EditRefused> {
        let source = Source::new(name, text);
        let root = CstRootNode::parse(text, &FORM).map_err(|error| syntax(&source, &error))?;
        if root.value().is_none() {
            root.set_value(json!({}));
        }
        Ok(Document { source, root })
    }

    /// The text as it is now.
    pub(super) fn text(&self) -> String {
        self.root.to_string()
    }

    /// The object that everything stands in.
    pub(super) fn top(&self) -> Result<CstObject, EditRefused> {
        match self.root.value() {
            Some(value) => self.object(&value, "the whole file"),
            None => Ok(self.root.object_value_or_set()),
        }
    }

    /// The value of a key, which may stand there once.
    pub(super) fn member(&self, object: &CstObject, key: &str) -> Result<Option<CstNode>, EditRefused> {
        let named = |name: Option<String>| name.as_deref() == Some(key);
        let mut found = object.properties().into_iter().filter(|property| named(property.decoded_name()));
        let first = found.next();
        if let Some(second) = found.next() {
            return Err(self.refuse(&second.into(), Misfit::Twice { what: format!("\"{key}\"") }));
        }
        Ok(first.and_then(|property| property.value()))
    }

    pub(super) fn object(&self, node: &CstNode, what: &str) -> Result<CstObject, EditRefused> {
        node.as_object().ok_or_else(|| self.misfit(node, what, "an object"))
    }

    pub(super) fn array(&self, node: &CstNode, what: &str) -> Result<CstArray, EditRefused> {
        node.as_array().ok_or_else(|| self.misfit(node, what, "an array"))
    }

    fn misfit(&self, node: &CstNode, what: &str, wanted: &'static str) -> EditRefused {
        self.refuse(node, Misfit::Kind { what: what.to_owned(), wanted, found: kind(node) })
    }

    fn refuse(&self, node: &CstNode, problem: Misfit) -> EditRefused {
        let start = offset(node);
        let span = Span { start, end: start + node.to_string().len() };
        Box::new(Located { problem, source: self.source.clone(), span })
    }
}

fn syntax(source: &Source, error: &ParseError) -> EditRefused {
    let (range, reason) = (error.range(), error.kind().to_string());
    let span = Span { start: range.start, end: range.end };
    Box::new(Located { problem: Misfit::Syntax { reason }, source: source.clone(), span })
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
