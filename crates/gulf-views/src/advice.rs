//! What a person should know beside the one sentence, and which commands lead on.

use gulf_engine::{Cause, End, Exhaustion, Party, PauseReason, Reserve, State, Worker};

use crate::cost::{Cost, dollars, rounded, tokens};
use crate::facts::{CheckoutChange, Facts};
use crate::gates::{needs, unrunnable};
use crate::landing::is_taken_back;
use crate::loop_status::{self, LoopStatus, stall_meaning};
use crate::screen::NextStep;
use crate::wording::{self, reviewing, thinking};
use crate::{landing, numbers, tasks, text};

/// In sentences, the most important one first.
pub(crate) fn advice(standing: &LoopStatus, facts: &Facts, state: &State) -> Vec<String> {
    if state.is_discarded && landing::is_unpushed(facts, state) {
        return vec!["Its worktree and branch were deleted; what landed stays.".to_owned()];
    }
    if state.is_discarded {
        return vec!["Its work was discarded; its candidates are kept until `gulf clean`.".to_owned()];
    }
    let unread = matches!(standing, LoopStatus::Ended(_)).then(|| wording::unread(state)).flatten();
    unread.into_iter().chain(of_status(standing, facts, state)).collect()
}

fn of_status(standing: &LoopStatus, facts: &Facts, state: &State) -> Vec<String> {
    match standing {
        LoopStatus::Paused(PauseReason::CheckCannotRun) if !facts.changed_checks.is_empty() => {
            unrunnable(state).into_iter().chain([changed_since(&facts.changed_checks)]).collect()
        }
        LoopStatus::Paused(reason) => {
            why_it_rests(*reason, state).into_iter().chain(hint(*reason).map(str::to_owned)).collect()
        }
        LoopStatus::Ended(End::Exhausted { limit }) => used_up(*limit, state),
        LoopStatus::Ended(End::Unavailable { party, .. }) => out_of_reach(*party, state),
        LoopStatus::Broken(_) => {
            vec!["Nothing is lost and nothing was decided; the journal is left unchanged.".to_owned()]
        }
        LoopStatus::InSession { .. } | LoopStatus::Interrupted | LoopStatus::LedOn => in_session(state),
        LoopStatus::Running | LoopStatus::Outrun => Vec::new(),
        LoopStatus::Ended(End::Attested { causes }) if causes.contains(&Cause::NothingChanged) => {
            not_allowed(state)
        }
        LoopStatus::Ended(End::Stalled { .. }) => not_allowed(state),
        LoopStatus::Ended(End::Verified { .. } | End::Attested { .. } | End::Violated | End::Cancelled) => {
            Vec::new()
        }
    }
}

/// Whose retries are used up has to be put right by a person; what was done until then is not lost by it.
fn out_of_reach(party: Party, state: &State) -> Vec<String> {
    let is_apart = state.contract().is_some_and(|contract| contract.policy.landing.is_some());
    let stays = if is_apart {
        "The work stays on the loop's branch."
    } else {
        "The work stays in the worktree; a new loop continues from it."
    };
    let hint = match party {
        Party::Agent => {
            "Fix what the agent reports; `gulf doctor` says which one is called and whether it is installed."
        }
        Party::Judge => {
            "Nothing was judged. Fix that; `gulf doctor` says which judge is called and whether it is installed."
        }
        Party::Host => "Fix that first.",
    };
    vec![hint.to_owned(), stays.to_owned()]
}

/// Nobody but its person can make a session stop once more.
fn in_session(state: &State) -> Vec<String> {
    let Worker::Session { host, id } = &state.worker else { return Vec::new() };
    let which = id.as_ref().map_or_else(
        || "a session in this checkout".to_owned(),
        |id| format!("the session {}", loop_status::name(host, Some(id))),
    );
    vec![format!("If nothing happens: say something in {which}; gulf continues when it stops.")]
}

/// So many rejections in a row may mean either of two things.
const AT_THE_HUMAN_GATE: [&str; 3] = [
    "This is the gate at work, not an error.",
    "If the direction is wrong: leave the worker a note, then resume.",
    "If the rubric is wrong: edit RUBRIC.md; resume shows the difference from the sealed one and asks.",
];

/// To resume would run what was sealed once more.
fn changed_since(files: &[String]) -> String {
    format!(
        "Changed since in your checkout: {}. This loop keeps what it began with: end it, and a new loop takes the changed one.",
        files.join(", ")
    )
}

fn why_it_rests(reason: PauseReason, state: &State) -> Vec<String> {
    let why = match reason {
        PauseReason::NoVerdict => silent(state).map(|who| format!("No verdict from {who}.")),
        PauseReason::Step => return at_a_step(state),
        PauseReason::ReadyToLand => in_the_way(landing::in_the_way(state)),
        PauseReason::Stuck => state.stall().map(|stall| format!("Symptom: {}.", stall_meaning(stall))),
        PauseReason::Limit => {
            return used_up(Exhaustion::Iterations, state).into_iter().chain([at_the_limit(state)]).collect();
        }
        PauseReason::TaskLimit => {
            let task = tasks::in_hand(state).map(|task| format!("{}: {}.", task.name, task.title));
            return task.into_iter().chain([tasks::why_no_end(state)]).collect();
        }
        PauseReason::ReadyToClose => in_the_way(tasks::in_the_way(state)),
        PauseReason::CheckCannotRun => return unrunnable(state),
        PauseReason::Declined => declined(state),
        PauseReason::Denied => {
            let keep = "To keep it forbidden: leave the worker a note, then resume.".to_owned();
            return not_allowed(state).into_iter().chain([keep]).collect();
        }
        PauseReason::NeedsPerson => needs(state).map(|why| format!("The {why}")),
        PauseReason::HumanGate => return AT_THE_HUMAN_GATE.map(str::to_owned).to_vec(),
        PauseReason::TestsChanged => return wording::changed_tests(state),
        PauseReason::Asked | PauseReason::Milestone | PauseReason::Research => None,
        PauseReason::Question | PauseReason::HostLimit | PauseReason::Review | PauseReason::Idle => None,
    };
    why.into_iter().collect()
}

fn hint(reason: PauseReason) -> Option<&'static str> {
    Some(match reason {
        PauseReason::Asked | PauseReason::Step | PauseReason::Limit | PauseReason::Denied => return None,
        PauseReason::HumanGate => return None,
        PauseReason::TestsChanged => {
            "Approve if the goal requires it: the loop can then end verified, and the receipt records your approval. \
             Resumed without it, the loop ends attested at most."
        }
        PauseReason::Milestone => "Review the worktree. A claim made in this iteration is kept.",
        PauseReason::Research => {
            "progress.txt lacks parts of the brief; complete it or leave a note, then resume."
        }
        PauseReason::NoVerdict => {
            "A missing verdict is neither an approval nor a rejection: check its log, then resume to ask again."
        }
        PauseReason::Question => {
            "A question is not a failure: the loop waits as long as it takes, at no cost."
        }
        PauseReason::HostLimit => {
            "The work is unchanged. Your next prompt in the session resets the host's count; `gulf resume --here` has no such limit."
        }
        PauseReason::Review => {
            "`gulf feedback show` has what was measured. Leave the worker a note if you like; then resume."
        }
        PauseReason::Idle => "Leave the worker a note, then resume.",
        PauseReason::ReadyToLand => "Resolve that, then run `gulf land`.",
        PauseReason::Stuck => {
            "Leave the worker a note on what to do differently, then resume: the count starts over."
        }
        PauseReason::TaskLimit => {
            "Its log says what failed last; .claude/progress.txt what earlier tasks taught."
        }
        PauseReason::ReadyToClose => "Resolve that, then resume: it is committed without checking again.",
        PauseReason::CheckCannotRun => {
            "No worker can fix that, so no further turn is paid for. Install what is missing, then resume: the check runs on the candidate. If creating it is the goal, use `--new-check`."
        }
        PauseReason::Declined => {
            "Rephrase the goal in a note or choose another model, then resume: it gets two more tries."
        }
        PauseReason::NeedsPerson => {
            "Retrying at once does not help. Fix that, or wait until what it needs can be reached; then resume."
        }
    })
}

fn in_the_way(what: Option<&str>) -> Option<String> {
    what.map(|what| format!("Reason: {what}."))
}

/// Who was asked for a verdict and gave none.
fn silent(state: &State) -> Option<&'static str> {
    let words = wording::newest_words(state).next()?;
    // What gave no verdict left no word behind.
    let judge = words.judge.is_none().then_some("the judge");
    let reviewers = state.contract().into_iter().flat_map(|contract| &contract.policy.reviewers);
    let reviews = reviewers.filter(|by| !words.reviews.contains_key(*by)).map(|by| reviewing(*by));
    judge.into_iter().chain(reviews).next()
}

/// A person reads in its own words what the model did not want to do.
fn declined(state: &State) -> Option<String> {
    let why = state.declined().map(text::first_line).filter(|why| !why.is_empty());
    why.map(|why| format!("It said: \u{201c}{why}\u{201d}"))
}

/// A plan that its critic objects to is the plan's, too.
fn at_a_step(state: &State) -> Vec<String> {
    let done = &state.unit.steps.done;
    let open = state.steps_before_turn().find(|step| !done.contains(step));
    let iteration = state.turn_in_hand().0;
    let what = open.map(|step| format!("It is {} before iteration {iteration}.", thinking(step)));
    let hint = format!(
        "`gulf log --iteration {iteration}` shows each question and answer. Resuming continues with what is there."
    );
    what.into_iter().chain([hint]).collect()
}

/// What the agent may have needed and did not get, and how it gets it.
fn not_allowed(state: &State) -> Vec<String> {
    if state.denials.is_empty() {
        return Vec::new();
    }
    let mut sentences = vec![format!("Not allowed: {}.", wording::all_denied(state).join(", "))];
    let commands = allowable(state);
    if !commands.is_empty() {
        let list = commands.join(", ");
        sentences
            .push(format!("To allow it, in later loops too: in gulf.toml, under [agent], allow = [{list}]."));
    }
    let denials = &state.denials;
    if denials.keys().any(|what| what.starts_with(wording::TOOL)) {
        let by_settings = "A tool is allowed by the agent's own settings; of Claude Code, permissions.allow in \
                           .claude/settings.json.";
        sentences.push(by_settings.to_owned());
    }
    if denials.contains_key(wording::PUSH) {
        sentences.push("Workers never push; push it yourself when the loop has ended.".to_owned());
    }
    sentences
}

/// The commands that `[agent] allow` would let pass, each quoted.
fn allowable(state: &State) -> Vec<String> {
    let commands = state.denials.keys().filter(|what| wording::is_allowable(what));
    commands.map(|what| quoted(what)).collect()
}

/// As a string of TOML, which a shell takes for one word as well.
fn quoted(what: &str) -> String {
    format!("\"{}\"", what.replace('\\', "\\\\").replace('"', "\\\""))
}

/// What a person's *go on* means there.
fn at_the_limit(state: &State) -> String {
    let again = state.contract().map_or(0, |contract| contract.policy.limits.iterations_max.get());
    let again = text::count(again, "more iteration", "more iterations");
    format!("Resuming allows {again}; `--max-iterations N` sets another limit.")
}

fn used_up(limit: Exhaustion, state: &State) -> Vec<String> {
    let approved = state.unit.approved.iter();
    let approved = approved.map(|approved| format!("The last approved candidate is {}.", approved.commit));
    approved.chain(budget(limit, state)).collect()
}

/// A budget leaves room for no further turn before it is spent to the last cent: the dearest iteration says why.
fn budget(limit: Exhaustion, state: &State) -> Vec<String> {
    let Some(limits) = state.contract().map(|contract| contract.policy.limits) else { return Vec::new() };
    let (total, dearest, now) = (&state.spending.total, &state.spending.dearest, &state.spending.iteration);
    let (spent, max, dearest, flag) = match limit {
        Exhaustion::Iterations | Exhaustion::Time | Exhaustion::Tasks => return Vec::new(),
        Exhaustion::Money => {
            let dearest = dollars(dearest.microdollars.max(now.microdollars));
            let spent = Cost::from_spending(&state.spending).unwrap_or_default().brief();
            (spent, limits.microdollars_max.map(dollars), dearest, "--max-cost")
        }
        Exhaustion::Tokens => {
            let dearest = tokens(dearest.tokens.max(now.tokens));
            (rounded(total.tokens), limits.tokens_max.map(tokens), dearest, "--max-tokens")
        }
    };
    let Some(max) = max else { return Vec::new() };
    let reserve = match limits.reserve {
        Reserve::Nothing => None,
        Reserve::DearestIteration => {
            Some(format!("The most expensive iteration cost {dearest}, so no further one begins."))
        }
    };
    let again = format!("A new loop with a higher {flag} continues with the worktree as it is.");
    [Some(format!("Spent: {spent} of {max}.")), reserve, Some(again)].into_iter().flatten().collect()
}

/// The most likely one first.
pub(crate) fn next(
    standing: &LoopStatus,
    facts: &Facts,
    state: &State,
    worktree: &CheckoutChange,
) -> Vec<NextStep> {
    let log = facts.step("log", "shows what happened so far");
    let report = facts.step("report", "shows the full report");
    let cancel = facts.step("cancel", "cancels it");
    let merge = landing::merge_by_hand(state).into_iter();
    match standing {
        LoopStatus::Running => vec![log, facts.step("pause", "pauses it"), cancel],
        LoopStatus::InSession { .. } => {
            vec![log, facts.step("pause", "pauses it at its next stop"), here(facts), cancel]
        }
        LoopStatus::Interrupted | LoopStatus::LedOn if loop_status::host(state).is_some() => {
            vec![here(facts), log, cancel]
        }
        LoopStatus::Interrupted | LoopStatus::LedOn => vec![facts.step("resume", "continues it"), cancel],
        LoopStatus::Paused(reason) => after_a_pause(*reason, facts, state),
        LoopStatus::Ended(_) | LoopStatus::Outrun if !standing.is_success() => {
            let again = again(standing, facts, state);
            let away = throw_away(worktree, facts, state).filter(|_| !state.is_discarded);
            merge.chain([report, again]).chain(away).chain(restore(worktree, facts)).collect()
        }
        LoopStatus::Ended(_) | LoopStatus::Outrun => {
            let steps = if state.landed_as().is_some() && !is_taken_back(facts, state, worktree) {
                landing::after_landing(facts, state).into_iter().chain(restore(worktree, facts)).collect()
            } else if state.is_discarded {
                after_discarding(worktree, facts)
            } else {
                keep_or_throw_away(worktree, facts, state)
            };
            merge.chain(steps).chain([report]).collect()
        }
        LoopStatus::Broken(_) => vec![log],
    }
}

/// The same goal once more. With the limit that was too small, or with no more than was spent, it would end like this one.
fn again(standing: &LoopStatus, facts: &Facts, state: &State) -> NextStep {
    let mut limits = facts.again_limits.clone();
    let wider = twice(standing, state).map(|(limit, flag)| limits.insert(limit, flag));
    let purpose = match wider {
        Some(_) => "starts a new loop on the same goal with a higher limit",
        None => "starts a new loop on the same goal",
    };
    let limits: String = limits.into_values().collect();
    NextStep::new(format!("{}{limits}", facts.again_command), purpose)
}

fn twice(standing: &LoopStatus, state: &State) -> Option<(Exhaustion, String)> {
    let LoopStatus::Ended(End::Exhausted { limit }) = standing else { return None };
    let (limits, spent) = (state.contract()?.policy.limits, state.spending.total);
    let twice = |most: u64, spent: u64| most.max(spent).saturating_mul(2);
    let flag = match limit {
        Exhaustion::Iterations => format!(" --max-iterations {}", state.iterations_max().saturating_mul(2)),
        Exhaustion::Time => {
            format!(" --max-duration {}s", limits.active_ms_max?.saturating_mul(2).div_ceil(1_000))
        }
        Exhaustion::Money => {
            let twice = twice(limits.microdollars_max?, spent.microdollars);
            let exact = format!("{}.{:06}", twice / 1_000_000, twice % 1_000_000);
            format!(" --max-cost {}", exact.trim_end_matches('0').trim_end_matches('.'))
        }
        Exhaustion::Tokens => format!(" --max-tokens {}", twice(limits.tokens_max?, spent.tokens)),
        Exhaustion::Tasks => return None,
    };
    Some((*limit, flag))
}

/// What lies in the checkout is committed, it alone, or goes again.
fn keep_or_throw_away(lies: &CheckoutChange, facts: &Facts, state: &State) -> Vec<NextStep> {
    let land = match lies {
        _ if facts.branch.is_some() => Some(facts.step("land", "lands it on the base branch anyway")),
        _ if facts.fork.is_some() => Some(facts.step("land", "lands it on the branch you are on")),
        // Git commits no paths alone in the middle of a merge.
        CheckoutChange::Uncommitted { entangled, before_landing: None, .. } if !entangled.is_empty() => {
            Some(by_hand(entangled))
        }
        CheckoutChange::Uncommitted { before_landing: first, .. } => {
            Some(facts.step("land", &once("commits exactly this change", first)))
        }
        CheckoutChange::WithoutGit { .. } => Some(restored(facts, "writes the verified files to a folder")),
        CheckoutChange::Committed { commit, branch } => Some(landing::committed(commit, branch.as_deref())),
        CheckoutChange::Clean | CheckoutChange::Unfinished { .. } => None,
    };
    land.into_iter().chain(throw_away(lies, facts, state)).chain(restore(lies, facts)).collect()
}

fn once(purpose: &str, first: &Option<String>) -> String {
    first.as_ref().map_or(purpose.to_owned(), |first| format!("{purpose}, once this is resolved: {first}"))
}

/// What cannot be told apart is committed with what the person had there; then the rest can land.
fn by_hand(paths: &[String]) -> NextStep {
    let quote = |path: &String| format!("'{}'", path.replace('\'', "'\\''"));
    let quoted = paths.iter().map(quote).collect::<Vec<_>>().join(" ");
    let purpose = "commits it together with what is left of your own uncommitted change there, which cannot be told \
                   apart; then `gulf land` commits the rest";
    NextStep::new(format!("git add -- {quoted} && git commit -- {quoted}"), purpose)
}

fn throw_away(lies: &CheckoutChange, facts: &Facts, state: &State) -> Option<NextStep> {
    let purpose = match lies {
        _ if facts.has_worktree() && landing::is_unpushed(facts, state) => {
            "deletes its worktree and branch; what landed stays"
        }
        _ if facts.has_worktree() => "deletes its worktree and branch",
        CheckoutChange::Uncommitted { before_discarding: first, .. } => {
            &once("reverts exactly this change", first)
        }
        CheckoutChange::WithoutGit { .. } => "reverts this change in the folder",
        CheckoutChange::Committed { .. } => "takes the worker's commits off the branch",
        CheckoutChange::Unfinished { changed } => {
            &format!("reverts what its last turn left: {}", text::first_of(changed)?)
        }
        CheckoutChange::Clean => return None,
    };
    Some(facts.step("discard", purpose))
}

/// What a worker took away is looked at before it is kept.
fn restore(lies: &CheckoutChange, facts: &Facts) -> Option<NextStep> {
    let deleted: &[String] = match lies {
        CheckoutChange::Uncommitted { deleted, .. } | CheckoutChange::WithoutGit { deleted } => deleted,
        CheckoutChange::Clean | CheckoutChange::Committed { .. } | CheckoutChange::Unfinished { .. } => &[],
    };
    let purpose = if let Some(named) = text::first_of(&facts.undone) {
        format!("restores your own uncommitted work: {named}")
    } else {
        let named = text::first_of(deleted)?;
        format!("restores what it deleted or renamed: {named}")
    };
    Some(NextStep::new(format!("gulf restore {} --to DIR", facts.at(0)), purpose))
}

fn after_discarding(lies: &CheckoutChange, facts: &Facts) -> Vec<NextStep> {
    let land = landing::comes_back(lies).then(|| facts.step("land", "brings it back"));
    land.into_iter().chain([restored(facts, "writes it to a folder; kept until `gulf clean`")]).collect()
}

fn restored(facts: &Facts, purpose: &str) -> NextStep {
    NextStep::new(format!("{} --to DIR", facts.command("restore")), purpose)
}

/// Out of its session, or where it was before.
fn here(facts: &Facts) -> NextStep {
    facts.step("resume --here", "continues here, outside the session")
}

fn after_a_pause(reason: PauseReason, facts: &Facts, state: &State) -> Vec<NextStep> {
    // A question's answer leads on by itself.
    let host =
        loop_status::host(state).filter(|_| reason != PauseReason::Question).map(loop_status::resume_command);
    let there = host.map(|command| NextStep::new(command, "typed into the session, continues there"));
    there.into_iter().chain(rests(reason, facts, state)).collect()
}

fn rests(reason: PauseReason, facts: &Facts, state: &State) -> Vec<NextStep> {
    let is_in_session = loop_status::host(state).is_some();
    let resume = if is_in_session { here(facts) } else { facts.step("resume", "continues it") };
    let steer = NextStep::new(steer(facts), "leaves the worker a note");
    let cancel = facts.step("cancel", "cancels it");
    let overrules = "overrules the judge with a reason; the loop ends attested at most";
    let approve = NextStep::new("gulf approve \"…\"", overrules);
    let reject = NextStep::new("gulf reject \"…\"", "rejects it with a reason; the loop continues");
    match reason {
        PauseReason::Asked => vec![resume, cancel],
        PauseReason::Milestone | PauseReason::Research | PauseReason::Idle => vec![resume, steer, cancel],
        PauseReason::Review => {
            let overrules = "overrules the numbers with a reason; the loop ends attested at most";
            let approve = (!numbers::is_any_red(state)).then(|| NextStep::new(approve.command, overrules));
            [resume, steer, reject].into_iter().chain(approve).chain([cancel]).collect()
        }
        PauseReason::Limit | PauseReason::Step => vec![resume, steer, cancel],
        PauseReason::Stuck | PauseReason::Declined => vec![steer, resume, cancel],
        PauseReason::Denied => {
            let flags: Vec<String> = allowable(state).iter().map(|what| format!(" --allow {what}")).collect();
            let allow = format!("{}{}", facts.command("resume"), flags.concat());
            let allow = (!flags.is_empty()).then(|| NextStep::new(allow, "allows it and continues"));
            allow.into_iter().chain([steer, resume, cancel]).collect()
        }
        PauseReason::ReadyToLand => vec![facts.step("land", "tries again once that is resolved"), cancel],
        PauseReason::TaskLimit => {
            let more = format!("{} --iterations 10", facts.command("resume"));
            let more = NextStep::new(more, "gives the task ten more iterations");
            let skip = facts.step("skip", "skips it and continues with the next");
            let (first, second) = if state.stall().is_some() { (steer, more) } else { (more, steer) };
            vec![first, second, skip, cancel]
        }
        PauseReason::NeedsPerson | PauseReason::HostLimit | PauseReason::ReadyToClose => vec![resume, cancel],
        PauseReason::CheckCannotRun if !facts.changed_checks.is_empty() => {
            vec![cancel, again(&LoopStatus::Paused(reason), facts, state)]
        }
        PauseReason::CheckCannotRun => {
            vec![resume, NextStep::new("gulf doctor", "checks what is installed"), cancel]
        }
        PauseReason::NoVerdict => vec![resume, approve, steer, cancel],
        PauseReason::TestsChanged => {
            let approve = NextStep::new("gulf approve \"…\"", "approves the changed tests with a reason");
            vec![approve, reject, NextStep::new(resume.command, "ends it attested at most"), cancel]
        }
        PauseReason::HumanGate => vec![resume, steer, approve, reject, cancel],
        PauseReason::Question => {
            let purpose = "answers it: an option's number or your own words";
            let open = state.open_questions();
            let open = open.map(|open| NextStep::new(format!("gulf answer {} \"…\"", open.number), purpose));
            open.chain([cancel]).collect()
        }
    }
}

fn steer(facts: &Facts) -> String {
    let which = if facts.is_alone { String::new() } else { format!(" --loop {}", facts.handle) };
    format!("gulf steer{which} \"…\"")
}
