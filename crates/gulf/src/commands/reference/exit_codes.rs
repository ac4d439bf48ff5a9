//! The page of exit codes: from the engine's ends, so that it says what the program does.

use std::fmt::Write as _;

use gulf_engine::{End, Exhaustion, PAUSED_EXIT_CODE, Party, Stall};

use crate::failure::INTERRUPTED;
use crate::failure::{ERROR, USAGE};

/// Exit codes and what each means.
pub(super) fn page() -> String {
    let mut page = String::from(
        "# Exit codes\n\n\
         Public and stable. Of `gulf run` and `gulf resume`; only *verified* is success.\n\n\
         | code | end | meaning |\n|---|---|---|\n",
    );
    for end in ends() {
        let _ = writeln!(page, "| {} | {} | {} |", end.exit_code(), end.word(), meaning(&end));
    }
    let others = [
        (
            PAUSED_EXIT_CODE,
            "paused",
            "a person must decide; on a terminal it asks at once, and the code is for unattended loops",
        ),
        (ERROR, "error", "the world did not let it be done: a disk, git, a process"),
        (USAGE, "usage", "a mistake in the command line or the settings, or a start that is refused"),
        (INTERRUPTED, "interrupted", "by Ctrl-C or SIGTERM; `gulf resume` goes on"),
    ];
    for (code, word, meaning) in others {
        let _ = writeln!(page, "| {code} | {word} | {meaning} |");
    }
    page.push_str(
        "\nOther commands end with 0 when they did what was asked or found no loop here, 1 on an error and 2 on a mistake in the asking.\n\
         `gulf status --exit-code`: the code of the loop's end or pause, 16 while it is under way, 130 when nobody drives it,\n\
         2 without a loop.\n\
         `gulf verify`: 0 every gate passed and nothing differs from the receipt, 1 else. `gulf doctor`: 0 no problem, 1 a problem.\n\
         `gulf clean`: 1 when something could not be removed.\n",
    );
    page
}

/// One of each kind.
fn ends() -> [End; 7] {
    [
        End::Verified { proofs: Vec::new() },
        End::Attested { causes: Vec::new() },
        End::Stalled { by: Stall::Idle },
        End::Exhausted { limit: Exhaustion::Iterations },
        End::Unavailable { party: Party::Agent, reason: String::new() },
        End::Violated,
        End::Cancelled,
    ]
}

fn meaning(end: &End) -> &'static str {
    match end {
        End::Verified { .. } => {
            "every required gate passed for the candidate, with proof that the change made the difference"
        }
        End::Attested { .. } => "every gate passed, but nothing proves that the change made the difference",
        End::Stalled { .. } => {
            "no progress: the same candidate or failure again, oscillation, or no change at all"
        }
        End::Exhausted { .. } => "an iteration, time, token or money limit is reached",
        End::Unavailable { .. } => "the agent, judge or machine was unreachable, after retries",
        End::Violated => "tests or runner configuration were changed, and the policy is to stop",
        End::Cancelled => "by `gulf cancel`",
    }
}

#[cfg(test)]
mod tests {
    use crate::commands::reference::events::variants;
    use gulf_engine::End;

    #[test]
    fn every_end_has_a_row() {
        let page = super::page();
        for word in variants::<End>("kind") {
            assert!(page.contains(&format!(" | {word} | ")), "{word} is missing:\n{page}");
        }
    }
}
