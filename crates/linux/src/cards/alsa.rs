//! An ALSA device by the kernel's own interface, for this program alone: no server, no
//! library, period and buffer as asked.
//!
//! A thread waits until a period of the buffer is free, looks at where the device stands
//! and when, lets the process fill the period, and writes it. Inputs are read by the same
//! thread, and then it is they that wake it. The device's clock is followed, see
//! [`pace`]. On an xrun the device starts anew, its buffer full of silence, and the
//! frames of the time lost are passed over.

mod abi;
mod device;
mod find;
mod format;
mod pace;
mod playback;
mod transfer;
mod transit;
mod turns;

pub(crate) use find::present;
pub use playback::AlsaPlayback;

use crate::cards::error::{CardError, Offered};
use crate::cards::name::CardName;
use crate::cards::request::CardRequest;
use crate::cards::shape::CardShape;
use crate::cards::stage::Stage;
use crate::cards::thread::CardThread;
use crate::realtime::Request;
use device::{Device, Layout};
use find::{CardDevice, Direction, recording};
use turns::Turns;

/// The ALSA devices that play, by name, and what each is called.
pub fn alsa_devices() -> Vec<(CardName, String)> {
    present().into_iter().map(named).collect()
}

/// The same of those that record.
pub fn alsa_recorders() -> Vec<(CardName, String)> {
    recording().into_iter().map(named).collect()
}

fn named((card, device, called): (u32, u32, String)) -> (CardName, String) {
    (CardName::Alsa { card: card.to_string(), device }, called)
}

/// A device that is set up, not yet running.
pub(crate) struct Opened {
    playback: Option<Device>,
    capture: Option<Device>,
    shape: CardShape,
}

/// Opens the directions that are wanted. The input runs as the output does.
pub(crate) fn open(card: &str, device: u32, wanted: &CardRequest) -> Result<Opened, CardError> {
    let place = CardDevice::supported(card, device)?;
    let open = |direction, channels: usize, wanted: &CardRequest| {
        let layout = Layout::AtLeast(channels as u32);
        (channels > 0).then(|| Device::open(&place, direction, layout, wanted)).transpose()
    };
    let playback = open(Direction::Playback, wanted.outputs, wanted)?;
    let alike = playback.as_ref().map_or_else(
        || wanted.clone(),
        |playback| CardRequest {
            rate_hz: Some(playback.rate_hz),
            period_frames: Some(playback.period_frames),
            ..wanted.clone()
        },
    );
    let capture = open(Direction::Capture, wanted.inputs, &alike)?;
    let first = playback.as_ref().or(capture.as_ref()).ok_or_else(|| CardError::NotOffered {
        card: place.to_string(),
        asked: "neither inputs nor outputs".into(),
        offered: Offered::OneAtLeast,
    })?;
    let shape = CardShape {
        card: format!("{place}, its buffer {} periods", first.periods),
        rate_hz: first.rate_hz,
        period_frames: first.period_frames,
        periods: first.periods,
        inputs: wanted.inputs,
        outputs: wanted.outputs,
        // A period is due when it is the only one that is free; all others sound before it,
        // and what the driver has taken out of the buffer already.
        playback_latency_frames: (first.period_frames * (first.periods - 1))
            .max(playback.as_ref().map_or(0, transit::delay_frames)),
        // A period of input can be read once it is full.
        capture_latency_frames: first.period_frames,
    };
    Ok(Opened { playback, capture, shape })
}

impl Opened {
    pub(crate) fn shape(&self) -> &CardShape {
        &self.shape
    }

    pub(crate) fn start(self, request: &Request, stage: Stage) -> Result<CardThread, CardError> {
        let Opened { playback, capture, shape } = self;
        CardThread::start(request, |stop| {
            let mut turns = Turns::new(playback, capture, &shape, stage, stop);
            move || turns.run()
        })
    }
}
