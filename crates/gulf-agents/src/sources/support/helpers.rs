//! Sources beside the product that assert something for tests: `internal/assert`, `shop/testing.py`, `src/test_support.rs`.
//!
//! Such a file lies where products lie, and only what it uses, or how it is called, tells it from one.

use super::super::aware::is_product;
use super::super::scan::first_word;
use super::super::{Language, has_word, is_test_support_path};
use super::{SourceTexts, file_of, names_file, parent_of};

/// Does it use what only tests use, or is it called what tests call their helpers?
pub(super) fn asserts(path: &str, text: &str) -> bool {
    const CALLED: [&str; 15] = [
        "testing", "testutil", "testutils", "testhelper", "testhelpers", "testsupport", "testkit", "assert",
        "asserts", "assertion", "assertions", "expect", "expectations", "matcher", "matchers",
    ];
    let parts: Vec<String> =
        path.split(|letter: char| !letter.is_alphanumeric()).map(str::to_ascii_lowercase).collect();
    let is_pair = |pair: &[String]| {
        pair[0] == "test"
            && ["support", "util", "utils", "helper", "helpers", "kit"].contains(&pair[1].as_str())
    };
    let signs: &[&str] = match Language::from_path(path) {
        Some(Language::Go) => &["\"testing\""],
        Some(Language::Python) => &["AssertionError", "import pytest", "import unittest", "from unittest"],
        Some(Language::Script) => &[
            "node:assert", "node:test", "'assert'", "\"assert\"", "AssertionError", "'chai'", "\"chai\"",
            "vitest", "@jest/", " expect(", "\texpect(",
        ],
        // A macro asserts where it stands.
        Some(Language::Rust) if text.contains("macro_rules!") => &["assert", "panic!"],
        // One of C.
        None if text.contains("#define") => &["assert", "fail", "abort(", "exit("],
        Some(Language::Rust | Language::Java | Language::Ruby) | None => &[],
    };
    parts.iter().any(|part| CALLED.contains(&part.as_str()))
        || parts.windows(2).any(is_pair)
        || signs.iter().any(|sign| text.contains(sign))
}

/// Does it only say what something is, and do nothing?
pub(super) fn is_list(path: &str, text: &str) -> bool {
    const DOING: [&str; 7] = ["def ", "class ", "lambda", "function", "=>", "import ", "require("];
    matches!(Language::from_path(path), Some(Language::Python | Language::Script))
        && !DOING.iter().any(|word| text.contains(word))
}

/// Does a test use a product? Elsewhere than in Python and JavaScript, it need not import what it tests.
pub(super) fn asks_product(test: &str, text: &str, sources: &SourceTexts) -> bool {
    let Some(language) = Language::from_path(test) else { return false };
    let is_one = |path: &str| Language::from_path(path) == Some(language) && is_product(path);
    let is_by_import = matches!(language, Language::Python | Language::Script);
    sources.iter().any(|(path, _)| is_one(path) && (!is_by_import || imports(text, path, language)))
}

/// C's and C++'s, none of which is taken apart.
pub(super) fn is_of_c(path: &str) -> bool {
    [".h", ".hpp", ".c", ".cc", ".cpp", ".cxx"].iter().any(|ending| path.ends_with(ending))
}

fn is_included_by_tests_alone(path: &str, sources: &SourceTexts) -> bool {
    let of_c = sources.iter().filter(|(other, _)| is_of_c(other) && other != path);
    let (tests, product): (Vec<_>, Vec<_>) = of_c.partition(|(other, _)| is_test_support_path(other));
    let is_named = |texts: &[&(String, String)]| texts.iter().any(|(_, text)| names_file(text, path));
    !product.is_empty() && is_named(&tests) && !is_named(&product)
}

/// Do tests import it, and does no product, of which there is some?
pub(super) fn are_used_by_tests_alone(path: &str, sources: &SourceTexts) -> bool {
    let Some(language) = Language::from_path(path) else { return is_included_by_tests_alone(path, sources) };
    let [tests, product] = others(path, language, sources);
    let own = sources.iter().find(|(other, _)| other == path).map_or("", |(_, text)| text);
    let macros = own.split("macro_rules! ").skip(1).map(first_word);
    let calls: Vec<String> = macros.map(|name| format!("{name}!")).collect();
    let is_used = |texts: &[&str]| {
        texts.iter().any(|text| {
            imports(text, path, language) || calls.iter().any(|call| text.contains(call.as_str()))
        })
    };
    !product.is_empty() && is_used(&tests) && !is_used(&product)
}

/// Does any product import it, or is there none?
pub(super) fn are_used_by_products(path: &str, sources: &SourceTexts) -> bool {
    let Some(language) = Language::from_path(path) else { return true };
    let [_, product] = others(path, language, sources);
    product.is_empty() || product.iter().any(|text| imports(text, path, language))
}

/// The texts of all other tests and products in its language.
fn others<'text>(path: &str, language: Language, sources: &'text SourceTexts) -> [Vec<&'text str>; 2] {
    let is_own =
        |other: &str| other == path || (language == Language::Go && parent_of(other) == parent_of(path));
    let (mut tests, mut product) = (Vec::new(), Vec::new());
    let is_read = |other: &str| Language::from_path(other) == Some(language) && !is_own(other);
    for (other, text) in sources.iter().filter(|(other, _)| is_read(other)) {
        if is_product(other) {
            // Tests beside the code are tests.
            let (code, inline) = text.split_once("#[cfg(test)]").unwrap_or((text, ""));
            product.push(code);
            tests.push(inline);
        } else {
            tests.push(text.as_str());
        }
    }
    [tests, product]
}

/// Does this text import the file at that path, by the last part of its name?
fn imports(text: &str, path: &str, language: Language) -> bool {
    let file = file_of(path);
    let stem = file.split('.').next().unwrap_or(file);
    let folder = file_of(parent_of(path));
    let is_of_folder = language == Language::Go || ["index", "__init__", "mod"].contains(&stem);
    let name = if is_of_folder { folder } else { stem };
    let is_named = |line: &str| has_word(line, name);
    !name.is_empty()
        && text.lines().map(str::trim_start).any(|line| match language {
            Language::Go => line.contains(&format!("/{name}\"")),
            Language::Python => (line.starts_with("import ") || line.starts_with("from ")) && is_named(line),
            Language::Script => {
                ["'", "\"", "."].iter().any(|end| line.contains(&format!("/{name}{end}")))
                    && ["import", "require", "export", "from"].iter().any(|word| line.contains(word))
            }
            Language::Rust => {
                line.contains(&format!("{name}::")) || (line.starts_with("use ") && is_named(line))
            }
            Language::Java | Language::Ruby => false,
        })
}
