//! [`Permission`]: who may open a device that this user may not.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Who may open a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Permission {
    /// It cannot be looked up.
    #[error("who may open it cannot be looked up")]
    Unknown,
    /// Root; where udev is at work, devices of its kind are this group's.
    #[error("it belongs to root")]
    Root {
        /// The group.
        usual: &'static str,
    },
    /// Its owner alone.
    #[error("only its owner may open it (mode {mode:03o})")]
    Owner {
        /// Its file.
        path: PathBuf,
        mode: u32,
    },
    /// The members of this group.
    #[error("members of group `{0}` may open it")]
    Group(String),
}

impl Permission {
    /// As its file says.
    pub fn of(path: &Path) -> Permission {
        let Ok(metadata) = std::fs::metadata(path) else { return Permission::Unknown };
        let (mode, gid) = (metadata.mode() & 0o777, metadata.gid());
        if gid == 0 {
            return Permission::Root { usual: usual_group(path) };
        }
        if mode & 0o060 == 0 {
            return Permission::Owner { path: path.to_owned(), mode };
        }
        Permission::Group(group_name(gid).unwrap_or_else(|| gid.to_string()))
    }
}

/// The group that devices of this kind have where udev is at work.
fn usual_group(path: &Path) -> &'static str {
    if path.starts_with("/dev/input") { "input" } else { "audio" }
}

fn group_name(gid: u32) -> Option<String> {
    let groups = std::fs::read_to_string("/etc/group").ok()?;
    let mut lines = groups.lines().map(|line| line.split(':'));
    lines.find_map(|mut fields| {
        let name = fields.next()?;
        (fields.nth(1)? == gid.to_string()).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_device_is_for_the_group_that_its_kind_has_elsewhere() {
        assert_eq!(usual_group(Path::new("/dev/input/event3")), "input");
        assert_eq!(usual_group(Path::new("/dev/snd/seq")), "audio");
    }
}
