//! A program on a terminal of its own, as a person has one: what stands on its screen, and keys to press.
//!
//! Nobody looks at it by the clock: whoever waits for words is woken by the bytes that arrive.

mod picture;
mod screen;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{Read, Write};
use std::process::Command;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use screen::Screen;

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(180);

/// A key that was not heard is pressed again after so long.
const AGAIN: Duration = Duration::from_millis(500);

/// How many characters a terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub rows: u16,
    pub columns: u16,
}

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    Enter,
    Escape,
    Character(char),
    /// Ctrl and this lower-case letter.
    Control(char),
}

/// Its program is killed when it is dropped.
pub struct Terminal {
    said: String,
    state: Arc<State>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    /// `None` once it is dropped: then the thread that writes ends.
    keys: Option<Sender<Vec<u8>>>,
    threads: Vec<JoinHandle<()>>,
}

struct State {
    view: Mutex<View>,
    changed: Condvar,
}

struct View {
    screen: Screen,
    /// The program, and whoever had its terminal, has gone.
    is_closed: bool,
}

impl Terminal {
    /// The command's program, folder and variables; nothing of our own.
    pub(crate) fn start(command: &Command, size: Size) -> Terminal {
        let pair = native_pty_system().openpty(size.into()).unwrap();
        let child = pair.slave.spawn_command(builder(command)).unwrap();
        // While it is open here, the end of the program is not seen.
        drop(pair.slave);
        let (keys, written) = mpsc::channel::<Vec<u8>>();
        let view = View { screen: Screen::new(size), is_closed: false };
        let state = Arc::new(State { view: Mutex::new(view), changed: Condvar::new() });
        let mut writer = pair.master.take_writer().unwrap();
        // A thread of its own, because a program that does not read must not keep us from reading what it says.
        let writing = thread::spawn(move || {
            while let Ok(bytes) = written.recv() {
                if writer.write_all(&bytes).and_then(|()| writer.flush()).is_err() {
                    return;
                }
            }
        });
        let reader = pair.master.try_clone_reader().unwrap();
        let (answers, shown) = (keys.clone(), Arc::clone(&state));
        let reading = thread::spawn(move || shown.read(reader, &answers));
        let said = format!("{:?}", command.get_args().collect::<Vec<_>>());
        Terminal {
            said,
            state,
            master: pair.master,
            child,
            keys: Some(keys),
            threads: vec![reading, writing],
        }
    }

    /// Waits until the screen shows this, and says what it shows then.
    #[track_caller]
    pub fn wait_for(&self, text: &str) -> String {
        self.wait_until(&format!("{text:?}"), |screen| screen.contains(text))
    }

    /// Waits until the screen fits; `what` is for the message of a test that waits in vain.
    #[track_caller]
    pub fn wait_until(&self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        let waits = |view: &mut View| !view.is_closed && !fits(&view.screen.text());
        let waited = self.state.changed.wait_timeout_while(self.state.view(), PATIENCE, waits);
        let (mut view, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let shown = view.screen.text();
        assert!(fits(&shown), "{} does not show {what} but\n{}", self.said, view.screen.whole());
        shown
    }

    /// What the screen shows, lines without the spaces at their ends.
    pub fn screen(&self) -> String {
        self.state.view().screen.text()
    }

    /// As one types it, letter by letter.
    pub fn write(&self, text: &str) {
        self.send(text.as_bytes());
    }

    /// As a terminal brings what was copied elsewhere.
    pub fn paste(&self, text: &str) {
        self.send(format!("\x1b[200~{text}\x1b[201~").as_bytes());
    }

    pub fn press(&self, key: Key) {
        match key {
            Key::Enter => self.send(b"\r"),
            Key::Escape => self.send(b"\x1b"),
            Key::Character(character) => self.write(&character.to_string()),
            Key::Control(letter) => self.send(&[letter as u8 & 0x1f]),
        }
    }

    /// Presses a key until the screen shows this. A dialog that has just opened hears none yet, so the key must be one
    /// that may be pressed twice.
    #[track_caller]
    pub fn press_until(&self, key: Key, text: &str) {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            self.press(key);
            let waits = |view: &mut View| !view.is_closed && !view.screen.text().contains(text);
            let waited = self.state.changed.wait_timeout_while(self.state.view(), AGAIN, waits);
            let (view, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            if !timeout.timed_out() && !view.is_closed {
                return;
            }
        }
        self.wait_for(text);
    }

    /// Writes a line, and presses Enter once all of it stands there: what comes in one go is taken for pasted.
    #[track_caller]
    pub fn enter(&self, line: &str) {
        self.write(line);
        self.wait_for(line);
        self.press(Key::Enter);
    }

    /// The program is told, as when somebody pulls at the window.
    pub fn resize(&self, size: Size) {
        self.state.view().screen.resize(size);
        self.master.resize(size.into()).unwrap();
    }

    /// Waits for the program's end; its exit code.
    #[track_caller]
    pub fn finish(mut self) -> u32 {
        drop(self.wait_for_end());
        self.child.wait().unwrap().exit_code()
    }

    /// Waits for the program's end; its last screen as SVG, under this title.
    #[track_caller]
    pub fn last_picture(&self, title: &str) -> String {
        self.wait_for_end().screen.picture(title)
    }

    #[track_caller]
    fn wait_for_end(&self) -> MutexGuard<'_, View> {
        let waits = |view: &mut View| !view.is_closed;
        let waited = self.state.changed.wait_timeout_while(self.state.view(), PATIENCE, waits);
        let (mut view, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(
            !timeout.timed_out(),
            "{} did not end within {PATIENCE:?}\n{}",
            self.said,
            view.screen.whole()
        );
        view
    }

    /// A program that has gone does not hear it; whoever waits for its answer sees that.
    fn send(&self, bytes: &[u8]) {
        let sent = self.keys.as_ref().map(|keys| keys.send(bytes.to_owned()));
        drop(sent);
    }
}

impl State {
    /// To the end of the terminal; what the program asks it is answered.
    fn read(&self, mut reader: impl Read, answers: &Sender<Vec<u8>>) {
        let mut buffer = [0; 16 * 1024];
        // A terminal that nobody has open any more ends with an error.
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            let mut view = self.view();
            let answer = view.screen.show(&buffer[..count]);
            drop(view);
            self.changed.notify_all();
            if !answer.is_empty() {
                drop(answers.send(answer));
            }
        }
        self.view().is_closed = true;
        self.changed.notify_all();
    }

    fn view(&self) -> MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // One that has ended cannot be killed any more.
        drop(self.child.kill());
        drop(self.child.wait());
        self.keys = None;
        if !thread::panicking() {
            self.threads.drain(..).for_each(|thread| drop(thread.join()));
        }
    }
}

impl fmt::Debug for Terminal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.screen();
        formatter
            .debug_struct("Terminal")
            .field("said", &self.said)
            .field("screen", &shown)
            .finish_non_exhaustive()
    }
}

impl From<Size> for PtySize {
    fn from(size: Size) -> PtySize {
        PtySize { rows: size.rows, cols: size.columns, pixel_width: 0, pixel_height: 0 }
    }
}

fn builder(command: &Command) -> CommandBuilder {
    let mut builder = CommandBuilder::new(command.get_program());
    builder.args(command.get_args());
    builder.env_clear();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            builder.env(name, value);
        }
    }
    builder.env("TERM", "xterm-256color");
    if let Some(folder) = command.get_current_dir() {
        builder.cwd(folder);
    }
    builder
}
