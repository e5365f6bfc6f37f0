//! Plugins of the Debian package `lv2-examples`. Run by `make test-all`, which installs it and
//! builds with `--features lv2`; passed over where it is missing.

use assert_no_alloc::assert_no_alloc;
use chronotap_bench::plugins::{Lv2, PluginError};
use chronotap_testkit::pass_over;

mod common;
mod dsp_lv2;
mod faust_lv2;

/// Traps allocation where a test forbids it, in that thread; elsewhere it does nothing.
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;

const AMP: &str = "http://lv2plug.in/plugins/eg-amp";
const FRAMES: u32 = 64;

/// The plugin, or that it is passed over.
fn found(uri: &str) -> Option<Lv2> {
    match Lv2::find(uri, FRAMES) {
        Ok(plugin) => Some(plugin),
        Err(error) => {
            pass_over(error);
            None
        }
    }
}

#[test]
fn an_amplifier_at_its_default_of_0_db_gives_back_what_it_is_given() {
    let Some(amp) = found(AMP) else { return };
    let mut instance = amp.instance(48_000).expect("an instance");
    let noise: Vec<f32> = (0..FRAMES).map(|n| (n as f32 * 0.37).sin()).collect();
    instance.process(&noise);
    assert_eq!(instance.outputs().collect::<Vec<_>>(), [noise.as_slice()]);
}

#[test]
fn a_period_allocates_nothing_whatever_ports_there_are() {
    for name in ["eg-amp", "eg-fifths", "eg-metro", "eg-scope#Stereo"] {
        let Some(plugin) = found(&format!("http://lv2plug.in/plugins/{name}")) else { return };
        let mut instance = plugin.instance(48_000).expect("an instance");
        let noise = [0.25; FRAMES as usize];
        assert_no_alloc(|| (0..100).for_each(|_| instance.process(&noise)));
    }
}

#[test]
fn what_is_not_installed_is_refused_with_the_nearest_that_is() {
    let Some(_) = found(AMP) else { return };
    let why = |uri: &str| Lv2::find(uri, FRAMES).map(drop).expect_err("no such plugin");
    let near = why("http://lv2plug.in/plugins/eg-apm");
    assert!(
        matches!(&near, PluginError::Unknown { nearest: Some(one), .. } if one == AMP),
        "{near}"
    );
    let all = why("");
    assert!(
        matches!(&all, PluginError::Unnamed { installed } if installed.iter().any(|one| one == AMP))
    );
}
