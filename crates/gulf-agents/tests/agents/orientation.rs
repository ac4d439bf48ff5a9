//! What the agents' own lines tell of how much was read before the first edit (SPEC G24).

use gulf_agents::agents::codex::rollout;
use gulf_agents::agents::{ContextBeforeEdit, ProcessEnd, ReadingEnd, Tool};

use crate::{report, sample};

const OK: ProcessEnd = ProcessEnd::Exited(0);

/// Tokens, and where reading was over.
fn told(orientation: Option<ContextBeforeEdit>) -> Option<(u64, ReadingEnd)> {
    orientation.map(|one| (one.tokens, one.until))
}

// proves: G24/cold-start-bloat
#[test]
fn three_agents_tell_how_much_they_read_before_their_first_edit() {
    assert_eq!(told(report(Tool::Claude, "tools", OK).orientation), Some((0, ReadingEnd::Edit)));
    assert_eq!(told(report(Tool::Copilot, "tools", OK).orientation), Some((205, ReadingEnd::Edit)));
    let codex = |name: &str| rollout(&sample(Tool::Codex, &format!("{name}.rollout.jsonl"))).orientation;
    assert_eq!(told(codex("edits")), Some((0, ReadingEnd::Edit)));
    // It changed its files by commands.
    assert_eq!(told(codex("worker")), Some((1_400, ReadingEnd::Turn)));
}

// proves: G24/cold-start-bloat
#[test]
fn of_those_that_do_not_tell_nothing_is_guessed() {
    for tool in [Tool::OpenCode, Tool::Gemini] {
        assert_eq!(report(tool, "tools", OK).orientation, None, "{tool:?}");
    }
    assert_eq!(report(Tool::Codex, "edits", OK).orientation, None, "its stream says nothing of the context");
}
