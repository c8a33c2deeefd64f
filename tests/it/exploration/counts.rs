//! Known numbers of executions, on programs and models built by hand.

use crate::support::*;
use hmc::algebra::Model;
use hmc::program::*;

fn ainc(n: usize, rounds: usize) -> Program {
    let mut b = Builder::new();
    let xs: Vec<Operand> = (0..rounds).map(|i| b.var(&format!("x{i}"))).collect();
    for _ in 0..n {
        b.thread(|f| xs.iter().for_each(|&x| increment(f, x)));
    }
    b.finish()
}

fn readers(n: usize, writer_last: bool) -> Program {
    let mut b = Builder::new();
    let x = b.var("x");
    let writer = |b: &mut Builder| b.thread(|f| store(f, x, Operand::Const(1), Half::None));
    if !writer_last {
        writer(&mut b);
    }
    for _ in 0..n {
        b.thread(|f| {
            load(f, x, Half::None);
        });
    }
    if writer_last {
        writer(&mut b);
    }
    b.finish()
}

fn load_buffering(data: [bool; 2]) -> Program {
    let mut b = Builder::new();
    let (x, y) = (b.var("x"), b.var("y"));
    for (i, (from, to)) in [(x, y), (y, x)].into_iter().enumerate() {
        b.thread(|f| {
            let v = load(f, from, Half::None);
            let v = if data[i] { v } else { Operand::Const(1) };
            store(f, to, v, Half::None);
        });
    }
    b.finish()
}

fn store_buffering() -> Program {
    let mut b = Builder::new();
    let (x, y) = (b.var("x"), b.var("y"));
    for (to, from) in [(x, y), (y, x)] {
        b.thread(|f| {
            store(f, to, Operand::Const(1), Half::None);
            load(f, from, Half::None);
        });
    }
    b.finish()
}

fn counts(program: &Program, model: &Model) -> (u64, u64) {
    let s = run(program, model);
    (s.complete, s.blocked)
}

#[test]
fn store_buffering_has_3_executions_under_sc_and_4_without() {
    assert_eq!(counts(&store_buffering(), &model(true)), (3, 0));
    assert_eq!(counts(&store_buffering(), &model(false)), (4, 0));
}

#[test]
fn readers_double_with_each_thread() {
    for n in 1..8 {
        for last in [false, true] {
            assert_eq!(counts(&readers(n, last), &model(true)), (1 << n, 0), "{n} {last}");
            assert_eq!(counts(&readers(n, last), &model(false)), (1 << n, 0), "{n} {last}");
        }
    }
}

#[test]
fn atomic_increments_come_in_every_order() {
    for (n, factorial) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        assert_eq!(counts(&ainc(n, 1), &model(true)), (factorial, 0), "{n}");
        assert_eq!(counts(&ainc(n, 1), &model(false)), (factorial, 0), "{n}");
    }
    assert_eq!(counts(&ainc(2, 2), &model(false)), (4, 0));
    assert_eq!(counts(&ainc(3, 2), &model(false)), (36, 0));
}

#[test]
fn load_buffering_needs_dependencies_to_be_forbidden() {
    assert_eq!(counts(&load_buffering([false, false]), &model(true)), (3, 0));
    assert_eq!(counts(&load_buffering([false, false]), &model(false)), (4, 0));
    assert_eq!(counts(&load_buffering([true, false]), &model(false)), (4, 0));
    assert_eq!(counts(&load_buffering([true, true]), &model(false)), (3, 0));
}

/// A writer of three values and then a flag; the reader, or a second writer, looks at the flag first, perhaps through a thread between.
fn told(through: bool, writes: bool) -> Program {
    let mut b = Builder::new();
    let [x, flag, relayed] = ["x", "flag", "relayed"].map(|name| b.var(name));
    b.thread(|f| {
        (1..=3).for_each(|n| store(f, x, Operand::Const(n), Half::None));
        store(f, flag, Operand::Const(1), Half::None);
    });
    if through {
        b.thread(|f| {
            let seen = load(f, flag, Half::None);
            store(f, relayed, seen, Half::None);
        });
    }
    b.thread(|f| {
        load(f, if through { relayed } else { flag }, Half::None);
        match writes {
            true => store(f, x, Operand::Const(4), Half::None),
            false => drop(load(f, x, Half::None)),
        }
    });
    b.finish()
}

#[test]
fn who_knows_of_a_write_tries_nothing_older() {
    for (through, writes, executions) in [(false, false, 5), (false, true, 5), (true, false, 13), (true, true, 13)] {
        let found = run(&told(through, writes), &model(true));
        assert_eq!((found.complete, found.rejected), (executions, 0), "{through} {writes}");
        let unordered = run(&told(through, writes), &model(false));
        assert_eq!(unordered.complete, executions + 3, "without order every source and place is tried");
    }
}
