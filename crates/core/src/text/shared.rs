//! [`shared`]: a text as it may be given to others. Data and reports are published, and whoever
//! made them need not be named by the folder in which they did it.

use std::borrow::Cow;
use std::ops::Range;

/// Folders whose folders are each somebody's own: below these a name is that of a person. Those of Windows stand behind
/// a drive, and there `/` and `\` both part folders.
const HOMES: [&str; 5] = ["/home/", "/Users/", "/run/media/", "/media/", "\\Users\\"];

/// A text in which the folders of users stand as `~`: this user's home, wherever that is, and those
/// of others below `/home` or `C:\Users`. Nothing else of a path is changed.
pub fn shared(text: &str) -> String {
    let stated = ["HOME", "USERPROFILE"].map(|name| std::env::var(name).unwrap_or_default());
    without_homes(text, &stated.each_ref().map(String::as_str)).into_owned()
}

fn without_homes<'a>(text: &'a str, stated: &[&str]) -> Cow<'a, str> {
    let mut text = Cow::Borrowed(text);
    for home in stated.iter().map(|home| home.trim_end_matches(SLASHES)) {
        if home.starts_with('/') {
            text = without(text, home);
        } else if home.get(1..3) == Some(":\\") || home.starts_with("\\\\") {
            text = without(text, home); // of Windows, which is typed in either way
            text = without(text, &home.replace('\\', "/"));
        }
    }
    for homes in HOMES {
        while let Some(own) = own_folder(&text, homes) {
            text.to_mut().replace_range(own, "~");
        }
    }
    text
}

const SLASHES: [char; 2] = ['/', '\\'];

/// Each place where this folder stands, and not only the beginning of a longer name.
fn without<'a>(text: Cow<'a, str>, folder: &str) -> Cow<'a, str> {
    let whole = |at: usize| {
        let (before, after) = (&text[..at], &text[at + folder.len()..]);
        begins(before) && !after.starts_with(in_a_name)
    };
    let places: Vec<usize> = places_of(folder, &text).filter(|at| whole(*at)).collect();
    if places.is_empty() {
        return text;
    }
    let mut changed = text.to_string();
    places.iter().rev().for_each(|at| changed.replace_range(*at..at + folder.len(), "~"));
    Cow::Owned(changed)
}

/// Where a folder is named. On Windows capitals make no difference.
fn places_of(folder: &str, text: &str) -> impl Iterator<Item = usize> {
    let as_compared = |text: &str| {
        let of_windows = !folder.starts_with('/');
        if of_windows { text.to_ascii_lowercase() } else { text.to_owned() }
    };
    let (text, folder) = (as_compared(text), as_compared(folder));
    let places: Vec<usize> = text.match_indices(&folder).map(|(at, _)| at).collect();
    places.into_iter()
}

/// The first folder below `homes` that a text names: where that stands, with its drive.
fn own_folder(text: &str, homes: &str) -> Option<Range<usize>> {
    let (at, name) = places_of(homes, text)
        .map(|at| (at, &text[at + homes.len()..]))
        .find(|(at, name)| begins(&text[..*at]) && name.starts_with(in_a_name))?;
    let end = at + homes.len() + length_of_name(name, homes);
    Some(drive_before(&text[..at]).unwrap_or(at)..end)
}

/// A name of Windows may hold blanks, and then ends where the next folder begins.
fn length_of_name(text: &str, homes: &str) -> usize {
    let next = text.find('\\').filter(|_| homes.starts_with('\\'));
    let with_blanks = next.filter(|end| text[..*end].chars().all(|c| in_a_name(c) || c == ' '));
    with_blanks.or_else(|| text.find(|c| !in_a_name(c))).unwrap_or(text.len())
}

/// Where the drive of Windows begins with which a text ends.
fn drive_before(text: &str) -> Option<usize> {
    let before = text.strip_suffix(':')?.strip_suffix(|c: char| c.is_ascii_alphabetic())?;
    begins(before).then_some(before.len())
}

/// Whether a path may begin behind this text.
fn begins(before: &str) -> bool {
    !before.ends_with(|c| in_a_name(c) || SLASHES.contains(&c))
}

/// What the names of folders of users are made of.
fn in_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | '+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_of_users_stand_as_tildes_wherever_a_path_may_begin() {
        let cases = [
            ("raw:/home/anna/pads/left", "raw:~/pads/left"),
            ("--to=/home/anna/out", "--to=~/out"),
            ("/data/anna: no such file", "~: no such file"),
            ("/data/anna/d and /home/bert.b/d", "~/d and ~/d"),
            ("/run/media/anna/STICK/d", "~/STICK/d"),
            ("\"/media/anna/STICK\"", "\"~/STICK\""),
            // Nobody's folder.
            ("/data/annabel/d", "/data/annabel/d"),
            ("d/home/x/sub-01", "d/home/x/sub-01"),
            ("/home", "/home"),
            ("/srv/data/anna/x", "/srv/data/anna/x"),
            ("raw:/dev/snd/midiC1D0", "raw:/dev/snd/midiC1D0"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_homes(text, &["/data/anna/", ""]), expected, "{text}");
        }
        assert_eq!(without_homes("/x/y", &["/"]), "/x/y");
        assert_eq!(without_homes("/x/y", &[""]), "/x/y");
    }

    #[test]
    fn so_do_those_of_windows_however_they_are_typed() {
        let cases = [
            (r"D:\Anna Müller\taps.csv", r"~\taps.csv"),
            (r"--to=d:/anna Müller/out", "--to=~/out"),
            (r"C:\Users\bert\x.wav: no such file", r"~\x.wav: no such file"),
            (r"c:\users\Bert Maier\x.wav", r"~\x.wav"),
            (r"C:/Users/bert/x and D:\y", r"~/x and D:\y"),
            (r"C:\Users\bert and D:\y", r"~ and D:\y"),
            // Nobody's folder.
            (r"D:\Anna Müllers\x", r"D:\Anna Müllers\x"),
            (r"\\server\Users\x", r"\\server\Users\x"),
            (r"C:\lab\Users\x", r"C:\lab\Users\x"),
            (r"C:\Users\", r"C:\Users\"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_homes(text, &["", r"D:\Anna Müller"]), expected, "{text}");
        }
    }
}
