//! `gulf clean`: take away what finished loops of this repository left behind, and nothing that would be lost.
//!
//! What goes is shown first, and a person says yes. Looking and removing are apart: what is removed is looked at once more
//! at that moment.

use std::collections::BTreeSet;

use gulf_host::home::Name;
use gulf_runner::cleanup::{
    Forgotten, OutsideFolders, OwnBranch, Remains, RemainsStanding, remains, remove_branch, remove_forgotten,
    sweep,
};
use gulf_runner::error::in_full;
use gulf_runner::folder::LoopPaths;
use gulf_runner::keeping::{reverted_edits, undone};
use gulf_runner::known::{self, KnownLoop};
use gulf_runner::place::PlaceOfWork;
use gulf_runner::project_folder::LOOPS;
use gulf_spec::text::listed;
use gulf_views::{Palette, Tone, columns, counted, padded};

use crate::cli::CleanArguments;
use crate::failure::{ERROR, Result};
use crate::report::{gone_with_work, waits_to_land};
use crate::screen::{say, size};
use crate::trusting::TypedPlace;
use crate::{input, place, requests};

/// Files that are named one by one.
const SHOWN_MAX: usize = 5;

/// Something that a loop left.
enum LoopRemnant<'found> {
    /// Before the loops: what it holds may keep a folder.
    Branch(&'found OwnBranch),
    Folder(&'found Remains),
    Forgotten(&'found Forgotten),
}

/// One line of the list.
struct Entry<'found> {
    left: LoopRemnant<'found>,
    name: String,
    told: String,
    /// Must it stay?
    stays: bool,
    /// Of a folder that would go.
    bytes: Option<u64>,
}

/// Where the lines go.
type Tell<'tell> = &'tell mut dyn FnMut(&str) -> Result<()>;

pub fn in_session(place: &PlaceOfWork, words: &CleanArguments) -> Result<String> {
    let mut text = String::new();
    let mut tell = |line: &str| -> Result<()> {
        text.push_str(line);
        Ok(())
    };
    clear_up(place, words, TypedPlace::Session, &mut tell)?;
    Ok(text.trim_end().to_owned())
}

pub fn clean(arguments: &CleanArguments) -> Result<u8> {
    requests::refuse_agents("remove loops")?;
    clear_up(&place::here()?, arguments, TypedPlace::Terminal, &mut say)
}

/// In a session nobody is asked twice: what would go is shown, and goes where that was said.
fn clear_up(place: &PlaceOfWork, words: &CleanArguments, typed: TypedPlace, tell: Tell<'_>) -> Result<u8> {
    let found = remains(place)?;
    let beside = OutsideFolders::find(place, &found)?;
    let entries = entries(&found, &beside, words);
    let going: Vec<&Entry<'_>> = entries.iter().filter(|entry| !entry.stays).collect();
    if !words.yes || going.is_empty() {
        for entry in &entries {
            let what = if entry.stays { "left" } else { "would remove" };
            tell(&format!("{}{}\n", line(&entries, entry, what), bytes_of(entry)))?;
        }
    }
    let is_terminal = typed == TypedPlace::Terminal;
    if going.is_empty() {
        if is_terminal && !words.dry_run {
            sweep(place)?;
        }
        tell(&format!("Nothing to remove: {}.\n", nothing(&entries)))?;
    } else if words.dry_run || !(is_terminal || words.yes) {
        let hint = if is_terminal { "" } else { "/gulf-loop:clean --yes removes it.\n" };
        tell(&(summary(&going, "Would remove") + hint))?;
    } else if words.yes || is_agreed(&going)? {
        return remove(place, &entries, tell);
    } else {
        tell("Nothing was removed.\n")?;
    }
    Ok(0)
}

fn entries<'found>(
    found: &'found [Remains],
    beside: &'found OutsideFolders,
    words: &CleanArguments,
) -> Vec<Entry<'found>> {
    let branches = beside.branches.iter().map(|branch| Entry {
        name: branch.name.short().to_owned(),
        told: branch.why_kept().map_or_else(|| on_branch(branch), |why| thrown_away_by(branch, why, found)),
        stays: branch.kept.is_some(),
        bytes: None,
        left: LoopRemnant::Branch(branch),
    });
    let folders = found.iter().map(|one| {
        let unlanded = || unlanded(one).filter(|_| !words.unlanded);
        let kept = if one.is_removable() { beside.kept_work(one).or_else(unlanded) } else { None };
        let stays = !one.is_removable() || kept.is_some();
        let bytes = (!stays).then(|| one.bytes());
        let told = kept.unwrap_or_else(|| standing(one));
        Entry { name: one.called(), stays, bytes, told, left: LoopRemnant::Folder(one) }
    });
    let forgotten = beside.forgotten.iter().map(|one| {
        let what = format!("{} iterations of a loop that nothing else is known of", one.references.len());
        let hint = "`gulf clean --forgotten` removes them";
        let kept = one.kept.as_ref().filter(|_| !words.forgotten);
        let (name, stays) = (one.name.clone(), kept.is_some());
        let told = kept.map_or_else(|| what.clone(), |why| format!("{what}; {why}: {hint}"));
        Entry { name, told, stays, bytes: None, left: LoopRemnant::Forgotten(one) }
    });
    branches.chain(folders).chain(forgotten).collect()
}

/// Of work that was done in a checkout, and that no commit of the person's holds yet: the loop's, or their own that it undid.
fn unlanded(one: &Remains) -> Option<String> {
    let RemainsStanding::Finished(end) = &one.standing else { return None };
    let known = KnownLoop::read(Name::parse(&one.name).ok()?, LoopPaths::new(&one.root)).ok()?;
    let (id, word) = (known.handle(), end.word());
    if let Some(folder) = gone_with_work(&known) {
        return Some(format!(
            "{word}, not landed, and {folder} is gone: `gulf restore {id} --to DIR` writes its files; `gulf clean --unlanded` removes it"
        ));
    }
    let agreement = known.agreement().ok()?;
    if waits_to_land(&known) && agreement.landing.is_none() {
        return Some(format!(
            "{word}, not landed: `gulf land {id}` or `gulf discard {id}`; `gulf clean --unlanded` removes it"
        ));
    }
    let held = undone(&agreement, &known.home).and_then(|own| Ok((own, reverted_edits(&agreement, &known)?)));
    let (own, what, at) = match held {
        Ok((own, reverted)) if own.is_empty() => (reverted, "that `gulf discard` reverted", ""),
        Ok((own, _)) => (own, "that it undid", "@0"),
        // Nobody knows what it alone holds.
        Err(error) => {
            return Some(format!("{word}: {}; `gulf clean --unlanded` removes it", in_full(&error)));
        }
    };
    (!own.is_empty()).then(|| {
        let own = listed(&own, SHOWN_MAX);
        format!(
            "{word}, and nothing else holds your own work {what}: {own}: `gulf restore {id}{at} --to DIR` writes it; `gulf clean --unlanded` removes it"
        )
    })
}

/// Work that is nowhere else goes on a person's word alone.
fn thrown_away_by(branch: &OwnBranch, why: String, found: &[Remains]) -> String {
    let of_loop = branch.of_loop.as_ref().and_then(|name| found.iter().find(|one| one.name == *name));
    match of_loop.map(|one| known::handle(&one.root)) {
        Some(id) => format!("{why}; once the loop is over, `gulf discard {id}` throws it away"),
        None => why,
    }
}

fn on_branch(branch: &OwnBranch) -> String {
    match &branch.worktree {
        Some(path) => format!("its commits are held elsewhere; with its worktree {path}"),
        None => "its commits are held elsewhere".to_owned(),
    }
}

/// What became of the loop, and what lies in the project of it.
fn standing(one: &Remains) -> String {
    let id = known::handle(&one.root);
    let open = format!("`gulf resume {id}` or `gulf cancel {id}`");
    let stands = match &one.standing {
        RemainsStanding::Busy => "is running".to_owned(),
        RemainsStanding::Interrupted => format!("is unfinished: {open}"),
        RemainsStanding::Paused => format!("is paused: {open}"),
        RemainsStanding::Finished(end) => end.word().to_owned(),
        RemainsStanding::Unstarted => "a start that failed".to_owned(),
        RemainsStanding::HalfRemoved => "an unfinished removal".to_owned(),
        RemainsStanding::Unreadable(error) => format!("cannot be read: {}", in_full(error)),
    };
    match one.project_folder().filter(|_| one.is_removable()) {
        Some(_) => format!("{stands}, with {LOOPS}/{}", one.name),
        None => stands,
    }
}

fn line(entries: &[Entry<'_>], entry: &Entry<'_>, what: &str) -> String {
    let width = entries.iter().map(|one| columns(&one.name)).max().unwrap_or(0);
    format!("{what:<12} {}  {}", padded(&entry.name, width), entry.told)
}

fn bytes_of(entry: &Entry<'_>) -> String {
    entry.bytes.map(|bytes| format!(", {}", size(bytes))).unwrap_or_default()
}

fn nothing(entries: &[Entry<'_>]) -> &'static str {
    let is_open = |entry: &Entry<'_>| matches!(entry.left, LoopRemnant::Folder(one) if !one.is_removable());
    match entries {
        [] => "no loop of this repository left anything",
        entries if entries.iter().all(is_open) => "no loop here is finished",
        _ => "everything here is in use or holds work that exists nowhere else",
    }
}

/// A pipe has nobody who could say yes.
fn is_agreed(going: &[&Entry<'_>]) -> Result<bool> {
    let question = summary(going, "Remove");
    let question = format!("{}?", question.trim_end().trim_end_matches('.'));
    input::confirms(&question, "removed", "`gulf clean --yes` removes what is listed")
}

fn remove(place: &PlaceOfWork, entries: &[Entry<'_>], tell: Tell<'_>) -> Result<u8> {
    let (mut gone, mut failures) = (Vec::new(), 0_u64);
    // Loops whose branch turned out to hold work.
    let mut kept: BTreeSet<&str> = BTreeSet::new();
    for entry in entries {
        let its_work_stays =
            matches!(&entry.left, LoopRemnant::Folder(one) if kept.contains(one.name.as_str()));
        if entry.stays || its_work_stays {
            tell(&format!("{}\n", line(entries, entry, "left")))?;
            continue;
        }
        let done = match &entry.left {
            LoopRemnant::Branch(branch) => remove_branch(place, &branch.name, &branch.at),
            LoopRemnant::Folder(one) => one.remove(place).map(|()| None),
            LoopRemnant::Forgotten(one) => remove_forgotten(place, one).map(|()| None),
        };
        match done {
            Ok(None) => {
                tell(&format!("{}{}\n", line(entries, entry, "removed"), bytes_of(entry)))?;
                gone.push(entry);
                continue;
            }
            Ok(Some(why)) => tell(&format!("{}, but {why}\n", line(entries, entry, "left")))?,
            Err(error) => {
                let why = Tone::Failed.paint(&in_full(&error), Palette::Colour);
                tell(&format!("{}: {why}\n", line(entries, entry, "not removed")))?;
                failures += 1;
            }
        }
        if let LoopRemnant::Branch(branch) = entry.left {
            kept.extend(branch.of_loop.as_deref());
        }
    }
    sweep(place)?;
    tell(&summary(&gone, "Removed"))?;
    if failures > 0 {
        let failures = counted(failures, "entry", "entries");
        tell(&format!("{failures} could not be removed; `gulf clean` tries again.\n"))?;
        return Ok(ERROR);
    }
    Ok(0)
}

/// How many of each kind; nothing where there is none.
fn summary(entries: &[&Entry<'_>], what: &str) -> String {
    let (mut folders, mut branches, mut forgotten) = (0_u64, 0_u64, 0_u64);
    for entry in entries {
        match &entry.left {
            LoopRemnant::Folder(_) => folders += 1,
            LoopRemnant::Branch(_) => branches += 1,
            LoopRemnant::Forgotten(_) => forgotten += 1,
        }
    }
    let count = |number: u64, one: &str, many: &str| (number > 0).then(|| counted(number, one, many));
    let bytes = entries.iter().filter_map(|entry| entry.bytes).sum();
    let folders = count(folders, "folder", "folders").map(|text| format!("{text}, {}", size(bytes)));
    let branches = count(branches, "branch", "branches");
    let forgotten = count(forgotten, "forgotten loop", "forgotten loops");
    let parts: Vec<String> = [folders, branches, forgotten].into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!("{what} {}.\n", parts.join("; ")) }
}
