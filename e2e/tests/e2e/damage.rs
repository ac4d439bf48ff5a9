//! Every file that gulf reads, damaged in every way it comes: an error with place and hint, no panic, nothing deleted.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Finished, Meeting, Sample, Sandbox, Step};

use crate::{RIGHT, exit, mend};

/// What a person's files may look like.
const DAMAGES: [(&str, &[u8]); 7] = [
    ("empty", b""),
    ("binary", b"\x00\x01\xff\xfe\x80\x7fELF"),
    ("not UTF-8", b"[agent]\ntool = \"\xc3\x28\"\n## Checks\n- \xc3\x28\n"),
    ("UTF-16", b"\xff\xfe[\x00a\x00]\x00\n\x00"),
    ("cut", b"[agent\ntool = \"comm"),
    ("one long line", &[b'x'; 200_000]),
    ("deeply nested", &[b'['; 50_000]),
];

fn dry_run(sandbox: &Sandbox, arguments: &[&str]) -> Finished {
    let agent = FakeAgent::new(sandbox);
    let flag = agent.flag();
    sandbox
        .gulf(["run", "value", "--agent", &flag, "--check", RIGHT, "--dry-run"])
        .arguments(arguments.iter().copied())
        .run()
        .does_not_panic()
}

/// Refused with a word about the file, or read as something harmless; the file stays as it is.
#[track_caller]
fn survives(finished: &Finished, file: &Utf8PathBuf, before: &[u8], what: &str) {
    let name = file.file_name().unwrap();
    match finished.exit {
        Some(0) => {}
        Some(2) => {
            let said = &finished.stderr;
            assert!(said.contains("error:") && said.contains(name), "{name}, {what}: {said}");
            assert!(said.len() < 20_000, "{name}, {what}: an error of {} bytes", said.len());
        }
        _ => panic!("{name}, {what}: {finished:#?}"),
    }
    assert!(fs::read(file).unwrap() == before, "{name}, {what}: the file was changed");
}

#[test]
fn a_damaged_gulf_toml_is_an_error_with_its_place() {
    for (what, bytes) in DAMAGES {
        let sandbox = Sandbox::with(&Sample::shell());
        sandbox.write("gulf.toml", bytes);
        let finished = dry_run(&sandbox, &[]);
        let expected = if bytes.is_empty() { 0 } else { exit::REFUSED_START };
        assert_eq!(finished.exit, Some(expected), "{what}: {finished:#?}");
        survives(&finished, &sandbox.file("gulf.toml"), bytes, what);
    }
}

#[test]
fn a_wrong_key_or_type_in_gulf_toml_points_at_its_line_and_suggests() {
    for (text, told) in [
        ("[agent]\ntol = \"command:x\"\n", &["gulf.toml:2", "tool"][..]),
        ("\n\n[limits]\nmax_iterations = \"many\"\n", &["gulf.toml:4", "max_iterations"]),
        ("research = \"inlin\"\n", &["gulf.toml:1", "inline"]),
        ("[[check]]\nname = \"a\"\n", &["gulf.toml:1", "command"]),
        ("[limits]\nmax_iterations = 0\n", &["gulf.toml:2"]),
        ("[[check]]\ncommand = \"x\"\ncwd = \"../elsewhere\"\n", &["gulf.toml:3"]),
    ] {
        let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", text));
        let mut refused = dry_run(&sandbox, &[]).expect_exit(exit::REFUSED_START);
        for word in told {
            refused = refused.says(word);
        }
        sandbox.gulf(["config", "explain"]).run().does_not_panic().expect_exit(exit::REFUSED_START);
    }
}

#[test]
fn line_ends_of_windows_and_a_byte_order_mark_change_nothing() {
    let plain = "[[check]]\nname = \"right\"\ncommand = \"sh check.sh\"\n";
    let rubric = "## Checks\n\n- sh check.sh\n";
    for (toml, rubric) in [
        (plain.replace('\n', "\r\n"), rubric.replace('\n', "\r\n")),
        (format!("\u{feff}{plain}"), format!("\u{feff}{rubric}")),
    ] {
        let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", &toml).file("RUBRIC.md", &rubric));
        let agent = FakeAgent::new(&sandbox).turn(1, mend());
        crate::run(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
        let checks = sandbox.only_loop().facts_of("sealed")[0]["contract"]["checks"].clone();
        assert_eq!(checks.as_array().unwrap().len(), 1, "{checks}");
    }
}

#[test]
fn a_damaged_rubric_is_an_error_or_says_nothing() {
    for (what, bytes) in DAMAGES {
        let sandbox = Sandbox::with(&Sample::shell());
        sandbox.write("RUBRIC.md", bytes);
        survives(&dry_run(&sandbox, &[]), &sandbox.file("RUBRIC.md"), bytes, what);
    }
}

#[test]
fn a_damaged_prompt_file_is_an_error_that_names_it() {
    for (what, bytes) in DAMAGES {
        let sandbox = Sandbox::with(&Sample::shell());
        let file = sandbox.path("goal.md");
        fs::write(&file, bytes).unwrap();
        let agent = FakeAgent::new(&sandbox);
        let flag = agent.flag();
        let arguments = ["run", "-f", file.as_str(), "--agent", &flag, "--check", RIGHT, "--dry-run"];
        let finished = sandbox.gulf(arguments).run().does_not_panic();
        if std::str::from_utf8(bytes).is_err() {
            assert_eq!(finished.exit, Some(exit::REFUSED_START), "{what}: {finished:#?}");
        }
        if bytes.is_empty() {
            finished.clone().expect_exit(exit::REFUSED_START).says("blank");
        } else {
            survives(&finished, &file, bytes, what);
        }
    }
}

#[test]
fn files_of_a_hundred_megabytes_are_refused_by_their_size() {
    for name in ["gulf.toml", "RUBRIC.md"] {
        let sandbox = Sandbox::with(&Sample::shell());
        File::create(sandbox.file(name)).unwrap().set_len(100 << 20).unwrap();
        dry_run(&sandbox, &[]).expect_exit(exit::REFUSED_START).says(name).says("hint:");
        assert_eq!(fs::metadata(sandbox.file(name)).unwrap().len(), 100 << 20);
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let file = sandbox.path("goal.md");
    File::create(&file).unwrap().set_len(100 << 20).unwrap();
    let refused =
        sandbox.gulf(["run", "-f", file.as_str(), "--agent", "command:true", "--check", RIGHT]).run();
    refused.does_not_panic().expect_exit(exit::REFUSED_START).says("goal.md");
}

#[test]
fn what_is_no_file_is_an_error_and_no_wait() {
    let sandbox = Sandbox::with(&Sample::shell());
    fs::create_dir(sandbox.file("RUBRIC.md")).unwrap();
    dry_run(&sandbox, &[]).expect_exit(exit::REFUSED_START).says("RUBRIC.md");
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.program("mkfifo", ["gulf.toml"]).run().expect_exit(0);
    dry_run(&sandbox, &[]).expect_exit(exit::REFUSED_START).says("gulf.toml");
    let sandbox = Sandbox::with(&Sample::shell());
    let fifo = Meeting::new(&sandbox, "goal");
    let refused =
        sandbox.gulf(["run", "-f", fifo.path().as_str(), "--agent", "command:true", "--check", RIGHT]).run();
    refused.expect_exit(exit::REFUSED_START).says("goal");
}

#[test]
fn a_file_that_is_not_there_is_named_with_a_hint() {
    let sandbox = Sandbox::with(&Sample::shell());
    let refused =
        sandbox.gulf(["run", "-f", "nowhere.md", "--agent", "command:true", "--check", RIGHT]).run();
    refused.expect_exit(exit::REFUSED_START).says("nowhere.md").says("error:");
    dry_run(&sandbox, &["--rubric", "nowhere.md"]).expect_exit(exit::REFUSED_START).says("nowhere.md");
}

#[test]
fn autochecks_that_cannot_be_executed_are_an_error_with_the_command_that_helps() {
    let sandbox = Sandbox::with(&Sample::shell().file(".claude/autochecks.sh", "#!/bin/sh\nexit 0\n"));
    dry_run(&sandbox, &[]).expect_exit(exit::REFUSED_START).says("autochecks.sh").says("chmod +x");
    let path = sandbox.file(".claude/autochecks.sh");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    dry_run(&sandbox, &[]).expect_exit(0).says("autochecks");
}

#[test]
fn damaged_texts_of_the_worker_never_stop_a_loop() {
    for (what, bytes) in DAMAGES {
        let sandbox = Sandbox::with(&Sample::shell());
        for name in [
            "progress.txt", "decisions.md", ".gulf/status.json", ".gulf/notepad.md",
            ".claude/gulf-loop.local.md", ".claude/ralph-loop.local.md",
        ] {
            sandbox.write(name, bytes);
        }
        let agent = FakeAgent::new(&sandbox).turn(1, mend());
        let finished = crate::run_right(&sandbox, &agent, &[]).run().does_not_panic();
        assert_eq!(finished.exit, Some(exit::VERIFIED), "{what}: {finished:#?}");
    }
}

#[test]
fn damaged_state_of_gulf_itself_is_an_error_that_deletes_nothing() {
    for name in ["sealed/contract.json", "state.json", "lock", "receipt.json"] {
        for (what, bytes) in DAMAGES {
            let sandbox = Sandbox::with(&Sample::shell());
            let agent = FakeAgent::new(&sandbox).turn(1, mend());
            crate::run_right(&sandbox, &agent, &["-m", "1"]).run().expect_exit(exit::PAUSED);
            let kept = sandbox.only_loop();
            fs::write(kept.path(name), bytes).unwrap();
            for arguments in [&["status"][..], &["status", "--json"], &["list"], &["resume"]] {
                let finished = sandbox.gulf(arguments.iter().copied()).run().does_not_panic();
                let codes = [0, exit::ERROR, exit::REFUSED_START];
                assert!(
                    finished.exit.is_some_and(|code| codes.contains(&code)),
                    "{name}, {what}, {arguments:?}: {finished:#?}"
                );
                if finished.exit != Some(0) {
                    finished.says("error:").says("hint:");
                }
            }
            assert!(kept.journal_path().is_file(), "{name}, {what}: the journal is gone");
        }
    }
}

#[test]
fn a_damaged_identity_is_an_error_that_deletes_nothing() {
    for (what, bytes) in DAMAGES {
        let sandbox = Sandbox::with(&Sample::shell());
        let agent = FakeAgent::new(&sandbox).turn(1, mend());
        crate::run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
        let kept = sandbox.only_loop();
        let identity = kept.path("../../identity.json");
        fs::write(&identity, bytes).unwrap();
        let finished = sandbox.gulf(["status"]).run().does_not_panic();
        assert!([Some(0), Some(1), Some(2)].contains(&finished.exit), "{what}: {finished:#?}");
        assert!(kept.journal_path().is_file());
    }
}

#[test]
fn damaged_settings_of_the_user_name_their_file() {
    let sandbox = Sandbox::with(&Sample::shell());
    let folder = sandbox.home().join(".config/gulf");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("gulf.toml"), "agent = 3\n").unwrap();
    dry_run(&sandbox, &[]).expect_exit(exit::REFUSED_START).says(".config/gulf/gulf.toml");
}

#[test]
fn an_unknown_variable_is_an_error_that_suggests() {
    let sandbox = Sandbox::with(&Sample::shell());
    let refused = sandbox.gulf(["config", "explain"]).variable("GULF_RESERCH", "off").run();
    refused.expect_exit(exit::REFUSED_START).says("GULF_RESEARCH").says("feedback.human_review");
}

#[test]
fn objects_that_a_worker_overwrote_rest_the_loop_at_once() {
    let sandbox = Sandbox::with(&Sample::shell());
    let overwrite = "chmod -R u+w .git/objects; for f in .git/objects/??/*; do echo x > \"$f\"; done";
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([write, Step::run(overwrite), claim]);
    let paused = crate::run_right(&sandbox, &agent, &[]).run().expect_exit(exit::PAUSED);
    paused.says("git fsck").does_not_say("tries again");
    assert_eq!(agent.tally().turns().len(), 1);

    let sandbox = Sandbox::with(&Sample::shell());
    let tree = sandbox.git(["rev-parse", "HEAD^{tree}"]);
    let (folder, file) = tree.trim().split_at(2);
    fs::remove_file(sandbox.file(&format!(".git/objects/{folder}/{file}"))).unwrap();
    let refused = crate::run_right(&sandbox, &agent, &[]).run();
    assert_ne!(refused.exit, Some(0));
    refused.says("git fsck").does_not_say("is not the id of a tree");
}

// proves: B8
#[test]
fn a_pipe_in_the_place_of_a_file_of_gits_rests_the_loop_and_is_named() {
    for name in ["HEAD", "config", "index", "packed-refs", "refs/heads/pipe"] {
        let sandbox = Sandbox::with(&Sample::shell());
        let replace = format!("rm -f .git/{name}; mkfifo .git/{name}");
        let [write, claim] = mend();
        let agent = FakeAgent::new(&sandbox).otherwise([write, Step::run(&replace), claim]);
        let paused = crate::run_right(&sandbox, &agent, &[]).run().expect_exit(exit::PAUSED);
        paused.says(&format!("{name} is no file any more"));
        if name.starts_with("refs") {
            continue;
        }
        sandbox.gulf(["status"]).run().does_not_panic().says(&format!("{name} is no file"));
    }
}

#[test]
fn one_ctrl_c_ends_gulf_where_git_waits_for_ever() {
    let sandbox = Sandbox::with(&Sample::shell());
    let here = Meeting::new(&sandbox, "here");
    let (folder, hangs) = (sandbox.path("programs"), sandbox.path("hangs"));
    fs::create_dir(&folder).unwrap();
    let reached = here.reached_by_shell();
    let text = format!(
        "#!/bin/sh\nif test -e '{hangs}'; then {reached}; exec tail -f /dev/null; fi\nPATH=${{PATH#*:}}; exec git \"$@\"\n"
    );
    fs::write(folder.join("git"), text).unwrap();
    fs::set_permissions(folder.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([write, claim, Step::run(&format!("touch '{hangs}'"))]);
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let started = crate::run_right(&sandbox, &agent, &[]).variable("PATH", &path).start();
    here.wait();
    started.interrupt();
    started.finish().expect_exit(exit::INTERRUPTED);
}
