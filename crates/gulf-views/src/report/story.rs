//! The loop's iterations as a picture tells them, and each check that was red and is green: from the journal alone. What
//! was printed and said is added by whoever looked it up.

use super::{ReportTexts, words};
use crate::cost::{Cost, dollars};
use crate::history::{History, Iteration};
use crate::iteration_line::notes;
use crate::look::Tone;
use crate::numbers::{measured, percent};
use crate::{text, wording};
use gulf_engine::{CheckName, CheckRun, CheckVerdict, End, Gate, Proof, Settlement, State, TreeId};
use serde::Serialize;
use strum::VariantArray as _;

/// So much of a worker's message says what it tried.
const MESSAGE_BYTES_MAX: usize = 1200;
/// So much of an output shows how it ends.
const OUTPUT_BYTES_MAX: usize = 2000;
/// A page of more has no reader.
const RED_TO_GREEN_MAX: usize = 12;

/// One iteration in the story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoryPoint {
    /// The task, counted from 1.
    pub unit: u64,
    pub number: u32,
    pub outcome: StoryOutcome,
    /// In which colour it is told.
    pub tone: Tone,
    /// In half a line.
    pub what: String,
    /// What the worker said at its end; empty where that is not kept.
    pub message: String,
    pub duration_ms: u64,
    pub microdollars: u64,
    pub cost: Option<String>,
    #[serde(skip)]
    pub spent: Option<Cost>,
    /// Null where nobody counted.
    pub tests_failed: Option<u64>,
    pub checks_failed: u32,
    /// Null where nobody counted, like the tests.
    pub lint_errors: Option<u64>,
    pub coverage_bp: Option<u64>,
    /// Added and removed since the candidate before it; null where nobody counted.
    pub lines_changed: Option<u64>,
}

/// One quantity over all iterations, a mark for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoryStrip {
    pub name: &'static str,
    /// As high as its iteration's value is beside the highest; a dot where that is zero, or nobody counted.
    pub bars: String,
    /// `8 → 0`: the first and the last one that somebody counted.
    pub word: String,
}

/// Which gate said no, if one did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
pub enum StoryOutcome {
    /// Every gate said yes.
    Passed,
    Checks,
    Integrity,
    Judge,
    /// Another gate, or a person.
    Refused,
    /// Nobody claimed anything.
    Unclaimed,
    /// The worker asked, waited or failed.
    Held,
    UnderWay,
}

impl StoryOutcome {
    /// All, in the order of a legend.
    pub const ALL: &[StoryOutcome] = Self::VARIANTS;

    pub fn word(self) -> &'static str {
        match self {
            StoryOutcome::Passed => "every gate passed",
            StoryOutcome::Checks => "refused by the checks",
            StoryOutcome::Integrity => "refused by the integrity gate",
            StoryOutcome::Judge => "refused by the judge",
            StoryOutcome::Refused => "refused otherwise",
            StoryOutcome::Unclaimed => "no claim",
            StoryOutcome::Held => "asked, waited or failed",
            StoryOutcome::UnderWay => "under way",
        }
    }

    pub(crate) fn from_iteration(iteration: &Iteration) -> StoryOutcome {
        match (iteration.settlement, &iteration.end) {
            (Some(settlement), _) => StoryOutcome::of_settlement(settlement),
            (None, Some(End::Verified { .. } | End::Attested { .. })) => StoryOutcome::Passed,
            (None, Some(_)) if iteration.checks.values().any(|run| !run.is_green()) => StoryOutcome::Checks,
            (None, Some(End::Violated)) => StoryOutcome::Integrity,
            (None, Some(End::Stalled { .. } | End::Exhausted { .. })) => StoryOutcome::Held,
            (None, Some(End::Unavailable { .. } | End::Cancelled)) => StoryOutcome::Held,
            (None, None) => StoryOutcome::UnderWay,
        }
    }

    fn of_settlement(settlement: Settlement) -> StoryOutcome {
        match settlement {
            Settlement::Approved | Settlement::Steered => StoryOutcome::Passed,
            Settlement::Refused { gate: Gate::Checks | Gate::Feedback } => StoryOutcome::Checks,
            Settlement::Refused { gate: Gate::Integrity } => StoryOutcome::Integrity,
            Settlement::Refused { gate: Gate::Judge } => StoryOutcome::Judge,
            Settlement::Refused { gate: Gate::Tasks | Gate::Approach | Gate::Landing } => {
                StoryOutcome::Refused
            }
            Settlement::Rejected | Settlement::Asked => StoryOutcome::Refused,
            Settlement::Unclaimed => StoryOutcome::Unclaimed,
            Settlement::Research | Settlement::AgentFailed | Settlement::Questioned => StoryOutcome::Held,
            Settlement::RateLimited | Settlement::NeedsPerson | Settlement::Unjudged => StoryOutcome::Held,
            Settlement::Blocked | Settlement::Declined => StoryOutcome::Held,
        }
    }

    /// By the colours of every other view.
    pub fn tone(self) -> Tone {
        match self {
            StoryOutcome::Passed => Tone::Verified,
            StoryOutcome::Checks | StoryOutcome::Integrity | StoryOutcome::Judge => Tone::Failed,
            StoryOutcome::Refused | StoryOutcome::Held => Tone::Attention,
            StoryOutcome::Unclaimed | StoryOutcome::UnderWay => Tone::Secondary,
        }
    }
}

/// Something that said no before the change, or before the last of it, and says yes now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RedToGreen {
    pub what: String,
    pub red: MomentWord,
    pub green: MomentWord,
}

/// A check's word at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MomentWord {
    /// `on the base`, `in iteration 3`
    pub at: String,
    pub word: String,
    /// How what it printed ends; null where that is not kept.
    pub output: Option<String>,
}

/// The heights of a bar, lowest first.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The newest ones: more fit on no telephone.
const STRIP_POINTS_MAX: usize = 60;

/// What failed, what is covered, how much was changed, what it cost and how long it took, as far as there is any of it.
pub(crate) fn strips(story: &[StoryPoint]) -> Vec<StoryStrip> {
    let story = &story[story.len().saturating_sub(STRIP_POINTS_MAX)..];
    // Where no test is counted, checks are: never one beside the other in one strip.
    let is_counted = story.iter().any(|one| one.tests_failed.is_some());
    let checks = |one: &StoryPoint| (!is_counted).then_some(u64::from(one.checks_failed));
    let plain = |value: u64| value.to_string();
    let strips = [
        strip("failing", story, &|one| one.tests_failed.or_else(|| checks(one)), &plain),
        strip("lint", story, &|one| one.lint_errors, &plain),
        strip("covered", story, &|one| one.coverage_bp, &|covered| percent(covered)),
        strip("lines", story, &|one| one.lines_changed, &plain),
        strip("cost", story, &|one| Some(one.microdollars), &dollars),
        strip("time", story, &|one| Some(one.duration_ms), &text::duration),
    ];
    strips.into_iter().flatten().collect()
}

/// None of what is nowhere more than zero.
fn strip(
    name: &'static str,
    story: &[StoryPoint],
    value: &dyn Fn(&StoryPoint) -> Option<u64>,
    shown: &dyn Fn(u64) -> String,
) -> Option<StoryStrip> {
    let values: Vec<Option<u64>> = story.iter().map(value).collect();
    let highest = u128::from(values.iter().flatten().copied().max().filter(|highest| *highest > 0)?);
    let bar = |value: &Option<u64>| match value.unwrap_or(0) {
        0 => '·',
        value => {
            let place = (u128::from(value) * 8).div_ceil(highest).saturating_sub(1);
            BARS[usize::try_from(place).unwrap_or(0).min(BARS.len() - 1)]
        }
    };
    let mut counted = values.iter().flatten().copied();
    let (first, last) = (counted.next()?, counted.next_back());
    let word = last.map_or_else(|| shown(first), |last| format!("{} → {}", shown(first), shown(last)));
    Some(StoryStrip { name, bars: values.iter().map(bar).collect(), word })
}

/// Every iteration, the oldest first.
pub(super) fn story(history: &History, state: &State, texts: &ReportTexts) -> Vec<StoryPoint> {
    history.iterations.iter().map(|iteration| point(iteration, state, texts)).collect()
}

fn point(iteration: &Iteration, state: &State, texts: &ReportTexts) -> StoryPoint {
    let tree = iteration.candidate().map(|candidate| &candidate.tree);
    let printed =
        |name: &CheckName| texts.check_words.get(&(tree?.clone(), name.clone())).map(String::as_str);
    let message = texts.messages.get(&iteration.number).map_or("", String::as_str);
    let outcome = StoryOutcome::from_iteration(iteration);
    let measured = measured(iteration, state);
    let red = iteration.checks.values().filter(|run| !run.is_green()).count();
    StoryPoint {
        unit: u64::from(iteration.unit.0) + 1,
        number: iteration.number,
        outcome,
        tone: outcome.tone(),
        what: notes(iteration, printed),
        message: text::cut_bytes(message.trim(), MESSAGE_BYTES_MAX).into_owned(),
        duration_ms: iteration.duration_ms,
        microdollars: iteration.cost.map_or(0, |cost| cost.microdollars),
        cost: iteration.cost.map(|cost| cost.brief()),
        spent: iteration.cost,
        tests_failed: measured.tests_failed.map(u64::from),
        lint_errors: measured.lint_errors.map(u64::from),
        coverage_bp: measured.coverage_bp.map(u64::from),
        lines_changed: texts.lines_changed.get(&iteration.number).copied(),
        checks_failed: u32::try_from(red).unwrap_or(u32::MAX),
    }
}

/// The checks of the last candidate that are green and once were not, and new tests that fail on the base's code.
pub(super) fn red_to_green(
    history: &History,
    state: &State,
    proofs: &[Proof],
    texts: &ReportTexts,
) -> Vec<RedToGreen> {
    let Some(last) = history.last_evaluated() else { return Vec::new() };
    let Some(candidate) = last.candidate() else { return Vec::new() };
    let spoken = |at: String, run: &CheckRun, tree: &TreeId, name: &CheckName| {
        let output = texts.outputs.get(&(tree.clone(), name.clone())).map(|output| ending(output));
        MomentWord { at, word: words::check_run(run), output }
    };
    let turned = wording::checks(state).filter_map(|terms| {
        let name = &terms.name;
        let green = last.checks.get(name).filter(|run| run.is_green())?;
        let (at, red, tree) = was_red(name, last, history, state)?;
        let red = spoken(at, red, &tree, name);
        let green = spoken(format!("in iteration {}", last.number), green, &candidate.tree, name);
        Some(RedToGreen { what: format!("check {name}"), red, green })
    });
    turned.chain(new_tests(last, proofs, texts)).take(RED_TO_GREEN_MAX).collect()
}

/// Where a check last said no: on the base, else in an earlier iteration.
fn was_red<'run>(
    name: &CheckName,
    last: &Iteration,
    history: &'run History,
    state: &'run State,
) -> Option<(String, &'run CheckRun, TreeId)> {
    let is_red = |run: &&CheckRun| matches!(run.verdict, CheckVerdict::Red { .. });
    if let (Some(run), Some(base)) = (state.probes.get(name).filter(is_red), state.base()) {
        return Some(("on the base".to_owned(), run, base.tree.clone()));
    }
    history.iterations.iter().rev().filter(|one| one.number < last.number).find_map(|one| {
        let run = one.checks.get(name).filter(is_red)?;
        Some((format!("in iteration {}", one.number), run, one.candidate()?.tree.clone()))
    })
}

fn new_tests(last: &Iteration, proofs: &[Proof], texts: &ReportTexts) -> Option<RedToGreen> {
    let tests = proofs.iter().find_map(|proof| match proof {
        Proof::NewTest { tests } => Some(tests),
        Proof::BaseRed { .. } | Proof::Repaired { .. } => None,
        Proof::Mutants { .. } | Proof::Criterion => None,
    })?;
    let output = texts.new_tests_on_base.as_deref().map(ending);
    let green = last.candidate().and_then(|candidate| {
        let mut runs =
            last.checks.keys().filter_map(|name| texts.outputs.get(&(candidate.tree.clone(), name.clone())));
        runs.next().map(|output| ending(output))
    });
    let at = format!("in iteration {}", last.number);
    let red = MomentWord { at: "on the base's code".to_owned(), word: "FAILED".to_owned(), output };
    let green = MomentWord { at, word: "passed".to_owned(), output: green };
    Some(RedToGreen { what: format!("new tests: {}", wording::names(tests)), red, green })
}

/// The end of an output.
fn ending(output: &str) -> String {
    let output = output.trim_end();
    let start = output.ceil_char_boundary(output.len().saturating_sub(OUTPUT_BYTES_MAX));
    let cut = if start > 0 { "…" } else { "" };
    format!("{cut}{}", &output[start..])
}
