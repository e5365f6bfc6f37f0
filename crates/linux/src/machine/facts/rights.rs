//! [`UserRights`]: what this user may ask of the system, by the files that say so and by
//! asking.

use super::processors::status_line;
use crate::machine::Root;
use crate::realtime::{Item, Request, ask};
use chronotap_machine::facts::{Limit, LimitFile, ProcessLimits, UserRights};
use std::collections::BTreeMap;

/// The groups that sound packages give real-time rights to.
const SOUND_GROUPS: [&str; 4] = ["audio", "realtime", "pipewire", "jackuser"];

pub(super) fn read(root: &Root) -> UserRights {
    let user = status_line(root, "Uid:").and_then(|line| nth(&line, 1)?.parse::<u32>().ok());
    UserRights {
        root: user.map(|user| user == 0),
        capabilities: status_line(root, "CapEff:"),
        limits: limits(root),
        groups: groups(root),
        sound_groups: sound_groups(root, user),
        limit_files: limit_files(root),
        rtkit: rtkit(root),
        fifo: if root.is_system() { try_fifo() } else { None },
    }
}

/// Lines are `NAME  SOFT  HARD  UNIT`, where names hold spaces.
fn limits(root: &Root) -> ProcessLimits {
    let text = root.text("/proc/self/limits").unwrap_or_default();
    let soft = |name: &str| {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        match nth(rest, 0)? {
            "unlimited" => Some(Limit::Unlimited),
            number => number.parse().ok().map(Limit::At),
        }
    };
    ProcessLimits {
        rtprio: soft("Max realtime priority"),
        memlock_bytes: soft("Max locked memory"),
        nice: soft("Max nice priority"),
        rttime_us: soft("Max realtime timeout"),
    }
}

fn nth(line: &str, n: usize) -> Option<&str> {
    line.split_whitespace().nth(n)
}

/// Lines of /etc/group are `NAME:x:ID:MEMBERS`.
fn group_lines(root: &Root) -> Option<Vec<(String, u32, Vec<String>)>> {
    let text = root.text("/etc/group")?;
    let line = |line: &str| {
        let parts: Vec<&str> = line.split(':').collect();
        let members = parts.get(3)?.split(',').map(str::to_owned).collect();
        Some((parts[0].to_owned(), parts[2].parse().ok()?, members))
    };
    Some(text.lines().filter_map(line).collect())
}

fn groups(root: &Root) -> Option<Vec<String>> {
    let known = group_lines(root).unwrap_or_default();
    let name = |id: &str| {
        let found = id.parse::<u32>().ok().and_then(|id| known.iter().find(|group| group.1 == id));
        found.map_or_else(|| id.to_owned(), |group| group.0.clone())
    };
    let main = status_line(root, "Gid:").and_then(|line| nth(&line, 1).map(str::to_owned));
    let others = status_line(root, "Groups:")?;
    let mut names: Vec<String> = main.iter().map(|id| name(id)).collect();
    for other in others.split_whitespace().map(name) {
        if !names.contains(&other) {
            names.push(other);
        }
    }
    Some(names)
}

fn sound_groups(root: &Root, user: Option<u32>) -> Option<BTreeMap<String, bool>> {
    let user = user_name(root, user?);
    let lines = group_lines(root)?.into_iter();
    let usual = lines.filter(|(name, ..)| SOUND_GROUPS.contains(&name.as_str()));
    Some(
        usual
            .map(|(name, _, members)| (name, user.as_ref().is_some_and(|u| members.contains(u))))
            .collect(),
    )
}

fn user_name(root: &Root, user: u32) -> Option<String> {
    let text = root.text("/etc/passwd")?;
    let mut lines = text.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let line = lines.find(|parts| parts.get(2).and_then(|id| id.parse().ok()) == Some(user))?;
    Some(line[0].to_owned())
}

fn limit_files(root: &Root) -> Option<Vec<LimitFile>> {
    const PLACE: &str = "/etc/security/limits.d";
    let paths = root.names(PLACE)?.into_iter().map(|name| format!("{PLACE}/{name}"));
    let file = |path: String| {
        let text = root.text(&path).unwrap_or_default();
        let granted = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let rows = granted.filter(|line| nth(line, 2) == Some("rtprio"));
        let grants_to = rows.filter_map(|line| nth(line, 0).map(str::to_owned)).collect();
        LimitFile { path, grants_to }
    };
    Some(paths.map(file).filter(|file| !file.grants_to.is_empty()).collect())
}

fn rtkit(root: &Root) -> Option<bool> {
    root.exists("/usr").then(|| {
        ["/usr/libexec/rtkit-daemon", "/usr/lib/rtkit-daemon", "/usr/lib/rtkit/rtkit-daemon"]
            .iter()
            .any(|path| root.exists(path))
    })
}

/// Asks in a thread of its own, whose priority ends with it.
fn try_fifo() -> Option<Item> {
    let wanted = Request { fifo_priority: Some(80), ..Request::nothing() };
    let asked = std::thread::spawn(move || ask(&wanted).grant().items.first().cloned());
    asked.join().ok().flatten()
}
