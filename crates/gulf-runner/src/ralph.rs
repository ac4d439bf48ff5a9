//! A Ralph project as it is: its list of tasks counted in each candidate, the worker's exit signal, and where the
//! project keeps logs and `status.json` (SPEC K2, K3, K6, K7).
//!
//! All of it is the worker's to write: what counts is the list as it was sealed.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::command;
use gulf_agents::reports::tail_for_worker;
use gulf_agents::status_block::{blocked, status_block};
use gulf_engine::{Claim, EffectKey, Gate, Question, Settlement, TaskTally};
use gulf_host::git::{GitError, Repository, TreeId, TreePath};
use gulf_host::programs;
use gulf_spec::own_texts::exclude_lines;
use gulf_spec::prompts::{Fix, ListBrief};
use gulf_spec::tasks::{self, Tally, Task, TaskList};
use gulf_spec::text::Source;

use crate::agreement::{Agreement, Branching};
use crate::book::Fold;
use crate::error::Result;
use crate::project_folder::is_own;
use crate::resources::Resources;
use crate::texts::{TEXT_BYTES_MAX, first_of};

pub use crate::agreement::{FolderOwner, RalphTerms, SealedList};

/// Of what a blocked worker says, in characters: what it needs, and the end of what it tells.
const NEED_CHARS_MAX: usize = 400;
const ACCOUNT_CHARS_MAX: usize = 2000;
/// Open tasks that are named one by one.
const NAMED_MAX: usize = 20;
/// What a link to an iteration's logs is called by, with the loop's id behind it.
const LOG_PREFIX: &str = "gulf-";
/// Where the project has no `status.json` of its own; git never sees this folder.
const STATUS: &str = ".gulf/ralph-status.json";

impl RalphTerms {
    /// Where the project's `status.json` is written; none where a link would lead gulf's pen elsewhere.
    pub fn status_file(&self, project: &Utf8Path) -> Option<Utf8PathBuf> {
        let own = self.status.as_deref().filter(|_| self.ground == FolderOwner::Persons);
        let path = Utf8Path::new(own.unwrap_or(STATUS));
        let folder = path.parent()?;
        (folder == "" || is_own_folder(project, folder)).then(|| project.join(path))
    }

    /// What gulf writes there is no work of anybody's.
    pub(crate) fn exclude_lines(&self) -> impl Iterator<Item = String> {
        let links = self.logs.iter().map(|logs| format!("/{logs}/{LOG_PREFIX}*"));
        let lines = links.chain(self.status.iter().map(|status| format!("/{status}")));
        lines.filter(|_| self.ground == FolderOwner::Persons)
    }

    /// These terms where the loop works in this checkout.
    pub(crate) fn in_checkout(self, project: &Utf8Path, branching: Option<&Branching>) -> Self {
        let is_persons = branching.is_none_or(|branching| branching.checkout == project);
        Self { ground: if is_persons { self.ground } else { FolderOwner::Apart }, ..self }
    }
}

impl SealedList {
    /// Seals a list as it was read.
    pub fn seal(path: &str, list: &TaskList) -> Self {
        Self { path: path.to_owned(), tasks: list.tasks.iter().map(Task::sealed).collect() }
    }

    /// The same list as it stands in this tree, if it is there.
    pub(crate) fn in_tree(&self, repository: &Repository, tree: &TreeId) -> Result<Option<Self>, GitError> {
        let bytes = repository.read_file(tree, &TreePath::try_from(self.path.as_str())?, TEXT_BYTES_MAX)?;
        let parse =
            |bytes: Vec<u8>| tasks::parse(&Source::new(self.path.as_str(), &String::from_utf8_lossy(&bytes)));
        let list = bytes.map(parse).filter(|list| !list.tasks.is_empty());
        Ok(list.map(|list| Self::seal(&self.path, &list)))
    }

    fn tally(&self, text: &str) -> Option<Tally> {
        tasks::parse(&Source::new(self.path.as_str(), text)).tally(&self.tasks)
    }
}

/// What gulf and the worker write beside the work, kept out of sight of git.
pub(crate) fn exclude(repository: &Repository, ralph: Option<&RalphTerms>) -> Result<(), GitError> {
    let own = ralph.into_iter().flat_map(RalphTerms::exclude_lines);
    let lines: Vec<String> = exclude_lines().chain(own).collect();
    repository.exclude(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Does the worker say, of its own accord, that nothing is left?
pub(crate) fn claims(agreement: &Agreement, message: &str) -> bool {
    let signals = || status_block(message).is_some_and(|block| block.claims());
    command::promise(message, &agreement.completion_promise).is_some()
        || (agreement.ralph.is_some() && signals())
}

/// Does the worker say that it cannot go on without somebody? Then a person is asked, with its own words (SPEC B5).
pub(crate) fn stuck(agreement: &Agreement, message: &str) -> Option<Claim> {
    agreement.ralph.as_ref()?;
    let said = blocked(message)?;
    let unsaid = || "nothing of what it needs".to_owned();
    let need = said.need.map_or_else(unsaid, |need| need.chars().take(NEED_CHARS_MAX).collect());
    let account = tail_for_worker(said.account.as_bytes(), ACCOUNT_CHARS_MAX);
    Some(Claim::NeedDecision(Question {
        text: format!("The worker is blocked. It says: {need}"),
        evidence: (!account.trim().is_empty()).then_some(account),
        options: Vec::new(),
        concern: None,
    }))
}

fn is_own_folder(project: &Utf8Path, folder: &Utf8Path) -> bool {
    is_own(project, folder) && project.join(folder).is_dir()
}

fn sealed_list(resources: &Resources) -> Option<&SealedList> {
    resources.agreement.ralph.as_ref()?.list.as_ref()
}

/// Counts the list in a candidate; one that git ignores is in none, and counts as it lies there.
pub(crate) fn task_tally(resources: &Resources, tree: &TreeId) -> Result<Option<TaskTally>> {
    let Some(list) = sealed_list(resources) else { return Ok(None) };
    let path = TreePath::try_from(list.path.as_str())?;
    let text = match resources.repository.read_file(tree, &path, TEXT_BYTES_MAX)? {
        Some(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        None => resources.project_text(&list.path),
    };
    let count = |titles: &[String]| u32::try_from(titles.len()).unwrap_or(u32::MAX);
    let tally = text.and_then(|text| list.tally(&text));
    Ok(tally.map(|tally| TaskTally {
        open: count(&tally.open),
        ticked: tally.ticked,
        missing: count(&tally.missing),
    }))
}

/// What stands in the list by now.
pub(crate) fn task_list(resources: &Resources) -> Option<TaskList> {
    let list = sealed_list(resources)?;
    Some(tasks::parse(&Source::new(list.path.as_str(), &resources.project_text(&list.path)?)))
}

fn present_tally(resources: &Resources) -> Tally {
    let tally = task_list(resources).and_then(|list| list.tally(&sealed_list(resources)?.tasks));
    let all = || sealed_list(resources).into_iter().flat_map(|list| &list.tasks);
    // What cannot be read is gone.
    tally.unwrap_or_else(|| Tally {
        missing: all().map(|task| task.title.clone()).collect(),
        ..Tally::default()
    })
}

/// What the worker is told of its list.
pub(crate) fn list_brief(resources: &Resources) -> Option<ListBrief> {
    let list = sealed_list(resources)?;
    let problem = task_list(resources).and_then(|list| list.unreadable());
    Some(ListBrief { path: list.path.clone(), missing: present_tally(resources).missing, problem })
}

/// Is everything there but the worker's word?
pub(crate) fn awaits_signal(resources: &Resources, fold: &Fold) -> bool {
    sealed_list(resources).is_some() && fold.state.unit.tally.is_some_and(TaskTally::is_done)
}

/// What the list's gate found wanting; where nothing else is to be fixed, also that only the signal is missing.
pub(crate) fn list_fixes(resources: &Resources, fold: &Fold, others: &[Fix]) -> Option<Fix> {
    let list = sealed_list(resources)?;
    let refused = |reason| Fix::Refused { gate: "the list of tasks".to_owned(), reason };
    let settlement = fold.last_settlement?;
    if settlement == (Settlement::Refused { gate: Gate::Tasks }) {
        return Some(refused(refusal(resources, list)));
    }
    let lacks_signal =
        others.is_empty() && settlement == Settlement::Unclaimed && awaits_signal(resources, fold);
    lacks_signal.then(|| {
        refused(format!(
            "Every task of {} is ticked, and you did not say that nothing is left. Look once more. If nothing is \
             left, say so: `EXIT_SIGNAL: true` in the status block, or `gulf claim done`. Else add what is left to \
             the list.",
            list.path
        ))
    })
}

fn refusal(resources: &Resources, list: &SealedList) -> String {
    if let Some(problem) = task_list(resources).and_then(|list| list.unreadable()) {
        return format!("You said that nothing is left, and {} cannot be read: {problem}", list.path);
    }
    let Tally { open, missing, .. } = present_tally(resources);
    if open.is_empty() && missing.is_empty() {
        return "You said that nothing is left, but that turn came to a bad end. If it still stands, say it again."
            .to_owned();
    }
    let mut reason = format!("You said that nothing is left; {} says otherwise.\n", list.path);
    let lists = [("Open:", open), ("Gone from it, or in other words; put back what stood there:", missing)];
    for (what, titles) in lists.into_iter().filter(|(_, titles)| !titles.is_empty()) {
        reason.push_str(&format!("\n{what}\n"));
        reason.extend(first_of(&titles, NAMED_MAX).iter().map(|title| format!("- {title}\n")));
    }
    reason
}

/// A name for the iteration's logs in the project's own folder of logs (SPEC K7): the logs themselves lie where no
/// worker writes. What cannot be made there is missed by nobody.
pub(crate) fn link_logs(resources: &Resources, key: &EffectKey) {
    let ralph = resources.agreement.ralph.as_ref().filter(|ralph| ralph.ground == FolderOwner::Persons);
    let Some(logs) = ralph.and_then(|ralph| ralph.logs.as_deref()) else { return };
    let folder = resources.project().join(logs);
    if !is_own_folder(resources.project(), Utf8Path::new(logs)) {
        return;
    }
    let name = format!("{LOG_PREFIX}{}-{:03}", resources.agreement.loop_id.as_str(), key.iteration);
    let _ = programs::link(&resources.folder.logs(key), &folder.join(name));
}
