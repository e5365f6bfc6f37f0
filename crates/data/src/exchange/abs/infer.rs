//! [`infer`]: the columns of a data file that nobody declares, where there is one way alone to read
//! it. What is known of such files bounds the ways: every event has a time, a kind, and, but for
//! triggers, a channel and a note; times never go back; what ends has begun, and what sounds is not
//! begun again. Of the ways that fit, those count that leave the fewest columns unread.

use super::columns::{Column, Columns, milliseconds, press, seven_bits};
use super::{Event, Happened};
use chronotap_core::midi::Channel;
use std::collections::HashMap;

/// More columns than things that a data file holds, by so many.
const COLUMNS_MAX: usize = 10;
/// So many ways are told.
pub(super) const WAYS_TOLD: usize = 6;

/// All the ways to read these lines that fit, from the left; no one where they have no one width.
pub(super) fn infer(lines: &[&str]) -> Vec<Columns> {
    let rows: Vec<Vec<&str>> = lines.iter().map(|l| l.split_whitespace().collect()).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    if width > COLUMNS_MAX {
        return Vec::new();
    }
    let whole: Vec<&Vec<&str>> = rows.iter().filter(|row| row.len() == width).collect();
    let mut ways = Vec::new();
    let may: Vec<Vec<Column>> = (0..width).map(|at| may_hold(&whole, at)).collect();
    each(&may, &mut Vec::new(), &mut |columns| {
        let way = Columns::of(columns.to_vec());
        if fits(&way, lines) {
            ways.push(way);
        }
    });
    let unread = |way: &Columns| way.names_of().filter(|name| *name == "-").count();
    let least = ways.iter().map(unread).min();
    ways.retain(|way| Some(unread(way)) == least);
    ways
}

/// What a column may hold, by its cells alone.
fn may_hold(rows: &[&Vec<&str>], at: usize) -> Vec<Column> {
    let cells = || rows.iter().map(|row| row[at]);
    let all = |is: &dyn Fn(&str) -> bool| cells().all(is);
    // A trigger has `-` where others have a channel or a note.
    let or_none = |is: &dyn Fn(&str) -> bool| all(&|cell| cell == "-" || is(cell));
    let some = cells().any(|cell| cell != "-");
    let times: Option<Vec<_>> = cells().map(milliseconds).collect();
    let holds = |column: &Column| match column {
        Column::Time => times.as_ref().is_some_and(|times| times.is_sorted()),
        Column::Kind => all(&|cell| Happened::read(cell).is_some()),
        Column::Press => some && or_none(&|cell| press(cell).is_some()),
        Column::Channel => {
            some && or_none(&|cell| cell.parse().ok().and_then(Channel::new).is_some())
        }
        Column::Note | Column::Velocity => some && or_none(&|cell| seven_bits(cell).is_some()),
        Column::Id => some && !all(&|cell| cell != "-"),
        Column::Skipped => true,
    };
    Column::ALL.iter().map(|(column, _)| *column).filter(holds).collect()
}

/// Every choice of one thing for each column, in which nothing but the unread stands twice.
fn each(may: &[Vec<Column>], chosen: &mut Vec<Column>, take: &mut dyn FnMut(&[Column])) {
    let Some(next) = may.get(chosen.len()) else { return take(chosen) };
    for column in next {
        if *column == Column::Skipped || !chosen.contains(column) {
            chosen.push(*column);
            each(may, chosen, take);
            chosen.pop();
        }
    }
}

/// Whether all lines can be read so, and what they then say could have happened.
fn fits(way: &Columns, lines: &[&str]) -> bool {
    let must = [Column::Time, Column::Kind, Column::Channel, Column::Note];
    if !must.iter().all(|column| way.has(*column)) {
        return false;
    }
    let events: Result<Vec<Event>, _> = lines.iter().map(|line| way.event(line, "", 0)).collect();
    let named = |event: &Event| event.what != Happened::Trigger || event.id.is_some();
    events.is_ok_and(|events| events.iter().all(named) && could_be(&events))
}

fn could_be(events: &[Event]) -> bool {
    let mut open = HashMap::new();
    let ends = events.iter().any(|event| !event.begins);
    events.iter().filter(|event| event.what != Happened::Trigger).all(|event| {
        let key = (event.what.letter(), event.channel.map(Channel::number), event.note);
        let named = event.channel.is_some() && event.note.is_some();
        let possible = match event.begins {
            true => open.insert(key, event.at).is_none() || !ends,
            false => open.remove(&key).is_some_and(|begun| begun < event.at),
        };
        named && possible
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(lines: &[&str]) -> Vec<String> {
        infer(lines).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_only_order_that_fits_is_found_and_of_several_none_is_chosen() {
        let lines = [
            "0 M 1 10 76 100 -",
            "12 K 1 1 60 90 -",
            "30 M 0 10 76 64 -",
            "50 T 1 - - - 7",
            "80 K 0 1 60 40 -",
            "90 K 1 1 62 20 -",
        ];
        assert_eq!(names(&lines), ["time,kind,press,channel,note,velocity,id"]);
        let moved = ["1 K on 90 60 12", "1 K off 40 60 80", "1 K on 20 62 90"];
        assert_eq!(names(&moved), ["channel,kind,press,velocity,note,time"]);
        // A note that never changes and a velocity that never changes are told apart by nothing.
        let same = ["12 K D 1 60 90", "80 K U 1 60 90"];
        assert_eq!(
            names(&same),
            ["time,kind,press,channel,note,velocity", "time,kind,press,channel,velocity,note"]
        );
        assert!(names(&["12 K 60", "80 K 62"]).is_empty(), "no channel");
    }
}
