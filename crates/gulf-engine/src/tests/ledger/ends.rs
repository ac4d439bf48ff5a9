//! How iterations, units and loops may end, and what success has to be earned by.

use super::{Kept, Ledger, Said, Say, Stop, is_baselined, is_probe, law};
use crate::*;

impl Ledger {
    #[expect(clippy::too_many_lines, reason = "one arm for each way in which an iteration settles")]
    pub(super) fn settled(&mut self, contract: &Contract, settlement: Settlement) -> Kept {
        law(self.running.iter().all(is_probe), "an iteration is settled when its gates are done")?;
        law(self.stop.is_none(), "a stop request comes first")?;
        let tree = self.tree.clone().ok_or("an iteration is settled about a candidate")?;
        let asks = !self.people.open.is_empty();
        law(!asks || settlement == Settlement::Questioned, "who asks is answered, not judged")?;
        let silent = !self.claimed && !self.people.questioned;
        let researching = self.is_researching(contract);
        match settlement {
            Settlement::Research => {
                law(researching, "only the first iteration researches")?;
                law(silent, "a claim goes to the gates, whatever the phase")?;
            }
            Settlement::Steered => {
                law(self.claimed && !self.notes.is_empty(), "only a claim waits for a note to be read")?;
            }
            Settlement::Unjudged => self.goes_unjudged(contract)?,
            Settlement::AgentFailed => law(silent, "a claim is evaluated")?,
            Settlement::RateLimited => law(silent && self.was_limited, "a wait was asked for")?,
            Settlement::Declined => {
                law(silent, "a claim is evaluated")?;
                self.people.declined += 1;
            }
            Settlement::NeedsPerson => {
                law(silent, "a claim is evaluated")?;
                self.people.needed = true;
            }
            Settlement::Unclaimed => {
                law(silent, "a claim is evaluated, also after a milestone")?;
                // What the numbers claimed may get a no in other surroundings, before the reviewer who needed a person.
                self.people.needed = false;
                self.brief_stands(contract)?;
                self.milestone_is_kept(contract)?;
            }
            Settlement::Questioned => {
                law(self.people.questioned, "a question was asked")?;
                self.rejections = 0;
                self.stalls.forget();
            }
            Settlement::Blocked => {
                self.people.needed = false;
                self.count(contract, settlement, researching);
                self.sessions.settled(settlement);
                return self.blocked(contract);
            }
            Settlement::Rejected => {
                let no = self.people.word.get(&tree) == Some(&false);
                law(no, "what a person is said to have said, a person said")?;
            }
            Settlement::Refused { gate } => {
                law(!self.says_yes(contract, gate), "a refusal names a gate that said no")?;
                // Another gate's no comes first: the judge that needed a person is asked anew.
                self.people.needed = false;
                self.brief_stands(contract)?;
                self.milestone_is_kept(contract)?;
                self.claim_is_refused(contract, gate);
                if gate == Gate::Judge && self.rejected_tree.as_ref() != Some(&tree) {
                    self.rejections += 1;
                    self.rejected_tree = Some(tree);
                }
            }
            Settlement::Asked => {
                law(self.all_say_yes(contract), "the worker is asked when every gate passed")?;
                law(!self.asked, "the worker is asked once")?;
                law(!self.is_at_limit(contract), "the worker is asked while it can answer")?;
                self.asked = true;
                self.rejections = 0;
                self.stalls.forget();
            }
            Settlement::Approved => {
                law(self.all_say_yes(contract), "an approval is every gate's")?;
                law(!self.is_at_limit(contract), "an approval at the limit ends the loop")?;
                law(contract.policy.force_max == ForceMax::On, "an approval ends the loop")?;
                self.rejections = 0;
                self.stalls.forget();
            }
        }
        self.is_looked_at(contract, settlement)?;
        self.count_figures(contract, settlement);
        self.count(contract, settlement, researching);
        self.sessions.settled(settlement);
        Ok(())
    }

    fn count(&mut self, contract: &Contract, settlement: Settlement, researching: bool) {
        let in_vain = match settlement {
            Settlement::AgentFailed | Settlement::RateLimited => true,
            Settlement::NeedsPerson | Settlement::Declined => true,
            Settlement::Research | Settlement::Unclaimed | Settlement::Refused { .. } => false,
            Settlement::Asked | Settlement::Approved => false,
            Settlement::Questioned | Settlement::Rejected | Settlement::Unjudged => false,
            Settlement::Blocked | Settlement::Steered => false,
        };
        let unbriefed = settlement == Settlement::Questioned && researching && !self.briefed;
        self.repeats = in_vain || unbriefed || settlement == Settlement::Research;
        if !self.repeats {
            let steered = contract.policy.feedback.is_some() && settlement == Settlement::Unclaimed;
            let refused = matches!(settlement, Settlement::Refused { .. } | Settlement::Rejected) || steered;
            self.steps_are_over(refused);
        }
        if !in_vain {
            self.count_idle(contract, settlement);
            self.people.declined = 0;
            self.notes.drain(..self.notes_told);
            self.notes_told = 0;
        }
        self.last_tree = self.tree.clone();
        if let Some(said) = self.tree.as_ref().and_then(|tree| self.said.get_mut(tree)) {
            let noes = said.checks.iter().filter(|(_, say)| !say.is_yes()).map(|(name, _)| name.clone());
            said.stood.extend(noes.collect::<Vec<_>>());
        }
    }

    pub(super) fn finished(&mut self, contract: &Contract, end: &End) -> Kept {
        law(self.running.is_empty(), "nothing outlives the loop")?;
        let cancelled = self.stop == Some(Stop::Cancel);
        let landed = self.has_landed() && *end != End::Cancelled;
        law(
            landed || cancelled == (*end == End::Cancelled),
            "a cancel ends the loop as cancelled, nothing else does",
        )?;
        let listed = !contract.tasks.is_empty();
        let heard = cancelled || self.people.open.is_empty();
        law(heard, "only a cancel ends a loop that asks: a question is never done")?;
        let limits = &contract.policy.limits;
        match end {
            End::Verified { .. } | End::Attested { .. } => {
                self.loop_is_earned(contract, end)?;
                let of_tests = |cause: &Cause| matches!(cause, Cause::Findings { .. });
                // Without a check there is no proof that a person's yes could be the last part of.
                let checked = contract.policy.gates.contains(&Gate::Checks);
                let only_tests = checked && !end.causes().is_empty() && end.causes().iter().all(of_tests);
                let shown = self.tree.as_ref().is_some_and(|tree| self.tests_shown.contains(tree));
                law(
                    contract.policy.findings != FindingsPolicy::Ask || !only_tests || shown || listed,
                    "what only changed tests keep from its proof is shown to a person first",
                )?;
                self.is_where_it_belongs(contract, end)?;
                self.way.is_finished = true;
            }
            End::Exhausted { limit: Exhaustion::Iterations } => {
                law(self.is_last_over(contract), "every iteration is used before the limit")?;
                self.ends_of_itself(contract)?;
            }
            End::Exhausted { limit: Exhaustion::Tasks } => self.list_is_stuck()?,
            End::Exhausted { limit: Exhaustion::Time } => {
                let over = limits.active_ms_max.is_some_and(|active_ms_max| self.active_ms >= active_ms_max);
                law(over, "the time is used before the limit")?;
            }
            End::Exhausted { limit: limit @ (Exhaustion::Money | Exhaustion::Tokens) } => {
                law(
                    self.purse.ends_by(limits, *limit),
                    "a budget ends what it has no room for, nothing else",
                )?;
            }
            End::Violated => {
                let findings = self.words().findings.unwrap_or(0);
                law(findings > 0, "a violation was found")?;
            }
            End::Stalled { by: Stall::Plateau } => self.may_end_on_plateau(contract)?,
            End::Stalled { .. } | End::Unavailable { .. } => {
                if let End::Stalled { by } = end {
                    self.is_given_up(contract, *by)?;
                    self.ends_of_itself(contract)?;
                }
                law(self.paused.is_none(), "a pause is not an end")?;
                self.sessions.may_end(end)?;
            }
            End::Cancelled => {}
        }
        law(!self.has_landed() || end.exit_code() <= 3, "what has landed was a success")?;
        self.ended = true;
        Ok(())
    }

    /// The first iteration of all repeats until its brief stands (SPEC G5).
    fn is_researching(&self, contract: &Contract) -> bool {
        let is_gated = matches!(contract.policy.research, Research::Gate | Research::Brief);
        is_gated && (self.unit, self.iteration) == (0, 1)
    }

    pub(super) fn brief_stands(&self, contract: &Contract) -> Kept {
        let is_free = contract.policy.research == Research::Brief
            || self.tree.as_ref() == Some(self.base_tree(contract));
        let is_open = self.claimed || (self.briefed && is_free) || self.person() == Some(true);
        law(
            !self.is_researching(contract) || is_open,
            "nothing but a claim counts before the brief stands, or a person says so",
        )
    }

    fn loop_is_earned(&self, contract: &Contract, end: &End) -> Kept {
        let proven = self.is_proven(contract);
        self.brief_stands(contract)?;
        self.list_is_done()?;
        law(self.all_say_yes(contract), "success is every required gate's last word on the candidate")?;
        let all = proven && self.units_verified.iter().all(|verified| *verified);
        law(all == matches!(end, End::Verified { .. }), "verified is what could have failed, and only that")
    }

    pub(super) fn success_is_earned(&self, contract: &Contract, end: &End) -> Kept {
        law(self.people.open.is_empty(), "a question is never done")?;
        self.brief_stands(contract)?;
        law(self.all_say_yes(contract), "success is every required gate's last word on the candidate")?;
        match end {
            End::Verified { .. } => law(self.is_proven(contract), "verified could have failed"),
            End::Attested { .. } => law(!self.is_proven(contract), "what could have failed is verified"),
            End::Stalled { .. }
            | End::Exhausted { .. }
            | End::Unavailable { .. }
            | End::Violated
            | End::Cancelled => Err("only a success finishes a unit"),
        }
    }

    pub(super) fn words(&self) -> Said {
        self.tree.as_ref().and_then(|tree| self.said.get(tree)).cloned().unwrap_or_default()
    }

    /// A person's yes stands in for the judge's, never for a check's; a person's no is final.
    pub(super) fn says_yes(&self, contract: &Contract, gate: Gate) -> bool {
        let said = self.words();
        let green = |terms: &CheckTerms| said.is_green(&terms.name);
        match gate {
            Gate::Tasks => self.is_signed_off(),
            Gate::Checks => !contract.checks.is_empty() && contract.checks.iter().all(green),
            Gate::Integrity => match contract.policy.findings {
                FindingsPolicy::Attest | FindingsPolicy::Ask => said.findings.is_some(),
                FindingsPolicy::Stop => said.findings == Some(0),
            },
            Gate::Judge => said.is_approved_by_judge(contract) || self.person() == Some(true),
            Gate::Feedback => self.is_measured_well(contract) || self.person() == Some(true),
            Gate::Approach => !self.returns_to_rejected(),
            Gate::Landing => !self.way.is_refused(),
        }
    }

    pub(super) fn person(&self) -> Option<bool> {
        self.tree.as_ref().and_then(|tree| self.people.word.get(tree)).copied()
    }

    pub(super) fn all_say_yes(&self, contract: &Contract) -> bool {
        let person_says_no = self.person() == Some(false);
        !person_says_no && contract.policy.gates.iter().all(|gate| self.says_yes(contract, *gate))
    }

    /// Something was changed, nothing speaks against it, a gate was seen able to say no, and nobody was overruled.
    pub(super) fn is_proven(&self, contract: &Contract) -> bool {
        let said = self.words();
        let changed = self.tree.as_ref() != Some(self.base_tree(contract));
        let follows = matches!(said.judge, Some(JudgeWord::Approved { findings: OnFindings::Follow, .. }))
            && !said.needs_person;
        let untouched = said.findings.unwrap_or(0) == 0 || follows || self.person() == Some(true);
        let could_fail = said.checks.iter().any(|(name, say)| match say {
            Say::Yes => self.base_said.get(name) == Some(&Say::No) && !is_baselined(contract, name),
            Say::YesWithRepairs => true,
            Say::No | Say::Silence | Say::NeverBegan => false,
        });
        let judged = matches!(said.judge, Some(JudgeWord::Approved { evidence_inside: 1.., .. }));
        let shown = could_fail || judged || said.new_test == Some(true);
        let counted = !contract.policy.gates.contains(&Gate::Feedback) || self.is_measured_well(contract);
        let not_waived = !contract.policy.gates.contains(&Gate::Judge) || said.is_approved_by_judge(contract);
        let is_steady = !contract.checks.iter().any(|terms| self.flaky.contains(&terms.name));
        let proven = is_steady && changed && untouched && shown && not_waived && counted;
        self.all_say_yes(contract) && proven && contract.policy.caps.is_empty() && self.is_judged(contract)
    }

    /// Criteria of the task in hand are a judge's to see.
    fn is_judged(&self, contract: &Contract) -> bool {
        let place = usize::try_from(self.unit).unwrap_or(usize::MAX);
        let has_own = contract.tasks.get(place).is_some_and(|task| task.criteria > 0);
        !has_own || contract.policy.gates.contains(&Gate::Judge)
    }

    /// No further iteration follows.
    pub(super) fn is_at_limit(&self, contract: &Contract) -> bool {
        let limits = &contract.policy.limits;
        let broke = [Exhaustion::Money, Exhaustion::Tokens].map(|limit| self.purse.ends_by(limits, limit));
        self.iterations >= self.iterations_max(contract) || broke.contains(&true)
    }

    pub(super) fn milestone_is_kept(&self, contract: &Contract) -> Kept {
        let due =
            contract.policy.milestone_every.is_some_and(|every| self.iteration.is_multiple_of(every.get()));
        law(
            !due || self.milestone_seen == self.iteration,
            "a milestone comes before the gates but the checks",
        )
    }

    /// Every check said something about the candidate, where checks decide.
    pub(super) fn has_every_word(&self, contract: &Contract) -> bool {
        let said = self.words();
        let has_word = |terms: &CheckTerms| said.checks.contains_key(&terms.name);
        !contract.policy.gates.contains(&Gate::Checks) || contract.open_checks().all(has_word)
    }
}
