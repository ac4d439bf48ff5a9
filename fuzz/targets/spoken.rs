//! Fuzzes the commands that people type into a session; apart because libFuzzer wants a program for each target.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gulf_fuzz::spoken(bytes);
});
