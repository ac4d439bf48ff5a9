//! What was measured, counted a second time, and the laws of reviews and plateaus (SPEC L4, L6).

use super::{Kept, Ledger, Say, is_baselined, law};
use crate::*;
use std::collections::{BTreeMap, BTreeSet};

/// Failures, lint errors, and what is not covered.
type Figures = [Option<u32>; 3];

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Numbers {
    by_tree: BTreeMap<TreeId, BTreeMap<CheckName, Figures>>,
    /// Of each iteration since a person or a success forgave, the first of all included.
    settled: Vec<Figures>,
    /// The iteration that a person has looked at.
    reviewed: u32,
    /// The checks that found something covered in the base, when they last spoke about it.
    of_base: BTreeSet<CheckName>,
}

impl Numbers {
    pub(super) fn hears(&mut self, tree: &TreeId, name: &CheckName, run: &CheckRun) {
        let uncovered = run.coverage_bp.map(|covered| 10_000 - covered);
        let figures = [run.tests.map(|tests| tests.failed), run.lint_errors, uncovered];
        self.by_tree.entry(tree.clone()).or_default().insert(name.clone(), figures);
    }

    pub(super) fn hears_of_base(&mut self, name: &CheckName, run: &CheckRun) {
        self.of_base.remove(name);
        self.of_base.extend(run.coverage_bp.map(|_| name.clone()));
    }

    /// Nothing that was settled counts for another unit; what lies there is its base, if it is another one.
    pub(super) fn of_next_unit(&self, left: Option<&TreeId>) -> Self {
        let measured = left.map(|tree| self.by_tree.get(tree).into_iter().flatten());
        let covered = |(name, figures): (&CheckName, &Figures)| figures[2].is_some().then(|| name.clone());
        let of_base =
            measured.map_or_else(|| self.of_base.clone(), |names| names.filter_map(covered).collect());
        Self { of_base, ..Self::default() }
    }
}

impl Ledger {
    /// Of the candidate in hand, once every check has spoken.
    fn figures(&self, contract: &Contract) -> Option<Figures> {
        let said = self.words().checks;
        let by_check = self.numbers.by_tree.get(self.tree.as_ref()?);
        let mut sum = [None; 3];
        for terms in contract.open_checks() {
            let say = *said.get(&terms.name)?;
            let [mut failed, lint, uncovered] = *by_check?.get(&terms.name)?;
            if is_baselined(contract, &terms.name) && say.is_yes() {
                failed = failed.map(|_| 0);
            }
            let add = |one: Option<u32>, other: Option<u32>| {
                one.map_or(other, |one| Some(one + other.unwrap_or(0)))
            };
            sum = [add(sum[0], failed), add(sum[1], lint), sum[2].max(uncovered)];
        }
        Some(sum)
    }

    /// No failure, no lint error, every check green, and as much coverage as agreed on.
    pub(super) fn is_measured_well(&self, contract: &Contract) -> bool {
        let Some(policy) = contract.policy.feedback else { return false };
        let said = self.words().checks;
        let green =
            contract.open_checks().all(|terms| said.get(&terms.name).is_some_and(|say: &Say| say.is_yes()));
        let Some([failed, lint, uncovered]) = self.figures(contract) else { return false };
        let base_was_covered = self.base_said.keys().any(|name| self.numbers.of_base.contains(name));
        let was_covered = base_was_covered || self.numbers.settled.iter().any(|figures| figures[2].is_some());
        let needless = policy.coverage == CoverageNeed::Shown && !was_covered;
        let covered = uncovered.map_or(needless, |uncovered| 10_000 - uncovered >= policy.coverage_bp_min);
        green
            && contract.open_checks().next().is_some()
            && failed.unwrap_or(0) == 0
            && lint.unwrap_or(0) == 0
            && covered
    }

    /// The numbers say what nobody claimed.
    pub(super) fn is_claimed_by_numbers(&self, contract: &Contract) -> bool {
        let changed = self.tree.as_ref() != Some(self.base_tree(contract));
        let listed = contract.policy.gates.contains(&Gate::Tasks);
        changed && !listed && self.is_measured_well(contract)
    }

    pub(super) fn may_review(&mut self, contract: &Contract) -> Kept {
        let wanted = contract.policy.feedback.is_some_and(|policy| policy.human_review);
        law(wanted, "a person reviews where that was agreed on")?;
        law(self.numbers.reviewed < self.iteration, "an iteration is reviewed once")?;
        law(!self.is_at_limit(contract), "what nothing follows is not reviewed before it")?;
        self.numbers.reviewed = self.iteration;
        Ok(())
    }

    /// Where numbers count, an iteration without a claim is measured, and none follows before a person has looked.
    pub(super) fn is_looked_at(&self, contract: &Contract, settlement: Settlement) -> Kept {
        let Some(policy) = contract.policy.feedback else { return Ok(()) };
        let is_about_the_work = match settlement {
            Settlement::Unclaimed | Settlement::Refused { .. } | Settlement::Asked => true,
            Settlement::Approved | Settlement::Rejected | Settlement::Steered => true,
            Settlement::AgentFailed | Settlement::RateLimited => false,
            Settlement::NeedsPerson | Settlement::Declined => false,
            Settlement::Research | Settlement::Questioned | Settlement::Unjudged => false,
            Settlement::Blocked => false,
        };
        let reviewed = self.numbers.reviewed == self.iteration || self.is_at_limit(contract);
        law(
            !is_about_the_work || !policy.human_review || reviewed,
            "no iteration follows one that nobody reviewed",
        )?;
        let checked = contract.policy.gates.contains(&Gate::Checks);
        let measured = !checked || self.figures(contract).is_some();
        law(settlement != Settlement::Unclaimed || measured, "what nobody claimed is measured")?;
        let unheard = settlement == Settlement::Unclaimed && self.is_claimed_by_numbers(contract);
        law(!unheard, "numbers that are as agreed on go to the gates")
    }

    pub(super) fn count_figures(&mut self, contract: &Contract, settlement: Settlement) {
        if matches!(settlement, Settlement::Asked | Settlement::Approved | Settlement::Questioned) {
            self.forgive_figures();
        }
        let in_vain = matches!(
            settlement,
            Settlement::AgentFailed
                | Settlement::RateLimited
                | Settlement::NeedsPerson
                | Settlement::Declined
                | Settlement::Questioned
        );
        if let Some(figures) = self.figures(contract).filter(|_| !in_vain) {
            self.numbers.settled.push(figures);
        }
    }

    /// What is forgiven counts no more; what was reached stays the mark.
    pub(super) fn forgive_figures(&mut self) {
        let best = self.numbers.settled.iter().fold([None; 3], least);
        self.numbers.settled = if self.numbers.settled.is_empty() { Vec::new() } else { vec![best] };
    }

    pub(super) fn may_end_on_plateau(&self, contract: &Contract) -> Kept {
        let counts = contract.policy.feedback.is_some_and(|policy| policy.auto_converge);
        law(counts, "a plateau ends the loop where that was agreed on")?;
        let [before @ .., one, two] = self.numbers.settled.as_slice() else {
            return Err("a plateau is two iterations after another one");
        };
        let best = before.iter().fold([None; 3], least);
        law(!before.is_empty(), "a plateau is two iterations after another one")?;
        let is_better = |figures: &Figures| least(best, figures) != best;
        law(!is_better(one) && !is_better(two), "what became better is no plateau")
    }
}

fn least(best: Figures, figures: &Figures) -> Figures {
    core::array::from_fn(|place| match (best[place], figures[place]) {
        (Some(best), Some(figure)) => Some(best.min(figure)),
        (best, figure) => best.or(figure),
    })
}
