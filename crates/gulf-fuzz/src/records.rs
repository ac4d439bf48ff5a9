//! What gulf itself wrote and reads again: journal, requests, contract and receipt; apart because it is JSON with
//! a meaning, and the meaning is folded, decided upon and shown.

use camino::Utf8Path;
use gulf_engine::{CheckName, Event, LoopId, State, admit, decide};
use gulf_runner::agreement::Agreement;
use gulf_runner::book::{self, Line};
use gulf_runner::claims::RequestFile;
use gulf_views::{
    CheckoutChange, DriverPresence, Facts, History, JournalHead, Look, Palette, Receipt, Summary,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Outcome, read_if};

/// Lines of a journal, each taken for the next one: those that fit are kept, those that do not must be told.
pub fn journal_line(bytes: &[u8]) -> Outcome {
    let mut loop_so_far = Loop::default();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Ok(mut line) = serde_json::from_slice::<Line<Event>>(line) else { continue };
        let next = loop_so_far.state.sequence + 1;
        if line.event.sequence != next {
            loop_so_far.take(&line.event);
            line.event.sequence = next;
        }
        loop_so_far.take(&line.event);
    }
    loop_so_far.show();
    read_if(loop_so_far.state.contract().is_some())
}

/// A whole `journal.jsonl`, from the disk.
pub fn journal_file(bytes: &[u8]) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = Utf8Path::from_path(folder.path()).expect("its path is UTF-8");
    std::fs::write(path.join("journal.jsonl"), bytes).expect("a file in it");
    match book::read(path) {
        Ok(events) => {
            let fold = book::fold(&events);
            let _ = decide(&fold.state);
            read_if(!events.is_empty())
        }
        Err(error) => {
            assert!(!error.to_string().is_empty(), "a refusal says why");
            Outcome::Refused
        }
    }
}

/// A request in the dropbox.
pub fn request_file(bytes: &[u8]) -> Outcome {
    match RequestFile::read(bytes, "00000000000000000001-0123456789abcdef.json") {
        Ok(file) => {
            let _ = (gulf_runner::claims::word(&file.act), admit(&State::default(), file.request()));
            same_again(&file);
            Outcome::Read
        }
        Err(error) => {
            assert!(!error.to_string().is_empty(), "a refusal says why");
            Outcome::Refused
        }
    }
}

/// The sealed contract.
pub fn contract(bytes: &[u8]) -> Outcome {
    let Ok(agreement) = serde_json::from_slice::<Agreement>(bytes) else { return Outcome::Refused };
    same_again(&agreement);
    read_if(agreement.contract().is_ok())
}

/// `receipt.json`.
pub fn receipt(bytes: &[u8]) -> Outcome {
    let Ok(receipt) = serde_json::from_slice::<Receipt>(bytes) else { return Outcome::Refused };
    same_again(&receipt);
    Outcome::Read
}

#[derive(Default)]
struct Loop {
    state: State,
    history: History,
}

impl Loop {
    /// Believes an event unless it is out of order; shows it either way, as `gulf log` would.
    fn take(&mut self, event: &Event) {
        let before = self.state.clone();
        self.state.apply(event);
        let _ = decide(&self.state);
        let look = Look::terminal(Palette::Colour, 40);
        let _ = gulf_views::line(event, &self.state, look);
        if self.state.anomaly().is_some() {
            self.show();
            self.state = before;
        } else {
            self.history.apply(event);
        }
    }

    /// Everything that is said of a loop.
    fn show(&self) {
        let facts = facts();
        let worktree = CheckoutChange::Uncommitted {
            deleted: vec!["gone.txt".to_owned()],
            entangled: Vec::new(),
            before_landing: None,
            before_discarding: None,
        };
        let look = Look::terminal(Palette::Plain, 20);
        for driver in [DriverPresence::Present, DriverPresence::Absent] {
            let summary = Summary::new(&facts, &self.history, &self.state, driver, &worktree);
            let _ = gulf_views::result(&summary, look);
            let _ = gulf_views::end_json(&summary);
            let _ = gulf_views::status_json(&facts, &self.history, &self.state, driver);
        }
        let _ = gulf_views::status_line(&self.state, &self.history, "Bash true", u64::MAX, look);
        let _ = gulf_views::state_json(&facts, &self.history, &self.state);
        let journal = JournalHead { sequence: self.state.sequence, digest: gulf_engine::Digest::new("4ead") };
        if let Some(receipt) = Receipt::new(&facts, "0.1.0", journal, &self.history, &self.state) {
            same_again(&receipt);
        }
    }
}

fn facts() -> Facts {
    Facts {
        loop_id: LoopId::new("2026-02-13T1430_login"),
        handle: String::new(),
        is_alone: true,
        spec_id: "60a1".to_owned(),
        passed_over: Vec::new(),
        unrun_checks: Vec::new(),
        goal: "Add a login.".to_owned(),
        title: "Add a login.".to_owned(),
        promise: String::new(),
        checks: std::collections::BTreeMap::from([(CheckName::new("test"), "cargo test".to_owned())]),
        criteria: vec!["it is beautiful".to_owned()],
        isolation: Vec::new(),
        surroundings: Vec::new(),
        logs: "/logs".to_owned(),
        logs_shown: "/logs".to_owned(),
        branch: None,
        fork: None,
        landing: None,
        channels: Vec::new(),
        again_command: "gulf run".to_owned(),
        again_limits: std::collections::BTreeMap::new(),
        changed_checks: Vec::new(),
        note: None,
        last_words: Vec::new(),
        undone: Vec::new(),
        review: None,
        preset: None,
        prd: None,
        list: None,
        task_criteria: std::collections::BTreeMap::new(),
    }
}

/// What was read is written as what reads the same.
fn same_again<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("what was read can be written");
    assert_eq!(&serde_json::from_str::<T>(&text).expect("what was written can be read"), value);
}
