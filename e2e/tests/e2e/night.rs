//! A night of loops that end differently, watched through all three faces: none of them says what the model does not.

use gulf_testkit::{FakeAgent, Key, Sample, Sandbox, Size, Step, Terminal};
use serde_json::Value;

use crate::web::{Site, next};
use crate::{exit, mend, run, run_right};

const SIZE: Size = Size { rows: 40, columns: 120 };

/// What the model says of one loop.
struct Facts {
    id: String,
    handle: String,
    standing: String,
    iterations: String,
    /// What is proven, what is not, and what it asks.
    sentences: Vec<String>,
}

fn facts(sandbox: &Sandbox) -> Vec<Facts> {
    let json = |words: &[&str]| -> Value {
        sandbox.gulf(words.iter().copied()).run().expect_exit(0).json_lines().remove(0)
    };
    let (list, night) = (json(&["list", "--json"]), json(&["report", "--since", "1h", "--json"]));
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned();
    let of = |row: &Value| {
        let told = night["loops"].as_array().unwrap().iter().find(|one| one["handle"] == row["handle"]);
        let told = told.unwrap_or_else(|| panic!("{row} is not in {night}"));
        assert_eq!(told["standing"], row["standing"]);
        let questions = told["questions"].as_array().unwrap().iter().map(&text);
        Facts {
            id: text(&row["loop"]),
            handle: text(&row["handle"]),
            standing: text(&row["standing"]),
            iterations: format!("{}/{}", row["iteration"], row["max_iterations"]),
            sentences: [text(&told["proven"]), text(&told["not_proven"])]
                .into_iter()
                .chain(questions)
                .collect(),
        }
    };
    list["loops"].as_array().unwrap().iter().map(of).collect()
}

/// Four loops, one after the other, while somebody watches.
fn night(sandbox: &Sandbox) {
    let tries = FakeAgent::named(sandbox, "tries").turn(1, [Step::append("other", "x"), Step::claim()]);
    run(sandbox, &tries, &["--check", "test -e never", "--max-iterations", "1"])
        .run()
        .expect_exit(exit::EXHAUSTED);
    let wonders =
        FakeAgent::named(sandbox, "wonders").turn(1, [Step::run("gulf claim need-decision 'Now?'")]);
    run(sandbox, &wonders, &["--check", "test -e now"]).run().expect_exit(exit::PAUSED);
    sandbox.gulf(["cancel"]).run().expect_exit(0);
    let agent = FakeAgent::new(sandbox).turn(1, [Step::append("other", "x"), Step::claim()]).turn(2, mend());
    run_right(sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let asks = FakeAgent::named(sandbox, "asks")
        .turn(1, [Step::run("gulf claim need-decision '어느 <b>포트</b> & \"왜\"?'")]);
    run(sandbox, &asks, &["--check", "test -e port"]).run().expect_exit(exit::PAUSED);
}

/// Lines are broken where a terminal ends.
fn dense(text: &str) -> String {
    text.chars().filter(|one| !one.is_whitespace()).collect()
}

/// Opens a loop by clicks on its line, and waits until all of this stands there.
fn opens(terminal: &Terminal, handle: &str, told: &[&String]) {
    let list = terminal.wait_for("loops: 4");
    let line = list.lines().position(|line| line.contains(handle)).unwrap();
    // Selected and opened; what is open already has no button there.
    for _ in 0..2 {
        terminal.write(&format!("\x1b[<0;6;{0}M\x1b[<0;6;{0}m", line + 1));
    }
    // In the list another loop may stand in full beneath; an open one stands in the first line.
    let what = format!("{handle} in full, with {told:?}");
    terminal.wait_until(&what, |screen| {
        let shown = dense(screen);
        screen.trim_start().starts_with(handle) && told.iter().all(|told| shown.contains(&dense(told)))
    });
}

/// As text stands in markup.
fn spelt(text: &str) -> String {
    let signs =
        [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&#x27;"), ('/', "&#x2f;")];
    signs.iter().fold(text.to_owned(), |text, (sign, name)| text.replace(*sign, name))
}

// proves: B11
#[test]
fn four_loops_of_different_ends_have_the_same_facts_in_the_model_and_on_every_face() {
    let sandbox = Sandbox::with(&Sample::shell());
    let terminal = sandbox.gulf(["ui"]).on_terminal(SIZE);
    terminal.wait_for("No loop here yet");
    let site = Site::start(&sandbox, &[]);
    let mut stream = site.listen("", "");
    assert_eq!(next(&mut stream, "data: "), 0);
    night(&sandbox);
    let facts = facts(&sandbox);
    let mut standings: Vec<&str> = facts.iter().map(|one| one.standing.as_str()).collect();
    standings.sort_unstable();
    assert_eq!(standings, ["cancelled", "exhausted", "paused", "verified"]);
    assert!(next(&mut stream, "data: ") > 0, "the open page heard of it");
    sandbox.gulf(["report", "--since", "1h", "--html", "night.html"]).run().expect_exit(0);
    let (list, whole_night) = (site.page("/"), sandbox.read("night.html"));
    terminal.wait_for("asking: 1");
    for Facts { id, handle, standing, iterations, sentences } in &facts {
        terminal.wait_until(handle, |screen| {
            screen.lines().any(|line| [handle, standing, iterations].iter().all(|told| line.contains(*told)))
        });
        let all: Vec<&String> = [standing].into_iter().chain(sentences).collect();
        opens(&terminal, handle, &all);
        let page = site.page(&format!("/loops/{id}"));
        let report = sandbox.gulf(["report", handle, "--html", "-"]).run().expect_exit(0).stdout;
        for told in all {
            for (face, text) in [("page", &page), ("report", &report), ("night", &whole_night)] {
                // The page says `question 1` with a link, and then what it is.
                let said = told.split_once(": ").filter(|_| face != "night" && told.starts_with("question"));
                let said = said.map_or(told.as_str(), |(_, question)| question);
                assert!(text.contains(&spelt(said)), "the {face} does not say of {handle}: {told}\n{text}");
            }
        }
        let of_list = iterations.replace('/', " of ");
        assert!(
            page.contains(&format!("iteration {of_list}")) && list.contains(&format!("iteration {of_list}"))
        );
        assert!(
            list.contains(&format!(">{standing}</span><span class=\"handle\">{handle}</span>")),
            "{list}"
        );
        terminal.press(Key::Escape);
    }
    terminal.wait_for("loops: 4");
    terminal.press(Key::Character('q'));
    assert_eq!(terminal.finish(), 0);
}
