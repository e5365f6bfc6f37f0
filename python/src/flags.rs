//! [`in_python`]: what the library says to users of the command, to users of Python: their
//! arguments instead of its flags.

/// Each flag, and what stands in its place.
const FLAGS: [(&str, &str); 9] = [
    ("--in input=", "inputs = "),
    ("--out output=", "outputs = "),
    ("--in ", "inputs: "),
    ("--out ", "outputs: "),
    ("with --name", "as name"),
    ("with --data", "as data"),
    ("--simulate and --performer tap", "a participant taps"),
    ("--simulate", "participant"),
    ("write --session", "give"),
];

/// A message in which the arguments of Python stand.
pub fn in_python(said: &dyn std::fmt::Display) -> String {
    FLAGS.iter().fold(said.to_string(), |said, (flag, argument)| said.replace(flag, argument))
}
