//! cargo-fuzz target; its body is `chronotap_fuzz::sketch`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chronotap_fuzz::sketch(data));
