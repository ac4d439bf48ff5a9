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

#[test]
fn a_digest_survives_text_and_json_in_one_spelling_only() {
    let digest: Digest = OF_ABC.parse().unwrap();
    assert_eq!(digest, Digest::of_bytes(b"abc"));
    let json = serde_json::to_string(&digest).unwrap();
    assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
    for wrong in [&OF_ABC[1..], &OF_ABC.to_uppercase(), "", "가나다"] {
        assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
    }
}
