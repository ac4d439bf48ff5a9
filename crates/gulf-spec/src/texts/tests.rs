//! What `gulf init` writes is read back without a problem.

use proptest::prelude::*;

use super::{Extent, ProposedCheck, ProposedStanding, gulf_toml, is_prompt_skeleton, prompt_md, rubric_md};
use crate::config::{self, SettingLayers};
use crate::detect::{CheckKind, DetectedCheck};
use crate::rubric;
use crate::text::Source;

fn check(name: &str, command: &str, why: &str) -> ProposedCheck {
    let check = DetectedCheck {
        name: name.to_owned(),
        command: command.to_owned(),
        kind: CheckKind::Test,
        otherwise: None,
        folder: String::new(),
        why: why.to_owned(),
    };
    ProposedCheck { check, standing: ProposedStanding::InForce }
}

fn commented_out(check: ProposedCheck, reason: &str) -> ProposedCheck {
    ProposedCheck { standing: ProposedStanding::CommentedOut { reason: reason.to_owned() }, ..check }
}

/// Names and commands of the checks that a written gulf.toml says.
fn read_back(text: &str) -> Vec<(String, String)> {
    let layers = SettingLayers { project: Some(Source::new("gulf.toml", text)), ..SettingLayers::default() };
    let config = config::load(&layers).unwrap();
    config.checks.into_iter().map(|check| (check.name, check.command)).collect()
}

/// The text without its lines `# name = value  # summary`, which follow the table of keys.
fn without_defaults(text: &str) -> String {
    let is_default = |line: &&str| {
        let name = line.strip_prefix("# ").and_then(|line| line.split_once(" = "));
        name.is_some_and(|(name, rest)| !name.contains(' ') && rest.contains("  # "))
    };
    text.lines().filter(|line| !is_default(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_written_settings_say_the_checks_and_leave_the_rest_at_its_default() {
    let checks = [
        check("test", "npm test", "package.json: scripts.test"),
        check("types", "npx tsc --noEmit", "tsconfig.json"),
    ];
    insta::assert_snapshot!(without_defaults(&gulf_toml(&checks, Extent::Full)), @r#"
    # Settings of gulf for this project. `gulf config explain` shows each value and where it comes from.
    # A line that begins with `# name =` is a default: remove the `#` to change it.


    [agent]

    [judge]

    [limits]

    [stuck]

    [environment]

    [landing]

    [parallel]

    [feedback]

    [tasks]
    
    [verify]

    [prompt]

    [steps]

    [notify]

    [ui]

    # The checks decide when the work is done. Each runs in a shell, at the top of the project or in `cwd`,
    # and passes with exit code 0. Also: timeout = "10m", cwd = "folder", env = { NAME = "value" }

    # package.json: scripts.test
    [[check]]
    name = "test"
    command = "npm test"

    # tsconfig.json
    [[check]]
    name = "types"
    command = "npx tsc --noEmit"
    "#);
    let said = |name: &str, command: &str| (name.to_owned(), command.to_owned());
    assert_eq!(
        read_back(&gulf_toml(&checks, Extent::Full)),
        [said("test", "npm test"), said("types", "npx tsc --noEmit")]
    );
}

#[test]
fn a_check_that_is_not_in_force_can_be_put_in_force_by_taking_the_marks_away() {
    let checks = [
        check("test", "npm test", "package.json: scripts.test"),
        commented_out(check("lint", "npx eslint .", "eslint.config.js"), "exit code 1"),
    ];
    let text = gulf_toml(&checks, Extent::Full);
    let said = |name: &str, command: &str| (name.to_owned(), command.to_owned());
    assert!(text.contains("# eslint.config.js; not in force: exit code 1\n# [[check]]\n"), "{text}");
    assert_eq!(read_back(&text), [said("test", "npm test")]);
    let marks = text.find("# [[check]]").unwrap();
    let put_in_force = format!("{}{}", &text[..marks], text[marks..].replace("# ", ""));
    assert_eq!(read_back(&put_in_force), [said("test", "npm test"), said("lint", "npx eslint .")]);
}

#[test]
fn without_a_check_the_written_settings_are_still_settings() {
    assert_eq!(read_back(&gulf_toml(&[], Extent::Full)), []);
}

#[test]
fn the_written_rubric_has_no_problem_and_nothing_in_force() {
    let rubric = rubric::parse(&Source::new("RUBRIC.md", &rubric_md()));
    assert_eq!(rubric.problems, []);
    assert!(rubric.checks.is_empty() && rubric.criteria.is_empty());
    assert_eq!((rubric.model, rubric.hitl_threshold), (None, None));
}

#[test]
fn a_prompt_that_nobody_filled_in_is_recognised() {
    assert!(is_prompt_skeleton(&prompt_md()));
    assert!(is_prompt_skeleton(&format!("\u{feff}{}", prompt_md().replace('\n', "\r\n"))));
    assert!(!is_prompt_skeleton(&prompt_md().replace("# Goal\n", "# Goal\n\nA login form.\n")));
}

proptest! {
    #[test]
    fn any_command_is_written_so_that_it_is_read_back(command in "[a-z\"'\\\\#é${}&| ]{0,30}[a-z]", why in any::<String>()) {
        let command = command.trim_start().to_owned();
        let text = gulf_toml(&[check("it", &command, &why)], Extent::Full);
        prop_assert_eq!(read_back(&text), [("it".to_owned(), command.clone())]);
        let text = gulf_toml(&[commented_out(check("it", &command, &why), &why)], Extent::Full);
        prop_assert_eq!(read_back(&text), []);
    }
}

#[test]
fn what_is_in_force_fits_a_screen_and_says_the_same_checks() {
    let all: Vec<ProposedCheck> = ["fmt", "clippy", "test", "doc"]
        .map(|name| check(name, &format!("cargo {name}"), "Cargo.toml"))
        .to_vec();
    let (brief, full) = (gulf_toml(&all, Extent::InForce), gulf_toml(&all, Extent::Full));
    assert!(brief.lines().count() <= 25, "{brief}");
    assert_eq!(read_back(&brief), read_back(&full));
    let bare = gulf_toml(&[], Extent::InForce);
    assert!(bare.lines().count() <= 25 && read_back(&bare).is_empty(), "{bare}");
}
