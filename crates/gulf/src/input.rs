//! What a person or a worker gives: a text as an argument or by `-` on standard input, a yes on a terminal.

use std::io::{BufRead, IsTerminal, Read};

use anstream::eprint;
use gulf_runner::plan::TEXT_BYTES_MAX;

use crate::failure::Failure;

/// The argument itself, or standard input where it is `-`; `what` names it in messages.
pub fn given(argument: &str, what: &str) -> Result<String, Failure> {
    if argument == "-" {
        from_stdin(what).map(|text| text.trim().to_owned())
    } else {
        Ok(argument.to_owned())
    }
}

/// All of standard input.
pub fn from_stdin(what: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(TEXT_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::world(&error, None))?;
    if bytes.len() as u64 > TEXT_BYTES_MAX {
        let message = format!("{what} on standard input has more than {TEXT_BYTES_MAX} bytes");
        return Err(Failure::usage(message, "put the details into files and name them"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::usage(
            format!("{what} on standard input is not UTF-8 at byte {at}"),
            "convert it: `iconv -t utf-8`",
        )
    })
}

/// Can a person be asked: do they see the question, and is it they who type the answer?
pub fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Does the person at the terminal say yes? Where nobody can be asked nobody does.
pub fn agrees(question: &str) -> Result<bool, Failure> {
    if !can_ask() {
        return Ok(false);
    }
    eprint!("{question} [y/N] ");
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(|error| Failure::world(&error, None))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
