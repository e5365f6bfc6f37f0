//! [`Files`]: where an experiment's other files are read from, and [`Shelf`]: those that
//! were read. A folder on the disk is one such place; tests have others.

use crate::file::ftap;
use chronotap_config::ftap::{LineRead, Readings, import, is_ftap, text_of_ftap};
use chronotap_config::trial_files::reading::{Field, brief};
use chronotap_config::trial_files::{Further, places_of, with_files, with_further_files};
use chronotap_core::files::{Foreign, NotUtf8, inside, probably_meant, table_text, text_of};
use chronotap_core::text::nearest;
use std::cell::{Ref, RefCell};
use std::io::{Error, ErrorKind, Read};
use std::path::PathBuf;

/// A table of conditions may be long; beyond this it is something else.
const BYTES_MAX: u64 = 16 << 20;

/// Pages show no larger picture or sound.
const ATTACHED_MAX: u64 = 20 << 20;

/// Where the files beside an experiment file are.
pub trait Files {
    /// The text of the file that the experiment file calls `name`.
    ///
    /// # Errors
    /// Why it could not be read.
    fn read(&self, name: &str) -> Result<String, Error>;

    /// The bytes of a picture or a sound that a text shows; `None` where files are texts alone.
    fn attached(&self, _name: &str) -> Option<Result<Vec<u8>, Error>> {
        None
    }

    /// The text of a trial file with further files that the experiment sets in it. Where files are
    /// texts alone it has them already.
    fn with_further(&self, _name: &str, text: &str, _further: &Further) -> String {
        text.to_owned()
    }

    /// Whether a study was recorded with these files. Its names stay, also those that newer tables
    /// have columns of.
    fn were_recorded(&self) -> bool {
        false
    }

    /// The name of the file for messages.
    fn said(&self, name: &str) -> String {
        name.to_owned()
    }

    /// The file that is there and was probably meant by a name that none has.
    fn meant(&self, _name: &str) -> Option<String> {
        None
    }
}

/// A folder on the disk.
#[derive(Clone, Debug)]
pub struct Folder(pub PathBuf);

impl Files for Folder {
    fn read(&self, name: &str) -> Result<String, Error> {
        let text = self.text(name)?;
        Ok(if name.ends_with(".toml") { with_files(&text, &self.beside(name)) } else { text })
    }

    fn with_further(&self, name: &str, text: &str, further: &Further) -> String {
        with_further_files(text, &self.beside(name), further)
    }

    fn attached(&self, name: &str) -> Option<Result<Vec<u8>, Error>> {
        Some(self.bytes(name))
    }

    fn said(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn meant(&self, name: &str) -> Option<String> {
        probably_meant(&self.0, name)
    }
}

impl Folder {
    /// The bytes of a picture or a sound.
    fn bytes(&self, name: &str) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let file = chronotap_core::files::open(&self.0.join(name))?;
        let read = file.take(ATTACHED_MAX + 1).read_to_end(&mut bytes)?;
        if read as u64 > ATTACHED_MAX {
            return Err(Error::new(ErrorKind::FileTooLarge, "the file is larger than 20 MB"));
        }
        Ok(bytes)
    }

    /// The text of a file as it stands there.
    fn text(&self, name: &str) -> Result<String, Error> {
        let mut bytes = Vec::new();
        let file = chronotap_core::files::open(&self.0.join(name))?;
        let read = file.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
        if read as u64 > BYTES_MAX {
            return Err(Error::new(ErrorKind::FileTooLarge, "the file is larger than 16 MB"));
        }
        if let Some(text) = text_of_ftap(&bytes) {
            return Ok(text);
        }
        let is_table = [".tsv", ".txt", ".csv"].iter().any(|end| name.ends_with(end));
        if is_table { table_text(bytes) } else { text_of(bytes) }
    }

    /// The folder of a file.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.0.join(name).parent().unwrap_or(&self.0).to_owned()
    }
}

/// The folder of a study that a dataset was begun with.
#[derive(Clone, Debug)]
pub struct RecordedFolder(pub Folder);

impl Files for RecordedFolder {
    fn read(&self, name: &str) -> Result<String, Error> {
        self.0.read(name)
    }

    fn with_further(&self, name: &str, text: &str, further: &Further) -> String {
        self.0.with_further(name, text, further)
    }

    fn attached(&self, name: &str) -> Option<Result<Vec<u8>, Error>> {
        self.0.attached(name)
    }

    fn were_recorded(&self) -> bool {
        true
    }

    fn said(&self, name: &str) -> String {
        self.0.said(name)
    }

    fn meant(&self, name: &str) -> Option<String> {
        self.0.meant(name)
    }
}

/// A folder of somebody else's study, in which there are no links: only its own files are read, whatever the
/// study names.
#[derive(Clone, Debug)]
pub struct ClosedFolder(pub Folder);

impl ClosedFolder {
    /// An error where one of the files that `name` names is not in the folder.
    fn refuse<'n>(&self, others: impl IntoIterator<Item = &'n String>) -> Result<(), Error> {
        match others.into_iter().find(|name| inside(name).is_none()) {
            None => Ok(()),
            Some(name) => {
                let why = format!("{} lies outside of the folder", brief(name));
                Err(Error::new(ErrorKind::PermissionDenied, why))
            }
        }
    }
}

impl Files for ClosedFolder {
    fn read(&self, name: &str) -> Result<String, Error> {
        self.refuse([&name.to_owned()])?;
        if name.ends_with(".toml") {
            self.refuse(&places_of(&self.0.text(name)?))?;
        }
        self.0.read(name)
    }

    fn attached(&self, name: &str) -> Option<Result<Vec<u8>, Error>> {
        Some(self.refuse([&name.to_owned()]).and_then(|()| self.0.bytes(name)))
    }

    /// What lies elsewhere is not taken in, and is told as a file that the trial does not have.
    fn with_further(&self, name: &str, text: &str, further: &Further) -> String {
        let own = |all: &[String]| -> Vec<String> {
            all.iter().filter(|name| inside(name).is_some()).cloned().collect()
        };
        let further = Further { beats: own(&further.beats), sounds: own(&further.sounds) };
        self.0.with_further(name, text, &further)
    }

    fn said(&self, name: &str) -> String {
        self.0.said(name)
    }

    fn meant(&self, name: &str) -> Option<String> {
        self.0.meant(name)
    }
}

/// Files by name, each with its text.
impl Files for Vec<(String, String)> {
    fn read(&self, name: &str) -> Result<String, Error> {
        let found = self.iter().find(|(of, _)| of == name);
        found.map(|(_, text)| text.clone()).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn meant(&self, name: &str) -> Option<String> {
        nearest(name, self.iter().map(|(of, _)| of.as_str())).map(str::to_owned)
    }
}

/// Whether this is a text rather than the name of a file: several words, and no ending.
fn is_sentence(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_ending = (1..=4).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric);
    name.contains(char::is_whitespace) && !is_ending
}

/// The files that were read, each once.
pub(crate) struct Shelf<'f> {
    from: &'f dyn Files,
    read: RefCell<Vec<(String, String)>>,
    of_ftap: RefCell<Vec<(String, Vec<LineRead>)>>,
}

impl<'f> Shelf<'f> {
    pub fn new(from: &'f dyn Files) -> Shelf<'f> {
        Shelf { from, read: RefCell::default(), of_ftap: RefCell::default() }
    }

    /// The text of the file that a field names; reported where it cannot be read.
    pub fn text(&self, field: &Field<'_>) -> Option<(String, String)> {
        let name = field.text()?;
        if let Some(read) = self.read.borrow().iter().find(|(of, _)| *of == name) {
            return Some(read.clone());
        }
        match self.from.read(&name) {
            Ok(text) => {
                self.read.borrow_mut().push((name.clone(), text.clone()));
                Some((name, text))
            }
            Err(_) if field.key.name == "say" && is_sentence(&name) => {
                let cure = format!("write text = \"{}\"", brief(&name));
                field.problem("names a file beside the experiment file, and this is a text", cure)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => self.missing(field, &name),
            Err(error) => {
                let message = format!("names {}, which cannot be read: {error}", self.said(&name));
                let is_table = ["conditions", "one_of"].contains(&field.key.name);
                let cure = match NotUtf8::of(&error) {
                    Some(_) if !is_table => "save it as text in UTF-8",
                    Some(NotUtf8 { what: Some(_), .. }) => {
                        "save its sheet as tab-separated text (\"Unicode text\"), and name that file"
                    }
                    Some(_) => "save it as UTF-8, or in a spreadsheet as \"Unicode text\"",
                    None => "check its name; it stands beside the experiment file",
                };
                field.problem(&message, cure)
            }
        }
    }

    /// The text of the file that a field names, which participants are to read; reported where there is none in it.
    pub fn shown(&self, field: &Field<'_>) -> Option<(String, String)> {
        let (name, text) = self.text(field)?;
        let said = self.said(&name);
        let what = Foreign::of(text.as_bytes());
        if let Some(what) = what.filter(|_| !self.were_recorded()) {
            let message = format!("names {said}, and this is {what}, not text in UTF-8");
            return field.problem(&message, "save it as text in UTF-8");
        }
        if text.trim_start_matches('\u{feff}').trim().is_empty() && !self.were_recorded() {
            let message = format!("names {said}, which is empty");
            return field.problem(&message, "write what participants are to read into it");
        }
        Some((name, text))
    }

    /// Reports that no file has this name, and which one was probably meant.
    fn missing<T>(&self, field: &Field<'_>, name: &str) -> Option<T> {
        let message = format!("names {}, and there is no such file", self.said(name));
        match self.from.meant(name) {
            Some(meant) => field.page.near(field.at, format!("{} {message}", field.path), meant),
            None => {
                field.problem::<()>(
                    &message,
                    "check its name; it stands beside the experiment file",
                );
            }
        }
        None
    }

    /// The name of the trial file that a field names. The text of one that is FTAP's is from then
    /// on that of the trial file that it becomes; its mistakes are told.
    pub fn trial(&self, field: &Field<'_>, readings: &Readings) -> Option<String> {
        let (name, text) = self.text(field)?;
        if !is_ftap(&text) {
            return Some(name);
        }
        match import(&text, &name, readings) {
            Ok(imported) => {
                self.of_ftap.borrow_mut().push((name.clone(), ftap::said(&imported)));
                self.put(&name, imported.toml);
            }
            Err(wrong) => {
                let problems = ftap::problems(&wrong, &self.said(&name));
                problems.into_iter().for_each(|one| field.page.put_own(one));
            }
        }
        Some(name)
    }

    /// Gives a file that was read another text.
    fn put(&self, name: &str, text: String) {
        let mut read = self.read.borrow_mut();
        read.iter_mut().filter(|(of, _)| of == name).for_each(|(_, own)| own.clone_from(&text));
    }

    /// The files of FTAP among them, and what was read how in each.
    pub fn of_ftap(&self) -> Vec<(String, Vec<LineRead>)> {
        self.of_ftap.take()
    }

    /// The text of a file that was read. One of FTAP's that could not be understood has none.
    pub fn read_text(&self, name: &str) -> Option<String> {
        let read = self.read.borrow();
        let text = read.iter().find(|(of, _)| of == name).map(|(_, text)| text.clone());
        text.filter(|text| !is_ftap(text))
    }

    /// Takes further files into the text of a trial file that was read.
    pub fn attach(&self, name: &str, further: &Further) {
        if let Some((name, text)) = self.read.borrow_mut().iter_mut().find(|(of, _)| of == name) {
            *text = self.from.with_further(name, text, further);
        }
    }

    /// Whether a study was recorded with these files.
    pub fn were_recorded(&self) -> bool {
        self.from.were_recorded()
    }

    /// The name of a file for messages.
    pub fn said(&self, name: &str) -> String {
        self.from.said(name)
    }

    /// What was read so far.
    pub fn read(&self) -> Ref<'_, Vec<(String, String)>> {
        self.read.borrow()
    }

    /// What was read, in the order in which it was first named.
    pub fn into_read(self) -> Vec<(String, String)> {
        self.read.into_inner()
    }
}
