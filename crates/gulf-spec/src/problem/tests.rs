//! The rendering that the tests of all parsers share, and suggestions.

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};

use super::nearest;

/// What a person sees, at 80 columns and without colour.
pub(crate) fn rendered(diagnostic: &dyn Diagnostic) -> String {
    let mut page = String::new();
    GraphicalReportHandler::new_themed(GraphicalTheme::none())
        .with_width(80)
        .render_report(&mut page, diagnostic)
        .unwrap();
    page.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_suggestion_is_near_or_there_is_none() {
    assert_eq!(nearest("timout", ["timeout", "allow"]), Some("timeout"));
    assert_eq!(nearest("zebra", ["timeout", "allow"]), None);
    assert_eq!(nearest("", ["timeout", "allow"]), None);
}
