//! A person at a terminal is asked before another loop is replaced.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;

use gulf_testkit::Sandbox;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::rivals::{assert_replaced, original};
use crate::{CLAUDE, GULF, get, home};

/// `gulf install claude` where a person has typed this; what stood on the screen, and the exit code.
fn typed(sandbox: &Sandbox, words: &str) -> (String, Option<i32>) {
    let near = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&near).unwrap();
    unlockpt(&near).unwrap();
    let name = ptsname(&near, Vec::new()).unwrap().into_string().unwrap();
    let far = OpenOptions::new().read(true).write(true).open(name).unwrap();
    let mut near = File::from(near);
    near.write_all(words.as_bytes()).unwrap();
    let mut command = sandbox.command(GULF);
    command.args(["install", "claude"]).stdin(far.try_clone().unwrap()).stderr(far).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    // The other side of the terminal is open as long as the command can be started again.
    drop(command);
    let screen = thread::spawn(move || {
        let mut bytes = Vec::new();
        // A terminal that nobody holds any more ends in an error.
        drop(near.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let exit = child.wait().unwrap().code();
    (screen.join().unwrap(), exit)
}

#[test]
fn only_a_yes_replaces_the_original() {
    for (words, exit) in [("y\n", 0), ("yes\n", 0), ("\n", 2), ("no\n", 2), ("\u{4}", 2)] {
        let sandbox = home();
        let settings = original(&sandbox);
        let (screen, code) = typed(&sandbox, words);
        assert!(screen.contains("stop-hook.sh") && screen.contains("Replace it by gulf? [y/N]"), "{screen}");
        assert_eq!(code, Some(exit), "{words:?}: {screen}");
        if exit == 0 {
            assert_replaced(&sandbox);
        } else {
            assert_eq!(get(&sandbox, CLAUDE), settings);
        }
    }
}
