//! [`read`]: a picture or a sound of a study's text, from beside the experiment file and nowhere
//! else.

use std::path::{Component, Path};

/// Kinds of pictures and sounds, by the endings of their names. SVG is none of them: it can hold
/// scripts.
const KINDS: [(&str, &str); 9] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("wav", "audio/wav"),
    ("flac", "audio/flac"),
    ("mp3", "audio/mpeg"),
    ("ogg", "audio/ogg"),
];

/// Whether the ending of a name is that of a sound.
pub(super) fn is_sound(name: &str) -> bool {
    kind(name).is_some_and(|kind| kind.starts_with("audio/"))
}

fn kind(name: &str) -> Option<&'static str> {
    let ending = Path::new(name).extension()?.to_str()?.to_lowercase();
    KINDS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}

/// Bytes of a picture or a sound.
const LARGEST: u64 = 20 * 1024 * 1024;

/// Its kind and bytes; `None` where it is no picture and no sound of the study.
pub(super) fn read(study: &Path, name: &str) -> Option<(&'static str, Vec<u8>)> {
    let name = decoded(name)?;
    let plain = Path::new(&name).components().all(|part| matches!(part, Component::Normal(_)));
    let kind = kind(&name)?;
    let folder = study.parent()?.canonicalize().ok()?;
    // A link in the folder may lead out of it.
    let path = folder.join(&name).canonicalize().ok()?;
    let inside = plain && path.starts_with(&folder);
    let fits = std::fs::metadata(&path).ok()?.len() <= LARGEST;
    let bytes = (inside && fits).then(|| chronotap_core::files::read(&path).ok())??;
    Some((kind, bytes))
}

/// A name of an address as it stands on the disk.
fn decoded(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok().filter(|name| !name.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_within_the_study_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let study = dir.path().join("study");
        std::fs::create_dir_all(study.join("pictures")).unwrap();
        std::fs::write(dir.path().join("secret.png"), "s").unwrap();
        std::fs::write(study.join("pictures/the pad.png"), "p").unwrap();
        std::fs::write(study.join("study.toml"), "t").unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret.png"), study.join("link.png")).unwrap();
        let read = |name: &str| read(&study.join("study.toml"), name);
        assert_eq!(read("pictures/the%20pad.png"), Some(("image/png", b"p".to_vec())));
        std::fs::write(study.join("tune.WAV"), "w").unwrap();
        assert_eq!(read("tune.WAV"), Some(("audio/wav", b"w".to_vec())));
        let refused = [
            "../secret.png",
            "%2e%2e/secret.png",
            "pictures/../../secret.png",
            "link.png",
            "study.toml",
            "%2fetc%2fpasswd.png",
            "pictures/the%00pad.png",
            "%zz.png",
        ];
        for name in refused {
            assert_eq!(read(name), None, "{name}");
        }
    }
}
