//! Compiled models: one for each set of base names that programs turn out to use.

use crate::algebra::facts::analyse::Growth;
use crate::algebra::facts::settled::{Settled, settled};
use crate::algebra::{Base, Model, Sort};
use crate::analysis::load_buffering;
use crate::explore::options::Equivalence;
use crate::graph::base_relations;
use crate::graph::base_relations::kinds::{Kinds, is_member};
use crate::graph::base_relations::uses::{BaseName, Uses};
use crate::graph::event::Kind;
use crate::ids::TagSetId;
use crate::kernel::plan::{Known, Plan};
use crate::program::Program;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Tells plans for complete sets of events from the others.
const COMPLETE: u8 = u8::MAX;
/// Tells plans that prune with certain checks only from the others.
const CERTAIN: u8 = 1 << 6;
/// Tells plans for programs without load buffering from the others.
const ORDERED: u8 = 1 << 4;
/// Tells plans that know one for orders that are left open from the others.
const OPEN: u8 = 1;
/// Plans that are kept before all are forgotten.
const KEPT: usize = 512;

/// The plans of one model. All that a plan depends on besides the model is which base names occur in the program, which
/// of them events may come to have late, and which sets are settled by the kinds of its events; so tests of one family share theirs.
#[derive(Default)]
pub struct Plans {
    table: Mutex<FxHashMap<Box<[u8]>, Arc<Plan>>>,
    /// The base names of the model.
    names: OnceLock<Vec<BaseName>>,
}

impl std::fmt::Debug for Plans {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Plans")
    }
}

impl Plans {
    /// The plan of the model, always the same one, for a program.
    pub fn get(&self, model: &Model, program: &Program, equivalence: &Equivalence) -> Arc<Plan> {
        self.get_for(model, program, equivalence, false)
    }

    /// The same with pruning checks only of which it is certain that they let an execution go on.
    pub fn get_certain(&self, model: &Model, program: &Program, equivalence: &Equivalence) -> Arc<Plan> {
        self.get_for(model, program, equivalence, true)
    }

    fn get_for(&self, model: &Model, program: &Program, equivalence: &Equivalence, certain: bool) -> Arc<Plan> {
        let leaves_open = equivalence.leaves_orders_open();
        let certain = certain || needs_certain(equivalence);
        let purpose = if leaves_open { OPEN } else { 0 } | if certain { CERTAIN } else { 0 };
        let plan = self.find(model, program, purpose, |known| {
            Compiler { model, known, untouched: &|_| false, leaves_open, certain }.compile()
        });
        match is_ordered_under(&plan, program) {
            true => self.find(model, program, ORDERED | purpose, |known| {
                Compiler { model, known, untouched: &|_| false, leaves_open, certain }.compile_ordered(&plan)
            }),
            false => plan,
        }
    }

    /// The same for graphs of which all events are there from the start, and then get their reads-from and coherence.
    pub fn get_complete(&self, model: &Model, program: &Program) -> Arc<Plan> {
        self.find(model, program, COMPLETE, |known| compile_complete(model, known))
    }

    fn find(
        &self,
        model: &Model,
        program: &Program,
        purpose: u8,
        compile: impl FnOnce(&Facts<'_>) -> Arc<Plan>,
    ) -> Arc<Plan> {
        let known = Facts::of(model, program);
        let bases = || model.pool.bases().iter().map(|base| BaseName::of(&base.name, base.sort));
        let names = self.names.get_or_init(|| bases().collect());
        let late = u8::from(known.has_late_values());
        let settled = known.settled.iter().map(|&settled| settled as u8);
        let halves = known.uses.halves() as u8;
        let key: Box<[u8]> = known.uses.of_all(names).chain([late, purpose, halves]).chain(settled).collect();
        // A thread that panicked here left the table as it was.
        if let Some(plan) = self.table.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return plan.clone();
        }
        let plan = compile(&known);
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if table.len() >= KEPT {
            table.clear();
        }
        table.insert(key, plan.clone());
        plan
    }
}

/// Compiles a model for a program: base names that the program does not use are gone, and what can be proved of the
/// checks takes into account how the program's graphs grow.
pub fn plan(model: &Model, program: &Program) -> Arc<Plan> {
    plan_for(model, program, &Equivalence::default())
}

/// The same for an exploration that counts executions in another way.
pub fn plan_for(model: &Model, program: &Program, equivalence: &Equivalence) -> Arc<Plan> {
    let (leaves_open, certain) = (equivalence.leaves_orders_open(), needs_certain(equivalence));
    let compiler = Compiler { model, known: &Facts::of(model, program), untouched: &|_| false, leaves_open, certain };
    let plan = compiler.compile();
    match is_ordered_under(&plan, program) {
        true => compiler.compile_ordered(&plan),
        false => plan,
    }
}

/// The plan for graphs that grow at the end of one thread only, by reads with these tags.
pub fn plan_for_reads(model: &Model, program: &Program, tags: TagSetId) -> Arc<Plan> {
    let known = &Facts::of(model, program);
    let untouched = |base: &Base| is_untouched_by_reads(base, program, tags);
    let compiler = Compiler { model, known, untouched: &untouched, leaves_open: false, certain: false };
    Arc::new(compiler.plan(false))
}

/// Whether reads with these tags take no part in what a base name means.
pub fn is_untouched_by_reads(base: &Base, program: &Program, tags: TagSetId) -> bool {
    match base.sort {
        Sort::Set => !is_member(program, Kind::Read, [false; 2], [tags; 2], &base.name),
        Sort::Rel => base_relations::is_coherence(&base.name, base.sort),
    }
}

/// The plan for graphs of which all events are there from the start.
pub fn plan_complete(model: &Model, program: &Program) -> Arc<Plan> {
    compile_complete(model, &Facts::of(model, program))
}

fn compile_complete(model: &Model, known: &Facts<'_>) -> Arc<Plan> {
    let present = |base: &Base| known.uses.present(&base.name, base.sort);
    let late = |base: &Base| base_relations::is_chosen(&base.name, base.sort);
    let growth = Growth { late: &late, late_values: true, complete: true, ..Growth::stable(false) };
    let known =
        Known { present: &present, settled: &known.settled, joint: &|_, _| false, ends: &|_| None, graphs: true };
    Arc::new(Plan::compile_knowing(model, &known, growth))
}

/// Whether only checks prune of which it is certain that they let executions go on. Where reads choose among writes whose order is of no interest, it is not
/// noticed that others do not.
fn needs_certain(equivalence: &Equivalence) -> bool {
    equivalence.is_reads_from()
}

/// What is known of a program's graphs.
struct Facts<'p> {
    uses: Uses<'p>,
    /// What that settles of the model's expressions.
    settled: Vec<Settled>,
}

impl<'p> Facts<'p> {
    fn of(model: &Model, program: &'p Program) -> Facts<'p> {
        let uses = Uses::of(program);
        let of_kinds = |kinds: Kinds<'_>| settled(&model.pool, kinds.count(), &|base| kinds.members(&base.name));
        let settled = uses.kinds().map(of_kinds).unwrap_or_default();
        Facts { uses, settled }
    }

    /// The value of an event that is there already changes when the write half of a fused read-modify-write is added to it.
    fn has_late_values(&self) -> bool {
        self.uses.late("W", Sort::Set)
    }
}

/// What is compiled for programs of which the same is known.
struct Compiler<'a, 'p> {
    model: &'a Model,
    known: &'a Facts<'p>,
    /// Base names that new events take no part in.
    untouched: &'a dyn Fn(&Base) -> bool,
    /// Whether the coherence of some locations is not explored.
    leaves_open: bool,
    certain: bool,
}

impl Compiler<'_, '_> {
    fn plan(&self, holes: bool) -> Plan {
        let plan = self.plan_with(holes, false);
        if self.leaves_open { plan.leaving_open(self.plan_with(holes, true)) } else { plan }
    }

    /// `open`: coherence is told of after the writes.
    fn plan_with(&self, holes: bool, open: bool) -> Plan {
        let Facts { uses, settled } = self.known;
        let present = |base: &Base| uses.present(&base.name, base.sort);
        let late = |base: &Base| {
            uses.late(&base.name, base.sort) || open && base_relations::is_coherence(&base.name, base.sort)
        };
        let certain = self.certain || open;
        let late_values = self.known.has_late_values();
        let stable = Growth::stable(holes);
        let growth = Growth { late: &late, untouched: self.untouched, late_values, certain, ..stable };
        // With fused read-modify-writes there are events of two kinds.
        let ends = |name: &str| if growth.late_values { None } else { base_relations::ends(name) };
        let known = Known { present: &present, settled, joint: &base_relations::is_joint, ends: &ends, graphs: true };
        let plan = Plan::compile_knowing(self.model, &known, growth).with_halves(uses.halves());
        if uses.has_lock_reads() { plan.with_locks() } else { plan }
    }

    fn compile(&self) -> Arc<Plan> {
        let with_holes = Arc::new(self.plan(true));
        match with_holes.implies_porf_acyclic() {
            true => Arc::new(self.plan(false).compared_with(&with_holes)),
            false => with_holes,
        }
    }

    /// For a program that leaves no room for the cycles that the model allows.
    fn compile_ordered(&self, with_holes: &Arc<Plan>) -> Arc<Plan> {
        Arc::new(self.plan(false).compared_with(with_holes).without_cycles())
    }
}

/// Whether the program leaves no room for the cycles that the model allows.
fn is_ordered_under(plan: &Plan, program: &Program) -> bool {
    plan.orders().is_some_and(|orders| load_buffering::is_ordered(program, orders))
}
