//! [`shared`]: a text as it may be given to others. Data and reports are published, and whoever
//! made them need not be named by the folder in which they did it.

use std::borrow::Cow;

/// Folders whose folders are each somebody's own: below these a name is that of a person.
const HOMES: [&str; 4] = ["/home/", "/Users/", "/run/media/", "/media/"];

/// A text in which the folders of users stand as `~`: this user's home, wherever that is, and those
/// of others below `/home`. Nothing else of a path is changed.
pub fn shared(text: &str) -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    without_homes(text, &home).into_owned()
}

fn without_homes<'a>(text: &'a str, home: &str) -> Cow<'a, str> {
    let home = home.trim_end_matches('/');
    let mut text = Cow::Borrowed(text);
    if home.starts_with('/') {
        text = without(text, home);
    }
    for homes in HOMES {
        while let Some(own) = own_folder(&text, homes) {
            text = Cow::Owned(text.replacen(&own, "~", 1));
        }
    }
    text
}

/// Each place where this folder stands, and not only the beginning of a longer name.
fn without<'a>(text: Cow<'a, str>, folder: &str) -> Cow<'a, str> {
    let whole = |at: usize| {
        let (before, after) = (&text[..at], &text[at + folder.len()..]);
        begins(before) && !after.starts_with(in_a_name)
    };
    let places: Vec<usize> = text.match_indices(folder).map(|(at, _)| at).collect();
    let places: Vec<usize> = places.into_iter().filter(|at| whole(*at)).collect();
    if places.is_empty() {
        return text;
    }
    let mut changed = text.to_string();
    places.iter().rev().for_each(|at| changed.replace_range(*at..at + folder.len(), "~"));
    Cow::Owned(changed)
}

/// The first folder below `homes` that a text names, as it stands there.
fn own_folder(text: &str, homes: &str) -> Option<String> {
    let at = text.match_indices(homes).map(|(at, _)| at).find(|at| {
        let after = &text[at + homes.len()..];
        begins(&text[..*at]) && after.starts_with(in_a_name)
    })?;
    let after = &text[at + homes.len()..];
    let end = after.find(|c| !in_a_name(c)).unwrap_or(after.len());
    Some(format!("{homes}{}", &after[..end]))
}

/// Whether a path may begin behind this text.
fn begins(before: &str) -> bool {
    !before.ends_with(|c| in_a_name(c) || c == '/')
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
            assert_eq!(without_homes(text, "/data/anna/"), expected, "{text}");
        }
        assert_eq!(without_homes("/x/y", "/"), "/x/y");
        assert_eq!(without_homes("/x/y", ""), "/x/y");
    }
}
