//! `gulf help TERM`: what gulf's words mean, in three lines each.
//!
//! A word that is explained where it is met needs no page: the same one means the same everywhere.

use gulf_spec::problem::nearest;

use crate::failure::{Failure, Result};

/// Each term with its lines, as they are printed; a blank line between two.
const TERMS: &str = include_str!("glossary.txt");

/// Prints what a word means.
pub fn explain(word: &str) -> Result<u8> {
    let wanted = word.to_lowercase();
    let found = entries().find(|(term, _)| *term == wanted || format!("{term}s") == wanted);
    let Some((term, lines)) = found else {
        let all = crate::help::command();
        let commands = all.get_subcommands().filter(|one| !one.is_hide_set()).map(clap::Command::get_name);
        let near = nearest(&wanted, entries().map(|(term, _)| term).chain(commands));
        let guess = near.map_or_else(String::new, |near| format!("did you mean `gulf help {near}`? "));
        let names: Vec<&str> = entries().map(|(term, _)| term).collect();
        let what = format!("no command and no term is called `{word}`");
        let hint = format!("{guess}`gulf --help` lists the commands; terms: {}", names.join(", "));
        return Err(Failure::usage(what, hint));
    };
    outln!("{term}\n{lines}");
    let mut all = crate::help::command();
    all.build();
    if let Some(command) = all.find_subcommand_mut(term) {
        out!("\n{}", command.render_help());
    }
    Ok(0)
}

pub fn has(word: &str) -> bool {
    entries().any(|(term, _)| term == word)
}

/// Each term, and its lines as they are printed below it.
fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    TERMS.trim_end().split("\n\n").filter_map(|entry| entry.split_once('\n'))
}

/// The page of the guide.
pub fn page() -> String {
    let mut page = String::from("# Glossary\n\nWhat `gulf help TERM` prints.\n");
    page.extend(entries().map(|(term, lines)| format!("\n## {term}\n\n```text\n{lines}\n```\n")));
    page
}

#[cfg(test)]
mod tests {
    //! That the words a person meets are explained, briefly.

    use super::entries;

    #[test]
    fn every_word_has_three_lines_that_fit_a_terminal_and_stands_in_its_order() {
        for (term, lines) in entries() {
            assert_eq!(lines.lines().count(), 3, "{term}");
            for line in lines.lines() {
                assert!(line.starts_with("  ") && line.chars().count() <= 100, "{term}: {line}");
            }
        }
        assert!(entries().map(|(term, _)| term).is_sorted());
    }

    #[test]
    fn every_end_and_every_word_that_the_specification_defines_is_explained() {
        let defined = [
            "loop", "iteration", "phase", "worker", "judge", "person", "claim", "candidate", "gate",
            "decision", "driver", "preset",
        ];
        let ends = ["verified", "attested", "stalled", "exhausted", "unavailable", "violated", "cancelled"];
        for word in defined.iter().chain(&ends).chain(&["paused", "interrupted"]) {
            assert!(entries().any(|(term, _)| term == *word), "{word}");
        }
    }
}
