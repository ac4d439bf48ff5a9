//! Judges that are dead, dull, deceived or strict: never an approval, and never a rejection, that is not one (SPEC B4).
//!
//! What a judge says, and what it is told, is written down here to the letter.

mod approaches;
mod claims;
mod material;
mod reviews;
mod silence;

use std::fmt::Write as _;

use gulf_testkit::{FakeAgent, FakeJudge, Finished, Invocation, LoopFolder, Sample, Sandbox, Step};
use serde_json::{Value, json};

use crate::run;

/// What the one criterion asks for, as the worker of these tests writes it down.
const NOTE: &str = "notes/why.txt";
const WHY: &str = "It was wrong since the first import.";

/// A sample with one check and one criterion.
fn sample() -> Sample {
    let rubric = "## Checks\n- sh check.sh\n\n## Judge criteria\n- A file in notes/ says why it was wrong\n";
    Sample::shell().file("RUBRIC.md", rubric)
}

/// What both the check and the criterion ask for.
fn honest() -> [Step; 4] {
    let said = Step::print("I have written it down.");
    [Step::write("value.txt", "right\n"), Step::write(NOTE, &format!("{WHY}\n")), said, Step::claim()]
}

/// `gulf run` with this worker and this judge.
fn run_judged(sandbox: &Sandbox, agent: &FakeAgent, judge: &FakeJudge, arguments: &[&str]) -> Invocation {
    run(sandbox, agent, &["--judge", &judge.flag()]).arguments(arguments.iter().copied())
}

/// The honest worker before this judge.
fn judged(sandbox: &Sandbox, judge: &FakeJudge, arguments: &[&str]) -> Finished {
    let agent = FakeAgent::new(sandbox).otherwise(honest());
    run_judged(sandbox, &agent, judge, arguments).run()
}

/// Everything the judge came to, call by call.
fn words(kept: &LoopFolder) -> Vec<String> {
    let word = |(_, result): (Value, Value)| result["word"].as_str().unwrap_or_default().to_owned();
    kept.results("judge").into_iter().map(word).collect()
}

/// How often it was rejected.
fn rejections(kept: &LoopFolder) -> usize {
    let refused = json!({"kind": "refused", "gate": "judge"});
    kept.facts_of("settled").iter().filter(|fact| fact["settlement"] == refused).count()
}

/// An answer of protocol "evidence" about one criterion.
fn answer(word: &str, reason: &str, quotes: &[(&str, &str)]) -> String {
    let quotes: Vec<Value> = quotes.iter().map(|(path, text)| json!({"path": path, "text": text})).collect();
    let criterion = json!({"number": 1, "word": word, "reason": reason, "quotes": quotes});
    json!({"criteria": [criterion], "principle": ""}).to_string()
}

fn met() -> String {
    answer("met", "", &[(NOTE, WHY)])
}

fn unmet(reason: &str) -> String {
    answer("unmet", reason, &[])
}

/// The prompt without what stands between its fences; a fence that does not close takes the rest with it.
pub(crate) fn outside(prompt: &str) -> String {
    let (_, rest) = prompt.split_once("Everything between a line `<<<").unwrap();
    let (nonce, _) = rest.split_once(' ').unwrap();
    let (begin, end) = (format!("<<<{nonce} "), format!("<<<{nonce} end>>>"));
    let mut outside = String::new();
    let mut is_inside = false;
    for line in prompt.lines() {
        let is_fence = line.starts_with(&begin);
        if !is_inside && !is_fence {
            writeln!(outside, "{line}").unwrap();
        }
        is_inside = if is_fence { line != end } else { is_inside };
    }
    outside
}

#[test]
fn an_autonomous_loop_that_is_used_up_says_what_was_rejected_and_where_that_is_written() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox).says(&unmet("nothing says why"));
    let flags = ["--preset", "autonomous", "--with-judge", "-n", "1"];
    let told = judged(&sandbox, &judge, &flags).expect_exit(crate::exit::EXHAUSTED);
    let (head, _) = told.stdout.split_once("checked: commit").unwrap();
    assert!(head.contains("rejected by the judge") && head.contains("nothing says why"), "{head}");
    let line = head.lines().find_map(|line| line.strip_suffix(" lists every rejection with its reason."));
    assert!(std::fs::read_to_string(line.unwrap()).unwrap().contains("nothing says why"), "{head}");
}

#[test]
fn a_verdict_is_printed_with_the_quote_that_proved_it() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox).says(&met());
    judged(&sandbox, &judge, &[]).expect_exit(0);
    let said = sandbox.gulf(["log", "--iteration", "1", "--verdict"]).run().expect_exit(0);
    said.says("1. met").says(&format!("{NOTE}: {WHY}"));
}

// proves: B3
#[test]
fn new_tests_that_no_check_runs_say_nothing_against_work_that_a_criterion_proves() {
    let rubric = "## Judge criteria\n- A file in notes/ says why it was wrong\n";
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", rubric));
    let judge = FakeJudge::new(&sandbox).says(&met());
    let test = "expect() {\n  [ \"$(sh tool.sh \"$1\")\" = \"$2\" ] || exit 1\n}\nexpect ab AB\nexpect \"c d\" \"C D\"\nexpect e2 E2\n\
                expect fg FG\n";
    let more = [Step::write("tool.sh", "echo \"$1\" | tr a-z A-Z\n"), Step::write("tests/tool.sh", test)];
    let agent = FakeAgent::new(&sandbox).otherwise(more.into_iter().chain(honest()));
    let lint = "! grep -rn FIXME --include='*.sh' .";
    run_judged(&sandbox, &agent, &judge, &["--check", lint, "-n", "2"]).run().expect_exit(0);
}
