//! A group that follows from answers which the participant gives in the session, after welcome and consent:
//! when all are there, it and the place are assigned, and the session is planned to its end.

use super::{Session, SessionError};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::wall_clock_now;
use chronotap_design::{FieldAnswers, Plan};
use chronotap_session::{
    assign::assign,
    checksum::sha256,
    course::Course,
    dataset::Person,
    frontend::Frontend,
    line::{Assigned, Line, beginning, fields},
    tables::Tables,
    who::Who,
};
use std::sync::Arc;

impl<D: AnyDisk> Session<'_, D> {
    /// Assigns, plans, notes it, and goes on by the new plan. Ended anywhere in between, the same is done
    /// again when the session goes on.
    pub(super) fn assign_group(&mut self, frontend: &mut dyn Frontend) -> Result<(), SessionError> {
        let person = self.assigned_person()?;
        let plan = self.study.plan(&person, self.began.session)?;
        let text = format!("{}\n", plan.json());
        self.keep_folders()?;
        self.dataset.replace(&self.place.plan_as_json(), text.as_bytes())?;
        self.dataset.replace(&self.place.plan(), plan.tsv().as_bytes())?;
        self.plan_text = text;
        let (at, plan_sum) = (wall_clock_now(), sha256(self.plan_text.trim_end().as_bytes()));
        let line = Assigned { at, cell: person.cell.clone(), k: person.k, plan: plan_sum };
        self.record(Line::Assigned(Box::new(line)))?;
        self.follow(plan)?;
        self.introduce(frontend); // with the group, and with all that comes
        Ok(())
    }

    /// Who it is, with the group that follows, written down; the same as before where it was.
    fn assigned_person(&self) -> Result<Person, SessionError> {
        let experiment = &self.study.experiment;
        let answers: FieldAnswers = fields(self.journal.lines())
            .map(|(name, answer)| (name.to_owned(), answer.to_owned()))
            .collect();
        let mut cell = self.began.cell.clone();
        cell.extend(experiment.levels_from(&answers));
        let label = self.place.label.clone();
        self.keep_people()?;
        let _lock = self.dataset.lock()?;
        let mut people = self.dataset.people(&self.study.about.columns)?;
        if let Some(known) = people.find(&label).filter(|known| !known.waits) {
            return Ok(known);
        }
        self.dataset.settle_attrition(&mut people)?;
        let person =
            assign(experiment, &people.assigned(), &Who { label, cell, ..Who::default() })?;
        people.settle(&person);
        self.dataset.write_people(&people)?;
        Ok(person)
    }

    /// Goes on by this plan, with what happened so far.
    fn follow(&mut self, plan: Plan) -> Result<(), SessionError> {
        let lines = self.journal.lines();
        self.began = beginning(lines).unwrap_or_else(|| self.began.clone());
        self.plan = Arc::new(plan);
        let shown = self.study.shown(&self.plan, &self.began.person())?;
        let mut course = Course::new(&self.study.experiment, Arc::new(shown));
        let columns = &self.study.about.columns;
        let mut tables = Tables::new(&self.place, Arc::clone(&self.plan), columns);
        tables.add_plan();
        for line in lines {
            course.take(line);
            tables.take(line);
        }
        (self.course, self.tables) = (course, tables);
        Ok(self.tables.restore(self.dataset)?)
    }
}
