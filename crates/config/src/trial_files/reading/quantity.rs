//! Times, tempi and rates as an experimenter writes them: `"500 ms"`,
//! `"1600 ms / 3"`, `"123.45 bpm"`, `"20 per s"`. Decimal text becomes a fraction
//! digit by digit and never passes through a float, so that an interval is
//! exactly what was written.

use super::odd::{odd, plain};
use super::with_point;
use chronotap_core::text::nearest;
use chronotap_core::time::{Exact, Nanos};

/// Units of time and their nanoseconds.
const UNITS: [(&str, i128); 7] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
];
const UNITS_ARE: &str = "nits are ns, us, ms, s, min, h and d";
/// Microseconds by the micro sign, and by the Greek letter that looks like it.
const MICRO: [&str; 2] = ["\u{b5}s", "\u{3bc}s"];

const NS_PER_MINUTE: i128 = 60_000_000_000;

/// What is wrong with a quantity, and the cure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantityFault {
    pub message: String,
    /// What to write instead.
    pub cure: String,
}

impl QuantityFault {
    /// A fault and its cure.
    pub fn new(message: impl Into<String>, cure: impl Into<String>) -> QuantityFault {
        QuantityFault { message: message.into(), cure: cure.into() }
    }
}

/// A time, exactly: `"500 ms"`, `"-30 ms"`, `"1600 ms / 3"`.
pub fn time(text: &str) -> Result<Exact, QuantityFault> {
    time_for(text, Nanos::MIN, Nanos::MAX)
}

/// The same where a time within these bounds belongs. What is beyond them is read too, but a
/// number without a unit is answered with those units that make it an allowed time.
pub fn time_for(text: &str, least: Nanos, greatest: Nanos) -> Result<Exact, QuantityFault> {
    let (fraction, unit, divisor) = parts(text).ok_or_else(|| no_time(text))?;
    if unit.is_empty() {
        let message = format!("\"{}\" has no unit", brief(text.trim()));
        return Err(QuantityFault::new(message, with_unit(text.trim(), least, greatest)));
    }
    let unit = if MICRO.contains(&unit) { UNITS[1].0 } else { unit };
    let scale =
        UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(|| no_such_unit(text, unit))?.1;
    product([fraction.0, scale, divisor.1])
        .zip(product([fraction.1, divisor.0]))
        .and_then(|(num, den)| Exact::ratio(num, den))
        .ok_or_else(too_large)
}

const EXAMPLE: &str = "write a number and a unit, such as \"500 ms\", \"1.5 s\" or \"1600 ms / 3\"";

fn no_time(text: &str) -> QuantityFault {
    match on_a_clock(text.trim()) {
        Some(seconds) => no_quantity(text, "a time", &format!("write \"{seconds} s\"")),
        None => of_two(text.trim()).unwrap_or_else(|| no_quantity(text, "a time", EXAMPLE)),
    }
}

/// `1-3 s` and `1 .. 3 s`, as the two times that they are.
fn of_two(text: &str) -> Option<QuantityFault> {
    let (least, greatest) =
        ["..", " to ", "\u{2013}", "-"].iter().find_map(|mark| text.split_once(mark))?;
    let (_, unit, _) = parts(greatest)?;
    let least = least.trim().trim_end_matches(unit).trim_end();
    let is_number = !least.is_empty() && least.chars().all(|c| c.is_ascii_digit() || c == '.');
    if unit.is_empty() || !is_number {
        return None;
    }
    let message = format!("\"{}\" is two times", brief(text));
    let cure = format!(
        "write one of them, or where two may stand [\"{least} {unit}\", \"{}\"]",
        brief(greatest.trim())
    );
    Some(QuantityFault::new(message, cure))
}

/// The seconds of `1:30`, as clocks show them.
fn on_a_clock(text: &str) -> Option<u32> {
    let (minutes, seconds) = text.split_once(':')?;
    let is_two = seconds.len() == 2 && minutes.len() < 4;
    let (minutes, seconds): (u32, u32) = (minutes.parse().ok()?, seconds.parse().ok()?);
    (is_two && seconds < 60).then_some(minutes * 60 + seconds)
}

/// What is no number with a unit, with what was probably meant.
fn no_quantity(text: &str, what: &str, example: &str) -> QuantityFault {
    let message = format!("\"{}\" is not {what}", brief(text));
    if let Some((letter, meant)) = letters_for_digits(text.trim()) {
        let message = format!("{message}: there is the letter {letter} among the digits");
        return QuantityFault::new(message, format!("write \"{}\"", brief(&meant)));
    }
    if let Some(cure) = separated(text.trim(), "\"") {
        return QuantityFault::new(message, cure);
    }
    strange(text, &message).unwrap_or_else(|| QuantityFault::new(message, example))
}

/// The first letter that stands for a digit in the number of a text, and the text with digits; `None` where it would
/// be no number with a unit either.
fn letters_for_digits(text: &str) -> Option<(char, String)> {
    let digit = |c: char| match c {
        'O' | 'o' => Some('0'),
        'l' | 'I' => Some('1'),
        _ => None,
    };
    let is_number = |c: char| c.is_ascii_digit() || c == '.' || digit(c).is_some();
    let (number, unit) = text.split_at(text.find(|c: char| !is_number(c))?);
    let first = number.chars().find(|c| digit(*c).is_some())?;
    let meant: String = number.chars().map(|c| digit(c).unwrap_or(c)).collect::<String>() + unit;
    let has_digits = number.chars().any(|c| c.is_ascii_digit());
    (has_digits && parts(&meant).is_some_and(|(_, unit, _)| !unit.is_empty()))
        .then_some((first, meant))
}

/// The fault of a text in which a character is not what it looks like.
pub(super) fn strange(text: &str, message: &str) -> Option<QuantityFault> {
    let odd = odd(text)?;
    let typed = plain(text).replace(['"', '\''], "");
    Some(QuantityFault::new(
        format!("{message}: there is {}", odd.said),
        format!("write \"{}\"", brief(typed.trim())),
    ))
}

/// What to write for a number with commas or separators of thousands, in these quotes.
pub(super) fn separated(text: &str, quote: &str) -> Option<String> {
    let whole = without_thousands(text);
    let point = with_point(text).filter(|point| !point.contains(','));
    match (whole, point) {
        (None, None) => None,
        (Some(whole), None) => {
            Some(format!("thousands are not separated: write {quote}{}{quote}", brief(&whole)))
        }
        (None, Some(point)) => {
            Some(format!("decimals have a point: write {quote}{}{quote}", brief(&point)))
        }
        (Some(whole), Some(point)) => Some(format!(
            "a comma separates nothing here: write {quote}{}{quote}, or {quote}{}{quote} if it stands for a decimal point",
            brief(&whole),
            brief(&point)
        )),
    }
}

/// What people put between thousands. A point is one where there are several.
const THOUSANDS: [char; 10] =
    [',', '.', '\'', '\u{2019}', '_', ' ', '\u{a0}', '\u{202f}', '\u{2009}', '\u{2007}'];

/// The text without the separators of thousands of its number; `None` where it has none.
fn without_thousands(text: &str) -> Option<String> {
    let mark = text.chars().find(|c| THOUSANDS.contains(c))?;
    let end = text.find(|c: char| c.is_alphabetic() || "%/".contains(c)).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let mut groups = number.trim_end().split(mark);
    let head = groups.next()?.trim_start_matches(['-', '+', '\u{2212}']);
    let digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let (tail, decimals): (Vec<&str>, _) = match number.trim_end().rsplit_once('.') {
        Some((whole, decimals)) if mark != '.' && digits(decimals) => {
            (whole.split(mark).skip(1).collect(), decimals)
        }
        _ => (groups.collect(), ""),
    };
    let several = tail.len() > usize::from(mark == '.');
    let grouped = several && tail.iter().all(|group| group.len() == 3 && digits(group));
    let begins = matches!(head.len(), 1..=3) && digits(head) && !head.starts_with('0');
    (grouped && begins).then(|| {
        let point = if decimals.is_empty() { "" } else { "." };
        let sign = if text.starts_with(['-', '\u{2212}']) { "-" } else { "" };
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        format!("{sign}{head}{}{point}{decimals}{unit}", tail.concat())
    })
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
        _ => format!("{} to {}", say_whole(least), long(greatest)),
    }
}

/// A time as a limit: a day as its hours.
fn long(time: Nanos) -> String {
    if i128::from(time.0) == UNITS[6].1 { "24 h".to_owned() } else { say_whole(time) }
}

fn no_such_unit(text: &str, unit: &str) -> QuantityFault {
    if unit == "bpm" {
        return QuantityFault::new(
            "a tempo stands where a time belongs",
            format!("write it as tempo = \"{}\"", brief(text.trim())),
        );
    }
    if let Some(time) = frequency(text, unit) {
        return QuantityFault::new(
            "a frequency stands where a time belongs",
            format!("write \"{time}\""),
        );
    }
    if letters_for_digits(text.trim()).is_some_and(|(_, meant)| time(&meant).is_ok()) {
        return no_time(text);
    }
    let message = format!("unknown unit \"{}\" in \"{}\"", brief(unit), brief(text));
    if let Some(fault) = strange(text, &message) {
        return fault;
    }
    let meant = match unit.trim_end_matches('.') {
        "sec" | "secs" | "second" | "seconds" | "S" => Some("s".to_owned()),
        "msec" | "msecs" | "millisecond" | "milliseconds" | "MS" | "mS" => Some("ms".to_owned()),
        "usec" | "microsecond" | "microseconds" => Some("us".to_owned()),
        "m" | "minute" | "minutes" => Some("min".to_owned()),
        "hr" | "hrs" | "hour" | "hours" | "H" => Some("h".to_owned()),
        "day" | "days" | "D" => Some("d".to_owned()),
        _ => nearest(unit, UNITS.iter().map(|(name, _)| *name)).map(str::to_owned),
    };
    let cure = match meant {
        Some(unit) => format!("did you mean \"{unit}\"? U{UNITS_ARE}"),
        None => format!("u{UNITS_ARE}"),
    };
    QuantityFault::new(message, cure)
}

/// The time from one to the next, where so many come a second.
fn frequency(text: &str, unit: &str) -> Option<String> {
    let (number, thousand) = match unit.to_lowercase().as_str() {
        "hz" => (text.trim().strip_suffix(unit)?, 1),
        "khz" => (text.trim().strip_suffix(unit)?, 1000),
        _ => return None,
    };
    let number: i64 = number.trim().parse().ok().filter(|number| (1..=1000).contains(number))?;
    let nanos = 1_000_000_000 / thousand / number;
    Some(say(Nanos(nanos)))
}

fn too_large() -> QuantityFault {
    QuantityFault::new("the time is too large to count in nanoseconds", "write a shorter one")
}

/// The interval of a tempo, exactly: `"100 bpm"` is 600 ms.
pub fn tempo(text: &str) -> Result<Exact, QuantityFault> {
    let fault = || {
        let meant = in_bpm(text.trim()).unwrap_or_else(|| "such as \"100 bpm\"".to_owned());
        no_quantity(text, "a tempo", &format!("write beats per minute, {meant}"))
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

/// `100 BPM`, `100/min` and `2 Hz` as a tempo.
fn in_bpm(text: &str) -> Option<String> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.')?);
    let times = match &*unit.trim().to_lowercase() {
        "bpm" | "/min" | "/ min" | "per min" | "per minute" | "beats per minute" | "beats/min" => {
            1.0
        }
        "hz" | "/s" | "/ s" | "per s" | "per second" => 60.0,
        _ => return None,
    };
    let bpm: f64 = number.parse::<f64>().ok()? * times;
    let said = format!("{bpm:.3}");
    Some(format!("here \"{} bpm\"", said.trim_end_matches('0').trim_end_matches('.')))
}

/// Factors multiplied; `None` beyond 128 bits.
fn product<const N: usize>(factors: [i128; N]) -> Option<i128> {
    factors.into_iter().try_fold(1_i128, i128::checked_mul)
}

/// Events a second: `"20 per s"`, `"90 per min"`.
pub fn rate(text: &str) -> Result<f64, QuantityFault> {
    let (number, rest) = number(text.trim()).filter(|(n, _)| n.0 > 0).unwrap_or(((0, 1), ""));
    let per = match rest.split_whitespace().collect::<Vec<_>>()[..] {
        ["per", "s"] | ["/", "s"] | ["/s"] => 1.0,
        ["per", "min"] | ["/", "min"] | ["/min"] => 60.0,
        _ => {
            return Err(no_quantity(
                text,
                "a rate",
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

/// The same, in the largest of minutes, hours and days in which it is whole.
pub fn say_whole(time: Nanos) -> String {
    let ns = i128::from(time.0);
    let whole = UNITS[4..].iter().rev().find(|(_, unit)| ns != 0 && ns % unit == 0);
    whole.map_or_else(|| say(time), |(name, unit)| format!("{} {name}", ns / unit))
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
    fn the_greek_letter_mu_is_micro_as_its_sign_is() {
        assert_eq!((ns("20 \u{3bc}s"), ns("20 \u{b5}s")), (20_000, 20_000));
    }

    #[test]
    fn separators_of_thousands_are_refused_with_the_number_that_was_meant() {
        for text in [
            "1'500 ms",
            "1\u{2019}500 ms",
            "1 500 ms",
            "1\u{a0}500 ms",
            "1\u{202f}500 ms",
            "1_500 ms",
        ] {
            let cure = time(text).unwrap_err().cure;
            assert_eq!(cure, "thousands are not separated: write \"1500 ms\"", "{text}");
        }
        assert!(time("-1,500,000.25 ns").unwrap_err().cure.ends_with("write \"-1500000.25 ns\""));
        assert!(time("1.500.000 ns").unwrap_err().cure.ends_with("write \"1500000 ns\""));
        let either = time("1,500 ms").unwrap_err().cure;
        assert!(either.contains("write \"1500 ms\", or \"1.500 ms\" if"), "{either}");
        assert!(time("0,500 s").unwrap_err().cure.ends_with("have a point: write \"0.500 s\""));
    }

    #[test]
    fn every_unit_that_there_is_is_listed() {
        let cure = time("5 q").unwrap_err().cure;
        for (unit, _) in UNITS {
            let listed = cure.split([' ', ',']).any(|word| word == unit);
            assert!(listed, "{unit} is not in {cure}");
        }
        assert!(time("2 days").unwrap_err().cure.starts_with("did you mean \"d\"?"));
    }

    #[test]
    fn a_character_that_looks_like_another_is_named_with_the_text_that_was_meant() {
        for (text, said, meant) in [
            ("20 \u{43c}s", "U+043C", "20 ms"),
            ("500\u{200b} ms", "U+200B", "500 ms"),
            ("\u{ff15}\u{ff10} ms", "U+FF15", "50 ms"),
            ("\u{2013}20 ms", "U+2013", "-20 ms"),
            ("\u{201c}500 ms\u{201d}", "U+201C", "500 ms"),
        ] {
            let QuantityFault { message, cure } = time(text).unwrap_err();
            assert!(message.contains(said), "{message}");
            assert_eq!(cure, format!("write \"{meant}\""));
        }
    }

    #[test]
    fn times_are_said_as_they_would_be_written() {
        for text in ["500 ms", "1.5 s", "250 us", "-30 ms", "7 ns", "120 s", "12.5 ms"] {
            assert_eq!(say(time(text).unwrap().round()), text);
        }
    }

    #[test]
    fn limits_are_said_in_the_largest_unit_in_which_they_are_whole() {
        for text in
            ["1 d", "14 d", "25 h", "90 min", "1 min", "61 s", "250 us", "0 s", "-1 s", "-1 h"]
        {
            assert_eq!(say_whole(time(text).unwrap().round()), text);
        }
        let days = |days: i64| Nanos::from_secs(days * 86_400);
        assert_eq!(bounds(Nanos::ZERO, days(1)), "0 s to 24 h");
        assert_eq!(bounds(Nanos(1), days(3_650)), "above 0, up to 3650 d");
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
