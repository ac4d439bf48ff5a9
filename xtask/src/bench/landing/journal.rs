//! What the journal of a queue tells about a line: who joined, how long that took, what it cost.
//!
//! It stands apart so that it has tests; xtask builds without the product's crates, so the lines are looked at as text.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

/// A line of loops that is over.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Landings {
    /// Whose waiting ended.
    pub(super) settled: u32,
    /// Those among them that were red, by their place in the line, counted from 1.
    pub(super) evicted: Vec<u32>,
    /// Tests that began.
    pub(super) tests: u32,
    /// From the leader's coming until the last one's end.
    pub(super) makespan_ms: u64,
    /// From joining until the end, of all of them together.
    pub(super) waited_ms: u64,
}

impl Landings {
    /// Reads a journal that begins with this line of loops.
    pub(super) fn read(journal: &str) -> Self {
        let (mut landings, mut joined, mut began_ms) = (Self::default(), BTreeMap::new(), None);
        for line in journal.lines() {
            let at_ms = number(line, "\"at_ms\":").unwrap_or_default();
            match word(line, "\"fact\":{\"type\":\"") {
                Some("attached") => began_ms = began_ms.or(Some(at_ms)),
                Some("joined") => {
                    let ticket = joined.len() as u64 + 1;
                    joined.insert(ticket, at_ms);
                }
                Some("began") if line.contains("\"kind\":\"test\"") => landings.tests += 1,
                Some("settled") => {
                    let ticket = number(line, "\"ticket\":").unwrap_or_default();
                    let since_ms = joined.get(&ticket).copied().unwrap_or(at_ms);
                    landings.settled += 1;
                    landings.waited_ms += at_ms.saturating_sub(since_ms);
                    landings.makespan_ms = at_ms.saturating_sub(began_ms.unwrap_or(at_ms));
                    if word(line, "\"ending\":{\"kind\":\"") == Some("evicted") {
                        landings.evicted.extend(u32::try_from(ticket));
                    }
                }
                Some(_) | None => {}
            }
        }
        landings
    }
}

fn after<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    line.split_once(label).map(|(_, rest)| rest)
}

fn word<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    after(line, label)?.split('"').next()
}

fn number(line: &str, label: &str) -> Option<u64> {
    let digits: String = after(line, label)?.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
