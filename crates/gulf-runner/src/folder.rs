//! Where everything about one loop lies in `$GULF_HOME`: names only; what makes a folder is called `create`.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{EffectKey, EffectKind};
use gulf_host::digest::Digest;
use gulf_host::files::{self, Durability, WriteError};
use gulf_host::home::Requests;
use gulf_host::journal::{JOURNAL_FILE, LOCK_FILE};

/// A loop's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopPaths {
    root: Utf8PathBuf,
    /// Elsewhere, where a merge of the loop's work is tested.
    lane: Option<Lane>,
}

/// Where merged commits are tested: the loop itself may be working meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lane {
    /// The folder by which its processes are marked.
    pub(crate) owner: Utf8PathBuf,
    pub(crate) rooms: Utf8PathBuf,
    pub(crate) logs: Utf8PathBuf,
}

impl LoopPaths {
    /// The folder at this path.
    pub fn new(root: impl Into<Utf8PathBuf>) -> Self {
        Self { root: root.into(), lane: None }
    }

    /// The same loop, whose candidate's room and logs lie elsewhere.
    pub(crate) fn with_lane(self, lane: Lane) -> Self {
        Self { lane: Some(lane), ..self }
    }

    /// By which processes are marked.
    pub(crate) fn owner(&self) -> &Utf8Path {
        self.lane.as_ref().map_or(&self.root, |lane| &lane.owner)
    }

    /// Where the project's dependencies are copied from, if not from the project: from what was put aside before a
    /// worker could touch it.
    pub(crate) fn provider(&self) -> Option<Utf8PathBuf> {
        self.lane.as_ref().map(|_| self.room("base"))
    }

    /// What is kept about the repository, beside its loops.
    pub(crate) fn repository_home(&self) -> &Utf8Path {
        self.root.ancestors().nth(2).unwrap_or(&self.root)
    }

    /// What the gates said about each candidate that was to land.
    pub fn receipts(&self) -> Utf8PathBuf {
        self.root.join("receipts")
    }

    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The name of its repository's folder, in which all loops of that stand.
    pub fn repository_key(&self) -> Option<&str> {
        self.root.ancestors().nth(2)?.file_name()
    }

    /// The contract as sealed at the start, and nothing else that decides.
    pub fn contract(&self) -> Utf8PathBuf {
        self.numbered_contract(1)
    }

    /// The contract as it was sealed for the n-th time: an amended one lies beside those before it.
    pub fn numbered_contract(&self, number: u32) -> Utf8PathBuf {
        let name = if number == 1 { "contract.json".to_owned() } else { format!("contract-{number}.json") };
        self.root.join("sealed").join(name)
    }

    /// What the loop's texts held at the start.
    pub fn sealed_texts(&self) -> Utf8PathBuf {
        self.root.join("sealed").join("texts")
    }

    /// The files that git ignores and every room gets, as they were at the start.
    pub fn sealed_files(&self) -> Utf8PathBuf {
        self.root.join("sealed").join("files")
    }

    /// The loop's own texts as they lay in its worktree when that was removed.
    pub fn left_texts(&self) -> Utf8PathBuf {
        self.root.join("left")
    }

    pub fn journal(&self) -> Utf8PathBuf {
        self.root.join(JOURNAL_FILE)
    }

    /// Held by the process that drives the loop: opening the journal for writing takes it.
    pub fn lock(&self) -> Utf8PathBuf {
        self.root.join(LOCK_FILE)
    }

    /// Where other processes leave what they ask for.
    pub fn requests(&self) -> Requests {
        Requests::in_directory(self.root.join("requests"))
    }

    /// The same of a worker behind walls, who sees it in the place of those: whatever it says there, a worker said it.
    pub fn asked(&self) -> Requests {
        Requests::in_directory(self.root.join("asked"))
    }

    /// What a worker says of its progress: its own words, where it may write them.
    pub fn notes(&self) -> Utf8PathBuf {
        self.root.join("notes")
    }

    /// What belongs to one iteration: `iterations/007`.
    pub fn iteration(&self, number: u32) -> Utf8PathBuf {
        self.iterations().join(format!("{number:03}"))
    }

    /// The work of parts that stayed out when the first turn was divided, to look at.
    pub fn left_out_parts(&self) -> Utf8PathBuf {
        self.iteration(1).join("left-out")
    }

    /// Makes the loop's folder and those in it; what is there already stays.
    pub fn create(&self) -> Result<(), WriteError> {
        for directory in [self.requests().directory(), &self.iterations(), &self.root.join("sealed")] {
            files::create_private_directories(directory, Durability::Synced)?;
        }
        Ok(())
    }

    /// What an agent's session needs beside its turns, without an ending.
    pub fn agent_session(&self, id: &str) -> Utf8PathBuf {
        self.root.join("agents").join(id)
    }

    /// gulf's own git directory for this loop.
    pub fn git(&self) -> Utf8PathBuf {
        self.root.join("git")
    }

    /// The private index of snapshots.
    pub fn index(&self) -> Utf8PathBuf {
        self.root.join("index")
    }

    /// A checkout that the loop keeps for its checks.
    pub fn room(&self, name: &str) -> Utf8PathBuf {
        match &self.lane {
            Some(lane) if name.starts_with("candidate") => lane.rooms.join(name),
            Some(_) | None => self.rooms().join(name),
        }
    }

    pub(crate) fn rooms(&self) -> Utf8PathBuf {
        self.root.join("rooms")
    }

    /// What a worker behind walls makes in its home.
    pub(crate) fn worker_home(&self) -> Utf8PathBuf {
        self.root.join("home")
    }

    /// On the worker's PATH: `gulf`, this very one.
    pub fn worker_programs(&self) -> Utf8PathBuf {
        self.root.join("bin")
    }

    /// Everything that the judge rejected, as JUDGE_FEEDBACK.md has it; no worker writes here.
    pub fn rejections(&self) -> Utf8PathBuf {
        self.root.join("judge-feedback.md")
    }

    /// What judges of this repository noted (SPEC G23): beside its loops, since later ones read it too.
    pub fn judge_notes(&self) -> Utf8PathBuf {
        self.repository_home().join("judge-notes.md")
    }

    pub fn receipt(&self) -> Utf8PathBuf {
        self.root.join("receipt.json")
    }

    /// The seed's state file (SPEC L8).
    pub fn state(&self) -> Utf8PathBuf {
        self.root.join("state.json")
    }

    /// The folders of all iterations.
    pub fn iterations(&self) -> Utf8PathBuf {
        self.root.join("iterations")
    }

    /// What agents wrote in the steps before their turns, the newest of each kind.
    pub fn thoughts(&self) -> Utf8PathBuf {
        self.root.join("thoughts")
    }

    /// The folder of an effect's logs: `iterations/003`, `base` for what belongs to no iteration.
    pub fn logs(&self, key: &EffectKey) -> Utf8PathBuf {
        if let Some(lane) = &self.lane {
            return lane.logs.clone();
        }
        let of_base = matches!(key.work, EffectKind::Probe { .. });
        if of_base { self.root.join("base") } else { self.iteration(key.iteration) }
    }

    /// Writes one of an effect's logs whole; their folder is made with the first.
    pub fn write_log(&self, key: &EffectKey, name: &str, text: &str) -> Result<(), WriteError> {
        files::keep(&self.log(key, name), text.as_bytes(), Durability::Buffered)
    }

    /// A log of an effect: the attempt is in the name, so nothing is ever overwritten.
    pub fn log(&self, key: &EffectKey, name: &str) -> Utf8PathBuf {
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "log"));
        let attempt = if key.attempt > 1 { format!("-attempt-{}", key.attempt) } else { String::new() };
        self.logs(key).join(format!("{stem}{attempt}.{extension}"))
    }

    /// What a check said about a tree.
    pub fn run(&self, tree: &str, check: &str) -> Utf8PathBuf {
        self.root.join("runs").join(format!("{tree}-{}.json", file_name(check)))
    }
}

/// A check's name as part of a file's name: readable, and different for different names.
pub fn file_name(check: &str) -> String {
    let plain = |character: &char| character.is_ascii_alphanumeric() || "-_".contains(*character);
    let safe: String = check.chars().filter(plain).take(40).collect();
    if safe == check {
        return safe;
    }
    let digest = Digest::of_bytes(check.as_bytes()).to_string();
    format!("{safe}-{}", &digest[..8])
}
