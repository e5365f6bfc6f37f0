//! `chronotap threshold`: the threshold of a sensor on a sound card, by test taps.

mod hand;
mod tones;

use crate::CommandVerdict;
use crate::args::ThresholdArgs;
use crate::commands::take_over_ctrl_c;
use crate::screen::{Progress, remark, say, wrapped};
use anyhow::{Context, Result, bail};
use chronotap_audio::sensor::{NoLevelBetween, TestPart, TestTap, TestTaps, db_of};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{CardSide, HeardPart, HeardSound, Port};
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use chronotap_linux::ports::{EarName, EarPort, Spec};
use chronotap_linux::realtime::Interrupt;
use chronotap_rig::laboratory::DeviceNames;
use hand::TestHand;
use tones::TestTones;

/// How often what came in is looked at.
const LOOK: Nanos = Nanos::from_millis(50);
const REST_S: f64 = 5.0;
const PAUSE_S: f64 = 2.0;
const TONES_S: f64 = 5.0;
/// Whoever has not tapped often enough by then is not waited for.
const PATIENCE_S: f64 = 30.0;
/// A card that sends nothing for so long is gone.
const SILENT: Nanos = Nanos::from_secs(3);

pub fn threshold(args: &ThresholdArgs) -> Result<CommandVerdict> {
    let spec: Spec = args.port.parse()?;
    let Some(name) = spec.name::<EarName>() else {
        bail!("{}: it is no sensor on a sound card; name one, as in ear:jack?channel=2", args.port)
    };
    if args.name.is_some() {
        DeviceNames::read(args.machine.as_deref().filter(|path| path.exists()))?;
    }
    let mut tones = args.output.as_deref().map(TestTones::open).transpose()?;
    let interrupt = take_over_ctrl_c()?;
    let mut ear = Ear::open(name)?;
    let mut test = TestTaps::new(&name.listening(), ear.sound.rate_hz());
    let parts = parts(args);
    for (number, part) in (1..).zip(&parts) {
        remark(format!("{number} of {}  {}", parts.len(), part.words));
        let whole = part.listen((&mut ear, &mut test), tones.as_mut(), interrupt)?;
        if !whole {
            bail!("it was interrupted; nothing was changed");
        }
    }
    tell(args, name, &test)
}

/// The channel of the card that is listened to.
struct Ear {
    sound: Box<dyn HeardSound>,
    port: Option<EarPort>,           // open while it lives
    hand: Option<hand::AskedOfHand>, // at a virtual card
}

impl Ear {
    fn open(name: &EarName) -> Result<Ear> {
        if name.is_virtual() {
            let (hand, asked) = TestHand::new(name.taps);
            return Ok(Ear { sound: Box::new(hand), port: None, hand: Some(asked) });
        }
        let mut port = EarPort::open(&name.heard_whole(), 0)?;
        let sound = port.take_sound(0).context("the card keeps no sound")?;
        port.start(MonotonicClock::raw());
        Ok(Ear { sound, port: Some(port), hand: None })
    }

    /// What came in since.
    fn read(&mut self, samples: &mut Vec<f32>) {
        samples.clear();
        while let Some(part) = self.sound.next(samples) {
            if let HeardPart::Period { .. } = part {
                continue;
            }
        }
        // Its taps are of the threshold that is yet to be found.
        if let Some(port) = &mut self.port {
            let _ = port.read(Nanos::ZERO, &mut |_| ());
        }
    }
}

/// What is asked of the hand, and for how long.
struct Part {
    part: TestPart,
    words: String,
    seconds: f64,
    taps: Option<usize>, // after which it is over
}

fn parts(args: &ThresholdArgs) -> Vec<Part> {
    let taps = usize::from(args.taps);
    let part = |part, words: &str, seconds, taps| Part { part, words: words.into(), seconds, taps };
    let tap = |how: &str| format!("tap {how}, {taps} times, slowly");
    let mut all = vec![
        part(TestPart::Rest, "do not touch the sensor", REST_S, None),
        part(TestPart::Soft, &tap("as softly as will be tapped"), PATIENCE_S, Some(taps)),
        part(TestPart::Hard, &tap("as hard as will be tapped"), PATIENCE_S, Some(taps)),
    ];
    if args.output.is_some() {
        all.push(part(TestPart::Tones, "tones are played: do not tap", TONES_S, None));
    }
    all
}

impl Part {
    /// Listens to it; before all but rest the hand has a moment. Tells whether it came to its end.
    fn listen(
        &self,
        (ear, test): (&mut Ear, &mut TestTaps),
        tones: Option<&mut TestTones>,
        interrupt: Interrupt,
    ) -> Result<bool> {
        let tones = tones.filter(|_| self.part == TestPart::Tones);
        if self.part != TestPart::Rest {
            test.begin(TestPart::Pause);
            if !self.hear((ear, test), (PAUSE_S, None), interrupt)? {
                return Ok(false);
            }
        }
        test.begin(self.part);
        self.hear((ear, test), (self.seconds, tones), interrupt)
    }

    fn hear(
        &self,
        (ear, test): (&mut Ear, &mut TestTaps),
        (seconds, mut tones): (f64, Option<&mut TestTones>),
        interrupt: Interrupt,
    ) -> Result<bool> {
        let frames = (seconds * f64::from(ear.sound.rate_hz())) as usize;
        let (mut heard, mut samples, mut last) = (0, Vec::new(), MonotonicClock::raw());
        let mut progress = Progress::new(u32::MAX);
        ear.hand.iter().for_each(|hand| hand.ask(self.part));
        while heard < frames && !self.is_tapped(test) && !interrupt.requested() {
            let now = MonotonicClock::raw();
            if let Some(tones) = &mut tones {
                tones.play(now)?;
            }
            ear.read(&mut samples);
            test.hear(&samples);
            heard += samples.len();
            last = if samples.is_empty() { last } else { now };
            if now - last > SILENT {
                bail!("the card sends nothing; is it plugged in, and free?");
            }
            progress.show(&self.shown(test));
            if ear.hand.is_none() {
                sleep_until(now + LOOK);
            }
        }
        progress.end();
        Ok(!interrupt.requested())
    }

    fn counted(&self, test: &TestTaps) -> usize {
        let [soft, hard] = test.taps();
        if self.part == TestPart::Hard { hard.len() } else { soft.len() }
    }

    fn is_tapped(&self, test: &TestTaps) -> bool {
        self.taps.is_some_and(|taps| self.counted(test) >= taps)
    }

    /// The level now, beside that from which on a test tap is found.
    fn shown(&self, test: &mut TestTaps) -> String {
        let (level, from) = (db_of(test.loudest()), db_of(test.found_from()));
        let taps = self.taps.map(|of| format!("{} of {of}  ", self.counted(test)));
        format!("{}{} {level:4.0} dB", taps.unwrap_or_default(), bar(level, from))
    }
}

/// How wide the picture of a level is, and what its left end is in dB.
const BAR: usize = 40;
const BAR_FROM_DB: f64 = -90.0;

/// A level as a bar, with a mark where taps begin.
fn bar(level_db: f64, from_db: f64) -> String {
    let place = |db: f64| ((1.0 - db / BAR_FROM_DB).clamp(0.0, 1.0) * BAR as f64) as usize;
    let (level, mark) = (place(level_db), place(from_db));
    let letter = |at: usize| match at {
        _ if at == mark => '|',
        _ if at < level => '#',
        _ => '.',
    };
    format!("[{}]", (0..=BAR).map(letter).collect::<String>())
}

/// What was heard, what follows from it, and what is to be mended.
fn tell(args: &ThresholdArgs, name: &EarName, test: &TestTaps) -> Result<CommandVerdict> {
    for line in heard(test) {
        say(line);
    }
    let clipped = test.taps().concat().iter().filter(|tap| tap.clipped).count();
    let (found, mut wrong) = found(test);
    if clipped > 0 {
        wrong.push(format!(
            "{clipped} taps reached full scale: turn the card's input down, and test again"
        ));
    }
    for line in &wrong {
        say(wrapped(line, "  "));
    }
    let Some(threshold) = found else { return Ok(CommandVerdict::Failed) };
    let port = name.with_threshold(threshold).to_string();
    say(format!("threshold {threshold:.0} dB: {port}"));
    keep(args, &port)?;
    Ok(CommandVerdict::of(wrong.is_empty()))
}

fn heard(test: &TestTaps) -> Vec<String> {
    let of = |(what, taps): (&str, &[TestTap])| {
        let levels = || taps.iter().map(|tap| db_of(tap.level));
        let least = levels().reduce(f64::min)?;
        let most = levels().reduce(f64::max)?;
        let count = taps.len();
        Some(format!("{what:<9} {least:4.0} to {most:.0} dB, {count} taps"))
    };
    let [soft, hard] = test.taps();
    let rest = format!("{:<9} {:4.0} dB at most", "rest", db_of(test.rest()));
    let taps = [("soft taps", soft), ("hard taps", hard)].into_iter().filter_map(of);
    let tones = test.tones().map(|level| format!("{:<9} {:4.0} dB at most", "tones", db_of(level)));
    std::iter::once(rest).chain(taps).chain(tones).collect()
}

/// The threshold, and what is wrong.
fn found(test: &TestTaps) -> (Option<f64>, Vec<String>) {
    match test.threshold_db() {
        Ok(threshold) => (Some(threshold), Vec::new()),
        Err(NoLevelBetween::NoTaps) => {
            let from = db_of(test.found_from());
            (None, vec![format!(
                "no tap reached {from:.0} dB: is it the right channel, is the sensor plugged in, and the \
                 card's input turned up (alsamixer)?"
            )])
        }
        Err(NoLevelBetween::NearRest) => (None, vec![
            "the softest tap is less than 12 dB louder than rest: turn the card's input up, or look for \
             what hums (hum=50 or hum=60 takes the mains off), and test again"
                .into(),
        ]),
        Err(NoLevelBetween::NearTones(threshold)) => (Some(threshold), vec![
            "the sensor hears the tones nearly as loud as the softest tap, and would take them for taps: \
             play them by headphones, or softer, or take a sensor that touches what is tapped"
                .into(),
        ]),
    }
}

fn keep(args: &ThresholdArgs, port: &str) -> Result<()> {
    let Some(name) = &args.name else {
        remark("With --name pad it would be written into the machine file as the input \"pad\".");
        return Ok(());
    };
    let path = DeviceNames::keep_input(args.machine.as_deref(), name, port)?;
    say(format!("{}: {name} = \"{port}\"", path.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_bar_with_a_mark_where_taps_begin() {
        let shown = bar(-45.0, -30.0);
        assert_eq!(shown, format!("[{}{}|{}]", "#".repeat(20), ".".repeat(6), ".".repeat(14)));
        assert_eq!(bar(-120.0, -120.0), format!("[|{}]", ".".repeat(40)));
        assert!(format!("50 of 50  {} -120 dB", bar(0.0, -80.0)).len() < 80);
    }
}
