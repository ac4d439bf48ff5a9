//! The marker as the original's hook reads it: front matter between two lines `---`, then the prompt.
//!
//! It is a reader of its own: were gulf's used, both could be wrong in the same way.

/// A file like `.claude/gulf-loop.local.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marker {
    fields: Vec<(String, String)>,
    body: String,
}

impl Marker {
    #[track_caller]
    pub(crate) fn parse(text: &str) -> Marker {
        let rest = text.strip_prefix("---\n").unwrap_or_else(|| panic!("no front matter: {text:?}"));
        let (front, body) =
            rest.split_once("\n---\n").unwrap_or_else(|| panic!("it is not closed: {text:?}"));
        let field = |line: &str| {
            let (key, value) = line.split_once(':').unwrap_or_else(|| panic!("no field: {line:?}"));
            (key.to_owned(), value.replace(['"', '\''], "").trim().to_owned())
        };
        Marker { fields: front.lines().map(field).collect(), body: body.to_owned() }
    }

    /// A field's value without quotes.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }

    /// The keys in their order, without those that gulf adds for itself.
    pub(crate) fn keys(&self) -> Vec<&str> {
        self.fields
            .iter()
            .map(|(key, _)| key.as_str())
            .filter(|key| !["loop", "session_id"].contains(key))
            .collect()
    }

    /// The prompt, as it stands there.
    pub(crate) fn body(&self) -> &str {
        &self.body
    }
}
