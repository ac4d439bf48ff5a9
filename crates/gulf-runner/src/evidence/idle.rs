//! Settings of runners and linters that only say more than on the base, and without which the checks say the same: they
//! hide nothing.

use gulf_agents::reports::Completeness;
use gulf_agents::sources::{Changed, Edit, GrownSettings, grown_settings};
use gulf_engine::Finding;

use super::{AskedTree, CandidateEvidence};
use crate::agreement::Place;
use crate::checks::RunPurpose;
use crate::error::Result;

impl CandidateEvidence<'_> {
    /// Takes the findings that are nothing but such settings out of these.
    pub(super) fn idle_settings(&self, doubted: [&mut Vec<Finding>; 2]) -> Result<Vec<Finding>> {
        let mut grown = Vec::new();
        for (path, file) in &self.difference.files {
            if doubted.iter().any(|findings| findings.iter().any(|finding| finding.path == *path)) {
                grown.extend(grown_settings(path, file).map(|reader| (reader, path, file)));
            }
        }
        // A linter's findings may be a number that steers the loop: then its settings are a part of the measure.
        if self.resources.agreement.policy.feedback.is_some() {
            grown.retain(|(reader, ..)| *reader == GrownSettings::OfRunners);
        }
        let edit = |path: &str, file: &Changed| Edit { path: path.to_owned(), bytes: file.base.clone() };
        let edits: Vec<Edit> = grown.iter().map(|(_, path, file)| edit(path, file)).collect();
        let Some(is_counted) = self.are_idle(&edits)? else { return Ok(Vec::new()) };
        grown.retain(|(reader, ..)| is_counted || *reader == GrownSettings::OfLinters);
        let is_idle = |finding: &mut Finding| grown.iter().any(|(_, path, _)| **path == finding.path);
        let mut idle: Vec<Finding> =
            doubted.into_iter().flat_map(|findings| findings.extract_if(.., is_idle)).collect();
        let told = ", and without it the checks say the same";
        idle.iter_mut().for_each(|finding| finding.what.push_str(told));
        Ok(idle)
    }

    /// Whether the checks say the same without these changes, and if so, whether one of them counted its tests.
    fn are_idle(&self, edits: &[Edit]) -> Result<Option<bool>> {
        // What runs in place says nothing of another commit.
        let is_in_place = self.resources.agreement.checks.iter().any(|check| check.place == Place::Project);
        if edits.is_empty() || is_in_place || self.open_checks().next().is_none() {
            return Ok(None);
        }
        let changes = self.taken(edits, AskedTree::Base)?;
        let message = "gulf: the candidate without what it added to settings\n";
        let commit = self.commit_with(&changes, AskedTree::Candidate, message)?;
        let mut is_counted = false;
        for check in self.open_checks() {
            let Some(now) = self.resources.record(check, self.candidate.tree.as_str())? else {
                return Ok(None);
            };
            let without = self.run(check, RunPurpose::BaseTests, &commit)?.record;
            let is_same = now.tests == without.tests && now.ran == without.ran;
            if !is_same || !without.is_green() {
                return Ok(None);
            }
            is_counted |= now.readable != Completeness::None && now.ran.is_some_and(|ran| ran > 0);
        }
        Ok(Some(is_counted))
    }
}
