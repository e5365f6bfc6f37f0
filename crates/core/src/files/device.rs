//! [`is_device`]: names that Windows gives to devices in every folder.

/// What Windows takes for a device, whatever stands behind the first dot
/// (<https://learn.microsoft.com/windows/win32/fileio/naming-a-file>).
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// The same, with a digit behind it; a raised one counts.
const NUMBERED: [&str; 2] = ["COM", "LPT"];
const DIGITS: &str = "0123456789¹²³";

/// Whether Windows takes this name of a file or folder for a device, in whatever folder it is.
pub fn is_device(name: &str) -> bool {
    let name = name.split('.').next().unwrap_or(name).trim_end_matches(' ').to_uppercase();
    let is_digit = |rest: &str| rest.chars().count() == 1 && DIGITS.contains(rest);
    let mut numbered = NUMBERED.iter().filter_map(|kind| name.strip_prefix(kind));
    DEVICES.contains(&name.as_str()) || numbered.any(is_digit)
}
