//! How every crate opens a file, makes one, and gives it its name.
//!
//! Background: a data folder may belong to somebody else, and what is in it may be a pipe,
//! a link, or the file of another program that runs at the same moment.
//! Solution: [`open`] opens only regular files and waits for nobody. [`create_new`] makes files that
//! were not there, for owner and group alone. [`place`] writes under a name that nobody else
//! has, and gives the file its own name only where that is free. [`sha256`] tells whether a file
//! is still the one that was written. All of this works on any [`Disk`], so that tests can
//! let each operation fail. Nothing here knows what a file means.

mod checksum;
mod device;
mod disk;
mod droppings;
mod folder;
mod inside;
mod lock;
mod make;
mod meant;
mod open;
mod patience;
mod place;
mod read_at;
mod real;
mod refusal;
mod same;
mod slashes;
mod text;
mod way;

pub use checksum::{Summing, sha256};
pub use device::is_device;
pub use disk::{Disk, DiskFile, System, open_to_sync};
pub use droppings::is_dropping;
pub use folder::{Unfinished, remove_unfinished_beside};
pub use inside::inside;
pub use lock::{has_no_locks, lock, try_lock, unlock};
pub use make::{create_folder, create_folder_unsynced, create_new, create_to_append, sync_folder};
pub use meant::probably_meant;
pub use open::{is_there, open, open_to_append, read, read_to_string};
pub use patience::{is_held, patiently};
pub use place::{Prepared, nameless, place, place_on, replace, replace_on, writer_of};
pub use read_at::read_exact_at;
pub use real::real;
pub use refusal::Refusal;
pub use same::{Identity, identity, is_the_same};
pub use slashes::slashes;
pub use text::{Foreign, NotUtf8, any_text, table_text, text_of};
pub use way::{OtherFolder, Way};
