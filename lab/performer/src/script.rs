//! The script: the same TSV that Chronotap's own scripted performer reads (columns
//! onset, duration, note, velocity and perhaps channel; seconds).

/// A message and when to send it, in nanoseconds from the beginning.
pub struct Planned {
    pub at_ns: i64,
    pub bytes: [u8; 3],
}

/// Presses and releases, in the order of their times.
pub fn read(path: &str) -> Result<Vec<Planned>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    let mut lines = text.lines().enumerate();
    let header: Vec<&str> =
        lines.next().map(|(_, line)| line.split('\t').collect()).unwrap_or_default();
    let mut planned = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        add(&mut planned, &header, line).map_err(|e| format!("{path}:{}: {e}", number + 1))?;
    }
    planned.sort_by_key(|planned| planned.at_ns);
    Ok(planned)
}

fn add(planned: &mut Vec<Planned>, header: &[&str], line: &str) -> Result<(), String> {
    let cells: Vec<&str> = line.split('\t').collect();
    let cell =
        |name: &str| header.iter().position(|h| *h == name).and_then(|i| cells.get(i)).copied();
    let needed = |name: &str| cell(name).ok_or(format!("column {name} is missing"));
    let number = |text: &str| text.parse::<u8>().map_err(|e| format!("`{text}`: {e}"));
    let onset = nanoseconds(needed("onset")?)?;
    let duration = nanoseconds(needed("duration")?)?;
    let (note, velocity) = (number(needed("note")?)?, number(needed("velocity")?)?);
    let channel = number(cell("channel").unwrap_or("1"))? - 1;
    planned.push(Planned { at_ns: onset, bytes: [0x90 | channel, note, velocity] });
    planned.push(Planned { at_ns: onset + duration, bytes: [0x80 | channel, note, 0] });
    Ok(())
}

/// Decimal seconds to whole nanoseconds, exactly.
pub fn nanoseconds(seconds: &str) -> Result<i64, String> {
    let wrong = |_| format!("`{seconds}` is not a number of seconds");
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, ""));
    let part: i64 = format!("{part:0<9.9}").parse().map_err(wrong)?;
    Ok(whole.parse::<i64>().map_err(wrong)? * 1_000_000_000 + part)
}
