//! What people write for a session: the commands that they type, and state files; apart because both hold a prompt,
//! and of a prompt no byte may be lost.

use gulf_spec::config::{self, Key, Layers};
use gulf_spec::marker::{self, Marker, MarkerProblem, Reading};
use gulf_spec::problem::Problem;
use gulf_spec::spoken::{self as words, Goal, Spoken};

use crate::{Outcome, parts};

/// A prompt as a session's host hands it on.
pub fn spoken(bytes: &[u8]) -> Outcome {
    let prompt = String::from_utf8_lossy(bytes);
    let heard = words::spoken(&prompt);
    let close = "</pasted_content";
    if prompt.starts_with("/gulf-loop:") && !prompt.contains(close) {
        let pasted = format!("\n\n<pasted_content id=\"1\">\n{prompt}\n{close} id=\"1\">\n");
        assert_eq!(words::spoken(&pasted), heard, "pasted and typed are the same");
    }
    let settings = match heard {
        None => return Outcome::Refused,
        Some(Err(error)) => {
            assert!(!error.to_string().is_empty() && error.hint() != Some(String::new()), "it is said why");
            return Outcome::Refused;
        }
        Some(Ok(Spoken::Start(start))) => {
            match start.goal {
                Goal::Text(text) | Goal::File(text) | Goal::Spec(text) => assert!(!text.trim().is_empty()),
                Goal::Project => {}
            }
            start.settings
        }
        Some(Ok(Spoken::Resume(resume))) => resume.settings,
        Some(Ok(Spoken::Align(_) | Spoken::Status | Spoken::Cancel | Spoken::Clean(_))) => Vec::new(),
        Some(Ok(Spoken::Answer(_) | Spoken::Help)) => Vec::new(),
    };
    // Whether there is such a judge shows when settings are loaded.
    let flags = settings.into_iter().filter(|(key, _)| *key != Key::JudgeTool).collect();
    let layers = Layers { flags, ..Layers::default() };
    assert!(config::load(&layers).is_ok(), "what was understood can be loaded: {:?}", layers.flags);
    Outcome::Read
}

/// A state file as it was written, and as it is found: of gulf, and of the plugin ralph-loop.
pub fn state_file(bytes: &[u8]) -> Outcome {
    let texts: Vec<_> = parts(bytes).into_iter().map(String::from_utf8_lossy).collect();
    let found = texts.get(1).and_then(|text| marker::read(text).ok());
    let of_ralph = marker::read_ralph(&texts[0]);
    let of_gulf = marker::read(&texts[0]);
    for reading in [of_gulf.as_ref(), of_ralph.as_ref()].into_iter().flatten() {
        assert_eq!(read_again(&reading.marker), Ok(reading.marker.clone()), "what is printed is read back");
        if let Some(found) = &found {
            // Whatever stands there; the worst of it is only named.
            let _ = marker::edits(&reading.marker, found);
        }
        let same = Reading { marker: reading.marker.clone(), warnings: Vec::new() };
        assert_eq!(marker::edits(&reading.marker, &same), [], "nothing was changed");
    }
    if of_gulf.is_ok() { Outcome::Read } else { Outcome::Refused }
}

/// The marker of what is printed, which has nothing to warn of.
fn read_again(marker: &Marker) -> Result<Marker, MarkerProblem> {
    let Reading { marker, warnings } = marker::read(&marker::print(marker))?;
    assert_eq!(warnings, [], "what gulf writes is right");
    Ok(marker)
}
