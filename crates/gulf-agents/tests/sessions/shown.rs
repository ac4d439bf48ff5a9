//! Whether a person reads what hooks say, by each host's own signs.

use gulf_agents::sessions::{Host, Notices, last_trigger, notices};

fn with(host: Host, set: &[(&str, &str)], trigger: Option<&str>) -> Notices {
    let variable =
        |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    notices(host, &variable, trigger)
}

#[test]
fn claude_says_itself_whether_somebody_attends_its_session() {
    let attended = |value| [("CLAUDE_CODE_SESSION_ATTENDED", value), ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")];
    assert_eq!(with(Host::Claude, &attended("0"), None), Notices::Unseen);
    assert_eq!(with(Host::Claude, &attended("1"), None), Notices::Shown);
    for (entrypoint, expected) in
        [("sdk-cli", Notices::Unseen), ("cli", Notices::Shown), ("", Notices::Shown)]
    {
        assert_eq!(with(Host::Claude, &[("CLAUDE_CODE_ENTRYPOINT", entrypoint)], None), expected);
    }
}

#[test]
fn codex_names_in_its_file_what_began_the_last_turn() {
    let file = include_bytes!("samples/codex/rollout.jsonl");
    assert_eq!(last_trigger(file), Some("exec"));
    assert_eq!(last_trigger(b"{\"text\":\"\\\"turn_trigger\\\":\\\"exec\\\"\"}\n"), None);
    assert_eq!(last_trigger(b"\"turn_trigger\":\"exec\" \"turn_trigger\":\"user\""), Some("user"));
    assert_eq!(last_trigger(b"\"turn_trigger\":\"ex"), None);
    assert_eq!(with(Host::Codex, &[], Some("exec")), Notices::Unseen);
    assert_eq!(with(Host::Codex, &[], Some("user")), Notices::Shown);
    assert_eq!(with(Host::Codex, &[], None), Notices::Shown);
}

#[test]
fn copilot_shows_nothing_and_whoever_plays_a_host_reads_all() {
    assert_eq!(with(Host::Copilot, &[], None), Notices::Unseen);
    assert_eq!(with(Host::Other, &[("CLAUDE_CODE_SESSION_ATTENDED", "0")], None), Notices::Shown);
}
