//! Arguments parted into options and operands.
//!
//! It stands apart because all programs take them alike, but for the options that take the next argument with them.

use crate::guard::value::Value;

/// Parted arguments.
#[derive(Debug, Default)]
pub(in crate::guard) struct Options<'call> {
    pub(in crate::guard) operands: Vec<&'call Value>,
    options: Vec<&'call str>,
    valued: Vec<(&'static str, Value)>,
}

impl<'call> Options<'call> {
    /// `with_value` are the options whose value is the next argument, as `-t` and `--target-directory`.
    pub(in crate::guard) fn of(arguments: &'call [Value], with_value: &[&'static str]) -> Self {
        let mut parted = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let text = argument.text.as_str();
            if text == "--" {
                parted.operands.extend(rest);
                break;
            }
            if !text.starts_with('-') || text == "-" {
                parted.operands.push(argument);
                continue;
            }
            parted.options.push(text);
            if let Some((option, value)) = attached(text, with_value) {
                parted.valued.push((option, Value::literal(value)));
            } else if let Some(option) = awaiting(text, with_value)
                && let Some(value) = rest.next()
            {
                parted.valued.push((option, value.clone()));
            }
        }
        parted
    }

    /// Whether one of these options is there: a letter among others, or a long name.
    pub(in crate::guard) fn has(&self, letters: &str, long: &[&str]) -> bool {
        self.options.iter().any(|option| match option.strip_prefix("--") {
            Some(name) => long.contains(&name.split_once('=').map_or(name, |(name, _)| name)),
            None => option.contains(|letter: char| letters.contains(letter)),
        })
    }

    /// The last value of one of these options.
    pub(in crate::guard) fn value(&self, names: &[&str]) -> Option<&Value> {
        self.values(names).last()
    }

    /// All values of these options.
    pub(in crate::guard) fn values(&self, names: &[&str]) -> impl Iterator<Item = &Value> {
        self.valued.iter().filter(|(option, _)| names.contains(option)).map(|(_, value)| value)
    }
}

/// `-ofile` and `--output=file`: the option and the value behind it.
fn attached<'call>(text: &'call str, with_value: &[&'static str]) -> Option<(&'static str, &'call str)> {
    with_value.iter().find_map(|name| {
        let behind = text.strip_prefix(name)?;
        let value = if name.starts_with("--") { behind.strip_prefix('=')? } else { behind };
        (!value.is_empty()).then_some((*name, value))
    })
}

/// `-o`, `--output`, or the last letter of `-xo`: an option that waits for its value.
fn awaiting(text: &str, with_value: &[&'static str]) -> Option<&'static str> {
    let exact = with_value.iter().find(|name| **name == text);
    let last = text.chars().last().filter(|_| !text.starts_with("--"));
    let of_cluster = || with_value.iter().find(|name| name.len() == 2 && name.chars().nth(1) == last);
    exact.or_else(of_cluster).copied()
}
