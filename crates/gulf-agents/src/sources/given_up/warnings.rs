//! A warning that a change turns off while what it warns of stays.

use std::collections::BTreeSet;

use super::super::Sighting;
use super::super::graft::Changed;
use super::Product;

/// A warning that is gone from a function that is still there.
pub(super) fn silenced(file: &Changed) -> Option<usize> {
    const WARNING: [&str; 2] = ["warnings.warn(", "emitWarning("];
    const HEADS: [&str; 5] = ["def ", "async def ", "function ", "export function ", "class "];
    let [base, now] = file.texts();
    let count = |text: &str| WARNING.iter().map(|word| text.matches(word).count()).sum::<usize>();
    if count(&now) >= count(&base) {
        return None;
    }
    let kept: BTreeSet<&str> = now.lines().map(str::trim).collect();
    let (mut head, mut found) = (None, None);
    for line in base.lines().map(str::trim) {
        if HEADS.iter().any(|word| line.starts_with(word)) {
            head = Some(line);
        }
        if WARNING.iter().any(|word| line.contains(word)) && !kept.contains(line) {
            found = found.or(head.filter(|head| kept.contains(head)));
        }
    }
    let head = found?;
    now.lines().position(|line| line.trim() == head).map(|at| at + 1)
}

/// Does the goal want the warning itself gone? `fix it, do not silence it` does not.
pub(super) fn may_be_muted(goal: &str) -> bool {
    const WORDS: [&str; 8] =
        ["silenc", "suppress", "quiet", "mute", "hide", "ignor", "maxlisteners(", "max listeners"];
    const NEGATIONS: [&str; 6] = ["not", "never", "without", "instead of", "don't", "no"];
    let is_wanted = |before: &str| {
        let before = before.trim_end_matches(|last: char| !last.is_alphanumeric());
        !NEGATIONS.iter().any(|word| before.ends_with(word))
    };
    WORDS.iter().any(|word| goal.match_indices(word).any(|(at, _)| is_wanted(&goal[..at])))
}

/// A line that turns a warning off, where no product gained one that lets go of something.
pub(super) fn muted(products: &[Product<'_>]) -> Option<Sighting> {
    const MUTES: [&str; 10] = [
        "etMaxListeners(", "defaultMaxListeners =", "removeAllListeners('warning'", "noDeprecation = true",
        "emitWarning =", "simplefilter('ignore'", "filterwarnings('ignore'", "--no-warnings",
        "NODE_NO_WARNINGS", "PYTHONWARNINGS",
    ];
    const RELEASES: [&str; 14] = [
        ".off(", "removeListener(", "removeEventListener(", "removeAllListeners(", "once(", ".delete(",
        ".close(", ".destroy(", ".dispose(", ".cancel(", "unsubscribe(", "signal", ".clear(", "with open(",
    ];
    let is_any = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
    let mut found = None;
    for Product { path, gained, .. } in products {
        for (number, line) in gained {
            let line = line.replace('"', "'");
            if is_any(&line, &MUTES) {
                let what = "turns off the warning, and what it warns of stays";
                found = found.or_else(|| Some(Sighting::new(path, *number, what)));
            } else if is_any(&line, &RELEASES) {
                return None;
            }
        }
    }
    found
}
