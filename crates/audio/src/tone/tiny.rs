//! A tiny SoundFont, for tests: two presets of a looped sine of 440 Hz, one of them in two
//! velocity layers, and one of percussion. Written chunk by chunk after the SoundFont
//! Technical Specification 2.04, sections 5 to 8.

/// The name of the preset with two layers.
pub const LAYERED: &str = "Two Layers";

const RATE_HZ: u32 = 44_100;
/// Frames of a recording: 20 cycles of 441 Hz, tuned to 440 by the spec's cents below.
const FRAMES: u32 = 2_000;
const AROUND: u32 = 46; // frames of silence that follow each recording

/// The bytes of the file.
pub fn tiny_soundfont() -> Vec<u8> {
    let info = list(b"INFO", &[chunk(b"ifil", &[2, 0, 1, 0]), chunk(b"INAM", b"tiny\0\0")]);
    let wave: Vec<u8> = [1.0, 0.5].iter().flat_map(|peak| recording(*peak)).collect();
    let samples = list(b"sdta", &[chunk(b"smpl", &wave)]);
    let mut body = b"sfbk".to_vec();
    [info, samples, list(b"pdta", &parameters())].iter().for_each(|part| body.extend(part));
    chunk(b"RIFF", &body)
}

fn recording(peak: f64) -> Vec<u8> {
    let sample = |i: u32| {
        let phase = f64::from(i) * 441.0 / f64::from(RATE_HZ) * std::f64::consts::TAU;
        let sounds = if i < FRAMES { (phase + 0.01).sin() } else { 0.0 };
        ((sounds * peak * 16_000.0) as i16).to_le_bytes()
    };
    (0..FRAMES + AROUND).flat_map(sample).collect()
}

/// The nine lists, each with its terminator.
fn parameters() -> Vec<Vec<u8>> {
    // The generators' numbers.
    const VELOCITIES: u16 = 44;
    const INSTRUMENT: u16 = 41;
    const SAMPLE: u16 = 53;
    const LOOPED: u16 = 54;
    let generators = |all: &[(u16, u16)]| -> Vec<u8> {
        all.iter().flat_map(|(kind, value)| words(&[*kind, *value])).collect()
    };
    let bags = |starts: &[u16]| starts.iter().flat_map(|at| words(&[*at, 0])).collect::<Vec<_>>();
    let preset = |name: &str, program: u16, bank: u16, bag: u16| {
        [named(name), words(&[program, bank, bag]), vec![0; 12]].concat()
    };
    let instrument = |name: &str, bag: u16| [named(name), words(&[bag])].concat();
    let presets = [
        preset("Tick", 0, 0, 0),
        preset(LAYERED, 5, 0, 1),
        preset("Kit", 0, 128, 2),
        preset("EOP", 0, 0, 3),
    ];
    let instruments = [instrument("sine", 0), instrument("layers", 1), instrument("EOI", 3)];
    let soft_to = |from: u16, to: u16| (VELOCITIES, from | to << 8);
    vec![
        chunk(b"phdr", &presets.concat()),
        chunk(b"pbag", &bags(&[0, 1, 2, 3])),
        chunk(b"pmod", &[0; 10]),
        chunk(b"pgen", &generators(&[(INSTRUMENT, 0), (INSTRUMENT, 1), (INSTRUMENT, 0), (0, 0)])),
        chunk(b"inst", &instruments.concat()),
        chunk(b"ibag", &bags(&[0, 2, 5, 8])),
        chunk(b"imod", &[0; 10]),
        chunk(
            b"igen",
            &generators(&[
                (LOOPED, 1),
                (SAMPLE, 0),
                soft_to(0, 63),
                (LOOPED, 1),
                (SAMPLE, 1),
                soft_to(64, 127),
                (LOOPED, 1),
                (SAMPLE, 0),
                (0, 0),
            ]),
        ),
        chunk(b"shdr", &[sample("loud", 0), sample("soft", 1), vec![0; 46]].concat()),
    ]
}

/// The header of a recording: A4 but for 4 cents, which 441 Hz is too high by.
fn sample(name: &str, place: u32) -> Vec<u8> {
    let start = place * (FRAMES + AROUND);
    let borders = [start, start + FRAMES, start + 100, start + 1_900, RATE_HZ];
    let borders = borders.iter().flat_map(|at| at.to_le_bytes()).collect();
    [named(name), borders, vec![69, -4_i8 as u8], words(&[0, 1])].concat()
}

fn named(name: &str) -> Vec<u8> {
    let mut bytes = name.as_bytes().to_vec();
    bytes.resize(20, 0);
    bytes
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn list(kind: &[u8; 4], parts: &[Vec<u8>]) -> Vec<u8> {
    chunk(b"LIST", &[kind.to_vec(), parts.concat()].concat())
}

fn chunk(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    [kind.to_vec(), (body.len() as u32).to_le_bytes().to_vec(), body.to_vec()].concat()
}
