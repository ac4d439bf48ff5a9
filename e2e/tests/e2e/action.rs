//! The step of action.yml as GitHub runs it: bash with the variables of a job, here in a small repository.

use std::fs;

use gulf_testkit::{Finished, Sample, Sandbox, gulf, quote, repository_root};

/// What stands below `run: |` in the step of this name.
fn script(step: &str) -> String {
    let text = fs::read_to_string(repository_root().join("action.yml")).unwrap();
    let step = text.split("    - name: ").find(|part| part.starts_with(step)).unwrap().to_owned();
    let (_, body) = step.split_once("      run: |\n").unwrap();
    body.lines().map(|line| line.strip_prefix("        ").unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The step in a repository whose newest commit made the value right.
fn run(sandbox: &Sandbox, base: &str, checks: &str) -> Finished {
    for name in ["output", "summary"] {
        fs::write(sandbox.path(name), "").unwrap();
    }
    fs::create_dir_all(sandbox.path("temporary")).unwrap();
    let folder = gulf().parent().unwrap().to_owned();
    let script = format!("export PATH={}:\"$PATH\"\n{}", quote(folder.as_str()), script("Run the gates"));
    sandbox
        .program("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", &script])
        .variable("BASE", base)
        .variable("CHECKS", checks)
        .variable("RUNNER_TEMP", sandbox.path("temporary").as_str())
        .variable("GITHUB_OUTPUT", sandbox.path("output").as_str())
        .variable("GITHUB_STEP_SUMMARY", sandbox.path("summary").as_str())
        .run()
}

fn repaired() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write("value.txt", "right\n");
    sandbox.commit("make it right");
    sandbox
}

#[track_caller]
fn told(sandbox: &Sandbox, word: &str) {
    assert_eq!(fs::read_to_string(sandbox.path("output")).unwrap(), format!("word={word}\n"));
    let summary = fs::read_to_string(sandbox.path("summary")).unwrap();
    assert!(summary.starts_with(&format!("### gulf verify: {word}\n```text\n")), "{summary}");
    assert!(summary.ends_with("```\n"), "{summary}");
}

#[test]
fn a_pull_request_that_proves_itself_is_verified() {
    let sandbox = repaired();
    let base = sandbox.git(["rev-parse", "HEAD~1"]).trim().to_owned();
    run(&sandbox, &base, "sh check.sh\n\ntrue\n").expect_exit(0);
    told(&sandbox, "verified");
}

#[test]
fn a_check_that_says_no_fails_the_step() {
    let sandbox = repaired();
    run(&sandbox, "", "grep -q \"it's wrong\" value.txt").expect_exit(1);
    told(&sandbox, "refused");
}

#[test]
fn without_a_base_the_gates_pass_or_do_not() {
    let sandbox = repaired();
    run(&sandbox, "", "sh check.sh").expect_exit(0);
    told(&sandbox, "passed");
}

#[test]
fn a_base_that_a_shallow_clone_lacks_is_fetched() {
    let sandbox = repaired();
    let base = sandbox.git(["rev-parse", "HEAD~1"]).trim().to_owned();
    let shallow = sandbox.path("shallow");
    let origin = format!("file://{}", sandbox.repository());
    sandbox.git(["config", "uploadpack.allowAnySHA1InWant", "true"]);
    sandbox.git(["clone", "--quiet", "--depth=1", &origin, shallow.as_str()]);
    let inside = format!("cd {}\n", quote(shallow.as_str()));
    let known = sandbox.program("bash", ["-c", &format!("{inside}git cat-file -e {base}")]).run();
    assert_ne!(known.exit, Some(0), "the clone is not shallow");
    fs::create_dir_all(sandbox.path("temporary")).unwrap();
    let folder = gulf().parent().unwrap().to_owned();
    let script =
        format!("{inside}export PATH={}:\"$PATH\"\n{}", quote(folder.as_str()), script("Run the gates"));
    sandbox
        .program("bash", ["-eo", "pipefail", "-c", &script])
        .variable("BASE", &base)
        .variable("CHECKS", "sh check.sh")
        .variable("RUNNER_TEMP", sandbox.path("temporary").as_str())
        .variable("GITHUB_OUTPUT", sandbox.path("output").as_str())
        .variable("GITHUB_STEP_SUMMARY", sandbox.path("summary").as_str())
        .run()
        .expect_exit(0);
    told(&sandbox, "verified");
}
