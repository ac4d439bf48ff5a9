//! Programs that run other programs: what stands before them, and what they put behind.
//!
//! It stands apart because what comes out is judged like any other command.

use std::rc::Rc;

use super::options::Options;
use crate::guard::Verdict;
use crate::guard::shell::{Shell, said::Said};
use crate::guard::value::Value;

/// Lines for which `xargs` is followed.
const LINES_MAX: usize = 1000;

/// The program that another one runs, with its arguments.
pub(super) fn behind<'call>(
    program: &str,
    rest: &'call [Value],
    with_value: &[&str],
    operands: usize,
) -> &'call [Value] {
    let is_question = |word: &Value| matches!(word.text.as_str(), "-v" | "-V");
    if program == "command" && rest.first().is_some_and(is_question) {
        return &[];
    }
    let mut rest = rest;
    let mut operands = operands;
    while let Some((first, behind)) = rest.split_first() {
        let text = first.text.as_str();
        if text.starts_with('-') {
            let takes_next = with_value.contains(&text);
            rest = if takes_next { behind.get(1..).unwrap_or_default() } else { behind };
        } else if operands > 0 {
            operands -= 1;
            rest = behind;
        } else if is_assignment(text) || (matches!(text, "run" | "exec") && program != "exec") {
            rest = behind;
        } else {
            break;
        }
    }
    rest
}

fn is_assignment(text: &str) -> bool {
    let is_name = |name: &str| name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
    text.split_once('=').is_some_and(|(name, _)| !name.is_empty() && is_name(name))
}

/// `xargs`: what it reads is put behind the program, or where `-I` says.
pub(super) fn each_line(shell: &mut Shell<'_>, rest: &[Value], stdin: Option<&Rc<Said>>) -> Verdict {
    const WITH_VALUE: [&str; 12] = [
        "-I",
        "-n",
        "-P",
        "-L",
        "-d",
        "-s",
        "-a",
        "-E",
        "--max-args",
        "--max-procs",
        "--delimiter",
        "--arg-file",
    ];
    let mut read = stdin.map(|said| said.words()).unwrap_or_default();
    read.truncate(LINES_MAX);
    let program = behind("xargs", rest, &WITH_VALUE, 0);
    let options = Options::of(&rest[..rest.len() - program.len()], &WITH_VALUE);
    let mark = options.value(&["-I"]).map(|mark| mark.text.clone());
    match mark {
        Some(mark) => {
            for word in &read {
                shell.call(&replaced(program, &mark, word), None)?;
            }
            if read.is_empty() { shell.call(program, None) } else { Ok(()) }
        }
        None => {
            let arguments: Vec<Value> = program.iter().chain(&read).cloned().collect();
            shell.call(&arguments, None)
        }
    }
}

/// The arguments with something in the place of the mark.
pub(super) fn replaced(arguments: &[Value], mark: &str, with: &Value) -> Vec<Value> {
    let replaced = arguments.iter().map(|argument| {
        if mark.is_empty() || !argument.text.contains(mark) {
            return argument.clone();
        }
        let mut value = Value::default();
        for (index, piece) in argument.text.split(mark).enumerate() {
            if index > 0 {
                value.push_value(with);
            }
            value.push_literal(piece);
        }
        value
    });
    replaced.collect()
}
