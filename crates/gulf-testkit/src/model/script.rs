//! Which answer which request gets: by what it contains, in turn, or by a function of the test.

use std::collections::VecDeque;
use std::fmt;

use serde_json::json;

use super::reply::{Reply, Usage};
use super::request::Request;

/// What the model answers. The first that applies: a loop's last words, rules, the aside, steps, the rest.
pub struct Script {
    rules: Vec<Rule>,
    aside: Reply,
    steps: VecDeque<Reply>,
    rest: Box<dyn FnMut(&Request) -> Reply + Send>,
    usage: Usage,
}

/// Requests that contain the text, and how their answers are chosen.
#[derive(Debug)]
struct Rule {
    text: String,
    replies: Vec<Reply>,
    count: Count,
}

/// What the answers of a rule are numbered by; the last one is given ever after.
#[derive(Debug)]
enum Count {
    /// Answers of the model since it was told the text.
    Answers,
    /// Conversations that began with the text, this one included.
    Conversations(usize),
}

impl Script {
    /// Says "Done." to everything.
    pub fn new() -> Script {
        Script {
            rules: Vec::new(),
            aside: Reply::text(json!({"title": "A title"}).to_string()),
            steps: VecDeque::new(),
            rest: Box::new(|_| Reply::text("Done.")),
            usage: Usage::default(),
        }
    }

    /// Answers by a function, for worker and judge at one server: each is known by what its request contains.
    pub fn answer(function: impl FnMut(&Request) -> Reply + Send + 'static) -> Script {
        Script::new().otherwise_answer(function)
    }

    /// The next answer, given once.
    pub fn step(mut self, reply: Reply) -> Script {
        self.steps.push_back(reply);
        self
    }

    /// Whatever was answered before, requests that contain this text get this answer.
    pub fn when_request_contains(self, text: &str, reply: Reply) -> Script {
        self.conversation(text, [reply])
    }

    /// In every conversation that contains this text, and from there on: the first answer, the second … and the last
    /// one ever after. A request that is sent again gets the same answer again; a fresh context begins at the first.
    pub fn conversation(self, text: &str, replies: impl IntoIterator<Item = Reply>) -> Script {
        self.rule(text, replies, Count::Answers)
    }

    /// The first conversation that contains this text gets the first answer, the next one the second …
    pub fn each_conversation(self, text: &str, replies: impl IntoIterator<Item = Reply>) -> Script {
        self.rule(text, replies, Count::Conversations(0))
    }

    /// The answer when no step is left.
    pub fn otherwise(self, reply: Reply) -> Script {
        self.otherwise_answer(move |_| reply.clone())
    }

    /// The function that answers when no step is left.
    pub fn otherwise_answer(mut self, function: impl FnMut(&Request) -> Reply + Send + 'static) -> Script {
        self.rest = Box::new(function);
        self
    }

    /// The answer to requests without tools, as for a title; they use up no step.
    pub fn aside(mut self, reply: Reply) -> Script {
        self.aside = reply;
        self
    }

    /// What every answer costs that does not say otherwise.
    pub fn usage(mut self, usage: Usage) -> Script {
        self.usage = usage;
        self
    }

    fn rule(mut self, text: &str, replies: impl IntoIterator<Item = Reply>, count: Count) -> Script {
        let replies: Vec<Reply> = replies.into_iter().collect();
        assert!(!replies.is_empty(), "a conversation on {text:?} without answers");
        self.rules.push(Rule { text: text.to_owned(), replies, count });
        self
    }

    pub(super) fn reply_to(&mut self, request: &Request) -> Reply {
        let mut reply = self.choose(request);
        reply.usage.get_or_insert(self.usage);
        reply
    }

    fn choose(&mut self, request: &Request) -> Reply {
        // Any model does as it is told here; no step of a test is about it.
        if let Some(line) = request.last_words() {
            return Reply::text(&line);
        }
        let text = request.text();
        if let Some(rule) = self.rules.iter_mut().find(|rule| text.contains(&rule.text)) {
            return rule.answer(request);
        }
        if request.is_aside() {
            return self.aside.clone();
        }
        self.steps.pop_front().unwrap_or_else(|| (self.rest)(request))
    }
}

impl Rule {
    fn answer(&mut self, request: &Request) -> Reply {
        let number = match &mut self.count {
            Count::Answers => request.answers_since(&self.text),
            Count::Conversations(count) => {
                *count += usize::from(request.answers_before() == 0);
                count.saturating_sub(1)
            }
        };
        self.replies[number.min(self.replies.len() - 1)].clone()
    }
}

impl Default for Script {
    fn default() -> Script {
        Script::new()
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Script { rules, aside, steps, rest: _, usage } = self;
        let mut shown = formatter.debug_struct("Script");
        shown.field("rules", rules).field("aside", aside).field("steps", steps).field("usage", usage);
        shown.finish_non_exhaustive()
    }
}
