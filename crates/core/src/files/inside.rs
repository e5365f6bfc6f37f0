//! [`inside`]: the name of a file in a folder, by which nobody comes to one outside of it.

use std::path::{Component, Path, PathBuf};

/// A name as a path that stays in the folder; `None` where it may lead out of it, or names the folder itself.
pub fn inside(name: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (!path.as_os_str().is_empty()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_may_lead_out_of_the_folder_is_no_path() {
        for name in ["/etc/shadow", "../a", "a/../../b", "a/..", "", ".", "./"] {
            assert_eq!(inside(name), None, "{name}");
        }
        for (name, path) in [("a.toml", "a.toml"), ("./a/./b", "a/b"), ("..a", "..a")] {
            assert_eq!(inside(name), Some(PathBuf::from(path)), "{name}");
        }
    }
}
