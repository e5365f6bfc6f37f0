//! What the tests of recorded data need, and of whatever stands above it: a trial as it is
//! recorded, without an engine that ran ([`tiny`]).

pub mod tiny;
