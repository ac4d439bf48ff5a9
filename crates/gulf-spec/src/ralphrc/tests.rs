//! Files as `ralph enable` writes them, and what somebody made of them.

use proptest::prelude::*;

use super::*;
use crate::config::{self, SettingLayers};
use crate::problem::{Problem, Weight};

fn told(text: &str) -> String {
    let ralphrc = parse(&Source::new(".ralphrc", text));
    let settings =
        ralphrc.settings.iter().map(|one| format!("{} = {} ({})", one.key.row().path, one.value, one.from));
    let left_out = ralphrc.left_out.iter().map(|one| format!("- {}={}: {}", one.name, one.value, one.why));
    let problems = ralphrc.problems.iter().map(|located| {
        format!("! {}: {located} ({})", located.place(), located.problem.hint().unwrap_or_default())
    });
    let mut told: Vec<_> = settings.chain(left_out).chain(problems).collect();
    if ralphrc.files != Files::default() {
        told.push(format!("{:?}", ralphrc.files));
    }
    told.join("\n")
}

const WHOLE: &str = r#"# .ralphrc - Ralph project configuration
PROJECT_NAME="${PROJECT_NAME:-my-project}"
export PROJECT_TYPE=rust
MAX_CALLS_PER_HOUR=100   # an hour
CLAUDE_TIMEOUT_MINUTES=15
CLAUDE_OUTPUT_FORMAT="json"
ALLOWED_TOOLS="Write,Read,Bash(git add *),Bash(git push *),Bash(git *),Bash(npm *),Bash(npm:*),Bash(pytest),Bash(*),Bash,Bash(bin/*),WebFetch"
MAX_LOOPS=40
SESSION_CONTINUITY=false
SESSION_CONTINUITY=true
CB_NO_PROGRESS_THRESHOLD=4
CB_SAME_ERROR_THRESHOLD=6
SANDBOX_PROVIDER='docker'
# PROMPT_FILE="NO.md"
FIX_PLAN_FILE="@fix_plan.md"
"#;

#[test]
fn a_file_as_it_is_written_is_taken_over_and_what_is_not_is_said() {
    insta::assert_snapshot!(told(WHOLE), @r#"
        limits.turns_per_hour = 100 (MAX_CALLS_PER_HOUR)
        agent.timeout = 15m (CLAUDE_TIMEOUT_MINUTES)
        agent.allow = git add,npm,pytest (ALLOWED_TOOLS)
        agent.context = continue (SESSION_CONTINUITY)
        stuck.idle_iterations = 4 (CB_NO_PROGRESS_THRESHOLD)
        stuck.same_failure = 6 (CB_SAME_ERROR_THRESHOLD)
        - PROJECT_NAME=my-project: gulf looks at the project itself
        - PROJECT_TYPE=rust: gulf looks at the project itself
        - CLAUDE_OUTPUT_FORMAT=json: gulf reads the agent's own events
        - ALLOWED_TOOLS=Bash(git push *): it moves branches, or takes work away
        - ALLOWED_TOOLS=Bash(git *): it moves branches, or takes work away
        - ALLOWED_TOOLS=Bash(*): a worker gets no leave to run anything
        - ALLOWED_TOOLS=Bash: a worker gets no leave to run anything
        - ALLOWED_TOOLS=Bash(bin/*): a folder is no command
        - ALLOWED_TOOLS=WebFetch: gulf allows commands only
        - MAX_LOOPS=40: how long a loop may be is said with --max-iterations; 50 unless you do
        - SANDBOX_PROVIDER=docker: there are no sandboxes of that kind
        Files { prompt: None, plan: Some("@fix_plan.md"), agent: None }
        "#);
}

#[test]
fn what_is_taken_over_can_be_loaded() {
    let ralphrc = parse(&Source::new(".ralphrc", WHOLE));
    let flags = ralphrc.settings.into_iter().map(|one| (one.key, one.value)).collect();
    let config = config::load(&SettingLayers { flags, ..SettingLayers::default() }).unwrap();
    assert_eq!((config.count(Key::StuckIdleIterations), config.count(Key::LimitsTurnsPerHour)), (4, 100));
}

#[test]
fn nothing_is_run_and_what_would_be_is_named() {
    insta::assert_snapshot!(told(
        "A=$(date)\nB=\"`id`\"\nC=\"$HOME/x\"\nD='$HOME'\nif true; then x; fi\nE=1; rm -rf /\nF=\"open\nG=\"${H:-1}\"\n1X=2\nCLAUDE_TIMEOUT_MINUTES=soon\nCB_SAME_ERROR_THRESHOLD=0\nSESSION_CONTINUITY=yes\nI=\"a\"b\nJ=\nsource x\n"
    ), @r#"
        - D=$HOME: it has no counterpart
        - J=: it has no counterpart
        ! .ralphrc:1:1: `A` has a value that only a shell could evaluate, so it is ignored (write the value itself, as `NAME="value"`)
        ! .ralphrc:2:1: `B` has a value that only a shell could evaluate, so it is ignored (write the value itself, as `NAME="value"`)
        ! .ralphrc:3:1: `C` has a value that only a shell could evaluate, so it is ignored (write the value itself, as `NAME="value"`)
        ! .ralphrc:5:1: this is not a line `NAME=value`, so it is ignored (write the value itself, as `NAME="value"`)
        ! .ralphrc:6:1: `E` has a value that only a shell could evaluate, so it is ignored (write the value itself, as `NAME="value"`)
        ! .ralphrc:7:1: the quotes of `F` are not closed (close them on the same line)
        ! .ralphrc:8:1: `G` has a value that only a shell could evaluate, so it is ignored (write the value itself, as `NAME="value"`)
        ! .ralphrc:9:1: this is not a line `NAME=value`, so it is ignored (write the value itself, as `NAME="value"`)
        ! .ralphrc:10:1: `CLAUDE_TIMEOUT_MINUTES` must be a whole number from 1 to 1000000, not `soon` (correct it there)
        ! .ralphrc:11:1: `CB_SAME_ERROR_THRESHOLD` must be a whole number from 1 to 1000000, not `0` (correct it there)
        ! .ralphrc:12:1: `SESSION_CONTINUITY` must be true or false, not `yes` (correct it there)
        ! .ralphrc:13:1: `I` has a value that only a shell could evaluate, so it is ignored (write the value itself, as `NAME="value"`)
        ! .ralphrc:15:1: this is not a line `NAME=value`, so it is ignored (write the value itself, as `NAME="value"`)
        "#);
}

// proves: K6
#[test]
fn what_is_set_under_a_condition_is_not_taken_for_set() {
    let set = "CLAUDE_TIMEOUT_MINUTES=15\n";
    for (before, after) in [
        ("if [ -n \"$CI\" ]; then\n", "fi\n"),
        ("if false\nthen\n", "else\n  X=1\nfi\n"),
        ("for a in 1 2; do\n  while true; do x; done\n", "done\n"),
        ("case $CI in\n*)\n", ";;\nesac\n"),
        ("never_called() {\n", "}\n"),
        ("function never_called\n{\n", "}\n"),
        ("cat > other <<'END'\n", "END\n"),
        (": <<-END\n", "\tEND\n"),
    ] {
        let within = parse(&Source::new(".ralphrc", &format!("{before}  {set}{after}")));
        assert!(within.settings.is_empty(), "{before}");
        let is_refused = |located: &Located<Mistake>| {
            let what = located.problem.to_string();
            what.starts_with("`CLAUDE_TIMEOUT_MINUTES` is set inside an `if`")
                && located.problem.weight() == Weight::Error
        };
        assert!(within.problems.iter().any(is_refused), "{before}");
        let behind = parse(&Source::new(".ralphrc", &format!("{before}x\n{after}{set}")));
        assert_eq!(behind.settings.len(), 1, "{before}");
    }
    for line in ["if x; then y; fi", "f() { x; }", "# if then {", "echo \"{\" # {", "[ -f x ] && { y; }"] {
        let one = parse(&Source::new(".ralphrc", &format!("{line}\n{set}")));
        assert_eq!(one.settings.len(), 1, "{line}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read(text in "([A-Z_]{0,6}(=|\"|'|\\$|\n| |#|\\PC){0,3}){0,20}") {
        let _ = told(&text);
    }
}
