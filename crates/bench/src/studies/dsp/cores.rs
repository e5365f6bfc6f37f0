//! Which cores the tracks take, and in which order.

use chronotap_linux::machine::cpu_list;

/// Isolated cores first (`isolcpus=`, as the kernel lists them: `2-3,5`), since nothing
/// else runs there; then the others from the last, since the first has most interrupts.
pub(super) fn in_order(isolated: &str, usable: &[usize]) -> Vec<usize> {
    let isolated = cpu_list(isolated).unwrap_or_default();
    let mut order: Vec<usize> = isolated.into_iter().map(|core| core as usize).collect();
    let others: Vec<usize> =
        usable.iter().rev().copied().filter(|core| !order.contains(core)).collect();
    order.extend(others);
    order
}

/// The core of each of so many tracks; where there are more than cores, they go round again.
pub(super) fn of_tracks(cores: &[usize], tracks: usize) -> Vec<usize> {
    cores.iter().cycle().take(tracks).copied().collect()
}

/// How many different cores the tracks have, where some of them share one.
pub(super) fn shared(cores: &[usize]) -> Option<usize> {
    let different = cores.iter().collect::<std::collections::BTreeSet<_>>().len();
    (different < cores.len()).then_some(different)
}

/// What the kernel has isolated; empty where nothing.
pub(super) fn isolated() -> String {
    std::fs::read_to_string("/sys/devices/system/cpu/isolated").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn isolated_cores_come_first_and_the_first_core_last() {
        assert_eq!(in_order("\n", &[0, 1, 2]), [2, 1, 0]);
        assert_eq!(in_order("2-3,5\n", &[0, 1, 4]), [2, 3, 5, 4, 1, 0]);
        assert_eq!(in_order("1\n", &[0, 1]), [1, 0]);
    }

    #[test]
    fn tracks_beyond_the_number_of_cores_share_them_in_turn() {
        assert_eq!(of_tracks(&[3, 1], 5), [3, 1, 3, 1, 3]);
        assert_eq!(shared(&of_tracks(&[3, 1], 5)), Some(2));
        assert_eq!(shared(&of_tracks(&[3, 1], 2)), None);
    }
}
