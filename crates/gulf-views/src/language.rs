//! The language of what a person reads: English, in which the code is written, or Korean, by a table.
//!
//! Views stay one model, in English, for people and programs alike: a text is looked up when it is drawn, finished as
//! it is. The keys of the table are therefore the texts as they stand in the code, placeholders and all.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The language of a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScreenLanguage {
    #[default]
    English,
    Korean,
}

/// The table, the most specific text first.
static KOREAN: LazyLock<Vec<Translation>> = LazyLock::new(|| {
    let table: BTreeMap<String, String> = toml::from_str(include_str!("korean.toml")).unwrap_or_default();
    let mut all: Vec<Translation> =
        table.iter().map(|(text, korean)| Translation::new(text, korean)).collect();
    // Of two that fit alike, the one that asks for numbers.
    let exactness = |one: &Translation| {
        (one.fixed.iter().map(String::len).sum::<usize>(), one.korean.matches("{#").count())
    };
    all.sort_by_key(|one| std::cmp::Reverse(exactness(one)));
    all
});

/// Lines, and parts of a line, have a meaning each.
const BETWEEN: [&str; 2] = ["\n", " · "];
/// Sentences of their own, each known or not.
const SENTENCES: &str = "; ";
/// Parts that mean something only together, unless all of them are known.
const LISTED: [&str; 2] = [": ", ", "];
/// What ties a text to its neighbours is none of it.
const AROUND: [char; 5] = [' ', ':', ';', ',', '·'];
/// What money, shares, times and counts are made of.
const OF_NUMBERS: &str = "0123456789.~<$%+−–-…kMdhms ";

/// A text of the code, and what a person reads instead.
struct Translation {
    /// What stands before, between and after its placeholders.
    fixed: Vec<String>,
    names: Vec<String>,
    /// `{name}` is put in as it is, `{@name}` in its turn translated, and `{#name}` if it is a number.
    korean: String,
}

impl ScreenLanguage {
    /// By the name of a locale, such as `ko_KR.UTF-8`.
    pub fn of_locale(locale: &str) -> Self {
        let language = locale.split(['_', '.', '@', '-']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("ko") { Self::Korean } else { Self::English }
    }

    /// The text in this language; what the table does not have stays as it is.
    pub fn tell(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::English => Cow::Borrowed(text),
            Self::Korean => korean(text).map_or(Cow::Borrowed(text), Cow::Owned),
        }
    }
}

/// None where nothing of it is in the table.
fn korean(text: &str) -> Option<String> {
    if let Some(between) = BETWEEN.into_iter().find(|between| text.contains(between)) {
        let parts: Vec<_> = text.split(between).map(|part| ScreenLanguage::Korean.tell(part)).collect();
        return Some(parts.join(between));
    }
    let before = text.len() - text.trim_start_matches(AROUND).len();
    let body = text.trim_matches(AROUND);
    // What stands for a placeholder is no sentence besides, unless nothing else is known.
    let of_sentences = |one: &&Translation| one.fixed.iter().any(|fixed| fixed.contains(SENTENCES));
    let whole =
        || KOREAN.iter().filter(of_sentences).find_map(|one| one.translate(body)).or_else(|| sentences(body));
    let korean = if body.contains(SENTENCES) { whole() } else { None };
    let korean =
        korean.or_else(|| KOREAN.iter().find_map(|one| one.translate(body))).or_else(|| list(body))?;
    Some(format!("{}{korean}{}", &text[..before], &text[before + body.len()..]))
}

/// None where none of them is in the table.
fn sentences(text: &str) -> Option<String> {
    let each: Vec<(&str, Option<String>)> =
        text.split(SENTENCES).map(|sentence| (sentence, korean(sentence))).collect();
    let is_known = each.iter().any(|(_, korean)| korean.is_some());
    let told = |(text, korean): (&str, Option<String>)| korean.unwrap_or_else(|| text.to_owned());
    is_known.then(|| each.into_iter().map(told).collect::<Vec<_>>().join(SENTENCES))
}

/// All or nothing: a sentence has commas as well. What stands before others' words may be known alone.
fn list(text: &str) -> Option<String> {
    // A key that fits nearly everything tells nothing of others' words.
    let known = |item: &str| korean(item).filter(|told| !item.ends_with(told.as_str()));
    let item = |item: &str| known(item).or_else(|| is_number(item).then(|| item.to_owned()));
    let listed = LISTED.into_iter().filter(|between| text.contains(between)).find_map(|between| {
        let items: Option<Vec<String>> = text.split(between).map(item).collect();
        Some(items?.join(between))
    });
    let about = || {
        let (about, words) = text.split_once(": ").filter(|(about, _)| about.contains(' '))?;
        Some(format!("{}: {words}", korean(about)?))
    };
    listed.or_else(about)
}

fn is_number(text: &str) -> bool {
    text.contains(|character: char| character.is_ascii_digit())
        && text.chars().all(|character| OF_NUMBERS.contains(character))
}

/// Particles after a value: both forms stand in the table, and its last sound decides.
const PARTICLES: [(&str, [&str; 2]); 4] = [
    ("은(는)", ["은", "는"]),
    ("이(가)", ["이", "가"]),
    ("을(를)", ["을", "를"]),
    ("(으)로", ["으로", "로"]),
];

fn push_with_particle(told: &mut String, after: &str) {
    let rest = after.trim_start_matches('`');
    let fitting = |(both, forms)| Some((rest.strip_prefix(both)?, forms));
    let Some((behind, [closed, open])) = PARTICLES.into_iter().find_map(fitting) else {
        return told.push_str(after);
    };
    // After ㄹ, the eighth, `로` stands as after a vowel.
    let is_open = matches!((final_consonant(told), open), (0, _) | (8, "로"));
    told.push_str(&after[..after.len() - rest.len()]);
    told.push_str(if is_open { open } else { closed });
    told.push_str(behind);
}

/// Of the last letter or digit, as Koreans say it; 0 is none.
fn final_consonant(text: &str) -> u32 {
    match text.chars().rfind(|character| character.is_alphanumeric()) {
        Some(syllable @ '가'..='힣') => (u32::from(syllable) - u32::from('가')) % 28,
        Some('1' | '7' | '8' | 'l' | 'L') => 8,
        Some('0' | '3' | '6' | 'm' | 'n' | 'M' | 'N') => 1,
        Some(_) | None => 0,
    }
}

impl Translation {
    fn new(text: &str, korean: &str) -> Self {
        let (mut fixed, mut names, mut rest) = (Vec::new(), Vec::new(), text);
        let mut unnamed = 0..;
        while let Some((before, name, after)) = rest
            .split_once('{')
            .and_then(|(before, rest)| rest.split_once('}').map(|(name, after)| (before, name, after)))
        {
            fixed.push(before.to_owned());
            let number = if name.is_empty() { unnamed.next() } else { None };
            names.push(number.map_or_else(|| name.to_owned(), |number: u32| number.to_string()));
            rest = after;
        }
        fixed.push(rest.to_owned());
        Self { fixed, names, korean: korean.to_owned() }
    }

    /// None if the text is another one.
    fn translate(&self, text: &str) -> Option<String> {
        let values = self.values(text)?;
        let mut korean = String::new();
        let mut parts = self.korean.split('{');
        korean.push_str(parts.next()?);
        for part in parts {
            let (name, after) = part.split_once('}')?;
            let place = self.names.iter().position(|known| known == name.trim_start_matches(['@', '#']))?;
            let value = *values.get(place)?;
            match name.as_bytes().first() {
                Some(b'#') if !is_number(value) => return None,
                Some(b'@') => korean.push_str(&ScreenLanguage::Korean.tell(value)),
                Some(_) | None => korean.push_str(value),
            }
            push_with_particle(&mut korean, after);
        }
        Some(korean)
    }

    /// What stands in the place of each placeholder.
    fn values<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let (first, others) = self.fixed.split_first()?;
        let mut rest = text.strip_prefix(first.as_str())?;
        let Some((last, between)) = others.split_last() else {
            return rest.is_empty().then(Vec::new);
        };
        let mut values = Vec::new();
        for fixed in between {
            let (value, after) = rest.split_once(fixed.as_str())?;
            values.push(value);
            rest = after;
        }
        values.push(rest.strip_suffix(last.as_str())?);
        Some(values)
    }
}
