//! The card of a JACK or PipeWire-JACK server.
//!
//! The server calls once a period in a thread of its own and says which frame is when.
//! The outputs are connected with the first playback ports of the card, the inputs with
//! its first capture ports, or, where that is asked for, with the outputs.

mod cycle;
mod links;
mod presence;
mod server;

#[cfg(test)]
mod served;

use crate::cards::driver::Driver;
use crate::cards::error::{CardError, Offered};
use crate::cards::request::{CardRequest, PortJoin};
use crate::cards::shape::CardShape;
use crate::cards::stage::Stage;
use crate::cards::watch::CardWatch;
use crate::clocks::{MonotonicClock, sleep_until};
use chronotap_core::time::Nanos;
use cycle::{Asked, Cycle, Notices};
use jack::{AudioIn, AudioOut, Client, LatencyType, Port, PortFlags};
use std::sync::Arc;

pub use links::Links;
pub use presence::{Called, Presence, ServerThread};
use server::is_pipewire;
pub use server::{JackClock, JackXruns, NoJack, jack_client};

/// How long a connection that was made may take to be told.
const PATIENCE: Nanos = Nanos::from_millis(500);

/// JACK has no notion of the number of periods; its drivers have 2 or 3.
const PERIODS: u32 = 0;

/// How the JACK server's card runs, if a server does.
pub fn jack_shape() -> Option<CardShape> {
    connect().ok().map(|client| shape(&client, 0, 0, PortJoin::Card))
}

fn shape(client: &Client, inputs: usize, outputs: usize, join: PortJoin) -> CardShape {
    let latency_frames = |flags, direction| {
        let first = physical(client, flags).into_iter().next();
        let port = first.and_then(|name| client.port_by_name(&name));
        port.map(|port| port.get_latency_range(direction).1)
    };
    let playback = latency_frames(PortFlags::IS_INPUT, LatencyType::Playback);
    let capture = latency_frames(PortFlags::IS_OUTPUT, LatencyType::Capture);
    let server = if is_pipewire() { "the PipeWire server" } else { "the JACK server" };
    let card = match join {
        PortJoin::Card => format!("the card of {server}"),
        PortJoin::Itself => format!("{server}, output joined to input"),
        PortJoin::Monitor => format!("{server}, the card's output joined to input"),
    };
    CardShape {
        card,
        rate_hz: client.sample_rate(),
        period_frames: client.buffer_size(),
        periods: PERIODS,
        inputs,
        outputs,
        playback_latency_frames: playback.unwrap_or(0),
        capture_latency_frames: capture.unwrap_or(0).max(client.buffer_size()),
    }
}

/// A client of the server.
fn connect() -> Result<Client, CardError> {
    jack_client("chronotap sound").map_err(|none| match none {
        NoJack::Library => CardError::NoLibrary,
        NoJack::Server => CardError::NoServer,
    })
}

/// The card's own audio ports: those that take sound (`IS_INPUT`), or give it.
fn physical(client: &Client, flags: PortFlags) -> Vec<String> {
    let audio = Some(jack::jack_sys::FLOAT_MONO_AUDIO);
    client.ports(None, audio, flags | PortFlags::IS_PHYSICAL)
}

/// What the server lets hear of the card that takes sound at these ports.
fn monitors(client: &Client, takers: &[String]) -> Result<Vec<String>, CardError> {
    let card = takers.first().and_then(|port| port.rsplit_once(':')).map(|(card, _)| card);
    let prefix = card.map(|card| format!("{card}:monitor"));
    let audio = Some(jack::jack_sys::FLOAT_MONO_AUDIO);
    let mut ports = client.ports(None, audio, PortFlags::IS_OUTPUT);
    ports.retain(|port| prefix.as_ref().is_some_and(|prefix| port.starts_with(prefix)));
    if ports.is_empty() { Err(CardError::NoMonitor) } else { Ok(ports) }
}

/// A client with its ports, not yet called.
pub(crate) struct Opened {
    client: Client,
    shape: CardShape,
    inputs: Vec<Port<AudioIn>>,
    outputs: Vec<Port<AudioOut>>,
    join: PortJoin,
}

/// Opens a client with so many ports.
pub(crate) fn open(wanted: &CardRequest) -> Result<Opened, CardError> {
    let client = connect()?;
    if wanted.join == PortJoin::Itself && is_pipewire() {
        return Err(CardError::SilentLoop);
    }
    let shape = shape(&client, wanted.inputs, wanted.outputs, wanted.join);
    let given = [
        (wanted.rate_hz, shape.rate_hz, "Hz"),
        (wanted.period_frames, shape.period_frames, "frames a period"),
    ];
    for (asked, has, unit) in given {
        if let Some(asked) = asked.filter(|asked| *asked != has) {
            let offered = Offered::Server { pipewire: is_pipewire(), has };
            let (card, asked) = ("jack".into(), format!("{asked} {unit}"));
            return Err(CardError::NotOffered { card, asked, offered });
        }
    }
    let ins =
        (1..=wanted.inputs).map(|i| client.register_port(&format!("in_{i}"), AudioIn::default()));
    let inputs = ins.collect::<Result<_, _>>()?;
    let outs = (1..=wanted.outputs)
        .map(|i| client.register_port(&format!("out_{i}"), AudioOut::default()));
    let outputs = outs.collect::<Result<_, _>>()?;
    Ok(Opened { client, shape, inputs, outputs, join: wanted.join })
}

impl Opened {
    pub(crate) fn shape(&self) -> &CardShape {
        &self.shape
    }

    /// Lets the server call, and connects the ports.
    pub(crate) fn start(self, stage: Stage) -> Result<Connected, CardError> {
        let Opened { client, shape, inputs, outputs, join } = self;
        let ins: Vec<_> = inputs.iter().filter_map(|port| port.name().ok()).collect();
        let outs: Vec<_> = outputs.iter().filter_map(|port| port.name().ok()).collect();
        let watch = Arc::clone(&stage.watch);
        let presence = Presence::new();
        let ports = (inputs, outputs);
        let clock = JackClock::of(&client);
        let taker = || client.port_by_name(physical(&client, PortFlags::IS_INPUT).first()?);
        let asked = || Asked::new(&shape, Arc::clone(&watch), taker());
        let notices = Notices {
            asked: asked(),
            xruns: JackXruns::new(),
            links: Links::new(&ins, &outs),
            presence: presence.clone(),
        };
        let cycle = Cycle::new(stage, asked(), clock, ports, presence.clone());
        let client = Called::begin(client, (notices, cycle), presence)?;
        let mut connected = Connected { client, watch, join, joined: Vec::new() };
        let server = connected.client.client();
        let takers = physical(server, PortFlags::IS_INPUT);
        let (takers, givers) = match join {
            PortJoin::Card => {
                // Sound on fewer is heard all the same; a code on a channel that is not there is lost.
                if outs.len() > 2 && takers.len() < outs.len() {
                    let (asked, has) = (format!("{} outputs", outs.len()), takers.len());
                    let offered = Offered::Has(format!("{has} outputs"));
                    return Err(CardError::NotOffered { card: "jack".into(), asked, offered });
                }
                let givers = physical(server, PortFlags::IS_OUTPUT);
                // Nothing comes in on a channel that is not there, and nobody would see that.
                if outs.is_empty() && givers.len() < ins.len() {
                    let (asked, has) = (format!("{} inputs", ins.len()), givers.len());
                    let offered = Offered::Has(format!("{has} inputs"));
                    return Err(CardError::NotOffered { card: "jack".into(), asked, offered });
                }
                (takers, givers)
            }
            PortJoin::Itself => (ins.clone(), Vec::new()),
            PortJoin::Monitor => (takers.clone(), monitors(server, &takers)?),
        };
        let sent =
            outs.into_iter().zip(takers).map(|(own, other)| Joined { own, other, sends: true });
        let heard =
            ins.into_iter().zip(givers).map(|(own, other)| Joined { own, other, sends: false });
        let joined: Vec<Joined> = sent.chain(heard).collect();
        joined.iter().try_for_each(|joined| joined.join(server))?;
        connected.joined = joined;
        Ok(connected)
    }
}

/// A port of the client's own, and the one that it was connected with when it was opened.
struct Joined {
    own: String,
    other: String,
    sends: bool, // from its own to the other
}

impl Joined {
    fn join(&self, server: &Client) -> Result<(), jack::Error> {
        match self.sends {
            true => server.connect_ports_by_name(&self.own, &self.other),
            false => server.connect_ports_by_name(&self.other, &self.own),
        }
    }

    /// Whether the client's own port is connected with nothing.
    fn is_alone(&self, server: &Client) -> bool {
        server.port_by_name(&self.own).is_none_or(|own| own.get_connections().is_empty())
    }
}

/// A client that the server calls.
pub(crate) struct Connected {
    client: Called<Notices, Cycle>,
    watch: Arc<CardWatch>,
    join: PortJoin,
    joined: Vec<Joined>,
}

impl Driver for Connected {
    /// A port that is connected with nothing is connected again as it was; where somebody connected
    /// it elsewhere, that holds.
    fn ask_again(&mut self, before: &CardShape) -> Result<CardShape, CardError> {
        let server = self.client.client();
        let shape = shape(server, before.inputs, before.outputs, self.join);
        if shape.rate_hz != before.rate_hz {
            let offered = Offered::Server { pipewire: is_pipewire(), has: shape.rate_hz };
            let (card, asked) = ("jack".into(), format!("{} Hz", before.rate_hz));
            return Err(CardError::NotOffered { card, asked, offered });
        }
        let mut apart = self.joined.iter().filter(|joined| joined.is_alone(server));
        apart.try_for_each(|joined| joined.join(server))?;
        let end = MonotonicClock::raw() + PATIENCE;
        while self.watch.is_lone() {
            if MonotonicClock::raw() > end {
                return Err(CardError::Silent(shape.card));
            }
            sleep_until(MonotonicClock::raw() + Nanos::from_millis(1));
        }
        Ok(shape)
    }
}
