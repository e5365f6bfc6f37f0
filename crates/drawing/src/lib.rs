#![forbid(unsafe_code)]
//! Drawings as text (SVG): [plots](plot) and the [`timeline`] of a trial, with the [paint] of all
//! of them. A drawing is a string made from numbers: pages of reports, files and the page in a
//! browser hold the same one, so nothing here knows a page, a file or a computer.

mod alone;
mod escape;
pub mod paint;
pub mod plot;
mod timeline;

pub use alone::{MARK, alone};
pub use escape::escape;
pub use timeline::{WIDE, timeline};
