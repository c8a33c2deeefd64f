//! What is found by threads that run alone (`explore::enumerate::modular`), against exploration, where the enumerator would not come to an end, and where threads fail.
//! (`bundled_random.rs` and `c_random.rs` compare both of random programs.)

use crate::support::*;
use hmc::candidates::traces;
use hmc::explore::{Execution, Go, Nobody, Options, Problem, Statistics, Visitor, explore, plan};
use hmc::ids::ThreadId;
use hmc::program::fault::Fault;
use hmc::program::*;

/// What is found, and in how many executions a thread fails.
fn alone(program: &Program) -> (Statistics, u64) {
    let mut failures = Failures(0);
    let found = traces::consistent_within(program, &model(true), &Options::default(), u64::MAX, &mut failures);
    (found.expect("a program of threads that are there from the start"), failures.0)
}

struct Failures(u64);

impl Visitor for Failures {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, problem: &Problem) -> Go {
        self.0 += u64::from(matches!(problem, Problem::Fault(ThreadId(0), _, Fault::Assertion(_))));
        Go::On
    }
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
    let (found, failures) = alone(&program);
    assert_eq!((explored.complete, explored.cut), (90, 0));
    assert_eq!((found.complete, found.cut, failures), (90, 0, 0));
}

/// A thread fails while another one waits for ever. The execution is not complete, but there is an error in it, so it is shown.
#[test]
fn a_failure_beside_a_thread_that_waits_is_shown() {
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
    assert_eq!(found.map(|(all, failures)| (all.complete, all.cut, failures)), [(0, 0, 0), (0, 0, 1)]);
}
