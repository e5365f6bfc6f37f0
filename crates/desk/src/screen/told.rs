//! [`Told`]: the file in which whoever started the program reads how far it is, as the server of the
//! pages does. There is one line in it, the last, and none once the work is done.

use crate::surroundings::here;
use std::path::PathBuf;

/// The place of that file.
pub(super) struct Told {
    place: PathBuf,
}

impl Told {
    /// Where somebody wants to read it.
    pub(super) fn asked() -> Option<Told> {
        here().progress_file().map(|place| Told { place })
    }

    /// Puts a line there, whole for whoever reads at this moment. That it cannot be put is no reason
    /// to end what is under way.
    pub(super) fn put(&self, line: &str) {
        let new = self.place.with_extension("new");
        let _ = std::fs::write(&new, line).and_then(|()| std::fs::rename(&new, &self.place));
    }

    pub(super) fn end(&self) {
        let _ = std::fs::remove_file(&self.place); // there is none where nothing was told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_there_until_the_end() {
        let dir = tempfile::tempdir().unwrap();
        let told = Told { place: dir.path().join("progress") };
        told.put("1 of 12 participants");
        told.put("2 of 12 participants");
        assert_eq!(std::fs::read_to_string(&told.place).unwrap(), "2 of 12 participants");
        told.end();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
