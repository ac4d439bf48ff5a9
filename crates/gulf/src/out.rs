//! Printing to standard output: data, and a reader that has seen enough is no failure.
//!
//! It stands apart because the usual macros panic when a pipe is closed, in the middle of a loop.

use std::fmt::Display;

use gulf_views::tame_text;

/// Prints a line.
macro_rules! outln {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        // Whoever closed the pipe does not want it.
        let _ = writeln!(anstream::stdout(), $($text)*);
    }};
}

/// Prints as it is.
macro_rules! out {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(anstream::stdout(), $($text)*);
    }};
}

/// A note for people. What it quotes of a project or a worker moves no cursor.
pub fn say_note(text: impl Display) {
    anstream::eprintln!("note: {}", tame_text(&text.to_string()));
}
