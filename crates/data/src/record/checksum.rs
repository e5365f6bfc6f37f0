//! [`Checksum`]: whether a table is still the one that was written. The description beside
//! it holds the SHA-256 of its bytes, which `sha256sum NAME_events.tsv` prints too. It
//! tells a change that happened to the table alone, by accident or by an editor; whoever
//! wants to deceive can write another sum.

use chronotap_core::files::sha256;

/// What the checksum beside a table says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checksum {
    /// None was written with the table: an earlier version of the program wrote it.
    #[default]
    Absent,
    /// The table is the one that was written.
    Agrees,
    /// The table is another one than was written.
    Differs,
}

impl Checksum {
    /// Compares the sum that was written with that of the bytes as they are.
    pub(crate) fn of(written: Option<&str>, table: &[u8]) -> Checksum {
        match written {
            None => Checksum::Absent,
            Some(written) if written.eq_ignore_ascii_case(&sha256(table)) => Checksum::Agrees,
            Some(_) => Checksum::Differs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_compared_in_either_case_and_may_be_absent() {
        let abc = sha256(b"abc");
        assert_eq!(Checksum::of(Some(&abc), b"abc"), Checksum::Agrees);
        assert_eq!(Checksum::of(Some(&abc.to_uppercase()), b"abc"), Checksum::Agrees);
        assert_eq!(Checksum::of(Some(&abc), b"abd"), Checksum::Differs);
        assert_eq!(Checksum::of(None, b"abc"), Checksum::Absent);
    }
}
