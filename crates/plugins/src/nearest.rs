//! The installed plugin that was probably meant.
#![cfg_attr(not(feature = "lv2"), allow(dead_code, reason = "nothing is installed without"))]

/// Further apart than this it is another plugin: 0 is nothing in common, 1 the same.
const LIKENESS: f64 = 0.7;

/// `did you mean URI? `, or nothing. URIs share their beginnings, so that it is the last
/// part that tells them apart; what was given may be that part alone.
pub(crate) fn nearest<'a>(given: &str, installed: impl Iterator<Item = &'a str>) -> String {
    let likeness = |uri: &str| strsim::jaro_winkler(tail(given), tail(uri));
    let ranked = installed.map(|uri| (likeness(uri), uri));
    let best = ranked.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|best| best.0 > LIKENESS);
    best.map_or(String::new(), |(_, uri)| format!("did you mean {uri}? "))
}

/// What follows the last `/`, `#` or `:`.
fn tail(uri: &str) -> &str {
    uri.rsplit(['/', '#', ':']).next().unwrap_or(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_keyboard_is_told_from_another_plugin() {
        let installed = ["http://lv2plug.in/plugins/eg-amp", "http://lv2plug.in/plugins/eg-fifths"];
        let of = |given| nearest(given, installed.into_iter());
        assert_eq!(
            of("http://lv2plug.in/plugin/eg-apm"),
            format!("did you mean {}? ", installed[0])
        );
        assert_eq!(of("eg-fifth"), format!("did you mean {}? ", installed[1]));
        assert_eq!(of("http://guitarix.sourceforge.net/plugins/gx_zita_rev1_stereo"), "");
    }
}
