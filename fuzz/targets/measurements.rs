//! Fuzzes what linters print and coverage reports; apart because libFuzzer wants a program for each target.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gulf_fuzz::measurements(bytes);
});
