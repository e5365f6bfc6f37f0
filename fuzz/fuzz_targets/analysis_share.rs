//! cargo-fuzz target; its body is `chronotap_fuzz::analysis_share`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chronotap_fuzz::analysis_share(data));
