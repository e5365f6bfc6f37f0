//! [`slashes`]: the name of a file as data hold it, the same on every system.

use std::path::{MAIN_SEPARATOR, Path};

/// A relative path with a `/` between its parts, as it stands in tables, lists of checksums and packs.
pub fn slashes(path: &Path) -> String {
    let named = path.display().to_string();
    if MAIN_SEPARATOR == '/' { named } else { named.replace(MAIN_SEPARATOR, "/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_name_in_data_stand_between_slashes_on_every_system() {
        let path: std::path::PathBuf = ["sub-01", "beh", "a.tsv"].iter().collect();
        assert_eq!(slashes(&path), "sub-01/beh/a.tsv");
    }
}
