//! The tests of this crate's public side, one program: each file is a capability.
//! Beside it stand those that need a process of their own (`Cargo.toml` says why).

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot be set up has failed; some print what they found"
)]

mod align;
mod analyses;
mod commands;
mod contrasts;
mod data_files;
mod designs;
mod doctor;
mod endless;
mod examples;
mod exchanged;
mod falsified;
mod faults;
mod felt_force;
mod folders;
mod ftap;
mod groups;
mod heard_study;
mod hed_tags;
mod hostile_sounds;
mod import_taps;
mod listen;
mod loads;
mod lost_terminal;
mod lsl;
mod migration;
mod mistakes;
mod more_than_one;
mod no_files;
mod no_network;
mod opened_page;
mod outcomes;
mod packs;
mod page;
mod paged_trial;
mod passport;
mod pictures;
mod pipewire;
mod recovering;
mod rendering;
mod repeats;
mod reports;
mod sessions;
mod several_outputs;
mod shares;
mod sounding;
mod strange_text;
mod studies;
mod summaries;
mod test_taps;
mod timing;
#[path = "../../audio/src/tone/tiny.rs"]
mod tiny;
mod withdrawing;
