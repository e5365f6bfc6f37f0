//! What every file of an experimenter is read with: trial files, experiment files, the machine
//! file, files of sounds. A file is TOML in which each value knows its place ([`tree`]); the
//! table of its [`Keys`] says what may stand where; a [`Part`] is a table of the file, a
//! [`Field`] one value, read as what its key holds. Whatever is wrong goes to the [`Page`], which
//! knows lines, and is told at the end with the mistakes of all other files. What the keys mean is
//! not here.

mod broken;
mod field;
mod keys;
mod node;
mod note;
mod odd;
mod other_kind;
mod page;
mod part;
mod phrases;
mod point;
mod problem;
mod quantity;
mod reference;
mod settable;
mod tree;
mod unknown;

pub use broken::Broken;
pub use field::{Field, well_named};
pub use keys::{DAY, Default, INTERVAL, Key, KeyKind, Keys, Section, TEMPI, words_of};
pub use node::{Node, TomlEntry, TomlTable, Value};
pub(crate) use note::say as say_note;
pub use note::{note, of_frequency};
pub use page::{Mistakes, Page, Parameter};
pub use part::{Part, read};
pub use point::with_point;
pub(crate) use problem::no_text;
pub use problem::{Problem, Problems};
pub use quantity::{QuantityFault, brief, say, say_whole, time, time_for, with_unit};
pub use reference::reference;
pub use settable::Settable;
pub use tree::{document, tree};
pub use unknown::belongs;
