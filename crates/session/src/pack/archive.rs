//! [`write`] and [`unpack`]: a folder as one file, and back.
//!
//! A pack is a ZIP archive (PKWARE APPNOTE 6.3), because every system opens one, now and for long. The same
//! files give the same bytes: they stand in the order of their names behind the manifest, with one time and
//! one mode. Who unpacks trusts nothing: names, kinds, lengths and sums of all files are known before the
//! first is written, and no file grows beyond the length that was stated.

use super::claims::belongs;
use super::manifest::{DATASET, FORMAT, MANIFEST, Manifest, PACK_VERSION, Sum};
use super::names::{BadName, checked, clash, has_windows, safe};
use super::{PackDifference, PackError, PackStop, refused, unless_stopped};
use chronotap_core::files::{
    Summing, Unfinished, create_folder_unsynced, create_new, is_there, open, place, slashes,
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// What all files of a pack hold together at most, in bytes.
pub const MOST_BYTES: u64 = 64 << 30;
/// How many times as long as the pack they may be. Tables take a tenth; a bomb takes a thousandth.
pub const MOST_RATIO: u64 = 100;
/// Up to here nothing is a bomb.
const ANY_RATIO: u64 = 256 << 20;
/// A manifest of a million files is no longer.
const LONGEST_MANIFEST: u64 = 256 << 20;

/// Why a file is no pack that may be opened.
#[derive(Debug, thiserror::Error)]
pub enum BadPack {
    /// It is no archive, or a damaged one.
    #[error("not a whole ZIP archive: {0}")]
    Zip(String),
    /// An archive of something else.
    #[error("does not begin with a manifest.json, so it is no pack")]
    NoManifest,
    /// A manifest of something else, or one that was changed.
    #[error("its manifest.json is none: {0}")]
    Manifest(String),
    /// A newer version wrote it. Install that version.
    #[error("packed by {program}, which is newer than this program reads")]
    Newer { program: String },
    /// A name that may lead elsewhere.
    #[error("\"{name}\": {why}")]
    Name { name: String, why: BadName },
    /// A link, a folder or a device.
    #[error("\"{name}\": a link, folder or device, not a file")]
    Kind { name: String },
    /// It is encrypted, or packed by a method that packs do not have.
    #[error("\"{name}\": packed in a way that no pack is")]
    Method { name: String },
    /// The manifest does not have it.
    #[error("\"{name}\": not in the manifest")]
    Unlisted { name: String },
    /// Only the manifest has it.
    #[error("\"{name}\": in the manifest, and not there")]
    Missing { name: String },
    /// More than stated: somebody hides something.
    #[error("\"{name}\": holds more than the {stated} bytes that are stated")]
    Longer { name: String, stated: u64 },
    /// All together would fill the disk.
    #[error("holds {bytes} bytes, more than the {most} that a pack of this length may hold")]
    Bomb { bytes: u128, most: u64 },
}

/// Packs all files of a folder, and gives the manifest that lists them.
///
/// # Errors
/// [`PackError`]; then nothing is left behind.
pub fn write(
    folder: &Path,
    manifest: Manifest,
    to: &Path,
    stop: PackStop<'_>,
) -> Result<Manifest, PackError> {
    if is_there(to) {
        return Err(PackError::There { path: to.to_owned() });
    }
    let files = sums(folder, stop)?;
    let bad = |(name, why): (&str, BadName)| PackError::Name { name: name.to_owned(), why };
    clash(files.keys().map(String::as_str)).map_err(bad)?;
    let manifest = Manifest { files, ..manifest };
    let bytes: u128 = manifest.files.values().map(|sum| u128::from(sum.bytes)).sum();
    let written = place(to, true, |file| {
        put(folder, &manifest, BufWriter::new(&mut *file), stop)?;
        // What nobody would open is not made.
        bounded(bytes, file.metadata()?.len()).map_err(io::Error::other)
    });
    match written {
        Err(_) if stop() => Err(PackError::Interrupted),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(PackError::There { path: to.to_owned() })
        }
        written => written.map(|()| manifest).map_err(refused(to)),
    }
}

fn put(
    folder: &Path,
    manifest: &Manifest,
    file: impl Write + Seek,
    stop: PackStop<'_>,
) -> io::Result<()> {
    // The first moment that the format knows; whoever unpacks makes files of their own time.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(file);
    archive.start_file(MANIFEST, options)?;
    archive.write_all(&manifest.bytes())?;
    for (name, sum) in &manifest.files {
        if stop() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        archive
            .start_file(name.as_str(), options.large_file(sum.bytes > u64::from(u32::MAX) / 2))?;
        let mut summing = Summing::of(&mut archive);
        io::copy(&mut open(&folder.join(name))?, &mut summing)?;
        if summing.sha256() != sum.sha256 {
            return Err(io::Error::other(format!("{name}: changed while it was packed")));
        }
    }
    archive.finish()?.flush()
}

/// Length and checksum of each file below a folder, by its name from there.
fn sums(folder: &Path, stop: PackStop<'_>) -> Result<BTreeMap<String, Sum>, PackError> {
    let (mut found, mut ahead) = (BTreeMap::new(), vec![PathBuf::new()]);
    while let Some(within) = ahead.pop() {
        let whole = folder.join(&within);
        for entry in std::fs::read_dir(&whole).map_err(refused(&whole))? {
            let entry = entry.map_err(refused(&whole))?;
            let path = within.join(entry.file_name());
            if entry.file_type().map_err(refused(&whole))?.is_dir() {
                ahead.push(path);
                continue;
            }
            unless_stopped(stop)?;
            let parts: Vec<&[u8]> = path.iter().map(|part| part.as_encoded_bytes()).collect();
            let name = parts.join(&b'/'); // of Windows, too
            let bad = |why| PackError::Name { name: shown(&name), why };
            let name = checked(&name).map_err(bad)?.to_owned();
            let path = folder.join(&path);
            found.insert(name, sum_of(&path).map_err(refused(&path))?);
        }
    }
    Ok(found)
}

fn sum_of(path: &Path) -> io::Result<Sum> {
    let mut sum = Summing::of(io::sink());
    let bytes = io::copy(&mut open(path)?, &mut sum)?;
    Ok(Sum { bytes, sha256: sum.sha256() })
}

/// A pack whose files are in a folder that has no name yet.
#[derive(Debug)]
pub struct Unpacked {
    folder: Unfinished,
    to: PathBuf,
    pub manifest: Manifest,
    /// Files that are not those of the manifest.
    pub changed: Vec<PackDifference>,
    /// A file whose name Windows cannot have, as an earlier version packed some; none where this is Windows.
    pub not_on_windows: Option<(String, BadName)>,
}

impl Unpacked {
    /// Where its files are until then.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the folder its name.
    ///
    /// # Errors
    /// [`PackError::There`] and [`PackError::Disk`]; nothing is left behind then.
    pub fn finish(self) -> Result<(), PackError> {
        let Unpacked { folder, to, .. } = self;
        folder.finish(&to).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => PackError::There { path: to.clone() },
            _ => PackError::Disk { path: to.clone(), source },
        })
    }
}

/// Writes what a pack holds into a new folder beside the place that it is to have.
///
/// # Errors
/// [`PackError`]; then nothing is left behind.
pub fn unpack(pack: &Path, to: &Path, stop: PackStop<'_>) -> Result<Unpacked, PackError> {
    if is_there(to) {
        return Err(PackError::There { path: to.to_owned() });
    }
    let file = open(pack).map_err(refused(pack))?;
    let bad = |source| PackError::Bad { path: pack.to_owned(), source };
    let (mut archive, manifest) = looked_through(file).map_err(bad)?;
    let folder = Unfinished::beside(to).map_err(refused(to))?;
    let not_on_windows = names_of_elsewhere(&manifest).next();
    let (to_be, changed) = (to.to_owned(), Vec::new());
    let mut unpacked = Unpacked { folder, to: to_be, manifest, changed, not_on_windows };
    for place in 1..archive.len() {
        unless_stopped(stop)?;
        let name = archive.name_for_index(place).and_then(Result::ok).unwrap_or_default();
        let name = name.into_owned();
        if !belongs(&name, &unpacked.manifest) {
            unpacked.changed.push(PackDifference::Besides { path: shown(name.as_bytes()).into() });
            continue;
        }
        let changed = one(&mut archive, place, &unpacked).map_err(|fault| match fault {
            Fault::Pack(source) => bad(source),
            Fault::Disk(source) => PackError::Disk { path: to.to_owned(), source },
        })?;
        unpacked.changed.extend(changed);
    }
    let manifest = unpacked.root().join(MANIFEST);
    let mut file = create_new(&manifest).map_err(refused(to))?;
    file.write_all(&unpacked.manifest.bytes()).map_err(refused(to))?;
    Ok(unpacked)
}

/// The files that could not be unpacked on Windows.
fn names_of_elsewhere(manifest: &Manifest) -> impl Iterator<Item = (String, BadName)> {
    let bad = |name: &String| Some((shown(name.as_bytes()), has_windows(name).err()?));
    manifest.files.keys().filter_map(bad)
}

/// A name that is in order where it is unpacked.
fn in_order(name: &[u8], on_windows: bool) -> Result<&str, BadName> {
    if on_windows { checked(name) } else { safe(name) }
}

type Archive = ZipArchive<BufReader<File>>;

/// An archive of which every name, kind and length is in order, and its manifest.
fn looked_through(file: File) -> Result<(Archive, Manifest), BadPack> {
    let length = file.metadata().map_err(|error| BadPack::Zip(error.to_string()))?.len();
    let zip = |error: zip::result::ZipError| BadPack::Zip(plain(&error.to_string()));
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(zip)?;
    if archive.has_duplicate_names() {
        return Err(BadPack::Name { name: "a file".to_owned(), why: BadName::Twice });
    }
    let (names, bytes) = entries(&mut archive)?;
    bounded(bytes, length)?;
    archive.validate_header_consistency().map_err(zip)?;
    if names.first().map(String::as_str) != Some(MANIFEST) {
        return Err(BadPack::NoManifest);
    }
    let bad = |(name, why): (&str, BadName)| BadPack::Name { name: shown(name.as_bytes()), why };
    clash(names.iter().map(String::as_str)).map_err(bad)?;
    let manifest = manifest(&mut archive)?;
    let listed = |name: &&String| manifest.files.contains_key(*name);
    if let Some(name) = names[1..].iter().find(|name| !listed(name)) {
        return Err(BadPack::Unlisted { name: shown(name.as_bytes()) });
    }
    let there: BTreeSet<&String> = names.iter().collect();
    if let Some(name) = manifest.files.keys().find(|name| !there.contains(name)) {
        return Err(BadPack::Missing { name: shown(name.as_bytes()) });
    }
    Ok((archive, manifest))
}

/// An error where a pack of this length may not hold so much.
fn bounded(bytes: u128, length: u64) -> Result<(), BadPack> {
    let most = MOST_BYTES.min(ANY_RATIO.max(length.saturating_mul(MOST_RATIO)));
    if bytes > most.into() { Err(BadPack::Bomb { bytes, most }) } else { Ok(()) }
}

/// The names of all files in the order in which they stand in the archive, and how much they hold together
/// as they say.
fn entries(archive: &mut Archive) -> Result<(Vec<String>, u128), BadPack> {
    let (mut names, mut bytes) = (Vec::with_capacity(archive.len()), 0_u128);
    for place in 0..archive.len() {
        let entry =
            archive.by_index_data(place).map_err(|error| BadPack::Zip(error.to_string()))?;
        let raw = entry.name_raw();
        let name = || shown(raw);
        let text =
            in_order(raw, cfg!(windows)).map_err(|why| BadPack::Name { name: name(), why })?;
        let kind = entry.unix_mode().map_or(0, |mode| mode & KIND);
        if entry.is_dir() || entry.is_symlink() || !matches!(kind, 0 | FILE) {
            return Err(BadPack::Kind { name: name() });
        }
        let known = [CompressionMethod::Stored, CompressionMethod::Deflated];
        if entry.encrypted() || !known.contains(&entry.compression()) {
            return Err(BadPack::Method { name: name() });
        }
        names.push(text.to_owned());
        bytes += u128::from(entry.size());
    }
    Ok((names, bytes))
}

/// The manifest of a pack; `None` where the file is none, or not whole.
pub(crate) fn manifest_of(path: &Path) -> Option<Manifest> {
    let mut file = open(path).ok()?;
    let mut begins = [0; 4];
    file.read_exact(&mut begins).ok()?;
    (begins == *b"PK\x03\x04").then_some(())?; // a local file header (PKWARE APPNOTE 6.3, 4.3.7)
    file.rewind().ok()?;
    Some(looked_through(file).ok()?.1)
}

/// What a file of a dataset is called in a pack.
pub(crate) fn name_in_pack(path: &Path) -> String {
    format!("{DATASET}/{}", slashes(path))
}

/// Of the mode of a file (POSIX, sys/stat.h): what says its kind, and that of a file.
const KIND: u32 = 0o170_000;
const FILE: u32 = 0o100_000;

fn manifest(archive: &mut Archive) -> Result<Manifest, BadPack> {
    /// What every version of the manifest says.
    #[derive(Deserialize)]
    struct Stated {
        format: String,
        version: u32,
        program: String,
    }
    let entry = archive.by_index(0).map_err(|error| BadPack::Zip(error.to_string()))?;
    let none = |error: &dyn std::fmt::Display| BadPack::Manifest(plain(&error.to_string()));
    let mut bytes = Vec::new();
    entry.take(LONGEST_MANIFEST).read_to_end(&mut bytes).map_err(|error| none(&error))?;
    let stated: Stated = serde_json::from_slice(&bytes).map_err(|error| none(&error))?;
    if stated.format != FORMAT {
        return Err(none(&format!("its format is \"{}\"", stated.format)));
    }
    if stated.version > PACK_VERSION {
        return Err(BadPack::Newer { program: plain(&stated.program) });
    }
    let manifest: Manifest = serde_json::from_slice(&bytes).map_err(|error| none(&error))?;
    match (&manifest.study, &manifest.dataset) {
        (Some(_), None) | (None, Some(_)) => Ok(manifest),
        _ => Err(none(&"it is of a study or of a dataset, and says neither or both")),
    }
}

/// Why a file of a pack was not written.
enum Fault {
    Pack(BadPack),
    Disk(io::Error),
}

/// Writes one file; what is to be told where it is not that of the manifest.
fn one(
    archive: &mut Archive,
    place: usize,
    unpacked: &Unpacked,
) -> Result<Option<PackDifference>, Fault> {
    let zip = |error: &dyn std::fmt::Display| Fault::Pack(BadPack::Zip(plain(&error.to_string())));
    let entry = archive.by_index(place).map_err(|error| zip(&error))?;
    let name = safe(entry.name_raw()).unwrap_or_default().to_owned(); // it was looked at
    let (stated, path) = (entry.size(), unpacked.root().join(&name));
    let parent = path.parent().unwrap_or(unpacked.root());
    create_folder_unsynced(parent).map_err(Fault::Disk)?;
    let mut to = Summing::of(create_new(&path).map_err(Fault::Disk)?);
    let mut from = entry.take(stated.saturating_add(1));
    let (mut buffer, mut bytes) = (vec![0; 1 << 16], 0);
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) => return Err(zip(&format!("{name}: {error}"))),
        };
        bytes += read as u64;
        if bytes > stated {
            return Err(Fault::Pack(BadPack::Longer { name, stated }));
        }
        to.write_all(&buffer[..read]).map_err(Fault::Disk)?;
    }
    let found = Sum { bytes, sha256: to.sha256() };
    let listed = unpacked.manifest.files.get(&name);
    Ok((listed != Some(&found)).then_some(PackDifference::File { path: name.into() }))
}

/// What comes from a pack, on one line and with nothing that a terminal obeys.
fn plain(text: &str) -> String {
    text.chars().take(300).flat_map(escaped).collect()
}

/// A name for messages.
fn shown(name: &[u8]) -> String {
    plain(&String::from_utf8_lossy(name))
}

fn escaped(c: char) -> Vec<char> {
    match c {
        '\'' | '"' | '\\' => vec![c],
        _ if c.is_control() => c.escape_unicode().collect(),
        _ => c.escape_debug().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_windows_cannot_have_is_refused_there_and_nowhere_else() {
        for (name, why) in [
            ("study/aux.toml", BadName::Device),
            ("study/a ", BadName::End),
            ("study/what?.toml", BadName::Character('?')),
        ] {
            assert_eq!(in_order(name.as_bytes(), true), Err(why));
            assert_eq!(in_order(name.as_bytes(), false), Ok(name));
        }
        for anywhere in ["study/a\\b", "c:a", "../a", "a\u{202e}"] {
            assert!(in_order(anywhere.as_bytes(), false).is_err(), "{anywhere}");
        }
    }
}
