//! The bodies of the fuzz targets. Each takes any bytes whatever; it must neither
//! panic nor hang, and where the input is understood it must hold what the
//! target's comment says. cargo-fuzz and the stable `mutate` run the same bodies.

use chronotap_midi::Parser;

/// A target: its body, where its seeds lie, and words worth putting in.
pub struct Target {
    /// Its name, also that of the cargo-fuzz target.
    pub name: &'static str,
    /// Takes one input.
    pub body: fn(&[u8]),
    /// Directories of seeds, from `fuzz/`, and how the names of the files end.
    pub seeds: &'static [(&'static str, &'static str)],
    /// Words of the format.
    pub words: &'static [&'static str],
}

/// Every target.
pub const TARGETS: &[Target] = &[Target {
    name: "midi_parser",
    body: midi_parser,
    seeds: &[("seeds/midi_parser", "")],
    words: &["\u{1}", "\u{40}", "\u{7f}"],
}];

/// Every byte is accounted for, and a message that came out, sent and read again,
/// is the same message.
pub fn midi_parser(data: &[u8]) {
    let mut parser = Parser::new();
    for &byte in data {
        let Some(message) = parser.push(byte) else { continue };
        let (bytes, length) = message.encode();
        let mut again = Parser::new();
        let read = bytes[..length].iter().filter_map(|&b| again.push(b)).last();
        assert_eq!(read, Some(message), "sent and read again");
    }
    let counts = parser.counts();
    let counted = counts.message_bytes
        + counts.realtime_bytes
        + counts.sysex_bytes
        + counts.invalid_bytes
        + parser.pending();
    assert_eq!(counted, data.len() as u64, "every byte is counted once");
}
