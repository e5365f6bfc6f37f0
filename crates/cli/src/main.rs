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

use args::{Arguments, Command};
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
        Command::Run(run) if run.session.paged => says::begun_from_a_page,
        _ => says::in_full,
    }
}

fn run(command: Command) -> anyhow::Result<Verdict> {
    match command {
        Command::Demo(demo) => commands::demo::demo(&demo),
        Command::New(new) => commands::new::new(&new),
        Command::Check(check) => commands::check::check(&check),
        Command::Plan(plan) => commands::plan::plan(&plan),
        Command::Run(run) => commands::run::run(*run),
        Command::Console(console) => commands::console::console(&console),
        Command::Simulate(simulate) => commands::simulate::simulate(&simulate),
        Command::Render(render) => commands::render::render(&render),
        Command::Play(play) => commands::play::play(&play),
        Command::Level(level) => commands::level::level(&level),
        Command::Replay(replay) => commands::replay::replay(&replay),
        Command::Summary(summary) => commands::summary::summary(&summary),
        Command::Recover(recover) => commands::recover::recover(&recover),
        Command::Analyze(analyze) => commands::analyze::analyze(&analyze),
        Command::Report(report) => commands::report::report(&report),
        Command::Export(export) => commands::export::export(&export),
        Command::Gather(gather) => commands::gather::gather(&gather),
        Command::Merge(merge) => commands::merge::merge(&merge),
        Command::Align(align) => commands::align::align(&align),
        #[cfg(feature = "lsl")]
        Command::Lsl(lsl) => commands::lsl::lsl(&lsl),
        #[cfg(feature = "lsl")]
        Command::Listen(listen) => commands::listen::listen(&listen),
        Command::Power(power) => commands::power::power(&power),
        Command::ImportFtap(import) => commands::import_ftap::import_ftap(&import),
        Command::ImportTaps(import) => commands::import_taps::import_taps(&import),
        Command::Status(status) => commands::status::status(&status),
        Command::Verify(verify) => commands::verify::verify(&verify),
        Command::Repair(repair) => commands::repair::repair(&repair),
        Command::Pack(pack) => commands::pack::pack(&pack),
        Command::Open(open) => commands::open::open(&open),
        Command::Backup(backup) => commands::backup::backup(&backup),
        Command::Correct(correct) => commands::correct::correct(&correct),
        Command::Dropout(dropout) => commands::dropout::dropout(&dropout),
        Command::Withdraw(withdraw) => commands::withdraw::withdraw(&withdraw),
        Command::Ports(ports) => commands::ports::ports(&ports),
        Command::Monitor(monitor) => commands::monitor::monitor(&monitor),
        Command::Timing(timing) => commands::timing::timing(&timing),
        Command::Passport(passport) => commands::timing::passport::passport(&passport),
        Command::Load(load) => commands::load::load(&load),
        Command::Doctor(doctor) => commands::doctor::doctor(&doctor),
        Command::Completions(shell) => commands::completions::completions(&shell),
        Command::Man(man) => commands::man::man(&man),
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
