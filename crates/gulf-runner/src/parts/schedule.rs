//! Which part begins when, and what is done when its worker ends: as many at once as were agreed on, each when what it
//! waits for is joined.
//!
//! It is the one thread that touches the loop's branch while the workers' threads touch their own.

use std::num::NonZeroU32;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};
use std::time::Duration;

use gulf_engine::{Denial, Fact, PartWord, Spent, TurnOutcome};
use gulf_host::clock::{Clock, milliseconds};
use gulf_host::git::{BranchName, CommitId};
use gulf_spec::parts::Part;

use super::UnjoinedPart;
use super::account::Account;
use super::site::PartSite;
use crate::calls::{CallWords, Reply, count_denial};
use crate::error::{Failure, Result, in_full};
use crate::project_folder::note;
use crate::resources::AgentEffect;
use crate::spending::{Allowance, SpendingMeter};
use crate::stop::Stop;

/// All that one turn's workers do.
pub(super) struct PartWorkers<'turn> {
    pub(super) turn: AgentEffect<'turn>,
    pub(super) parts: Vec<Part>,
    pub(super) branch: BranchName,
    standing: Vec<PartProgress>,
    side_by_side: usize,
    account: Account,
    clock: Clock,
    began: Duration,
    /// Nothing more begins: a worker ended in a way that the next would as well.
    is_closed: bool,
    ending: PartsEnding,
}

/// Where a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartProgress {
    Waiting,
    AtWork,
    Joined,
    LeftOut,
}

/// What all of it came to.
#[derive(Debug, Default)]
pub(super) struct PartsEnding {
    pub(super) left_out: Vec<UnjoinedPart>,
    /// What the workers said, in the order in which they ended.
    said: Vec<String>,
    outcomes: Vec<TurnOutcome>,
    joined: usize,
    pub(super) tool_calls: Option<u32>,
    pub(super) denials: Vec<Denial>,
    pub(super) duration_ms: u64,
}

/// A worker that ended.
struct Done {
    site: PartSite,
    reply: Result<Reply>,
    spent: Option<Spent>,
}

impl<'turn> PartWorkers<'turn> {
    pub(super) fn new(
        turn: AgentEffect<'turn>,
        parts: Vec<Part>,
        branch: BranchName,
        side_by_side: NonZeroU32,
    ) -> Self {
        let clock = Clock::new();
        Self {
            account: Account::new(&turn.resources.agreement, turn.fold),
            standing: vec![PartProgress::Waiting; parts.len()],
            side_by_side: usize::try_from(side_by_side.get()).unwrap_or(usize::MAX),
            began: clock.monotonic(),
            clock,
            is_closed: false,
            ending: PartsEnding::default(),
            turn,
            parts,
            branch,
        }
    }

    /// Until every part is joined or stays out.
    pub(super) fn run(mut self) -> Result<PartsEnding> {
        self.take_up()?;
        let all = self.turn.stop.below();
        thread::scope(|scope| {
            let cranked = self.crank(scope, &all);
            if cranked.is_err() {
                // Whatever happened, nothing that was started goes on alone.
                all.ask();
            }
            cranked
        })?;
        if self.turn.stop.is_asked() {
            return Err(Failure::Stopped);
        }
        self.ending.duration_ms = milliseconds(self.clock.monotonic().saturating_sub(self.began));
        Ok(self.ending)
    }

    fn crank<'scope>(&mut self, scope: &'scope Scope<'scope, '_>, all: &Stop) -> Result<()>
    where
        'turn: 'scope,
    {
        let (sender, ended): (Sender<Done>, Receiver<Done>) = mpsc::channel();
        loop {
            while let Some((site, prompt, allowance)) = self.next(all)? {
                let (resources, key, fold) = (self.turn.resources, self.turn.key, self.turn.fold);
                let (sender, stop) = (sender.clone(), all.below());
                scope.spawn(move || {
                    let meter = SpendingMeter::default();
                    let name = format!("part-{}", site.at_work + 1);
                    let effect =
                        AgentEffect { resources: &site.resources, key, fold, stop: &stop, meter: &meter };
                    let tool = resources.agreement.tool_of(key.unit);
                    let words = CallWords { prompt, session: None, name: &name, tool, allowance };
                    let reply = site.make_ready(resources, effect).and_then(|()| effect.ask(words));
                    // Whoever waited for it may have failed itself.
                    let _ = sender.send(Done { site, reply, spent: meter.spent() });
                });
            }
            if self.count(PartProgress::AtWork) == 0 {
                return Ok(());
            }
            let Ok(done) = ended.recv() else { return Ok(()) };
            self.take_back(done)?;
        }
    }

    /// What earlier attempts brought to an end is joined, and not done again.
    fn take_up(&mut self) -> Result<()> {
        for at in 0..self.parts.len() {
            if let Some(commit) = self.turn.resources.repository.read_ref(&self.turn.done(at)?)? {
                self.ending.said.push(format!("## {}\n\nDone before an interruption.", self.name(at)));
                self.join(at, &commit)?;
            }
        }
        Ok(())
    }

    /// The next part that can begin now: its worktree, what its worker is told, and what that may cost.
    fn next(&mut self, all: &Stop) -> Result<Option<(PartSite, String, Allowance)>> {
        loop {
            if all.is_asked() || self.count(PartProgress::AtWork) >= self.side_by_side {
                return Ok(None);
            }
            let Some(at) = self.ready() else { return Ok(None) };
            if let Some(why) = self.why_never(at) {
                self.leave_out(at, why, None)?;
                continue;
            }
            let elapsed = self.clock.monotonic().saturating_sub(self.began);
            let allowance = match self.account.begin(at, self.count(PartProgress::Waiting), elapsed) {
                Ok(allowance) => allowance,
                // Whoever works now may leave something.
                Err(_) if self.count(PartProgress::AtWork) > 0 => return Ok(None),
                Err(why) => {
                    self.leave_out(at, why, None)?;
                    continue;
                }
            };
            let site = self.turn.make_site(at, &self.branch)?;
            let prompt = self.prompt(at)?;
            self.tell(at, PartWord::Begun);
            self.standing[at] = PartProgress::AtWork;
            return Ok(Some((site, prompt, allowance)));
        }
    }

    /// The first part of the plan about which something can be said: it can begin, or never will.
    fn ready(&self) -> Option<usize> {
        let is_over = |at: &usize| matches!(self.standing[*at], PartProgress::Joined | PartProgress::LeftOut);
        let is_ready = |at: &usize| {
            self.standing[*at] == PartProgress::Waiting
                && (self.is_closed || self.parts[*at].waits_for.iter().all(&is_over))
        };
        (0..self.parts.len()).find(is_ready)
    }

    fn why_never(&self, at: usize) -> Option<String> {
        let is_out = |other: &&usize| self.standing[**other] == PartProgress::LeftOut;
        if let Some(other) = self.parts[at].waits_for.iter().find(is_out) {
            return Some(format!("it waits for {}, which stays out", self.parts[*other].id));
        }
        self.is_closed.then(|| "it was not begun: no worker could go on".to_owned())
    }

    /// A worker has ended: what it left is kept, joined where it came to its end, and its worktree goes.
    fn take_back(&mut self, done: Done) -> Result<()> {
        let Done { site, reply, spent } = done;
        let at = site.at_work;
        self.turn.meter.pay(spent);
        self.account.end(at, spent);
        let is_done = reply.as_ref().is_ok_and(|reply| reply.turn.outcome == TurnOutcome::Completed);
        let work = self.turn.keep_part(&site, &self.message(at), is_done)?;
        match reply {
            Ok(reply) => {
                self.hear(at, &reply)?;
                if is_done {
                    self.join(at, &work)?;
                } else {
                    self.is_closed |= closes(&reply.turn.outcome);
                    let end = describe(&reply.turn.outcome, &reply.detail);
                    let why = format!("its worker did not come to an end: {end}");
                    self.leave_out(at, why, Some((&work, &site.at)))?;
                }
                self.ending.outcomes.push(reply.turn.outcome);
            }
            // The attempt is over; what it left is kept, and begun anew.
            Err(Failure::Stopped) => self.standing[at] = PartProgress::LeftOut,
            Err(failure) => {
                self.ending.outcomes.push(TurnOutcome::Failed { exit: None });
                self.leave_out(at, in_full(&failure), Some((&work, &site.at)))?;
            }
        }
        self.ending.said.extend(self.turn.remove_site(&site)?);
        Ok(())
    }

    fn hear(&mut self, at: usize, reply: &Reply) -> Result<()> {
        let name = format!("part-{}", at + 1);
        self.turn.keep_words(reply, &format!("{name}.md"), &format!("{name}-failure.txt"))?;
        self.ending.said.push(format!("## {}\n\n{}", self.name(at), reply.message.trim()));
        if let Some(calls) = reply.turn.tool_calls {
            self.ending.tool_calls = Some(self.ending.tool_calls.unwrap_or(0).saturating_add(calls));
        }
        let denials = reply.turn.denials.iter().cloned();
        denials.for_each(|denial| count_denial(&mut self.ending.denials, denial));
        Ok(())
    }

    fn join(&mut self, at: usize, work: &CommitId) -> Result<()> {
        match self.turn.join_part(&self.branch, work, &format!("join {}", self.message(at)))? {
            None => {
                self.standing[at] = PartProgress::Joined;
                self.ending.joined += 1;
                self.tell(at, PartWord::Joined);
            }
            Some((why, head)) => self.leave_out(at, why, Some((work, &head)))?,
        }
        Ok(())
    }

    /// `work` is what its worker left, and what that began with.
    fn leave_out(&mut self, at: usize, why: String, work: Option<(&CommitId, &CommitId)>) -> Result<()> {
        self.standing[at] = PartProgress::LeftOut;
        self.tell(at, PartWord::LeftOut { why: why.clone() });
        let Part { id, title, .. } = self.parts[at].clone();
        let diff = work.map(|(work, head)| self.turn.keep_diff(&id, work, head)).transpose()?.flatten();
        self.ending.left_out.push(UnjoinedPart { id, title, why, diff });
        Ok(())
    }

    fn tell(&self, at: usize, word: PartWord) {
        let noted = match &word {
            PartWord::Begun => None,
            PartWord::Joined => Some("joined".to_owned()),
            PartWord::LeftOut { why } => {
                Some(format!("stays out: {}", why.lines().next().unwrap_or_default()))
            }
        };
        if let Some(what) = noted {
            note(&self.turn.resources.agreement, &format!("- {}: {what}", self.name(at)));
        }
        self.turn.resources.reports.tell(Fact::PartTold { id: self.parts[at].id.clone(), word });
    }

    fn count(&self, standing: PartProgress) -> usize {
        self.standing.iter().filter(|one| **one == standing).count()
    }

    pub(super) fn name(&self, at: usize) -> String {
        format!("{}: {}", self.parts[at].id, self.parts[at].title)
    }

    fn message(&self, at: usize) -> String {
        let agreement = &self.turn.resources.agreement;
        format!("{}\n\ngulf: {} iteration {}\n", self.name(at), agreement.loop_id, self.turn.key.iteration)
    }
}

impl PartsEnding {
    /// What all of them said.
    pub(super) fn summary(&self) -> String {
        let left_out = self.left_out.iter().map(|one| format!("{} stays out: {}", one.id, one.why));
        self.said.iter().cloned().chain(left_out).collect::<Vec<_>>().join("\n\n")
    }

    /// How the turn ended: what no other worker can help comes first, and what some brought to an end is looked at.
    pub(super) fn outcome(&self) -> TurnOutcome {
        let weight = |outcome: &&TurnOutcome| match outcome {
            TurnOutcome::NeedsPerson { .. } => 4,
            TurnOutcome::RateLimited { .. } => 3,
            TurnOutcome::OutOfBudget => 2,
            TurnOutcome::Completed => 0,
            _ if self.joined > 0 => 0,
            TurnOutcome::Declined { .. } => 2,
            TurnOutcome::Failed { .. } | TurnOutcome::TimedOut | TurnOutcome::ContextFull => 1,
        };
        let heaviest = self.outcomes.iter().max_by_key(weight).filter(|one| weight(one) > 0);
        heaviest.cloned().unwrap_or(TurnOutcome::Completed)
    }
}

/// Would the next worker end in the same way?
fn closes(outcome: &TurnOutcome) -> bool {
    matches!(outcome, TurnOutcome::NeedsPerson { .. } | TurnOutcome::RateLimited { .. })
}

fn describe(outcome: &TurnOutcome, detail: &str) -> String {
    let what = match outcome {
        TurnOutcome::Completed => "it ended".to_owned(),
        TurnOutcome::Failed { exit: Some(code) } => format!("exit code {code}"),
        TurnOutcome::Failed { exit: None } => "it failed".to_owned(),
        TurnOutcome::TimedOut => "its time was over".to_owned(),
        TurnOutcome::RateLimited { .. } => "its provider asked it to wait".to_owned(),
        TurnOutcome::ContextFull => "its context was full".to_owned(),
        TurnOutcome::OutOfBudget => "its share of the money was spent".to_owned(),
        TurnOutcome::NeedsPerson { why } => why.clone(),
        TurnOutcome::Declined { .. } => "its model declined".to_owned(),
    };
    if detail.is_empty() { what } else { format!("{what} ({detail})") }
}
