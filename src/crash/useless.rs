//! Forces that change nothing: without one, the recovery finds the same states.
//!
//! Each is taken out of each execution by itself, and the recovery runs again. One that was seen to matter once is not looked at any more.

use super::missing::call_of;
use super::recovery::{Recovery, State};
use crate::explore::{Execution, Go};
use crate::graph::event::Kind;
use crate::ids::{EventId, FuncId, TagSetId};
use crate::program::{Pc, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Sets of events that ask for something to be durable.
const FORCES: [&str; 5] = ["CALL", "ClFlush", "ClFlushOpt", "ClWb", "DC.CVAP"];
/// After so many executions, or so many states of one, nothing is said.
const MOST_EXECUTIONS: u64 = 200;
const MOST_STATES: usize = 500;

/// The forces of a program, by the place of the call: their set, and whether they matter.
#[derive(Clone, Default)]
pub struct Useless {
    sites: BTreeMap<(FuncId, Pc), (TagSetId, bool)>,
    executions: u64,
    is_too_much: bool,
}

/// What parts of a search tell each other: function, place in it, tags and whether it matters; executions; whether it was too much.
pub type Record = (Vec<(u32, u32, u32, bool)>, u64, bool);

impl Useless {
    /// Looks at the forces of an execution, of which these are the states.
    pub fn look(
        &mut self,
        execution: &Execution<'_, '_>,
        recovery: &Recovery,
        states: &BTreeSet<State>,
        is_library: &dyn Fn(FuncId, Pc) -> bool,
    ) {
        self.executions += 1;
        if self.executions > MOST_EXECUTIONS || states.len() > MOST_STATES {
            self.is_too_much = true;
        }
        if self.is_too_much {
            return;
        }
        let (graph, program) = (execution.graph, recovery.program());
        let mut by_site: BTreeMap<(FuncId, Pc), Vec<EventId>> = BTreeMap::new();
        for e in graph.ids().filter(|&e| is_force(program, graph.event(e).kind, graph.event(e).tags)) {
            if let Some(&site) = call_of(graph.event(e), is_library).first() {
                by_site.entry(site).or_default().push(e);
            }
        }
        for (site, events) in by_site {
            let known = self.sites.entry(site).or_insert((graph.event(events[0]).tags, false));
            if known.1 {
                continue;
            }
            let mut without = graph.clone();
            for e in events {
                without.event_mut(e).tags = TagSetId::default();
            }
            let mut found = BTreeSet::new();
            let other = Execution { graph: &without, last: None, flags: &[], ..*execution };
            recovery.explore(&other, &mut |recovered| {
                found.insert(recovered.state());
                Go::On
            });
            known.1 = found != *states;
        }
    }

    /// Adds what another one has looked at.
    pub fn add(&mut self, other: Useless) {
        for (site, (tags, matters)) in other.sites {
            self.sites.entry(site).or_insert((tags, false)).1 |= matters;
        }
        self.executions += other.executions;
        self.is_too_much |= other.is_too_much;
    }

    /// The forces that change nothing: what they are, and where.
    pub fn found(&self, program: &Program) -> Vec<(String, FuncId, Pc)> {
        if self.is_too_much {
            return Vec::new();
        }
        let name = |tags| {
            let mut names = program.tags_of(tags).filter(|&name| name != "CALL");
            names.next().unwrap_or_default().to_lowercase()
        };
        let useless = self.sites.iter().filter(|(_, (_, matters))| !matters);
        useless.map(|(&(function, pc), &(tags, _))| (name(tags), function, pc)).collect()
    }

    /// To be told to another process.
    pub fn recorded(&self) -> Record {
        let site = |(&(f, pc), &(tags, matters)): (&(FuncId, Pc), &(TagSetId, bool))| (f.0, pc, tags.0, matters);
        (self.sites.iter().map(site).collect(), self.executions, self.is_too_much)
    }

    /// What another process has told.
    pub fn restored((sites, executions, is_too_much): Record) -> Useless {
        let site = |(f, pc, tags, matters)| ((FuncId(f), pc), (TagSetId(tags), matters));
        Useless { sites: sites.into_iter().map(site).collect(), executions, is_too_much }
    }
}

fn is_force(program: &Program, kind: Kind, tags: TagSetId) -> bool {
    kind == Kind::Fence && program.tags_of(tags).any(|tag| FORCES.contains(&tag))
}
