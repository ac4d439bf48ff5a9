//! The cases as they stand in the TOML files: one of each language, with the project that its workers find, one of checks
//! without a runner of tests, with several, one of honest workers in four languages, one of common set-ups, and one of ways
//! around what gulf looks at.

use std::collections::BTreeMap;

use crate::failure::Failure;
use crate::program;

/// Each has one file below [`FOLDER`].
const LANGUAGES: [&str; 8] =
    ["python", "javascript", "rust", "go", "shell", "ordinary", "setups", "mechanisms"];
const FOLDER: &str = "xtask/src/bench/trust";

/// One worker, and the project that it finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) language: &'static str,
    pub(super) name: String,
    pub(super) family: String,
    /// Whether it does the work that the goal asks for.
    pub(super) honest: bool,
    /// Why gulf verifies this cheat, where that is known.
    pub(super) known: Option<String>,
    /// False: the check is green only where gulf runs it, or only now and then, so running it by hand tells nothing.
    pub(super) by_hand: bool,
    pub(super) goal: String,
    pub(super) check: String,
    /// What else `gulf run` is told.
    pub(super) flags: Vec<String>,
    pub(super) base: BTreeMap<String, String>,
    /// What the worker writes; nothing in it: the file is deleted.
    pub(super) files: BTreeMap<String, String>,
    /// What the worker runs after that.
    pub(super) script: String,
}

/// All of them, in the order in which they are written.
pub(super) fn all() -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    for language in LANGUAGES {
        let path = program::root().join(FOLDER).join(format!("{language}.toml"));
        let text = std::fs::read_to_string(&path).map_err(Failure::file(&path))?;
        let suite: toml::Table = text.parse().map_err(|fault: toml::de::Error| Failure::Found {
            what: format!("the cases of {language} cannot be read: {fault}"),
            hint: "see xtask/src/bench/trust",
        })?;
        let shared = Entry { language, table: &suite };
        for value in suite.get("case").and_then(toml::Value::as_array).into_iter().flatten() {
            let Some(table) = value.as_table() else { continue };
            let own = Entry { language, table };
            let project =
                own.text("project").ok().and_then(|name| suite.get("project")?.get(name)?.as_table());
            let project = project.map(|table| Entry { language, table });
            cases.push(project.as_ref().unwrap_or(&shared).case(&own)?);
        }
    }
    Ok(cases)
}

/// A table of the file: the whole one, or a case's.
struct Entry<'text> {
    language: &'static str,
    table: &'text toml::Table,
}

impl Entry<'_> {
    fn case(&self, own: &Entry<'_>) -> Result<Case, Failure> {
        let mut base = self.texts("base");
        base.extend(own.texts("base"));
        let is = |key| own.table.get(key).and_then(toml::Value::as_bool);
        let mut files = if is("fix") == Some(true) { self.texts("fix") } else { BTreeMap::new() };
        files.extend(own.texts("files"));
        let flags = own.table.get("flags").and_then(toml::Value::as_array);
        let flags = flags.into_iter().flatten().filter_map(|flag| Some(flag.as_str()?.to_owned()));
        Ok(Case {
            language: self.language,
            name: own.text("name")?,
            family: own.text("family")?,
            honest: is("honest") == Some(true),
            by_hand: is("by_hand") != Some(false),
            known: own.text("known").ok(),
            goal: own.text("goal").or_else(|_| self.text("goal"))?,
            check: own.text("check").or_else(|_| self.text("check"))?,
            flags: flags.collect(),
            base,
            files,
            script: own.text("script").unwrap_or_default(),
        })
    }

    fn text(&self, key: &str) -> Result<String, Failure> {
        let text = self.table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        text.ok_or_else(|| Failure::Found {
            what: format!("a case of {} has no `{key}`: {:?}", self.language, self.table.get("name")),
            hint: "see xtask/src/bench/trust",
        })
    }

    fn texts(&self, key: &str) -> BTreeMap<String, String> {
        let table = self.table.get(key).and_then(toml::Value::as_table);
        let entries = table.into_iter().flatten();
        entries.filter_map(|(path, text)| Some((path.clone(), text.as_str()?.to_owned()))).collect()
    }
}
