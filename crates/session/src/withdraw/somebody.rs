//! [`Somebody`]: a participant as files tell of them: in a name, in rows of a table, in words.

use chronotap_data::exchange::{holds, unpacked_xlsx};
use flate2::read::MultiGzDecoder;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

/// A participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Somebody {
    /// The label, such as `07`.
    pub label: String,
    /// The same as BIDS has it: `sub-07`.
    pub id: String,
}

/// How a file tells of somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trace {
    /// It has rows of theirs.
    Rows,
    /// The same, in a Parquet file.
    Parquet,
    /// The same, in a workbook.
    Workbook,
    /// It is a report of trials with theirs.
    Report,
    /// It names them.
    Words,
    /// It cannot be read, for this reason.
    Unread(String),
    /// It may tell of them, and no program can say: an archive, or a column that may have their label.
    Unknown(String),
}

/// The columns of tables that say whose row it is.
const WHOSE: [&str; 4] = ["participant_id", "participant", "subject", "sub"];
/// What columns of other programs are called that may say whose a row is; in small letters, without what stands
/// between words.
const PERHAPS_WHOSE: [&str; 28] = [
    "id",
    "participant",
    "participantid",
    "participantno",
    "participantnr",
    "participantnumber",
    "participantcode",
    "participantlabel",
    "subject",
    "subjectid",
    "subjectno",
    "subjectnr",
    "subjectnumber",
    "subjectcode",
    "subj",
    "subjid",
    "sub",
    "subid",
    "pid",
    "ppn",
    "vp",
    "vpn",
    "vpnr",
    "proband",
    "person",
    "personid",
    "code",
    "label",
];
/// Which bytes archives and other files have at which place in which text stands packed, and what they are.
const PACKED: [(usize, &[u8], &str); 21] = [
    (0, b"PK\x03\x04", "a ZIP archive, or a document that is one"),
    (0, b"\xfd7zXZ\0", "packed by xz"),
    (0, b"\x5d\0\0", "packed by lzma"),
    (0, b"LZIP", "packed by lzip"),
    (0, b"\x28\xb5\x2f\xfd", "packed by zstd"),
    (0, b"\x04\x22\x4d\x18", "packed by lz4"),
    (0, b"\x1f\x9d", "packed by compress"),
    (0, b"BZh", "packed by bzip2"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!", "a RAR archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"%PDF", "a PDF"),
    (0, b"\xd0\xcf\x11\xe0", "a document of an older Office"),
    (0, b"\x89HDF", "an HDF5 file"),
    (0, b"MATLAB 5.0", "a MAT file"),
    (0, b"$FL", "a file of SPSS"),
    (0, b"ARROW1", "a Feather file"),
    (0, b"PAR1", "a Parquet file of another name"),
    (0, b"SQLite format 3", "a database"),
    (0, b"RDX", "data of R"),
    (0, b"X\n\0\0", "data of R"),
];
/// What is in the head of every report of trials.
pub(crate) const REPORT: &str = "content=\"chronotap report\"";
/// What says in the head of a report whose trials are in it, label by label.
const PEOPLE: &str = "<meta name=\"chronotap-participants\" content=\"";

impl Somebody {
    /// The participant of this label; `None` where it can be nobody's.
    pub(crate) fn of(label: &str) -> Option<Somebody> {
        let plain = !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric());
        plain.then(|| Somebody { label: label.to_owned(), id: format!("sub-{label}") })
    }

    /// Whether a name names them: `sub-07_task-…`, but not `sub-071`.
    pub(crate) fn is_in(&self, name: &[u8]) -> bool {
        places(name, self.id.as_bytes()).any(|place| {
            let before = place.start.checked_sub(1).and_then(|at| name.get(at));
            let other = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric());
            other(before) && other(name.get(place.end))
        })
    }

    /// Whether a file or folder on the way names them.
    pub(crate) fn is_on_the_way(&self, path: &Path) -> bool {
        path.iter().any(|part| self.is_in(part.as_encoded_bytes()))
    }

    /// How a file tells of them; `None` where it does not. What is compressed is read as what it
    /// was before.
    pub(crate) fn trace(&self, path: &Path, bytes: io::Result<Vec<u8>>) -> Option<Trace> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if name.ends_with(".parquet") {
            return match holds(path, &WHOSE, &[&self.label, &self.id]) {
                Ok(holds) => holds.then_some(Trace::Parquet),
                Err(error) => Some(Trace::Unread(error.to_string())),
            };
        }
        if name.ends_with(".xlsx") {
            return match bytes.and_then(|bytes| unpacked_xlsx(&bytes)) {
                Ok(all) => self.is_in(&all).then_some(Trace::Workbook),
                Err(error) => Some(Trace::Unread(error.to_string())),
            };
        }
        let bytes = match bytes {
            Ok(bytes) if bytes.starts_with(GZIP) || name.ends_with(".gz") => unpacked(&bytes),
            other => other,
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => return Some(Trace::Unread(error.to_string())),
        };
        let of_utf_16 = utf_16(&bytes);
        let told = match &of_utf_16 {
            // Rows are taken out of text as the program writes it alone.
            Some(text) => self.trace_in("utf-16", text.as_bytes()),
            None => None,
        };
        let told = told.or_else(|| self.trace_in(name.trim_end_matches(".gz"), &bytes));
        told.or_else(|| self.perhaps(of_utf_16.as_deref().map_or(&bytes, str::as_bytes)))
    }

    /// Why a file that does not name them may tell of them all the same.
    fn perhaps(&self, bytes: &[u8]) -> Option<Trace> {
        let has =
            |at: usize, known: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(known));
        if let Some((.., what)) = PACKED.iter().find(|(at, known, _)| has(*at, known)) {
            return Some(Trace::Unknown(format!("{what}, into which nobody looked")));
        }
        let mut lines = bytes.split(|byte| *byte == b'\n').map(cells_of_any);
        let heading = lines.next()?;
        let place = heading.iter().position(|name| PERHAPS_WHOSE.contains(&&*plain(name)))?;
        let is_theirs = |cell: &String| *cell == self.id || is_label(cell, &self.label);
        let found = lines.any(|line| line.get(place).is_some_and(is_theirs));
        found.then(|| {
            Trace::Unknown(format!(
                "its column {} has {}, which may be them",
                heading[place], self.label
            ))
        })
    }

    fn trace_in(&self, name: &str, bytes: &[u8]) -> Option<Trace> {
        if self.rows_without(name, bytes).is_some() {
            return Some(Trace::Rows);
        }
        if name.ends_with(".html") && has(bytes, REPORT) {
            return self.is_reported(bytes).then_some(Trace::Report);
        }
        let label = &self.label;
        let keys =
            [format!("\"participant\":\"{label}\""), format!("\"participant\": \"{label}\"")];
        let named = self.is_in(bytes) || keys.iter().any(|key| has(bytes, key));
        named.then_some(Trace::Words)
    }

    /// Whether a report has trials of theirs; of one that does not say whose it has, nobody knows.
    fn is_reported(&self, page: &[u8]) -> bool {
        let page = String::from_utf8_lossy(page);
        let people = page.split_once(PEOPLE).and_then(|(_, rest)| rest.split_once('"'));
        people.is_none_or(|(people, _)| people.split(' ').any(|label| label == self.label))
    }

    /// A table without their rows, every other byte as it is; `None` where it has none of theirs, or
    /// is no table.
    pub(crate) fn rows_without(&self, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let quoted = name.ends_with(".csv");
        if !quoted && !name.ends_with(".tsv") {
            return None;
        }
        let rows = rows(bytes, quoted);
        let (heading, rows) = rows.split_first()?;
        let whose = cells(&bytes[heading.clone()], quoted);
        let is_whose = |place: &usize| WHOSE.iter().any(|name| *name == whose[*place]);
        let whose: Vec<usize> = (0..whose.len()).filter(is_whose).collect();
        let theirs = |row: &&Range<usize>| {
            let cells = cells(&bytes[(*row).clone()], quoted);
            let cell = |place: &usize| cells.get(*place);
            whose.iter().filter_map(cell).any(|cell| *cell == self.label || *cell == self.id)
        };
        let kept: Vec<u8> = rows
            .iter()
            .filter(|row| !theirs(row))
            .flat_map(|row| &bytes[row.clone()])
            .copied()
            .collect();
        let kept = [&bytes[heading.clone()], &kept].concat();
        (kept.len() < bytes.len()).then_some(kept)
    }
}

/// How a file begins that gzip packed.
const GZIP: &[u8] = b"\x1f\x8b";

/// The name of a column in small letters, without what stands between words: `vpnr` of `VP-Nr.`.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The text of a file in UTF-16: it begins with a byte order mark, or every other of its first bytes is none.
fn utf_16(bytes: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        [first, 0, second, 0, third, 0, ..] if [first, second, third].iter().all(|b| **b != 0) => {
            u16::from_le_bytes
        }
        [0, first, 0, second, 0, third, ..] if [first, second, third].iter().all(|b| **b != 0) => {
            u16::from_be_bytes
        }
        _ => return None,
    };
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    let text = String::from_utf16_lossy(&units);
    Some(text.trim_start_matches('\u{feff}').to_owned())
}

/// Whether a cell is a label, or the same number.
fn is_label(cell: &str, label: &str) -> bool {
    // pandas writes 7.0 where others of the column have no number.
    let number = |text: &str| text.strip_suffix(".0").unwrap_or(text).parse::<u64>().ok();
    cell == label || number(cell).is_some_and(|cell| number(label) == Some(cell))
}

/// The cells of a line, whatever stands between them.
fn cells_of_any(line: &[u8]) -> Vec<String> {
    let line = String::from_utf8_lossy(line);
    let line = line.trim_start_matches('\u{feff}').trim_end();
    let cells = line.split(['\t', ',', ';']);
    cells.map(|cell| cell.trim().trim_matches('"').to_owned()).collect()
}

fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut whole = Vec::new();
    MultiGzDecoder::new(bytes).read_to_end(&mut whole)?;
    Ok(whole)
}

fn has(bytes: &[u8], text: &str) -> bool {
    places(bytes, text.as_bytes()).next().is_some()
}

/// Where these bytes stand among others.
fn places<'a>(bytes: &'a [u8], wanted: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
    let first = wanted.first().copied();
    let starts = bytes.iter().enumerate().filter(move |(_, byte)| Some(**byte) == first);
    let whole = move |at: usize| bytes[at..].starts_with(wanted);
    starts.map(|(at, _)| at).filter(move |at| whole(*at)).map(|at| at..at + wanted.len())
}

/// The rows of a table, each with its end. Between quotation marks, where these have a meaning, a
/// row goes on behind the end of a line.
fn rows(bytes: &[u8], quoted: bool) -> Vec<Range<usize>> {
    let (mut rows, mut from, mut inside) = (Vec::new(), 0, false);
    for (at, byte) in bytes.iter().enumerate() {
        inside ^= quoted && *byte == b'"';
        if *byte == b'\n' && !inside {
            rows.push(from..at + 1);
            from = at + 1;
        }
    }
    if from < bytes.len() {
        rows.push(from..bytes.len());
    }
    rows
}

/// The cells of a row as text.
fn cells(row: &[u8], quoted: bool) -> Vec<String> {
    let (mut cells, mut inside) = (vec![Vec::new()], false);
    for byte in row.iter().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        match byte {
            b'"' if quoted => inside = !inside,
            b',' if quoted && !inside => cells.push(Vec::new()),
            b'\t' if !quoted => cells.push(Vec::new()),
            byte => cells.last_mut().expect("there is a first cell").push(*byte),
        }
    }
    cells.into_iter().map(|cell| String::from_utf8_lossy(&cell).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_names_somebody_and_not_whoever_has_a_longer_label() {
        let somebody = Somebody::of("07").unwrap();
        for name in ["sub-07", "sub-07_task-x_beh.tsv", "of sub-07.", "x_sub-07-old"] {
            assert!(somebody.is_in(name.as_bytes()), "{name}");
        }
        for name in ["sub-071", "sub-007", "asub-07", "07", "sub-7"] {
            assert!(!somebody.is_in(name.as_bytes()), "{name}");
        }
        assert_eq!(Somebody::of("../x"), None);
    }

    #[test]
    fn a_table_that_cannot_be_looked_into_is_no_table_without_them() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("taps.parquet");
        std::fs::write(&path, "no Parquet").unwrap();
        let trace = Somebody::of("07").unwrap().trace(&path, std::fs::read(&path));
        assert!(matches!(trace, Some(Trace::Unread(_))), "{trace:?}");
    }

    #[test]
    fn rows_are_taken_out_and_every_other_byte_stays() {
        let somebody = Somebody::of("07").unwrap();
        let tables = [
            (
                "a.tsv",
                "participant\tx\n06\t07\n07\t1\nsub-07\t2\n08\t3\n",
                "participant\tx\n06\t07\n08\t3\n",
            ),
            (
                "a.csv",
                "x,participant_id\r\n\"a\nb,\",sub-07\r\n1,\"08\"\r\n",
                "x,participant_id\r\n1,\"08\"\r\n",
            ),
        ];
        for (name, table, without) in tables {
            let found = somebody.rows_without(name, table.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(found).unwrap(), without);
            assert_eq!(somebody.rows_without(name, without.as_bytes()), None);
        }
        assert_eq!(somebody.rows_without("a.txt", b"participant\n07\n"), None);
    }

    #[test]
    fn what_nobody_looked_into_and_what_may_be_theirs_is_named() {
        let somebody = Somebody::of("07").unwrap();
        let of = |name: &str, bytes: &[u8]| somebody.trace(Path::new(name), Ok(bytes.to_vec()));
        let unknown = |name: &str, bytes: &[u8]| matches!(of(name, bytes), Some(Trace::Unknown(_)));
        for (name, begins) in [
            ("taps.xz", &b"\xfd7zXZ\0\0\x04"[..]),
            ("taps.zip", b"PK\x03\x04\x14\0"),
            ("taps.7z", b"7z\xbc\xaf\x27\x1c\0\x04"),
            ("taps.tar.bz2", b"BZh91AY&SY"),
            ("taps.tar.zst", b"\x28\xb5\x2f\xfd\x04"),
            ("taps.lzma", b"\x5d\0\0\x80\0"),
            ("taps.rar", b"Rar!\x1a\x07\0"),
            ("taps.mat", b"MATLAB 5.0 MAT-file"),
            ("taps.feather", b"ARROW1\0\0"),
        ] {
            assert!(unknown(name, begins), "{name}");
        }
        let mut tar = vec![0; 512];
        tar[..8].copy_from_slice(b"taps.csv");
        tar[257..262].copy_from_slice(b"ustar");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, &tar).unwrap();
        assert!(unknown("taps.tar", &tar) && unknown("taps.tar.gz", &packed.finish().unwrap()));
        tar[..8].copy_from_slice(b"sub-07/x");
        assert_eq!(of("taps.tar", &tar), Some(Trace::Words));
        for table in [
            "ID;rt\n06;1\n7;2\n",
            "rt\tid\n1\t07\n",
            "\u{feff}\"VP\",rt\n\"07\",3\n",
            "rt,Participant ID\n1,7.0\n",
            "VP-Nr.;rt\n7;1\n",
        ] {
            assert!(unknown("other.csv", table.as_bytes()), "{table}");
            for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
                let units: Vec<u8> = table.encode_utf16().flat_map(bytes).collect();
                assert!(unknown("other.csv", &units), "{table} in UTF-16");
            }
        }
        for table in ["ID;rt\n06;7\n", "rt\n07\n", "a word of id\n07\n"] {
            assert_eq!(of("other.csv", table.as_bytes()), None, "{table}");
        }
        let units = "\u{feff}participant_id\tx\nsub-07\t1\n".encode_utf16();
        let text: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        assert_eq!(of("windows.tsv", &text), Some(Trace::Words));
    }

    #[test]
    fn a_report_says_whose_trials_it_has_and_of_an_older_one_nobody_knows() {
        let page =
            |people: &str| format!("<meta name=\"generator\" {REPORT}>{people}Participant 07");
        let somebody = Somebody::of("07").unwrap();
        let of = |people: &str| somebody.trace_in("a.html", page(people).as_bytes());
        assert_eq!(of(&format!("{PEOPLE}06 07\">")), Some(Trace::Report));
        assert_eq!(of(&format!("{PEOPLE}06 071\">")), None);
        assert_eq!(of(""), Some(Trace::Report));
    }
}
