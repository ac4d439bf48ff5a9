//! Commits that reach the base branch while a loop works (SPEC B3): only what gulf landed there is others' work.
//!
//! They stand apart from what is done to tests in the worktree: here the base itself is to forget them.

use gulf_testkit::{FakeAgent, Finished, Invocation, Meeting, Sample, Sandbox, Step, quote};

use crate::{exit, run};

const SUBTRACTS: &str = "def add(a, b):\n    return a - b\n";
const ADDS: &str = "def add(a, b):\n    return a + b\n";
const CHECK: &str = "python3 -B -m unittest -v";

fn test(assertion: &str) -> String {
    format!(
        "import unittest\nimport calc\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        {assertion}\n"
    )
}

fn sample() -> Sandbox {
    let right = test("self.assertEqual(calc.add(1, 2), 3)");
    Sandbox::with(&Sample::shell().file("calc.py", SUBTRACTS).file("test_calc.py", &right))
}

fn lands(sandbox: &Sandbox, agent: &FakeAgent) -> Invocation {
    run(sandbox, agent, &["--preset", "autonomous", "--check", CHECK, "-n", "2"])
}

fn worked(sandbox: &Sandbox, steps: impl IntoIterator<Item = Step>, flags: &[&str]) -> Finished {
    let agent = FakeAgent::new(sandbox).otherwise(steps.into_iter().chain([Step::claim()]));
    lands(sandbox, &agent).arguments(flags.iter().copied()).run().does_not_panic()
}

/// A commit on `main`, in the checkout of the person's.
fn commits_on_main(sandbox: &Sandbox, path: &str, text: &str) -> Step {
    let there = quote(sandbox.repository().as_str());
    let text = quote(text);
    Step::run(&format!(
        "cd {there} && printf %s {text} > {path} && git add -A && git commit --quiet -m theirs"
    ))
}

/// Nothing of it adds.
fn gutted() -> (String, Step) {
    (
        test("self.assertTrue(hasattr(calc, 'done'))"),
        Step::write("calc.py", &format!("{SUBTRACTS}done = 1\n")),
    )
}

// proves: B3, G24
#[test]
fn a_worker_that_guts_tests_on_the_base_branch_itself_is_compared_with_the_sealed_base() {
    let (weak, pretends) = gutted();
    let sandbox = sample();
    let theirs = commits_on_main(&sandbox, "test_calc.py", &weak);
    let merges = Step::run("git merge --quiet main");
    let finished = worked(&sandbox, [theirs, merges.clone(), pretends.clone()], &[]);
    finished.expect_exit(exit::ATTESTED).says("the base's own tests fail on the candidate's code");
    // By plumbing, while nobody has the branch checked out.
    let sandbox = sample();
    sandbox.git(["switch", "--quiet", "--create", "mine"]);
    let moves = "blob=$(git hash-object -w --stdin) && GIT_INDEX_FILE=$(mktemp -u) && export GIT_INDEX_FILE && \
                 git read-tree main && git update-index --cacheinfo 100644,$blob,test_calc.py && \
                 git update-ref refs/heads/main $(git commit-tree -p main -m theirs $(git write-tree))";
    let moves = Step::run(&format!("printf %s {} | {{ {moves}; }}", quote(&weak)));
    let finished = worked(&sandbox, [moves, merges, pretends], &["-b", "main"]);
    finished.expect_exit(exit::ATTESTED).says("the base's own tests fail on the candidate's code");
}

// proves: B3, G24
#[test]
fn a_worker_that_breaks_the_base_branch_to_mend_it_has_proven_nothing() {
    let sandbox = sample();
    sandbox.write("calc.py", ADDS);
    sandbox.commit("adds");
    let breaks = commits_on_main(&sandbox, "calc.py", SUBTRACTS);
    let steps =
        [breaks, Step::run("git merge --quiet main"), Step::write("calc.py", &format!("# New.\n{ADDS}"))];
    let finished = worked(&sandbox, steps, &[]);
    finished.expect_exit(exit::ATTESTED).says("which reached it by no landing of gulf's");
}

// proves: B3, G18
#[test]
fn what_gulf_landed_meanwhile_is_others_work_and_its_changed_tests_are_nobodys_finding() {
    let sandbox = sample();
    sandbox
        .write("test_other.py", test("self.assertEqual(calc.NAME, 'old')").replace("test_add", "test_name"));
    sandbox.write("calc.py", format!("{SUBTRACTS}NAME = 'old'\n"));
    sandbox.commit("named");
    let [reached, held] = ["reached", "held"].map(|name| Meeting::new(&sandbox, name));
    let [merges, mends] = [Step::run("git merge --quiet main"), Step::run("sed -i 's/a - b/a + b/' calc.py")];
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [reached.reached(), held.held(), merges, mends, Step::claim()])
        .otherwise([Step::claim()]);
    let first = lands(&sandbox, &agent).start();
    reached.wait();
    let renames = Step::run("sed -i s/old/new/ calc.py test_other.py");
    let colleague = FakeAgent::named(&sandbox, "colleague").otherwise([renames, Step::claim()]);
    let check = "python3 -B -m unittest -v test_other";
    let theirs = sandbox
        .gulf(["run", "rename it", "--research", "off", "--preset", "autonomous", "-n", "2"])
        .arguments(["--check", check, "--tests-may-change", "test_other.py", "--agent", &colleague.flag()])
        .run();
    theirs.expect_exit(exit::VERIFIED).says("landed: main holds it");
    held.release();
    let finished = first.finish().expect_exit(exit::VERIFIED).says("of the base branch, which it holds");
    assert!(!finished.stdout.contains("test_other.py"), "{}", finished.stdout);
}

// proves: B3
#[test]
fn what_a_person_commits_meanwhile_counts_as_the_works_own_and_only_changed_tests_need_their_yes() {
    let merges = Step::run("git merge --quiet main");
    let mends = Step::write("calc.py", ADDS);
    let sandbox = sample();
    let theirs = commits_on_main(&sandbox, "theirs.txt", "theirs");
    let finished = worked(&sandbox, [theirs, merges.clone(), mends.clone()], &[]).expect_exit(exit::VERIFIED);
    finished.says("main (the work holds").says("landed: main holds it");
    let text = test("self.assertGreater(calc.add(1, 2), 2)");
    // Beside the work it is told, and keeps nothing from landing.
    let sandbox = sample();
    let theirs = commits_on_main(&sandbox, "test_calc.py", &text);
    let finished = worked(&sandbox, [theirs, mends.clone()], &[]).expect_exit(exit::VERIFIED);
    finished.says("main (tests were changed on it by no landing of gulf's: test_calc.py: the test T::test_add was changed");
    // Within it the base's own tests say what it hides.
    let sandbox = sample();
    let theirs = commits_on_main(&sandbox, "test_calc.py", &text);
    let finished = worked(&sandbox, [theirs, merges, mends], &[]).expect_exit(exit::VERIFIED);
    finished.says("the test T::test_add was changed, and the base's own pass");
}
