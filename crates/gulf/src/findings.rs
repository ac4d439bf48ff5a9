//! How findings in a person's texts are told: as lines and as JSON.

use std::fmt::Write as _;

use gulf_spec::lint::Finding;
use gulf_spec::problem::Weight;
use gulf_views::{Palette, Tone, one_line};

/// `error: RUBRIC.md:3:1: …`, and what to do about it.
pub fn describe(finding: &Finding) -> String {
    let (label, tone) = match finding.weight {
        Weight::Error => ("error:", Tone::Failed),
        Weight::Warning => ("warning:", Tone::Attention),
    };
    let place = finding.place.as_deref().map(|place| format!("{}: ", one_line(place))).unwrap_or_default();
    let mut text = format!("{} {place}{}\n", tone.paint(label, Palette::Colour), one_line(&finding.message));
    if let Some(hint) = &finding.hint {
        let label = Tone::Literal.paint("hint:", Palette::Colour);
        let _ = writeln!(text, "  {label} {}", one_line(hint));
    }
    text
}

/// The same for a program.
pub fn document(finding: &Finding) -> serde_json::Value {
    serde_json::json!({
        "rule": finding.rule.name(),
        "weight": match finding.weight {
            Weight::Error => "error",
            Weight::Warning => "warning",
        },
        "place": finding.place,
        "message": finding.message,
        "hint": finding.hint,
    })
}
