//! What is too long to be kept whole (all of it together would be 200 MB) is kept as its first and last lines, with the
//! number of its lines and a checksum of all of it. So every change fails; that of a line that is kept is seen at once.

use chronotap_core::files::sha256;

/// How much of a text is kept.
pub struct Most {
    /// A text of at most so many bytes is kept whole.
    bytes: usize,
    head: usize,
    tail: usize,
    /// So many characters of each line.
    width: usize,
}

/// Of what is printed.
pub const PRINTED: Most = Most { bytes: 14_000, head: 60, tail: 10, width: 200 };

/// Of a file.
pub const WRITTEN: Most = Most { bytes: 2_000, head: 10, tail: 2, width: 160 };

/// Of a further file of one kind.
pub const FURTHER: Most = Most { bytes: 0, head: 0, tail: 0, width: 0 };

pub fn shortened(text: &str, most: &Most) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    if text.len() <= most.bytes || lines.len() == 1 && text.len() < 100 {
        return lines.into_iter().map(str::to_owned).collect();
    }
    let sum = &sha256(text.as_bytes())[..12].to_uppercase();
    let told = format!("... in all {} lines, {} bytes, {sum}", lines.len(), text.len());
    let tail = lines.len().saturating_sub(most.tail).max(most.head);
    let cut = |line: &&str| match line.char_indices().nth(most.width) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => (*line).to_owned(),
    };
    let head = lines.iter().take(most.head).map(cut);
    head.chain([told]).chain(lines.iter().skip(tail).map(cut)).collect()
}

/// The name of a file without its numbers: files whose names differ in nothing else are of one kind.
pub fn kind(name: &str) -> String {
    name.split(|of: char| of.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("N")
}

#[test]
fn a_change_of_a_line_that_is_not_kept_is_seen_in_the_checksum() {
    let most = Most { bytes: 8, head: 1, tail: 1, width: 3 };
    let text = |middle: &str| shortened(&format!("abcd\n{middle}\nef\n"), &most);
    assert_eq!(shortened("ab\ncd\n", &most), ["ab", "cd"], "short enough");
    let [head, told, tail] = text("1").try_into().unwrap();
    assert_eq!((head.as_str(), tail.as_str()), ("abc ...", "ef"));
    assert!(told.starts_with("... in all 3 lines, 10 bytes, "), "{told}");
    assert_ne!(text("2")[1], told);
    assert_eq!(kind("sub-01_run-12.tsv"), kind("sub-2_run-3.tsv"));
}
