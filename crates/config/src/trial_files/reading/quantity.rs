//! Times, tempi and rates as an experimenter writes them: `"500 ms"`,
//! `"1600 ms / 3"`, `"123.45 bpm"`, `"20 per s"`. Decimal text becomes a fraction
//! digit by digit and never passes through a float, so that an interval is
//! exactly what was written.

use super::with_point;
use chronotap_core::text::nearest;
use chronotap_core::time::{Exact, Nanos};

/// Units of time and their nanoseconds.
const UNITS: [(&str, i128); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("\u{b5}s", 1_000),
    ("d", 86_400_000_000_000),
];

const NS_PER_MINUTE: i128 = 60_000_000_000;

/// What is wrong with a quantity, and the cure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub message: String,
    /// What to write instead.
    pub cure: String,
}

impl Fault {
    /// A fault and its cure.
    pub fn new(message: impl Into<String>, cure: impl Into<String>) -> Fault {
        Fault { message: message.into(), cure: cure.into() }
    }
}

/// A time, exactly: `"500 ms"`, `"-30 ms"`, `"1600 ms / 3"`.
pub fn time(text: &str) -> Result<Exact, Fault> {
    time_for(text, Nanos::MIN, Nanos::MAX)
}

/// The same where a time within these bounds belongs. What is beyond them is read too, but a
/// number without a unit is answered with those units that make it an allowed time.
pub fn time_for(text: &str, least: Nanos, greatest: Nanos) -> Result<Exact, Fault> {
    let (fraction, unit, divisor) = parts(text).ok_or_else(|| no_time(text))?;
    if unit.is_empty() {
        let message = format!("\"{}\" has no unit", brief(text.trim()));
        return Err(Fault::new(message, with_unit(text.trim(), least, greatest)));
    }
    let scale =
        UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(|| no_such_unit(text, unit))?.1;
    product([fraction.0, scale, divisor.1])
        .zip(product([fraction.1, divisor.0]))
        .and_then(|(num, den)| Exact::ratio(num, den))
        .ok_or_else(too_large)
}

const EXAMPLE: &str = "write a number and a unit, such as \"500 ms\", \"1.5 s\" or \"1600 ms / 3\"";

fn no_time(text: &str) -> Fault {
    let cure = match with_point(text.trim()) {
        Some(point) => format!("decimals have a point: write \"{}\"", brief(&point)),
        None => EXAMPLE.to_owned(),
    };
    Fault::new(format!("\"{}\" is not a time", brief(text)), cure)
}

/// What to write for a number without a unit: it with each unit that makes it a time within
/// these bounds, or the bounds where none does.
pub fn with_unit(number: &str, least: Nanos, greatest: Nanos) -> String {
    let all = ["ms", "s"].map(|unit| match number.split_once('/') {
        Some((value, divisor)) => format!("{} {unit} / {}", value.trim(), divisor.trim()),
        None => format!("{number} {unit}"),
    });
    let allowed =
        |text: &&String| time(text).is_ok_and(|time| (least..=greatest).contains(&time.round()));
    let quoted = all.iter().filter(allowed).map(|text| format!("\"{}\"", brief(text)));
    match &quoted.collect::<Vec<_>>()[..] {
        [] => format!("write a time, {}", bounds(least, greatest)),
        some => format!("write {}", some.join(" or ")),
    }
}

/// Bounds of times, as references and cures say them.
pub fn bounds(least: Nanos, greatest: Nanos) -> String {
    match least {
        Nanos(1) => format!("above 0, up to {}", long(greatest)),
        _ => format!("{} to {}", say(least), long(greatest)),
    }
}

/// A time; in hours from a day on.
fn long(time: Nanos) -> String {
    let hour = UNITS[5].1;
    match i128::from(time.0) {
        ns if ns >= 24 * hour && ns % hour == 0 => format!("{} h", ns / hour),
        _ => say(time),
    }
}

fn no_such_unit(text: &str, unit: &str) -> Fault {
    if unit == "bpm" {
        return Fault::new(
            "a tempo stands where a time belongs",
            format!("write it as tempo = \"{}\"", brief(text.trim())),
        );
    }
    let plain = match unit.trim_end_matches('.') {
        "sec" | "secs" | "second" | "seconds" | "S" => Some("s".to_owned()),
        "msec" | "msecs" | "millisecond" | "milliseconds" | "MS" | "mS" => Some("ms".to_owned()),
        "usec" | "microsecond" | "microseconds" => Some("us".to_owned()),
        "m" | "minute" | "minutes" => Some("min".to_owned()),
        "hr" | "hrs" | "hour" | "hours" | "H" => Some("h".to_owned()),
        _ => nearest(unit, UNITS.iter().map(|(name, _)| *name)).map(str::to_owned),
    };
    let cure = match plain {
        Some(unit) => format!("did you mean \"{unit}\"? Units are ns, us, ms, s, min and h"),
        None => "units are ns, us, ms, s, min and h".to_owned(),
    };
    Fault::new(format!("unknown unit \"{}\" in \"{}\"", brief(unit), brief(text)), cure)
}

fn too_large() -> Fault {
    Fault::new("the time is too large to count in nanoseconds", "write a shorter one")
}

/// The interval of a tempo, exactly: `"100 bpm"` is 600 ms.
pub fn tempo(text: &str) -> Result<Exact, Fault> {
    let fault = || {
        let cure = match with_point(text.trim()) {
            Some(point) => format!("decimals have a point: write \"{}\"", brief(&point)),
            None => "write beats per minute, such as \"100 bpm\"".to_owned(),
        };
        Fault::new(format!("\"{}\" is not a tempo", brief(text)), cure)
    };
    let (fraction, unit, divisor) = parts(text).ok_or_else(fault)?;
    if unit != "bpm" || fraction.0 <= 0 {
        return Err(fault());
    }
    product([NS_PER_MINUTE, fraction.1, divisor.0])
        .zip(product([fraction.0, divisor.1]))
        .and_then(|(num, den)| Exact::ratio(num, den))
        .ok_or_else(too_large)
}

/// Factors multiplied; `None` beyond 128 bits.
fn product<const N: usize>(factors: [i128; N]) -> Option<i128> {
    factors.into_iter().try_fold(1_i128, i128::checked_mul)
}

/// Events a second: `"20 per s"`, `"90 per min"`.
pub fn rate(text: &str) -> Result<f64, Fault> {
    let (number, rest) = number(text.trim()).filter(|(n, _)| n.0 > 0).unwrap_or(((0, 1), ""));
    let per = match rest.split_whitespace().collect::<Vec<_>>()[..] {
        ["per", "s"] | ["/", "s"] | ["/s"] => 1.0,
        ["per", "min"] | ["/", "min"] | ["/min"] => 60.0,
        _ => {
            return Err(Fault::new(
                format!("\"{}\" is not a rate", brief(text)),
                "write tones per second, such as \"20 per s\"",
            ));
        }
    };
    Ok(number.0 as f64 / number.1 as f64 / per)
}

/// A time for people: in the unit that needs the fewest digits.
pub fn say(time: Nanos) -> String {
    let ns = i128::from(time.0);
    let unit = match ns.abs() {
        0 => return "0 s".to_owned(),
        n if n < 1_000 => UNITS[0],
        n if n < 1_000_000 => UNITS[1],
        n if n < 1_000_000_000 => UNITS[2],
        _ => UNITS[3],
    };
    let digits = format!("{:09}", ns.abs() % unit.1 * (1_000_000_000 / unit.1));
    let decimals = digits.trim_end_matches('0');
    let sign = if ns < 0 { "-" } else { "" };
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{decimals} {}", ns.abs() / unit.1, unit.0)
}

/// The start of a text, short enough for a message.
pub fn brief(text: &str) -> String {
    let short: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
    if short.len() < text.len() { format!("{short}...") } else { short }
}

type Fraction = (i128, i128);

/// Number, unit (possibly empty), divisor.
fn parts(text: &str) -> Option<(Fraction, &str, Fraction)> {
    let (value, rest) = number(text.trim())?;
    let (unit, divisor) = match rest.split_once('/') {
        None => (rest.trim(), (1, 1)),
        Some((unit, divisor)) => {
            let (divisor, rest) = number(divisor.trim())?;
            if divisor.0 <= 0 || !rest.is_empty() {
                return None;
            }
            (unit.trim(), divisor)
        }
    };
    let plain = unit.chars().all(|c| c.is_alphabetic() || c == '.');
    plain.then_some((value, unit, divisor))
}

/// A decimal number at the head of a text as a fraction, and what follows it.
/// At most 18 digits.
fn number(text: &str) -> Option<(Fraction, &str)> {
    let unsigned = text.strip_prefix(['-', '+', '\u{2212}']).unwrap_or(text);
    let negative = unsigned.len() < text.len() && !text.starts_with('+');
    let end = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
    let (digits, rest) = unsigned.split_at(end);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() || decimals.contains('.') || whole.len() + decimals.len() > 18 {
        return None;
    }
    let num: i128 = format!("{whole}{decimals}").parse().ok()?;
    let den = 10i128.pow(decimals.len() as u32);
    Some(((if negative { -num } else { num }, den), rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ns(text: &str) -> i64 {
        time(text).unwrap().round().0
    }

    #[test]
    fn times_are_read_exactly_in_every_unit() {
        assert_eq!(ns("500 ms"), 500_000_000);
        assert_eq!(ns("1.5 s"), 1_500_000_000);
        assert_eq!(ns("250us"), 250_000);
        assert_eq!(ns("-30 ms"), -30_000_000);
        assert_eq!(ns("2 min"), 120_000_000_000);
        assert_eq!(ns("1 h"), 3_600_000_000_000);
        assert_eq!(ns("7 ns"), 7);
        assert_eq!(time("1600 ms / 3").unwrap().as_ratio(), (1_600_000_000, 3));
        assert_eq!(time("0.1 ms").unwrap().as_ratio(), (100_000, 1));
    }

    #[test]
    fn tempi_become_exact_intervals() {
        assert_eq!(tempo("100 bpm").unwrap().as_ratio(), (600_000_000, 1));
        assert_eq!(tempo("140 bpm").unwrap().as_ratio(), (3_000_000_000, 7));
        assert_eq!(tempo("123.45 bpm").unwrap().as_ratio(), (400_000_000_000, 823));
        assert!(tempo("0 bpm").is_err() && tempo("-3 bpm").is_err() && tempo("100").is_err());
    }

    #[test]
    fn wrong_times_are_refused_with_a_cure() {
        assert!(time("500").unwrap_err().cure.contains("\"500 ms\""));
        assert!(time("5 sec").unwrap_err().cure.contains("\"s\""));
        assert!(time("2 hours").unwrap_err().cure.contains("\"h\""));
        assert!(time("0,5 s").unwrap_err().cure.ends_with("write \"0.5 s\""));
        assert!(time("120 bpm").unwrap_err().cure.ends_with("tempo = \"120 bpm\""));
        for wrong in
            ["", "ms", "1.2.3 s", "5 ms / 0", "5 ms / ms", "1e3 ms", "9999999999999999999 s"]
        {
            assert!(time(wrong).is_err(), "{wrong}");
        }
        assert!(time("999999999999999999 min").is_err());
        assert!(time("999999999999999999 h / 0.00000000000000001").is_err());
        assert!(tempo("0.00000000000000001 bpm / 999999999999999999").is_err());
    }

    #[test]
    fn times_are_said_as_they_would_be_written() {
        for text in ["500 ms", "1.5 s", "250 us", "-30 ms", "7 ns", "120 s", "12.5 ms"] {
            assert_eq!(say(time(text).unwrap().round()), text);
        }
    }

    #[test]
    fn rates_are_per_second_or_minute() {
        assert_eq!(rate("20 per s"), Ok(20.0));
        assert_eq!(rate("90 per min"), Ok(1.5));
        assert!(rate("20").is_err() && rate("0 per s").is_err() && rate("20 per ms").is_err());
    }

    proptest::proptest! {
        #[test]
        fn what_is_said_is_read_back_to_the_nanosecond(ns in -86_400_000_000_000_000..86_400_000_000_000_000i64) {
            proptest::prop_assert_eq!(time(&say(Nanos(ns))).unwrap().round(), Nanos(ns));
        }

        #[test]
        fn decimals_and_divisions_lose_nothing(whole in 0..100_000i128, milli in 0..1_000i128, by in 1..1_000i128) {
            let text = format!("{whole}.{milli:03} s / {by}");
            let exact = Exact::ratio((whole * 1_000 + milli) * 1_000_000, by).unwrap();
            proptest::prop_assert_eq!(time(&text).unwrap(), exact);
        }
    }
}
