//! What people type into a session.

mod refused;
mod wrapped;

use std::collections::BTreeSet;

use gulf_spec::config::{self, Key, SettingLayers};
use gulf_spec::problem::{Mistake, Problem};
use gulf_spec::slash_commands::{AnswerWords, COMMANDS, CommandWords, FlagTakes, Flagged, SlashCommand};
use proptest::prelude::*;

use super::{OF_RUN, arguments, flags};
use crate::cli::{CleanArguments, StartArguments};
use crate::settings;

/// What was said with a start.
struct StartWords {
    settings: Vec<(Key, String)>,
    rubric: Option<String>,
    replace: bool,
    ignore_questions: bool,
    unverified: bool,
    goal: Goal,
    taken_from_end: Option<String>,
}

enum Goal {
    Text(String),
    File(String),
    Spec(String),
    Project,
}

/// What a session makes of a prompt.
fn spoken(prompt: &str) -> Option<Result<SlashCommand, Mistake>> {
    gulf_spec::slash_commands::spoken(prompt, &flags)
}

fn heard(prompt: &str) -> SlashCommand {
    spoken(prompt)
        .unwrap_or_else(|| panic!("no command: {prompt}"))
        .unwrap_or_else(|error| panic!("{error}: {prompt}"))
}

fn refused(prompt: &str) -> Mistake {
    spoken(prompt).unwrap_or_else(|| panic!("no command: {prompt}")).expect_err(prompt)
}

fn start(spoken: SlashCommand) -> StartWords {
    let SlashCommand::Start(typed) = spoken else { panic!("no start: {spoken:?}") };
    let StartArguments { prompt, terms } = arguments(&typed).unwrap();
    let goal = match (&terms.spec, &terms.file, prompt.join(" ")) {
        (Some(id), ..) => Goal::Spec(id.clone()),
        (None, Some(file), _) => Goal::File(file.to_string()),
        (None, None, text) if text.is_empty() => Goal::Project,
        (None, None, text) => Goal::Text(text),
    };
    let mut settings = settings::flags(&terms);
    settings.sort_by_key(|(key, _)| *key);
    StartWords {
        settings,
        rubric: terms.rubric.map(|rubric| rubric.to_string()),
        replace: terms.replace,
        ignore_questions: terms.ignore_questions,
        unverified: terms.unverified,
        goal,
        taken_from_end: typed.taken_from_end,
    }
}

fn started(words: &str) -> StartWords {
    start(heard(&format!("/gulf-loop:start {words}")))
}

/// The prompt of a start without any flag.
fn prose(words: &str) -> String {
    let StartWords { goal, settings, taken_from_end, .. } = started(words);
    assert_eq!((settings, taken_from_end), (Vec::new(), None), "{words}");
    text(goal)
}

fn text(goal: Goal) -> String {
    match goal {
        Goal::Text(text) => text,
        Goal::File(file) | Goal::Spec(file) => panic!("elsewhere: {file}"),
        Goal::Project => panic!("nothing was said"),
    }
}

/// Flags and prompt of a start, as `flag=value … | prompt`.
fn parted(words: &str) -> String {
    let start = started(words);
    let mut parts: Vec<_> = start
        .settings
        .iter()
        .map(|(key, value)| format!("{}={value}", key.row().path))
        .chain(start.rubric.map(|rubric| format!("rubric={rubric}")))
        .chain(start.replace.then(|| "replace".to_owned()))
        .chain(start.ignore_questions.then(|| "ignore".to_owned()))
        .chain(start.unverified.then(|| "unverified".to_owned()))
        .collect();
    parts.push(match start.goal {
        Goal::Text(text) => format!("| {text}"),
        Goal::File(file) => format!("| from {file}"),
        Goal::Spec(id) => format!("| spec {id}"),
        Goal::Project => "| the project's own".to_owned(),
    });
    parts.join(" ")
}

fn answer(question: Option<u32>, answer: &str) -> SlashCommand {
    SlashCommand::Answer(AnswerWords { question, answer: answer.to_owned() })
}

#[test]
fn a_prompt_that_does_not_begin_with_a_command_is_none() {
    for prompt in [
        "",
        "start",
        "fix the bug",
        "run /gulf-loop:start fix the bug",
        "/gulf-loop",
        "/gulf-loop start",
        "/gulf-loops:start x",
        "//gulf-loop:start x",
        "gulf-loop: what is it?",
        "gulf-loop:the plugin is broken",
        "gulf loop:start",
        "`/gulf-loop:start`",
    ] {
        assert_eq!(spoken(prompt), None, "{prompt}");
    }
}

#[test]
fn every_command_is_heard_behind_each_of_the_three_beginnings() {
    for beginning in ["/gulf-loop:", "$gulf-loop:", "gulf-loop:", " \n\t/gulf-loop:"] {
        for (command, expected) in [
            ("status", SlashCommand::Status),
            ("cancel \n", SlashCommand::Cancel),
            ("help", SlashCommand::Help),
            ("help start", SlashCommand::Help),
            ("status --help", SlashCommand::Help),
            ("cancel -h", SlashCommand::Help),
            ("align", SlashCommand::Align(None)),
            ("align  docs/RUBRIC v2.md ", SlashCommand::Align(Some("docs/RUBRIC v2.md".to_owned()))),
            ("align --help", SlashCommand::Help),
            ("resume", SlashCommand::Resume(CommandWords::default())),
            ("clean", SlashCommand::Clean(CommandWords::default())),
            ("answer use the old name", answer(None, "use the old name")),
            ("answer 2 use the old name", answer(Some(2), "use the old name")),
            ("answer 2", answer(None, "2")),
            ("answer", answer(None, "")),
            ("start --help", SlashCommand::Help),
            ("start -n 3 -h fix it", SlashCommand::Help),
            ("resume --help", SlashCommand::Help),
        ] {
            assert_eq!(heard(&format!("{beginning}{command}")), expected, "{beginning}{command}");
        }
        let started = start(heard(&format!("{beginning}start\nfix it")));
        assert_eq!(text(started.goal), "fix it");
    }
    for command in COMMANDS {
        let heard = spoken(&format!("/gulf-loop:{command} --help"));
        assert_eq!(heard, Some(Ok(SlashCommand::Help)), "{command}");
    }
}

#[test]
fn the_words_of_the_original_s_users_are_understood() {
    insta::assert_snapshot!([
        "\"Fix the bug\" --max-iterations 10",
        "Fix the bug --max-iterations 10",
        "--max-iterations 10 Fix the bug",
        "-n 10 -p DONE -m 3 Fix the bug --structured-memory --force-max",
        "Fix \"the\" bug --completion-promise \"ALL DONE\" --hitl-threshold=2",
        "'Fix the bug' -b trunk --with-judge",
        "--mode judge --milestone-every 0 Fix the bug",
    ].map(parted).join("\n"), @r#"
        limits.max_iterations=10 | Fix the bug
        limits.max_iterations=10 | Fix the bug
        limits.max_iterations=10 | Fix the bug
        completion_promise=DONE milestone_every=3 force_max=true structured_memory=true limits.max_iterations=10 | Fix the bug
        completion_promise=ALL DONE hitl_threshold=2 | Fix "the" bug
        preset=judge landing.base=trunk | Fix the bug
        preset=judge milestone_every=0 | Fix the bug
        "#);
}

#[test]
fn every_flag_of_a_run_that_means_something_in_a_session_is_known() {
    insta::assert_snapshot!(parted(
        "--preset judge --judge claude:opus --research gate --max-duration 2h --max-cost 2.50 --max-tokens 2M \
         --check 'cargo test' --check \"npm test\" --expect stay-green --baseline --verify-from-clean \
         --rubric docs/RUBRIC.md --base-branch main --replace --ignore-questions --unverified \
         --completion-promise=\"I'm done\" --hitl-threshold 3 --structured-memory --force-max -n12 do it"
    ), @"preset=judge completion_promise=I'm done force_max=true research=gate hitl_threshold=3 structured_memory=true expect=stay-green judge.tool=claude:opus limits.max_iterations=12 limits.max_duration=2h limits.max_cost=2.50 limits.max_tokens=2M landing.base=main verify.from_clean=true verify.baseline=true check.command=cargo test check.command=npm test rubric=docs/RUBRIC.md replace ignore unverified | do it");
    assert_eq!(parted("--no-research -f PROMPT.md"), "research=off | from PROMPT.md");
    assert_eq!(parted("--file 'my prompt.md' --"), "| from my prompt.md");
    assert_eq!(parted("--preset feedback --spec LOGIN-001"), "preset=feedback | spec LOGIN-001");
    for flag in Key::rows().iter().filter_map(|row| row.flag) {
        let known = spoken(&format!("/gulf-loop:start {flag} x y"));
        let told = format!("{known:?}");
        assert!(!told.contains("Unknown"), "{flag}: {told}");
    }
}

#[test]
fn what_flags_say_can_be_loaded_as_settings() {
    let StartWords { settings, .. } = started("-n 7 --with-judge --check 'cargo test' --max-cost 5 do it");
    let config = config::load(&SettingLayers { flags: settings, ..SettingLayers::default() }).unwrap();
    assert_eq!((config.count(Key::LimitsMaxIterations), config.preset), (7, config::Preset::Judge));
    assert_eq!(config.checks[0].command, "cargo test");
}

#[test]
fn a_start_on_a_branch_has_the_flags_of_branches() {
    insta::assert_snapshot!(parted(
        "--preset parallel -w3 --select first --strategy one.md --push --with-judge -b trunk fix it --strategy 'a b.md'"
    ), @"preset=parallel with_judge=true landing.base=trunk landing.push=true parallel.workers=3 parallel.select=first parallel.strategies=one.md,a b.md | fix it");
    insta::assert_snapshot!(parted("--mode autonomous --in-place fix it"), @"preset=autonomous landing.in_place=true | fix it");
    let said = start(heard("/gulf-loop:start-parallel -w 3 fix it")).settings;
    let config = config::load(&SettingLayers { flags: said, ..SettingLayers::default() }).unwrap();
    assert_eq!((config.preset, config.count(Key::ParallelWorkers)), (config::Preset::Parallel, 3));
    assert_eq!((config.count(Key::LimitsMaxIterations), config.count(Key::HitlThreshold)), (200, 10));
    let said = start(heard("/gulf-loop:start-parallel fix it")).settings;
    let config = config::load(&SettingLayers { flags: said, ..SettingLayers::default() }).unwrap();
    assert_eq!(
        (config.count(Key::ParallelWorkers), config.choice(Key::ParallelSelect)),
        (2, config::GroupSelection::All)
    );
    let said = start(heard("/gulf-loop:start-autonomous -n 7 fix it -t 3")).settings;
    let config = config::load(&SettingLayers { flags: said, ..SettingLayers::default() }).unwrap();
    assert_eq!((config.count(Key::LimitsMaxIterations), config.count(Key::HitlThreshold)), (7, 3));
    for words in ["start-autonomous -w 3 fix it", "start -w 3 fix it", "start-with-judge --push fix it"] {
        let said = start(heard(&format!("/gulf-loop:{words}"))).settings;
        assert!(config::load(&SettingLayers { flags: said, ..SettingLayers::default() }).is_err(), "{words}");
    }
}

#[test]
fn a_start_with_a_preset_says_it() {
    let settings = |prompt: &str| start(heard(prompt)).settings;
    let judge = vec![(Key::Preset, "judge".to_owned())];
    for preset in ["autonomous", "parallel"] {
        let said = vec![(Key::Preset, preset.to_owned())];
        assert_eq!(settings(&format!("/gulf-loop:start-{preset} do it")), said);
        assert_eq!(settings(&format!("/gulf-loop:start --mode {preset} do it")), said);
        let judged = [said, vec![(Key::JudgeRequired, "true".to_owned())]].concat();
        assert_eq!(settings(&format!("/gulf-loop:start-{preset} --with-judge do it")), judged);
    }
    assert_eq!(settings("/gulf-loop:start-with-judge do it"), judge);
    let twice = settings("/gulf-loop:start-with-judge do it --with-judge --mode judge");
    assert_eq!(twice, [judge, vec![(Key::JudgeRequired, "true".to_owned())]].concat());
    assert_eq!(settings("/gulf-loop:start do it"), []);
}

#[test]
fn flags_in_prose_stay_prose() {
    for words in [
        "add a --json flag",
        "add --json and --yaml",
        "document --max-iterations and what it means",
        "make --force-max the default for everyone",
        "the flag --max-iterations 3 is ignored, fix that",
        "fix (--force-max)",
        "fix `grep -n foo`",
        "call `mytool --check`.",
        "find out why `mytool --check` fails",
        "find out what it says:\n```\nmytool --max-iterations 3\n```",
        "run `mytool --force-max`",
        "- first\n- second\n- third",
        "-5 degrees must not crash",
        "--- a/file\n+++ b/file",
        "-> becomes →",
        "fix --frobnicate",
        "sort with -k 2",
        "compile with -march=native",
        "— a dash, and — another",
        "a — b",
        "use mode --nodes work",
    ] {
        assert_eq!(prose(words), words);
    }
}

#[test]
fn only_what_is_flags_up_to_the_very_end_is_taken() {
    let check = |words: &str, prompt: &str, taken: &str| {
        let start = started(words);
        assert_eq!(start.taken_from_end.as_deref(), Some(taken), "{words}");
        assert_eq!(text(start.goal), prompt, "{words}");
    };
    check("fix it --force-max", "fix it", "--force-max");
    check("fix it\n--force-max\n", "fix it", "--force-max");
    check("fix it  \n -n  3\t--replace  ", "fix it", "-n  3\t--replace");
    check("-n 3 or not -n 3", "or not", "-n 3");
    check("--replace says --force-max and -n 4 or -n 5", "says --force-max and -n 4 or", "-n 5");
    check("add --bogus --force-max", "add --bogus", "--force-max");
    check("it's done --check \"echo 'a b'\"", "it's done", "--check \"echo 'a b'\"");
    check("fix it --check \"mytool --force-max\"", "fix it", "--check \"mytool --force-max\"");
    check("fix it --check \"a --check b\" -n 2", "fix it", "--check \"a --check b\" -n 2");
    check(
        "fix it --check='a b' --check=\"c \\\"d\\\" \\\\e\"",
        "fix it",
        "--check='a b' --check=\"c \\\"d\\\" \\\\e\"",
    );
    check("고쳐 줘 --completion-promise \"모두 끝\"", "고쳐 줘", "--completion-promise \"모두 끝\"");
    check("the ` is lost --force-max", "the ` is lost", "--force-max");
    check("fix `x` --check \"echo `id`\"", "fix `x`", "--check \"echo `id`\"");
    check("\"fix it\" --force-max", "fix it", "--force-max");
}

#[test]
fn values_are_unquoted_as_a_shell_would_and_never_expanded() {
    let promise = |words: &str| {
        let settings = started(&format!("{words} do it")).settings;
        settings.into_iter().find(|(key, _)| *key == Key::CompletionPromise).map(|(_, value)| value).unwrap()
    };
    for (words, value) in [
        ("-p \"a \\\"b\\\" \\\\c \\d\"", "a \"b\" \\c \\d"),
        ("-p 'a \\\"b\\\" \\\\'", "a \\\"b\\\" \\\\"),
        ("-p '$(touch x) $HOME `id` *'", "$(touch x) $HOME `id` *"),
        ("-p $(id)", "$(id)"),
        ("-p=끝", "끝"),
        ("--completion-promise='a=b'", "a=b"),
        ("--completion-promise a=b", "a=b"),
        ("-p\n-", "-"),
        ("-p '--force-max'", "--force-max"),
    ] {
        assert_eq!(promise(words), value, "{words}");
    }
}

#[test]
fn a_prompt_that_is_one_quoted_text_loses_its_quotes_and_no_other_does() {
    for (words, prompt) in [
        ("\"Fix the bug\"", "Fix the bug"),
        ("'Fix the bug'", "Fix the bug"),
        ("  \"Fix\nthe bug \" ", "Fix\nthe bug "),
        ("\"say \\\"hi\\\" to C:\\\\x\\n\"", "say \"hi\" to C:\\x\\n"),
        ("'a \"b\" \\\"'", "a \"b\" \\\""),
        ("\"fix --max-iterations 3\"", "fix --max-iterations 3"),
        ("\"fix --max-iteration 3\"", "fix --max-iteration 3"),
        ("\"a\" and \"b\"", "\"a\" and \"b\""),
        ("'til it works, don't stop", "'til it works, don't stop"),
        ("'don't'", "'don't'"),
        ("\"open", "\"open"),
        ("“Fix”", "“Fix”"),
        ("\"a\"b", "\"a\"b"),
    ] {
        assert_eq!(prose(words), prompt, "{words}");
    }
}

#[test]
fn everything_behind_two_dashes_is_the_prompt() {
    for (words, prompt) in [
        ("-- fix --max-iterations 3", "fix --max-iterations 3"),
        ("-- --help", "--help"),
        ("-- -- x", "-- x"),
        ("--\nfix it\n", "fix it\n"),
        ("--\r\n  fix it  ", "  fix it  "),
        ("--  \"quoted\"", " \"quoted\""),
    ] {
        assert_eq!(prose(words), prompt, "{words}");
    }
    assert_eq!(parted("--force-max -- fix --replace"), "force_max=true | fix --replace");
}

#[test]
fn a_prompt_of_200_kilobytes_is_read_in_no_time_whatever_is_in_it() {
    for piece in [
        "가 ", "-n ", "--check \"x ", "--check '", "--max-iteration ", "-p \"\\\" ", "— ", "--check a ",
        "\" ",
    ] {
        let prompt = format!("/gulf-loop:start fix {}", piece.repeat(200_000 / piece.len()));
        assert!(spoken(&prompt).is_some(), "{piece}");
    }
    let long = "x".repeat(200_000);
    for prompt in [long.clone(), format!("\"{long}\""), format!("fix --{long}"), format!("fix -p {long}")] {
        assert!(spoken(&format!("/gulf-loop:start {prompt}")).is_some_and(|heard| heard.is_ok()));
    }
    for prompt in [format!("start --{long} fix"), long.clone(), format!("cancel {long}")] {
        let error = refused(&format!("/gulf-loop:{prompt}")).to_string();
        assert!(error.chars().count() < 150, "{error}");
    }
}

proptest! {
    #[test]
    fn any_prompt_arrives_byte_for_byte_behind_two_dashes(prompt in "(\\PC|\\n|\\r|\\t|--force-max|-n 3| |\"|'){0,40}") {
        prop_assume!(!prompt.trim().is_empty());
        let start = started(&format!("-n 3 -- {prompt}"));
        prop_assert_eq!(start.settings, [(Key::LimitsMaxIterations, "3".to_owned())]);
        prop_assert_eq!(text(start.goal), prompt);
    }

    #[test]
    fn any_prose_arrives_but_for_the_blanks_around_it(prompt in "[ \n]?[^-–—\"'\\s]([^-–—]|-- |-[0-9]| - ){0,60}") {
        prop_assert_eq!(prose(&prompt), prompt.trim());
        let start = started(&format!("{prompt} --force-max -p \"x y\""));
        prop_assert_eq!(start.settings.len(), 2);
        prop_assert_eq!(text(start.goal), prompt.trim());
    }

    #[test]
    fn any_value_in_quotes_arrives(value in "[^\\n\\r]{1,30}") {
        prop_assume!(!value.trim().is_empty());
        let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
        for words in [format!("-p \"{quoted}\" do it"), format!("do it --completion-promise=\"{quoted}\"")] {
            let start = started(&words);
            prop_assert_eq!(start.settings, [(Key::CompletionPromise, value.clone())]);
            prop_assert_eq!(text(start.goal), "do it");
        }
    }

    #[test]
    fn nothing_that_is_typed_makes_it_panic(
        words in proptest::collection::vec("(start|resume|status|-[a-z]|--[a-z-]{1,12}|--|=|\"|'|\\\\|[0-9]| |\\n|\\PC){0,12}", 0..8),
    ) {
        let prompt = format!("/gulf-loop:{}", words.join(" "));
        if let Some(Err(error)) = spoken(&prompt) {
            prop_assert!(!error.to_string().is_empty() && error.hint() != Some(String::new()), "{}", error);
        }
    }
}

// proves: A9
#[test]
fn clean_shows_unless_it_is_told_to_remove_and_contradicts_nobody_in_silence() {
    let clean = |prompt: &str| {
        let SlashCommand::Clean(typed) = heard(prompt) else { panic!("no clean: {prompt}") };
        let CleanArguments { yes, forgotten, .. } = arguments(&typed).unwrap();
        (yes, forgotten)
    };
    assert_eq!(clean("/gulf-loop:clean --dry-run"), (false, false));
    assert_eq!(clean("$gulf-loop:clean  --forgotten --yes"), (true, true));
    assert_eq!(heard("/gulf-loop:clean --yes --help"), SlashCommand::Help);
    let SlashCommand::Clean(both) = heard("/gulf-loop:clean --yes --dry-run") else { panic!("no clean") };
    let both = arguments::<CleanArguments>(&both).unwrap_err().in_one_line();
    assert_eq!(both, "the argument '--yes' cannot be used with '--dry-run'");
    let hint = refused("/gulf-loop:clean 2026-02-13T1430_login").hint().unwrap();
    assert!(hint.contains("--yes"), "{hint}");
}

#[test]
fn a_start_has_the_same_flags_in_a_session_and_in_a_terminal() {
    for flag in flags(Flagged::Start).iter().filter(|flag| flag.names[0] != "--help") {
        let value = if flag.takes == FlagTakes::Nothing { "" } else { " 'a b'" };
        for name in flag.names.iter().chain(&flag.short) {
            let typed = spoken(&format!("/gulf-loop:start {name}{value} -- do it")).unwrap();
            let typed = typed.err().map(|mistake| mistake.to_string()).unwrap_or_default();
            let is_refused = typed.contains("cannot be used in a session");
            assert!(
                !typed.contains("there is no flag") && !typed.contains("takes no value"),
                "{name}: {typed}"
            );
            assert_eq!(is_refused, OF_RUN.contains(&&flag.names[0][2..]), "{name}: {typed}");
        }
    }
    let names: Vec<_> = flags(Flagged::Start).into_iter().flat_map(|flag| flag.names).collect();
    for name in OF_RUN {
        assert!(names.contains(&format!("--{name}")), "{name} is no flag");
    }
    assert!(!names.contains(&"--yes".to_owned()), "what a person types in a session needs no second yes");
}

#[test]
fn a_resume_in_a_session_has_the_limits_of_one_in_a_terminal() {
    let flags = flags(Flagged::Resume).into_iter().filter(|flag| flag.takes != FlagTakes::OnlyRun);
    let names: BTreeSet<_> = flags.flat_map(|flag| flag.names).collect();
    let limits = ["accept-contract", "help", "max-cost", "max-duration", "max-iterations", "max-tokens"];
    assert_eq!(names, BTreeSet::from(limits.map(|name| format!("--{name}"))));
}

#[test]
fn the_help_of_a_session_names_flags_that_there_are() {
    let help = include_str!("../help.txt");
    let flags = flags(Flagged::Start);
    let is_there = |word: &str| {
        flags.iter().flat_map(|flag| flag.names.iter().chain(&flag.short)).any(|name| name == word)
    };
    let own = help.lines().filter(|line| !line.contains("gulf --help"));
    let words = own.flat_map(str::split_whitespace).filter(|word| word.starts_with('-'));
    let missing: Vec<&str> = words.filter(|word| !is_there(word)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn a_check_that_is_still_to_be_written_is_named_in_a_session_too() {
    let settings = started("--new-check 'cargo test --test new' do it").settings;
    assert_eq!(settings, [(Key::CheckNew, "cargo test --test new".to_owned())]);
}
