//! What a hook said, in the form its host understands, and what that means: go on, stop, or answer the person.
//!
//! The form differs from host to host and the meaning must not (CONTRACT, "short reason").

use std::fs;

use camino::Utf8Path;
use gulf_testkit::Finished;
use serde_json::Value;

use super::harness::Host;

/// Above this, Claude Code puts a text into a file of its own and shows the beginning.
const REASON_CHARACTERS_MAX: usize = 10_000;

/// The file that a short reason names.
const BRIEF_FILE: &str = ".gulf/brief.md";

/// What one call of the hook came to.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) finished: Finished,
    host: Host,
    answer: Option<Value>,
    brief: String,
}

impl Outcome {
    /// Every call ends with exit 0, and prints nothing or exactly one JSON object.
    #[track_caller]
    pub(crate) fn of(host: Host, finished: Finished, project: &Utf8Path) -> Outcome {
        let finished = finished.expect_exit(0).does_not_panic();
        let printed = finished.stdout.trim();
        let answer = (!printed.is_empty()).then(|| match serde_json::from_str(printed) {
            Ok(answer @ Value::Object(_)) => answer,
            other => panic!("not one JSON object: {other:?} of {finished:#?}"),
        });
        let brief = fs::read_to_string(project.join(BRIEF_FILE)).unwrap_or_default();
        Outcome { finished, host, answer, brief }
    }

    /// The session goes on; the reason and the file that it names, together.
    #[track_caller]
    pub(crate) fn continues(&self) -> String {
        format!("{}\n{}", self.reason(), self.brief)
    }

    /// The session goes on; what the model gets at once.
    #[track_caller]
    pub(crate) fn reason(&self) -> &str {
        let answer = self.answer.as_ref().unwrap_or_else(|| panic!("it lets the session stop: {self:#?}"));
        let (reason, keys) = match self.host {
            Host::Claude => {
                let specific = &answer["hookSpecificOutput"];
                assert_eq!(specific["hookEventName"], "Stop", "{self:#?}");
                (&specific["additionalContext"], ["hookSpecificOutput", "systemMessage"].as_slice())
            }
            Host::Plain | Host::Codex => {
                assert_eq!(answer["decision"], "block", "{self:#?}");
                (&answer["reason"], ["decision", "reason", "systemMessage"].as_slice())
            }
        };
        let unknown: Vec<_> =
            answer.as_object().unwrap().keys().filter(|key| !keys.contains(&key.as_str())).collect();
        assert!(unknown.is_empty(), "{:?} refuses {unknown:?}: {self:#?}", self.host);
        let reason = reason.as_str().unwrap_or_default();
        assert!(!reason.trim().is_empty(), "no reason: {self:#?}");
        assert!(reason.chars().count() <= REASON_CHARACTERS_MAX, "too long a reason: {self:#?}");
        reason
    }

    /// What the person is told besides.
    pub(crate) fn note(&self) -> &str {
        self.answer.as_ref().and_then(|answer| answer["systemMessage"].as_str()).unwrap_or_default()
    }

    /// What the file said when this was answered.
    pub(crate) fn brief(&self) -> &str {
        &self.brief
    }

    /// The session stops.
    #[track_caller]
    pub(crate) fn lets_stop(&self) -> &Outcome {
        let keys: Vec<_> = self.answer.iter().flat_map(|answer| answer.as_object().unwrap().keys()).collect();
        match self.host {
            Host::Plain => assert!(keys.is_empty(), "something on stdout: {self:#?}"),
            Host::Claude | Host::Codex => {
                assert!(keys.iter().all(|key| *key == "systemMessage"), "it does not let it stop: {self:#?}");
            }
        }
        self
    }

    /// The session stops, and nobody is told anything: the stop was not ours.
    #[track_caller]
    pub(crate) fn is_untouched(&self) {
        assert!(self.answer.is_none() && self.finished.stderr.is_empty(), "not untouched: {self:#?}");
    }

    /// The prompt never reaches the model; what the person reads instead.
    #[track_caller]
    pub(crate) fn refuses_prompt(&self) -> &str {
        let answer = self.answer.as_ref().unwrap_or_else(|| panic!("the prompt passes: {self:#?}"));
        assert_eq!(answer["decision"], "block", "the prompt passes: {self:#?}");
        answer["reason"].as_str().unwrap()
    }

    /// The prompt reaches the model together with this, and with the brief that it names.
    #[track_caller]
    pub(crate) fn adds_to_prompt(&self) -> String {
        let answer = self.answer.as_ref().unwrap_or_else(|| panic!("nothing is added: {self:#?}"));
        let specific = &answer["hookSpecificOutput"];
        assert_eq!(specific["hookEventName"], "UserPromptSubmit", "{self:#?}");
        assert!(answer["decision"].is_null(), "{self:#?}");
        let context = specific["additionalContext"].as_str().unwrap_or_default();
        assert!(!context.trim().is_empty(), "nothing is added: {self:#?}");
        format!("{context}\n{}", self.brief)
    }

    /// The tool is not run; why.
    #[track_caller]
    pub(crate) fn denies(&self) -> &str {
        let answer = self.answer.as_ref().unwrap_or_else(|| panic!("the tool runs: {self:#?}"));
        let specific = &answer["hookSpecificOutput"];
        assert_eq!(specific["hookEventName"], "PreToolUse", "{self:#?}");
        assert_eq!(specific["permissionDecision"], "deny", "{self:#?}");
        specific["permissionDecisionReason"].as_str().unwrap()
    }

    /// The tool runs as it would have without gulf.
    #[track_caller]
    pub(crate) fn allows(&self) {
        assert!(self.answer.is_none(), "the tool does not simply run: {self:#?}");
    }

    /// Somebody, model or person, is told this, in whatever case; wording may be better than the original's.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Outcome {
        let told = self.told();
        assert!(told.to_lowercase().contains(&text.to_lowercase()), "it does not say {text:?}: {self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn does_not_say(&self, text: &str) -> &Outcome {
        let told = self.told();
        assert!(!told.to_lowercase().contains(&text.to_lowercase()), "it says {text:?}: {self:#?}");
        self
    }

    /// Which iteration of how many, however that is written.
    #[track_caller]
    pub(crate) fn counts(&self, iteration: u32, limit: u32) -> &Outcome {
        let told = self.told().to_lowercase();
        let forms = [
            format!("{iteration}/{limit}"),
            format!("{iteration} / {limit}"),
            format!("{iteration} of {limit}"),
            format!("{iteration} of at most {limit}"),
        ];
        assert!(forms.iter().any(|form| told.contains(form)), "not {forms:?}: {self:#?}");
        self
    }

    /// A failure that nobody can take for a finished loop: the session goes on, or it is said aloud why it does not.
    #[track_caller]
    pub(crate) fn is_no_silence(&self) -> &Outcome {
        assert!(!self.told().trim().is_empty(), "it lets the session stop without a word: {self:#?}");
        self
    }

    fn told(&self) -> String {
        let mut told = vec![self.finished.stderr.clone()];
        if let Some(answer) = &self.answer {
            collect(answer, &mut told);
            // What the model is told names the file that holds the rest.
            if answer.to_string().contains(BRIEF_FILE) {
                told.push(self.brief.clone());
            }
        }
        told.join("\n")
    }
}

/// Every text in a JSON value.
fn collect(value: &Value, told: &mut Vec<String>) {
    match value {
        Value::String(text) => told.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| collect(value, told)),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, told)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
