//! Files that a check runs without a name for each: those of a pattern, of a folder, of a package.
//!
//! Each is written as in an ignore file. What is matched may be the product all the same: who asks looks further.

use super::commands::{INTERPRETERS, command_words, plain_parts};

/// The patterns of the files that this text of a shell runs.
pub(super) fn run_by(text: &str) -> Vec<String> {
    let (mut found, mut loops): (Vec<String>, Vec<(&str, Vec<&str>)>) = (Vec::new(), Vec::new());
    let text = text.replace("${", "$").replace('"', "");
    let plain: Vec<_> = plain_parts(&text);
    for (at, (part, is_quoted, sign)) in plain.iter().enumerate() {
        let is_begun = |word: &&str| ["do", "then", "else", "if", "!"].contains(word);
        let words: Vec<&str> = command_words(part).skip_while(is_begun).collect();
        let mut last = plain[at..].iter().take(2).filter_map(|(part, ..)| command_words(part).last());
        // Nobody looks at what it says.
        let is_alone = !is_quoted && *sign != '|' && !part.contains('>');
        if let ["for", name, "in", patterns @ ..] = words.as_slice() {
            loops.push((name, patterns.to_vec()));
        }
        let folders: &[&str] = match words.as_slice() {
            ["find", ..] if last.any(|word| INTERPRETERS.contains(&word)) => &words[1..2],
            ["prove" | "bats" | "run-parts" | "shellspec", ..] => &words[1..],
            ["go", "run", package] if is_alone && package.contains('/') => &words[2..],
            ["python" | "python3", folder] if is_alone && !folder.contains('.') => &words[1..],
            _ => &[],
        };
        let is_file = |word: &&&str| !(INTERPRETERS.contains(*word) || word.starts_with('-'));
        let file =
            words.iter().find(is_file).and_then(|file| file.trim_start_matches("./").strip_prefix('$'));
        let run = loops.iter().filter(|(name, _)| file == Some(name)).flat_map(|(_, patterns)| patterns);
        found.extend(run.chain(folders).filter(|word| !word.starts_with('-')).map(|word| anchored(word)));
    }
    found
}

/// A command can change its directory before it comes to the word.
fn anchored(word: &str) -> String {
    let word = word.trim_start_matches("./").trim_end_matches('/');
    let path = word.strip_prefix('$').and_then(|rest| rest.split_once('/')).map_or(word, |(_, rest)| rest);
    if path.contains('/') { format!("**/{path}") } else { format!("/{path}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_check_runs_is_known_by_patterns() {
        for (text, patterns) in [
            ("for t in checks/*.sh; do sh $t || exit 1; done", &["**/checks/*.sh"][..]),
            ("for t in \"$here/checks\"/*; do\n  [ -x \"$t\" ] && \"./${t}\"\ndone", &["**/checks/*"]),
            ("for f in data/*.json; do python3 app.py $f; done", &[]),
            ("find checks -name '*.sh' -print0 | xargs -0 -n1 sh", &["/checks"]),
            ("find checks -exec sh {} \\;", &["/checks"]),
            ("find src -name '*.c' | xargs wc -l", &[]),
            ("prove -v checks", &["/checks"]),
            ("go run ./cmd/check", &["**/cmd/check"]),
            ("go run ./cmd/app 1 2 | grep 3", &[]),
            ("python3 check", &["/check"]),
            ("test \"$(python3 app)\" = 3", &[]),
            ("python3 check.py", &[]),
        ] {
            assert_eq!(run_by(text), patterns, "{text}");
        }
    }
}
