#![cfg_attr(not(windows), forbid(unsafe_code))] // there files are locked by the system's own call
//! What every other crate is built of: [`time`] as arithmetic, [`midi`] messages and byte streams,
//! what a [`sensor`] of force says, [`text`] in messages about mistakes, and [`files`] as they are
//! opened, made and named.

pub mod files;
pub mod midi;
pub mod sensor;
pub mod text;
pub mod time;
