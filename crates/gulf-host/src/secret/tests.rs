//! What is read, what is refused, and what is never shown.

use camino::Utf8Path;

use super::{Secret, SecretError};
use crate::hint::Hint as _;

fn file(text: &str) -> (tempfile::TempDir, Result<Secret, SecretError>) {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path()).unwrap().join("비밀 token");
    std::fs::write(&path, text).unwrap();
    let read = Secret::from_file(&path);
    (folder, read)
}

#[test]
fn a_secret_is_one_line_of_its_file() {
    assert_eq!(file("xoxb-1-abc\n").1.unwrap().reveal(), "xoxb-1-abc");
    assert!(matches!(file("").1, Err(SecretError::NotOneLine { what: "is blank", .. })));
    assert!(matches!(file("one\ntwo\n").1, Err(SecretError::NotOneLine { what, .. }) if what != "is blank"));
    let missing = Secret::from_file(Utf8Path::new("/nowhere/token")).unwrap_err();
    assert!(missing.hint().is_some(), "{missing}");
}

#[test]
fn a_variable_that_is_not_set_is_named() {
    let unset = Secret::from_variable("NO_SUCH_SECRET_OF_GULF").unwrap_err();
    assert_eq!(unset.to_string(), "the variable NO_SUCH_SECRET_OF_GULF is not set");
}

#[test]
fn a_secret_shows_nothing_of_itself() {
    let secret = Secret::new("xoxb-1-abc");
    assert_eq!(format!("{secret:?}"), "Secret(***)");
    assert_eq!(secret.redact("no xoxb-1-abc here"), "no *** here");
    assert!(!file("one\nxoxb-1-abc\n").1.unwrap_err().to_string().contains("xoxb"));
}

/// Test case 2 of RFC 4231.
#[test]
fn a_signature_is_the_one_of_the_standard() {
    let signature = Secret::new("Jefe").sign(b"what do ya want for nothing?");
    assert_eq!(signature, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}
