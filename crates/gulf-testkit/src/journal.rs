//! gulf's journal as anybody can read it: lines of JSON, without any of gulf's own code.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

/// The folder of one loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopFolder {
    path: Utf8PathBuf,
}

impl LoopFolder {
    /// Every loop below a `$GULF_HOME`, sorted by name.
    pub(crate) fn all_in(home: &Utf8Path) -> Vec<LoopFolder> {
        let mut found = Vec::new();
        for repository in folders(&home.join("repositories")) {
            found.extend(folders(&repository.join("loops")).into_iter().map(|path| LoopFolder { path }));
        }
        found.sort_by(|one, other| one.id().cmp(other.id()));
        found
    }

    pub fn id(&self) -> &str {
        self.path.file_name().unwrap()
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> Utf8PathBuf {
        self.path.join(name)
    }

    pub fn journal_path(&self) -> Utf8PathBuf {
        self.path("journal.jsonl")
    }

    /// Every event.
    #[track_caller]
    pub fn events(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.journal_path()).unwrap();
        let events = parse_lines(&text);
        events.into_iter().map(|mut line| line["event"].take()).collect()
    }

    /// Every fact.
    #[track_caller]
    pub fn facts(&self) -> Vec<Value> {
        self.events().into_iter().map(|mut event| event["fact"].take()).collect()
    }

    /// The facts of one type.
    #[track_caller]
    pub fn facts_of(&self, kind: &str) -> Vec<Value> {
        self.facts().into_iter().filter(|fact| fact["type"] == kind).collect()
    }

    /// The end, if there is one: `verified`, `attested` …
    #[track_caller]
    pub fn end(&self) -> Option<Value> {
        self.facts_of("finished").pop().map(|mut fact| fact["end"].take())
    }

    /// The results of one kind of work, as `(key, result)`.
    #[track_caller]
    pub fn results(&self, work: &str) -> Vec<(Value, Value)> {
        let ended = self.facts_of("ended").into_iter().filter(|fact| fact["key"]["work"]["kind"] == work);
        ended.map(|mut fact| (fact["key"].take(), fact["result"].take())).collect()
    }

    /// The candidate that was built last: commit and tree.
    #[track_caller]
    pub fn candidate(&self) -> (String, String) {
        let built = self.results("snapshot");
        let made = built.iter().rev().find(|(_, result)| result["kind"] == "snapshot");
        let candidate = &made.expect("no candidate was built").1["candidate"];
        let text = |name: &str| candidate[name].as_str().unwrap().to_owned();
        (text("commit"), text("tree"))
    }

    /// The turns that the journal announced, as (iteration, attempt).
    #[track_caller]
    pub fn turns(&self) -> Vec<(u32, u32)> {
        let number = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
        let began = self.facts_of("began");
        let turns = began.iter().map(|fact| &fact["key"]).filter(|key| key["work"]["kind"] == "turn");
        turns.map(|key| (number(&key["iteration"]), number(&key["attempt"]))).collect()
    }
}

/// Lines of JSON; anything else fails.
#[track_caller]
pub fn parse_lines(text: &str) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    text.lines().map(parse).collect()
}

fn folders(path: &Utf8Path) -> Vec<Utf8PathBuf> {
    let Ok(entries) = path.read_dir_utf8() else { return Vec::new() };
    entries.map(|entry| entry.unwrap().into_path()).filter(|path| path.is_dir()).collect()
}
