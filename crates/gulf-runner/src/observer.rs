//! Who watches a loop being driven: a terminal, a stream of JSON, a test.

use std::time::Duration;

use gulf_engine::{Event, State};

/// Gets every event after it was written and believed.
pub trait Observer: std::fmt::Debug {
    /// `state` is the state after the event.
    fn event(&mut self, _event: &Event, _state: &State) {}

    /// Nothing more happens before something begins, or the driver leaves: what shows where the loop stands is written now.
    fn rests(&mut self, _state: &State) {}

    /// Something for a person that is no event of the loop.
    fn note(&mut self, _text: &str) {}

    /// Time passed while nothing happened; called every [`Observer::tick`].
    fn waiting(&mut self, _state: &State, _active_ms: u64) {}

    /// What the agent was just seen to do, in one line; no fact, and kept nowhere but in its stream.
    fn doing(&mut self, _what: &str) {}

    /// How often [`Observer::waiting`] is wanted.
    fn tick(&self) -> Option<Duration> {
        None
    }
}

/// Watches nothing.
#[derive(Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}
