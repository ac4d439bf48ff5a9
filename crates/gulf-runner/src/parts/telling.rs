//! What a part's worker is told, and what the next turn is told of the parts that stay out.
//!
//! It stands apart because the one must keep workers off each other's files, and the other must lose nothing of what they
//! did.

use camino::Utf8PathBuf;
use gulf_engine::{EffectKey, Step};
use gulf_host::files::{self, Durability};
use gulf_host::git::DiffForm;
use gulf_spec::prompts::{self, Fix, PartBrief};
use serde::{Deserialize, Serialize};

use super::schedule::{PartWorkers, PartsEnding, UnjoinedPart};
use crate::book::Fold;
use crate::error::{Failure, RunError};
use crate::folder::file_name;
use crate::held_out::shown_checks;
use crate::records;
use crate::workshop::Workshop;

/// The folder of what stays out, beside the iteration's logs.
const LEFT_OUT: &str = "left-out";
const LIST: &str = "list.json";
const WHAT: &str = "what stays out";
/// The one iteration whose work is divided.
const DIVIDED: u32 = 1;
/// Of a diff, so much is read for a prompt; all of it lies in its file.
const DIFF_BYTES_MAX: u64 = 64 << 10;

/// A part that stays out, as the next turn is told of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    id: String,
    title: String,
    why: String,
    /// The file with what its worker changed, where it began.
    diff: Option<String>,
}

impl PartWorkers<'_> {
    pub(super) fn prompt(&self, at: usize) -> Result<String, Failure> {
        let (part, agreement) = (&self.parts[at], &self.workshop.agreement);
        let done = part.waits_for.iter().map(|other| self.parts[*other].id.clone());
        let others = (0..self.parts.len()).filter(|other| *other != at && !part.waits_for.contains(other));
        let mut thoughts = self.workshop.thoughts(self.errand.fold, self.errand.key)?;
        // Whether the plan is any good was settled before it was divided.
        thoughts.retain(|thought| thought.step != Step::Criticize);
        let brief = PartBrief {
            goal: agreement.goal.clone(),
            id: part.id.clone(),
            title: part.title.clone(),
            details: part.details.clone(),
            attempt: self.errand.key.attempt,
            done: done.collect(),
            others: others.map(|other| self.name(other)).collect(),
            notes: self.errand.fold.state.notes().to_vec(),
            thoughts,
            checks: shown_checks(&agreement.checks),
        };
        let prompt = prompts::part(&brief)?;
        let log = self.workshop.folder.log(self.errand.key, &format!("part-{}-prompt.md", at + 1));
        files::replace(&log, prompt.as_bytes(), Durability::Buffered)?;
        Ok(prompt)
    }
}

impl Workshop {
    /// What the next turn is told; nothing where every part is joined.
    pub(super) fn keep_left_out(&self, key: &EffectKey, ending: &PartsEnding) -> Result<(), Failure> {
        let folder = self.folder.logs(key).join(LEFT_OUT);
        if ending.left_out.is_empty() && !folder.is_dir() {
            return Ok(());
        }
        files::create_private_directories(&folder, Durability::Buffered)?;
        let told =
            ending.left_out.iter().map(|one| self.told(one, &folder)).collect::<Result<Vec<_>, _>>()?;
        Ok(records::write(&folder.join(LIST), WHAT, &told, Durability::Buffered)?)
    }

    fn told(&self, one: &UnjoinedPart, folder: &Utf8PathBuf) -> Result<Told, Failure> {
        let UnjoinedPart { id, title, why, work } = one;
        let mut diff = None;
        if let Some((work, head)) = work {
            let common = self.repository.common_ancestor(work, head)?.unwrap_or_else(|| head.clone());
            let (old, new) = (self.repository.tree_of(&common)?, self.repository.tree_of(work)?);
            let path = folder.join(format!("{}.diff", file_name(id)));
            files::replace(
                &path,
                &self.repository.diff_text(&old, &new, DiffForm::Patch)?,
                Durability::Buffered,
            )?;
            diff = (old != new).then(|| path.to_string());
        }
        Ok(Told { id: id.clone(), title: title.clone(), why: why.clone(), diff })
    }

    /// The work that stayed out, to look at.
    pub(crate) fn left_out_folder(&self) -> Utf8PathBuf {
        self.folder.iteration(DIVIDED).join(LEFT_OUT)
    }

    /// What the turn is told of the parts that stayed out: all of it at once, and later that they are to be done.
    pub(crate) fn left_out_fixes(&self, fold: &Fold) -> Result<Vec<Fix>, RunError> {
        let settled = fold.state.unit().iteration.saturating_sub(1);
        if settled < DIVIDED {
            return Ok(Vec::new());
        }
        let told: Option<Vec<Told>> = records::read(&self.left_out_folder().join(LIST), WHAT)?;
        let fixes = told.into_iter().flatten().map(if settled == DIVIDED { fix } else { reminder });
        Ok(fixes.collect())
    }
}

/// Nobody knows whether the worker after it did it.
fn reminder(told: Told) -> Fix {
    let Told { id, title, why: _, diff } = told;
    let diff = diff.map(|path| format!(" What its worker had changed is in {path}.")).unwrap_or_default();
    let reason = format!(
        "**{title}**: it was not joined in iteration {DIVIDED}, and left to the worker of the next one. Look whether it \
         is done; where it is not, do it in this turn.{diff}"
    );
    Fix::LeftOut { step: id, reason, diff: String::new() }
}

fn fix(told: Told) -> Fix {
    let Told { id, title, why, diff } = told;
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
