//! [`Arrangement`]: which of a rig's inputs and outputs are which of a trial's. A rig
//! outlives a trial, and the next trial may use fewer of its inputs and outputs, in another
//! order.

/// The inputs and outputs of a rig, by their names in one trial.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    inputs: Vec<Option<u16>>, // by input of the rig: that of the trial, where it has one
    outputs: Vec<u16>,        // by output of the trial: that of the rig
    trial_inputs: usize,
}

impl Arrangement {
    /// Every input and output of the trial is that of the rig with the same number.
    pub fn identity(inputs: usize, outputs: usize) -> Arrangement {
        let all = |count: usize| (0..count).map(|i| i as u16);
        let (rig, outputs) = (all(inputs).map(Some).collect(), all(outputs).collect());
        Arrangement { inputs: rig, outputs, trial_inputs: inputs }
    }

    /// By name: `rig` has these inputs and outputs, the trial those. Gives the first name
    /// of the trial that the rig has not.
    ///
    /// # Errors
    /// The name that is missing.
    pub fn by_name<'a>(
        rig: (&[String], &[String]),
        trial: (&[&'a str], &[&'a str]),
    ) -> Result<Arrangement, &'a str> {
        let place = |names: &[String], name: &'a str| {
            names.iter().position(|other| other == name).map(|at| at as u16).ok_or(name)
        };
        let mut inputs = vec![None; rig.0.len()];
        for (number, name) in (0..).zip(trial.0) {
            inputs[usize::from(place(rig.0, name)?)] = Some(number);
        }
        let outputs = trial.1.iter().map(|name| place(rig.1, name)).collect::<Result<_, _>>()?;
        Ok(Arrangement { inputs, outputs, trial_inputs: trial.0.len() })
    }

    /// How many inputs the trial has.
    pub fn trial_inputs(&self) -> usize {
        self.trial_inputs
    }

    /// The outputs of the trial, in its order, as those of the rig.
    pub fn outputs(&self) -> &[u16] {
        &self.outputs
    }

    /// The inputs of the trial, in its order, as those of the rig.
    pub fn inputs(&self) -> Vec<u16> {
        let of = |trial: usize| {
            self.inputs.iter().position(|input| input.map(usize::from) == Some(trial))
        };
        (0..self.trial_inputs).filter_map(of).map(|input| input as u16).collect()
    }

    /// The trial's input behind one of the rig.
    pub fn trial_input(&self, rig: u16) -> Option<u16> {
        self.inputs.get(usize::from(rig)).copied().flatten()
    }

    /// The rig's output for one of the trial.
    pub fn rig_output(&self, trial: u16) -> Option<u16> {
        self.outputs.get(usize::from(trial)).copied()
    }

    /// The trial's output behind one of the rig.
    pub fn trial_output(&self, rig: u16) -> Option<u16> {
        self.outputs.iter().position(|output| *output == rig).map(|output| output as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_finds_its_inputs_and_outputs_by_name() {
        let names = |list: &[&str]| list.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let (inputs, outputs) = (names(&["left", "right"]), names(&["booth", "frontend"]));
        let arranged =
            Arrangement::by_name((&inputs, &outputs), (&["right"], &["frontend", "booth"]))
                .unwrap();
        assert_eq!((arranged.trial_input(0), arranged.trial_input(1)), (None, Some(0)));
        assert_eq!((arranged.rig_output(0), arranged.trial_output(0)), (Some(1), Some(1)));
        assert_eq!((arranged.inputs(), arranged.trial_inputs()), (vec![1], 1));
        let missing = Arrangement::by_name((&inputs, &outputs), (&["pad"], &[]));
        assert_eq!(missing, Err("pad"));
    }
}
