//! What people call a loop: its handle among those of its repository, which lie beside it.
//!
//! It stands apart because every message that names a loop must call it the same.

use crate::book;
use camino::Utf8Path;
use gulf_host::home::Name;
use gulf_spec::handle;

/// The handle of the loop in this folder.
pub fn of(folder: &Utf8Path) -> String {
    let id = folder.file_name().unwrap_or_default();
    handle::handle(id, beside(folder).iter().map(String::as_str))
}

/// Does its repository have no other loop, so that a command means this one without a name?
pub fn is_alone(folder: &Utf8Path) -> bool {
    beside(folder).iter().all(|name| Some(name.as_str()) == folder.file_name())
}

/// Is every other loop of its repository over, and was it so before this one? Then this one is meant without a name, too.
pub fn is_foremost(folder: &Utf8Path) -> bool {
    let Some(loops) = folder.parent() else { return false };
    let ended_ms = |name: &str| book::ended_at_ms(&loops.join(name));
    let own = folder.file_name().unwrap_or_default();
    let own_ended_ms = ended_ms(own).unwrap_or(u64::MAX);
    let others = beside(folder).into_iter().filter(|name| name != own);
    others.into_iter().all(|name| ended_ms(&name).is_some_and(|ended_ms| ended_ms < own_ended_ms))
}

/// The names of the loops that lie beside this one, itself included. What cannot be listed clashes with nothing.
fn beside(folder: &Utf8Path) -> Vec<String> {
    let entries = folder.parent().and_then(|loops| loops.read_dir_utf8().ok());
    let names = entries.into_iter().flatten().flatten().map(|entry| entry.file_name().to_owned());
    names.filter(|name| Name::parse(name).is_ok()).collect()
}
