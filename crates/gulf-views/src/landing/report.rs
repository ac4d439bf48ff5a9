//! Where a loop's work lands and what became of that: for the last screen, the status and the receipt. It is public: every
//! field is always there, and what is not known is null.

use gulf_engine::{
    Clash, CommitId, EffectKind, LandingWord, PauseReason, QueueDoing, QueueFacts, Stage, State,
};
use serde::{Deserialize, Serialize};

use super::{not_landed, ready_to_land, short};
use crate::facts::Facts;
use crate::history::History;
use crate::phrase::{Phrase, say, verified};
use crate::text;

/// A loop's work on its way onto its base branch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LandingReport {
    pub standing: LandingStanding,
    /// As people call it: `main`, `origin/main`.
    pub base_branch: String,
    /// While it waits, as far as anybody looked.
    pub queue: Option<QueueFacts>,
    /// The tested commit that the base branch was moved to.
    pub commit: Option<CommitId>,
    /// What the base branch stood at before; the same where it held the work already.
    pub onto: Option<CommitId>,
    /// Where it was pushed: `origin/main`.
    pub pushed_to: Option<String>,
    pub refused: Option<Refused>,
    /// What only a person can clear away.
    pub in_the_way: Option<String>,
    /// Who wanted it after the loop's end.
    pub asked_by: Option<String>,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LandingStanding {
    /// Not every gate has said yes yet.
    #[default]
    Pending,
    Waiting,
    Landed,
    Refused,
    ReadyToLand,
    /// The loop is over, and it did not land.
    NotLanded,
}

/// Why the base branch and the work do not go together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    pub by: Clash,
    /// What the base branch stood at.
    pub base: CommitId,
    pub summary: String,
}

impl LandingReport {
    /// None where nobody wants the work to land.
    pub fn new(facts: &Facts, history: &History, state: &State) -> Option<Self> {
        let wish = history.landed_for();
        let agreed = facts.landing.as_ref();
        let (base_branch, push) = match (wish, agreed) {
            (Some((_, base, push)), _) => (short(base).to_owned(), push.map(str::to_owned)),
            (None, Some(agreed)) => (agreed.base.clone(), agreed.push.clone()),
            (None, None) => return None,
        };
        let queue = agreed.and_then(|agreed| agreed.queue);
        let mut report = Self {
            standing: standing(state, queue.as_ref()),
            base_branch,
            queue,
            asked_by: wish.map(|(by, _, _)| by.to_owned()),
            ..Self::default()
        };
        match state.landing() {
            Some(LandingWord::Landed { commit, onto }) => {
                (report.commit, report.onto) = (Some(commit.clone()), Some(onto.clone()));
                report.pushed_to = push;
            }
            Some(LandingWord::Refused { by, base, summary, .. }) => {
                report.refused = Some(Refused { by: *by, base: base.clone(), summary: summary.clone() });
            }
            Some(LandingWord::NotReady { why }) => {
                report.in_the_way = Some(why.clone());
                report.commit = agreed.and_then(|agreed| agreed.moved_to.clone());
            }
            None => {}
        }
        Some(report)
    }

    /// The line of the last screen; none where the standing of the loop says it all.
    pub(crate) fn last_line(&self) -> Option<Phrase> {
        let base = &self.base_branch;
        match self.standing {
            LandingStanding::Landed => {
                let commit = text::short(self.commit.as_ref().map_or("", CommitId::as_str));
                let landed = verified("landed").say(format!(": {base} holds it as ")).literal(commit);
                let elsewhere = self.pushed_to.as_ref().filter(|there| *there != base);
                let pushed = elsewhere.map(|there| format!(", pushed to {there}"));
                Some(landed.say(pushed.unwrap_or_default()))
            }
            LandingStanding::Waiting => Some(
                self.queue
                    .map_or_else(|| say(format!("waiting to land on {base}")), |queue| queued(base, queue)),
            ),
            LandingStanding::Refused | LandingStanding::NotLanded => {
                self.refused.as_ref().map(|Refused { by, summary, .. }| not_landed(*by, summary))
            }
            LandingStanding::ReadyToLand => self.in_the_way.as_ref().map(|why| ready_to_land(why)),
            LandingStanding::Pending => None,
        }
    }
}

/// Where it waits, and what is being done for it.
pub(crate) fn queued(base: &str, queue: QueueFacts) -> Phrase {
    let QueueFacts { position, of, doing } = queue;
    let doing = match doing {
        QueueDoing::Nothing => "",
        QueueDoing::Merging => ": being merged",
        QueueDoing::Testing => ": being tested",
        QueueDoing::Moving => ": being landed",
    };
    say(format!("waiting to land on {base}, number {position} of {of}")).say(doing)
}

fn standing(state: &State, queue: Option<&QueueFacts>) -> LandingStanding {
    let runs = state.running.iter().any(|key| key.work == EffectKind::Land);
    match (state.landing(), &state.stage) {
        (Some(LandingWord::Landed { .. }), _) => LandingStanding::Landed,
        _ if runs || queue.is_some() => LandingStanding::Waiting,
        (_, Stage::Paused(PauseReason::ReadyToLand, _)) | (Some(LandingWord::NotReady { .. }), _) => {
            LandingStanding::ReadyToLand
        }
        (Some(LandingWord::Refused { .. }), Stage::Ended(_)) => LandingStanding::NotLanded,
        (Some(LandingWord::Refused { .. }), _) => LandingStanding::Refused,
        (None, Stage::Ended(_)) => LandingStanding::NotLanded,
        (None, _) => LandingStanding::Pending,
    }
}
