//! One layer of settings: a `gulf.toml`, one variable, or one flag.
//!
//! Apart from the merge because it walks spans of one text and knows nothing of what outranks it.

use std::collections::BTreeMap;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::keys::{self, CHECK_GROUP, OTHER_VARIABLES, TEST_VARIABLE_PREFIX};
use super::value::{from_name, wrong_type};
use super::{
    CheckSetting, Config, FoundProblems, Key, KeyRow, Origin, Setting, SettingLayer, SettingLayers, Value,
};
use crate::environment::leaves;
use crate::problem::{Located, Mistake, PROBLEMS_MAX, Problem, Weight, did_you_mean};
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
    pub(crate) problems: FoundProblems,
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
            self.problem(format!("cannot read this as TOML: {}", error.message()), "", span);
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
            None if let Some((.., to)) = keys::MOVED.iter().find(|(_, variable, _)| *variable == name) => {
                self.moved(&name, to.row().variable.unwrap_or_default(), self.whole());
            }
            None => {
                // Many settings have no variable.
                let all = "`gulf config explain` lists the settings and their variables; one without is written into \
                           gulf.toml";
                let help =
                    keys::suggest_variable(&name).map_or(all.to_owned(), |key| did_you_mean(Some(key)));
                self.problem(format!("unknown variable `{name}`"), help, self.whole());
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
        self.read_row(Key::CheckCommand.row());
        if key != Key::CheckCommand {
            self.keep(row, Ok(Value::Switch(true)), self.whole());
        }
        let said = std::mem::take(&mut self.settings);
        self.add_check(said, BTreeMap::new());
    }

    /// Reads the source as a Ralph project's `.ralphrc` (SPEC K6): what has a counterpart. What a shell would have to find
    /// out is a problem only where it would count.
    fn ralphrc(&mut self) {
        let read = ralphrc::parse(&self.source);
        for one in read.settings {
            self.keep(one.key.row(), Value::read(one.key.row(), &one.value), one.span);
        }
        self.problems.extend(read.problems.into_iter().filter(|one| one.problem.weight() == Weight::Error));
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
            None if let Some((.., to)) = keys::MOVED.iter().find(|(from, ..)| *from == path) => {
                self.moved(&path, to.row().path, key.span().into());
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
        let outside = std::mem::take(&mut self.settings);
        let mut env = BTreeMap::new();
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref().as_table()) {
                ("env", Some(variables)) => env = self.variables(variables),
                (_, Some(_) | None) => self.inner(CHECK_GROUP, key, value),
            }
        }
        let said = std::mem::replace(&mut self.settings, outside);
        let is_added = self.add_check(said, env);
        if !is_added && self.problems.len() == problems_before {
            self.problem("a check without a command", "add `command = \"…\"`", span);
        }
    }

    fn variables(&mut self, table: &DeTable<'_>) -> BTreeMap<String, String> {
        let mut variables = BTreeMap::new();
        for (name, value) in table {
            match value.get_ref().as_str() {
                Some(text) => _ = variables.insert(name.get_ref().to_string(), text.to_owned()),
                None => self.wrong_form(&format!("check.env.{}", name.get_ref()), "a text", value),
            }
        }
        variables
    }

    /// The check that these settings are, where a command is among them; whether it is.
    fn add_check(&mut self, said: BTreeMap<Key, Setting>, env: BTreeMap<String, String>) -> bool {
        // The command is what people look for when a check is reported, not the table's head.
        let origin = said.get(&Key::CheckCommand).map(|command| command.origin.clone());
        let rows = Key::rows().iter().filter(|row| row.group() == Some(CHECK_GROUP));
        let check = Config { settings: rows.map(KeyRow::unsaid).chain(said).collect(), ..Config::default() };
        self.problems.extend(check.not_below_project(Key::CheckReports).take(1));
        let cwd = check.text(Key::CheckCwd);
        if leaves(cwd) {
            let what = format!("`check.cwd` leaves the project: `{cwd}`");
            let help = "write a folder of the project, such as \"web\"";
            self.problems.push(check.located(Key::CheckCwd, what, help));
        }
        let Some(origin) = origin else { return false };
        let (command, is_hidden) = (check.text(Key::CheckCommand).trim(), check.switch(Key::CheckHidden));
        let name = match check.text(Key::CheckName).trim() {
            "" if is_hidden => "",
            "" => command,
            name => name,
        };
        self.checks.push(CheckSetting {
            name: name.to_owned(),
            command: command.to_owned(),
            timeout: check.duration(Key::CheckTimeout).unwrap_or_else(check_timeout_default),
            cwd: cwd.to_owned(),
            env,
            measures: from_name(check.text(Key::CheckMeasures)),
            reports: check.list(Key::CheckReports).to_vec(),
            is_new: check.switch(Key::CheckNew),
            is_hidden,
            origin,
        });
        true
    }

    fn keep(&mut self, row: &KeyRow, value: Result<Value, Mistake>, span: Span) {
        match value {
            Ok(value) => {
                let origin = self.origin(span);
                self.settings.insert(row.key, Setting { value, origin });
            }
            Err(problem) => self.refuse(problem, span),
        }
    }

    fn unknown(&mut self, path: &str, span: Span) {
        // Of very many problems only the first are shown, and a suggestion is the one costly thing about them.
        let shown = self.problems.len() < PROBLEMS_MAX;
        let suggestion = shown.then(|| keys::suggest(path)).flatten();
        let all = "`gulf config explain` lists all".to_owned();
        let help = suggestion.map_or(all, |key| did_you_mean(Some(key)));
        self.problem(format!("unknown key `{path}`"), help, span);
    }

    fn moved(&mut self, path: &str, to: &str, span: Span) {
        let help = format!("write `{to}` instead; it means the same");
        self.problem(format!("`{path}` is called `{to}` now"), help, span);
    }

    fn wrong_form(&mut self, path: &str, expected: &str, value: &Spanned<DeValue<'_>>) {
        self.refuse(wrong_type(path, expected, value.get_ref()), value.span().into());
    }

    fn problem(&mut self, what: impl Into<String>, help: impl Into<String>, span: Span) {
        self.refuse(Mistake::error(what, help), span);
    }

    fn refuse(&mut self, problem: Mistake, span: Span) {
        self.problems.push(Located { problem, source: self.source.clone(), span });
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
