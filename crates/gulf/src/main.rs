//! The gulf binary.
fn main() {}
