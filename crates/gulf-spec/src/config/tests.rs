//! What people write into `gulf.toml`, right and wrong.

mod agents;
mod checkouts;
mod levels;
mod table;

use std::time::Duration;

use proptest::prelude::*;

use gulf_engine::{CoverageNeed, Expectation, JudgeWhen, Research, Standstill, TaskLimit};

use super::{
    AgentTool, Config, ConfigError, GroupSelection, Isolation, Key, Preset, SettingLayer, SettingLayers,
    Shape, UiLanguage, VerdictForm, load, reference, template,
};
use crate::problem::tests::rendered;
use crate::text::Source;

fn project(text: &str) -> SettingLayers {
    SettingLayers { project: Some(Source::new("gulf.toml", text)), ..SettingLayers::default() }
}

fn read(text: &str) -> Config {
    load(&project(text)).unwrap()
}

fn refused(layers: &SettingLayers) -> ConfigError {
    load(layers).unwrap_err()
}

/// Every problem of a project's file as a person sees it.
fn page(text: &str) -> String {
    refused(&project(text)).iter().map(|problem| rendered(problem)).collect::<Vec<_>>().join("\n")
}

fn lines_of(layers: &SettingLayers) -> String {
    refused(layers).to_string()
}

const FULL: &str = r#"# a project
preset = "basic"
agent.tool = "command:./worker.sh --fast"
agent.timeout = "45m"
completion_promise = "DONE"
research = "gate"
expect = "stay-green"

[limits]
max_iterations = 12
max_duration = "1h30m"

[[check]]
name = "test"
command = "cargo test"
timeout = "5m"
cwd = "core"
env = { RUST_LOG = "debug" }

[[check]]
command = "cargo fmt --check"

[environment]
copy_limit = "512MiB"

[verify]
in_place = ["test"]
"#;

#[test]
fn nothing_said_gives_the_defaults_and_no_agent() {
    let config = load(&SettingLayers::default()).unwrap();
    assert_eq!(config.preset, Preset::Auto);
    assert_eq!(
        (config.text(Key::AgentContext), config.basis_points(Key::AgentContextShare)),
        ("auto", 5_000)
    );
    assert!(config.switch(Key::AgentFollowUp));
    assert_eq!((config.money(Key::LimitsMaxCost), config.tokens(Key::LimitsMaxTokens)), (None, None));
    assert_eq!((&config.judge, config.choice(Key::JudgeWhen)), (&None, JudgeWhen::OnClaim));
    assert_eq!(config.agent, None);
    let iterations = config.positive(Key::LimitsMaxIterations).get();
    assert_eq!((iterations, config.milliseconds(Key::LimitsMaxDuration)), (50, None));
    assert_eq!(
        (config.text(Key::CompletionPromise), config.choice(Key::Research)),
        ("COMPLETE", Research::Inline)
    );
    assert_eq!((config.count(Key::HitlThreshold), config.count(Key::LimitsMaxFailures)), (5, 10));
    assert_eq!((config.unless_off(Key::MilestoneEvery), config.switch(Key::ForceMax)), (None, false));
    assert_eq!(config.size(Key::EnvironmentCopyLimit), 1 << 30);
    assert_eq!(config.optional_text(Key::EnvironmentSetup), None);
    assert_eq!(config.ports(Key::EnvironmentPortRange).to_string(), "20000-24999");
    assert!(config.checks.is_empty());
}

#[test]
fn a_full_file_is_read_with_every_value_typed() {
    let config = read(FULL);
    assert_eq!(config.agent, Some(AgentTool::Command("./worker.sh --fast".to_owned())));
    assert_eq!(config.duration(Key::AgentTimeout), Some(Duration::from_secs(45 * 60)));
    assert_eq!(config.duration(Key::LimitsMaxDuration), Some(Duration::from_secs(5_400)));
    assert_eq!(
        (config.count(Key::LimitsMaxIterations), config.choice(Key::Expect)),
        (12, Expectation::StayGreen)
    );
    assert_eq!(config.list(Key::VerifyInPlace), ["test"]);
    let [test, format] = &config.checks[..] else { panic!("{:?}", config.checks) };
    assert_eq!(
        (test.name.as_str(), test.cwd.as_str(), test.env["RUST_LOG"].as_str()),
        ("test", "core", "debug")
    );
    assert_eq!(test.timeout, Duration::from_secs(300));
    assert_eq!((format.name.as_str(), format.timeout), ("cargo fmt --check", Duration::from_secs(600)));
    assert_eq!(format.origin.to_string(), "gulf.toml:21:11");
}

type Asking = fn(&Config, Key);

/// The keys whose words are a type's names, read as whoever asks for them does.
const CHOICES: [(Key, Asking); 11] = [
    (Key::Research, |config, key| _ = config.choice::<Research>(key)),
    (Key::Expect, |config, key| _ = config.choice::<Expectation>(key)),
    (Key::AgentSandbox, |config, key| _ = config.choice::<Isolation>(key)),
    (Key::VerifyIsolation, |config, key| _ = config.choice::<Isolation>(key)),
    (Key::JudgeWhen, |config, key| _ = config.choice::<JudgeWhen>(key)),
    (Key::JudgeProtocol, |config, key| _ = config.choice::<VerdictForm>(key)),
    (Key::StuckThen, |config, key| _ = config.choice::<Standstill>(key)),
    (Key::ParallelSelect, |config, key| _ = config.choice::<GroupSelection>(key)),
    (Key::FeedbackCoverage, |config, key| _ = config.choice::<CoverageNeed>(key)),
    (Key::TasksOnLimit, |config, key| _ = config.choice::<TaskLimit>(key)),
    (Key::UiLanguage, |config, key| _ = config.choice::<UiLanguage>(key)),
];

#[test]
fn each_word_of_a_choice_is_understood() {
    for row in Key::rows() {
        let Shape::Choice(words) = row.shape else { continue };
        for word in words {
            let check = if row.path.starts_with("check.") { "[[check]]\ncommand = \"true\"\n" } else { "" };
            let (table, name) = row.path.split_once('.').unwrap_or(("", row.path));
            let table =
                if table.is_empty() || !check.is_empty() { String::new() } else { format!("[{table}]\n") };
            let critic = if row.path == "steps.critic" { "plan = \"first\"\n" } else { "" };
            let config = read(&format!("{check}{table}{critic}{name} = \"{word}\"\n"));
            CHOICES.iter().filter(|(key, _)| *key == row.key).for_each(|(key, read)| read(&config, *key));
        }
    }
    let measures =
        |word| read(&format!("[[check]]\ncommand = \"true\"\nmeasures = \"{word}\"\n")).checks[0].measures;
    assert_eq!(measures("auto"), None);
    assert!(["tests", "lint", "build", "coverage"].iter().all(|word| measures(word).is_some()));
}

#[test]
fn money_and_tokens_are_limits_and_nothing_is_no_limit() {
    let config = read("[limits]\nmax_cost = 2.5\nmax_tokens = \"500k\"\nassumed_cost = \"$0.10\"\n");
    assert_eq!(config.money(Key::LimitsMaxCost), Some(2_500_000));
    assert_eq!(config.tokens(Key::LimitsMaxTokens), Some(500_000));
    assert_eq!(config.money(Key::LimitsAssumedCost), Some(100_000));
    assert_eq!(read("[limits]\nmax_cost = \"off\"\n").money(Key::LimitsMaxCost), None);
    for wrong in ["0", "$0.00", "-1", "1.2.3", "5 EUR", "0.1234567", "9999999999"] {
        let layers =
            SettingLayers { flags: vec![(Key::LimitsMaxCost, wrong.to_owned())], ..SettingLayers::default() };
        assert!(load(&layers).is_err(), "{wrong}");
    }
}

#[test]
fn a_byte_order_mark_and_carriage_returns_change_nothing() {
    let windows = format!("\u{feff}{}", FULL.replace('\n', "\r\n"));
    let values = |config: &Config| {
        config
            .explain()
            .iter()
            .map(|line| (line.path.clone(), line.value.clone(), line.origin.to_string()))
            .collect::<Vec<_>>()
    };
    assert_eq!(values(&read(&windows)), values(&read(FULL)));
}

#[test]
fn each_layer_outranks_the_one_before_it_and_the_origin_is_told() {
    let mut layers = SettingLayers {
        user: Some(Source::new("/home/me/.config/gulf/gulf.toml", "[limits]\nmax_iterations = 1\n")),
        ..SettingLayers::default()
    };
    let seen = |layers: &SettingLayers| {
        let config = load(layers).unwrap();
        let origin = config.origin(Key::LimitsMaxIterations).unwrap().clone();
        (config.count(Key::LimitsMaxIterations), origin.layer, origin.to_string())
    };
    assert_eq!(seen(&SettingLayers::default()), (50, SettingLayer::Default, "default".to_owned()));
    assert_eq!(seen(&layers), (1, SettingLayer::User, "/home/me/.config/gulf/gulf.toml:2:18".to_owned()));
    layers.project = project("limits.max_iterations = 2").project;
    assert_eq!(seen(&layers), (2, SettingLayer::Project, "gulf.toml:1:25".to_owned()));
    layers.environment.push(("GULF_MAX_ITERATIONS".to_owned(), "3".to_owned()));
    assert_eq!(seen(&layers), (3, SettingLayer::Environment, "GULF_MAX_ITERATIONS".to_owned()));
    layers.flags.push((Key::LimitsMaxIterations, "4".to_owned()));
    assert_eq!(seen(&layers), (4, SettingLayer::Flag, "--max-iterations".to_owned()));
}

#[test]
fn an_overridden_value_need_not_be_available() {
    let mut layers = project("agent = \"claude\"\npreset = \"judge\"\n");
    layers.flags = vec![(Key::AgentTool, "command:true".to_owned()), (Key::Preset, "basic".to_owned())];
    assert_eq!(load(&layers).unwrap().agent, Some(AgentTool::Command("true".to_owned())));
}

#[test]
fn checks_of_flags_are_added_and_a_repeated_one_counts_once() {
    let mut layers = project("[[check]]\nname = \"test\"\ncommand = \"npm test\"\n");
    layers.flags = ["npm test", "npm run lint", "npm run lint"]
        .map(|text| (Key::CheckCommand, text.to_owned()))
        .to_vec();
    let config = load(&layers).unwrap();
    let names: Vec<_> = config.checks.iter().map(|check| check.name.as_str()).collect();
    assert_eq!(names, ["test", "npm run lint"]);
    assert_eq!(config.checks[1].origin.to_string(), "--check");
}

#[test]
fn a_command_that_the_worker_sees_is_not_held_out_as_well() {
    for flags in [[Key::CheckCommand, Key::CheckHidden], [Key::CheckHidden, Key::CheckCommand]] {
        let mut layers = project("");
        layers.flags = flags.map(|key| (key, "npm test".to_owned())).to_vec();
        let told: Vec<String> = refused(&layers).iter().map(ToString::to_string).collect();
        assert_eq!(told, ["`npm test` is to be held out, and is a check that the worker sees"]);
    }
}

#[test]
fn the_projects_checks_replace_the_users() {
    let mut layers = project("[[check]]\ncommand = \"project\"\n");
    layers.user = Some(Source::new("user.toml", "[[check]]\ncommand = \"user\"\n"));
    let config = load(&layers).unwrap();
    assert_eq!(config.checks.iter().map(|check| check.command.as_str()).collect::<Vec<_>>(), ["project"]);
}

#[test]
fn an_unknown_key_is_pointed_at_and_a_near_one_is_suggested() {
    insta::assert_snapshot!(page("[agent]\ntimout = \"5m\"\n"), @r#"
         x unknown key `agent.timout`
          ,-[gulf.toml:2:1]
        1 | [agent]
        2 | timout = "5m"
          : ^^^^^^
          `----
         help: did you mean `agent.timeout`?
        "#);
}

#[test]
fn a_key_in_the_wrong_table_is_suggested_with_its_table() {
    insta::assert_snapshot!(lines_and_hints("max_iterations = 3\n[limit]\nmax_duration = \"1h\"\n"), @r#"
        gulf.toml:1:1: unknown key `max_iterations` · did you mean `limits.max_iterations`?
        gulf.toml:2:2: unknown key `limit` · did you mean `limits`?
        "#);
}

#[test]
fn several_problems_are_reported_at_once_in_the_order_of_the_text() {
    insta::assert_snapshot!(
        lines_and_hints(
            r#"research = "gates"
force_max = "yes"
hitl_threshold = 2.5
limits.max_iterations = 0
limits.max_duration = "soon"
milestone_every = -1
zebra = 1
stuck = 3
verify.in_place = [1]
environment.copy_limit = "1 gigabyte"
agent.timeout = "0s"
completion_promise = "  "
check = "cargo test"
"#
        ),
        @r#"
        gulf.toml:1:12: `research` must be "gate" or "inline" or "off", not `gates` · did you mean `gate`?
        gulf.toml:2:13: `force_max` must be true or false, not a text
        gulf.toml:3:18: `hitl_threshold` must be a whole number from 1 to 1000000, not a decimal number
        gulf.toml:4:25: `limits.max_iterations` must be a whole number from 1 to 1000000, not `0`
        gulf.toml:5:23: cannot read `limits.max_duration`: a number is missing in `soon` · write a duration such as "90s" or "1h30m", or "off"
        gulf.toml:6:19: `milestone_every` must be a whole number from 0 to 1000000, not `-1`
        gulf.toml:7:1: unknown key `zebra` · `gulf config explain` lists all
        gulf.toml:8:9: `stuck` must be a table: `[stuck]`, not a number
        gulf.toml:9:19: `verify.in_place` must be a list of texts, not a number
        gulf.toml:10:26: cannot read `environment.copy_limit`: the unit `gigabyte` is unknown in `1 gigabyte` · write a size such as "512MiB" or "1GiB"
        gulf.toml:11:17: `agent.timeout` must be a duration such as "90s" or "1h30m", not `0s`
        gulf.toml:12:22: `completion_promise` must be one line that is not blank, not `  `
        gulf.toml:13:9: `check` must be a list of tables: `[[check]]`, not a text
        "#
    );
}

#[test]
fn what_is_wrong_in_a_check_is_pointed_at() {
    insta::assert_snapshot!(
        lines_and_hints(
            r#"[[check]]
name = "nameless"
[[check]]
command = "a"
comand = "b"
cwd = "../elsewhere"
env = { A = 1 }
[[check]]
command = "b"
timeout = 30
[[check]]
command = "b"
"#
        ),
        @r#"
        gulf.toml:1:1: a check without a command · add `command = "…"`
        gulf.toml:5:1: unknown key `check.comand` · did you mean `check.command`?
        gulf.toml:6:7: `check.cwd` leaves the project: `../elsewhere` · write a folder of the project, such as "web"
        gulf.toml:7:13: `check.env.A` must be a text, not a number
        gulf.toml:10:11: `check.timeout` must be a duration such as "90s" or "1h30m", not a number
        gulf.toml:12:11: two checks are called `b` · the first stands at gulf.toml:9:11; give one of them another `name`
        "#
    );
}

#[test]
fn two_checks_of_one_name_are_refused_naming_the_first() {
    insta::assert_snapshot!(page("[[check]]\ncommand = \"a\"\n[[check]]\nname = \"a\"\ncommand = \"b\"\n"), @r#"
         x two checks are called `a`
          ,-[gulf.toml:5:11]
        4 | name = "a"
        5 | command = "b"
          :           ^^^
          `----
         help: the first stands at gulf.toml:2:11; give one of them another `name`
        "#);
}

#[test]
fn what_is_no_toml_is_refused_at_its_place() {
    insta::assert_snapshot!(page("preset = basic\nagent = \"command:true\n"), @r#"
         x cannot read this as TOML: string values must be quoted, expected literal
         | string
          ,-[gulf.toml:1:10]
        1 | preset = basic
          :          ^^^^^
        2 | agent = "command:true
          `----
         x cannot read this as TOML: invalid basic string, expected `"`
          ,-[gulf.toml:2:22]
        1 | preset = basic
        2 | agent = "command:true
          :                      ^
          `----
        "#);
}

#[test]
fn a_duplicate_key_is_refused() {
    insta::assert_snapshot!(page("preset = \"basic\"\npreset = \"basic\"\n"), @r#"
         x cannot read this as TOML: duplicate key
          ,-[gulf.toml:2:1]
        1 | preset = "basic"
        2 | preset = "basic"
          : ^^^^^^
          `----
        "#);
}

#[test]
fn an_agent_or_preset_that_is_not_known_is_named_with_those_that_are() {
    insta::assert_snapshot!(page("agent = \"cursor\"\npreset = \"swarm\"\n"), @r#"
         x unknown agent `cursor`
          ,-[gulf.toml:1:9]
        1 | agent = "cursor"
          :         ^^^^^^^^
        2 | preset = "swarm"
          `----
         help: available: `claude`, `codex`, `copilot`, `opencode`, `gemini`, each
               also with a model as in `claude:MODEL`, or `command:` and any program
         x unknown preset `swarm`
          ,-[gulf.toml:2:10]
        1 | agent = "cursor"
        2 | preset = "swarm"
          :          ^^^^^^^
          `----
         help: available: auto, basic, judge, autonomous, parallel, tasks, feedback,
               ralph, autopilot
        "#);
}

#[test]
fn a_wrong_variable_or_flag_is_named_by_its_own_name() {
    let layers = SettingLayers {
        environment: vec![
            ("GULF_RESERCH".to_owned(), "off".to_owned()),
            ("GULF_EXPECT".to_owned(), "green".to_owned()),
            ("GULF_NONSENSE".to_owned(), "1".to_owned()),
            ("GULF_HOME".to_owned(), "/anywhere".to_owned()),
            ("GULF_TEST_ANYTHING".to_owned(), "1".to_owned()),
        ],
        flags: vec![(Key::LimitsMaxDuration, "5".to_owned()), (Key::CheckCommand, " ".to_owned())],
        ..SettingLayers::default()
    };
    let hint = |name: &str| {
        let problems = refused(&layers);
        let found = problems.iter().find(|problem| problem.place() == name).unwrap();
        miette::Diagnostic::help(found).map(|hint| hint.to_string())
    };
    assert_eq!(hint("GULF_RESERCH").as_deref(), Some("did you mean `GULF_RESEARCH`?"));
    assert!(hint("GULF_NONSENSE").unwrap().starts_with("`gulf config explain` lists the settings"));
    insta::assert_snapshot!(lines_of(&layers), @r#"
        --check: `check.command` must be one line that is not blank, not ` `
        --max-duration: cannot read `limits.max_duration`: a unit is missing in `5`
        GULF_EXPECT: `expect` must be "auto" or "stay-green", not `green`
        GULF_NONSENSE: unknown variable `GULF_NONSENSE`
        GULF_RESERCH: unknown variable `GULF_RESERCH`
        "#);
}

#[test]
fn a_variable_that_is_set_to_nothing_is_not_set() {
    let mut layers = project("agent = \"command:true\"");
    layers.environment = vec![("GULF_AGENT".to_owned(), String::new())];
    assert_eq!(load(&layers).unwrap().agent, Some(AgentTool::Command("true".to_owned())));
}

#[test]
fn of_very_many_problems_the_first_are_named_and_the_rest_counted() {
    let text: String = (0..1_000).map(|number| format!("zebra{number:04} = 1\n")).collect();
    let problems = refused(&project(&text));
    assert_eq!((problems.iter().count(), problems.left_out), (50, 950));
    assert!(problems.to_string().ends_with("`zebra0049`\nand 950 more"));
}

#[test]
fn the_template_is_a_configuration_and_changes_nothing() {
    let config = read(&template());
    let defaults = load(&SettingLayers::default()).unwrap();
    assert_eq!(config, defaults);
    let uncommented: String =
        template().lines().map(|line| format!("{}\n", line.trim_start_matches("# "))).collect();
    let said = read(&uncommented);
    let values = |config: &Config| config.explain().into_iter().map(|line| line.value).collect::<Vec<_>>();
    assert_eq!(values(&said), values(&defaults));
}

#[test]
fn a_file_cut_at_any_byte_gives_a_configuration_or_problems_with_places() {
    for cut in (0..FULL.len()).filter(|cut| FULL.is_char_boundary(*cut)) {
        if let Err(problems) = load(&project(&FULL[..cut])) {
            assert!(problems.iter().all(|problem| problem.place().starts_with("gulf.toml:")), "{cut}");
            problems.iter().for_each(|problem| assert!(!rendered(problem).is_empty()));
        }
    }
}

proptest! {
    #[test]
    fn any_text_gives_a_configuration_or_renderable_problems(text in any::<String>()) {
        if let Err(problems) = load(&project(&text)) {
            problems.iter().for_each(|problem| { rendered(problem); });
        }
    }

    #[test]
    fn any_mix_of_toml_pieces_is_survived(pieces in proptest::collection::vec(
        prop_oneof![
            Just("[[check]]\n"), Just("command = \"é\"\n"), Just("[agent]\n"), Just("agent = 1\n"), Just("check = [1, {}]\n"),
            Just("env = {a = [] }\n"), Just("x.y.z = 1979-05-27\n"), Just("limits = []\n"), Just("cwd = \"C:\\\\x\"\n"),
            Just("limits.max_iterations = 0x7fffffffffffffff\n"), Just("\r"), Just("\"\"\""), Just("[verify.setup]\n"),
            Just("environment.copy = [\"[\", \"../*\"]\n"), Just("environment.port_range = \"9-1\"\n"),
        ], 0..8)) {
        if let Err(problems) = load(&project(&pieces.concat())) {
            problems.iter().for_each(|problem| { rendered(problem); });
        }
    }
}

/// Every problem of a project's file on a line, with its hint.
fn lines_and_hints(text: &str) -> String {
    refused(&project(text))
        .iter()
        .map(|problem| {
            let hint = miette::Diagnostic::help(problem).map_or(String::new(), |hint| format!(" · {hint}"));
            format!("{}: {problem}{hint}", problem.place())
        })
        .collect::<Vec<_>>()
        .join("\n")
}
