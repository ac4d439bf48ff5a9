//! A turn whose work several workers do side by side: the steps of a plan that do not depend on each other (SPEC A1, A4).
//!
//! To the rules it is one turn: it begins once, ends once and costs what all its workers cost. What becomes of a part
//! is told, and nothing is decided on it: the gates look at what stands on the loop's branch. What has become of one
//! before a crash is read from git: its work is kept, and the branch holds it or does not.

mod account;
mod schedule;
mod site;

use camino::Utf8PathBuf;
use gulf_engine::{Claim, Fact, Step, Turn, TurnOutcome};
use gulf_host::crash;
use gulf_host::files::{self, Durability};
use gulf_host::git::{Advance, BranchName, CommitId, DiffForm, FastForward, InTheWay};
use gulf_spec::parts::{self, Part};
use gulf_spec::prompts::{self, Fix, PartBrief};
use gulf_spec::text::listed;
use schedule::{PartWorkers, PartsEnding};
use serde::{Deserialize, Serialize};

use crate::agreement::{LandingPlace, engine_digest};
use crate::book::Fold;
use crate::error::{Failure, Result, RunError};
use crate::folder::file_name;
use crate::held_out::shown_checks;
use crate::landing::together;
use crate::records;
use crate::resources::{AgentEffect, Resources};
use crate::snapshot::stamp;
use crate::texts::text;
use crate::thoughts::{has_stand_in, kept_thoughts};
use crate::worker::brief;

impl AgentEffect<'_> {
    /// The first turn, where its plan can be divided; otherwise one worker does it, and that is told with the reason.
    pub(crate) fn turn_in_parts(&self) -> Result<Option<Turn>> {
        let Some(side_by_side) = self.resources.agreement.side_by_side else { return Ok(None) };
        if self.key.iteration != DIVIDED {
            return Ok(None);
        }
        let undivided = |why| {
            self.resources.reports.tell(Fact::Divided { parts: Vec::new(), why });
            Ok(None)
        };
        let Some(branch) = self.own_branch()? else {
            return undivided("steps side by side need a worktree of the loop's own".to_owned());
        };
        self.end_move(&branch)?;
        let parts = match self.division(&branch)? {
            Ok(parts) => parts,
            Err(why) => return undivided(why),
        };
        let told =
            parts.iter().map(|part| gulf_engine::Part { id: part.id.clone(), title: part.title.clone() });
        self.resources.reports.tell(Fact::Divided { parts: told.collect(), why: String::new() });
        self.clear_sites(&parts, &branch)?;
        self.turn_of_party(PartWorkers::new(*self, parts, branch, side_by_side).run()?).map(Some)
    }

    /// Where it is checked out in a worktree of its own.
    fn own_branch(&self) -> Result<Option<BranchName>> {
        let terms = self.resources.agreement.landing.as_ref();
        let terms = terms.filter(|terms| terms.place == LandingPlace::Worktree);
        Ok(terms.map(|terms| BranchName::parse(&terms.branch)).transpose()?)
    }

    /// The parts of the plan, or why one worker does them.
    fn division(&self, branch: &BranchName) -> Result<Result<Vec<Part>, String>> {
        let plan = self.resources.folder.thoughts().join(format!("{}-plan.md", self.key.unit.0 + 1));
        let Some(plan) = text(&plan)? else {
            return Ok(Err("there is no plan".to_owned()));
        };
        if has_stand_in(self.resources, self.key.unit)? {
            return Ok(Err(parts::UNPLANNED.to_owned()));
        }
        let parts = match parts::divide(&plan) {
            Ok(parts) => parts,
            Err(why) => return Ok(Err(why)),
        };
        let Some(head) = self.resources.repository.read_branch(branch)? else {
            return Ok(Err(format!("the branch {} is gone", branch.short())));
        };
        let forward = FastForward { branch, from: Some(&head), to: &head };
        let reasons = self.resources.repository.readiness(&forward)?;
        // What an earlier attempt left there uncommitted only one worker can go on with.
        Ok(if reasons.is_empty() { Ok(parts) } else { Err(InTheWay::all(&reasons)) })
    }

    /// What the workers left, as one turn of one worker.
    fn turn_of_party(&self, ending: PartsEnding) -> Result<Turn> {
        let AgentEffect { key, fold, .. } = *self;
        let message = ending.summary();
        self.resources.folder.write_log(key, "message.txt", &message)?;
        self.keep_left_out(&ending)?;
        let outcome = ending.outcome();
        // What is not there whole is not worth a judge; the checks say how far it is.
        let is_whole = outcome == TurnOutcome::Completed && ending.left_out.is_empty();
        Ok(Turn {
            outcome,
            claim: is_whole.then_some(Claim::Done { no_test: None }),
            tool_calls: ending.tool_calls,
            brief: brief(self.resources, fold, key)?,
            duration_ms: ending.duration_ms,
            message: Some(engine_digest(message.as_bytes())),
            denials: ending.denials,
            // Each worker has a context of its own: nothing is said of one.
            ..Turn::default()
        })
    }
}

/// The log of what the worker of the n-th part said.
pub(crate) fn log_name(number: usize) -> String {
    format!("part-{number}.log")
}

// Joins what a part's worker left into the loop's branch, by the merge of the landing queue: no rebase, no worktree, and
// the branch moves with its checkout or not at all (SPEC A1).

/// What the record is, for people.
const WHAT: &str = "a move of the loop's branch";
/// Who else moves the loop's branch is its worker; then it is merged anew.
const TRIES_MAX: u32 = 3;
/// Conflicts that are named one by one.
const PATHS_MAX: usize = 8;

/// A move of the branch that was announced.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnnouncedMove {
    from: CommitId,
    to: CommitId,
}

impl AgentEffect<'_> {
    /// Joins a part's work; gives why it is not on the branch, and where that stood, if so.
    fn join_part(
        &self,
        branch: &BranchName,
        work: &CommitId,
        message: &str,
    ) -> Result<Option<(String, CommitId)>> {
        let mut tries = 0;
        loop {
            let head = self.resources.repository.read_branch(branch)?;
            let head =
                head.ok_or_else(|| Failure::Refused(format!("the branch {} is gone", branch.short())))?;
            if self.resources.repository.descends(&head, work)? {
                return Ok(None);
            }
            let tree = match together(&self.resources.repository, &head, work)? {
                Ok(tree) => tree,
                Err(paths) => {
                    let paths = listed(&paths, PATHS_MAX);
                    let why = format!("it does not go together with what was joined before: {paths}");
                    return Ok(Some((why, head)));
                }
            };
            let when = stamp(self.fold.started_at_ms);
            let merged = self.resources.repository.commit(&tree, &[&head, work], message, when)?;
            let wanted = AnnouncedMove { from: head.clone(), to: merged.clone() };
            records::keep(&self.announced(), WHAT, &wanted, Durability::Synced)?;
            crash::point("parts.announced");
            let forward = FastForward { branch, from: Some(&head), to: &merged };
            let moved = self.resources.repository.fast_forward(&forward)?;
            crash::point("parts.moved");
            files::remove_file(&self.announced())?;
            tries += 1;
            match moved {
                Advance::Moved { .. } => return Ok(None),
                Advance::BaseMoved { now: Some(_) } if tries < TRIES_MAX => {}
                Advance::BaseMoved { .. } => {
                    return Ok(Some(("somebody else moves the loop's branch".to_owned(), head)));
                }
                Advance::NotReady { reasons } => return Ok(Some((InTheWay::all(&reasons), head))),
            }
        }
    }

    /// Ends or takes back a move that was cut off.
    fn end_move(&self, branch: &BranchName) -> Result<()> {
        let announced = records::read(&self.announced(), WHAT)?;
        let Some(AnnouncedMove { from, to }) = announced else { return Ok(()) };
        let forward = FastForward { branch, from: Some(&from), to: &to };
        self.resources.repository.recover_fast_forward(&forward)?;
        crash::point("parts.recovered");
        Ok(files::remove_file(&self.announced())?)
    }

    fn announced(&self) -> Utf8PathBuf {
        self.resources.folder.root().join("parts").join("move.json")
    }
}

// What a part's worker is told, and what the next turn is told of the parts that stay out.

const LIST: &str = "list.json";
const WHAT_STAYS_OUT: &str = "what stays out";
/// The one iteration whose work is divided.
const DIVIDED: u32 = 1;
/// Of a diff, so much is read for a prompt; all of it lies in its file.
const DIFF_BYTES_MAX: u64 = 64 << 10;

/// A part whose work is not on the loop's branch, as the next turn is told of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnjoinedPart {
    id: String,
    title: String,
    why: String,
    /// The file with what its worker changed, where it began.
    diff: Option<String>,
}

impl PartWorkers<'_> {
    fn prompt(&self, at: usize) -> Result<String> {
        let AgentEffect { resources, key, fold, .. } = self.turn;
        let (part, agreement) = (&self.parts[at], &resources.agreement);
        let done = part.waits_for.iter().map(|other| self.parts[*other].id.clone());
        let others = (0..self.parts.len()).filter(|other| *other != at && !part.waits_for.contains(other));
        let mut thoughts = kept_thoughts(self.turn)?;
        // Whether the plan is any good was settled before it was divided.
        thoughts.retain(|thought| thought.step != Step::Criticize);
        let brief = PartBrief {
            goal: agreement.goal.clone(),
            id: part.id.clone(),
            title: part.title.clone(),
            details: part.details.clone(),
            attempt: key.attempt,
            done: done.collect(),
            others: others.map(|other| self.name(other)).collect(),
            notes: fold.state.notes.to_vec(),
            thoughts,
            checks: shown_checks(&agreement.checks),
        };
        let prompt = prompts::part(&brief)?;
        resources.folder.write_log(key, &format!("part-{}-prompt.md", at + 1), &prompt)?;
        Ok(prompt)
    }
}

impl AgentEffect<'_> {
    /// What the next turn is told; nothing where every part is joined.
    fn keep_left_out(&self, ending: &PartsEnding) -> Result<()> {
        let folder = self.resources.folder.left_out_parts();
        if ending.left_out.is_empty() && !folder.is_dir() {
            return Ok(());
        }
        Ok(records::keep(&folder.join(LIST), WHAT_STAYS_OUT, &ending.left_out, Durability::Buffered)?)
    }

    /// What a worker left that began with `head`, as a file; none where it changed nothing.
    fn keep_diff(&self, id: &str, work: &CommitId, head: &CommitId) -> Result<Option<String>> {
        let repository = &self.resources.repository;
        let common = repository.common_ancestor(work, head)?.unwrap_or_else(|| head.clone());
        let (old, new) = (repository.tree_of(&common)?, repository.tree_of(work)?);
        let path = self.resources.folder.left_out_parts().join(format!("{}.diff", file_name(id)));
        files::keep(&path, &repository.diff_text(&old, &new, DiffForm::Patch)?, Durability::Buffered)?;
        Ok((old != new).then(|| path.to_string()))
    }
}

/// Nobody knows whether the worker after it did it.
fn reminder(told: UnjoinedPart) -> Fix {
    let UnjoinedPart { id, title, why: _, diff } = told;
    let diff = diff.map(|path| format!(" What its worker had changed is in {path}.")).unwrap_or_default();
    let reason = format!(
        "**{title}**: it was not joined in iteration {DIVIDED}, and left to the worker of the next one. Look whether it \
         is done; where it is not, do it in this turn.{diff}"
    );
    Fix::LeftOut { step: id, reason, diff: String::new() }
}

fn fix(told: UnjoinedPart) -> Fix {
    let UnjoinedPart { id, title, why, diff } = told;
    let (rest, diff) = match diff {
        None => ("Nothing of it is there: do it in this turn.".to_owned(), String::new()),
        Some(path) => {
            let start = files::read_start(path.as_ref(), DIFF_BYTES_MAX).unwrap_or_default();
            let text = String::from_utf8_lossy(&start).into_owned();
            let rest = format!(
                "What its worker changed is in {path} (`git apply --3way` takes it), and none of it is in your files. \
                 Use what is good of it, and bring the step to its end in this turn; what was joined stays."
            );
            (rest, text)
        }
    };
    Fix::LeftOut { reason: format!("**{title}**: {why}.\n\n{rest}"), step: id, diff }
}

/// What the turn is told of the parts that stayed out: all of it at once, and later that they are to be done.
pub(crate) fn left_out_fixes(resources: &Resources, fold: &Fold) -> Result<Vec<Fix>, RunError> {
    let settled = fold.state.unit.iteration.saturating_sub(1);
    if settled < DIVIDED {
        return Ok(Vec::new());
    }
    let told: Option<Vec<UnjoinedPart>> =
        records::read(&resources.folder.left_out_parts().join(LIST), WHAT_STAYS_OUT)?;
    let fixes = told.into_iter().flatten().map(if settled == DIVIDED { fix } else { reminder });
    Ok(fixes.collect())
}
