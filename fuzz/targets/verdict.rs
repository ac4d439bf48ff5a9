//! Fuzzes a judge's answer and what it was shown; apart because libFuzzer wants a program for each target.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gulf_fuzz::verdict(bytes);
});
