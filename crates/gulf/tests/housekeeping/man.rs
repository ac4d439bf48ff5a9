//! The man pages that packages bring.

use std::collections::BTreeSet;
use std::fs;

use gulf_testkit::Sandbox;

use crate::gulf;

#[test]
fn every_command_that_the_help_shows_has_a_page_and_no_other_has_one() {
    let sandbox = Sandbox::without_git();
    let folder = sandbox.path("man");
    gulf(&sandbox, ["__man", folder.as_str()]).run().expect_exit(0).does_not_panic();
    let pages = folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned());
    let pages: BTreeSet<String> = pages.collect();
    for page in ["gulf.1", "gulf-run.1", "gulf-verify.1", "gulf-config.1", "gulf-config-explain.1"] {
        assert!(pages.contains(page), "no {page} in {pages:?}");
    }
    assert!(!pages.iter().any(|page| page.contains("__")), "{pages:?}");
    let help = gulf(&sandbox, ["--help"]).run().expect_exit(0).stdout;
    let named =
        help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  ")).map(|(name, _)| name);
    let named: Vec<&str> =
        named.filter(|name| *name != "gulf" && name.chars().all(|one| one.is_ascii_lowercase())).collect();
    assert!(named.len() > 30, "{named:?}");
    for name in named {
        assert!(pages.contains(&format!("gulf-{name}.1")), "`gulf {name}` has no page");
    }
    let run = fs::read_to_string(folder.join("gulf-run.1")).unwrap();
    assert!(run.starts_with(".ie") || run.contains(".TH gulf-run 1"), "{run}");
    assert!(run.contains("max\\-cost") && run.contains("Examples"), "{run}");
}
