//! Which linters, type checkers and measures of coverage the checks run, as far as the base's own texts say.
//!
//! It errs on one side: what a check's programs hide may run any of them.

use std::collections::BTreeSet;

use super::commands::{command_words, script_names};
use super::recipes;

/// So many texts behind the checks are read, and so much of each.
const TEXTS_MAX: usize = 64;
const TEXT_BYTES_MAX: usize = 256 << 10;

/// Programs that run what stands in files of their own, or in code: nobody can tell from here what that is.
const HIDING: [&str; 30] = [
    "xtask", "pre-commit", "prek", "lefthook", "trunk", "tox", "nox", "hatch", "poe", "invoke", "just",
    "task", "mage", "rake", "bazel", "bazelisk", "buck2", "pants", "nx", "turbo", "moon", "earthly",
    "dagger", "act", "docker", "podman", "super-linter", "mega-linter-runner", "reviewdog", "nix",
];

/// Whom the checks ask about the work; none: anybody, as far as one can tell.
pub(super) struct Looking(Option<BTreeSet<String>>);

impl Looking {
    pub(super) const ANYBODY: Self = Self(None);

    /// Follows the commands through make, package.json and scripts that `read` finds in the base.
    pub(super) fn follow(command: &str, read: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut open = vec![command.to_owned()];
        let (mut seen, mut programs) = (BTreeSet::new(), BTreeSet::new());
        while let Some(text) = open.pop() {
            if seen.len() >= TEXTS_MAX || text.len() > TEXT_BYTES_MAX || hides(&text) {
                return Self::ANYBODY;
            }
            if !seen.insert(text.clone()) {
                continue;
            }
            // `$(MAKE) lint`
            let plain = text.replace("$(MAKE)", "make").replace("${MAKE}", "make");
            open.extend(recipes::behind(&plain, read));
            let lines = plain.lines().filter(|line| !script_names(line).is_empty());
            open.extend(lines.flat_map(|line| recipes::behind(line, read)));
            open.extend(named_scripts(&plain).filter_map(read));
            programs.extend(plain.split(['=', '[', ']', ',']).flat_map(command_words).map(program));
        }
        Self(Some(programs))
    }

    /// All of them together.
    pub(super) fn of_all(each: impl Iterator<Item = Self>) -> Self {
        let each: Option<Vec<BTreeSet<String>>> = each.map(|one| one.0).collect();
        Self(each.map(|each| each.into_iter().flatten().collect()))
    }

    /// Is one of these among them?
    pub(super) fn has_any(&self, programs: &[&str]) -> bool {
        self.0.as_ref().is_none_or(|known| programs.iter().any(|program| known.contains(*program)))
    }
}

/// A target that is called after tests runs tests.
fn hides(text: &str) -> bool {
    text.lines().any(|line| {
        let words: BTreeSet<String> = command_words(line).map(program).collect();
        HIDING.iter().any(|hiding| words.contains(*hiding)) && !words.contains("test")
    })
}

fn named_scripts(text: &str) -> impl Iterator<Item = &str> {
    const ENDINGS: [&str; 12] =
        [".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".mk", ".ps1"];
    command_words(text)
        .filter(|word| word.starts_with("./") || ENDINGS.iter().any(|ending| word.ends_with(ending)))
}

/// `./node_modules/.bin/eslint`, `eslint@9`
fn program(word: &str) -> String {
    let name = word.rsplit('/').next().unwrap_or(word);
    name.split('@').next().filter(|name| !name.is_empty()).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests;
