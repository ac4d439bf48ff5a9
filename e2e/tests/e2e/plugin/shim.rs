//! `bin/gulf` of the plugin: it finds the program wherever it may lie, or says that there is none.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_testkit::{Finished, Invocation, Sample, Sandbox, quote};
use serde_json::{Value, json};

use super::{plugin, script};

/// The shells that `/bin/sh` is somewhere, as far as they are here.
const SHELLS: [&[&str]; 4] = [&["sh"], &["dash"], &["bash", "--posix"], &["busybox", "sh"]];

/// Says where it is, what it was called with, and what it read.
const REAL: &str = "printf '<%s>' \"$0\" \"$@\"; exec /bin/cat";

/// A plugin at an awkward path.
struct Installed {
    sandbox: Sandbox,
    shell: &'static [&'static str],
}

impl Installed {
    /// One for every shell.
    fn everywhere() -> impl Iterator<Item = Installed> {
        SHELLS.into_iter().filter(|shell| is_here(shell[0])).map(|shell| {
            let installed = Installed { sandbox: Sandbox::awkward(&Sample::green()), shell };
            installed.copy("plugin");
            installed
        })
    }

    fn copy(&self, name: &str) {
        for path in ["bin/gulf", ".claude-plugin/plugin.json"] {
            let copy = self.at(name).join(path);
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::copy(plugin().join(path), copy).unwrap();
        }
    }

    fn at(&self, path: &str) -> Utf8PathBuf {
        self.sandbox.path(path)
    }

    /// With nothing on the PATH but these folders, and all other places empty.
    fn call(&self, arguments: &[&str], path: &[&Utf8Path]) -> Invocation {
        let shim = self.at("plugin/bin/gulf");
        let words = self.shell[1..].iter().copied().chain([shim.as_str()]).chain(arguments.iter().copied());
        let shell = which(self.shell[0]);
        let path: Vec<&str> = path.iter().map(|folder| folder.as_str()).collect();
        self.sandbox.program(&shell, words).variable("PATH", path.join(":"))
    }

    /// The same, with the programs of every day behind.
    fn hook(&self, event: &Value) -> Finished {
        let path = [Utf8Path::new("/usr/bin"), Utf8Path::new("/bin")];
        self.call(&["hook"], &path).stdin(event.to_string()).run().expect_exit(0)
    }
}

fn which(program: &str) -> String {
    let found = ["/usr/bin", "/bin"].map(|folder| format!("{folder}/{program}"));
    found.into_iter().find(|path| Utf8Path::new(path).exists()).unwrap_or_default()
}

fn is_here(program: &str) -> bool {
    !which(program).is_empty()
}

#[test]
fn the_program_is_looked_for_in_a_fixed_order_and_gets_every_byte() {
    let input = format!("{{\"prompt\": \"$(id) `x` \\\"y\\\" 한국어\\n{}\"}}", "가".repeat(70_000));
    for installed in Installed::everywhere() {
        let places = [
            "plugin/node_modules/@gulf-loop/cli-linux-x64/bin/gulf",
            "data/bin/gulf",
            "on the path/gulf",
            "home/.cargo/bin/gulf",
        ];
        for place in places {
            script(&installed.at(place), REAL);
        }
        // Only the folder of the program: whatever needed another one on the way would be missing.
        let path = installed.at("on the path");
        for place in places {
            let finished = installed
                .call(&["hook", "a  b", "$x", ""], &[&path])
                .variable("CLAUDE_PLUGIN_DATA", installed.at("data"))
                .stdin(input.clone())
                .run();
            let said = finished.expect_exit(0).stdout;
            let (found, rest) = said.split_once('>').unwrap();
            let found = found.replace("/bin/../", "/");
            assert!(found.ends_with(place), "{found} instead of {place} by {:?}", installed.shell);
            assert!(rest == format!("<hook><a  b><$x><>{input}"), "by {:?}", installed.shell);
            fs::remove_file(installed.at(place)).unwrap();
        }
    }
}

#[test]
fn its_exit_code_is_the_programs() {
    for installed in Installed::everywhere() {
        script(&installed.at("there/gulf"), "exit 12");
        installed.call(&["status"], &[&installed.at("there")]).run().expect_exit(12);
    }
}

#[test]
fn it_never_takes_itself_another_plugins_or_the_projects_for_the_program() {
    for installed in Installed::everywhere() {
        installed.copy("other version");
        script(&installed.sandbox.file("gulf"), "echo planted");
        std::os::unix::fs::symlink(installed.at("plugin/bin/gulf"), installed.at("home/gulf")).unwrap();
        let (own, other) = (installed.at("plugin/bin"), installed.at("other version/bin"));
        let home = installed.at("home");
        let path = [&own, &other, Utf8Path::new("."), Utf8Path::new(""), home.as_path()];
        let missing = installed.call(&["status"], &path).run().expect_exit(127);
        missing.says("error: ").says("hint: ").does_not_say("planted");
        script(&installed.at("there/gulf"), "echo real");
        let there = installed.at("there");
        let path = [&own, &other, Utf8Path::new("."), there.as_path()];
        installed.call(&["status"], &path).run().expect_exit(0).says("real");
    }
}

#[test]
fn whoever_asks_for_gulf_where_there_is_none_is_told_without_a_model_request() {
    for installed in Installed::everywhere() {
        let wrapped =
            "The user explicitly invoked the \"/gulf-loop:start\" skill. Follow its instructions now.";
        for prompt in ["/gulf-loop:start x", "$gulf-loop:status", "gulf-loop:help", wrapped] {
            let event = json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt});
            let answer: Value = serde_json::from_str(&installed.hook(&event).stdout).unwrap();
            assert_eq!(answer["decision"], "block");
            assert!(answer["reason"].as_str().unwrap().contains("cargo install"), "{answer}");
        }
        for prompt in ["what is gulf-loop:start?", "say \"prompt\":\"/gulf-loop:start\""] {
            let event = json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt});
            assert_eq!(installed.hook(&event).stdout, "", "{prompt}");
        }
    }
}

#[test]
fn everybody_else_is_told_once_and_goes_on() {
    for installed in Installed::everywhere() {
        let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash"}).to_string();
        let path = [Utf8Path::new("/usr/bin"), Utf8Path::new("/bin")];
        let told = |data: &str| {
            let hook = installed.call(&["hook"], &path).variable("CLAUDE_PLUGIN_DATA", data);
            hook.stdin(event.clone()).run().expect_exit(0)
        };
        let data = installed.at("new data");
        let answer: Value = serde_json::from_str(&told(data.as_str()).stdout).unwrap();
        assert!(answer["systemMessage"].as_str().unwrap().contains("cargo install"), "{answer}");
        assert_eq!(told(data.as_str()).stdout, "");
        let nowhere = told("/dev/null/data");
        assert_eq!((nowhere.stdout.as_str(), nowhere.stderr.as_str()), ("", ""));
    }
}

#[test]
fn a_loop_that_can_no_longer_be_kept_running_is_said_to_stop() {
    for installed in Installed::everywhere() {
        let event = json!({"hook_event_name": "Stop", "cwd": installed.sandbox.repository()});
        assert_eq!(installed.hook(&event).stdout, "");
        installed.sandbox.write(".claude/gulf-loop.local.md", "---\nactive: true\n---\nx\n");
        for _ in 0..2 {
            let answer: Value = serde_json::from_str(&installed.hook(&event).stdout).unwrap();
            assert!(answer["systemMessage"].as_str().unwrap().contains("does not go on"), "{answer}");
            assert!(answer.get("decision").is_none());
        }
        let elsewhere = installed
            .call(&["hook"], &[Utf8Path::new("/usr/bin"), Utf8Path::new("/bin")])
            .variable("CLAUDE_PROJECT_DIR", installed.at("home"))
            .stdin(event.to_string());
        assert_eq!(elsewhere.run().expect_exit(0).stdout, "");
    }
}

#[test]
fn it_is_called_as_the_hooks_say() {
    let hooks: Value =
        serde_json::from_str(&fs::read_to_string(plugin().join("hooks/hooks.json")).unwrap()).unwrap();
    for installed in Installed::everywhere() {
        script(&installed.at("home/.cargo/bin/gulf"), REAL);
        for event in ["Stop", "UserPromptSubmit", "PreToolUse"] {
            let command = hooks["hooks"][event][0]["hooks"][0]["command"].as_str().unwrap();
            let root = installed.at("plugin");
            // As hosts do it: by a shell, with the root as a variable or already put in.
            for command in [command.to_owned(), command.replace("${CLAUDE_PLUGIN_ROOT}", root.as_str())] {
                let call = format!("{command}; echo {}", quote("behind"));
                let shell = installed.sandbox.program(&which("sh"), ["-c", call.as_str()]);
                let finished = shell.variable("CLAUDE_PLUGIN_ROOT", &root).stdin("event").run();
                finished.expect_exit(0).says("/.cargo/bin/gulf><hook>event").says("behind");
            }
        }
    }
}
