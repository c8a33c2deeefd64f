//! The kernel against the plain evaluator, on random models and random histories; and the analysis against growth.

mod generate;
mod history;
mod retag;

use generate::{Palette, RELS, Rng, SETS, model};
use history::{Mirror, Rows, Step, apply, restrict};
use hmc::algebra::facts::analyse::{Analysis, Growth};
use hmc::algebra::facts::settled::{Settled, settled};
use hmc::algebra::facts::weaken::cores;
use hmc::algebra::naive::{Naive, Value};
use hmc::algebra::simplify::{Condition, Simplified, simplify};
use hmc::algebra::{Base, Check, ExprId, Model, Pool, Role};
use hmc::kernel::plan::{Kind, Plan};
use hmc::kernel::session::Session;
use hmc::relation::bits::Bits;
use hmc::relation::candidate::Candidate;
use proptest::prelude::*;
use std::sync::Arc;

/// Whether each check speaks up, as the plain evaluator has it; `None` where a recursive group fails and the check is not about that, or
/// several groups fail (one of them may make another fail, by a part of an equation that is always empty and is left out by the kernel).
fn speaks_up(model: &Model, candidate: &Candidate) -> Vec<Option<bool>> {
    let mut naive = Naive::new(&model.pool, candidate);
    let holds: Vec<Option<bool>> = model.checks.iter().map(|check| naive.holds(check)).collect();
    let checks = model.checks.iter().zip(holds);
    let failing = checks.clone().filter(|(check, holds)| check.role.wants_value() && holds.is_none()).count();
    let up = |(check, holds): (&Check, Option<bool>)| match holds {
        None => (check.role.wants_value() && failing == 1).then_some(true),
        Some(holds) => Some(holds == (check.role == Role::Flag)),
    };
    checks.map(up).collect()
}

fn same(found: Option<usize>, expected: impl Iterator<Item = (usize, Option<bool>)>) -> Result<(), String> {
    let expected: Vec<_> = expected.collect();
    match found {
        None => match expected.iter().find(|(_, up)| *up == Some(true)) {
            None => Ok(()),
            Some((i, _)) => Err(format!("check {i} is violated and was not reported")),
        },
        Some(i) if expected.iter().any(|&(j, up)| i == j && up != Some(false)) => Ok(()),
        Some(i) => Err(format!("check {i} was reported and is not violated")),
    }
}

/// Compares all answers of a session with the plain evaluator's. Tells whether the execution so far is consistent.
fn compare(
    plan: &Plan,
    model: &Model,
    session: &mut Session,
    candidate: &Candidate,
    last: bool,
) -> Result<bool, String> {
    let up = speaks_up(model, candidate);
    let of = |wanted: fn(Kind) -> bool| {
        let up = &up;
        (0..up.len())
            .filter(move |&i| model.checks[i].role.rejects() && wanted(plan.checks()[i].kind))
            .map(move |i| (i, up[i]))
    };
    let partial = session.violated_partial();
    // The weaker form of a check may speak up only where the check does, too.
    match partial.filter(|&i| plan.checks()[i].has_core && up[i] != Some(false)) {
        Some(_) => {}
        None => same(partial, of(|kind| kind != Kind::FinalOnly)).map_err(|e| format!("partial: {e}"))?,
    }
    if last {
        same(session.violated_final(), of(|_| true)).map_err(|e| format!("final: {e}"))?;
        let mut flags = Vec::new();
        session.flags(&mut flags);
        for i in 0..up.len() {
            if !model.checks[i].role.rejects() && up[i].is_some_and(|up| up != flags.contains(&i)) {
                return Err(format!("flag {i}: expected {:?}", up[i]));
            }
        }
    }
    Ok(partial.is_none())
}

/// One random model with one random history; in haste, several frames are left at once now and then, and nothing is asked in between.
fn case(seed: u64, palette: Palette, rows: Rows, steps: usize, in_haste: bool) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let mut haste = Rng::new(!seed);
    let model = model(&mut rng, palette);
    let absent: Vec<&str> = generate::SETS.into_iter().chain(generate::RELS).filter(|_| rng.chance(15)).collect();
    let present = |base: &Base| !absent.contains(&base.name.as_str());
    let plan = Plan::compile(&model, &present, rng.chance(50));
    let plan = Arc::new(if seed.is_multiple_of(3) { plan } else { plan.joining_paths_at_once() });
    let mut session = Session::new(plan.clone());
    let mut mirror = Mirror::new();
    for n in 0..steps {
        let step = history::step(&mut rng, &mirror, rows);
        let compared = |session: &mut Session, mirror: &Mirror, last: bool| {
            let now = mirror.now();
            compare(&plan, &model, session, now, last).map_err(|e| {
                format!(
                    "seed {seed}, step {n} ({step:?}): {e}\nabsent {absent:?}\n{now:?}\n{:?}\n{:?}",
                    model.checks, model.pool
                )
            })
        };
        // A violation lasts until it is undone, even if additions that no execution would make mend it: so frames are
        // only opened, and set aside, on a consistent execution.
        if matches!(step, Step::SetAside(_)) && !compared(&mut session, &mirror, false)? {
            let undo = mirror.undo();
            apply(&undo, &plan, &mut session, &mut mirror, &absent);
            continue;
        }
        let before = matches!(step, Step::Push);
        if matches!(step, Step::Reset) && seed.is_multiple_of(2) {
            // A session that ends in the middle leaves its storage to the next one of the plan.
            drop(session);
            session = Session::new(plan.clone());
            mirror = Mirror::new();
        } else if !before {
            apply(&step, &plan, &mut session, &mut mirror, &absent);
            while in_haste && matches!((&step, mirror.undo()), (Step::Pop, Step::Pop)) && haste.chance(50) {
                apply(&Step::Pop, &plan, &mut session, &mut mirror, &absent);
            }
            if in_haste && matches!(step, Step::Pop) && haste.chance(30) {
                let rows: Bits = mirror.now().universe.iter().copied().collect();
                let there = session.rows().iter().zip(rows.words().iter().chain(std::iter::repeat(&0)));
                assert!(there.clone().all(|(now, rows)| now == rows), "seed {seed}, step {n}: {rows:?}");
            }
        }
        let undone = matches!(step, Step::Pop | Step::Reset | Step::SetAside(_) | Step::PutBack);
        if before || undone || rng.chance(60) {
            let last = rng.chance(30);
            let consistent = compared(&mut session, &mirror, last)?;
            if !consistent {
                let undo = mirror.undo();
                apply(&undo, &plan, &mut session, &mut mirror, &absent);
            } else if before {
                apply(&step, &plan, &mut session, &mut mirror, &absent);
            }
        }
    }
    Ok(())
}

fn cases(from: u64, count: u64, palette: Palette, rows: Rows, steps: usize) {
    for seed in from..from + count {
        if let Err(message) = case(seed, palette, rows, steps, true) {
            panic!("{message}");
        }
    }
}

/// A history that was found at random, exactly as it was.
fn once(seed: u64) {
    assert_eq!(case(seed, PATHS, Rows { first: 0, span: 7 }, 14, false), Ok(()));
}

const TAME: Palette = Palette { wild: false, paths: false, races: false, size: 12 };
const WILD: Palette = Palette { wild: true, paths: false, races: false, size: 12 };
const SMALL: Palette = Palette { wild: true, paths: false, races: false, size: 4 };

const PATHS: Palette = Palette { wild: false, paths: true, races: false, size: 7 };

fn scale() -> u64 {
    std::env::var("HMC_TEST_SCALE").ok().and_then(|s| s.parse().ok()).unwrap_or(1)
}

#[test]
fn small_models() {
    cases(0, 60_000 * scale(), SMALL, Rows { first: 0, span: 6 }, 10);
}

#[test]
fn unions_of_paths() {
    cases(7_000_000, 60_000 * scale(), PATHS, Rows { first: 0, span: 7 }, 14);
    cases(8_000_000, 10_000 * scale(), PATHS, Rows { first: 60, span: 9 }, 20);
    cases(9_000_000, 2_000 * scale(), PATHS, Rows { first: 252, span: 9 }, 20);
    cases(11_000_000, 1_000 * scale(), PATHS, Rows { first: 1020, span: 9 }, 20);
    cases(10_000_000, 30_000 * scale(), Palette { size: 14, ..PATHS }, Rows { first: 0, span: 7 }, 14);
}

/// A search for a cycle may begin at several events of which the oldest has the highest row number: what is older than the others has to be
/// looked at as well. Few random histories are like that; this one is.
#[test]
fn row_numbers_say_nothing_about_age() {
    once(7_958_544);
}

/// Edges between events that are set aside together are there again when these are put back.
#[test]
fn edges_within_what_was_set_aside_come_back() {
    once(7_160_186);
}

/// What a cycle check has noted of the events of an execution says nothing of those of the next one.
#[test]
fn a_reset_forgets_what_cycle_checks_have_noted() {
    once(7_345_745);
}

/// That the histories above are those of small executions, many with closures.
#[test]
fn most_unions_of_paths_have_a_small_form() {
    let form = |seed: u64| {
        Plan::compile(&model(&mut Rng::new(seed), Palette { size: 14, ..PATHS }), &|_| true, false).small_form()
    };
    let forms: Vec<Option<usize>> = (0..2000).map(form).collect();
    let with_closures = forms.iter().filter(|form| form.is_some_and(|derived| derived > 0)).count();
    assert!(forms.iter().flatten().count() > 1000 && with_closures > 500, "{forms:?}");
}

#[test]
fn monotone_recursion() {
    cases(1_000_000, 25_000 * scale(), TAME, Rows { first: 0, span: 7 }, 14);
}

#[test]
fn restrictions_by_unions_of_products() {
    cases(14_000_000, 20_000 * scale(), Palette { races: true, size: 6, ..TAME }, Rows { first: 0, span: 7 }, 14);
    cases(15_000_000, 20_000 * scale(), Palette { races: true, ..PATHS }, Rows { first: 0, span: 7 }, 14);
}

#[test]
fn any_recursion() {
    cases(2_000_000, 15_000 * scale(), WILD, Rows { first: 0, span: 6 }, 12);
}

#[test]
fn rows_around_one_word() {
    cases(3_000_000, 5_000 * scale(), WILD, Rows { first: 60, span: 9 }, 14);
}

#[test]
fn rows_around_several_words() {
    cases(4_000_000, 1_500 * scale(), TAME, Rows { first: 125, span: 10 }, 14);
    cases(5_000_000, 500 * scale(), TAME, Rows { first: 508, span: 9 }, 12);
    cases(6_000_000, 60 * scale(), TAME, Rows { first: 1020, span: 9 }, 10);
}

/// So many that columns are undone as a whole, several at once.
#[test]
fn many_events_in_rows_of_several_words() {
    cases(12_000_000, 2_000 * scale(), TAME, Rows { first: 508, span: 24 }, 70);
    cases(13_000_000, 4_000 * scale(), PATHS, Rows { first: 508, span: 24 }, 70);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The same with shrinking: a failure comes with the smallest model and the shortest history that show it.
    #[test]
    fn any_size(seed in any::<u64>(), size in 1usize..14, steps in 1usize..16, first in 0u32..130, wild in any::<bool>()) {
        case(seed, Palette { wild, paths: false, races: false, size }, Rows { first, span: 7 }, steps, false).map_err(TestCaseError::fail)?;
    }
}

/// A check that is called monotone stays violated when the execution grows.
#[test]
fn monotone_checks_stay_violated() {
    let mut violations = 0;
    for seed in 0..30_000 * scale() {
        let mut rng = Rng::new(seed ^ 0x5eed_0000);
        let model = model(&mut rng, Palette { wild: true, paths: false, races: false, size: 8 });
        let holes = rng.chance(50);
        let plan = Plan::compile(&model, &|_| true, holes);
        let (whole, order) = history::execution(&mut rng, holes);
        let mut violated = vec![false; model.checks.len()];
        for n in 0..=order.len() {
            let part = restrict(&whole, &order[..n]);
            for (i, up) in speaks_up(&model, &part).into_iter().enumerate() {
                // Groups that fail keep a check from being monotone, unless simplification finds that they do not matter.
                if plan.checks()[i].kind == Kind::Prune && up.is_some() {
                    assert!(
                        !violated[i] || up == Some(true),
                        "seed {seed}, holes {holes}: check {i} recovers at event {n} of {order:?}\n{:?}\n{:?}\n{whole:?}",
                        model.checks[i],
                        model.pool
                    );
                    violated[i] |= up != Some(false);
                }
            }
        }
        violations += violated.iter().filter(|&&v| v).count();
    }
    assert!(violations > 1000, "too few violations to mean anything: {violations}");
}

/// The same from where on new events are in some sets and relations no more, as those of a recovery. More checks are called monotone then.
#[test]
fn monotone_checks_stay_violated_when_new_events_are_of_few_kinds() {
    let (mut violations, mut gained) = (0, 0);
    for seed in 0..30_000 * scale() {
        let mut rng = Rng::new(seed ^ 0x01d0_0000);
        let model = model(&mut rng, Palette { wild: true, paths: false, races: false, size: 8 });
        let holes = rng.chance(50);
        let without_order = || SETS.into_iter().chain(RELS).filter(|name| *name != "po");
        let names: Vec<&str> = without_order().filter(|_| rng.chance(60)).collect();
        let untouched = |base: &Base| names.contains(&base.name.as_str());
        let plan = Plan::compile_for(&model, &|_| true, Growth { untouched: &untouched, ..Growth::stable(holes) });
        let careful = Plan::compile(&model, &|_| true, holes);
        let (mut whole, order) = history::execution(&mut rng, holes);
        let start = 1 + rng.below(order.len());
        let old = &order[..start];
        for name in &names {
            whole.sets.entry((*name).into()).or_default().retain(|x| old.contains(x));
            whole.relations.entry((*name).into()).or_default().retain(|(x, y)| old.contains(x) && old.contains(y));
        }
        let mut violated = vec![false; model.checks.len()];
        for n in start..=order.len() {
            let part = restrict(&whole, &order[..n]);
            for (i, up) in speaks_up(&model, &part).into_iter().enumerate() {
                if plan.checks()[i].kind == Kind::Prune && up.is_some() {
                    let (check, pool) = (&model.checks[i], &model.pool);
                    assert!(
                        !violated[i] || up == Some(true),
                        "seed {seed}: {i} at {n}: {check:?}\n{pool:?}\n{whole:?}"
                    );
                    violated[i] |= up != Some(false);
                    gained += usize::from(violated[i] && careful.checks()[i].kind != Kind::Prune);
                }
            }
        }
        violations += violated.iter().filter(|&&v| v).count();
    }
    assert!(violations > 1000 && gained > 100, "too few violations to mean anything: {violations}, {gained}");
}

/// What is kept of a check that may recover lies within it and does not recover.
#[test]
fn cores_are_violated_only_where_their_checks_stay_violated() {
    let mut violations = 0;
    for seed in 0..100_000 * scale() {
        let mut rng = Rng::new(seed ^ 0xc04e_0000);
        let mut whole_model =
            model(&mut rng, Palette { wild: true, paths: false, races: false, size: 6 + seed as usize % 12 });
        let holes = rng.chance(50);
        let Simplified { pool, conditions } = simplify(&whole_model, &|_| true, &[]);
        let analysis = Analysis::new(&pool, Growth::stable(holes));
        let roots: Vec<ExprId> = conditions.iter().map(|on| on.expr).collect();
        let (larger, cores) = cores(&pool, &analysis, &roots);
        let as_model = |pool: &Pool, conditions: Vec<Condition>| {
            let require = |on: Condition| Check {
                predicate: on.predicate,
                expr: on.expr,
                role: Role::Require,
                negated: false,
                ..whole_model.checks[0].clone()
            };
            Model { pool: pool.clone(), checks: conditions.into_iter().map(require).collect(), ..Model::default() }
        };
        let kept: Vec<usize> =
            (0..cores.len()).filter(|&i| cores[i].is_some() && analysis.monotone(roots[i]).is_err()).collect();
        let core = |&i: &usize| Condition { expr: cores[i].unwrap_or(roots[i]), ..conditions[i] };
        let core_model = as_model(&larger, kept.iter().map(core).collect());
        whole_model = as_model(&pool, kept.iter().map(|&i| conditions[i]).collect());
        let (execution, order) = history::execution(&mut rng, holes);
        let mut violated = vec![false; kept.len()];
        for n in 0..=order.len() {
            let part = restrict(&execution, &order[..n]);
            let wholes = speaks_up(&whole_model, &part);
            for (i, up) in speaks_up(&core_model, &part).into_iter().enumerate() {
                assert!(up == Some(true) || !violated[i], "seed {seed}: the core of check {i} recovers at event {n}");
                violated[i] = up == Some(true);
                let holds = wholes[i] == Some(false);
                assert!(
                    !(violated[i] && holds),
                    "seed {seed}: the core of check {i} is violated, and the check is not"
                );
            }
        }
        violations += violated.iter().filter(|&&v| v).count();
    }
    assert!(violations > 2000, "too few violations to mean anything: {violations}");
}

/// Where events are of a few kinds only, sets and relations that these settle have the value that is said; they are left out, and every check answers
/// what it did.
#[test]
fn what_the_kinds_of_events_settle_need_not_be_evaluated() {
    let (mut settled_sets, mut settled_relations, mut violated) = (0, 0, 0);
    for seed in 0..30_000 * scale() {
        let mut rng = Rng::new(seed ^ 0x5e77_0000);
        let model = model(&mut rng, Palette { wild: true, paths: false, races: false, size: 6 + seed as usize % 10 });
        let kinds: Vec<Vec<bool>> = (0..1 + rng.below(3)).map(|_| SETS.map(|_| rng.chance(50)).to_vec()).collect();
        let (mut execution, order) = history::execution(&mut rng, true);
        for set in execution.sets.values_mut() {
            set.clear();
        }
        for &event in &order {
            let kind = &kinds[rng.below(kinds.len())];
            for (name, _) in SETS.iter().zip(kind).filter(|(_, member)| **member) {
                execution.sets.entry((*name).into()).or_default().insert(event);
            }
        }
        let members = |base: &Base| {
            let set = SETS.iter().position(|name| *name == base.name);
            let is_member = |kind: &Vec<bool>| set.is_some_and(|set| kind[set]);
            (0..kinds.len()).filter(|&k| is_member(&kinds[k])).fold(0, |all, k| all | 1 << k)
        };
        let known = settled(&model.pool, kinds.len() as u32, &members);
        let mut naive = Naive::new(&model.pool, &execution);
        for (i, &known) in known.iter().enumerate().filter(|(_, known)| **known != Settled::Open) {
            let id = ExprId::at(i);
            // Of what mentions a variable of recursion there is no value.
            let Some(value) = naive.value(id) else { continue };
            match value {
                Value::Set(_) => settled_sets += 1,
                Value::Rel(_) => settled_relations += 1,
            }
            let is_so = match known {
                Settled::Everything => value == Value::Set(execution.universe.clone()),
                _ => value.is_empty(),
            };
            assert!(is_so, "seed {seed}: expression {i} is {known:?} and has the value {value:?}");
        }
        let Simplified { pool, conditions } = simplify(&model, &|_| true, &known);
        let simpler = conditions.iter().zip(&model.checks).map(|(on, check)| Check {
            predicate: on.predicate,
            expr: on.expr,
            ..check.clone()
        });
        let simpler = Model { checks: simpler.collect(), pool, ..Model::default() };
        let answers = speaks_up(&simpler, &execution).into_iter().zip(speaks_up(&model, &execution));
        for (i, (found, expected)) in answers.enumerate() {
            // A group that fails need not matter to what is left.
            assert!(expected.is_none() || found == expected, "seed {seed}, check {i}: {found:?}, not {expected:?}");
            violated += usize::from(expected == Some(true));
        }
    }
    let count = format!("{settled_sets} sets, {settled_relations} relations, {violated} violations");
    assert!(settled_sets > 10_000 && settled_relations > 10_000 && violated > 1000, "{count}");
    println!("{count}");
}
