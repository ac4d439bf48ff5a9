//! The texts that people and workers write, through `gulf-spec`; apart because each problem in them must have a
//! place and can be drawn.

use std::collections::BTreeMap;
use std::time::Duration;

use gulf_engine::Step;
use gulf_spec::config::{self, Key, SettingLayers};
use gulf_spec::problem::{Located, Problem};
use gulf_spec::prompts::{
    Advice, ContextBlock, Fix, IterationBrief, Notepad, OwnSteps, ResearchBlock, VersionControl,
};
use gulf_spec::text::Source;
use gulf_spec::{
    detect as detection, progress as progress_txt, prompts, quantity, rubric as rubric_md, texts,
};
use miette::{GraphicalReportHandler, GraphicalTheme};

use crate::{Outcome, parts, read_if};

/// gulf.toml of the user and of the project, variables (`NAME=VALUE` a line) and flags (`--flag VALUE` a line).
pub fn config(bytes: &[u8]) -> Outcome {
    let texts: Vec<_> = parts(bytes).into_iter().map(String::from_utf8_lossy).collect();
    let file = |at: usize| texts.get(at).map(|text| Source::new("gulf.toml", text));
    let pairs = |at: usize, mark: char| {
        let lines = texts.get(at).map_or("", |text| text).split('\n');
        lines.filter_map(move |line| line.split_once(mark))
    };
    let flag = |name: &str| Key::rows().iter().find(|row| row.flag == Some(name)).map(|row| row.key);
    let layers = SettingLayers {
        project: file(0),
        user: file(1),
        ralphrc: None,
        // The host hands over no others.
        environment: pairs(2, '=')
            .filter(|(name, _)| name.starts_with("GULF_"))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        flags: pairs(3, ' ').filter_map(|(name, value)| Some((flag(name)?, value.to_owned()))).collect(),
    };
    match config::load(&layers) {
        Ok(config) => {
            for line in config.explain() {
                let _ = line.origin.to_string();
            }
            Outcome::Read
        }
        Err(problems) => {
            assert!(problems.iter().next().is_some(), "a refusal without a problem");
            problems.iter().for_each(look_at);
            let _ = problems.to_string();
            Outcome::Refused
        }
    }
}

/// RUBRIC.md.
pub fn rubric(bytes: &[u8]) -> Outcome {
    let source = Source::new("RUBRIC.md", &String::from_utf8_lossy(bytes));
    let rubric = rubric_md::parse(&source);
    rubric.problems.iter().for_each(look_at);
    for item in rubric.checks.iter().chain(&rubric.criteria).chain(&rubric.model) {
        assert!(source.text().get(item.span.start..item.span.end).is_some(), "an item lies in the text");
        assert!(!item.text.trim().is_empty() && item.line >= 1, "an item says something");
    }
    assert!(rubric.checks.iter().all(|check| !check.text.contains('\n')), "a command is one line");
    read_if(rubric.errors().next().is_none() && !rubric.checks.is_empty())
}

/// progress.txt, and the decisions.md beside it.
pub fn progress(bytes: &[u8]) -> Outcome {
    let texts: Vec<_> = parts(bytes).into_iter().map(String::from_utf8_lossy).collect();
    let text = &texts[0];
    let decisions = texts.get(1).map_or("", |text| text);
    let progress = progress_txt::parse(text);
    let gaps = progress_txt::brief_gaps(text);
    for gap in &gaps {
        let _ = gap.to_string();
    }
    let _ = (progress.next_task(), progress.lines_over_limit());
    assert!(
        !gaps.is_empty() || progress_txt::seed_brief(text).blocking.is_empty(),
        "the original asks for less"
    );
    let _ = progress.goal_change(decisions);
    let appended = progress_txt::decisions_to_append(&progress, decisions, 7);
    let whole = format!("{decisions}{appended}");
    assert_eq!(progress_txt::decisions_to_append(&progress, &whole, 8), "", "no decision is kept twice");
    read_if(gaps.is_empty())
}

/// A project's own prompt template, and the goal.
pub fn prompt_template(bytes: &[u8]) -> Outcome {
    let texts: Vec<_> = parts(bytes).into_iter().map(String::from_utf8_lossy).collect();
    let source = Source::new("prompt.md", &texts[0]);
    let brief = brief(texts.get(1).map_or("Add a login.", |text| text));
    let builtin = prompts::iteration(&brief, None).unwrap_or_default();
    assert!(builtin.contains(&brief.goal), "the built-in prompt says the goal unchanged");
    let _ = texts::is_prompt_skeleton(&brief.goal);
    match prompts::iteration(&brief, Some(&source)) {
        Ok(prompt) => {
            assert!(prompt.contains(&brief.goal), "the goal is there unchanged");
            Outcome::Read
        }
        Err(problem) => {
            look_at(&problem);
            Outcome::Refused
        }
    }
}

/// Durations and sizes: what was read prints as what is read the same.
pub fn quantities(bytes: &[u8]) -> Outcome {
    let text = String::from_utf8_lossy(bytes);
    let (duration, size) = (quantity::duration(&text), quantity::size(&text));
    if let Ok(duration) = duration {
        // People are not shown parts of a second beside whole ones.
        let shown = if duration.as_secs() > 0 { Duration::from_secs(duration.as_secs()) } else { duration };
        assert_eq!(quantity::duration(&quantity::print_duration(duration)), Ok(shown));
    }
    if let Ok(size) = size {
        assert_eq!(quantity::size(&quantity::print_size(size)), Ok(size));
    }
    read_if(duration.is_ok() || size.is_ok())
}

/// A project's files: path, content, path, content …
pub fn detect(bytes: &[u8]) -> Outcome {
    let texts: Vec<String> =
        parts(bytes).into_iter().map(|part| String::from_utf8_lossy(part).into_owned()).collect();
    let files: BTreeMap<&str, &String> =
        texts.chunks_exact(2).map(|pair| (pair[0].as_str(), &pair[1])).collect();
    let paths: Vec<String> = files.keys().map(|path| (*path).to_owned()).collect();
    let detected = detection::detect(&paths, &|path| files.get(path).map(|text| (*text).clone()));
    let proposed: Vec<_> = detected
        .checks
        .iter()
        .map(|check| texts::ProposedCheck {
            check: check.clone(),
            standing: texts::ProposedStanding::InForce,
        })
        .collect();
    let written = Source::new("gulf.toml", &texts::gulf_toml(&proposed, texts::Extent::Full));
    let read = config::load(&SettingLayers { project: Some(written), ..SettingLayers::default() });
    let checks = read.map(|config| config.checks.len()).map_err(|problems| problems.to_string());
    assert_eq!(checks, Ok(proposed.len()), "what init writes can be read back");
    read_if(!detected.languages.is_empty())
}

/// Every problem has a message and a place, and can be drawn.
pub(crate) fn look_at<P: Problem>(located: &Located<P>) {
    assert!(!located.to_string().is_empty(), "a problem says what it is");
    assert!(!located.place().is_empty(), "a problem says where it is");
    let _ = located.problem.hint();
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_width(100);
    let mut drawn = String::new();
    // What cannot be drawn is said in one line instead; it must only not panic.
    let _ = handler.render_report(&mut drawn, located);
}

/// A brief in which every part of the prompt has something to say.
fn brief(goal: &str) -> IterationBrief {
    let failed = Fix::CheckFailed {
        name: "test".to_owned(),
        command: "cargo test".to_owned(),
        end: "failed with exit code 101".to_owned(),
        tail: goal.to_owned(),
    };
    IterationBrief {
        goal: goal.to_owned(),
        iteration: 2,
        iterations_max: 5,
        attempt: 2,
        completion_promise: "COMPLETE".to_owned(),
        checks: vec!["cargo test".to_owned()],
        criteria: Vec::new(),
        repository: VersionControl::Git { dirty_paths: vec!["notes.txt".to_owned()] },
        branch: None,
        task: None,
        milestone_every: 2,
        notes: vec![goal.to_owned()],
        thoughts: Vec::new(),
        fixes: vec![failed, Fix::Refused { gate: "integrity".to_owned(), reason: goal.to_owned() }],
        failed_before: Vec::new(),
        tests_may_change: Vec::new(),
        advice: vec![Advice::SameFailure { times: 3 }],
        next_task: Some("the parser".to_owned()),
        progress_lines_over: Some(90),
        cold_starts: Some(gulf_spec::prompts::ColdStarts {
            turns: 2,
            percent: 20,
            changed: vec!["src/main.rs".to_owned()],
        }),
        context: ContextBlock::default(),
        notepad: Some(Notepad::from_end(".gulf/loops/LOOP/notepad.md", goal, true, 1_000)),
        is_planned: true,
        own_steps: Some(OwnSteps { steps: vec![Step::Plan, Step::Cause], side_by_side: 4 }),
        research: ResearchBlock::Inline { gaps: Vec::new() },
    }
}
