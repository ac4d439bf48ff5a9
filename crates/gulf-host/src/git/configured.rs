//! What a repository's own settings and hooks are, read from git's files.
//!
//! They stand apart because the person's next `git commit` obeys them, whoever wrote them: they are compared, and nothing
//! that they say is done here.

use std::collections::BTreeMap;
use std::fs;

use camino::Utf8Path;

use super::Repository;
use crate::digest::Digest;
use crate::files;

/// Far more than any repository's settings take; what is behind it is not looked at.
const CONFIG_BYTES_MAX: u64 = 1 << 20;
const HOOK_BYTES_MAX: u64 = 16 << 20;
/// So many settings and hooks are compared.
const NAMES_MAX: usize = 10_000;

/// Settings and hooks by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configured {
    /// `remote.origin.url`; of one that stands several times all values, a line each.
    pub settings: BTreeMap<String, String>,
    /// The digest of each hook that git could run.
    pub hooks: BTreeMap<String, String>,
}

impl Repository {
    /// What stands there by now; what cannot be read counts as not there.
    pub fn configured(&self) -> Configured {
        let mut settings = BTreeMap::new();
        let layout = &self.layout;
        for path in [layout.common_dir.join("config"), layout.git_dir.join("config.worktree")] {
            if let Ok(bytes) = files::read_bytes(&path, CONFIG_BYTES_MAX) {
                read_settings(&String::from_utf8_lossy(&bytes), &mut settings);
            }
        }
        Configured { settings, hooks: hooks(&layout.common_dir.join("hooks")) }
    }
}

fn hooks(folder: &Utf8Path) -> BTreeMap<String, String> {
    let entries = folder.read_dir_utf8().into_iter().flatten().filter_map(Result::ok).take(NAMES_MAX);
    let found = entries.filter(|entry| !entry.file_name().ends_with(".sample")).filter_map(|entry| {
        let is_file = fs::metadata(entry.path()).is_ok_and(|found| found.is_file());
        let digest = || match files::read_bytes(entry.path(), HOOK_BYTES_MAX) {
            Ok(bytes) => Digest::of_bytes(&bytes).to_string(),
            Err(error) => error.to_string(),
        };
        is_file.then(|| (entry.file_name().to_owned(), digest()))
    });
    found.collect()
}

/// As far as comparing needs it: what stands in quotes stays in quotes.
fn read_settings(text: &str, settings: &mut BTreeMap<String, String>) {
    let text = text.replace("\\\r\n", "").replace("\\\n", "");
    let mut section = String::new();
    for line in text.lines().map(str::trim) {
        let rest = match line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            Some((header, rest)) => {
                section = section_name(header);
                rest.trim()
            }
            None => line,
        };
        if rest.is_empty() || rest.starts_with(['#', ';']) || settings.len() >= NAMES_MAX {
            continue;
        }
        // A name alone switches something on.
        let (name, value) = rest.split_once('=').unwrap_or((rest, "true"));
        let name = format!("{section}.{}", name.trim().to_lowercase());
        let value = value.trim();
        settings
            .entry(name)
            .and_modify(|earlier| {
                earlier.push('\n');
                earlier.push_str(value);
            })
            .or_insert_with(|| value.to_owned());
    }
}

/// `[remote "Origin"]` is `remote.Origin`: only what is in quotes is told by its letters' size.
fn section_name(header: &str) -> String {
    match header.split_once('"') {
        Some((section, name)) => {
            format!("{}.{}", section.trim().to_lowercase(), name.trim_end().trim_end_matches('"'))
        }
        None => header.trim().to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    //! Settings in the forms in which git writes them, and people do.

    use super::*;

    #[test]
    fn settings_are_found_in_every_form_that_git_takes() {
        let text = "[core]\n\tbare = false\n\thooksPath=/tmp/x\n[remote \"Evil]\"]\n";
        let mut found = BTreeMap::new();
        read_settings(text, &mut found);
        assert_eq!(found["core.hookspath"], "/tmp/x");
        let text = "[Remote \"Up\"] url = a # b\n# no = 1\n fetch = \\\nx\nfetch = y\n[gc]\nauto\n";
        let mut found = BTreeMap::new();
        read_settings(text, &mut found);
        let pairs: Vec<String> = found.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(pairs, ["gc.auto=true", "remote.Up.fetch=x\ny", "remote.Up.url=a # b"]);
    }
}
