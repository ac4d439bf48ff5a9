//! What agrees and what differs between a commit's receipt and what was found here.

use crate::look::{Look, Tone};
use crate::phrase::{Phrase, say, secondary};
use crate::screen::item;
use serde::Serialize;

/// Every point of a receipt that was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReceiptComparison {
    pub commit: String,
    pub agrees: Vec<String>,
    pub differs: Vec<String>,
    /// What cannot be told here, and what is no difference.
    pub told: Vec<String>,
}

impl ReceiptComparison {
    /// Does anything speak against the receipt?
    pub fn holds(&self) -> bool {
        self.differs.is_empty()
    }
}

/// The comparison as lines, each with its line end.
pub fn receipt_comparison(found: &ReceiptComparison, look: Look) -> String {
    let word = if found.holds() {
        Phrase::new()
            .tone(Tone::Verified, "receipt holds")
            .say(": what can be repeated here says the same, of commit ")
    } else {
        Phrase::new().tone(Tone::Failed, "receipt differs").say(": do not rely on it, of commit ")
    };
    let mut screen = word.literal(&found.commit).paragraph(look, 2);
    for line in &found.differs {
        screen.push_str(&item(Phrase::new().tone(Tone::Failed, "differs").say(format!("  {line}")), look));
    }
    for line in &found.agrees {
        screen.push_str(&item(say(format!("agrees   {line}")), look));
    }
    for line in &found.told {
        screen.push_str(&item(secondary(format!("note     {line}")), look));
    }
    screen
}
