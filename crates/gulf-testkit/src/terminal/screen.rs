//! What a program's bytes make of a screen, and what a terminal answers when it is asked.
//!
//! Nothing happens here: bytes come in, text and answers go out.

use std::num::NonZeroU16;

use vt100::{Callbacks, Parser};

use super::{Size, picture};

/// What has scrolled by is shown when a test fails.
const SCROLLBACK_LINES_MAX: usize = 1_000;

pub(super) struct Screen {
    parser: Parser<Questions>,
}

/// What programs ask a terminal and wait for.
#[derive(Debug, Default)]
struct Questions {
    answer: Vec<u8>,
}

impl Screen {
    pub(super) fn new(size: Size) -> Screen {
        let (rows, columns) = cells(size);
        let parser = Parser::new_with_callbacks(rows, columns, SCROLLBACK_LINES_MAX, Questions::default());
        Screen { parser }
    }

    /// What is to be answered.
    pub(super) fn show(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.parser.process(bytes);
        std::mem::take(&mut self.parser.callbacks_mut().answer)
    }

    pub(super) fn text(&self) -> String {
        let columns = self.parser.screen().size().1.get();
        let lines: Vec<String> = self.parser.screen().rows(0, columns).collect();
        lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
    }

    /// With what has scrolled by, and without empty lines.
    pub(super) fn whole(&mut self) -> String {
        let screen = self.parser.screen_mut();
        let page = usize::from(screen.size().0.get());
        let mut lines = Vec::new();
        let mut above = screen.scrollback_len();
        while above > 0 {
            screen.set_scrollback(above);
            let columns = screen.size().1.get();
            lines.extend(screen.rows(0, columns).take(above));
            above = above.saturating_sub(page);
        }
        screen.set_scrollback(0);
        lines.push(self.text());
        lines.retain(|line| !line.trim().is_empty());
        lines.join("\n")
    }

    pub(super) fn picture(&self, title: &str) -> String {
        picture::draw(self.parser.screen(), title)
    }

    pub(super) fn resize(&mut self, size: Size) {
        let (rows, columns) = cells(size);
        self.parser.set_size(rows, columns);
    }
}

impl Callbacks for Questions {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        _: Option<u8>,
        parameters: &[&[u16]],
        last: char,
    ) {
        match (first, parameters, last) {
            // Where is the cursor?
            (None, [[6]], 'n') => {
                let (row, column) = screen.cursor_position();
                self.answer.extend(format!("\x1b[{};{}R", row + 1, column + 1).bytes());
            }
            // What are you? A VT100 with advanced video: programs that asked for more before know now that it is not here.
            (None, [] | [[0]], 'c') => self.answer.extend(b"\x1b[?1;2c"),
            _ => {}
        }
    }

    fn unhandled_osc(&mut self, _: &mut vt100::Screen, parameters: &[&[u8]]) {
        match parameters {
            // Which colours have text and background? White on black.
            [b"10", b"?"] => self.answer.extend(b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\"),
            [b"11", b"?"] => self.answer.extend(b"\x1b]11;rgb:0000/0000/0000\x1b\\"),
            _ => {}
        }
    }
}

fn cells(size: Size) -> (NonZeroU16, NonZeroU16) {
    (NonZeroU16::new(size.rows).unwrap(), NonZeroU16::new(size.columns).unwrap())
}
