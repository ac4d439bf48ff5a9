//! Replays commits that people merged into public projects as honest workers of gulf, and tells what gulf made of each.
//!
//! It stands apart from the tests because it needs clones that only a person can choose: each commit's parent is the base,
//! a script that applies the commit's change is the worker, and nothing is configured that a newcomer would not have.

mod commit;
mod order;
mod row;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::program;
use commit::Commit;
pub(crate) use order::Order;
use row::{Row, table};

/// Replays what was asked for, and prints a table of Markdown; one commit's failure is a row, not the end.
pub(crate) fn run(order: &Order) -> Result<(), Failure> {
    let gulf = crate::reference::gulf()?;
    let mut rows = Vec::new();
    for clone in &order.clones {
        for commit in commit::recent(clone, order.commits)? {
            eprintln!("{} {} {}", project(clone), commit.short(), commit.subject);
            rows.push(replay(&gulf, clone, &commit, order)?);
        }
    }
    println!("{}", table(&rows));
    Ok(())
}

/// The clone's name; a mirror's folder may end in `.git`.
fn project(clone: &Path) -> String {
    let name = clone
        .file_name()
        .map_or_else(|| clone.display().to_string(), |name| name.to_string_lossy().into_owned());
    name.trim_end_matches(".git").to_owned()
}

fn replay(gulf: &Path, clone: &Path, commit: &Commit, order: &Order) -> Result<Row, Failure> {
    let place = tempfile::tempdir().map_err(Failure::file("a folder for the replay"))?;
    let checkout = place.path().join("project");
    let base = Row::of(project(clone), commit);
    for command in [clone_at(clone, commit, &checkout), set_up(order, &checkout)].into_iter().flatten() {
        if let Err(failure) = program::stdout(command) {
            return Ok(Row { why: first_line(&failure.to_string()), ..base.ended("not replayed") });
        }
    }
    let worker = worker(clone, commit, place.path())?;
    let mut run = gulf_in(gulf, &checkout, place.path());
    run.args(["run", &commit.subject, "--max-iterations", "1", "--agent"])
        .arg(format!("command:{}", worker.display()));
    run.args(&order.arguments);
    let finished = program::run(run, program::Echo::Never)?;
    let mut status = gulf_in(gulf, &checkout, place.path());
    status.args(["status", "--json"]);
    let said = program::stdout(status).ok().and_then(|text| serde_json::from_str(&text).ok());
    let Some(status) = said else {
        // No loop began: gulf's own words are the reason.
        let said = finished.lines.iter().find(|line| line.starts_with("error:")).cloned();
        return Ok(Row { why: said.unwrap_or_default(), ..base.ended("refused") });
    };
    Ok(base.told(&status))
}

/// The commit's parent, on a branch, with a committer whom git knows.
fn clone_at(clone: &Path, commit: &Commit, checkout: &Path) -> Vec<Command> {
    let mut cloned = Command::new("git");
    cloned.args(["clone", "--quiet", "--shared", "--no-checkout"]).arg(clone).arg(checkout);
    let within = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C").arg(checkout).args(arguments);
        git
    };
    vec![
        cloned,
        within(&["checkout", "--quiet", "-B", "base", &commit.parent]),
        within(&["config", "user.name", "History"]),
        within(&["config", "user.email", "history@example.invalid"]),
    ]
}

/// What the person who asked for the replay says that a newcomer would do first (`npm ci`).
fn set_up(order: &Order, checkout: &Path) -> Vec<Command> {
    let command = order.setup.iter().map(|text| {
        let mut shell = Command::new("sh");
        shell.args(["-c", text]).current_dir(checkout);
        shell
    });
    command.collect()
}

/// A script that reads its prompt, applies the commit's change and claims to be done.
fn worker(clone: &Path, commit: &Commit, place: &Path) -> Result<PathBuf, Failure> {
    let patch = place.join("change.patch");
    let mut diff = Command::new("git");
    diff.arg("-C").arg(clone).args(["diff", "--binary", "--no-ext-diff", &commit.parent, &commit.id]);
    diff.arg(format!("--output={}", patch.display()));
    program::stdout(diff)?;
    let path = place.join("worker.sh");
    let script = format!(
        "#!/bin/sh\ncat > /dev/null\ngit apply --whitespace=nowarn '{}' && echo '<promise>COMPLETE</promise>'\n",
        patch.display()
    );
    std::fs::write(&path, script).map_err(Failure::file(&path))?;
    let mut executable = Command::new("chmod");
    executable.arg("+x").arg(&path);
    program::stdout(executable)?;
    Ok(path)
}

fn gulf_in(gulf: &Path, checkout: &Path, place: &Path) -> Command {
    let mut command = Command::new(gulf);
    command.current_dir(checkout).env("GULF_HOME", place.join("state")).env("NO_COLOR", "1");
    command
}

fn first_line(text: &str) -> String {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned()
}
