//! A source that still takes what its goal wants it to leave, under whatever name.

use super::super::Sighting;
use super::super::aware::code;
use super::super::scan::is_word;
use super::super::support::file_of;
use super::Product;

/// `from invoice.legacy import _total as total`, where the goal deprecates `legacy.total` and wants its callers at `billing.total`.
pub(super) fn unmoved(products: &[Product<'_>], goal: &str) -> Option<Sighting> {
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
