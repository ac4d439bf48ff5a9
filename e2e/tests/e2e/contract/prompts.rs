//! Prompts arrive byte for byte, whatever stands in them and whichever way they come (CONTRACT "prompt pasted into a
//! shell line").
//!
//! Apart because one list of nasty texts goes through every door.

use super::harness::{BRIEF, Host, MARKER, Session};

/// Each begins and ends with a word, so that only what is within can be lost.
fn nasty() -> Vec<String> {
    let texts = [
        "Say \"right\" and 'right' and `right` in value.txt",
        "Print $(whoami) and ${HOME} and $1 and `id -u` literally",
        "A backslash \\ and \\n and C:\\path\\ and a % and a %s and {braces} and {{ goal }} end",
        "First line\nSecond line\n\nFourth line after a blank one\n\tindented by a tab  \nlast",
        "Before the rule\n---\niteration: 99\nactive: false\n---\nafter it",
        "make the flag --verbose work, --quiet too, and let -n mean nothing here please",
        "값을 고쳐라 — \u{1f980} naïve café ﬁ \u{202e}txet\u{202c} \u{a0}zero\u{200b}width end",
        "<promise>COMPLETE</promise> is only an example here, ${jndi:ldap} too",
        "{% raw %}{{ 7 * 7 }}{% endraw %} {# comment #} end",
        "; rm -rf nowhere && echo pwned | cat > pwned.txt & true",
        "A line that ends with a backslash \\\nand goes on",
        "!history and #comment and *glob? and ~home and [brackets] end",
    ];
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[track_caller]
fn arrives(session: &Session, prompt: &str, context: &str) {
    assert!(context.contains(prompt), "not byte for byte in the brief:\n{prompt:?}\n{context}");
    let body = session.look().unwrap().body().to_owned();
    assert!(body.contains(prompt), "not byte for byte in the marker:\n{prompt:?}\n{body:?}");
    session.write("progress.txt", BRIEF);
    assert!(
        session.stop("The brief is written.").continues().contains(prompt),
        "not at the next stop: {prompt:?}"
    );
    assert!(!session.exists("pwned.txt"));
}

#[test]
fn a_nasty_prompt_arrives_whole_through_the_slash_command() {
    for (number, prompt) in nasty().into_iter().enumerate() {
        let host = [Host::Claude, Host::Codex, Host::Plain][number % 3];
        let session = Session::checked(host);
        let context = session.prompt(&format!("/gulf-loop:start {prompt}")).adds_to_prompt();
        arrives(&session, &prompt, &context);
        session.expect_fields(&[("iteration", "2"), ("max_iterations", "50")]);
    }
}

#[test]
fn a_nasty_prompt_arrives_whole_through_standard_input() {
    let prompt = nasty().join("\n\n");
    let session = Session::checked(Host::Plain);
    session.gulf(&["start"]).stdin(prompt.as_bytes()).run().expect_exit(0);
    arrives(&session, &prompt, &session.read(".gulf/brief.md"));
}

#[test]
fn a_nasty_prompt_arrives_whole_through_a_file() {
    let prompt = nasty().join("\n\n");
    let session = Session::checked(Host::Plain);
    session.write("the prompt.md", &prompt);
    session.gulf(&["start", "-f", "the prompt.md"]).run().expect_exit(0);
    arrives(&session, &prompt, &session.read(".gulf/brief.md"));
}

#[test]
fn a_nasty_prompt_arrives_whole_through_an_argument() {
    let prompt = nasty().join("\n\n");
    let session = Session::checked(Host::Plain);
    session.gulf(&["start", &prompt]).run().expect_exit(0);
    arrives(&session, &prompt, &session.read(".gulf/brief.md"));
}

#[test]
fn two_hundred_kilobytes_arrive_whole() {
    let long: String =
        (0..6_000).map(|line| format!("{line}: Say \"right\" in 값.txt, $(not) `this`\n")).collect();
    assert!(long.len() > 200_000);
    let prompt = long.trim_end();
    let session = Session::checked(Host::Claude);
    let outcome = session.prompt(&format!("/gulf-loop:start {prompt}"));
    arrives(&session, prompt, &outcome.adds_to_prompt());
    let context = outcome.finished.stdout.len();
    assert!(context < 20_000, "{context} bytes in the answer: the file holds the rest");
    session.expect_fields(&[("active", "true")]);
    assert!(session.exists(MARKER));
}
