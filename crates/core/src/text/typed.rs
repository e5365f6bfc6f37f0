//! [`typed`]: the name of a file as it is typed behind a command.

use std::path::Path;

/// As it stands, or between quotation marks where a shell would take it for several words.
pub fn typed(path: &Path) -> String {
    let name = path.display().to_string();
    if name.contains(char::is_whitespace) { format!("\"{name}\"") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_blanks_is_one_word() {
        for (name, shown) in [
            ("study/study.toml", "study/study.toml"),
            ("My study/ä b.toml", "\"My study/ä b.toml\""),
            ("C:\\My study\\x", "\"C:\\My study\\x\""),
        ] {
            assert_eq!(typed(Path::new(name)), shown);
        }
    }
}
