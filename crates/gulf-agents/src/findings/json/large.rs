//! Logs and lists of findings, counted while they are read: a log of a large project has a hundred megabytes, and of
//! each finding a level is wanted. Nothing of them is kept; a field is looked at where it lies.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Deserializer as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::super::{Tool, ToolLine};

/// Rules whose levels are kept; a result of another one is a warning.
const RULES_MAX: usize = 100_000;
/// So much of a text is looked at.
const TEXT_BYTES_MAX: usize = 1_000;

/// A field, unread; none where it is not there or `null`.
type Field<'log> = Option<&'log RawValue>;

/// A log in SARIF, or another object.
pub(super) enum Object {
    /// Nothing is said by one that did not come to an end, or has no run.
    Log(Option<ToolLine>),
    Other,
}

pub(super) fn sarif(log: &RawValue) -> Option<Object> {
    let [runs] = fields(log, ["runs"])?;
    let Some(runs) = runs.filter(|runs| is_list(runs)) else { return Some(Object::Other) };
    let (mut errors, mut count, mut is_cut) = (0_u64, 0_u64, false);
    each(runs, &mut |run| {
        let [results, tool] = fields(run, ["results", "tool"])?;
        count += 1;
        // A run without a list of results did not come to an end (§3.14.23).
        match results.filter(|results| is_list(results)) {
            Some(results) => errors = errors.saturating_add(errors_among(results, &rules(tool)?)?),
            None => is_cut = true,
        }
        Some(())
    })?;
    let is_whole = count > 0 && !is_cut;
    Some(Object::Log(is_whole.then_some(ToolLine::Ended { errors })))
}

/// The levels of a tool's rules; none where they are not as they must be: then an error would pass for a warning.
fn rules(tool: Field<'_>) -> Option<BTreeMap<String, String>> {
    let mut levels = BTreeMap::new();
    let Some(tool) = tool else { return Some(levels) };
    let [Some(driver)] = fields(tool, ["driver"])? else { return Some(levels) };
    let [rules] = fields(driver, ["rules"])?;
    let Some(list) = rules.filter(|list| is_list(list)) else { return Some(levels) };
    let mut keep = |rule| {
        let [id, configuration] = fields(rule, ["id", "defaultConfiguration"])?;
        let level = configuration.and_then(|terms| fields(terms, ["level"])).and_then(|[level]| text(level));
        if let (Some(id), Some(level), true) = (text(id), level, levels.len() < RULES_MAX) {
            levels.entry(id).or_insert(level);
        }
        Some(())
    };
    each(list, &mut keep)?;
    Some(levels)
}

fn errors_among(results: &RawValue, rules: &BTreeMap<String, String>) -> Option<u64> {
    let mut errors = 0;
    each(results, &mut |result| {
        let [level, kind, rule, suppressions] = fields(result, ["level", "kind", "ruleId", "suppressions"])?;
        let fails = text(kind).is_none_or(|kind| kind == "fail");
        let is_suppressed =
            suppressions.is_some_and(|list| is_list(list) && !list.get()[1..].trim().starts_with(']'));
        // A result is a warning where nobody says otherwise (SARIF 2.1.0 §3.27.10).
        let level = text(level).or_else(|| rules.get(&text(rule)?).cloned());
        errors += u64::from(fails && !is_suppressed && level.as_deref() == Some("error"));
        Some(())
    })?;
    Some(errors)
}

/// All that was found in a list; an empty one says nobody's name.
pub(super) fn items(list: &RawValue) -> Option<(Tool, ToolLine)> {
    let (mut stated, mut python) = (Some(0_u64), Some(0_u64));
    let (mut count, mut is_eslint) = (0_u64, false);
    each(list, &mut |item| {
        let [errors, warnings, message, severity, filename, location, file, line] = fields(
            item,
            ["errorCount", "warningCount", "message", "severity", "filename", "location", "file", "line"],
        )?;
        is_eslint |= count == 0 && errors.is_some();
        count += 1;
        // A number that is none, or below zero, is no zero: then nobody was understood.
        let both = number(errors).zip(number(warnings));
        stated = stated.zip(both).map(|(sum, (errors, _))| sum.saturating_add(errors));
        let is_placed = (filename.is_some() && location.is_some()) || (file.is_some() && line.is_some());
        // An older ruff says nothing of the level: each of its findings fails the check.
        let level = text(severity).unwrap_or_else(|| "error".to_owned());
        let is_finding =
            is_placed && text(message).is_some() && ["error", "warning"].contains(&level.as_str());
        python = python.filter(|_| is_finding).map(|sum| sum + u64::from(level == "error"));
        Some(())
    })?;
    if is_eslint {
        return Some((Tool::Eslint, ToolLine::Ended { errors: stated? }));
    }
    Some((Tool::Ruff, ToolLine::Ended { errors: python.filter(|_| count > 0)? }))
}

fn is_list(value: &RawValue) -> bool {
    value.get().starts_with('[')
}

fn text(field: Field<'_>) -> Option<String> {
    let mut text: String = serde_json::from_str(field?.get()).ok()?;
    text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
    Some(text)
}

fn number(field: Field<'_>) -> Option<u64> {
    serde_json::from_str(field?.get()).ok()
}

/// Hands over what stands in a list, one after the other, until something is not as it must be.
fn each<'log>(list: &'log RawValue, take: &mut dyn FnMut(&'log RawValue) -> Option<()>) -> Option<()> {
    struct Each<'take, 'log>(&'take mut dyn FnMut(&'log RawValue) -> Option<()>);

    impl<'log> Visitor<'log> for Each<'_, 'log> {
        type Value = ();

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'log>>(self, mut list: A) -> Result<(), A::Error> {
            while let Some(one) = list.next_element()? {
                (self.0)(one).ok_or_else(|| de::Error::custom("not understood"))?;
            }
            Ok(())
        }
    }

    serde_json::Deserializer::from_str(list.get()).deserialize_seq(Each(take)).ok()
}

/// These fields of an object; nothing for what is no object, or has one of them twice.
fn fields<'log, const N: usize>(value: &'log RawValue, names: [&'static str; N]) -> Option<[Field<'log>; N]> {
    struct NamedFields<const N: usize>([&'static str; N]);

    impl<'log, const N: usize> Visitor<'log> for NamedFields<N> {
        type Value = [Field<'log>; N];

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_map<A: MapAccess<'log>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut found = [None; N];
            while let Some((name, value)) = map.next_entry::<&str, Field<'log>>()? {
                let Some(at) = self.0.iter().position(|known| *known == name) else { continue };
                if found[at].is_some() {
                    return Err(de::Error::duplicate_field(self.0[at]));
                }
                found[at] = value;
            }
            Ok(found)
        }
    }

    serde_json::Deserializer::from_str(value.get()).deserialize_map(NamedFields(names)).ok()
}
