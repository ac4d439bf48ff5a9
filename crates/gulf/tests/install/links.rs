//! Settings that lie elsewhere by way of a link, and what may be done to a file at all.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::{CLAUDE, CODEX, at, get, gulf, home, put};

#[test]
fn a_link_is_followed_and_stays_and_so_do_the_permissions() {
    let sandbox = home();
    put(&sandbox, "dotfiles/claude.json", "{}\n");
    let file = at(&sandbox, "dotfiles/claude.json");
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    symlink("../dotfiles/claude.json", at(&sandbox, CLAUDE)).unwrap();
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(0).says(", which is ");
    assert!(get(&sandbox, "dotfiles/claude.json").contains("hook"));
    assert_eq!(fs::read_link(at(&sandbox, CLAUDE)).unwrap().to_str(), Some("../dotfiles/claude.json"));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    gulf(&sandbox, ["install", "claude", "--uninstall"]).run().expect_exit(0);
    assert_eq!(get(&sandbox, CLAUDE), "{}\n", "a link and its file are not gulf's to remove");
}

#[test]
fn a_link_that_leads_nowhere_is_refused() {
    let sandbox = home();
    symlink("/nowhere/settings.json", at(&sandbox, CODEX)).unwrap();
    for arguments in [&["install", "codex"][..], &["install", "codex", "--uninstall"]] {
        gulf(&sandbox, arguments.iter().copied()).run().expect_exit(2).says("leads nowhere");
    }
    assert!(at(&sandbox, CODEX).is_symlink());
}

#[test]
fn a_file_that_nobody_may_write_is_refused() {
    let sandbox = home();
    put(&sandbox, "store/hooks.json", "{}");
    fs::set_permissions(at(&sandbox, "store/hooks.json"), Permissions::from_mode(0o444)).unwrap();
    symlink(at(&sandbox, "store/hooks.json"), at(&sandbox, CODEX)).unwrap();
    gulf(&sandbox, ["install", "codex"]).run().expect_exit(2).says("store/hooks.json is read-only");
    assert_eq!(get(&sandbox, CODEX), "{}");
}
