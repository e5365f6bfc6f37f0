//! Ensembles: how members tap together, of many groups of values.

use crate::groups::{Grouped, Missing::Ascending, times};
use crate::statistics::Rows;
use crate::table::{Field, sorted_of, table_of};
use chronotap_analysis::ensemble::ensemble;
use chronotap_core::time::Nanos;
use pyo3::prelude::*;

/// How members, each with a name, tap together around a reference, all in ms. The intervals are drawn
/// from `seed`.
#[pyfunction]
pub fn ensemble_by_group<'py>(
    py: Python<'py>,
    reference: Grouped<'py>,
    members: Vec<(String, Grouped<'py>)>,
    seed: u64,
) -> Rows<'py> {
    let leads: Vec<String> = members.iter().map(|(name, _)| format!("lead_ms_{name}")).collect();
    let mut fields = ["moments", "incomplete"].map(Field::Number).to_vec();
    fields.extend(["spread_ms", "asynchrony_ms"].map(Field::Estimate));
    fields.push(Field::Number("asynchrony_sd_ms"));
    fields.extend(leads.iter().map(|lead| Field::Estimate(lead)));
    let groups = reference.given()?.groups;
    let all = std::iter::once(&reference).chain(members.iter().map(|(_, onsets)| onsets));
    let sorted = sorted_of(py, all.map(|onsets| (onsets, Ascending)))?;
    table_of(py, groups, &fields, |group, row| {
        let mut onsets = sorted.iter().map(|onsets| times(onsets.of(group)));
        let reference = onsets.next().unwrap_or_default();
        let found = ensemble(&reference, &onsets.collect::<Vec<Vec<Nanos>>>(), seed)?;
        row.count(found.moments).count(found.incomplete);
        row.estimate(Some(&found.spread_ms), None).estimate(Some(&found.asynchrony_ms), None);
        row.number(found.asynchrony_sd_ms);
        found.leads_ms.iter().for_each(|lead| {
            row.estimate(Some(lead), None);
        });
        Ok(())
    })
}
