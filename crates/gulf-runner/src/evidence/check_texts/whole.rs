//! What a check's files say as wholes: those that it compares, those that stand under other names, and comparisons in sources
//! whose language is not read.

use std::collections::BTreeSet;

use gulf_agents::sources::{
    CheckText, Distance, Flip, TextWord, answers, are_shown_alike, compared_files, comparisons, flips,
    is_word_of, roles, under_other_names,
};

use super::asked::{STALE_MIN, TextsAsked};
use super::{AskedTree, SuiteTrial, nothing_new, output};
use crate::error::Result;
use crate::evidence::finding_of;

/// So many comparisons are asked.
const COMPARISONS_MAX: usize = 4;
/// Fewer answers may be of one class.
const ANSWERS_MIN: usize = 3;

impl TextsAsked<'_, '_> {
    /// Does the check turn red where the files that it compares say something else, and stay green where its files of data
    /// stand under each other's names?
    pub(super) fn on_whole_files(&mut self, said: &str) -> Result<Option<SuiteTrial>> {
        let trace = format!("{said}\n{}", self.passing);
        self.compared = compared_files(&self.texts, &trace);
        if self.compared.is_empty()
            && let Some(found) = self.on_roles()?
        {
            return Ok(Some(found));
        }
        for is_last_only in [false, true] {
            let mut texts = self.texts.clone();
            self.compared.iter().for_each(|at| texts[*at] = texts[*at].otherwise(is_last_only));
            if texts != self.texts && !self.is_spent() && self.is_green(&texts)? {
                let names = self.compared.iter().map(|at| self.texts[*at].path.clone());
                let names = names.collect::<Vec<_>>().join(", ");
                let what = format!("passes all the same where {names} says something else");
                return Ok(Some(self.green(what)));
            }
        }
        let paths: Vec<String> = self.evidence.now()?.paths().map(str::to_owned).collect();
        if let Some(texts) = under_other_names(&self.texts, &paths, &trace)
            && !self.is_spent()
            && !self.is_green(&texts)?
        {
            let what =
                "fails where its files of data stand under each other's names: the work knows them by name";
            return Ok(Some(self.doubted(what.to_owned())));
        }
        Ok(None)
    }

    /// Of files of data that go in and come out, those that are expected: work and base show their words alike. Where all that
    /// goes in is another, and all that comes out is the base's, the work does nothing of its own.
    fn on_roles(&mut self) -> Result<Option<SuiteTrial>> {
        let roles = roles(&self.texts);
        let (mut expected, mut unmoved) = (Vec::new(), Vec::new());
        for role in &roles {
            if self.is_spent() {
                return Ok(None);
            }
            let paths: Vec<String> = role.iter().map(|at| self.texts[*at].path.clone()).collect();
            let mut texts = self.texts.clone();
            role.iter().for_each(|at| texts[*at] = texts[*at].otherwise(true));
            let now = self.run(AskedTree::Candidate, &texts)?;
            if now.record.is_green() {
                unmoved.extend(paths);
                continue;
            }
            let then = self.run(AskedTree::Base, &texts)?;
            let said = [output(&now), output(&then)];
            if without_durations(&said[0]) == without_durations(&said[1]) {
                let told: Vec<_> =
                    paths.into_iter().map(|path| [path, "other last words".to_owned()]).collect();
                return Ok(Some(self.trial(false, Some(nothing_new(self.check, &told)))));
            }
            if are_shown_alike(&self.texts, &texts, [&said[0], &said[1]]) {
                expected.push(role.clone());
            }
        }
        // One of them has to be what is expected.
        if roles.len() > 1 && unmoved.len() == roles.iter().map(BTreeSet::len).sum::<usize>() {
            let what = format!("passes all the same where {} say something else", unmoved.join(", "));
            return Ok(Some(self.green(what)));
        }
        // Where several look like it, nobody can tell.
        if expected.len() == 1 {
            self.compared = expected.remove(0);
        }
        Ok(None)
    }

    /// Can the check fail, and does it ask anything, as far as its sources compare values?
    pub(super) fn on_comparisons(&mut self, said: &str) -> Result<Option<SuiteTrial>> {
        if self.is_nameless
            && let Some(what) = self.on_assertions(said)?
        {
            return Ok(Some(self.green(what)));
        }
        if let Some(what) = self.says_that_it_fails(said) {
            return Ok(Some(self.green(what)));
        }
        let mut found = comparisons(&self.texts);
        found.truncate(COMPARISONS_MAX);
        let (mut unmoved, mut unasked) = (Vec::new(), Vec::new());
        for (expected, inputs) in &found {
            if self.is_spent() {
                return Ok(None);
            }
            if self.is_green(&self.with(expected, &expected.flipped()))? {
                unmoved.push([expected.word.clone(), expected.flipped()]);
            } else if unmoved.is_empty() && self.is_never_asked(inputs)? {
                unasked.push(expected.word.clone());
            }
        }
        if unmoved.len() >= STALE_MIN && unmoved.len() == found.len() {
            let what = unmoved.iter().map(|[was, is]| format!("{is} stands for {was}")).collect::<Vec<_>>();
            return Ok(Some(self.green(format!("passes all the same where {}", what.join(", where ")))));
        }
        if unasked.iter().collect::<BTreeSet<_>>().len() >= ANSWERS_MIN && unasked.len() == found.len() {
            return Ok(Some(self.doubted(format!("gets {} whatever it asks for", unasked.join(", ")))));
        }
        Ok(None)
    }

    /// A runner that gulf does not know, with tests that it can read: those whose names the base's run tells as it fails.
    fn on_assertions(&mut self, said: &str) -> Result<Option<String>> {
        let own = |flip: &Flip| {
            flip.is_certain && flip.test.name.rsplit(" > ").next().is_some_and(|name| said.contains(name))
        };
        let all = self.texts.iter().enumerate().flat_map(|(index, one)| {
            flips(&one.path, one.text.as_bytes()).into_iter().filter(own).map(move |flip| (index, flip))
        });
        let all: Vec<(usize, Flip)> = all.take(COMPARISONS_MAX).collect();
        let mut told = Vec::new();
        for (index, flip) in &all {
            if self.is_spent() {
                return Ok(None);
            }
            let mut texts = self.texts.clone();
            texts[*index].text = String::from_utf8_lossy(&flip.bytes).into_owned();
            if !self.is_green(&texts)? {
                return Ok(None);
            }
            told.push(format!("{} {}", flip.test.name, flip.description()));
        }
        Ok((told.len() >= STALE_MIN).then(|| format!("passes all the same where {}", told.join(", where "))))
    }

    fn is_never_asked(&mut self, inputs: &[TextWord]) -> Result<bool> {
        for input in inputs {
            for other in [Distance::Far, Distance::Near].iter().filter_map(|distance| input.other(*distance))
            {
                if self.is_spent() || !self.is_green(&self.with(input, &other))? {
                    return Ok(false);
                }
            }
        }
        Ok(!inputs.is_empty())
    }

    pub(super) fn is_green(&mut self, texts: &[CheckText]) -> Result<bool> {
        Ok(self.run(AskedTree::Candidate, texts)?.record.is_green())
    }
}

/// `0.03s` differs each time.
fn without_durations(output: &str) -> String {
    let is_duration = |word: &str| {
        let number = word.trim_matches(['(', ')', ',']).trim_end_matches("ms").trim_end_matches('s');
        number.contains('.') && number.parse::<f64>().is_ok()
    };
    output.split_whitespace().filter(|word| !is_duration(word)).collect::<Vec<_>>().join(" ")
}

impl TextsAsked<'_, '_> {
    /// With the work the check says word for word what it says as it fails, expectations among it: another end is all that is
    /// new.
    fn says_that_it_fails(&self, said: &str) -> Option<String> {
        let answers = self.texts.iter().flat_map(|one| answers(&one.path, one.text.as_bytes(), None));
        let expected = answers.flat_map(|answer| answer.expected).filter(|value| value.len() > 1);
        let told: BTreeSet<String> =
            expected.filter(|value| is_word_of(value.trim_matches('"'), [said])).collect();
        let is_same = without_durations(said) == without_durations(&self.passing);
        (is_same && told.len() >= STALE_MIN).then(|| {
            format!(
                "says as it passes what it says as it fails: {}",
                told.into_iter().collect::<Vec<_>>().join(", ")
            )
        })
    }

    /// What only a person can clear.
    fn doubted(&self, what: String) -> SuiteTrial {
        SuiteTrial { finding: Some(finding_of(self.check, what)), ..SuiteTrial::default() }
    }

    /// It cannot fail.
    pub(super) fn green(&self, what: String) -> SuiteTrial {
        SuiteTrial::green(self.check, what, (self.runs, self.duration_ms))
    }
}
