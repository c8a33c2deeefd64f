//! Programs with locks, retry loops and neither: complete executions, blocked explorations, and user seconds of the command, by model. `cargo bench --bench peers [FILTER [MODEL]]`.
//!
//! Coherence is told apart, threads are not interchanged, races are not looked for, one thread explores. Sizes are such that exploration takes longer than clang. `HMC_PROGRAM=` names another binary than the one that cargo has built, so that `cargo bench --profile dev --bench peers` does, which builds little. With `GENMC=` a binary of GenMC runs on the same programs in the same run, and the last column says how many times as long it takes; with
//! `GENMC_TESTS=` both run on programs of its suite, too (the folder `tests` of its repository). The figures are those of whole processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const MODELS: [&str; 6] = ["sc", "tso", "rc11", "imm", "aarch64", "lkmm"];
/// Models that the other tool has.
const COMMON: [&str; 3] = ["sc", "rc11", "imm"];
/// Seconds after which a run is given up.
const LIMIT: &str = "20";
/// Ticks of the system's clock of processor time in a second (`getconf CLK_TCK`).
const TICKS: f64 = 100.0;

/// Programs of `tests/c`, and what to give to clang.
const PROGRAMS: [(&str, &str); 29] = [
    ("correct/counting/readers.c", "-DN=16"),
    ("correct/counting/ainc.c", "-DN=8"),
    ("correct/counting/binc.c", "-DN=5"),
    ("bench/indexer.c", "-DN=15"),
    ("bench/fib.c", "-DN=6"),
    ("bench/szymanski_loop.c", "-DN=3"),
    ("bench/lock_counter.c", "-DN=7"),
    ("bench/lock_counter.c", "-DN=4 -DR=2"),
    ("bench/lock_pair.c", "-DN=7"),
    ("bench/lock_coupling.c", "-DN=6 -DL=3"),
    ("bench/lock_coupling.c", "-DN=5 -DL=4 -DRING"),
    ("bench/lock_ring.c", "-DN=12"),
    ("bench/lock_accounts.c", "-DN=7 -DA=3"),
    ("bench/set_locked.c", "-DA=4 -DS=3"),
    ("bench/set_locked.c", "-DA=3 -DS=3 -DFINE"),
    ("bench/cas_add.c", "-DN=6"),
    ("bench/cas_add.c", "-DN=7"),
    ("bench/cas_add.c", "-DN=6 -DAGAIN"),
    ("bench/cas_add.c", "-DN=1 -DWRITES=400"),
    ("bench/treiber.c", "-DP=5 -DC=0"),
    ("bench/treiber.c", "-DP=3 -DC=2"),
    ("bench/confirm.c", "-DW=5"),
    ("bench/confirm.c", "-DW=4 -DREADERS=2"),
    ("bench/ms_queue.c", "-DP=3 -DC=2"),
    ("bench/ms_queue.c", "-DP=4 -DC=0"),
    ("bench/bounded_queue.c", "-DP=4 -DC=2"),
    ("bench/queue_threads.c", ""),
    ("bench/rwlock_threads.c", ""),
    ("bench/deque_threads.c", ""),
];

/// Programs of the other tool's suite, and what to give to clang.
const SUITE: [(&str, &str); 14] = [
    ("correct/synthetic/readers/variants/readers0.c", "-DN=12"),
    ("correct/synthetic/big0/variants/big00.c", ""),
    ("correct/synthetic/lastzero/variants/lastzero0.c", ""),
    ("correct/synthetic/szymanski/variants/szymanski0.c", ""),
    ("correct/synthetic/lock2inc/variants/lock2inc0.c", "-DN=5"),
    ("correct/synthetic/fib_bench/variants/fib_bench0.c", ""),
    ("correct/synthetic/casw/variants/casw0.c", "-DN=4"),
    ("correct/synthetic/pgsql/variants/pgsql0.c", ""),
    ("correct/data-structures/hw-queue/variants/main0.c", ""),
    ("correct/data-structures/ms-queue-dynamic/variants/main0.c", ""),
    ("correct/data-structures/treiber-stack/variants/main0.c", ""),
    ("correct/data-structures/mpmc-queue/variants/main0.c", ""),
    ("correct/data-structures/buf_ring/variants/buf_ring0.c", ""),
    ("correct/data-structures/ticketlock/variants/main0.c", ""),
];

/// What one run gave.
struct Run {
    complete: u64,
    blocked: u64,
    seconds: f64,
}

/// User seconds of all processes that this one has started and that have ended.
fn spent() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(") ").next().unwrap_or_default();
    // Behind the name of the command comes the third field; what children took as users is the sixteenth.
    let ticks = fields.split_whitespace().nth(13).and_then(|ticks| ticks.parse::<f64>().ok());
    ticks.unwrap_or(0.0) / TICKS
}

fn timed(mut command: Command) -> Result<(Output, f64), String> {
    let before = spent();
    let output = command.stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
    Ok((output, spent() - before))
}

fn hmc(model: &str, file: &Path, define: &str) -> Result<Run, String> {
    let binary = std::env::var_os("HMC_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_hmc").into());
    let mut command = Command::new(binary);
    command.args([
        "--cat",
        model,
        "--format",
        "json",
        "--threads",
        "1",
        "--symmetry",
        "off",
        "--keep-going",
        "--no-race",
    ]);
    command.args(["--equivalence", "rf+co", "--timeout", LIMIT]).arg(file).arg("--").args(define.split_whitespace());
    let (output, seconds) = timed(command)?;
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
    let result = &report["results"][0];
    match result["verdict"].as_str() {
        Some("holds" | "violated") => {}
        verdict => return Err(verdict.unwrap_or("no verdict").to_owned()),
    }
    let number = |name: &str| result["executions"][name].as_u64().ok_or("no count");
    Ok(Run { complete: number("complete")?, blocked: number("blocked")?, seconds })
}

/// In-place revisits are left out where the tool says that they do not suit the program.
fn genmc(binary: &str, model: &str, file: &Path, define: &str) -> Result<Run, String> {
    genmc_with(&[], binary, model, file, define)
        .or_else(|_| genmc_with(&["--disable-ipr"], binary, model, file, define))
}

fn genmc_with(more: &[&str], binary: &str, model: &str, file: &Path, define: &str) -> Result<Run, String> {
    let mut command = Command::new("timeout");
    command.args([LIMIT, binary, &format!("--{model}"), "--disable-estimation", "--disable-race-detection"]);
    command.args(more).arg("--").args(define.split_whitespace()).arg(file);
    let (output, seconds) = timed(command)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = |name: &str| {
        let line = text.lines().find(|line| line.contains(name))?;
        line.split(|c: char| !c.is_ascii_digit()).find(|word| !word.is_empty())?.parse().ok()
    };
    if !output.status.success() {
        return Err("ends with an error".to_owned());
    }
    let complete = number("complete executions").ok_or("no count")?;
    Ok(Run { complete, blocked: number("blocked executions").unwrap_or(0), seconds })
}

fn figures(run: &Result<Run, String>) -> String {
    match run {
        Ok(run) => format!("{} + {}: {:.2}", run.complete, run.blocked, run.seconds),
        Err(why) => why.clone(),
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let (filter, only) = (arguments.next().unwrap_or_default(), arguments.next());
    let other = std::env::var("GENMC").ok();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut programs: Vec<(PathBuf, &str)> = PROGRAMS.iter().map(|(file, define)| (own.join(file), *define)).collect();
    if let Some(suite) = std::env::var_os("GENMC_TESTS") {
        let suite = Path::new(&suite);
        programs
            .extend(SUITE.iter().map(|(file, define)| (suite.join(file), *define)).filter(|(file, _)| file.exists()));
    }
    println!("| program | model | hmc: complete + blocked: s | GenMC: complete + blocked: s | GenMC / hmc |");
    println!("|---|---|---|---|---|");
    for (file, define) in programs {
        // Programs of the suite stand in a folder of variants each.
        let named = match file.parent().filter(|folder| folder.ends_with("variants")) {
            Some(folder) => folder.parent().and_then(Path::file_name),
            None => file.file_stem(),
        };
        let what = format!("{} {define}", named.unwrap_or_default().to_string_lossy());
        for model in MODELS {
            if !what.contains(&filter) || only.as_ref().is_some_and(|only| only != model) {
                continue;
            }
            let found = hmc(model, &file, define);
            let theirs = other.as_deref().filter(|_| COMMON.contains(&model));
            let theirs = theirs.map(|binary| genmc(binary, model, &file, define));
            let ratio = match (&found, &theirs) {
                (Ok(hmc), Some(Ok(other))) => format!("{:.1}", other.seconds / hmc.seconds),
                _ => String::new(),
            };
            println!(
                "| {what} | {model} | {} | {} | {ratio} |",
                figures(&found),
                theirs.as_ref().map_or(String::new(), figures)
            );
        }
    }
}
