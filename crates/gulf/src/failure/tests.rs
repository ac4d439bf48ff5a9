//! What a terminal is told of a mistake in somebody else's text.

use gulf_spec::tasks::parse;
use gulf_spec::text::Source;

use super::*;

#[test]
fn what_a_list_or_a_worker_wrote_moves_no_cursor_in_an_error() {
    let evil = "\u{1b}]0;taken\u{7}\u{1b}[2Jx";
    let list = parse(&Source::new("TASKS.md", &format!("- [ ] T1: {evil} (depends on T9)\n")));
    let drawn = Failure::places("the list", list.errors());
    let said = Failure {
        causes: vec![format!("because of {evil}")],
        ..Failure::usage(format!("there is no {evil}"), format!("did you mean {evil}?"))
    };
    for shown in [drawn.shown(), said.shown()] {
        let own_colours = shown.replace("\u{1b}[0m", "").replace("\u{1b}[31m", "").replace("\u{1b}[36m", "");
        assert!(!own_colours.contains(['\u{1b}', '\u{7}']), "{own_colours:?}");
        assert!(own_colours.contains("^[]0;taken^G^[[2Jx"), "{own_colours}");
    }
}
