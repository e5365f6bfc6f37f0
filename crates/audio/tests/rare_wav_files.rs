//! Every rare form of a WAV file is read as libsndfile reads it, or refused with its cause. The files and libsndfile's
//! answers are a table that `fixtures/rare_wav_files.py` makes.

use chronotap_audio::wav::{WavError, WavFile};
use std::io::Cursor;

/// What is not surely understood, or not known here: refused, whatever libsndfile makes of it.
const REFUSED: [&str; 34] = [
    // The bits stand at the lower end, although the form says the upper one.
    "extensible 12 in 2 bytes, at the lower end",
    "extensible 16 in 4 bytes, at the lower end",
    "extensible 18 in 3 bytes, at the lower end",
    "extensible 20 in 3 bytes, at the lower end",
    "extensible 20 in 4 bytes, at the lower end",
    "extensible 24 in 4 bytes, at the lower end",
    "extensible 8 in 2 bytes, at the lower end",
    "pcm 12 in 2 bytes, at the lower end",
    "pcm 18 in 3 bytes, at the lower end",
    "pcm 20 in 3 bytes, at the lower end",
    // More bytes than the bits need: programs differ, and libsndfile reads twice as many samples.
    "pcm 16 in 4 bytes, at the lower end",
    "pcm 16 in 4 bytes, at the upper end",
    "pcm 20 in 4 bytes, at the lower end",
    "pcm 20 in 4 bytes, at the upper end",
    "pcm 24 in 4 bytes that are floats (Cool Edit)",
    "pcm 24 in 4 bytes, at the lower end",
    "pcm 24 in 4 bytes, at the upper end",
    "pcm 8 in 2 bytes, at the lower end",
    "pcm 8 in 2 bytes, at the upper end",
    // What the head says disagrees with itself, or with the file.
    "bytes a second of another rate",
    "bytes of a frame of another format",
    "bytes of a frame unsaid",
    "data that end within a frame",
    "data that end within a frame of two channels",
    "cut off",
    "extensible with more valid bits than bits",
    "pcm 4",
    // Forms that are not known here.
    "A-law",
    "extensible A-law",
    "mu-law",
    "extensible mu-law",
    "IMA ADPCM",
    "GSM 6.10",
    "RIFX",
];
/// Where libsndfile reads another length, or nothing, and what the file says is still sure.
const READ: [&str; 4] = [
    "RF64 with an odd chunk",
    "an odd chunk without its padding",
    "sizes of 0",
    "two chunks of data",
];

struct Case {
    name: &'static str,
    file: Vec<u8>,
    /// What libsndfile reads; nothing where it refuses.
    samples: Option<Vec<f32>>,
}

fn cases() -> Vec<Case> {
    let rows = include_str!("fixtures/rare_wav_files.tsv").lines();
    rows.map(|row| {
        let [name, file, samples] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let bytes = (0..file.len()).step_by(2).map(|i| u8::from_str_radix(&file[i..i + 2], 16));
        let value = |hex| f64::from_bits(u64::from_str_radix(hex, 16).unwrap()) as f32;
        let samples = match samples {
            "refused" => None,
            "none" => Some(Vec::new()),
            samples => Some(samples.split(',').map(value).collect()),
        };
        Case { name, file: bytes.collect::<Result<_, _>>().unwrap(), samples }
    })
    .collect()
}

fn read(file: &[u8]) -> Result<Vec<f32>, WavError> {
    WavFile::open(Cursor::new(file.to_vec()))?.samples()
}

#[test]
fn every_rare_form_of_a_wav_file_is_read_as_libsndfile_reads_it_or_refused() {
    let mut seen = 0;
    for Case { name, file, samples } in cases() {
        let (found, refused) = (read(&file), REFUSED.contains(&name));
        match (found, samples) {
            (Err(_), None) => {}
            (Err(why), Some(_)) => assert!(refused, "{name}: {why}"),
            (Ok(_), _) if READ.contains(&name) => seen += 1,
            (found, samples) => assert_eq!(found.ok(), samples, "{name}"),
        }
    }
    assert_eq!(seen, READ.len());
}

#[test]
fn twenty_four_bits_in_four_bytes_are_as_loud_as_sixteen_in_two() {
    let all = cases();
    let of = |name: &str| read(&all.iter().find(|case| case.name == name).unwrap().file);
    let close = |a: Vec<f32>, b: Vec<f32>| a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 4e-5);
    let loud = of("extensible 24 in 4 bytes, at the upper end").unwrap();
    assert!(close(loud, of("pcm 16").unwrap()));
    let unsure = of("pcm 24 in 4 bytes, at the upper end").unwrap_err();
    assert!(matches!(unsure, WavError::Bits { bits: 24, frame_bytes: 4, .. }), "{unsure}");
    let lower = of("extensible 24 in 4 bytes, at the lower end").unwrap_err();
    assert!(matches!(lower, WavError::Unused { valid: 24, bits: 32, .. }), "{lower}");
}

#[test]
fn odd_chunks_and_sizes_that_lie_elsewhere_hide_no_sample() {
    let all = cases();
    let of = |name: &str| read(&all.iter().find(|case| case.name == name).unwrap().file).unwrap();
    let plain = of("pcm 16");
    for name in [
        "an odd chunk before the data",
        "an odd chunk before the format",
        "an odd chunk without its padding",
        "an odd chunk padded with another byte",
        "three odd chunks",
        "RF64 with an odd chunk",
        "sizes of 0",
        "sizes never filled in",
    ] {
        assert_eq!(of(name), plain, "{name}");
    }
}

#[test]
fn a_file_of_another_kind_is_named() {
    let all = cases();
    let rifx = &all.iter().find(|case| case.name == "RIFX").unwrap().file;
    assert!(matches!(read(rifx), Err(WavError::NoWav(Some(_)))));
    let law = &all.iter().find(|case| case.name == "A-law").unwrap().file;
    assert!(matches!(read(law), Err(WavError::Coded(form)) if form == "A-law"));
    assert!(matches!(read(b"RIFF of old"), Err(WavError::NoWav(None))));
}

#[test]
fn no_length_of_a_file_makes_it_panic() {
    for Case { file, .. } in cases() {
        for end in 0..file.len() {
            _ = read(&file[..end]);
        }
    }
}
