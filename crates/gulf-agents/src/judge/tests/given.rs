//! Exhibits and answers that several tests begin with.

use crate::judge::*;
use crate::sources::LineRange;

pub(super) const NONCE: &str = "k3x9v0q7m2d8s5f1";

pub(super) fn file(path: &str, text: &str, inside: &[(usize, usize)]) -> FileExhibit {
    let inside = inside.iter().map(|(first, last)| LineRange { first: *first, last: *last }).collect();
    let content = Content::Text { text: text.to_owned(), inside };
    FileExhibit { path: path.to_owned(), fate: Fate::Written { change: Change::Changed, content } }
}

pub(super) fn binary(path: &str) -> FileExhibit {
    let content = Content::Binary { bytes: 7 };
    FileExhibit { path: path.to_owned(), fate: Fate::Written { change: Change::Added, content } }
}

/// A check that passed.
pub(super) fn check_exhibit(name: &str, tail: &str) -> CheckExhibit {
    let (name, command) = (name.to_owned(), "npm test".to_owned());
    CheckExhibit { name, command, passed: true, tail: tail.to_owned() }
}

/// Two criteria, two files, one passed check.
pub(super) fn exhibits() -> Exhibits {
    Exhibits {
        goal: "Add a login form.".to_owned(),
        criteria: vec!["The form has a label.".to_owned(), "Errors are shown.".to_owned()],
        checks: vec![check_exhibit("test", "12 tests passed, none failed\n")],
        files: vec![
            file(
                "src/form.js",
                "export function form() {\n  return label('name') + field('name');\n}\n",
                &[(2, 2)],
            ),
            file("src/error.js", "// an old line that was there before\nshow(error.message);\n", &[(2, 2)]),
        ],
        commits: vec!["Add the form, all criteria are met".to_owned()],
        claim: "I am done, the errors are shown very well".to_owned(),
        ..Exhibits::default()
    }
}

pub(super) fn fence(exhibits: &Exhibits) -> Fence {
    Fence::new(NONCE, exhibits).unwrap()
}

pub(super) fn quote(path: &str, text: &str) -> Evidence {
    Evidence::Quote { path: path.to_owned(), text: text.to_owned() }
}

pub(super) fn said(number: u32, word: Word, evidence: Vec<Evidence>) -> CriterionAnswer {
    let reason = match word {
        Word::Met => String::new(),
        Word::Unmet | Word::Unsure | Word::NotHere => format!("because of {number}"),
    };
    CriterionAnswer { number, word, reason, evidence }
}

pub(super) fn answer(criteria: Vec<CriterionAnswer>) -> Answer {
    Answer { criteria, principle: Some("Look at labels first.".to_owned()) }
}

pub(super) fn met(number: u32) -> CriterionAnswer {
    let evidence = match number {
        1 => quote("src/form.js", "return label('name')"),
        _ => quote("src/error.js", "show(error.message);"),
    };
    said(number, Word::Met, vec![evidence])
}

pub(super) fn approving() -> Answer {
    answer(vec![met(1), met(2)])
}

/// What the JSON of a full approval looks like.
pub(super) const APPROVAL: &str = r#"{"criteria":[
  {"number":1,"word":"met","reason":"","quotes":[{"path":"src/form.js","text":"return label('name')"}],"checks":[],"examined":[]},
  {"number":2,"word":"met","reason":"","quotes":[],"checks":["test"],"examined":["src/error.js"]}
],"principle":"Look at labels first."}"#;
