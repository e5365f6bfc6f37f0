//! [`check`]: whether the parts of a SoundFont fit into their file and into each other,
//! before the library that reads it takes memory for them.
//!
//! The library allocates what a part says of its own size, and copies lists as often as
//! indices ask for it: a file of 400 bytes may ask for 4 GB so. Here the sizes are compared
//! with the bytes that are there, and the indices must ascend, as the SoundFont Technical
//! Specification 2.04 demands (sections 7.2 to 7.8); then all lists together are no longer
//! than the file. What the parts mean is not looked at.

/// Information, samples, parameters; what follows them is not read.
const LISTS: usize = 3;

/// The parts of the third list whose records hold an index into the next.
const INDICES: [Index; 4] = [
    Index { of: *b"phdr", bytes: 38, at: 24, into: *b"pbag", entry: 4 },
    Index { of: *b"pbag", bytes: 4, at: 0, into: *b"pgen", entry: 4 },
    Index { of: *b"inst", bytes: 22, at: 20, into: *b"ibag", entry: 4 },
    Index { of: *b"ibag", bytes: 4, at: 0, into: *b"igen", entry: 4 },
];

/// Where the records of a part say which entry of another part is their first.
struct Index {
    of: [u8; 4],
    bytes: usize, // of a record
    at: usize,    // place of the 16-bit index in it
    into: [u8; 4],
    entry: usize, // bytes of an entry there
}

/// A part: its name and what it holds.
type Chunk<'a> = ([u8; 4], &'a [u8]);

/// What is wrong with the file, in words; nothing where its parts fit.
pub(super) fn check(file: &[u8]) -> Result<(), String> {
    let body = file.get(12..).ok_or("it ends within its first 12 bytes")?;
    if &file[..4] != b"RIFF" || &file[8..12] != b"sfbk" {
        return Err("it does not begin with RIFF and sfbk".into());
    }
    let mut parameters = Vec::new();
    for (name, list) in chunks(body, LISTS)? {
        if &name != b"LIST" {
            return Err(format!("it has a part `{}` where a LIST belongs", shown(name)));
        }
        let kind = list.get(..4).ok_or("a LIST has no name")?;
        let parts = chunks(&list[4..], usize::MAX)?;
        if kind == b"pdta" {
            parameters = parts;
        }
    }
    INDICES.iter().try_for_each(|index| index.check(&parameters))
}

/// The parts that follow each other, at most so many: a name, a size, so many bytes. As in
/// the library there is no byte between parts of odd sizes.
fn chunks(mut bytes: &[u8], most: usize) -> Result<Vec<Chunk<'_>>, String> {
    let mut all = Vec::new();
    while let Some((&[a, b, c, d, e, f, g, h], rest)) = bytes.split_first_chunk() {
        if all.len() == most {
            return Ok(all);
        }
        let (name, size) = ([a, b, c, d], u32::from_le_bytes([e, f, g, h]));
        // Versions are read as two words, whatever their size says.
        if matches!(&name, b"ifil" | b"iver") && size != 4 {
            return Err(format!("its part `{}` has {size} bytes, not 4", shown(name)));
        }
        let Some((part, after)) = rest.split_at_checked(size as usize) else {
            let there = rest.len();
            let name = shown(name);
            return Err(format!("its part `{name}` says it has {size} bytes, and {there} follow"));
        };
        all.push((name, part));
        bytes = after;
    }
    if bytes.is_empty() || all.len() == most {
        Ok(all)
    } else {
        Err("it ends within the head of a part".into())
    }
}

impl Index {
    /// The indices ascend, and the last, the terminator's, is within the part it points into.
    fn check(&self, parts: &[Chunk<'_>]) -> Result<(), String> {
        let find = |name: [u8; 4]| parts.iter().filter(move |part| part.0 == name);
        let into = find(self.into).map(|part| part.1.len() / self.entry).min().unwrap_or(0);
        for (_, part) in find(self.of) {
            let mut least = 0;
            for record in part.chunks_exact(self.bytes) {
                let index = u16::from_le_bytes([record[self.at], record[self.at + 1]]);
                if usize::from(index) < least || usize::from(index) >= into {
                    let (of, into) = (shown(self.of), shown(self.into));
                    return Err(format!("an index of its part `{of}` into `{into}` is wrong"));
                }
                least = index.into();
            }
        }
        Ok(())
    }
}

/// A name as it can be printed.
fn shown(name: [u8; 4]) -> String {
    name.escape_ascii().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tone::tiny::tiny_soundfont;

    /// The file with other bytes somewhere in a part.
    fn with(part: &[u8; 4], at: usize, bytes: &[u8]) -> Vec<u8> {
        let mut file = tiny_soundfont();
        let place = file.windows(4).position(|name| name == part).unwrap() + at;
        file[place..place + bytes.len()].copy_from_slice(bytes);
        file
    }

    #[test]
    fn a_part_that_says_it_is_larger_than_the_file_is_refused() {
        assert_eq!(check(&tiny_soundfont()), Ok(()));
        for part in [b"smpl", b"INAM", b"phdr", b"igen", b"shdr"] {
            let said = check(&with(part, 4, &0xFFFF_FFFE_u32.to_le_bytes())).unwrap_err();
            let name = shown(*part);
            assert!(
                said.starts_with(&format!("its part `{name}` says it has 4294967294")),
                "{said}"
            );
        }
    }

    #[test]
    fn an_index_that_goes_back_or_beyond_is_refused() {
        for (part, at) in [(b"phdr", 8 + 24), (b"pbag", 8 + 4), (b"inst", 8 + 20), (b"ibag", 8)] {
            let said = check(&with(part, at, &0xFFFF_u16.to_le_bytes())).unwrap_err();
            assert!(said.contains("is wrong"), "{said}");
        }
        let back = check(&with(b"ibag", 8 + 8, &1_u16.to_le_bytes())).unwrap_err();
        assert_eq!(back, "an index of its part `ibag` into `igen` is wrong");
    }

    #[test]
    fn what_is_no_riff_file_or_ends_too_early_is_refused() {
        let whole = tiny_soundfont();
        for bytes in [&b"RIFF"[..], b"RIFF\0\0\0\0sfbk", &whole[..whole.len() - 1]] {
            let refused = check(bytes).is_err();
            assert_eq!(refused, bytes.len() != 12, "{}", bytes.len());
        }
    }
}
