//! What is put before the judge: everything that changed, as it is in the candidate (SPEC G7).

use std::collections::HashMap;

use camino::Utf8PathBuf;
use gulf_agents::agents::Tool;
use gulf_agents::differing::hunks;
use gulf_agents::judge::{Change, CheckExhibit, Content, Exhibits, Fate, FileExhibit, Judgement};
use gulf_agents::sources::LineRange;
use gulf_engine::{CheckRun, Claim, EffectKey, Finding};
use gulf_host::files;
use gulf_host::git::{self, BlobId, CheckoutRequest, Keep, TreeChangeKind};
use gulf_spec::alignment::ALIGNMENT_PATH;

use super::JudgeEffect;
use crate::agreement::{SealedCheck, WorkerTerms};
use crate::error::{Failure, Result, RunError};
use crate::memory::{append_once, end_of};
use crate::texts::text;

/// A larger file is named, not shown.
const FILE_BYTES_MAX: u64 = 4 << 20;
/// So many commits are listed.
const COMMITS_MAX: usize = 50;
/// How much of the worker's last message is shown.
const CLAIM_CHARS_MAX: usize = 8_000;
/// The last lines of what judges noted, and of what was rejected (CONTRACT 1.10).
const NOTES_MAX: usize = 40;
const REJECTION_LINES_MAX: usize = 60;

/// gulf's own question, where tests of the base are not as they were (SPEC B3).
const FINDINGS_CRITERION: &str = "Each change to tests or test settings that the check \"integrity\" lists is demanded by \
     the goal itself, and nothing that was tested before goes untested now";

impl JudgeEffect<'_> {
    /// Everything that is known about the candidate.
    pub(super) fn exhibits(&self) -> Result<Exhibits> {
        let words = self.effect.fold.state.unit.words.get(&self.candidate.tree);
        let compared = words.and_then(|words| words.integrity.as_ref());
        let findings = compared.map(|compared| compared.findings.as_slice()).unwrap_or_default();
        let mut criteria = self.resources.agreement.criteria_of(self.effect.key.unit);
        let (mut checks, folder) = (self.check_exhibits()?, &self.resources.folder);
        // Principles of earlier judgements of this repository (SPEC G23).
        let notes = last_lines(&end_of(&folder.judge_notes())?, NOTES_MAX);
        if !findings.is_empty() {
            criteria.push(FINDINGS_CRITERION.to_owned());
            checks.push(integrity(findings));
        }
        Ok(Exhibits {
            goal: self.resources.agreement.goal_of(self.effect.key.unit, self.effect.fold),
            criteria,
            checks,
            files: self.file_exhibits()?,
            alignment: text(&folder.sealed_texts().join(ALIGNMENT_PATH))?.unwrap_or_default(),
            rejections: last_lines(&end_of(&folder.rejections())?, REJECTION_LINES_MAX),
            notes: notes.lines().map(str::to_owned).collect(),
            commits: self.commits()?,
            claim: self.worker_words()?,
        })
    }

    fn check_exhibits(&self) -> Result<Vec<CheckExhibit>, RunError> {
        let tree = &self.candidate.tree;
        let words = self.effect.fold.state.unit.words.get(tree);
        let runs = words.into_iter().flat_map(|words| &words.checks);
        let runs = runs.filter_map(|(name, run)| Some((self.resources.agreement.check(name)?, run)));
        let exhibit = |(check, run): (&SealedCheck, &CheckRun)| {
            let record = self.resources.record(check, tree.as_str())?;
            Ok(CheckExhibit {
                name: check.name.to_string(),
                command: check.command.clone(),
                passed: run.is_green(),
                tail: record.map(|record| record.tail).unwrap_or_default(),
            })
        };
        runs.map(exhibit).collect()
    }

    fn file_exhibits(&self) -> Result<Vec<FileExhibit>> {
        let base = self.resources.base(self.effect.fold);
        let changes = self.resources.repository.diff(&base.tree, &self.candidate.tree)?;
        let blobs = changes.iter().flat_map(|change| [&change.old_blob, &change.new_blob]);
        let blobs: Vec<BlobId> = blobs.flatten().cloned().collect();
        let contents = self.resources.repository.read_small_blobs(&blobs, FILE_BYTES_MAX)?;
        Ok(changes.iter().map(|change| file(change, &contents)).collect())
    }

    /// Keeps what a judge learnt, where no worker reaches it.
    pub(super) fn keep_note(&self, iteration: u32, judgement: &Judgement) -> Result<()> {
        let Some(principle) = &judgement.principle else { return Ok(()) };
        let word = match &judgement.verdict {
            gulf_agents::judge::Verdict::Approved { .. } => "APPROVED",
            gulf_agents::judge::Verdict::Rejected { .. } => "REJECTED",
            gulf_agents::judge::Verdict::NoVerdict { .. } => return Ok(()),
        };
        // A copy for people and workers; no judge ever reads this one.
        let line = format!("[iter {iteration}] {word} — {principle}\n");
        append_once(self.resources, "JUDGE_EVOLUTION.md", &line, &line);
        // Other loops of the repository write there at the same time.
        let line = format!("[{} iter {iteration}] {word} — {principle}\n", self.resources.agreement.loop_id);
        Ok(files::append(&self.resources.folder.judge_notes(), line.as_bytes())?)
    }

    fn commits(&self) -> Result<Vec<String>> {
        // An adopted loop's work began before it did.
        let began = match &self.resources.agreement.worker {
            WorkerTerms::Adopted { .. } => Some(&self.resources.agreement.base.commit),
            WorkerTerms::Processes | WorkerTerms::Session { .. } => self.resources.agreement.head.as_ref(),
        };
        let Some(head) = began else { return Ok(Vec::new()) };
        let mut log = self.resources.repository.log_since(head, COMMITS_MAX)?;
        log.reverse();
        Ok(log.into_iter().map(|commit| commit.title).collect())
    }

    /// The worker's last message, what it called a task of its own, and its reason for having no test.
    fn worker_words(&self) -> Result<String, RunError> {
        let turn =
            EffectKey { attempt: self.effect.fold.state.unit.attempt.max(1), ..self.effect.key.clone() };
        let message = text(&self.resources.folder.log(&turn, "message.txt"))?.unwrap_or_default();
        let own = self.resources.agreement.own_task(self.effect.key.unit, self.effect.fold);
        let own = own.map(|title| format!("the task in hand: {title}\n")).unwrap_or_default();
        let message: String = own.chars().chain(message.chars()).take(CLAIM_CHARS_MAX).collect();
        Ok(match &self.effect.fold.state.unit.claim {
            Some(Claim::Done { no_test: Some(reason) }) => format!("no test shows it: {reason}\n{message}"),
            Some(Claim::Done { no_test: None } | Claim::Cannot(_) | Claim::Conflict(_))
            | Some(Claim::NeedDecision(_) | Claim::Blocked { .. })
            | None => message,
        })
    }
}

/// What the comparison with the base found, as a check that did not pass: evidence for nothing.
fn integrity(findings: &[Finding]) -> CheckExhibit {
    let lines: Vec<String> =
        findings.iter().map(|finding| format!("- {}: {}", finding.path, finding.what)).collect();
    CheckExhibit {
        name: "integrity".to_owned(),
        command: "comparison of the tests with those of the base".to_owned(),
        passed: false,
        tail: lines.join("\n"),
    }
}

fn file(change: &git::Change, contents: &HashMap<BlobId, Vec<u8>>) -> FileExhibit {
    let path = String::from_utf8_lossy(change.path.as_bytes()).into_owned();
    let fate = match (change.kind, &change.new_blob) {
        (TreeChangeKind::Deleted, _) | (_, None) => Fate::Deleted,
        (TreeChangeKind::Added, Some(blob)) => {
            Fate::Written { change: Change::Added, content: content(None, blob, contents) }
        }
        (TreeChangeKind::Modified | TreeChangeKind::TypeChanged, Some(blob)) => {
            let old = change.old_blob.as_ref().and_then(|blob| contents.get(blob));
            Fate::Written { change: Change::Changed, content: content(old, blob, contents) }
        }
    };
    FileExhibit { path, fate }
}

fn content(old: Option<&Vec<u8>>, blob: &BlobId, contents: &HashMap<BlobId, Vec<u8>>) -> Content {
    // What is not here is a submodule's commit, or over the limit.
    let Some(bytes) = contents.get(blob) else { return Content::TooLarge { bytes: FILE_BYTES_MAX } };
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => {
            let old = old.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default();
            Content::Text { text: text.to_owned(), inside: inside(&old, text) }
        }
        Ok(_) | Err(_) => Content::Binary { bytes: bytes.len() as u64 },
    }
}

/// The lines that were added or changed.
fn inside(old: &str, new: &str) -> Vec<LineRange> {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    // What was only deleted has no lines here.
    let touched = hunks(&old, &new).into_iter().map(|[_, new]| new).filter(|range| !range.is_empty());
    touched.map(|range| LineRange { first: range.start + 1, last: range.end }).collect()
}

fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

// The judge's own checkout of the candidate, without any text that an agent takes for instructions.

/// What agents take instructions or settings from that gulf cannot start, in any folder.
const OF_OTHERS: [&str; 6] =
    ["qwen.md", ".cursorrules", ".windsurfrules", ".clinerules", ".cursor", ".windsurf"];

impl JudgeEffect<'_> {
    /// Brings the judge's checkout to the candidate. What changed among the instructions is shown as material.
    pub(super) fn judge_room(&self, name: &str) -> Result<Utf8PathBuf> {
        let directory = self.resources.folder.room(name);
        self.resources.repository.checkout(&CheckoutRequest {
            directory: &directory,
            index: &self.resources.folder.room(&format!("{name}.index")),
            commit: &self.candidate.commit,
            keep: Keep::Nothing,
            keep_paths: &[],
        })?;
        for entry in self.resources.repository.list(&self.candidate.tree)? {
            let path = entry.path.as_bytes();
            if let Some(instruction) = instruction(&String::from_utf8_lossy(path)) {
                let path = directory.join(instruction);
                let failed = |error| Failure::Refused(format!("cannot keep {path} from the judge: {error}"));
                files::remove_whatever(path.as_std_path()).map_err(failed)?;
            }
        }
        Ok(directory)
    }
}

/// The part of a path that an agent would take for instructions: a file, or a folder with all in it.
fn instruction(path: &str) -> Option<String> {
    let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
    // A name in small letters may have another length, so no place in it is one in the path.
    let is_obeyed = |path: &&str| {
        let path = path.to_lowercase();
        let obeyed = Tool::ALL.iter().flat_map(|tool| tool.descriptor().obeys).chain(&OF_OTHERS);
        let mut above = obeyed.filter_map(|name| path.strip_suffix(name));
        above.any(|above| above.is_empty() || above.ends_with('/'))
    };
    folders.chain([path]).find(is_obeyed).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    //! What an agent would take for instructions.

    use super::instruction;

    #[test]
    fn instructions_of_agents_are_found_in_any_folder_and_case() {
        for (path, removed) in [
            ("CLAUDE.md", "CLAUDE.md"),
            ("web/Claude.md", "web/Claude.md"),
            ("AGENTS.md", "AGENTS.md"),
            (".claude/settings.json", ".claude"),
            ("web/.codex/config.toml", "web/.codex"),
            (".github/copilot-instructions.md", ".github/copilot-instructions.md"),
            (".github/instructions/a.md", ".github/instructions"),
            (".github/hooks/stop.json", ".github/hooks"),
            ("web/.env", "web/.env"),
            ("opencode.jsonc", "opencode.jsonc"),
            // In small letters this one has three bytes, and two as it stands.
            ("İİ/.claude/CLAUDE.md", "İİ/.claude"),
            ("İİ/AGENTS.md", "İİ/AGENTS.md"),
        ] {
            assert_eq!(instruction(path).as_deref(), Some(removed), "{path}");
        }
        for path in [
            "src/claude.rs", "docs/about-claude.md", "a.claude/x", ".claudex/y", "agents/mod.rs",
            ".environment",
        ] {
            assert_eq!(instruction(path), None, "{path}");
        }
    }
}
