//! What digest promises, shown on the real thing.

use super::Digest;
use crate::files::ReadError;
use camino::Utf8PathBuf;

const OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

#[test]
fn the_digest_of_abc_is_the_one_in_the_standard() {
    assert_eq!(Digest::of_bytes(b"abc").to_string(), OF_ABC);
    assert_eq!(Digest::of_reader(&b"abc"[..]).unwrap().to_string(), OF_ABC);
}

#[test]
fn a_file_larger_than_a_chunk_has_the_digest_of_its_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(folder.path().join("크다 big")).unwrap();
    let bytes: Vec<u8> = (0..200_000_u32).map(|number| (number % 251) as u8).collect();
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(Digest::of_file(&path).unwrap(), Digest::of_bytes(&bytes));
}

#[test]
fn a_missing_file_has_no_digest() {
    let error = Digest::of_file("/nowhere/at/all".into()).unwrap_err();
    assert!(matches!(error, ReadError::Missing { .. }), "{error:?}");
}
