//! Samples and the table they end in; apart from taking them, so that the arithmetic has tests.

#[cfg(test)]
mod tests;

use std::time::Duration;

/// Durations of the same thing, in the order taken.
#[derive(Debug, Default)]
pub(super) struct Samples {
    taken: Vec<Duration>,
}

pub(super) struct Row<'a> {
    pub(super) name: &'a str,
    pub(super) samples: &'a Samples,
}

impl Samples {
    pub(super) fn push(&mut self, duration: Duration) {
        self.taken.push(duration);
    }

    /// The middle one (of two, the smaller); zero without samples.
    pub(super) fn median(&self) -> Duration {
        let mut sorted = self.taken.clone();
        sorted.sort();
        sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or_default()
    }

    fn min(&self) -> Duration {
        self.taken.iter().min().copied().unwrap_or_default()
    }

    fn max(&self) -> Duration {
        self.taken.iter().max().copied().unwrap_or_default()
    }
}

/// One line per row: median, range, and the ratio of the median to the unit.
pub(super) fn table(rows: &[Row<'_>], unit: Duration) -> String {
    let mut lines = vec![format!("{:<40} {:>10}  {:>19}  {:>7}", "", "median", "min – max", "ratio")];
    for Row { name, samples } in rows {
        let range = format!("{:.2} – {:.2} ms", milliseconds(samples.min()), milliseconds(samples.max()));
        let median = samples.median();
        lines.push(format!(
            "{name:<40} {:>7.2} ms  {range:>19}  {:>7}",
            milliseconds(median),
            ratio(median, unit)
        ));
    }
    lines.join("\n")
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn ratio(duration: Duration, unit: Duration) -> String {
    if unit.is_zero() {
        return "–".to_owned();
    }
    format!("{:.2}", duration.as_secs_f64() / unit.as_secs_f64())
}
