//! The schema of gulf.toml against what gulf itself reads: it takes what gulf takes, and refuses what people mistype.

use std::collections::BTreeSet;

use camino::Utf8Path;
use gulf_spec::config::{self, Key, SettingLayers, Shape};
use gulf_spec::text::Source;
use gulf_testkit::{Sandbox, repository_root};
use regex::Regex;
use serde_json::Value;

use crate::gulf;

fn schema() -> Value {
    serde_json::from_str(&config::schema()).unwrap()
}

/// What is wrong with an instance, by the words of JSON Schema that ours uses. A word that is not known here fails the test:
/// nothing may be passed over.
fn faults(schema: &Value, instance: &Value, place: &str, found: &mut Vec<String>) {
    for (word, wanted) in schema.as_object().unwrap() {
        let fits = match word.as_str() {
            "$schema" | "title" | "description" | "default" => true,
            "type" => is_of_type(wanted.as_str().unwrap(), instance),
            "enum" => wanted.as_array().unwrap().contains(instance),
            "pattern" => instance.as_str().is_none_or(|text| pattern(wanted).is_match(text)),
            "minimum" => instance.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
            "maximum" => instance.as_f64().is_none_or(|number| number <= wanted.as_f64().unwrap()),
            "exclusiveMinimum" => instance.as_f64().is_none_or(|number| number > wanted.as_f64().unwrap()),
            "anyOf" => wanted.as_array().unwrap().iter().any(|one| is_valid(one, instance)),
            "required" => wanted.as_array().unwrap().iter().all(|name| {
                instance.as_object().is_none_or(|object| object.contains_key(name.as_str().unwrap()))
            }),
            "items" => {
                let items = instance.as_array().into_iter().flatten().enumerate();
                items.for_each(|(index, item)| faults(wanted, item, &format!("{place}[{index}]"), found));
                true
            }
            "properties" | "additionalProperties" => true,
            other => panic!("{place}: `{other}` is a word that this test does not know"),
        };
        if !fits {
            found.push(format!("{place}: {instance} is not {word} {wanted}"));
        }
    }
    for (name, value) in instance.as_object().into_iter().flatten() {
        let place = format!("{place}.{name}");
        match schema["properties"].get(name).or_else(|| schema.get("additionalProperties")) {
            Some(Value::Bool(false)) => found.push(format!("{place} is unknown")),
            Some(wanted) => faults(wanted, value, &place, found),
            None => {}
        }
    }
}

fn is_valid(schema: &Value, instance: &Value) -> bool {
    let mut found = Vec::new();
    faults(schema, instance, "", &mut found);
    found.is_empty()
}

fn pattern(wanted: &Value) -> Regex {
    Regex::new(wanted.as_str().unwrap()).unwrap()
}

fn is_of_type(name: &str, instance: &Value) -> bool {
    match name {
        "object" => instance.is_object(),
        "array" => instance.is_array(),
        "string" => instance.is_string(),
        "boolean" => instance.is_boolean(),
        "integer" => instance.is_i64() || instance.is_u64(),
        "number" => instance.is_number(),
        other => panic!("`{other}` is a type that this test does not know"),
    }
}

fn faults_of(text: &str) -> Vec<String> {
    let document: toml::Value = toml::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut found = Vec::new();
    faults(&schema(), &serde_json::to_value(document).unwrap(), "gulf.toml", &mut found);
    found
}

/// Does gulf itself read it?
fn is_read(text: &str) -> bool {
    let project = Some(Source::new("gulf.toml", text));
    config::load(&SettingLayers { project, ..SettingLayers::default() }).is_ok()
}

/// A file that says this of a key.
fn saying(key: Key, value: &str) -> String {
    let row = key.row();
    match row.group() {
        None => format!("{} = {value}\n", row.name()),
        Some("check") if key == Key::CheckCommand => format!("[[check]]\ncommand = {value}\n"),
        Some("check") => format!("[[check]]\ncommand = \"true\"\n{} = {value}\n", row.name()),
        Some(group) => format!("[{group}]\n{} = {value}\n", row.name()),
    }
}

/// Values of this shape: some that are meant, some that people mistype.
fn samples(shape: Shape) -> Vec<String> {
    let texts: &[&str] = match shape {
        Shape::Text | Shape::Line => &["\"a text\"", "\"\"", "\" \"", "\"two\\nlines\"", "7", "true", "[]"],
        Shape::Count { .. } => &["0", "1", "2", "17", "100", "1000001", "-1", "1.5", "\"3\"", "true"],
        Shape::Duration | Shape::DurationOrOff => &[
            "\"90s\"", "\"1h30m\"", "\"1h 30m\"", "\" 50ms \"", "\"1d\"", "\"off\"", "\"30m1h\"", "\"5\"",
            "\"5x\"", "\"\"", "90", "\"1m1m\"",
        ],
        Shape::Size => &["\"512MiB\"", "\"2 GB\"", "\"1GiB\"", "\"12\"", "\"1TiB\"", "12"],
        Shape::PortRange => &["\"20000-24999\"", "\"80\"", "20000", "\"a-b\""],
        Shape::Money | Shape::MoneyOrOff => {
            &["\"$2.50\"", "2.5", "3", "\"5\"", "\"off\"", "0", "-1", "\"2.\"", "\"€3\"", "true"]
        }
        Shape::Tokens | Shape::TokensOrOff => {
            &["\"500k\"", "\"2M\"", "1000", "\"off\"", "0", "\"2G\"", "1.5", "\"many\""]
        }
        Shape::Switch => &["true", "false", "\"true\"", "1"],
        Shape::Choice(choices) => {
            let meant = choices.iter().map(|choice| format!("\"{choice}\""));
            return meant.chain(["\"another\"".to_owned(), "true".to_owned()]).collect();
        }
        Shape::List => &["[]", "[\"one\"]", "[\"one\", \"two\"]", "\"one\"", "[1]"],
        Shape::Pairs => &["{}", "{ A = \"b\" }", "{ A = 1 }", "\"A=b\""],
    };
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// What a schema cannot say: rules about the meaning of one value, each with the key that has them.
fn is_beyond_a_schema(key: Key, value: &str) -> bool {
    let is_named = matches!(key, Key::Preset | Key::AgentTool | Key::JudgeTool | Key::JudgeReviewers);
    let is_listed = matches!(key, Key::NotifyEvents | Key::TasksSpecialists | Key::EnvironmentPorts);
    let is_told = key.row().path.starts_with("notify.") || key.row().path.ends_with("_agent");
    let is_checked = matches!(key, Key::VerifyInPlace | Key::VerifyOpen | Key::VerifyVisible);
    // There is no critic without a plan.
    let is_critic = key == Key::StepsCritic;
    let is_zero = value == "\"0s\"";
    is_named || is_listed || is_told || is_checked || is_critic || is_zero
}

#[test]
fn for_every_key_the_schema_and_gulf_take_and_refuse_the_same_values() {
    let (mut refused, mut missed) = (0, Vec::new());
    for row in Key::rows() {
        for value in samples(row.shape) {
            let text = saying(row.key, &value);
            let (faults, read) = (faults_of(&text), is_read(&text));
            assert!(!read || faults.is_empty(), "gulf reads it, and the schema says {faults:?}:\n{text}");
            if read || is_beyond_a_schema(row.key, &value) {
                continue;
            }
            refused += 1;
            if faults.is_empty() {
                missed.push(text);
            }
        }
    }
    assert!(missed.is_empty(), "the schema takes what gulf refuses: {missed:#?}");
    assert!(refused > 200, "{refused}");
}

#[test]
fn unknown_keys_tables_and_checks_without_a_command_are_refused() {
    for (text, fault) in [
        ("reserch = \"off\"\n", "gulf.toml.reserch is unknown"),
        ("[limit]\nmax_iterations = 3\n", "gulf.toml.limit is unknown"),
        ("[limits]\nmax_iteration = 3\n", "gulf.toml.limits.max_iteration is unknown"),
        ("[[check]]\nname = \"tests\"\n", "required"),
        ("[check]\ncommand = \"true\"\n", "array"),
    ] {
        let faults = faults_of(text);
        assert!(faults.iter().any(|found| found.contains(fault)), "{faults:?} of\n{text}");
        assert!(!is_read(text), "{text}");
    }
    let short = "agent = \"claude\"\njudge = \"codex\"\n";
    assert_eq!(faults_of(short), [""; 0]);
    assert!(is_read(short));
}

#[test]
fn every_key_of_the_table_is_in_the_schema_with_what_it_does() {
    let text = config::schema();
    for row in Key::rows() {
        let summary = serde_json::to_string(row.summary).unwrap();
        assert!(text.contains(&summary), "{}", row.path);
    }
    assert_eq!(faults_of(&config::template().replace("\n# ", "\n")).len(), 0, "the defaults are valid");
}

/// The settings that documents show: blocks of TOML, and files that commands write.
fn shown(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut end: Option<&str> = None;
    for line in text.lines() {
        match end {
            Some(mark) if line == mark => end = None,
            Some(_) => {
                let block = found.last_mut().unwrap();
                block.push_str(line);
                block.push('\n');
            }
            None if line == "```toml" || line == "cat > gulf.toml <<'END'" => {
                found.push(String::new());
                end = Some(if line == "```toml" { "```" } else { "END" });
            }
            None => {}
        }
    }
    found
}

fn documents(folder: &Utf8Path, found: &mut BTreeSet<String>) {
    for path in folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()) {
        if path.is_dir() {
            documents(&path, found);
        } else if path.extension() == Some("md") {
            found.extend(shown(&std::fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn the_settings_that_the_documents_show_are_valid() {
    let root = repository_root();
    let mut blocks = BTreeSet::from_iter(shown(&std::fs::read_to_string(root.join("README.md")).unwrap()));
    documents(&root.join("docs"), &mut blocks);
    assert!(blocks.len() > 10, "{blocks:#?}");
    for block in blocks {
        assert_eq!(faults_of(&block), [""; 0], "{block}");
    }
}

#[test]
fn the_command_prints_the_schema_that_lies_in_the_reference() {
    let printed = gulf(&Sandbox::without_git(), ["config", "schema"]).run().expect_exit(0).stdout;
    let kept = std::fs::read_to_string(repository_root().join("docs/reference/gulf.schema.json")).unwrap();
    assert_eq!(printed, kept, "run `cargo xtask gen`");
}
