//! Replays commits that people merged into public projects as honest workers of gulf, and tells what gulf made of each.
//!
//! It needs clones that only a person can choose: each commit's parent is the base, a script that applies the
//! commit's change is the worker, and nothing is configured that a newcomer would not have.

mod commit;
mod order;
mod row;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::failure::Failure;
use crate::program;
use commit::Commit;
pub(crate) use order::Order;
use row::{Row, table};

/// What `timeout` says of a program that took too long.
const TIMED_OUT: i32 = 124;
/// Where tools keep what is the same for everybody, below a home.
const CACHES: [(&str, &str); 6] = [
    ("CARGO_HOME", ".cargo"),
    ("RUSTUP_HOME", ".rustup"),
    ("npm_config_cache", ".npm"),
    ("PIP_CACHE_DIR", ".cache/pip"),
    ("GOPATH", "go"),
    ("GOCACHE", ".cache/go-build"),
];

/// Replays what was asked for, and prints a table of Markdown; one commit's failure is a row, not the end.
pub(crate) fn run(order: &Order) -> Result<(), Failure> {
    println!("{}", table(&replayed(&crate::reference::gulf()?, order)?));
    Ok(())
}

fn replayed(gulf: &Path, order: &Order) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for clone in &order.clones {
        for commit in commit::recent(clone, order.commits, order.which)? {
            eprintln!("{} {} {}", project(clone), commit.short(), commit.subject);
            rows.push(replay(gulf, clone, &commit, order)?);
        }
    }
    Ok(rows)
}

/// The clone's name; a mirror's folder may end in `.git`.
fn project(clone: &Path) -> String {
    let name = clone
        .file_name()
        .map_or_else(|| clone.display().to_string(), |name| name.to_string_lossy().into_owned());
    name.trim_end_matches(".git").to_owned()
}

fn replay(gulf: &Path, clone: &Path, commit: &Commit, order: &Order) -> Result<Row, Failure> {
    let mut place = tempfile::tempdir().map_err(Failure::file("a folder for the replay"))?;
    place.disable_cleanup(order.keep);
    let checkout = place.path().join("project");
    let base = Row::of(project(clone), commit);
    let home = place.path().join("home");
    std::fs::create_dir(&home).map_err(Failure::file(&home))?;
    let set_up = order.setup_of(clone).map(|text| set_up(text, &checkout, place.path()));
    for command in clone_at(clone, commit, &checkout).into_iter().chain(set_up) {
        if let Err(failure) = program::stdout(command) {
            return Ok(Row { why: first_line(&failure.to_string()), ..base.ended("not replayed") });
        }
    }
    let worker = worker(clone, commit, place.path())?;
    // gulf ends what it started when it is told to end; a gulf that does not hear that is killed.
    let mut run = apart(Command::new("timeout"), &checkout, place.path());
    run.arg("--kill-after=60").arg((order.minutes * 60).to_string()).arg(gulf);
    run.args(["run", &commit.subject, "--max-iterations", "1", "--agent"])
        .arg(format!("command:{}", worker.display()));
    run.args(&order.arguments);
    let finished = program::run(run, program::Echo::Never)?;
    if order.keep {
        let said = place.path().join("said.txt");
        eprintln!("  kept in {}", place.path().display());
        let lines: Vec<String> = finished.lines.iter().cloned().collect();
        std::fs::write(&said, lines.join("\n")).map_err(Failure::file(&said))?;
    }
    let mut status = apart(Command::new(gulf), &checkout, place.path());
    status.args(["status", "--json"]);
    let said: Option<Value> = program::stdout(status).ok().and_then(|text| serde_json::from_str(&text).ok());
    let Some(status) = said.filter(|status| status.get("loop") != Some(&Value::Null)) else {
        // No loop began: gulf's own words are the reason.
        let said = finished.lines.iter().find(|line| line.starts_with("error:")).cloned();
        return Ok(Row { why: said.unwrap_or_default(), ..base.ended("refused") });
    };
    Ok(if finished.code == Some(TIMED_OUT) {
        Row { why: format!("more than {} min", order.minutes), ..base.told(&status).ended("timed out") }
    } else {
        base.told(&status)
    })
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
fn set_up(text: &str, checkout: &Path, place: &Path) -> Command {
    let mut shell = apart(Command::new("sh"), checkout, place);
    shell.args(["-c", text]);
    shell
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

/// With a home of its own, so that neither settings of the person nor an earlier replay decide anything. What tools have
/// downloaded stays where it is.
fn apart(mut command: Command, checkout: &Path, place: &Path) -> Command {
    command.current_dir(checkout).env("GULF_HOME", place.join("state"));
    for (variable, folder) in CACHES {
        if std::env::var_os(variable).is_none()
            && let Some(home) = std::env::var_os("HOME")
        {
            command.env(variable, Path::new(&home).join(folder));
        }
    }
    command.env("HOME", place.join("home"));
    command
}

fn first_line(text: &str) -> String {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned()
}
