//! The DSP test with a plugin of the Debian package `lv2-examples`, built with the feature
//! `lv2`; passed over where that package is missing.

use crate::common::found;
use assert_no_alloc::assert_no_alloc;
use chronotap_bench::plugins::PluginError;
use chronotap_bench::studies::DspTest;
use chronotap_bench::studies::dsp::{DspRefusal, DspTrack, Plugin, TrackLayout};
use chronotap_bench::timing::{Probe, Scheduling};
use chronotap_core::time::Nanos;
use chronotap_testkit::pass_over;

const AMP: &str = "lv2:http://lv2plug.in/plugins/eg-amp";

/// The plugin, or that it is passed over.
fn installed() -> Option<Plugin> {
    let plugin: Plugin = AMP.parse().expect("a name");
    let Err(error) = plugin.load(64, 48_000) else { return Some(plugin) };
    pass_over(error);
    None
}

#[test]
fn a_cycle_of_a_plugin_allocates_nothing() {
    let Some(plugin) = installed() else { return };
    let mut track =
        DspTrack::new(plugin.load(64, 48_000).expect("installed"), 64, TrackLayout::default());
    track.prepare(3).expect("three instances");
    assert_no_alloc(|| (0..100).for_each(|_| track.cycle()));
}

#[test]
fn a_cell_is_named_after_its_plugin_and_has_a_border_or_a_reason() {
    let Some(plugin) = installed() else { return };
    let test = DspTest {
        periods: Some(vec![512]),
        tracks: Some(vec![1]),
        plugins: Some(vec![plugin]),
        rate_hz: Some(384_000), // short periods, so that there are fewer instances to make
        scheduling: Scheduling::Ordinary,
        duration: Some(Nanos::from_millis(100)),
        ..DspTest::default()
    };
    assert!(test.available().is_ok());
    let found = found(&test);
    let [series] = &found.series[..] else { panic!("one cell: {found:?}") };
    assert_eq!(series.condition("plugin"), Some(AMP));
    match series.figures.get("confirmed") {
        Some(confirmed) => assert_eq!(*confirmed, 1.0, "{found:?}"),
        // The host may stall the very run that computes nothing.
        None => assert!(found.notes.iter().any(|note| note.contains("missed")), "{found:?}"),
    }
}

#[test]
fn what_is_not_installed_is_refused_before_anything_starts() {
    let named =
        |uri: &str| DspTest { plugins: Some(vec![Plugin::Lv2(uri.into())]), ..DspTest::default() };
    let why = named("urn:chronotap:none").available().expect_err("there is no such plugin");
    let Some(DspRefusal::Plugin(PluginError::Unknown { uri, .. })) = why.downcast_ref() else {
        panic!("{why}")
    };
    assert_eq!(uri, "urn:chronotap:none");
}
