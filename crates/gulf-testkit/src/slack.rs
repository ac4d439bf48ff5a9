//! Slack's Web API on loopback, as its documentation has it: conversations with threads and pages, tokens, rate limits.
//!
//! Source: <https://docs.slack.dev/reference/methods>. A question to a person is tested against what Slack does, and
//! none of it can be asked of Slack: a lost answer, a revoked token, a message delivered twice.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::model::http;
use crate::model::listener::Listener;

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(180);
/// The bot's own user.
const BOT: &str = "U0BOT";

/// A workspace with one app in it. Gone when dropped.
#[derive(Debug)]
pub struct SlackServer {
    state: Arc<State>,
    listener: Listener,
}

/// One call that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlackCall {
    /// `chat.postMessage`
    pub method: String,
    pub arguments: BTreeMap<String, String>,
}

/// What goes wrong with one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// 429, with so many seconds in `Retry-After`.
    RateLimited(u64),
    /// `{"ok": false, "error": …}`
    Error(&'static str),
    /// A proxy's page, with status 200.
    Html,
    /// So many bytes.
    Huge(usize),
    /// The call is obeyed, and the connection is lost before the answer.
    LostAnswer,
}

#[derive(Debug)]
struct State {
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Debug)]
struct Inner {
    token: String,
    revoked: bool,
    /// By conversation.
    messages: BTreeMap<String, Vec<Message>>,
    calls: Vec<SlackCall>,
    faults: VecDeque<(&'static str, Fault)>,
    /// What is said in the thread of the next questions, by whom.
    answers: VecDeque<(String, String)>,
    page: usize,
    deliveries: usize,
    count: u32,
}

#[derive(Clone, Debug)]
struct Message {
    thread: Option<String>,
    fields: Value,
    metadata: Value,
}

impl SlackServer {
    /// With the channel `C01`, and a direct conversation with every user.
    pub fn start(token: &str) -> SlackServer {
        let inner = Inner {
            token: token.to_owned(),
            revoked: false,
            messages: BTreeMap::from([("C01".to_owned(), Vec::new())]),
            calls: Vec::new(),
            faults: VecDeque::new(),
            answers: VecDeque::new(),
            page: 100,
            deliveries: 1,
            count: 0,
        };
        let state = Arc::new(State { inner: Mutex::new(inner), changed: Condvar::new() });
        let serving = Arc::clone(&state);
        // A client that was killed in the midst of its answer is what tests do.
        SlackServer { state, listener: Listener::start(move |stream| drop(serving.serve(stream))) }
    }

    /// The value of `notify.slack_url`.
    pub fn url(&self) -> String {
        format!("{}/api", self.listener.url())
    }

    /// Somebody says this in the thread of the next message that is posted into a conversation.
    pub fn will_answer(&self, user: &str, text: &str) {
        self.state.lock().answers.push_back((user.to_owned(), text.to_owned()));
    }

    /// Somebody says this in the thread of the last message of the bot's in a conversation.
    #[track_caller]
    pub fn say(&self, user: &str, text: &str) -> String {
        self.say_with(json!({ "user": user, "text": text }))
    }

    /// The same with fields of Slack's: `edited`, `subtype`, `bot_id`.
    #[track_caller]
    pub fn say_with(&self, fields: Value) -> String {
        let mut inner = self.state.lock();
        let (conversation, root) = inner.last_root().expect("nothing was posted");
        let ts = inner.add(&conversation, Some(root), fields, Value::Null);
        self.state.changed.notify_all();
        ts
    }

    /// The next call of this method goes wrong; several are kept in order.
    pub fn fail(&self, method: &'static str, fault: Fault) {
        self.state.lock().faults.push_back((method, fault));
    }

    pub fn revoke(&self) {
        self.state.lock().revoked = true;
    }

    /// So many messages a page, and each of them so often.
    pub fn pages(&self, messages: usize, deliveries: usize) {
        let mut inner = self.state.lock();
        (inner.page, inner.deliveries) = (messages, deliveries);
    }

    /// Texts that the bot posted into conversations, threads left out.
    pub fn posts(&self) -> Vec<String> {
        self.texts(|message| message.thread.is_none())
    }

    /// Texts that the bot posted into threads.
    pub fn replies(&self) -> Vec<String> {
        self.texts(|message| message.thread.is_some())
    }

    pub fn calls(&self) -> Vec<SlackCall> {
        self.state.lock().calls.clone()
    }

    /// Waits until so many calls of this method were made.
    #[track_caller]
    pub fn wait_for(&self, method: &str, count: usize) {
        let made = |inner: &Inner| inner.calls.iter().filter(|call| call.method == method).count();
        let inner = self.state.lock();
        let waited = self.state.changed.wait_timeout_while(inner, PATIENCE, |inner| made(inner) < count);
        let (inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(made(&inner) >= count, "{method} was called {} times only: {:?}", made(&inner), inner.calls);
    }

    fn texts(&self, is_meant: impl Fn(&Message) -> bool) -> Vec<String> {
        let inner = self.state.lock();
        let own = inner.messages.values().flatten().filter(|message| message.fields["user"] == BOT);
        let texts = own.filter(|message| is_meant(message)).map(|message| message.fields["text"].as_str());
        texts.map(|text| text.unwrap_or_default().to_owned()).collect()
    }
}

impl State {
    /// What a failed assertion left behind is still true.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        let Some(received) = http::read(stream)? else { return Ok(()) };
        let method = received.path.trim_start_matches("/api/").to_owned();
        let json = |body: &Value| http::send_json(stream, "POST", 200, &[], body);
        let (answer, fault) = {
            let mut inner = self.lock();
            inner.calls.push(SlackCall { method: method.clone(), arguments: arguments(&received) });
            let position = inner.faults.iter().position(|(of, _)| *of == method);
            let fault = position.and_then(|position| inner.faults.remove(position)).map(|(_, fault)| fault);
            let answer = match &fault {
                None | Some(Fault::LostAnswer) => inner.answer(&method, &received),
                Some(_) => Value::Null,
            };
            self.changed.notify_all();
            (answer, fault)
        };
        match fault {
            None => json(&answer),
            Some(Fault::LostAnswer) => Ok(()),
            Some(Fault::Error(error)) => json(&json!({ "ok": false, "error": error })),
            Some(Fault::RateLimited(seconds)) => {
                let headers = [("retry-after".to_owned(), seconds.to_string())];
                http::send_json(
                    stream,
                    "POST",
                    429,
                    &headers,
                    &json!({ "ok": false, "error": "ratelimited" }),
                )
            }
            Some(Fault::Html) => {
                http::send(stream, 200, "text/html", &[], "<html>Sign in to the network</html>")
            }
            Some(Fault::Huge(bytes)) => http::send(stream, 200, "application/json", &[], &" ".repeat(bytes)),
        }
    }
}

impl Inner {
    fn answer(&mut self, method: &str, received: &http::Received) -> Value {
        let refused = |error: &str| json!({ "ok": false, "error": error });
        if received.header("authorization") != Some(format!("Bearer {}", self.token).as_str()) {
            return refused("invalid_auth");
        }
        if self.revoked {
            return refused("token_revoked");
        }
        let arguments = arguments(received);
        match method {
            "auth.test" => json!({ "ok": true, "team": "Workspace", "user": "gulf", "user_id": BOT }),
            "conversations.open" => json!({ "ok": true, "channel": { "id": direct(&arguments["users"]) } }),
            "chat.postMessage" => self.post(&serde_json::from_slice(&received.body).unwrap_or_default()),
            "conversations.history" => {
                let oldest = arguments.get("oldest").cloned().unwrap_or_default();
                let fits = |message: &Message| message.thread.is_none() && message.ts() > oldest.as_str();
                self.listed(&arguments, fits, Order::NewestFirst)
            }
            "conversations.replies" => {
                let root = arguments["ts"].clone();
                if self
                    .messages
                    .get(&arguments["channel"])
                    .is_none_or(|all| all.iter().all(|one| one.ts() != root))
                {
                    return refused("thread_not_found");
                }
                let fits =
                    |message: &Message| message.ts() == root || message.thread.as_deref() == Some(&root);
                self.listed(&arguments, fits, Order::OldestFirst)
            }
            _ => refused("unknown_method"),
        }
    }

    fn post(&mut self, body: &Value) -> Value {
        let named = body["channel"].as_str().unwrap_or_default();
        let conversation = if named.starts_with('U') { direct(named) } else { named.to_owned() };
        if !self.messages.contains_key(&conversation) && !named.starts_with('U') {
            return json!({ "ok": false, "error": "channel_not_found" });
        }
        let thread = body["thread_ts"].as_str().map(str::to_owned);
        let is_root = thread.is_none();
        let fields = json!({ "user": BOT, "bot_id": "B01", "text": body["text"] });
        let ts = self.add(&conversation, thread, fields, body["metadata"].clone());
        if is_root && let Some((user, text)) = self.answers.pop_front() {
            self.add(&conversation, Some(ts.clone()), json!({ "user": user, "text": text }), Value::Null);
        }
        json!({ "ok": true, "channel": conversation, "ts": ts })
    }

    fn add(
        &mut self,
        conversation: &str,
        thread: Option<String>,
        mut fields: Value,
        metadata: Value,
    ) -> String {
        self.count += 1;
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let ts = format!("{seconds}.{:06}", self.count);
        if let Some(fields) = fields.as_object_mut() {
            fields.insert("ts".to_owned(), ts.clone().into());
            fields.insert("type".to_owned(), "message".into());
        }
        self.messages.entry(conversation.to_owned()).or_default().push(Message { thread, fields, metadata });
        ts
    }

    fn listed(
        &self,
        arguments: &BTreeMap<String, String>,
        fits: impl Fn(&Message) -> bool,
        order: Order,
    ) -> Value {
        let Some(all) = self.messages.get(&arguments["channel"]) else {
            return json!({ "ok": false, "error": "channel_not_found" });
        };
        let with_metadata = arguments.get("include_all_metadata").is_some_and(|value| value == "true");
        let mut found: Vec<Value> = all
            .iter()
            .filter(|message| fits(message))
            .flat_map(|message| std::iter::repeat_n(message.shown(with_metadata), self.deliveries))
            .collect();
        if order == Order::NewestFirst {
            found.reverse();
        }
        let from: usize = arguments.get("cursor").map_or(0, |cursor| cursor.parse().unwrap());
        let until = (from + self.page).min(found.len());
        let next = if until < found.len() { until.to_string() } else { String::new() };
        json!({
            "ok": true,
            "messages": found[from.min(until)..until],
            "has_more": !next.is_empty(),
            "response_metadata": { "next_cursor": next },
        })
    }

    fn last_root(&self) -> Option<(String, String)> {
        let roots = self.messages.iter().flat_map(|(conversation, all)| {
            all.iter()
                .filter(|one| one.thread.is_none())
                .map(move |one| (conversation.clone(), one.ts().to_owned()))
        });
        roots.max_by(|one, other| one.1.cmp(&other.1))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    OldestFirst,
    NewestFirst,
}

impl Message {
    fn ts(&self) -> &str {
        self.fields["ts"].as_str().unwrap_or_default()
    }

    fn shown(&self, with_metadata: bool) -> Value {
        let mut fields = self.fields.clone();
        if let Some(fields) = fields.as_object_mut() {
            if let Some(thread) = &self.thread {
                fields.insert("thread_ts".to_owned(), thread.clone().into());
            }
            if with_metadata && !self.metadata.is_null() {
                fields.insert("metadata".to_owned(), self.metadata.clone());
            }
        }
        fields
    }
}

/// A user's direct conversation with the bot.
fn direct(user: &str) -> String {
    user.replacen('U', "D", 1)
}

/// Of a form, or the plain ones of a JSON body.
fn arguments(received: &http::Received) -> BTreeMap<String, String> {
    let body = String::from_utf8_lossy(&received.body);
    if received.header("content-type").is_some_and(|content| content.starts_with("application/json")) {
        let document: Value = serde_json::from_str(&body).unwrap_or_default();
        let pairs = document.as_object().into_iter().flatten();
        return pairs
            .map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()))
            .collect();
    }
    let pairs = body.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), decoded(value))).collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || char::from(rest.next().unwrap_or(b'0')).to_digit(16).unwrap_or(0);
        bytes.push(if byte == b'%' { u8::try_from(digit() * 16 + digit()).unwrap_or(0) } else { byte });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
