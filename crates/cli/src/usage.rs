//! What the command line lacks, in one line: what is wrong, what may have been
//! meant, and where the help is. Help and version are shown as they come.

use crate::args::Arguments;
use crate::screen::complain;
use clap::CommandFactory;
use clap::error::ErrorKind;
use std::process::ExitCode;

/// Shows why the command line was not understood, or the help that was asked for.
pub fn refuse(error: &clap::Error) -> ExitCode {
    let help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() || error.kind() == help {
        let _ = error.print(); // a reader that is gone needs no help
        return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
    }
    // Not `args`, which panics where one is not UTF-8.
    let given = std::env::args_os().skip(1);
    let given: Vec<String> = given.map(|one| one.to_string_lossy().into_owned()).collect();
    complain(&one_line(&error.render().to_string(), &command(&given)));
    ExitCode::from(2)
}

/// The command that was called, as far as there is one.
fn command(given: &[String]) -> String {
    let all = Arguments::command();
    match given.first().and_then(|name| all.find_subcommand(name)) {
        Some(command) => format!("chronotap {}", command.get_name()),
        None => "chronotap".into(),
    }
}

/// The message and its tips, without the empty lines and the usage.
fn one_line(rendered: &str, command: &str) -> String {
    let (message, _) = rendered.split_once("\nUsage: ").unwrap_or((rendered, ""));
    let mut parts: Vec<String> = Vec::new();
    for line in message.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let line = line.trim_start_matches("error: ").trim_start_matches("tip: ");
        if line.starts_with("For more information") {
            continue;
        }
        match parts.last_mut() {
            Some(last) if last.ends_with(':') => *last += &format!(" {line}"),
            Some(last) if line.starts_with('<') => *last += &format!(" {line}"),
            _ => parts.push(line.to_owned()),
        }
    }
    format!("{}; see `{command} --help`", parts.join("; "))
}

#[cfg(test)]
mod tests {
    use crate::args::Arguments;
    use clap::Parser;

    fn refusal(line: &str) -> String {
        let error = Arguments::try_parse_from(line.split(' ')).unwrap_err();
        let given: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
        super::one_line(&error.render().to_string(), &super::command(&given))
    }

    #[test]
    fn every_refusal_is_one_line_that_names_the_flag_and_the_help() {
        for (line, what, help) in [
            ("chronotap runn", "'run'", "see `chronotap --help`"),
            ("chronotap run", "<FILE>", "see `chronotap run --help`"),
            ("chronotap run x --dta d", "'--data'", "see `chronotap run --help`"),
            ("chronotap run x --priority 0", "--priority", "see `chronotap run --help`"),
            ("chronotap simulate x --repeat many", "--repeat", "`chronotap simulate --help`"),
            ("chronotap simulate x --seed -1", "--seed", "see `chronotap simulate --help`"),
            ("chronotap simulate x --data d --no-data", "--no-data", "--help`"),
        ] {
            let said = refusal(line);
            assert!(said.contains(what) && said.ends_with(help), "{line}: {said}");
            assert!(!said.contains('\n') && !said.contains("Usage"), "{line}: {said}");
        }
    }
}
