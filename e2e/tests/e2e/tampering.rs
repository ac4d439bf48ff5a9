//! Workers that lay hands on what decides about them, and gain nothing (SPEC B1, B2, G21).

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};

use crate::{RIGHT, exit, mend, run, run_right};

const TOML: &str = "[[check]]\nname = \"right\"\ncommand = \"sh check.sh\"\n";
const LOOSE_TOML: &str = "[[check]]\nname = \"right\"\ncommand = \"true\"\n";
const RUBRIC: &str = "## Checks\n\n- sh check.sh\n";
const SCRIPT: &str = "#!/bin/sh\nexec sh check.sh\n";

fn with_gulf_toml() -> Sandbox {
    Sandbox::with(&Sample::shell().file("gulf.toml", TOML))
}

fn with_rubric() -> Sandbox {
    Sandbox::with(&Sample::shell().file("RUBRIC.md", RUBRIC))
}

fn with_autochecks() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::shell().file(".claude/autochecks.sh", SCRIPT));
    sandbox.program("chmod", ["+x", ".claude/autochecks.sh"]).run().expect_exit(0);
    sandbox.commit("executable");
    sandbox
}

/// Two turns of tampering with a claim each end exhausted, and the sealed check was asked each time.
#[track_caller]
fn gains_nothing(sandbox: &Sandbox, tamper: &[Step]) {
    let steps: Vec<Step> = [Step::append("other.txt", "x\n")]
        .into_iter()
        .chain(tamper.to_vec())
        .chain([Step::claim()])
        .collect();
    let agent = FakeAgent::new(sandbox).otherwise(steps);
    run(sandbox, &agent, &["-n", "2"]).run().expect_exit(exit::EXHAUSTED).does_not_panic();
    let checks = sandbox.only_loop().results("check");
    assert_eq!(checks.len(), 2, "{checks:?}");
    for (_, result) in checks {
        assert_eq!(result["verdict"]["kind"], "red", "{result}");
    }
}

#[track_caller]
fn is_reported(sandbox: &Sandbox, text: &str) {
    let snapshots = sandbox.only_loop().results("snapshot");
    let drifted = |result: &serde_json::Value| result["drifted"].to_string().contains(text);
    assert!(snapshots.iter().any(|(_, result)| drifted(result)), "{text} is not reported: {snapshots:?}");
}

// proves: B1
#[test]
fn editing_gulf_toml_changes_nothing_and_is_reported() {
    let sandbox = with_gulf_toml();
    gains_nothing(&sandbox, &[Step::write("gulf.toml", LOOSE_TOML)]);
    is_reported(&sandbox, "gulf.toml");
}

// proves: B1, B2
#[test]
fn what_a_worker_wrote_into_gulf_toml_counts_for_the_next_loop_once_a_person_has_seen_it() {
    let sandbox = with_gulf_toml();
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::write("RUBRIC.md", "## Checks\n\n- true\n"),
        Step::write("gulf.toml", LOOSE_TOML),
        Step::write("value.txt", "right\n"),
        Step::claim(),
    ]);
    let again = || run(&sandbox, &agent, &["-n", "1"]).run().does_not_panic();
    again().expect_exit(exit::VERIFIED);
    let refused = again().expect_exit(exit::REFUSED_START);
    refused.says("gulf.toml was changed while the loop ").says("or `touch gulf.toml`, and it counts");
    let file = std::fs::File::options().append(true).open(sandbox.file("gulf.toml")).unwrap();
    file.set_modified(std::time::SystemTime::now()).unwrap();
    again().expect_exit(exit::REFUSED_START).says("RUBRIC.md was changed while the loop ");
    sandbox.program("git", ["add", "RUBRIC.md"]).run().expect_exit(0);
    sandbox.program("git", ["commit", "--quiet", "-m", "seen", "--", "RUBRIC.md"]).run().expect_exit(0);
    again().does_not_say("was changed while the loop");
}

// proves: B1, B2
#[test]
fn what_a_worker_committed_itself_or_what_cannot_be_told_has_not_been_seen_by_a_person() {
    let sandbox = with_gulf_toml();
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::write("gulf.toml", LOOSE_TOML),
        Step::write("value.txt", "right\n"),
        Step::run("git commit --quiet --all --message 'work'"),
        Step::claim(),
    ]);
    let again = || run(&sandbox, &agent, &["-n", "1"]).run().does_not_panic();
    again().expect_exit(exit::VERIFIED);
    let refused = "gulf.toml was changed while the loop ";
    again().expect_exit(exit::REFUSED_START).says(refused);
    let contract = sandbox.only_loop().path("sealed/contract.json");
    let sealed = std::fs::read(&contract).unwrap();
    std::fs::write(&contract, "{").unwrap();
    again().expect_exit(exit::REFUSED_START).says(refused);
    std::fs::write(&contract, sealed).unwrap();
    sandbox.program("git", ["reset", "--quiet", "--soft", "HEAD~1"]).run().expect_exit(0);
    sandbox.program("git", ["commit", "--quiet", "--message", "seen"]).run().expect_exit(0);
    again().does_not_say("was changed while the loop");
}

#[test]
fn deleting_gulf_toml_changes_nothing_and_is_reported() {
    let sandbox = with_gulf_toml();
    gains_nothing(&sandbox, &[Step::delete("gulf.toml")]);
    is_reported(&sandbox, "gulf.toml");
}

// proves: B1
#[test]
fn editing_and_deleting_rubric_md_changes_nothing_and_is_reported() {
    for tamper in [Step::write("RUBRIC.md", "## Checks\n\n- true\n"), Step::delete("RUBRIC.md")] {
        let sandbox = with_rubric();
        gains_nothing(&sandbox, &[tamper]);
        is_reported(&sandbox, "RUBRIC.md");
    }
}

#[test]
fn editing_and_deleting_autochecks_changes_nothing_and_is_reported() {
    let path = ".claude/autochecks.sh";
    for tamper in [Step::write(path, "#!/bin/sh\nexit 0\n"), Step::delete(path)] {
        let sandbox = with_autochecks();
        gains_nothing(&sandbox, &[tamper]);
        is_reported(&sandbox, path);
    }
}

#[test]
fn committing_a_looser_contract_changes_nothing() {
    let sandbox = with_gulf_toml();
    let commit = "git add --all && git commit --quiet --message 'loosen' || true";
    gains_nothing(&sandbox, &[Step::write("gulf.toml", LOOSE_TOML), Step::run(commit)]);
}

// proves: G21
#[test]
fn writing_or_deleting_the_marker_and_the_projections_ends_nothing() {
    let sandbox = with_gulf_toml();
    gains_nothing(
        &sandbox,
        &[
            Step::write(".claude/gulf-loop.local.md", "---\nactive: false\nresult: verified\n---\n"),
            Step::delete(".gulf"),
            Step::write(".gulf/status.json", "{\"end\":\"verified\"}"),
            Step::write("progress.txt", "CONFIDENCE: 100\nREMAINING_GAP:\n"),
        ],
    );
}

// proves: B2
#[test]
fn a_git_directory_full_of_hooks_and_filters_is_never_obeyed() {
    let sandbox = with_gulf_toml();
    let hook = "mkdir -p .git/hooks && for hook in post-checkout post-index-change reference-transaction; do \
                printf '#!/bin/sh\\necho right > value.txt\\n' > .git/hooks/$hook && chmod +x .git/hooks/$hook; done";
    let filter =
        "git config filter.cheat.smudge 'echo right' && git config core.fsmonitor 'echo right > value.txt'";
    let attributes = Step::write(".git/info/attributes", "value.txt filter=cheat\n");
    gains_nothing(&sandbox, &[Step::run(hook), Step::run(filter), attributes]);
}

// proves: B2
#[test]
fn global_settings_of_git_that_a_worker_makes_are_never_obeyed() {
    let sandbox = with_gulf_toml();
    let filter = "mkdir -p ~/.config/git && printf '[filter \"cheat\"]\\n\\tsmudge = echo right\\n' > ~/.config/git/config \
                  && echo 'value.txt filter=cheat' > ~/.config/git/attributes && echo more >> value.txt";
    let excluded =
        Step::run("echo value.txt >> .git/info/exclude; echo 'value.txt ident' >> .git/info/attributes");
    gains_nothing(&sandbox, &[Step::run(filter), excluded, Step::run("test -f ~/.config/git/attributes")]);
    assert!(sandbox.home().join(".config/git/attributes").is_file(), "the worker could not write it");
}

#[test]
fn a_program_that_the_worker_puts_beside_the_check_is_not_taken() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(
        1,
        [
            Step::run("mkdir -p cache && printf '#!/bin/sh\\nexit 0\\n' > cache/grep && chmod +x cache/grep"),
            Step::append("other.txt", "x\n"),
            Step::claim(),
        ],
    );
    run(&sandbox, &agent, &["-n", "1", "--check", RIGHT]).run().expect_exit(exit::EXHAUSTED);
}

// proves: B1, L7, REQ-UW-003
#[test]
fn a_changed_contract_in_gulfs_own_folder_is_noticed_and_never_used() {
    let sandbox = with_gulf_toml();
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other.txt", "x\n")]);
    run(&sandbox, &agent, &["-m", "1"]).run().expect_exit(exit::PAUSED);
    let contract = sandbox.only_loop().path("sealed/contract.json");
    let loosened = std::fs::read_to_string(&contract).unwrap().replace("sh check.sh", "true");
    std::fs::write(&contract, &loosened).unwrap();
    let refused = sandbox.gulf(["resume"]).run();
    assert!(![Some(exit::VERIFIED), Some(exit::ATTESTED)].contains(&refused.exit), "{refused:#?}");
    refused.says("contract").says("hint:");
    assert_eq!(
        std::fs::read_to_string(&contract).unwrap(),
        loosened,
        "nothing may be changed by looking at it"
    );
}

#[test]
fn removing_the_records_of_runs_hides_no_lost_test() {
    let sandbox = with_gulf_toml();
    let remove = "rm -f \"$GULF_HOME\"/repositories/*/loops/*/runs/*";
    let [mend, claim] = mend();
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::append("other.txt", "x\n"), Step::claim()])
        .turn(2, [Step::run(remove), mend, claim]);
    let finished = run(&sandbox, &agent, &["-n", "2"]).run().expect_exit(exit::ATTESTED);
    finished.says("the record of its run is missing");
}

#[test]
fn a_damaged_record_rests_the_loop_and_is_named() {
    for (record, what) in [("runs/*", "a check's record"), ("references.json", "names of branches")] {
        let sandbox = with_gulf_toml();
        let all = format!("\"$GULF_HOME\"/repositories/*/loops/*/{record}");
        let damage = format!("for one in {all}; do echo '{{' > \"$one\"; done");
        let [mend, claim] = mend();
        let agent = FakeAgent::new(&sandbox)
            .turn(1, [Step::append("other.txt", "x\n"), Step::claim()])
            .turn(2, [Step::run(&damage), mend, claim]);
        let paused = run(&sandbox, &agent, &["-n", "2"]).run().expect_exit(exit::PAUSED);
        paused.says("cannot read").says(&format!("as {what}"));
    }
}

/// A turn that does this and claims.
fn does(sandbox: &Sandbox, what: &str) -> FakeAgent {
    let [right, claim] = mend();
    FakeAgent::new(sandbox).turn(1, [Step::run(what), right.clone(), claim.clone()]).otherwise([right, claim])
}

#[test]
fn a_repository_that_the_worker_removed_is_named_and_its_loop_is_found() {
    let sandbox = Sandbox::with(&Sample::shell());
    let aside = sandbox.path("aside");
    let agent = does(&sandbox, &format!("mv .git {aside}"));
    let git = sandbox.file(".git");
    let gone = format!("{git} is gone");
    run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::PAUSED).says(&gone);
    is_found_by_its_own_record(&sandbox, &gone);
    std::fs::rename(&aside, &git).unwrap();
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(
        (sandbox.loops().len(), sandbox.only_loop().turns().len()),
        (1, 1),
        "what was claimed needed no further turn"
    );
}

/// Nothing is said of files that nobody looked at.
#[test]
fn a_head_that_the_worker_removed_comes_back_by_the_command_that_is_named() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = does(&sandbox, "rm .git/HEAD");
    let head = sandbox.file(".git/HEAD");
    let restore = format!("echo 'ref: refs/heads/main' > '{head}'");
    let paused = run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::PAUSED);
    paused.says(&format!("{head} is gone")).says(&restore).does_not_say("unchanged");
    sandbox.program("sh", ["-c", &restore]).run().expect_exit(0);
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
}

/// Without any name, since nothing else is there.
#[track_caller]
fn is_found_by_its_own_record(sandbox: &Sandbox, why: &str) {
    let snapshots = sandbox.only_loop().results("snapshot").len();
    assert!(snapshots <= 2, "a repository that is gone is not looked for again and again");
    sandbox.gulf(["status"]).run().expect_exit(0).says(why);
    sandbox.gulf(["list"]).run().expect_exit(0).says("paused");
    sandbox.gulf(["resume"]).run().expect_exit(exit::ERROR).says("is gone").says("hint:").says("gulf cancel");
}

#[test]
fn a_repository_that_the_worker_deleted_ends_nothing_and_its_loop_can_be_cancelled() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = does(&sandbox, "rm -rf .git");
    let gone = format!("{} is gone", sandbox.file(".git"));
    run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::PAUSED).says(&gone);
    is_found_by_its_own_record(&sandbox, &gone);
    sandbox.gulf(["cancel"]).run().expect_exit(0).says("cancelled");
}

#[test]
fn a_repository_that_was_brought_back_from_a_copy_is_the_loops_own() {
    let sandbox = Sandbox::with(&Sample::shell());
    let copy = sandbox.path("copy");
    let agent = does(&sandbox, &format!("cp -R .git {copy} && rm -rf .git"));
    run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::PAUSED);
    sandbox.program("cp", ["-R", copy.as_str(), ".git"]).run().expect_exit(0);
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
}

#[test]
fn a_repository_that_the_worker_made_anew_is_another_one_and_inherits_no_loop() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = does(&sandbox, "rm -rf .git && git init --quiet");
    let another = "is another repository than the one that the loop began in";
    run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::PAUSED).says(another);
    let id = sandbox.only_loop().id().to_owned();
    for command in ["list", "status", "resume", "cancel"] {
        let told = sandbox.gulf([command]).run().expect_exit(0);
        let told = told.says("began here in another repository").says("gulf cancel");
        assert!(!told.stdout.contains("paused"), "{told:#?}");
    }
    sandbox.gulf(["status", &id]).run().expect_exit(0).says(another);
    sandbox.gulf(["resume", &id]).run().expect_exit(exit::ERROR).says("is gone").says("hint:");
    sandbox.gulf(["cancel", &id]).run().expect_exit(0).says("cancelled");
    assert!(!sandbox.gulf(["list"]).run().expect_exit(0).stderr.contains("another repository"));
}

#[test]
fn what_the_worker_did_to_head_branches_and_tags_is_named() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.git(["branch", "other"]);
    sandbox.git(["tag", "v1"]);
    let what = "git checkout --quiet -b elsewhere && git branch --quiet -D main other && \
                git commit --quiet --allow-empty -m x && git tag --force v1 && git tag v2";
    let agent = does(&sandbox, what);
    let finished = run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::VERIFIED);
    let base = sandbox.git(["rev-parse", "--short=7", "HEAD~"]);
    let gone = format!("branch main (gone; it stood at {base}; `git branch main {base}` brings it back)");
    let named = finished.says("HEAD (it is on elsewhere, and was on main)").says(&gone);
    named.says("branch other (gone").says("tag v1 (moved").says("tag v2 (made");
    sandbox.gulf(["status"]).run().expect_exit(0).says("verified");
    assert!(sandbox.gulf(["report"]).run().expect_exit(0).stdout.contains("branch main (gone"));
}

#[test]
fn what_the_worker_did_to_remotes_settings_and_hooks_is_named() {
    let sandbox = Sandbox::with(&Sample::shell());
    let what = "git commit --quiet --allow-empty -m x && git update-ref refs/remotes/origin/main HEAD && \
                git remote add evil https://ada:s3cret@evil.invalid/x.git && git config core.hooksPath /tmp/x && \
                echo '#!/bin/sh' > .git/hooks/pre-push";
    let agent = does(&sandbox, what);
    let finished = run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::VERIFIED);
    let named = finished.says("remote branch origin/main (made").says("core.hookspath (set to /tmp/x)");
    let named = named.says("remote.evil.url (set to https://***@evil.invalid/x.git)");
    named.says(".git/hooks/pre-push (made)").does_not_say("s3cret");
}

#[test]
fn a_base_branch_that_the_worker_deleted_is_named_with_the_way_back() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = does(&sandbox, "git update-ref -d refs/heads/main");
    let run = run(&sandbox, &agent, &["--check", RIGHT, "--preset", "autonomous", "-n", "2"]).run();
    run.says("branch main (gone").says("git branch main").does_not_panic();
    let status = sandbox.gulf(["status"]).run().expect_exit(0);
    status.says(sandbox.only_loop().id());
}

// proves: B2, G24
#[test]
fn a_check_whose_object_a_worker_wrote_over_is_believed_by_nobody() {
    let sandbox = Sandbox::with(&Sample::shell());
    let forge = "id=$(git rev-parse HEAD:check.sh); path=.git/objects/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-)\n\
                 rm -f $path; python3 -c 'import sys, zlib; body = b\"test -e done.txt\\n\"; \
                 open(sys.argv[1], \"wb\").write(zlib.compress(b\"blob %d\\0\" % len(body) + body))' $path\n\
                 git cat-file -p HEAD:check.sh | grep -q done.txt";
    let steps = [Step::run(forge), Step::write("done.txt", ""), Step::claim()];
    let agent = FakeAgent::new(&sandbox).otherwise(steps);
    let finished = crate::run_right(&sandbox, &agent, &["-n", "2"]).run().does_not_panic();
    finished.expect_exit(exit::PAUSED).says("does not match its name: it was overwritten").says("git fsck");
}

// proves: B19, B2
#[test]
fn what_somebody_put_in_the_place_of_the_work_since_does_not_land() {
    let sandbox = Sandbox::with(&Sample::shell());
    run_right(&sandbox, &FakeAgent::new(&sandbox).otherwise(mend()), &[]).run().expect_exit(exit::VERIFIED);
    sandbox.write("other.txt", "evil\n");
    let object = |id: &str| sandbox.repository().join(".git/objects").join(&id[..2]).join(&id[2..]);
    let work = object(&sandbox.git(["hash-object", "value.txt"]));
    let other = object(&sandbox.git(["hash-object", "-w", "other.txt"]));
    std::fs::remove_file(&work).unwrap();
    std::fs::copy(other, work).unwrap();
    let refused = sandbox.gulf(["land"]).run().does_not_panic();
    assert_ne!(refused.exit, Some(0), "{refused:#?}");
    assert_eq!(sandbox.git(["rev-list", "--count", "HEAD"]), "1");
    assert_eq!(sandbox.read("value.txt"), "right\n");
}
