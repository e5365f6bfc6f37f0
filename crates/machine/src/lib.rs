#![forbid(unsafe_code)]
//! What a machine is and what it granted, as data: the [`facts`] that stand with every
//! measurement, and the [`grant`] of a real-time thread. A file that holds them is read on any
//! system; how Linux is asked is in `chronotap-linux`.

pub mod facts;
pub mod grant;
