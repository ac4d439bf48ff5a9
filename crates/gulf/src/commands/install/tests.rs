//! What a shell reads in a hook's command.

use super::shell_words::{calls_gulf, hook_command, split};

#[test]
fn a_command_of_ours_is_known_again_wherever_gulf_lies() {
    for path in ["/bin/gulf", "/a b/gulf", "/it's/gulf", "/$HOME `x` \"y\" \\ !/gulf", "/시험/gulf.exe"] {
        let command = hook_command(path.into());
        assert_eq!(split(&command), Some(vec![path.to_owned(), "hook".to_owned()]), "{command}");
        assert!(calls_gulf(&command), "{command}");
    }
    assert!(calls_gulf("gulf hook stop"));
    assert!(calls_gulf("/usr/local/bin/gulf  hook"));
}

#[test]
fn what_does_more_than_call_gulf_is_somebody_elses() {
    for command in [
        "",
        "gulf",
        "gulf hook; rm x",
        "gulf hook && say done",
        "GULF_HOME=/x gulf hook",
        "/x/gulfstream hook",
        "gulf hook --loud",
        "'gulf hook",
        "\"$HOME/gulf\" hook",
        "/plugins/gulf-loop/hooks/stop-hook.sh",
    ] {
        assert!(!calls_gulf(command), "{command}");
    }
}
