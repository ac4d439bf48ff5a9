//! What a change says itself of what it left open, and options that its goal names and no product knows (SPEC B3).

use std::collections::{BTreeMap, BTreeSet};

use super::aware::{code, is_product};
use super::graft::Changed;
use super::{Sighting, has_word, is_source, places_of};

/// Lines that a product gained and that say themselves that something is not done which the goal names.
pub fn left_open(files: &BTreeMap<String, Changed>, goal: &str) -> Vec<Sighting> {
    const MARKS: [&str; 4] = ["TODO", "FIXME", "XXX", "HACK"];
    const SAID: [&str; 3] = ["not implemented", "not yet implemented", "not supported yet"];
    let goal = goal.to_lowercase();
    // A list of what is to do is called so, too.
    if goal.contains("todo") || SAID.iter().any(|said| goal.contains(said)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (path, file) in files.iter().filter(|(path, _)| is_product(path) && is_source(path)) {
        let [base, now] = file.texts();
        let base: BTreeSet<&str> = base.lines().map(str::trim).collect();
        let code = code(path, now.as_bytes());
        for (index, line) in now.lines().enumerate().filter(|(_, line)| !base.contains(line.trim())) {
            let code = code.get(index).map_or("", String::as_str);
            let mark = MARKS.iter().find(|mark| has_word(line, mark) && !has_word(code, mark));
            let is_said = mark.is_some() || SAID.iter().any(|said| line.contains(said));
            let says = mark.map_or(line, |mark| places_of(line, mark).next().map_or(line, |at| &line[at..]));
            if is_said && names_what_is_asked(says, &goal) {
                found.push(Sighting::new(path, index + 1, line.trim()));
            }
        }
    }
    found
}

/// Does this name something that the goal, in small letters, names, too?
fn names_what_is_asked(text: &str, goal: &str) -> bool {
    const LETTERS_MIN: usize = 4;
    /// They stand in any goal.
    const COMMON: [&str; 30] = [
        "this", "that", "with", "from", "when", "then", "must", "make", "have", "into", "only", "also",
        "more", "each", "every", "some", "them", "they", "which", "where", "there", "will", "would",
        "should", "return", "test", "tests", "code", "work", "implemented",
    ];
    let text = text.to_lowercase();
    let words = text.split(|character: char| !character.is_alphanumeric());
    let mut words = words.filter(|word| word.chars().count() >= LETTERS_MIN && !COMMON.contains(word));
    words.any(|word| has_word(goal, word))
}

/// The options that the goal names and that stand in none of these texts, where one of them reads options: `--dry-run`, and
/// `dry_run` or `dryRun` neither.
pub fn unknown_options<'goal>(goal: &'goal str, texts: &[String]) -> Vec<&'goal str> {
    const TAKEN_AWAY: [&str; 7] = ["remov", "delet", "drop", "renam", "no longer", "without", "instead of"];
    const READS_OPTIONS: [&str; 7] = ["\"--", "'--", " --", "add_argument", "parseArgs", "flag.", "clap"];
    let has_any = |text: &str, signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
    if has_any(goal, &TAKEN_AWAY) || !texts.iter().any(|text| has_any(text, &READS_OPTIONS)) {
        return Vec::new();
    }
    let is_known = |option: &str| {
        let capital = |part: &str| {
            part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)).collect::<String>()
        };
        let mut parts = option.split('-');
        let camel = parts.next().unwrap_or_default().to_owned() + &parts.map(capital).collect::<String>();
        let names = [option, &option.replace('-', "_"), &camel];
        texts.iter().any(|text| has_any(text, &names))
    };
    let options = goal.match_indices("--").filter_map(|(at, _)| own_option(goal, at));
    options.filter(|option| !is_known(option)).collect()
}

/// The option that begins here, without its dashes, unless it is said of a program that is nobody's work: `git commit --amend`.
fn own_option(goal: &str, at: usize) -> Option<&str> {
    const OTHERS: [&str; 20] = [
        "git", "npm", "npx", "node", "pip", "cargo", "go", "make", "docker", "pytest", "mypy", "ruff", "tsc",
        "eslint", "jest", "vitest", "gcc", "clang", "curl", "python3",
    ];
    let before = &goal[..at];
    if before.ends_with(|last: char| last == '-' || last.is_alphanumeric()) {
        return None;
    }
    let rest = &goal[at + 2..];
    let end =
        rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-')).unwrap_or(rest.len());
    let of_others =
        before.split_whitespace().rev().take(4).any(|word| OTHERS.contains(&word.trim_matches('`')));
    let is_name = end > 2 && rest.starts_with(|first: char| first.is_ascii_alphabetic());
    (is_name && !of_others).then(|| &rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(now: &str, goal: &str) -> Vec<usize> {
        let side = |text: &str| Some(text.as_bytes().to_vec());
        let base = "# TODO: faster table\ndef old():\n    return 1\n";
        let file = Changed { base: side(base), candidate: side(&format!("{base}{now}")) };
        let files = BTreeMap::from([("shop/report.py".to_owned(), file)]);
        left_open(&files, goal).into_iter().map(|one| one.line).collect()
    }

    #[test]
    fn what_a_change_says_that_it_left_open_is_found_beside_what_was_asked_for() {
        let goal = "render(rows, 'markdown') must return a table in Markdown";
        assert_eq!(told("def render():  # TODO: write a real table\n    return ''\n", goal), [4]);
        assert_eq!(told("def render():\n    raise ValueError('markdown is not implemented')\n", goal), [5]);
        for fine in [
            "def render():  # TODO: colours, some day\n    return ''\n",
            "def render(kind):  # a table\n    return TODO.table\n",
            "def render():\n    return 'a table'\n",
        ] {
            assert_eq!(told(fine, goal), [0; 0], "{fine}");
        }
        assert_eq!(told("x = 1  # TODO: table\n", "the list of TODOs must be a table: todo.py"), [0; 0]);
    }

    #[test]
    fn an_option_that_the_goal_names_and_no_text_knows_is_found() {
        let unknown = |goal, text: &str| unknown_options(goal, &[text.to_owned()]).join(" ");
        let goal = "ledger prune must take --before DATE and `--dry-run`, as `git push --porcelain` does";
        assert_eq!(unknown(goal, "parser.add_argument('--before')"), "dry-run");
        for text in [
            "#[arg] before: u8, dry_run: bool } use clap::Parser;",
            "parseArgs({ before: 1, dryRun: 2 })",
            "nothing",
        ] {
            assert_eq!(unknown(goal, text), "", "{text}");
        }
        assert_eq!(unknown("remove the option --before", "add_argument('--after')"), "");
        assert_eq!(unknown("tidy a--b and --", "add_argument('--after')"), "");
    }
}
