//! From a plan to what is sealed, and back.
//!
//! It stands apart because only here is everything named that both hold. What is on disk keeps its form, so the two are not
//! one type; that nothing is forgotten on the way the compiler says.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use gulf_engine::{Base, CommitId, Digest, LoopId};

use super::Plan;
use crate::FORMAT_VERSION;
use crate::agreement::{Agreement, RepositoryKind};

/// What no plan knows: which loop it becomes, and what lies where that starts.
pub(crate) struct Sealing {
    pub(crate) loop_id: LoopId,
    pub(crate) project: Utf8PathBuf,
    pub(crate) repository: RepositoryKind,
    pub(crate) head: Option<CommitId>,
    pub(crate) dirty_paths: Vec<String>,
    pub(crate) rubric_text: Option<String>,
    pub(crate) texts: BTreeMap<String, Digest>,
    pub(crate) base: Base,
}

impl Plan {
    /// What is agreed on where it is sealed.
    pub(crate) fn sealed(self, sealing: Sealing) -> Agreement {
        let Self {
            goal,
            agent,
            checks,
            criteria,
            judge,
            rubric,
            said,
            memory,
            ignored_questions,
            unrun_checks,
            completion_promise,
            prompt_template,
            verification,
            policy,
            worker,
            landing,
            origin,
            branching,
            spec,
            thinkers,
            ralph,
            context,
            notify,
            list,
            side_by_side,
            project_folder,
            notes: _,
        } = self;
        let Sealing { loop_id, project, repository, head, dirty_paths, rubric_text, texts, base } = sealing;
        Agreement {
            version: FORMAT_VERSION,
            loop_id,
            goal,
            project,
            repository,
            head,
            dirty_paths,
            agent,
            checks,
            criteria,
            judge,
            rubric,
            rubric_text,
            said,
            memory,
            ignored_questions,
            unrun_checks,
            completion_promise,
            prompt_template,
            verification,
            texts,
            base,
            policy,
            worker,
            landing,
            forked_from: origin.map(|origin| origin.from),
            list,
            branching,
            spec,
            thinkers,
            ralph,
            context,
            side_by_side,
            notify,
            project_folder,
        }
    }

    /// What would seal the same again, at its own place or another.
    pub(crate) fn of(sealed: Agreement) -> Self {
        Self {
            goal: sealed.goal,
            agent: sealed.agent,
            checks: sealed.checks,
            criteria: sealed.criteria,
            judge: sealed.judge,
            rubric: sealed.rubric,
            said: sealed.said,
            memory: sealed.memory,
            ignored_questions: sealed.ignored_questions,
            unrun_checks: sealed.unrun_checks,
            completion_promise: sealed.completion_promise,
            prompt_template: sealed.prompt_template,
            verification: sealed.verification,
            policy: sealed.policy,
            worker: sealed.worker,
            landing: sealed.landing,
            origin: None,
            branching: sealed.branching,
            spec: sealed.spec,
            thinkers: sealed.thinkers,
            ralph: sealed.ralph,
            context: sealed.context,
            notify: sealed.notify,
            list: sealed.list,
            side_by_side: sealed.side_by_side,
            project_folder: sealed.project_folder,
            notes: Vec::new(),
        }
    }
}
