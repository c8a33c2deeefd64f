//! Compiles a model into a plan: simplifies it, says what each check may do when, and generates the code of the three schedules.

use super::code::{Code, Item};
use super::codegen::{Codegen, Wanted, reach};
use super::implied::leave_out_implied;
use super::registers::allocate;
use super::wake::Wake;
use super::{CheckInfo, Input, Kind, Known, Plan};
use crate::algebra::facts::analyse::{Analysis, Growth, describe};
use crate::algebra::facts::extend::Extension;
use crate::algebra::facts::imply::{Included, inclusions, is_within_order, wholes};
use crate::algebra::facts::order::{Orders, keeps_halves_acyclic, keeps_locks_acyclic, keeps_po_and_rf_acyclic};
use crate::algebra::facts::polarity::only_loses;
use crate::algebra::facts::retag::Checks;
use crate::algebra::facts::weaken::{cores, own_cores};
use crate::algebra::simplify::converse::Converse;
use crate::algebra::simplify::narrow::narrow;
use crate::algebra::simplify::orient::orient;
use crate::algebra::simplify::share::share;
use crate::algebra::simplify::{Condition, Simplified, simplify};
use crate::algebra::{Base, Check, ExprId, Model, Node, Pool, Predicate, Role};
use crate::kernel::decided::{Decided, plain_conditions};
use crate::kernel::small::{Ends, Last, SmallCode, Wishes};
use crate::kernel::state::spare::Spare;
use rustc_hash::FxHashMap;
use std::sync::Arc;

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
        let retagged = Arc::new(Checks::new(&pool, model.checks.iter().zip(conditions.iter().copied())));
        let is_reported = |(check, _): &(&Check, _)| !check.role.rejects();
        let flags_lose = model.checks.iter().zip(&conditions).filter(is_reported).all(|(check, on)| {
            let speaks_up_when_violated = check.negated == (check.role == Role::Flag);
            speaks_up_when_violated && only_loses(&pool, on.expr)
        });
        let own = pool.len();
        let (mut pool, mut prunes) = pruning(&pool, &analysis, &checks, model, &conditions);
        let analysis = Analysis::new(&pool, growth);
        let extension = Extension::new(&pool, &analysis, growth.late_values);
        let growing = Extension::by_instructions(&pool);
        for ((info, check), on) in checks.iter_mut().zip(&model.checks).zip(&conditions) {
            let speaks_up_when_violated = check.negated == (check.role == Role::Flag);
            info.stays_raised = speaks_up_when_violated && growing.keeps_violated(on.expr);
        }
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
        let locks_acyclic = keeps_locks_acyclic(&pool, &acyclic);
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
                (role, Kind::FinalOnly) if role.rejects() => {
                    let core = prunes.iter().filter(|(i, _)| *i == index).map(|&(_, on)| on);
                    partial.extend(core.map(|on| Wanted { conditions: vec![on], ..wanted.clone() }));
                    last.push(wanted);
                }
                (role, _) if role.rejects() => partial.push(wanted),
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
            locks_acyclic,
            any_growth,
            prunes: orders,
            leaves_room,
            general: None,
            open: None,
            reported,
            flags_lose,
            at_end,
            retagged,
            code,
            spare: Spare::default(),
        }
    }
}

fn classify(pool: &Pool, analysis: &Analysis, check: &Check, on: Condition) -> CheckInfo {
    let Condition { predicate, expr } = on;
    let info =
        |kind: Kind, reason: String| CheckInfo { kind, reason, lets_go_on: true, stays_raised: false, has_core: false };
    if matches!(pool.node(expr), Node::Empty(_)) {
        let reason = "its operand is empty in this program".into();
        return info(Kind::Vanished { holds: !check.negated }, reason);
    }
    if !check.role.rejects() {
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
