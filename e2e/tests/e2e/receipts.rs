//! The receipt on a commit that landed, as a stranger reads it who has a clone and nothing else; that nobody hears of a
//! success without a receipt; and that nobody takes gulf's word over with a debugger.
#![cfg(unix)]

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox};

use crate::{RIGHT, exit, mend, run, run_right};

const NOTES: &str = "refs/notes/gulf:refs/notes/gulf";

/// Work that a person landed in their checkout.
fn landed() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    sandbox.gulf(["land"]).run().expect_exit(0);
    sandbox
}

/// A clone of it, in which a `$GULF_HOME` of its own knows of no loop.
fn clone(sandbox: &Sandbox, notes: bool) -> Utf8PathBuf {
    let stranger = sandbox.path("stranger");
    sandbox.git(["clone", "--quiet", sandbox.repository().as_str(), stranger.as_str()]);
    if notes {
        sandbox.git(["-C", stranger.as_str(), "fetch", "--quiet", "origin", NOTES]);
    }
    stranger
}

fn asked(sandbox: &Sandbox, folder: &Utf8PathBuf, more: &[&str]) -> Finished {
    let arguments = ["verify", "--receipt", "HEAD", "--check", RIGHT].into_iter().chain(more.iter().copied());
    let call = sandbox.gulf(arguments).directory(folder).variable("GULF_HOME", sandbox.path("theirs"));
    call.run().does_not_panic()
}

fn note(sandbox: &Sandbox, folder: &Utf8PathBuf) -> String {
    sandbox.git(["-C", folder.as_str(), "notes", "--ref", "gulf", "show", "HEAD"])
}

fn put_note(sandbox: &Sandbox, folder: &Utf8PathBuf, text: &str) {
    fs::write(sandbox.path("forged"), text).unwrap();
    let from = sandbox.path("forged");
    let call =
        ["-C", folder.as_str(), "notes", "--ref", "gulf", "add", "--force", "-F", from.as_str(), "HEAD"];
    sandbox.git(call);
}

/// A key of this name, and what names it an allowed signer.
fn key(sandbox: &Sandbox, name: &str) -> (Utf8PathBuf, String) {
    let path = sandbox.path(name);
    sandbox
        .program("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path.as_str()])
        .run()
        .expect_exit(0);
    let public = fs::read_to_string(sandbox.path(&format!("{name}.pub"))).unwrap();
    (path, format!("{name}@example.org {public}"))
}

#[test]
fn a_stranger_who_fetched_the_note_finds_the_commit_the_checks_and_the_proof_as_it_says() {
    let sandbox = landed();
    let stranger = clone(&sandbox, true);
    let text = note(&sandbox, &stranger);
    let statement: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(statement["_type"], "https://in-toto.io/Statement/v1");
    let head = sandbox.git(["-C", stranger.as_str(), "rev-parse", "HEAD", "HEAD^{tree}"]);
    let subject = &statement["subject"];
    let named = [&subject[0]["digest"]["gitCommit"], &subject[1]["digest"]["gitTree"]];
    assert_eq!(named.map(|id| id.as_str().unwrap()).join("\n"), head);
    let said = &statement["predicate"]["landed"][0]["said"];
    assert_eq!(
        (&said["end"], &said["checks"][0]["candidate"]["word"]),
        (&"verified".into(), &"passed".into())
    );
    assert!(said["checks"][0]["isolation"].is_string() && said["contract"].is_string(), "{text}");
    let found = asked(&sandbox, &stranger, &[]).expect_exit(0);
    let found =
        found.says("receipt holds").says("passed there, passed here").says("failed there, failed here");
    found.says("verified there, verified here").says("nobody signed it");
    let told = asked(&sandbox, &stranger, &["--json"]).expect_exit(0);
    let told: serde_json::Value = serde_json::from_str(told.stdout.trim()).unwrap();
    assert_eq!((&told["exit_code"], &told["receipt"]["differs"]), (&0.into(), &serde_json::json!([])));
}

#[test]
fn without_a_note_there_is_nothing_to_compare_and_the_command_that_brings_it_is_named() {
    let sandbox = landed();
    let stranger = clone(&sandbox, false);
    asked(&sandbox, &stranger, &[]).expect_exit(1).says("has no receipt here").says(NOTES);
}

#[test]
fn a_note_that_was_put_on_another_tree_differs() {
    let sandbox = landed();
    let stranger = clone(&sandbox, true);
    let text = note(&sandbox, &stranger);
    fs::write(stranger.join("more.txt"), "more\n").unwrap();
    sandbox.git(["-C", stranger.as_str(), "add", "more.txt"]);
    sandbox.git(["-C", stranger.as_str(), "commit", "--quiet", "--amend", "--no-edit"]);
    put_note(&sandbox, &stranger, &text);
    let found = asked(&sandbox, &stranger, &[]).expect_exit(1).says("receipt differs");
    found.says("it is about another commit").says("the commit has another tree than it names");
}

#[test]
fn a_note_that_was_written_anew_is_not_the_one_that_the_commit_names() {
    let sandbox = landed();
    let stranger = clone(&sandbox, true);
    let text = note(&sandbox, &stranger);
    put_note(
        &sandbox,
        &stranger,
        &text.replace("\"findings\": []", "\"findings\": [{\"path\":\"x\",\"what\":\"y\"}]"),
    );
    let found = asked(&sandbox, &stranger, &[]).expect_exit(1);
    found.says("contract, checks and findings are not those that the commit's message names");
    put_note(&sandbox, &stranger, &format!("{text}\n{text}"));
    asked(&sandbox, &stranger, &[]).expect_exit(1).says("more than one receipt");
    put_note(&sandbox, &stranger, "verified, believe me");
    asked(&sandbox, &stranger, &[])
        .expect_exit(1)
        .says("is not a receipt that this version of gulf can read");
}

#[test]
fn a_check_of_the_receipt_runs_only_where_somebody_here_names_it() {
    let sandbox = landed();
    let stranger = clone(&sandbox, true);
    let call = |arguments: &[&str]| {
        let call = sandbox.gulf(arguments.iter().copied()).directory(&stranger);
        call.variable("GULF_HOME", sandbox.path("theirs")).run().expect_exit(if arguments.len() > 3 {
            1
        } else {
            2
        })
    };
    call(&["verify", "--receipt", "HEAD"]).says("--check 'sh check.sh'");
    let other = call(&["verify", "--receipt", "HEAD", "--check", "true"]);
    other.says("not among the checks here").says("none of its checks could be repeated");
}

#[test]
fn a_signature_counts_where_git_knows_its_key_and_only_there() {
    let sandbox = landed();
    let (ours, allowed) = key(&sandbox, "ada");
    let (theirs, _) = key(&sandbox, "mallory");
    let here = sandbox.repository();
    asked(&sandbox, &here, &[&format!("--sign={ours}")]).expect_exit(0).says("signed with ");
    asked(&sandbox, &here, &[]).expect_exit(0).says("which nobody vouches for");
    fs::write(sandbox.path("allowed"), allowed).unwrap();
    let file = sandbox.path("allowed");
    sandbox.git(["config", "--global", "gpg.ssh.allowedSignersFile", file.as_str()]);
    let stranger = clone(&sandbox, true);
    asked(&sandbox, &stranger, &[]).expect_exit(0).says("signed by ada@example.org");
    let text = note(&sandbox, &stranger);
    let changed = text.replace("\"gulf_version\": \"", "\"gulf_version\": \"9");
    put_note(&sandbox, &stranger, &changed);
    asked(&sandbox, &stranger, &[]).expect_exit(1).says("a signature is not over this receipt");
    put_note(&sandbox, &stranger, &text);
    asked(&sandbox, &stranger, &[&format!("--sign={theirs}")]).expect_exit(0);
    asked(&sandbox, &stranger, &[]).expect_exit(1).says("which is not among the allowed signers");
}

#[test]
fn what_came_through_the_queue_has_a_receipt_that_holds() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let landed = run(&sandbox, &agent, &["--preset", "autonomous", "--check", RIGHT, "-n", "2"]).run();
    landed.expect_exit(exit::VERIFIED).says("landed");
    let stranger = clone(&sandbox, true);
    asked(&sandbox, &stranger, &[])
        .expect_exit(0)
        .says("receipt holds")
        .says("verified there, verified here");
}

#[test]
fn an_agent_does_not_sign_for_a_person() {
    let sandbox = landed();
    let call = sandbox.gulf(["verify", "--receipt", "HEAD", "--check", RIGHT, "--sign=key"]);
    call.variable("GULF_LOOP", "one").run().expect_exit(2).says("an agent does not sign for a person");
}

// What proves a success is looked at once more before gulf says it.
#[test]
fn no_success_is_told_without_a_receipt_on_disk() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let over = Arc::new(AtomicBool::new(false));
    let (state, is_over) = (sandbox.state(), Arc::clone(&over));
    let thief = thread::spawn(move || {
        let mut taken = 0;
        while !is_over.load(Ordering::Relaxed) {
            for path in receipts(&state) {
                taken += u32::from(fs::remove_file(path).is_ok());
            }
            thread::yield_now();
        }
        taken
    });
    let finished = run_right(&sandbox, &agent, &[]).run();
    over.store(true, Ordering::Relaxed);
    assert!(thief.join().unwrap() > 0, "there was a receipt to take");
    finished.expect_exit(exit::ERROR).says("no receipt of this end");
}

fn receipts(state: &Utf8PathBuf) -> Vec<Utf8PathBuf> {
    let below = |folder: Utf8PathBuf| {
        let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
        entries.map(|entry| entry.path().to_owned()).collect::<Vec<_>>()
    };
    let loops = below(state.join("repositories")).into_iter().flat_map(|one| below(one.join("loops")));
    loops.map(|one| one.join("receipt.json")).filter(|path| path.is_file()).collect()
}

/// Says whether the process with this number can be traced; PTRACE_ATTACH is 16.
const TRACE: &str = "my $call = `uname -m` =~ /x86_64/ ? 101 : 117; \
    print syscall($call, 16, $ARGV[0] + 0, 0, 0) == 0 ? 'attached' : 'refused';\n";

/// The suite may run as root, whom nothing keeps from tracing: so all of it runs as nobody.
#[test]
fn no_program_of_the_same_user_can_trace_gulf_or_its_shim() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write("trace.pl", TRACE);
    let script = "set -e; umask 022; cp -r \"$1\" \"$2/repository\"; cp \"$3\" \"$2/gulf\"; \
        cd \"$2\"; chmod -R a+rwX .; id -u";
    let place = tempfile::Builder::new().prefix("gulf-trace").tempdir().unwrap();
    let folder = Utf8PathBuf::try_from(place.path().to_owned()).unwrap();
    let (repository, gulf) = (sandbox.repository(), gulf_testkit::gulf());
    let copying = ["-c", script, "sh", repository.as_str(), folder.as_str(), gulf.as_str()];
    let copied = sandbox.program("sh", copying).run();
    let is_root = copied.expect_exit(0).stdout.trim() == "0";
    let traced = "cd repository; export HOME=\"$PWD/..\" GULF_HOME=\"$PWD/../state\"; \
        git config --global safe.directory '*'; sleep 60 & other=$!; \
        ../gulf verify --check \"touch '$PWD/../started'; sleep 50\" >../said 2>&1 & gulf=$!; \
        while test ! -e ../started && kill -0 $gulf; do sleep 0.1; done; \
        shim=$(pgrep -P $gulf -f __shim | head -1); \
        for one in $other $gulf $shim; do perl trace.pl $one; echo; done; \
        kill -KILL $other; kill $gulf; wait; cat ../said >&2";
    let shell = ["bash", "-c", traced];
    let user = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let arguments: Vec<&str> =
        if is_root { user.into_iter().chain(shell).collect() } else { shell[1..].to_vec() };
    let program = if is_root { "setpriv" } else { "bash" };
    fs::set_permissions(place.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    let finished = sandbox.program(program, arguments).directory(&folder).run();
    let (said, beside) = (&finished.stdout, &finished.stderr);
    assert_eq!(said.lines().collect::<Vec<_>>(), ["attached", "refused", "refused"], "{said}{beside}");
}
