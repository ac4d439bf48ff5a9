//! What was agreed, against what the project says now: shown at a resume, changed only by a person (SPEC B1, G9).

use gulf_testkit::{FakeAgent, Invocation, LoopFolder, Sample, Sandbox, Step};

use crate::gulf;

const RIGHT: &str = "grep -qx right value.txt";

/// A rubric with these checks.
fn rubric(checks: &[&str]) -> String {
    let lines: Vec<String> = checks.iter().map(|check| format!("- `{check}`\n")).collect();
    format!("## Checks\n{}", lines.concat())
}

/// A paused loop whose worker changes a note and claims nothing in every turn but those that `later` says.
struct Paused {
    sandbox: Sandbox,
    agent: FakeAgent,
}

impl Paused {
    fn new(later: impl IntoIterator<Item = Step>, arguments: &[&str]) -> Paused {
        let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", &rubric(&[RIGHT])));
        let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("notes/a.txt", "x\n")]).otherwise(later);
        let flag = agent.flag();
        gulf(&sandbox, ["run", "make it right", "--research", "off", "-m", "1", "--agent", flag.as_str()])
            .arguments(arguments.iter().copied())
            .run()
            .expect_exit(10);
        Paused { sandbox, agent }
    }

    fn gulf<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        gulf(&self.sandbox, arguments)
    }

    fn kept(&self) -> LoopFolder {
        self.sandbox.only_loop()
    }

    /// The commands of the contract that is sealed in this file.
    #[track_caller]
    fn sealed_checks(&self, file: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.kept().path("sealed").join(file)).unwrap();
        let contract: serde_json::Value = serde_json::from_str(&text).unwrap();
        let checks = contract["checks"].as_array().unwrap().iter();
        checks.map(|check| check["command"].as_str().unwrap().to_owned()).collect()
    }
}

fn mend() -> [Step; 2] {
    [Step::write("value.txt", "right\n"), Step::claim()]
}

// proves: B1, G9
#[test]
fn a_changed_rubric_is_shown_at_a_resume_and_no_turn_is_spent_before_it_is_said_which_one_counts() {
    let paused = Paused::new(mend(), &[]);
    paused.sandbox.write("RUBRIC.md", rubric(&["test -e never.txt"]));
    let resumed = paused.gulf(["resume"]).run().expect_exit(2).says("gulf resume --keep-contract");
    assert_eq!(paused.agent.tally().turns(), [(1, 1)], "a turn was paid under terms that had changed");
    resumed
        .says("RUBRIC.md differs from what was sealed")
        .says("- - `grep -qx right value.txt`")
        .says("+ - `test -e never.txt`")
        .says("check gone: grep -qx right value.txt")
        .says("check new: test -e never.txt")
        .says("gulf resume --accept-contract");
    paused.gulf(["resume", "--keep-contract"]).run().expect_exit(10).says("continuing with what was sealed");
    // The milestone comes first; the sealed check decides.
    paused.sandbox.write("RUBRIC.md", rubric(&[RIGHT]));
    paused.gulf(["resume"]).run().expect_exit(0).does_not_say("differs from what was sealed");
    assert!(paused.kept().facts_of("amended").is_empty());
}

// proves: B1, G9
#[test]
fn the_same_goal_typed_again_spends_no_turn_on_terms_that_changed() {
    let paused = Paused::new(mend(), &[]);
    paused.sandbox.write("RUBRIC.md", rubric(&["test -e never.txt"]));
    let agent = paused.agent.flag();
    let again = ["run", "make it right", "--research", "off", "-m", "1", "--agent", agent.as_str()];
    let stopped =
        paused.gulf(again).run().expect_exit(2).says("going on with").says("check new: test -e never.txt");
    stopped.says("what counts as done differs from what was sealed").says("gulf resume --accept-contract");
    assert_eq!(paused.agent.tally().turns(), [(1, 1)], "a turn was paid under terms that had changed");
    paused.sandbox.write("RUBRIC.md", rubric(&[RIGHT]));
    paused.gulf(again).run().expect_exit(10).does_not_say("differs from what was sealed");
}

// proves: B1, G9
#[test]
fn an_accepted_rubric_is_the_contract_from_then_on_and_the_first_one_is_kept() {
    let paused = Paused::new([Step::write("other.txt", "x\n"), Step::claim()], &["--check", "true"]);
    let first = std::fs::read(paused.kept().path("sealed/contract.json")).unwrap();
    // At the milestone that it rests at the first contract's checks have spoken.
    let checked_before = paused.kept().results("check").len();
    paused.sandbox.write("RUBRIC.md", rubric(&["test -e other.txt"]));
    paused.gulf(["resume", "--accept-contract"]).run().expect_exit(10).says("check new: test -e other.txt");
    assert_eq!(std::fs::read(paused.kept().path("sealed/contract.json")).unwrap(), first);
    assert_eq!(paused.sealed_checks("contract-2.json"), ["test -e other.txt", "true"]);
    assert_eq!(paused.kept().facts_of("amended").len(), 1);
    // What is read now is the second one: nothing differs from it, and its check is the one that speaks.
    paused.gulf(["resume"]).run().expect_exit(0).does_not_say("differs from what was sealed");
    let checked = paused.kept().results("check");
    let since = checked.iter().skip(checked_before);
    let names: Vec<_> = since.map(|(key, _)| key["work"]["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"test -e other.txt") && !names.contains(&RIGHT), "{names:?}");
    paused.sandbox.assert_nothing_left();
}

#[test]
fn what_a_crash_left_of_an_amendment_is_no_contract_and_in_nobodys_way() {
    let paused = Paused::new(mend(), &[]);
    let left = paused.kept().path("sealed/contract-2.json");
    std::fs::write(&left, "{\"version\":1").unwrap();
    paused.sandbox.write("RUBRIC.md", rubric(&[RIGHT, "true"]));
    paused.gulf(["resume", "--accept-contract"]).run().expect_exit(10);
    paused.gulf(["resume"]).run().expect_exit(0);
    assert_eq!(paused.sealed_checks("contract-3.json"), [RIGHT, "true"]);
    assert_eq!(std::fs::read_to_string(left).unwrap(), "{\"version\":1");
    paused.gulf(["status"]).run().expect_exit(0).says("verified");
}

#[test]
fn checks_of_the_settings_are_accepted_like_those_of_the_rubric() {
    let paused = Paused::new(mend(), &[]);
    paused.sandbox.write("gulf.toml", "[[check]]\nname = \"more\"\ncommand = \"true\"\n");
    paused.gulf(["resume"]).run().expect_exit(2).says("check new: more");
    paused.gulf(["resume", "--keep-contract"]).run().expect_exit(10);
    paused.gulf(["resume", "--accept-contract"]).run().expect_exit(0).says("check new: more");
    assert_eq!(paused.sealed_checks("contract-2.json"), [RIGHT, "true"]);
}

#[test]
fn nothing_to_accept_is_said_and_changes_nothing() {
    let paused = Paused::new(mend(), &[]);
    paused.gulf(["resume", "--accept-contract"]).run().expect_exit(10).says("there is nothing to accept");
    assert!(!paused.kept().path("sealed/contract-2.json").exists());
}

#[test]
fn a_rubric_that_cannot_be_used_is_not_accepted_and_the_sealed_one_can_be_kept() {
    let paused = Paused::new(mend(), &[]);
    paused.sandbox.write("RUBRIC.md", "## Checks\n* npm test\n");
    paused.gulf(["resume", "--accept-contract"]).run().expect_exit(2).says("RUBRIC.md");
    assert_eq!(paused.agent.tally().turns(), [(1, 1)]);
    paused.gulf(["resume"]).run().expect_exit(2).says("cannot be used as it is");
    paused.gulf(["resume", "--keep-contract"]).run().expect_exit(10).says("cannot be used as it is");
    assert!(paused.kept().facts_of("amended").is_empty());
}

#[test]
fn limits_are_raised_at_a_resume_and_the_journal_says_so() {
    let paused = Paused::new([Step::append("notes/a.txt", "y\n")], &["-n", "2"]);
    paused
        .gulf(["resume", "-n", "4", "--max-duration", "2h", "--max-cost", "57.50", "--max-tokens", "30M"])
        .arguments(["--allow", "cargo bench"])
        .run()
        .expect_exit(10);
    let amended = paused.kept().facts_of("amended");
    let limits = &amended[0]["contract"]["policy"]["limits"];
    assert_eq!(limits["iterations_max"], 4, "{limits}");
    assert_eq!(limits["active_ms_max"], 7_200_000);
    assert_eq!(limits["microdollars_max"], 57_500_000);
    assert_eq!(limits["tokens_max"], 30_000_000);
    let sealed = std::fs::read_to_string(paused.kept().path("sealed/contract-2.json")).unwrap();
    assert!(sealed.contains("\"cargo bench\""), "{sealed}");
    paused.gulf(["resume"]).run().expect_exit(10);
    paused.gulf(["resume"]).run().expect_exit(10);
    paused.gulf(["resume"]).run().expect_exit(12).says("exhausted");
    assert_eq!(paused.agent.tally().turns().len(), 4);
}

#[test]
fn a_loop_that_used_everything_up_is_over_and_the_way_on_is_named() {
    let paused = Paused::new([Step::append("notes/a.txt", "y\n")], &["-n", "2"]);
    paused.gulf(["resume"]).run().expect_exit(10);
    paused.gulf(["resume"]).run().expect_exit(12);
    let refused = paused.gulf(["resume", "-n", "9"]).run().expect_exit(2);
    refused.says("has ended as exhausted").says("gulf run --max-iterations");
    assert!(paused.kept().facts_of("amended").is_empty());
}

#[test]
fn wrong_limits_are_refused_at_their_flag_and_change_nothing() {
    let paused = Paused::new(mend(), &[]);
    for (flag, value) in [
        ("-n", "0"),
        ("--max-cost", "cheap"),
        ("--max-cost", "-1"),
        ("--max-tokens", "0"),
        ("--max-duration", "soon"),
    ] {
        paused.gulf(["resume", flag, value]).run().expect_exit(2).says("error:").does_not_panic();
    }
    assert!(paused.kept().facts_of("amended").is_empty());
    assert_eq!(paused.agent.tally().turns(), [(1, 1)]);
}

#[test]
fn the_same_goal_with_another_check_spends_no_turn_under_the_old_terms() {
    let paused = Paused::new(mend(), &[]);
    let agent = paused.agent.flag();
    let again = ["run", "make it right", "--research", "off", "-m", "1", "--agent", agent.as_str()];
    let turns = paused.agent.tally().turns().len();
    let other = paused.gulf(again).arguments(["--max-cost", "3", "--check", "true"]).run().expect_exit(2);
    other.says("was started with another --check\n").says("gulf resume ").says("gulf run --replace");
    assert_eq!(paused.agent.tally().turns().len(), turns, "no further turn");
    paused.gulf(again).arguments(["--max-cost", "3"]).run().says("--max-cost changes nothing");
}

// proves: G2
#[test]
fn a_start_names_what_it_would_cost_and_who_judges() {
    let criteria = "## Checks\n- `true`\n## Judge criteria\n- the greeting is friendly\n";
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", criteria));
    let dry = ["run", "make it right", "--dry-run", "--agent", "command:cat"];
    let shown = gulf(&sandbox, dry)
        .arguments(["--judge", "command:cat", "--max-cost", "5", "--max-tokens", "2M", "-n", "7", "-t", "3"])
        .run()
        .expect_exit(0);
    shown
        .says("agent      cat")
        .says("judge      cat")
        .says("judged     the greeting is friendly")
        .says("7 iterations, $5.00, 2M tokens")
        .says("after 3 rejections in a row");
    let basic = gulf(&sandbox, dry).arguments(["--preset", "basic"]).run().expect_exit(0);
    basic.says("not judged the greeting is friendly").does_not_say("judge      ");
}

#[test]
fn wrong_flags_of_a_start_are_refused_before_anything_is_sealed() {
    let sandbox = Sandbox::with(&Sample::shell());
    let wrong: [&[&str]; 8] = [
        &["--max-cost", "nothing"],
        &["--max-tokens", "0"],
        &["--hitl-threshold", "0"],
        &["--context", "some"],
        &["--judge", "nobody"],
        &["--preset", "judge", "--with-judge"],
        &["--with-judge"],
        &["--preset", "jugde"],
    ];
    for flags in wrong {
        let start = ["run", "make it right", "--agent", "command:cat", "--check", RIGHT];
        gulf(&sandbox, start)
            .arguments(flags.iter().copied())
            .run()
            .expect_exit(2)
            .says("error:")
            .does_not_panic();
    }
    assert!(sandbox.loops().is_empty());
}
