//! The tests of sound: from their arguments to what is measured.

use super::told::{TellingProbe, ToldOptions};
use super::{alone, given, recording, several};
use crate::CommandVerdict;
use crate::args::{DspArgs, FragmentsArgs, RoundtripArgs, Suite};
use anyhow::{Context, Result, bail};
use chronotap_bench::studies::{DspTest, FragmentsTest};
use chronotap_bench::timing::roundtrip::Calibration;
use chronotap_bench::timing::{
    Length, Probe, Results, RoundtripTest, TestFound, TestRefusal, TestRun,
};
use chronotap_core::time::Nanos;
use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// `chronotap timing dsp`.
pub fn dsp(args: &DspArgs) -> Result<CommandVerdict> {
    let alone_in_it = args.tracks.iter().all(|tracks| *tracks == 1);
    if args.card.is_some() && alone_in_it && !args.thread.cores.is_empty() {
        bail!(
            "--cores: a card calls for its one track on a thread of its own; leave out --cores, or \
             give --tracks"
        );
    }
    alone("dsp", &args.suite, || dsp_test(args))
}

/// `chronotap timing fragments`.
pub fn fragments(args: &FragmentsArgs) -> Result<CommandVerdict> {
    let usual = FragmentsTest::default();
    let usual_core = args.core.unwrap_or(usual.core);
    let sound = args.wav.as_deref().map(|wav| sound(wav, args.rate)).transpose()?;
    let test = |fragments, bytes| FragmentsTest {
        card: args.card.clone(),
        fragments,
        bytes,
        cpu_percent: args.cpu,
        rate_hz: args.rate,
        scheduling: args.scheduled.asked(),
        core: usual_core,
        duration: args.duration,
        sound: sound.clone(),
    };
    let sizes = |fragments: u32| args.bytes.iter().map(move |bytes| (fragments, *bytes));
    let shapes: Vec<(u32, u32)> = args.fragments.iter().copied().flat_map(sizes).collect();
    let tests = || shapes.iter().map(|(fragments, bytes)| test(*fragments, *bytes));
    tests().try_for_each(|test| test.check())?;
    several("fragments", &args.suite, || {
        let options = ToldOptions::default().and_file("wav", args.wav.as_deref());
        let telling = |test| TellingProbe { test, options: options.clone() };
        tests().map(|test| Box::new(telling(test)) as Box<dyn Probe>).collect()
    })
}

/// `chronotap timing roundtrip`.
pub fn roundtrip(args: &RoundtripArgs) -> Result<CommandVerdict> {
    if let Some(wav) = &args.wav {
        return recording::analyse(wav);
    }
    if let Some(wav) = &args.tones {
        return recording::write(wav, args.rate.unwrap_or(48_000));
    }
    let calibration = args.calibration.as_deref().map(calibration).transpose()?;
    let options = ToldOptions::default()
        .and_join(args.join)
        .and_file("calibration", args.calibration.as_deref());
    let test = RoundtripTest {
        card: args.card.clone(),
        join: args.join,
        periods: given(&args.periods),
        rate_hz: args.rate,
        calibration,
        duration: args.duration,
    };
    counted("roundtrip", &args.suite, || TellingProbe {
        test: test.clone(),
        options: options.clone(),
    })
}

/// One test beside each of the loads, whose having no figure at all is a failed check.
pub fn counted<P: Probe + 'static>(
    name: &'static str,
    suite: &Suite,
    test: impl Fn() -> P,
) -> Result<CommandVerdict> {
    let figures = Rc::new(Cell::new(0));
    let counted = || Counted { test: test(), figures: Rc::clone(&figures) };
    let verdict = alone(name, suite, counted)?;
    Ok(if figures.get() == 0 { CommandVerdict::of(false) } else { verdict })
}

/// A test that counts its figures.
struct Counted<P> {
    test: P,
    figures: Rc<Cell<usize>>,
}

impl<P: Probe> Probe for Counted<P> {
    fn name(&self) -> &'static str {
        self.test.name()
    }

    fn available(&self) -> std::result::Result<(), TestRefusal> {
        self.test.available()
    }

    fn duration(&self, length: Length) -> Nanos {
        self.test.duration(length)
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        let found = self.test.run(course);
        self.figures.set(self.figures.get() + found.series.len());
        found
    }
}

/// Reads the results of an earlier round trip.
pub fn calibration(file: &Path) -> Result<Calibration> {
    let read = || -> Result<Calibration> {
        Ok(Calibration::of(&Results::parse(&chronotap_core::files::read_to_string(file)?)?)?)
    };
    read().with_context(|| format!("--calibration {}", file.display()))
}

fn dsp_test(args: &DspArgs) -> DspTest {
    let usual = DspTest::default();
    DspTest {
        periods: given(&args.periods),
        tracks: given(&args.tracks),
        plugins: given(&args.plugins),
        rate_hz: args.rate,
        scheduling: args.thread.scheduled.asked(),
        cores: given(&args.thread.cores).unwrap_or(usual.cores),
        duration: args.duration,
        searches: args.searches,
        arrangement: args.arrangement,
        card: args.card.clone(),
    }
}

/// A WAV file as 16 bits, left and right; a file with one channel sounds on both.
fn sound(wav: &Path, rate_hz: u32) -> Result<Arc<[u8]>> {
    let read = || -> Result<Arc<[u8]>> {
        let (channels, file_hz) = recording::read(wav)?;
        if file_hz != rate_hz {
            bail!("it has {file_hz} frames a second; give --rate {file_hz}");
        }
        let sample = |value: f32| (value.clamp(-1.0, 1.0) * f32::from(i16::MAX)) as i16;
        let left = channels.first().context("it has no channel")?;
        let right = channels.get(1).unwrap_or(left);
        let pairs = left.iter().zip(right).flat_map(|(left, right)| [*left, *right]);
        Ok(pairs.flat_map(|value| sample(value).to_le_bytes()).collect())
    };
    read().with_context(|| format!("--wav {}", wav.display()))
}
