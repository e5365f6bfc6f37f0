//! [`is_the_same`]: whether an open file is the one that has a name now. Somebody may have removed it meanwhile, or put
//! another in its place.

use std::fs::Metadata;

/// A file on its disk, under whatever name.
pub type Identity = (u64, u64);

/// Which file this is, and how many names it has; `None` where the system does not say it. A file
/// with two names is then two files.
#[cfg(unix)]
pub fn identity(about: &Metadata) -> Option<(Identity, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some(((about.dev(), about.ino()), about.nlink()))
}

#[cfg(not(unix))]
pub fn identity(_: &Metadata) -> Option<(Identity, u64)> {
    None
}

/// Whether an open file is the one that has this name. Where the system does not say which file it
/// is, when it was made tells.
pub fn is_the_same(open: &Metadata, named: &Metadata) -> bool {
    match (identity(open), identity(named)) {
        (Some((open, _)), Some((named, _))) => open == named,
        _ => named.is_file() && open.created().ok() == named.created().ok(),
    }
}
