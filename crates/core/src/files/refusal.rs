//! [`Refusal`]: why a disk does not take what is written, in the kinds that differ in what is to
//! be done. The system's own words stand beside it wherever it is told.

use super::patience::is_shared_out;
use std::io::{self, ErrorKind};

/// Why a disk refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is full, or the quota is used up. Free space.
    Full,
    /// It may only be read. Mount it for writing.
    ReadOnly,
    /// The folder is not there any more: somebody removed or renamed it, or its disk is unmounted. Put it
    /// back.
    Gone,
    /// Its rights forbid it. Correct them.
    Forbidden,
    /// Another program holds the file, as Windows lets it. Close it there.
    Held,
    /// Anything else, such as a disk that fails or was pulled out. Look after it.
    Broken,
}

impl Refusal {
    /// All of them, each at the place of its number.
    pub const ALL: [Refusal; 6] = {
        use Refusal::{Broken, Forbidden, Full, Gone, Held, ReadOnly};
        [Full, ReadOnly, Gone, Forbidden, Held, Broken]
    };

    /// What the system's error amounts to.
    pub fn of(error: &io::Error) -> Refusal {
        if is_shared_out(error) {
            return Refusal::Held;
        }
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::WriteZero => {
                Refusal::Full
            }
            ErrorKind::FileTooLarge => Refusal::Full, // the limit of the process, or of the disk
            ErrorKind::ReadOnlyFilesystem => Refusal::ReadOnly,
            ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::StaleNetworkFileHandle => {
                Refusal::Gone
            }
            ErrorKind::PermissionDenied => Refusal::Forbidden,
            _ => Refusal::Broken,
        }
    }

    /// A word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Refusal::Full => "full",
            Refusal::ReadOnly => "read-only",
            Refusal::Gone => "gone",
            Refusal::Forbidden => "forbidden",
            Refusal::Held => "held",
            Refusal::Broken => "broken",
        }
    }

    /// What is the matter.
    pub fn condition(self) -> &'static str {
        match self {
            Refusal::Full => "the disk is full",
            Refusal::ReadOnly => "the disk is read-only",
            Refusal::Gone => "the folder of the data is gone",
            Refusal::Forbidden => "the folder of the data may not be written to",
            Refusal::Held => "another program has the file open",
            Refusal::Broken => "the disk does not take the data",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Refusal;
    use std::io;

    #[test]
    fn what_the_system_says_has_the_cure_that_helps() {
        for (errno, refusal) in [
            (28, Refusal::Full),
            (122, Refusal::Full),
            (30, Refusal::ReadOnly),
            (2, Refusal::Gone),
            (116, Refusal::Gone),
            (13, Refusal::Forbidden),
            (5, Refusal::Broken),
            (19, Refusal::Broken),
        ] {
            let error = io::Error::from_raw_os_error(errno);
            assert_eq!(Refusal::of(&error), refusal, "{error}");
        }
        assert!((0..).zip(Refusal::ALL).all(|(place, one)| one as usize == place));
    }
}
