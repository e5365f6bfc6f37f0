//! [`here`]: the time zone of this computer, for the nights of a study and for whoever reads when a session is due. No
//! time of the data depends on it. A system that has no such files is in UTC.

use jiff::tz::TimeZone;
use std::path::Path;

/// As the C library finds it: by `TZ`, a name or a rule, else by the file of the computer.
pub(crate) fn here() -> TimeZone {
    let stated = std::env::var("TZ").unwrap_or_default();
    let zone = match stated.trim_start_matches(':') {
        "" => of_file(Path::new("/etc/localtime")),
        name => of_file(&Path::new("/usr/share/zoneinfo").join(name))
            .or_else(|| TimeZone::posix(name).ok()),
    };
    zone.unwrap_or(TimeZone::UTC)
}

fn of_file(path: &Path) -> Option<TimeZone> {
    TimeZone::tzif("", &chronotap_core::files::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    #[test]
    fn a_zone_of_a_file_has_its_hours() {
        // The smallest file of RFC 9636: no table, and the rule behind it.
        let head = |version: u8| {
            let mut bytes = b"TZif".to_vec();
            bytes.push(version);
            bytes.resize(20, 0);
            for count in [0_u32, 0, 0, 0, 1, 4] {
                bytes.extend(count.to_be_bytes()); // one kind of time, four letters of its name
            }
            bytes.extend([0, 0, 0, 0, 0, 0]);
            bytes.extend(b"UTC\0");
            bytes
        };
        let mut bytes = [head(b'2'), head(b'2')].concat();
        bytes.extend(b"\nCET-1CEST,M3.5.0,M10.5.0/3\n");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("localtime");
        std::fs::write(&path, bytes).unwrap();
        let zone = of_file(&path).unwrap();
        let hour =
            |moment: &str| moment.parse::<Timestamp>().unwrap().to_zoned(zone.clone()).hour();
        assert_eq!(hour("2026-11-20T13:04:05Z"), 14);
        assert_eq!(hour("2026-07-20T13:04:05Z"), 15);
        assert!(of_file(&dir.path().join("nowhere")).is_none());
    }
}
