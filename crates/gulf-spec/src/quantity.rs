//! Durations ("90s", "1h30m", "50ms"), sizes ("1GiB"), money ("$2.50") and tokens ("2M") as people write them.
//!
//! Apart from the configuration because prompts, texts and views print them in the same form that is read.

use std::time::Duration;

/// Why a text is no quantity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    #[error("a number is missing")]
    NoNumber,
    #[error("a number below 0")]
    Negative,
    #[error("the unit `{0}` is unknown")]
    UnknownUnit(String),
    #[error("a unit is missing")]
    NoUnit,
    #[error("the units must become smaller from left to right")]
    UnitOrder,
    #[error("it is too large")]
    TooLarge,
    #[error("more than six digits after the point")]
    TooFine,
}

/// In milliseconds.
const DURATION_UNITS: [(&str, u64); 5] =
    [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];
const SIZE_UNITS: [(&str, u64); 7] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
];

/// The longest duration: a hundred years, so that sums of two never overflow.
const MILLISECONDS_MAX: u64 = 100 * 366 * 86_400_000;

/// Reads `90s`, `5m`, `1h30m`, `1d`, `50ms`; each unit once, larger ones first.
pub fn duration(text: &str) -> Result<Duration, QuantityError> {
    let mut rest = text.trim();
    let mut milliseconds: u64 = 0;
    let mut unit_before = u64::MAX;
    loop {
        let (number, after_number) = leading_number(rest)?;
        let unit_end =
            after_number.find(|character: char| character.is_ascii_digit()).unwrap_or(after_number.len());
        let (unit, after_unit) = after_number.split_at(unit_end);
        let factor = factor(unit, &DURATION_UNITS)?;
        if factor >= unit_before {
            return Err(QuantityError::UnitOrder);
        }
        unit_before = factor;
        let sum = number.checked_mul(factor).and_then(|product| product.checked_add(milliseconds));
        milliseconds = sum.filter(|sum| *sum <= MILLISECONDS_MAX).ok_or(QuantityError::TooLarge)?;
        rest = after_unit;
        if rest.is_empty() {
            return Ok(Duration::from_millis(milliseconds));
        }
    }
}

/// Reads `512MiB`, `1GiB`, `2 GB`, `0B`: bytes.
pub fn size(text: &str) -> Result<u64, QuantityError> {
    let (number, unit) = leading_number(text.trim())?;
    number.checked_mul(factor(unit, &SIZE_UNITS)?).ok_or(QuantityError::TooLarge)
}

/// A million dollars: far more than any loop may cost, and sums of many never overflow.
const DOLLARS_MAX: u64 = 1_000_000;
const MICRODOLLARS: u64 = 1_000_000;
const TOKEN_UNITS: [(&str, u64); 3] = [("k", 1_000), ("K", 1_000), ("M", 1_000_000)];

/// Reads `5`, `$5`, `0.30`, `$2.50`: US dollars, in millionths.
pub fn money(text: &str) -> Result<u64, QuantityError> {
    let text = text.trim();
    let (dollars, rest) = leading_number(text.strip_prefix('$').unwrap_or(text))?;
    let fraction = match rest.strip_prefix('.') {
        None if rest.is_empty() => 0,
        None => return Err(QuantityError::UnknownUnit(rest.trim().to_owned())),
        Some(digits) => millionths(digits)?,
    };
    if dollars > DOLLARS_MAX {
        return Err(QuantityError::TooLarge);
    }
    Ok(dollars * MICRODOLLARS + fraction)
}

fn millionths(digits: &str) -> Result<u64, QuantityError> {
    let (number, rest) = leading_number(digits)?;
    if !rest.is_empty() {
        return Err(QuantityError::UnknownUnit(rest.trim().to_owned()));
    }
    let places = u32::try_from(digits.len()).unwrap_or(u32::MAX);
    let scale = 6_u32.checked_sub(places).ok_or(QuantityError::TooFine)?;
    Ok(number * 10_u64.pow(scale))
}

/// Reads `500000`, `500k`, `2M`: tokens.
pub fn tokens(text: &str) -> Result<u64, QuantityError> {
    let (number, unit) = leading_number(text.trim())?;
    let factor = if unit.is_empty() { 1 } else { factor(unit, &TOKEN_UNITS)? };
    number.checked_mul(factor).ok_or(QuantityError::TooLarge)
}

/// Writes money as [`money`] reads it, with two digits at least.
pub fn print_money(microdollars: u64) -> String {
    let fraction = format!("{:06}", microdollars % MICRODOLLARS);
    let shortened = fraction.trim_end_matches('0');
    let fraction = if shortened.len() < 2 { &fraction[..2] } else { shortened };
    format!("${}.{fraction}", microdollars / MICRODOLLARS)
}

/// Writes tokens as [`tokens`] reads them, in the largest unit that loses nothing.
pub fn print_tokens(tokens: u64) -> String {
    let units = [("M", 1_000_000), ("k", 1_000)];
    match units.iter().find(|(_, factor)| tokens >= *factor && tokens.is_multiple_of(*factor)) {
        Some((unit, factor)) => format!("{}{unit}", tokens / factor),
        None => tokens.to_string(),
    }
}

/// Writes a duration as [`duration`] reads it; parts of a second are dropped where there are whole ones.
pub fn print_duration(duration: Duration) -> String {
    let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let mut left = if milliseconds < 1_000 { milliseconds } else { milliseconds - milliseconds % 1_000 };
    if left == 0 {
        return "0s".to_owned();
    }
    let mut text = String::new();
    for (unit, factor) in DURATION_UNITS {
        if left >= factor {
            text.push_str(&format!("{}{unit}", left / factor));
            left %= factor;
        }
    }
    text
}

/// Writes a size as [`size`] reads it, in the largest binary unit that loses nothing.
pub fn print_size(bytes: u64) -> String {
    let is_whole = |(_, factor): &&(&str, u64)| bytes >= *factor && bytes.is_multiple_of(*factor);
    let (unit, factor) = SIZE_UNITS[..4].iter().rev().find(is_whole).unwrap_or(&SIZE_UNITS[0]);
    format!("{}{unit}", bytes / factor)
}

fn leading_number(text: &str) -> Result<(u64, &str), QuantityError> {
    let digits_end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(digits_end);
    if digits.is_empty() {
        let is_negative = rest.starts_with('-');
        return Err(if is_negative { QuantityError::Negative } else { QuantityError::NoNumber });
    }
    let number = digits.parse().map_err(|_| QuantityError::TooLarge)?;
    Ok((number, rest))
}

fn factor(unit: &str, units: &[(&str, u64)]) -> Result<u64, QuantityError> {
    let unit = unit.trim();
    if unit.is_empty() {
        return Err(QuantityError::NoUnit);
    }
    let known = units.iter().find(|(name, _)| *name == unit);
    known.map(|(_, factor)| *factor).ok_or_else(|| QuantityError::UnknownUnit(unit.to_owned()))
}

#[cfg(test)]
mod tests;
