//! Tables of explorations: programs × models, with counts and rates. `cargo bench --bench programs [FILTER [MODEL]]`.
//!
//! One run of each program under each model, one thread, after clang and the loading of the model; the rates are those of
//! the exploration alone, in processor time where the system tells it. Figures are kept in `docs/performance.md`.

use hmc::algebra::Sort;
use hmc::cat;
use hmc::explore::{self, Execution, Go, Options, Problem, Visitor};
use hmc::graph::feed;
use hmc::llvm::{self, mapping::Mapping};
use std::time::Instant;

/// File, what to give to clang, models.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("tests/c/correct/counting/readers.c", "-DN=15", &["sc", "tso", "rc11", "imm", "aarch64", "lkmm"]),
    ("tests/c/correct/counting/ainc.c", "-DN=6", &["sc", "tso", "rc11", "imm", "aarch64"]),
    ("tests/c/correct/counting/binc.c", "-DN=4", &["sc", "rc11", "imm"]),
    ("tests/c/correct/mutex/peterson.c", "-DN=2", &["sc", "rc11", "imm"]),
    ("tests/c/correct/mutex/szymanski.c", "-DN=2", &["sc", "rc11"]),
    ("tests/c/correct/lock/tas.c", "-DN=3", &["sc", "rc11", "imm"]),
    ("tests/c/correct/lock/ttas.c", "-DN=3", &["sc", "rc11", "imm"]),
    ("tests/c/correct/lock/ticket.c", "-DN=3", &["sc", "rc11", "imm"]),
    ("tests/c/correct/lock/mcs.c", "-DN=2", &["sc", "rc11", "imm"]),
    ("tests/c/correct/lock/clh.c", "-DN=2", &["sc", "rc11", "imm"]),
    ("tests/c/correct/lock/linux_rwlock.c", "-DN=2", &["sc", "rc11", "imm"]),
    ("tests/c/correct/lock/seqlock.c", "-DN=2", &["sc", "rc11", "imm"]),
    ("tests/c/correct/structure/treiber.c", "-DN=2", &["sc", "rc11", "imm"]),
    ("tests/c/correct/structure/ms_queue.c", "-DN=2", &["sc", "rc11", "imm"]),
    ("tests/c/bench/indexer.c", "-DT=12", &["sc", "tso"]),
    ("tests/c/bench/fib.c", "-DN=3", &["sc", "tso"]),
];

struct Silent;

impl Visitor for Silent {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        Go::On
    }
    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::Stop
    }
}

/// Processor time of this thread, or time when the system does not tell: other work on the machine then counts too.
struct Clock {
    processor: Option<u64>,
    wall: Instant,
}

impl Clock {
    fn start() -> Clock {
        Clock { processor: processor_nanoseconds(), wall: Instant::now() }
    }

    fn seconds(&self) -> f64 {
        match (self.processor, processor_nanoseconds()) {
            (Some(start), Some(now)) => (now - start) as f64 * 1e-9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

fn processor_nanoseconds() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    let filter = arguments.next().unwrap_or_default();
    let only = arguments.next();
    println!(
        "| program | model | executions | blocked | events added | largest graph | seconds | executions/s | events/s |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    for (file, define, models) in PROGRAMS.iter().filter(|p| p.0.contains(&filter)) {
        for model in models.iter().filter(|m| only.as_ref().is_none_or(|only| only == *m)) {
            match row(file, define, model) {
                Ok(row) => println!("{row}"),
                Err(why) => println!("| {file} {define} | {model} | not run: {why} |"),
            }
        }
    }
}

fn row(file: &str, define: &str, name: &str) -> Result<String, String> {
    let mut vocabulary = cat::vocabulary::Vocabulary::new(None);
    vocabulary.add(feed::BASE_SETS, Sort::Set);
    vocabulary.add(feed::BASE_RELATIONS, Sort::Rel);
    let loaded = cat::load(&cat::LoadRequest::named(name), &vocabulary).map_err(|_| "the model does not load")?;
    let request = llvm::CompileRequest {
        path: file.into(),
        clang_args: vec![define.to_string()],
        mapping: Mapping::for_arch(loaded.model.arch.as_deref()),
        ..Default::default()
    };
    let program = llvm::compile(&request).map_err(|e| e.first().map(|e| e.to_string()).unwrap_or_default())?;
    let plan = explore::plan(&loaded.model, &program);
    let deadline = Instant::now() + std::time::Duration::from_secs(60);
    let options = Options { unroll: Some(20), deadline: Some(deadline), ..Options::default() };
    let clock = Clock::start();
    let s = explore::explore(&program, &plan, &options, &mut Silent);
    let seconds = clock.seconds();
    let short = file.trim_start_matches("tests/c/").trim_start_matches("correct/");
    Ok(format!(
        "| {short} {define} | {name} | {}{} | {} | {} | {} | {seconds:.3} | {:.0} | {:.0} |",
        s.complete,
        if s.stopped { " (stopped)" } else { "" },
        s.blocked,
        s.events,
        s.events_max,
        s.complete as f64 / seconds,
        s.events as f64 / seconds,
    ))
}
