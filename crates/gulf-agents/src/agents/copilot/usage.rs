//! The file that Copilot CLI writes of what a session used: `--usage-output-file`.
//!
//! It stands apart because the stream tells neither tokens nor money. The sums begin with the session's first turn,
//! so what a turn used is the difference to the file of the turn before.

use serde_json::Value;

use crate::agents::prices;
use crate::agents::words::count;
use crate::agents::{CostEstimate, SumSpan, TurnReport, TurnUsage, Usage};

/// What a session has used so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionUsage {
    pub usage: Usage,
    /// The dearest of the models that were asked, so that what several cost together is not taken for less than it is.
    pub model: Option<String>,
}

/// Reads the file; nothing if it does not tell a sum.
pub fn usage(bytes: &[u8]) -> Option<SessionUsage> {
    let file: Value = serde_json::from_slice(bytes).ok()?;
    let mut sum = SessionUsage::default();
    let mut dearest = 0;
    for (name, metrics) in file["modelMetrics"].as_object()? {
        let tokens = &metrics["usage"];
        let of = |key: &str| count(&tokens[key]).unwrap_or(0);
        let (cache_read_tokens, cache_write_tokens) = (of("cacheReadTokens"), of("cacheWriteTokens"));
        let input = count(&tokens["inputTokens"])?;
        let usage = Usage {
            // What came from a cache or went into one is counted as input, too.
            input_tokens: input.saturating_sub(cache_read_tokens).saturating_sub(cache_write_tokens),
            output_tokens: of("outputTokens"),
            cache_read_tokens,
            cache_write_tokens,
        };
        sum.usage = sum.usage.plus(usage);
        let unit = Usage { input_tokens: 1_000_000, output_tokens: 1_000_000, ..Usage::default() };
        let price = prices::cost(name, unit).unwrap_or(u64::MAX);
        if price > dearest && usage.tokens() > 0 {
            dearest = price;
            sum.model = Some(name.clone());
        }
    }
    Some(sum)
}

impl SessionUsage {
    /// What the stream said, with what this turn used; `before` is what the session had used until then.
    #[must_use]
    pub fn refine(self, before: &Self, mut report: TurnReport) -> TurnReport {
        report.model = self.model.or(report.model);
        let usage = self.usage.since(before.usage);
        report.spent = Some(TurnUsage { usage, cost: CostEstimate::Unknown, span: SumSpan::Turn });
        report
    }
}
