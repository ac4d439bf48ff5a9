//! Texts that are cut for people.

/// No more than so many characters of a text, and behind them what says that there are more.
pub(crate) fn shortened(text: &str, chars_max: usize, ending: &str) -> String {
    let end = text.char_indices().nth(chars_max);
    end.map_or_else(|| text.to_owned(), |(end, _)| format!("{}{ending}", &text[..end]))
}
