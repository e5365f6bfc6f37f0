//! `chronotap load`: gives the machine something to do, as the timing tests do beside
//! their measuring. They start this command themselves.

use crate::CommandVerdict;
use crate::args::LoadArguments;
use crate::commands::take_over_ctrl_c;
use crate::says::{Says, Terminal};
use crate::screen::{remark, say, say_data, wrapped};
use anyhow::{Result, anyhow};
use chronotap_bench::studies::Load;
use chronotap_bench::studies::loads::{LoadLimits, LoadWork, Until, perform};
use serde_json::json;

pub fn load(args: &LoadArguments) -> Result<CommandVerdict> {
    let limits = limits(args);
    let Some(name) = &args.name else {
        list(&limits);
        return Ok(CommandVerdict::Passed);
    };
    let load: Load = name.parse()?;
    let interrupt = take_over_ctrl_c()?;
    let until = Until { interrupt, input_ends: args.until_input_ends };
    let begun = || match args.json {
        true => say_data(json!({ "begun": load })),
        false => remark(format!("{load} for {} s; Ctrl-C ends it", args.seconds)),
    };
    let work = perform(load, &limits, until, begun)?;
    match args.json {
        true => say_data(json!(work)),
        false => say(sentence(load, &work)),
    }
    match work.failed {
        Some(why) => Err(anyhow!("load {load} ended early: {why}")),
        None => Ok(CommandVerdict::Passed),
    }
}

fn limits(args: &LoadArguments) -> LoadLimits {
    let limits = LoadLimits::default();
    LoadLimits {
        seconds: args.seconds,
        cpu: args.cpu,
        size_mb: args.size_mb,
        sync: args.sync,
        card: args.card.clone(),
        dir: args.dir.clone().unwrap_or(limits.dir),
        ..limits
    }
}

fn list(limits: &LoadLimits) {
    for load in Load::ALL {
        say(format!("{:<14} {}", load.name(), load.describe()));
        if let Err(why) = load.available(limits) {
            say(wrapped(&format!("unavailable: {}", why.says(Terminal)), "               "));
        }
    }
}

/// What it did: `arithmetic, 10.0 s: cpu 19.8 s; additions 1.5e10`.
fn sentence(load: Load, work: &LoadWork) -> String {
    let done = work.done.iter().map(|(what, amount)| match *amount < 1e6 {
        true => format!("; {what} {amount:.0}"),
        false => format!("; {what} {amount:.2e}"),
    });
    let done: String = done.collect();
    let (elapsed, cpu) = (work.elapsed_s, work.cpu_s);
    wrapped(&format!("{load}, {elapsed:.1} s: cpu {cpu:.1} s{done}"), "")
}
