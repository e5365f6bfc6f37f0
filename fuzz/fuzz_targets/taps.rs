//! cargo-fuzz target; its body is `chronotap_fuzz::taps`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chronotap_fuzz::taps(data));
