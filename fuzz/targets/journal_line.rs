//! Fuzzes lines of a journal, folded, decided upon and shown; apart because libFuzzer wants a program for each target.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gulf_fuzz::journal_line(bytes);
});
