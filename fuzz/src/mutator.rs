//! [`Mutator`]: inputs made of seeds, one after another in the same memory. Most are some hundred
//! bytes long, because a long input costs as much as many short ones and says little more: the
//! shorter of two seeds is taken, and of a long one mostly a run of lines is left out, never the
//! first, which says what the rest means.

/// Longer than that no input becomes.
const MOST_BYTES: usize = 1 << 16;
/// Of a longer seed mostly some lines are taken.
const FEW_BYTES: usize = 512;
/// A whole seed that is longer than this comes seldom, a shorter one now and then.
const MANY_BYTES: usize = 1 << 12;

/// Numbers at which something often changes.
const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "2",
    "127",
    "128",
    "255",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "0.5",
];

/// A seed, and where its lines begin; the last of these is its end.
pub struct Seed {
    bytes: Vec<u8>,
    lines: Vec<usize>,
}

impl Seed {
    /// Of these bytes.
    pub fn new(bytes: Vec<u8>) -> Seed {
        let breaks = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let mut lines: Vec<usize> =
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        if lines.last() != Some(&bytes.len()) {
            lines.push(bytes.len());
        }
        Seed { bytes, lines }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn line_count(&self) -> usize {
        self.lines.len() - 1
    }

    /// A line with its break.
    fn line(&self, index: usize) -> &[u8] {
        &self.bytes[self.lines[index]..self.lines[index + 1]]
    }
}

/// Makes inputs; the same seeds, words and number give the same.
pub struct Mutator<'s> {
    random: Random,
    seeds: &'s [Seed],
    words: &'s [&'s str],
    input: Vec<u8>,
    piece: Vec<u8>,
}

impl<'s> Mutator<'s> {
    /// Of at least one seed.
    pub fn new(seeds: &'s [Seed], words: &'s [&'s str], number: u64) -> Mutator<'s> {
        let room = Vec::with_capacity(2 * MOST_BYTES);
        Mutator { random: Random::new(number), seeds, words, input: room, piece: Vec::new() }
    }

    /// The next input.
    pub fn next_input(&mut self) -> &[u8] {
        self.begin();
        let most = self.random.below(6) + 1; // few changes more often: rubbish is refused too soon
        for _ in 0..=self.random.below(most) {
            self.change();
        }
        self.input.truncate(MOST_BYTES);
        &self.input
    }

    /// Takes a seed, or some lines of it.
    fn begin(&mut self) {
        let (one, other) = (self.seed(), self.seed());
        let shorter = if other.bytes.len() < one.bytes.len() { other } else { one };
        let seed = if self.random.below(4) > 0 { shorter } else { one };
        self.input.clear();
        let whole = match seed.bytes.len() {
            few if few <= FEW_BYTES => true,
            many if many <= MANY_BYTES => self.random.below(8) == 0,
            _ => self.random.below(256) == 0,
        };
        if whole || seed.line_count() < 4 {
            self.input.extend_from_slice(&seed.bytes);
        } else {
            self.some_lines(seed);
        }
    }

    /// The first line, those behind it up to some hundred bytes, and a few at the end or, as
    /// often, anywhere.
    fn some_lines(&mut self, seed: &Seed) {
        let (front, back) = (self.random.below(FEW_BYTES), self.random.below(FEW_BYTES));
        let mut line = 0;
        while line < seed.line_count() && (line == 0 || self.input.len() < front) {
            self.input.extend_from_slice(seed.line(line));
            line += 1;
        }
        let last = seed.line_count() - self.random.below(2) * self.random.below(seed.line_count());
        let begin = seed.lines[last].saturating_sub(back);
        let from = seed.lines.partition_point(|at| *at < begin).clamp(line, last.max(line));
        if from < last {
            self.input.extend_from_slice(&seed.bytes[seed.lines[from]..seed.lines[last]]);
        }
    }

    fn seed(&mut self) -> &'s Seed {
        &self.seeds[self.random.below(self.seeds.len())]
    }

    /// Changes one thing.
    fn change(&mut self) {
        let at = self.random.below(self.input.len() + 1);
        let end = (at + 1 + self.random.below(24)).min(self.input.len());
        match self.random.below(11) {
            0 if at < end => self.input[at] ^= 1 << self.random.below(8),
            1 if at < end => self.input[at] = self.random.byte(),
            2 => self.put(at..end.max(at), &[]),
            3 if self.random.below(4) == 0 => self.input.truncate(at),
            4 if at < end => self.repeat(at..end),
            5 => {
                let other = self.seed();
                let from = self.random.below(other.bytes.len() + 1);
                let to = (from + self.random.below(200)).min(other.bytes.len());
                self.put(at..at, &other.bytes[from..to]);
            }
            6 => {
                let seed = self.seed();
                let at = line_around(&self.input, at).start;
                if seed.line_count() > 0 {
                    let line = self.random.below(seed.line_count());
                    self.put(at..at, seed.line(line));
                }
            }
            7 => self.put(line_around(&self.input, at), &[]),
            8 => {
                let number = NUMBERS[self.random.below(NUMBERS.len())];
                self.put(token_around(&self.input, at), number.as_bytes());
            }
            _ if !self.words.is_empty() => {
                let word = self.words[self.random.below(self.words.len())];
                let instead = self.random.below(2) == 0;
                let of = if instead { token_around(&self.input, at) } else { at..at };
                self.put(of, word.as_bytes());
            }
            _ => {
                let byte = self.random.byte();
                self.put(at..at, &[byte]);
            }
        }
    }

    /// Puts a part of the input somewhere else once more.
    fn repeat(&mut self, part: std::ops::Range<usize>) {
        let mut piece = std::mem::take(&mut self.piece);
        piece.clear();
        piece.extend_from_slice(&self.input[part]);
        let to = self.random.below(self.input.len() + 1);
        self.put(to..to, &piece);
        self.piece = piece;
    }

    /// Puts `new` where `old` stands.
    fn put(&mut self, old: std::ops::Range<usize>, new: &[u8]) {
        let (length, tail) = (self.input.len(), old.start + new.len());
        if new.len() > old.len() {
            self.input.resize(length + new.len() - old.len(), 0);
        }
        self.input.copy_within(old.end..length, tail);
        self.input.truncate(length + new.len() - old.len());
        self.input[old.start..tail].copy_from_slice(new);
    }
}

/// The line that has byte `at`, with its break.
fn line_around(input: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = input[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
    let end =
        input[at..].iter().position(|byte| *byte == b'\n').map_or(input.len(), |n| at + n + 1);
    start..end
}

/// The word, number or dotted path around byte `at`, at most some bytes to each side.
fn token_around(input: &[u8], at: usize) -> std::ops::Range<usize> {
    let within = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    let before = input[..at].iter().rev().take(24).take_while(within).count();
    let behind = input[at..].iter().take(24).take_while(within).count();
    at - before..at + behind
}

/// xorshift64*: quick, and the same on every machine.
struct Random(u64);

impl Random {
    /// Neighbouring numbers give streams that have nothing in common: splitmix64 spreads them.
    fn new(number: u64) -> Random {
        let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Random((z ^ (z >> 31)).max(1))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Below `n`, without a division; 0 where there is nothing below.
    fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }

    fn byte(&mut self) -> u8 {
        (self.next() >> 56) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_inputs_and_another_one_others() {
        let seeds = [Seed::new(b"a = 1\nb = 2\n".to_vec())];
        let first = |number| {
            let mut mutator = Mutator::new(&seeds, &["c"], number);
            (0..50).map(|_| mutator.next_input().to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(first(3), first(3));
        assert_ne!(first(3), first(4));
    }

    #[test]
    fn of_a_long_seed_the_first_line_stays_and_most_inputs_are_short() {
        let line = |n: usize| format!("line {n} of a long table\n");
        let seeds = [Seed::new((0..2_000).map(line).collect::<String>().into_bytes())];
        let mut mutator = Mutator::new(&seeds, &[], 1);
        let mut short = 0;
        for _ in 0..500 {
            mutator.begin();
            assert!(mutator.input.starts_with(b"line 0 "));
            short += usize::from(mutator.input.len() < 2 * FEW_BYTES + 100);
        }
        assert!(short > 480, "{short}");
    }

    #[test]
    fn a_part_is_put_in_place_of_another_whatever_their_lengths() {
        let seeds = [Seed::new(Vec::new())];
        let mut mutator = Mutator::new(&seeds, &[], 1);
        for (old, new, all) in
            [(1..2, "xyz", "axyzcd"), (0..4, "", ""), (4..4, "e", "abcde"), (0..2, "q", "qcd")]
        {
            mutator.input = b"abcd".to_vec();
            mutator.put(old, new.as_bytes());
            assert_eq!(mutator.input, all.as_bytes());
        }
    }

    #[test]
    fn an_empty_input_can_be_changed_in_every_way() {
        let seeds = [Seed::new(Vec::new())];
        let mut mutator = Mutator::new(&seeds, &[], 1);
        (0..1_000).for_each(|_| drop(mutator.next_input().to_vec()));
    }
}
