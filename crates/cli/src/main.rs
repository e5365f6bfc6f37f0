//! The program `chronotap`: arguments, then a command, then an exit status.
//!
//! Status 0: it went well. 1: a check or a verdict failed. 2: the program could
//! not do its work, and the last line says why and what to do.

mod args;
mod bound;
mod commands;
mod data;
mod defect;
mod longest;
mod over_trials;
mod rehearsed;
mod rules;
mod says;
mod screen;
mod terminal_frontend;
mod trial_file;
mod usage;
#[cfg(feature = "lsl")]
mod whole_lines;

use args::{Arguments, Command, DataCommand, MachineCommand, StudyCommand};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = match Arguments::try_parse() {
        Ok(arguments) => arguments.command,
        Err(error) => return usage::refuse(&error),
    };
    let in_full = words(&command);
    // Within: where a thread died of a defect, the command's own error says where the data are.
    let done = defect::told(|| run(command).map_err(|error| screen::complain(&in_full(&error))));
    let cut_short = screen::is_cut_short();
    match done {
        Some(Ok(_)) if cut_short => ExitCode::from(2),
        Some(Ok(Verdict::Passed)) => ExitCode::SUCCESS,
        Some(Ok(Verdict::Failed)) => ExitCode::from(1),
        Some(Err(())) | None => ExitCode::from(2),
    }
}

/// How an error is said: where a page has begun the command, it is shown there.
fn words(command: &Command) -> fn(&anyhow::Error) -> String {
    match command {
        Command::Study(StudyCommand::Run(run)) if run.session.paged => says::begun_from_a_page,
        _ => says::in_full,
    }
}

fn run(command: Command) -> anyhow::Result<Verdict> {
    match command {
        Command::Study(command) => of_study(command),
        Command::Data(command) => of_data(command),
        Command::Machine(command) => of_machine(command),
    }
}

fn of_study(command: StudyCommand) -> anyhow::Result<Verdict> {
    match command {
        StudyCommand::Demo(demo) => commands::demo::demo(&demo),
        StudyCommand::New(new) => commands::new::new(&new),
        StudyCommand::Check(check) => commands::check::check(&check),
        StudyCommand::Plan(plan) => commands::plan::plan(&plan),
        StudyCommand::Simulate(simulate) => commands::simulate::simulate(&simulate),
        StudyCommand::Power(power) => commands::power::power(&power),
        StudyCommand::Run(run) => commands::run::run(*run),
        StudyCommand::Console(console) => commands::console::console(&console),
        StudyCommand::Render(render) => commands::render::render(&render),
        StudyCommand::ImportFtap(import) => commands::import_ftap::import_ftap(&import),
    }
}

fn of_data(command: DataCommand) -> anyhow::Result<Verdict> {
    match command {
        DataCommand::Status(status) => commands::status::status(&status),
        DataCommand::Summary(summary) => commands::summary::summary(&summary),
        DataCommand::Report(report) => commands::report::report(&report),
        DataCommand::Analyze(analyze) => commands::analyze::analyze(&analyze),
        DataCommand::Export(export) => commands::export::export(&export),
        DataCommand::Verify(verify) => commands::verify::verify(&verify),
        DataCommand::Backup(backup) => commands::backup::backup(&backup),
        DataCommand::Pack(pack) => commands::pack::pack(&pack),
        DataCommand::Open(open) => commands::open::open(&open),
        DataCommand::Correct(correct) => commands::correct::correct(&correct),
        DataCommand::Dropout(dropout) => commands::dropout::dropout(&dropout),
        DataCommand::Withdraw(withdraw) => commands::withdraw::withdraw(&withdraw),
        DataCommand::Repair(repair) => commands::repair::repair(&repair),
        DataCommand::Recover(recover) => commands::recover::recover(&recover),
        DataCommand::Replay(replay) => commands::replay::replay(&replay),
        DataCommand::Play(play) => commands::play::play(&play),
        DataCommand::Align(align) => commands::align::align(&align),
        DataCommand::Gather(gather) => commands::gather::gather(&gather),
        DataCommand::Merge(merge) => commands::merge::merge(&merge),
        DataCommand::ImportTaps(import) => commands::import_taps::import_taps(&import),
    }
}

fn of_machine(command: MachineCommand) -> anyhow::Result<Verdict> {
    match command {
        MachineCommand::Ports(ports) => commands::ports::ports(&ports),
        MachineCommand::Monitor(monitor) => commands::monitor::monitor(&monitor),
        MachineCommand::Level(level) => commands::level::level(&level),
        MachineCommand::Doctor(doctor) => commands::doctor::doctor(&doctor),
        MachineCommand::Timing(timing) => commands::timing::timing(&timing),
        MachineCommand::Passport(passport) => commands::timing::passport::passport(&passport),
        MachineCommand::Load(load) => commands::load::load(&load),
        #[cfg(feature = "lsl")]
        MachineCommand::Lsl(lsl) => commands::lsl::lsl(&lsl),
        #[cfg(feature = "lsl")]
        MachineCommand::Listen(listen) => commands::listen::listen(&listen),
        MachineCommand::Completions(shell) => commands::completions::completions(&shell),
        MachineCommand::Man(man) => commands::man::man(&man),
    }
}

/// How a command ended that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing to complain of.
    Passed,
    /// A check, comparison or timing verdict failed.
    Failed,
}

impl Verdict {
    /// Passed where `passed`.
    pub fn of(passed: bool) -> Verdict {
        if passed { Verdict::Passed } else { Verdict::Failed }
    }
}
