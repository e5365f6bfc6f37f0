//! The words of the command line, as messages quote them.

/// The arguments behind the name of the program; what is not UTF-8 in them is replaced.
pub fn arguments() -> Vec<String> {
    // Not `args`, which panics where one is not UTF-8.
    std::env::args_os().skip(1).map(|one| one.to_string_lossy().into_owned()).collect()
}

/// A message in which the ends of lines that were typed into an argument stand as their numbers:
/// what is a line for each thing would else be torn apart, or read as two things. Any other
/// control character is [`visible`](super::visible) anyway.
pub(super) fn quoting(message: &str, arguments: &[String]) -> String {
    let mut parts: Vec<&str> = arguments.iter().flat_map(|one| parts(one)).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    let shown = |message: String, part: &&str| message.replace(*part, &on_one_line(part));
    parts.iter().fold(message.to_owned(), shown)
}

/// An argument with ends of lines, what stands behind its first `=`, and the parts of a list.
fn parts(argument: &str) -> impl Iterator<Item = &str> {
    let value = argument.split_once('=').map_or(argument, |(_, value)| value);
    let listed = argument.split(['=', ',', ';', ':']).map(str::trim);
    let ends_a_line = |part: &&str| part.contains('\n') && !part.trim().is_empty();
    [argument, value].into_iter().chain(listed).filter(ends_a_line)
}

/// A text in which the ends of lines stand as their numbers.
pub fn on_one_line(text: &str) -> String {
    text.replace('\r', "\\u000d").replace('\n', "\\u000a")
}

#[cfg(test)]
mod tests {
    use super::quoting;

    /// What is said of a label that was typed so.
    fn said(typed: &str, label: &str) -> String {
        quoting(
            &format!("no label {label}; write another\nand more"),
            &["run".into(), typed.into()],
        )
    }

    #[test]
    fn ends_of_lines_in_arguments_are_shown_as_numbers_and_those_between_messages_stay() {
        let expected = "no label a\\u000ab; write another\nand more";
        for typed in ["a\nb", "--participant=a\nb", "hand=a\nb, x=3", "steady; a\nb = 4"] {
            assert_eq!(said(typed, "a\nb"), expected, "{typed:?}");
        }
        assert!(said("a\r\nb", "a\r\nb").contains("a\\u000d\\u000ab"));
        assert_eq!(said("\n", "7").lines().count(), 2);
    }
}
