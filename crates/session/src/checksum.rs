//! Lists of checksums, as `sha256sum --check` reads them.

pub use chronotap_core::files::sha256;

/// A line of a list.
pub fn listed(sum: &str, path: &str) -> String {
    format!("{sum}  {path}\n")
}

/// The sums and paths of a list; a line that is none is left out.
pub fn parse_list(text: &str) -> Vec<(String, String)> {
    let pair = |line: &str| line.split_once("  ").map(|(sum, path)| (sum.into(), path.into()));
    text.lines().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_back() {
        let sum = sha256(b"abc");
        assert!(sum.starts_with("ba7816bf"));
        assert_eq!(parse_list(&listed(&sum, "a b/c")), [(sum, "a b/c".into())]);
    }
}
