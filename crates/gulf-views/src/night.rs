//! All loops since a moment on one page: what needs a person first, then what runs, what did not get there, and what did.

use gulf_engine::End;
use serde::Serialize;
use serde_json::{Value, json};

use crate::cost::dollars;
use crate::json::{VERSION, timestamp};
use crate::look::Look;
use crate::loop_status::LoopStatus;
use crate::phrase::{Phrase, attention, say, secondary};
use crate::report::{Report, ReportBrief};
use crate::screen::{INDENT, NextStep, heading};
use crate::text;

/// What happened since a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Night {
    /// As a person reads it.
    #[serde(skip)]
    pub since: String,
    #[serde(skip)]
    pub since_ms: u64,
    /// `4 loops, 2 verified; $1.20, 3h 2m of work`
    #[serde(skip)]
    pub brief: String,
    /// By what they need of whoever reads it.
    pub loops: Vec<NightLoop>,
}

/// One of its loops.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NightLoop {
    pub handle: String,
    /// The goal's title.
    pub title: String,
    pub group: NightGroup,
    pub standing: LoopStatus,
    pub meaning: String,
    /// What the worker asks and nobody has answered.
    pub questions: Vec<String>,
    #[serde(flatten)]
    pub brief: ReportBrief,
    pub next: Option<NextStep>,
    #[serde(skip)]
    microdollars: u64,
    #[serde(skip)]
    active_ms: u64,
}

/// What a loop needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NightGroup {
    NeedsYou,
    Runs,
    Failed,
    Finished,
}

impl NightGroup {
    pub fn title(self) -> &'static str {
        match self {
            NightGroup::NeedsYou => "needs you",
            NightGroup::Runs => "runs",
            NightGroup::Failed => "not verified",
            NightGroup::Finished => "finished",
        }
    }

    fn from_status(standing: &LoopStatus) -> NightGroup {
        match standing {
            LoopStatus::Running | LoopStatus::InSession { .. } => NightGroup::Runs,
            LoopStatus::Interrupted | LoopStatus::LedOn | LoopStatus::Paused(_) => NightGroup::NeedsYou,
            LoopStatus::Broken(_) => NightGroup::NeedsYou,
            LoopStatus::Ended(end) if end.has_passed() => NightGroup::Finished,
            LoopStatus::Ended(_) | LoopStatus::Outrun => NightGroup::Failed,
        }
    }
}

impl NightLoop {
    pub fn new(report: &Report) -> NightLoop {
        let summary = &report.summary;
        let asked = |question: &crate::question::QuestionReport| {
            format!("question {}: {}", question.number, text::first_line(&question.text))
        };
        NightLoop {
            handle: summary.handle.clone(),
            title: summary.goal.clone(),
            group: NightGroup::from_status(&summary.standing),
            standing: summary.standing.clone(),
            meaning: summary.meaning.clone(),
            // Nobody waits for what a loop asked that is over.
            questions: match summary.standing.end() {
                Some(_) => Vec::new(),
                None => summary.questions.iter().map(asked).collect(),
            },
            brief: report.in_brief(),
            next: summary.next.first().cloned(),
            microdollars: summary.cost.map_or(0, |cost| cost.microdollars),
            active_ms: summary.active_ms,
        }
    }
}

impl Night {
    /// `since` is the moment in a person's words; the loops keep their order within a group.
    pub fn new(since: String, since_ms: u64, mut loops: Vec<NightLoop>) -> Night {
        loops.sort_by_key(|one| one.group);
        Night { brief: in_brief(&loops), since, since_ms, loops }
    }

    /// The groups that hold a loop, each with its loops.
    pub fn groups(&self) -> Vec<(NightGroup, &[NightLoop])> {
        let groups = self.loops.chunk_by(|one, other| one.group == other.group);
        groups.map(|loops| (loops[0].group, loops)).collect()
    }
}

fn in_brief(loops: &[NightLoop]) -> String {
    let counted = |group: NightGroup| loops.iter().filter(|one| one.group == group).count();
    let is_verified = |one: &&NightLoop| matches!(one.standing, LoopStatus::Ended(End::Verified { .. }));
    let parts = [
        (counted(NightGroup::NeedsYou), "for you"),
        (counted(NightGroup::Runs), "under way"),
        (counted(NightGroup::Failed), "not there"),
        (loops.iter().filter(is_verified).count(), "verified"),
    ];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: String = parts.map(|(number, word)| format!(", {number} {word}")).collect();
    let microdollars = loops.iter().fold(0_u64, |sum, one| sum.saturating_add(one.microdollars));
    let active_ms = loops.iter().fold(0_u64, |sum, one| sum.saturating_add(one.active_ms));
    let money = if microdollars > 0 { format!("{}, ", dollars(microdollars)) } else { String::new() };
    let loops = text::count(loops.len(), "loop", "loops");
    let work = format!("{} of work", text::duration(active_ms));
    format!("{loops}{parts}; {money}{work}")
}

/// The same for programs.
pub fn night_json(night: &Night) -> Value {
    json!({ "version": VERSION, "since": timestamp(night.since_ms), "loops": night.loops })
}

// The night as a screen: a few lines for each loop, those that need a person in full.

/// Nothing but the sentence where no loop did anything.
pub fn night(night: &Night, look: Look) -> String {
    let mut screen =
        say(format!("since {}", night.since)).say(": ").say(&night.brief).paragraph(look, INDENT);
    for (group, loops) in night.groups() {
        let title = match group {
            NightGroup::NeedsYou => attention(group.title()),
            NightGroup::Runs | NightGroup::Failed | NightGroup::Finished => say(group.title()),
        };
        screen.push_str(&heading(title, look));
        loops.iter().for_each(|one| screen.push_str(&describe(one, look)));
    }
    screen
}

fn describe(one: &NightLoop, look: Look) -> String {
    let head = say(format!("  {}  ", one.handle)).tone(one.standing.tone(), one.standing.word());
    let head = head.say(format!("  {}", one.title));
    let mut lines = vec![secondary(&one.meaning)];
    lines.extend(one.questions.iter().map(attention));
    let brief = &one.brief;
    if one.group != NightGroup::Runs {
        lines.push(say(format!("proven: {}", brief.proven)));
        lines.push(say(format!("not proven: {}", brief.not_proven)));
    }
    lines.extend(brief.changed.iter().map(|changed| say(format!("changed: {changed}"))));
    lines.extend(brief.look_first.iter().map(|first| say(format!("look first: {first}"))));
    lines.push(secondary(&brief.spent));
    if let Some(next) = &one.next {
        lines.push(Phrase::new().literal(&next.command).say(format!("  {}", next.purpose)));
    }
    let indented = lines.into_iter().map(|line| say("      ").join(line).paragraph(look, 8));
    head.paragraph(look, 6) + &indented.collect::<String>()
}
