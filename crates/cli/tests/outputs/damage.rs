//! A file damaged in one of ten ways, as its number draws: the same number gives the same bytes on every machine.
//! Lines that are empty or a comment are left alone where another can be taken: what damages them says little.

/// What stands in the place of a number, a character, a value.
const NUMBERS: [&[u8]; 9] =
    [b"0", b"-1", b"99999999999", b"1e9", b"0.5", b"nan", b"", b"1000001", b"7 ms"];
const CHARACTERS: [&[u8]; 10] =
    [b"\"", b"[", b"=", b"\t", b"#", b"\\", "\u{e9}".as_bytes(), b"\x80", b"{", b"'"];
const VALUES: [&[u8]; 9] =
    [b"true", b"\"word\"", b"[]", b"{}", b"\"500 ms\"", b"7", b"\"\"", b"[1, 2]", b"-0.25"];

pub fn damaged(whole: &[u8], number: u64) -> Vec<u8> {
    let whole = whole.strip_suffix(b"\n").unwrap_or(whole);
    let mut lines: Vec<Vec<u8>> = whole.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let mut draw = Draw::of(number);
    let kind = number % 10;
    let at = draw.line(&lines, kind);
    let last = lines.len() - 1;
    let line = lines[at].clone();
    match kind {
        0 => return cut_off(&lines[..at], &line[..draw.below(line.len())]),
        1 => drop(lines.remove(at)),
        2 => lines.insert(at, line),
        3 if last > 0 => lines.swap(at, if at < last { at + 1 } else { at - 1 }),
        3 => {}
        4 => lines[at] = draw.another_number(&line),
        5 => lines[at] = draw.misspelt(&line),
        6 => {
            let put = draw.one_of(&CHARACTERS);
            lines[at] = draw.spliced(&line, 1, put);
        }
        7 => lines[at] = draw.another_value(&line),
        8 => {
            let missing = 1 + draw.below(6);
            lines[at] = draw.spliced(&line, missing, b"");
        }
        _ => {
            lines.remove(at);
            lines.insert(draw.below(last + 1), line);
        }
    }
    [lines.join(&b'\n'), b"\n".to_vec()].concat()
}

fn cut_off(before: &[Vec<u8>], rest: &[u8]) -> Vec<u8> {
    before.iter().flat_map(|line| [line, &b"\n"[..]].concat()).chain(rest.iter().copied()).collect()
}

fn letter(byte: u8) -> bool {
    byte.is_ascii_lowercase()
}

fn sign(byte: u8) -> bool {
    matches!(byte, b'=' | b':' | b'\t')
}

/// Whole numbers by Park and Miller's generator.
struct Draw(u64);

impl Draw {
    fn of(number: u64) -> Draw {
        let mut draw = Draw(number * 7919 + 17);
        for _ in 0..5 {
            draw.below(2);
        }
        draw
    }

    /// From 0 to below this.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0 * 16_807 % 2_147_483_647;
        (self.0 / 7) as usize % end.max(1)
    }

    fn one_of(&mut self, list: &[&'static [u8]]) -> &'static [u8] {
        list[self.below(list.len())]
    }

    /// The place of a line that this kind of damage can take.
    fn line(&mut self, lines: &[Vec<u8>], kind: u64) -> usize {
        let has = |line: &[u8]| match kind {
            4 => line.iter().any(u8::is_ascii_digit),
            5 => line.windows(3).any(|three| three.iter().all(|&byte| letter(byte))),
            7 => line.iter().any(|&byte| sign(byte)),
            _ => true,
        };
        let says = |line: &[u8]| {
            line.iter().any(|byte| !b" \t".contains(byte))
                && !line.trim_ascii_start().starts_with(b"#")
        };
        let fit = |&at: &usize| says(&lines[at]) && has(&lines[at]);
        let found: Vec<usize> = (0..lines.len()).filter(fit).collect();
        if found.is_empty() { self.below(lines.len()) } else { found[self.below(found.len())] }
    }

    fn another_number(&mut self, line: &[u8]) -> Vec<u8> {
        let put = self.one_of(&NUMBERS);
        let digit = |at: usize| line.get(at).is_some_and(u8::is_ascii_digit);
        let begins = |&at: &usize| digit(at) && (at == 0 || !digit(at - 1));
        let starts: Vec<usize> = (0..line.len()).filter(begins).collect();
        if starts.is_empty() {
            return [line, put].concat();
        }
        let from = starts[self.below(starts.len())];
        let to = (from..).find(|&at| !digit(at)).unwrap_or(from);
        [&line[..from], put, &line[to..]].concat()
    }

    /// Two letters of one word change places.
    fn misspelt(&mut self, line: &[u8]) -> Vec<u8> {
        let from = self.below(line.len());
        let unlike =
            |&at: &usize| letter(line[at]) && letter(line[at + 1]) && line[at] != line[at + 1];
        let Some(at) = (from..line.len().saturating_sub(1)).find(unlike) else {
            return self.spliced(line, 1, b"x");
        };
        let mut line = line.to_vec();
        line.swap(at, at + 1);
        line
    }

    /// So many characters, wherever, are these.
    fn spliced(&mut self, line: &[u8], size: usize, put: &[u8]) -> Vec<u8> {
        let at = self.below(line.len());
        [&line[..at], put, &line[(at + size).min(line.len())..]].concat()
    }

    fn another_value(&mut self, line: &[u8]) -> Vec<u8> {
        let put = self.one_of(&VALUES);
        let Some(at) = line.iter().position(|&byte| sign(byte)) else {
            return [line, put].concat();
        };
        let spaces = line[at + 1..].iter().take_while(|&&byte| byte == b' ').count();
        [&line[..=at + spaces], put].concat()
    }
}
