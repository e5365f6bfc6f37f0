//! [`infer`]: the columns of a data file that nobody declares, where there is one way alone to read
//! it. What is known of such files bounds the ways: every event has a time, a kind, and, but for
//! triggers, a channel and a note; times never go back; what ends has begun, and what sounds is not
//! begun again. Lines of triggers may have fewer cells: then they are read as the other columns
//! without some, or, where no other column is an id, in an order of their own. Of the ways that fit,
//! those count that leave the fewest columns unread.

use super::columns::{AbsColumn, AbsColumns, milliseconds, press, seven_bits};
use super::{AbsEvent, Happened};
use chronotap_core::midi::Channel;
use std::collections::HashMap;

/// More columns than things that a data file holds, by so many.
const COLUMNS_MAX: usize = 10;
/// So many ways are told.
pub(super) const WAYS_TOLD: usize = 6;

/// All the ways to read these lines that fit, from the left; no one where they have no one width.
pub(super) fn infer(lines: &[&str]) -> Vec<AbsColumns> {
    let rows: Vec<Vec<&str>> = lines.iter().map(|l| l.split_whitespace().collect()).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    if width > COLUMNS_MAX {
        return Vec::new();
    }
    let (whole, short): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.len() == width);
    let of_triggers = of_triggers(&short);
    let mut ways = Vec::new();
    let may: Vec<Vec<AbsColumn>> =
        (0..width).map(|at| may_hold(&whole, at, !short.is_empty())).collect();
    each(&may, &mut Vec::new(), &mut |columns| {
        let way = AbsColumns::of(columns.to_vec());
        let own = of_triggers.iter().filter(|_| !way.has(AbsColumn::Id));
        let all = std::iter::once(way.clone())
            .chain(own.map(|own| way.clone().with_triggers(own.clone())));
        ways.extend(all.filter(|way| fits(way, lines)));
    });
    let least = ways.iter().map(AbsColumns::unread).min();
    ways.retain(|way| Some(way.unread()) == least);
    ways
}

/// The orders that lines of triggers may have which have fewer cells than the others, all as many.
fn of_triggers(short: &[&Vec<&str>]) -> Vec<AbsColumns> {
    let Some(width) = short.first().map(|row| row.len()) else { return Vec::new() };
    if short.iter().any(|row| row.len() != width) {
        return Vec::new();
    }
    let may: Vec<Vec<AbsColumn>> = (0..width).map(|at| trigger_may_hold(short, at)).collect();
    let mut ways = Vec::new();
    each(&may, &mut Vec::new(), &mut |columns| {
        let must = [AbsColumn::Time, AbsColumn::Kind, AbsColumn::Id];
        if must.iter().all(|column| columns.contains(column)) {
            ways.push(AbsColumns::of(columns.to_vec()));
        }
    });
    ways
}

/// What a column of triggers' lines may hold that have an order of their own.
fn trigger_may_hold(rows: &[&Vec<&str>], at: usize) -> Vec<AbsColumn> {
    let all = |is: &dyn Fn(&str) -> bool| rows.iter().all(|row| is(row[at]));
    let is_trigger = |cell: &str| Happened::read(cell) == Some(Happened::Trigger);
    let may = [
        (AbsColumn::Time, all(&|cell| milliseconds(cell).is_some())),
        (AbsColumn::Kind, all(&is_trigger)),
        (AbsColumn::Id, all(&|cell| cell != "-")),
        (AbsColumn::Skipped, true),
    ];
    may.into_iter().filter(|(_, may)| *may).map(|(column, _)| column).collect()
}

/// What a column may hold, by its cells alone; whether some lines are shorter, which may be those
/// of triggers.
fn may_hold(rows: &[&Vec<&str>], at: usize, some_short: bool) -> Vec<AbsColumn> {
    let cells = || rows.iter().map(|row| row[at]);
    let all = |is: &dyn Fn(&str) -> bool| cells().all(is);
    // A trigger has `-` where others have a channel or a note.
    let or_none = |is: &dyn Fn(&str) -> bool| all(&|cell| cell == "-" || is(cell));
    let some = cells().any(|cell| cell != "-");
    let times: Option<Vec<_>> = cells().map(milliseconds).collect();
    let holds = |column: &AbsColumn| match column {
        AbsColumn::Time => times.as_ref().is_some_and(|times| times.is_sorted()),
        AbsColumn::Kind => all(&|cell| Happened::read(cell).is_some()),
        AbsColumn::Press => some && or_none(&|cell| press(cell).is_some()),
        AbsColumn::Channel => {
            some && or_none(&|cell| cell.parse().ok().and_then(Channel::new).is_some())
        }
        AbsColumn::Note | AbsColumn::Velocity => {
            some && or_none(&|cell| seven_bits(cell).is_some())
        }
        // Shorter lines, of triggers, have it where all others have none.
        AbsColumn::Id if some => !all(&|cell| cell != "-"),
        AbsColumn::Id => some_short,
        AbsColumn::Skipped => true,
    };
    AbsColumn::ALL.iter().map(|(column, _)| *column).filter(holds).collect()
}

/// Every choice of one thing for each column, in which nothing but the unread stands twice.
fn each(may: &[Vec<AbsColumn>], chosen: &mut Vec<AbsColumn>, take: &mut dyn FnMut(&[AbsColumn])) {
    let Some(next) = may.get(chosen.len()) else { return take(chosen) };
    for column in next {
        if *column == AbsColumn::Skipped || !chosen.contains(column) {
            chosen.push(*column);
            each(may, chosen, take);
            chosen.pop();
        }
    }
}

/// Whether all lines can be read so, and what they then say could have happened.
fn fits(way: &AbsColumns, lines: &[&str]) -> bool {
    let must = [AbsColumn::Time, AbsColumn::Kind, AbsColumn::Channel, AbsColumn::Note];
    if !must.iter().all(|column| way.has(*column)) {
        return false;
    }
    let events: Result<Vec<AbsEvent>, _> =
        lines.iter().map(|line| way.event(line, "", 0)).collect();
    let named = |event: &AbsEvent| event.what != Happened::Trigger || event.id.is_some();
    let in_order = |events: &[AbsEvent]| events.is_sorted_by_key(|event| event.at);
    events.is_ok_and(|events| events.iter().all(named) && in_order(&events) && could_be(&events))
}

fn could_be(events: &[AbsEvent]) -> bool {
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

    #[test]
    fn lines_of_triggers_with_fewer_cells_are_found_where_one_order_fits() {
        // As the other columns, of which none but triggers' lines has an id.
        let lines = [
            "0 M 1 10 76 100 -",
            "30 M 0 10 76 64 -",
            "50 T 7",
            "80 K 1 1 60 90 -",
            "95 K 0 1 60 40 -",
            "99 K 1 1 62 20 -",
        ];
        assert_eq!(names(&lines), ["time,kind,press,channel,note,velocity,id"]);
        // In an order of their own, where the others have no id at all.
        let own = [
            "0 M 1 10 76 100",
            "30 M 0 10 76 64",
            "a7 50 T",
            "80 K 1 1 60 90",
            "95 K 0 1 60 40",
            "99 K 1 1 62 20",
        ];
        let found = "time,kind,press,channel,note,velocity with --trigger-columns id,time,kind";
        assert_eq!(names(&own), [found]);
    }
}
