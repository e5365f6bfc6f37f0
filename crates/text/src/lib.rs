#![forbid(unsafe_code)]
//! What every room needs that reads what people write, and answers mistakes in it: the
//! valid name that was probably meant ([`nearest`]), and the line on which something
//! stands ([`Lines`]). How a mistake is worded is each room's own.

mod lines;
mod nearest;

pub use lines::Lines;
pub use nearest::{most_like, nearest};
