//! From what an agent tells to what the engine counts.

use gulf_agents::agents::{self, AgentRole, Confinement, ContextBeforeEdit, ReadingEnd};

use super::from_context;

fn worker(session: agents::TurnSession) -> AgentRole {
    AgentRole::Worker {
        session,
        allow: Vec::new(),
        readable: Vec::new(),
        confinement: Confinement::ByTool,
        tools: None,
    }
}

fn told(tokens: u64, window: u64) -> Option<ContextBeforeEdit> {
    Some(ContextBeforeEdit { tokens, window, until: ReadingEnd::Edit })
}

#[test]
fn only_a_context_that_began_with_nothing_but_its_prompt_starts_cold() {
    let id = || "s1".to_owned();
    let fresh = from_context(told(50_000, 200_000), &worker(agents::TurnSession::Fresh { id: id() }));
    assert_eq!(fresh.map(|one| one.used_bp), Some(2_500));
    assert_eq!(
        from_context(told(50_000, 200_000), &worker(agents::TurnSession::Continue { id: id() })),
        None
    );
}

#[test]
fn nothing_is_guessed_where_nothing_was_told() {
    let fresh = worker(agents::TurnSession::Fresh { id: "s1".to_owned() });
    assert_eq!(from_context(None, &fresh), None);
    assert_eq!(from_context(told(50_000, 0), &fresh), None);
    assert_eq!(from_context(told(u64::MAX, 1), &fresh).map(|one| one.used_bp), Some(u32::MAX));
}
