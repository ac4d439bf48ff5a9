//! `gulf lint`: what is weak in the texts that say when the work is done.
//!
//! The judgement stands in `gulf_spec::lint`; here the texts are read, and what was found is told.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability};
use gulf_host::hint::Hint as _;
use gulf_runner::error::in_full;
use gulf_runner::plan::{AUTOCHECKS, CheckNeed, PlanError, RUBRIC, TEXT_BYTES_MAX, detected, source, stated};
use gulf_spec::alignment::ALIGNMENT_PATH;
use gulf_spec::config::{self, Config, Key};
use gulf_spec::detect::DetectedCheck;
use gulf_spec::lint::{Finding, LintMaterial, Rule, lint as look, split};
use gulf_spec::problem::Weight;
use gulf_spec::rubric;
use gulf_spec::text::Source;
use gulf_views::{Palette, Tone, counted, one_line};

use super::tell;
use crate::cli::LintArguments;
use crate::failure::{ERROR, Failure, Result};
use crate::findings;
use crate::{place, settings};

/// Where a goal stands, if no other file is named.
const PROMPT: &str = "PROMPT.md";

pub fn lint(arguments: &LintArguments) -> Result<u8> {
    let project = place::project()?.directory;
    let goal = match &arguments.file {
        // As `gulf run -f`: relative to where the person stands.
        Some(file) => by_name(file, file.as_str())?,
        None => source(&project.join(PROMPT), PROMPT)?,
    };
    let rubric = match &arguments.rubric {
        // As `gulf run --rubric`: relative to the project.
        Some(file) => by_name(&project.join(file), file.as_str())?,
        None => source(&project.join(RUBRIC), RUBRIC)?,
    };
    let alignment = source(&project.join(ALIGNMENT_PATH), ALIGNMENT_PATH)?;
    let (config, mut found) = in_force(&project)?;
    let detected = detected(&project);
    let with_place = |check: &DetectedCheck| format!("`{}` ({})", check.command, check.why);
    let proposed: Vec<String> = detected.proposed.iter().map(with_place).collect();
    let by_word = config.as_ref().is_some_and(|config| config.switch(Key::VerifyDetected));
    let on_word = detected.proposed.into_iter().filter(|_| by_word);
    let detected: Vec<String> =
        detected.checks.into_iter().chain(on_word).map(|check| check.command).collect();
    found.extend(look(&LintMaterial {
        goal: goal.as_ref(),
        rubric: rubric.as_ref(),
        config: config.as_ref(),
        alignment: alignment.as_ref(),
        further_checks: usize::from(project.join(AUTOCHECKS).is_file()),
        detected: &detected,
        proposed: &proposed,
    }));
    if let Some(config) = &config
        && let Err(error) = stated(&project, config, arguments.rubric.as_deref(), CheckNeed::Required)
    {
        found.extend(refusal(&error));
    }
    let written = match &arguments.split {
        Some(folder) => write(&project, rubric.as_ref(), folder)?,
        None => Written::default(),
    };
    tell(arguments.json, || document(&found, &written), || render(&found, &written))?;
    let is_well = !written.is_refused && !found.iter().any(|finding| finding.weight == Weight::Error);
    Ok(if is_well { 0 } else { ERROR })
}

fn by_name(path: &Utf8Path, name: &str) -> Result<Option<Source>> {
    let text = files::read_text(path, TEXT_BYTES_MAX)?;
    Ok(Some(Source::new(name, &text.content)))
}

/// The settings, or what is wrong with them.
fn in_force(project: &Utf8Path) -> Result<(Option<Config>, Vec<Finding>)> {
    let told = |located| Finding::from_problem(Rule::Settings, located);
    Ok(match config::load(&settings::layers(project, Vec::new())?) {
        Ok(config) => (Some(config), Vec::new()),
        Err(problems) => (None, problems.iter().map(told).collect()),
    })
}

/// Why a start would be refused, where that is not told already.
fn refusal(error: &PlanError) -> Option<Finding> {
    let is_told = matches!(
        error,
        PlanError::Rubric { .. } | PlanError::NoCheck { .. } | PlanError::OnlyProposed { .. }
    );
    let (rule, weight, message, hint) = (Rule::Start, Weight::Error, in_full(error), error.hint());
    (!is_told).then_some(Finding { rule, weight, place: None, message, hint })
}

fn document(found: &[Finding], written: &Written) -> serde_json::Value {
    serde_json::json!({
        "version": 1,
        "ok": !found.iter().any(|finding| finding.weight == Weight::Error),
        "findings": found.iter().map(findings::document).collect::<Vec<_>>(),
        "written": written.paths,
    })
}

fn render(found: &[Finding], written: &Written) -> String {
    let mut text: String = found.iter().map(findings::describe).collect();
    if !found.is_empty() {
        text.push('\n');
    }
    let number = |weight: Weight| found.iter().filter(|finding| finding.weight == weight).count();
    text.push_str(&match (number(Weight::Error), number(Weight::Warning)) {
        (0, 0) => "Nothing found.\n".to_owned(),
        (errors, warnings) => {
            let errors = counted(errors, "error", "errors");
            format!("{errors}, {}.\n", counted(warnings, "warning", "warnings"))
        }
    });
    text.push_str(&written.told);
    text
}

// `gulf lint --split`: writes the rubrics of loops that follow each other.

/// What became of the request; nothing where there was none.
#[derive(Debug, Default)]
struct Written {
    /// From the project's top, or whole where they lie outside.
    paths: Vec<Utf8PathBuf>,
    told: String,
    /// What does not count would be lost.
    is_refused: bool,
}

/// Writes into a folder, which is relative to where the person stands.
fn write(project: &Utf8Path, source: Option<&Source>, folder: &Utf8Path) -> Result<Written> {
    let Some(source) = source else {
        let hint = "write its criteria first, or name another file with `--rubric`";
        return Err(Failure::usage(format!("there is no {RUBRIC} to split"), hint));
    };
    let rubric = rubric::parse(source);
    if rubric.errors().next().is_some() {
        let told = format!("\nNothing was written: fix the errors in {} first.\n", one_line(source.name()));
        return Ok(Written { told, is_refused: true, ..Written::default() });
    }
    let texts = split(&rubric);
    if texts.len() < 2 {
        let criteria = rubric.criteria.len();
        let told = format!("\nOne loop is enough for {criteria} criteria: nothing was written.\n");
        return Ok(Written { told, ..Written::default() });
    }
    let path = |number: usize| folder.join(format!("RUBRIC-{number}.md"));
    if let Some(there) = (1..=texts.len()).map(path).find(|path| path.symlink_metadata().is_ok()) {
        let hint = "name another folder, or move it away";
        return Err(Failure::usage(format!("{there} is there already; nothing was written"), hint));
    }
    std::fs::create_dir_all(folder).map_err(Failure::broken)?;
    // `gulf run --rubric` understands paths from the project's top, and whole ones.
    let whole = folder.canonicalize_utf8().map_err(Failure::broken)?;
    let shown = whole.strip_prefix(project).unwrap_or(&whole);
    let mut written =
        Written { told: "\nWritten, one loop after another:\n".to_owned(), ..Written::default() };
    for (text, number) in texts.iter().zip(1..) {
        let path = path(number);
        files::create_new(&path, text.as_bytes(), Durability::Synced)?;
        let path = shown.join(path.file_name().unwrap_or_default());
        let command = one_line(&format!("gulf run --rubric {path}"));
        written.told.push_str(&format!("  {}\n", Tone::Literal.paint(&command, Palette::Colour)));
        written.paths.push(path);
    }
    Ok(written)
}
