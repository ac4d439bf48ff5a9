//! Why a change was made, for the commits that gulf makes of it where its worker made none (SPEC G4).
//!
//! It is the worker's word: it stands below the title, above gulf's own trailers, and nothing is decided on it.

use gulf_engine::{EffectKey, EffectKind};
use gulf_host::files;
use gulf_spec::lessons::without_signals;
use gulf_spec::progress;

use crate::book::Fold;
use crate::resources::Resources;
use crate::texts::TEXT_BYTES_MAX;

/// A message longer than this tells a story, and no reason.
const WHY_CHARS_MAX: usize = 1_500;

/// What the worker decided since the unit in hand began, as progress.txt has it; else what it said at its end.
pub(crate) fn why(resources: &Resources, fold: &Fold) -> String {
    let decided = decided(resources, fold);
    let why = if decided.is_empty() {
        without_signals(&final_message(resources, fold), &resources.agreement.completion_promise)
    } else {
        decided.iter().map(|entry| format!("- {entry}\n")).collect()
    };
    let why = resources.mask.text(why.trim());
    let shown: String =
        why.chars().take(WHY_CHARS_MAX).filter(|one| *one == '\n' || !one.is_control()).collect();
    if why.chars().count() > WHY_CHARS_MAX { format!("{}…", shown.trim_end()) } else { shown }
}

/// Without what was decided in iterations before it.
fn decided(resources: &Resources, fold: &Fold) -> Vec<String> {
    let text = |name| resources.project_text(name).unwrap_or_default();
    let unit = &fold.state.unit;
    let before = (unit.iteration + 1).saturating_sub(unit.iterations.max(1));
    let earlier = progress::decided_before(&text("decisions.md"), before);
    let mut decided = progress::parse(&text("progress.txt")).decisions();
    decided.retain(|entry| !earlier.contains(entry));
    decided
}

/// The worker's last message; a follow-up's stands in the place of its turn's.
pub(crate) fn final_message(resources: &Resources, fold: &Fold) -> String {
    let unit = &fold.state.unit;
    let key =
        EffectKey { unit: unit.id, iteration: unit.iteration, attempt: unit.attempt, work: EffectKind::Turn };
    let path = resources.folder.log(&key, "message.txt");
    files::read_text(&path, TEXT_BYTES_MAX).map(|text| text.content).unwrap_or_default()
}
