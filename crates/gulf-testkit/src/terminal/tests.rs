//! A shell on a terminal: what it prints, what it is told, how it ends.

use std::process::Command;

use super::{Key, Size, Terminal};

const SIZE: Size = Size { rows: 10, columns: 40 };

fn shell(script: &str) -> Terminal {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).env("PATH", "/usr/bin:/bin");
    Terminal::start(&command, SIZE)
}

#[test]
fn what_is_typed_reaches_the_program_and_what_it_prints_stands_on_the_screen() {
    let terminal = shell("echo 'who is there?'; read name; echo \"welcome, $name\"; exit 7");
    terminal.wait_for("who is there?");
    terminal.enter("a 'person'");
    let screen = terminal.wait_for("welcome, a 'person'");
    assert_eq!(screen.lines().next(), Some("who is there?"));
    assert_eq!(terminal.finish(), 7);
}

#[test]
fn only_the_environment_of_the_command_is_there() {
    let terminal = shell("env | sort; echo end");
    let screen = terminal.wait_for("end");
    assert!(!screen.contains("HOME=") && screen.contains("TERM=xterm-256color"), "{screen}");
}

#[test]
fn a_program_learns_the_size_of_its_terminal_and_that_it_has_changed() {
    let terminal = shell("trap 'stty size' WINCH; stty size; read line; read line; :");
    terminal.wait_for("10 40");
    terminal.resize(Size { rows: 12, columns: 50 });
    // A shell that hears of it just before it reads looks at its traps when it has read.
    terminal.press(Key::Enter);
    terminal.wait_for("12 50");
}

#[test]
fn ctrl_c_interrupts() {
    let terminal = shell("trap 'echo interrupted; exit 3' INT; echo ready; while :; do read line; done");
    terminal.wait_for("ready");
    terminal.press(Key::Control('c'));
    terminal.wait_for("interrupted");
    assert_eq!(terminal.finish(), 3);
}

#[test]
fn a_program_that_asks_where_the_cursor_is_gets_an_answer() {
    let asks =
        "stty raw -echo; printf 'ab\\033[6n'; dd bs=1 count=6 2>/dev/null | od -An -c; stty sane; echo end";
    let screen = shell(asks).wait_for("end");
    assert!(screen.contains("033   [   1   ;   3   R"), "{screen}");
}
