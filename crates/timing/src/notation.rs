//! [`NOTATION`]: every number that a test leaves, with its definition. The page, the
//! manual and the summary quote it, so that they cannot differ. A test that leaves a
//! new figure adds its line here.

/// One name and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The name, as in tables and files.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// As a formula, where that says more; otherwise empty.
    pub formula: &'static str,
}

pub(crate) const fn term_of(
    name: &'static str,
    meaning: &'static str,
    formula: &'static str,
) -> Term {
    Term { name, meaning, formula }
}

/// Every name, quantities first, then statistics, then figures.
pub const NOTATION: &[Term] = &[
    term_of("clock step", "From one clock read to the next.", "t[k+1] - t[k]"),
    term_of(
        "lateness",
        "A wake-up minus the time asked for; the clock is read after it.",
        "t[k] - deadline[k]",
    ),
    term_of(
        "corrected lateness",
        "Lateness with one sample more for each period that a late wake-up missed, so that a stall counts as long as it lasted (Tene's correction of coordinated omission).",
        "L, L - T, L - 2T, ... while positive",
    ),
    term_of("pause", "The length of a wait, from the call to its return.", "t(return) - t(call)"),
    term_of(
        "interval deviation",
        "From one periodic interrupt to the next, minus the nominal period. One late interrupt gives a positive and then a negative deviation, so that the distribution is symmetric and its variance twice that of the lateness.",
        "t[k+1] - t[k] - 1/f",
    ),
    term_of(
        "message interval",
        "From one message that came in to the next, stamp to stamp.",
        "s[k+1] - s[k]",
    ),
    term_of(
        "round trip",
        "From the end of a message's write to the stamp of its return.",
        "s - t(written)",
    ),
    term_of(
        "DSP cycle",
        "From the start of a period's computing to its end, on all tracks together; in a card, its callback.",
        "t(end) - t(start)",
    ),
    term_of(
        "fragment cycle",
        "From the return of one write to the sound device to that of the next (Senoner's white line); ideally the time that a fragment plays (yellow).",
        "t(written[k+1]) - t(written[k])",
    ),
    term_of(
        "fragment loop",
        "The computing before a write, always the same number of turns (his green line).",
        "t(end) - t(begin)",
    ),
    term_of(
        "audio round trip",
        "From a frame's output to its return at the input, by the phases of thirteen tones; one sample for each reading of the meter.",
        "frames / fs",
    ),
    term_of(
        "tap to sound",
        "From a tap to the sound that answers it, and each step on the way: pad and interface (the tap as it is heard, to the stamp of its message), kernel to program (to when it was read), program (to when the answer was handed to the card's thread), card (to its first frame at the converter), converter and cable (to the sound as it is heard). The steps of a tap add up to its total.",
        "",
    ),
    term_of(
        "pad delay",
        "From a strike on the pad, as a microphone on it hears it, to the stamp of its first message, in bands of force: how far the strike's peak lies below that of the hardest strike.",
        "",
    ),
    term_of(
        "gap",
        "A step of the clock beyond the limit, from one read of a busy loop to the next: time that interrupts, the kernel, other threads, the firmware or the host took from it.",
        "t[k+1] - t[k] > gap_us",
    ),
    term_of("n", "How many samples.", ""),
    term_of("min", "The least sample.", ""),
    term_of("mean", "The arithmetic mean; exact.", "sum x / n"),
    term_of("SD", "The standard deviation with n - 1; exact.", "sqrt(sum (x - mean)^2 / (n - 1))"),
    term_of(
        "median",
        "The least value that at least half of all samples do not exceed.",
        "p = 0.5",
    ),
    term_of(
        "p90",
        "The least value that at least 90 % of all samples do not exceed; quantiles are exact below 2 us and within a 1,024th above.",
        "p = 0.9",
    ),
    term_of("p99", "The same with 99 %.", "p = 0.99"),
    term_of("p99.9", "The same with 99.9 %.", "p = 0.999"),
    term_of(
        "max",
        "The greatest sample. One sample decides it: it says what can happen, not how often. Of another program's table, `> 400 us` is a sample beyond its end.",
        "",
    ),
    term_of("messages", "Messages of the loop test that came in.", ""),
    term_of("messages_per_s", "Messages a second, first to last.", ""),
    term_of(
        "faults",
        "Messages of the loop test that were lost, doubled, changed, out of order, unknown or refused.",
        "",
    ),
    term_of(
        "missed_periods",
        "Periods of a test on fixed deadlines that went by while a late wake-up had not come.",
        "",
    ),
    term_of(
        "overhead_ns",
        "What the measuring itself adds to a sample: its loop between two clock reads, without a wait.",
        "",
    ),
    term_of("clock_read_ns", "How long one read of the clock takes.", ""),
    term_of(
        "minor_faults",
        "Pages of memory that the measuring thread was given while it measured; each may cost microseconds.",
        "",
    ),
    term_of(
        "major_faults",
        "Pages that had to be read from a disk; each may cost milliseconds.",
        "",
    ),
    term_of(
        "involuntary_switches",
        "How often the measuring thread was stopped for another one.",
        "",
    ),
    term_of("runs", "How many runs a series is made of.", ""),
    term_of("run_mean_least_ns", "The least mean of a run.", ""),
    term_of("run_mean_greatest_ns", "The greatest mean of a run.", ""),
    term_of("run_mean_sd_ns", "The standard deviation of the runs' means.", ""),
    term_of(
        "above_10_us",
        "Clock steps of more than 10 us: the program was stopped so often, about.",
        "",
    ),
    term_of("above_1_ms", "Clock steps of more than 1 ms.", ""),
    term_of(
        "throttle_gaps",
        "Clock steps of 40 to 60 ms a second apart: the kernel's real-time throttling.",
        "",
    ),
    term_of("resolution_ns", "What the system states as the clock's resolution.", ""),
    term_of("smallest_step_ns", "The least difference above 0 between two reads of the clock.", ""),
    term_of("cost_ns", "How long a read of the clock takes, the least mean of five.", ""),
    term_of("system_call_ns", "How long a read takes that enters the kernel.", ""),
    term_of(
        "in_user_space",
        "1 where a clock is read without entering the kernel (vDSO), else 0.",
        "",
    ),
    term_of("smallest_pause_ns", "The shortest pause that a way to wait made in fact.", ""),
    term_of(
        "cpu_share",
        "Processor time that the waiting thread used, as a share of the time.",
        "",
    ),
    term_of(
        "left_to_others_share",
        "What a computing program on the same processor got of it meanwhile; 1 where the wait leaves it all.",
        "",
    ),
    term_of("guard_ns", "How long before the deadline a sleep ends, where the rest is spun.", ""),
    term_of("spun_ns", "Time spent reading the clock instead of sleeping.", ""),
    term_of(
        "spins_refused",
        "Waits whose spin was cut short, because it would have taken too much of the processor.",
        "",
    ),
    term_of("spin_share", "Time spent reading the clock instead of sleeping, as a share.", ""),
    term_of(
        "past_guard",
        "Sleeps that ended only after the deadline, so that nothing was left to spin.",
        "",
    ),
    term_of(
        "period_ns",
        "The mean interval between beats, fitted by least squares over all of them.",
        "T of t[k] = a + k T",
    ),
    term_of(
        "clock_offset_ppm",
        "How far the fitted period is from 1/f, in millionths: the timer's calibration against the clock.",
        "(T f - 1) 10^6",
    ),
    term_of("clock_offset_error_ppm", "The standard error of that.", ""),
    term_of(
        "centre_offset_ns",
        "The median interval deviation: where the histogram's centre is.",
        "",
    ),
    term_of("centre_offset_periods", "The same in units of 1/f.", ""),
    term_of(
        "beyond_one_period_share",
        "The share of interval deviations beyond one period, on either side.",
        "",
    ),
    term_of("skipped_beats", "Beats of the source that never reached the program.", ""),
    term_of(
        "lost_interrupts",
        "Interrupts that the source's driver did not count either: from each on, all beats came a whole period later.",
        "",
    ),
    term_of(
        "variance_ratio",
        "The variance of the interval deviations by that of the lateness: 2 where one beat's lateness says nothing of the next one's.",
        "",
    ),
    term_of(
        "carrier_hz",
        "The frequency of the oscillator that the beats make when an output is toggled at each: half their rate.",
        "",
    ),
    term_of(
        "carrier_share",
        "The share of the oscillator's power that stays in phase over the whole run; with independent normal lateness of SD s it is as here.",
        "exp(-(2 pi carrier s)^2)",
    ),
    term_of("line_width_hz", "The width of its line at half its height.", ""),
    term_of("line_width_error_hz", "The error of the width.", ""),
    term_of("line_resolution_hz", "The narrowest line that a run of this length could show.", ""),
    term_of(
        "line_resolved",
        "1 where the line is wider than that, else 0: then it is narrower than can be told.",
        "",
    ),
    term_of(
        "phase_deg",
        "How late a servo loop acts on average, in degrees of its period.",
        "360 f mean",
    ),
    term_of(
        "jitter_deg",
        "The standard deviation of how late it acts, in degrees of its period.",
        "360 f SD",
    ),
    term_of("ahead_ns", "How long before the beat a closed loop asked to be woken in the end.", ""),
    term_of("reported_mean_ns", "The mean as the other program stated it.", ""),
    term_of(
        "beyond_the_table",
        "Samples that the other program's table had no place for; counted at its end.",
        "",
    ),
    term_of(
        "noise_share",
        "What gaps took of the time for which a loop was busy.",
        "sum of gaps / watched_ns",
    ),
    term_of("watched_ns", "How long a loop was busy in all.", ""),
    term_of("clock_reads", "How often it read the clock.", ""),
    term_of("interrupts", "Interrupts on its processor during the test, while it slept too.", ""),
    term_of("softirqs", "The kernel's own deferred work there, by the same count.", ""),
    term_of(
        "stolen_ns",
        "What the host took of the processor, as far as it tells; in steps of 10 ms.",
        "",
    ),
    term_of(
        "smi",
        "How often the firmware took the processor from the kernel (system-management interrupts), by the register of Intel's processors.",
        "",
    ),
    term_of("load_s", "How long the load ran beside the test.", ""),
    term_of("load_cpu_s", "Processor time that it used.", ""),
    term_of(
        "within_1_ms_share",
        "The share of fragment cycles within 1 ms of the time that a fragment plays.",
        "",
    ),
    term_of(
        "overruns",
        "Fragment cycles that took longer than the whole buffer plays (his red line).",
        "",
    ),
    term_of(
        "dropouts",
        "Writes that found the device with nothing left to play; of a sound card, its xruns.",
        "",
    ),
    term_of(
        "late_writes",
        "Writes that found a fragment free already, and something left to play: late, and not heard.",
        "left <= (n - 1) fragments",
    ),
    term_of(
        "least_left_ns",
        "The least that the device had left to play when a write came, by its own account.",
        "",
    ),
    term_of("within_2_ms_share", "The same within 2 ms.", ""),
    term_of(
        "within_0_1_ms_share",
        "The share of fragment loops within 0.1 ms of the calibrated time.",
        "",
    ),
    term_of("within_0_2_ms_share", "The same within 0.2 ms.", ""),
    term_of("fragment_ns", "The time that a fragment plays.", ""),
    term_of("buffer_ns", "The time that the whole buffer of fragments plays.", ""),
    term_of("ideal_ns", "What the computing of a fragment loop takes undisturbed.", ""),
    term_of(
        "nominal_period_ns",
        "The time from one deadline of the virtual card to the next, or a card's period.",
        "",
    ),
    term_of("frames_per_s", "Frames of sound a second.", ""),
    term_of("buffer_periods", "Periods of the card's buffer.", ""),
    term_of(
        "latest_start_ns",
        "The greatest time from a deadline to the start of its computing.",
        "",
    ),
    term_of("tried_runs", "Runs that the search made, those with xruns included.", ""),
    term_of(
        "stray_runs",
        "Runs of the very number given that had an xrun, besides its three clean ones.",
        "",
    ),
    term_of(
        "confirmed",
        "1 where the number given had its three clean runs, 0 where an interruption came first.",
        "",
    ),
    term_of("round_trip_ns", "The same as a time.", ""),
    term_of("sd_frames", "The standard deviation of the meter's readings in frames.", ""),
    term_of("gain", "The amplitude that comes back, as a share of that sent.", ""),
    term_of("inverted", "1 where the loop turns the signal upside down.", ""),
    term_of(
        "noise",
        "Root mean square of what came back and is no tone of ours, full scale being 1.",
        "",
    ),
    term_of("window_s", "Seconds of sound that a reading of the meter is made of.", ""),
    term_of("xruns", "Periods that the card missed meanwhile.", ""),
    term_of(
        "unreported_frames",
        "Whole frames of the round trip beyond the latencies that the card, or its server, reports of its output and its input: what jack_iodelay calls extra loopback latency.",
        "floor(round_trip_frames) - reported latencies",
    ),
    term_of(
        "calibration_ns",
        "What was measured without the device under test, and is subtracted.",
        "",
    ),
    term_of("own_ns", "The audio round trip less the calibration, as a time.", ""),
    term_of(
        "round_trip_frames",
        "The audio round trip in frames, of the longest window that agrees; less the calibration where there is one.",
        "",
    ),
    term_of(
        "own_frames",
        "What round_trip_frames is where there is a calibration.",
        "whole_loop_frames - calibration_ns fs",
    ),
    term_of(
        "whole_loop_frames",
        "The round trip of the whole loop, the instrument in it included, from which the calibration is subtracted.",
        "",
    ),
    term_of("clicks", "Clicks of another program that were heard.", ""),
    term_of("extra_clicks", "Clicks nearer to the one before than half the interval.", ""),
    term_of("strikes", "Strikes on the pad that were heard.", ""),
    term_of("missed", "Strikes without a message.", ""),
    term_of("missed_share", "The same as a share of the strikes.", "missed / strikes"),
    term_of("doubled", "Strikes with more than one message.", ""),
    term_of("doubled_share", "The same as a share of the strikes.", "doubled / strikes"),
    term_of("velocity_mean", "The mean velocity of the strikes' first messages.", ""),
    term_of(
        "second_after_ns",
        "From the first message of a doubled strike to its second, the mean.",
        "",
    ),
    term_of(
        "earlier_ns",
        "By how much it is earlier than the pad, the mean of the strikes that both answered.",
        "pad delay - its delay",
    ),
    term_of("earlier_low_ns", "The lower end of Student's 95 % interval of earlier_ns.", ""),
    term_of("earlier_high_ns", "The upper end of the same.", ""),
    term_of("pad_missed_alone", "Strikes that the pad missed and the input beside it did not.", ""),
    term_of(
        "missed_alone",
        "Strikes that the input beside the pad missed and the pad did not.",
        "",
    ),
    term_of("unstruck", "Messages without a strike in the 100 ms before them.", ""),
    term_of(
        "left_out_strikes",
        "Strikes within 100 ms of a missed period; they count nowhere.",
        "",
    ),
    term_of("taps", "Taps that came in at the port.", ""),
    term_of(
        "left_out",
        "Taps that are in no figure: their sound was not heard, had two onsets or was cut off, or the card missed a period beside them.",
        "",
    ),
    term_of("unasked_sounds", "Sounds that were heard and answer no tap.", ""),
    term_of(
        "constant_latency_ns",
        "From a tap's stamp to its answer at the converter, as the trial asks for it: a period, 0.5 ms, and what the card takes.",
        "",
    ),
    term_of(
        "clock_disagreement_ns",
        "The greatest difference between the time of an answer's first frame as it was said beforehand and as the period in which it was heard lets one compute it.",
        "",
    ),
    term_of("sound_peak", "The median of the sounds' peaks, full scale being 1.", ""),
    term_of("tap_peak", "The median of the taps' peaks.", ""),
    term_of("noise_peak", "The peak of the sound's input before the first tap.", ""),
    term_of(
        "instances_per_track",
        "The largest number of instances on each track that had three runs without an xrun, where the next number had two with one. A cycle is an xrun when it ends after the next one was due.",
        "",
    ),
    term_of(
        "dsp_load",
        "The mean share of a period that its computing took, at that number.",
        "mean DSP cycle / (frames / fs)",
    ),
    term_of(
        "load_per_instance",
        "What one instance on each track adds to the DSP load.",
        "(dsp_load - load of no instance) / instances_per_track",
    ),
    term_of(
        "searches",
        "How often the border was sought; instances_per_track is the middle one of what the searches found.",
        "",
    ),
    term_of("least_instances", "The least number of instances that a search found.", ""),
    term_of("most_instances", "The greatest number of instances that a search found.", ""),
    term_of("failed_runs", "Runs of all searches that an xrun ended.", ""),
    term_of(
        "late_xruns",
        "Those of them whose last cycle would have been in time, had it begun in time: the thread was woken late. In a card the longest of the last cycles counts, and what else its period is spent on is such a late start too.",
        "",
    ),
    term_of(
        "stalled_xruns",
        "Those whose last cycle took more than 1.5 times as long as the cycles before it: the thread was stopped on its way.",
        "",
    ),
    term_of(
        "fan_out_ns",
        "A cycle without any instance: the cost of handing the work to the tracks' threads and waiting for them; in a card, of the callback and its workers.",
        "mean DSP cycle of no instance",
    ),
];

/// The term of a name; names of figures in files are names of terms.
pub fn term(name: &str) -> Option<&'static Term> {
    NOTATION.iter().find(|term| term.name == name)
}
