//! Words that stand in several places of a check's texts: what goes in and comes out again.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{
    CheckText, TextWord, is_file_name, is_prose_like, is_within_quotes, line_up_to, may_be_expected_word,
    values_in_texts, word_ranges,
};
use crate::sources::spliced;
use crate::sources::varied::Distance;

/// What stands in more places is no input.
const PLACES_MAX: usize = 6;

/// A word that stands in several places, in whatever letters (`[End](#end)`), and another one in its stead.
#[derive(Debug)]
pub struct RecurringWord {
    pub places: Vec<TextWord>,
    word: String,
    other: String,
}

/// Each word of a value that stands in some places, and nowhere in the products: first those that only a failing run shows, and
/// texts before numbers.
pub fn recurring_words(
    texts: &[CheckText],
    products: &[String],
    [failing, passing]: [&str; 2],
) -> Vec<RecurringWord> {
    let mut found: BTreeMap<String, Vec<TextWord>> = BTreeMap::new();
    for (index, one) in texts.iter().enumerate() {
        for at in runs(&one.text) {
            found.entry(one.text[at.clone()].to_lowercase()).or_default().push(one.word(index, at));
        }
    }
    let of = |texts: &mut dyn Iterator<Item = &str>| -> BTreeSet<String> {
        texts.flat_map(|text| runs(text).map(|at| text[at].to_lowercase())).collect()
    };
    let products = of(&mut products.iter().map(String::as_str));
    let values = values_in_texts(texts);
    let is_value = |place: &TextWord| {
        let within = |value: &TextWord| {
            value.text == place.text && value.at.start <= place.at.start && place.at.end <= value.at.end
        };
        let text = &texts[place.text].text;
        let mut around = word_ranges(text).filter(|at| at.start <= place.at.start && place.at.end <= at.end);
        (values.iter().any(within) || around.any(|at| is_file_name(&text[at])))
            && may_be_expected_word(texts, &place.word)
    };
    found.retain(|word, places| {
        (2..=PLACES_MAX).contains(&places.len()) && !products.contains(word) && places.iter().any(is_value)
    });
    let shown = of(&mut failing.lines().filter(|line| !passing.lines().any(|one| one == *line)));
    let mut found: Vec<RecurringWord> =
        found.into_iter().filter_map(|(word, places)| RecurringWord::new(texts, word, places)).collect();
    found.sort_by_key(|one| (!shown.contains(&one.word), !one.places[0].is_text()));
    found
}

impl RecurringWord {
    /// None where nobody knows another one, in about the same order among others.
    fn new(texts: &[CheckText], word: String, places: Vec<TextWord>) -> Option<Self> {
        let plain = TextWord { word, ..places[0].clone() };
        let others = [Distance::Near, Distance::Far].into_iter().filter_map(|distance| plain.other(distance));
        let is_new = |other: &String| texts.iter().all(|one| !one.text.contains(other.as_str()));
        let other = others
            .chain([plain.flipped()])
            .find(|other| runs(other).next() == Some(0..other.len()) && is_new(other))?;
        Some(Self { places, word: plain.word, other })
    }

    /// The texts with the other word wherever this one stands, but at one place.
    pub fn renamed(&self, texts: &[CheckText], kept: Option<&TextWord>) -> Vec<CheckText> {
        let is_kept =
            |index: usize, at: &Range<usize>| kept.is_some_and(|one| one.text == index && one.at == *at);
        let each = texts.iter().enumerate().map(|(index, one)| CheckText {
            path: one.path.clone(),
            text: self.in_text(&one.text, |at| !is_kept(index, at)),
        });
        each.collect()
    }

    fn in_text(&self, text: &str, is_wanted: impl Fn(&Range<usize>) -> bool) -> String {
        let own = runs(text).filter(|at| text[at.clone()].to_lowercase() == self.word && is_wanted(at));
        let cased = |at: Range<usize>| {
            let was = &text[at.clone()];
            let mut other = self.other.clone();
            if !was.chars().any(char::is_lowercase) {
                other = other.to_uppercase();
            } else if was.starts_with(char::is_uppercase) {
                other =
                    other.chars().take(1).flat_map(char::to_uppercase).chain(other.chars().skip(1)).collect();
            }
            (at, other)
        };
        spliced(text, own.map(cased))
    }

    /// Where this place alone is as it was, a failing run shows that it was expected. Does the base, with the other word
    /// everywhere, fail there, or pass by?
    pub fn fails_there(&self, kept: &str, passing: &str, of_base: &str) -> bool {
        let place = |line: &str, word: &str| runs(line).find(|at| line[at.clone()].to_lowercase() == word);
        let passing: Vec<&str> = passing.lines().collect();
        let base: Vec<&str> = of_base.lines().collect();
        let is_own = |line: &&&str| !passing.contains(line);
        kept.lines().any(|line| {
            let Some(expected) = place(line, &self.word) else { return false };
            let told = self.in_text(line, |_| true);
            if base.contains(&told.as_str()) {
                return !passing.contains(&told.as_str());
            }
            let fails = place(line, &self.other).is_some_and(|given| {
                let head = self.in_text(&line[..given.start], |_| true);
                let is_before = given.start < expected.start;
                let tail =
                    if is_before { self.in_text(&line[expected.start..], |_| true) } else { String::new() };
                let mut own = base.iter().filter(is_own);
                own.any(|one| one.strip_prefix(&head).is_some_and(|rest| rest.ends_with(&tail)))
            });
            fails
                || passing.iter().position(|one| *one == told).is_some_and(|at| {
                    let mut behind = passing[at + 1..].iter().filter(|line| !passing[..at].contains(line));
                    behind.any(|line| base.contains(line))
                })
        })
    }
}

impl TextWord {
    /// Are the numbers beside it, in its quotes or its line of data, words that stand elsewhere, too? Others may be built in.
    pub fn stands_among_inputs(&self, texts: &[CheckText]) -> bool {
        let one = &texts[self.text];
        let (before, rest) = (line_up_to(&one.text, self.at.start), &one.text[self.at.end..]);
        let rest = rest.lines().next().unwrap_or_default();
        let ends: &[char] = if is_prose_like(&one.path) { &[] } else { &['"', '\''] };
        let is_in_value = ends.is_empty() || is_within_quotes(before);
        let [before, rest] =
            [before.rsplit(ends).next(), rest.split(ends).next()].map(Option::unwrap_or_default);
        let value = if is_in_value { format!("{before} {rest}") } else { String::new() };
        let times = |number: &str| {
            let of = |one: &CheckText| runs(&one.text).filter(|at| &one.text[at.clone()] == number).count();
            texts.iter().map(of).sum::<usize>()
        };
        let is_number = |word: &&str| word.chars().all(|letter| letter.is_ascii_digit());
        runs(&value).map(|at| &value[at]).filter(is_number).all(|number| times(number) > 1)
    }
}

/// Letters and digits without a sign between them.
fn runs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(char::is_alphanumeric)?;
        let end = text[start..].find(|letter: char| !letter.is_alphanumeric());
        rest = end.map_or(text.len(), |end| start + end);
        Some(start..rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<CheckText> {
        vec![CheckText { path: "test.sh".to_owned(), text: text.to_owned() }]
    }

    #[test]
    fn a_word_in_several_places_and_in_no_product_is_renamed_in_all_of_them_or_in_all_but_one() {
        let texts =
            texts("is \"$(greet -n Ann 7)\" \"Hello, Ann 7\" 8 7 '#ann'\n[ \"$x\" = Bob ] || [ Bob ]\n");
        let found = recurring_words(&texts, &["echo Hello, Bob".to_owned()], ["+ greet -n Ann", ""]);
        let words: Vec<&str> = found.iter().map(|one| one.word.as_str()).collect();
        assert_eq!(words, ["ann", "7"]);
        let renamed = found[0].renamed(&texts, Some(&found[0].places[1]));
        assert!(
            renamed[0].text.starts_with("is \"$(greet -n Aon 7)\" \"Hello, Ann 7\" 8 7 '#aon'\n"),
            "{renamed:?}"
        );
        assert!(found[0].places[1].stands_among_inputs(&texts), "7 stands elsewhere");
    }

    #[test]
    fn a_number_that_stands_nowhere_else_may_be_built_in() {
        let texts = texts("is \"$(sum total 1 2)\" \"total: 3\"\n");
        let found = recurring_words(&texts, &[], ["", ""]);
        assert!(!found[0].places[1].stands_among_inputs(&texts));
    }

    #[test]
    fn the_base_fails_there_where_it_shows_the_same_expectation_beside_something_else() {
        let seven = || RecurringWord { places: Vec::new(), word: "7".to_owned(), other: "8".to_owned() };
        let is =
            |kept: &str, base: &str| seven().fails_there(kept, "+ conf -d 8\n+ test 8 = 8\n+ done\n", base);
        assert!(is("+ test 8 = 7\n", "usage\n+ test  = 8\n"));
        assert!(!is("+ test 8 = 7\n", "+ conf -d 8\n+ test 8 = 8\n+ test a = b\n"), "it gives that, too");
        assert!(!is("+ conf -d 7\n+ test 7 = 8\n", "+ conf -d 8\n+ test  = 8\n"), "the word is given there");
        assert!(is("-ERROR 7\n+ERROR 8\n", "-ERROR 8\n"), "nothing came");
        assert!(is("FAIL: got [8], want [7]\n", "FAIL: got [], want [8]\n"));
        assert!(is("+ test 8 = 7\n", "conf: no option -d\n+ done\n"), "it passed by");
        assert!(!is("+ test 8 = 7\n", "+ conf -d 8\n"), "it may have ended before");
    }
}
