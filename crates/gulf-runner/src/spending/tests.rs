//! What an agent tells of its spending elsewhere than in its stream.

use camino::Utf8Path;
use gulf_agents::agents::{self, Outcome, SumSpan, TurnReport, Usage};
use gulf_testkit::{Sample, Sandbox};

use super::Account;

fn report() -> TurnReport {
    TurnReport {
        outcome: Outcome::Completed,
        final_message: String::new(),
        session: None,
        model: None,
        tool_calls: 0,
        denials: Vec::new(),
        cut_off: Vec::new(),
        spent: None,
        context: None,
        orientation: None,
        structured: None,
    }
}

/// A turn of Copilot CLI, after which its session had used so many tokens; `None` where it was killed.
fn turn(beside: &Utf8Path, sum: Option<u64>) -> Option<Usage> {
    let account = Account::open(agents::Tool::Copilot, beside.as_str()).expect("it can be taken away");
    if let Some(sum) = sum {
        let text = format!(r#"{{"modelMetrics": {{"gpt-5.5": {{"usage": {{"inputTokens": {sum}}}}}}}}}"#);
        std::fs::write(format!("{beside}-usage.json"), text).expect("written");
    }
    let spent = account.close(report(), None).spent?;
    assert_eq!(spent.span, SumSpan::Turn);
    Some(spent.usage)
}

#[test]
fn a_turn_of_copilot_used_what_its_session_used_since_the_turn_before() {
    let sandbox = Sandbox::with(&Sample::shell());
    let beside = sandbox.path("a folder 한글");
    let used = |tokens| Some(Usage { input_tokens: tokens, ..Usage::default() });
    assert_eq!(turn(&beside, Some(100)), used(100));
    assert_eq!(turn(&beside, Some(350)), used(250));
    // Killed before it wrote: what it used is not known, and what is known of the session begins anew.
    assert_eq!(turn(&beside, None), None);
    assert_eq!(turn(&beside, Some(500)), used(500));
}
