//! What a [`Session`](super::session::Session) executes: a model compiled for a program at hand.

use super::code::{Code, Form, Instr, Item};
use super::codegen::{Codegen, Wanted, reach};
use super::decided::Decided;
use super::implied::leave_out_implied;
use super::registers::allocate;
use super::small::{Ends, Last, Numbered, SmallCode, Wishes};
use super::spare::Spare;
use super::wake::Wake;
use crate::algebra::analyse::{Analysis, Growth, describe};
use crate::algebra::converse::Converse;
use crate::algebra::extend::Extension;
use crate::algebra::imply::{Included, inclusions, is_within_order, wholes};
use crate::algebra::narrow::narrow;
use crate::algebra::order::{Halves, Orders, keeps_halves_acyclic, keeps_po_and_rf_acyclic};
use crate::algebra::orient::{Joint, orient};
use crate::algebra::settled::Settled;
use crate::algebra::share::share;
use crate::algebra::simplify::{Condition, Simplified, simplify};
use crate::algebra::weaken::{cores, own_cores};
use crate::algebra::{Base, Check, ExprId, Model, Node, Pool, Predicate, Role, Sort};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A base name whose value the session has to be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// As the model spells it.
    pub name: String,
    /// Set or relation.
    pub sort: Sort,
}

/// When a check can be decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Once violated on a part of an execution, violated on every extension: usable for pruning.
    Prune,
    /// Decided on complete executions only.
    FinalOnly,
    /// Decided without looking at the execution: whether the condition always holds or always fails.
    Vanished {
        /// The truth of the condition, its `~` included.
        holds: bool,
    },
}

/// What the analysis found out about a check.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// When it can be decided.
    pub kind: Kind,
    /// Why, in words.
    pub reason: String,
    /// Whether it is certain that it lets an execution go on: the canonical next event can be added (see [`crate::algebra::extend`]).
    pub lets_go_on: bool,
    /// Whether it is decided at the end, and a weaker check, of the part of its operand that only grows, prunes (see [`crate::algebra::weaken`]).
    pub has_core: bool,
}

impl CheckInfo {
    /// Whether it, or a weaker form of it, can reject an execution that is not complete.
    fn prunes(&self) -> bool {
        self.kind == Kind::Prune || self.has_core
    }
}

/// What is known of the executions that a session is given.
pub struct Known<'a> {
    /// Which base names can be non-empty.
    pub present: &'a dyn Fn(&Base) -> bool,
    /// Which expressions of the model are certain to be empty or everything, by number; nothing is known of those behind its end.
    pub settled: &'a [Settled],
    /// Whether the session is given the intersection of two base relations: as an input whose name is the two names with
    /// [`JOINT`](crate::algebra::orient::JOINT) between them. That is worth it where one of them is much larger than the intersection.
    pub joint: Joint<'a>,
    /// What events a base relation relates, where that is known: the kinds of its sources and of its targets, as bit sets. No event has two kinds.
    pub ends: Ends<'a>,
    /// Whether base names mean what they mean in execution graphs (a read reads from one write, program order is one order a thread, creating a thread
    /// orders everything before it, …), so that a check may be left out that only then follows from others.
    pub graphs: bool,
}

/// A compiled model: immutable, shared between workers.
#[derive(Clone)]
pub struct Plan {
    inputs: Vec<Input>,
    checks: Vec<CheckInfo>,
    porf_acyclic: bool,
    /// The same of `po | rf | amo`.
    halves_acyclic: bool,
    any_growth: bool,
    /// The pruning checks, the weaker forms of others among them; and whether by themselves they leave room for cycles of `po | rf`.
    prunes: Orders,
    leaves_room: bool,
    general: Option<Arc<Plan>>,
    open: Option<Arc<Plan>>,
    /// See [`Self::reported`].
    reported: Vec<Base>,
    /// What is decided at the end.
    at_end: Decided,
    pub(super) code: Code,
    /// Storage of sessions that have ended.
    pub(super) spare: Spare,
}

impl Plan {
    /// Compiles a model. `present(base)`: can this base name be non-empty in the program at hand? Absent ones are replaced by
    /// the empty set or relation and simplified away. `holes`: may events be added po-before existing ones? That weakens what
    /// can be proved of the checks.
    pub fn compile(model: &Model, present: &dyn Fn(&Base) -> bool, holes: bool) -> Plan {
        Self::compile_for(model, present, Growth::stable(holes))
    }

    /// The same for executions that grow in other ways, too.
    pub fn compile_for(model: &Model, present: &dyn Fn(&Base) -> bool, growth: Growth) -> Plan {
        Self::compile_knowing(
            model,
            &Known { present, settled: &[], joint: &|_, _| false, ends: &|_| None, graphs: false },
            growth,
        )
    }

    /// The same, knowing more of the executions.
    pub fn compile_knowing(model: &Model, known: &Known<'_>, growth: Growth) -> Plan {
        let &Known { present, settled, joint, ends, graphs } = known;
        let Simplified { pool, conditions } = simplify(model, present, settled);
        let analysis = Analysis::new(&pool, growth);
        let mut checks: Vec<CheckInfo> =
            model.checks.iter().zip(&conditions).map(|(check, &on)| classify(&pool, &analysis, check, on)).collect();
        let own = pool.len();
        let (mut pool, mut prunes) = pruning(&pool, &analysis, &checks, model, &conditions);
        let analysis = Analysis::new(&pool, growth);
        let extension = Extension::new(&pool, &analysis, growth.late_values);
        prunes.retain(|&(index, on)| {
            let info = &mut checks[index];
            info.lets_go_on = extension.keeps(on.predicate, on.expr);
            let is_wanted = info.lets_go_on || !growth.certain;
            if !is_wanted && info.kind == Kind::Prune {
                info.kind = Kind::FinalOnly;
                info.reason = "may reject an execution that the next event of a thread is added to".into();
            }
            info.has_core = is_wanted && info.kind == Kind::FinalOnly;
            is_wanted
        });
        let is_acyclic = |on: &Condition| on.predicate == Predicate::Acyclic;
        let acyclic: Vec<ExprId> = prunes.iter().filter(|(_, on)| is_acyclic(on)).map(|(_, on)| on.expr).collect();
        let porf_acyclic = keeps_po_and_rf_acyclic(&pool, &acyclic);
        let halves_acyclic = keeps_halves_acyclic(&pool, &acyclic);
        let orders = orders(&pool, &analysis, model, &conditions, &prunes, own);
        let leaves_room = !porf_acyclic && growth.holes && !growth.complete;
        let (mut partial, mut last, mut flags) = (Vec::new(), Vec::new(), Vec::new());
        for (index, check) in model.checks.iter().enumerate() {
            let conditions = match checks[index].kind {
                Kind::Vanished { holds } if holds == (check.role != Role::Flag) => continue,
                Kind::Vanished { .. } => Vec::new(),
                _ => vec![conditions[index]],
            };
            let wanted = Wanted { index, role: check.role, conditions, negated: check.negated };
            match (check.role, checks[index].kind) {
                (Role::Require, Kind::FinalOnly) => {
                    let core = prunes.iter().filter(|(i, _)| *i == index).map(|&(_, on)| on);
                    partial.extend(core.map(|on| Wanted { conditions: vec![on], ..wanted.clone() }));
                    last.push(wanted);
                }
                (Role::Require, _) => partial.push(wanted),
                _ => flags.push(wanted),
            }
        }
        let at_end = Decided::new(&pool, &partial, &last);
        let reports_on = |base: &&Base| {
            let mut exprs = flags.iter().flat_map(|flag| &flag.conditions).map(|on| on.expr);
            exprs.any(|expr| pool.mentions(expr, base))
        };
        let reported = pool.bases().iter().filter(reports_on).cloned().collect();
        leave_out_implied(&pool, &mut partial, graphs && !growth.late_values);
        for on in flags.iter_mut().flat_map(|flag| &mut flag.conditions).filter(|on| on.predicate == Predicate::Empty) {
            on.expr = narrow(&mut pool, on.expr);
        }
        let mut converse = Converse::joining(joint);
        for wanted in partial.iter_mut().chain(&mut last).chain(&mut flags) {
            let conditions = std::mem::take(&mut wanted.conditions);
            wanted.conditions = conditions.into_iter().flat_map(|on| orient(&mut pool, on, &mut converse)).collect();
        }
        share_parts(&mut pool, [&mut partial, &mut last, &mut flags]);
        let (inputs, code) = generate(&pool, partial, last, flags, growth.complete, ends);
        let any_growth = growth.holes;
        Plan {
            inputs,
            checks,
            porf_acyclic,
            halves_acyclic,
            any_growth,
            prunes: orders,
            leaves_room,
            general: None,
            open: None,
            reported,
            at_end,
            code,
            spare: Spare::default(),
        }
    }

    /// Base names actually needed, in input order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// What is known of each check; the index is that in [`Model::checks`].
    pub fn checks(&self) -> &[CheckInfo] {
        &self.checks
    }

    /// Number of instructions, of slots for sets, and of slots for relations.
    pub fn size(&self) -> (usize, usize, usize) {
        let code = &self.code;
        let all = [&code.partial, &code.last, &code.flags];
        (all.into_iter().map(|items| instructions(items)).sum(), code.sets as usize, code.rels as usize)
    }

    /// Whether the pruning checks stay violated however an execution grows: also when events are added before others in their thread.
    pub fn prunes_in_any_growth(&self) -> bool {
        self.any_growth
    }

    /// The same plan, which knows another one of the model, for executions that grow in any way.
    #[must_use]
    pub fn compared_with(mut self, general: &Arc<Plan>) -> Plan {
        if general.any_growth && !self.any_growth {
            self.any_growth = self.prunes == general.prunes;
            self.general = (!self.any_growth).then(|| Arc::clone(general));
        }
        self
    }

    /// The same, sharing no memory with this one. What a plan is made of lies between what its maker allocated later, and writes to: another worker that reads
    /// it would wait for that.
    #[must_use]
    pub fn apart(&self) -> Plan {
        let apart = |plan: &Arc<Plan>| Arc::new(plan.apart());
        Plan { general: self.general.as_ref().map(apart), open: self.open.as_ref().map(apart), ..self.clone() }
    }

    /// A plan of the model for executions that grow in any way, where this one's pruning checks say more than that one's: weaker forms do where
    /// executions grow in fewer ways.
    pub fn general(&self) -> Option<&Arc<Plan>> {
        self.general.as_ref()
    }

    /// The same plan, which knows another one of the model, for executions in which events are there before it is told how they are ordered.
    #[must_use]
    pub fn leaving_open(mut self, open: Plan) -> Plan {
        self.open = Some(Arc::new(open));
        self
    }

    /// A plan of the model for executions in which events are there before it is told how they are ordered, where that is wanted.
    pub fn open(&self) -> Option<&Arc<Plan>> {
        self.open.as_ref()
    }

    /// Whether it is not certain of some pruning check that it lets an execution go on.
    pub fn may_get_stuck(&self) -> bool {
        self.checks.iter().any(|check| check.prunes() && !check.lets_go_on)
    }

    /// The base names on which something depends that is reported of consistent executions (a flag, undefined behaviour), in the programs that the plan
    /// is for.
    pub fn reported(&self) -> &[Base] {
        &self.reported
    }

    /// Whether the last event of a thread, which is in these base sets and does not both read and write, can always be replaced by the canonical one of the same
    /// sets, as far as checks are concerned that are decided at the end (see [`crate::algebra::renew`]).
    pub fn renews_last(&self, is_in: &dyn Fn(&str) -> bool) -> bool {
        self.at_end.renews_last(is_in)
    }

    /// Whether there are flags that an execution of the program may raise.
    pub fn has_flags(&self) -> bool {
        !self.code.flags.is_empty()
    }

    /// Whether some check depends on the values that events carry.
    pub fn looks_at_values(&self) -> bool {
        self.code.uses_values
    }

    /// Whether executions of few events are judged in a leaner form (`kernel::small`): then, how many relations that follow from others are
    /// kept for that.
    pub fn small_form(&self) -> Option<usize> {
        self.code.small.as_ref().map(SmallCode::derived_relations)
    }

    /// The same plan, in whose leaner form paths are joined to automata before they are first walked, not when they have been walked often: so that
    /// tests reach the automata in short histories.
    #[must_use]
    pub fn joining_paths_at_once(mut self) -> Plan {
        if let Some(small) = &mut self.code.small {
            small.join_at_once();
        }
        self
    }

    /// Some input sets, in the form in which [`Addition`](super::small::Addition) takes them.
    pub fn small_sets(&self, inputs: &[usize]) -> u64 {
        self.code.small.as_ref().map_or(0, |code| inputs.iter().fold(0, |sets, &input| sets | code.set_of(input)))
    }

    /// The checks that stay violated in any growth, where the model by itself does not keep `po | rf` acyclic.
    pub fn orders(&self) -> Option<&Orders> {
        self.leaves_room.then_some(&self.prunes)
    }

    /// The same plan, for programs that are known to have no cycle of `po | rf` under the model.
    #[must_use]
    pub fn without_cycles(mut self) -> Plan {
        self.porf_acyclic = true;
        self
    }

    /// The same plan, for programs of which some instructions read and write without an order between the two: these take part in cycles.
    #[must_use]
    pub fn with_halves(mut self, halves: Halves) -> Plan {
        let is_ordered = match halves {
            Halves::Ordered => true,
            Halves::Locked => self.halves_acyclic,
            Halves::Loose => false,
        };
        if !is_ordered && self.porf_acyclic {
            (self.porf_acyclic, self.leaves_room) = (false, self.any_growth);
        }
        self
    }

    /// Whether `po | rf` is known to be acyclic: some pruning check provably keeps it so, or the plan is for a program that does.
    pub fn implies_porf_acyclic(&self) -> bool {
        self.porf_acyclic
    }
}

fn instructions(items: &[Item]) -> usize {
    let inner = |instr: &Instr| match instr {
        Instr::Group(group) => match &group.form {
            Form::Least { body } => 1 + body.len(),
            Form::Exact { segments, .. } => 1 + segments.iter().map(Vec::len).sum::<usize>(),
        },
        _ => 1,
    };
    let item = |item: &Item| match item {
        Item::Do(instr) => inner(instr),
        Item::Check(check) => check.tests.len(),
        Item::Section(section) => instructions(&section.body),
    };
    items.iter().map(item).sum()
}

fn classify(pool: &Pool, analysis: &Analysis, check: &Check, on: Condition) -> CheckInfo {
    let Condition { predicate, expr } = on;
    let info = |kind: Kind, reason: String| CheckInfo { kind, reason, lets_go_on: true, has_core: false };
    if matches!(pool.node(expr), Node::Empty(_)) {
        let reason = "its operand is empty in this program".into();
        return info(Kind::Vanished { holds: !check.negated }, reason);
    }
    if check.role != Role::Require {
        let reason = "reported on complete executions; it rejects none".into();
        return info(Kind::FinalOnly, reason);
    }
    if check.negated {
        let reason = "a negated test: more events can make it hold".into();
        return info(Kind::FinalOnly, reason);
    }
    match analysis.monotone(expr) {
        Ok(()) => info(Kind::Prune, describe(predicate).into()),
        Err(why) => info(Kind::FinalOnly, format!("depends on {why}")),
    }
}

/// What may prune: the conditions of checks that do, and of the others the part that only grows; by index of the check, in a pool that has them all.
fn pruning(
    pool: &Pool,
    analysis: &Analysis<'_>,
    checks: &[CheckInfo],
    model: &Model,
    conditions: &[Condition],
) -> (Pool, Vec<(usize, Condition)>) {
    let decides = |i: usize| match checks[i].kind {
        Kind::Prune => true,
        Kind::FinalOnly => model.checks[i].role == Role::Require && !model.checks[i].negated,
        Kind::Vanished { .. } => false,
    };
    let wanted: Vec<usize> = (0..checks.len()).filter(|&i| decides(i)).collect();
    let roots: Vec<ExprId> = wanted.iter().map(|&i| conditions[i].expr).collect();
    let (pool, cores) = cores(pool, analysis, &roots);
    let found = wanted.into_iter().zip(cores);
    let prunes = found.filter_map(|(i, core)| Some((i, Condition { expr: core?, ..conditions[i] }))).collect();
    (pool, prunes)
}

/// The pruning checks, and what checks say of relations, in terms of what is certain of a part of an execution. The first `own` expressions are the
/// model's.
fn orders(
    pool: &Pool,
    analysis: &Analysis<'_>,
    model: &Model,
    conditions: &[Condition],
    prunes: &[(usize, Condition)],
    own: usize,
) -> Orders {
    let checks = prunes.iter().map(|&(_, on)| on).collect();
    let is_required = |check: &Check| check.role == Role::Require && !check.negated;
    let required: Vec<Condition> =
        model.checks.iter().zip(conditions).filter(|(check, _)| is_required(check)).map(|(_, &on)| on).collect();
    let mut found = inclusions(pool, &required);
    found.retain(|&(part, _)| analysis.monotone(part).is_ok());
    if found.is_empty() {
        return Orders { pool: pool.clone(), checks, included: Vec::new() };
    }
    let roots: Vec<ExprId> = required.iter().map(|on| on.expr).collect();
    let (larger, own) = own_cores(pool, analysis, &roots, own);
    let included = found.into_iter().map(|(part, whole)| {
        let cyclic = prunes.iter().enumerate().filter(|(_, (_, on))| on.predicate != Predicate::Empty);
        let orders = cyclic.filter(|(_, (check, _))| is_within_order(pool, whole, conditions[*check].expr));
        Included {
            part,
            orders: orders.map(|(number, _)| number).collect(),
            nodes: wholes(pool, whole).iter().filter_map(|node| own.get(node).copied()).collect(),
        }
    });
    Orders { checks, included: included.collect(), pool: larger }
}

/// Has what compositions of several conditions share evaluated once.
fn share_parts(pool: &mut Pool, schedules: [&mut Vec<Wanted>; 3]) {
    let mut conditions: Vec<&mut Condition> =
        schedules.into_iter().flatten().flat_map(|wanted| &mut wanted.conditions).collect();
    let mut roots: Vec<ExprId> = conditions.iter().map(|on| on.expr).collect();
    share(pool, &mut roots);
    conditions.iter_mut().zip(roots).for_each(|(on, root)| on.expr = root);
}

/// Lays out the inputs and generates the three schedules. `complete`: executions are complete, but for choices, from the start.
fn generate(
    pool: &Pool,
    partial: Vec<Wanted>,
    last: Vec<Wanted>,
    flags: Vec<Wanted>,
    complete: bool,
    ends: Ends<'_>,
) -> (Vec<Input>, Code) {
    let all = partial.iter().chain(&last).chain(&flags);
    let roots: Vec<ExprId> = all.flat_map(|w| w.conditions.iter().map(|c| c.expr)).collect();
    let reached = reach(pool, &roots);
    let mut inputs = Vec::new();
    let mut numbers: FxHashMap<ExprId, usize> = FxHashMap::default();
    for i in (0..pool.len()).filter(|&i| reached[i]) {
        if let Node::Base(base) = pool.node(ExprId::at(i)) {
            let Base { name, sort } = pool.bases()[base.index()].clone();
            numbers.insert(ExprId::at(i), inputs.len());
            inputs.push(Input { name, sort });
        }
    }
    let mut kept = Codegen::new(pool);
    kept.lay_out_inputs(&roots, &numbers);
    let small = plain_conditions(&partial).and_then(|prunes| {
        let at_end = of_complete(&last).zip(of_complete(&flags));
        let at_end = at_end.as_ref().map(|(last, flags)| [&last[..], &flags[..]]);
        SmallCode::compile(pool, &Wishes { prunes: &prunes, at_end, often: complete }, &numbers, ends)
    });
    let mut partial = kept.schedule(partial, true);
    let orders = number_orders(&mut partial);
    let wakes = partial.iter().map(Wake::of).collect();
    for item in &mut partial {
        item.visit_chains(&mut |chain| chain.sources = Wake::of_sources(chain));
    }
    let (sets, rels) = (kept.code.sets, kept.code.rels);
    // The scratch schedules start from the slots that are kept up to date, and the second goes on where the first ended.
    let mut scratch = kept.clone();
    let mut items = scratch.schedule(last, false);
    let end = items.len();
    items.extend(scratch.schedule(flags, false));
    let (all_sets, all_rels) = allocate(&mut items, sets, rels);
    let flags = items.split_off(end);
    let uses_values = scratch.code.uses_values;
    let (sets, rels) = (all_sets, all_rels);
    let small = small.filter(|_| !uses_values);
    let code = Code { small, partial, wakes, last: items, flags, sets, rels, orders, uses_values, ..kept.code };
    (inputs, code)
}

/// The conditions of checks that are violated when one of theirs is not met, and by nothing else.
pub(super) fn plain_conditions(checks: &[Wanted]) -> Option<Vec<Numbered>> {
    let is_plain = |w: &Wanted| w.role == Role::Require && !w.negated && !w.conditions.is_empty();
    let all = checks.iter().flat_map(|w| w.conditions.iter().map(|&on| (w.index, on)));
    checks.iter().all(is_plain).then(|| all.collect())
}

/// Checks of complete executions that depend on their conditions.
fn of_complete(checks: &[Wanted]) -> Option<Vec<Last<'_>>> {
    let all = checks.iter().map(|w| (w.index, w.fires_when(), &w.conditions[..]));
    checks.iter().all(|w| !w.conditions.is_empty()).then(|| all.collect())
}

/// Gives each cycle check that is evaluated after every step a topological order of its own.
fn number_orders(items: &mut [Item]) -> usize {
    let checks = items.iter_mut().filter_map(|item| if let Item::Check(check) = item { Some(check) } else { None });
    let cyclic = checks.flat_map(|check| &mut check.tests).filter(|test| test.predicate == Predicate::Acyclic);
    cyclic.enumerate().map(|(i, test)| test.order = Some(i)).count()
}
