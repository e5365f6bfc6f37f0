//! [`for_a_page`]: what a session says of an error or of its end, for somebody who is at a page and
//! sees no command line. The session knows no screen, and its words are those of a terminal; what
//! differs at a page is one table here.

/// What a terminal's reader does, and what a page's reader does for it.
const AT_A_PAGE: &[(&str, &str)] = &[
    ("then give the same command again", "then begin the session again: it goes on where it was"),
    ("the same command goes on with it", "begun again, it goes on where it was"),
    ("name another folder with --data", "begin it with another folder for the data"),
    (
        "or go on with --changed, which is recorded",
        "or tick that you go on with the files as they are now, which is recorded",
    ),
    (", or give a folder with --spare-data", ""),
];

/// How a line begins that names an option, and what the page's form calls it.
const OF_THE_FORM: &[(&str, &str)] = &[
    ("--participant ", "participant "),
    ("--session ", "session "),
    ("--data ", "the folder of the data, "),
    ("--by ", "experimenter "),
];

/// The same for a page. A trial that was cut off is recovered when its session goes on.
pub(crate) fn for_a_page(said: &str) -> String {
    let lines: Vec<String> = said.lines().map(line).collect();
    let said = AT_A_PAGE.iter().fold(lines.join("\n"), |said, (from, to)| said.replace(from, to));
    match said.contains("begin the session again") {
        true => without_recovering(&said),
        false => said,
    }
}

fn line(line: &str) -> String {
    let named = |(option, word): &(&str, &str)| {
        line.strip_prefix(option).map(|rest| format!("{word}{rest}"))
    };
    OF_THE_FORM.iter().find_map(named).unwrap_or_else(|| line.to_owned())
}

/// Without the command by which a single trial is recovered.
fn without_recovering(said: &str) -> String {
    let Some((before, rest)) = said.split_once(", then `chronotap recover ") else {
        return said.to_owned();
    };
    let (_, behind) = rest.split_once('`').unwrap_or_default();
    let behind =
        behind.strip_prefix("; then").map_or(behind.to_owned(), |end| format!(", then{end}"));
    format!("{before}{behind}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_session::{DatasetError, JournalError, SittingError};
    use std::io;

    /// What a page's reader can do nothing with.
    fn assert_fits(said: &str) {
        for word in ["command", "--data", "recover"] {
            assert!(!said.contains(word), "{word:?} in: {said}");
        }
    }

    #[test]
    fn no_error_of_a_session_asks_a_page_s_reader_for_the_same_command_again() {
        let full = || io::Error::from_raw_os_error(28);
        let path = || "data/sub-01_journal.jsonl".into();
        let not_saved = "a.tsv: No space left on device (os error 28); free space, then \
                         `chronotap recover data/a.journal`";
        let errors: [SittingError; 4] = [
            JournalError::Disk { path: path(), source: full() }.into(),
            DatasetError::NotADataset { path: path() }.into(),
            DatasetError::Simulated { path: path(), there: "people", here: "nobody" }.into(),
            SittingError::NotSaved { said: not_saved.to_owned() },
        ];
        for error in &errors {
            let (terminal, page) = (error.to_string(), for_a_page(&error.to_string()));
            assert_ne!(terminal, page);
            assert_fits(&page);
        }
        let told = for_a_page(&errors[3].to_string());
        let wanted = "free space, then begin the session again: it goes on where it was";
        assert!(told.ends_with(wanted), "{told}");
        let changed = SittingError::Changed { files: vec!["sync.toml".into()] }.to_string();
        assert!(for_a_page(&changed).contains("tick that you go on"), "{changed}");
    }

    #[test]
    fn an_option_at_the_beginning_of_a_line_is_called_what_the_form_calls_it() {
        assert_eq!(
            for_a_page("--session 3: the study has 1\n--participant é: write letters"),
            "session 3: the study has 1\nparticipant é: write letters"
        );
        assert_eq!(for_a_page("study.toml:3: unknown key"), "study.toml:3: unknown key");
    }

    #[test]
    fn a_stopped_session_is_begun_again_at_a_page() {
        let said = for_a_page("The session is stopped; the same command goes on with it.");
        assert_eq!(said, "The session is stopped; begun again, it goes on where it was.");
    }
}
