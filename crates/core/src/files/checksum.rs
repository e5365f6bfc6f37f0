//! [`sha256`]: the checksum of a file, as `sha256sum` prints it; and [`Summing`], the checksum of
//! bytes on their way to a file.

use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// SHA-256 (FIPS 180-4) of these bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Hands on what is written to it, and adds it up.
#[derive(Debug)]
pub struct Summing<W> {
    to: W,
    sum: Sha256,
}

impl<W: Write> Summing<W> {
    /// Begins with nothing.
    pub fn of(to: W) -> Summing<W> {
        Summing { to, sum: Sha256::new() }
    }

    /// SHA-256 of all that was handed on, in hexadecimal.
    pub fn sha256(self) -> String {
        hexadecimal(&self.sum.finalize())
    }
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn hexadecimal(digest: &[u8]) -> String {
    let digit = |four: u8| char::from(b"0123456789abcdef"[usize::from(four)]);
    digest.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_sum_is_that_of_the_standard() {
        assert_eq!(sha256(b"abc"), ABC);
    }

    #[test]
    fn what_passes_by_piece_by_piece_has_the_sum_of_the_whole() {
        let mut sum = Summing::of(Vec::new());
        sum.write_all(b"a").unwrap();
        sum.write_all(b"bc").unwrap();
        assert_eq!(sum.to, b"abc");
        assert_eq!(sum.sha256(), ABC);
    }
}
