//! What of a change stands on a page: of each file the riskiest places, until the page has no more room.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::page::RiskyFile;
use crate::changed_files::{FileKind, PatchPlace};
use crate::language::ScreenLanguage;
use crate::text;

/// So much markup of a whole change stands on a page.
const PAGE_BYTES_MAX: usize = 75_000;
/// So much of it is one file's, so that another one has room, too.
const FILE_BYTES_MAX: usize = 20_000;
/// What is around each line.
const LINE_MARKUP_BYTES: usize = 40;
/// A longer line is data.
const LINE_SHOWN_BYTES_MAX: usize = 400;

/// The files are in the order of their risk, so what is cut is the least of it.
pub(super) fn fill(
    files: &mut [RiskyFile],
    places: &BTreeMap<String, Vec<PatchPlace>>,
    handle: &str,
    language: ScreenLanguage,
) {
    let mut room = PAGE_BYTES_MAX;
    for file in files {
        let Some(places) = places.get(&file.path) else { continue };
        let mut ranked: Vec<&PatchPlace> = places.iter().collect();
        ranked.sort_by_key(|place| Reverse(risk(place, file.kind)));
        let total: usize = places.iter().map(|place| place.lines.len()).sum();
        let given = room.min(FILE_BYTES_MAX);
        let mut own_room = given;
        file.places = ranked.into_iter().map_while(|place| fitting(place, &mut own_room)).collect();
        room -= given - own_room;
        let shown: usize = file.places.iter().map(|place| place.lines.len()).sum();
        file.places_left_out = (shown < total).then(|| {
            let lines = text::count(total - shown, "line", "lines");
            let told =
                format!("{lines} of this change are not on this page: `gulf diff {handle}` shows them");
            language.tell(&told).into_owned()
        });
    }
}

/// What is taken away from tests weighs more than any size.
fn risk(place: &PatchPlace, kind: FileKind) -> (usize, usize) {
    let changed = |sign: char| place.lines.iter().filter(|line| line.starts_with(sign)).count();
    let removed = changed('-');
    let is_test = kind == FileKind::Test;
    (if is_test { removed } else { 0 }, removed + changed('+'))
}

/// As much of it as there is room for; none where there is no room for a line.
fn fitting(place: &PatchPlace, room: &mut usize) -> Option<PatchPlace> {
    let lines = place.lines.iter().map(|line| text::cut_bytes(line, LINE_SHOWN_BYTES_MAX).into_owned());
    let mut left = room.checked_sub(drawn_bytes(&place.head)).unwrap_or_default();
    let fits = |line: &String| {
        let after = left.checked_sub(drawn_bytes(line));
        // Nothing that is shorter is shown behind what had no room.
        left = after.unwrap_or_default();
        after.is_some()
    };
    let lines: Vec<String> = lines.take_while(fits).collect();
    *room = left;
    (!lines.is_empty()).then(|| PatchPlace { head: place.head.clone(), lines })
}

/// Markup spells some signs out, with six bytes at most.
fn drawn_bytes(line: &str) -> usize {
    let spelt = line.bytes().filter(|byte| b"<>&\"'/".contains(byte)).count();
    line.len() + 5 * spelt + LINE_MARKUP_BYTES
}
