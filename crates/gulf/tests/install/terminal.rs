//! A person at a terminal is asked before another loop is replaced.

use gulf_testkit::Size;

use crate::rivals::{assert_replaced, original};
use crate::{CLAUDE, get, gulf, home};

const SCREEN: Size = Size { rows: 60, columns: 160 };

#[test]
fn only_a_yes_replaces_the_original() {
    for (word, exit) in [("y", 0), ("YES", 0), ("", 2), ("no", 2)] {
        let sandbox = home();
        let settings = original(&sandbox);
        let terminal = gulf(&sandbox, ["install", "claude"]).on_terminal(SCREEN);
        let screen = terminal.wait_for("Replace it with gulf? [y/N]");
        assert!(
            screen.contains("stop-hook.sh") && screen.contains("gulf-loop:start-autonomous.md"),
            "{screen}"
        );
        terminal.enter(word);
        assert_eq!(terminal.finish(), exit, "{word:?}");
        if exit == 0 {
            assert_replaced(&sandbox);
        } else {
            assert_eq!(get(&sandbox, CLAUDE), settings);
        }
    }
}
