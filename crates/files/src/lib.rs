#![forbid(unsafe_code)]
//! How every room opens a file, makes one, and gives it its name.
//!
//! Background: a data folder may belong to somebody else, and what stands in it may be a pipe,
//! a link, or the file of another program that runs at the same moment.
//! Solution: [`open`] opens files alone and waits for nobody. [`create_new`] makes files that
//! were not there, for owner and group alone. [`place`] writes under a name that nobody else
//! has, and gives the file its own name only where that is free. [`sha256`] tells whether a file
//! is still the one that was written. What it means is not known here.

mod checksum;
mod make;
mod open;
mod place;

pub use checksum::sha256;
pub use make::{create_folder, create_new, create_to_append};
pub use open::{is_there, open, read, read_to_string};
pub use place::{place, replace, sync_folder};
