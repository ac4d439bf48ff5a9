//! From an agent's protocol to what the rules know.

use gulf_agents::agents::{self, AgentRole, ContextUse, FailureKind, Need, Reset, TurnFailure};
use gulf_engine::{Denial, TurnOutcome};
use gulf_host::process::{Ending, TimeOut};

use super::{denials, outcome_of, session_of, used_bp, wait_ms};

fn failure(kind: FailureKind) -> TurnFailure {
    TurnFailure { kind, detail: "as it says".to_owned() }
}

#[test]
fn every_failure_of_an_agent_has_its_consequence() {
    let of = |kind| outcome_of(&failure(kind), &Ending::Exited(1));
    let need = FailureKind::NeedsPerson { need: Need::SignIn };
    assert_eq!(
        of(need),
        TurnOutcome::NeedsPerson { why: "sign in, or set a key that is valid (as it says)".to_owned() }
    );
    assert_eq!(of(FailureKind::ContextFull), TurnOutcome::ContextFull);
    assert_eq!(of(FailureKind::BudgetUsedUp), TurnOutcome::OutOfBudget);
    assert_eq!(of(FailureKind::TurnsUsedUp), TurnOutcome::Completed);
    assert_eq!(of(FailureKind::Overloaded), TurnOutcome::RateLimited { wait_ms: 0 });
    assert_eq!(of(FailureKind::Refused), TurnOutcome::Declined { why: "as it says".to_owned() });
    for kind in [FailureKind::Unreachable, FailureKind::Unreadable, FailureKind::Other] {
        assert_eq!(of(kind), TurnOutcome::Failed { exit: Some(1) });
    }
}

#[test]
fn a_time_out_is_one_but_where_the_provider_was_waited_for() {
    let ending = Ending::TimedOut(TimeOut::Idle);
    let limited = TurnOutcome::RateLimited { wait_ms: 0 };
    assert_eq!(outcome_of(&failure(FailureKind::Overloaded), &ending), limited);
    assert_eq!(outcome_of(&failure(FailureKind::Interrupted), &ending), TurnOutcome::TimedOut);
}

#[test]
fn a_limit_that_is_over_is_waited_out_for_a_moment_and_how_long_one_without_an_end_lasts_is_the_rules_to_say()
{
    assert_eq!(wait_ms(Reset::At { unix_s: 1 }), 5_000);
    assert_eq!(wait_ms(Reset::Unknown), 0);
    assert_eq!(wait_ms(Reset::In { seconds: 600 }), 605_000);
    let day_ms = 25 * 3_600_000;
    assert!((5_000..=day_ms).contains(&wait_ms(Reset::TimeOfDay { hour: 22, minute: 26 })));
}

#[test]
fn denials_are_counted_by_what_would_allow_them() {
    let denied = |tool: &str, what: &str| agents::ToolCall { tool: tool.to_owned(), what: what.to_owned() };
    let all = [denied("Bash", "cargo bench"), denied("Bash", "cargo doc"), denied("WebFetch", "http://x")];
    let counted = |what: &str, times| Denial { what: what.to_owned(), times };
    assert_eq!(denials(&all), [counted("cargo", 2), counted("tool WebFetch", 1)]);
    let pushes = ["git push", "git -C web push origin", "git -c a=b --no-pager push", "git --version"];
    let pushes = pushes.map(|what| denied("Bash", what));
    assert_eq!(denials(&pushes), [counted("git push", 3), counted("git", 1)]);
    // Each agent has a name of its own for its shell.
    let shells = ["Bash", "bash", "run_shell_command"].map(|tool| denied(tool, "npm ci"));
    assert_eq!(denials(&shells), [counted("npm", 3)]);
}

#[test]
fn a_context_without_a_window_is_not_measured() {
    assert_eq!(used_bp(ContextUse { tokens: 50_000, window: Some(200_000) }), Some(2_500));
    assert_eq!(used_bp(ContextUse { tokens: 50_000, window: None }), None);
    assert_eq!(used_bp(ContextUse { tokens: 50_000, window: Some(0) }), None);
}

#[test]
fn a_session_is_part_of_a_path_only_where_its_id_is_plain() {
    let of = |id: &str| {
        let session = agents::TurnSession::Continue { id: id.to_owned() };
        let confinement = agents::Confinement::ByTool;
        let (allow, readable) = (Vec::new(), Vec::new());
        let purpose = AgentRole::Worker { session, allow, readable, confinement, tools: None };
        session_of(&purpose).map(str::to_owned)
    };
    assert_eq!(of("ses_dfc4a0-1"), Some("ses_dfc4a0-1".to_owned()));
    for hostile in ["", "../../etc", "a/b", "a b", "é", &"a".repeat(101)] {
        assert_eq!(of(hostile), None, "{hostile}");
    }
}
