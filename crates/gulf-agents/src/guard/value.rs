//! A word after the shell has replaced what it replaces: an argument, as far as it can be known.
//!
//! It stands apart because all that is decided about commands is decided on these, and because a quoted star and a
//! bare one are the same text and not the same word.

/// Longer is no path on any system.
const PATH_BYTES_MAX: usize = 4096;

/// Characters that are a pattern's where they are not quoted.
const SPECIAL: [char; 5] = ['*', '?', '[', ']', '\\'];

/// One argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) text: String,
    /// The same with `\` before each special character that stands for itself; only where one does not.
    pattern: Option<String>,
    /// Begins with a `~` that the shell replaces.
    pub(super) is_below_home: bool,
    /// A part of it comes from somewhere else, so it is nobody's path.
    pub(super) is_unknown: bool,
}

impl Value {
    pub(super) fn literal(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A pattern that a program reads by itself, whether the shell saw it quoted or not.
    pub(super) fn as_pattern(&self) -> Self {
        let has_glob = self.pattern.is_none() && self.text.contains(['*', '?', '[']);
        let pattern = if has_glob { Some(self.text.clone()) } else { self.pattern.clone() };
        Self { pattern, ..self.clone() }
    }

    /// The same text as it stands.
    pub(super) fn without_pattern(self) -> Self {
        Self { pattern: None, ..self }
    }

    /// The pattern, if the shell would look for files that fit.
    pub(super) fn pattern(&self) -> Option<&str> {
        self.pattern.as_deref()
    }

    /// Whether there is anything to resolve.
    pub(super) fn may_be_path(&self) -> bool {
        !self.is_unknown && !self.text.is_empty() && self.text.len() <= PATH_BYTES_MAX
    }

    /// Text that stands for itself.
    pub(super) fn push_literal(&mut self, text: &str) {
        self.text.push_str(text);
        if let Some(pattern) = &mut self.pattern {
            push_escaped(pattern, text);
        }
    }

    /// Text in which `*`, `?` and `[` are a pattern's.
    pub(super) fn push_bare(&mut self, text: &str) {
        if self.text.is_empty() && text.starts_with('~') {
            self.is_below_home = true;
        }
        if self.pattern.is_none() && text.contains(['*', '?', '[']) {
            let mut pattern = String::with_capacity(self.text.len() + text.len());
            push_escaped(&mut pattern, &self.text);
            self.pattern = Some(pattern);
        }
        self.text.push_str(text);
        if let Some(pattern) = &mut self.pattern {
            pattern.push_str(text);
        }
    }

    /// Another argument's text, with its patterns.
    pub(super) fn push_value(&mut self, other: &Self) {
        self.is_unknown |= other.is_unknown;
        match &other.pattern {
            None => self.push_literal(&other.text),
            Some(added) => {
                let pattern = self.pattern.get_or_insert_with(|| {
                    let mut pattern = String::new();
                    push_escaped(&mut pattern, &self.text);
                    pattern
                });
                pattern.push_str(added);
                self.text.push_str(&other.text);
            }
        }
    }
}

fn push_escaped(pattern: &mut String, text: &str) {
    for character in text.chars() {
        if SPECIAL.contains(&character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
}
