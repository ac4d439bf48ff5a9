//! Changing what was agreed: a person's act, journalled, and never in place (SPEC B1, G9).
//!
//! Most of a contract stays for good: what is done, from where, by whom and in which surroundings. Only how the work
//! is checked, what it may cost and what the agent may do besides can be agreed on anew.

use std::num::NonZeroU32;

use gulf_engine::{CheckName, Fact, Gate, Limits, Policy, State, TaskLimit};
use gulf_host::files;
use gulf_host::process::sweep;
use gulf_spec::config::{Config, Key, SettingLayer};
use gulf_spec::rubric;
use gulf_spec::text::Source;

use crate::agreement::{Agreement, HeldOut, JudgeTerms, SealedCheck, Tool, engine_digest};
use crate::error::RunError;
use crate::held_out;
use crate::place::PlaceOfWork;
use crate::plan::{CheckNeed, PlanRequest, Questions, Result, compose, flags, limits, reserve};
use crate::recovery::cut_off;
use crate::start::{Held, rubric_text};
use crate::texts::{AUTOCHECKS, RUBRIC, TEXT_BYTES_MAX};

/// Texts that a person accepts together with the checks and criteria in them.
const ACCEPTED_TEXTS: [&str; 2] = [RUBRIC, "gulf.toml"];

/// The rubric as it was sealed and as it is now, where the two differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubricDrift {
    pub path: String,
    pub sealed: String,
    pub now: String,
}

/// How the file of criteria and checks differs from what was sealed.
pub fn drift(sealed: &Agreement) -> Option<RubricDrift> {
    let now = rubric_text(sealed.stated_in(), &sealed.rubric);
    (now != sealed.rubric_text).then(|| RubricDrift {
        path: sealed.rubric.to_string(),
        sealed: sealed.rubric_text.clone().unwrap_or_default(),
        now: now.unwrap_or_default(),
    })
}

/// The settings that hold for a loop whatever gulf.toml says, as flags.
pub fn settings(sealed: &Agreement) -> Vec<(Key, String)> {
    let mut settings = flags(&sealed.said);
    let tool = match &sealed.agent.tool {
        Tool::Command { command } => format!("command:{command}"),
        tool @ Tool::Agent { .. } => tool.to_string(),
    };
    settings.push((Key::AgentTool, tool));
    settings
}

/// The contract with the checks and criteria that the project states now; `config` is read with [`settings`] on top.
pub fn with_present_checks(place: &PlaceOfWork, sealed: &Agreement, config: &Config) -> Result<Agreement> {
    let no_check_needed = sealed.policy.caps.contains(&gulf_engine::Cause::NoCheck);
    let request = PlanRequest {
        goal: sealed.goal.clone(),
        rubric: (sealed.rubric != RUBRIC).then(|| sealed.rubric.clone()),
        evidence: if no_check_needed { CheckNeed::Waived } else { CheckNeed::Required },
        questions: Questions::Ignored,
        worker: sealed.worker.clone(),
        spec: sealed.spec.clone(),
    };
    let Agreement { checks, criteria, judge, policy, project_folder, .. } =
        compose(place, config, request)?.terms;
    let mut texts = sealed.texts.clone();
    for name in ACCEPTED_TEXTS {
        match files::read_bytes(&sealed.stated_in().join(name), TEXT_BYTES_MAX) {
            Ok(bytes) => texts.insert(name.to_owned(), engine_digest(&bytes)),
            Err(_) => texts.remove(name),
        };
    }
    let now = rubric_text(sealed.stated_in(), &sealed.rubric);
    // The list of tasks is no check: whatever the project says by now, it stays as it was sealed.
    let list = sealed.policy.gates.contains(&Gate::Tasks).then_some(Gate::Tasks);
    Ok(Agreement {
        checks: kept_scripts(sealed, checks),
        criteria,
        judge: judge.map(|judge| kept_judge(sealed, judge, now.as_deref())),
        rubric_text: now,
        // The criteria are those of this text; whether there is such a folder stays.
        project_folder: sealed.project_folder.clone().map(|sealed| project_folder.unwrap_or(sealed)),
        texts,
        policy: Policy {
            gates: list.into_iter().chain(policy.gates).collect(),
            caps: policy.caps,
            judge: policy.judge,
            rejections: policy.rejections,
            ..sealed.policy.clone()
        },
        ..sealed.clone()
    })
}

/// The script of checks is sealed with its text, which lies with the loop: it neither comes nor goes. A folder that is held
/// out stays as it was copied.
fn kept_scripts(sealed: &Agreement, checks: Vec<SealedCheck>) -> Vec<SealedCheck> {
    let script = sealed.checks.iter().find(|check| check.origin == AUTOCHECKS).cloned();
    let kept = |mut check: SealedCheck| {
        let before = sealed.check(&check.name).and_then(|before| before.held_out.as_ref());
        if let (Some(HeldOut::Folder { from, .. }), Some(HeldOut::Folder { from: was, .. })) =
            (&check.held_out, before)
            && from == was
        {
            check.held_out = before.cloned();
        }
        check
    };
    checks.into_iter().filter(|check| check.origin != AUTOCHECKS).map(kept).chain(script).collect()
}

/// Who judges stays, with the model that the rubric names by now: a worker can write gulf.toml, too.
fn kept_judge(sealed: &Agreement, now: JudgeTerms, rubric: Option<&str>) -> JudgeTerms {
    let Some(before) = sealed.judge.clone() else { return now };
    let model =
        |text: &str| rubric::parse(&Source::new(sealed.rubric.as_str(), text)).model.map(|item| item.text);
    let (was, is) = (sealed.rubric_text.as_deref().and_then(model), rubric.and_then(model));
    let tool = match before.tool.known() {
        Some((agent, _)) if was != is => Tool::for_agent(agent, is),
        Some(_) | None => before.tool,
    };
    JudgeTerms { tool, ..before }
}

/// The contract with the limits that flags of `config` name, and what the agent may do besides; the rest stays.
pub fn with_flags(sealed: &Agreement, config: &Config) -> Agreement {
    let is_said = |key: Key| config.origin(key).is_some_and(|origin| origin.layer == SettingLayer::Flag);
    let (sealed_limits, said) = (sealed.policy.limits, limits(config, Some(&sealed.agent.tool)));
    let by = |key: Key| if is_said(key) { said } else { sealed_limits };
    let limits = Limits {
        iterations_max: by(Key::LimitsMaxIterations).iterations_max,
        active_ms_max: by(Key::LimitsMaxDuration).active_ms_max,
        microdollars_max: by(Key::LimitsMaxCost).microdollars_max,
        tokens_max: by(Key::LimitsMaxTokens).tokens_max,
        turns_per_hour: by(Key::LimitsTurnsPerHour).turns_per_hour,
        ..sealed_limits
    };
    let limits = Limits { reserve: reserve(Some(&sealed.agent.tool), limits.tokens_max), ..limits };
    let mut agent = sealed.agent.clone();
    let new = config.list(Key::AgentAllow).iter().filter(|one| !sealed.agent.allow.contains(one));
    agent.allow.extend(new.cloned());
    Agreement { agent, policy: Policy { limits, ..sealed.policy.clone() }, ..sealed.clone() }
}

/// The contract with so many more iterations for the task in hand; the limit of no task becomes lower.
pub fn with_more_iterations(sealed: &Agreement, state: &State, more: NonZeroU32) -> Agreement {
    let limits = sealed.policy.limits;
    let used = NonZeroU32::new(state.unit.iterations);
    let most = used.map_or(more, |used| used.saturating_add(more.get()));
    let limits = Limits { iterations_max: limits.iterations_max.max(most), ..limits };
    Agreement { policy: Policy { limits, ..sealed.policy.clone() }, ..sealed.clone() }
}

/// The contract under which the loop ends where a task comes to no end.
pub fn with_stop_at_limit(sealed: &Agreement) -> Agreement {
    let policy = Policy { task_limit: TaskLimit::Stop, ..sealed.policy.clone() };
    Agreement { policy, ..sealed.clone() }
}

/// What a person should know before they accept it, each in one line.
pub fn changes(before: &Agreement, after: &Agreement) -> Vec<String> {
    let mut changes = check_changes(before, after);
    let lists = [("no longer asked", before, after), ("newly asked", after, before)];
    for (what, one, other) in lists {
        let only = one.criteria.iter().filter(|criterion| !other.criteria.contains(criterion));
        changes.extend(only.map(|criterion| format!("criterion {what}: {criterion}")));
    }
    let judge = |agreement: &Agreement| {
        agreement.judge.as_ref().map_or_else(|| "nobody".to_owned(), |judge| judge.tool.to_string())
    };
    if judge(before) != judge(after) {
        changes.push(format!("judge: {}, before: {}", judge(after), judge(before)));
    }
    let threshold = |agreement: &Agreement| agreement.policy.rejections.threshold;
    if threshold(before) != threshold(after) {
        changes.push(format!(
            "a person is asked after {} rejections in a row, before: {}",
            threshold(after),
            threshold(before)
        ));
    }
    changes
}

fn check_changes(before: &Agreement, after: &Agreement) -> Vec<String> {
    let missing = |one: &Agreement, other: &Agreement| -> Vec<CheckName> {
        one.checks.iter().map(|check| check.name.clone()).filter(|name| other.check(name).is_none()).collect()
    };
    let gone = missing(before, after).into_iter().map(|name| format!("check gone: {name}"));
    let new = missing(after, before).into_iter().map(|name| format!("check new: {name}"));
    let changed = after.checks.iter().filter(|check| {
        // Where it stands in its file says nothing.
        let same = |one: &SealedCheck| SealedCheck { origin: check.origin.clone(), ..one.clone() } == **check;
        before.check(&check.name).is_some_and(|one| !same(one))
    });
    let changed = changed.map(|check| format!("check changed: {}: {}", check.name, check.command));
    gone.chain(new).chain(changed).collect()
}

/// Puts the loop under another contract. What an earlier driver left running is over first.
pub fn amend(held: &mut Held, mut agreement: Agreement, at_ms: u64) -> Result<(), RunError> {
    held_out::seal(&mut agreement.checks, &held.resources.folder)?;
    sweep(&held.resources.mark_prefix());
    let contract = Box::new(agreement.contract()?);
    agreement.seal(&held.resources.folder)?;
    // What waits to land was verified under the contract that ends here.
    let mut facts = cut_off(held.book.state(), &held.resources.folder)?;
    facts.push(Fact::Amended { contract });
    held.book.add(facts, at_ms)?;
    held.resources.agreement = agreement;
    Ok(())
}
