//! What is found by threads that run alone (`explore::enumerate::modular`), against exploration, where the enumerator would not come to an end, and where threads fail.
//! (`bundled_random.rs` and `c_random.rs` compare both of random programs.)

mod support;

use hmc::explore::enumerate::modular;
use hmc::explore::{Nobody, Options, Statistics, explore, plan};
use hmc::program::*;
use support::*;

fn alone(program: &Program) -> Statistics {
    let found = modular::consistent_within(program, &model(true), &Options::default(), u64::MAX, &mut Nobody);
    found.expect("a program of threads that are there from the start")
}

/// Of what a counter may hold there is no end; as many values are followed as there are writes, not only a few.
#[test]
fn counters_are_followed_as_far_as_threads_count() {
    let mut b = Builder::new();
    let x = b.var("x");
    for _ in 0..3 {
        b.thread(|f| (0..2).for_each(|_| increment(f, x)));
    }
    let program = b.finish();
    let explored = explore(&program, &plan(&model(true), &program), &Options::default(), &mut Nobody);
    let found = alone(&program);
    assert_eq!((explored.complete, explored.cut), (90, 0));
    assert_eq!((found.complete, found.cut), (90, 0));
}

/// A thread fails while another one waits for ever. The execution is not complete, but there is an error in it, so it is not said that all was seen.
#[test]
fn a_failure_beside_a_thread_that_waits_is_no_end() {
    let program = |fails: bool| {
        let mut b = Builder::new();
        let (x, y) = (b.var("x"), b.var("y"));
        b.thread(|f| {
            let value = load(f, x, Half::None);
            let cond = if fails { value } else { Operand::Const(1) };
            f.push(Instr::Assert { cond, message: "x".into() });
        });
        b.thread(|f| {
            let cond = load(f, y, Half::None);
            f.push(Instr::StopUnless { cond, why: Stop::Await });
        });
        b.finish()
    };
    let found = [false, true].map(|fails| alone(&program(fails)));
    assert_eq!(found.map(|all| (all.complete, all.cut)), [(0, 0), (0, 1)]);
}
