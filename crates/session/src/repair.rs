//! [`repair`]: tables of trials that have levels under the names of other factors, made again from
//! the journals, whose plans are right; and what was computed from them before, by name.
//!
//! Version 0.1 wrote such tables where the factor of the sessions stands before another one in
//! `[factor]`. A note in the journal says first what is repaired, so that whoever is cut short goes on
//! with the same call, and so that the dataset tells of it for good. Nothing that was computed is
//! removed: it may lie in a publication, and whoever computed it decides.

mod stale;

use crate::checksum::{parse_list, sha256};
use crate::correct::finish_first;
use crate::dataset::{Dataset, DatasetError};
use crate::held::{OtherLevels, other_levels};
use crate::journal::{OpenJournal, OpenJournalError};
use crate::kept::{KeptError, KeptSession, journals};
use crate::line::Line;
use crate::table::{TsvRow, TsvTable};
use crate::tables::seal;
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::wall_clock_now;
pub use stale::{Derived, Stale};
use std::path::{Path, PathBuf};

/// What was changed, and what has to be made again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    pub tables: Vec<RepairedTable>,
    /// What was computed before from tables that were repaired, now or earlier.
    pub stale: Vec<Stale>,
}

/// A table that was made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairedTable {
    /// From the dataset's folder.
    pub path: PathBuf,
    /// Each column with cells that changed, and how many did.
    pub changed: Vec<(String, usize)>,
}

/// Why a dataset was not repaired. What was repaired before stays so.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    #[error(transparent)]
    Kept(#[from] KeptError),
    #[error(transparent)]
    Journal(#[from] OpenJournalError),
    #[error("participant {label} has a session under way")]
    Running { label: String },
    /// The plan is not that of the journal, so that nothing is known of the levels.
    #[error("{}: not the plan that the session began with", path.display())]
    OtherPlan { path: PathBuf },
}

/// Makes the tables of trials again that have other levels than their plans.
///
/// # Errors
/// [`RepairError`].
pub fn repair<D: AnyDisk>(dataset: &Dataset<D>) -> Result<Repaired, RepairError> {
    finish_first(dataset)?;
    let mut done = Repaired::default();
    let mut ever = Vec::new();
    for journal in journals(dataset)? {
        let Some(kept) = KeptSession::read(dataset, &journal)? else { continue };
        done.tables.extend(session(dataset, &journal, &kept)?);
        if is_noted(&kept) || done.tables.iter().any(|table| table.path == kept.place.table()) {
            ever.push(kept.place);
        }
    }
    done.stale = stale::find(dataset, &ever)?;
    Ok(done)
}

/// What a note begins with that is of a repair.
const NOTE: &str = "table of trials made again: ";
/// Who writes it.
const BY: &str = "chronotap";

fn is_note(line: &Line) -> bool {
    matches!(line, Line::Noted { text, by, .. } if by == BY && text.starts_with(NOTE))
}

/// Whether it was repaired before.
fn is_noted(kept: &KeptSession) -> bool {
    kept.lines.iter().any(is_note)
}

/// Repairs the table of a session where it is to be repaired, or where that was cut short.
fn session<D: AnyDisk>(
    dataset: &Dataset<D>,
    journal: &Path,
    kept: &KeptSession,
) -> Result<Option<RepairedTable>, RepairError> {
    let path = kept.place.table();
    let there = dataset.table(&path)?.unwrap_or_default();
    let wrong = other_levels(&there, &kept.plan);
    if wrong.is_none() && (!is_noted(kept) || is_done(dataset, kept)) {
        return Ok(None);
    }
    if kept.plan_sum != kept.began.plan {
        return Err(RepairError::OtherPlan {
            path: dataset.root().join(kept.place.plan_as_json()),
        });
    }
    let label = kept.began.participant.clone();
    let running = || RepairError::Running { label };
    let _held = dataset.lock_participant(&kept.place)?.ok_or_else(running)?;
    let _lock = dataset.lock()?;
    if let Some(wrong) = wrong.filter(|_| !kept.lines.last().is_some_and(is_note)) {
        note(dataset, journal, &wrong)?;
    }
    let Some(kept) = KeptSession::read(dataset, journal)? else { return Ok(None) };
    let mut tables = kept.tables();
    let changed = changes(&there, tables.trials());
    tables.restore(dataset)?;
    if kept.course().is_completed() {
        seal(&mut tables, &kept.place, dataset)?;
    }
    Ok(Some(RepairedTable { path, changed }))
}

/// Says in the journal what is repaired, before it is.
fn note<D: AnyDisk>(
    dataset: &Dataset<D>,
    journal: &Path,
    wrong: &OtherLevels,
) -> Result<(), RepairError> {
    let text = format!("{NOTE}other levels than planned stood under {}", wrong.factors.join(", "));
    let mut open = OpenJournal::open(&dataset.root().join(journal), &dataset.disk)?;
    open.add(&dataset.disk, Line::Noted { at: wall_clock_now(), text, by: BY.to_owned() })?;
    Ok(())
}

/// Whether table and checksums are those of the journal.
fn is_done<D: AnyDisk>(dataset: &Dataset<D>, kept: &KeptSession) -> bool {
    let [trials, scans, (checksums, due)] = kept.tables().files();
    let is_there =
        |(path, due): &(PathBuf, Vec<u8>)| dataset.bytes(path).is_ok_and(|is| is == *due);
    let list = dataset.text(&checksums).unwrap_or_default();
    let sum = |path: &Path| Some(sha256(&dataset.bytes(path).ok()?));
    let listed = |path: &Path| {
        let mut all = parse_list(&list).into_iter();
        all.any(|(of, name)| Path::new(&name) == path && Some(of) == sum(path))
    };
    let sealed = !kept.course().is_completed()
        || [kept.place.table(), kept.place.journal()].iter().all(|path| listed(path));
    is_there(&trials) && is_there(&scans) && list.as_bytes().starts_with(&due) && sealed
}

/// Which columns changed, and in how many rows.
fn changes(there: &TsvTable, now: &TsvTable) -> Vec<(String, usize)> {
    let count = |name: &String| {
        let rows = there.rows.iter().zip(&now.rows); // one row for each trial that was run
        let differs = |(was, is): &(&TsvRow, &TsvRow)| there.cell(was, name) != now.cell(is, name);
        (name.clone(), rows.filter(differs).count())
    };
    let known = now.columns.iter().filter(|name| there.column(name).is_some());
    known.map(count).filter(|(_, rows)| *rows > 0).collect()
}
