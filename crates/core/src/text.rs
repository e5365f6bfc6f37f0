//! For every crate that reads text written by people and reports mistakes in it: the valid
//! name that was probably meant ([`nearest`]), and the line of a place in the text
//! ([`Lines`]). Each crate words its own messages. And what of a text may be given to others
//! ([`shared`]), a sentence in lines ([`broken`]), and a number of things
//! ([`counted`]).

mod broken;
mod counted;
mod lines;
mod nearest;
mod shared;
mod typed;

pub use broken::{COLUMNS, broken};
pub use counted::counted;
pub use lines::Lines;
pub use nearest::{most_like, nearest};
pub use shared::shared;
pub use typed::typed;
