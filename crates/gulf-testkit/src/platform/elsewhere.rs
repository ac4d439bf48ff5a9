//! Systems whose processes these tests cannot see.

use camino::Utf8Path;

use super::Leftover;

const WHY: &str = "processes can be watched on Linux only";

pub(crate) fn leftovers(_root: &Utf8Path) -> Vec<Leftover> {
    panic!("{WHY}")
}

pub(crate) fn wait_until_gone(_root: &Utf8Path) -> Vec<Leftover> {
    panic!("{WHY}")
}

pub(crate) fn interrupt(_process: u32) {
    panic!("{WHY}")
}

pub(crate) fn kill(_process: u32) {
    panic!("{WHY}")
}

/// Fails where a process cannot be waited for.
pub fn assert_dies(_process: u32) {
    panic!("{WHY}")
}
