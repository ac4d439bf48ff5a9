//! The functions of a shell's library, of which a check may be made, and which may be what it checks.

use std::collections::{BTreeMap, BTreeSet};

use super::Changed;
use crate::patterns::form;
use crate::sources::places_of;

/// A library's functions by name, and what else it has, by line.
struct Library<'text> {
    functions: BTreeMap<&'text str, &'text str>,
    others: Vec<&'text str>,
}

/// The functions in which the library differs from the base's, where nothing else does and they leave the scripts alone that
/// take it in: they end nothing, take no command's place and set nothing that a script sets itself (`failures=1`).
pub fn changed_functions<'text>(
    file: &'text Changed,
    scripts: &[String],
    is_command: impl Fn(&str) -> bool,
) -> Option<Vec<&'text str>> {
    const RULING: [&str; 16] = [
        "alias", "builtin", "enable", "eval", "exec", "exit", "export", "function", "hash", "kill", "PATH",
        "shopt", "source", "trap", "unalias", "unset",
    ];
    let [base, now] = file.whole_texts()?;
    let (old, new) = (Library::read(base)?, Library::read(now)?);
    let set = scripts.iter().flat_map(|text| text.split_whitespace()).filter_map(|word| word.split_once('='));
    let set = set.map(|(name, _)| name.trim_end_matches('+')).filter(|name| !name.is_empty());
    let set: BTreeSet<&str> = set.collect();
    let is_ruling = |word: &str| RULING.contains(&word) || set.contains(word);
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let rules = |line: &str| {
        let own = line.trim_start();
        let defines = own.len() < line.len() && own.contains("()");
        let sets = own.starts_with("set ") && !own.starts_with("set -- ");
        line.split(|letter| !is_word(letter)).any(is_ruling) || defines || sets || own.starts_with(". ")
    };
    let is_taken = |name: &str| {
        let stands = |text: &String| text.split(|letter| !is_word(letter)).any(|word| word == name);
        let is_defined = |text: &String| function_names(text).any(|other| other == name);
        scripts.iter().any(is_defined) || (is_command(name) && scripts.iter().any(stands))
    };
    // `assert_eq "$(slug "a b")" a-b` is given what others gave: it checks.
    let checks = |name: &str| {
        let mut lines = scripts.iter().flat_map(|text| text.lines());
        lines.any(|line| {
            let is_command = |before: &str| {
                const KEYWORDS: [&str; 7] = ["if", "then", "elif", "else", "while", "until", "do"];
                let last = before.split_whitespace().next_back();
                last.is_none_or(|last| last.ends_with([';', '&', '|', '!', '{']) || KEYWORDS.contains(&last))
            };
            places_of(line, name).any(|at| is_command(&line[..at]) && line[at..].contains('$'))
        })
    };
    let apart = |one: &'text str, other: &'text str| {
        let code = one.lines().filter(|line| !line.trim_start().starts_with('#'));
        code.filter(|line| other.lines().all(|own| own != *line))
    };
    let is_ruled = apart(now, base).chain(apart(base, now)).any(|line| {
        let is_head = function_name(line).is_some();
        rules(if is_head { line.split_once('{').map_or("", |(_, own)| own) } else { line })
    });
    let is_same_beside = old.statements().eq(new.statements());
    let is_whole = old.functions.keys().all(|name| new.functions.contains_key(name));
    let differing = new.functions.iter().filter(|(name, own)| old.functions.get(*name) != Some(*own));
    let names: Vec<&str> = differing.map(|(name, _)| *name).collect();
    let is_free =
        names.iter().all(|name| !checks(name) && (old.functions.contains_key(name) || !is_taken(name)));
    (!names.is_empty() && is_same_beside && is_whole && is_free && !is_ruled).then_some(names)
}

impl<'text> Library<'text> {
    /// None where a function stands there twice, or has no end.
    fn read(text: &'text str) -> Option<Self> {
        let (mut functions, mut others) = (BTreeMap::new(), Vec::new());
        let mut at = 0;
        while at < text.len() {
            let line = text[at..].split_inclusive('\n').next().unwrap_or_default();
            let Some(name) = function_name(line) else {
                others.push(line);
                at += line.len();
                continue;
            };
            let mut is_over = false;
            let own = text[at..].split_inclusive('\n').take_while(|own| {
                let goes_on = !is_over;
                is_over |= own.trim_end() == "}" || (*own == line && line.trim_end().ends_with('}'));
                goes_on
            });
            let length: usize = own.map(str::len).sum();
            let function = &text[at..at + length];
            if !function.trim_end().ends_with('}') || functions.insert(name, function).is_some() {
                return None;
            }
            at += length;
        }
        Some(Self { functions, others })
    }

    /// What is no function, no comment and no blank.
    fn statements(&self) -> impl Iterator<Item = &'text str> {
        let lines = self.others.iter().map(|line| line.trim_end());
        lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
    }
}

fn function_names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| function_name(line.trim_start()))
}

/// `name() {`, `function name {`, at the left margin.
fn function_name(line: &str) -> Option<&str> {
    let form = form!(r"^(?:function[ \t]+([A-Za-z0-9_]+)[ \t]*(?:\(\))?|([A-Za-z0-9_]+)[ \t]*\(\))[ \t]*\{");
    let found = form.captures(line)?;
    found.get(1).or_else(|| found.get(2)).map(|name| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "# Texts.\nset -u\n\nslug() {\n    printf '%s' \"$1\" | tr ' ' -\n}\n\nfunction twice { echo \"$1$1\"; }\nSEEN=1\n";
    const SCRIPT: &str = ". ./texts.sh\nfailures=0\nexpect() {\n  [ \"$1\" = \"$2\" ] || failures=1\n}\nexpect \"$(slug a)\" a\n";

    #[track_caller]
    fn check(from: &str, to: &str, expected: bool) {
        assert!(BASE.contains(from), "{from}");
        let bytes = |text: &str| Some(text.as_bytes().to_vec());
        let file = Changed { base: bytes(BASE), candidate: bytes(&BASE.replace(from, to)) };
        let found = changed_functions(&file, &[SCRIPT.to_owned()], |name| name == "test");
        assert_eq!(found.is_some(), expected, "{to}");
    }

    #[test]
    fn functions_that_leave_their_callers_alone_are_changed_alone() {
        check("tr ' ' -", "tr ' A' -a", true);
        check("$1$1", "$1 $1", true);
        check("    printf", "    files=$1\n    set -- a b\n    printf", true);
        check("SEEN=1\n", "SEEN=1\n\n# Three.\nthrice() {\n    twice \"$1\"\n}\n", true);
    }

    #[test]
    fn those_that_end_something_or_take_what_is_the_scripts_own_are_not() {
        for body in [
            "exit 0", "trap 'exit 0' EXIT", "failures=0", "expect() { :; }", "set -n", ". ./more.sh",
            "unset -f x",
        ] {
            check("    printf", &format!("    {body}\n    printf"), false);
        }
        check("SEEN=1\n", "SEEN=1\nexpect() {\n    :\n}\n", false);
        check("SEEN=1\n", "SEEN=1\ntest() {\n    :\n}\n", true);
        check("function twice { echo \"$1$1\"; }\n", "function twice { echo \"$1\"; }\n", true);
        let bytes = |text: &str| Some(text.as_bytes().to_vec());
        for (base, now) in [
            ("is() {\n    [ \"$1\" = \"$2\" ]\n}\n", "is() {\n    true\n}\n"),
            ("die() {\n    echo \"$1\"\n    exit 1\n}\n", "die() {\n    echo \"$1\"\n}\n"),
        ] {
            let file = Changed { base: bytes(base), candidate: bytes(now) };
            let script = "is \"$(slug a)\" a || die \"wrong\"\n".to_owned();
            assert_eq!(changed_functions(&file, &[script], |_| false), None, "{now}");
        }
    }

    #[test]
    fn what_is_no_function_stays_as_it_is() {
        check("SEEN=1", "SEEN=2", false);
        check("SEEN=1\n", "SEEN=1\nexit 0\n", false);
        check("slug() {", "slug() {\n    :\n}\nslug() {", false);
        check("function twice { echo \"$1$1\"; }\n", "", false);
        check("-\n}\n", "-\n", false);
        check("-\n}\n", "-\n}\nfailed=0\n}\n", false);
        check("# Texts.", "# Words.", false);
    }
}
