//! Fuzzes the record of a judge's verdict; apart because libFuzzer wants a program for each target.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gulf_fuzz::judge_record(bytes);
});
