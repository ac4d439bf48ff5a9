//! Settings taken over into a new text and into one that is there.

use proptest::prelude::*;

use super::*;
use crate::ralphrc;

const RALPHRC: &str = "CLAUDE_TIMEOUT_MINUTES=15\nALLOWED_TOOLS=\"Bash(npm *),Bash(pytest)\"\nCB_SAME_ERROR_THRESHOLD=4\nCLAUDE_MODEL='say \"cheese\"'\n";

fn imported(existing: Option<&str>) -> Result<Import, ImportError> {
    let source = Source::new(".ralphrc", RALPHRC);
    let existing = existing.map(|text| Source::new("gulf.toml", text));
    import(&ralphrc::parse(&source), &source, existing.as_ref())
}

// proves: K6
#[test]
fn a_new_text_says_where_each_value_came_from() {
    let import = imported(None).unwrap();
    insta::assert_snapshot!(import.text, @r#"
    # Settings of gulf for this project, taken over from .ralphrc. `gulf config explain` shows each value and where
    # it comes from; `gulf init` would add how the work is checked.

    [agent]
    timeout = "15m"  # .ralphrc:1:1 CLAUDE_TIMEOUT_MINUTES
    allow = ["npm", "pytest"]  # .ralphrc:2:1 ALLOWED_TOOLS
    model = 'say "cheese"'  # .ralphrc:4:1 CLAUDE_MODEL

    [stuck]
    same_failure = 4  # .ralphrc:3:1 CB_SAME_ERROR_THRESHOLD
    "#);
    assert_eq!((import.added.len(), import.kept.len()), (4, 0));
}

// proves: K6
#[test]
fn what_is_there_stays_byte_for_byte_and_counts() {
    let existing =
        "# mine\r\nresearch = \"off\"\n\n[agent]   # who\ntimeout = \"1h\"\n\n[[check]]\ncommand = \"make\"";
    let import = imported(Some(existing)).unwrap();
    insta::assert_snapshot!(import.text.replace('\r', "<CR>"), @r#"
    # mine<CR>
    research = "off"

    [agent]   # who
    allow = ["npm", "pytest"]  # .ralphrc:2:1 ALLOWED_TOOLS
    model = 'say "cheese"'  # .ralphrc:4:1 CLAUDE_MODEL
    timeout = "1h"

    [[check]]
    command = "make"

    [stuck]
    same_failure = 4  # .ralphrc:3:1 CB_SAME_ERROR_THRESHOLD
    "#);
    assert_eq!(import.kept.len(), 1);
    let again = imported(Some(&import.text)).unwrap();
    assert_eq!((again.text, again.added.len()), (import.text, 0), "a second time changes nothing");
}

// proves: K6
#[test]
fn a_text_that_would_be_broken_is_not_made() {
    let error = imported(Some("agent = \"claude\"\n")).unwrap_err();
    assert!(error.to_string().contains("`agent.timeout = \"15m\"`"), "{error}");
    assert!(matches!(imported(Some("agent = [")), Err(ImportError::Settings(_))));
}

proptest! {
    #[test]
    fn whatever_is_there_stays_in_it(text in "([\\[\\]a-z#=\"\r\n ]|\\[agent\\]|\\[stuck\\]|\n){0,40}") {
        if let Ok(import) = imported(Some(&text)) {
            let mut rest = import.text.lines();
            prop_assert!(text.lines().all(|line| rest.any(|one| one == line)), "{text:?}: {:?}", import.text);
        }
    }
}
