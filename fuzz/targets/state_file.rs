//! Fuzzes state files of sessions; apart because libFuzzer wants a program for each target.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gulf_fuzz::state_file(bytes);
});
