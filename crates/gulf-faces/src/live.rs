//! The live screen: what its keys do to it, and nothing of the loops themselves.
//!
//! Whoever has a terminal hands keys in and is told what is wished for; what a request may do, its loop decides.

mod draw;

use draw::{ListWindow, tab_at};
use gulf_views::{ActKind, BoardLoop, BoardRow, BoardTexts, LoopAddress, Palette, ScreenLanguage};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Size;

/// A text that a person types here is not longer.
const TEXT_CHARS_MAX: usize = 4_000;
/// So far the help is moved, and no further: then its end is in sight on forty columns.
const HELP_STEP_LINES: u16 = 4;
const HELP_LINES_MAX: u16 = 12;
/// So many lines a page key moves.
const PAGE_LINES: usize = 10;

/// What stands on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveScreen {
    rows: Vec<BoardRow>,
    /// So many more are there, and not read yet.
    unread: usize,
    selected: usize,
    /// The loop that is looked at, with what was last known of it.
    open: Option<OpenLoop>,
    layer: Layer,
    /// What came of the last act.
    message: String,
    inks: Palette,
    /// Of whoever looks.
    pub language: ScreenLanguage,
    pub mouse: Mouse,
}

/// Whose the mouse is: while it is the screen's, the terminal selects no text with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mouse {
    #[default]
    Screen,
    Terminal,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct OpenLoop {
    address: LoopAddress,
    tab: Tab,
    scrolled: usize,
    known: Option<Box<BoardLoop>>,
}

/// What lies above all else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Layer {
    #[default]
    Nothing,
    /// From this line on: a small terminal does not show all.
    Help { first: u16 },
    /// Words are asked for.
    Typing(Wish),
    /// An act that cannot be taken back.
    Confirming(Wish),
}

/// An act, and the loop that it is for: set when it begins, whatever the list shows when it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    pub act: ActKind,
    pub address: LoopAddress,
    pub handle: String,
    /// The oldest question that was open then.
    pub question: Option<u32>,
    /// Empty where the act takes none.
    pub text: String,
}

/// What a key asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Nothing,
    /// Something else is to be seen.
    Draw,
    Leave,
    Act(Wish),
}

impl LiveScreen {
    pub fn new(inks: Palette) -> LiveScreen {
        LiveScreen { inks, ..LiveScreen::default() }
    }

    /// The loop that is looked at.
    pub fn opened(&self) -> Option<&LoopAddress> {
        self.open.as_ref().map(|open| &open.address)
    }

    /// Nothing is known yet of the loop that is looked at.
    pub fn waits_for_loop(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.known.is_none())
    }

    /// The loops as they stand now, and how many are still to be read; whoever was selected stays so.
    pub fn show(&mut self, rows: Vec<BoardRow>, unread: usize) {
        self.unread = unread;
        let selected = self.rows.get(self.selected).map(|row| &row.address);
        let place = rows.iter().position(|row| Some(&row.address) == selected);
        self.selected = place.unwrap_or(self.selected).min(rows.len().saturating_sub(1));
        self.rows = rows;
    }

    /// The loop that is looked at, as it stands now; nothing where another one is.
    pub fn show_loop(&mut self, known: BoardLoop) {
        if let Some(open) = self.open.as_mut().filter(|open| open.address == known.row.address) {
            open.known = Some(Box::new(known));
        }
    }

    /// What came of an act, in one line.
    pub fn say(&mut self, message: impl Into<String>) {
        self.message = message.into();
    }

    fn row(&self) -> Option<&BoardRow> {
        match &self.open {
            Some(open) => self.rows.iter().find(|row| row.address == open.address),
            None => self.rows.get(self.selected),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other key of the library's means nothing here")]
    pub fn press(&mut self, key: KeyEvent) -> Action {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return if key.code == KeyCode::Char('c') { Action::Leave } else { Action::Nothing };
        }
        match std::mem::take(&mut self.layer) {
            Layer::Help { first } => self.read_on(first, key.code),
            Layer::Typing(wish) => self.type_on(wish, key.code),
            Layer::Confirming(wish) => match key.code {
                KeyCode::Char('y') => Action::Act(wish),
                _ => {
                    self.say(format!("{}: not done", wish.act.word()));
                    Action::Draw
                }
            },
            Layer::Nothing => self.move_or_act(key.code),
        }
    }

    /// Any other key takes it away.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other key of the library's means nothing here")]
    fn read_on(&mut self, first: u16, key: KeyCode) -> Action {
        let first = match key {
            KeyCode::Down | KeyCode::PageDown | KeyCode::Char('j' | ' ') => first + HELP_STEP_LINES,
            KeyCode::Up | KeyCode::PageUp | KeyCode::Char('k') => first.saturating_sub(HELP_STEP_LINES),
            _ => return Action::Draw,
        };
        self.layer = Layer::Help { first: first.min(HELP_LINES_MAX) };
        Action::Draw
    }

    /// What a terminal brings that was copied elsewhere: only where words are asked for.
    pub fn paste(&mut self, pasted: &str) -> Action {
        let Layer::Typing(Wish { text, .. }) = &mut self.layer else { return Action::Nothing };
        let room = TEXT_CHARS_MAX.saturating_sub(text.chars().count());
        text.extend(pasted.chars().map(|one| if one.is_control() { ' ' } else { one }).take(room));
        Action::Draw
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other key of the library's means nothing here")]
    fn type_on(&mut self, mut wish: Wish, key: KeyCode) -> Action {
        let text = &mut wish.text;
        match key {
            KeyCode::Esc => return Action::Draw,
            KeyCode::Enter if !text.trim().is_empty() => return self.wish(wish),
            KeyCode::Backspace => _ = text.pop(),
            KeyCode::Char(character) if text.chars().count() < TEXT_CHARS_MAX => text.push(character),
            _ => {}
        }
        self.layer = Layer::Typing(wish);
        Action::Draw
    }

    /// What cannot be taken back is asked about once more.
    fn wish(&mut self, wish: Wish) -> Action {
        if !wish.act.is_final() {
            return Action::Act(wish);
        }
        self.layer = Layer::Confirming(wish);
        Action::Draw
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other key of the library's means nothing here")]
    fn move_or_act(&mut self, key: KeyCode) -> Action {
        self.message.clear();
        match key {
            KeyCode::Char('q') => return Action::Leave,
            KeyCode::Char('?') => self.layer = Layer::Help { first: 0 },
            KeyCode::Up | KeyCode::Char('k') => self.step(-1),
            KeyCode::Down | KeyCode::Char('j') => self.step(1),
            KeyCode::PageUp => (0..PAGE_LINES).for_each(|_| self.step(-1)),
            KeyCode::PageDown => (0..PAGE_LINES).for_each(|_| self.step(1)),
            KeyCode::Char('m') => self.hand_mouse_over(),
            KeyCode::Enter => self.open_selected(),
            KeyCode::Esc | KeyCode::Left => self.close(),
            KeyCode::Tab | KeyCode::Right if self.open.is_none() => self.open_selected(),
            KeyCode::Tab | KeyCode::Right => self.turn_to(|tab| tab.beside(1)),
            KeyCode::BackTab => self.turn_to(|tab| tab.beside(Tab::ALL.len() - 1)),
            KeyCode::Char(character) => match (Tab::of_key(character), ActKind::of_key(character)) {
                (Some(tab), _) => self.turn_to(|_| tab),
                (None, Some(act)) => return self.begin(act),
                (None, None) => return Action::Nothing,
            },
            _ => return Action::Nothing,
        }
        Action::Draw
    }

    fn begin(&mut self, act: ActKind) -> Action {
        let Some(row) = self.row() else { return Action::Draw };
        let question = row.questions.first().map(|question| question.number);
        let (address, handle) = (row.address.clone(), row.handle.clone());
        let wish = Wish { act, address, handle, question, text: String::new() };
        if act == ActKind::Answer && question.is_none() {
            self.say(format!("{} asks nothing", wish.handle));
        } else if act.takes_words() {
            self.layer = Layer::Typing(wish);
        } else {
            return self.wish(wish);
        }
        Action::Draw
    }

    fn step(&mut self, by: isize) {
        match &mut self.open {
            Some(OpenLoop { tab, scrolled, known, .. }) => {
                // Beyond the last line nothing is to be seen.
                let lines = known.as_ref().map_or(0, |known| draw::line_count(known, *tab));
                *scrolled = scrolled.saturating_add_signed(by).min(lines.saturating_sub(1));
            }
            None => {
                let last = self.rows.len().saturating_sub(1);
                self.selected = self.selected.saturating_add_signed(by).min(last);
            }
        }
    }

    fn open_selected(&mut self) {
        if self.open.is_none()
            && let Some(row) = self.rows.get(self.selected)
        {
            self.look_at(row.address.clone());
        }
    }

    /// The list again, at the loop that was looked at: the next act must mean no other.
    fn close(&mut self) {
        let left = self.open.take().map(|open| open.address);
        let place = self.rows.iter().position(|row| Some(&row.address) == left.as_ref());
        self.selected = place.unwrap_or(self.selected);
    }

    /// Shows this loop in full, as if a person had chosen it.
    pub fn look_at(&mut self, address: LoopAddress) {
        self.open = Some(OpenLoop { address, tab: Tab::Overview, scrolled: 0, known: None });
    }

    fn turn_to(&mut self, tab: impl FnOnce(Tab) -> Tab) {
        if let Some(open) = &mut self.open {
            open.tab = tab(open.tab);
            open.scrolled = 0;
        }
    }
}

// What each part of a loop holds: a table, which the help and both faces show.

/// What of a loop is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Tab {
    Overview,
    Turn,
    Diff,
    Verdict,
    Journal,
    Prompt,
}

impl Tab {
    pub const ALL: [Tab; 6] = [Tab::Overview, Tab::Turn, Tab::Diff, Tab::Verdict, Tab::Journal, Tab::Prompt];

    pub fn title(self) -> &'static str {
        self.into()
    }

    /// What it shows, and what is said where that is nothing; the overview is made of the model itself.
    pub(crate) fn lines(self, texts: &BoardTexts) -> (&[String], &'static str) {
        match self {
            Tab::Overview => (&[], ""),
            Tab::Turn => (&texts.turn, "No turn has said anything yet."),
            Tab::Diff => (&texts.diff, "Nothing has changed yet."),
            Tab::Verdict => (&texts.verdict, "No judge has spoken yet."),
            Tab::Journal => (&texts.journal, "The journal is empty."),
            Tab::Prompt => (&texts.prompt, "No turn has begun yet."),
        }
    }

    /// Does it grow at its end?
    fn is_log(self) -> bool {
        matches!(self, Tab::Turn | Tab::Journal)
    }

    /// So many to the right of it; behind the last one stands the first.
    fn beside(self, by: usize) -> Tab {
        Tab::ALL[(self as usize + by) % Tab::ALL.len()]
    }

    /// `1` is the first.
    fn of_key(key: char) -> Option<Tab> {
        let number = usize::try_from(key.to_digit(10)?).ok()?;
        Tab::ALL.get(number.checked_sub(1)?).copied()
    }
}

// What the mouse does: the wheel moves, a click selects, another one opens.

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
                0 => self.close(),
                1 => match tab_at(tab, column, size.width, self.language) {
                    Some(tab) => self.turn_to(|_| tab),
                    None => return Action::Nothing,
                },
                _ => return Action::Nothing,
            }
            return Action::Draw;
        }
        let body = Size::new(size.width, size.height.saturating_sub(2));
        let place =
            line.checked_sub(1).and_then(|line| ListWindow::around_selection(self, body).row_at(line));
        let Some(place) = place else { return Action::Nothing };
        if place == self.selected {
            self.open_selected();
        }
        self.selected = place;
        Action::Draw
    }

    fn hand_mouse_over(&mut self) {
        let (mouse, said) = match self.mouse {
            Mouse::Screen => (Mouse::Terminal, "the mouse selects text now; m gives it back"),
            Mouse::Terminal => (Mouse::Screen, "the mouse clicks and scrolls here again"),
        };
        self.mouse = mouse;
        self.say(said);
    }
}
