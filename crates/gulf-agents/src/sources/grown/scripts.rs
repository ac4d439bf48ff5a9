//! A shell's script of tests, or a makefile, that only asks more.

use super::Changed;
use crate::patterns::{form, parts};
use crate::sources::scan::indent_of;

/// Does this script do all that it did, and besides only call functions of its own where it called them before, run new files
/// as it runs others, loop over more words, or name new files where it lists others (`TESTS = small large`)?
///
/// What is new is a file's path, or a name that only new files bear; `is_old` is such a name of the base's.
pub fn is_grown_script(file: &Changed, is_new: &dyn Fn(&str) -> bool, is_old: &dyn Fn(&str) -> bool) -> bool {
    let Some([base, now]) = file.whole_texts() else { return false };
    // What stands in a document within the script is no command.
    if base == now || base.contains("<<") || now.contains("<<") {
        return false;
    }
    let mut old = lines(base).peekable();
    let (mut last_called, mut last) = (None, "");
    for (line, begins) in lines(now) {
        let function = begins.then(|| called(line, base)).flatten();
        let asks_more = |like: &str| {
            function.is_some() && function == last_called || begins && runs_like(like, line, is_new)
        };
        let is_kept = |one: &str| {
            one == line || loops_over_more(one, line) || begins && lists_more(one, line, is_new, is_old)
        };
        if old.peek().is_some_and(|(one, _)| is_kept(one)) {
            old.next();
        } else if !asks_more(last) || !is_plain(line) {
            return false;
        }
        if begins && !line.trim().is_empty() {
            (last_called, last) = (function, line);
        }
    }
    old.next().is_none()
}

/// Does it run a new file as the line before runs another?
fn runs_like(before: &str, line: &str, is_new_file: &dyn Fn(&str) -> bool) -> bool {
    let (old, new) = (before.split_whitespace(), line.split_whitespace());
    let mut other = old.clone().zip(new.clone()).filter(|(old, new)| old != new).map(|(_, new)| new);
    let is_other = other.next().is_some_and(|word| is_new_file(word.trim_start_matches("./")));
    is_other && other.next().is_none() && old.count() == new.count() && indent_of(before) == indent_of(line)
}

/// Each line, and whether it begins a command: what stands within quotation marks does not.
fn lines(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut quote = None;
    text.lines().map(move |text| {
        let begins = quote.is_none();
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match (letter, quote) {
                ('\\', None | Some('"')) => drop(letters.next()),
                ('#', None) => break,
                ('"' | '\'', None) => quote = Some(letter),
                _ if quote == Some(letter) => quote = None,
                _ => {}
            }
        }
        (text, begins)
    })
}

/// The function of the base's script that a line calls, at the left margin.
fn called<'text>(line: &'text str, base: &str) -> Option<&'text str> {
    let word = line.split(' ').next().filter(|word| !word.is_empty())?;
    let is_name = word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let defines =
        |line: &str| line.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with("()"));
    (is_name && base.lines().any(defines)).then_some(word)
}

/// A command of words alone, whole on its line.
fn is_plain(line: &str) -> bool {
    form!(r##"^(?:[^;&|$`<>(){}*?\[\]~!#\\"']|"[^"$`\\]*"|'[^']*')*$"##).is_match(line)
}

/// `TESTS = small large` with the names of new files.
fn lists_more(old: &str, new: &str, is_new: &dyn Fn(&str) -> bool, is_old: &dyn Fn(&str) -> bool) -> bool {
    let listed = old.split_once('=').map_or("", |(_, listed)| listed.trim());
    let more = new.strip_prefix(old.trim_end()).filter(|more| more.starts_with(' '));
    !listed.is_empty()
        && listed.split_whitespace().all(is_old)
        && more.is_some_and(|more| more.split_whitespace().all(is_new))
}

/// `for name in small large; do` with further plain words.
fn loops_over_more(old: &str, new: &str) -> bool {
    let read = |line| parts(form!(r"^([ \t]*@*for .*?) in [ \t]*(.*?)[ \t]*;(.*)$"), line);
    let (Some([head, words, rest]), Some(new)) = (read(old), read(new)) else { return false };
    let is_word = |letter: char| letter.is_alphanumeric() || "_-. ".contains(letter);
    let more = new[1].strip_prefix(words);
    [head, rest] == [new[0], new[2]]
        && more.is_some_and(|more| more.starts_with(' ') && more.chars().all(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "#!/bin/sh\nfailed=0\n\nexpect() {\n    got=$(sh ./a.sh \"$2\")\n    [ \"$got\" = \"$1\" ] || failed=1\n}\n\n\
                        expect \"x\" a # one\nexpect \"b\nc\" --d\ngot=$(sh ./a.sh --bad)\n[ \"$got\" = \"no\" ] || failed=1\nsh tests/old.sh -q\nexit $failed\n";

    fn grows(from: &str, to: &str) -> bool {
        let bytes = |text: &str| Some(text.as_bytes().to_vec());
        assert!(BASE.contains(from), "{from}");
        let is_new = |path: &str| path == "tests/new.sh";
        let file = Changed { base: bytes(BASE), candidate: bytes(&BASE.replace(from, to)) };
        is_grown_script(&file, &is_new, &|_| false)
    }

    #[test]
    fn a_call_more_of_the_scripts_own_function_asks_more() {
        assert!(grows("expect \"x\" a # one\n", "expect \"x\" a # one\nexpect \"a -> b\" --suffix .old a\n"));
        assert!(grows("c\" --d\n", "c\" --d\nexpect 'z' --z\n"));
    }

    #[test]
    fn a_new_file_that_runs_as_others_do_asks_more() {
        assert!(grows("sh tests/old.sh -q\n", "sh tests/old.sh -q\nsh ./tests/new.sh -q\n"));
        let lines = [
            "sh tests/older.sh -q", "sh tests/new.sh -x", "sh tests/new.sh", "  sh tests/new.sh -q",
            "sh tests/new.sh -q; exit 0", "echo tests/new.sh -q",
        ];
        for line in lines {
            assert!(!grows("sh tests/old.sh -q\n", &format!("sh tests/old.sh -q\n{line}\n")), "{line}");
        }
    }

    #[test]
    fn what_may_do_something_else_does_not() {
        assert!(!grows("failed=0\n", "failed=0\nexit 0\n"), "another command");
        assert!(!grows("c\" --d\n", "c\" --d\nexpect 'z' $(rm a)\n"), "another command within");
        assert!(!grows("c\" --d\n", "c\" --d\nexpect 'z' z; exit 0\n"), "another command behind");
        assert!(!grows("expect \"x\" a # one\n", ""), "a call less");
        assert!(!grows("expect \"x\"", "expect \"y\""), "another call");
        assert!(!grows("--bad)\n", "--bad)\nexpect no no\n"), "where its variables are read");
        assert!(!grows("expect \"b\n", "expect \"b\nexpect b b\n"), "within a text");
        assert!(!grows("    got", "expect x x\n    got"), "within a function");
        assert!(!grows("failed=0\n", "failed=0\ncat <<X\nX\n"), "a document");
    }

    #[test]
    fn a_list_of_files_that_names_new_ones_asks_more() {
        let base = format!("{BASE}TESTS = small large\nRUN = sh small\n");
        let grows = |from: &str, to: &str| {
            let bytes = |text: &str| Some(text.as_bytes().to_vec());
            let file = Changed { base: bytes(&base), candidate: bytes(&base.replace(from, to)) };
            is_grown_script(&file, &|name| name == "even", &|name| ["small", "large"].contains(&name))
        };
        assert!(grows("small large", "small large even"));
        assert!(!grows("small large", "small"), "a name less");
        assert!(!grows("small large", "small even"), "another name");
        assert!(!grows("small large", "small large odd"), "nothing that is new");
        assert!(!grows("sh small", "sh small even"), "a command");
    }

    #[test]
    fn a_loop_over_more_words_asks_more() {
        assert!(loops_over_more(
            "\t@for name in small large; do \\",
            "\t@for name in small large empty; do \\"
        ));
        assert!(!loops_over_more("for name in small large; do", "for name in large; do"));
        assert!(!loops_over_more("for name in small large; do", "for name in small large $(rm a); do"));
        assert!(!loops_over_more("for name in small; do", "for name in smaller; do"));
        assert!(!loops_over_more("for name in small; do", "for other in small a; do"));
    }
}
