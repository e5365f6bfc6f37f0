//! What is understood of the lines of TeensyTap and Tap Arduino: lines and packets in the form in which their
//! sketches make them, from devices whose clocks and taps are known.

use chronotap_core::sensor::{Sketch, SketchCounts, SketchLine, SketchTap};
use chronotap_core::time::Nanos;
use proptest::prelude::*;

/// A device that was switched on so long before the computer's clock was 0, and whose clock runs slower by
/// so many parts in a million.
#[derive(Clone, Copy)]
struct Device {
    ahead_ms: f64,
    ppm: f64,
}

impl Device {
    /// Its whole milliseconds at a time of the computer.
    fn ms(self, at_ms: f64) -> i64 {
        (self.ahead_ms + at_ms * (1.0 - self.ppm / 1e6)).floor() as i64
    }
}

const NS: fn(f64) -> Nanos = |ms| Nanos((ms * 1e6) as i64);

/// A different delay each time, from 0 to 1 ms.
fn delay_ms(n: usize) -> f64 {
    (n * 7 % 11) as f64 / 10.0
}

fn line_of(number: usize, device: Device, (onset, release): (f64, f64)) -> String {
    let (on, off) = (device.ms(onset), device.ms(release));
    format!("{number} tap {on} {off} {} 417 0\n", on + 9)
}

/// Settings, twenty times asked for its time from 0.1 s on, and these taps in ms of the computer.
fn teensy_tap(device: Device, taps: &[(f64, f64)]) -> (SketchLine, Vec<SketchTap>) {
    let (mut line, mut felt) = (SketchLine::of(Sketch::TeensyTap), Vec::new());
    let settings = "# Receiving configuration...\n# ... starting to read...\n# Config received...\n\
                    # config AF=0 DELAY=0 METR=0 INTVL=1000 NCLICK=0 NCONT=2000000\n\
                    message_number type onset_t offset_t max_force_t max_force n_missed_frames\n";
    line.hear(settings.as_bytes(), NS(50.0), &mut |_| {});
    assert!(line.is_configured() && line.fit().is_none());
    for n in 0..20 {
        let at = 100.0 + 50.0 * n as f64;
        let said = format!("# Stop signal received at t={}\n", device.ms(at));
        line.hear(said.as_bytes(), NS(at + delay_ms(n)), &mut |_| {});
    }
    for (n, tap) in taps.iter().enumerate() {
        let came = NS(tap.1 + delay_ms(n));
        line.hear(line_of(n + 1, device, *tap).as_bytes(), came, &mut |one| felt.push(one));
    }
    (line, felt)
}

#[test]
fn taps_of_teensytap_are_within_two_milliseconds_and_soon_within_one() {
    let device = Device { ahead_ms: 4_321.4, ppm: 100.0 };
    let taps: Vec<(f64, f64)> =
        (0..200).map(|n| 1_500.3 + 500.7 * f64::from(n)).map(|on| (on, on + 83.6)).collect();
    let (line, felt) = teensy_tap(device, &taps);
    assert_eq!((line.counts(), felt.len()), (SketchCounts::default(), 200));
    for (n, (tap, (onset, release))) in felt.iter().zip(&taps).enumerate() {
        // A whole millisecond is at most one before the time, and a delay is in no stamp. Of a second of whole
        // milliseconds the drift is known badly, which is in the stamps of the first half minute.
        let most = if n < 60 { 2.0 } else { 1.2 };
        for (at, ms) in [(tap.onset, onset), (tap.release, release)] {
            assert!((at.as_millis_f64() - ms).abs() < most, "tap {n}: {at} for {ms} ms");
        }
        assert_eq!(tap.peak, 417);
    }
    assert!((line.fit().unwrap().drift_ppm() - 100.0).abs() < 40.0);
}

/// A packet, as it comes at 9,600 bits a second once the tap was released.
fn packet(device: Device, (onset, release): (f64, f64)) -> ([u8; 8], Nanos) {
    let of = |ms| ((device.ms(ms) & 0xffff) as u16).to_le_bytes();
    let ([a, b], [c, d]) = (of(onset), of(release));
    ([b'B', a, b, c, d, 0x42, 0x01, b'E'], NS(release + 8.0 * 10.0 / 9.6))
}

fn tap_arduino(packets: &[([u8; 8], Nanos)]) -> (SketchLine, Vec<SketchTap>) {
    let (mut line, mut felt) = (SketchLine::of(Sketch::TapArduino), Vec::new());
    for (bytes, came) in packets {
        line.hear(bytes, *came, &mut |one| felt.push(one));
    }
    (line, felt)
}

#[test]
fn taps_of_tap_arduino_are_told_apart_by_16_bits_and_the_computer_s_clock() {
    // Its resonator is 0.3 % off, and nobody taps for two minutes and a half: 16 bits go round twice.
    let device = Device { ahead_ms: 2_400.0, ppm: 3_000.0 };
    let mut taps: Vec<(f64, f64)> =
        (0..150).map(|n| 3_000.2 + 601.3 * f64::from(n)).map(|on| (on, on + 71.9)).collect();
    taps.extend((0..50).map(|n| 243_000.7 + 601.3 * f64::from(n)).map(|on| (on, on + 71.9)));
    let packets: Vec<_> = taps.iter().map(|tap| packet(device, *tap)).collect();
    let (line, felt) = tap_arduino(&packets);
    assert_eq!((line.counts(), felt.len()), (SketchCounts::default(), 200));
    for (n, (tap, (onset, release))) in felt.iter().zip(&taps).enumerate() {
        let off = tap.onset.as_millis_f64() - onset;
        // The drift is known from the first three seconds on to a millisecond over all taps that are kept.
        let most = if n < 6 { 4.0 } else { 2.0 };
        assert!((-most..most).contains(&off), "tap {n}: {off}");
        let held = (tap.release - tap.onset).as_millis_f64();
        assert!((held - (release - onset)).abs() < 1.3, "{held}");
        assert_eq!(tap.peak, 0x142);
    }
}

#[test]
fn messages_that_are_missing_and_milliseconds_that_were_not_looked_at_are_counted() {
    let device = Device { ahead_ms: 0.0, ppm: 0.0 };
    let (mut line, _) = teensy_tap(device, &[(1_500.0, 1_580.0)]);
    let mut felt = 0;
    line.hear(b"4 tap 2100 2190 2110 300 0\n", NS(2_190.4), &mut |_| felt += 1);
    line.hear(b"5 click 2200 NA NA NA 0\n", NS(2_200.4), &mut |_| felt += 1);
    line.hear(b"6 tap 2700 2790 2710 300 3\n", NS(2_790.4), &mut |_| felt += 1);
    assert_eq!((felt, line.counts().lost), (2, 2 + 3));
    for wrong in [
        &b"7 tap 3300 NA 3310 300 3\n"[..],
        b"7 tap 3300 3200 3310 300 3\n",
        b"7 tap 3300 3390 3310 1024 3\n",
        b"7 tap 3300 3390 3310 300 3 9\n",
        b"7 tip 3300 3390 3310 300 3\n",
        b"7 tap -300 3390 3310 300 3\n",
        b"\xff\xfe\n",
        &[b'7'; 300],
        b"\n",
    ] {
        line.hear(wrong, NS(3_400.0), &mut |_| felt += 1);
    }
    // The last two are one line.
    assert_eq!((felt, line.counts().damaged), (2, 8));
}

#[test]
fn a_device_that_began_anew_is_counted_and_its_taps_are_where_they_came() {
    let old = Device { ahead_ms: 2_400.0, ppm: 0.0 };
    let new = Device { ahead_ms: -50_000.0, ppm: 0.0 };
    let taps: Vec<(f64, f64)> =
        (0..40).map(|n| 3_000.0 + 1_200.0 * f64::from(n)).map(|on| (on, on + 60.0)).collect();
    let later: Vec<(f64, f64)> = taps.iter().map(|(a, b)| (a + 50_000.0, b + 50_000.0)).collect();
    let packets = taps.iter().map(|tap| packet(old, *tap));
    let packets: Vec<_> = packets.chain(later.iter().map(|tap| packet(new, *tap))).collect();
    let (line, felt) = tap_arduino(&packets);
    assert_eq!(line.counts(), SketchCounts { restarted: 1, ..SketchCounts::default() });
    for (tap, (onset, _)) in felt.iter().zip(taps.iter().chain(&later)) {
        assert!((tap.onset.as_millis_f64() - onset).abs() < 1.1, "{tap:?} {onset}");
    }
}

#[test]
fn whoever_begins_to_listen_within_a_packet_waits_for_the_next_one() {
    let device = Device { ahead_ms: 17_000.0, ppm: 0.0 };
    let (whole, came) = packet(device, (5_000.0, 5_066.0));
    let mut line = SketchLine::of(Sketch::TapArduino);
    let mut felt = Vec::new();
    for bytes in [&whole[3..], &whole[..5], &whole[5..], b"BBE", &whole] {
        line.hear(bytes, came, &mut |one| felt.push(one));
    }
    assert_eq!(felt.len(), 2);
    assert_eq!(line.counts().damaged, 5 + 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Bytes of any kind, of which many are those that lines and packets are made of.
    #[test]
    fn prop_no_bytes_panic_and_no_tap_ends_before_it_begins(
        bytes in prop::collection::vec(
            prop_oneof![any::<u8>(), prop::sample::select(&b"BE 0123456789\ntap#NA"[..])], 0..400),
        read in any::<i64>(),
        pieces in 1_usize..50,
    ) {
        for sketch in Sketch::ALL {
            let mut line = SketchLine::of(sketch);
            for (n, bytes) in bytes.chunks(pieces).enumerate() {
                let at = Nanos(read.saturating_add(n as i64 * 1_000_000));
                line.hear(bytes, at, &mut |tap| assert!(tap.onset <= tap.release));
            }
            prop_assert!(line.counts().damaged <= bytes.len() as u64);
        }
    }
}
