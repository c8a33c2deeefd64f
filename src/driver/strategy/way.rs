//! How a program is explored: what is taken for granted, and what is not any more.

use super::attempt::{Attempt, Reason};
use super::cycles;
use super::equivalence::{self, Counting};
use crate::analysis::locks::Locks;
use crate::driver::inputs::models::Usable;
use crate::driver::inputs::settings::{self, Engine, Settings, Symmetry};
use crate::explore::sizes::Met;
use crate::explore::{Equivalence, MOST_EVENTS, Options, ThinAir, prefix_kind};
use crate::graph::prefix::PrefixKind;
use crate::kernel::plan::Plan;
use crate::program::{Program, Start};
use std::sync::Arc;

/// Addresses and sizes of memory.
pub(in crate::driver) type Places = Option<Arc<[(u64, u64)]>>;

/// What is asked: the executions of a program under a model.
pub(in crate::driver) struct Asked<'a> {
    pub program: &'a Program,
    pub usable: &'a Usable,
    pub settings: &'a Settings,
    /// Where accesses of different sizes that meet are noted.
    pub met: Option<Arc<Met>>,
    /// All of the final memory that is looked at, besides what the program itself reads. Nothing: all of it.
    pub observed: Places,
}

impl Asked<'_> {
    /// Whether it is a litmus test.
    pub fn is_test(&self) -> bool {
        matches!(self.program.start, Start::Together(_))
    }

    /// Whether the enumerator is to be asked.
    pub fn enumerates(&self) -> bool {
        self.settings.engine == Engine::Enumerate
    }

    /// How exploration is to go.
    pub fn options(&self, counting: &Counting) -> Options {
        let settings = self.settings;
        Options {
            met: self.met.clone(),
            unroll: settings.unroll,
            bound: settings.bound,
            max_events: settings.max_events.unwrap_or(MOST_EVENTS),
            timed: settings.stats,
            // Litmus tests count as in other tools.
            without_retries: !settings.all_retries && !self.is_test(),
            prune: settings.condition_only && !settings.audit,
            deadline: settings.deadline,
            interrupt: settings.interrupt.clone(),
            spare: settings.spare.clone(),
            forecast: settings.forecast.clone(),
            divider: settings.divider.clone(),
            equivalence: counting.equivalence.clone(),
            first_of_sources: counting.first_of_sources,
            thin_air: if self.is_test() { ThinAir::Values } else { ThinAir::Dependencies },
            // What the end of a C program reads is looked at besides.
            observed: self.observed.clone().or_else(|| (!self.is_test()).then(|| Arc::from([]))),
            symmetry: settings.symmetry != Symmetry::Off && !self.is_test(),
            ..Options::default()
        }
    }
}

/// How a program is explored. Each restart takes less for granted, so there are few.
pub(in crate::driver) struct Way {
    pub counting: Counting,
    pub options: Options,
    /// Whether no order of writes is taken to follow from reads-from.
    pub leaves_all_open: bool,
    /// Whether only checks are asked of growing graphs that let every execution go on.
    pub is_certain: bool,
    goes_round: Option<bool>,
    ruled_out: Vec<Attempt>,
}

impl Way {
    /// With all that may be taken for granted.
    pub fn new(asked: &Asked<'_>) -> Way {
        let counting = match asked.enumerates() {
            true => Counting::default(),
            false => equivalence::counted(asked.program, asked.usable, asked.settings),
        };
        let mut way = Way {
            options: asked.options(&counting),
            counting,
            leaves_all_open: false,
            is_certain: false,
            goes_round: None,
            ruled_out: Vec::new(),
        };
        if way.may_witness_sections(asked) {
            // Where nobody waits, no wait is given up, and no round left out.
            way.options.witness_sections = true;
            (way.options.delay_waits, way.options.without_retries) = (false, false);
        }
        way
    }

    /// Whether the order of critical sections may be left to be witnessed: revisits keep program order, and a model sees no more of events than their labels.
    fn may_witness_sections(&self, asked: &Asked<'_>) -> bool {
        let Asked { program, usable, settings, .. } = asked;
        let is_asked = settings.locks == settings::Locks::One && !usable.loaded.dynamic && !asked.enumerates();
        is_asked && Locks::of(program).is_some() && {
            let plan = usable.plans.get_certain(&usable.model, program, &self.options.equivalence);
            prefix_kind(&plan, &self.options) == PrefixKind::ProgramOrder && !plan.looks_at_values()
        }
    }

    /// Takes less for granted.
    pub fn change(&mut self, asked: &Asked<'_>, reason: Reason) {
        match reason {
            Reason::Ambiguous => {
                self.options.equivalence = Equivalence::ReadsFrom;
                self.leaves_all_open = true;
            }
            Reason::Recurs => self.options.without_retries = false,
            Reason::Stuck => self.is_certain = true,
            Reason::Sections => {
                self.options = asked.options(&self.counting);
                self.goes_round = None;
            }
            Reason::Misjudged => {
                let first_of_sources = self.counting.first_of_sources;
                let note = self.counting.note.take().filter(|_| first_of_sources);
                self.counting = Counting { first_of_sources, note, ..Counting::default() };
                let without_retries = self.options.without_retries;
                self.options = Options { without_retries, ..asked.options(&self.counting) };
                (self.goes_round, self.ruled_out) = (None, Vec::new());
            }
            Reason::Sizes => *self = Way::new(asked),
            Reason::MostRepeat | Reason::MayMiss | Reason::Unsuited | Reason::TooMany => {}
        }
    }

    /// The model, made ready for exploration.
    pub fn plan(&self, asked: &Asked<'_>) -> Arc<Plan> {
        let Asked { usable, program, .. } = asked;
        // Where orders of critical sections are witnessed, it is not noticed that exploration gets stuck.
        match self.is_certain || self.options.witness_sections {
            true => usable.plans.get_certain(&usable.model, program, &self.options.equivalence),
            false => usable.plan(program, &self.options.equivalence),
        }
    }

    /// Whether there may be executions in which dependencies and reads-from form a cycle.
    pub fn goes_round(&mut self, asked: &Asked<'_>) -> bool {
        let known = self.goes_round;
        let found = known.unwrap_or_else(|| cycles::may_go_round(asked.program, &self.plan(asked), &self.options));
        *self.goes_round.insert(found)
    }

    /// Whether an attempt was made in vain, or would be one that was.
    pub fn rules_out(&self, attempt: Attempt) -> bool {
        let is_made = attempt == Attempt::FixedEventsInFull && !self.options.prune;
        is_made || self.ruled_out.contains(&attempt)
    }

    /// Notes that an attempt was made in vain.
    pub fn rule_out(&mut self, attempt: Attempt) {
        self.ruled_out.push(attempt);
    }
}
