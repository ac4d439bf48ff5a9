//! The functions of a shell's library, of which a check may be made, and which may be what it checks.

use std::collections::BTreeMap;

use super::Changed;
use crate::patterns::form;

/// A library that differs from the base's in functions alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnclosedFunctions {
    /// The names of those that are not as they were.
    pub changed: Vec<String>,
    /// The names of those that were not there.
    pub added: Vec<String>,
    /// The base's library with the candidate's functions, each in a shell of its own: there it can print, and say how it ended,
    /// and do nothing else to whoever calls it.
    pub text: String,
}

/// A library's functions by name, and all that it has in its order: functions with their name, and lines.
struct Library<'text> {
    functions: BTreeMap<&'text str, &'text str>,
    parts: Vec<(Option<&'text str>, &'text str)>,
}

/// None where something else differs, or nothing.
pub fn enclosed_functions(file: &Changed) -> Option<EnclosedFunctions> {
    let [base, now] = file.whole_texts()?;
    let (base, now) = (Library::read(base)?, Library::read(now)?);
    let is_gone = |name: &str| !now.functions.contains_key(name);
    if base.statements().ne(now.statements()) || base.functions.keys().any(|name| is_gone(name)) {
        return None;
    }
    let differing = now.functions.iter().filter(|(name, own)| base.functions.get(*name) != Some(*own));
    let names = differing.map(|(name, _)| (*name).to_owned());
    let (changed, added): (Vec<String>, Vec<String>) =
        names.partition(|name| base.functions.contains_key(name.as_str()));
    let mut new: String = added.iter().map(|name| enclosed(name, now.functions[name.as_str()])).collect();
    let mut text = String::new();
    for (name, before) in &base.parts {
        let Some(name) = name else {
            text.push_str(before);
            continue;
        };
        text.push_str(&std::mem::take(&mut new));
        let own = now.functions[name];
        text.push_str(&if *before == own { own.to_owned() } else { enclosed(name, own) });
    }
    text.push_str(&new);
    (!changed.is_empty() || !added.is_empty()).then_some(EnclosedFunctions { changed, added, text })
}

/// `name() { … }` as `name() ( … )`.
fn enclosed(name: &str, function: &str) -> String {
    let body = function.split_once('{').map_or("", |(_, body)| body).trim_end();
    let body = body.strip_suffix('}').unwrap_or(body).trim_end();
    format!("{name}() ({body}\n)\n")
}

impl<'text> Library<'text> {
    /// None where a function stands there twice, or has no end.
    fn read(text: &'text str) -> Option<Self> {
        let (mut functions, mut parts) = (BTreeMap::new(), Vec::new());
        let mut at = 0;
        while at < text.len() {
            let line = text[at..].split_inclusive('\n').next().unwrap_or_default();
            let Some(name) = function_name(line) else {
                parts.push((None, line));
                at += line.len();
                continue;
            };
            let mut is_over = false;
            let own = text[at..].split_inclusive('\n').take_while(|own| {
                let goes_on = !is_over;
                is_over |= own.trim_end() == "}" || (*own == line && line.trim_end().ends_with('}'));
                goes_on
            });
            let length: usize = own.map(str::len).sum();
            let function = &text[at..at + length];
            if !function.trim_end().ends_with('}') || functions.insert(name, function).is_some() {
                return None;
            }
            parts.push((Some(name), function));
            at += length;
        }
        Some(Self { functions, parts })
    }

    /// What is no function, no comment and no blank.
    fn statements(&self) -> impl Iterator<Item = &'text str> {
        let lines = self.parts.iter().filter(|(name, _)| name.is_none()).map(|(_, line)| line.trim_end());
        lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
    }
}

/// `name() {`, `function name {`, at the left margin.
fn function_name(line: &str) -> Option<&str> {
    let form = form!(r"^(?:function[ \t]+([A-Za-z0-9_]+)[ \t]*(?:\(\))?|([A-Za-z0-9_]+)[ \t]*\(\))[ \t]*\{");
    let found = form.captures(line)?;
    found.get(1).or_else(|| found.get(2)).map(|name| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "# Texts.\nset -u\n\nslug() {\n    printf '%s' \"$1\" | tr ' ' -\n}\n\nfunction twice { echo \"$1$1\"; }\nSEEN=1\n";

    fn with(from: &str, to: &str) -> Option<EnclosedFunctions> {
        assert!(BASE.contains(from), "{from}");
        let bytes = |text: &str| Some(text.as_bytes().to_vec());
        enclosed_functions(&Changed { base: bytes(BASE), candidate: bytes(&BASE.replace(from, to)) })
    }

    #[test]
    fn a_changed_function_gets_a_shell_of_its_own() {
        let found = with("tr ' ' -", "tr ' A' -a").unwrap();
        assert_eq!((found.changed, found.added), (vec!["slug".to_owned()], Vec::new()));
        let expected = "# Texts.\nset -u\n\nslug() (\n    printf '%s' \"$1\" | tr ' A' -a\n)\n\nfunction twice { echo \"$1$1\"; }\nSEEN=1\n";
        assert_eq!(found.text, expected);
        let found = with("$1$1", "$1 $1").unwrap();
        assert!(found.text.contains("twice() ( echo \"$1 $1\";\n)\n"), "{}", found.text);
    }

    #[test]
    fn a_new_function_stands_before_those_of_the_base() {
        let found = with("SEEN=1\n", "SEEN=1\n\n# Three.\nthrice() {\n    twice \"$1\"\n}\n").unwrap();
        assert_eq!((found.changed, found.added), (Vec::new(), vec!["thrice".to_owned()]));
        let at = |text: &str| found.text.find(text).unwrap();
        assert!(at("thrice() (\n    twice \"$1\"\n)\n") < at("slug() {"), "{}", found.text);
    }

    #[test]
    fn what_is_no_function_stays_as_it_is() {
        assert_eq!(with("SEEN=1", "SEEN=2"), None, "a statement");
        assert_eq!(with("SEEN=1\n", "SEEN=1\nexit 0\n"), None, "one more");
        assert_eq!(with("slug() {", "slug() {\n    :\n}\nslug() {"), None, "twice");
        assert_eq!(with("function twice { echo \"$1$1\"; }\n", ""), None, "a function less");
        assert_eq!(with("-\n}\n", "-\n"), None, "without an end");
        assert_eq!(with("-\n}\n", "-\n}\nfailed=0\n}\n"), None, "an end more");
        assert_eq!(with("# Texts.", "# Words."), None, "nothing");
    }
}
