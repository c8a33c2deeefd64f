//! The final states of a litmus test, added up as executions are found.

use super::inputs::messages;
use super::inputs::settings::Settings;
use crate::algebra::{Model, Role};
use crate::explore::parallel::parts::{Split, field};
use crate::explore::{Execution, Go, Problem, Visitor};
use crate::litmus::outcome::{End, Found};
use crate::litmus::{Quantifier, Source, Test};
use crate::verdict::picture::draw;
use crate::verdict::picture::related::relate;
use crate::verdict::{Message, Picture, Sources, finding};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Adds up final states.
pub(super) struct Ends<'a> {
    test: &'a Test,
    model: &'a Model,
    sources: &'a Sources,
    draw: bool,
    relations: Vec<String>,
    color: bool,
    /// Only the answer is wanted; the search may end when it is known.
    condition_only: bool,
    /// Executions, by the values that the test looks at. When only the answer is wanted, those that satisfy the proposition all
    /// count as the first of them, and so do the others.
    pub groups: BTreeMap<End, Found>,
    /// When only the answer is wanted: the first end that does not satisfy the proposition, and the first that does.
    firsts: [Option<End>; 2],
    /// Flags raised: in how many executions, and whether they mean undefined behaviour.
    pub flags: BTreeMap<String, (u64, bool)>,
    /// An execution that satisfies the proposition, if one was to be drawn.
    pub witness: Option<Picture>,
    /// What the test does that cannot be run, and where the model has no answer.
    pub unsupported: Vec<Message>,
    decided: Option<End>,
    /// Whether executions were left out that do not matter for the answer.
    pub pruned: Cell<bool>,
    /// Whether the model knows undefined behaviour.
    knows_undefined: bool,
}

impl<'a> Ends<'a> {
    /// Nothing was found yet.
    pub fn new(test: &'a Test, model: &'a Model, sources: &'a Sources, settings: &Settings) -> Self {
        Ends {
            test,
            model,
            sources,
            draw: settings.witness || settings.explain,
            relations: settings.related(model),
            color: settings.color,
            condition_only: settings.condition_only,
            groups: BTreeMap::new(),
            firsts: [None, None],
            flags: BTreeMap::new(),
            witness: None,
            unsupported: Vec::new(),
            decided: None,
            pruned: Cell::new(false),
            knows_undefined: model.checks.iter().any(|check| check.role == Role::Undefined),
        }
    }

    /// The end of the execution that decided the condition and ended the search, if one did.
    pub fn decided(&self) -> Option<&[u64]> {
        self.decided.as_deref()
    }

    fn cannot(&mut self, why: Message) {
        if !self.unsupported.iter().any(|m| m.message == why.message) {
            self.unsupported.push(why);
        }
    }

    /// The end as which an end counts.
    fn counted_as(&mut self, end: End, holds: bool) -> End {
        match self.condition_only {
            true => self.firsts[usize::from(holds)].get_or_insert(end).clone(),
            false => end,
        }
    }

    /// Whether an execution settles the answer, whatever the others are. Undefined behaviour outweighs everything else: under a
    /// model that knows it, only an undefined execution settles anything.
    fn settles(&self, holds: bool, undefined: bool) -> bool {
        if self.knows_undefined {
            return undefined;
        }
        holds == (self.test.quantifier != Quantifier::Forall)
    }
}

/// The end of an execution: one value for each watch of the test.
pub(super) fn final_values(test: &Test, execution: &Execution<'_, '_>) -> End {
    let (graph, world) = (execution.graph, execution.world);
    let register = |thread: u32, register: u32| {
        let runner = graph.lanes().get(thread as usize).and_then(|lane| lane.thread.as_ref());
        runner.and_then(|t| t.register(world.program, register)).map_or(0, |(slot, _)| slot.value)
    };
    let value = |source: &Source| match *source {
        Source::Memory { address, size } => execution.last_value(address, size),
        Source::Register { thread, register: r } => register(thread, r),
    };
    test.context.watches.iter().map(|w| value(&w.source)).collect()
}

impl Visitor for Ends<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let values = final_values(self.test, execution);
        if !self.test.accepts(&values) {
            return Go::On;
        }
        let raised = execution.flags.iter().map(|&flag| &self.model.checks[flag]);
        let failed: Vec<_> = raised.filter(|check| check.role.is_error()).collect();
        let is_sound = failed.is_empty();
        failed.into_iter().for_each(|check| self.cannot(messages::no_answer(check, self.model, self.color)));
        let holds = self.test.satisfies(&values);
        if self.draw && self.witness.is_none() && holds && is_sound {
            let mut picture = draw::draw(execution, self.sources).picture;
            relate(&mut picture, execution, self.model, &self.relations);
            self.witness = Some(picture);
        }
        let decisive = self.condition_only.then(|| values.clone());
        let end = self.counted_as(values, holds);
        let group = self.groups.entry(end).or_default();
        group.count += 1;
        let flags = execution.flags.iter().filter(|&&flag| !self.model.checks[flag].role.is_error());
        for &flag in flags {
            let check = &self.model.checks[flag];
            let undefined = check.role == Role::Undefined;
            let name = crate::verdict::flags::name(check).to_owned();
            self.flags.entry(name.clone()).or_insert((0, undefined)).0 += 1;
            group.undefined |= undefined;
            if check.role == Role::Flag && !group.flags.contains(&name) {
                group.flags.push(name);
            }
        }
        let undefined = group.undefined;
        if self.condition_only && is_sound && self.settles(holds, undefined) {
            self.decided = decisive;
            return Go::Stop;
        }
        Go::On
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        // Threads of a litmus test that wait for ever make an execution of no interest, as in the field's other tools.
        if let Problem::Fault(_, span, fault) = problem {
            let message = finding::fault_message(execution, fault);
            let place = draw::place(execution.world.program, *span);
            self.cannot(Message { code: "hmc::unsupported".into(), message, place, ..Message::default() });
        }
        Go::On
    }

    /// Executions that say nothing new about the condition: for `exists`, those that do not satisfy it.
    fn rules_out(&self, value: &dyn Fn(u32, u32) -> Option<u64>) -> bool {
        if !self.condition_only || self.knows_undefined {
            return false;
        }
        let watches = self.test.context.watches.iter();
        let known: Vec<Option<u64>> = watches
            .map(|watch| match watch.source {
                Source::Register { thread, register } => value(thread, register),
                Source::Memory { .. } => None,
            })
            .collect();
        let useless = self.test.quantifier == Quantifier::Forall;
        let ruled_out = self.test.context.decides(&self.test.condition, &known) == Some(useless);
        self.pruned.set(self.pruned.get() || ruled_out);
        ruled_out
    }
}

impl Split for Ends<'_> {
    fn fork(&self) -> Self {
        Ends {
            groups: BTreeMap::new(),
            firsts: [None, None],
            flags: BTreeMap::new(),
            witness: None,
            unsupported: Vec::new(),
            decided: None,
            pruned: Cell::new(false),
            relations: self.relations.clone(),
            ..*self
        }
    }

    fn join(&mut self, later: Self) -> Go {
        for (end, found) in later.groups {
            let holds = self.condition_only && self.test.satisfies(&end);
            let end = self.counted_as(end, holds);
            let group = self.groups.entry(end).or_default();
            group.count += found.count;
            group.undefined |= found.undefined;
            let new: Vec<String> = found.flags.into_iter().filter(|flag| !group.flags.contains(flag)).collect();
            group.flags.extend(new);
        }
        for (name, (executions, undefined)) in later.flags {
            self.flags.entry(name).or_insert((0, undefined)).0 += executions;
        }
        self.pruned.set(self.pruned.get() || later.pruned.get());
        self.witness = self.witness.take().or(later.witness);
        later.unsupported.into_iter().for_each(|message| self.cannot(message));
        self.decided = self.decided.take().or(later.decided);
        if self.decided.is_some() { Go::Stop } else { Go::On }
    }

    fn recorded(&self) -> Option<Value> {
        // Texts for people are no part of a message's data.
        let unsupported: Vec<_> = self.unsupported.iter().map(|m| (m, &m.rendered)).collect();
        Some(json!({
            "groups": self.groups.iter().collect::<Vec<_>>(),
            "firsts": self.firsts,
            "flags": self.flags,
            "witness": self.witness,
            "unsupported": unsupported,
            "decided": self.decided,
            "pruned": self.pruned.get(),
        }))
    }

    fn restored(&self, record: &Value) -> Result<Self, String> {
        let groups: Vec<(End, Found)> = field(record, "groups")?;
        let unsupported: Vec<(Message, String)> = field(record, "unsupported")?;
        Ok(Ends {
            groups: groups.into_iter().collect(),
            firsts: field(record, "firsts")?,
            flags: field(record, "flags")?,
            witness: field(record, "witness")?,
            unsupported: unsupported.into_iter().map(|(m, rendered)| Message { rendered, ..m }).collect(),
            decided: field(record, "decided")?,
            pruned: Cell::new(field(record, "pruned")?),
            relations: self.relations.clone(),
            ..*self
        })
    }
}
