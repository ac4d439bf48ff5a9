//! Checks that crash on the base.

use gulf_testkit::{Sample, Sandbox, bubblewrap};

use super::isolated;
use crate::{RIGHT, exit};

// proves: B2
#[test]
fn a_check_that_crashes_on_the_base_keeps_its_walls() {
    if !bubblewrap() {
        return;
    }
    for crash in ["kill -SEGV $$", "bash -c 'kill -ABRT $$'; exit 1"] {
        let sandbox = Sandbox::with(&Sample::shell());
        sandbox.write("crash.sh", format!("{RIGHT} || {{ {crash}; }}\ntouch \"$HOME/escaped\"\n"));
        sandbox.commit("crash");
        isolated(&sandbox, "exec bash crash.sh", &[]).expect_exit(exit::VERIFIED);
        assert!(!sandbox.home().join("escaped").exists(), "{crash}");
    }
}
