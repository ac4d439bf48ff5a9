//! What people typed, as hosts hand it on.

use proptest::prelude::*;

use gulf_spec::slash_commands::SlashCommand;

use super::{heard, refused, spoken, start, text};

/// Every command with the text that Copilot CLI puts in its place.
const SKILLS: [(&str, &str); 12] = [
    ("align", include_str!("../../../../../../../plugins/gulf-loop/skills/align/SKILL.md")),
    ("autopilot", include_str!("../../../../../../../plugins/gulf-loop/skills/autopilot/SKILL.md")),
    ("cancel", include_str!("../../../../../../../plugins/gulf-loop/skills/cancel/SKILL.md")),
    ("clean", include_str!("../../../../../../../plugins/gulf-loop/skills/clean/SKILL.md")),
    ("help", include_str!("../../../../../../../plugins/gulf-loop/skills/help/SKILL.md")),
    ("ralph", include_str!("../../../../../../../plugins/gulf-loop/skills/ralph/SKILL.md")),
    ("resume", include_str!("../../../../../../../plugins/gulf-loop/skills/resume/SKILL.md")),
    ("start", include_str!("../../../../../../../plugins/gulf-loop/skills/start/SKILL.md")),
    (
        "start-autonomous",
        include_str!("../../../../../../../plugins/gulf-loop/skills/start-autonomous/SKILL.md"),
    ),
    ("start-parallel", include_str!("../../../../../../../plugins/gulf-loop/skills/start-parallel/SKILL.md")),
    (
        "start-with-judge",
        include_str!("../../../../../../../plugins/gulf-loop/skills/start-with-judge/SKILL.md"),
    ),
    ("status", include_str!("../../../../../../../plugins/gulf-loop/skills/status/SKILL.md")),
];

/// As Copilot CLI 1.0.102 hands a command on that was typed into its terminal.
fn invoked(command: &str, arguments: Option<&str>) -> String {
    let skill = SKILLS
        .into_iter()
        .find(|(name, _)| *name == command)
        .map_or("What it says.", |(_, text)| text.splitn(3, "---\n").nth(2).unwrap().trim());
    let arguments = arguments.map(|words| format!("\n\nARGUMENTS: {words}")).unwrap_or_default();
    format!(
        "The user explicitly invoked the \"/gulf-loop:{command}\" skill. Follow its instructions now.\n\n\
         <skill-context name=\"{command}\">\nBase directory for this skill: /x/gulf-loop/skills/{command}\n\n\
         {skill}{arguments}\n</skill-context>"
    )
}

/// As Claude Code 2.1.330 hands a prompt on that begins with a paste of several lines.
fn pasted(prompt: &str) -> String {
    format!("\n\n<pasted_content id=\"b627\">\n{prompt}\n</pasted_content id=\"b627\">\n")
}

#[test]
fn every_command_is_heard_in_the_form_of_copilot_cli() {
    for (command, skill) in SKILLS {
        assert!(!skill.contains("ARGUMENTS:"), "{command} would hide where the person's words begin");
        assert_eq!(heard(&invoked(command, None)), heard(&format!("/gulf-loop:{command}")));
        if !command.starts_with("start") && !["ralph", "autopilot"].contains(&command) {
            assert_eq!(heard(&invoked(command, Some("-h"))), SlashCommand::Help);
        }
        assert_eq!(
            spoken(&invoked(command, Some("-n 3 do it"))),
            spoken(&format!("/gulf-loop:{command} -n 3 do it"))
        );
    }
    assert_eq!(refused(&invoked("start-autonomus", Some("x"))), refused("/gulf-loop:start-autonomus x"));
}

#[test]
fn a_command_that_was_pasted_is_heard_without_its_tags() {
    for prompt in
        ["/gulf-loop:status", "gulf-loop:start a\nb\n\n$(c) \"d\"\n", "$gulf-loop:start -n 3 a\n\tb"]
    {
        assert_eq!(heard(&pasted(prompt)), heard(prompt), "{prompt}");
        assert_eq!(heard(pasted(prompt).trim()), heard(prompt), "{prompt}");
    }
}

#[test]
fn a_text_that_shows_a_command_is_none() {
    let typed = "/gulf-loop:start fix it";
    for prompt in [
        format!("<task-notification>\n{typed}\n</task-notification>"),
        format!("<task-notification>{}</task-notification>", pasted(typed)),
        format!("see here:{}", pasted(typed)),
        format!("{}\nand the tests", pasted(typed)),
        format!("{}{}", pasted(typed), pasted("fix it")),
        format!("{}{}", pasted(typed), pasted("fix it").replace("b627", "b628")),
        pasted(&format!("what does {typed} do?")),
        pasted(typed).replacen("b627", "b628", 1),
        pasted(typed).replace("</pasted_content", "<pasted_content"),
        format!("<pasted_content>\n{typed}\n</pasted_content>"),
        format!("what does this mean? {}", invoked("start", Some("fix it"))),
        format!("{}\n\nWhat does this mean?", invoked("start", Some("fix it"))),
        invoked("start", Some("fix it")).replace("The user", "The person"),
        invoked("start", Some("fix it")).replace("/gulf-loop:start", "/other:start"),
        invoked("start", Some("fix it")).replace("name=\"start\"", "name=\"status\""),
        invoked("start", Some("fix it")).replace("\n</skill-context>", ""),
        invoked("start it now", Some("fix it")),
        "The user explicitly invoked the \"/gulf-loop:start\" skill. Follow its instructions now.".to_owned(),
    ] {
        assert_eq!(spoken(&prompt), None, "{prompt}");
    }
}

#[test]
fn a_wrapped_prompt_of_200_kilobytes_is_read_in_no_time_whatever_is_in_it() {
    for piece in ["<pasted_content id=\"b627\">\n", "\n</skill-context>", "\n\nARGUMENTS: ", "가 "] {
        let many = piece.repeat(200_000 / piece.len());
        let goal = |prompt: &str| text(start(heard(prompt)).goal);
        assert_eq!(goal(&pasted(&format!("/gulf-loop:start x{many}x"))), format!("x{many}x"));
        assert_eq!(goal(&invoked("start", Some(&format!("x{many}x")))), format!("x{many}x"));
    }
}

/// What may stand in a prompt, the hosts' own forms included.
const WORDS: &str = "(\\PC|\\n|\\r|\\t| |--force-max|-n 3|ARGUMENTS: |\\n\\nARGUMENTS: |</skill-context>|\\n</skill-context>|<pasted_content id=\"b627\">|\"|'){0,40}";

proptest! {
    #[test]
    fn any_words_arrive_byte_for_byte_in_the_form_of_copilot_cli(words in WORDS) {
        prop_assume!(!words.trim().is_empty());
        let start = start(heard(&invoked("start", Some(&format!("-- {words}")))));
        prop_assert_eq!(text(start.goal), words);
    }

    #[test]
    fn any_words_mean_the_same_pasted_and_typed(words in WORDS) {
        for command in ["start", "start-with-judge", "resume", "align", "status"] {
            let prompt = format!("/gulf-loop:{command} {words}");
            prop_assert_eq!(spoken(&pasted(&prompt)), spoken(&prompt));
            prop_assert_eq!(spoken(&invoked(command, Some(&words))), spoken(&prompt));
        }
    }

    #[test]
    fn a_prompt_in_neither_form_is_heard_as_it_is(words in WORDS) {
        for before in ["<pasted_content id=\"", "The user explicitly invoked the \"/gulf-loop:start\"", "<task-notification>"] {
            prop_assert_eq!(spoken(&format!("{before}{words}")), None);
        }
    }
}
