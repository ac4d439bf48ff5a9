//! Refuses to start on texts that the last loop's worker may have written: it would say what the next loop is held to.

use std::time::{Duration, SystemTime};

use gulf_engine::{Base, Event, Fact};
use gulf_host::files;
use gulf_host::git::TreePath;

use crate::agreement::{RepositoryKind, engine_digest};
use crate::error::RunError;
use crate::keeping::last_candidate;
use crate::place::PlaceOfWork;
use crate::texts::TEXT_BYTES_MAX;
use crate::{book, known};

/// Texts of a person's that say what work is held to, and how it is held.
const DECIDING: [&str; 3] = ["gulf.toml", "RUBRIC.md", ".claude/autochecks.sh"];

/// What was changed, as far as can be told, while the last loop's worker was at work here, and was neither committed nor
/// touched since; and that loop.
pub(crate) fn unread_text(place: &PlaceOfWork) -> Result<Option<(&'static str, String)>, RunError> {
    let mut known = known::loops(place)?.known;
    known.retain(|one| one.works_in(&place.project) && !one.is_unfinished());
    let Some(last) = known.last() else { return Ok(None) };
    let agreement = last.agreement().ok();
    let texts = DECIDING.iter().filter_map(|path| {
        let now = files::read_bytes(&place.project.join(path), TEXT_BYTES_MAX).ok()?;
        let sealed = agreement.as_ref().and_then(|agreement| agreement.texts.get(*path));
        (sealed != Some(&engine_digest(&now))).then_some((*path, now))
    });
    let changed: Vec<(&str, Vec<u8>)> = texts.collect();
    if changed.is_empty() {
        return Ok(None);
    }
    let events = book::read(last.home.root())?;
    let ended = events.iter().rev().find(|event| matches!(event.fact, Fact::Finished { .. }));
    let ended = SystemTime::UNIX_EPOCH + Duration::from_millis(ended.map_or(0, |event| event.at_ms));
    for (path, text) in changed {
        let is_read = files::changed_since(&place.project.join(path), ended)
            || match &agreement {
                Some(agreement) => was_committed(place, &agreement.base, &events, path, &text)?,
                None => false,
            };
        if !is_read {
            return Ok(Some((path, last.handle())));
        }
    }
    Ok(None)
}

/// Whether this text was committed after the worker's last turn; a commit from before may be the worker's own.
fn was_committed(
    place: &PlaceOfWork,
    base: &Base,
    events: &[Event],
    path: &str,
    text: &[u8],
) -> Result<bool, RunError> {
    if place.kind() != RepositoryKind::Own {
        return Ok(false);
    }
    let repository = place.open(&place.repository.root().join("clean.git"))?;
    let Some(head) = repository.head()?.commit().cloned() else { return Ok(false) };
    let at_head = repository.tree_of(&head)?;
    if repository.read_file(&at_head, &TreePath::try_from(path)?, TEXT_BYTES_MAX)?.as_deref() != Some(text) {
        return Ok(false);
    }
    let commit = repository.newest_touching(&base.commit, &head, &[path.to_owned()])?;
    Ok(match (commit, last_candidate(events)) {
        (Some(commit), Some(last)) => repository.descends(&last.commit, &commit).is_ok_and(|before| !before),
        (Some(_), None) => false,
        (None, _) => true,
    })
}
