//! The one table of all commands, in the order in which the help lists them: what each takes and does, or that it is
//! one of Linux. [`command`] is the whole command line; what was given on it becomes a [`GivenDeed`].

use crate::CommandVerdict;
use crate::args::*;
use crate::called;
use crate::commands::*;
use crate::deed;
use crate::deed::{Deed, GivenDeed};
use crate::surroundings::{LinuxCommand, here};
use HelpList::{Data, Machine, Study};
use anyhow::bail;
use chronotap_core::text::broken;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory};
use std::ffi::OsString;

/// A command, by its name.
struct CommandRow {
    list: HelpList,
    name: &'static str,
    does: Does,
}

/// In which list of the help it stands: what is done with a study before and while there are participants, with what
/// was recorded, with this computer, its ports and other recorders.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HelpList {
    Study,
    Data,
    Machine,
}

/// Who does it.
#[derive(Clone, Copy)]
enum Does {
    Anywhere(Deed),
    OnLinux(LinuxCommand),
}

const fn anywhere(list: HelpList, name: &'static str, deed: Deed) -> CommandRow {
    CommandRow { list, name, does: Does::Anywhere(deed) }
}

const fn on_linux(list: HelpList, name: &'static str, command: LinuxCommand) -> CommandRow {
    CommandRow { list, name, does: Does::OnLinux(command) }
}

static ROWS: &[CommandRow] = &[
    on_linux(Study, "demo", LinuxCommand::Demo),
    anywhere(Study, "new", deed!(New, |args| new::new(&args))),
    anywhere(Study, "check", deed!(CheckArgs, |args| check::check(&args))),
    anywhere(Study, "plan", deed!(PlanArgs, |args| plan::plan(&args))),
    anywhere(Study, "simulate", deed!(Simulate, |args| simulate::simulate(&args))),
    anywhere(Study, "power", deed!(PowerArgs, |args| power::power(&args))),
    on_linux(Study, "run", LinuxCommand::Run),
    on_linux(Study, "console", LinuxCommand::Console),
    anywhere(Study, "render", deed!(Render, |args| render::render(&args))),
    anywhere(Study, "import-ftap", deed!(ImportFtap, |args| import_ftap::import_ftap(&args))),
    anywhere(Data, "status", deed!(StatusArgs, |args| status::status(&args))),
    anywhere(Data, "summary", deed!(SummaryArgs, |args| summary::summary(&args))),
    anywhere(Data, "report", deed!(TrialsReport, |args| report::report(&args))),
    anywhere(Data, "analyze", deed!(Analyze, |args| analyze::analyze(&args))),
    anywhere(Data, "export", deed!(Export, |args| export::export(&args))),
    anywhere(Data, "verify", deed!(Verify, |args| verify::verify(&args))),
    anywhere(Data, "backup", deed!(Backup, |args| backup::backup(&args))),
    anywhere(Data, "pack", deed!(Pack, |args| pack::pack(&args))),
    anywhere(Data, "open", deed!(Open, |args| open::open(&args))),
    anywhere(Data, "correct", deed!(Correct, |args| correct::correct(&args))),
    anywhere(Data, "dropout", deed!(Dropout, |args| dropout::dropout(&args))),
    anywhere(Data, "withdraw", deed!(Withdraw, |args| withdraw::withdraw(&args))),
    anywhere(Data, "repair", deed!(Repair, |args| repair::repair(&args))),
    anywhere(Data, "recover", deed!(Recover, |args| recover::recover(&args))),
    anywhere(Data, "replay", deed!(Replay, |args| replay::replay(&args))),
    anywhere(Data, "ear", deed!(EarArgs, |args| ear::ear(&args))),
    on_linux(Data, "play", LinuxCommand::Play),
    anywhere(Data, "align", deed!(Align, |args| align::align(&args))),
    anywhere(Data, "gather", deed!(Gather, |args| gather::gather(&args))),
    anywhere(Data, "merge", deed!(Merge, |args| merge::merge(&args))),
    anywhere(Data, "import-taps", deed!(ImportTaps, |args| import_taps::import_taps(&args))),
    on_linux(Machine, "ports", LinuxCommand::Ports),
    on_linux(Machine, "monitor", LinuxCommand::Monitor),
    on_linux(Machine, "level", LinuxCommand::Level),
    on_linux(Machine, "threshold", LinuxCommand::Threshold),
    on_linux(Machine, "doctor", LinuxCommand::Doctor),
    on_linux(Machine, "timing", LinuxCommand::Timing),
    on_linux(Machine, "passport", LinuxCommand::Passport),
    on_linux(Machine, "load", LinuxCommand::Load),
    on_linux(Machine, "lsl", LinuxCommand::Lsl),
    on_linux(Machine, "listen", LinuxCommand::Listen),
    anywhere(Machine, "completions", deed!(Completions, |args| completions::completions(&args))),
    anywhere(Machine, "man", deed!(Man, |args| man::man(&args))),
];

impl CommandRow {
    /// What it does here; `None` where it is not there.
    fn deed(&self) -> Option<Deed> {
        match self.does {
            Does::Anywhere(deed) => Some(deed),
            Does::OnLinux(command) => here().on_linux(command),
        }
    }

    fn command(&self) -> Option<Command> {
        self.deed().map(|deed| (deed.with)(Command::new(self.name)))
    }
}

/// The whole command line.
pub fn command() -> Command {
    let top = Arguments::command().version(here().version()).help_template(help());
    top.subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(ROWS.iter().filter_map(CommandRow::command))
}

/// What was given on a command line, its first word the name of the program.
///
/// # Errors
/// What clap says: also help and version.
pub fn given(
    line: impl IntoIterator<Item = OsString>,
) -> Result<(ArgMatches, GivenDeed), clap::Error> {
    let mut command = command().subcommands(elsewhere().map(stand_in));
    let line: Vec<OsString> = line.into_iter().collect();
    refuse_typographic(&mut command, &line)?;
    let all = command.try_get_matches_from_mut(line)?;
    let named = all.subcommand().and_then(|(name, given)| Some((row(name)?, given)));
    let (row, of_it) = named.expect("clap gives one of the commands");
    let deed = match row.deed() {
        Some(deed) => (deed.given)(of_it).map_err(|error| error.format(&mut command))?,
        None => Box::new(|| not_here(row.name)),
    };
    Ok((all, deed))
}

/// A dash of an editor in the place of two stands before no file.
fn refuse_typographic(command: &mut Command, line: &[OsString]) -> Result<(), clap::Error> {
    let words: Vec<String> =
        line.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if !words.iter().any(|word| word.starts_with(['\u{2013}', '\u{2014}'])) {
        return Ok(());
    }
    let command_of = called::command(&words).0;
    let found = words.iter().find_map(|word| Some((word, called::typographic(word, &command_of)?)));
    found.map_or(Ok(()), |(word, name)| {
        let message = format!("'{word}' begins with a typographic dash; write --{name}");
        Err(command.error(clap::error::ErrorKind::UnknownArgument, message))
    })
}

fn row(name: &str) -> Option<&'static CommandRow> {
    ROWS.iter().find(|row| row.name == name)
}

/// The commands that are on Linux alone, and this is another system.
fn elsewhere() -> impl Iterator<Item = &'static CommandRow> {
    ROWS.iter().filter(|row| row.deed().is_none() && here().lacked(row.name).is_none())
}

/// Takes whatever is given to a command that is not here, so that it can be told.
fn stand_in(row: &CommandRow) -> Command {
    let all = Arg::new("all").num_args(0..).trailing_var_arg(true).allow_hyphen_values(true);
    Command::new(row.name).hide(true).disable_help_flag(true).arg(all.action(ArgAction::Append))
}

fn not_here(name: &str) -> anyhow::Result<CommandVerdict> {
    bail!("{name}: this command is on Linux alone; `chronotap --help` lists those that are here")
}

/// The program's help, with a list for each group. A heading begins with "Commands".
fn help() -> String {
    let last = list("machine", group(Machine));
    let lists = [list("study", without_help(Study)), list("data", without_help(Data)), last];
    let (lists, options) = (lists.concat(), heading("Options"));
    let elsewhere = match elsewhere().map(|row| row.name).collect::<Vec<_>>() {
        none if none.is_empty() => String::new(),
        names => format!("{}\n{}\n\n", heading("Commands on Linux alone"), in_lines(&names)),
    };
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{lists}{elsewhere}{options}\n{{options}}"
    )
}

fn in_lines(names: &[&str]) -> String {
    broken(&names.join(", "), "  ", "  ").join("\n")
}

fn without_help(list: HelpList) -> Command {
    group(list).disable_help_subcommand(true)
}

fn group(list: HelpList) -> Command {
    let rows = ROWS.iter().filter(|row| row.list == list);
    let group = Command::new("chronotap").max_term_width(80).help_template("{subcommands}");
    group.subcommands(rows.filter_map(CommandRow::command))
}

fn list(of: &str, mut group: Command) -> String {
    let commands = group.render_help().ansi().to_string();
    format!("{}\n{}\n\n", heading(&format!("Commands for your {of}")), commands.trim_end())
}

fn heading(text: &str) -> String {
    let style = *clap::builder::Styles::styled().get_header();
    format!("{style}{text}:{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &str) -> GivenDeed {
        given(line.split(' ').map(OsString::from)).unwrap().1
    }

    #[test]
    fn a_command_of_linux_is_listed_elsewhere_and_says_so_whatever_it_is_given() {
        for line in ["chronotap run", "chronotap run x.toml --in pad=alsa:Pad --help"] {
            let said = typed(line)().unwrap_err().to_string();
            assert!(said.starts_with("run: this command is on Linux alone"), "{line}: {said}");
        }
        let help = command().render_help().to_string();
        let (_, linux) = help.split_once("Commands on Linux alone:\n  demo, run, ").expect(&help);
        assert!(linux.contains("listen\n\nOptions:"), "{help}");
    }

    #[test]
    fn each_command_has_one_row() {
        let mut names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROWS.len());
    }
}
