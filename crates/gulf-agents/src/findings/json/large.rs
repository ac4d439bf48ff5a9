//! Logs and lists of findings, counted while they are read: a log of a large project has a hundred megabytes, and of
//! each finding a level is wanted.
//!
//! It stands apart because nothing of them is kept, so the forms must be known before they are read.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::super::{Said, Tool};

/// Rules whose levels are kept; a result of another one is a warning.
const RULES_MAX: usize = 100_000;
/// A longer text is no level, and no rule's name.
const TEXT_BYTES_MAX: usize = 1_000;

/// A log in SARIF, or another object, of which nothing is known.
#[derive(Deserialize)]
pub(super) struct SarifLog {
    #[serde(default, deserialize_with = "list_or_other")]
    pub(super) runs: Option<Runs>,
}

/// All runs of a log.
#[derive(Default)]
pub(super) struct Runs {
    count: u64,
    errors: u64,
    warnings: u64,
    /// A run without a list of results did not come to an end (SARIF 2.1.0 §3.14.23).
    is_cut: bool,
}

/// Findings in a list, as eslint and ruff write them.
#[derive(Default)]
pub(super) struct Items {
    count: u64,
    is_eslint: bool,
    errors: Option<u64>,
    warnings: Option<u64>,
    is_python: bool,
    python: [u64; 2],
}

#[derive(Deserialize)]
struct Run {
    #[serde(default, deserialize_with = "list_or_other")]
    results: Option<Results>,
    #[serde(default)]
    tool: ToolTerms,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ToolTerms {
    driver: Driver,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Driver {
    #[serde(deserialize_with = "list_or_other")]
    rules: Option<Rules>,
}

#[derive(Default)]
struct Rules(BTreeMap<String, String>);

#[derive(Deserialize)]
struct Rule {
    #[serde(default)]
    id: Text,
    #[serde(default, rename = "defaultConfiguration")]
    configuration: Configuration,
}

#[derive(Default, Deserialize)]
struct Configuration {
    #[serde(default)]
    level: Text,
}

/// Results by what they say of themselves, else by their rule.
#[derive(Default)]
struct Results {
    errors: u64,
    warnings: u64,
    by_rule: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct SarifResult {
    #[serde(default)]
    level: Text,
    #[serde(default)]
    kind: Text,
    #[serde(default, rename = "ruleId")]
    rule: Text,
    #[serde(default, deserialize_with = "list_or_other")]
    suppressions: Option<Count>,
}

/// One of a list's.
#[derive(Deserialize)]
struct Item {
    #[serde(default, rename = "errorCount")]
    errors: Number,
    #[serde(default, rename = "warningCount")]
    warnings: Number,
    #[serde(default)]
    message: Text,
    #[serde(default)]
    filename: Presence,
    #[serde(default)]
    location: Presence,
    #[serde(default)]
    file: Presence,
    #[serde(default)]
    line: Presence,
    #[serde(default)]
    severity: Text,
}

/// A text that is not too long; anything else is passed over.
#[derive(Default)]
struct Text(Option<String>);

/// A number that is not there, is one, or is none.
#[derive(Default)]
enum Number {
    #[default]
    Absent,
    Is(u64),
    Other,
}

/// Whether a field is there at all.
#[derive(Default)]
struct Presence(bool);

/// An object of which nothing is wanted.
#[derive(Deserialize)]
struct Nothing {}

/// How many things are in a list.
#[derive(Default)]
struct Count(u64);

/// What is made of a list while it is read.
trait Gathered: Default {
    type Of: DeserializeOwned;
    fn gather(&mut self, one: Self::Of);
}

impl Gathered for Count {
    type Of = Nothing;
    fn gather(&mut self, _: Nothing) {
        self.0 += 1;
    }
}

impl Gathered for Rules {
    type Of = Rule;
    fn gather(&mut self, Rule { id, configuration }: Rule) {
        if let (Text(Some(id)), Text(Some(level))) = (id, configuration.level)
            && self.0.len() < RULES_MAX
        {
            self.0.entry(id).or_insert(level);
        }
    }
}

impl Gathered for Results {
    type Of = SarifResult;
    fn gather(&mut self, result: SarifResult) {
        let fails = result.kind.0.as_deref().is_none_or(|kind| kind == "fail");
        if !fails || result.suppressions.is_some_and(|list| list.0 > 0) {
            return;
        }
        match (result.level.0, result.rule.0) {
            (Some(level), _) => self.count(Some(&level), 1),
            (None, Some(rule)) if self.by_rule.len() < RULES_MAX || self.by_rule.contains_key(&rule) => {
                *self.by_rule.entry(rule).or_default() += 1;
            }
            (None, _) => self.count(None, 1),
        }
    }
}

impl Results {
    /// A result is a warning where nobody says otherwise (§3.27.10).
    fn count(&mut self, level: Option<&str>, times: u64) {
        match level {
            Some("error") => self.errors += times,
            Some("warning") | None => self.warnings += times,
            Some(_) => {}
        }
    }
}

impl Gathered for Runs {
    type Of = Run;
    fn gather(&mut self, Run { results, tool }: Run) {
        self.count += 1;
        let Some(mut results) = results else {
            self.is_cut = true;
            return;
        };
        let rules = tool.driver.rules.unwrap_or_default();
        for (rule, times) in std::mem::take(&mut results.by_rule) {
            results.count(rules.0.get(&rule).map(String::as_str), times);
        }
        self.errors = self.errors.saturating_add(results.errors);
        self.warnings = self.warnings.saturating_add(results.warnings);
    }
}

impl Runs {
    /// A log without a run is nobody's.
    pub(super) fn said(&self) -> Option<Said> {
        let is_whole = self.count > 0 && !self.is_cut;
        is_whole.then_some(Said::Stated { errors: self.errors, warnings: self.warnings })
    }
}

impl Gathered for Items {
    type Of = Item;
    fn gather(&mut self, item: Item) {
        if self.count == 0 {
            self.is_eslint = !matches!(item.errors, Number::Absent);
            (self.errors, self.warnings, self.is_python) = (Some(0), Some(0), true);
        }
        self.count += 1;
        // A number that is none, or below zero, is no zero: then nobody was understood.
        let add = |sum: Option<u64>, number: &Number| match number {
            Number::Is(number) => sum.map(|sum| sum.saturating_add(*number)),
            Number::Absent | Number::Other => None,
        };
        self.errors = add(self.errors, &item.errors);
        self.warnings = add(self.warnings, &item.warnings);
        let is_ruff = item.filename.0 && item.location.0;
        let is_finding = item.message.0.is_some() && (is_ruff || (item.file.0 && item.line.0));
        match item.severity.0.as_deref() {
            // An older ruff says nothing of it: each of its findings fails the check.
            Some("error") | None => self.python[0] += 1,
            Some("warning") => self.python[1] += 1,
            Some(_) => self.is_python = false,
        }
        self.is_python &= is_finding;
    }
}

impl Items {
    /// All that was found; an empty list says nobody's name.
    pub(super) fn said(&self) -> Option<(Tool, Said)> {
        if self.is_eslint {
            return Some((Tool::Eslint, Said::Stated { errors: self.errors?, warnings: self.warnings? }));
        }
        let [errors, warnings] = self.python;
        (self.count > 0 && self.is_python).then_some((Tool::Ruff, Said::Stated { errors, warnings }))
    }
}

struct Gathering<G>(PhantomData<G>);

impl<'de, G: Gathered> Visitor<'de> for Gathering<G> {
    type Value = Option<G>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Option<G>, A::Error> {
        let mut gathered = G::default();
        while let Some(Object(one)) = list.next_element::<Object<G::Of>>()? {
            gathered.gather(one);
        }
        Ok(Some(gathered))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<G>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> Result<Option<G>, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Option<G>, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Option<G>, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Option<G>, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Option<G>, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Option<G>, E> {
        Ok(None)
    }
}

/// An object and nothing else: serde would take a list for a struct's fields in their order.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields(PhantomData)).map(Self)
    }
}

struct Fields<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

/// A list, gathered; what is no list is passed over.
fn list_or_other<'de, D: Deserializer<'de>, G: Gathered>(deserializer: D) -> Result<Option<G>, D::Error> {
    deserializer.deserialize_any(Gathering(PhantomData))
}

impl<'de> Deserialize<'de> for Items {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        list_or_other(deserializer).map(Option::unwrap_or_default)
    }
}

/// One value of any kind, of which a text or a number may be wanted.
struct Scalar;

enum Found {
    Text(String),
    Number(u64),
    Other,
}

impl<'de> Visitor<'de> for Scalar {
    type Value = Found;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Found, E> {
        let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
        Ok(Found::Text(text.to_owned()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Found, E> {
        Ok(Found::Number(number))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Found, E> {
        Ok(Found::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Found, E> {
        Ok(Found::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Found, E> {
        Ok(Found::Other)
    }

    fn visit_unit<E>(self) -> Result<Found, E> {
        Ok(Found::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Found, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Found::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Found::Other)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match deserializer.deserialize_any(Scalar)? {
            Found::Text(text) => Some(text),
            Found::Number(_) | Found::Other => None,
        }))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match deserializer.deserialize_any(Scalar)? {
            Found::Number(number) => Self::Is(number),
            Found::Text(_) | Found::Other => Self::Other,
        })
    }
}

impl<'de> Deserialize<'de> for Presence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self(true))
    }
}
