//! How long a log may be silent where nobody sees the status line.

use std::time::Duration;

use gulf_host::clock::milliseconds;

/// At first, and at most: each time something is said although nothing happened, it may be twice as long.
const FIRST: Duration = Duration::from_secs(10);
const MAX: Duration = Duration::from_mins(10);

/// In active time.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogSilence {
    since_ms: u64,
    at_most: Duration,
}

impl LogSilence {
    /// Something happened, and was said.
    pub(super) fn after(active_ms: u64) -> Self {
        Self { since_ms: active_ms, at_most: FIRST }
    }

    pub(super) fn is_too_long(self, active_ms: u64) -> bool {
        active_ms.saturating_sub(self.since_ms) >= milliseconds(self.at_most)
    }

    /// The same went on, and that was said.
    pub(super) fn broken(self, active_ms: u64) -> Self {
        Self { since_ms: active_ms, at_most: MAX.min(2 * self.at_most) }
    }
}

#[cfg(test)]
mod tests {
    use super::LogSilence;

    #[test]
    fn each_time_it_is_twice_as_long_until_something_happens() {
        let (mut silence, mut said) = (LogSilence::after(0), Vec::new());
        for second in 0..3_600 {
            if silence.is_too_long(second * 1_000) {
                said.push(second);
                silence = silence.broken(second * 1_000);
            }
        }
        assert_eq!(said, [10, 30, 70, 150, 310, 630, 1_230, 1_830, 2_430, 3_030]);
        assert!(LogSilence::after(3_600_000).is_too_long(3_610_000));
        assert!(!LogSilence::after(5_000).is_too_long(0), "a clock that was set back");
    }
}
