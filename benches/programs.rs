//! Tables of explorations: programs × models, with counts and rates; verdicts of the programs about store buffers; events a second in
//! graphs of growing size. `cargo bench --bench programs [FILTER [MODEL]]`.
//!
//! One run of each program under each model, one thread, after clang and the loading of the model; the rates are those of
//! the exploration alone, in processor time where the system tells it. Figures are kept in `docs/performance.md`.

#[path = "support/clock.rs"]
mod clock;
mod support;

use clock::Clock;
use hmc::explore::{self, Equivalence, Execution, Go, Options, Problem, Statistics, Visitor};
use std::time::{Duration, Instant};
use support::compiled;

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Models that the paper's tables are about.
const ALL: &[&str] = &["sc", "tso", "rc11", "imm", "aarch64", "lkmm"];
/// A shorter choice.
const SOME: &[&str] = &["sc", "tso", "rc11", "imm"];
/// For what takes long.
const FEW: &[&str] = &["sc", "rc11"];

/// File, what to give to clang, models.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("correct/counting/readers.c", "-DN=15", ALL),
    ("bench/nwrites_loc.c", "-DN=5", FEW),
    ("correct/counting/nwrites.c", "-DN=15", ALL),
    ("bench/nwrites_loc.c", "-DN=8", &["sc"]),
    ("correct/counting/ainc.c", "-DN=6", ALL),
    ("correct/counting/binc.c", "-DN=4", SOME),
    ("bench/mp.c", "-DL=10", ALL),
    ("bench/mp.c", "-DL=100", FEW),
    ("bench/mp.c", "-DL=1000", &["sc", "tso", "rc11"]),
    ("bench/peterson_once.c", "-DL=20", FEW),
    ("bench/peterson_once.c", "-DL=200", &["sc", "tso", "rc11"]),
    ("bench/peterson_loop.c", "-DL=2", SOME),
    ("bench/peterson_loop.c", "-DL=3", FEW),
    ("bench/peterson_loop.c", "-DL=5", &["rc11"]),
    ("bench/parker_loop.c", "-DN=5", SOME),
    ("correct/mutex/szymanski.c", "", FEW),
    ("bench/szymanski.c", "-DT=3", FEW),
    ("bench/szymanski.c", "-DT=4", &["rc11"]),
    ("bench/szymanski_loop.c", "-DN=3", SOME),
    ("bench/szymanski_loop.c", "-DN=4", &["rc11"]),
    ("bench/lamport.c", "-DT=2", FEW),
    ("bench/lamport.c", "-DT=3", &["rc11"]),
    ("bench/dekker.c", "", FEW),
    ("bench/indexer.c", "-DN=12", FEW),
    ("bench/indexer.c", "-DN=13", FEW),
    ("bench/indexer.c", "-DN=14", FEW),
    ("bench/indexer.c", "-DN=15", &["rc11"]),
    ("bench/fib.c", "-DN=3", SOME),
    ("bench/pgsql.c", "", FEW),
    ("bench/local_loop.c", "-DL=10000", FEW),
    ("correct/lock/tas.c", "-DN=3", SOME),
    ("correct/lock/ttas.c", "-DN=3", SOME),
    ("correct/lock/ticket.c", "-DN=3", SOME),
    ("correct/lock/mcs.c", "-DN=2", SOME),
    ("correct/lock/clh.c", "-DN=2", SOME),
    ("correct/lock/linux_rwlock.c", "-DR=2", SOME),
    ("correct/lock/seqlock.c", "-DN=2", SOME),
    ("correct/structure/chase_lev.c", "-DTWICE", SOME),
    ("bench/stack_client.c", "-DW=2 -DR=1 -DB=0", SOME),
    ("bench/stack_client.c", "-DW=1 -DR=1 -DB=1", SOME),
    ("bench/queue_client.c", "-DW=1 -DR=1 -DB=0", SOME),
    ("bench/queue_client.c", "-DW=2 -DR=1 -DB=0", FEW),
    ("bench/deque_threads.c", "", SOME),
    ("bench/deque_threads.c", "-DOPT", SOME),
    ("bench/stack_threads.c", "", SOME),
    ("bench/stack_threads.c", "-DOPT", SOME),
    ("bench/queue_threads.c", "", SOME),
    ("bench/queue_threads.c", "-DOPT", SOME),
    ("bench/rwlock_threads.c", "", SOME),
    ("correct/structure/mpmc_queue.c", "-DP=2", FEW),
];

/// Programs of which executions that differ in coherence only count as one, as the command counts them.
const UP_TO_READS_FROM: &[(&str, &str, &[&str])] = &[("bench/nwrites_loc.c", "-DN=15", ALL)];

/// Programs of the literature on store buffers; those marked have a variant without fences.
const BUFFERS: &[(&str, &str, bool)] = &[
    ("dekker.c", "", true),
    ("peterson_loop.c", "-DL=2", true),
    ("lamport.c", "-DT=2", true),
    ("parker_loop.c", "-DN=10", true),
    ("pgsql.c", "-DL=8", true),
    ("szymanski.c", "-DT=2", true),
    ("dcl_singleton.c", "", true),
    ("fib.c", "-DN=4", false),
    ("fib.c", "-DN=4 -DLIMIT=55", false),
    ("indexer.c", "-DN=13", false),
    ("stack_safe.c", "-DN=3", false),
    ("stack_unsafe.c", "-DN=3", false),
];
/// The models of that table.
const BUFFERED: [&str; 3] = ["sc", "tso", "pso"];

/// Rounds of `long.c`, for graphs of about 32, 64, … 1024 events.
const LENGTHS: [u32; 6] = [3, 7, 15, 31, 62, 125];
/// The models of that table.
const LONG: [&str; 5] = ["sc", "tso", "rc11", "imm", "lkmm"];
/// Programs are given up after this time.
const LIMIT: Duration = Duration::from_secs(60);

/// Ends the search at the first problem.
#[derive(Default)]
struct Watcher {
    problem: bool,
}

impl Visitor for Watcher {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        Go::On
    }
    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        self.problem = true;
        Go::Stop
    }
}

/// The largest size of this process since the last [`forget_peak`], in resident megabytes.
fn peak_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

/// Has the system measure the peak from here on; where it cannot, the peak is that of all rows so far.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    let filter = arguments.next().unwrap_or_default();
    let only = arguments.next();
    println!(
        "| program | model | executions | blocked | events added | largest graph | seconds | executions/s | events/s | peak MB |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let apart = PROGRAMS.iter().map(|p| (p, Equivalence::ReadsFromAndCoherence));
    let all = apart.chain(UP_TO_READS_FROM.iter().map(|p| (p, Equivalence::ReadsFrom)));
    for ((file, define, models), equivalence) in all.filter(|(p, _)| p.0.contains(&filter)) {
        for model in models.iter().filter(|m| only.as_ref().is_none_or(|only| only == *m)) {
            match row(file, define, model, equivalence.clone()) {
                Ok(row) => println!("{row}"),
                Err(why) => println!("| {file} {define} | {model} | not run: {why} |"),
            }
        }
    }
    if only.is_none() {
        buffers(&filter);
        if "long".contains(&filter) {
            long_graphs();
        }
    }
}

/// What a run gave.
struct Measured {
    statistics: Statistics,
    seconds: f64,
    /// Whether a problem was shown, which ended the search.
    problem: bool,
}

fn measured(file: &str, define: &str, name: &str, equivalence: Equivalence) -> Result<Measured, String> {
    let (model, program) = compiled(file, define, name)?;
    let plan = explore::plan_for(&model, &program, &equivalence);
    let deadline = Instant::now() + LIMIT;
    let options = Options { equivalence, unroll: Some(20_000), deadline: Some(deadline), ..Options::default() };
    forget_peak();
    // The system counts processor time in ticks: what is over in a few of them is run again.
    let (mut runs, clock) = (0, Clock::start());
    loop {
        let mut watcher = Watcher::default();
        let statistics = explore::explore(&program, &plan, &options, &mut watcher);
        runs += 1;
        if statistics.stopped || clock.wall.elapsed().as_millis() > 200 {
            let seconds = clock.seconds() / f64::from(runs);
            return Ok(Measured { statistics, seconds, problem: watcher.problem });
        }
    }
}

fn measured_apart(file: &str, define: &str, name: &str) -> Result<Measured, String> {
    measured(file, define, name, Equivalence::ReadsFromAndCoherence)
}

fn row(file: &str, define: &str, name: &str, equivalence: Equivalence) -> Result<String, String> {
    let Measured { statistics: s, seconds, .. } = measured(file, define, name, equivalence)?;
    let short = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".c");
    Ok(format!(
        "| {short} {define} | {name} | {}{} | {} | {} | {} | {seconds:.4} | {:.0} | {:.0} | {} |",
        s.complete,
        if s.stopped { " (stopped)" } else { "" },
        s.blocked,
        s.events,
        s.events_max,
        s.complete as f64 / seconds,
        s.events as f64 / seconds,
        peak_megabytes().map_or("?".to_owned(), |mb| mb.to_string()),
    ))
}

/// Store buffers: whether an assertion can fail, with and without fences.
fn buffers(filter: &str) {
    println!("\n| program | fences | {} |", BUFFERED.map(|m| format!("{m}: error, executions, s")).join(" | "));
    println!("|---|---|{}", "---|".repeat(BUFFERED.len()));
    for (file, define, has_fences) in BUFFERS.iter().filter(|(file, ..)| file.contains(filter)) {
        let variants: &[(&str, &str)] = if *has_fences { &[("yes", ""), ("no", " -DNO_FENCE")] } else { &[("-", "")] };
        for (fences, more) in variants {
            let cells = BUFFERED.map(|model| {
                match measured_apart(&format!("bench/{file}"), &format!("{define}{more}"), model) {
                    Ok(Measured { statistics: s, problem: true, seconds }) => {
                        format!("yes, {}, {seconds:.4}", s.complete)
                    }
                    Ok(Measured { statistics: s, seconds, .. }) if s.stopped => {
                        format!("not decided, {}, {seconds:.1}", s.complete)
                    }
                    Ok(Measured { statistics: s, seconds, .. }) => format!("no, {}, {seconds:.4}", s.complete),
                    Err(why) => format!("not run: {why}"),
                }
            });
            println!("| {} {define} | {fences} | {} |", file.trim_end_matches(".c"), cells.join(" | "));
        }
    }
}

/// Events a second in graphs of growing size.
fn long_graphs() {
    println!("\n| events in the graph | {} |", LONG.map(|m| format!("{m}: events/s")).join(" | "));
    println!("|---:|{}", "---:|".repeat(LONG.len()));
    for rounds in LENGTHS {
        let runs = LONG.map(|model| measured_apart("bench/long.c", &format!("-DL={rounds}"), model));
        let size = runs.iter().flatten().map(|m| m.statistics.events_max).max().unwrap_or(0);
        let cells = runs.map(|run| match run {
            Ok(m) => format!("{:.0}", m.statistics.events as f64 / m.seconds),
            Err(why) => format!("not run: {why}"),
        });
        println!("| {size} | {} |", cells.join(" | "));
    }
}
