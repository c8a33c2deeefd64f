//! What it costs that models are data: exploration with a loaded model, and with checkers of the same models written by hand (`hand`).
//! `cargo bench --bench generality [FILTER [MODEL]]`. Everything that is counted must be the same.

#[path = "../support/mod.rs"]
mod support;

mod hand;

use hand::Hand;
use hmc::explore::checker::consistency::{Checker, Kernel};
use hmc::explore::{self, Execution, Go, Options, Problem, Statistics, Visitor};
use hmc::graph::prefix::PrefixKind;
use hmc::program::Program;
use std::time::{Duration, Instant};
use support::compiled;

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// File and what to give to clang.
const PROGRAMS: &[(&str, &str)] = &[
    ("correct/counting/readers.c", "-DN=15"),
    ("correct/counting/ainc.c", "-DN=6"),
    ("correct/counting/binc.c", "-DN=4"),
    ("correct/mutex/szymanski.c", ""),
    ("bench/peterson_loop.c", "-DL=2"),
    ("bench/peterson_loop.c", "-DL=3"),
    ("bench/lamport.c", "-DT=2"),
    ("bench/dekker.c", ""),
    ("bench/indexer.c", "-DN=12"),
    ("bench/indexer.c", "-DN=13"),
    ("bench/fib.c", "-DN=3"),
    ("bench/stack_client.c", "-DW=2 -DR=1 -DB=0"),
    ("bench/stack_client.c", "-DW=1 -DR=1 -DB=1"),
    ("bench/queue_client.c", "-DW=1 -DR=1 -DB=0"),
    ("bench/queue_client.c", "-DW=2 -DR=1 -DB=0"),
    ("correct/lock/linux_rwlock.c", "-DR=2"),
    ("correct/lock/ticket.c", "-DN=3"),
    ("bench/mp.c", "-DL=10"),
    ("bench/mp.c", "-DL=100"),
];

/// Two checkers explore in turn for so long altogether; the fastest exploration of each counts.
const ENOUGH: Duration = Duration::from_secs(2);
/// A turn takes no less.
const TURN: Duration = Duration::from_millis(100);

/// Ends the search at the first problem.
struct Watcher;

impl Visitor for Watcher {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        Go::On
    }
    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::Stop
    }
}

/// Explores again and again for a turn. What was counted, and how long the fastest exploration took, in seconds of time on the wall: short
/// explorations are mostly done without the system getting in between.
fn turn<J: Checker>(program: &Program, checker: &J, options: &Options) -> (Statistics, f64) {
    let (mut fastest, begin) = (f64::INFINITY, Instant::now());
    loop {
        let start = Instant::now();
        let statistics = explore::explore_with(program, checker, PrefixKind::ProgramOrder, options, &mut Watcher);
        fastest = fastest.min(start.elapsed().as_secs_f64());
        if begin.elapsed() >= TURN {
            return (statistics, fastest);
        }
    }
}

/// The loaded model and one that is written by hand, in turn.
fn compare<J: Checker>(program: &Program, loaded: &Kernel, hand: &J, options: &Options) -> (Statistics, [f64; 2]) {
    let begin = Instant::now();
    let mut best = [f64::INFINITY; 2];
    loop {
        let (counted, first) = turn(program, loaded, options);
        let (other, second) = turn(program, hand, options);
        assert_eq!(counted, other, "{}", program.name);
        best = [best[0].min(first), best[1].min(second)];
        if begin.elapsed() > ENOUGH {
            return (counted, best);
        }
    }
}

fn row(file: &str, define: &str, name: &str) -> Result<String, String> {
    let (model, program) = compiled(file, define, name)?;
    let plan = explore::plan(&model, &program);
    let options = Options { unroll: Some(20_000), ..Options::default() };
    let loaded = Kernel::new(&plan, &program);
    // How wide a matrix a program needs is looked up in a run with the loaded model.
    let largest = turn(&program, &loaded, &options).0.events_max;
    let (s, [loaded, hand]) = match (name, largest) {
        ("sc", 0..60) => compare(&program, &loaded, &Hand::<1, false>::new(&program), &options),
        ("sc", _) => compare(&program, &loaded, &Hand::<4, false>::new(&program), &options),
        (_, 0..60) => compare(&program, &loaded, &Hand::<1, true>::new(&program), &options),
        _ => compare(&program, &loaded, &Hand::<4, true>::new(&program), &options),
    };
    let short = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".c");
    Ok(format!(
        "| {short} {define} | {name} | {} | {} | {largest} | {:.3} | {:.3} | {:.2} | {:.2} | {:.2} |",
        s.complete,
        s.events,
        loaded * 1e3,
        hand * 1e3,
        s.events as f64 / loaded / 1e6,
        s.events as f64 / hand / 1e6,
        loaded / hand,
    ))
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    let filter = arguments.next().unwrap_or_default();
    let only = arguments.next();
    println!(
        "| program | model | executions | events added | largest graph | loaded, ms | by hand, ms | loaded, M events/s | by hand, M events/s | ratio |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (file, define) in PROGRAMS.iter().filter(|p| format!("{} {}", p.0, p.1).contains(&filter)) {
        for name in ["sc", "tso"].into_iter().filter(|m| only.as_ref().is_none_or(|only| only == m)) {
            match row(file, define, name) {
                Ok(row) => println!("{row}"),
                Err(why) => println!("| {file} {define} | {name} | not run: {why} |"),
            }
        }
    }
}
