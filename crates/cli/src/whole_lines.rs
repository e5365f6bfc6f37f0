//! Lines of what comes in pieces.

/// Takes the lines whose ends have come; what was begun of another stays.
pub fn whole_lines(begun: &mut Vec<u8>) -> Vec<String> {
    let Some(last) = begun.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
    let rest = begun.split_off(last + 1);
    let whole = std::mem::replace(begun, rest);
    String::from_utf8_lossy(&whole).lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_when_its_end_has_come() {
        let mut begun = b"one\ntw".to_vec();
        assert_eq!(whole_lines(&mut begun), ["one"]);
        begun.extend_from_slice(b"o\n\n");
        assert_eq!(whole_lines(&mut begun), ["two", ""]);
        assert!(begun.is_empty() && whole_lines(&mut begun).is_empty());
    }
}
