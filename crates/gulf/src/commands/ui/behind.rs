//! The process behind the screen of `gulf run --ui`: the same command without a screen, which goes on when that is left.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};

use gulf_engine::PAUSED_EXIT_CODE;
use gulf_faces::{Action, LiveScreen};
use gulf_views::{BoardRow, LoopAddress};

use crate::failure::{ERROR, Failure, INTERRUPTED, USAGE};
use crate::watched::Watched;

const SCREEN_FLAG: &str = "--ui";
const WAIT_FLAG: &str = "--wait";

pub(super) struct RunBehind {
    child: Child,
    said: File,
    told: File,
    /// Of its loop, once there is one.
    address: Option<LoopAddress>,
    ended: Option<ExitStatus>,
}

impl RunBehind {
    /// In a group of its own, so that neither a key nor a closed terminal ends it.
    pub(super) fn start() -> Result<RunBehind, Failure> {
        let not_started = |error: io::Error| Failure::world(&error, None);
        let said = tempfile::tempfile().map_err(not_started)?;
        let told = tempfile::tempfile().map_err(not_started)?;
        let mut command = Command::new(std::env::current_exe().map_err(not_started)?);
        command.args(words(std::env::args_os().skip(1))).process_group(0).stdin(Stdio::null());
        command.stdout(said.try_clone().map_err(not_started)?);
        command.stderr(told.try_clone().map_err(not_started)?);
        let child = command.spawn().map_err(not_started)?;
        Ok(RunBehind { child, said, told, address: None, ended: None })
    }

    /// Opens its loop as soon as there is one. What ended without a loop says why on the terminal, not on the screen.
    pub(super) fn look(&mut self, watched: &Watched, screen: &mut LiveScreen) -> Action {
        if self.address.is_none() {
            self.address = watched.driven_by(self.child.id()).into_iter().next();
            if let Some(address) = self.address.clone() {
                screen.look_at(address);
                screen.say("");
            }
        }
        if self.ended.is_none()
            && let Ok(Some(ended)) = self.child.try_wait()
        {
            self.ended = Some(ended);
            screen.say("`gulf run` has ended: q shows its output");
        }
        match (&self.ended, &self.address) {
            (Some(_), None) => Action::Leave,
            (Some(_) | None, _) => Action::Draw,
        }
    }

    /// What it said where it has ended, else that it goes on. Nothing is proven yet then, so that is no success.
    pub(super) fn leave(mut self, watched: &Watched) -> Result<u8, Failure> {
        if let Some(ended) = self.ended {
            return self.repeat(ended).map_err(|error| Failure::world(&error, None));
        }
        let its = watched.driven_by(self.child.id());
        let rows: Vec<BoardRow> =
            watched.rows().into_iter().filter(|row| its.contains(&row.address)).collect();
        if rows.is_empty() {
            outln!("`gulf run` keeps running without this screen: `gulf ui` shows it");
        }
        for BoardRow { handle, standing, .. } in &rows {
            outln!(
                "{}",
                match standing.is_running() {
                    true => format!(
                        "{handle} keeps running without this screen: `gulf ui` shows it again, `gulf pause {handle}` pauses it"
                    ),
                    false => format!(
                        "{handle} is {} and waits for you: `gulf ui` shows it again, `gulf resume {handle}` continues it",
                        standing.word()
                    ),
                }
            );
        }
        let do_all_rest = !rows.is_empty() && rows.iter().all(|row| !row.standing.is_running());
        Ok(if do_all_rest { PAUSED_EXIT_CODE } else { INTERRUPTED })
    }

    fn repeat(&mut self, ended: ExitStatus) -> io::Result<u8> {
        let code = ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(ERROR);
        // Else the screen has shown it.
        if self.address.is_none() || [ERROR, USAGE].contains(&code) {
            anstream::eprint!("{}", whole(&mut self.told)?);
        }
        out!("{}", whole(&mut self.said)?);
        Ok(code)
    }
}

fn whole(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What was typed, without the screen. It waits for the person, who answers on the screen.
fn words(typed: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = typed.collect();
    if let Some(place) = words.iter().position(|word| word == SCREEN_FLAG) {
        words.remove(place);
    }
    let is_wait = |word: &OsString| word.to_string_lossy().split('=').next() == Some(WAIT_FLAG);
    if !words.iter().take_while(|word| *word != "--").any(is_wait) {
        // Behind the command's name.
        words.insert(1.min(words.len()), WAIT_FLAG.into());
    }
    words
}
