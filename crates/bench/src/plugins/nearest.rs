//! The installed plugin that was probably meant.
#![cfg_attr(not(feature = "lv2"), allow(dead_code, reason = "nothing is installed without"))]

/// The URI that was meant, or none. URIs share their beginnings, so that it is the last
/// part that tells them apart; what was given may be that part alone.
pub(crate) fn nearest<'a>(given: &str, installed: impl Iterator<Item = &'a str>) -> Option<String> {
    let installed: Vec<&str> = installed.collect();
    let best = chronotap_core::text::nearest(tail(given), installed.iter().map(|uri| tail(uri)));
    let meant = best.and_then(|best| installed.iter().find(|uri| tail(uri) == best));
    meant.map(|uri| (*uri).to_owned())
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
        assert_eq!(of("http://lv2plug.in/plugin/eg-apm").as_deref(), Some(installed[0]));
        assert_eq!(of("eg-fifth").as_deref(), Some(installed[1]));
        assert_eq!(of("http://guitarix.sourceforge.net/plugins/gx_zita_rev1_stereo"), None);
    }
}
