//! What is said of a command that cannot be followed.

use std::fmt::Write;

use gulf_spec::config::{self, Key, SettingLayers};
use gulf_spec::problem::Problem;
use gulf_spec::slash_commands::SlashCommand;

use super::{heard, parted, spoken};
use crate::cli::{ResumeArguments, StartArguments};
use crate::commands::hook::typed::arguments;
use crate::settings;

/// What is said of each command that cannot be followed.
fn refusals<'p>(prompts: impl IntoIterator<Item = &'p str>) -> String {
    let mut all = String::new();
    for prompt in prompts {
        let Err(error) = spoken(prompt).unwrap() else {
            writeln!(all, "{} · {}", prompt.trim_end(), refused_as_in_a_terminal(prompt)).unwrap();
            continue;
        };
        let hint = error.hint().map_or(String::new(), |hint| format!(" · {hint}"));
        writeln!(all, "{} · {error}{hint}", prompt.trim_end()).unwrap();
    }
    all
}

/// What the command line says of what was typed.
fn refused_as_in_a_terminal(prompt: &str) -> String {
    let SlashCommand::Start(typed) = heard(prompt) else { panic!("no start: {prompt}") };
    let heard = arguments::<StartArguments>(&typed).and_then(|heard| {
        let flags = settings::flags(&heard.terms);
        Ok(config::load(&SettingLayers { flags, ..SettingLayers::default() })?)
    });
    let failure = heard.expect_err(prompt);
    format!("{} · {}", failure.in_one_line(), failure.hint().unwrap_or_default())
}

fn start_refusals<'p>(words: impl IntoIterator<Item = &'p str>) -> String {
    let prompts: Vec<_> = words.into_iter().map(|words| format!("/gulf-loop:start {words}")).collect();
    refusals(prompts.iter().map(String::as_str)).replace("/gulf-loop:start ", "")
}

#[test]
fn an_unknown_command_is_named_with_the_one_that_was_probably_meant() {
    insta::assert_snapshot!(refusals([
        "/gulf-loop:stat",
        "$gulf-loop:Start fix it",
        "gulf-loop:strat fix it",
        "/gulf-loop:start-with-jugde fix it",
        "/gulf-loop:start,fix it",
        "/gulf-loop:",
        "/gulf-loop:start-autonomus fix it",
        "gulf-loop:start-paralel -w 3 fix it",
        "/gulf-loop:cancel 2026-02-13T1430_login",
        "/gulf-loop:status --json",
    ]), @r#"
        /gulf-loop:stat · there is no command `stat` · did you mean `/gulf-loop:start`?
        $gulf-loop:Start fix it · there is no command `Start` · did you mean `/gulf-loop:start`?
        gulf-loop:strat fix it · there is no command `strat` · did you mean `/gulf-loop:start`?
        /gulf-loop:start-with-jugde fix it · there is no command `start-with-jugde` · did you mean `/gulf-loop:start-with-judge`?
        /gulf-loop:start,fix it · there is no command `start,fix` · available: align, start, start-with-judge, start-autonomous, start-parallel, ralph, autopilot, status, cancel, resume, answer, clean, help
        /gulf-loop: · no command is named · available: align, start, start-with-judge, start-autonomous, start-parallel, ralph, autopilot, status, cancel, resume, answer, clean, help
        /gulf-loop:start-autonomus fix it · there is no command `start-autonomus` · did you mean `/gulf-loop:start-autonomous`?
        gulf-loop:start-paralel -w 3 fix it · there is no command `start-paralel` · did you mean `/gulf-loop:start-parallel`?
        /gulf-loop:cancel 2026-02-13T1430_login · `cancel` does not know what to do with `2026-02-13T1430_login` · write `/gulf-loop:cancel` alone; for another loop: `gulf cancel` in a terminal
        /gulf-loop:status --json · `status` does not know what to do with `--json` · write `/gulf-loop:status` alone; for another loop: `gulf status` in a terminal
        "#);
}

#[test]
fn a_wrong_flag_before_the_prompt_is_named_with_what_to_type() {
    insta::assert_snapshot!(start_refusals([
        "--max-iteration 3 fix it",
        "--frobnicate fix it",
        "-x fix it",
        "—max-iterations 3 fix it",
        "--max-iterations fix it",
        "--max-iterations 0 fix it",
        "-n -5 fix it",
        "-n",
        "--max-iterations= 3 fix it",
        "--completion-promise --force-max fix it",
        "--completion-promise \"ALL DONE fix it",
        "--completion-promise ALL\"DONE\" fix it",
        "--completion-promise \"ALL\"DONE fix it",
        "--completion-promise “ALL DONE” fix it",
        "--completion-promise '' fix it",
        "--force-max=yes fix it",
        "--preset jugde fix it",
        "--mode autonomus fix it",
        "--workers none fix it",
        "--agent codex fix it",
        "--research gat fix it",
        "--max-duration 2 fix it",
        "--max-cost much fix it",
        "--check ' ' fix it",
        "--rubric 'a\nb' fix it",
        "--accept-contract fix it",
    ]), @r#"
        --max-iteration 3 fix it · there is no flag `--max-iteration` · did you mean `--max-iterations`? (`--` before the prompt takes all behind it literally)
        --frobnicate fix it · there is no flag `--frobnicate` · `/gulf-loop:help` lists all flags (`--` before the prompt takes all behind it literally)
        -x fix it · there is no flag `-x` · `/gulf-loop:help` lists all flags (`--` before the prompt takes all behind it literally)
        —max-iterations 3 fix it · there is no flag `—max-iterations` · did you mean `--max-iterations`? (`--` before the prompt takes all behind it literally)
        --max-iterations fix it · `--max-iterations` must be a whole number from 1 to 1000000, not `fix`, before the prompt · `--` before the prompt takes all behind it literally
        --max-iterations 0 fix it · `--max-iterations` must be a whole number from 1 to 1000000, not `0`, before the prompt · `--` before the prompt takes all behind it literally
        -n -5 fix it · `-n` must be a whole number from 1 to 1000000, not `-5`, before the prompt · `--` before the prompt takes all behind it literally
        -n · `-n` has no value, before the prompt · write a whole number from 1 to 1000000 behind `-n` (`--` before the prompt takes all behind it literally)
        --max-iterations= 3 fix it · `--max-iterations` has no value, before the prompt · write a whole number from 1 to 1000000 behind `--max-iterations` (`--` before the prompt takes all behind it literally)
        --completion-promise --force-max fix it · `--completion-promise` has no value, before the prompt · write one line that is not blank behind `--completion-promise` (`--` before the prompt takes all behind it literally)
        --completion-promise "ALL DONE fix it · the quote behind `--completion-promise` is not closed, before the prompt · put the whole value between straight quotes (`--` before the prompt takes all behind it literally)
        --completion-promise ALL"DONE" fix it · only a part of the value of `--completion-promise` is in quotes, before the prompt · put the whole value between straight quotes (`--` before the prompt takes all behind it literally)
        --completion-promise "ALL"DONE fix it · only a part of the value of `--completion-promise` is in quotes, before the prompt · put the whole value between straight quotes (`--` before the prompt takes all behind it literally)
        --completion-promise “ALL DONE” fix it · only a part of the value of `--completion-promise` is in quotes, before the prompt · put the whole value between straight quotes (`--` before the prompt takes all behind it literally)
        --completion-promise '' fix it · `--completion-promise` has no value, before the prompt · write one line that is not blank behind `--completion-promise` (`--` before the prompt takes all behind it literally)
        --force-max=yes fix it · `--force-max` is on or absent and takes no value, before the prompt · write `--force-max` alone (`--` before the prompt takes all behind it literally)
        --preset jugde fix it · `--preset` must be "auto" or "basic" or "judge" or "autonomous" or "parallel" or "ralph" or "autopilot" or "feedback", not `jugde`, before the prompt · did you mean `judge`? (`--` before the prompt takes all behind it literally)
        --mode autonomus fix it · `--mode` must be "auto" or "basic" or "judge" or "autonomous" or "parallel" or "ralph" or "autopilot" or "feedback", not `autonomus`, before the prompt · did you mean `autonomous`? (`--` before the prompt takes all behind it literally)
        --workers none fix it · `--workers` must be a whole number from 1 to 64, not `none`, before the prompt · `--` before the prompt takes all behind it literally
        --agent codex fix it · `--agent` cannot be used in a session: the session itself is the worker · leave it out, or use `gulf run --agent` in a terminal (`--` before the prompt takes all behind it literally)
        --research gat fix it · `--research` must be "gate" or "inline" or "off", not `gat`, before the prompt · did you mean `gate`? (`--` before the prompt takes all behind it literally)
        --max-duration 2 fix it · `--max-duration` must be a duration such as "90s" or "1h30m", or "off", not `2`, before the prompt · `--` before the prompt takes all behind it literally
        --max-cost much fix it · `--max-cost` must be money such as "$2.50", or "off", not `much`, before the prompt · `--` before the prompt takes all behind it literally
        --check ' ' fix it · `--check` has no value, before the prompt · write one line that is not blank behind `--check` (`--` before the prompt takes all behind it literally)
        --rubric 'a
        b' fix it · `--rubric` must be one line that is not blank, not `a b`, before the prompt · `--` before the prompt takes all behind it literally
        --accept-contract fix it · there is no flag `--accept-contract` · did you mean `--acceptance`? (`--` before the prompt takes all behind it literally)
        "#);
}

#[test]
fn what_could_be_a_flag_at_the_end_and_is_none_is_refused() {
    insta::assert_snapshot!(start_refusals([
        "fix it --max-iterations 0",
        "fix it --max-iterations ten",
        "fix it --max-iterations",
        "fix it --max-iterations --force-max",
        "fix it --max-iterations 3.",
        "fix it --max-iteration 3",
        "fix it --max-iteration=3",
        "fix it -max-iterations 3",
        "fix it —max-iterations 3",
        "fix it --force-mex",
        "fix it --max-iter 3",
        "fix it --hitl=3",
        "fix it --check \"cargo test",
        "say \"hello --check world\"",
        "fix it --mode paralell",
        "fix it -w 0",
        "fix it --model opus",
        "find out about mytool --help",
        "sort it with sort -n",
        "\"fix it\" --max-iters 3",
        "fix it --force-max=1",
    ]), @r#"
        fix it --max-iterations 0 · `--max-iterations` must be a whole number from 1 to 1000000, not `0`, at the end of the prompt · `--` before the prompt takes all behind it literally
        fix it --max-iterations ten · `--max-iterations` must be a whole number from 1 to 1000000, not `ten`, at the end of the prompt · `--` before the prompt takes all behind it literally
        fix it --max-iterations · `--max-iterations` has no value, at the end of the prompt · write a whole number from 1 to 1000000 behind `--max-iterations` (`--` before the prompt takes all behind it literally)
        fix it --max-iterations --force-max · `--max-iterations` has no value, at the end of the prompt · write a whole number from 1 to 1000000 behind `--max-iterations` (`--` before the prompt takes all behind it literally)
        fix it --max-iterations 3. · `--max-iterations` must be a whole number from 1 to 1000000, not `3.`, at the end of the prompt · `--` before the prompt takes all behind it literally
        fix it --max-iteration 3 · there is no flag `--max-iteration` · did you mean `--max-iterations`? (`--` before the prompt takes all behind it literally)
        fix it --max-iteration=3 · there is no flag `--max-iteration` · did you mean `--max-iterations`? (`--` before the prompt takes all behind it literally)
        fix it -max-iterations 3 · there is no flag `-max-iterations` · did you mean `--max-iterations`? (`--` before the prompt takes all behind it literally)
        fix it —max-iterations 3 · there is no flag `—max-iterations` · did you mean `--max-iterations`? (`--` before the prompt takes all behind it literally)
        fix it --force-mex · there is no flag `--force-mex` · did you mean `--force-max`? (`--` before the prompt takes all behind it literally)
        fix it --max-iter 3 · there is no flag `--max-iter` · did you mean `--max-iterations`? (`--` before the prompt takes all behind it literally)
        fix it --hitl=3 · there is no flag `--hitl` · did you mean `--hitl-threshold`? (`--` before the prompt takes all behind it literally)
        fix it --check "cargo test · the quote behind `--check` is not closed, at the end of the prompt · put the whole value between straight quotes (`--` before the prompt takes all behind it literally)
        say "hello --check world" · only a part of the value of `--check` is in quotes, at the end of the prompt · put the whole value between straight quotes (`--` before the prompt takes all behind it literally)
        fix it --mode paralell · `--mode` must be "auto" or "basic" or "judge" or "autonomous" or "parallel" or "ralph" or "autopilot" or "feedback", not `paralell`, at the end of the prompt · did you mean `parallel`? (`--` before the prompt takes all behind it literally)
        fix it -w 0 · `-w` must be a whole number from 1 to 64, not `0`, at the end of the prompt · `--` before the prompt takes all behind it literally
        fix it --model opus · `--model` cannot be used in a session: the session itself is the worker · leave it out, or use `gulf run --model` in a terminal (`--` before the prompt takes all behind it literally)
        find out about mytool --help · `--help` is a request for help · `/gulf-loop:help` shows it (`--` before the prompt takes all behind it literally)
        sort it with sort -n · `-n` has no value, at the end of the prompt · write a whole number from 1 to 1000000 behind `-n` (`--` before the prompt takes all behind it literally)
        "fix it" --max-iters 3 · there is no flag `--max-iters` · did you mean `--max-iterations`? (`--` before the prompt takes all behind it literally)
        fix it --force-max=1 · `--force-max` is on or absent and takes no value, at the end of the prompt · write `--force-max` alone (`--` before the prompt takes all behind it literally)
        "#);
}

#[test]
fn what_contradicts_itself_is_refused_and_who_says_nothing_means_the_projects_own_words() {
    insta::assert_snapshot!(refusals([
        "/gulf-loop:start -n 3 fix it -n 4",
        "/gulf-loop:start --research gate --no-research fix it",
        "/gulf-loop:start-with-judge --mode basic fix it",
        "/gulf-loop:start-autonomous --preset parallel fix it",
        "/gulf-loop:start --preset basic --with-judge fix it",
        "/gulf-loop:start -b one -b two fix it",
        "/gulf-loop:start -f PROMPT.md fix it",
    ]), @r#"
        /gulf-loop:start -n 3 fix it -n 4 · `-n 3` and `-n 4` contradict each other · keep one of them
        /gulf-loop:start --research gate --no-research fix it · the argument '--research <FORM>' cannot be used with '--no-research' · keep one of them
        /gulf-loop:start-with-judge --mode basic fix it · `start-with-judge` and `--mode basic` contradict each other · keep one of them
        /gulf-loop:start-autonomous --preset parallel fix it · `start-autonomous` and `--preset parallel` contradict each other · keep one of them
        /gulf-loop:start --preset basic --with-judge fix it · the settings cannot be used: --with-judge: `--with-judge` is for the preset judge, and the preset is basic (add `--preset judge`, or leave `--with-judge` out) · 
        /gulf-loop:start -b one -b two fix it · `-b one` and `-b two` contradict each other · keep one of them
        /gulf-loop:start -f PROMPT.md fix it · the goal is given twice: in `PROMPT.md` and as text · keep one of them
        "#);
    // Whether the project says it is for others to look up.
    for nothing in ["", " \n", "''", "-- "] {
        assert_eq!(parted(nothing), "| the project's own", "{nothing:?}");
    }
    assert_eq!(parted("-n 3"), "limits.max_iterations=3 | the project's own");
    assert_eq!(parted("-n 3 fix it -n 3 --replace --replace"), "limits.max_iterations=3 replace | fix it");
}

#[test]
fn a_resume_has_limits_and_a_loop_and_nothing_else() {
    let resume = "/gulf-loop:resume 2026-02 -n 80 --max-cost=20 --accept-contract";
    let SlashCommand::Resume(typed) = heard(resume) else { panic!("no resume: {resume}") };
    let words: ResumeArguments = arguments(&typed).unwrap();
    let settings = [(Key::LimitsMaxIterations, "80".to_owned()), (Key::LimitsMaxCost, "20".to_owned())];
    assert_eq!(words.limits.said, settings);
    assert_eq!((words.accept_contract, words.id.as_deref()), (true, Some("2026-02")));
    insta::assert_snapshot!(refusals([
        "/gulf-loop:resume --force-max",
        "/gulf-loop:resume --max-iteration 3",
        "/gulf-loop:resume -n 0",
        "/gulf-loop:resume -n",
        "/gulf-loop:resume and go on",
        "/gulf-loop:resume -n 3 -n 4",
    ]), @r#"
        /gulf-loop:resume --force-max · there is no flag `--force-max` · `/gulf-loop:help` lists all flags
        /gulf-loop:resume --max-iteration 3 · there is no flag `--max-iteration` · did you mean `--max-iterations`?
        /gulf-loop:resume -n 0 · `-n` must be a whole number from 1 to 1000000, not `0`, behind the command
        /gulf-loop:resume -n · `-n` has no value, behind the command · write a whole number from 1 to 1000000 behind `-n`
        /gulf-loop:resume and go on · `resume` does not know what to do with `go on` · write `/gulf-loop:resume` alone; for another loop: `gulf resume` in a terminal
        /gulf-loop:resume -n 3 -n 4 · `-n 3` and `-n 4` contradict each other · keep one of them
        "#);
}
