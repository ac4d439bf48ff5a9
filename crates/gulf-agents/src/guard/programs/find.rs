//! `find`: which protected things an expression would reach, and what it would do to them.
//!
//! It stands apart because the names that are written stand nowhere in the command: they are found.

use super::prefix;
use crate::guard::Verdict;
use crate::guard::glob::{self, Dots};
use crate::guard::ground::{self, Entry};
use crate::guard::shell::Shell;
use crate::guard::value::Value;

/// Brackets within brackets; deeper ones reach nothing.
const DEPTH_MAX: u8 = 16;

/// Objects if something protected is reached by what deletes or writes.
pub(super) fn judge(shell: &mut Shell<'_>, rest: &[Value]) -> Verdict {
    let (roots, expression) = parted(rest);
    for target in targets(expression) {
        if let Some(entry) = shell.written(target) {
            return Err(entry.offence("`find` would write it"));
        }
    }
    for command in commands(expression) {
        shell.call(command, None)?;
    }
    if !expression.iter().any(|word| is_action(&word.text)) {
        return Ok(());
    }
    for (entry, candidate) in candidates(shell, &roots) {
        for action in candidate.reached(expression) {
            match expression.get(action).map(|word| word.text.as_str()) {
                Some("-delete") => return Err(entry.offence("`find -delete` would remove it")),
                _ => {
                    let command = command_at(expression, action);
                    shell.call(&prefix::replaced(command, "{}", &candidate.value()), None)?;
                }
            }
        }
    }
    Ok(())
}

/// The protected paths that would be named, for whoever reads them.
pub(in crate::guard) fn selected(shell: &Shell<'_>, rest: &[Value]) -> Vec<Value> {
    let (roots, expression) = parted(rest);
    let candidates = candidates(shell, &roots);
    let named = candidates.iter().filter(|(_, candidate)| candidate.is_selected(expression));
    named.map(|(_, candidate)| candidate.value()).collect()
}

/// Where is looked, and for what.
fn parted(rest: &[Value]) -> (Vec<Value>, &[Value]) {
    let skipped = rest.iter().take_while(|word| matches!(word.text.as_str(), "-H" | "-L" | "-P")).count();
    let rest = &rest[skipped..];
    let begins = |word: &Value| word.text.starts_with('-') || matches!(word.text.as_str(), "(" | "!");
    let split = rest.iter().position(begins).unwrap_or(rest.len());
    let (roots, expression) = rest.split_at(split);
    let roots = if roots.is_empty() { vec![Value::literal(".")] } else { roots.to_vec() };
    (roots, expression)
}

fn is_action(word: &str) -> bool {
    matches!(word, "-delete" | "-exec" | "-execdir" | "-ok" | "-okdir")
}

/// Files that the expression itself writes.
fn targets(expression: &[Value]) -> impl Iterator<Item = &Value> {
    let writes = |word: &Value| matches!(word.text.as_str(), "-fprint" | "-fprint0" | "-fprintf" | "-fls");
    expression.windows(2).filter(move |pair| writes(&pair[0])).map(|pair| &pair[1])
}

/// All programs that the expression runs.
fn commands(expression: &[Value]) -> impl Iterator<Item = &[Value]> {
    let runs = |word: &Value| is_action(&word.text) && word.text != "-delete";
    let starts = expression.iter().enumerate().filter(move |(_, word)| runs(word));
    starts.map(|(at, _)| command_at(expression, at))
}

fn command_at(expression: &[Value], action: usize) -> &[Value] {
    let behind = expression.get(action + 1..).unwrap_or_default();
    let end = behind.iter().position(|word| matches!(word.text.as_str(), ";" | "+"));
    &behind[..end.unwrap_or(behind.len())]
}

fn candidates<'ground>(shell: &Shell<'ground>, roots: &[Value]) -> Vec<(&'ground Entry, Candidate)> {
    let mut candidates = Vec::new();
    for root in roots {
        for (entry, depth) in shell.ground().all_below(root, shell.folder()) {
            let tail = entry.names[entry.names.len() - depth..].join("/");
            let root = root.text.trim_end_matches('/').to_lowercase();
            let shown = if tail.is_empty() { root } else { format!("{root}/{tail}") };
            let path = ground::text(&entry.names);
            let name = entry.names.last().cloned();
            if entry.is_folder {
                let within = Candidate {
                    name: None,
                    shown: format!("{shown}/?"),
                    path: format!("{path}/?"),
                    depth: depth + 1,
                    kinds: "fdl",
                };
                candidates.push((entry, within));
            }
            let kinds = if entry.is_folder { "d" } else { "f" };
            candidates.push((entry, Candidate { name, shown, path, depth, kinds }));
        }
    }
    candidates
}

/// Something that `find` may come by.
#[derive(Debug)]
struct Candidate {
    /// Nothing for what lies in a protected folder: its name is not known.
    name: Option<String>,
    /// As `find` would name it, in lower case.
    shown: String,
    /// From the root of the file system.
    path: String,
    depth: usize,
    kinds: &'static str,
}

impl Candidate {
    fn value(&self) -> Value {
        Value::literal(self.path.as_str())
    }

    /// Where in the expression the actions stand that are carried out on this.
    fn reached(&self, expression: &[Value]) -> Vec<usize> {
        self.evaluated(expression).0.reached
    }

    fn is_selected(&self, expression: &[Value]) -> bool {
        let (walk, holds) = self.evaluated(expression);
        holds && !walk.is_pruned
    }

    fn evaluated<'words>(&self, expression: &'words [Value]) -> (Walk<'_, 'words>, bool) {
        let mut walk = Walk {
            candidate: self,
            words: expression,
            at: 0,
            depth: 0,
            is_pruned: false,
            reached: Vec::new(),
        };
        let holds = walk.any(true) && walk.at >= expression.len();
        if walk.is_pruned {
            walk.reached.clear();
        }
        (walk, holds)
    }
}

/// One evaluation of the expression, as `find` does it: from the left, and no further than it must.
#[derive(Debug)]
struct Walk<'candidate, 'words> {
    candidate: &'candidate Candidate,
    words: &'words [Value],
    at: usize,
    depth: u8,
    is_pruned: bool,
    reached: Vec<usize>,
}

impl Walk<'_, '_> {
    fn word(&self) -> Option<&str> {
        self.words.get(self.at).map(|word| word.text.as_str())
    }

    fn takes(&mut self, words: &[&str]) -> bool {
        let takes = self.word().is_some_and(|word| words.contains(&word));
        self.at += usize::from(takes);
        takes
    }

    fn any(&mut self, is_live: bool) -> bool {
        let mut holds = self.all(is_live);
        while self.takes(&["-o", "-or", ","]) {
            holds |= self.all(is_live && !holds);
        }
        holds
    }

    fn all(&mut self, is_live: bool) -> bool {
        let mut holds = true;
        while let Some(word) = self.word() {
            if matches!(word, "-o" | "-or" | "," | ")") {
                break;
            }
            if !self.takes(&["-a", "-and"]) {
                holds &= self.not(is_live && holds);
            }
        }
        holds
    }

    fn not(&mut self, is_live: bool) -> bool {
        let mut is_negated = false;
        while self.takes(&["!", "-not"]) {
            is_negated = !is_negated;
        }
        self.one(is_live) != is_negated
    }

    fn one(&mut self, is_live: bool) -> bool {
        if self.takes(&["("]) {
            self.depth += 1;
            let holds = self.depth < DEPTH_MAX && self.any(is_live);
            self.depth -= 1;
            self.takes(&[")"]);
            return holds;
        }
        let Some(word) = self.word() else { return false };
        let action = self.at;
        if is_action(word) && word != "-delete" {
            self.at += command_at(self.words, action).len() + 2;
        } else {
            self.at += 1 + arguments(word);
        }
        let argument = self.words.get(action + 1);
        let Some(word) = self.words.get(action).map(|word| word.text.as_str()) else { return false };
        if is_live && is_action(word) {
            self.reached.push(action);
        }
        if is_live && word == "-prune" {
            self.is_pruned = true;
        }
        self.candidate.fits(word, argument)
    }
}

impl Candidate {
    /// Whether a test holds; what cannot be told from a path is taken to hold.
    fn fits(&self, test: &str, argument: Option<&Value>) -> bool {
        let text = argument.map(|value| value.text.to_lowercase()).unwrap_or_default();
        match test {
            "-name" | "-iname" => {
                self.name.as_ref().is_some_and(|name| glob::matches(&text, name, Dots::Matched))
            }
            "-path" | "-ipath" | "-wholename" | "-iwholename" => {
                glob::matches(&text, &self.shown, Dots::Matched)
            }
            "-type" | "-xtype" => text.contains(|kind| self.kinds.contains(kind)),
            "-maxdepth" => text.parse::<usize>().is_ok_and(|depth| self.depth <= depth),
            "-empty" | "-false" | "-regex" | "-iregex" | "-lname" | "-ilname" => false,
            _ => true,
        }
    }
}

/// How many of the next words belong to a test or an action.
fn arguments(word: &str) -> usize {
    match word {
        "-delete" | "-depth" | "-d" | "-empty" | "-executable" | "-false" | "-follow" | "-ls" | "-mount"
        | "-nogroup" | "-nouser" | "-print" | "-print0" | "-prune" | "-quit" | "-readable" | "-true"
        | "-writable" | "-xdev" | "-daystart" | "-noleaf" => 0,
        "-fprintf" => 2,
        _ => usize::from(word.starts_with('-')),
    }
}
