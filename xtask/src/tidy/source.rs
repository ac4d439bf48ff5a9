//! One parsed Rust file: how long it and its functions are, tests left out; apart, because only this needs syn.

use super::rule::{Rule, Violation};
use super::tree::TreeFile;
use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

pub(super) const FUNCTION_LINES_MAX: usize = 70;
pub(super) const FILE_LINES_MAX: usize = 500;

#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) file: &'a TreeFile,
    pub(super) tokens: TokenStream,
    /// Functions outside tests: name, first line, lines.
    pub(super) functions: Vec<(String, usize, usize)>,
    /// Types, traits and aliases outside tests.
    pub(super) types: Vec<String>,
    /// Lines inside `#[cfg(test)]` items.
    test_lines: usize,
}

impl<'a> Source<'a> {
    pub(super) fn parse(file: &'a TreeFile) -> Result<Self, Violation> {
        let unreadable = |line, error: String| Violation::new(&file.path, line, Rule::Syntax, error);
        let tokens: TokenStream =
            file.text.parse().map_err(|_| unreadable(1, "is not a sequence of Rust tokens".to_owned()))?;
        let syntax: syn::File = syn::parse2(tokens.clone())
            .map_err(|error| unreadable(error.span().start().line.max(1), error.to_string()))?;
        let mut walk = Walk { functions: Vec::new(), types: Vec::new(), test_lines: 0 };
        walk.visit_file(&syntax);
        let Walk { functions, types, test_lines } = walk;
        Ok(Self { file, tokens, functions, types, test_lines })
    }

    /// Lines that are not tests.
    pub(super) fn product_lines(&self) -> usize {
        if self.file.is_test() { 0 } else { self.file.text.lines().count().saturating_sub(self.test_lines) }
    }
}

/// Lines that hold code: a sentence on why something is so must not cost what it explains.
pub(super) fn lines_of_code(source: &Source<'_>) -> usize {
    if source.file.is_test() {
        return 0;
    }
    let lines = source.file.text.lines().map(str::trim);
    let code = lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    code.saturating_sub(source.test_lines)
}

/// What is over a limit, with the number that an exception would have to allow.
#[derive(Debug)]
pub(super) struct Overlong {
    pub(super) violation: Violation,
    /// `path` for a file, `path::function` for a function.
    pub(super) subject: String,
    pub(super) lines: usize,
}

pub(super) fn check_lengths(source: &Source<'_>) -> Vec<Overlong> {
    if source.file.is_test() {
        return Vec::new();
    }
    let path = &source.file.path;
    let mut found = Vec::new();
    let lines = source.product_lines();
    if lines > FILE_LINES_MAX {
        let message = format!("{lines} lines without tests, at most {FILE_LINES_MAX}");
        let violation = Violation::new(path, 1, Rule::FileLength, message);
        found.push(Overlong { violation, subject: path.clone(), lines });
    }
    for (name, first, lines) in source.functions.iter().filter(|(_, _, lines)| *lines > FUNCTION_LINES_MAX) {
        let message = format!("`{name}` has {lines} lines, at most {FUNCTION_LINES_MAX}");
        let violation = Violation::new(path, *first, Rule::FunctionLength, message);
        found.push(Overlong { violation, subject: format!("{path}::{name}"), lines: *lines });
    }
    found
}

pub(super) fn check_module_doc(source: &Source<'_>) -> Option<Violation> {
    let first = source.file.text.lines().next().unwrap_or_default();
    let documented = first.strip_prefix("//!").is_some_and(|text| !text.trim().is_empty());
    (!documented).then(|| {
        Violation::new(&source.file.path, 1, Rule::ModuleDoc, "the first line must be `//!` with a sentence")
    })
}

struct Walk {
    functions: Vec<(String, usize, usize)>,
    types: Vec<String>,
    test_lines: usize,
}

impl Walk {
    /// Counts an item's lines as test lines when it exists only in tests, and says whether it does.
    fn leaves_out(&mut self, attributes: &[syn::Attribute], span: Span) -> bool {
        let test_only = attributes.iter().any(is_test_only);
        if test_only {
            self.test_lines += lines(span);
        }
        test_only
    }

    fn name(&mut self, attributes: &[syn::Attribute], name: &syn::Ident) {
        if !attributes.iter().any(is_test_only) {
            self.types.push(name.to_string());
        }
    }

    fn record(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let (first, last) = (signature.span().start().line, block.span().end().line);
        self.functions.push((signature.ident.to_string(), first, last + 1 - first));
    }
}

impl<'ast> Visit<'ast> for Walk {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !self.leaves_out(&item.attrs, item.span()) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !self.leaves_out(&item.attrs, item.span()) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !self.leaves_out(&item.attrs, item.span()) {
            self.record(&item.sig, &item.block);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !self.leaves_out(&item.attrs, item.span()) {
            self.record(&item.sig, &item.block);
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.name(&item.attrs, &item.ident);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.name(&item.attrs, &item.ident);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.name(&item.attrs, &item.ident);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.name(&item.attrs, &item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.record(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

/// `#[cfg(test)]` and `#[cfg(all(test, …))]`; not `any(test, …)`, which a product may contain.
fn is_test_only(attribute: &syn::Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else { return false };
    let condition = list.tokens.to_string().replace(' ', "");
    list.path.is_ident("cfg") && (condition == "test" || condition.starts_with("all(test,"))
}

fn lines(span: Span) -> usize {
    span.end().line + 1 - span.start().line
}
