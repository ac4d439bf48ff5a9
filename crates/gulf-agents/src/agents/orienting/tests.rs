//! What counts as read before the first edit.

use super::OrientationReader;
use crate::agents::{AgentEvent, ContextBeforeEdit, ContextUse, ReadingEnd, ToolCall};

const WINDOW: u64 = 200_000;

/// So many tokens were sent to the model.
fn sent(tokens: u64) -> AgentEvent {
    AgentEvent::Measured(ContextUse { tokens, window: Some(WINDOW) })
}

fn calls(tool: &str) -> AgentEvent {
    AgentEvent::Called(ToolCall { tool: tool.to_owned(), what: String::new() })
}

fn told(events: &[AgentEvent]) -> Option<ContextBeforeEdit> {
    let mut orienting = OrientationReader::default();
    for event in events {
        if let AgentEvent::Measured(context) = event {
            orienting.measure(*context);
        } else if let AgentEvent::Called(call) = event {
            orienting.call(&call.tool);
        } else {
            panic!("{event:?}");
        }
    }
    orienting.context_before_edit()
}

fn until_edit(tokens: u64) -> Option<ContextBeforeEdit> {
    Some(ContextBeforeEdit { tokens, window: WINDOW, until: ReadingEnd::Edit })
}

#[test]
fn what_came_between_the_first_call_of_the_model_and_the_first_edit_was_read() {
    let reads = [sent(30_000), calls("Read"), sent(50_000), calls("Bash"), sent(80_000), calls("Edit")];
    assert_eq!(told(&reads), until_edit(50_000));
    let goes_on = [&reads[..], &[sent(150_000), calls("Write")]].concat();
    assert_eq!(told(&goes_on), until_edit(50_000), "what is read after the first edit is work");
}

#[test]
fn a_full_context_that_was_edited_from_at_once_is_no_reading() {
    assert_eq!(told(&[sent(120_000), calls("Edit"), sent(190_000)]), until_edit(0));
    // Copilot CLI says so after its tool's end.
    assert_eq!(told(&[calls("create"), sent(12_000)]), until_edit(0));
}

#[test]
fn a_context_that_was_compacted_was_full_before() {
    assert_eq!(told(&[sent(20_000), sent(160_000), sent(25_000), calls("write")]), until_edit(140_000));
}

#[test]
fn a_list_of_what_is_to_be_done_is_no_edit() {
    let planned = told(&[sent(20_000), calls("TodoWrite"), sent(50_000), calls("write_todos")]);
    assert_eq!(planned, Some(ContextBeforeEdit { tokens: 30_000, window: WINDOW, until: ReadingEnd::Turn }));
}

#[test]
fn who_does_not_tell_how_full_the_context_is_cannot_be_measured() {
    assert_eq!(told(&[calls("Read"), calls("Edit")]), None);
    let boundless = AgentEvent::Measured(ContextUse { tokens: 90_000, window: None });
    assert_eq!(told(&[boundless, calls("edit")]), None);
}
