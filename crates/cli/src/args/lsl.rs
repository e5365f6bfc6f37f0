//! The arguments of `chronotap lsl`.

use clap::Args;
use std::path::PathBuf;

/// Publish the events of trials as LSL streams while they run, for LabRecorder.
///
/// Begin it first. It makes a Unix socket; give its path to `--follow` of `chronotap run`, for any number of trials
/// and sessions, one after the other. Each event is published half a second after it happened,
/// when its time is settled, as a text such as pacing/metronome/12/40: kind, name, number and event_id of
/// the events file. Its time stamp is the onset of that event on the clock of LSL, which is this computer's
/// CLOCK_MONOTONIC.
///
/// This is a process of its own: a trial opens no network, and does not wait for this one. Ctrl-C ends
/// it. The exit status is 1 if it lost events or a trial broke off. See docs/recorders.md.
#[derive(Args, Debug)]
pub struct Lsl {
    /// Unix socket to be made, for --follow of `chronotap run`; or - for what comes in on standard input
    #[arg(long, value_name = "PATH")]
    pub follow: PathBuf,
    /// First word of the streams' names, NAME-events and NAME-codes: another one for each computer, or for each of two
    /// sessions side by side
    #[arg(long, value_name = "NAME", default_value = "Chronotap", value_parser = super::stream_name)]
    pub name: String,
    /// Publish the codes of the trial file as numbers, too, in a stream of their own; it stays empty where a trial has none
    #[arg(long)]
    pub codes: bool,
    /// Keep all events back until so many programs read each stream, 1 to 64
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub wait_for_consumers: Option<u8>,
    /// Be the process that has the streams, which another `chronotap lsl` starts
    #[arg(long, hide = true)]
    pub publisher: bool,
    /// What the streams are of, as JSON, which a run says to its child
    #[arg(long, hide = true, value_name = "JSON")]
    pub about: Option<String>,
    /// Be the child of a run: say less, and on standard output what is published
    #[arg(long, hide = true)]
    pub of_run: bool,
    /// Start LabRecorder with the first trial, stop it at the end, by its remote control [default PORT: 22345]
    #[arg(long, value_name = "HOST[:PORT]")]
    pub labrecorder: Option<String>,
    /// First part of the name of LabRecorder's file; the time follows [default: the first trial's title]
    #[arg(long, value_name = "NAME", requires = "labrecorder")]
    pub recording: Option<String>,
    /// End with the first trial or session
    #[arg(long)]
    pub once: bool,
}
