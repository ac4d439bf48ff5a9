//! `gulf align`: does a gulf-align.md say what person and worker mean by the work, and is nothing left to ask?
//!
//! Where there is none, it gathers what one is written from.

mod material;

use std::fmt::Write as _;

use camino::Utf8Path;
use gulf_host::files::{self, Durability};
use gulf_runner::place::{PlaceOfWork, Project};
use gulf_runner::plan::source;
use gulf_spec::alignment::{self, ALIGNMENT_PATH, Alignment, AlignmentProblem, Handoff, skeleton};
use gulf_spec::lint::{Finding, Rule};
use gulf_spec::rubric::Item;
use gulf_spec::text::Source;
use gulf_views::{Palette, Tone, counted, one_line};

use super::tell;
use crate::cli::AlignArguments;
use crate::failure::{ERROR, Failure, Result};
use crate::findings;
use crate::place;
use crate::screen::say;

/// Lines of the last handoff that are shown.
const HANDOFF_LINES_MAX: usize = 12;

pub fn align(arguments: &AlignArguments) -> Result<u8> {
    let project = place::project()?;
    let path = project.directory.join(ALIGNMENT_PATH);
    let source = source(&path, ALIGNMENT_PATH)?;
    if arguments.init {
        return init(&path, source.as_ref());
    }
    let Some(source) = source else {
        let material = material::gather(&project);
        let found = || material.document();
        let json = || serde_json::json!({ "version": 1, "file": null, "aligned": null, "material": found() });
        return tell(arguments.json, json, || material.advice());
    };
    let alignment = alignment::parse(&source);
    tell(arguments.json, || document(&source, &alignment), || summary(&source, &alignment))?;
    Ok(if alignment.is_aligned() { 0 } else { ERROR })
}

/// What a session is given to write an alignment from, or to mend the one that is there.
pub fn for_session(place: &PlaceOfWork) -> Result<String> {
    let path = place.project.join(ALIGNMENT_PATH);
    let project = Project { directory: place.project.clone(), layout: place.layout.clone() };
    let standing = match source(&path, ALIGNMENT_PATH)? {
        Some(source) => {
            let alignment = alignment::parse(&source);
            format!("{}\nIt says:\n\n{}", summary(&source, &alignment), source.text())
        }
        None => format!("There is no {ALIGNMENT_PATH} yet. Its form:\n\n{}", skeleton()),
    };
    let material = material::gather(&project).gathered();
    let text = format!(
        "Write {ALIGNMENT_PATH} with the person, before a loop begins: Specification, Process, Evaluation, Gap check. \
         Read the project first. Ask about what you cannot know instead of guessing; what stays open stands under \
         *Blocking questions*, and a loop does not start while a question is open there. When it is written, stop: \
         begin no work.\n\n{standing}\n\nWhat the project says of itself:\n\n{material}"
    );
    Ok(anstream::adapter::strip_str(&text).to_string())
}

/// Writes the skeleton; above what earlier loops handed on, if that is all there is.
fn init(path: &Utf8Path, source: Option<&Source>) -> Result<u8> {
    match source {
        None => {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(Failure::broken)?;
            }
            files::create_new(path, skeleton().as_bytes(), Durability::Synced)?;
        }
        Some(source) => {
            let problems = alignment::parse(source).problems;
            if !problems.iter().any(|located| located.problem == AlignmentProblem::OnlyHandoffs) {
                let hint = "`gulf align` checks whether it is complete";
                return Err(Failure::usage(format!("{ALIGNMENT_PATH} is there already"), hint));
            }
            let text = format!("{}\n{}\n", skeleton(), source.text().trim());
            files::replace(path, text.as_bytes(), Durability::Synced)?;
        }
    }
    let command = Tone::Literal.paint("gulf align", Palette::Colour);
    say(&format!(
        "{ALIGNMENT_PATH} is written: fill it in, then {command} checks whether it is complete.\n"
    ))?;
    Ok(0)
}

fn document(source: &Source, alignment: &Alignment) -> serde_json::Value {
    let placed = |what: &str, items: &[Item]| -> Vec<serde_json::Value> {
        let one = |item: &Item| serde_json::json!({ what: item.text, "place": source.place(item.span) });
        items.iter().map(one).collect()
    };
    let last = alignment.handoffs.last().map(|Handoff { at, iteration, text }| {
        serde_json::json!({ "at": at, "iteration": iteration, "text": text })
    });
    let problems = alignment.problems.iter().map(|located| Finding::from_problem(Rule::Alignment, located));
    serde_json::json!({
        "version": 1,
        "file": ALIGNMENT_PATH,
        "aligned": alignment.is_aligned(),
        "open_questions": placed("text", &alignment.open_questions),
        "machine_checks": placed("command", &alignment.checks),
        "problems": problems.map(|finding| findings::document(&finding)).collect::<Vec<_>>(),
        "handoffs": alignment.handoffs.len(),
        "last_handoff": last,
    })
}

fn summary(source: &Source, alignment: &Alignment) -> String {
    let open = alignment.open_questions.len();
    let mut text = if alignment.is_aligned() {
        let word = Tone::Verified.paint("aligned", Palette::Colour);
        format!("{ALIGNMENT_PATH}: {word}, and no question is open\n")
    } else {
        let word = Tone::Failed.paint("not aligned", Palette::Colour);
        let problems = counted(alignment.problems.len(), "problem", "problems");
        format!("{ALIGNMENT_PATH}: {word}: {} open, {problems}\n", counted(open, "question", "questions"))
    };
    if open > 0 {
        text.push_str("\nOpen questions; answer each in the file with `Answer: …` below it, or tick it:\n");
        for question in &alignment.open_questions {
            let _ = writeln!(text, "  {}: {}", source.place(question.span), one_line(&question.text));
        }
    }
    if !alignment.problems.is_empty() {
        text.push('\n');
    }
    for located in &alignment.problems {
        text.push_str(&findings::describe(&Finding::from_problem(Rule::Alignment, located)));
    }
    if !alignment.checks.is_empty() {
        text.push_str("\nMachine checks that were agreed on; `gulf lint` says which are not in force:\n");
        for check in &alignment.checks {
            let _ = writeln!(text, "  {}", Tone::Literal.paint(&one_line(&check.text), Palette::Colour));
        }
    }
    text.push_str(&last(alignment.handoffs.last(), alignment.handoffs.len()));
    text
}

fn last(handoff: Option<&Handoff>, number: usize) -> String {
    let Some(handoff) = handoff else { return String::new() };
    let Handoff { at, iteration, text: said } = handoff;
    let (loops, at) = (counted(number, "loop", "loops"), one_line(at));
    let mut text = format!("\nHanded on by {loops}, the last at {at}, iteration {iteration}:\n");
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    for line in lines.iter().take(HANDOFF_LINES_MAX) {
        let _ = writeln!(text, "  {}", Tone::Secondary.paint(&one_line(line), Palette::Colour));
    }
    if lines.len() > HANDOFF_LINES_MAX {
        let _ = writeln!(text, "  … {}", counted(lines.len() - HANDOFF_LINES_MAX, "line", "lines"));
    }
    text
}
