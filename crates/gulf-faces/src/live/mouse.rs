//! What the mouse does: the wheel moves, a click selects, another one opens.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Size;

use super::draw::{ListWindow, tab_at};
use super::{Action, Layer, LiveScreen, Mouse};

/// So many lines of a text a notch of the wheel moves.
const NOTCH_LINES: usize = 3;

impl LiveScreen {
    /// On a screen of this size.
    pub fn point(&mut self, event: MouseEvent, size: Size) -> Action {
        match (&self.layer, event.kind) {
            (Layer::Help { .. }, MouseEventKind::Down(_)) => self.layer = Layer::Nothing,
            (Layer::Nothing, MouseEventKind::ScrollUp) => self.roll(-1),
            (Layer::Nothing, MouseEventKind::ScrollDown) => self.roll(1),
            (Layer::Nothing, MouseEventKind::Down(MouseButton::Left)) => {
                return self.click(event.column, event.row, size);
            }
            // Words are typed, and a yes is said, with keys.
            _ => return Action::Nothing,
        }
        Action::Draw
    }

    fn roll(&mut self, by: isize) {
        let is_log = self.open.as_ref().is_some_and(|open| open.tab.is_log());
        let lines = if self.open.is_some() { NOTCH_LINES } else { 1 };
        // What is scrolled of a log is counted from its end.
        (0..lines).for_each(|_| self.step(if is_log { -by } else { by }));
    }

    fn click(&mut self, column: u16, line: u16, size: Size) -> Action {
        if let Some(tab) = self.open.as_ref().map(|open| open.tab) {
            match line {
                0 => self.open = None,
                1 => match tab_at(tab, column, size.width, self.language) {
                    Some(tab) => self.turn_to(|_| tab),
                    None => return Action::Nothing,
                },
                _ => return Action::Nothing,
            }
            return Action::Draw;
        }
        let body = Size::new(size.width, size.height.saturating_sub(2));
        let place = line.checked_sub(1).and_then(|line| ListWindow::of(self, body).row_at(line));
        let Some(place) = place else { return Action::Nothing };
        if place == self.selected {
            self.open_selected();
        }
        self.selected = place;
        Action::Draw
    }

    pub(super) fn hand_mouse_over(&mut self) {
        let (mouse, said) = match self.mouse {
            Mouse::Screen => (Mouse::Terminal, "the mouse selects text now; m gives it back"),
            Mouse::Terminal => (Mouse::Screen, "the mouse clicks and scrolls here again"),
        };
        self.mouse = mouse;
        self.say(said);
    }
}
