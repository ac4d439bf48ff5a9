//! `git`: the subcommands that write files, where they name something protected.
//!
//! It stands apart because each subcommand has manners of its own. What moves all files at once (`switch`, `stash`,
//! `reset --hard`, `merge`) names none and is let pass; `clean -x` and `stash --all` are not, because they take away
//! what is ignored, and what gulf keeps in the project is ignored.

use std::rc::Rc;

use super::options::Options;
use super::{copies, diff, written};
use crate::guard::Verdict;
use crate::guard::ground::Entry;
use crate::guard::shell::{Shell, said::Said};
use crate::guard::value::Value;

const GLOBAL: [&str; 6] = ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"];

/// Objects to what a subcommand would do.
pub(super) fn judge(shell: &mut Shell<'_>, rest: &[Value], stdin: Option<&Rc<Said>>) -> Verdict {
    let mut rest = rest;
    shell.enter();
    while let Some((option, behind)) = rest.split_first().filter(|(first, _)| first.text.starts_with('-')) {
        let takes_next = GLOBAL.contains(&option.text.as_str());
        if option.text == "-C"
            && let Some(folder) = behind.first()
        {
            shell.go(folder);
        }
        rest = if takes_next { behind.get(1..).unwrap_or_default() } else { behind };
    }
    let verdict = match rest.split_first() {
        Some((subcommand, rest)) => judge_subcommand(shell, &subcommand.text, rest, stdin),
        None => Ok(()),
    };
    shell.leave();
    verdict
}

fn judge_subcommand(
    shell: &mut Shell<'_>,
    subcommand: &str,
    rest: &[Value],
    stdin: Option<&Rc<Said>>,
) -> Verdict {
    match subcommand {
        "checkout" => {
            let options = Options::of(rest, &["-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"]);
            takes(shell, "git checkout", &options)
        }
        "restore" => {
            let options = Options::of(rest, &["-s", "--source", "--conflict", "--pathspec-from-file"]);
            let is_staged = options.has("S", &["staged"]) && !options.has("W", &["worktree"]);
            if is_staged { Ok(()) } else { takes(shell, "git restore", &options) }
        }
        "rm" => {
            let options = Options::of(rest, &["--pathspec-from-file"]);
            let is_harmless = options.has("n", &["cached", "dry-run"]);
            if is_harmless { Ok(()) } else { takes(shell, "git rm", &options) }
        }
        "mv" => copies::moves(shell, "git mv", rest),
        "clean" => clean(shell, &Options::of(rest, &["-e", "--exclude"])),
        "stash" => stash(shell, rest),
        "apply" | "am" => {
            let options = Options::of(rest, &["-p", "-C", "--directory", "--exclude", "--include"]);
            let is_question = options.has("", &["check", "stat", "numstat", "summary", "cached"]);
            if is_question { Ok(()) } else { diff(shell, "git apply", stdin) }
        }
        "diff" | "log" | "show" | "archive" => {
            let options = Options::of(rest, &["-o", "--output"]);
            let paths: Vec<Value> = options.values(&["-o", "--output"]).cloned().collect();
            written(shell, &format!("git {subcommand}"), &paths)
        }
        _ => Ok(()),
    }
}

/// Paths that are written over or removed, with all below them.
fn takes(shell: &mut Shell<'_>, program: &str, options: &Options<'_>) -> Verdict {
    for path in options.operands.iter().map(|path| pathspec(path)) {
        if let Some(entry) = shell.taken(&path) {
            return Err(
                entry.offence(shell.and_how(&path, format!("`{program}` would overwrite or remove it")))
            );
        }
    }
    Ok(())
}

/// git reads patterns by itself; those that leave something out begin with a colon and are no paths.
fn pathspec(path: &Value) -> Value {
    let is_exclusion = [":!", ":^", ":(exclude)"].iter().any(|mark| path.text.starts_with(mark));
    if is_exclusion { Value::default() } else { path.as_pattern() }
}

fn clean(shell: &mut Shell<'_>, options: &Options<'_>) -> Verdict {
    if options.has("n", &["dry-run"]) {
        return Ok(());
    }
    let takes_ignored = options.has("xX", &[]);
    let found = if !takes_ignored {
        options.operands.iter().find_map(|path| shell.written(&pathspec(path)))
    } else if options.operands.is_empty() {
        let kept: Vec<&str> =
            options.values(&["-e", "--exclude"]).map(|value| value.text.trim_matches('/')).collect();
        let is_kept = |entry: &Entry| entry.names.iter().any(|name| kept.contains(&name.as_str()));
        ignored(shell).into_iter().find(|entry| !is_kept(entry))
    } else {
        options.operands.iter().find_map(|path| shell.taken(&pathspec(path)))
    };
    let program = if takes_ignored { "git clean -x" } else { "git clean" };
    found.map_or(Ok(()), |entry| Err(entry.offence(format!("`{program}` would remove it"))))
}

/// What gulf keeps in the project, below the folder where the shell is.
fn ignored<'ground>(shell: &Shell<'ground>) -> Vec<&'ground Entry> {
    let here = shell.ground().all_below(&Value::literal("."), shell.folder());
    let is_in_project =
        |entry: &Entry| shell.ground().project().is_some_and(|project| entry.names.starts_with(project));
    here.into_iter()
        .map(|(entry, _)| entry)
        .filter(|entry| entry.is_gulfs() && is_in_project(entry))
        .collect()
}

fn stash(shell: &mut Shell<'_>, rest: &[Value]) -> Verdict {
    let rest = match rest.split_first() {
        Some((first, behind)) if matches!(first.text.as_str(), "push" | "save") => behind,
        Some((first, _)) if !first.text.starts_with('-') => return Ok(()),
        Some(_) | None => rest,
    };
    let options = Options::of(rest, &["-m", "--message", "--pathspec-from-file"]);
    if let Some(entry) = options.operands.iter().find_map(|path| shell.written(&pathspec(path))) {
        return Err(entry.offence("`git stash` would take it away"));
    }
    let takes_ignored = options.operands.is_empty() && options.has("a", &["all"]);
    match ignored(shell).first().filter(|_| takes_ignored) {
        Some(entry) => Err(entry.offence("`git stash --all` would take it away")),
        None => Ok(()),
    }
}
