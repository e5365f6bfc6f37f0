//! What is said of trials in virtual time, and of who taps in them.

use crate::{Says, Sentences, Surface, of, row, with};
use chronotap_simulate::{TapperError, WiresError};
use chronotap_trial::TooManyPorts;
use std::fmt::Display;

pub(super) const ROWS: &[Sentences] =
    &[row::<TapperError>(), row::<TooManyPorts>(), row::<WiresError>()];

impl Says for WiresError {
    fn says(&self, surface: Surface) -> String {
        match self {
            WiresError::NoWire => no_wire(self, surface),
            WiresError::UnheardLoop => unheard_loop(self, surface),
            WiresError::TooMany(_) => TooManyPorts.says(surface),
            WiresError::Unknown { .. } => not_opened(self, surface),
            WiresError::Tapper(error) => error.says(surface),
        }
    }
}

/// Of somebody who is to tap where no input is a wire.
pub(crate) fn no_wire(condition: &impl Display, surface: Surface) -> String {
    match surface {
        Surface::Terminal => {
            "--simulate and --performer tap at the far end of a virtual wire, and no input \
             is bound to one; leave out --in and --out, or bind one with --in wire"
                .into()
        }
        Surface::Page => with(condition, "leave out the ports, or bind an input to wire"),
        Surface::Python => "a participant taps at the far end of a virtual wire: bind an \
                            input to \"wire\", or leave the participant out"
            .into(),
    }
}

/// Of a loop that no input hears.
pub(crate) fn unheard_loop(condition: &impl Display, surface: Surface) -> String {
    match surface {
        Surface::Terminal => "--out wire:loop: nothing hears the loop; bind an input to it \
                              with --in wire:loop"
            .into(),
        Surface::Page => with(condition, "bind an input to wire:loop"),
        Surface::Python => "outputs: wire:loop: nothing hears the loop; bind an input to \
                            it with inputs = \"wire:loop\""
            .into(),
    }
}

/// Of an input or output that was not there when the rig was opened.
pub(crate) fn not_opened(condition: &impl Display, surface: Surface) -> String {
    let what = surface.in_python("rig", "session");
    with(condition, format!("bind it when the {what} is opened"))
}

impl Says for TapperError {
    fn says(&self, surface: Surface) -> String {
        match self {
            TapperError::Script(error) => {
                let named = surface.pick("--performer", "performer", "participant");
                format!("{named}: {}", of(error, surface))
            }
            TapperError::Model(error) => {
                let named = surface.pick("--simulate", "simulated participant", "participant");
                format!("{named}: {}", of(error, surface))
            }
        }
    }
}

impl Says for TooManyPorts {
    fn says(&self, _: Surface) -> String {
        with(self, "bind fewer devices")
    }
}
