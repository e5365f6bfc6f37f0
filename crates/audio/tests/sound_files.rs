//! Sound files, decoded block by block: WAV and FLAC of every form give the same frames.

use chronotap_audio::tone::SampleError;
use chronotap_audio::wav::WavError;
use chronotap_audio::{AtRate, SoundFile, SoundForm as Said};
use chronotap_testkit_audio::music::{SoundFileForm, flac, samples, wav};
use std::io::Cursor;

type Decoded = (Said, Vec<[f32; 2]>);

fn decoded(bytes: Vec<u8>) -> Result<Decoded, SampleError> {
    let file = SoundFile::open(Cursor::new(bytes))?;
    let (form, mut frames) = (file.form(), Vec::new());
    file.each(&mut |block| {
        frames.extend_from_slice(block);
        Ok(())
    })?;
    Ok((form, frames))
}

/// Every form that music comes in.
fn forms() -> impl Iterator<Item = SoundFileForm> {
    let rates = [44_100, 48_000, 22_050];
    let all = rates.into_iter().flat_map(|rate_hz| [1, 2].map(|channels| (rate_hz, channels)));
    all.flat_map(|(rate_hz, channels)| {
        [16, 24].map(|bits| SoundFileForm { rate_hz, channels, bits })
    })
}

#[test]
fn a_flac_file_gives_the_samples_of_the_wav_file_and_both_those_that_were_written() {
    for form in forms() {
        let written = samples(form, 20_000);
        let (said, from_wav) = decoded(wav(form, &written)).unwrap();
        let SoundFileForm { rate_hz, channels, bits } = form;
        assert_eq!(said, Said { rate_hz, channels, frames: 20_000 });
        let flac = flac(form, &written);
        assert!(flac.len() < written.len() * usize::from(bits / 8), "{form:?}: it is compressed");
        assert_eq!(decoded(flac).unwrap(), (said, from_wav.clone()), "{form:?}");
        let full = 2_f32.powi(i32::from(bits) - 1);
        let frames = written.chunks_exact(channels.into());
        let exact = frames.map(|frame| [frame[0], frame[frame.len() - 1]].map(|s| s as f32 / full));
        assert_eq!(from_wav, Vec::from_iter(exact), "{form:?}");
    }
}

#[test]
fn at_another_rate_both_are_still_the_same() {
    for form in forms() {
        let written = samples(form, 5_000);
        let at_card = |bytes| {
            let (said, frames) = decoded(bytes).unwrap();
            let (mut rate, mut out) = (AtRate::new(said.rate_hz, 96_000), Vec::new());
            let expected = rate.frames(said.frames);
            rate.push(&frames, &mut out);
            rate.finish(&mut out);
            assert_eq!(out.len() as u64, expected);
            out
        };
        assert_eq!(at_card(flac(form, &written)), at_card(wav(form, &written)), "{form:?}");
    }
}

#[test]
fn a_file_that_was_cut_or_damaged_is_refused_and_not_played_in_part() {
    let form = SoundFileForm { rate_hz: 48_000, channels: 2, bits: 16 };
    let written = samples(form, 20_000);
    let (wav, flac) = (wav(form, &written), flac(form, &written));
    for whole in [&wav, &flac] {
        for length in [whole.len() - 1, whole.len() / 2, 60, 20, 3] {
            assert!(decoded(whole[..length].to_vec()).is_err(), "{length} of {}", whole.len());
        }
    }
    let mut damaged = flac.clone();
    damaged[flac.len() / 2] ^= 0x10;
    let said = decoded(damaged).unwrap_err().to_string();
    assert!(said.contains("not a usable FLAC file"), "{said}");
    // Where a whole frame of the file is gone, only the count tells.
    let second = flac[100..].windows(2).position(|two| two == [0xff, 0xf8]).unwrap() + 100;
    let said = decoded(flac[..second].to_vec()).unwrap_err().to_string();
    assert!(said.contains("of the 20000 frames"), "{said}");
}

#[test]
fn a_flac_file_whose_blocks_are_not_as_its_head_says_is_refused() {
    let form = SoundFileForm { rate_hz: 48_000, channels: 2, bits: 16 };
    let whole = flac(form, &samples(form, 5_000));
    let mut few_bits = whole.clone();
    few_bits[21] &= 0x7f; // 8 bits a sample, so that full scale is 128
    let refused = decoded(few_bits).unwrap_err();
    assert!(matches!(refused, SampleError::Wav(WavError::Unfit { .. })), "{refused}");
    let mut mono = whole;
    mono[20] &= 0xf1; // one channel
    let refused = decoded(mono).unwrap_err();
    assert!(matches!(refused, SampleError::Flac(_)), "{refused}");
}

#[test]
fn a_flac_file_without_its_length_is_refused_with_a_cure() {
    let form = SoundFileForm { rate_hz: 48_000, channels: 1, bits: 16 };
    let mut flac = flac(form, &samples(form, 5_000));
    flac[21] &= 0xf0; // the number of frames, 36 bits
    flac[22..26].fill(0);
    let said = decoded(flac).unwrap_err().to_string();
    assert!(said.contains("how long it is") && said.contains("flac"), "{said}");
}

/// An ordinary WAV file as RF64, with the sizes in a chunk of their own.
fn as_rf64(wav: &[u8], data_bytes: u64) -> Vec<u8> {
    let (format, data) = (&wav[12..], wav.windows(4).position(|four| four == b"data").unwrap());
    let mut long = b"RF64\xff\xff\xff\xffWAVEds64".to_vec();
    long.extend(28_u32.to_le_bytes());
    long.extend((data_bytes + 100).to_le_bytes());
    long.extend(data_bytes.to_le_bytes());
    long.extend([0; 12]); // how many samples, and an empty table
    long.extend(&format[..data - 12]);
    long.extend(b"data\xff\xff\xff\xff");
    long.extend(&wav[data + 8..]);
    long
}

#[test]
fn rf64_and_sizes_that_were_never_filled_in_give_the_frames_of_the_ordinary_file() {
    for form in forms() {
        let ordinary = wav(form, &samples(form, 9_000));
        let bytes = 9_000 * u64::from(form.channels * form.bits / 8);
        let expected = decoded(ordinary.clone()).unwrap();
        assert_eq!(decoded(as_rf64(&ordinary, bytes)).unwrap(), expected, "{form:?}");
        let data = ordinary.windows(4).position(|four| four == b"data").unwrap();
        for size in [0_u32, u32::MAX] {
            let mut piped = ordinary.clone();
            piped[4..8].copy_from_slice(&size.to_le_bytes());
            piped[data + 4..data + 8].copy_from_slice(&size.to_le_bytes());
            assert_eq!(decoded(piped).unwrap(), expected, "{form:?}, size {size}");
        }
    }
}

#[test]
fn a_file_of_more_than_4_gigabytes_has_all_its_frames() {
    let form = SoundFileForm { rate_hz: 48_000, channels: 2, bits: 16 };
    let (frames, mut head) = (2_000_000_000_u64, wav(form, &[]));
    head = as_rf64(&head, frames * 4);
    let mut sparse = tempfile::tempfile().unwrap();
    std::io::Write::write_all(&mut sparse, &head).unwrap();
    sparse.set_len(head.len() as u64 + frames * 4).unwrap(); // nothing is written
    std::io::Seek::rewind(&mut sparse).unwrap();
    let file = SoundFile::open(sparse).unwrap();
    assert_eq!(file.form(), Said { rate_hz: 48_000, channels: 2, frames });
}

#[test]
fn an_rf64_file_that_is_cut_off_is_refused() {
    let form = SoundFileForm { rate_hz: 48_000, channels: 1, bits: 16 };
    let mut cut = as_rf64(&wav(form, &samples(form, 9_000)), 18_000);
    cut.truncate(10_000);
    assert!(decoded(cut).is_err());
}
