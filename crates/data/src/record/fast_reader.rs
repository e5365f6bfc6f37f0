//! [`FastReader`]: lines of an events file as nearly all of them are, read in one go from left to right:
//! a tone of a pacing stream, a tap, a release, a tone of feedback, without anything unusual. A study
//! has a hundred of them in each of its trials, and of most cells an analysis asks no more than
//! that they hold what their column asks for.
//!
//! A line that is not one of these, or has one byte out of the usual, is left to [`Cells`], which
//! reads any line and says what is wrong with it. So nothing is refused here, and whatever is taken
//! here would be taken there with the same meaning.
//!
//! [`Cells`]: crate::record::cells::Cells

use crate::record::digits::{joined, leading};
use crate::record::text::parse_message;
use crate::record::{Entry, Names, TapFate, What};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::perturbation::Perturbation;

/// Reads usual lines of a trial with these names.
pub(crate) struct FastReader<'a> {
    names: &'a Names,
    /// Whether the table has the column of frames.
    framed: bool,
}

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FastLine {
    /// The entry from which it comes, but for stamp and frame, at which nobody looks.
    pub entry: Entry,
    /// The deadline of the release.
    pub release: Option<Nanos>,
}

/// The kinds of event that are usual.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Pacing,
    Feedback,
    Tap,
    Release,
}

impl<'a> FastReader<'a> {
    /// For a table whose columns are those that we write, in our order.
    pub(crate) fn of(names: &'a Names, framed: bool) -> FastReader<'a> {
        FastReader { names, framed }
    }

    /// What a line says; `None` where it is not a usual one.
    pub(crate) fn read(&self, line: &str) -> Option<FastLine> {
        let mut line = Cursor { rest: line };
        line.cell(Cursor::seconds)?;
        line.may(Cursor::seconds)?;
        let kind = line.kind()?;
        let arrived = matches!(kind, Type::Tap | Type::Release);
        let name = line.text()?;
        let number = line.may(|line| line.small(u32::MAX).filter(|number| *number > 0))?;
        line.may(|line| Channel::new(line.small(255)? as u8))?;
        line.may(Cursor::seven_bits)?;
        line.may(Cursor::seven_bits)?;
        let port = line.text()?;
        let id = line.cell(Cursor::number)?;
        let cause = line.may(Cursor::number)?.unwrap_or(0);
        let deadline = line.may(Cursor::signed)?;
        let achieved = line.may(Cursor::signed)?;
        line.may(Cursor::signed_digits)?;
        let release = line.may(Cursor::signed)?;
        line.may(Cursor::signed_digits)?;
        let instant = line.cell(Cursor::signed)?;
        line.may(Cursor::stamp)?;
        let message = line.may(Cursor::message)?;
        // Flag, detail, and what was perturbed: nothing.
        (0..4).try_for_each(|_| line.missing())?;
        line.may(Cursor::signed_digits)?;
        line.may(|line| line.signed_small())?;
        line.fate(self.framed)?;
        if self.framed {
            line.last_may(Cursor::digits)?;
        }
        line.rest.is_empty().then_some(())?;
        let (kind, port) = self.kind_and_port(kind, name, port)?;
        let number = number.unwrap_or(0);
        let deadline = if arrived { achieved? } else { deadline? };
        let perturbation = Perturbation::NONE;
        let action =
            Action { id, kind, number, cause, deadline, instant, port, message, perturbation };
        let what = What::Happened;
        let entry = Entry { what, action, achieved, stamp: None, frame: None };
        Some(FastLine { entry, release })
    }

    /// As what the names of its kind have the name, and the port.
    fn kind_and_port(&self, kind: Type, name: &str, port: &str) -> Option<(ActionKind, u16)> {
        let among = |all: &[String], name: &str| -> Option<u16> {
            all.iter().position(|known| known == name)?.try_into().ok()
        };
        let output = || among(&self.names.outputs, port);
        Some(match kind {
            Type::Pacing => (ActionKind::Pacing(among(&self.names.pacing, name)?), output()?),
            Type::Feedback => (ActionKind::Feedback(among(&self.names.feedback, name)?), output()?),
            Type::Tap | Type::Release => {
                let input = among(&self.names.inputs, name)?;
                let kind = if kind == Type::Tap {
                    ActionKind::Tap(input)
                } else {
                    ActionKind::Release(input)
                };
                (kind, input)
            }
        })
    }
}

/// What is left of a line. Each method takes what its name says from the left, or gives `None`.
struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    /// Goes on by so many bytes, none of which is a part of a letter of several.
    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.rest = self.rest.get(bytes..)?;
        Some(())
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(word)?;
        Some(())
    }

    /// A cell and the tab behind it.
    fn cell<T>(&mut self, take: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let taken = take(self)?;
        self.word("\t")?;
        Some(taken)
    }

    /// The same where the cell may hold nothing.
    #[inline]
    fn may<T>(&mut self, take: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.rest.strip_prefix("n/a\t") {
            Some(rest) => {
                self.rest = rest;
                Some(None)
            }
            None => self.cell(take).map(Some),
        }
    }

    /// The last cell of the line, behind which there is no tab.
    fn last_may<T>(&mut self, take: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.rest {
            "n/a" => {
                self.rest = "";
                Some(None)
            }
            _ => take(self).map(Some),
        }
    }

    fn missing(&mut self) -> Option<()> {
        self.word("n/a\t")
    }

    /// A name that stands as it is, with its tab.
    fn text(&mut self) -> Option<&'a str> {
        let end = self.rest.bytes().position(|byte| byte == b'\t')?;
        let text = self.rest.get(..end)?;
        self.skip(end + 1)?;
        (text != "n/a" && !text.as_bytes().contains(&b'\\')).then_some(text)
    }

    /// One to eighteen digits and how many they are; the value where it is asked for.
    #[inline]
    fn run<const VALUE: bool>(&mut self) -> Option<(u64, usize)> {
        let bytes = self.rest.as_bytes();
        let (mut value, mut count) = (0, 0);
        while let Some(word) = bytes.get(count..).and_then(|rest| rest.first_chunk::<8>()) {
            let word = u64::from_le_bytes(*word);
            let many = leading(word);
            count += many;
            if count > MOST {
                return None;
            }
            if VALUE && many > 0 {
                value = value * TENS[many] + joined(word, many);
            }
            if many < 8 {
                return self.ran(value, count);
            }
        }
        while let Some(digit @ b'0'..=b'9') = bytes.get(count) {
            count += 1;
            if count > MOST {
                return None;
            }
            value = value * 10 + u64::from(digit - b'0');
        }
        self.ran(value, count)
    }

    fn ran(&mut self, value: u64, count: usize) -> Option<(u64, usize)> {
        (count > 0).then(|| self.skip(count))??;
        Some((value, count))
    }

    fn digits(&mut self) -> Option<()> {
        self.run::<false>()?;
        Some(())
    }

    fn number(&mut self) -> Option<u64> {
        self.run::<true>().map(|(value, _)| value)
    }

    fn small(&mut self, most: u32) -> Option<u32> {
        self.number()?.try_into().ok().filter(|value| *value <= most)
    }

    fn seven_bits(&mut self) -> Option<U7> {
        U7::new(self.small(255)? as u8)
    }

    fn signed_digits(&mut self) -> Option<()> {
        let _ = self.word("-");
        self.digits()
    }

    fn signed(&mut self) -> Option<Nanos> {
        let below_zero = self.word("-").is_some();
        let value = i64::try_from(self.number()?).ok()?;
        Some(Nanos(if below_zero { -value } else { value }))
    }

    /// A number of semitones.
    fn signed_small(&mut self) -> Option<u32> {
        let _ = self.word("-");
        self.small(127)
    }

    /// Seconds with nine decimals, below thirty years.
    fn seconds(&mut self) -> Option<()> {
        let _ = self.word("-");
        let (_, whole) = self.run::<false>()?;
        self.word(".")?;
        let (_, decimals) = self.run::<false>()?;
        (whole <= 9 && decimals == 9).then_some(())
    }

    fn kind(&mut self) -> Option<Type> {
        let all = [
            ("pacing\t", Type::Pacing),
            ("tap\t", Type::Tap),
            ("release\t", Type::Release),
            ("feedback\t", Type::Feedback),
        ];
        all.into_iter().find_map(|(word, kind)| self.word(word).map(|()| kind))
    }

    fn stamp(&mut self) -> Option<()> {
        let words = ["kernel", "virtual", "user space", "audio frame", "device"];
        words.into_iter().find_map(|word| self.word(word))
    }

    /// A message of three bytes.
    fn message(&mut self) -> Option<Message> {
        let message = parse_message(self.rest.get(..8)?)?;
        self.skip(8)?;
        Some(message)
    }

    /// What became of a tap, and of a matched one its stream, beat and asynchrony.
    fn fate(&mut self, framed: bool) -> Option<()> {
        let matched = self.word("matched\t").is_some();
        if !matched && self.missing().is_none() {
            TapFate::without(self.text()?)?;
        }
        if matched {
            self.text()?;
            self.cell(|line| line.small(u32::MAX))?;
        } else {
            self.missing()?;
            self.missing()?;
        }
        let asynchrony =
            |line: &mut Self| if matched { line.signed_digits() } else { line.word("n/a") };
        if framed { self.cell(asynchrony) } else { asynchrony(self) }
    }
}

/// So many digits are a number of 64 bits, whatever they are.
const MOST: usize = 18;
const TENS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::columns::{COLUMNS, FRAME};
    use crate::record::entries::entry;
    use crate::record::tsv;
    use proptest::prelude::*;
    use std::path::Path;

    const USUAL: [&str; 5] = [
        "2.151007266\t0.109776965\ttap\tinput\t1\t1\t60\t78\tinput\t4\tn/a\tn/a\t2151007266\tn/a\tn/a\t2260784231\t2151007266\tvirtual\t90 3c 4e\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tmatched\tmetronome\t4\t-48992734",
        "2.200000000\t0.030000000\tpacing\tmetronome\t4\t1\t76\t100\toutput\t5\tn/a\t2200000000\t2200000000\t0\t2230000000\t2230000000\t2200000000\tn/a\t90 4c 64\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a",
        "2.251007266\t0.109776965\tfeedback\ttone\t1\t1\t60\t78\toutput\t6\t4\t2251007266\t2251007266\t0\t2360784231\t2360784231\t2251007266\tn/a\t90 3c 4e\tn/a\tn/a\tn/a\tn/a\t100000000\t0\tn/a\tn/a\tn/a\tn/a",
        "2.260784231\t0.000000000\trelease\tinput\tn/a\t1\t60\t64\tinput\t7\t4\tn/a\t2260784231\tn/a\tn/a\tn/a\t2260784231\tuser space\t80 3c 40\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a",
        "-1.500000000\tn/a\ttap\tinput\t12345678\t16\t0\t127\tinput\t123456789\tn/a\tn/a\t-1500000000\tn/a\tn/a\tn/a\t99\tkernel\t90 3c 4e\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\textra\tn/a\tn/a\tn/a",
    ];

    fn names() -> Names {
        let one = |name: &str| vec![name.to_owned()];
        Names {
            inputs: one("input"),
            outputs: one("output"),
            pacing: one("metronome"),
            feedback: one("tone"),
            ..Names::default()
        }
    }

    /// The same line read as any line is.
    fn in_full(line: &str, framed: bool) -> Option<FastLine> {
        let columns = &COLUMNS[..FRAME + usize::from(framed)];
        let table = format!("{}\n{line}\n", columns.join("\t"));
        let row = tsv::parse_rows(Path::new("x"), &table).ok()?.pop()?;
        let entry = Entry { stamp: None, frame: None, ..entry(&names(), &row)? };
        Some(FastLine { entry, release: row.release_deadline })
    }

    #[test]
    fn usual_lines_are_read_in_one_go_and_as_any_line_is() {
        for line in USUAL {
            let said = FastReader::of(&names(), false).read(line);
            assert!(said.is_some(), "{line}");
            assert_eq!(said, in_full(line, false), "{line}");
            for frame in ["n/a", "123456789012"] {
                let line = format!("{line}\t{frame}");
                let said = FastReader::of(&names(), true).read(&line);
                assert!(said.is_some() && said == in_full(&line, true), "{line}");
            }
        }
    }

    #[test]
    fn a_line_with_anything_unusual_is_left_alone() {
        let changes = [
            ("\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tmatched", "\tlost\tn/a\tn/a\tn/a\tn/a\tn/a\tmatched"),
            ("tap\tinput", "tap\tpad"),
            ("tap\tinput", "tap\t\\-"),
            ("\tinput\t4", "\tn/a\t4"),
            ("-48992734", "n/a"),
            ("-48992734", "-48992734\t7"),
            ("tap", "marker"),
            ("90 3c 4e", "c0 3c"),
            ("2.151007266", "2.15"),
            ("2151007266", "1234567890123456789"),
        ];
        for (from, to) in changes {
            let line = USUAL[0].replacen(from, to, 1);
            assert_ne!(line, USUAL[0]);
            assert_eq!(FastReader::of(&names(), false).read(&line), None, "{line}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn prop_what_is_taken_in_one_go_is_what_any_reader_takes(
            line in 0..USUAL.len(),
            framed: bool,
            changes in prop::collection::vec(
                (any::<prop::sample::Index>(), 0..3usize, "[-+0-9a.\t\\\\ ü]{0,3}|n/a|matched|0{8,20}|99999999"),
                0..3,
            ),
        ) {
            let mut line = USUAL[line].to_owned();
            if framed { line += "\t77"; }
            for (place, cut, put) in changes {
                let from = place.index(line.len() + 1);
                let to = (from + cut).min(line.len());
                if line.is_char_boundary(from) && line.is_char_boundary(to) {
                    line.replace_range(from..to, &put);
                }
            }
            if let Some(said) = FastReader::of(&names(), framed).read(&line) {
                prop_assert_eq!(Some(said), in_full(&line, framed), "{}", line);
            }
        }

        #[test]
        fn prop_cells_hold_any_number_that_their_column_takes(
            values in prop::collection::vec(any::<i64>(), 4),
            cells in prop::collection::vec(0..29usize, 4),
        ) {
            for line in USUAL {
                let mut line: Vec<String> = line.split('\t').map(str::to_owned).collect();
                for (cell, value) in cells.iter().zip(&values) {
                    line[*cell] = (value >> (value & 63)).to_string();
                }
                let line = line.join("\t");
                if let Some(said) = FastReader::of(&names(), false).read(&line) {
                    prop_assert_eq!(Some(said), in_full(&line, false), "{}", line);
                }
            }
        }
    }
}
