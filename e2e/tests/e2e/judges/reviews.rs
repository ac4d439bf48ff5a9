//! Whoever looks at the work beside the judge: it is tried out for real, and every yes is needed (SPEC A4).

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};
use serde_json::{Value, json};

use super::{NOTE, WHY, met, sample};
use crate::{exit, run, run_right};

/// An answer about these criteria, each met by this evidence.
fn all_met(count: usize, evidence: &Value) -> String {
    let criterion = |number| {
        let mut criterion = json!({"number": number, "word": "met", "reason": ""});
        criterion.as_object_mut().unwrap().extend(evidence.as_object().unwrap().clone());
        criterion
    };
    json!({"criteria": (1..=count).map(criterion).collect::<Vec<_>>(), "principle": ""}).to_string()
}

/// A judge that is asked as four people are: it answers by what it is asked.
fn panel(sandbox: &Sandbox) -> String {
    let tried =
        json!({"scenarios": [{"tries": "runs it", "command": "sh app.sh", "exit": 0, "shows": ["right"]}]});
    let no = |number| json!({"number": number, "word": "unmet", "reason": "the app prints something else"});
    let refused = json!({"criteria": [no(1), no(2)], "principle": ""}).to_string();
    let read = json!({"examined": [NOTE, "app.sh", "value.txt"]});
    let answers = [
        ("tried", tried.to_string()),
        ("refused", refused),
        ("used", all_met(2, &json!({"checks": ["scenario 1"]}))),
        ("safe", all_met(3, &read)),
        ("told", all_met(2, &read)),
        ("judged", met()),
    ];
    for (name, answer) in answers {
        std::fs::write(sandbox.path(name), answer).unwrap();
    }
    let root = sandbox.root();
    let program = format!(
        "prompt=$(cat); asked=${{prompt%%'## The material'*}}; say() {{ cat \"{root}/$1\"; }}; case \"$asked\" in \
         *'You try out work'*) say tried;; \
         *'Used as its users'*) case \"$prompt\" in *'not in the output'*) say refused;; *) say used;; esac;; \
         *'No secret stands'*) say safe;; \
         *'said where they look'*) say told;; \
         *) say judged;; esac"
    );
    std::fs::write(sandbox.path("panel"), program).unwrap();
    format!("command:sh {}", sandbox.path("panel"))
}

fn works(app: &str) -> [Step; 4] {
    [
        Step::write("value.txt", "right\n"),
        Step::write("app.sh", app),
        Step::write(NOTE, &format!("{WHY}\n")),
        Step::claim(),
    ]
}

// proves: A4
#[test]
fn work_that_passes_its_checks_and_does_not_do_what_it_should_is_refused_by_whoever_uses_it() {
    let sandbox = Sandbox::with(&sample());
    let agent = FakeAgent::new(&sandbox).turn(1, works("echo wrong\n")).turn(2, works("cat value.txt\n"));
    let judge = panel(&sandbox);
    run(&sandbox, &agent, &["--judge", &judge, "--reviewers", "qa,security,documents"])
        .run()
        .expect_exit(exit::VERIFIED)
        .says("the QA review: REJECTED")
        .says("the security review: approved");
    let told = agent.tally().prompt(2);
    assert!(
        told.contains("Refused by the QA review") && told.contains("the app prints something else"),
        "{told}"
    );
    let kept = sandbox.only_loop();
    let tried = std::fs::read_to_string(kept.path("iterations/001/scenarios.txt")).unwrap();
    assert!(tried.contains("$ sh app.sh") && tried.contains("not in the output: right"), "{tried}");
    let asked: Vec<String> = kept
        .results("review")
        .iter()
        .map(|(work, result)| format!("{} {}", work["work"]["by"], result["word"]))
        .collect();
    assert!(asked.contains(&"\"documents\" \"approved\"".to_owned()), "{asked:?}");
    assert!(sandbox.read("JUDGE_FEEDBACK.md").contains("the app prints something else"));
    let verdict = sandbox.gulf(["log", "--iteration", "1", "--verdict"]).run().expect_exit(0);
    verdict.says("# the judge").says("# the QA review");
    sandbox.assert_nothing_left();
}

// proves: A4
#[test]
fn a_reviewer_that_names_nothing_to_try_is_neither_a_yes_nor_a_no() {
    let sandbox = Sandbox::with(&sample());
    let agent = FakeAgent::new(&sandbox).otherwise(works("cat value.txt\n"));
    std::fs::write(sandbox.path("met"), met()).unwrap();
    let judge = format!(
        "command:prompt=$(cat); case \"$prompt\" in *'You try out work'*) echo 'looks fine';; *) cat {};; esac",
        sandbox.path("met")
    );
    run(&sandbox, &agent, &["--judge", &judge, "--reviewers", "qa"])
        .run()
        .expect_exit(exit::PAUSED)
        .says("No verdict from the QA review.")
        .does_not_say("the judge gives no verdict");
    let said = sandbox.only_loop().results("review");
    // The judge's own verdict, whenever it comes beside this, begins the count anew.
    assert!((3..=6).contains(&said.len()), "it is asked a few times, then a person is: {said:?}");
    assert!(said.iter().all(|(_, result)| result["word"] == "no-verdict"), "{said:?}");
}

// proves: A4
#[test]
fn a_judge_or_a_reviewer_whom_nobody_would_ask_is_refused_at_the_start() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::claim()]);
    let cases: [(&[&str], &str); 4] = [
        (&["--reviewers", "security"], "RUBRIC.md has no criteria"),
        (&["--judge", "command:cat"], "RUBRIC.md has no criteria"),
        (&["--preset", "basic", "--reviewers", "qa", "--judge", "command:cat"], "the preset basic has none"),
        (&["--preset", "ralph", "--level", "1", "--reviewers", "qa"], "level 1 has none"),
    ];
    for (flags, why) in cases {
        let refused = run_right(&sandbox, &agent, flags).run().expect_exit(exit::REFUSED_START);
        refused.says("has no effect, because no judge is asked").says(why).says("hint: ");
    }
    let noted = run_right(&sandbox, &agent, &["--dry-run"]).variable("GULF_JUDGE_REVIEWERS", "security");
    noted.run().expect_exit(0).says("judge.reviewers has no effect");
}
