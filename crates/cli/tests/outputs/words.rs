//! What differs from run to run, from version to version or from computer to computer has a word in its place. What is
//! longer than can be read is cut short.

use chronotap_core::files::sha256;
use std::path::Path;

/// What has a word in its place: its length, and the word.
type Found = Option<(usize, &'static str)>;

/// The text as it is kept: moments, days, checksums and the version in words.
pub fn normal(text: &str, place: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let text = text.replace(place, "PLACE");
    let text = ["Version\": \"", "hronotap "].iter().fold(text, |text, before| {
        text.replace(&format!("{before}{version}"), &format!("{before}VERSION"))
    });
    with_words(&text)
}

fn with_words(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut said, mut from, mut at) = (String::with_capacity(text.len()), 0, 0);
    while at < bytes.len() {
        let Some((length, word)) = found(bytes, at) else {
            at += 1;
            continue;
        };
        said += &text[from..at];
        said += word;
        at += length;
        from = at;
    }
    said + &text[from..]
}

/// What begins here and has a word in its place. Most places are passed by at their first byte: this reads all that
/// the program says.
fn found(text: &[u8], at: usize) -> Found {
    let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    match text[at] {
        b'2' if like(&text[at..], "20") => {
            moment(&text[at..]).or_else(|| day(&text[at..])).or_else(|| checksum(text, at))
        }
        byte if hex(byte) && text.get(at + 63).is_some_and(|&byte| hex(byte)) => checksum(text, at),
        _ => None,
    }
}

/// Whether a text begins so, `0` standing for any digit.
fn like(text: &[u8], form: &str) -> bool {
    let same = |(found, form): (&u8, u8)| *found == form || form == b'0' && found.is_ascii_digit();
    text.len() >= form.len() && text.iter().zip(form.bytes()).all(same)
}

fn day(text: &[u8]) -> Found {
    like(text, "2000-00-00").then_some((10, "DAY"))
}

fn moment(text: &[u8]) -> Found {
    if !like(text, "2000-00-00T00:00:00") {
        return None;
    }
    let more = text[19..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    (text.get(19 + more) == Some(&b'Z')).then_some((20 + more, "MOMENT"))
}

fn checksum(text: &[u8], at: usize) -> Found {
    let begins = at == 0 || !text[at - 1].is_ascii_hexdigit();
    let hex = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let alone = begins && text[at..].iter().take(65).take_while(hex).count() == 64;
    alone.then_some((64, "CHECKSUM"))
}

/// The text of a file that was written; of what is no text, its size and checksum.
pub fn contents(path: &Path, bytes: &[u8]) -> String {
    if path.to_string_lossy().ends_with("-wide_beh.parquet") {
        return "with the moments at which trials began".to_owned();
    }
    if bytes.contains(&0) {
        return format!("{} bytes, {}", bytes.len(), sha256(bytes).to_uppercase());
    }
    let text = plain(bytes);
    match path.extension().and_then(|of| of.to_str()) {
        Some("jsonl") => text.lines().map(|line| without_link(line) + "\n").collect(),
        Some("html") => text.lines().map(|line| without_system(line) + "\n").collect(),
        Some("json") => without_machine(&text),
        _ => text,
    }
}

/// Text in which characters that move the cursor, or are none, can be seen.
pub fn plain(bytes: &[u8]) -> String {
    let strange = |byte: &u8| *byte < b' ' && !b"\n\t".contains(byte) || *byte == 0x7f;
    let text = String::from_utf8_lossy(bytes);
    if !bytes.iter().any(strange) {
        return text.into_owned();
    }
    let seen = |each: char| match each {
        '\n' | '\t' => each.to_string(),
        _ if each.is_control() => each.escape_default().to_string(),
        _ => each.to_string(),
    };
    text.chars().map(seen).collect()
}

/// What is said but for how far `simulate` is, which it says every few seconds where it takes so long.
pub fn without_progress(said: &str) -> String {
    let progress = |line: &&str| {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |word: &str| word.parse::<u32>().is_ok();
        matches!(words[..], [done, "of", all, "trials"] if number(done) && number(all))
    };
    said.split_inclusive('\n').filter(|line| !progress(&line.trim_end())).collect()
}

/// A journal's line links to the one before, and so follows from moments.
fn without_link(line: &str) -> String {
    match line.rsplit_once('\t') {
        Some((line, link)) if link.len() == 8 => format!("{line}\tLINK"),
        _ => line.to_owned(),
    }
}

/// A report says on what system it was measured.
fn without_system(line: &str) -> String {
    let Some((before, after)) = line.split_once("<th scope=\"row\">on</th><td") else {
        return line.to_owned();
    };
    let (tag, cell) = after.split_once('>').unwrap_or((after, ""));
    let cell = match cell.split_once('<') {
        Some((system, rest)) if system.starts_with("Linux ") => format!("MACHINE<{rest}"),
        _ => cell.to_owned(),
    };
    format!("{before}<th scope=\"row\">on</th><td{tag}>{cell}")
}

/// A description without its object `machine`, and without what follows from moments.
fn without_machine(text: &str) -> String {
    let (mut kept, mut end, mut wide) = (String::with_capacity(text.len()), None, false);
    for line in text.lines() {
        if end.as_deref().is_some_and(|end| line.starts_with(end)) {
            end = None;
        }
        if end.is_some() {
            continue;
        }
        wide = line.contains("-wide_beh.") && line.ends_with('{') || wide && !line.contains('}');
        kept += &if wide { of_moments(line) } else { without_operating_system(line) };
        kept.push('\n');
        if let Some(indent) = line.strip_suffix("\"machine\": {") {
            kept += "MACHINE\n";
            end = Some(format!("{indent}}}"));
        }
    }
    kept
}

fn of_moments(line: &str) -> String {
    match line.split_once("\": ") {
        Some((key, value)) if !value.starts_with('{') => {
            format!("{key}\": OF MOMENTS{}", comma(value))
        }
        _ => line.to_owned(),
    }
}

fn without_operating_system(line: &str) -> String {
    match line.split_once("\"OperatingSystem\": ") {
        Some((before, value)) => {
            format!("{before}\"OperatingSystem\": \"MACHINE\"{}", comma(value))
        }
        None => line.to_owned(),
    }
}

fn comma(value: &str) -> &str {
    if value.ends_with(',') { "," } else { "" }
}

#[test]
fn what_differs_from_run_to_run_has_a_word_in_its_place() {
    let sum = sha256(b"");
    let said = format!("/x/y began 2026-01-02T03:04:05.678Z, of 2026-01-02: {sum}; {sum}0; 2026");
    let kept = format!("PLACE/y began MOMENT, of DAY: CHECKSUM; {sum}0; 2026");
    assert_eq!(normal(&said, "/x"), kept);
    assert_eq!(without_progress("a\n3 of 3 trials\n3 of 4 files\n"), "a\n3 of 4 files\n");
    let version = format!("chronotap {0}, Chronotap {0}, {0}", env!("CARGO_PKG_VERSION"));
    assert!(normal(&version, "/x").starts_with("chronotap VERSION, Chronotap VERSION, 0."));
}

#[test]
fn what_is_said_of_this_machine_is_left_out() {
    let json = "{\n  \"a\": 1,\n  \"machine\": {\n    \"cpu\": \"x\"\n  },\n  \"b\": 2\n}\n";
    let kept = "{\n  \"a\": 1,\n  \"machine\": {\nMACHINE\n  },\n  \"b\": 2\n}\n";
    assert_eq!(contents(Path::new("a.json"), json.as_bytes()), kept);
    assert_eq!(contents(Path::new("a.jsonl"), b"{}\t0123abcd\n"), "{}\tLINK\n");
    assert_eq!(contents(Path::new("a.csv"), b"a,b\r\n"), "a,b\\r\n");
}
