//! [`Occasion`]: tells, count by count, whether a listed, regular or drawn beat
//! or tap has come.

use crate::random::Random;
use crate::trial::Occasions;

/// Where a trial stands in an [`Occasions`].
#[derive(Clone, Debug)]
pub struct Occasion {
    next: u32, // the next one, for Every; 0 before the first draw
    position: usize,
    random: Random,
}

impl Occasion {
    /// Nothing has come yet.
    pub fn new(random: Random) -> Occasion {
        Occasion { next: 0, position: 0, random }
    }

    /// The count begins again; what is drawn goes on.
    pub fn restart(&mut self) {
        (self.next, self.position) = (0, 0);
    }

    /// Whether count `n` is one. To be asked once for every count, ascending,
    /// from the beginning or the last restart. Where it is not `free`, a regular or drawn one
    /// is put off until it is, and one by chance is left out.
    pub fn comes_at(&mut self, n: u32, of: &Occasions, free: bool) -> bool {
        self.foresee(of);
        match of {
            Occasions::Listed(list) => self.in_list(n, list),
            Occasions::Every { from, to, .. } => self.every(n, (*from, *to), free),
            Occasions::Chance { probability, after } => {
                n > *after && self.random.uniform() < *probability && free
            }
        }
    }

    fn in_list(&mut self, n: u32, list: &[u32]) -> bool {
        while list.get(self.position).is_some_and(|&listed| listed < n) {
            self.position += 1;
        }
        list.get(self.position) == Some(&n)
    }

    /// Draws when the first one comes, so that [`Occasion::next_from`] knows it.
    pub fn foresee(&mut self, of: &Occasions) {
        if let Occasions::Every { from, to, after } = *of
            && self.next == 0
        {
            self.next = after.saturating_add(self.random.between(from, to));
        }
    }

    /// The next one from count `n` on, as far as it is known; never one by chance.
    pub fn next_from(&self, n: u32, of: &Occasions) -> Option<u32> {
        match of {
            Occasions::Listed(list) => list.get(list.partition_point(|at| *at < n)).copied(),
            Occasions::Every { .. } => (self.next > 0).then_some(self.next),
            Occasions::Chance { .. } => None,
        }
    }

    fn every(&mut self, n: u32, (from, to): (u32, u32), free: bool) -> bool {
        if n < self.next || !free {
            return false;
        }
        self.next = n.saturating_add(self.random.between(from, to).max(1));
        true
    }
}

/// Whether count `n` lies at least `apart` counts from those that came, and from those to come. Each
/// that came has a distance of its own, and the greater of two holds.
pub fn is_apart(
    n: u32,
    apart: u32,
    mut came: impl Iterator<Item = (u32, u32)>,
    mut to_come: impl Iterator<Item = u32>,
) -> bool {
    let far = |other: u32, apart: u32| other.abs_diff(n) >= apart;
    let far_from = |(other, own): (u32, u32)| far(other, apart.max(own));
    apart == 0 || (came.all(far_from) && to_come.all(|other| far(other, apart)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn which(of: &Occasions) -> Vec<u32> {
        let mut occasion = Occasion::new(Random::named(7, "test"));
        (1..=100).filter(|&n| occasion.comes_at(n, of, true)).collect()
    }

    #[test]
    fn listed_ones_come_once_each() {
        assert_eq!(which(&Occasions::Listed(vec![3, 15, 200])), [3, 15]);
    }

    #[test]
    fn every_fourth_after_ten_is_fourteen_eighteen_and_so_on() {
        let every = which(&Occasions::Every { from: 4, to: 4, after: 10 });
        assert_eq!(every[..3], [14, 18, 22]);
    }

    #[test]
    fn drawn_ones_keep_their_distances() {
        let drawn = which(&Occasions::Every { from: 8, to: 12, after: 20 });
        assert!((28..=32).contains(&drawn[0]));
        assert!(drawn.windows(2).all(|w| (8..=12).contains(&(w[1] - w[0]))));
    }

    #[test]
    fn what_is_not_free_is_put_off_or_left_out() {
        let which = |of: &Occasions| -> Vec<u32> {
            let mut occasion = Occasion::new(Random::named(7, "test"));
            (1..=20).filter(|&n| occasion.comes_at(n, of, !(8..=9).contains(&n))).collect()
        };
        assert_eq!(which(&Occasions::Every { from: 4, to: 4, after: 0 }), [4, 10, 14, 18]);
        assert_eq!(which(&Occasions::Chance { probability: 1.0, after: 6 })[..2], [7, 10]);
    }

    #[test]
    fn what_is_apart_keeps_away_from_the_last_and_from_what_is_to_come() {
        let far = |n, last, to_come: &[u32]| {
            is_apart(n, 4, [(last, 0)].into_iter(), to_come.iter().copied())
        };
        let found: Vec<u32> =
            (4..=24).filter(|&n| if n < 20 { far(n, 3, &[20]) } else { far(n, 20, &[]) }).collect();
        assert_eq!(found, [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24]);
        assert!(is_apart(20, 0, [(20, 0)].into_iter(), [20].into_iter()));
    }

    #[test]
    fn of_two_distances_the_greater_holds() {
        let far = |n| is_apart(n, 2, [(3, 5), (6, 2)].into_iter(), [].into_iter());
        assert_eq!((7..=10).filter(|n| far(*n)).collect::<Vec<_>>(), [8, 9, 10]);
        let far = |n| is_apart(n, 2, [(6, 5)].into_iter(), [].into_iter());
        assert_eq!((7..=12).filter(|n| far(*n)).collect::<Vec<_>>(), [11, 12]);
    }

    #[test]
    fn what_comes_next_is_known_but_for_what_comes_by_chance() {
        let next = |n: u32, of: &Occasions| {
            let mut occasion = Occasion::new(Random::named(7, "test"));
            occasion.foresee(of);
            occasion.next_from(n, of)
        };
        assert_eq!(next(4, &Occasions::Listed(vec![3, 20])), Some(20));
        assert_eq!(next(1, &Occasions::Every { from: 4, to: 4, after: 2 }), Some(6));
        assert_eq!(next(1, &Occasions::Chance { probability: 1.0, after: 0 }), None);
    }

    #[test]
    fn a_chance_of_one_takes_every_count() {
        assert_eq!(which(&Occasions::Chance { probability: 1.0, after: 98 }), [99, 100]);
    }
}
