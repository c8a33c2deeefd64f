//! Observers of the parts of a search: made, joined, written down and read again.

use super::Observer;
use crate::explore::Go;
use crate::explore::coverage::Coverage;
use crate::explore::parallel::parts::{Split, field};
use crate::program::reached::Reached;
use crate::verdict::calls::linearizable::Linearizability;
use crate::verdict::crash::{self, Crashes};
use crate::verdict::outcomes::Outcomes;
use serde_json::{Value, json};

impl Split for Observer<'_> {
    fn fork(&self) -> Self {
        let mut fresh = Observer::new(self.loaded, self.model, self.sources, &self.properties, self.keep_going);
        let outcomes = self.outcomes.as_ref().map(Outcomes::fresh);
        let linearizability = self.linearizability.as_ref().map(Linearizability::fresh);
        fresh.crashes = self.crashes.as_ref().map(Crashes::fresh);
        let fresh = fresh.relating(self.relations.clone());
        fresh.covering(self.coverage.is_some()).observing(outcomes).specified(linearizability)
    }

    fn join(&mut self, later: Self) -> Go {
        for (i, finding) in later.findings.into_iter().enumerate() {
            // Only the first execution that raises a flag is described.
            let flag = later.flagged.iter().find(|&&(_, at)| at == i).map(|&(flag, _)| flag);
            if flag.is_some_and(|flag| self.raised[flag] > 0) {
                continue;
            }
            let found = self.findings.len();
            self.add(finding);
            if self.findings.len() > found {
                self.flagged.extend(flag.map(|flag| (flag, found)));
            }
        }
        for (flag, events) in later.about {
            self.about.entry(flag).or_insert(events);
        }
        self.raised.iter_mut().zip(later.raised).for_each(|(all, more)| *all += more);
        later.unsupported.into_iter().for_each(|finding| self.add_unsupported(finding));
        later.warnings.into_iter().for_each(|warning| self.warn(warning));
        if let (Some(all), Some(more)) = (&mut self.coverage, &later.coverage) {
            all.add(more);
        }
        if let (Some(all), Some(more)) = (&mut self.outcomes, later.outcomes) {
            all.add(more);
        }
        if let (Some(all), Some(more)) = (&mut self.linearizability, later.linearizability) {
            all.add(more);
        }
        self.crashes.iter_mut().zip(later.crashes).for_each(|(all, more)| all.add(more));
        self.surprise = self.surprise.take().or(later.surprise);
        later.left_out.into_iter().for_each(|error| self.add_left_out(error));
        if self.keep_going || self.findings.is_empty() { Go::On } else { Go::Stop }
    }

    /// Outcomes and histories are not told: a search that lists them is not divided.
    fn recorded(&self) -> Option<Value> {
        (self.outcomes.is_none() && self.linearizability.is_none()).then_some(())?;
        Some(json!({
            "raised": self.raised,
            "flagged": self.flagged,
            "about": self.about,
            "findings": self.findings,
            "unsupported": self.unsupported,
            "warnings": self.warnings,
            "left_out": self.left_out,
            "crashes": self.crashes.as_ref().map(Crashes::recorded),
            "coverage": self.coverage.as_ref().map(|coverage| coverage.reached()),
        }))
    }

    fn restored(&self, record: &Value) -> Result<Self, String> {
        let mut fresh = self.fork();
        fresh.raised = field(record, "raised")?;
        if fresh.raised.len() != self.raised.len() {
            return Err("the model has another number of checks".to_owned());
        }
        fresh.flagged = field(record, "flagged")?;
        fresh.about = field(record, "about")?;
        fresh.findings = field(record, "findings")?;
        fresh.unsupported = field(record, "unsupported")?;
        fresh.warnings = field(record, "warnings")?;
        fresh.left_out = field(record, "left_out")?;
        let crashed: Option<crash::Record> = field(record, "crashes")?;
        fresh.crashes.iter_mut().zip(crashed).for_each(|(crashes, record)| crashes.restore(record));
        let reached: Option<Option<Reached>> = field(record, "coverage")?;
        fresh.coverage = self.coverage.as_ref().map(|_| Coverage::of(reached.flatten()));
        Ok(fresh)
    }
}
