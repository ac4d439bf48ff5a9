//! The ratchet: a few places may be over a length limit for now, by exactly as much as they are, and never by more.

use super::rule::{Rule, Violation};
use super::source::Overlong;
use super::tree::Tree;

const PATH: &str = "xtask/tidy-exceptions.txt";

/// How many lines the file may have; lowered with every line that goes, never raised.
const EXCEPTIONS_MAX: usize = 0;

/// One line `subject lines # reason`; the subject is `path` or `path::function`.
struct Exception<'a> {
    line: usize,
    subject: &'a str,
    lines_max: usize,
}

/// Takes away what an exception allows; adds exceptions that are wrong, wider than needed, or too many.
pub(super) fn judge(tree: &Tree, overlong: Vec<Overlong>) -> Vec<Violation> {
    let text = tree.find(PATH).map_or("", |file| file.text.as_str());
    let (exceptions, mut found) = parse(text);
    if exceptions.len() > EXCEPTIONS_MAX {
        let message =
            format!("{} exceptions, at most {EXCEPTIONS_MAX}: make it shorter instead", exceptions.len());
        found.push(Violation::new(PATH, 1, Rule::Exception, message));
    }
    for exception in &exceptions {
        found.extend(slack(exception, &overlong));
    }
    let allowed = |over: &Overlong| {
        exceptions
            .iter()
            .any(|exception| exception.subject == over.subject && over.lines <= exception.lines_max)
    };
    found.extend(overlong.into_iter().filter(|over| !allowed(over)).map(|over| over.violation));
    found
}

fn parse(text: &str) -> (Vec<Exception<'_>>, Vec<Violation>) {
    let (mut exceptions, mut found) = (Vec::new(), Vec::new());
    for (index, content) in text.lines().enumerate() {
        if content.trim().is_empty() || content.starts_with('#') {
            continue;
        }
        let line = index + 1;
        let parsed = content.split_once(" # ").and_then(|(entry, reason)| {
            let (subject, lines_max) = entry.trim().rsplit_once(' ')?;
            let lines_max = lines_max.parse().ok()?;
            (!reason.trim().is_empty()).then_some(Exception { line, subject: subject.trim(), lines_max })
        });
        match parsed {
            Some(exception) => exceptions.push(exception),
            None => found.push(Violation::new(PATH, line, Rule::Exception, "want `subject lines # reason`")),
        }
    }
    (exceptions, found)
}

/// An exception nobody needs any more, or not as wide.
fn slack(exception: &Exception<'_>, overlong: &[Overlong]) -> Option<Violation> {
    let needed = overlong.iter().find(|over| over.subject == exception.subject);
    let message = match needed {
        None => format!("`{}` keeps the limit now: remove this line", exception.subject),
        Some(over) if over.lines < exception.lines_max => {
            format!("`{}` has only {} lines now: lower the number", exception.subject, over.lines)
        }
        Some(_) => return None,
    };
    Some(Violation::new(PATH, exception.line, Rule::Exception, message))
}
