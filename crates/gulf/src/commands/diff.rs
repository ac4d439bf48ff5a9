//! `gulf diff`: what changed between two moments of a loop, as `git diff` shows it.

use std::io::{IsTerminal, Write};

use gulf_host::git::{DiffForm, TreeId};
use gulf_runner::error::RunError;

use crate::cli::DiffArguments;
use crate::failure::Failure;
use crate::iterations::{self, Ends, RecordedLoop};
use crate::screen;

/// How wide a list of files is where nobody looks.
const PIPED_COLUMNS: u16 = 100;

pub fn diff(arguments: &DiffArguments) -> Result<u8, Failure> {
    let span = iterations::span(arguments.span.as_deref())?;
    let recorded = RecordedLoop::find(span.loop_id.as_deref())?;
    let Ends { from, to } = recorded.ends(span.steps)?;
    let is_terminal = std::io::stdout().is_terminal();
    let form = match arguments.stat {
        true if is_terminal => DiffForm::Stat { columns_max: screen::look(&std::io::stdout()).columns_max },
        true => DiffForm::Stat { columns_max: PIPED_COLUMNS },
        false => DiffForm::Patch,
    };
    let tree = |text: &str| TreeId::parse(text).map_err(RunError::from);
    let (from, to) = (tree(from.tree.as_str())?, tree(to.tree.as_str())?);
    let text = recorded.repository()?.diff_text(&from, &to, form).map_err(RunError::from)?;
    let text = if is_terminal { gulf_views::tame(&text) } else { text };
    match std::io::stdout().lock().write_all(&text) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::world(&error, None)),
        Ok(()) | Err(_) => Ok(0),
    }
}
