//! Changes of comments alone: whatever a check says of them, the work is as it was.

use std::collections::{BTreeMap, BTreeSet};

use super::Language;
use super::graft::Changed;
use super::scan::{Scanned, code_lines, is_scanned};

/// The first source of a change that does nothing but take comments away or word them otherwise: all of its files are sources,
/// and equal apart from comments and blank lines. Comments that only come along may be what was asked for.
pub fn lost_comments(files: &BTreeMap<String, Changed>) -> Option<&str> {
    let mut lost = None;
    for (path, file) in files.iter().filter(|(_, file)| file.base != file.candidate) {
        let [base, now] = file.whole_texts()?;
        let [of_base, of_now] = [base, now].map(|text| code(path, text));
        if of_base? != of_now? {
            return None;
        }
        let lines: BTreeSet<&str> = now.lines().map(str::trim).collect();
        let is_lost = base.lines().any(|line| !lines.contains(line.trim()));
        lost = lost.or_else(|| is_lost.then_some(path.as_str()));
    }
    lost
}

fn code(path: &str, text: &str) -> Option<Vec<String>> {
    let language = Language::from_path(path)?;
    let source = Scanned::read(text, language);
    if source.is_none() && is_scanned(language) {
        return None;
    }
    let lines = code_lines(text, source.as_ref()).map(|line| line.trim_end().to_owned());
    Some(lines.filter(|line| !line.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, now: &str, is_lost: bool) {
        let base = "# TODO: sort\ndef a(b):\n    return \"#b\"  # as it is\n";
        let side = |text: &str| Some(text.as_bytes().to_vec());
        let files = BTreeMap::from([(path.to_owned(), Changed { base: side(base), candidate: side(now) })]);
        assert_eq!(lost_comments(&files), is_lost.then_some(path), "{now}");
    }

    #[test]
    fn comments_that_are_gone_or_worded_otherwise_are_no_work() {
        check("a.py", "def a(b):\n    return \"#b\"  # as it is\n", true);
        check("a.py", "# Note: sort\n\ndef a(b):\n    return \"#b\"  # as it is\n", true);
        check("a.py", "# TODO: sort\n# More.\ndef a(b):\n    return \"#b\"  # as it is\n", false);
        check("a.py", "def a(b):\n    return \"#c\"\n", false);
        check("a.py", "def a(b):\n  return \"#b\"\n", false);
        check("a.md", "def a(b):\n    return \"#b\"\n", false);
    }
}
