//! Computer keyboards and response boxes, through the kernel's event devices
//! (`/dev/input/event*`), spoken to directly: no library is needed. The kernel
//! stamps each key on CLOCK_MONOTONIC when the driver reports it.

mod abi;
mod decode;
mod devices;
mod hold;
mod kept;
mod keys;
mod kind;
mod name;
mod port;

pub use kept::{KeepKeysError, keep_keys};
pub(crate) use kind::KIND;
pub use name::{EvdevName, EvdevNameError};
pub use port::{EvdevError, EvdevPort};
