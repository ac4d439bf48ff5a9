//! Answers that are made of what was asked with. They tell nothing new where an input is another; but where it is another
//! wherever it stands, expected too, the work passes as before, and the base does not.

use gulf_agents::sources::{TextWord, recurring_words};

use super::asked::{TextsAsked, place};
use super::{AskedTree, output};
use crate::error::Result;

/// So many words are called otherwise.
const WORDS_MAX: usize = 5;

impl TextsAsked<'_, '_> {
    /// Where such a word is expected.
    pub(super) fn on_renamed(&mut self, products: &[String], said: &str) -> Result<Option<TextWord>> {
        let products: Vec<String> = products.iter().chain(&self.products).cloned().collect();
        let words = recurring_words(&self.texts, &products, [said, &self.passing]);
        for word in words.into_iter().take(WORDS_MAX) {
            let renamed = word.renamed(&self.texts, None);
            let now = self.run(AskedTree::Candidate, &renamed)?;
            if self.is_spent() || !now.record.is_green() {
                continue;
            }
            let then = self.run(AskedTree::Base, &renamed)?;
            let (mut red, mut proven) = (0, None);
            for one in word.places.iter().filter(|_| !then.record.is_green()) {
                let ran = self.run(AskedTree::Candidate, &word.renamed(&self.texts, Some(one)))?;
                if ran.record.is_green() {
                    continue;
                }
                red += 1;
                let is_there = word.fails_there(&output(&ran), &output(&now), &output(&then));
                if is_there && one.stands_among_inputs(&self.texts) {
                    proven = Some(one);
                }
                // What is expected follows what is given.
                if let Some(proven) = proven.filter(|_| red > 1) {
                    self.seen_at.get_or_insert(place(&self.texts[proven.text], proven));
                    return Ok(Some(proven.clone()));
                }
            }
        }
        Ok(None)
    }
}
