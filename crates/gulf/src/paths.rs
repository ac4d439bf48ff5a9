//! Paths as a person reads and pastes them: relative to where they stand, or to their home.
//!
//! What programs read, in `--json`, stays absolute.

use std::path::PathBuf;

use camino::{Utf8Path, Utf8PathBuf};

use crate::failure::{Failure, Result};

/// What gulf works with; the hint says what to do where a path is another.
pub fn utf8(path: PathBuf, hint: &str) -> Result<Utf8PathBuf> {
    let other = |path: PathBuf| Failure::usage(format!("the path {} is not UTF-8", path.display()), hint);
    Utf8PathBuf::from_path_buf(path).map_err(other)
}

/// The shortest form that a shell started here takes.
pub fn shown(path: &Utf8Path) -> String {
    let here = std::env::current_dir().ok().and_then(|here| Utf8PathBuf::from_path_buf(here).ok());
    let home = std::env::var("HOME").ok().map(Utf8PathBuf::from);
    shorter(path, here.as_deref(), home.as_deref())
}

fn shorter(path: &Utf8Path, here: Option<&Utf8Path>, home: Option<&Utf8Path>) -> String {
    let below = |root: Option<&Utf8Path>| {
        let root = root.filter(|root| root.is_absolute() && root.parent().is_some())?;
        path.strip_prefix(root).ok().filter(|rest| !rest.as_str().is_empty())
    };
    // Within quotes no shell knows `~`.
    let is_plain = |rest: &&Utf8Path| {
        rest.as_str().chars().all(|one| one.is_ascii_alphanumeric() || "/._-+@".contains(one))
    };
    let relative = below(here).filter(|rest| !rest.as_str().starts_with('-')).map(ToString::to_string);
    let at_home = || below(home).filter(is_plain).map(|rest| format!("~/{rest}"));
    relative.or_else(at_home).unwrap_or_else(|| path.to_string())
}

/// Only what a shell would take apart is put in quotes.
pub fn word(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=+".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { quoted(text) }
}

/// One word for a shell.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    //! Which form is the shortest one that can be pasted, and how a command survives a shell.

    use super::{Utf8Path, quoted, shorter};

    #[test]
    fn a_path_is_told_from_here_else_from_home_and_never_in_a_form_that_a_shell_would_not_take() {
        let check = |path: &str, told: &str| {
            let (here, home) = (Utf8Path::new("/home/kim/p"), Utf8Path::new("/home/kim"));
            assert_eq!(shorter(Utf8Path::new(path), Some(here), Some(home)), told);
        };
        check("/home/kim/p/.gulf/logs", ".gulf/logs");
        check("/home/kim/.local/state/gulf/a_b", "~/.local/state/gulf/a_b");
        check("/home/kim/my files/a", "/home/kim/my files/a");
        check("/home/kim/p", "~/p");
        check("/home/kimberly/a", "/home/kimberly/a");
        check("/var/gulf/a", "/var/gulf/a");
        assert_eq!(shorter(Utf8Path::new("/a/b"), Some(Utf8Path::new("/")), None), "/a/b");
    }

    #[test]
    fn a_command_with_quotes_is_one_word() {
        assert_eq!(quoted("grep -qx 'a b' c"), r"'grep -qx '\''a b'\'' c'");
    }
}
