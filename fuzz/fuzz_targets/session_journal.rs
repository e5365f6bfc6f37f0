//! cargo-fuzz target; its body is `chronotap_fuzz::session_journal`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chronotap_fuzz::session_journal(data));
