//! Patterns for short forms in texts. All of them are ours, so that one which is none is a bug.

use regex::Regex;

/// The pattern of this text, made once.
macro_rules! form {
    ($text:expr) => {{
        static FORM: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| regex::Regex::new($text).expect("a pattern"));
        &*FORM
    }};
}
pub(crate) use form;

/// What each group holds where the text has this form; none of the groups may be left out.
pub(crate) fn parts<'text, const N: usize>(form: &Regex, text: &'text str) -> Option<[&'text str; N]> {
    // Most lines have no form that is asked for, and room for groups is made before that is known.
    form.is_match(text).then(|| form.captures(text))?.map(|found| found.extract().1)
}
