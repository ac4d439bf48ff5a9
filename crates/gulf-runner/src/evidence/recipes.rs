//! What stands behind a check that names a target of make, a script of package.json or one of a shell: the commands it runs.
//!
//! This is indirection that is plainly written in the base. What any other program does, nobody can tell from the
//! product that it tests.

use std::collections::{BTreeMap, BTreeSet};

use gulf_agents::sources::file_of;
use serde_json::Value;

use super::commands::{INCLUDED, TARGET, command_words, compares, script_names};

/// Where make looks, in its order.
pub(super) const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// The commands that a check's command runs by way of make or a package's scripts, as `read` finds them in the base.
pub(super) fn behind(command: &str, read: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let makefile = MAKEFILES.iter().filter(|_| runs_make(command)).find_map(|name| read(name));
    let made = makefile.into_iter().flat_map(|makefile| recipes(&makefile, command));
    let package = read("package.json").into_iter();
    made.chain(package.flat_map(|package| package_scripts(command, &package))).collect()
}

/// The commands that a package's scripts stand for, as a command names them.
pub(super) fn package_scripts(command: &str, package: &str) -> Vec<String> {
    let mut found = Vec::new();
    let package: Value = serde_json::from_str(package).unwrap_or_default();
    if let Some(all) = package.get("scripts").and_then(Value::as_object) {
        push_scripts(command, all, 0, &mut found);
    }
    found
}

/// Does a package manager run the scripts of more packages than its own?
pub(super) fn goes_through_packages(command: &str) -> bool {
    const OPTIONS: [&str; 7] = ["--workspaces", "-ws", "--workspace", "-w", "workspaces", "-r", "--filter"];
    script_names(command).iter().any(|word| OPTIONS.contains(&word.split('=').next().unwrap_or(word)))
}

/// The scripts that a command runs, each before those that it runs in turn.
fn push_scripts(command: &str, all: &serde_json::Map<String, Value>, depth: usize, found: &mut Vec<String>) {
    if depth == SCRIPT_DEPTH_MAX || found.len() >= SCRIPTS_MAX {
        return;
    }
    let scripts = script_names(command).into_iter();
    for name in scripts.flat_map(|name| [format!("pre{name}"), name.to_owned(), format!("post{name}")]) {
        if let Some(script) = all.get(&name).and_then(Value::as_str)
            && !found.iter().any(|known| known == script)
        {
            found.push(script.to_owned());
            push_scripts(script, all, depth + 1, found);
        }
    }
}

/// The scripts of a shell that a check's script runs in turn, or takes into itself, and what those run: `read` finds them.
///
/// Only what is plainly one: a file that is sourced, or one in a folder where a project keeps its tools. Any other program
/// may be the product.
pub(super) fn further(commands: &[String], read: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut open: Vec<_> = commands.iter().map(|command| (command.clone(), String::new())).collect();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    while let Some((text, owner)) = open.pop() {
        for name in shell_scripts(&text, &owner) {
            // Beside the script, where a variable stands for its folder.
            let beside =
                owner.rsplit_once('/').map_or(name.clone(), |(folder, _)| format!("{folder}/{name}"));
            let name = if read(&name).is_none() && read(&beside).is_some() { beside } else { name };
            if seen.len() < SCRIPTS_MAX
                && seen.insert(name.clone())
                && let Some(script) = read(&name)
                    .filter(|script| script.len() <= SCRIPT_BYTES_MAX && is_of_shell(&name, script))
            {
                found.push(format!("sh ./{name}"));
                found.extend(comparisons(&script));
                open.push((script, name));
            } else if is_sourced(&text, &name) && read(&name).is_none() {
                // `[ -f .env ] && . ./.env`
                found.push(format!("{INCLUDED}{name}"));
            }
        }
    }
    found
}

/// Does a line of this text take the file into the shell that runs it?
fn is_sourced(text: &str, name: &str) -> bool {
    let signs = [". ", "source "].map(|sign| ["", "./"].map(|here| format!("{sign}{here}{name}")));
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    name.contains(char::is_alphanumeric)
        && lines.any(|line| signs.iter().flatten().any(|sign| line.contains(sign)))
}

/// The lines of a script that compare files: what they name is what is expected, or was made just now.
fn comparisons(script: &str) -> impl Iterator<Item = String> + '_ {
    let is_comment = |line: &&str| line.trim_start().starts_with('#');
    script.lines().filter(move |line| compares(line) && !is_comment(line)).map(str::to_owned)
}

/// So many scripts are followed, and none that is longer.
const SCRIPTS_MAX: usize = 32;
/// A script of package.json that calls another, and that a third one.
const SCRIPT_DEPTH_MAX: usize = 4;
const SCRIPT_BYTES_MAX: usize = 256 << 10;
/// Where projects keep what checks them.
const FOLDERS: [&str; 12] =
    ["ci", ".ci", ".github", "script", "scripts", "tool", "tools", "hack", "checks", "qa", "test", "tests"];

/// Does it lie where a project keeps what checks it?
pub(super) fn is_tool(path: &str) -> bool {
    let folders = path.rsplit_once('/').map(|(folders, _)| folders.split('/'));
    folders.is_some_and(|mut folders| folders.any(|folder| FOLDERS.contains(&folder)))
}

/// The scripts that a script's text names. A check's command, which no file holds, may name any.
fn shell_scripts(text: &str, owner: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        // `. "$(dirname "$0")/lib.sh"`
        let plain = line.replace(['"', '\''], "").replace("$(dirname $0)", "$here");
        let is_sourced =
            |word: &str| [". ", "source "].iter().any(|sign| plain.contains(&format!("{sign}{word}")));
        for word in command_words(&plain) {
            let below = word.strip_prefix('$').and_then(|rest| rest.split_once('/'));
            let name = below.map_or(word, |(_, name)| name).trim_start_matches("./").to_owned();
            if owner.is_empty() || is_tool(&name) || is_sourced(word) {
                found.push(name);
            }
        }
    }
    found
}

pub(super) fn is_of_shell(name: &str, script: &str) -> bool {
    let first = script.lines().next().unwrap_or_default();
    let by_sign = first.starts_with("#!") && first.ends_with("sh");
    let file = file_of(name);
    by_sign
        || file.ends_with(".sh")
        || file.ends_with(".bash")
        || (!file.contains('.') && !first.starts_with("#!"))
}

/// The recipe lines of the targets that a command names, of what they need, and what is included.
fn recipes(makefile: &str, command: &str) -> Vec<String> {
    let rules = Rules::read(makefile);
    let mut found = rules.included.clone();
    for target in rules.reached(command) {
        if !rules.is_phony(target) {
            found.push(format!("{TARGET}{target}"));
        }
        found.extend(rules.lines.get(target).into_iter().flatten().map(|line| rules.with_values(line)));
    }
    found
}

pub(super) fn runs_make(command: &str) -> bool {
    command_words(command).any(|word| word == "make" || word == "gmake")
}

/// Does make do the same for this command with both? What only other targets do is nothing to it, nor is it that a source is
/// built, too, which the change `added`. `there` are the paths of both.
pub(super) fn is_same_for(base: &str, now: &str, command: &str, (added, there): (&[&str], &[&str])) -> bool {
    let (base, now) = (Rules::read(base), Rules::read(now));
    let [before, after] = [&base, &now].map(|rules| {
        let lines = rules.lines_for(command);
        lines.into_iter().filter_map(|line| rules.without(added, there, line)).collect::<Vec<_>>()
    });
    // Nobody follows a makefile that calls another one, or itself.
    let calls = |lines: &[String]| lines.iter().any(|line| line.contains("MAKE") || line.contains("make "));
    before == after
        && !calls(&before)
        && base.reached(command).iter().all(|target| !base.is_phony(target) || now.is_phony(target))
}

/// `src/text.c`, and what is built of it.
fn is_compiled(word: &str) -> bool {
    [".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".o"].iter().any(|ending| word.ends_with(ending))
}

/// The files that `$(wildcard src/*.c)` means, for each that stands in a line.
fn with_files(line: &str, there: &[&str]) -> String {
    let mut parts = line.split("$(wildcard ");
    let mut found = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (patterns, rest) = part.split_once(')').unwrap_or((part, ""));
        let fits = |path: &&&str| {
            patterns.split_whitespace().filter_map(|pattern| pattern.split_once('*')).any(|(start, end)| {
                let inner = path.strip_prefix(start).and_then(|path| path.strip_suffix(end));
                inner.is_some_and(|inner| !inner.contains('/'))
            })
        };
        let files: Vec<&str> = there.iter().filter(fits).copied().collect();
        found = found + &files.join(" ") + rest;
    }
    found
}

/// A makefile by its surface.
#[derive(Default)]
struct Rules<'text> {
    first: Option<&'text str>,
    needs: BTreeMap<&'text str, Vec<&'text str>>,
    lines: BTreeMap<&'text str, Vec<&'text str>>,
    included: Vec<String>,
    /// What stands for names: `CFLAGS = -Wall`.
    values: BTreeMap<&'text str, &'text str>,
    /// Each line that says something, with the targets that it belongs to; none where it is for all.
    all: Vec<(&'text str, Vec<&'text str>)>,
}

impl<'text> Rules<'text> {
    /// Does make run its recipe whatever lies there? What has none is a file.
    fn is_phony(&self, target: &str) -> bool {
        self.needs.get(".PHONY").is_some_and(|phony| phony.contains(&target))
            || !self.lines.contains_key(target)
    }

    /// The targets that a command names, or else the first one, and what they need.
    fn reached(&self, command: &str) -> BTreeSet<&'text str> {
        let known = |word: &str| self.needs.get_key_value(word).map(|(target, _)| *target);
        let named: Vec<&str> = command_words(command).filter_map(known).collect();
        let mut open: Vec<&str> = if named.is_empty() { self.first.into_iter().collect() } else { named };
        let mut reached = BTreeSet::new();
        while let Some(target) = open.pop() {
            if reached.insert(target) {
                open.extend(self.needs.get(target).into_iter().flatten().copied());
            }
        }
        reached
    }

    /// The lines that matter to a command: of the targets that it reaches, of patterns and of make's own names, and all that is
    /// no rule.
    fn lines_for(&self, command: &str) -> Vec<&'text str> {
        let reached = self.reached(command);
        let matters = |target: &&str| {
            let is_special = target.contains('%') || (target.starts_with('.') && *target != ".PHONY");
            // Make makes its own files anew, too.
            is_special || reached.contains(target) || MAKEFILES.contains(target) || target.ends_with(".mk")
        };
        let lines = self.all.iter().filter(|(_, targets)| targets.is_empty() || targets.iter().any(matters));
        lines.map(|(line, _)| *line).collect()
    }

    /// A line without the sources that the change added; none where it only gives a name to sources.
    fn without(&self, added: &[&str], there: &[&str], line: &str) -> Option<String> {
        let files = with_files(&self.with_values(line), there);
        let is_list = |value: &str| !value.is_empty() && value.split_whitespace().all(is_compiled);
        let file = |path: &'_ str| file_of(path).to_owned();
        let is_made_of = |word: &str, path: &str| {
            let stem = word.strip_suffix('o').filter(|stem| stem.ends_with('.'));
            stem.is_some_and(|stem| file(path).starts_with(&file(stem)))
        };
        let is_added = |word: &&str| added.contains(word) || added.iter().any(|path| is_made_of(word, path));
        let words: Vec<&str> = files.split(' ').filter(|word| !is_added(word)).collect();
        // Who uses the list has its words.
        let is_of_sources = value_of(&files).is_some_and(|(_, value)| is_list(value));
        (!is_of_sources).then(|| words.join(" "))
    }

    /// A line with what stands for the names in it: `$(CC) $(CFLAGS)`.
    fn with_values(&self, line: &str) -> String {
        let with_value = |line: String, (name, value): (&&str, &&str)| {
            let line = line.replace(&format!("$({name})"), value).replace(&format!("${{{name}}}"), value);
            with_other_endings(line, name, value)
        };
        // A value may name another one.
        let once = self.values.iter().fold(line.to_owned(), with_value);
        self.values.iter().fold(once, with_value)
    }

    fn read(makefile: &'text str) -> Self {
        let mut rules = Self::default();
        let mut targets: Vec<&str> = Vec::new();
        for line in makefile.lines() {
            let is_rule = !line.starts_with('\t') && value_of(line).is_none() && line.contains(':');
            let names = line.split(':').next().unwrap_or_default().split_whitespace();
            let own = if is_rule { names.collect() } else { Vec::new() };
            let of_recipe = line.starts_with('\t').then(|| targets.clone());
            let says = !line.trim().is_empty() && !line.starts_with('#');
            rules.all.extend(says.then(|| (line, of_recipe.unwrap_or(own))));
            if let Some(recipe) = line.strip_prefix('\t') {
                let recipe = recipe.trim_start_matches(['@', '-', '+']);
                for target in &targets {
                    rules.lines.entry(target).or_default().push(recipe);
                }
            } else if let Some(included) = line.trim_start_matches(['-', 's']).strip_prefix("include ") {
                let files = included.split_whitespace().map(|file| file.trim_start_matches("./"));
                rules.included.extend(files.map(|file| format!("{INCLUDED}{file}")));
            } else if let Some((name, value)) = value_of(line) {
                rules.values.insert(name, value);
            } else if let Some((names, needs)) =
                line.split_once(':').filter(|(_, needs)| !needs.starts_with('='))
            {
                targets = names.split_whitespace().collect();
                for target in &targets {
                    rules.needs.entry(target).or_default().extend(needs.split_whitespace());
                }
                if rules.first.is_none() && !names.starts_with('.') {
                    rules.first = targets.first().copied();
                }
            }
        }
        rules
    }
}

/// `$(SRCS:.c=.o)`, `$(SRCS:%.c=build/%.o)`
fn with_other_endings(line: String, name: &str, value: &str) -> String {
    let named = |line: &str| {
        let (before, rest) = line.split_once(&format!("$({name}:"))?;
        let (change, after) = rest.split_once(')')?;
        let (from, to) = change.split_once('=')?;
        let (begins, ends) = to.split_once('%').unwrap_or(("", to));
        let word = |word: &str| match word.strip_suffix(from.trim_start_matches('%')) {
            Some(stem) => format!("{begins}{stem}{ends}"),
            None => word.to_owned(),
        };
        let words: Vec<String> = value.split_whitespace().map(word).collect();
        Some(format!("{before}{}{after}", words.join(" ")))
    };
    named(&line).unwrap_or(line)
}

/// `CFLAGS = -Wall`, `CFLAGS := -Wall`
fn value_of(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+', '!']).trim();
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    is_name.then(|| (name, value.trim()))
}

#[cfg(test)]
mod tests;
