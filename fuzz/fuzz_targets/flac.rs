//! cargo-fuzz target; its body is `chronotap_fuzz::flac`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chronotap_fuzz::flac(data));
