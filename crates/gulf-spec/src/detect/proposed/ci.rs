//! What CI runs: GitHub's workflows and GitLab's pipeline.
//!
//! Left out are jobs that publish, steps under conditions, and whatever needs a secret or a matrix to be filled in.

use serde_json::Value;

use super::super::{DetectedCheck, ProjectFiles};
use super::{place, steps};

const WORKFLOWS: &str = ".github/workflows/";
const GITLAB: &str = ".gitlab-ci.yml";
/// Jobs and files of these names ship something.
const SHIPPING: [&str; 6] = ["deploy", "release", "publish", "docs", "pages", "nightly"];
/// What sets a workflow off when somebody changes code.
const ON_CHANGE: [&str; 4] = ["push", "pull_request", "pull_request_target", "merge_group"];
/// Keys of a pipeline that are no jobs.
const NO_JOBS: [&str; 10] = [
    "default", "include", "stages", "variables", "workflow", "image", "services", "cache", "before_script",
    "pages",
];

/// The steps of GitHub's workflows.
pub(super) fn github(project: &ProjectFiles<'_>) -> Vec<DetectedCheck> {
    let files = project.paths.iter().filter(|path| {
        let name = path.strip_prefix(WORKFLOWS).unwrap_or_default();
        (name.ends_with(".yml") || name.ends_with(".yaml")) && !name.contains('/') && !ships(name)
    });
    files.flat_map(|file| workflow(project, file).unwrap_or_default()).collect()
}

fn workflow(project: &ProjectFiles<'_>, file: &str) -> Option<Vec<DetectedCheck>> {
    let text = project.text(file)?;
    let yaml = yaml(&text)?;
    if !is_on_change(&yaml["on"]) {
        return None;
    }
    let mut found = Vec::new();
    for (name, job) in yaml["jobs"].as_object()? {
        let is_elsewhere = job["runs-on"].as_str().is_some_and(|on| on.starts_with("windows"));
        if ships(name) || is_elsewhere {
            continue;
        }
        let mut defaults = [&job["defaults"], &yaml["defaults"]].into_iter();
        let folder = defaults.find_map(|defaults| defaults["run"]["working-directory"].as_str());
        for step in job["steps"].as_array().into_iter().flatten() {
            let is_other_shell = step["shell"].as_str().is_some_and(|shell| !["bash", "sh"].contains(&shell));
            if is_other_shell || !step["if"].is_null() {
                continue;
            }
            let Some(script) = step["run"].as_str() else { continue };
            let folder = step["working-directory"].as_str().or(folder);
            found.extend(script_steps(script, folder, &step["env"], (file, &text)));
        }
    }
    Some(found)
}

/// The jobs of GitLab's pipeline.
pub(super) fn gitlab(project: &ProjectFiles<'_>) -> Vec<DetectedCheck> {
    let Some(text) = project.text(GITLAB) else { return Vec::new() };
    let Some(yaml) = yaml(&text) else { return Vec::new() };
    let mut found = Vec::new();
    for (name, job) in yaml.as_object().into_iter().flatten() {
        let stage = job["stage"].as_str().unwrap_or_default();
        let is_no_job = NO_JOBS.contains(&name.as_str()) || name.starts_with('.');
        if is_no_job || ships(name) || ships(stage) || job["when"] == "manual" {
            continue;
        }
        let script = match &job["script"] {
            Value::String(line) => line.clone(),
            Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => continue,
        };
        found.extend(script_steps(&script, None, &job["variables"], (GITLAB, &text)));
    }
    found
}

/// The lines of a script that check something, each as it runs from the top of the project.
fn script_steps(
    script: &str,
    folder: Option<&str>,
    env: &Value,
    (file, text): (&str, &str),
) -> Vec<DetectedCheck> {
    let Some(variables) = variables(env) else { return Vec::new() };
    let mut folder = folder.map(|folder| folder.trim_start_matches("./").to_owned());
    let mut found = Vec::new();
    for line in steps::lines(script) {
        if let Some(to) = line.strip_prefix("cd ") {
            let below = folder.as_deref().map_or_else(|| to.to_owned(), |folder| format!("{folder}/{to}"));
            folder = Some(below);
            continue;
        }
        let Some(kind) = steps::kind(&line) else { continue };
        let command = match folder.as_deref().filter(|folder| !["", "."].contains(folder)) {
            Some(folder) if !steps::is_plain_folder(folder) => continue,
            Some(folder) => format!("cd {folder} && {variables}{line}"),
            None => format!("{variables}{line}"),
        };
        let first = line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        found.push(DetectedCheck::new(kind, command, place(file, text, &first)));
    }
    found
}

/// As they stand before a command; none where one has to be filled in.
fn variables(env: &Value) -> Option<String> {
    let mut before = String::new();
    for (name, value) in env.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let is_name = name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        if !is_name || value.contains(['$', '\'', '\n', '{']) {
            return None;
        }
        before.push_str(&format!("{name}='{value}' "));
    }
    Some(before)
}

fn yaml(text: &str) -> Option<Value> {
    serde_saphyr::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).ok()
}

/// A workflow that nobody's change sets off checks no change.
fn is_on_change(on: &Value) -> bool {
    match on {
        Value::String(event) => ON_CHANGE.contains(&event.as_str()),
        Value::Array(events) => {
            events.iter().filter_map(Value::as_str).any(|event| ON_CHANGE.contains(&event))
        }
        Value::Object(events) => events.keys().any(|event| ON_CHANGE.contains(&event.as_str())),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn ships(name: &str) -> bool {
    let name = name.to_lowercase();
    name.split(|character: char| !character.is_alphanumeric()).any(|word| SHIPPING.contains(&word))
}
