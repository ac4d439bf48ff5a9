//! Where protected things lie.

use super::Protected;

pub(super) struct Ground;

impl Ground {
    pub(super) fn new(_: &Protected) -> Self {
        Self
    }
}
