//! The commands, in the three groups in which the help lists them: what is done with a study, with data, with the
//! machine. What each takes is described beside its arguments.

use super::*;
use clap::Subcommand;

// Without comments of their own the commands take those of their arguments: the
// first line for the list, all of it for their own help.
#[derive(Debug, Subcommand)]
pub enum Command {
    #[command(flatten)]
    Study(StudyCommand),
    #[command(flatten)]
    Data(DataCommand),
    #[command(flatten)]
    Machine(MachineCommand),
}

/// What is done with a study before and while there are participants.
#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    Demo(Demo),
    New(New),
    Check(Check),
    Plan(Plan),
    Simulate(Simulate),
    Power(Power),
    Run(Box<Run>),
    Console(Console),
    Render(Render),
    ImportFtap(ImportFtap),
}

/// What is done with what was recorded.
#[derive(Debug, Subcommand)]
pub enum DataCommand {
    Status(Status),
    Summary(SummaryArgs),
    Report(TrialsReport),
    Analyze(Analyze),
    Export(Export),
    Verify(Verify),
    Backup(Backup),
    Pack(Pack),
    Open(Open),
    Correct(Correct),
    Dropout(Dropout),
    Withdraw(Withdraw),
    Repair(Repair),
    Recover(Recover),
    Replay(Replay),
    Play(Play),
    Align(Align),
    Gather(Gather),
    Merge(Merge),
    ImportTaps(Box<ImportTaps>),
}

/// What is done with this computer, its ports and other recorders.
#[derive(Debug, Subcommand)]
pub enum MachineCommand {
    Ports(Ports),
    Monitor(Monitor),
    Level(Level),
    Doctor(Doctor),
    Timing(Timing),
    Passport(PassportArgs),
    Load(LoadArguments),
    #[cfg(feature = "lsl")]
    Lsl(Lsl),
    #[cfg(feature = "lsl")]
    Listen(Listen),
    Completions(Completions),
    Man(Man),
}

/// The program's help, with a list for each group. A heading begins with "Commands".
pub(super) fn help() -> String {
    let study =
        list("study", StudyCommand::augment_subcommands(group()).disable_help_subcommand(true));
    let data =
        list("data", DataCommand::augment_subcommands(group()).disable_help_subcommand(true));
    let machine = list("machine", MachineCommand::augment_subcommands(group()));
    let options = heading("Options");
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{study}{data}{machine}{options}\n{{options}}"
    )
}

fn group() -> clap::Command {
    clap::Command::new("chronotap").max_term_width(80).help_template("{subcommands}")
}

fn list(of: &str, mut group: clap::Command) -> String {
    let commands = group.render_help().ansi().to_string();
    format!("{}\n{}\n\n", heading(&format!("Commands for your {of}")), commands.trim_end())
}

fn heading(text: &str) -> String {
    let style = *clap::builder::Styles::styled().get_header();
    format!("{style}{text}:{style:#}")
}
