//! Linear time code as others hear it: an hour over midnight, decoded by libltc (LGPL), which is compiled into a
//! program beside the test and linked nowhere.

use chronotap_audio::ltc::{FrameRate, Ltc, TimeCode};
use chronotap_testkit::pass_over;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const RATE_HZ: u32 = 48_000;
/// Silence before the first frame.
const SILENCE: usize = 1_000;

/// The program that decodes; `None` where there is no compiler or no libltc.
fn decoder(dir: &TempDir) -> Option<PathBuf> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ltc/decode.c");
    let made = dir.path().join("decode");
    let compiles = |args: &[&str]| Command::new("cc").args(args).stderr(Stdio::null()).status();
    let there = compiles(&["-fsyntax-only", "-include", "ltc.h", "-x", "c", "/dev/null"]);
    there.ok().filter(std::process::ExitStatus::success)?;
    assert!(compiles(&[source, "-o", made.to_str()?, "-lltc"]).unwrap().success());
    Some(made)
}

/// The lines of the program for so many seconds from this frame on.
fn decoded(decoder: &PathBuf, ltc: Ltc, fps: u32, seconds: u64) -> Vec<String> {
    let frame = (RATE_HZ / fps).to_string();
    let mut program = Command::new(decoder);
    program.arg(frame).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let mut into = child.stdin.take().unwrap();
    let feeding = std::thread::spawn(move || {
        into.write_all(&[128; SILENCE]).unwrap();
        let mut period = [0.0; 480];
        // A tenth more: a frame is known to be whole when the next one has begun.
        for n in 0..seconds * 100 + 10 {
            ltc.put(n * 480, &mut period, 0.9);
            let bytes = period.map(|sample| (128.0 + 127.0 * sample) as u8);
            into.write_all(&bytes).unwrap();
        }
    });
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Every frame has its label and begins where it should, to two samples. A decoder locks on to what
/// comes first; so the time code begins a second before what is compared.
fn compare(decoder: &PathBuf, fps: u8, seconds: u64) {
    let rate = FrameRate::new(fps).unwrap();
    let (fps, day) = (u64::from(fps), 86_400 * u64::from(fps));
    let first = day - seconds / 2 * fps;
    let ltc = Ltc::new(TimeCode::new(first - fps, rate), RATE_HZ);
    let lines = decoded(decoder, ltc, fps as u32, seconds + 1);
    let label = TimeCode::new(first, rate).to_string();
    let locked = lines.iter().position(|line| line.starts_with(&label)).unwrap();
    assert!(locked <= fps as usize, "{locked}");
    let lines = &lines[locked..];
    assert!(lines.len() as u64 >= seconds * fps, "{} of {}", lines.len(), seconds * fps);
    for (n, line) in (0..).zip(lines) {
        let (label, rest) = line.split_once(' ').unwrap();
        assert_eq!(label, TimeCode::new(first + n, rate).to_string(), "frame {n}");
        let (at, reverse) = rest.split_once(' ').unwrap();
        let begins = SILENCE as u64 + (fps + n) * u64::from(RATE_HZ) / fps;
        let off = at.parse::<i64>().unwrap() - begins as i64;
        assert!(off.abs() <= 2 && reverse == "0", "{line}: {off}");
    }
}

#[test]
fn an_hour_is_decoded_by_libltc_without_a_wrong_or_missing_frame() {
    let dir = tempfile::tempdir().unwrap();
    let Some(decoder) = decoder(&dir) else {
        return pass_over("no libltc or no C compiler; apt-get install libltc-dev gcc");
    };
    compare(&decoder, 25, 3_600);
    compare(&decoder, 24, 60);
    compare(&decoder, 30, 60);
}
