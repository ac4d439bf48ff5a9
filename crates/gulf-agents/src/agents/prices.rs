//! What tokens cost at list prices, for agents that do not tell it themselves.
//!
//! It is data with a date: `prices.toml` says where each price was read. A subscription pays otherwise, and prices
//! fall, so what comes out is an estimate, rounded up.

use std::sync::LazyLock;

use serde::Deserialize;

use super::Usage;
use crate::patterns::{form, parts};

/// A price is for this many tokens.
const TOKENS: u128 = 1_000_000;

static TABLE: LazyLock<PriceTable> =
    LazyLock::new(|| toml::from_str(include_str!("prices.toml")).unwrap_or_default());

/// One model's prices, in microdollars for a million tokens.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The name that the tool tells, without a date.
    pub model: String,
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_write: u64,
    /// When it was looked up.
    pub date: String,
    /// Where.
    pub source: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceTable {
    #[serde(default)]
    price: Vec<Price>,
}

/// The whole table.
pub fn table() -> &'static [Price] {
    &TABLE.price
}

/// Microdollars; nothing for a model that is not in the table, also for a later one of the same family.
pub fn cost(model: &str, usage: Usage) -> Option<u64> {
    let name = makers_name(model);
    table().iter().find(|price| price.model == name).map(|price| total(price, usage))
}

/// Microdollars at the dearest price of the table: for a model that is not in it.
pub fn dearest(usage: Usage) -> u64 {
    table().iter().map(|price| total(price, usage)).max().unwrap_or(u64::MAX)
}

fn total(price: &Price, usage: Usage) -> u64 {
    let parts = [
        (price.input, usage.input_tokens),
        (price.output, usage.output_tokens),
        (price.cache_read, usage.cache_read_tokens),
        (price.cache_write, usage.cache_write_tokens),
    ];
    let sum: u128 = parts.into_iter().map(|(price, tokens)| u128::from(price) * u128::from(tokens)).sum();
    u64::try_from(sum.div_ceil(TOKENS)).unwrap_or(u64::MAX)
}

/// `anthropic/claude-haiku-4-5` at OpenCode, `claude-haiku-4.5` at Copilot: the name that the maker gives.
fn makers_name(model: &str) -> String {
    let name = without_date(model.rsplit('/').next().unwrap_or(model));
    if name.starts_with("claude-") { name.replace('.', "-") } else { name.to_owned() }
}

/// `claude-haiku-4-5-20251001`, `claude-opus-5-5[1m]`, `gpt-5.4-2026-03-05`: the model they are versions of.
fn without_date(model: &str) -> &str {
    let form = form!(r"(?s)^(.*?)(?:-[0-9]{8}|-[0-9]{4}-[0-9]{2}-[0-9]{2})?(?:-latest)?(?:\[.*)?$");
    parts(form, model).map_or(model, |[name]| name)
}
