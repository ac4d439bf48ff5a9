//! How a person comes in: the address as a code for a phone's camera, or opened in the browser of this machine.

use std::io::{self, ErrorKind, Write as _};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};

use anstyle::{AnsiColor, Color, Style};
use qrcode::render::unicode::Dense1x2;
use qrcode::types::QrResult;
use qrcode::{EcLevel, QrCode};

use crate::out::say_note;

/// What a desktop opens addresses with.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// Blocks are what is light: without colours that is right on a dark terminal, with them on every one.
const CODE: Style = AnsiColor::BrightWhite.on_default().bg_color(Some(Color::Ansi(AnsiColor::Black)));

/// Not masked, like the address itself.
pub(super) fn print_code(address: &str) {
    match code(address) {
        Ok(lines) => {
            let mut out = anstream::stdout();
            for line in lines.lines() {
                // Whoever closed the pipe does not want it.
                let _ = writeln!(out, "{CODE}{line}{CODE:#}");
            }
        }
        Err(error) => say_note(format_args!("the address is not shown as a QR code: {error}")),
    }
}

/// The least correction makes the smallest code, and a screen has no stains.
fn code(address: &str) -> QrResult<String> {
    let code = QrCode::with_error_correction_level(address, EcLevel::L)?;
    let mut drawn = code.render::<Dense1x2>();
    Ok(drawn.dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build())
}

/// The server goes on whatever comes of it, and so does the browser when the server ends.
pub(super) fn open(address: &str) {
    let mut opener = Command::new(OPENER);
    opener.arg(address).process_group(0);
    opener.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match opener.spawn() {
        // It may be the browser itself, and last as long.
        Ok(mut opener) => drop(std::thread::spawn(move || say_what_came_of(&opener.wait()))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            say_not_opened(&format!("there is no `{OPENER}` here"));
        }
        Err(error) => say_not_opened(&format!("`{OPENER}` cannot be started: {error}")),
    }
}

fn say_what_came_of(ended: &io::Result<ExitStatus>) {
    match ended {
        Ok(status) if status.success() => {}
        Ok(status) => say_not_opened(&match status.code() {
            Some(code) => format!("`{OPENER}` ended with exit code {code}"),
            None => format!("`{OPENER}` was ended by a signal"),
        }),
        Err(error) => say_not_opened(&format!("the result of `{OPENER}` is unknown: {error}")),
    }
}

fn say_not_opened(why: &str) {
    say_note(format_args!("{why}: open the address yourself where no browser shows it"));
}
