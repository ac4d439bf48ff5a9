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
    pub(super) aim: Aim,
}

/// What a row should stay below.
#[derive(Debug, Clone, Copy)]
pub(super) enum Aim {
    /// It is shown, and compared with nothing.
    None,
    /// So many units; missing it is said and fails nothing, since a busy machine must not.
    Units(f64),
}

impl<'a> Row<'a> {
    /// A row that is only shown.
    pub(super) fn shown(name: &'a str, samples: &'a Samples) -> Self {
        Self { name, samples, aim: Aim::None }
    }

    /// A row that should stay below so many units.
    pub(super) fn aimed(name: &'a str, samples: &'a Samples, units_max: f64) -> Self {
        Self { name, samples, aim: Aim::Units(units_max) }
    }
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

/// One line per row: median, range, the ratio of the median to the unit, and whether that is what is aimed at.
pub(super) fn table(rows: &[Row<'_>], unit: Duration) -> String {
    let mut lines = vec![format!("{:<44} {:>10}  {:>20}  {:>7}", "", "median", "min – max", "ratio")];
    for Row { name, samples, aim } in rows {
        let range = format!("{:.2} – {:.2} ms", milliseconds(samples.min()), milliseconds(samples.max()));
        let median = samples.median();
        lines.push(format!(
            "{name:<44} {:>7.2} ms  {range:>20}  {:>7}{}",
            milliseconds(median),
            ratio(median, unit),
            compared(*aim, median, unit)
        ));
    }
    lines.join("\n")
}

fn compared(aim: Aim, median: Duration, unit: Duration) -> String {
    match aim {
        Aim::None => String::new(),
        Aim::Units(units_max) if median.as_secs_f64() <= units_max * unit.as_secs_f64() => {
            format!("  aim {units_max}: met")
        }
        Aim::Units(units_max) => format!("  aim {units_max}: MISSED"),
    }
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
