//! Fuzzes the stream of an agent; apart because libFuzzer wants a program for each target.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gulf_fuzz::agent_stream(bytes);
});
