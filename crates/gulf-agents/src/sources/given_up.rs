//! What a change takes away or puts off where its goal asks to mend it: waiting by the clock, work that is done in turn where
//! it should be done at once, a warning that is gone while its cause is there, chance that is fixed, a module that is still
//! taken (SPEC B3).
//!
//! All of it may be right elsewhere, so each counts only where the goal speaks of what it stands in for.

use std::collections::{BTreeMap, BTreeSet};

use super::Sighting;
use super::aware::{code, is_product};
use super::graft::Changed;
use super::scan::is_word;
use super::support::file_of;

#[cfg(test)]
mod tests;
mod turns;
mod waits;
mod warnings;

use turns::{awaited_in_turn, in_turn, joined_at_once};
use waits::timed_wait;
use warnings::{muted, silenced};

/// A changed file that is no test.
struct Product<'change> {
    path: &'change str,
    file: &'change Changed,
    /// The lines, from 1, that it gained, without comments.
    gained: Vec<(usize, String)>,
}

/// What stands in for what the goal asks for: all of it in a change, and what it does.
pub fn given_up(files: &BTreeMap<String, Changed>, goal: &str) -> Vec<Sighting> {
    const AT_ONCE: [&str; 8] =
        ["concurren", "parallel", "background", "thread", "goroutine", "async", "race", "deadlock"];
    const WAITING: [&str; 5] = ["wait", "lost", "flak", "now and then", "intermittent"];
    const ENDS: [&str; 5] = ["until", "as soon as", "in flight", "in-flight", "finish"];
    const OF_TIME: [&str; 10] = [
        "sleep", "delay", "pause", "backoff", "back off", "throttl", "debounc", "poll", "second", "interval",
    ];
    const IN_TURN: [&str; 8] =
        ["remov", "delet", "drop", "no longer", "instead", "sequential", "one by one", "one after"];
    let goal = goal.to_lowercase();
    let asks = |words: &[&str]| speaks_of(&goal, words);
    let (at_once, is_flaky) = (asks(&AT_ONCE), asks(&WAITING));
    let sentences = goal.split(['\n', ';']).flat_map(|part| part.split(". "));
    let (timed, others): (Vec<&str>, Vec<&str>) = sentences.partition(|one| speaks_of(one, &OF_TIME));
    let is_waiting =
        others.iter().any(|one| [&AT_ONCE[..], &WAITING, &ENDS].iter().any(|words| speaks_of(one, words)));
    let products = files.iter().filter(|(path, _)| is_product(path));
    let products: Vec<_> =
        products.map(|(path, file)| Product { path, file, gained: gained(path, file) }).collect();
    let mut found = Vec::new();
    for product in &products {
        let mut add = |what, line: Option<usize>| {
            found.extend(line.map(|line| Sighting::new(product.path, line, what)));
        };
        if is_waiting {
            let wait = timed_wait(product, &timed.join(" "));
            add("waits for a fixed time where it should wait for what it needs", wait);
        }
        if is_flaky && !asks(&["seed", "reproduc", "determin"]) {
            add("fixes what is drawn by chance", fixed_chance(&product.gained));
        }
        if asks(&["warn"]) && !asks(&["remove the warning", "not warn", "stop warning", "undeprecat"]) {
            add("no longer warns, and does what it warned of", silenced(product.file));
        }
    }
    // `MaxListenersExceededWarning` names one, too.
    if (goal.contains("warn") || asks(&["leak"])) && !warnings::may_be_muted(&goal) {
        found.extend(muted(&products));
    }
    found.extend(unmoved(&products, &goal));
    // `without a data race` asks for no less.
    let is_without = AT_ONCE[..6].iter().any(|word| goal.contains(&format!("without {word}")));
    if at_once && !asks(&IN_TURN) && !is_without {
        let in_turn = in_turn(&products).or_else(|| joined_at_once(&products));
        found.extend(in_turn.or_else(|| asks(&AT_ONCE[..3]).then(|| awaited_in_turn(&products))?));
    }
    found
}

/// `race`, and not `traceback`.
fn speaks_of(text: &str, words: &[&str]) -> bool {
    let begins = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
    words.iter().any(|word| text.match_indices(word).any(|(at, _)| begins(at)))
}

fn gained(path: &str, file: &Changed) -> Vec<(usize, String)> {
    let side = |bytes: &Option<Vec<u8>>| code(path, bytes.as_deref().unwrap_or_default());
    let [base, now] = [&file.base, &file.candidate].map(side);
    let base: BTreeSet<&str> = base.iter().map(String::as_str).collect();
    let is_new = |(_, line): &(usize, String)| !line.is_empty() && !base.contains(line.as_str());
    (1..).zip(now.iter().cloned()).filter(is_new).collect()
}

/// `random.seed(42)`
fn fixed_chance(gained: &[(usize, String)]) -> Option<usize> {
    let sets = |line: &str| {
        let calls = ["random.seed(", "rand.Seed(", "srand("];
        let mut set = calls.iter().filter_map(|call| line.split_once(call));
        set.any(|(_, rest)| rest.starts_with(|first: char| first.is_ascii_digit()))
    };
    gained.iter().find(|(_, line)| sets(line)).map(|(line, _)| *line)
}

/// A source that still takes what its goal wants it to leave, under whatever name: `from invoice.legacy import _total as total`,
/// where the goal deprecates `legacy.total` and wants its callers at `billing.total`.
fn unmoved(products: &[Product<'_>], goal: &str) -> Option<Sighting> {
    let [(old, old_name), (new, new_name)] = moved(goal)?;
    // Within one module the names tell.
    let (old, new) = if old == new { (old_name, new_name) } else { (old, new) };
    let names = |line: &str, name: &str| {
        let line = line.to_lowercase();
        line.split(|letter| !is_word(letter)).any(|word| word == name)
    };
    let imports = |line: &str| {
        ["from ", "import ", "use "].iter().any(|word| line.starts_with(word)) || line.contains("require(")
    };
    products.iter().find_map(|Product { path, file, .. }| {
        let stem = file_of(path).split('.').next().unwrap_or_default();
        let lines = code(path, file.candidate.as_deref()?);
        let is_other = stem != old && stem != new && !lines.iter().any(|line| names(line, new));
        let line = lines.iter().position(|line| imports(line) && names(line, old)).filter(|_| is_other)?;
        Some(Sighting::new(path, line + 1, "still imports what the goal wants it to leave"))
    })
}

/// Module and name of what `legacy.total is deprecated: move report.py to billing.total` speaks of: from there, to there.
fn moved(goal: &str) -> Option<[(&str, &str); 2]> {
    let words: Vec<&str> =
        goal.split_whitespace().map(|word| word.trim_matches(|letter| !is_word(letter))).collect();
    let old = words.windows(3).find(|three| three[1..] == ["is", "deprecated"])?[0];
    let moves = words.iter().position(|word| ["move", "migrate", "switch", "port"].contains(word));
    let before = if moves.is_some() { "to" } else { "use" };
    let new = words[moves.unwrap_or(0)..].iter().skip_while(|word| **word != before).nth(1)?;
    Some([dotted(old)?, dotted(new)?])
}

/// The last two parts of `invoice.legacy.total`.
fn dotted(word: &str) -> Option<(&str, &str)> {
    let (modules, name) = word.rsplit_once(['.', ':', '/'])?;
    Some((modules.rsplit(|letter| !is_word(letter)).find(|part| !part.is_empty())?, name))
}
