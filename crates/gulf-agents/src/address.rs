//! Texts as they stand in an address: percent signs and two digits for what means something else there.

/// What means itself anywhere in an address, besides letters and digits (RFC 3986, 2.3).
pub const UNRESERVED: &[u8] = b"-_.~";

/// With nothing as it is but letters, digits and these.
pub fn percent_encoded(text: &str, kept: &[u8]) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}
