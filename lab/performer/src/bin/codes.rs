//! `codes CHANNELS FIRST WIDTH NUMBERS...`: codes on a sound card, as another recorder sees them. Reads
//! frames of CHANNELS samples of 16 bits from standard input. Tones are on the first channel;
//! each bit of a code is high on one channel, the lowest on channel FIRST (from 1) of those up
//! to the last. The codes should be NUMBERS in turn, each for WIDTH frames, and begin with a tone.
//!
//! Prints, tab-separated: how many codes there were, how many tones, how many codes did not begin at
//! the first frame of a tone, how many had another number, and by how many frames the width was
//! off at most.

use std::io::Read;
use std::process::ExitCode;

/// Frames of silence before a tone begins: those of the trial last for 144, and come every 480.
const SILENCE: u64 = 200;
/// A channel is high above this.
const HIGH: i16 = 10_000;

/// What was found so far.
#[derive(Default)]
struct Found {
    codes: u64,
    tones: u64,
    apart: u64,
    others: u64,
    width_off: u64,
    silent_for: u64,
    onset: Option<u64>,
    standing: Option<(u16, u64)>, // the code on the channels, and its first frame
}

impl Found {
    fn take(&mut self, frame: u64, samples: &[i16], first: usize, (width, numbers): (u64, &[u16])) {
        if samples[0] == 0 {
            self.silent_for += 1;
        } else {
            if self.silent_for >= SILENCE {
                self.tones += 1;
                self.onset = Some(frame);
            }
            self.silent_for = 0;
        }
        let bits = samples[first - 1..].iter().enumerate();
        let code = bits.fold(0, |code, (bit, sample)| code | u16::from(*sample > HIGH) << bit);
        if code == self.standing.map_or(0, |(code, _)| code) {
            return;
        }
        if let Some((_, since)) = self.standing.take() {
            self.width_off = self.width_off.max((frame - since).abs_diff(width));
        }
        if code != 0 {
            self.others += u64::from(numbers[self.codes as usize % numbers.len()] != code);
            self.apart += u64::from(self.onset != Some(frame));
            self.codes += 1;
            self.standing = Some((code, frame));
        }
    }

    fn print(&self) {
        println!("codes\t{}", self.codes);
        println!("codes_tones\t{}", self.tones);
        println!("codes_apart_from_tones\t{}", self.apart);
        println!("codes_of_other_numbers\t{}", self.others);
        println!("codes_most_width_off_frames\t{}", self.width_off);
    }
}

fn main() -> ExitCode {
    let asked: Option<Vec<u16>> = std::env::args().skip(1).map(|word| word.parse().ok()).collect();
    let Some([channels, first, width, numbers @ ..]) = asked.as_deref() else {
        eprintln!("usage: codes CHANNELS FIRST WIDTH NUMBERS... < FRAMES");
        return ExitCode::from(2);
    };
    let (mut found, mut frame, mut input) = (Found::default(), 0, std::io::stdin().lock());
    let mut bytes = vec![0; usize::from(*channels) * 2 * 1_024];
    let mut kept = 0;
    while let Ok(read @ 1..) = input.read(&mut bytes[kept..]) {
        kept += read;
        let size = usize::from(*channels) * 2;
        let whole = kept / size * size;
        for samples in bytes[..whole].chunks_exact(size) {
            let sample = |pair: &[u8]| i16::from_le_bytes([pair[0], pair[1]]);
            let samples: Vec<i16> = samples.chunks_exact(2).map(sample).collect();
            found.take(frame, &samples, (*first).into(), ((*width).into(), numbers));
            frame += 1;
        }
        bytes.copy_within(whole..kept, 0);
        kept -= whole;
    }
    found.print();
    ExitCode::SUCCESS
}
