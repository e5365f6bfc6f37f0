//! [`Links`]: which connections the ports of a client have, as the server's notices tell.
//!
//! A server tells of every connection in it, by the numbers of two ports. Those of the client's own
//! ports are counted here. Nothing of the server is asked: when its notice comes, the server may
//! not show the new state yet. The list belongs to the thread of the server's notices, which may
//! allocate.

use crate::cards::changes::{Lone, NoticedChanges, bit};
use crate::clocks::MonotonicClock;
use chronotap_engine::action::OutsideChange;
use jack::{Client, PortId};

/// A port of the client's own.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Own {
    name: String,
    place: usize,         // among the inputs, or the outputs
    takes: bool,          // it is an input
    links: Option<usize>, // none before the first
}

/// The connections of a client's own ports.
#[derive(Debug, Default)]
pub struct Links(Vec<Own>);

impl Links {
    /// Of these inputs and outputs, as the server names them.
    pub fn new(inputs: &[String], outputs: &[String]) -> Links {
        let own = |takes| {
            move |(place, name): (usize, &String)| {
                let (name, links) = (name.clone(), None);
                Own { name, place, takes, links }
            }
        };
        let inputs = inputs.iter().enumerate().map(own(true));
        Links(inputs.chain(outputs.iter().enumerate().map(own(false))).collect())
    }

    /// The server tells of a connection that was made or taken away.
    pub fn note_change(
        &mut self,
        client: &Client,
        ports: [PortId; 2],
        made: bool,
        (changes, lone): (&NoticedChanges, &Lone),
    ) {
        let names = ports.map(|id| client.port_by_id(id).and_then(|port| port.name().ok()));
        let own = names.into_iter().flatten().filter(|name| self.count(name, made)).count();
        if own > 0 {
            self.show(lone);
            let change = if made { OutsideChange::Connected } else { OutsideChange::Disconnected };
            changes.note(change, MonotonicClock::raw());
        }
    }

    /// Whether it is a port of the client's own.
    fn count(&mut self, name: &str, made: bool) -> bool {
        let Some(own) = self.0.iter_mut().find(|own| own.name == name) else { return false };
        let before = own.links.unwrap_or(0);
        own.links = Some(if made { before + 1 } else { before.saturating_sub(1) });
        true
    }

    fn show(&self, lone: &Lone) {
        let alone = |takes| {
            let alone = self.0.iter().filter(move |own| own.takes == takes && own.links == Some(0));
            alone.fold(0, |bits, own| bits | bit(own.place))
        };
        lone.show(alone(true), alone(false));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_alone_only_once_its_last_connection_is_taken_away() {
        let names = ["c:in 1", "c:in 2", "c:out"].map(str::to_owned);
        let (mut links, lone) = (Links::new(&names[..2], &names[2..]), Lone::default());
        let mut after = |name, made| {
            links.count(name, made);
            links.show(&lone);
            (lone.inputs(), lone.outputs())
        };
        assert_eq!(after("c:out", true), (0, 0));
        assert_eq!(after("c:out", true), (0, 0));
        assert_eq!(after("c:out", false), (0, 0));
        assert_eq!(after("c:out", false), (0, 1));
        assert_eq!(after("c:in 2", true), (0, 1));
        assert_eq!(after("c:in 2", false), (2, 1));
        assert_eq!(after("other:in 2", false), (2, 1));
        assert_eq!(after("c:out", true), (2, 0));
    }
}
