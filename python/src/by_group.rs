//! What `models`, `uncertain`, `responses` and `onsets` say of one trial, of many at once: one call,
//! without the interpreter, on all processors. The same functions of the library are called with
//! the same values, so that the numbers are the same; where they give no estimate, a row says why.

pub mod ensemble;
pub mod models;
pub mod onsets;
pub mod responses;
pub mod statistics;
pub mod uncertain;
