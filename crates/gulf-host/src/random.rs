//! Random names from the system: what a worker must not be able to guess, and what must never repeat.
//!
//! It stands apart so that chance, like the clock, comes from one place.

use std::io;

use crate::digest::hexadecimal;

/// Where the system has no randomness, nothing secret can be made up instead.
fn bytes<const COUNT: usize>() -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// 128 bits in hexadecimal digits.
pub fn nonce() -> io::Result<String> {
    Ok(hexadecimal(&bytes::<16>()?))
}

/// A random UUID (RFC 9562, version 4).
pub fn uuid() -> io::Result<String> {
    let mut bytes = bytes::<16>()?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hexadecimal(&bytes);
    Ok([&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-"))
}

#[cfg(test)]
mod tests {
    //! The forms, and that two are not the same.

    use super::{nonce, uuid};

    #[test]
    fn a_uuid_has_its_form_and_is_never_the_same() {
        let (one, other) = (uuid().unwrap(), uuid().unwrap());
        assert_ne!(one, other);
        let lengths: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(&one[14..15], "4");
        assert!("89ab".contains(&one[19..20]), "{one}");
    }

    #[test]
    fn a_nonce_is_long_and_plain() {
        let nonce = nonce().unwrap();
        assert_eq!(nonce.len(), 32);
        assert!(nonce.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
}
