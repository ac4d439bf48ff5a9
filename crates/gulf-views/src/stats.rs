//! Numbers over many loops, by who worked: what a verified result costs, who refused claims, and whether people agree with
//! their judges.
//!
//! From journals alone. What did not happen is no number: without a verified loop nothing is said of what one takes.

use gulf_engine::{Claim, EndNature, JudgeWord, State};
use serde::Serialize;
use serde_json::{Value, json};

use crate::cost::dollars;
use crate::history::{History, Iteration, PersonAct};
use crate::json::VERSION;
use crate::look::Look;
use crate::loop_status::LoopStatus;
use crate::phrase::say;
use crate::report::StoryOutcome;
use crate::screen::{cut, section};
use crate::text;

const MICRODOLLARS: u64 = 1_000_000;
const HOUR_MS: u64 = 3_600_000;

/// Who works in a loop, as its contract says.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct StatsWorker {
    /// `claude`, `command` …
    pub agent: String,
    /// Null where the agent chooses.
    pub model: Option<String>,
}

/// Everything that is counted, of all loops together and of each worker's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    pub all: StatsRow,
    /// By agent and model; those with most loops first.
    pub workers: Vec<StatsRow>,
}

/// What is counted of some loops.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StatsRow {
    /// Null in the row of all.
    pub worker: Option<StatsWorker>,
    pub loops: u32,
    pub verified: u32,
    pub attested: u32,
    /// Ended otherwise.
    pub failed: u32,
    /// Runs, rests, or was interrupted.
    pub unfinished: u32,
    pub microdollars: u64,
    pub active_ms: u64,
    pub iterations: u32,
    /// In the middle of all verified loops.
    pub iterations_to_verified: Option<u32>,
    /// To two digits; null where nothing is verified, or nothing was paid.
    pub verified_per_dollar: Option<f64>,
    pub verified_per_hour: Option<f64>,
    pub claims: u32,
    pub refused: StatsRefusals,
    /// Of all claims, in basis points.
    pub refused_bp: Option<u32>,
    pub judge: StatsJudge,
    #[serde(skip)]
    verified_after: Vec<u32>,
}

/// Who refused claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StatsRefusals {
    pub checks: u32,
    pub integrity: u32,
    pub judge: u32,
    /// A person, another gate, or the question for a test.
    pub other: u32,
}

/// What judges said, and what people said of the same work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StatsJudge {
    pub approved: u32,
    pub rejected: u32,
    /// A person decided likewise: landed what it approved, refused what it refused.
    pub agreed: u32,
    /// A person decided otherwise.
    pub overruled: u32,
}

impl Stats {
    /// Of loops in any order.
    pub fn from_loops<'loops>(
        loops: impl IntoIterator<Item = (StatsWorker, &'loops History, &'loops State)>,
    ) -> Stats {
        let mut all = StatsRow::default();
        let mut workers: Vec<StatsRow> = Vec::new();
        for (worker, history, state) in loops {
            all.add(history, state);
            let known = workers.iter().position(|row| row.worker.as_ref() == Some(&worker));
            let place = known.unwrap_or_else(|| {
                workers.push(StatsRow { worker: Some(worker), ..StatsRow::default() });
                workers.len() - 1
            });
            workers[place].add(history, state);
        }
        all.settle();
        workers.iter_mut().for_each(StatsRow::settle);
        workers.sort_by(|one, other| other.loops.cmp(&one.loops).then_with(|| one.worker.cmp(&other.worker)));
        Stats { all, workers }
    }
}

impl StatsRow {
    fn add(&mut self, history: &History, state: &State) {
        self.loops += 1;
        match LoopStatus::new(state, crate::facts::DriverPresence::Absent) {
            LoopStatus::Ended(end) => match end.nature() {
                EndNature::Verified => {
                    self.verified += 1;
                    self.verified_after.push(count(&history.iterations));
                }
                EndNature::Attested => self.attested += 1,
                EndNature::Failed | EndNature::Cancelled => self.failed += 1,
            },
            LoopStatus::Outrun | LoopStatus::Broken(_) => self.failed += 1,
            LoopStatus::Running | LoopStatus::InSession { .. } => self.unfinished += 1,
            LoopStatus::Interrupted | LoopStatus::LedOn | LoopStatus::Paused(_) => self.unfinished += 1,
        }
        self.microdollars = self.microdollars.saturating_add(state.spending.total.microdollars);
        self.active_ms = self.active_ms.saturating_add(state.active_ms);
        self.iterations += count(&history.iterations);
        for iteration in &history.iterations {
            self.add_iteration(iteration);
        }
        self.add_acts(history);
        if state.is_discarded {
            self.decide(judged(history, u32::MAX), false);
        }
    }

    fn add_iteration(&mut self, iteration: &Iteration) {
        match iteration.judge {
            Some(JudgeWord::Approved { .. }) => self.judge.approved += 1,
            Some(JudgeWord::Rejected { .. }) => self.judge.rejected += 1,
            Some(JudgeWord::NoVerdict | JudgeWord::Unreachable { .. }) | None => {}
            Some(JudgeWord::NeedsPerson { .. } | JudgeWord::RateLimited { .. }) => {}
        }
        if !matches!(iteration.claim, Some(Claim::Done { .. })) {
            return;
        }
        self.claims += 1;
        match StoryOutcome::from_iteration(iteration) {
            StoryOutcome::Checks => self.refused.checks += 1,
            StoryOutcome::Integrity => self.refused.integrity += 1,
            StoryOutcome::Judge => self.refused.judge += 1,
            StoryOutcome::Refused => self.refused.other += 1,
            StoryOutcome::Passed | StoryOutcome::Unclaimed => {}
            StoryOutcome::Held | StoryOutcome::UnderWay => {}
        }
    }

    fn add_acts(&mut self, history: &History) {
        for one in &history.acts {
            let is_yes = match &one.act {
                PersonAct::Approved { .. } | PersonAct::Landed { .. } => true,
                PersonAct::Rejected { .. } => false,
                PersonAct::Steered { .. } | PersonAct::Amended | PersonAct::Edited { .. } => continue,
            };
            self.decide(judged(history, one.iteration), is_yes);
        }
    }

    /// A person said yes or no to what a judge had spoken about.
    fn decide(&mut self, word: Option<&JudgeWord>, is_yes: bool) {
        match word {
            Some(JudgeWord::Approved { .. }) if is_yes => self.judge.agreed += 1,
            Some(JudgeWord::Rejected { .. }) if !is_yes => self.judge.agreed += 1,
            Some(JudgeWord::Approved { .. } | JudgeWord::Rejected { .. }) => self.judge.overruled += 1,
            Some(JudgeWord::NoVerdict | JudgeWord::Unreachable { .. }) | None => {}
            Some(JudgeWord::NeedsPerson { .. } | JudgeWord::RateLimited { .. }) => {}
        }
    }

    /// What needs all of them.
    fn settle(&mut self) {
        self.verified_after.sort_unstable();
        self.iterations_to_verified = self.verified_after.get(self.verified_after.len() / 2).copied();
        self.verified_per_dollar = rate(self.verified, self.microdollars, MICRODOLLARS);
        self.verified_per_hour = rate(self.verified, self.active_ms, HOUR_MS);
        let StatsRefusals { checks, integrity, judge, other } = self.refused;
        let refused = u64::from(checks + integrity + judge + other) * 10_000;
        let share = refused.checked_div(u64::from(self.claims));
        self.refused_bp = share.and_then(|share| u32::try_from(share).ok());
    }
}

fn count(iterations: &[Iteration]) -> u32 {
    u32::try_from(iterations.len()).unwrap_or(u32::MAX)
}

/// The judge's last word up to an iteration.
fn judged(history: &History, until: u32) -> Option<&JudgeWord> {
    let iterations = history.iterations.iter().rev().filter(|iteration| iteration.number <= until);
    iterations.into_iter().find_map(|iteration| iteration.judge.as_ref())
}

/// So many of them for a whole unit, to two digits.
fn rate(number: u32, used: u64, unit: u64) -> Option<f64> {
    if number == 0 {
        return None;
    }
    let hundredths = u128::from(number) * u128::from(unit) * 100;
    let hundredths = hundredths.checked_div(u128::from(used))?;
    Some(f64::from(u32::try_from(hundredths).unwrap_or(u32::MAX)) / 100.0)
}

/// The numbers for programs.
pub fn stats_json(stats: &Stats) -> Value {
    json!({ "version": VERSION, "all": stats.all, "workers": stats.workers })
}

// The numbers as a screen: what is verified first, then who refused what, then each worker in a line.

/// Nothing but a sentence where there is no loop.
pub fn stats(stats: &Stats, look: Look) -> String {
    let all = &stats.all;
    if all.loops == 0 {
        return say("No loop has started yet.").paragraph(look, 0);
    }
    let lines = all.lines().into_iter().map(say);
    let head = say(all.brief()).paragraph(look, 2);
    head + &section(say("all loops"), lines, look) + &table(&stats.workers, look)
}

impl StatsRow {
    /// What stands above [`StatsRow::cells`].
    pub const HEADS: [&'static str; 7] =
        ["worker", "loops", "verified", "iterations", "per dollar", "per hour", "refused"];

    /// Each sentence of a row, for screens and pages.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(iterations) = self.iterations_to_verified {
            lines.push(format!("{} to a verified end (median)", text::iterations(iterations)));
        }
        // Nothing counted is not nothing spent.
        let work = text::duration(self.active_ms);
        let spent = if self.microdollars > 0 {
            format!("{} in {work} of work", dollars(self.microdollars))
        } else {
            format!("{work} of work")
        };
        let rates = [(self.verified_per_dollar, "dollar"), (self.verified_per_hour, "hour")];
        let rates =
            rates.iter().filter_map(|(rate, unit)| Some(format!("{:.2} verified per {unit}", (*rate)?)));
        lines.push(std::iter::once(spent).chain(rates).collect::<Vec<_>>().join("; "));
        lines.push(refusals(self));
        lines.extend(judge(self.judge));
        lines
    }

    /// How its loops ended: `12 loops: 7 verified, 1 attested, 3 failed, 1 unfinished`
    pub fn brief(&self) -> String {
        let parts = [
            (self.verified, "verified"),
            (self.attested, "attested"),
            (self.failed, "ended otherwise"),
            (self.unfinished, "unfinished"),
        ];
        let told = parts.iter().filter(|(number, _)| *number > 0);
        let told: Vec<String> = told.map(|(number, word)| format!("{number} {word}")).collect();
        format!("{}: {}", text::count(self.loops, "loop", "loops"), told.join(", "))
    }

    /// In one line for a table: worker, loops, verified, iterations, per dollar, per hour, refused.
    pub fn cells(&self) -> [String; 7] {
        // It is no zero.
        let unknown = || "–".to_owned();
        let rate = |rate: Option<f64>| rate.map_or_else(unknown, |rate| format!("{rate:.2}"));
        [
            self.worker.as_ref().map_or_else(|| "all".to_owned(), StatsWorker::name),
            self.loops.to_string(),
            self.verified.to_string(),
            self.iterations_to_verified.map_or_else(unknown, |iterations| iterations.to_string()),
            rate(self.verified_per_dollar),
            rate(self.verified_per_hour),
            self.refused_bp.map_or_else(unknown, percent),
        ]
    }
}

impl StatsWorker {
    /// `claude`, `claude:opus`
    pub fn name(&self) -> String {
        match &self.model {
            Some(model) => format!("{}:{model}", self.agent),
            None => self.agent.clone(),
        }
    }
}

fn percent(basis_points: u32) -> String {
    format!("{} %", (basis_points + 50) / 100)
}

fn refusals(row: &StatsRow) -> String {
    let StatsRefusals { checks, integrity, judge, other } = row.refused;
    let by =
        [(checks, "the checks"), (integrity, "the integrity gate"), (judge, "the judge"), (other, "others")];
    let by = by.iter().filter(|(number, _)| *number > 0);
    let by: Vec<String> = by.map(|(number, who)| format!("{number} by {who}")).collect();
    let claims = text::count(row.claims, "claim", "claims");
    match row.refused_bp.filter(|_| !by.is_empty()) {
        Some(share) => format!("{claims}, {} refused: {}", percent(share), by.join(", ")),
        None => format!("{claims}, none refused"),
    }
}

fn judge(judge: StatsJudge) -> Option<String> {
    let StatsJudge { approved, rejected, agreed, overruled } = judge;
    if approved + rejected == 0 {
        return None;
    }
    let said = format!("judges approved {approved} and rejected {rejected}");
    Some(match agreed + overruled {
        0 => format!("{said}; no person has reviewed the same work since"),
        decided => format!("{said}; people decided on {decided} of them since, and agreed with {agreed}"),
    })
}

fn table(workers: &[StatsRow], look: Look) -> String {
    let rows = std::iter::once(StatsRow::HEADS.map(str::to_owned)).chain(workers.iter().map(StatsRow::cells));
    let told = rows.map(|row| row.map(|cell| text::one_line(&look.language.tell(&cell))).to_vec());
    let lines = text::aligned(&told.collect::<Vec<_>>());
    if lines.iter().any(|line| text::columns(line) > look.columns()) {
        return workers.iter().map(|row| stacked(row, look)).collect();
    }
    format!("\n{}", lines.into_iter().map(|line| cut(say(line), look)).collect::<String>())
}

/// Where a table does not fit.
fn stacked(row: &StatsRow, look: Look) -> String {
    let [name, ..] = row.cells();
    let lines = std::iter::once(row.brief()).chain(row.lines()).map(say);
    section(say(name), lines, look)
}
