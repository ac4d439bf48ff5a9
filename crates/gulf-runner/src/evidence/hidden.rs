//! What a candidate does so that less of it is seen: marks in sources, settings of linters, links out of the tree, assertions
//! that mean something else.
//!
//! It stands apart because nothing of it is a test or a runner's setting, and each makes a check say yes all the same.

use gulf_agents::sources::{
    Awareness, Changed, Suppression, added_suppressions, linter_configuration, linter_programs,
    replaced_assertions, test_aware,
};
use gulf_engine::Finding;

use super::looking::Looking;
use super::{Difference, changed_field};

/// All of it, as far as somebody looks.
pub(super) fn findings(difference: &Difference, looking: &Looking) -> Vec<Finding> {
    let settings = difference.files.iter().filter(|(path, _)| looking.has_any(linter_programs(path)));
    let settings = settings
        .flat_map(|(path, file)| linter_configuration(path, file.base.as_deref(), file.candidate.as_deref()))
        .map(changed_field);
    let marks = added_suppressions(&difference.files, &|programs| looking.has_any(programs));
    let assertions = difference.files.iter().flat_map(|(path, file)| assertions(path, file));
    let links = difference.changes.iter().filter(|change| change.is_link);
    let links = links.filter_map(|change| {
        let path = change.path.as_utf8()?.as_str();
        let target = difference.files.get(path)?.candidate.as_deref()?;
        leads_out(path, target).then(|| link(path, target))
    });
    settings.chain(marks.into_iter().map(suppressed)).chain(assertions).chain(links).collect()
}

/// Products that look whether they are tested.
pub(super) fn aware(difference: &Difference) -> Vec<Finding> {
    let finding = |Awareness { path, sign, line }| {
        let what = format!("looks in line {line} whether it is tested: at {sign}");
        Finding { path, what }
    };
    test_aware(&difference.files).into_iter().map(finding).collect()
}

fn suppressed(Suppression { path, mark, line, count }: Suppression) -> Finding {
    let more = if count == 1 { String::new() } else { format!(" and {} more", count - 1) };
    let what = format!("adds `{mark}` in line {line}{more}, so what stands there no longer counts");
    Finding { path, what }
}

fn assertions(path: &str, file: &Changed) -> Vec<Finding> {
    let names = replaced_assertions(path, file.base.as_deref(), file.candidate.as_deref());
    let what =
        |name: String| format!("brings in `{name}` for the tests beside it, which may assert something else");
    names.into_iter().map(|name| Finding { path: path.to_owned(), what: what(name) }).collect()
}

fn link(path: &str, target: &[u8]) -> Finding {
    let target = String::from_utf8_lossy(target);
    let what = format!("is a link to {target}, and what lies there is no part of the work");
    Finding { path: path.to_owned(), what }
}

/// Does a link at this path lead out of the project, or into its git directory?
fn leads_out(path: &str, target: &[u8]) -> bool {
    let Ok(target) = std::str::from_utf8(target) else { return true };
    if target.starts_with('/') || target.contains('\\') || target.as_bytes().get(1) == Some(&b':') {
        return true;
    }
    let mut depth = path.split('/').count() - 1;
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            ".git" if depth == 0 => return true,
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests;
