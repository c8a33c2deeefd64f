//! Random programs, in parts and as one, with prefixes of either kind, with threads that are treated as interchangeable and without: what is counted, and the executions in their order.

use crate::support::parts::{same_fixed_in_parts, same_in_parts};
use crate::support::programs::{random_program, random_straight, random_waits};
use crate::support::random::{Rng, all_agree, plan_of};
use crate::support::{Order, ordered};
use hmc::explore::{Equivalence, Options, plan_complete};
use hmc::graph::prefix::PrefixKind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Set to compare so many programs.
const CASES: &str = "HMC_TEST_RANDOM_PARTS";

fn cases() -> u64 {
    std::env::var(CASES).ok().and_then(|n| n.parse().ok()).unwrap_or(200)
}

#[test]
fn random_programs() {
    let (parts, whole) = (AtomicUsize::new(0), AtomicUsize::new(0));
    all_agree(cases(), 7, |seed, events| {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let order = [Order::Sc, Order::Tso, Order::Coherent, Order::Dependent][seed as usize % 4];
        let model = ordered(order);
        let (program, text) = match seed % 3 {
            0 => random_waits(&mut rng, events),
            _ => random_program(&mut rng, events, false),
        };
        let porf = matches!(order, Order::Sc | Order::Tso);
        let prefixes = match porf {
            true => vec![PrefixKind::ProgramOrder, PrefixKind::Dependencies],
            false => vec![PrefixKind::Dependencies],
        };
        for prefix in prefixes {
            for symmetry in [false, true] {
                let equivalence = match seed % 5 {
                    0 => Equivalence::ReadsFrom,
                    _ => Equivalence::ReadsFromAndCoherence,
                };
                let options =
                    Options { prefix: Some(prefix), symmetry, equivalence, unroll: Some(2), ..Options::default() };
                let what = format!("{seed} {order:?} {prefix:?} symmetry {symmetry}\n{text}");
                let found = same_in_parts(&program, &plan_of(&program, &model, &options), &options, seed, &what);
                parts.fetch_add(found[0], Ordering::Relaxed);
                whole.fetch_add(found[1], Ordering::Relaxed);
            }
        }
        true
    });
    println!("{} parts; {} searches as a whole", parts.into_inner(), whole.into_inner());
}

#[test]
fn random_programs_with_fixed_events() {
    let (parts, fixed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    all_agree(cases(), 7, |seed, events| {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let model = ordered([Order::Sc, Order::Tso, Order::Coherent][seed as usize % 3]);
        let (program, text) = random_straight(&mut rng, events, seed.is_multiple_of(2));
        if let Some(n) =
            same_fixed_in_parts(&program, &plan_complete(&model, &program), seed, &format!("{seed}\n{text}"))
        {
            parts.fetch_add(n, Ordering::Relaxed);
            fixed.fetch_add(1, Ordering::Relaxed);
        }
        true
    });
    let (parts, fixed) = (parts.into_inner(), fixed.into_inner());
    println!("{parts} parts of {fixed} programs");
    assert!(fixed > 0 && parts > fixed);
}
