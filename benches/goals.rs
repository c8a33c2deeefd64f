//! The goals that exploration was built to reach, line by line: what was wanted, what is so today, and whether that is enough.
//! `cargo bench --bench goals [FILTER [MODEL]]`, some four minutes on an idle machine; it ends with 1 when a goal is missed.
//!
//! Counts, times, and memory are those of the command, clang included; rates are those of exploration alone, one thread. Goals of speed mean a machine of the class
//! that `docs/performance.md` names, with nothing else to do. How the cost of generality is measured: `cargo bench --bench generality`.

#[path = "support/clock.rs"]
mod clock;
mod support;

use clock::Clock;
use hmc::explore::{self, Nobody, Options};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::compiled;

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The models that the goals are about.
const ALL: [&str; 6] = ["sc", "tso", "rc11", "imm", "aarch64", "lkmm"];

/// Programs that wait for nothing: file, what to give to clang, executions, executions up to renaming of threads where that is known.
const COUNTS: [(&str, &str, u64, Option<u64>); 15] = [
    ("correct/counting/readers.c", "-DN=5", 1 << 5, None),
    ("correct/counting/readers.c", "-DN=10", 1 << 10, None),
    ("correct/counting/readers.c", "-DN=15", 1 << 15, None),
    ("correct/counting/nwrites.c", "-DN=15", 1, None),
    ("bench/nwrites_loc.c", "-DN=3", 1, None),
    ("bench/nwrites_loc.c", "-DN=15", 1, None),
    ("bench/mp.c", "-DL=10", 1, None),
    ("bench/mp.c", "-DL=100", 1, None),
    ("bench/mp.c", "-DL=1000", 1, None),
    ("correct/counting/ainc.c", "-DN=6", 720, Some(1)),
    ("correct/counting/binc.c", "-DN=4", 576, None),
    ("bench/indexer.c", "-DN=12", 8, None),
    ("bench/indexer.c", "-DN=13", 64, None),
    ("bench/indexer.c", "-DN=14", 512, None),
    ("bench/indexer.c", "-DN=15", 4096, None),
];

/// Programs that wait: executions, and blocked explorations of the best tool there was.
const WAITS: [(&str, &str, u64, u64); 4] = [
    ("bench/szymanski_loop.c", "-DN=3", 1068, 17_112),
    ("bench/szymanski_loop.c", "-DN=4", 15_126, 240_873),
    ("bench/parker_loop.c", "-DN=5", 566, 257),
    ("bench/peterson_loop.c", "-DL=5", 93_652, 134_355),
];
const WAITING: [&str; 3] = ["sc", "rc11", "imm"];

/// Executions of `readers(15)` a second, by model.
const RATES: [(&str, f64); 6] =
    [("sc", 4e5), ("tso", 4e5), ("rc11", 4e5), ("imm", 2e5), ("aarch64", 2e5), ("lkmm", 1e5)];

/// Programs whose graphs have some thirty events.
const THIRTY: [(&str, &str); 2] = [("correct/counting/readers.c", "-DN=15"), ("bench/long.c", "-DL=3")];
const EVENTS: f64 = 1e6;

/// Long programs, which take a second at most.
const LONG: [(&str, &str); 2] = [("bench/mp.c", "-DL=1000"), ("bench/peterson_once.c", "-DL=200")];

/// What runs longer than a second with one thread, and runs so many times as fast with two.
const SHARED: [(&str, &str, &str); 10] = [
    ("correct/counting/readers.c", "-DN=20", "sc"),
    ("correct/counting/readers.c", "-DN=19", "lkmm"),
    ("correct/counting/ainc.c", "-DN=8", "lkmm"),
    ("bench/szymanski.c", "-DT=3", "sc"),
    ("bench/szymanski_loop.c", "-DN=4", "rc11"),
    ("bench/szymanski_loop.c", "-DN=2", "c11"),
    ("bench/peterson_loop.c", "-DL=5", "rc11"),
    ("bench/peterson_loop.c", "-DL=4", "lkmm"),
    ("bench/indexer.c", "-DN=16", "tso"),
    ("bench/fib.c", "-DN=6", "aarch64"),
];
const TIMES: f64 = 1.8;

/// Resident megabytes of the command, without clang.
const MEGABYTES: f64 = 100.0;

/// What one run of the command gave.
struct Run {
    complete: u64,
    up_to_renaming: Option<u64>,
    blocked: u64,
    seconds: f64,
}

/// The command, for a file of `tests/c`.
fn command(model: &str, file: &str, define: &str, more: &[&str]) -> Command {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(file);
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    command.args(["--cat", model, "--format", "json"]).args(more).arg(file).arg("--").args(define.split_whitespace());
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Runs the command, and nothing beside it.
fn run(model: &str, file: &str, define: &str, more: &[&str]) -> Result<Run, String> {
    let start = Instant::now();
    let output = command(model, file, define, more).output().map_err(|e| e.to_string())?;
    let seconds = start.elapsed().as_secs_f64();
    let result = result(&output.stdout)?;
    let number = |name: &str| result["executions"][name].as_u64();
    let complete = number("complete").ok_or("no count of executions")?;
    let blocked = number("blocked").ok_or("no count of blocked explorations")?;
    Ok(Run { complete, up_to_renaming: number("up_to_renaming"), blocked, seconds })
}

/// What the command says of its file, unless that is no more than an error: of how fast that came, nobody wants to know.
fn result(output: &[u8]) -> Result<serde_json::Value, String> {
    let mut report: serde_json::Value = serde_json::from_slice(output).map_err(|e| e.to_string())?;
    let result = report["results"][0].take();
    match result["verdict"].as_str() {
        Some("holds" | "violated" | "bounded") => Ok(result),
        verdict => Err(format!("{}: {}", verdict.unwrap_or("no verdict"), result["messages"][0]["message"])),
    }
}

/// Runs the command with two threads and looks at its size again and again until it ends: the largest, in megabytes, as far as the system tells.
fn largest_size(model: &str, file: &str, define: &str) -> Result<f64, String> {
    let more = ["--symmetry", "off", "--threads", "2"];
    let mut child = command(model, file, define, &more).spawn().map_err(|e| e.to_string())?;
    let status = format!("/proc/{}/status", child.id());
    let mut megabytes = 0.0f64;
    while matches!(child.try_wait(), Ok(None)) {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        megabytes = megabytes.max(peak.unwrap_or(0.0) / 1024.0);
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    // Of a command that ended for another reason than that its work was done, the size says nothing.
    result(&output.stdout).map(|_| megabytes)
}

/// The table, and how many goals were missed.
struct Table {
    filter: String,
    only: Option<String>,
    missed: usize,
}

impl Table {
    /// Finds a figure, and whether it reaches the goal, if the row is wanted.
    fn row(&mut self, what: &str, model: &str, goal: &str, find: impl FnOnce() -> Result<(String, bool), String>) {
        if !what.contains(&self.filter) || self.only.as_ref().is_some_and(|only| only != model) {
            return;
        }
        let (figure, reached) = find().unwrap_or_else(|why| (format!("not run: {why}"), false));
        self.missed += usize::from(!reached);
        println!("| {what} | {model} | {goal} | {figure} | {} |", if reached { "yes" } else { "**no**" });
    }
}

fn name(file: &str, define: &str) -> String {
    format!("`{} {define}`", file.rsplit('/').next().unwrap_or(file).trim_end_matches(".c"))
}

fn counts(table: &mut Table) {
    for (file, define, complete, renamed) in COUNTS {
        let what = format!("count: {}", name(file, define));
        for model in ALL {
            let up_to = renamed.map_or(String::new(), |n| format!(", {n} up to renaming"));
            let figure = || {
                run(model, file, define, &["--threads", "1"]).map(|run| {
                    let same = renamed.is_none() || run.up_to_renaming == renamed;
                    let up_to = run.up_to_renaming.map_or(String::new(), |n| format!(", {n} up to renaming"));
                    let reached = run.complete == complete && run.blocked == 0 && same;
                    (format!("{}, {} blocked{up_to}", run.complete, run.blocked), reached)
                })
            };
            table.row(&what, model, &format!("{complete}, 0 blocked{up_to}"), figure);
        }
    }
}

fn waits(table: &mut Table) {
    for (file, define, complete, best) in WAITS {
        let what = format!("blocked: {}", name(file, define));
        for model in WAITING {
            let figure = || {
                run(model, file, define, &["--threads", "1", "--symmetry", "off"]).map(|run| {
                    let reached = run.complete == complete && run.blocked < best;
                    (format!("{} for {}", run.blocked, run.complete), reached)
                })
            };
            table.row(&what, model, &format!("fewer than {best} for {complete}"), figure);
        }
    }
}

/// Executions and events a second, the fastest of several runs.
fn rates(file: &str, define: &str, model: &str) -> Result<(f64, f64), String> {
    let (model, program) = compiled(file, define, model)?;
    let plan = explore::plan(&model, &program);
    let begin = Instant::now();
    let mut best = (0.0f64, 0.0f64);
    while begin.elapsed() < Duration::from_secs(2) {
        let (mut complete, mut events, clock) = (0, 0, Clock::start());
        while clock.wall.elapsed() < Duration::from_millis(200) {
            let statistics = explore::explore(&program, &plan, &Options::default(), &mut Nobody);
            (complete, events) = (complete + statistics.complete, events + statistics.events);
        }
        let seconds = clock.seconds();
        best = (best.0.max(complete as f64 / seconds), best.1.max(events as f64 / seconds));
    }
    Ok(best)
}

fn speed(table: &mut Table) {
    let what = "executions a second: `readers -DN=15`";
    for (model, goal) in RATES {
        let figure = || {
            let (rate, _) = rates("correct/counting/readers.c", "-DN=15", model)?;
            Ok((format!("{rate:.0}"), rate >= goal))
        };
        table.row(what, model, &format!("{goal:.0}"), figure);
    }
    for (file, define) in THIRTY {
        let what = format!("events a second: {}", name(file, define));
        for model in ALL {
            let figure = || rates(file, define, model).map(|(_, rate)| (format!("{rate:.0}"), rate >= EVENTS));
            table.row(&what, model, &format!("{EVENTS:.0}"), figure);
        }
    }
}

fn long(table: &mut Table) {
    for (file, define) in LONG {
        let what = format!("seconds: {}", name(file, define));
        for model in ALL {
            let figure = || {
                let mut seconds = f64::INFINITY;
                for _ in 0..3 {
                    seconds = seconds.min(run(model, file, define, &["--threads", "1"])?.seconds);
                }
                Ok((format!("{seconds:.2}"), seconds < 1.0))
            };
            table.row(&what, model, "1", figure);
        }
    }
}

/// Of the command with one thread, with two, and of two copies at once with one each, five times in turn: the shortest times. What else the host does only makes a
/// run longer, and one with two threads more.
fn shortest(model: &str, file: &str, define: &str) -> Result<[f64; 3], String> {
    let single = |threads| move || run(model, file, define, &["--symmetry", "off", "--threads", threads]);
    let both = || {
        std::thread::scope(|scope| {
            let other = scope.spawn(single("1"));
            let seconds = single("1")()?.seconds;
            let other = other.join().map_err(|_| "a copy was not run")??;
            Ok(Run { seconds: seconds.max(other.seconds), ..other })
        })
    };
    let kinds: [&dyn Fn() -> Result<Run, String>; 3] = [&single("1"), &single("2"), &both];
    let mut times = [f64::INFINITY; 3];
    for _ in 0..5 {
        for (shortest, run) in times.iter_mut().zip(kinds) {
            *shortest = shortest.min(run()?.seconds);
        }
    }
    Ok(times)
}

fn two_threads(table: &mut Table) {
    for (file, define, model) in SHARED {
        let what = format!("two threads: {}", name(file, define));
        let figure = || {
            let [one, two, both] = shortest(model, file, define)?;
            let (times, copies) = (one / two, 2.0 * one / both);
            let short = if one < 1.0 { ", shorter than a second" } else { "" };
            let figure = format!("{times:.2} ({one:.2} s, {two:.2} s{short}; two copies at once {copies:.2})");
            Ok((figure, times >= TIMES || one < 1.0))
        };
        table.row(&what, model, &format!("{TIMES} times as fast"), figure);
    }
}

fn memory(table: &mut Table) {
    let long = LONG.into_iter().flat_map(|(file, define)| ALL.map(|model| (file, define, model)));
    for (file, define, model) in long.chain(SHARED) {
        let what = format!("memory: {}", name(file, define));
        let figure = || {
            let megabytes = largest_size(model, file, define)?;
            Ok((format!("{megabytes:.0} MB"), megabytes < MEGABYTES))
        };
        table.row(&what, model, &format!("below {MEGABYTES} MB"), figure);
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    let mut table = Table { filter: arguments.next().unwrap_or_default(), only: arguments.next(), missed: 0 };
    println!("| what | model | goal | today | reached |\n|---|---|---:|---:|---|");
    for part in [counts, waits, speed, long, two_threads, memory] {
        part(&mut table);
    }
    println!("\n{} goals missed", table.missed);
    std::process::exit(i32::from(table.missed > 0));
}
