//! cargo-fuzz target; its body is `chronotap_fuzz::performer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chronotap_fuzz::performer(data));
