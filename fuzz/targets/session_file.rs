//! Fuzzes the file that a host keeps of a session; apart because libFuzzer wants a program for each target.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gulf_fuzz::session_file(bytes);
});
