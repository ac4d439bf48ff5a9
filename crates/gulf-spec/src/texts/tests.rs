//! What `gulf init` writes is read back without a problem.

use proptest::prelude::*;

use super::{ProposedCheck, ProposedStanding, gulf_toml, is_prompt_skeleton, prompt_md, rubric_md};
use crate::config::{self, Layers};
use crate::detect::{CheckKind, DetectedCheck};
use crate::rubric;
use crate::text::Source;

fn check(name: &str, command: &str, why: &str) -> ProposedCheck {
    let check = DetectedCheck {
        name: name.to_owned(),
        command: command.to_owned(),
        kind: CheckKind::Test,
        why: why.to_owned(),
    };
    ProposedCheck { check, standing: ProposedStanding::InForce }
}

fn commented_out(check: ProposedCheck, reason: &str) -> ProposedCheck {
    ProposedCheck { standing: ProposedStanding::CommentedOut { reason: reason.to_owned() }, ..check }
}

/// Names and commands of the checks that a written gulf.toml says.
fn read_back(text: &str) -> Vec<(String, String)> {
    let layers = Layers { project: Some(Source::new("gulf.toml", text)), ..Layers::default() };
    let config = config::load(&layers).unwrap();
    config.checks.into_iter().map(|check| (check.name, check.command)).collect()
}

#[test]
fn the_written_settings_say_the_checks_and_leave_the_rest_at_its_default() {
    let checks = [
        check("test", "npm test", "package.json: scripts.test"),
        check("types", "npx tsc --noEmit", "tsconfig.json"),
    ];
    insta::assert_snapshot!(gulf_toml(&checks), @r#"
        # Settings of gulf for this project. `gulf config explain` shows each value and where it comes from.
        # A line that begins with `# name =` is a default: remove the `#` to change it.

        # preset = "auto"  # named setting of the loop: basic, judge, or auto: judge where RUBRIC.md has criteria
        # completion_promise = "COMPLETE"  # the word in <promise>…</promise> that claims completion
        # milestone_every = 0  # pause for a review after every so many iterations; 0 is off
        # force_max = false  # use all iterations, also after the gates passed
        # research = "inline"  # research brief before the first change: a gate, inline in iteration 1, or off
        # hitl_threshold = 5  # rejections in a row before a person is asked
        # structured_memory = false  # keep .claude/memory/ beside progress.txt, and archive each loop there
        # expect = "auto"  # auto: a check must have been seen to fail without the change; stay-green: they guard only

        [agent]
        # tool = ""  # who does the work: "claude", "codex" or "command:PROGRAM"; empty: the first that is installed
        # timeout = "2h"  # longest turn of the agent
        # idle_timeout = "30m"  # longest silence of the agent
        # model = ""  # the agent's model; empty: its own default
        # allow = []  # further commands the agent may run, such as "cargo bench"
        # arguments = []  # arguments of your own for claude or codex, after gulf's
        # context = "auto"  # what a turn remembers: nothing, the agent's whole session, or that until agent.context_share
        # context_share = 50  # percent of the context window from which auto begins afresh
        # follow_up = true  # ask once in the same session when a turn changed things and said nothing

        [judge]
        # tool = ""  # who judges: "claude", "codex", with a model "claude:MODEL", or "command:PROGRAM"; empty: the first that is installed
        # when = "on-claim"  # on-claim: on a claim and at the limit; every: after every turn
        # protocol = "evidence"  # evidence: a verdict per criterion that gulf checks; line: APPROVED or REJECTED: reason
        # timeout = "10m"  # longest call of the judge
        # call_limit = "256KiB"  # most that one call shows; more is split over several calls, never cut

        [limits]
        # max_iterations = 50  # most iterations of one loop
        # max_duration = "off"  # longest time of one loop, or off
        # max_cost = "off"  # most money of worker and judge together, in US dollars, or off
        # max_tokens = "off"  # most tokens of worker and judge together, or off
        # assumed_cost = "$5.00"  # what a turn counts for whose cost nobody tells
        # assumed_tokens = "2M"  # what a turn counts for whose tokens nobody tells

        [stuck]
        # same_candidate = 3  # claims in a row on the candidate just refused before the loop is stalled
        # same_failure = 5  # claims in a row refused for the same failure before the loop is stalled
        # oscillations = 3  # returns to an earlier tree before the loop is stalled
        # idle_iterations = 3  # turns in a row without a change, a claim or a tool call before the loop is stalled

        [verify]
        # setup = ""  # command that prepares the checkout of the checks, such as "npm ci"
        # from_clean = false  # start the checks without kept build output
        # copy_limit = "1GiB"  # largest dependency folder that is copied where it cannot be cloned
        # in_place = []  # names of checks that must run in the project itself
        # baseline = false  # accept the tests that fail at the start; new failures still count

        [prompt]
        # template = ""  # path of the project's own prompt template

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
    assert_eq!(read_back(&gulf_toml(&checks)), [said("test", "npm test"), said("types", "npx tsc --noEmit")]);
}

#[test]
fn a_check_that_is_not_in_force_can_be_put_in_force_by_taking_the_marks_away() {
    let checks = [
        check("test", "npm test", "package.json: scripts.test"),
        commented_out(check("lint", "npx eslint .", "eslint.config.js"), "exit code 1"),
    ];
    let text = gulf_toml(&checks);
    let said = |name: &str, command: &str| (name.to_owned(), command.to_owned());
    assert!(text.contains("# eslint.config.js; not in force: exit code 1\n# [[check]]\n"), "{text}");
    assert_eq!(read_back(&text), [said("test", "npm test")]);
    let marks = text.find("# [[check]]").unwrap();
    let put_in_force = format!("{}{}", &text[..marks], text[marks..].replace("# ", ""));
    assert_eq!(read_back(&put_in_force), [said("test", "npm test"), said("lint", "npx eslint .")]);
}

#[test]
fn without_a_check_the_written_settings_are_still_settings() {
    assert_eq!(read_back(&gulf_toml(&[])), []);
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
        let text = gulf_toml(&[check("it", &command, &why)]);
        prop_assert_eq!(read_back(&text), [("it".to_owned(), command.clone())]);
        let text = gulf_toml(&[commented_out(check("it", &command, &why), &why)]);
        prop_assert_eq!(read_back(&text), []);
    }
}
