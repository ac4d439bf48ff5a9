//! The scripted model on the wire, as a client sees it that is none of the agents.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails; clippy only knows the test functions themselves"
)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use gulf_testkit::model::{Endpoint, ModelServer, Reply, Script, TrapProxy, Usage};
use serde_json::{Value, json};

/// Says these bytes, and reads until the other side has ended.
fn exchange(url: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    stream.write_all(bytes).unwrap();
    let mut answer = Vec::new();
    // A server that stops in the midst may reset the connection.
    drop(stream.read_to_end(&mut answer));
    String::from_utf8(answer).unwrap()
}

fn post(server: &ModelServer, path: &str, body: &Value) -> String {
    let body = body.to_string();
    let length = body.len();
    let head = format!("POST {path} HTTP/1.1\r\nHost: x\r\nX-Asked: yes\r\nContent-Length: {length}\r\n\r\n");
    exchange(&server.url(), format!("{head}{body}").as_bytes())
}

/// A model call of Claude Code, as far as the server looks.
fn ask(prompt: &str, tools: &[&str]) -> Value {
    let tools: Vec<Value> = tools.iter().map(|name| json!({"name": name})).collect();
    json!({"model": "m", "stream": true, "tools": tools, "messages": [{"role": "user", "content": prompt}]})
}

fn body(answer: &str) -> Value {
    let (_, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer:?}"));
    serde_json::from_str(body).unwrap()
}

fn events(answer: &str) -> Vec<Value> {
    answer
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

fn kinds(answer: &str) -> Vec<String> {
    events(answer).iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
}

/// What was said in the parts of a stream, put together.
fn said(answer: &str) -> String {
    let delta =
        |event: &Value| event["delta"]["text"].as_str().or(event["delta"].as_str()).map(str::to_owned);
    events(answer).iter().filter_map(delta).collect()
}

#[test]
fn a_messages_stream_has_every_event_in_its_order_and_the_long_text_whole() {
    let text = "가나다 \"quoted\"\n".repeat(100);
    let server = ModelServer::start(
        Script::new()
            .step(Reply::text(text.as_str()).and_tool("Write", json!({"a": 1})).usage(Usage::of(7, 3))),
    );
    let answer = post(&server, "/v1/messages?beta=true", &ask("hi", &["Write"]));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let mut kinds = kinds(&answer);
    kinds.dedup();
    let expected = [
        "message_start", "ping", "content_block_start", "content_block_delta", "content_block_stop",
        "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(said(&answer), text);
    let delta = events(&answer).into_iter().find(|event| event["type"] == "message_delta").unwrap();
    assert_eq!(
        (&delta["delta"]["stop_reason"], &delta["usage"]["input_tokens"]),
        (&json!("tool_use"), &json!(7))
    );
}

#[test]
fn without_a_stream_the_message_comes_whole() {
    let server = ModelServer::start(Script::new().step(Reply::text("once")));
    let mut asked = ask("hi", &["Read"]);
    asked["stream"] = json!(false);
    let message = body(&post(&server, "/v1/messages", &asked));
    assert_eq!(message["content"], json!([{"type": "text", "text": "once"}]));
    assert_eq!((&message["stop_reason"], &message["model"]), (&json!("end_turn"), &json!("m")));
}

#[test]
fn a_responses_stream_completes_with_its_items_and_its_usage() {
    let usage = Usage { input_tokens: 5, cache_read_tokens: 4, cache_write_tokens: 2, output_tokens: 1 };
    let server = ModelServer::start(Script::new().step(Reply::shell("ls").usage(usage)));
    let asked = json!({"model": "m", "stream": true, "input": [{"role": "user", "content": "hi"}]});
    let events = events(&post(&server, "/v1/responses", &asked));
    let done = &events.last().unwrap();
    assert_eq!(
        (&events[0]["type"], &done["type"]),
        (&json!("response.created"), &json!("response.completed"))
    );
    let call = &done["response"]["output"][0];
    assert_eq!((&call["name"], &call["arguments"]), (&json!("exec_command"), &json!("{\"cmd\":\"ls\"}")));
    assert_eq!(done["response"]["usage"]["input_tokens"], 11);
    assert_eq!(done["response"]["usage"]["input_tokens_details"]["cached_tokens"], 4);
    let numbers: Vec<_> = events.iter().map(|event| event["sequence_number"].as_u64().unwrap()).collect();
    assert!(numbers.is_sorted() && numbers.len() as u64 == numbers[numbers.len() - 1] + 1, "{numbers:?}");
}

#[test]
fn steps_are_given_once_and_in_turn_and_titles_use_none_up() {
    let server = ModelServer::start(
        Script::new().step(Reply::text("one")).step(Reply::text("two")).otherwise(Reply::text("more")),
    );
    let answer = |tools: &[&str]| said(&post(&server, "/v1/messages", &ask("hi", tools)));
    assert_eq!(answer(&["Bash"]), "one");
    assert!(answer(&[]).contains("title"));
    assert_eq!(answer(&["Bash"]), "two");
    assert_eq!((answer(&["Bash"]).as_str(), answer(&["Bash"]).as_str()), ("more", "more"));
    assert_eq!((server.requests().len(), server.model_calls().len()), (5, 4));
}

#[test]
fn a_conversation_is_answered_by_how_far_it_is_whoever_asked_between() {
    let server = ModelServer::start(
        Script::new()
            .conversation("\"work\"", [Reply::text("first"), Reply::text("second")])
            .when_request_contains("judge", Reply::text("judged")),
    );
    let answer = |request: &Value| said(&post(&server, "/v1/messages", request));
    let mut work = ask("the \"work\"", &["Bash"]);
    assert_eq!(answer(&work), "first");
    assert_eq!(answer(&ask("judge this", &["Bash"])), "judged");
    assert_eq!(answer(&work), "first", "sent again");
    for _ in 0..3 {
        let messages = work["messages"].as_array_mut().unwrap();
        messages.push(json!({"role": "assistant", "content": "…"}));
        messages.push(json!({"role": "user", "content": [
            {"type": "tool_result", "content": [{"type": "text", "text": "output"}]},
        ]}));
        assert_eq!(answer(&work), "second");
    }
    let last = server.requests().pop().unwrap();
    assert_eq!((last.answers_before(), last.tool_results()), (3, vec!["output".to_owned(); 3]));
    assert_eq!((last.header("x-asked"), last.endpoint), (Some("yes"), Endpoint::Messages));
}

#[test]
fn calls_of_codex_without_a_user_between_are_one_answer() {
    let server = ModelServer::start(Script::new());
    let call = json!({"type": "function_call", "call_id": "1", "name": "exec_command", "arguments": "{}"});
    let output = json!({"type": "function_call_output", "call_id": "1", "output": "made"});
    let words = json!({"type": "message", "role": "assistant", "content": []});
    let asked =
        json!({"input": [{"role": "user"}, words, call, call, output, output, words, {"role": "user"}]});
    post(&server, "/v1/responses", &asked);
    let request = server.wait_for(|request| request.is_model_call());
    assert_eq!((request.answers_before(), request.tool_results()), (2, vec!["made".to_owned(); 2]));
}

#[test]
fn a_function_answers_by_what_it_is_shown() {
    let mut calls = 0;
    let server = ModelServer::start(Script::answer(move |request| {
        calls += 1;
        if request.contains("schema") {
            Reply::structured(json!({"calls": calls}))
        } else {
            Reply::text("plain")
        }
    }));
    let answer = |prompt: &str, tool: &str| post(&server, "/v1/messages", &ask(prompt, &[tool]));
    assert_eq!(said(&answer("hi", "Bash")), "plain");
    assert_eq!(said(&answer("a schema", "Bash")), "{\"calls\":2}");
    assert!(answer("a schema", "StructuredOutput").contains("\\\"calls\\\":3"));
}

#[test]
fn a_refusal_has_its_status_its_headers_and_its_fields_in_either_protocol() {
    let refusal = Reply::status(429).header("retry-after", "9").error_field("resets_at", json!(5));
    let server = ModelServer::start(Script::new().otherwise(refusal));
    for path in ["/v1/messages", "/v1/responses"] {
        let answer = post(&server, path, &ask("hi", &["Bash"]));
        assert!(answer.starts_with("HTTP/1.1 429 ") && answer.contains("\r\nretry-after: 9\r\n"), "{answer}");
        let error = &body(&answer)["error"];
        assert_eq!((&error["type"], &error["resets_at"]), (&json!("rate_limit_error"), &json!(5)));
    }
}

#[test]
fn an_error_in_the_midst_ends_the_stream_without_a_good_end() {
    let server = ModelServer::start(Script::new().otherwise(Reply::stream_error("overloaded_error", "full")));
    let messages = kinds(&post(&server, "/v1/messages", &ask("hi", &["Bash"])));
    assert_eq!(messages.last().unwrap(), "error");
    assert!(!messages.contains(&"message_stop".to_owned()));
    let responses = kinds(&post(&server, "/v1/responses", &ask("hi", &["Bash"])));
    assert_eq!(responses.last().unwrap(), "response.failed");
}

#[test]
fn a_dropped_connection_says_nothing_and_a_hang_ends_with_the_server() {
    let server = ModelServer::start(Script::new().step(Reply::drop_connection()).step(Reply::hang()));
    assert_eq!(post(&server, "/v1/messages", &ask("hi", &["Bash"])), "");
    let url = server.url();
    let waiting = thread::spawn(move || {
        exchange(&url, b"POST /v1/messages HTTP/1.1\r\ncontent-length: 34\r\n\r\n{\"stream\":true,\"tools\":[{\"name\":1}]}"[..].as_ref())
    });
    server.wait_for(|request| request.number == 2);
    drop(server);
    assert!(!kinds(&waiting.join().unwrap()).contains(&"message_stop".to_owned()));
}

#[test]
fn a_held_answer_waits_for_its_release_and_never_for_a_dropped_server() {
    let server = ModelServer::start(Script::new().otherwise(Reply::text("now").held()));
    server.release();
    assert_eq!(said(&post(&server, "/v1/messages", &ask("hi", &["Bash"]))), "now");
    thread::scope(|scope| {
        let held = scope.spawn(|| said(&post(&server, "/v1/messages", &ask("again", &["Bash"]))));
        server.wait_for(|request| request.contains("again"));
        assert!(!held.is_finished());
        server.release();
        assert_eq!(held.join().unwrap(), "now");
    });
}

#[test]
fn a_chunked_body_is_read_whole() {
    let server = ModelServer::start(Script::new());
    let request = b"POST /v1/messages/count_tokens HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\
        5\r\n{\"sys\r\na;x=y\r\ntem\":\"abc\"\r\n1\r\n}\r\n0\r\nTrailer: x\r\n\r\n";
    assert_eq!(body(&exchange(&server.url(), request)), json!({"input_tokens": 1}));
    assert_eq!(server.requests()[0].body, json!({"system": "abc"}));
}

#[test]
fn what_is_no_request_is_survived_and_what_is_unknown_is_refused_and_noted() {
    let server = ModelServer::start(Script::new());
    assert_eq!(exchange(&server.url(), b"\x16\x03\x01 not http\r\n\r\n"), "");
    let too_long = b"POST /v1/messages HTTP/1.1\r\ncontent-length: 999999999\r\n\r\n";
    assert_eq!(exchange(&server.url(), too_long), "");
    let greeting = exchange(&server.url(), b"HEAD / HTTP/1.1\r\n\r\n");
    assert!(greeting.starts_with("HTTP/1.1 200") && greeting.ends_with("\r\n\r\n"), "{greeting}");
    assert!(post(&server, "/v1/messages", &json!("no object")).starts_with("HTTP/1.1 400"));
    assert!(post(&server, "/v1/files", &json!({})).starts_with("HTTP/1.1 404"));
    let endpoints: Vec<_> = server.requests().iter().map(|request| request.endpoint).collect();
    assert_eq!(endpoints, [Endpoint::Greeting, Endpoint::Messages, Endpoint::Unknown]);
}

#[test]
fn a_failed_assertion_in_a_function_fails_the_test_when_the_server_is_dropped() {
    let server = ModelServer::start(Script::answer(|request| panic!("not expected: {}", request.path)));
    assert_eq!(post(&server, "/v1/messages", &ask("hi", &["Bash"])), "");
    let outcome = catch_unwind(AssertUnwindSafe(|| drop(server)));
    let message = outcome.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(*message, "not expected: /v1/messages");
}

#[test]
fn the_trap_refuses_and_remembers_everything() {
    let trap = TrapProxy::start();
    trap.assert_unused();
    for request in ["CONNECT example.com:443 HTTP/1.1\r\n\r\n", "GET http://example.com/ HTTP/1.1\r\n\r\n"] {
        assert!(exchange(&trap.url(), request.as_bytes()).starts_with("HTTP/1.1 403"));
    }
    assert_eq!(trap.requests(), ["CONNECT example.com:443", "GET http://example.com/"]);
    assert!(catch_unwind(AssertUnwindSafe(|| trap.assert_unused())).is_err());
}
