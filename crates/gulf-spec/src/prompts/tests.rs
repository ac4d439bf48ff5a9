//! What the worker is told.

mod context;
mod notepad;
mod own_steps;
mod side_by_side;

use proptest::prelude::*;

use super::ContextBlock;
use super::{
    Advice, Fix, IterationBrief, ResearchBlock, TAIL_CHARACTERS_MAX, VARIABLES, VersionControl, feedback,
    framework, iteration,
};
use crate::problem::tests::rendered;
use crate::progress::brief_gaps;
use crate::text::Source;

fn plain() -> IterationBrief {
    IterationBrief {
        goal: "Add a login form.\n".to_owned(),
        iteration: 1,
        iterations_max: 50,
        attempt: 1,
        completion_promise: "COMPLETE".to_owned(),
        checks: vec!["npm test".to_owned(), "npx tsc --noEmit".to_owned()],
        criteria: Vec::new(),
        repository: VersionControl::Git { dirty_paths: Vec::new() },
        branch: None,
        task: None,
        milestone_every: 0,
        notes: Vec::new(),
        thoughts: Vec::new(),
        fixes: Vec::new(),
        failed_before: Vec::new(),
        tests_may_change: Vec::new(),
        advice: Vec::new(),
        next_task: None,
        progress_lines_over: None,
        cold_starts: None,
        context: ContextBlock::default(),
        notepad: None,
        is_planned: false,
        own_steps: None,
        research: ResearchBlock::Nothing,
    }
}

fn built_in(brief: &IterationBrief) -> String {
    iteration(brief, None).unwrap()
}

/// What stands between the goal and the framework.
fn middle(brief: &IterationBrief) -> String {
    let prompt = built_in(brief);
    let (head, _) = prompt.split_once("## How to work").unwrap();
    head.strip_prefix(&brief.goal).unwrap().trim().to_owned()
}

fn failed(name: &str, tail: &str) -> Fix {
    Fix::CheckFailed {
        name: name.to_owned(),
        command: "npm test".to_owned(),
        end: "failed with exit code 1".to_owned(),
        tail: tail.to_owned(),
    }
}

fn own(template: &str, brief: &IterationBrief) -> Result<String, String> {
    let source = Source::new("prompts/mine.md", template);
    iteration(brief, Some(&source)).map_err(|error| rendered(&error))
}

#[test]
fn the_framework_stays_under_four_kilobytes() {
    assert!(framework(&plain()).unwrap().len() < 4_000);
}

// proves: G4
#[test]
fn the_framework_says_how_to_orient_work_and_claim() {
    let mut brief = plain();
    brief.repository = VersionControl::Git { dirty_paths: vec!["src/draft.js".to_owned()] };
    insta::assert_snapshot!(framework(&brief).unwrap(), @r#"
        ## How to work

        You work in a loop. An iteration may begin without memory of the one before: what you leave in the files is all that the next one can count on. Your word does not end the loop: the checks do.

        ### Phase 0 · Orient (at most 20 % of your context)

        - `git log --oneline -10` and `git status --short`
        - the state of the tests
        - where they exist: progress.txt, decisions.md, .claude/gulf-align.md, .gulf/handoff.md, JUDGE_FEEDBACK.md

        ### Phases 1–4 · One atomic unit

        One feature, one fix or one test; not more.

        1. Search first: do not assume that something is not implemented.
        2. Implement it completely, with a test that fails without your change.
        3. Run everything; these decide:
           - `npm test`
           - `npx tsc --noEmit`
        4. When all pass, commit your own paths by name (`git commit -m "…" -- PATH …`), with the why in the body. Never push.
           Changed before the loop began, the person's, never to be committed by you:
           - `src/draft.js`
        5. Update progress.txt, in at most 80 lines; each key at the left margin:

           ```
           ORIGINAL_GOAL: (copy it once, never change it)
           ITERATION: 1
           COMPLETED:
           - what and why, confidence 0–100
           DECISIONS:
           - chose: …, rejected: …, reason: …, revisit_if: …
           UNCERTAINTIES:
           - …
           REMAINING_GAP:
           - the next task first
           CONFIDENCE: 0–100
           ```

        ### Phase 999 · Invariants

        - NEVER change, delete or skip an existing test. If the goal itself demands it, say so in progress.txt; it will be asked about.
        - NEVER hard-code a result for the inputs of a test.
        - NEVER leave a placeholder or a stub.
        - RUBRIC.md, PROMPT.md, gulf.toml, .claude/autochecks.sh and .gulf/ are sealed: edits there change nothing and are reported.

        ### When you are done, or cannot go on

        Say it with `gulf claim`, a program on your PATH. It ends nothing by itself: it asks for verification, or it asks the person.

        - `gulf claim done`: the goal is reached. Exactly what lies in the project now is verified; a claim is refused while a check fails. Something must be seen to fail without your change, best a new test. Where no test can tell: `gulf claim done --no-test "REASON"`.
        - `gulf claim cannot "WHY" --evidence "WHAT YOU SAW"`: it cannot be done as asked.
        - `gulf claim conflict "WHAT CONTRADICTS WHAT" --evidence "WHERE"`: what is asked for contradicts itself.
        - `gulf claim need-decision "QUESTION" --option "ONE" --option "OTHER"`: only the person can choose.
        - `gulf ask --kind destructive|architecture|security|unclear "QUESTION" --option "ONE" --because "WHAT YOU SAW"`: before anything destructive, a change of the architecture or a decision about security, and where the requirement is unclear, you MUST ask.

        Asking is never held against you, and no guess is better than a question. A question rests the loop until the person answers; finish what does not depend on it first. Where the program does not run, `done` is also claimed by ending your final message with this line alone:

        <promise>COMPLETE</promise>
        "#);
}

#[test]
fn a_long_list_of_unfinished_work_is_counted_and_not_printed() {
    let mut brief = plain();
    let dirty_paths = (0..1_000).map(|number| format!("src/unfinished/{number}.js")).collect();
    brief.repository = VersionControl::Git { dirty_paths };
    let text = framework(&brief).unwrap();
    assert!(text.contains("unfinished/19.js") && !text.contains("unfinished/20.js"));
    assert!(text.contains("and 980 more"));
}

#[test]
fn without_a_repository_nothing_is_said_about_commits() {
    let mut brief = plain();
    brief.repository = VersionControl::Without;
    let text = framework(&brief).unwrap();
    assert!(!text.contains("git log") && !text.contains("git commit"));
}

#[test]
fn the_first_prompt_is_the_goal_a_rule_and_the_framework() {
    insta::assert_snapshot!(middle(&plain()), @r#"
        ---

        # Iteration 1 of at most 50
        "#);
}

// proves: G11
#[test]
fn all_that_an_iteration_must_know_stands_in_order() {
    let mut brief = plain();
    brief.iteration = 7;
    brief.attempt = 2;
    brief.milestone_every = 5;
    brief.notes = vec!["Leave the old form alone.".to_owned()];
    brief.fixes = vec![
        failed("test", "1 failing\n```\nexpected 3\n"),
        Fix::CheckFailed {
            name: "npm run e2e".to_owned(),
            command: "npm run e2e".to_owned(),
            end: "did not end within 1m30s".to_owned(),
            tail: String::new(),
        },
        Fix::Refused { gate: "the tests' guard".to_owned(), reason: "`test/sum.js` was deleted".to_owned() },
    ];
    brief.advice = vec![Advice::SameFailure { times: 3 }];
    brief.next_task = Some("- hash the password\n- then its tests".to_owned());
    brief.progress_lines_over = Some(120);
    insta::assert_snapshot!(middle(&brief), @r#"
        ---

        # Iteration 7 of at most 50

        This iteration was interrupted and begins again (attempt 2); the files are as it left them.

        A person reviews the work after every 5 iterations; next after iteration 10.

        ## From the person

        Leave the old form alone.

        ## What to fix

        The last attempt was not accepted:

        ### Check `test` failed with exit code 1

        Command: `npm test`

        ````
        1 failing
        ```
        expected 3
        ````

        ### Check `npm run e2e` did not end within 1m30s

        ### Refused by the tests' guard

        `test/sum.js` was deleted

        ## Change the approach

        - The same failure 3 times: take a fundamentally different approach.

        Find the cause first: symptom, root cause, what the last attempt got wrong, what you will do differently. Write it under DECISIONS in progress.txt. A variation of what failed is not a different approach.

        ## Next task (from progress.txt)

        - hash the password
        - then its tests

        > progress.txt has 120 lines, more than 80: keep what the next iteration needs and drop the rest. Decisions are kept in decisions.md.
        "#);
}

#[test]
fn the_research_gate_names_what_the_brief_lacks() {
    let mut brief = plain();
    let gaps =
        crate::progress::brief_gaps("STRENGTHS: a\nRISKS: b\nGAPS: c\nAPPROACH: short\nCONFIDENCE: 80\n");
    brief.research = ResearchBlock::Gate { gaps, attempt: 2, attempts_max: 5 };
    insta::assert_snapshot!(middle(&brief), @r#"
        ---

        # Iteration 1 of at most 50

        ## Research first

        This iteration is for analysis only: change no source file. It is repeated until the brief is complete (attempt 2 of 5). Only where the work is done already, claim it: a claim is looked at in any iteration.

        progress.txt still lacks:
        - `APPROACHES_CONSIDERED:` is missing or empty
        - `APPROACH:` is 5 columns wide; say what, in which order and why in 48 or more

        Look at the task as four people: a Defender (what works and must stay), a Critic (what is weak or wrong, the request included), a Risk Scout (where the obvious approach breaks) and a Gap Detector (what nobody has decided). Do not list their findings side by side: the approach resolves what they disagree about. Write into progress.txt, each key at the left margin:

        ```
        STRENGTHS:
        - …
        RISKS:
        1. the worst first
        GAPS:
        - …
        APPROACHES_CONSIDERED:
        - …
        APPROACH: one paragraph: what, in which order, and why this way
        CONFIDENCE: a whole number from 0 to 100, alone; a brief counts from 30
        ```
        "#);
}

#[test]
fn inline_research_goes_on_in_the_same_iteration() {
    let mut brief = plain();
    brief.research = ResearchBlock::Inline { gaps: Vec::new() };
    let text = middle(&brief);
    assert!(text.contains("go on with the work in the same iteration") && !text.contains("still lacks"));
}

#[test]
fn the_form_that_the_prompt_asks_for_is_a_form_that_is_read() {
    let text = include_str!("../../templates/research.md");
    let (_, form) = text.split_once("```\n").unwrap();
    let filled = form
        .split_once("\n```")
        .unwrap()
        .0
        .replace("a whole number from 0 to 100, alone; a brief counts from {{ confidence_min }}", "70");
    assert_eq!(brief_gaps(&filled), []);
}

#[test]
fn the_outputs_of_all_failing_checks_share_one_limit_and_keep_their_ends() {
    let mut brief = plain();
    let long: String = (0..2_000).map(|number| format!("line {number} é\n")).collect();
    brief.fixes = vec![failed("a", &long), failed("b", &long)];
    let text = middle(&brief);
    assert!(text.chars().count() < TAIL_CHARACTERS_MAX + 500, "{}", text.chars().count());
    assert_eq!(text.matches("line 1999 é\n").count(), 2);
    assert_eq!(text.matches("earlier output is left out").count(), 2);
}

#[test]
fn a_projects_template_may_say_it_in_its_own_words() {
    let prompt = own(
        "{{ goal }}\nTurn {{ iteration }}/{{ iterations_max }}{% for fix in fixes %} {{ fix.title }}{% endfor %}",
        &plain(),
    );
    assert_eq!(prompt.as_deref(), Ok("Add a login form.\n\nTurn 1/50"));
}

#[test]
fn every_variable_that_is_listed_can_be_printed() {
    for (name, _) in VARIABLES {
        assert!(own(&format!("{{{{ goal }}}}{{{{ {name} }}}}"), &plain()).is_ok(), "{name}");
    }
}

#[test]
fn an_error_in_a_template_points_at_its_line() {
    insta::assert_snapshot!(own("{{ goal }}\n\n  {{ iterations }}\n", &plain()).unwrap_err(), @r#"
     x the prompt template uses a name that is not known
      ,-[prompts/mine.md:3:3]
    2 |
    3 |   {{ iterations }}
      :   ^^^^^^^^^^^^^^^^
      `----
     help: known are: goal, iteration, iterations_max, attempt,
           completion_promise, checks, criteria, git, git_is_read_only,
           dirty_paths, dirty_paths_more, milestone_every, milestone_at, notes,
           tests_may_change, failed_before, thoughts, fixes, advice, next_task,
           progress_lines, progress_lines_max, orientation, confidence_min,
           research, context, notepad, own_steps, branch, task, framework
    "#);
    insta::assert_snapshot!(own("{{ goal }}\n{% if git %}\n", &plain()).unwrap_err(), @r#"
         x cannot use this prompt template: syntax error: unexpected end of input,
         | expected end of block
          ,-[prompts/mine.md:2:1]
        1 | {{ goal }}
        2 | {% if git %}
          : ^^^^^^^^^^^^
          `----
         help: remove `prompt.template` to use the built-in prompt
        "#);
    insta::assert_snapshot!(own("{{ goal | upper }}\n", &plain()).unwrap_err(), @r#"
         x the prompt template does not print the goal unchanged
          ,-[prompts/mine.md:1:1]
        1 | {{ goal | upper }}
          : ^
          `----
         help: add `{{ goal }}` without a filter
        "#);
}

#[test]
fn a_template_that_loops_for_ever_is_an_error() {
    let endless = "{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}";
    assert!(own(endless, &plain()).unwrap_err().contains("does not end"));
}

#[test]
fn a_template_that_nests_too_deeply_is_an_error_and_no_crash() {
    let elifs = |count: usize| format!("{{{{ goal }}}}{{% if a %}}{}", "{% elif a %}".repeat(count));
    let goal_and = |expression: String| format!("{{{{ goal }}}}{{{{ {expression}");
    let chains =
        |count: usize| ["not ", "-", "a~", "a.b.", "a|e|"].map(|chain| goal_and(chain.repeat(count)));
    for template in chains(50_000).into_iter().chain([elifs(50_000)]) {
        assert!(own(&template, &plain()).unwrap_err().contains("too complex"), "{}", &template[..30]);
    }
    for template in chains(240).into_iter().chain([elifs(490)]) {
        assert!(own(&template, &plain()).unwrap_err().contains("cannot use"), "{}", &template[..30]);
    }
}

proptest! {
    #[test]
    fn the_goal_arrives_byte_for_byte_at_the_head(goal in any::<String>()) {
        let brief = IterationBrief { goal: goal.clone(), ..plain() };
        let prompt = built_in(&brief);
        prop_assert!(prompt.starts_with(&goal));
    }

    #[test]
    fn template_syntax_in_what_is_filled_in_is_not_run(text in "[{}%# a-z\"`\n]{0,40}") {
        let mut brief = plain();
        brief.notes = vec![text.clone()];
        brief.next_task = Some(text.clone());
        brief.fixes = vec![failed(&text, &text)];
        prop_assert!(built_in(&brief).contains(&text));
    }

    #[test]
    fn any_template_gives_a_prompt_or_a_renderable_error(template in "[{}%# a-z|()\\[\\]0-9\"\n]{0,60}", any in any::<String>()) {
        let _ = own(&template, &plain());
        let _ = own(&any, &plain());
    }
}

#[test]
fn what_is_to_be_fixed_can_be_told_alone_and_is_nothing_where_nothing_is() {
    let fixes = [failed("test", "1 failing\n```\nexpected 3\n")];
    let told = feedback(&fixes, &[Advice::SameFailure { times: 3 }]).unwrap();
    let check = "## Check `test` failed with exit code 1\n\nCommand: `npm test`\n\n````\n1 failing\n```\nexpected 3\n````\n";
    assert!(told.starts_with(check), "{told}");
    assert!(told.trim_end().ends_with("take a fundamentally different approach."), "{told}");
    assert_eq!(feedback(&[], &[]).unwrap().trim(), "");
}

// proves: G24/cold-start-bloat
#[test]
fn turns_that_read_too_much_are_told_what_is_known_already() {
    let mut brief = plain();
    assert!(!built_in(&brief).contains("Read less"));
    let changed = (1..=23).map(|number| format!("src/파일 {number}.rs")).collect();
    brief.cold_starts = Some(super::ColdStarts { turns: 2, percent: 20, changed });
    let told = built_in(&brief);
    for part in [
        "## Read less before you begin",
        "Each of the last 2 turns that began with a fresh context filled more than 20 % of it before the first edit.",
        "- Changed so far, so the work is there: `src/파일 1.rs`, `src/파일 2.rs`",
        "`src/파일 20.rs` and 3 more.",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }
    brief.cold_starts = Some(super::ColdStarts { turns: 2, percent: 20, changed: Vec::new() });
    assert!(!built_in(&brief).contains("Changed so far"));
}

#[test]
fn tests_that_the_contract_lets_change_are_named_and_no_others() {
    let tests_may_change = vec!["tests/cli/**".to_owned(), "*.snap".to_owned()];
    let prompt = iteration(&IterationBrief { tests_may_change, ..plain() }, None).unwrap();
    let rule = "- Tests under `tests/cli/**`, `*.snap` may change where the goal demands it. NEVER change, delete or skip another";
    assert!(prompt.contains(rule) && !prompt.contains("it will be asked about"), "{prompt}");
}
