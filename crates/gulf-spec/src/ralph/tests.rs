//! Projects as they lie there.

use super::*;

/// In a project with these paths of files; one that ends with `/` is a folder.
fn found(paths: &'static [&'static str], files: &Files) -> String {
    let is_in = |one: &str, folder: &str| one.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let is_folder = |path: &str| paths.iter().any(|one| is_in(one, path));
    let layout = layout(files, &|path| paths.contains(&path), &is_folder);
    let Some(layout) = layout else { return "no Ralph project".to_owned() };
    let RalphLayout { prompt, plan, agent, specs, logs, status } = layout;
    let rest = [plan, agent, specs, logs, status].map(|path| path.unwrap_or_else(|| "-".to_owned()));
    format!("{prompt} {}", rest.join(" "))
}

// proves: K6
#[test]
fn both_layouts_are_known() {
    let older = &[".ralphrc", "PROMPT.md", "fix_plan.md", "AGENT.md", "specs/a.md", "logs/", "status.json"];
    let usual = Files::default();
    assert_eq!(found(older, &usual), "PROMPT.md fix_plan.md AGENT.md specs logs status.json");
    let newer = &[
        ".ralphrc", ".ralph/PROMPT.md", ".ralph/fix_plan.md", ".ralph/AGENT.md", ".ralph/specs/x",
        ".ralph/logs/",
    ];
    let expected =
        ".ralph/PROMPT.md .ralph/fix_plan.md .ralph/AGENT.md .ralph/specs .ralph/logs .ralph/status.json";
    assert_eq!(found(newer, &usual), expected);
    let mixed = &["PROMPT.md", "@fix_plan.md", "@AGENT.md", "src/main.rs"];
    assert_eq!(found(mixed, &usual), "PROMPT.md @fix_plan.md @AGENT.md - - -");
}

// proves: K6
#[test]
fn a_name_in_the_settings_counts_where_it_leads_to_a_text_of_the_project() {
    let named = |prompt: &str| Files { prompt: Some(prompt.to_owned()), ..Files::default() };
    let paths = &[".ralphrc", ".ralph/GOAL.md", "PROMPT.md", "../secret"];
    assert!(found(paths, &named("GOAL.md")).starts_with(".ralph/GOAL.md "));
    assert!(found(paths, &named("../secret")).starts_with("PROMPT.md "));
    assert!(found(paths, &named("GONE.md")).starts_with("PROMPT.md "));
}

#[test]
fn a_prompt_alone_makes_no_ralph_project() {
    assert_eq!(found(&["PROMPT.md", "RUBRIC.md", "specs/a.md"], &Files::default()), "no Ralph project");
    assert_eq!(found(&["fix_plan.md", ".ralphrc"], &Files::default()), "no Ralph project");
}
