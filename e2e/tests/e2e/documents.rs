//! Every command that our documents show is executed: a command that does not work is worse than none.
//!
//! Blocks fenced as `console` run their lines that begin with `$ `; blocks fenced as `sh` run whole. Each document has
//! a sandbox of its own with a small project and an agent called `my-agent`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use camino::Utf8PathBuf;
use gulf_testkit::{Sample, Sandbox, gulf, quote, repository_root};

/// Commands that are not run here, each with the reason.
const EXCEPTIONS: [(&str, &str); 14] = [
    ("git clone", "needs the network; .ci/run starts from a clone"),
    ("cd ", "part of cloning: the sandbox is where one would be"),
    ("cargo build", "builds what this test runs"),
    ("cargo install", "installs into the person's home; .ci/run builds the same package"),
    ("cargo run", "builds what this test runs"),
    ("cargo xtask", "runs these very tests"),
    ("cargo test", "runs these very tests"),
    ("cargo nextest", "runs these very tests"),
    ("cargo fuzz", "fuzzes for as long as it is let"),
    ("cargo mutants", "takes hours"),
    ("cargo insta", "changes this repository"),
    (".ci/run", "runs these very tests"),
    ("export GULF_TEST_PYTEST", "prepares these very tests"),
    ("gulf log -f", "follows a loop for as long as it runs"),
];

/// How a command may exit and still do what the document says of it: every word of DESIGN "How a command ends".
const HONEST_EXITS: [i32; 9] = [0, 1, 3, 10, 11, 12, 13, 14, 15];

struct Shown {
    line: usize,
    command: String,
}

#[test]
fn every_command_in_the_readme_works() {
    try_document("README.md");
}

#[test]
fn every_command_in_contributing_and_architecture_works() {
    try_document("CONTRIBUTING.md");
    try_document("ARCHITECTURE.md");
}

#[test]
fn every_command_in_the_docs_folder_works() {
    for document in documents() {
        try_document(&document);
    }
}

#[test]
fn commands_are_found_in_both_kinds_of_block_and_nowhere_else() {
    let text = "$ no\n```console\n$ gulf status  # why\noutput\n$ gulf run \\\n>   x\n```\n```sh\ngulf list\n# comment\n```\n```toml\ngulf = 1\n```\n";
    let found: Vec<(usize, String)> = shown(text).into_iter().map(|one| (one.line, one.command)).collect();
    let expected = [(3, "gulf status  # why"), (5, "gulf run \\\n  x"), (9, "gulf list")];
    assert_eq!(found, expected.map(|(line, command)| (line, command.to_owned())));
}

#[track_caller]
fn try_document(name: &str) {
    let path = repository_root().join(name);
    if !path.is_file() {
        // Said aloud, because a document that is missing has no command that fails.
        eprintln!("SKIPPED: there is no {name}");
        return;
    }
    let text = fs::read_to_string(&path).unwrap();
    let sandbox = project();
    for shown in shown(&text) {
        let exception = EXCEPTIONS.iter().find(|(prefix, _)| shown.command.starts_with(prefix));
        if let Some((_, reason)) = exception {
            println!("{name}:{}: not run ({reason}): {}", shown.line, shown.command);
            continue;
        }
        let script = format!("export PATH={}:\"$PATH\"\n{}", quote(sandbox.path("bin").as_str()), shown.command);
        let finished = sandbox.program("bash", ["-c", &script]).run().does_not_panic();
        assert!(
            finished.exit.is_some_and(|code| HONEST_EXITS.contains(&code)),
            "{name}:{}: {}\n{finished:#?}",
            shown.line,
            shown.command
        );
        println!("{name}:{}: exit {}: {}", shown.line, finished.exit.unwrap(), shown.command);
    }
    sandbox.assert_nothing_left();
}

/// A project, an agent called `my-agent` that claims and does nothing, and gulf on the PATH.
fn project() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::node());
    let programs = sandbox.path("bin");
    fs::create_dir(&programs).unwrap();
    std::os::unix::fs::symlink(gulf(), programs.join("gulf")).unwrap();
    let agent = programs.join("my-agent");
    fs::write(&agent, "#!/bin/sh\ncat > /dev/null\necho x >> work.txt\necho '<promise>COMPLETE</promise>'\n").unwrap();
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    sandbox
}

fn documents() -> Vec<String> {
    let mut found = Vec::new();
    let root = repository_root();
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = folder.read_dir_utf8() else { continue };
        for path in entries.map(|entry| entry.unwrap().into_path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some("md") {
                found.push(relative(&path, &root));
            }
        }
    }
    found.sort();
    found
}

fn relative(path: &Utf8PathBuf, root: &Utf8PathBuf) -> String {
    path.strip_prefix(root).unwrap().to_string()
}

/// The commands of a document, each with its line.
fn shown(text: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut block: Option<&str> = None;
    for (index, line) in text.lines().enumerate() {
        if let Some(kind) = line.trim_start().strip_prefix("```") {
            block = block.is_none().then_some(kind.trim());
            continue;
        }
        let continues = found.last().is_some_and(|one| one.command.ends_with('\\') && one.line + 1 >= index);
        let command = match block {
            Some("console") => match line.strip_prefix("$ ") {
                Some(command) => Some(command),
                None if continues => line.strip_prefix('>').or(Some(line)).map(|rest| rest.strip_prefix(' ').unwrap_or(rest)),
                None => None,
            },
            Some("sh") => Some(line).filter(|line| !line.trim().is_empty() && !line.starts_with('#')),
            Some(_) | None => None,
        };
        match (command, found.last_mut()) {
            (Some(command), Some(last)) if continues => last.command = format!("{}\n{command}", last.command),
            (Some(command), _) => found.push(Shown { line: index + 1, command: command.to_owned() }),
            (None, _) => {}
        }
    }
    found
}
