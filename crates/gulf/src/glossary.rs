//! `gulf help TERM`: what gulf's words mean, in three lines each.
//!
//! It stands apart because a word that is explained where it is met needs no page: the same one means the same
//! everywhere.

use gulf_spec::problem::nearest;

use crate::failure::Failure;

/// A word and its meaning.
const TERMS: [(&str, [&str; 3]); 27] = [
    (
        "attested",
        [
            "Every gate passed, but nothing proves that the change made the difference: no check failed",
            "without it, tests were changed, there was no check, or a person overruled the judge.",
            "Exit code 3. `gulf report` says which; a test that fails on the base makes it verified.",
        ],
    ),
    (
        "base",
        [
            "The commit a loop starts from, with your uncommitted changes in it.",
            "Candidates are compared with it; a check that fails on it can prove the work.",
            "`gulf show @0` shows it, `gulf diff` what came since.",
        ],
    ),
    (
        "baseline",
        [
            "The failures that were there before the loop began: with `--baseline` they are accepted,",
            "and a check passes as long as no further test fails.",
            "What was accepted stands under \"not proven\".",
        ],
    ),
    (
        "candidate",
        [
            "One commit of everything in the worktree at the moment the agent claims to be done.",
            "Checks and judge look at exactly this commit, in a checkout of its own.",
            "All candidates are kept: `gulf restore @2 --to DIR` writes one's files.",
        ],
    ),
    (
        "check",
        [
            "A shell command that passes with exit code 0: `--check 'cargo test'`, or [[check]] in gulf.toml.",
            "It runs on the candidate, not in your worktree, and once on the base.",
            "A check that fails on the base and passes on the candidate proves the work.",
        ],
    ),
    (
        "claim",
        [
            "The agent's word that it is done: `gulf claim done`, or a line <promise>COMPLETE</promise>.",
            "A claim proves nothing: it makes gulf build a candidate and run the gates.",
            "`gulf claim cannot`, `conflict` and `need-decision` ask a person instead.",
        ],
    ),
    (
        "contract",
        [
            "Goal, checks, criteria, settings and base, as they were when the loop began.",
            "Stored outside the worktree: edits of gulf.toml or RUBRIC.md by the agent change nothing.",
            "You change it with `gulf resume --accept-contract`, and the journal says so.",
        ],
    ),
    (
        "criterion",
        [
            "One sentence under \"Judge criteria\" in RUBRIC.md, for what no command can check.",
            "The judge must quote evidence for each; gulf verifies the quote.",
            "`gulf lint` says when there are too many for one loop.",
        ],
    ),
    (
        "end",
        [
            "How a loop ended: verified, attested, stalled, exhausted, unavailable, violated, cancelled.",
            "An end is final; each has an exit code of its own, and only verified is 0.",
            "A paused loop has not ended: `gulf resume` continues it.",
        ],
    ),
    (
        "exhausted",
        [
            "The iteration, time, token or money limit is reached, and the work is not verified.",
            "Exit code 12. The last screen says why the last candidate was refused.",
            "The work stays as it is; a new loop on the same goal continues from it.",
        ],
    ),
    (
        "gate",
        [
            "A step that must pass before a loop can succeed: checks, unchanged tests, the judge.",
            "Gates run in this order; the first failure becomes the agent's next task.",
            "A gate's result holds for one tree only.",
        ],
    ),
    (
        "handle",
        [
            "The short name of a loop, such as k3v9: `gulf list` shows it.",
            "It is needed only where several loops could be meant; its beginning is enough.",
            "`gulf show k3v9@2` is iteration 2 of that loop.",
        ],
    ),
    (
        "iteration",
        [
            "One turn of the agent and the gates' results on its work.",
            "An interrupted turn is repeated as another attempt of the same iteration.",
            "`gulf show @2` shows what iteration 2 was asked, did and claimed.",
        ],
    ),
    (
        "journal",
        [
            "The file that records every event of a loop, one line each, before anything acts on it.",
            "A loop resumes from it after any crash, and `gulf replay` recomputes every decision.",
            "`gulf log` shows it; it lies outside the worktree.",
        ],
    ),
    (
        "judge",
        [
            "A second agent that evaluates the criteria: `--judge claude`.",
            "It works read-only in its own checkout and must quote its evidence.",
            "It can reject work that the checks passed, never the other way round.",
        ],
    ),
    (
        "landing",
        [
            "Bringing verified work onto its base branch: merged, tested again as merged, then moved.",
            "Loops with their own branch land by themselves; `gulf land` lands the others.",
            "Nothing is pushed unless `--push` says so.",
        ],
    ),
    (
        "loop",
        [
            "One goal, worked on until it is verified or cannot be: agent, gates, agent, gates …",
            "Only one loop runs in a checkout at a time.",
            "`gulf list` shows all of this repository.",
        ],
    ),
    (
        "paused",
        [
            "The loop waits because a person must decide or has paused it. Exit code 10.",
            "The screen says why and which command continues it; most often `gulf resume`.",
            "A pause costs nothing, however long it lasts.",
        ],
    ),
    (
        "preset",
        [
            "A way of working under one name: basic, judge, autonomous, parallel, tasks, feedback, ralph,",
            "autopilot. Each is made of the same loop, gates and ends.",
            "`--preset NAME` chooses one; `gulf config explain` shows what it sets.",
        ],
    ),
    (
        "proof",
        [
            "Something that was seen to fail without the change and passes with it:",
            "a check that is red on the base, or a new test that fails on the base's code.",
            "Without one, an end is attested at most.",
        ],
    ),
    (
        "receipt",
        [
            "receipt.json beside the journal: everything needed to check an end, or to repeat it.",
            "Commit, base, each gate's result, what is not proven, the cost.",
            "`gulf report` shows the same for people.",
        ],
    ),
    (
        "research",
        [
            "The first iteration can be read-only: a brief in progress.txt before any change.",
            "`--research off` skips it.",
            "`--research inline` asks for the brief and starts the work at once.",
        ],
    ),
    (
        "stalled",
        [
            "No progress: the same candidate or failure repeatedly, oscillation, or no change.",
            "Exit code 11. Goal, check and agent may contradict each other; the last screen quotes why.",
            "`gulf log` shows where it began.",
        ],
    ),
    (
        "unavailable",
        [
            "The agent, judge or machine was unreachable, after retries. Exit code 13.",
            "`gulf doctor` says which program is called and whether it is installed.",
            "The work stays where it is.",
        ],
    ),
    (
        "verified",
        [
            "Every gate passed for one commit, and something was seen to fail without the change.",
            "Exit code 0: the only success of a loop.",
            "`gulf report` says what was seen to fail, and what is not proven.",
        ],
    ),
    (
        "worker",
        [
            "The agent that does the work: Claude Code, Codex, Copilot CLI, OpenCode, Gemini CLI or a command.",
            "Its words decide nothing; it can request the gates and ask you questions.",
            "It cannot pause, approve, land or change the contract.",
        ],
    ),
    (
        "worktree",
        [
            "The folder in which the agent works: your checkout, or one of the loop's own.",
            "Loops with their own branch work beside your checkout, which stays unchanged.",
            "`gulf clean` removes the finished ones.",
        ],
    ),
];

/// Prints what a word means.
pub fn explain(word: &str) -> Result<u8, Failure> {
    let wanted = word.to_lowercase();
    let found = TERMS.iter().find(|(term, _)| *term == wanted || format!("{term}s") == wanted);
    let Some((term, lines)) = found else {
        let all = crate::help::command();
        let commands = all.get_subcommands().filter(|one| !one.is_hide_set()).map(clap::Command::get_name);
        let near = nearest(&wanted, TERMS.iter().map(|(term, _)| *term).chain(commands));
        let guess = near.map_or_else(String::new, |near| format!("did you mean `gulf help {near}`? "));
        return Err(Failure::usage(
            format!("gulf has no command and no word `{word}`"),
            format!("{guess}`gulf --help` shows the commands; words: {}", names()),
        ));
    };
    outln!("{term}\n  {}", lines.join("\n  "));
    Ok(0)
}

/// Every word that is explained.
pub fn names() -> String {
    TERMS.map(|(term, _)| term).join(", ")
}

#[cfg(test)]
mod tests {
    //! That the words a person meets are explained, briefly.

    use gulf_engine::{End, Exhaustion, Stall};

    use super::TERMS;

    #[test]
    fn every_word_has_three_lines_that_fit_a_terminal_and_stands_in_its_order() {
        for (term, lines) in TERMS {
            for line in lines {
                assert!(!line.is_empty() && line.chars().count() <= 98, "{term}: {line}");
            }
        }
        assert!(TERMS.is_sorted_by_key(|(term, _)| *term));
    }

    #[test]
    fn the_ends_that_a_person_must_act_on_are_explained() {
        let ends = [
            End::Verified { proofs: Vec::new() },
            End::Attested { causes: Vec::new() },
            End::Stalled { by: Stall::Idle },
            End::Exhausted { limit: Exhaustion::Time },
        ];
        for end in ends {
            assert!(TERMS.iter().any(|(term, _)| *term == end.word()), "{}", end.word());
        }
    }
}
