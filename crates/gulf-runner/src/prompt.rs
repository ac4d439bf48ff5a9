//! What a turn's prompt says: a function of the journal's fold and of the runs kept beside it.
//! The first one, before a loop has started, is composed of the same contract by the same function.

use gulf_agents::judge::{self, JudgeRecord, Outcome};
use gulf_engine::{
    Baseline, CheckRun, EffectKey, Finding, Gate, Overlay, Policy, Research, Resemblance, Settlement, Step,
    TreeId, UnitId, Worker,
};
use gulf_host::files;
use gulf_spec::progress::{self, BriefGap, SeedBrief};
use gulf_spec::prompts::{
    self, Advice, BranchTold, Fix, FollowUpBrief, IterationBrief, OneOfSeveral, OwnSteps, ResearchBlock,
    VersionControl,
};
use gulf_spec::text::Source;

use crate::agreement::{Agreement, RepositoryKind, SealedCheck, SealedText, engine_digest, short};
use crate::book::Fold;
use crate::checks::{RunEnd, RunRecord};
use crate::error::{Result, RunError};
use crate::held_out::{failed_check, shown_checks};
use crate::judge::refusals;
use crate::landing::{landing_fixes, last_iteration, newest};
use crate::orientation::cold_starts;
use crate::parts::left_out_fixes;
use crate::place::PlaceOfWork;
use crate::project_folder::notepad;
use crate::ralph::{awaits_signal, list_brief, list_fixes};
use crate::resources::AgentEffect;
use crate::texts::TEXT_BYTES_MAX;
use crate::thoughts::kept_thoughts;
use crate::{context, group, measuring, notes, project_folder, tasks};

/// Of what a judge's program said instead of a verdict.
const SILENCE_CHARS_MAX: usize = 1_000;
/// From the second time on, the prompt says so.
const ADVICE_MIN: u32 = 2;

/// The first prompt of a loop that has not started.
pub fn first_prompt(place: &PlaceOfWork, sealed: &Agreement) -> Result<String, RunError> {
    let read = |path: &str| files::read_text(&place.project.join(path), TEXT_BYTES_MAX);
    let text = |path: &str| read(path).map(|text| text.content).unwrap_or_default();
    // Whatever lies there is from before this loop.
    let mut gaps = progress::brief_gaps(&text("progress.txt"));
    if gaps.is_empty() {
        gaps.push(BriefGap::Stale);
    }
    let brief = IterationBrief {
        task: tasks::first(sealed, &text(tasks::LOG)),
        research: research(&sealed.policy, 1, 0, gaps),
        context: context::first(&place.project, sealed),
        notepad: sealed.project_folder.as_ref().map(|_| project_folder::first()),
        ..first_brief(sealed, repository(place.kind(), &[]), UnitId(0))
    };
    write(&brief, sealed.prompt_template.as_ref())
}

/// What the contract alone says of a turn, where nothing has happened yet.
fn first_brief(sealed: &Agreement, repository: VersionControl, unit: UnitId) -> IterationBrief {
    let policy = &sealed.policy;
    IterationBrief {
        goal: sealed.goal.clone(),
        iteration: 1,
        iterations_max: policy.limits.iterations_max.get(),
        attempt: 1,
        completion_promise: sealed.completion_promise.clone(),
        checks: shown_checks(&sealed.checks),
        criteria: if sealed.judge.is_some() { sealed.criteria_of(unit) } else { Vec::new() },
        repository,
        branch: own_branch(sealed),
        milestone_every: policy.milestone_every.map_or(0, std::num::NonZeroU32::get),
        tests_may_change: sealed.verification.tests_may_change.clone(),
        is_planned: policy.steps.iter().any(|terms| terms.step == Step::Plan),
        ..IterationBrief::default()
    }
}

fn own_branch(sealed: &Agreement) -> Option<BranchTold> {
    let landing = sealed.landing.as_ref()?;
    Some(BranchTold {
        name: short(&landing.branch).to_owned(),
        base: short(&landing.base).to_owned(),
        place: landing.place,
        worker: group::worker(sealed).map(|worker| OneOfSeveral {
            number: worker.number,
            of: worker.of,
            strategy: worker.strategy.clone(),
        }),
    })
}

fn write(brief: &IterationBrief, template: Option<&SealedText>) -> Result<String, RunError> {
    let template = template.map(|own| Source::new(own.path.as_str(), &own.text));
    Ok(prompts::iteration(brief, template.as_ref())?)
}

fn repository(kind: RepositoryKind, dirty_paths: &[String]) -> VersionControl {
    match kind {
        RepositoryKind::Own => VersionControl::Git { dirty_paths: dirty_paths.to_vec() },
        RepositoryKind::Shadow => VersionControl::Without,
    }
}

fn research(policy: &Policy, iteration: u32, repeats: u32, gaps: Vec<BriefGap>) -> ResearchBlock {
    match policy.research {
        Research::Gate | Research::Brief if iteration == 1 => ResearchBlock::Gate {
            gaps,
            attempt: repeats + 1,
            attempts_max: policy.retries.research_max.get() + 1,
        },
        Research::Inline if iteration == 1 => ResearchBlock::Inline { gaps },
        Research::Gate | Research::Brief | Research::Inline | Research::Off => ResearchBlock::Nothing,
    }
}

/// What is said to the worker of an iteration.
impl AgentEffect<'_> {
    /// The prompt of this turn.
    pub(crate) fn prompt(&self) -> Result<String> {
        let brief = self.iteration_brief()?;
        context::keep(&self.resources.folder, self.key, &brief.context.layers)?;
        Ok(self.resources.mask.owned(write(&brief, self.resources.agreement.prompt_template.as_ref())?))
    }

    /// The same as a session is told it: all of it, and the part that it is told at once.
    pub(crate) fn session_prompt(&self, path: &camino::Utf8Path) -> Result<(String, String)> {
        let brief = self.iteration_brief()?;
        context::keep(&self.resources.folder, self.key, &brief.context.layers)?;
        let whole = write(&brief, self.resources.agreement.prompt_template.as_ref())?;
        let whole = match self.program_by_path() {
            Some(path) => with_program(&whole, path.as_str()),
            None => whole,
        };
        Ok((
            self.resources.mask.owned(whole),
            self.resources.mask.owned(prompts::session(&brief, path.as_str())?),
        ))
    }

    /// gulf as a session's shell can call it, where its name is not enough. Claude Code puts the plugin's folder on the PATH
    /// of its shell, Codex opens a login shell, whose PATH is the profile's, Copilot CLI hands on the person's.
    fn program_by_path(&self) -> Option<camino::Utf8PathBuf> {
        let Worker::Session { host, .. } = &self.fold.state.worker else { return None };
        let path = self.resources.environment.value("PATH").unwrap_or_default();
        let is_found = std::env::split_paths(path).any(|folder| folder.join("gulf").is_file());
        let own = self.resources.folder.worker_programs().join("gulf");
        let is_needed = host == "codex" || (host != "claude" && !is_found);
        (is_needed && own.exists()).then_some(own)
    }

    /// What the turn is told about the last one, kept for `gulf mcp`.
    pub(crate) fn keep_feedback(&self) -> Result<()> {
        self.keep_fixes(self.key, &self.all_fixes()?, &advice(self.fold))
    }

    fn keep_fixes(&self, key: &EffectKey, fixes: &[Fix], advice: &[Advice]) -> Result<()> {
        let text = self.resources.mask.owned(prompts::feedback(fixes, advice)?);
        Ok(notes::keep_feedback(&self.resources.folder, key, &text)?)
    }

    fn iteration_brief(&self) -> Result<IterationBrief> {
        let policy = &self.resources.agreement.policy;
        let text = self.resources.project_text("progress.txt").unwrap_or_default();
        let progress = progress::parse(&text);
        // An earlier loop's text says nothing about this one.
        let own = self.fold.state.unit.iterations > 1;
        let fixes = self.all_fixes()?;
        let next_task = own.then(|| progress.next_task()).flatten();
        let context = context::choose(*self, &fixes, next_task.as_deref());
        // Its hooks run outside of the sandbox that its commands run in: whether that is on cannot be seen from here.
        let is_codex = matches!(&self.fold.state.worker, Worker::Session { host, .. } if host == "codex");
        let repository = match self.resources.agreement.repository {
            RepositoryKind::Own if is_codex => VersionControl::ReadOnly,
            kind @ (RepositoryKind::Own | RepositoryKind::Shadow) => {
                repository(kind, &self.resources.agreement.dirty_paths)
            }
        };
        Ok(IterationBrief {
            iteration: self.fold.state.unit.iterations.max(1),
            iterations_max: self.fold.state.iterations_max(),
            attempt: self.key.attempt,
            task: tasks::task_brief(self.resources, self.fold, self.key)?,
            notes: self.fold.state.notes.to_vec(),
            thoughts: kept_thoughts(*self)?,
            fixes,
            notepad: notepad(&self.resources.agreement, &context),
            own_steps: self.own_steps(),
            context,
            advice: advice(self.fold),
            failed_before: failed_before(self.fold),
            next_task,
            progress_lines_over: own.then(|| progress.lines_over_limit()).flatten(),
            cold_starts: cold_starts(self.resources, self.fold)?,
            research: research(
                policy,
                self.key.iteration,
                self.fold.state.unit.streaks.research,
                self.gaps(&text),
            ),
            ..first_brief(&self.resources.agreement, repository, self.key.unit)
        })
    }

    /// In a session no turn stands beside the work: it thinks within its own.
    fn own_steps(&self) -> Option<OwnSteps> {
        match &self.fold.state.worker {
            Worker::Processes => None,
            Worker::Session { .. } => Some(OwnSteps {
                steps: self.fold.state.steps_before_turn().collect(),
                side_by_side: self.resources.agreement.side_by_side.map_or(0, std::num::NonZeroU32::get),
            }),
        }
    }

    /// What the brief lacks; the seed asks for more than it insists on.
    fn gaps(&self, text: &str) -> Vec<BriefGap> {
        if self.resources.agreement.worker.is_adopted() {
            let SeedBrief { blocking, asked_for } = progress::seed_brief(text);
            return blocking.into_iter().chain(asked_for).collect();
        }
        let is_stale =
            self.resources.agreement.texts.get("progress.txt") == Some(&engine_digest(text.as_bytes()));
        let mut gaps = progress::brief_gaps(text);
        if is_stale && gaps.is_empty() {
            gaps.push(BriefGap::Stale);
        }
        gaps
    }

    /// That, what is open in a list of the worker's, and what of a divided plan stayed out.
    fn all_fixes(&self) -> Result<Vec<Fix>, RunError> {
        let mut fixes = self.fixes();
        fixes.extend(list_fixes(self.resources, self.fold, &fixes));
        fixes.extend(left_out_fixes(self.resources, self.fold)?);
        if !fixes.is_empty() && !self.fold.left_out.is_empty() {
            let what = self.fold.left_out.join("\n- ");
            let committed = "Of a repository within this one, what is committed there counts.";
            fixes.push(Fix::Unseen { reason: format!("- {what}\n\n{committed}") });
        }
        Ok(fixes)
    }

    /// What the gates said about what the worker left last.
    pub(crate) fn fixes(&self) -> Vec<Fix> {
        let unit = &self.fold.state.unit;
        if self.fold.last_settlement == Some(Settlement::Refused { gate: Gate::Approach }) {
            return vec![Fix::Refused { gate: "strategy".to_owned(), reason: returned(unit.resembles) }];
        }
        let Some(tree) = unit.trees.last() else { return Vec::new() };
        let Some(words) = unit.words.get(tree) else { return Vec::new() };
        let mut fixes = self.failing_on(tree);
        fixes.extend(measuring::fix(self.fold));
        if self.fold.last_settlement == Some(Settlement::Refused { gate: Gate::Judge }) {
            fixes.extend(self.rejections(self.fold.rejected_in.get(tree).copied()));
        }
        if self.fold.last_settlement == Some(Settlement::Refused { gate: Gate::Landing }) {
            fixes.extend(landing_fixes(self.resources, self.fold));
        }
        if self.fold.last_settlement == Some(Settlement::Unjudged) {
            let reason = format!(
                "Judge unavailable, or without a verdict: this is neither a yes nor a no. Go on, and claim again.\n{}",
                self.last_silence().unwrap_or_default()
            );
            fixes.push(Fix::Refused { gate: "the judge".to_owned(), reason });
        }
        if self.fold.last_settlement == Some(Settlement::Asked) && unit.is_asked {
            let findings =
                words.integrity.as_ref().map(|integrity| integrity.findings.as_slice()).unwrap_or_default();
            fixes.extend(asked(findings, words.overlay.as_ref()));
        }
        fixes
    }

    /// What the judge found unmet, and whoever looked beside it, in their words.
    fn rejections(&self, iteration: Option<u32>) -> Vec<Fix> {
        let said = iteration.map(|iteration| refusals(&self.resources.folder, iteration)).unwrap_or_default();
        let rejection = |(who, record): &(&str, JudgeRecord)| {
            // The record's own criteria: one may be gulf's, and the person may have agreed to others since.
            let Outcome::Rejected { unmet, .. } = &record.outcome else { return None };
            Some(Fix::Refused { gate: (*who).to_owned(), reason: judge::reason(&record.criteria, unmet) })
        };
        let mut fixes: Vec<_> = said.iter().filter_map(rejection).collect();
        let history = "The full history of rejections is in JUDGE_FEEDBACK.md.";
        match fixes.last_mut() {
            Some(Fix::Refused { reason, .. }) => *reason = format!("{reason}\n\n{history}"),
            Some(Fix::CheckFailed { .. } | Fix::LeftOut { .. } | Fix::Unseen { .. }) | None => {
                fixes.push(Fix::Refused { gate: "the judge".to_owned(), reason: history.to_owned() });
            }
        }
        fixes
    }

    /// Why the judge gave no verdict, in its own or the system's words.
    fn last_silence(&self) -> Option<String> {
        let newest = newest(&last_iteration(self.resources, self.fold), "judge-failure")?;
        let text = files::read_text(&newest, TEXT_BYTES_MAX).ok()?.content;
        Some(text.chars().take(SILENCE_CHARS_MAX).collect())
    }

    /// The prompt of the one follow-up.
    pub(crate) fn follow_up_prompt(&self) -> Result<String> {
        let candidate = self.fold.state.candidate();
        let fixes = candidate.map(|candidate| self.failing_on(&candidate.tree)).unwrap_or_default();
        let turn = EffectKey { attempt: self.fold.state.unit.attempt.max(1), ..self.key.clone() };
        self.keep_fixes(&turn, &fixes, &[])?;
        let list = list_brief(self.resources).filter(|_| awaits_signal(self.resources, self.fold));
        let brief = FollowUpBrief {
            completion_promise: self.resources.agreement.completion_promise.clone(),
            checks: self.resources.agreement.checks.len(),
            list: list.map(|list| list.path),
            fixes,
        };
        Ok(self.resources.mask.owned(prompts::follow_up(&brief)?))
    }

    /// The checks that said no about a tree.
    fn failing_on(&self, tree: &TreeId) -> Vec<Fix> {
        let words = self.fold.state.unit.words.get(tree);
        let red = words.into_iter().flat_map(|words| &words.checks).filter(|(_, run)| !run.is_green());
        red.filter_map(|(name, run)| Some(self.failing(tree, self.resources.agreement.check(name)?, run)))
            .collect()
    }

    fn failing(&self, tree: &TreeId, check: &SealedCheck, run: &CheckRun) -> Fix {
        let record = RunRecord::find(&self.resources.folder.run(tree.as_str(), check.name.as_str()));
        let (end, tail) = match (record, run.exit) {
            (Some(record), _) => (record.end, record.tail),
            (None, Some(code)) => (RunEnd::Exited { code }, String::new()),
            (None, None) => (RunEnd::NotStarted { why: run.summary.clone() }, String::new()),
        };
        failed_check(check.name.as_str(), check, &end, tail)
    }
}

/// The prompt for a worker that finds gulf by this path only.
fn with_program(prompt: &str, path: &str) -> String {
    let is_plain = !path.contains([' ', '\'']);
    let quoted = if is_plain { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) };
    let prompt = prompt.replace(
        "Say it with `gulf claim`, a program on your PATH.",
        "Say it with `gulf claim`, by its whole path.",
    );
    let prompt = prompt.replace("`gulf claim ", &format!("`{quoted} claim "));
    prompt.replace("`gulf ask ", &format!("`{quoted} ask "))
}

/// The one question of SPEC B3, with its reasons.
fn asked(findings: &[Finding], overlay: Option<&Overlay>) -> Vec<Fix> {
    let mut fixes = Vec::new();
    if !findings.is_empty() {
        let list: Vec<String> =
            findings.iter().map(|finding| format!("- {}: {}", finding.path, finding.what)).collect();
        let reason = format!(
            "All checks pass, but this speaks against the work:\n{}\n\
             Put tests and runner settings back as they were unless the goal itself demands the change, and do the \
             work for every input; then claim again.",
            list.join("\n")
        );
        fixes.push(Fix::Refused { gate: "integrity".to_owned(), reason });
    }
    let of_proof = if let Some(Overlay::Unnoticed { places, .. }) = overlay {
        let list: Vec<String> = places.iter().map(|place| format!("- {place}")).collect();
        Some(format!(
            "All checks pass, and they would if your change were wrong. They stay green where it says this instead:\n{}\n\
             Add tests that notice, then claim again.",
            list.join("\n")
        ))
    } else if let Some(Overlay::NotShown { why }) = overlay {
        Some(format!(
            "All checks pass, but nothing shows that they could fail without your change ({why}). Add a test that \
             fails on the code as it was and passes now, or make one of yours do so, then claim again. If no test can show it, claim with \
             `gulf claim done --no-test \"why\"`."
        ))
    } else {
        let reason = "All checks pass, but nothing was changed or nothing could tell the work from no work. Add a \
                      test that fails without the change, or claim with `gulf claim done --no-test \"why\"`.";
        fixes.is_empty().then(|| reason.to_owned())
    };
    fixes.extend(of_proof.map(|reason| Fix::Refused { gate: "proof".to_owned(), reason }));
    fixes
}

/// Why nothing looked at the work.
fn returned(resembles: Option<Resemblance>) -> String {
    let which = resembles.map_or_else(String::new, |one| format!(" in iteration {}", one.iteration));
    format!(
        "This returns to an approach that was rejected{which}, before a different one was asked for: no gate looked at \
         it. Take that change back, and solve the goal in another way; then claim again."
    )
}

fn advice(fold: &Fold) -> Vec<Advice> {
    let streaks = &fold.state.unit.streaks;
    let mut advice = Vec::new();
    if fold.strategy_reset {
        let times = fold.state.contract().map_or(1, |contract| contract.policy.rejections.threshold.get());
        advice.push(Advice::Rejections { times });
    }
    let counted = [
        (streaks.same_failure, Advice::SameFailure { times: streaks.same_failure }),
        (streaks.same_candidate, Advice::SameCandidate { times: streaks.same_candidate }),
        (streaks.oscillations, Advice::Oscillation { times: streaks.oscillations }),
        (streaks.idle, Advice::Idle { turns: streaks.idle }),
        (streaks.rejections, Advice::Rejections { times: streaks.rejections }),
    ];
    advice.extend(fold.state.unit.resembles.map(|Resemblance { iteration, common_bp }| Advice::Resembles {
        iteration,
        percent: common_bp / 100,
    }));
    advice.extend(counted.into_iter().filter(|(times, _)| *times >= ADVICE_MIN).map(|(_, advice)| advice));
    advice
}

/// What failed on the base: no worker should look for its own fault in it, nor take it for forgiven.
fn failed_before(fold: &Fold) -> Vec<String> {
    let terms = fold.state.contract().map(|contract| contract.checks.as_slice()).unwrap_or_default();
    let red = terms.iter().filter_map(|terms| {
        let run = fold.state.probes.get(&terms.name).filter(|run| !run.failed.is_empty())?;
        let must = match terms.baseline {
            Baseline::Refused => "These have to pass in the end as well.",
            Baseline::Accepted => "A person accepts that: no new failure may come.",
        };
        Some(format!("{}: {}. {must}", terms.name, run.failed.join(", ")))
    });
    red.collect()
}
