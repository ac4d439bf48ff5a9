//! Printing: data to standard output, where a reader that has seen enough is no failure, and what a person watches to
//! standard error.
//!
//! The usual macros panic when a pipe is closed, a disk is full or a terminal is gone, in the middle of a loop.

use std::fmt::Display;
use std::io;
use std::sync::OnceLock;

use gulf_views::tame_text;

/// Prints as it is.
macro_rules! out {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        crate::out::printed(write!(anstream::stdout(), "{}", crate::out::masked(&format!($($text)*))));
    }};
}

/// Prints a line.
macro_rules! outln {
    ($($text:tt)*) => { out!("{}\n", format_args!($($text)*)) };
}

/// Tells whoever watches; a loop goes on without them.
macro_rules! err {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(anstream::stderr(), $($text)*);
    }};
}

/// Tells a line.
macro_rules! errln {
    ($($text:tt)*) => { err!("{}\n", format_args!($($text)*)) };
}

/// Why something that was printed is nowhere.
static LOST: OnceLock<String> = OnceLock::new();

/// Whoever closed the pipe does not want it; a disk that is full is told of once all else is done.
pub fn printed(result: io::Result<()>) {
    if let Err(error) = result
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        LOST.get_or_init(|| error.to_string());
    }
}

/// A success that nobody can read is none.
pub fn lost() -> Option<io::Error> {
    LOST.get().map(|why| io::Error::other(format!("cannot write to standard output: {why}")))
}

/// A note for people. What it quotes of a project or a worker moves no cursor.
pub fn say_note(text: impl Display) {
    errln!("note: {}", masked(&tame_text(&text.to_string())));
}

/// Without what is secret: screens are copied, pages are shown, and journals of earlier versions hold what was printed.
pub fn masked(text: &str) -> std::borrow::Cow<'_, str> {
    gulf_runner::masking::of_this_process().text(text)
}
