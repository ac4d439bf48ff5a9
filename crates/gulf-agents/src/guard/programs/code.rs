//! Programs that run code: shells, interpreters, `awk`. Code in an argument or on stdin is read, code in a file is not.
//!
//! It stands apart because every one of them has another letter for the same thing.

use std::rc::Rc;

use super::options::Options;
use super::table::letter_before;
use super::written;
use crate::guard::Verdict;
use crate::guard::shell::{Shell, said::Said};
use crate::guard::value::Value;

/// `sh -c text`, or a script on stdin.
pub(super) fn shell(shell: &mut Shell<'_>, rest: &[Value], stdin: Option<&Rc<Said>>) -> Verdict {
    let mut is_code = false;
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        if text.starts_with(['-', '+']) && text.len() > 1 {
            let is_cluster = !text.starts_with("--");
            is_code |= text == "--command" || (is_cluster && text.contains('c'));
            if matches!(text, "--rcfile" | "--init-file") || (is_cluster && text.ends_with(['o', 'O'])) {
                words.next();
            }
        } else if is_code {
            return shell.run_below(text);
        } else if text != "-" {
            return Ok(());
        }
    }
    stdin.map_or(Ok(()), |said| shell.run_below(&said.text()))
}

/// `python -c code`, `node -e code`, or code on stdin.
pub(super) fn interpreter(
    shell: &mut Shell<'_>,
    program: &str,
    rest: &[Value],
    letters: &str,
    stdin: Option<&Rc<Said>>,
) -> Verdict {
    let in_place = |word: &&Value| letter_before(&word.text, 'i', "eEIMmx");
    let edits = matches!(program, "perl" | "ruby")
        && rest.iter().take_while(|word| word.text != "--").any(|word| in_place(&word));
    if edits {
        let options = Options::of(rest, &["-e", "-E"]);
        // Without code among the options the first operand is a script, and nobody edits that.
        written(shell, &format!("{program} -i"), options.operands.iter().copied())?;
    }
    match code(rest, letters) {
        Code::Argument(code) => shell.code(program, code),
        Code::Stdin => stdin.map_or(Ok(()), |said| shell.code(program, &said.text())),
        Code::File => Ok(()),
    }
}

/// Where an interpreter finds its code.
enum Code<'call> {
    Argument(&'call str),
    Stdin,
    File,
}

fn code<'call>(rest: &'call [Value], letters: &str) -> Code<'call> {
    let mut words = rest.iter();
    let next = |words: &mut std::slice::Iter<'call, Value>| match words.next() {
        Some(word) => Code::Argument(&word.text),
        None => Code::File,
    };
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        match text {
            "-" => return Code::Stdin,
            "eval" if letters.is_empty() => return next(&mut words),
            "--eval" | "--print" => return next(&mut words),
            "-W" | "-X" | "-r" | "--require" | "-I" | "--import" if !letters.contains(&text[1..]) => {
                words.next();
                continue;
            }
            "-m" => return Code::File,
            _ => {}
        }
        if let Some(code) = text.strip_prefix("--eval=") {
            return Code::Argument(code);
        }
        let Some(cluster) = text.strip_prefix('-') else { return Code::File };
        // A module to load takes the rest of the cluster.
        let loads = cluster.starts_with(['M', 'I']) || (cluster.starts_with('r') && !letters.contains('r'));
        if cluster.starts_with('-') || loads {
            continue;
        }
        if let Some(at) = cluster.find(|letter: char| letters.contains(letter)) {
            let behind = cluster[at..].trim_start_matches(|letter: char| letters.contains(letter));
            return if behind.is_empty() { next(&mut words) } else { Code::Argument(&cluster[at + 1..]) };
        }
    }
    Code::Stdin
}

/// `awk 'code' files`
pub(super) fn awk(shell: &mut Shell<'_>, program: &str, rest: &[Value]) -> Verdict {
    let options =
        Options::of(rest, &["-f", "-v", "-F", "-i", "--file", "--assign", "--include", "--field-separator"]);
    let is_in_file = options.value(&["-f", "--file"]).is_some();
    let (code, files) = match options.operands.split_first() {
        Some((code, files)) if !is_in_file => (Some(*code), files),
        Some(_) | None => (None, options.operands.as_slice()),
    };
    if options.values(&["-i", "--include"]).any(|value| value.text == "inplace") {
        written(shell, &format!("{program} -i inplace"), files.iter().copied())?;
    }
    code.map_or(Ok(()), |code| shell.code(program, &code.text))
}
