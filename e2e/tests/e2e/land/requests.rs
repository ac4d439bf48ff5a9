//! `gulf land --pull-request`: a branch at the remote, and a scripted `gh` and `glab` that write down what they are asked.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step};

use super::autonomous;
use crate::{RIGHT, exit, mend, run, run_right};

/// A remote whose address tells what it is; and programs that know one request each.
struct Forge {
    sandbox: Sandbox,
    remote: Utf8PathBuf,
    programs: Utf8PathBuf,
}

impl Forge {
    fn new(address: &str) -> Forge {
        let sandbox = Sandbox::with(&Sample::shell());
        let remote = sandbox.path(address);
        fs::create_dir_all(remote.parent().unwrap()).unwrap();
        sandbox.git(["clone", "--quiet", "--bare", ".", remote.as_str()]);
        sandbox.git(["remote", "add", "origin", remote.as_str()]);
        sandbox.git(["fetch", "--quiet", "origin"]);
        sandbox.git(["branch", "--quiet", "--set-upstream-to=origin/main", "main"]);
        let programs = sandbox.path("programs");
        fs::create_dir(&programs).unwrap();
        Forge { sandbox, remote, programs }
    }

    /// Views what lies in `view`, else knows no request; opens one as `create` says.
    fn with(self, name: &str, create: &str) -> Forge {
        let told = self.sandbox.path("told");
        let script = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && exit\npwd > '{told}.folder'\nprintf '%s\\n' \"$@\" > '{told}'.$2\n\
             if [ $2 = view ]; then /bin/cat '{told}.answer' 2>/dev/null || exit 1; exit; fi\n/bin/cat > '{told}.body'\n{create}\n"
        );
        let path = self.programs.join(name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn land(&self, arguments: &[&str]) -> Finished {
        let land = self.sandbox.gulf(["land"]).arguments(arguments.iter().copied());
        // Without the programs that the machine may have.
        let git = self.programs.join("git");
        if !git.exists() {
            std::os::unix::fs::symlink("/usr/bin/git", git).unwrap();
        }
        land.variable("PATH", format!("{}:/bin-of-nobody", self.programs)).run().does_not_panic()
    }

    fn told(&self, what: &str) -> String {
        fs::read_to_string(self.sandbox.path(&format!("told.{what}"))).unwrap()
    }

    fn there(&self, arguments: &[&str]) -> String {
        self.sandbox.git(["--git-dir", self.remote.as_str()].iter().chain(arguments).copied())
    }

    fn verified(&self) {
        let notes = Step::write("progress.txt", "what I tried\n");
        let agent = FakeAgent::new(&self.sandbox).turn(1, [notes].into_iter().chain(mend()));
        run_right(&self.sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    }
}

const URL: &str = "https://github.example/team/app/pull/7";

#[test]
fn a_request_is_opened_with_the_report_and_exactly_the_loops_change_and_told_of_until_it_is_merged() {
    let forge = Forge::new("github.example/team/app.git").with("gh", &format!("echo {URL}"));
    // Somebody went on at the remote, and a person has something of theirs in the checkout.
    let other = forge.sandbox.path("other");
    forge.sandbox.git(["clone", "--quiet", forge.remote.as_str(), other.as_str()]);
    fs::write(other.join("new.txt"), "theirs\n").unwrap();
    forge.sandbox.git(["-C", other.as_str(), "add", "new.txt"]);
    forge.sandbox.git(["-C", other.as_str(), "commit", "--quiet", "--message", "theirs"]);
    forge.sandbox.git(["-C", other.as_str(), "push", "--quiet"]);
    forge.sandbox.write("mine.txt", "mine\n");
    forge.verified();
    let before = forge.sandbox.git(["rev-parse", "main", "HEAD"]);
    forge.land(&["--pull-request"]).expect_exit(exit::PAUSED).says("ready to land").says(URL);
    let branch = forge.there(&["branch", "--list", "gulf/*", "--format=%(refname:short)"]);
    assert_eq!(forge.there(&["diff", "--name-only", &format!("main...{branch}")]), "value.txt");
    assert_eq!(forge.there(&["show", &format!("{branch}:value.txt")]), "right");
    let asked = forge.told("create");
    for words in [
        format!("--repo\n{}\n", forge.remote),
        "--base\nmain\n".to_owned(),
        format!("--head\n{branch}\n"),
        "--title\nmake value.txt say right\n".to_owned(),
    ] {
        assert!(asked.contains(&words), "{words} in {asked}");
    }
    let body = forge.told("body");
    assert!(body.starts_with("# verified: ") && body.lines().count() <= 60, "{body}");
    let folder = forge.told("folder");
    assert!(!folder.contains("/repository"), "a project's settings of git decide nothing: {folder}");
    assert_eq!(forge.sandbox.git(["rev-parse", "main", "HEAD"]), before);
    assert_eq!(forge.sandbox.read("mine.txt"), "mine\n");
    let pushed = forge.there(&["rev-parse", &branch]);
    let stands = |state: &str| {
        let told = format!("{{\"state\":\"{state}\",\"url\":\"{URL}\"}}");
        fs::write(forge.sandbox.path("told.answer"), told).unwrap();
        fs::remove_file(forge.sandbox.path("told.create")).ok();
        forge.land(&["--pull-request"])
    };
    stands("OPEN").expect_exit(exit::PAUSED).says("ready to land");
    stands("CLOSED").expect_exit(exit::PAUSED).says("not merged, the request is closed");
    stands("MERGED").expect_exit(0).says("was merged: https://github.example");
    assert!(!forge.sandbox.path("told.create").exists(), "one request is enough");
    assert_eq!(forge.there(&["rev-parse", &branch]), pushed);
}

#[test]
fn at_gitlab_it_is_a_merge_request_of_the_loops_own_branch() {
    let url = "https://gitlab.example/team/app/-/merge_requests/3";
    let forge = Forge::new("gitlab.example/team/app.git").with("glab", &format!("echo; echo {url}"));
    let agent = FakeAgent::new(&forge.sandbox).otherwise([
        Step::write("value.txt", "right\n"),
        Step::run("gulf claim done --no-test 'only words'"),
    ]);
    autonomous(&forge.sandbox, &agent, &["--check", "true"]).run().expect_exit(exit::ATTESTED);
    let refused = forge.land(&["--pull-request"]).expect_exit(exit::REFUSED_START);
    refused.says("only a person at a terminal");
    assert_eq!(forge.there(&["branch", "--list", "gulf/*"]), "");
    let agent = FakeAgent::named(&forge.sandbox, "proves").otherwise(mend());
    run(&forge.sandbox, &agent, &["--preset", "autonomous", "--check", RIGHT, "-b", "main"])
        .run()
        .expect_exit(exit::VERIFIED);
    forge.land(&["--pull-request"]).expect_exit(exit::PAUSED).says(url);
    let asked = forge.told("create");
    assert!(asked.contains("--target-branch\nmain\n--source-branch\ngulf/auto-"), "{asked}");
    assert!(asked.contains("--description\n# verified: "), "{asked}");
    let told = format!("{{\"state\":\"merged\",\"web_url\":\"{url}\",\"iid\":3}}");
    fs::write(forge.sandbox.path("told.answer"), told).unwrap();
    forge.land(&["--pull-request"]).expect_exit(0).says("was merged");
}

#[test]
fn what_keeps_a_request_from_being_opened_is_said_with_what_to_do() {
    let forge = Forge::new("code.example/team/app.git");
    forge.verified();
    let unknown = forge.land(&["--pull-request"]).expect_exit(exit::REFUSED_START);
    unknown.says("whether it is GitHub or GitLab").says("`--pull-request=gh`");
    let missing = forge.land(&["--pull-request=gh"]).expect_exit(exit::ERROR);
    missing.says("`gh` cannot be started").says("gh auth login").says("gulf report --markdown");
    assert_eq!(forge.there(&["branch", "--list", "gulf/*"]), "", "nothing is pushed for nothing");
    let forge = forge.with("gh", "echo 'not logged in' >&2; exit 4");
    let refused = forge.land(&["--pull-request=gh"]).expect_exit(exit::ERROR);
    refused.says("`gh` opened no request: not logged in").says("`gh auth status`").says("is pushed");
    let forge = forge.with("gh", &format!("echo {URL}"));
    forge.land(&["--pull-request=gh"]).expect_exit(exit::PAUSED).says(URL);
    forge.land(&["--pull-request", "--push"]).expect_exit(exit::REFUSED_START);
}

#[test]
fn what_does_not_go_together_with_the_remote_or_lies_there_already_is_not_pushed() {
    let forge = Forge::new("github.example/team/app.git").with("gh", "exit 1");
    forge.verified();
    forge.sandbox.git(["push", "--quiet", "origin", "main:refs/heads/elsewhere"]);
    let at_remote = |text: &str| {
        forge.sandbox.git(["stash", "--quiet", "--include-untracked"]);
        forge.sandbox.write("value.txt", text);
        forge.sandbox.git(["commit", "--quiet", "--all", "--message", "theirs"]);
        forge.sandbox.git(["push", "--quiet", "origin", "HEAD:main"]);
        forge.sandbox.git(["reset", "--quiet", "--hard", "HEAD~1"]);
        forge.sandbox.git(["stash", "pop", "--quiet"]);
    };
    at_remote("something else\n");
    let clash = forge.land(&["--pull-request"]).expect_exit(exit::REFUSED_START);
    clash.says("conflicts with origin/main: value.txt");
    forge.sandbox.git(["push", "--quiet", "--force", "origin", "main:main"]);
    at_remote("right\n");
    forge
        .land(&["--pull-request"])
        .expect_exit(exit::REFUSED_START)
        .says("already contains the loop's change");
    assert_eq!(forge.there(&["branch", "--list", "gulf/*"]), "");
}
