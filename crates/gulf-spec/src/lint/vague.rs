//! Words by which a criterion says nothing that two people must agree on, in English and in Korean.
//!
//! Apart because it is a list of words, each with the sense in which it is empty, and the phrases in which it is not.

/// How a word is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    /// Everyone has their own.
    Taste,
    /// More or less, but how much? A number beside it is an answer.
    Degree,
    /// What is right is not said.
    Unsaid,
    /// More is meant than is said.
    Open,
}

/// A word, and phrases in which it means something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vague {
    pub(super) word: &'static str,
    pub(super) sense: Sense,
    unless: &'static [&'static str],
}

const fn word(word: &'static str, sense: Sense) -> Vague {
    Vague { word, sense, unless: &[] }
}

const fn except(word: &'static str, sense: Sense, unless: &'static [&'static str]) -> Vague {
    Vague { word, sense, unless }
}

/// Longer phrases stand before the words they contain.
#[rustfmt::skip]
const VAGUE: [Vague; 81] = [
    word("works as expected", Sense::Unsaid),
    word("works as intended", Sense::Unsaid),
    word("as expected", Sense::Unsaid),
    word("as intended", Sense::Unsaid),
    word("as needed", Sense::Unsaid),
    word("as appropriate", Sense::Unsaid),
    word("where appropriate", Sense::Unsaid),
    word("when appropriate", Sense::Unsaid),
    word("if necessary", Sense::Unsaid),
    word("if possible", Sense::Unsaid),
    word("where possible", Sense::Unsaid),
    word("works well", Sense::Unsaid),
    word("works correctly", Sense::Unsaid),
    word("works properly", Sense::Unsaid),
    word("works fine", Sense::Unsaid),
    word("handled gracefully", Sense::Unsaid),
    word("gracefully", Sense::Unsaid),
    word("handled correctly", Sense::Unsaid),
    word("properly", Sense::Unsaid),
    except("proper", Sense::Unsaid, &["proper noun", "proper subset", "proper divisor", "proper name"]),
    word("appropriately", Sense::Unsaid),
    word("appropriate", Sense::Unsaid),
    word("best practices", Sense::Unsaid),
    word("best practice", Sense::Unsaid),
    word("production-ready", Sense::Unsaid),
    word("production ready", Sense::Unsaid),
    word("high quality", Sense::Taste),
    word("high-quality", Sense::Taste),
    word("well-written", Sense::Taste),
    word("well written", Sense::Taste),
    word("well-structured", Sense::Taste),
    word("well structured", Sense::Taste),
    word("well-documented", Sense::Taste),
    word("well-tested", Sense::Taste),
    word("user-friendly", Sense::Taste),
    word("user friendly", Sense::Taste),
    word("easy to use", Sense::Taste),
    word("easy to read", Sense::Taste),
    word("easy to understand", Sense::Taste),
    except("good", Sense::Taste, &["known-good", "known good", "last good", "for good"]),
    except("nice", Sense::Taste, &["nice level", "nice value"]),
    word("nicely", Sense::Taste),
    except("clean", Sense::Taste, &["clean build", "clean checkout", "clean clone", "clean install", "clean room", "clean worktree", "clean working tree", "status is clean", "tree is clean", "make clean", "clean up"]),
    word("cleanly", Sense::Taste),
    word("elegant", Sense::Taste),
    word("beautiful", Sense::Taste),
    word("polished", Sense::Taste),
    except("modern", Sense::Taste, &["modern browsers"]),
    word("intuitive", Sense::Taste),
    word("readable", Sense::Taste),
    word("maintainable", Sense::Taste),
    word("idiomatic", Sense::Taste),
    word("seamless", Sense::Taste),
    word("smooth", Sense::Taste),
    word("robust", Sense::Degree),
    word("scalable", Sense::Degree),
    word("performant", Sense::Degree),
    word("efficient", Sense::Degree),
    word("efficiently", Sense::Degree),
    except("fast", Sense::Degree, &["fast-forward", "fast forward", "fail fast", "fails fast"]),
    word("quickly", Sense::Degree),
    word("reasonable", Sense::Degree),
    word("reasonably", Sense::Degree),
    word("sufficient", Sense::Degree),
    word("sufficiently", Sense::Degree),
    word("adequate", Sense::Degree),
    word("and so on", Sense::Open),
    word("etc", Sense::Open),
    word("적절", Sense::Unsaid),
    word("제대로", Sense::Unsaid),
    word("올바르게 동작", Sense::Unsaid),
    word("잘 동작", Sense::Unsaid),
    word("필요에 따라", Sense::Unsaid),
    word("가능하면", Sense::Unsaid),
    word("깔끔", Sense::Taste),
    word("깨끗", Sense::Taste),
    word("직관적", Sense::Taste),
    word("읽기 쉬", Sense::Taste),
    word("효율적", Sense::Degree),
    except("빠르", Sense::Degree, &[]),
    word("충분", Sense::Degree),
];

/// The vague words of a criterion, in the order of the text; what stands in backticks or quotes is a name.
pub(super) fn found_in(criterion: &str) -> Vec<Vague> {
    let text = prose(criterion);
    let measured = text.contains(|character: char| character.is_ascii_digit());
    let mut found: Vec<(usize, usize, Vague)> = Vec::new();
    for vague in VAGUE {
        for (start, _) in text.match_indices(vague.word) {
            let end = start + vague.word.len();
            let inside = found.iter().any(|(from, to, _)| *from <= start && end <= *to);
            let named = found.iter().any(|(_, _, known)| known.word == vague.word);
            let answered = vague.sense == Sense::Degree && measured;
            if is_word(&text, start, end)
                && !inside
                && !named
                && !answered
                && !is_excepted(&text, start, &vague)
            {
                found.push((start, end, vague));
            }
        }
    }
    found.sort_by_key(|(start, _, _)| *start);
    found.into_iter().map(|(_, _, vague)| vague).collect()
}

/// The text in lower case, with blanks for what stands in backticks or quotes.
fn prose(text: &str) -> String {
    let mut open = None;
    let mut prose = String::new();
    for character in text.chars() {
        match (open, character) {
            (Some(end), _) => {
                if character == end {
                    open = None;
                }
                prose.push(' ');
            }
            (None, '`' | '"') => {
                open = Some(character);
                prose.push(' ');
            }
            (None, '“') => {
                open = Some('”');
                prose.push(' ');
            }
            (None, _) => prose.extend(character.to_lowercase()),
        }
    }
    // A quotation that is not closed hides nothing.
    if open.is_some() { text.to_lowercase() } else { prose }
}

/// Korean words go on with particles; others end where no letter follows.
fn is_word(text: &str, start: usize, end: usize) -> bool {
    let letter = |character: char| character.is_alphanumeric();
    let begins = !text[..start].ends_with(letter);
    let ends = !text[start..end].is_ascii() || !text[end..].starts_with(letter);
    begins && ends
}

fn is_excepted(text: &str, start: usize, vague: &Vague) -> bool {
    vague.unless.iter().any(|phrase| {
        phrase.match_indices(vague.word).any(|(at, _)| {
            start
                .checked_sub(at)
                .and_then(|from| text.get(from..))
                .is_some_and(|rest| rest.starts_with(phrase))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{VAGUE, is_word};

    #[test]
    fn no_word_stands_twice_and_a_phrase_stands_before_its_words() {
        for (index, vague) in VAGUE.iter().enumerate() {
            for earlier in &VAGUE[..index] {
                let mut inside = vague.word.match_indices(earlier.word);
                let is_inside = inside.any(|(at, word)| is_word(vague.word, at, at + word.len()));
                assert!(!is_inside, "{} after {}", vague.word, earlier.word);
            }
            assert_eq!(vague.word, vague.word.to_lowercase());
            assert!(vague.unless.iter().all(|phrase| phrase.contains(vague.word)), "{}", vague.word);
        }
    }
}
