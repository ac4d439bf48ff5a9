//! What a person or a worker gives: a text as an argument or by `-` on standard input, a yes on a terminal.

use std::io::{BufRead, IsTerminal, Read, Write as _};

use gulf_runner::plan::TEXT_BYTES_MAX;

use crate::failure::{Failure, Result};
use crate::language::translated;

/// The argument itself, or standard input where it is `-`; `what` names it in messages.
pub fn given(argument: &str, what: &str) -> Result<String> {
    if argument == "-" {
        from_stdin(what).map(|text| text.trim().to_owned())
    } else {
        Ok(argument.to_owned())
    }
}

/// All of standard input.
pub fn from_stdin(what: &str) -> Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().take(TEXT_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(Failure::broken)?;
    if bytes.len() as u64 > TEXT_BYTES_MAX {
        let message = format!("{what} on standard input has more than {TEXT_BYTES_MAX} bytes");
        return Err(Failure::usage(message, "put the details into files and name them"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let what = format!("{what} on standard input is not UTF-8 at byte {at}");
        Failure::usage(what, "convert it: `iconv -t utf-8`")
    })
}

/// Can a person be asked: do they see the question, and is it they who type the answer?
pub fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// What the person at the terminal says in a line; none where they only press Enter, or leave.
pub fn asked(question: &str) -> Result<Option<String>> {
    // As an argument `-` would mean standard input.
    Ok(Some(line(question)?).filter(|answer| !answer.is_empty() && answer != "-"))
}

/// Does the person at the terminal say yes? Where nobody can be asked nobody does.
pub fn agrees(question: &str) -> Result<bool> {
    if !can_ask() {
        return Ok(false);
    }
    err!("{} [y/N]", translated(question));
    Ok(matches!(line("")?.to_lowercase().as_str(), "y" | "yes"))
}

/// What a person types behind these words.
pub fn line(words: &str) -> Result<String> {
    err!("{} ", translated(words));
    std::io::stderr().flush().map_err(Failure::broken)?;
    let mut typed = String::new();
    std::io::stdin().lock().read_line(&mut typed).map_err(Failure::broken)?;
    Ok(typed.trim().to_owned())
}

/// Is it agreed to what was shown? Without a terminal nothing is done, and the command that asks for nothing is named.
pub fn confirms(question: &str, undone: &str, hint: &str) -> Result<bool> {
    if can_ask() {
        return agrees(question);
    }
    Err(Failure::usage(format!("nothing was {undone}: no terminal to confirm on"), hint))
}

/// The option that is named by its text, number or letter, or else what was said, as it is. An answer is not taken back, so
/// the number of an option that there is not is no answer, unless numbers are what is asked for.
pub fn chosen(options: &[String], said: &str) -> Result<String> {
    let word = said.trim();
    if options.iter().any(|option| option == word) {
        return Ok(word.to_owned());
    }
    if word.chars().all(|character| character.is_control() || character.is_whitespace()) {
        return Err(Failure::usage("the answer is blank", "say it in a sentence, or by an option's number"));
    }
    let by_letter = match word.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(usize::from(letter.to_ascii_lowercase() - b'a')),
        _ => None,
    };
    let number = word.parse::<usize>().ok();
    let are_numbers = || options.iter().any(|option| option.contains(|one: char| one.is_ascii_digit()));
    let index = by_letter.or(number.and_then(|number| number.checked_sub(1)));
    match (index.and_then(|index| options.get(index)), number) {
        (Some(option), _) => Ok(option.clone()),
        (None, Some(_)) if !options.is_empty() && !are_numbers() => Err(Failure::usage(
            format!("there is no option {word}: {} are offered", options.len()),
            "name one of them by its number, or answer in words of your own",
        )),
        (None, _) => Ok(said.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    //! What a person types, and what is meant.

    use super::chosen;

    #[track_caller]
    fn check(options: &[&str], said: &str, meant: &str) {
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        assert_eq!(chosen(&options, said).unwrap(), meant);
    }

    #[track_caller]
    fn refused(options: &[&str], said: &str, why: &str) {
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        assert_eq!(chosen(&options, said).unwrap_err().in_one_line(), why);
    }

    #[test]
    fn an_option_is_named_by_its_number_its_letter_or_its_text() {
        check(&["keep it", "remove it"], "2", "remove it");
        check(&["keep it", "remove it"], "a", "keep it");
        check(&["keep it", "remove it"], "B ", "remove it");
        check(&["keep it", "remove it"], "keep it", "keep it");
    }

    #[test]
    fn an_options_own_text_comes_before_the_number_of_another() {
        check(&["3", "1"], "1", "1");
        check(&["b", "a"], "a", "a");
    }

    #[test]
    fn anything_else_is_an_answer_of_its_own() {
        check(&["keep it", "remove it"], "c", "c");
        check(&["after 3 tries", "after 5 tries"], "7", "7");
        check(&[], "1", "1");
        check(&[], " as it is\n", " as it is\n");
    }

    #[test]
    fn what_cannot_be_meant_is_no_answer() {
        for said in ["3", "0"] {
            let why = format!("there is no option {said}: 2 are offered");
            refused(&["keep it", "remove it"], said, &why);
        }
        for said in ["", " \n", "\u{1b}\u{8}"] {
            refused(&[], said, "the answer is blank");
        }
    }
}
