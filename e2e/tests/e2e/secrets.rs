//! What is secret stays in the logs: nothing that leaves for a prompt, a judge, a channel or a page tells it.
//!
//! Every boundary is looked at with the same secrets, printed by the same check.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_testkit::{FakeAgent, FakeJudge, Sample, Sandbox, Step};

use crate::{RIGHT, exit, mend, run};

/// In a variable of gulf's own environment.
const OF_A_VARIABLE: &str = "hush-7f3a9c21d7-variable";
/// In the project's `.env`, which git ignores.
const OF_A_FILE: &str = "hush-81bd02ee4c-of-a-file";
/// Known to the check alone.
const OF_THE_CHECK: &str = "hush-4411aa90ff-of-the-check";

/// As programs of all kinds print what they are set up with.
const SPELLED: [&str; 6] = [
    r#"{"password": "xucpqStM54Lqea"}"#,
    "DB_PASSWORD: EZU7copvX5MGIF",
    r#"api_key = "sXt1ISKEEFrm""#,
    "GET /x?token=0ithv4qK0zmNQaS4&y=1",
    "mysql --password=3zifronlPQPn -u root",
    "deploy --token 9dkq3zifronl",
];
/// The secrets in them.
const BESIDE_A_NAME: [&str; 6] =
    ["xucpqStM54Lqea", "EZU7copvX5MGIF", "sXt1ISKEEFrm", "0ithv4qK0zmNQaS4", "3zifronlPQPn", "9dkq3zifronl"];

/// Prints all that it knows, and is red until the work is done.
const CHECK: &str = r#"env
cat spelled.txt
cat .env 2>/dev/null
export STRIPE_API_KEY=hush-4411aa90ff-of-the-check
env | grep STRIPE
echo "postgres://app:hush-4411aa90ff-of-the-check@db/app"
grep -q right value.txt
"#;

fn sample() -> Sample {
    Sample::shell()
        .file("loud.sh", CHECK)
        .file("spelled.txt", &SPELLED.join("\n"))
        .file(".gitignore", ".env\n.gulf/\n")
        .file("RUBRIC.md", "## Checks\n- sh loud.sh\n\n## Judge criteria\n- The value is right\n")
        .file("gulf.toml", "[environment]\ncopy = [\".env\"]\n\n[notify]\nwebhook = \"HOOK_URL\"\n")
}

#[track_caller]
fn tells_nothing(what: &str, text: &str) {
    for secret in [OF_A_VARIABLE, OF_A_FILE, OF_THE_CHECK].into_iter().chain(BESIDE_A_NAME) {
        assert!(!text.contains(secret), "{what} tells {secret}:\n{text}");
    }
}

/// Every file below a folder.
fn files_in(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    let below = entries.flat_map(|entry| {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            files_in(entry.path())
        } else {
            Vec::from_iter(kind.is_file().then(|| entry.into_path()))
        }
    });
    below.collect()
}

/// Everything in a folder that is no log of a program, and no file of the project's.
fn told_in(folder: &Utf8Path) -> Vec<(Utf8PathBuf, String)> {
    let is_told = |path: &Utf8PathBuf| {
        let parts = ["/sealed", "/rooms/", "/git/", "/verify/"];
        path.extension() != Some("log") && !parts.iter().any(|part| path.as_str().contains(part))
    };
    let told = files_in(folder).into_iter().filter(is_told);
    told.map(|path| (path.clone(), String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned())).collect()
}

#[test]
fn what_a_check_prints_reaches_prompts_records_judges_channels_and_pages_without_secrets() {
    let sandbox = Sandbox::with(&sample());
    fs::write(sandbox.file(".env"), format!("DB_PASSWORD={OF_A_FILE}\n")).unwrap();
    let hook = gulf_testkit::WebhookServer::start([]);
    let judge = FakeJudge::new(&sandbox).says("no verdict");
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::write("value.txt", "wrong\n"), Step::claim()])
        .turn(2, [Step::write("value.txt", "right\n"), Step::print(OF_A_VARIABLE), Step::claim()])
        .otherwise([Step::append("other", "x")]);
    let finished = run(&sandbox, &agent, &["--judge", &judge.flag(), "-n", "3"])
        .variable("DEPLOY_TOKEN", OF_A_VARIABLE)
        .variable("HOOK_URL", hook.url())
        .run();
    tells_nothing("the last screen", &format!("{}{}", finished.stdout, finished.stderr));
    for (number, _) in (1..).zip(agent.tally().turns()) {
        tells_nothing("a prompt", &agent.tally().prompt(number));
    }
    assert!(agent.tally().prompt(2).contains("DEPLOY_TOKEN=***"), "{}", agent.tally().prompt(2));
    assert!(agent.tally().prompt(2).contains("postgres://app:***@db/app"));
    assert!(!judge.prompts().is_empty());
    judge.prompts().iter().for_each(|prompt| tells_nothing("the judge's prompt", prompt));
    hook.delivered().iter().for_each(|one| tells_nothing("the webhook", &one.body));
    for (name, text) in told_in(&sandbox.state()).into_iter().chain(told_in(&sandbox.file(".gulf"))) {
        tells_nothing(name.as_str(), &text);
    }
    for view in [&["status", "--json"][..], &["report"], &["report", "--json"], &["log"], &["show", "1"]] {
        let shown = sandbox.gulf(view.iter().copied()).variable("DEPLOY_TOKEN", OF_A_VARIABLE).run();
        tells_nothing(view[0], &format!("{}{}", shown.stdout, shown.stderr));
    }
    let logs = files_in(&sandbox.state()).into_iter();
    let whole = logs.filter(|path| path.file_name().is_some_and(|name| name.starts_with("check-")));
    let whole: Vec<String> = whole.map(|path| fs::read_to_string(path).unwrap()).collect();
    assert!(
        whole.iter().any(|log| log.contains(OF_A_VARIABLE) && log.contains(OF_A_FILE)),
        "logs stay whole"
    );
}

#[test]
fn a_verification_and_the_commits_of_a_landing_tell_no_secret() {
    let rubric = "## Checks\n- sh loud.sh\n";
    let sandbox = Sandbox::with(&sample().file("RUBRIC.md", rubric));
    let verified = sandbox.gulf(["verify"]).run().expect_exit(exit::ERROR);
    tells_nothing("gulf verify", &format!("{}{}", verified.stdout, verified.stderr));
    verified.says("--token ***");

    let sandbox = Sandbox::with(&Sample::shell());
    let said = format!("I used {} because the value was wrong.", SPELLED[5]);
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).turn(1, [write, claim, Step::print(&said)]);
    let goal = format!("mend the value with {}", SPELLED[4]);
    let run = sandbox.gulf(["run", &goal, "--research", "off", "--agent", &agent.flag(), "--check", RIGHT]);
    run.run().expect_exit(exit::VERIFIED);
    sandbox.gulf(["land"]).run().expect_exit(0);
    let messages = sandbox.git(["log", "--all", "--format=%B", "HEAD", "--glob=refs/gulf"]);
    tells_nothing("a commit's message", &messages);
    assert!(messages.contains("mend the value with mysql --password=***"), "{messages}");
}

#[test]
fn the_commit_of_a_task_tells_no_secret_of_its_title() {
    let list = format!("- [ ] A: mend the value with {}\n", SPELLED[4]);
    let sandbox = Sandbox::with(&Sample::shell().file("TASKS.md", &list));
    let [write, _] = mend();
    let agent = FakeAgent::new(&sandbox).turn(1, [write, Step::print("TASK_DONE")]);
    let run = sandbox.gulf(["run", "--preset", "tasks", "--agent", &agent.flag(), "--check", RIGHT]);
    run.run().expect_exit(exit::VERIFIED);
    let messages = sandbox.git(["log", "--format=%B", "HEAD"]);
    tells_nothing("a commit's message", &messages);
    assert!(messages.contains("mend the value with mysql --password=***"), "{messages}");
}

#[cfg(unix)]
#[test]
fn a_home_and_a_folder_of_projections_that_others_can_read_are_narrowed() {
    use std::os::unix::fs::PermissionsExt as _;

    let sandbox = Sandbox::with(&Sample::shell());
    let folders = [sandbox.state(), sandbox.file(".gulf")];
    for folder in &folders {
        fs::create_dir_all(folder).unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    }
    sandbox.gulf(["doctor"]).run().says("can be read by others");
    let agent = FakeAgent::new(&sandbox).turn(1, crate::mend());
    crate::run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    for folder in &folders {
        let mode = fs::metadata(folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{folder} is {mode:o}");
    }
}
