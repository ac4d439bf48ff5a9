//! What may begin, and when: turns, the steps between them, and each gate.

use super::{Kept, Ledger, Say, is_baselined, is_held_out, is_probe, law};
use crate::*;

fn is_heavy(key: &EffectKey) -> bool {
    let tries_out = matches!(key.work, EffectKind::Review { by: Reviewer::Qa });
    tries_out || matches!(key.work, EffectKind::Probe { .. } | EffectKind::Check { .. } | EffectKind::Overlay)
}

fn hides_from_turn(contract: &Contract, key: &EffectKey) -> Kept {
    let shows = matches!(&key.work, EffectKind::Probe { name } if is_held_out(contract, name));
    law(!shows, "what is held out never runs beside a turn")
}

impl Ledger {
    /// Every turn of the hour before this one counts.
    fn keeps_pace(&mut self, contract: &Contract) -> Kept {
        let Some(most) = contract.policy.limits.turns_per_hour else { return Ok(()) };
        let (now_ms, hour_ms) = (self.active_ms, 3_600_000);
        self.turns_begun_ms.retain(|begun_ms| begun_ms + hour_ms > now_ms);
        self.turns_begun_ms.push(now_ms);
        law(self.turns_begun_ms.len() <= most.get() as usize, "no more turns begin within an hour than may")
    }

    pub(super) fn began(&mut self, contract: &Contract, key: &EffectKey) -> Kept {
        law(self.paused.is_none(), "nothing starts while the loop is paused")?;
        law(self.stop.is_none(), "nothing starts after a stop request")?;
        law(self.orphans.is_empty(), "nothing starts before a lost driver's effects are looked at")?;
        law(!self.has_landed(), "what has landed is over")?;
        self.purse.may_begin(&contract.policy.limits, &key.work)?;
        self.sessions.may_begin(&key.work, &self.running, self.active_ms)?;
        if key.work == EffectKind::Turn {
            self.keeps_pace(contract)?;
            self.turn_began(contract, key)?;
        } else {
            let attempt = self.attempts.entry(key.work.clone()).or_default();
            *attempt += 1;
            law(key.attempt == *attempt, "the same effect never runs twice")?;
            let place = match &key.work {
                EffectKind::Probe { .. } => (0, self.way.base_moves),
                EffectKind::Step { .. } => (self.unit, self.coming_iteration()),
                EffectKind::Turn
                | EffectKind::FollowUp
                | EffectKind::Snapshot
                | EffectKind::Check { .. }
                | EffectKind::Integrity
                | EffectKind::Overlay
                | EffectKind::Judge
                | EffectKind::Review { .. }
                | EffectKind::Land
                | EffectKind::Close => (self.unit, self.iteration),
            };
            law((key.unit.0, key.iteration) == place, "an effect belongs to the iteration in hand")?;
            self.gate_began(contract, key)?;
        }
        if is_heavy(key) {
            law(
                !self.running.iter().any(is_heavy),
                "no two of what runs the project's programs ever run at once",
            )?;
        }
        self.running.insert(key.clone());
        Ok(())
    }

    fn turn_began(&mut self, contract: &Contract, key: &EffectKey) -> Kept {
        let within = self.coming_of_unit() <= self.iterations_max(contract);
        law(within, "no iteration beyond the limit ever begins")?;
        self.is_in_time(contract)?;
        self.failures_have_an_end(contract)?;
        law(self.active_ms >= self.wait_until_ms, "a rate limit is waited out")?;
        law(self.rejections < contract.policy.rejections.threshold.get(), "rejections have an end")?;
        law(self.running.iter().all(is_probe), "a turn runs alone but for a check on the base")?;
        self.works_on_what_can_begin()?;
        self.running.iter().try_for_each(|key| hides_from_turn(contract, key))?;
        self.checks_can_run(contract)?;
        let next = if self.repeats { (self.iteration, self.attempt + 1) } else { (self.iteration + 1, 1) };
        law(
            (key.unit.0, key.iteration, key.attempt) == (self.unit, next.0, next.1),
            "an interrupted turn is the next attempt of its iteration, any other the next iteration",
        )?;
        if !self.repeats {
            self.attempts
                .retain(|work, _| matches!(work, EffectKind::Probe { .. } | EffectKind::Step { .. }));
            self.followed_up = false;
        }
        self.turn_follows_steps(contract)?;
        self.people.turn_begins()?;
        self.iterations = self.coming_of_unit();
        (self.iteration, self.attempt) = next;
        self.notes_told = self.notes.len();
        self.claimed = false;
        self.tree = None;
        Ok(())
    }

    /// Nobody pays for a second turn whose work nothing can check.
    fn checks_can_run(&self, contract: &Contract) -> Kept {
        let Some(tree) = &self.last_tree else { return Ok(()) };
        let is_gate = contract.policy.gates.contains(&Gate::Checks);
        let runs = |say: Option<&Say>| say.is_some_and(|say| *say != Say::NeverBegan);
        let is_seen = |terms: &CheckTerms| {
            let on_tree = self.said.get(tree).and_then(|said| said.checks.get(&terms.name));
            let on_base = self.base_said.get(&terms.name);
            let is_unheard = on_tree.is_none() && on_base.is_none();
            runs(on_tree) || runs(on_base) || (is_unheard && self.sessions.is_worker())
        };
        let spared = |terms: &CheckTerms| {
            !is_gate || terms.runnable == Runnable::Spared || terms.disclosure == Disclosure::HeldOut
        };
        let holds = contract.checks.iter().all(|terms| spared(terms) || is_seen(terms));
        law(
            holds,
            "before a second turn each check was seen to begin, on the base or on what the first one left",
        )
    }

    pub(super) fn is_in_time(&self, contract: &Contract) -> Kept {
        let deadline_ms = contract.policy.limits.active_ms_max;
        let in_time = deadline_ms.is_none_or(|active_ms_max| self.active_ms < active_ms_max);
        law(in_time, "no turn, follow-up or judge's call begins when the time is over")
    }

    fn gate_began(&mut self, contract: &Contract, key: &EffectKey) -> Kept {
        let speaks = |tree: &TreeId| self.said.get(tree).cloned().unwrap_or_default();
        match &key.work {
            EffectKind::Turn => Ok(()),
            EffectKind::Step { .. } => self.step_began(contract, key),
            EffectKind::FollowUp => self.follow_up_began(contract),
            EffectKind::Probe { name } => {
                if self.running.iter().any(|key| key.work == EffectKind::Turn) {
                    hides_from_turn(contract, key)?;
                }
                law(!self.base_said.contains_key(name), "a word about the base is not asked for again")
            }
            EffectKind::Snapshot => law(self.tree.is_none(), "an attempt has one candidate"),
            EffectKind::Check { name } => {
                let tree = self.tree.as_ref().ok_or("a check speaks about a candidate")?;
                law(
                    speaks(tree).may_be_asked(name, self.claimed),
                    "a no is asked again once, for a claim on the tree as it was; a yes after it until it is steady",
                )?;
                let passes = |terms: &CheckTerms| {
                    terms.disclosure == Disclosure::HeldOut || speaks(tree).is_green(&terms.name)
                };
                law(
                    !is_held_out(contract, name) || contract.checks.iter().all(passes),
                    "what is held out is asked where every open check said yes",
                )?;
                let ready = self.base_said.contains_key(name) || !is_baselined(contract, name);
                law(ready, "the base's failures are known before they are accepted")
            }
            EffectKind::Integrity | EffectKind::Overlay => {
                law(self.tree.is_some(), "a gate speaks about a candidate")?;
                self.milestone_is_kept(contract)
            }
            EffectKind::Judge => self.judge_began(contract, None),
            EffectKind::Review { by } => self.judge_began(contract, Some(*by)),
            EffectKind::Land => self.land_began(contract),
            EffectKind::Close => self.close_began(contract),
        }
    }

    fn follow_up_began(&mut self, contract: &Contract) -> Kept {
        law(contract.policy.follow_up == FollowUp::Once, "a follow-up is asked for by the contract")?;
        law(!self.followed_up, "a follow-up happens at most once an iteration")?;
        law(!self.claimed && !self.people.questioned, "no follow-up comes after a claim")?;
        let unsaid = self.may_follow_up || self.waits_for_a_word(contract);
        law(unsaid && self.exit.goes_on, "a follow-up needs a session, and something left unsaid")?;
        law(self.tree.is_some(), "a follow-up comes when the candidate was looked at")?;
        self.is_in_time(contract)?;
        self.milestone_is_kept(contract)?;
        self.followed_up = true;
        Ok(())
    }

    fn judge_began(&self, contract: &Contract, by: Option<Reviewer>) -> Kept {
        law(!self.people.needed, "a judge that needs a person waits for one")?;
        let tree = self.tree.as_ref().ok_or("a judge speaks about a candidate")?;
        let said = self.said.get(tree);
        let spoke = said.is_some_and(|said| match by {
            None => said.judge.is_some(),
            Some(by) => said.reviews.contains_key(&by),
        });
        law(!spoke, "a judge's word is final until the tree changes")?;
        let no = |word: &JudgeWord| matches!(word, JudgeWord::Rejected { .. });
        let refused = said.is_some_and(|said| said.judge.iter().chain(said.reviews.values()).any(no));
        law(!refused, "after a no nobody else is asked")?;
        law(!self.people.word.contains_key(tree), "a judge is not asked about what a person decided")?;
        law(self.active_ms >= self.wait_until_ms, "a rate limit is waited out")?;
        let called = self.claimed
            || self.is_claimed_by_numbers(contract)
            || self.is_at_limit(contract)
            || self.is_idle_to_the_end(contract)
            || contract.policy.judge == JudgeWhen::Every;
        law(called, "a judge is asked on a claim, where nothing follows, or at every stop")?;
        let checked = !contract.policy.gates.contains(&Gate::Checks) || self.says_yes(contract, Gate::Checks);
        law(checked, "a failing check never costs a judge's call")?;
        self.is_in_time(contract)?;
        self.milestone_is_kept(contract)
    }
}
