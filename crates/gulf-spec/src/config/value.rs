//! A value by the shape of its key, from TOML or from the text of a variable or flag.
//!
//! Apart from the layers because every layer must accept the same values and refuse them in the same words.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde::de::value::{Error, StrDeserializer};
use toml::de::DeValue;

use super::{KeyRow, PortRange, Shape};
use crate::problem::{Mistake, did_you_mean, nearest};
use crate::quantity::{self, QuantityError};

/// A value of a key that is no part of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Text(String),
    Count(u32),
    /// None is `off`.
    Duration(Option<Duration>),
    /// Bytes.
    Size(u64),
    Ports(PortRange),
    Switch(bool),
    List(Vec<String>),
    /// Millionths of a US dollar; none is `off`.
    Money(Option<u64>),
    /// None is `off`.
    Tokens(Option<u64>),
}

impl Value {
    /// Reads the text of a variable, a flag or a string of TOML.
    pub(crate) fn read(row: &KeyRow, text: &str) -> Result<Self, Mistake> {
        match row.shape {
            Shape::Text | Shape::Pairs => Ok(Self::Text(text.to_owned())),
            Shape::Line if text.trim().is_empty() || text.contains(['\n', '\r']) => {
                Err(wrong_value(row, text))
            }
            Shape::Line => Ok(Self::Text(text.to_owned())),
            Shape::Count { .. } => {
                let count = text.trim().parse().map_err(|_| wrong_value(row, text))?;
                Self::count(row, count, text)
            }
            Shape::Duration | Shape::DurationOrOff => {
                positive(row, text, quantity::duration).map(Self::Duration)
            }
            Shape::Size => {
                quantity::size(text).map(Self::Size).map_err(|reason| wrong_quantity(row, text, &reason))
            }
            Shape::PortRange => PortRange::parse(text).map(Self::Ports).ok_or_else(|| wrong_value(row, text)),
            Shape::Money | Shape::MoneyOrOff => positive(row, text, quantity::money).map(Self::Money),
            Shape::Tokens | Shape::TokensOrOff => positive(row, text, quantity::tokens).map(Self::Tokens),
            Shape::Switch => match text.trim() {
                "true" | "1" => Ok(Self::Switch(true)),
                "false" | "0" => Ok(Self::Switch(false)),
                _ => Err(wrong_value(row, text)),
            },
            Shape::Choice(choices) if choices.contains(&text) => Ok(Self::Text(text.to_owned())),
            Shape::Choice(_) => Err(wrong_value(row, text)),
            Shape::List => Ok(Self::List(
                text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect(),
            )),
        }
    }

    /// Reads a value of TOML; one of another type is refused, however it might be understood.
    pub(crate) fn read_toml(row: &KeyRow, value: &DeValue<'_>) -> Result<Self, Mistake> {
        match (row.shape, value) {
            (Shape::Count { .. }, DeValue::Integer(integer)) => {
                let found = integer.to_string();
                let count = u32::from_str_radix(integer.as_str(), integer.radix())
                    .map_err(|_| wrong_value(row, &found))?;
                Self::count(row, count, &found)
            }
            (
                Shape::Money | Shape::MoneyOrOff | Shape::Tokens | Shape::TokensOrOff,
                DeValue::Integer(integer),
            ) => Self::read(row, &integer.to_string()),
            (Shape::Money | Shape::MoneyOrOff, DeValue::Float(float)) => Self::read(row, &float.to_string()),
            (Shape::Switch, DeValue::Boolean(on)) => Ok(Self::Switch(*on)),
            (Shape::List, DeValue::Array(items)) => items
                .iter()
                .map(|item| match item.get_ref().as_str() {
                    Some(text) => Ok(text.to_owned()),
                    None => Err(wrong_type(row.path, &expected(row.shape), item.get_ref())),
                })
                .collect::<Result<_, _>>()
                .map(Self::List),
            (shape, DeValue::String(text)) if shape.is_text() => Self::read(row, text),
            _ => Err(wrong_type(row.path, &expected(row.shape), value)),
        }
    }

    fn count(row: &KeyRow, count: u32, found: &str) -> Result<Self, Mistake> {
        if let Shape::Count { min, max } = row.shape
            && (min..=max).contains(&count)
        {
            return Ok(Self::Count(count));
        }
        Err(wrong_value(row, found))
    }
}

/// More than nothing; none where the shape has `off`, and that stands there.
fn positive<T: Default + PartialEq>(
    row: &KeyRow,
    text: &str,
    read: fn(&str) -> Result<T, QuantityError>,
) -> Result<Option<T>, Mistake> {
    let has_off = matches!(row.shape, Shape::DurationOrOff | Shape::MoneyOrOff | Shape::TokensOrOff);
    match read(text) {
        _ if has_off && text.trim() == "off" => Ok(None),
        Ok(number) if number == T::default() => Err(wrong_value(row, text)),
        Ok(number) => Ok(Some(number)),
        Err(reason) => Err(wrong_quantity(row, text, &reason)),
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Count(count) => count.fmt(formatter),
            Self::Duration(None) => formatter.write_str("off"),
            Self::Duration(Some(duration)) => formatter.write_str(&quantity::print_duration(*duration)),
            Self::Ports(range) => range.fmt(formatter),
            Self::Size(bytes) => formatter.write_str(&quantity::print_size(*bytes)),
            Self::Switch(on) => on.fmt(formatter),
            Self::List(items) => formatter.write_str(&items.join(", ")),
            Self::Money(None) | Self::Tokens(None) => formatter.write_str("off"),
            Self::Money(Some(money)) => formatter.write_str(&quantity::print_money(*money)),
            Self::Tokens(Some(tokens)) => formatter.write_str(&quantity::print_tokens(*tokens)),
        }
    }
}

/// The value that is called so, of a type whose names are the words of a setting.
pub(super) fn from_name<T: for<'word> Deserialize<'word>>(word: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<Error>::new(word)).ok()
}

/// What a key of this shape wants, as a phrase.
pub(crate) fn expected(shape: Shape) -> String {
    match shape {
        Shape::Text => "a text".to_owned(),
        Shape::Line => "one line that is not blank".to_owned(),
        Shape::Count { min, max } => format!("a whole number from {min} to {max}"),
        Shape::Duration => "a duration such as \"90s\" or \"1h30m\"".to_owned(),
        Shape::DurationOrOff => "a duration such as \"90s\" or \"1h30m\", or \"off\"".to_owned(),
        Shape::Size => "a size such as \"512MiB\" or \"1GiB\"".to_owned(),
        Shape::PortRange => "a range of ports from 1024 on, such as \"20000-24999\"".to_owned(),
        Shape::Money => "money such as \"$2.50\"".to_owned(),
        Shape::MoneyOrOff => "money such as \"$2.50\", or \"off\"".to_owned(),
        Shape::Tokens => "tokens such as \"500k\" or \"2M\"".to_owned(),
        Shape::TokensOrOff => "tokens such as \"500k\" or \"2M\", or \"off\"".to_owned(),
        Shape::Switch => "true or false".to_owned(),
        Shape::Choice(choices) => {
            choices.iter().map(|choice| format!("\"{choice}\"")).collect::<Vec<_>>().join(" or ")
        }
        Shape::List => "a list of texts".to_owned(),
        Shape::Pairs => "a table of texts".to_owned(),
    }
}

/// A value of TOML where another is expected.
pub(super) fn wrong_type(path: &str, expected: &str, found: &DeValue<'_>) -> Mistake {
    Mistake::error(format!("`{path}` must be {expected}, not {}", type_name(found)), "")
}

/// The type of a value of TOML, with its article.
fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// The word that was probably meant where a value is one of a few words.
pub(crate) fn suggestion(shape: Shape, found: &str) -> Option<&'static str> {
    let words: &[&'static str] = if let Shape::Choice(words) = shape {
        words
    } else if shape == Shape::Switch {
        &["true", "false"]
    } else {
        &[]
    };
    nearest(found, words.iter().copied())
}

fn wrong_value(row: &KeyRow, found: &str) -> Mistake {
    let what = format!("`{}` must be {}, not `{found}`", row.path, expected(row.shape));
    Mistake::error(what, did_you_mean(suggestion(row.shape, found)))
}

fn wrong_quantity(row: &KeyRow, found: &str, reason: &QuantityError) -> Mistake {
    let what = format!("cannot read `{}`: {reason} in `{found}`", row.path);
    Mistake::error(what, format!("write {}", expected(row.shape)))
}
