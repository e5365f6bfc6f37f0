//! [`suits`]: whether the port of an output carries what the trial sends there, tones or codes.

use crate::laboratory::RigError;
use chronotap_config::trial_files::TrialFile;
use chronotap_engine::trial::{Coded, Codes};
use chronotap_linux::ports::CodesOf;

/// Refuses an output whose port does not carry its codes, or no tones where it has none.
pub(crate) fn suits(
    file: &TrialFile,
    output: u16,
    (name, port, carries): (&str, &str, CodesOf),
) -> Result<(), RigError> {
    let (name, port) = (name.to_owned(), port.to_owned());
    let codes = file.trial.codes.as_ref().filter(|codes| codes.output == output);
    match (codes, carries) {
        (None, CodesOf::Only { .. }) => Err(RigError::CodesOnly { name, port }),
        (None, _) => Ok(()),
        (Some(_), CodesOf::None) => Err(RigError::NoCodes { name, port }),
        (Some(codes), CodesOf::Both { bits }) => fit(codes, bits, 0, (name, port)),
        (Some(codes), CodesOf::Only { bits, rest }) => fit(codes, bits, rest, (name, port)),
    }
}

/// Every code must fit into the bits of the port, and be another than the line at rest.
fn fit(codes: &Codes, bits: u32, rest: u16, at: (String, String)) -> Result<(), RigError> {
    let too_wide = |code: u16| u32::from(code) >= 1 << bits;
    let unfit = codes.list.iter().find(|it| it.value == rest || too_wide(it.value));
    let Some(unfit) = unfit else { return Ok(()) };
    let ((name, port), code) = (at, unfit.value);
    let event = match unfit.of {
        Coded::Together(_) => format!("together of {}", unfit.name),
        _ => unfit.name.clone(),
    };
    let at_rest = code == rest;
    Err(RigError::UnfitCode { name, port, event, code, at_rest })
}
