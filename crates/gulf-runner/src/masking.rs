//! Which secrets a loop knows: those of this process's variables, of its checks, and of the project's `.env` files.
//!
//! What is asked of the system here is asked once, and every boundary masks with the same answer.

use std::sync::OnceLock;

use camino::Utf8Path;
use gulf_agents::channels::Notice;
use gulf_agents::judge::{Content, Exhibits, Fate};
use gulf_agents::masking::Mask;
use gulf_host::files;

use crate::agreement::Agreement;
use crate::environment::variables_of_this_process;
use crate::folder::LoopPaths;

#[cfg(test)]
mod tests;

/// A larger file holds more than settings.
const FILE_BYTES_MAX: u64 = 256 * 1024;
/// Where projects keep what is not to be committed, beside what they agreed to have copied.
const FILES: [&str; 2] = [".env", ".env.local"];

/// Of this process's variables, gulf's own included.
pub fn of_this_process() -> &'static Mask {
    static MASK: OnceLock<Mask> = OnceLock::new();
    MASK.get_or_init(|| {
        let variables: Vec<_> = variables_of_this_process().collect();
        Mask::new(variables.iter().map(|(name, value)| (name.as_str(), value.as_str())))
    })
}

/// Of everything that a loop's worker and checks are given.
pub(crate) fn of_loop(agreement: &Agreement, folder: &LoopPaths) -> Mask {
    let mut variables: Vec<_> = variables_of_this_process().collect();
    let checks = agreement.checks.iter().flat_map(|check| check.environment.iter());
    variables.extend(checks.map(|(name, value)| (name.clone(), value.clone())));
    let terms = &agreement.verification.environment;
    let copied = terms.copied.keys().map(|path| folder.sealed_files().join(path));
    let lying = FILES.iter().map(|name| terms.person.join(name));
    let is_named_so = |name: &str| name == ".env" || name.starts_with(".env.") || name.ends_with(".env");
    let copied = copied.filter(|path| path.file_name().is_some_and(is_named_so));
    for file in copied.chain(lying) {
        variables.extend(variables_of(&file));
    }
    Mask::new(variables.iter().map(|(name, value)| (name.as_str(), value.as_str())))
}

/// What a judge is shown, line for line; it points to lines of this.
pub(crate) fn exhibits(mask: &Mask, mut exhibits: Exhibits) -> Exhibits {
    let own = |text: &mut String| *text = mask.owned(std::mem::take(text));
    exhibits.checks.iter_mut().for_each(|check| own(&mut check.tail));
    for file in &mut exhibits.files {
        if let Fate::Written { content: Content::Text { text, .. }, .. } = &mut file.fate {
            own(text);
        }
    }
    let Exhibits { goal, alignment, rejections, claim, notes, commits, .. } = &mut exhibits;
    notes.iter_mut().chain(commits).chain([goal, alignment, rejections, claim]).for_each(own);
    exhibits
}

/// What a channel tells.
pub(crate) fn notice(notice: &Notice) -> Notice {
    let own = |text: &String| of_this_process().text(text).into_owned();
    Notice {
        goal: own(&notice.goal),
        says: own(&notice.says),
        text: notice.text.as_ref().map(own),
        evidence: notice.evidence.as_ref().map(own),
        options: notice.options.iter().map(own).collect(),
        ..notice.clone()
    }
}

/// `NAME=value` lines, as dotenv and shells read them; what is no such file holds none.
fn variables_of(path: &Utf8Path) -> Vec<(String, String)> {
    let text = files::read_text(path, FILE_BYTES_MAX).map(|text| text.content).unwrap_or_default();
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.strip_prefix("export ").unwrap_or(line).split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), unquoted(value.trim()).to_owned())).collect()
}

fn unquoted(value: &str) -> &str {
    let within = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    within('"').or_else(|| within('\'')).unwrap_or(value)
}
