//! Sound files to play: noise of any form, as WAV and as FLAC.

use flacenc::bitsink::ByteSink;
use flacenc::component::BitRepr;
use flacenc::error::Verify;
use std::io::Cursor;

/// What a sound file is to be.
#[derive(Clone, Copy, Debug)]
pub struct SoundFileForm {
    /// Frames a second.
    pub rate_hz: u32,
    /// 1 or 2.
    pub channels: u16,
    /// 8, 16 or 24.
    pub bits: u16,
}

/// Samples of so many frames, channel by channel in turn: a melody with noise on it, so that
/// an encoder finds something to predict and something that it cannot.
pub fn samples(form: SoundFileForm, frames: usize) -> Vec<i32> {
    let full = f64::from((1_i32 << (form.bits - 1)) - 1);
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24) - 0.5
    };
    let count = frames * usize::from(form.channels);
    let sample = |i: usize| {
        let at = (i / usize::from(form.channels)) as f64 / f64::from(form.rate_hz);
        let hz = if i.is_multiple_of(usize::from(form.channels)) { 440.0 } else { 330.0 };
        let tone = (at * hz * std::f64::consts::TAU).sin();
        ((0.5 * tone + 0.0005 * noise()) * full) as i32
    };
    (0..count).map(sample).collect()
}

/// A WAV file of these samples.
pub fn wav(form: SoundFileForm, samples: &[i32]) -> Vec<u8> {
    let spec = hound::WavSpec {
        channels: form.channels,
        sample_rate: form.rate_hz,
        bits_per_sample: form.bits,
        sample_format: hound::SampleFormat::Int,
    };
    let mut bytes = Cursor::new(Vec::new());
    let mut wav = hound::WavWriter::new(&mut bytes, spec).unwrap();
    samples.iter().for_each(|sample| wav.write_sample(*sample).unwrap());
    wav.finalize().unwrap();
    bytes.into_inner()
}

/// A FLAC file of these samples.
pub fn flac(form: SoundFileForm, samples: &[i32]) -> Vec<u8> {
    let settings = flacenc::config::Encoder::default().into_verified().unwrap();
    let (channels, bits) = (form.channels.into(), form.bits.into());
    let source =
        flacenc::source::MemSource::from_samples(samples, channels, bits, form.rate_hz as usize);
    let length = settings.block_size;
    let stream = flacenc::encode_with_fixed_block_size(&settings, source, length).unwrap();
    let mut bytes = ByteSink::new();
    stream.write(&mut bytes).unwrap();
    bytes.into_inner()
}
