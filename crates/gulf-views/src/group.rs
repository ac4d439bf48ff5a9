//! What became of several loops that worked on one goal at the same time: a line or two for each, the command that leads
//! on, and its JSON.

use gulf_engine::{CheckName, LandingWord, State};
use serde::Serialize;
use serde_json::{Value, json};

use crate::cost::Cost;
use crate::facts::{BranchFacts, DriverPresence, Facts};
use crate::history::History;
use crate::json::{VERSION, extended};
use crate::landing::{self, LandingReport, LandingStanding};
use crate::look::{Look, Tone};
use crate::loop_status::{LoopStatus, resume_command};
use crate::phrase::{Phrase, say, secondary};
use crate::question::QuestionReport;
use crate::screen::{INDENT, NextStep, cut, section};
use crate::text;

/// One loop of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Member {
    #[serde(rename = "loop")]
    pub loop_id: String,
    pub handle: String,
    pub branch: Option<BranchFacts>,
    pub standing: LoopStatus,
    /// The last word about it.
    #[serde(skip)]
    pub word: Option<LandingWord>,
    pub landing: Option<LandingReport>,
    pub iteration: u32,
    pub active_ms: u64,
    pub cost: Option<Cost>,
    /// What it asks.
    #[serde(skip)]
    pub questions: Vec<QuestionReport>,
    /// Why it did not go on with the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_behind: Option<String>,
}

impl Member {
    pub fn new(facts: &Facts, history: &History, state: &State, driver: DriverPresence) -> Self {
        Self {
            loop_id: facts.loop_id.to_string(),
            handle: facts.handle.clone(),
            branch: facts.branch.clone(),
            standing: LoopStatus::new(state, driver),
            word: state.landing().cloned(),
            landing: LandingReport::new(facts, history, state),
            iteration: state.unit.iteration,
            active_ms: state.active_ms,
            cost: Cost::from_spending(&state.spending),
            questions: QuestionReport::open(state),
            left_behind: None,
        }
    }

    /// How many workers its group was begun with.
    fn size(&self) -> usize {
        let worker = self.branch.as_ref().and_then(|branch| branch.worker.as_ref());
        worker.and_then(|worker| usize::try_from(worker.of).ok()).unwrap_or_default()
    }

    /// Does its work stand on the base branch?
    pub fn has_landed(&self) -> bool {
        matches!(self.word, Some(LandingWord::Landed { .. }))
    }

    /// Of the worker, from 1.
    pub fn number(&self) -> u32 {
        self.branch.as_ref().and_then(|branch| branch.worker.as_ref()).map_or(0, |worker| worker.number)
    }
}

/// The last screen of a group.
pub fn group_result(goal: &str, members: &[Member], look: Look) -> String {
    let landed = members.iter().filter(|member| member.has_landed()).count();
    // One that cannot be found any more belongs to the group as well.
    let of = members.iter().map(Member::size).max().unwrap_or_default().max(members.len());
    let tone = if landed == of { Tone::Verified } else { Tone::Attention };
    let head = Phrase::new().tone(tone, format!("{landed} of {of} landed"));
    let mut screen = head.paragraph(look, INDENT);
    screen.push_str(&cut(secondary(format!("goal: {}", text::one_line(goal))), look));
    screen.extend(members.iter().map(|member| describe(member, look)));
    screen.push('\n');
    screen.extend(next(members).iter().map(|step| step.lines(look)));
    screen
}

fn describe(member: &Member, look: Look) -> String {
    let word =
        say(format!("worker {}: ", member.number())).tone(member.standing.tone(), member.standing.word());
    let waits = member.landing.as_ref().filter(|landing| landing.standing == LandingStanding::Waiting);
    let word = match (&member.word, waits.and_then(LandingReport::last_line)) {
        (_, Some(waits)) => word.say(", ").join(waits),
        (Some(landing), None) => word.say(", ").join(landing::describe(landing)),
        (None, None) => word.say(format!(": {}", member.standing.meaning())),
    };
    let mut spent = format!("iteration {} · {}", member.iteration, text::duration(member.active_ms));
    if let Some(cost) = &member.cost {
        spent.push_str(&format!(" · {}", cost.brief()));
    }
    let mut details = vec![format!("{} · {spent}", member.handle)];
    let asked = member.questions.iter();
    details.extend(asked.map(|one| format!("question {}: {}", one.number, text::one_line(&one.text))));
    details.extend(member.left_behind.iter().map(|why| format!("did not go on: {why}")));
    if let Some(branch) = &member.branch {
        details.push(format!("branch: {}", branch.name));
        details.extend(branch.worktree.iter().map(|worktree| format!("worktree: {worktree}")));
        details.extend(branch.kept.iter().map(|why| format!("kept: {why}")));
        let names: Vec<&str> = branch.unchecked_when_merged.iter().map(CheckName::as_str).collect();
        let unchecked = format!("not checked on the merged commit: {}", names.join(", "));
        details.extend((!names.is_empty()).then_some(unchecked));
    }
    section(word, details.into_iter().map(secondary), look)
}

/// The most likely command first.
fn next(members: &[Member]) -> Vec<NextStep> {
    let is_over = |standing: &LoopStatus| standing.end().is_some() || standing.anomaly().is_some();
    let goes_on = |standing: &LoopStatus| !is_over(standing) && !standing.is_running();
    let mut steps = Vec::new();
    if let Some((host, member)) = members.iter().find_map(|member| Some((waits(member)?, member))) {
        let worktree = member.branch.as_ref().and_then(|branch| branch.worktree.as_deref()).unwrap_or(".");
        let purpose = format!("then {} in a session there; each has one of its own", resume_command(host));
        steps.push(NextStep::new(format!("cd {worktree}"), purpose));
        let purpose = "continues the unfinished ones with agents that gulf starts itself";
        steps.push(NextStep::new(format!("gulf resume --here {}", member.handle), purpose));
    }
    if members.iter().any(|member| !member.questions.is_empty()) {
        steps.push(NextStep::new("gulf inbox", "shows the questions, and the command that answers each"));
    }
    if let Some(open) = members.iter().find(|member| goes_on(&member.standing)) {
        let command = format!("gulf resume {}", open.handle);
        steps.push(NextStep::new(command, "continues all that are not finished"));
    }
    if let Some(over) = members.iter().find(|member| !member.has_landed() && is_over(&member.standing)) {
        let command = format!("gulf show {}", over.handle);
        steps.push(NextStep::new(command, "what a worker did last; its branch and worktree are kept"));
    }
    let is_left = |member: &&Member| !member.has_landed() && member.standing.end().is_some();
    let left: Vec<&Member> = members.iter().filter(is_left).collect();
    let is_ready = |member: &&&Member| matches!(member.word, Some(LandingWord::NotReady { .. }));
    let ready: Vec<&str> = left.iter().filter(is_ready).map(|member| member.handle.as_str()).collect();
    let left: Vec<&str> = left.iter().map(|member| member.handle.as_str()).collect();
    if let Some(first) = ready.first() {
        let purpose = format!("lands it too; ready to land: {}", ready.join(", "));
        steps.push(NextStep::new(format!("gulf land {first}"), purpose));
    }
    if let Some(first) = left.first() {
        let purpose = format!("discards its work; not landed: {}", left.join(", "));
        steps.push(NextStep::new(format!("gulf discard {first}"), purpose));
    }
    if steps.is_empty() {
        steps.push(NextStep::new("git log --first-parent", "what landed"));
    }
    steps
}

/// The host of a session that has not come yet.
fn waits(member: &Member) -> Option<&str> {
    let LoopStatus::InSession { host, id: None } = &member.standing else { return None };
    Some(host)
}

/// Where all of a group stand, for programs.
pub fn group_json(goal: &str, members: &[Member], exit_code: u8) -> Value {
    let worker = |member: &Member| {
        let standing = &member.standing;
        extended(member, json!({ "exit_code": standing.exit_code(), "meaning": standing.meaning() }))
    };
    let workers: Vec<Value> = members.iter().map(worker).collect();
    let next = next(members);
    json!({ "version": VERSION, "goal": goal, "exit_code": exit_code, "workers": workers, "next": next })
}
