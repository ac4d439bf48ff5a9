//! Every command that our documents show is executed, and what they show of its output is compared: a document that
//! is not true is worse than none.
//!
//! Blocks fenced as `sh` run whole and must succeed; blocks fenced as `console` run their lines that begin with `$ `,
//! and each of their other lines must be in the output, whatever the times and ids. Every block has a sandbox of its
//! own with the small project of CONTRIBUTING.md. `sh claude` runs with the real Claude Code against a scripted model.
//! `text` is not run.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use gulf_testkit::model::{ModelServer, Reply, Script};
use gulf_testkit::{Invocation, RealAgents, Sample, Sandbox, gulf, quote, repository_root};
use serde_json::json;

/// Commands that are not run here, each with who runs it.
const EXCEPTIONS: [(&str, &str); 12] = [
    ("cargo build", "this test needs it before it can run"),
    ("cargo install", "would write into the person's home; the same package is built for this test"),
    ("cargo nextest", "runs these very tests"),
    ("cargo run --release -- demo", "is `gulf demo`, which runs here and in the tests of commands"),
    ("cargo xtask bench", "measures, and is no test"),
    ("cargo xtask ci", "is what `.ci/run` runs"),
    ("cargo xtask dist", "builds a release; its own tests pack and install"),
    ("cargo xtask gen", "changes this repository; `cargo xtask ci` runs it with --check"),
    ("cargo xtask soak", "runs these very tests, for an hour"),
    ("cargo xtask test", "runs these very tests"),
    ("cargo xtask tidy", "is a part of `cargo xtask ci`"),
    ("cargo xtask trace", "is a part of `cargo xtask ci`"),
];

const READMES: [&str; 2] = ["README.md", "README.ko.md"];
const README_LINES_MAX: usize = 120;

/// Stands for lines that a document leaves out.
const ELLIPSIS: &str = "…";

const CHECK: &str = "#!/bin/sh\ngrep -q hello greeting.txt\n";
const AGENT: &str =
    "#!/bin/sh\necho hello > greeting.txt\necho 'Done.'\necho '<promise>COMPLETE</promise>'\n";

/// How a block's lines are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `sh`
    Script,
    /// `sh claude`
    WithClaude,
    /// `console`
    Session,
}

/// A fenced block that is run.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    kind: Kind,
    /// Of the fence, from 1.
    line: usize,
    lines: Vec<String>,
}

#[test]
fn every_command_in_the_readme_works() {
    READMES.iter().for_each(|document| try_document(document));
}

/// As a stranger does: block after block, in one shell, in a folder in which there is nothing.
#[test]
fn the_readme_pasted_in_order_into_an_empty_folder_works() {
    READMES.iter().for_each(|document| paste_in_order(document));
}

#[track_caller]
fn paste_in_order(document: &str) {
    let text = fs::read_to_string(repository_root().join(document)).unwrap();
    let sandbox = Sandbox::without_git();
    fs::create_dir(sandbox.path("bin")).unwrap();
    symlink(gulf(), sandbox.path("bin").join("gulf")).unwrap();
    let server = ModelServer::start(hello(&sandbox));
    let agents = RealAgents::ready(&sandbox, &server);
    let is_pasted = |block: &&Block| match block.kind {
        Kind::Script => block.lines.iter().all(|line| exception(line).is_none()),
        Kind::WithClaude => agents.is_some(),
        Kind::Session => false,
    };
    let run = |script: &str| {
        let script = command(&sandbox, document, script);
        let finished = match &agents {
            Some(agents) => script.variables(agents.variables()).run(),
            None => script.run(),
        };
        assert_eq!(finished.exit, Some(0), "{finished:#?}");
        finished
    };
    let pasted: Vec<String> =
        blocks(&text).iter().filter(is_pasted).map(|block| block.lines.join("\n")).collect();
    assert!(!pasted.is_empty());
    let mut typed = 0;
    for block in pasted {
        let finished = run(&block);
        // What the last screen names to keep the work is typed, too.
        for named in finished.stdout.lines().filter_map(keeping) {
            // A person writes the message of a commit in their editor.
            run(&format!("export GIT_EDITOR='sed -i 1s/^/mine/'\n{named}"));
            typed += 1;
        }
    }
    assert!(typed > 0, "no last screen said how the work is kept");
    sandbox.assert_nothing_left();
}

/// Who reads it wants to begin: what goes beyond that stands in the guide.
#[test]
fn the_readme_is_short() {
    for document in READMES {
        let text = fs::read_to_string(repository_root().join(document)).unwrap();
        assert!(text.lines().count() <= README_LINES_MAX, "{document}: {} lines", text.lines().count());
    }
}

#[test]
fn every_command_in_the_other_documents_works() {
    try_document("CONTRIBUTING.md");
    try_document("ARCHITECTURE.md");
    try_document("CHANGELOG.md");
}

#[test]
fn every_command_in_the_guide_works() {
    guide().iter().filter(|page| !is_korean(page)).for_each(|document| try_document(document));
}

/// Beside the English one, since both take long.
#[test]
fn every_command_in_the_korean_guide_works() {
    let pages: Vec<String> = guide().into_iter().filter(|page| is_korean(page)).collect();
    assert!(!pages.is_empty());
    pages.iter().for_each(|document| try_document(document));
}

fn is_korean(page: &str) -> bool {
    page.starts_with("docs/ko/") || page.starts_with("README.ko.md")
}

#[test]
fn every_link_between_documents_leads_to_a_file_and_its_heading() {
    let documents = ["README.md", "README.ko.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"]
        .map(str::to_owned);
    for document in documents.into_iter().chain(guide()) {
        let path = repository_root().join(&document);
        for target in links(&fs::read_to_string(&path).unwrap()) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(file.exists(), "{document} links to {target}, and there is no {file}");
            let is_heading = |line: &str| line.starts_with('#') && anchor(line) == heading;
            let is_there = || fs::read_to_string(&file).unwrap().lines().any(is_heading);
            assert!(heading.is_empty() || is_there(), "{document} links to {target}, which is no heading");
        }
    }
}

#[test]
fn every_page_of_the_guide_stands_in_its_summary() {
    let summary = fs::read_to_string(repository_root().join("docs/SUMMARY.md")).unwrap();
    let listed: Vec<String> = links(&summary).map(|target| format!("docs/{target}")).collect();
    let missing: Vec<String> =
        guide().into_iter().filter(|page| page != "docs/SUMMARY.md" && !listed.contains(page)).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

#[test]
fn scripts_and_sessions_are_found_and_other_blocks_are_not() {
    let text =
        "$ no\n```console\n$ gulf status\noutput\n```\n```text\ngulf list\n```\n```sh\ngulf log\n```\n";
    let block = |kind, line, lines: &[&str]| Block {
        kind,
        line,
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
    };
    assert_eq!(
        blocks(text),
        [block(Kind::Session, 2, &["$ gulf status", "output"]), block(Kind::Script, 9, &["gulf log"])]
    );
}

#[test]
fn a_heading_is_linked_to_by_its_letters() {
    assert_eq!(anchor("## The base's own tests"), "the-bases-own-tests");
    assert_eq!(anchor("### `--push`, and (what) follows"), "--push-and-what-follows");
}

#[test]
fn an_output_is_the_same_whatever_its_times_and_ids() {
    let now = steady("00:07 candidate 0913087 (tree ce2b7ad) · 1.25s");
    assert_eq!(now, steady("12:00 candidate 6f28d3d (tree b20b0e2) · 0.0s"));
    assert_ne!(now, steady("00:07 candidate 0913087 (tree ce2b7ad) · nothing differs from the base"));
    assert_eq!(steady("ok 4 - 2000 is a leap year"), "ok 4 - 2000 is a leap year");
}

#[track_caller]
fn try_document(name: &str) {
    let text = fs::read_to_string(repository_root().join(name)).unwrap();
    for block in blocks(&text) {
        let place = format!("{name}:{}", block.line);
        match block.kind {
            Kind::Script => try_script(&place, &block.lines),
            Kind::WithClaude => try_with_claude(&place, &block.lines),
            Kind::Session => try_session(&place, &block.lines),
        }
    }
}

#[track_caller]
fn try_script(place: &str, lines: &[String]) {
    let commands = || lines.iter().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    if commands().all(|command| exception(command).is_some()) {
        return println!("{place}: not run: {lines:?}");
    }
    let sandbox = project();
    let finished = command(&sandbox, place, &lines.join("\n")).run();
    assert_eq!(finished.exit, Some(0), "{place}: {finished:#?}");
    sandbox.assert_nothing_left();
}

/// Claude Code itself; what its model says is written down here.
#[track_caller]
fn try_with_claude(place: &str, lines: &[String]) {
    let sandbox = project();
    let server = ModelServer::start(hello(&sandbox));
    let Some(agents) = RealAgents::ready(&sandbox, &server) else { return };
    let finished = command(&sandbox, place, &lines.join("\n")).variables(agents.variables()).run();
    assert_eq!(finished.exit, Some(0), "{place}: {finished:#?}");
    agents.assert_no_other_traffic();
    sandbox.assert_nothing_left();
}

/// A model that makes the greeting say hello, and judges that it does.
fn hello(sandbox: &Sandbox) -> Script {
    let greeting = json!({"file_path": sandbox.file("greeting.txt").as_str(), "content": "hello\n"});
    let verdict = json!({
        "criteria": [{
            "number": 1, "word": "met", "reason": "the check reads it",
            "quotes": [], "checks": ["./check.sh"], "examined": [],
        }],
        "principle": "Look at the file itself.",
    });
    let turns = || {
        [
            Reply::tool("Write", greeting.clone()),
            Reply::shell("./check.sh && gulf claim done"),
            Reply::text("The greeting says hello."),
        ]
    };
    Script::new()
        .when_request_contains("StructuredOutput", Reply::structured(verdict))
        .conversation("make the greeting say hello", turns())
        .conversation("인사말을 hello로 바꿔 줘", turns())
}

/// Each command may end as it likes: what it says is compared.
#[track_caller]
fn try_session(place: &str, lines: &[String]) {
    let sandbox = project();
    let mut said: Option<String> = None;
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            said = None;
            if let Some(reason) = exception(command) {
                println!("{place}: not run, because it {reason}: {command}");
                continue;
            }
            let finished = self::command(&sandbox, place, command).run().does_not_panic();
            assert_ne!(finished.exit, Some(2), "{place}: wrong usage: {finished:#?}");
            said = Some(steady(&format!("{}\n{}", finished.stdout, finished.stderr)));
        } else if line != ELLIPSIS {
            let said = said.as_deref().unwrap_or_default();
            let wanted = steady(line);
            assert!(said.lines().any(|line| line == wanted), "{place}: nothing said `{line}` in:\n{said}");
        }
    }
    sandbox.assert_nothing_left();
}

/// The command of a last screen's line that keeps the work.
fn keeping(line: &str) -> Option<&str> {
    let command = line.split("  ").next()?;
    (command.starts_with("gulf land") || command.starts_with("git add -- ")).then_some(command)
}

fn exception(command: &str) -> Option<&'static str> {
    EXCEPTIONS.iter().find(|(prefix, _)| command.starts_with(prefix)).map(|(_, reason)| *reason)
}

/// In the language of the document, so that what it shows is what its reader sees.
fn command(sandbox: &Sandbox, place: &str, script: &str) -> Invocation {
    let path = format!("export PATH={}:\"$PATH\"", quote(sandbox.path("bin").as_str()));
    let locale = if is_korean(place) { "ko_KR.UTF-8" } else { "C.UTF-8" };
    let shell = ["-eu", "-o", "pipefail", "-c", &format!("{path}\n{script}")];
    sandbox.program("bash", shell).variable("LANG", locale)
}

/// The project that the documents speak of, and gulf on the PATH.
fn project() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::default().file("greeting.txt", "good morning\n"));
    for (name, text) in [("check.sh", CHECK), ("agent.sh", AGENT)] {
        sandbox.write(name, text);
        fs::set_permissions(sandbox.file(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    sandbox.commit("the project of the documents");
    fs::create_dir(sandbox.path("bin")).unwrap();
    symlink(gulf(), sandbox.path("bin").join("gulf")).unwrap();
    sandbox
}

/// The pages below `docs`, as paths from the root.
fn guide() -> Vec<String> {
    let root = repository_root();
    let mut found = Vec::new();
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for path in folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some("md") {
                found.push(path.strip_prefix(&root).unwrap().to_string());
            }
        }
    }
    found.sort();
    found
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut fence: Option<Option<Kind>> = None;
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), fence) {
            (Some(info), None) => {
                let kind = match info.trim() {
                    "sh" => Some(Kind::Script),
                    "sh claude" => Some(Kind::WithClaude),
                    "console" => Some(Kind::Session),
                    _ => None,
                };
                fence = Some(kind);
                found.extend(kind.map(|kind| Block { kind, line: index + 1, lines: Vec::new() }));
            }
            (Some(_), Some(_)) => fence = None,
            (None, Some(Some(_))) => found.last_mut().unwrap().lines.push(line.to_owned()),
            (None, Some(None) | None) => {}
        }
    }
    assert!(fence.is_none(), "a block is not closed");
    found
}

/// Targets of Markdown links that are files of ours.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    targets.filter(|target| !target.contains("://"))
}

/// By which a heading is linked to: its letters, digits and hyphens in lower case, and a hyphen for each space.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let signs = text.chars().filter(|sign| sign.is_alphanumeric() || [' ', '-', '_'].contains(sign));
    signs.map(|sign| if sign == ' ' { '-' } else { sign }).collect()
}

/// Words that differ between two runs, made alike: ids, times, durations.
pub(crate) fn steady(text: &str) -> String {
    let word = |word: &str| {
        let bare = word.trim_matches(|character: char| "():".contains(character));
        let is_id = bare.len() >= 7 && bare.chars().all(|character| character.is_ascii_hexdigit());
        let is_time = bare.split_once(':').is_some_and(|(left, right)| are_digits(left) && are_digits(right));
        let is_duration =
            bare.strip_suffix(['s', '초']).is_some_and(|number| are_digits(&number.replace('.', "")));
        if is_id || is_time || is_duration { word.replace(bare, "*") } else { word.to_owned() }
    };
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| character.is_ascii_digit())
}
