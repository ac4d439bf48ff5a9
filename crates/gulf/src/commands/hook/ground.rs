//! Whether a hook may act where a session's loop is said to work: the repository is the one that the loop began in, and
//! its person still trusts it.
//!
//! It stands apart because it is asked at every call, before anything is opened: two looks at the disk, and no git.

use gulf_host::home::Home;
use gulf_runner::session::Armed;
use gulf_runner::trust::TrustStore;

use crate::whereabouts::Whereabouts;

/// Why the hook does nothing here; none where it acts. What cannot be looked at is told by whoever opens it.
pub fn strange(place: &Whereabouts) -> Option<String> {
    let home = place.home.as_ref()?;
    let armed = Armed::read(home, &place.project).ok().flatten()?;
    // Earlier versions did not ask which repository it was.
    let began_in = armed.mark.as_deref()?;
    let mark = armed.place(home).ok()?.mark().ok()?;
    let id = &armed.loop_id;
    if mark.as_str() != began_in {
        return Some(format!(
            "nothing was checked: the loop {id} started in a different repository than the one here now. \
             `gulf status {id}` where that one is, or `gulf start` anew."
        ));
    }
    is_unknown(home, &mark).then(|| {
        format!("nothing was checked: this repository is no longer trusted, and the loop {id} has not ended. `gulf trust` trusts it.")
    })
}

/// Does a person trust what lies here? What cannot be found out is a no.
pub fn is_trusted(place: &Whereabouts) -> bool {
    let look = || {
        let home = place.home.as_ref()?;
        let mark = gulf_runner::place::Project::find(&place.named).ok()?.mark().ok()?;
        TrustStore::of(home).look(&mark)
    };
    look().is_some()
}

/// Is this said for the first time?
pub fn says_first(place: &Whereabouts, why: &str) -> bool {
    let look = || {
        let home = place.home.as_ref()?;
        let armed = Armed::read(home, &place.project).ok().flatten()?;
        let mark = armed.place(home).ok()?.mark().ok()?;
        Some(TrustStore::of(home).says_first(&mark, why))
    };
    look().unwrap_or(true)
}

fn is_unknown(home: &Home, mark: &gulf_host::birthmark::Birthmark) -> bool {
    TrustStore::of(home).look(mark).is_none()
}
