//! One layer of settings: a `gulf.toml`, one variable, or one flag.
//!
//! Apart from the merge because it walks spans of one text and knows nothing of what outranks it.

use std::collections::BTreeMap;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::keys::{self, CHECK_GROUP, OTHER_VARIABLES, TEST_VARIABLE_PREFIX};
use super::value::{from_name, type_name, wrong_type};
use super::{CheckSetting, ConfigProblem, Key, KeyRow, Origin, Setting, SettingLayer, SettingLayers, Value};
use crate::environment::{is_below, leaves};
use crate::problem::{Located, PROBLEMS_MAX, Problem, Weight};
use crate::text::{Source, Span};
use crate::{quantity, ralphrc};

/// Syntax errors shown of one file; later ones mostly follow from earlier ones.
const SYNTAX_PROBLEMS_MAX: usize = 5;

/// Reads one source and keeps what it says and what is wrong with it.
pub(crate) struct LayerReader {
    pub(crate) layer: SettingLayer,
    source: Source,
    pub(crate) settings: BTreeMap<Key, Setting>,
    pub(crate) checks: Vec<CheckSetting>,
    pub(crate) problems: Vec<Located<ConfigProblem>>,
}

impl LayerReader {
    /// Reads a source in one of the ways below.
    fn read(layer: SettingLayer, source: Source, by: impl FnOnce(&mut Self)) -> Self {
        let (settings, checks, problems) = Default::default();
        let mut reader = Self { layer, source, settings, checks, problems };
        by(&mut reader);
        reader
    }

    /// Reads the source as a `gulf.toml`.
    fn file(&mut self) {
        let source = self.source.clone();
        let (table, errors) = DeTable::parse_recoverable(source.text());
        for error in errors.iter().take(SYNTAX_PROBLEMS_MAX) {
            let end = source.text().len();
            let span = error.span().map_or(Span { start: end, end }, Span::from);
            self.problem(ConfigProblem::Syntax(error.message().to_owned()), span);
        }
        if errors.is_empty() {
            for (key, value) in table.get_ref() {
                self.top(key, value);
            }
        }
    }

    /// Reads the source as the variable of its name; one that is set to nothing counts as not set.
    fn variable(&mut self) {
        let name = self.source.name().to_owned();
        if OTHER_VARIABLES.contains(&name.as_str()) || name.starts_with(TEST_VARIABLE_PREFIX) {
            return;
        }
        if self.source.text().is_empty() {
            return;
        }
        match keys::find_variable(&name) {
            Some(row) => self.read_row(row),
            None if let Some(moved) = keys::MOVED.iter().find(|moved| moved.variable == name) => {
                let to = moved.to.row().variable.unwrap_or_default().to_owned();
                self.problem(ConfigProblem::Moved { path: name, to }, self.whole());
            }
            None => {
                let suggestion = keys::suggest_variable(&name).map(str::to_owned);
                self.problem(ConfigProblem::UnknownVariable { name, suggestion }, self.whole());
            }
        }
    }

    /// Reads the source as the value of a flag.
    fn flag(&mut self, key: Key) {
        let row = key.row();
        if row.group() != Some(CHECK_GROUP) {
            return self.read_row(row);
        }
        // The value of either flag is a command.
        match Value::read(Key::CheckCommand.row(), self.source.text()) {
            Ok(_) => {
                let command = self.source.text().trim().to_owned();
                let is_hidden = key == Key::CheckHidden;
                self.checks.push(CheckSetting {
                    name: if is_hidden { String::new() } else { command.clone() },
                    command,
                    is_new: key == Key::CheckNew,
                    is_hidden,
                    ..self.empty_check(self.whole())
                });
            }
            Err(problem) => self.problem(problem, self.whole()),
        }
    }

    /// Reads the source as a Ralph project's `.ralphrc` (SPEC K6): what has a counterpart. What a shell would have to find
    /// out is a problem only where it would count.
    fn ralphrc(&mut self) {
        let read = ralphrc::parse(&self.source);
        for one in read.settings {
            self.keep(one.key.row(), Value::read(one.key.row(), &one.value), one.span);
        }
        for one in read.problems.into_iter().filter(|one| one.problem.weight() == Weight::Error) {
            self.problem(ConfigProblem::Ralphrc(one.problem), one.span);
        }
    }

    fn read_row(&mut self, row: &KeyRow) {
        let value = Value::read(row, self.source.text());
        self.keep(row, value, self.whole());
    }

    fn top(&mut self, key: &Spanned<DeString<'_>>, value: &Spanned<DeValue<'_>>) {
        let name = key.get_ref().as_ref();
        if name == CHECK_GROUP {
            return self.checks(value);
        }
        if let Some(row) = keys::find(name) {
            return self.keep(row, Value::read_toml(row, value.get_ref()), value.span().into());
        }
        if !keys::is_group(name) {
            return self.unknown(name, key.span().into());
        }
        let tools = [("agent", Key::AgentTool), ("judge", Key::JudgeTool)];
        let tool = tools.iter().find(|(group, _)| *group == name && value.get_ref().is_str());
        match (value.get_ref().as_table(), tool) {
            (Some(table), _) => {
                for (inner_key, inner_value) in table {
                    self.inner(name, inner_key, inner_value);
                }
            }
            (None, Some((_, key))) => {
                self.keep(key.row(), Value::read_toml(key.row(), value.get_ref()), value.span().into());
            }
            (None, None) => self.wrong_form(name, &format!("a table: `[{name}]`"), value),
        }
    }

    fn inner(&mut self, group: &str, key: &Spanned<DeString<'_>>, value: &Spanned<DeValue<'_>>) {
        let path = format!("{group}.{}", key.get_ref());
        match keys::find(&path) {
            Some(row) => self.keep(row, Value::read_toml(row, value.get_ref()), value.span().into()),
            None if let Some(moved) = keys::MOVED.iter().find(|moved| moved.path == path) => {
                let to = moved.to.row().path.to_owned();
                self.problem(ConfigProblem::Moved { path, to }, key.span().into());
            }
            None => self.unknown(&path, key.span().into()),
        }
    }

    fn checks(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(items) = value.get_ref().as_array() else {
            return self.wrong_form(CHECK_GROUP, "a list of tables: `[[check]]`", value);
        };
        for item in items.iter() {
            match item.get_ref().as_table() {
                Some(table) => self.check(table, item.span().into()),
                None => self.wrong_form(CHECK_GROUP, "a list of tables: `[[check]]`", item),
            }
        }
    }

    fn check(&mut self, table: &DeTable<'_>, span: Span) {
        let problems_before = self.problems.len();
        let mut check = self.empty_check(span);
        for (key, value) in table {
            let path = format!("{CHECK_GROUP}.{}", key.get_ref());
            match keys::find(&path) {
                Some(row) => self.check_key(&mut check, row, value),
                None => self.unknown(&path, key.span().into()),
            }
        }
        if check.command.is_empty() {
            if self.problems.len() == problems_before {
                self.problem(ConfigProblem::CheckWithoutCommand, span);
            }
            return;
        }
        if check.name.is_empty() && !check.is_hidden {
            check.name.clone_from(&check.command);
        }
        self.checks.push(check);
    }

    fn check_key(&mut self, check: &mut CheckSetting, row: &KeyRow, value: &Spanned<DeValue<'_>>) {
        if row.key == Key::CheckEnv {
            return self.check_env(check, row, value);
        }
        match Value::read_toml(row, value.get_ref()) {
            Ok(Value::Duration(timeout)) => check.timeout = timeout.unwrap_or_else(check_timeout_default),
            Ok(Value::Text(text)) if row.key == Key::CheckName => check.name = text.trim().to_owned(),
            Ok(Value::Text(text)) if row.key == Key::CheckCommand => {
                check.command = text.trim().to_owned();
                // The command is what people look for when a check is reported, not the table's head.
                check.origin.span = value.span().into();
            }
            Ok(Value::Text(text)) if row.key == Key::CheckMeasures => check.measures = from_name(&text),
            Ok(Value::List(paths)) if row.key == Key::CheckReports => {
                match paths.iter().find(|path| !is_below(path)) {
                    None => check.reports = paths,
                    Some(path) => {
                        let problem =
                            ConfigProblem::NotBelowProject { path: row.path.to_owned(), found: path.clone() };
                        self.problem(problem, value.span().into());
                    }
                }
            }
            Ok(Value::Switch(is_hidden)) if row.key == Key::CheckHidden => check.is_hidden = is_hidden,
            Ok(Value::Switch(is_new)) => check.is_new = is_new,
            Ok(Value::Text(text)) if leaves(&text) => {
                self.problem(ConfigProblem::CheckOutsideProject { found: text }, value.span().into());
            }
            Ok(Value::Text(text)) => check.cwd = text,
            Ok(Value::Count(_) | Value::Size(_) | Value::Ports(_) | Value::List(_) | Value::Money(_))
            | Ok(Value::Tokens(_)) => {
                self.problem(wrong_type(row, value.get_ref()), value.span().into());
            }
            Err(problem) => self.problem(problem, value.span().into()),
        }
    }

    fn check_env(&mut self, check: &mut CheckSetting, row: &KeyRow, value: &Spanned<DeValue<'_>>) {
        let Some(table) = value.get_ref().as_table() else {
            return self.problem(wrong_type(row, value.get_ref()), value.span().into());
        };
        for (name, text) in table {
            match text.get_ref().as_str() {
                Some(text) => {
                    check.env.insert(name.get_ref().to_string(), text.to_owned());
                }
                None => self.wrong_form(&format!("{}.{}", row.path, name.get_ref()), "a text", text),
            }
        }
    }

    fn keep(&mut self, row: &KeyRow, value: Result<Value, ConfigProblem>, span: Span) {
        match value {
            Ok(value) => {
                let origin = self.origin(span);
                self.settings.insert(row.key, Setting { value, origin });
            }
            Err(problem) => self.problem(problem, span),
        }
    }

    fn unknown(&mut self, path: &str, span: Span) {
        // Of very many problems only the first are shown, and a suggestion is the one costly thing about them.
        let shown = self.problems.len() < PROBLEMS_MAX;
        let suggestion = shown.then(|| keys::suggest(path)).flatten().map(str::to_owned);
        self.problem(ConfigProblem::UnknownKey { path: path.to_owned(), suggestion }, span);
    }

    fn wrong_form(&mut self, path: &str, expected: &str, value: &Spanned<DeValue<'_>>) {
        let problem = ConfigProblem::WrongType {
            path: path.to_owned(),
            expected: expected.to_owned(),
            found: type_name(value.get_ref()).to_owned(),
        };
        self.problem(problem, value.span().into());
    }

    fn problem(&mut self, problem: ConfigProblem, span: Span) {
        self.problems.push(Located { problem, source: self.source.clone(), span });
    }

    fn empty_check(&self, span: Span) -> CheckSetting {
        CheckSetting {
            name: String::new(),
            command: String::new(),
            timeout: check_timeout_default(),
            cwd: String::new(),
            env: BTreeMap::new(),
            measures: None,
            reports: Vec::new(),
            is_new: false,
            is_hidden: false,
            origin: self.origin(span),
        }
    }

    fn origin(&self, span: Span) -> Origin {
        Origin { layer: self.layer, source: self.source.clone(), span }
    }

    fn whole(&self) -> Span {
        Span { start: 0, end: self.source.text().len() }
    }
}

/// How long a check may run for which nobody said.
pub fn check_timeout_default() -> Duration {
    quantity::duration(Key::CheckTimeout.row().default).unwrap_or(Duration::from_secs(600))
}

/// Reads all layers, the later ones above the earlier ones.
pub(super) fn read(layers: &SettingLayers) -> impl Iterator<Item = LayerReader> {
    use SettingLayer::{Environment, Flag, Project, User};
    let file = |layer| move |source: &Source| LayerReader::read(layer, source.clone(), LayerReader::file);
    let ralphrc = |source: &Source| LayerReader::read(Project, source.clone(), LayerReader::ralphrc);
    let variable = |(name, text): &(String, String)| {
        LayerReader::read(Environment, Source::word(name.as_str(), text), LayerReader::variable)
    };
    let flag = |(key, text): &(Key, String)| {
        let name = key.row().flag.unwrap_or(key.row().path);
        LayerReader::read(Flag, Source::word(name, text), |reader| reader.flag(*key))
    };
    let files = layers.user.iter().map(file(User)).chain(layers.ralphrc.iter().map(ralphrc));
    let files = files.chain(layers.project.iter().map(file(Project)));
    files.chain(layers.environment.iter().map(variable)).chain(layers.flags.iter().map(flag))
}
