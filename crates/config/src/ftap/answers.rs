//! What the answers say of readings that have no usual one: each is a text of a small form, and
//! is checked when it is given, so that a trial file can be made of it.

/// The greatest delay, in ms.
const DAY_MS: i64 = 86_400_000;
/// The most numbers that a list of a trial file is given from here.
pub(crate) const MOST_DRAWN: usize = 1_000;

/// What random delays are drawn from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Drawn {
    /// Everything between two numbers of ms, all equally likely.
    Between(i64, i64),
    /// The numbers of a line of the file, by its keyword, drawn in the way that has this name in a
    /// trial file.
    Table(String, &'static str),
}

/// How a table may be drawn from: the word of the answer, and that of the trial file.
const WAYS: [(&str, &str); 3] =
    [("random", "random"), ("shuffled", "shuffled"), ("in-order", "list")];

impl Drawn {
    /// `0..250`, or `RNG_TABLE` with or without `:shuffled`.
    pub fn of(answer: &str) -> Option<Drawn> {
        if answer.starts_with("RNG") {
            let (keyword, way) = answer.split_once(':').unwrap_or((answer, "random"));
            let (_, way) = WAYS.iter().find(|(word, _)| *word == way)?;
            return is_keyword(keyword).then(|| Drawn::Table(keyword.to_owned(), way));
        }
        let (from, to) = range(answer)?;
        (0 <= from && to <= DAY_MS).then_some(Drawn::Between(from, to))
    }

    /// Whether a line of this keyword is the table.
    pub fn is_from(&self, keyword: &str) -> bool {
        matches!(self, Drawn::Table(name, _) if name == keyword)
    }
}

/// The tone that a trigger sounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tone {
    pub keyword: String,
    /// The rest of the table of a trial file: channel, velocity and duration.
    pub how: String,
}

impl Tone {
    /// `PLAY_NOTE:1/100/200`: keyword, channel, velocity, length in ms.
    pub fn of(answer: &str) -> Option<Tone> {
        let (keyword, how) = answer.split_once(':')?;
        let numbers: Vec<i64> = how.split('/').map(|n| n.parse().ok()).collect::<Option<_>>()?;
        let [channel @ 1..=16, velocity @ 1..=127, ms @ 1..=3_600_000] = numbers[..] else {
            return None;
        };
        let how = format!("channel = {channel}, velocity = {velocity}, duration = \"{ms} ms\"");
        is_keyword(keyword).then(|| Tone { keyword: keyword.to_owned(), how })
    }
}

/// `20@48..84`: tones in a second, and the lowest and highest of their notes.
pub(crate) fn masking(answer: &str) -> Option<(i64, (i64, i64))> {
    let (rate, notes) = answer.split_once('@')?;
    let rate = rate.parse().ok().filter(|rate| (1..=1_000).contains(rate))?;
    Some((rate, range(notes).filter(|notes| are_notes(*notes))?))
}

/// `2:mirror:62;3:transpose:-12`: each mode, with the pitch as a trial file says it.
pub(crate) fn maps(answer: &str) -> Option<Vec<(i64, String)>> {
    answer.split(';').map(map).collect()
}

fn map(answer: &str) -> Option<(i64, String)> {
    let mut parts = answer.trim().splitn(3, ':');
    let mode = parts.next()?.parse().ok().filter(|mode| *mode > 1)?;
    let (form, value) = (parts.next()?, parts.next()?);
    let within = |least, most| {
        value.parse().ok().filter(|n| (least..=most).contains(n)).map(|n: i64| n.to_string())
    };
    let shown = match form {
        "transpose" => within(-127, 127)?,
        "mirror" => within(0, 127)?,
        "shift" => within(-255, -1)?,
        "random" | "shuffled" | "once" => {
            let (from, to) = range(value).filter(|notes| are_notes(*notes))?;
            format!("\"{from}..{to}\"")
        }
        "sequence" => {
            let notes: Vec<i64> =
                value.split(',').map(|n| n.parse().ok()).collect::<Option<_>>()?;
            let fit =
                notes.len() <= MOST_DRAWN && notes.iter().all(|note| (0..=127).contains(note));
            fit.then(|| format!("{notes:?}"))?
        }
        _ => return None,
    };
    Some((mode, format!("{{ {form} = {shown} }}")))
}

fn are_notes((from, to): (i64, i64)) -> bool {
    0 <= from && to <= 127
}

/// Two numbers, as in `0..250`, the smaller first.
fn range(answer: &str) -> Option<(i64, i64)> {
    let (from, to) = answer.split_once("..")?;
    let (from, to) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    (from <= to).then_some((from, to))
}

/// Whether a text is a keyword as FTAP's are written.
pub(crate) fn is_keyword(text: &str) -> bool {
    let own = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let text = text.trim();
    text.starts_with(|c: char| c.is_ascii_uppercase()) && text.len() <= 40 && text.chars().all(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_their_forms_and_nothing_else_is_one() {
        assert_eq!(Drawn::of("0..250"), Some(Drawn::Between(0, 250)));
        assert_eq!(Drawn::of("RNG_A:in-order"), Some(Drawn::Table("RNG_A".into(), "list")));
        assert_eq!(masking("20@48..84"), Some((20, (48, 84))));
        let mirror = (2, "{ mirror = 62 }".to_owned());
        let once = (3, "{ once = \"60..72\" }".to_owned());
        assert_eq!(maps("2:mirror:62;3:once:60..72"), Some(vec![mirror, once]));
        assert_eq!(maps("2:sequence:60,62"), Some(vec![(2, "{ sequence = [60, 62] }".into())]));
        let how = "channel = 1, velocity = 100, duration = \"200 ms\"".to_owned();
        assert_eq!(Tone::of("BEEP:1/100/200"), Some(Tone { keyword: "BEEP".into(), how }));
        for wrong in
            ["", "250..0", "RNG_A:sideways", "20@84..48", "20@0..128", "1:mirror:6", "2:mirror"]
        {
            assert_eq!(
                (Drawn::of(wrong), masking(wrong), maps(wrong)),
                (None, None, None),
                "{wrong}"
            );
        }
        for wrong in ["BEEP", "BEEP:0/1/1", "beep:1/1/1", "BEEP:1/1", "BEEP:1/1/1/1"] {
            assert_eq!(Tone::of(wrong), None, "{wrong}");
        }
    }
}
