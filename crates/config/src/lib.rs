#![forbid(unsafe_code)]
//! What experimenters write: trial files, with what any of their files is read with
//! ([`trial_files`]), files of sounds ([`sounds`]), and configuration files of FTAP, as the text of trial
//! files ([`ftap`]).

pub mod ftap;
pub mod sounds;
pub mod trial_files;
