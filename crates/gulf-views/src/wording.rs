//! The engine's values in the words that the log, the last screen and the reports share.

use crate::phrase::{Phrase, attention, failed, say, secondary, verified};
use crate::text;
use gulf_engine::{
    Again, Baseline, By, Canary, Candidate, ChangedPlace, CheckName, CheckRun, CheckTerms, CheckVerdict,
    EffectKind, ElsewhereRuns, Finding, Gate, Hindrance, Integrity, JudgeWord, OnFindings, Overlay, Proof,
    Reviewer, Settlement, State, Step, TestCounts, Words,
};
use std::collections::BTreeMap;

/// How many names a line lists before it says how many more there are.
const NAMES_LISTED_MAX: usize = 3;

/// A check's word on the candidate: `passed · 12 tests · 3.1s`, `FAILED exit 101 · 1 failed, 12 passed · 3.1s`.
pub(crate) fn check_run(run: &CheckRun) -> Phrase {
    check_word(run).join(details(run))
}

/// The word alone: `passed`, `FAILED exit 101`.
pub(crate) fn check_word(run: &CheckRun) -> Phrase {
    match &run.verdict {
        CheckVerdict::Green { .. } => verified("passed"),
        CheckVerdict::Red { .. } => {
            failed(run.exit.map_or_else(|| "FAILED".to_owned(), |exit| format!("FAILED exit {exit}")))
        }
        CheckVerdict::Unrunnable { hindrance: Hindrance::CutShort, .. } => failed("CUT SHORT"),
        CheckVerdict::Unrunnable { .. } => failed("COULD NOT RUN"),
    }
}

/// Of a check that did not say yes, in one line: what its report names, else what it printed last, else its exit code.
pub(crate) fn failed_check(name: &CheckName, run: &CheckRun, printed: Option<&str>) -> Option<String> {
    let summary = Some(run.summary.trim()).filter(|summary| !summary.is_empty());
    let words = summary.or(printed).map(text::one_line);
    match (&run.verdict, words, run.exit) {
        (CheckVerdict::Green { .. }, ..) => None,
        (CheckVerdict::Red { .. }, Some(words), _) => Some(format!("check {name} failed: {words}")),
        (CheckVerdict::Red { .. }, None, Some(exit)) => {
            Some(format!("check {name} failed with exit code {exit}"))
        }
        (CheckVerdict::Red { .. }, None, None) => Some(format!("check {name} failed")),
        (CheckVerdict::Unrunnable { hindrance: Hindrance::CutShort, .. }, Some(words), _) => {
            Some(format!("check {name} was cut short: {words}"))
        }
        (CheckVerdict::Unrunnable { .. }, Some(words), _) => {
            Some(format!("check {name} could not run: {words}"))
        }
        (CheckVerdict::Unrunnable { .. }, None, Some(exit)) => {
            Some(format!("check {name} could not run with exit code {exit}"))
        }
        (CheckVerdict::Unrunnable { .. }, None, None) => Some(format!("check {name} could not run")),
    }
}

/// A check's word on the base, where a failure is no bad news: it shows that the check can say no.
pub(crate) fn base_run(run: &CheckRun) -> Phrase {
    let word = match &run.verdict {
        CheckVerdict::Green { .. } => "passes".to_owned(),
        CheckVerdict::Red { .. } => {
            run.exit.map_or_else(|| "fails".to_owned(), |exit| format!("fails, exit {exit}"))
        }
        CheckVerdict::Unrunnable { hindrance: Hindrance::CutShort, .. } => "was cut short".to_owned(),
        CheckVerdict::Unrunnable { .. } => "could not run".to_owned(),
    };
    say(word).join(details(run))
}

/// What stands behind the word: counts, time and a line for people, each after a ` · `.
pub(crate) fn details(run: &CheckRun) -> Phrase {
    let mut phrase = Phrase::new();
    if let CheckVerdict::Green { repaired } = &run.verdict
        && *repaired > 0
    {
        let repaired = text::count(*repaired, "known failure", "known failures");
        phrase = phrase.say(format!(" · {repaired} of the base repaired"));
    }
    if let Some(tests) = run.tests {
        phrase = phrase.say(format!(" · {}", counts(tests)));
    }
    let duration = secondary(format!(" · {}", text::duration(run.duration_ms)));
    phrase = phrase.join(duration);
    let is_green = matches!(run.verdict, CheckVerdict::Green { .. });
    if run.summary.trim().is_empty() || (is_green && run.tests.is_some()) {
        return phrase;
    }
    phrase.secondary(format!(" · {}", run.summary.trim()))
}

fn counts(tests: TestCounts) -> String {
    let mut counts = if tests.failed == 0 {
        text::count(tests.passed, "test", "tests")
    } else {
        format!("{} failed, {} passed", tests.failed, tests.passed)
    };
    if tests.skipped > 0 {
        counts.push_str(&format!(", {} skipped", tests.skipped));
    }
    counts
}

pub(crate) fn integrity(integrity: &Integrity) -> Phrase {
    let canary = integrity.canary.as_ref().map_or_else(String::new, canary);
    let again = integrity.again.as_ref().map_or_else(String::new, again);
    let elsewhere = integrity.elsewhere.as_ref().map_or_else(String::new, elsewhere);
    compared(integrity).say(canary).say(again).say(elsewhere)
}

/// What was asked again, and what that cost.
fn again(Again { runs, duration_ms, failed }: &Again) -> String {
    let runs = cost(*runs, *duration_ms);
    let said = if *failed { "and failed" } else { "and passed" };
    format!("; the proving tests ran again {said} ({runs})")
}

/// What came of other inputs, and what that cost.
fn elsewhere(ElsewhereRuns { runs, duration_ms, is_new, is_cut }: &ElsewhereRuns) -> String {
    let runs = cost(*runs, *duration_ms);
    if *is_cut {
        return format!("; the time for other inputs than the tests' own ran out ({runs})");
    }
    let said = if *is_new { "new answers" } else { "no new answer" };
    format!("; other inputs than the tests' own get {said} ({runs})")
}

fn cost(runs: u32, duration_ms: u64) -> String {
    let runs = text::count(usize::try_from(runs).unwrap_or(usize::MAX), "run", "runs");
    format!("{runs}, {}", text::duration(duration_ms))
}

/// Can the suite fail that proves the work, and what did it cost to see that?
fn canary(canary: &Canary) -> String {
    match canary {
        Canary::Red { test, runs, duration_ms } => {
            format!("; {test} fails when its expectation is changed ({})", cost(*runs, *duration_ms))
        }
        Canary::Green { runs, duration_ms } => {
            format!("; no test fails when its expectation is changed ({})", cost(*runs, *duration_ms))
        }
        Canary::Nothing => "; no expected value to break was found".to_owned(),
    }
}

/// What was changed of the base's tests and of what decides about them.
pub(crate) fn compared(integrity: &Integrity) -> Phrase {
    let Integrity { findings, cleared, .. } = integrity;
    let all = |all: &[Finding]| format!(": {}", listed(all.iter().map(finding), "; "));
    if !findings.is_empty() {
        let found = text::count(findings.len(), "finding", "findings");
        return attention(format!("{found} in tests, runner settings or code")).attention(all(findings));
    }
    let verb = match cleared.as_slice() {
        [] => return verified("existing tests and runner configuration are unchanged"),
        [_] => "hides",
        [_, _, ..] => "hide",
    };
    let changes = text::count(cleared.len(), "change", "changes");
    verified(format!("{changes} to tests of the base {verb} nothing")).say(all(cleared))
}

pub(crate) fn finding(finding: &Finding) -> String {
    format!("{}: {}", finding.path, finding.what)
}

pub(crate) fn overlay(overlay: &Overlay) -> Phrase {
    match overlay {
        Overlay::Red { by } => verified("seen to fail without the change").say(format!(": {}", names(by))),
        Overlay::Noticed { errors } => verified(format!("the checks turn red for {}", of_errors(*errors))),
        Overlay::Unnoticed { errors, places } => {
            let number = places.len();
            attention(format!("the checks stay green for {number} of {}", of_errors(*errors)))
                .say(format!(": {}", names(places)))
        }
        Overlay::NotShown { why } => {
            attention("no new test fails without the change").say(format!(": {why}"))
        }
    }
}

fn of_errors(errors: u32) -> String {
    match errors {
        1 => "the one error put into the changed lines".to_owned(),
        _ => format!("{errors} errors put into the changed lines, one at a time"),
    }
}

/// The judge's word alone: `approved`, `REJECTED`.
pub(crate) fn judge_word(word: &JudgeWord) -> Phrase {
    match word {
        JudgeWord::Approved { .. } => verified("approved"),
        JudgeWord::Rejected { .. } => failed("REJECTED"),
        JudgeWord::NoVerdict => attention("no verdict"),
        JudgeWord::Unreachable { .. } => attention("out of reach"),
        JudgeWord::NeedsPerson { .. } => failed("COULD NOT WORK"),
        JudgeWord::RateLimited { .. } => attention("rate limited"),
    }
}

/// The same, and what a person should know of it.
pub(crate) fn judge(word: &JudgeWord) -> Phrase {
    judge_word(word).say(judge_detail(word))
}

fn judge_detail(word: &JudgeWord) -> String {
    match word {
        JudgeWord::Approved { evidence_inside, findings } => {
            let inside = match evidence_inside {
                0 => "no criterion".to_owned(),
                number => text::count(*number, "criterion", "criteria"),
            };
            let follow = match findings {
                OnFindings::Silent => "",
                OnFindings::Follow => " · the changed tests follow from the goal",
            };
            format!(" · {inside} with evidence inside the change{follow}")
        }
        JudgeWord::Rejected { .. } => " · see JUDGE_FEEDBACK.md".to_owned(),
        JudgeWord::NoVerdict => " · counts as neither approval nor rejection".to_owned(),
        JudgeWord::NeedsPerson { why } => format!(": {why}"),
        JudgeWord::Unreachable { .. } | JudgeWord::RateLimited { wait_ms: 0 } => String::new(),
        JudgeWord::RateLimited { wait_ms } => {
            format!(" · asked again after {}", text::duration(*wait_ms))
        }
    }
}

/// What was seen to fail without the change, and how.
pub(crate) fn proof(proof: &Proof) -> String {
    match proof {
        Proof::BaseRed { check } => format!("check {check} fails on the base"),
        Proof::Repaired { check } => format!("check {check}: tests that fail on the base pass now"),
        Proof::NewTest { tests } => format!("new tests that fail on the base's code: {}", names(tests)),
        Proof::Mutants { errors } => format!("the checks turn red for {}", of_errors(*errors)),
        Proof::Criterion => "a criterion is met by evidence inside the change".to_owned(),
    }
}

/// How a denial begins that was no command.
pub(crate) const TOOL: &str = "tool ";
/// What no setting allows.
pub(crate) const PUSH: &str = "git push";

/// Would `[agent] allow` let it pass?
pub(crate) fn is_allowable(what: &str) -> bool {
    !what.starts_with(TOOL) && what != PUSH
}

/// What the agent was not allowed to do: `git push 3 times`.
pub(crate) fn denied(what: &str, times: u32) -> String {
    format!("{what} {}", text::count(times, "time", "times"))
}

/// Since a person last looked.
pub(crate) fn all_denied(state: &State) -> Vec<String> {
    state.denials.iter().map(|(what, times)| denied(what, *times)).collect()
}

/// The first names, and how many more there are.
pub(crate) fn names(names: &[String]) -> String {
    listed(names.iter().map(String::as_str), ", ")
}

fn listed<T: Into<String>>(all: impl ExactSizeIterator<Item = T>, between: &str) -> String {
    let more = all.len().saturating_sub(NAMES_LISTED_MAX);
    let listed: Vec<String> = all.take(NAMES_LISTED_MAX).map(Into::into).collect();
    let listed = listed.join(between);
    if more == 0 { listed } else { format!("{listed} and {more} more") }
}

/// Files that somebody changed while no turn ran.
pub(crate) fn edited(paths: &[String], more: u32) -> String {
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let paths = paths.join(", ") + &more;
    format!("changed while no turn ran, so not by the worker: {paths}")
}

/// What the worker changed beyond its brief; nothing where it put that back.
pub(crate) fn researched(changed: &[String], more: u32) -> Option<String> {
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    (!changed.is_empty()).then(|| format!("changed besides the brief and kept: {}{more}", changed.join(", ")))
}

pub(crate) fn tail_dropped(bytes: u64) -> String {
    format!("the journal's unfinished last line was set aside ({})", text::count(bytes, "byte", "bytes"))
}

/// What became of the marker, where that is what was taken in.
pub(crate) fn marker_edit(request: &str) -> Option<&'static str> {
    match request {
        "marker: taken away" => Some(".claude/gulf-loop.local.md was deleted"),
        "marker: active: false" => Some(".claude/gulf-loop.local.md says `active: false`"),
        _ => None,
    }
}

/// Who it was, where a channel brought it.
pub(crate) fn sender(by: &Option<By>) -> String {
    by.as_ref().map_or_else(String::new, |by| format!(" ({} by {})", text::one_line(&by.who), by.channel))
}

pub(crate) fn reviewing(by: Reviewer) -> &'static str {
    match by {
        Reviewer::Qa => "the QA review",
        Reviewer::Security => "the security review",
        Reviewer::Documents => "the documentation review",
    }
}

pub(crate) fn thinking(step: Step) -> &'static str {
    match step {
        Step::Analyze => "the analysis",
        Step::Plan => "the plan",
        Step::Criticize => "the plan's critic",
        Step::Cause => "the cause of the failure",
    }
}

pub(crate) fn work(work: &EffectKind) -> String {
    match work {
        EffectKind::Step { step } => thinking(*step).to_owned(),
        EffectKind::Turn => "the turn".to_owned(),
        EffectKind::FollowUp => "the follow-up".to_owned(),
        EffectKind::Snapshot => "the candidate".to_owned(),
        EffectKind::Check { name } => format!("check {name}"),
        EffectKind::Probe { name } => format!("check {name} on the base"),
        EffectKind::Integrity => "comparing the tests".to_owned(),
        EffectKind::Overlay => "the new tests on the base's code".to_owned(),
        EffectKind::Judge => "the judge".to_owned(),
        EffectKind::Review { by } => reviewing(*by).to_owned(),
        EffectKind::Land => "the landing".to_owned(),
        EffectKind::Close => "recording the task".to_owned(),
    }
}

/// An effect that the world did not let come to its end.
pub(crate) fn undone(work: &EffectKind) -> String {
    let what = self::work(work);
    if *work == EffectKind::Snapshot {
        format!("{what} could not be built")
    } else if matches!(work, EffectKind::Judge | EffectKind::Review { .. }) {
        format!("{what} could not be asked")
    } else {
        format!("{what} could not be completed")
    }
}

/// What came of an iteration, in a few words.
pub(crate) fn settled(settlement: Settlement) -> &'static str {
    match settlement {
        Settlement::Research => "the brief is incomplete",
        Settlement::Unclaimed => "goes on",
        Settlement::AgentFailed => "tried again",
        Settlement::Refused { gate: Gate::Tasks } => "refused: the list of tasks is not done",
        Settlement::Refused { gate: Gate::Checks } => "refused by the checks",
        Settlement::Refused { gate: Gate::Feedback } => "refused by what was measured",
        Settlement::Refused { gate: Gate::Integrity } => "refused by the integrity gate",
        Settlement::Refused { gate: Gate::Judge } => "refused by the judge",
        Settlement::Refused { gate: Gate::Approach } => "refused: an approach that was rejected before",
        Settlement::Refused { gate: Gate::Landing } => "did not work together with the base branch",
        Settlement::Asked => "asked for a test, or a reason",
        Settlement::Approved => "approved; continues",
        Settlement::Questioned => "a person is asked",
        Settlement::Rejected => "refused by a person",
        Settlement::RateLimited => "tried again after the wait",
        Settlement::NeedsPerson => "waits for a person, then tries again",
        Settlement::Blocked => "postponed: another task comes first",
        Settlement::Unjudged => "no verdict; continues",
        Settlement::Declined => "the model declined",
        Settlement::Steered => "passed; a person's note is to be read first",
    }
}

/// A note that nobody worked on after it was left.
pub(crate) fn unread(state: &State) -> Option<String> {
    let notes = state.unread_notes();
    let first = text::first_line(notes.first()?);
    let more = if notes.len() > 1 { format!(", and {} more", notes.len() - 1) } else { String::new() };
    Some(format!(
        "The worker read no note that was left after its last turn began: \u{201c}{first}\u{201d}{more}."
    ))
}

/// The names of the checks that did not say yes.
pub(crate) fn red_checks(runs: &BTreeMap<CheckName, CheckRun>) -> Vec<String> {
    runs.iter().filter(|(_, run)| !run.is_green()).map(|(name, _)| name.to_string()).collect()
}

/// With the checks that were red.
pub(crate) fn settled_with(settlement: Settlement, red: &[String]) -> String {
    let red = if red.is_empty() { String::new() } else { format!(" ({})", red.join(", ")) };
    format!("{}{red}", settled(settlement))
}

/// What was agreed on about each check.
pub(crate) fn checks(state: &State) -> impl Iterator<Item = &CheckTerms> {
    state.contract().into_iter().flat_map(|contract| &contract.checks)
}

/// Was it agreed that what fails of this check before the loop may fail after it?
pub(crate) fn is_accepted(state: &State, name: &CheckName) -> bool {
    checks(state).any(|terms| terms.name == *name && terms.baseline == Baseline::Accepted)
}

/// Where no test passed on the base, a baseline would leave a check that tests nothing.
pub(crate) fn is_acceptable(base: &CheckRun) -> bool {
    base.tests.is_some_and(|tests| tests.passed > 0)
}

/// `checked: commit d0d0… (tree 7a7a…)`.
pub(crate) fn candidate(label: &str, candidate: &Candidate) -> Phrase {
    let tree = format!(" (tree {})", text::short(candidate.tree.as_str()));
    say(label).literal(candidate.commit.as_str()).secondary(tree)
}

/// Is the command something else than the check's name?
pub(crate) fn is_worth_telling(command: &str, name: &CheckName) -> bool {
    !command.is_empty() && command != name.as_str()
}

/// What follows a check's word on the candidate where it was asked about the base too.
pub(crate) fn beside_the_base(base: &CheckRun) -> &'static str {
    match base.verdict {
        CheckVerdict::Green { .. } => " · passes on the base too",
        CheckVerdict::Red { .. } => " · fails on the base",
        CheckVerdict::Unrunnable { .. } => " · could not run on the base",
    }
}

/// What the gates said about the candidate in hand.
pub(crate) fn words_in_hand(state: &State) -> Option<&Words> {
    state.unit.words.get(&state.candidate()?.tree)
}

/// And about the one that was settled last.
pub(crate) fn newest_words(state: &State) -> impl Iterator<Item = &Words> {
    let settled = state.unit.trees.last().and_then(|tree| state.unit.words.get(tree));
    words_in_hand(state).into_iter().chain(settled)
}

/// What a person is asked about changed tests: each place as it was and as it is, what the base's own tests and the judge say.
pub(crate) fn changed_tests(state: &State) -> Vec<String> {
    let Some(words) = newest_words(state).next() else { return Vec::new() };
    let Some(Integrity { findings, base_tests_fail, expectations, .. }) = &words.integrity else {
        return Vec::new();
    };
    let mut lines: Vec<String> = findings.iter().map(finding).collect();
    for ChangedPlace { path, old, new } in expectations {
        lines.push(format!("{path}:"));
        lines.extend(old.iter().map(|line| format!("  - {line}")));
        lines.extend(new.iter().map(|line| format!("  + {line}")));
    }
    let follow = matches!(words.judge, Some(JudgeWord::Approved { findings: OnFindings::Follow, .. }));
    let judge = "The judge says that they follow from the goal.";
    let judge = if follow { judge } else { "The judge said nothing about them." };
    lines.extend(words.judge.as_ref().map(|_| judge.to_owned()));
    if *base_tests_fail {
        lines.push("The base's own tests fail on the work.".to_owned());
    }
    lines
}
