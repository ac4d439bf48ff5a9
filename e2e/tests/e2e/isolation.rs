//! Walls around checks and around the worker (SPEC B2): what is out of their reach, and what is said where there are none.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;

use camino::Utf8Path;
use gulf_testkit::{FakeAgent, Finished, Meeting, Sample, Sandbox, Step, bubblewrap};

use crate::{GOAL, RIGHT, exit, mend, run};

mod crashes;
mod visible;

/// Fails where anything of the machine can be reached but what a check is run with, and where the work is not done.
const PROBE: &str = r#"set -eu
fail() { echo "reached: $1"; exit 1; }
test -z "$(ls -A "$HOME" | grep -v '^\.c' || true)" || fail home
test "$(ls /proc | grep -c '^[0-9]')" -lt 10 || fail processes
(exec 3<>/dev/tcp/127.0.0.1/PORT) 2>/dev/null && fail network
touch /usr/gulf-was-here 2>/dev/null && fail /usr
find / -xdev -name journal.jsonl -exec grep -l 'bash probe.sh' {} + 2>/dev/null | grep -q . && fail "gulf's own files"
test -e OUTSIDE && fail OUTSIDE
git log --oneline | grep -q . || { echo 'no history'; exit 1; }
touch build.log /tmp/ours
grep -qx right value.txt
"#;

fn isolated(sandbox: &Sandbox, check: &str, flags: &[&str]) -> Finished {
    let agent = FakeAgent::new(sandbox).otherwise(mend());
    let run = run(sandbox, &agent, &["--check", check, "-n", "2"]);
    run.variable("GULF_VERIFY_ISOLATION", "auto").arguments(flags.iter().copied()).run().does_not_panic()
}

// proves: B2, B18
#[test]
fn an_isolated_check_reaches_its_checkout_and_its_tools_and_nothing_else() {
    if !bubblewrap() {
        return;
    }
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let sandbox = Sandbox::with(&Sample::shell());
    let outside = sandbox.path("tmp").join("outside.txt");
    std::fs::write(&outside, "").unwrap();
    std::fs::write(sandbox.home().join("settings.ini"), "").unwrap();
    let probe = PROBE.replace("PORT", &server.local_addr().unwrap().port().to_string());
    sandbox.write("probe.sh", probe.replace("OUTSIDE", &format!("'{outside}'")));
    sandbox.commit("probe");
    isolated(&sandbox, "bash probe.sh", &["--isolation", "isolated"]).expect_exit(exit::VERIFIED);
    let told = std::fs::read_to_string(sandbox.only_loop().path("receipt.json")).unwrap();
    assert!(
        told.contains("checks ran isolated: without the machine's network, home and processes"),
        "{told}"
    );
    // The probe looks for this: who works on gulf with gulf has journals of other loops in a home that is not the sandbox's.
    let journal = std::fs::read_to_string(sandbox.only_loop().path("journal.jsonl")).unwrap();
    assert!(journal.contains("bash probe.sh"), "{journal}");
}

// proves: B2, B18
#[test]
fn a_check_that_needs_the_machine_is_opened_by_the_base_and_that_is_told() {
    if !bubblewrap() {
        return;
    }
    for (flags, exit) in [(&[][..], exit::VERIFIED), (&["--isolation", "isolated"][..], exit::EXHAUSTED)] {
        let sandbox = Sandbox::with(&Sample::shell());
        let database = sandbox.path("tmp").join("database");
        std::fs::write(&database, "up").unwrap();
        sandbox.write("test.sh", format!("grep -q up '{database}' || exit 1\nsh check.sh\n"));
        sandbox.commit("database");
        let finished = isolated(&sandbox, "sh test.sh", flags).expect_exit(exit);
        let opened = "the check sh test.sh was not isolated: on the base, it ";
        assert_eq!(
            finished.stderr.contains(opened) || finished.stdout.contains(opened),
            exit == exit::VERIFIED
        );
    }
}

// proves: B2, G24
#[test]
fn a_check_that_says_something_else_in_each_run_keeps_its_walls() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let outside = sandbox.path("tmp").join("value.txt");
    let noise = "tr 0-9 g-p < /proc/sys/kernel/random/uuid";
    sandbox.write("test.sh", format!("{noise}\nsh check.sh\n"));
    sandbox.write("check.sh", "sh say.sh | grep -qx right\n");
    sandbox.write("say.sh", "echo wrong\n");
    sandbox.commit("noise");
    let work = format!("echo right > '{outside}'; echo \"cat '{outside}'\" > say.sh");
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run(&work), Step::claim()]);
    let run = run(&sandbox, &agent, &["--check", "sh test.sh", "-n", "1"]);
    run.variable("GULF_VERIFY_ISOLATION", "auto").run().expect_exit(exit::EXHAUSTED);
}

#[test]
fn what_a_check_says_that_passes_only_without_isolation_is_quoted() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let database = sandbox.path("tmp").join("database");
    std::fs::write(&database, "up").unwrap();
    sandbox.write("test.sh", format!("grep -q up '{database}' || {{ echo 'no database'; exit 1; }}\n"));
    sandbox.commit("database");
    let finished = isolated(&sandbox, "sh test.sh", &["--check", RIGHT]).expect_exit(exit::VERIFIED);
    let shown = finished.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let quoted = "on the base, it fails in isolation and passes without: no database";
    assert!(shown.contains(quoted), "{shown}");
}

// proves: B2, B18
#[test]
fn a_check_that_is_named_open_runs_as_ever_and_an_unknown_name_is_refused() {
    let sandbox = Sandbox::with(&Sample::shell());
    let outside = sandbox.path("tmp").join("ran");
    sandbox.write("test.sh", format!("sh check.sh && touch '{outside}'\n"));
    sandbox.write(
        "gulf.toml",
        "[[check]]\nname = \"test\"\ncommand = \"sh test.sh\"\n\n[verify]\nopen = [\"test\"]\n",
    );
    sandbox.commit("open");
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let start = |flags: &[&str]| {
        let run = run(&sandbox, &agent, &["-n", "2"]).arguments(flags.iter().copied());
        run.variable("GULF_VERIFY_ISOLATION", "auto").run()
    };
    start(&[]).expect_exit(exit::VERIFIED);
    assert!(outside.exists());
    sandbox.write(
        "gulf.toml",
        "[[check]]\nname = \"test\"\ncommand = \"sh test.sh\"\n\n[verify]\nopen = [\"tset\"]\n",
    );
    start(&[])
        .expect_exit(exit::REFUSED_START)
        .says("`verify.open` names the check tset, and there is no such check");
}

/// What an adversary tries from within its turn; what it could do stands in `value.txt`.
const ADVERSARY: &str = r#"
bad=''
tried() { bad="$bad $1"; }
echo '[core]' >> "$HOME/.gitconfig" && tried gitconfig
cat "$HOME/.ssh/id_ed25519" && tried key
echo 'exit 0' > TOOLS/pytest && tried tools
for path in $(find "$GULF_HOME" -type f -name '*.json*'); do echo '{}' >> "$path" && tried "$path"; done
for process in $(ls /proc | grep '^[0-9]'); do
    grep -qx gulf /proc/$process/comm && tried processes
done
echo '{"v":1,"author":{"kind":"person"},"act":{"kind":"approve","reason":"it is fine"}}' > "$GULF_LOOP_HOME/requests/.new"
mv "$GULF_LOOP_HOME/requests/.new" "$GULF_LOOP_HOME/requests/00000000000000000001-0000000000000000.json"
touch OUTSIDE 2>/dev/null && tried outside
echo evil >> "$HOME/src/theirs.txt" && tried project
rm -rf "$HOME/notes.txt" "$HOME/src" && tried removing
cat "$HOME/.config/gh/hosts.yml" && tried linked-key
cat "$HOME/dotfiles/config/gh/hosts.yml" && tried key-behind-link
mkdir -p "$HOME/.config/systemd" "$HOME/.ssh"; echo evil | tee "$HOME/.bashrc" "$HOME/.config/systemd/unit" "$HOME/.ssh/keys" "$HOME/pytest.ini"
rm -f "$HOME/.zshrc"; echo evil > "$HOME/.zshrc"
ls "$HOME/.claude/sessions" && echo mine > "$HOME/.claude/session" || tried no-state
cat "$HOME/.claude.json" && echo mine > "$HOME/.new" && mv "$HOME/.new" "$HOME/.claude.json" || tried no-settings
mv "$HOME/.local" "$HOME/.other"
mv "$GULF_HOME" "$GULF_HOME.other" && tried renaming-gulf
(exec 3>> /proc/sys/kernel/core_pattern) 2>/dev/null && tried kernel
python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("SOCKET")' && tried socket
touch "$TMPDIR/mine" "$HOME/.cache-of-mine" || tried nothing-temporary
git commit --quiet --allow-empty -m mine || tried no-commit
echo "${bad:-right}" > value.txt
gulf claim done
"#;

/// Each file and link, with what it holds or leads to.
fn everything_in(folder: &Utf8Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in folder.read_dir_utf8().unwrap().map(Result::unwrap) {
        let (kind, path) = (entry.file_type().unwrap(), entry.path());
        if kind.is_dir() {
            found.extend(
                everything_in(path)
                    .into_iter()
                    .map(|(at, held)| (format!("{}/{at}", entry.file_name()), held)),
            );
        } else if kind.is_symlink() {
            found.insert(entry.file_name().to_owned(), path.read_link_utf8().unwrap().into_string());
        } else {
            found.insert(entry.file_name().to_owned(), std::fs::read_to_string(path).unwrap());
        }
    }
    found
}

// proves: B2, B18, A5
#[test]
fn a_worker_behind_walls_cannot_write_what_checks_and_gulf_depend_on_nor_speak_for_a_person() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let tools = sandbox.home().join(".local/bin");
    for folder in [&tools, &sandbox.home().join(".ssh")] {
        std::fs::create_dir_all(folder).unwrap();
    }
    for folder in [".claude/sessions", "src", "dotfiles/config/gh"] {
        std::fs::create_dir_all(sandbox.home().join(folder)).unwrap();
    }
    for theirs in [
        ".ssh/id_ed25519", ".claude.json", "src/theirs.txt", "notes.txt", "dotfiles/zshrc",
        "dotfiles/config/gh/hosts.yml",
    ] {
        std::fs::write(sandbox.home().join(theirs), "a key").unwrap();
    }
    for (to, link) in [("dotfiles/zshrc", ".zshrc"), ("dotfiles/config", ".config")] {
        std::os::unix::fs::symlink(to, sandbox.home().join(link)).unwrap();
    }
    std::fs::write(tools.join("pytest"), "exit 1").unwrap();
    let before = everything_in(&sandbox.home());
    let shared = tempfile::Builder::new().prefix("tmux-").tempdir_in("/tmp").unwrap();
    let listening = camino::Utf8PathBuf::from_path_buf(shared.path().join("default")).unwrap();
    let _listener = UnixListener::bind(&listening).unwrap();
    let script = ADVERSARY.replace("TOOLS", tools.as_str()).replace("SOCKET", listening.as_str());
    let script = script.replace("OUTSIDE", "/usr/local/gulf-was-here");
    let agent = format!("command:{script}");
    let arguments = ["run", GOAL, "--research", "off", "--agent", &agent, "--check", crate::RIGHT, "-n", "1"];
    let finished = sandbox.gulf(arguments).variable("GULF_AGENT_SANDBOX", "isolated").run().does_not_panic();
    finished.expect_exit(exit::VERIFIED);
    // What it keeps for its next session is all that is new.
    let mut after = everything_in(&sandbox.home());
    assert_eq!(after.remove(".claude/session").as_deref(), Some("mine\n"));
    assert_eq!(after, before);
    let refused = sandbox.only_loop().facts_of("refused");
    assert!(refused.iter().any(|one| one["request"] == "approve"), "{refused:?}");
}

// proves: B2
#[test]
fn a_program_that_a_worker_brings_to_a_folder_of_the_path_is_seen_by_no_check() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let path = format!("{}/bin:{}", sandbox.home(), std::env::var("PATH").unwrap());
    let script = "mkdir -p ~/bin; printf '#!/bin/sh\\nexit 0\\n' > ~/bin/grep; chmod +x ~/bin/grep; echo x > other.txt; gulf claim done";
    let agent = format!("command:{script}");
    let arguments = ["run", GOAL, "--research", "off", "--agent", &agent, "--check", crate::RIGHT, "-n", "2"];
    let run = sandbox.gulf(arguments).variable("PATH", &path).variable("GULF_AGENT_SANDBOX", "isolated");
    run.variable("GULF_VERIFY_ISOLATION", "isolated").run().does_not_panic().expect_exit(exit::EXHAUSTED);
    assert!(!sandbox.home().join("bin").exists(), "it is in the person's home");
}

/// Where everybody may write, a link to the folder of the program that `check` calls.
fn behind_a_link(sandbox: &Sandbox, shared: &Utf8Path, worker: &str) -> Finished {
    let link = shared.join("tools");
    let program = sandbox.path("tools/bin/is-right");
    std::fs::create_dir_all(sandbox.path("tools/bin")).unwrap();
    std::fs::write(&program, "#!/bin/sh\ngrep -qx right value.txt\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink(sandbox.path("tools"), &link).unwrap();
    let path = format!("{link}/bin:{}", std::env::var("PATH").unwrap());
    let agent = format!("command:{}", worker.replace("LINK", link.as_str()));
    let arguments = ["run", GOAL, "--research", "off", "--agent", &agent, "--check", "is-right", "-n", "2"];
    let run = sandbox.gulf(arguments).variable("PATH", &path).variable("GULF_AGENT_SANDBOX", "isolated");
    run.variable("GULF_VERIFY_ISOLATION", "isolated").run().does_not_panic()
}

// proves: B2
#[test]
fn programs_behind_a_link_are_run_and_no_worker_leads_it_elsewhere() {
    if !bubblewrap() {
        return;
    }
    let honest = "is-right || echo right > value.txt; gulf claim done";
    let cheat = "rm LINK; mkdir -p LINK/bin; printf '#!/bin/sh\\nexit 0\\n' > LINK/bin/is-right; \
                 chmod +x LINK/bin/is-right; echo x > other.txt; gulf claim done";
    for (worker, end) in [(honest, exit::VERIFIED), (cheat, exit::EXHAUSTED)] {
        let sandbox = Sandbox::with(&Sample::shell());
        let shared = tempfile::Builder::new().prefix("tools-").tempdir_in("/tmp").unwrap();
        behind_a_link(&sandbox, Utf8Path::from_path(shared.path()).unwrap(), worker).expect_exit(end);
    }
}

// proves: B2
#[test]
fn a_worker_finds_again_what_it_left_in_its_home_and_checks_see_what_it_downloaded_alone() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell());
    std::fs::create_dir(sandbox.home().join(".config")).unwrap();
    let first = "mkdir -p ~/.m2/repository ~/.config/tool; echo it > ~/.m2/repository/jar; echo it > ~/.config/tool/mine";
    let second = "grep -q it ~/.config/tool/mine && echo right > value.txt";
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::run(first), Step::claim()])
        .turn(2, [Step::run(second), Step::claim()]);
    let check = "test -f ~/.m2/repository/jar && test ! -e ~/.config/tool && sh check.sh";
    let run = run(&sandbox, &agent, &["--check", check, "-n", "2"]);
    let run = run.variable("GULF_AGENT_SANDBOX", "isolated").variable("GULF_VERIFY_ISOLATION", "isolated");
    run.run().expect_exit(exit::VERIFIED);
    assert_eq!(everything_in(&sandbox.home()).into_keys().collect::<Vec<_>>(), [".gitconfig"]);
}

// proves: B2
#[test]
fn a_home_that_a_worker_took_apart_is_made_anew_however_full_it_is() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell());
    // More than bwrap takes arguments for.
    (0..3000).for_each(|number| std::fs::write(sandbox.home().join(number.to_string()), "").unwrap());
    std::fs::create_dir_all(sandbox.home().join(".config/theirs")).unwrap();
    let apart = "mv ~/.config ~/elsewhere; ln -s /etc ~/.config; touch ~/elsewhere/mine";
    let again = "test -d ~/.config/theirs && echo right > value.txt";
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::run(apart), Step::append("other", "x")])
        .turn(2, [Step::run(again), Step::claim()]);
    let run = run(&sandbox, &agent, &["--check", RIGHT, "-n", "2"]);
    run.variable("GULF_AGENT_SANDBOX", "isolated").run().expect_exit(exit::VERIFIED);
}

// proves: B2
#[test]
fn what_a_full_home_has_beside_what_a_worker_may_reach_is_seen() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let folders =
        (0..300).map(|number| number.to_string()).chain(["z/shared".to_owned(), "z/beside".to_owned()]);
    folders.for_each(|name| std::fs::create_dir_all(sandbox.home().join(name)).unwrap());
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::run("test -d ~/z/beside && touch ~/z/shared/it && echo right > value.txt"),
        Step::claim(),
    ]);
    let run =
        run(&sandbox, &agent, &["--check", RIGHT, "-n", "1"]).variable("GULF_AGENT_REACH", "~/z/shared");
    run.variable("GULF_AGENT_SANDBOX", "isolated").run().expect_exit(exit::VERIFIED);
    assert!(sandbox.home().join("z/shared/it").exists());
}

/// What a worker writes in each of two turns where agents look for their settings; `CLAUDE.md` is a link, and Gemini's
/// settings are there.
const SETS_AGENTS: &str = r#"
test -d ~/.claude/projects && echo right > value.txt
for path in .claude/settings.json .claude/CLAUDE.md .codex/config.toml .config/opencode/opencode.json GEMINI; do
    path="$HOME/$path"; mkdir -p "$(dirname "$path")"; rm -f "$path"; echo evil > "$path"
done
mkdir -p ~/.claude/plugins ~/.claude/projects
gulf claim done
"#;

// proves: B2, A5
#[test]
fn settings_of_agents_that_a_worker_makes_are_taken_away_and_named() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let home = sandbox.home();
    for folder in [".claude", ".codex", ".config", "own/.gemini", "dotfiles"] {
        std::fs::create_dir_all(home.join(folder)).unwrap();
    }
    for theirs in ["dotfiles/claude.md", "own/.gemini/settings.json"] {
        std::fs::write(home.join(theirs), "theirs").unwrap();
    }
    std::os::unix::fs::symlink("../dotfiles/claude.md", home.join(".claude/CLAUDE.md")).unwrap();
    let before = everything_in(&home);
    let agent = format!("command:{}", SETS_AGENTS.replace("GEMINI", "own/.gemini/settings.json"));
    let arguments = ["run", GOAL, "--research", "off", "--agent", &agent, "--check", crate::RIGHT, "-n", "2"];
    let run = sandbox.gulf(arguments).variable("GEMINI_CLI_HOME", home.join("own"));
    let finished = run.variable("GULF_AGENT_SANDBOX", "isolated").run().expect_exit(exit::VERIFIED);
    finished.says(".claude/settings.json (made in a turn; it is settings.json.taken-by-gulf-1 now");
    let mut after = everything_in(&home);
    for taken in [".claude/settings.json", ".claude/CLAUDE.md", ".codex/config.toml"] {
        assert_eq!(after.remove(&format!("{taken}.taken-by-gulf-1")).as_deref(), Some("evil\n"), "{taken}");
    }
    assert_eq!(after, before);
    assert!(home.join(".claude/projects").is_dir() && !home.join(".claude/plugins").exists());
}

// proves: B2, A5, B8
#[test]
fn settings_of_agents_are_taken_away_after_a_kill_nine_too() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let settings = sandbox.home().join(".claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let here = Meeting::new(&sandbox, "here");
    let agent = FakeAgent::new(&sandbox)
        .attempt(1, 1, [Step::run("echo evil > ~/.claude/settings.json"), here.reached(), Step::Hang])
        .otherwise([Step::run("echo right > value.txt"), Step::claim()]);
    let started = run(&sandbox, &agent, &["--check", RIGHT, "-n", "1"]);
    let started = started.variable("GULF_AGENT_SANDBOX", "isolated").start();
    here.wait();
    assert!(settings.exists());
    started.kill();
    started.finish();
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED).says("settings.json (made in a turn");
    assert!(!settings.exists());
}

// proves: B2
#[test]
fn a_set_up_that_the_worker_changed_runs_behind_its_walls() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell().file("setup.sh", "mkdir -p node_modules\n"));
    std::fs::write(sandbox.home().join(".bashrc"), "").unwrap();
    let script = "echo 'mkdir -p node_modules; echo evil >> ~/.bashrc' > setup.sh; echo right > value.txt; gulf claim done";
    let agent = format!("command:{script}");
    let arguments = ["run", GOAL, "--research", "off", "--agent", &agent, "--check", crate::RIGHT, "-n", "1"];
    let run = sandbox.gulf(arguments).variable("GULF_ENVIRONMENT_SETUP", "sh setup.sh");
    run.variable("GULF_AGENT_SANDBOX", "isolated").run().does_not_panic();
    let results = sandbox.only_loop().results("check");
    assert!(!results.is_empty(), "no check ran");
    assert_eq!(std::fs::read_to_string(sandbox.home().join(".bashrc")).unwrap(), "");
}

// proves: B2, B3, B18
#[test]
fn a_held_out_check_runs_behind_walls_and_a_worker_behind_walls_does_not_find_it() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let folder = sandbox.path("tmp").join("acceptance");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("word"), "right").unwrap();
    let run = folder.join("run");
    std::fs::write(&run, "#!/bin/sh\ngrep -qx \"$(cat \"$GULF_ACCEPTANCE/word\")\" value.txt\n").unwrap();
    std::fs::set_permissions(&run, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let script = format!(
        "found=$(cat '{folder}/word' 2>/dev/null; grep -rIlx right \"$GULF_HOME\" 2>/dev/null)\n\
         echo \"${{found:-right}}\" > value.txt; gulf claim done"
    );
    let agent = format!("command:{script}");
    let arguments = ["run", GOAL, "--research", "off", "--agent", &agent, "--check", "true", "-n", "1"];
    let finished = sandbox.gulf(arguments).arguments(["--acceptance", folder.as_str()]);
    let finished = finished
        .variable("GULF_AGENT_SANDBOX", "isolated")
        .variable("GULF_VERIFY_ISOLATION", "isolated")
        .run()
        .does_not_panic();
    finished.expect_exit(exit::VERIFIED);
}

// proves: B2, B3, B18
#[test]
fn what_a_product_leaves_among_dependencies_in_one_run_is_not_there_in_the_next() {
    if !bubblewrap() {
        return;
    }
    for (set_up, there) in [("", true), ("mkdir -p node_modules", false), ("", false)] {
        let sandbox = Sandbox::with(&Sample::shell().file(".gitignore", "node_modules/\n"));
        if there {
            std::fs::create_dir(sandbox.file("node_modules")).unwrap();
        }
        let check =
            "mkdir -p node_modules/.cache; touch node_modules/.cache/tool; sh say.sh | grep -qx right\n";
        sandbox.write("check.sh", check);
        sandbox.write("say.sh", "echo wrong\n");
        sandbox.commit("say");
        let first =
            "echo right > node_modules/answer; test -e node_modules/.cache/tool || echo no cache; exit 1";
        let agent = FakeAgent::new(&sandbox)
            .turn(1, [Step::write("say.sh", first), Step::claim()])
            .otherwise([Step::write("say.sh", "cat node_modules/answer"), Step::claim()]);
        let run = run(&sandbox, &agent, &["--check", "sh check.sh", "-n", "2"]);
        let run =
            run.variable("GULF_ENVIRONMENT_SETUP", set_up).variable("GULF_VERIFY_ISOLATION", "isolated");
        run.run().expect_exit(exit::EXHAUSTED).does_not_say("no cache");
    }
}

// proves: B2, B3, B18
#[test]
fn byte_code_that_a_product_leaves_in_one_check_is_not_read_in_the_next() {
    if !bubblewrap() {
        return;
    }
    let plants = "import compileall, importlib.util as u, os, py_compile\n\n\ndef plant():\n    \
                  open('/tmp/good.py', 'w').write('value = \"right\"\\n')\n    \
                  py_compile.compile('/tmp/good.py', u.cache_from_source(os.path.abspath('calc.py')), \
                  invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)\n";
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write("calc.py", "value = 'wrong'\n");
    sandbox.write("plant.py", "def plant():\n    pass\n");
    sandbox.write(".gitignore", "__pycache__/\n");
    sandbox.commit("python");
    let agent = FakeAgent::new(&sandbox).otherwise([Step::write("plant.py", plants), Step::claim()]);
    let first = "python3 -c 'import plant; plant.plant()'";
    let second = "python3 -c 'import calc; assert calc.value == \"right\"'";
    let run = run(&sandbox, &agent, &["--check", first, "--check", second, "-n", "1"]);
    run.variable("GULF_VERIFY_ISOLATION", "isolated").run().expect_exit(exit::EXHAUSTED);
}
