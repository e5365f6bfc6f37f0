//! [`Links`]: with which ports of others those of this client are connected, as the sequencer
//! announces. Nobody asks this program before a connection is taken away.
//!
//! Real-time contract: no allocation; bounded by [`MOST`] connections. Further ones are not followed.

use super::abi::Address;
use crate::cards::{Lone, NoticedChanges, bit};
use chronotap_core::time::Nanos;
use chronotap_engine::action::OutsideChange;

/// Connections that are followed.
const MOST: usize = 256;

/// A connection: what the one sends goes to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) sender: Address,
    pub(crate) dest: Address,
}

impl Link {
    fn has(&self, is: impl Fn(Address) -> bool) -> bool {
        is(self.sender) || is(self.dest)
    }
}

/// A port of this client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Own {
    pub(super) address: Address,
    /// Among the inputs, or the outputs.
    pub(super) place: usize,
    /// It is an input.
    pub(super) takes: bool,
}

/// The connections of this client's own ports.
#[derive(Debug)]
pub(super) struct Links {
    links: Vec<Link>,
    joined: Vec<Own>, // that were ever connected
    pub(super) changes: NoticedChanges,
    pub(super) lone: Lone,
}

impl Links {
    pub(super) fn new() -> Links {
        let (links, joined) = (Vec::with_capacity(MOST), Vec::with_capacity(MOST));
        Links { links, joined, changes: NoticedChanges::default(), lone: Lone::default() }
    }

    /// A connection was made with the port `own`.
    pub(super) fn made(&mut self, link: Link, own: Own, now: Nanos) {
        if self.links.contains(&link) || self.links.len() == MOST {
            return;
        }
        self.links.push(link);
        if !self.joined.contains(&own) && self.joined.len() < MOST {
            self.joined.push(own);
        }
        self.changes.note(OutsideChange::Connected, now);
        self.show();
    }

    /// A connection was taken away; whether it was known.
    pub(super) fn parted(&mut self, link: Link, now: Nanos) -> bool {
        self.without(|known| *known == link, now)
    }

    /// A port or a whole client is gone, and with it its connections; whether there were any.
    pub(super) fn gone(&mut self, is: impl Fn(Address) -> bool, now: Nanos) -> bool {
        self.without(|known| known.has(&is), now)
    }

    fn without(&mut self, is: impl Fn(&Link) -> bool, now: Nanos) -> bool {
        let before = self.links.len();
        self.links.retain(|link| !is(link));
        let any = self.links.len() < before;
        if any {
            self.changes.note(OutsideChange::Disconnected, now);
            self.show();
        }
        any
    }

    fn show(&self) {
        let linked = |own: &Own| self.links.iter().any(|link| link.has(|port| port == own.address));
        let alone = |takes| {
            let alone = self.joined.iter().filter(|own| own.takes == takes && !linked(own));
            alone.fold(0, |bits, own| bits | bit(own.place))
        };
        self.lone.show(alone(true), alone(false));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assert_no_alloc::assert_no_alloc;

    #[test]
    fn a_port_is_alone_once_its_last_peer_has_left_and_following_that_allocates_nothing() {
        let at = |client, port| Address { client, port };
        let link = |from, to| Link { sender: from, dest: to };
        let (own, pad, other) = (at(128, 0), at(24, 0), at(25, 1));
        let input = Own { address: own, place: 1, takes: true };
        let mut links = Links::new();
        assert_no_alloc(|| {
            links.made(link(pad, own), input, Nanos(1));
            links.made(link(pad, own), input, Nanos(1)); // told twice
            links.made(link(other, own), input, Nanos(2));
            assert!(links.parted(link(pad, own), Nanos(3)) && links.lone.inputs() == 0);
            assert!(!links.parted(link(pad, own), Nanos(3)));
            assert!(links.gone(|port| port.client == 25, Nanos(4)) && links.lone.inputs() == 2);
            assert_eq!(links.lone.outputs(), 0);
            links.made(link(pad, own), input, Nanos(5));
        });
        assert_eq!(links.lone.inputs(), 0);
    }
}
