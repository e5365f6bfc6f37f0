//! What is said of the timing tests of one's own machine: why one cannot run, why it has no
//! figure, and how far its verdict reaches.

use crate::{Says, Sentences, Surface, of, row, with};
use chronotap_audio::meter;
use chronotap_bench::timing::peers::{Lacks, PeerError};
use chronotap_bench::timing::player::ClicksDoubt;
use chronotap_bench::timing::roundtrip::{CalibrationError, Disagreement, Unreported};
use chronotap_bench::timing::tap_to_sound::{
    PadUnheard, ScriptedPadError, TapToSoundDoubt, TapToSoundError, Undistanced,
};
use chronotap_bench::timing::{
    HistogramError, MeasureError, NoiseRefusal, PurposeError, ResultsError, TestError, ThreadError,
    WakeupRefusal,
};

pub(super) const ROWS: &[Sentences] = &[
    row::<CalibrationError>(),
    row::<ClicksDoubt>(),
    row::<Disagreement>(),
    row::<Unreported>(),
    row::<TapToSoundDoubt>(),
    row::<HistogramError>(),
    row::<Lacks>(),
    row::<MeasureError>(),
    row::<meter::MeterDoubt>(),
    row::<PadUnheard>(),
    row::<PeerError>(),
    row::<PurposeError>(),
    row::<ResultsError>(),
    row::<ScriptedPadError>(),
    row::<TapToSoundError>(),
    row::<TestError>(),
    row::<ThreadError>(),
    row::<Undistanced>(),
    row::<WakeupRefusal>(),
    row::<NoiseRefusal>(),
];

impl Says for TapToSoundDoubt {
    fn says(&self, _: Surface) -> String {
        match self {
            TapToSoundDoubt::NoTaps => with(
                self,
                "is it the right port (`chronotap monitor` shows what comes in), and does \
                 somebody tap?",
            ),
            TapToSoundDoubt::Clipped(..) => with(self, "turn the input down"),
            TapToSoundDoubt::Broken(..) => {
                with(self, "ask for longer ones (--period), or see `chronotap doctor`")
            }
            TapToSoundDoubt::Silent { .. } => with(
                self,
                "check the cable from output to input and both levels, or lower --threshold",
            ),
            TapToSoundDoubt::Unheard { .. } => {
                with(self, "bring the microphone nearer, raise its level, or lower --threshold")
            }
            TapToSoundDoubt::Doubled(..) => with(
                self,
                "is the tap heard in the sound's channel, or does the pad bounce? tap less often \
                 than twice a second, or raise --threshold",
            ),
            TapToSoundDoubt::Unasked(..) => with(
                self,
                "what else sounds? raise --threshold above it, or keep taps out of the sound's \
                 channel",
            ),
            TapToSoundDoubt::Quiet(_) => {
                with(self, "raise the level, or lower --threshold if the noise lets you")
            }
            TapToSoundDoubt::QuietTaps(_) => with(
                self,
                "raise the microphone's level, or lower --threshold if the noise lets you",
            ),
            TapToSoundDoubt::Lost(..) => {
                with(self, "see `chronotap doctor` for what kept it from running")
            }
            TapToSoundDoubt::Few(_) => with(self, "tap longer"),
        }
    }
}

impl Says for ClicksDoubt {
    fn says(&self, _: Surface) -> String {
        let cure = match self {
            ClicksDoubt::Few(_) => "does the other program play, and is its level high enough?",
            ClicksDoubt::Broken(_) => "ask for longer ones (--period), or stop other programs",
        };
        with(self, cure)
    }
}

impl Says for PadUnheard {
    fn says(&self, _: Surface) -> String {
        let PadUnheard = self;
        with(self, "a microphone at the pad and --tap-channel measure it")
    }
}

impl Says for ScriptedPadError {
    fn says(&self, _: Surface) -> String {
        match self {
            ScriptedPadError::Header => with(
                self,
                "a table of strikes begins with the names of its columns, with tabs between them",
            ),
            ScriptedPadError::Value { column, .. } => with(
                self,
                match *column {
                    "onset" => "seconds from 1 on, each strike 0.2 s after the one before",
                    "peak" => "0.0001 to 1, full scale being 1",
                    _ => "milliseconds from 0 to 90 with commas, or - for a missed strike",
                },
            ),
            ScriptedPadError::Empty => with(self, "write a line for each"),
        }
    }
}

impl Says for Undistanced {
    fn says(&self, _: Surface) -> String {
        let cure = match self {
            Undistanced::Silent(_) => "raise the level, or lower --threshold",
            Undistanced::Unanswered { .. } => {
                "raise --threshold above the noise, and keep each channel free of the other"
            }
            Undistanced::Clipped(_) => "turn the input down and record again",
            Undistanced::Few(_) => "record more",
        };
        with(self, cure)
    }
}

impl Says for TapToSoundError {
    fn says(&self, surface: Surface) -> String {
        match self {
            TapToSoundError::Trial(error) => of(error, surface),
            TapToSoundError::Port(error) => of(&**error, surface),
            TapToSoundError::Card(error) => of(error, surface),
            TapToSoundError::NoInputs => self.to_string(),
            TapToSoundError::Ports(error) => error.says(surface),
            TapToSoundError::Thread(error) => error.says(surface),
        }
    }
}

impl Says for Unreported {
    fn says(&self, _: Surface) -> String {
        let Unreported { period_frames, frames } = *self;
        let (input, output) = (frames / 2, frames - frames / 2);
        format!(
            "{period_frames} frames: {self}; jackd's driver reports them too when it is started with \
             -I {input} -O {output} (or so much more than it has)"
        )
    }
}

impl Says for Disagreement {
    fn says(&self, surface: Surface) -> String {
        match self {
            Disagreement::Doubt(doubt) => format!("no round trip: {}", doubt.says(surface)),
            Disagreement::Few(_) => with(self, "measure longer"),
            Disagreement::Apart(_) => {
                with(self, "do input and output have one clock, and does nothing else sound?")
            }
        }
    }
}

impl Says for meter::MeterDoubt {
    fn says(&self, _: Surface) -> String {
        use meter::MeterDoubt;
        match self {
            MeterDoubt::TooShort => self.to_string(),
            MeterDoubt::Quiet(_) => with(self, "check the cable, or raise the level"),
            MeterDoubt::Clipped(_) => with(self, "lower the level of the input or the output"),
            MeterDoubt::Contradiction(_) => {
                with(self, "is there another signal, or a second path from output to input?")
            }
            MeterDoubt::Missed => with(self, "ask for a longer one, or stop other programs"),
            MeterDoubt::Unsteady(_) => with(self, "do input and output have one clock?"),
        }
    }
}

impl Says for CalibrationError {
    fn says(&self, _: Surface) -> String {
        match self {
            CalibrationError::None => {
                with(self, "give a file that `chronotap timing roundtrip` wrote")
            }
        }
    }
}

impl Says for WakeupRefusal {
    fn says(&self, _: Surface) -> String {
        match self {
            WakeupRefusal::Interval(_)
            | WakeupRefusal::Runtime { .. }
            | WakeupRefusal::Core { .. }
            | WakeupRefusal::NoCore { .. } => self.to_string(),
        }
    }
}

impl Says for NoiseRefusal {
    fn says(&self, _: Surface) -> String {
        match self {
            NoiseRefusal::Gap(_) | NoiseRefusal::Busy(_) | NoiseRefusal::Core { .. } => {
                self.to_string()
            }
        }
    }
}

impl Says for ThreadError {
    fn says(&self, _: Surface) -> String {
        let ThreadError(_) = self;
        with(self, "end other programs, or raise `ulimit -u`")
    }
}

impl Says for HistogramError {
    fn says(&self, _: Surface) -> String {
        let HistogramError { .. } = self;
        self.to_string()
    }
}

impl Says for TestError {
    fn says(&self, _: Surface) -> String {
        let TestError(_) = self;
        self.to_string()
    }
}

impl Says for MeasureError {
    fn says(&self, surface: Surface) -> String {
        match self {
            MeasureError::Test(error) => error.says(surface),
            MeasureError::Session(error) => of(error, surface),
        }
    }
}

impl Says for PurposeError {
    fn says(&self, _: Surface) -> String {
        let PurposeError(_) = self;
        with(self, "use `tapping`, or `audio:64@48000` for 64 frames at 48000 Hz")
    }
}

impl Says for ResultsError {
    fn says(&self, _: Surface) -> String {
        match self {
            ResultsError::Unreadable(error) => {
                format!("this is no results file of `chronotap timing`: {error}")
            }
            ResultsError::Kind(kind) => {
                format!("this is {kind:?}, not a results file of `chronotap timing`")
            }
            ResultsError::Version(_) => self.to_string(),
        }
    }
}

impl Says for PeerError {
    fn says(&self, surface: Surface) -> String {
        match self {
            PeerError::Unknown { .. } => format!(
                "{self}: `chronotap timing --json`, `cyclictest --histogram=1000` (also \
                 --histofall, --histfile, --json), `rtla timerlat hist`"
            ),
            PeerError::Line { .. } => self.to_string(),
            PeerError::Missing { file, lacks } => format!("{file}: {}", lacks.says(surface)),
            PeerError::Results { file, error } => format!("{file}: {}", error.says(surface)),
        }
    }
}

impl Says for Lacks {
    fn says(&self, _: Surface) -> String {
        let cure = match self {
            Lacks::Histogram => {
                "run cyclictest with --histogram=1000, and let it end by itself or by Ctrl-C"
            }
            Lacks::HistogramOf(_) => "run cyclictest with --histogram=1000 beside --json",
            Lacks::End => "let Xenomai's latency run to its end, or end it with Ctrl-C",
            Lacks::Buckets => "run latency with -h and without -B",
            Lacks::Agreement { .. } => "take the whole file; run rtla without -b",
            Lacks::OneRun { .. } => "put each run into a file of its own",
            Lacks::Header => "run rtla without --no-header and --no-index",
            Lacks::Sense | Lacks::SenseOf { .. } | Lacks::SenseOfColumn { .. } => {
                "is the file damaged?"
            }
        };
        with(self, cure)
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let io = || std::io::Error::from_raw_os_error(11);
    let file = || "run.txt".to_owned();
    let missing = |lacks| PeerError::Missing { file: file(), lacks };
    let nonsense = || serde_json::from_str::<u32>("x").expect_err("no number");
    let mut all: Vec<Box<dyn std::error::Error>> = Vec::new();
    let doubts = [
        TapToSoundDoubt::NoTaps,
        TapToSoundDoubt::Clipped(5, 40),
        TapToSoundDoubt::Broken(5, 40),
        TapToSoundDoubt::Silent { silent: 40, taps: 40, threshold_db: -60.0 },
        TapToSoundDoubt::Unheard { unheard: 5, taps: 40, threshold_db: -60.0 },
        TapToSoundDoubt::Doubled(5, 40),
        TapToSoundDoubt::Unasked(5, 40),
        TapToSoundDoubt::Quiet(4.0),
        TapToSoundDoubt::QuietTaps(4.0),
        TapToSoundDoubt::Lost(5, 40),
        TapToSoundDoubt::Few(4),
    ];
    let peers = [
        PeerError::Unknown { file: file() },
        PeerError::Line {
            file: file(),
            line: 3,
            expected: "a whole number".into(),
            found: "00x000".into(),
        },
        missing(Lacks::Histogram),
        missing(Lacks::HistogramOf(0)),
        missing(Lacks::Header),
        missing(Lacks::End),
        missing(Lacks::Buckets),
        missing(Lacks::Agreement {
            of: "thread 0".into(),
            what: "the greatest",
            printed: "76".into(),
            rows: "25".into(),
        }),
        missing(Lacks::OneRun { line: 420 }),
        missing(Lacks::Sense),
        missing(Lacks::SenseOf { thread: "0".into(), expected: "at most 10^12 samples" }),
        missing(Lacks::SenseOfColumn {
            core: "0".into(),
            seen_by: "thread".into(),
            expected: "a latency below an hour",
        }),
        PeerError::Results { file: file(), error: ResultsError::Unreadable(nonsense()) },
        PeerError::Results { file: file(), error: ResultsError::Kind("trial".into()) },
        PeerError::Results { file: file(), error: ResultsError::Version(99) },
    ];
    let undistanced = [
        Undistanced::Silent(2),
        Undistanced::Unanswered { unanswered: 2, taps: 15, sounds: 17 },
        Undistanced::Clipped(3),
        Undistanced::Few(4),
    ];
    let disagreements = [
        Disagreement::Doubt(meter::MeterDoubt::Quiet(0.0)),
        Disagreement::Few(3),
        Disagreement::Apart(1.0),
    ];
    let refusals = [
        WakeupRefusal::Interval(chronotap_core::time::Nanos::from_micros(10)),
        WakeupRefusal::Core { core: 9, usable: vec![0, 1] },
        WakeupRefusal::NoCore { usable: vec![0, 1] },
        WakeupRefusal::Runtime {
            runtime: chronotap_core::time::Nanos::from_micros(950),
            interval: chronotap_core::time::Nanos::from_millis(1),
        },
    ];
    let noise = [
        NoiseRefusal::Gap(chronotap_core::time::Nanos(50)),
        NoiseRefusal::Busy(95),
        NoiseRefusal::Core { core: 9, usable: vec![0, 1] },
    ];
    all.push(Box::new(Unreported { period_frames: 64, frames: 33 }));
    all.extend(doubts.map(|error| Box::new(error) as _));
    all.extend(peers.map(|error| Box::new(error) as _));
    all.extend(undistanced.map(|error| Box::new(error) as _));
    all.extend(disagreements.map(|error| Box::new(error) as _));
    all.extend(refusals.map(|error| Box::new(error) as _));
    all.extend(noise.map(|error| Box::new(error) as _));
    all.push(Box::new(ClicksDoubt::Few(3)));
    all.push(Box::new(ClicksDoubt::Broken(2)));
    all.push(Box::new(PadUnheard));
    all.push(Box::new(ScriptedPadError::Header));
    for (column, value) in [("onset", "0.5"), ("peak", "2"), ("delays", "x")] {
        let value = value.to_owned();
        all.push(Box::new(ScriptedPadError::Value { line: 2, column, value }));
    }
    all.push(Box::new(ScriptedPadError::Empty));
    all.push(Box::new(TapToSoundError::NoInputs));
    all.push(Box::new(CalibrationError::None));
    all.push(Box::new(ThreadError(io())));
    all.push(Box::new(HistogramError { from_ns: 3, width_ns: 2 }));
    all.push(Box::new(MeasureError::Test(TestError(1))));
    all.push(Box::new(PurposeError("taping".into())));
    all
}
