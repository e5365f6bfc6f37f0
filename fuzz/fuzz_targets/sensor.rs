//! cargo-fuzz target; its body is `chronotap_fuzz::sensor`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chronotap_fuzz::sensor(data));
