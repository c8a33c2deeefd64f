//! Random C programs with futexes, under sc, against a machine that runs every interleaving and knows of futexes what `man 2 futex` says: the values that
//! programs end with, those that the calls give among them, and whether threads can sleep for ever.

use crate::support::clang_is_there;
use crate::support::random::Rng;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const PROGRAMS: u64 = 80;
const FUTEXES: usize = 2;
const ALL: i64 = 0x7fff_ffff;
const AGAIN: i64 = 11;
const TIMED_OUT: i64 = 110;

/// What a thread does to a futex. All but the last give a value that is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// Sleeps if it has this value, perhaps with a time-out: 0, or the error.
    Wait(i64, bool),
    /// Wakes one, or all: how many.
    Wake(i64),
    Load,
    Add,
    Store(i64),
}

type Thread = Vec<(usize, Step)>;

fn random(rng: &mut Rng) -> Vec<Thread> {
    let step = |rng: &mut Rng| match rng.below(8) {
        0..3 => Step::Wait(rng.below(2) as i64, rng.below(3) == 0),
        3 | 4 => Step::Wake(if rng.below(3) == 0 { ALL } else { 1 }),
        5 => Step::Load,
        6 => Step::Add,
        _ => Step::Store(rng.below(3) as i64),
    };
    let threads = 2 + rng.below(2);
    let most = if threads == 2 { 4 } else { 3 };
    let thread = |rng: &mut Rng| {
        let steps = 1 + rng.below(most);
        // Mostly the same futex: threads are to meet.
        (0..steps).map(|_| (usize::from(rng.below(4) == 0), step(rng))).collect()
    };
    (0..threads).map(|_| thread(rng)).collect()
}

/// The program in C, and the names of what is told.
fn c(threads: &[Thread]) -> (String, Vec<String>) {
    let mut text = "#include <errno.h>\n#include <linux/futex.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stddef.h>\n\
        #include <sys/syscall.h>\n#include <time.h>\n#include <unistd.h>\n\
        static const struct timespec soon = {0, 1};\n"
        .to_owned();
    let mut told: Vec<String> = (0..FUTEXES).map(|f| format!("f{f}")).collect();
    told.iter().for_each(|name| text += &format!("atomic_int {name};\n"));
    let mut bodies = String::new();
    for (t, thread) in threads.iter().enumerate() {
        let _ = writeln!(bodies, "static void *t{t}(void *unused) {{\n  (void)unused;");
        for (i, (futex, step)) in thread.iter().enumerate() {
            let (f, r) = (format!("f{futex}"), format!("r{t}_{i}"));
            let value = match *step {
                Step::Wait(value, timed) => {
                    let soon = if timed { "&soon" } else { "NULL" };
                    format!("syscall(SYS_futex, &{f}, FUTEX_WAIT_PRIVATE, {value}, {soon}, NULL, 0) ? errno : 0")
                }
                Step::Wake(count) => format!("syscall(SYS_futex, &{f}, FUTEX_WAKE, {count}, NULL, NULL, 0)"),
                Step::Load => format!("atomic_load(&{f})"),
                Step::Add => format!("atomic_fetch_add(&{f}, 1)"),
                Step::Store(value) => {
                    let _ = writeln!(bodies, "  atomic_store(&{f}, {value});");
                    continue;
                }
            };
            let _ = writeln!(bodies, "  {r} = {value};");
            text += &format!("int {r};\n");
            told.push(r);
        }
        bodies += "  return NULL;\n}\n";
    }
    text += &bodies;
    text += "int main(void) {\n  pthread_t threads[3];\n";
    (0..threads.len()).for_each(|t| text += &format!("  pthread_create(&threads[{t}], NULL, t{t}, NULL);\n"));
    (0..threads.len()).for_each(|t| text += &format!("  pthread_join(threads[{t}], NULL);\n"));
    (text + "}\n", told)
}

/// What can happen: the values of what is told, and whether threads sleep for ever.
#[derive(Default, PartialEq, Eq, Debug)]
struct Outcomes {
    ends: BTreeSet<Vec<i64>>,
    stuck: bool,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    memory: [i64; FUTEXES],
    at: Vec<usize>,
    asleep: Vec<bool>,
    results: Vec<Vec<i64>>,
}

/// Runs every interleaving.
fn run(threads: &[Thread]) -> Outcomes {
    let count = threads.len();
    let first = State {
        memory: [0; FUTEXES],
        at: vec![0; count],
        asleep: vec![false; count],
        results: vec![Vec::new(); count],
    };
    let (mut seen, mut open) = (HashSet::from([first.clone()]), vec![first]);
    let mut outcomes = Outcomes::default();
    while let Some(state) = open.pop() {
        let next: Vec<State> = (0..count).flat_map(|t| steps(threads, &state, t)).collect();
        if (0..count).all(|t| state.at[t] == threads[t].len()) {
            outcomes.ends.insert(state.memory.iter().copied().chain(state.results.concat()).collect());
        } else {
            outcomes.stuck |= next.is_empty();
        }
        open.extend(next.into_iter().filter(|next| seen.insert(next.clone())));
    }
    outcomes
}

/// The states behind a thread's next step.
fn steps(threads: &[Thread], state: &State, t: usize) -> Vec<State> {
    let Some(&(futex, step)) = threads[t].get(state.at[t]) else { return Vec::new() };
    let gives = |mut next: State, thread: usize, value: i64| {
        next.results[thread].push(value);
        next.at[thread] += 1;
        next.asleep[thread] = false;
        next
    };
    let value = state.memory[futex];
    let mut next = state.clone();
    match step {
        Step::Wait(_, timed) if state.asleep[t] => {
            if timed {
                vec![gives(next, t, TIMED_OUT)]
            } else {
                Vec::new()
            }
        }
        Step::Wait(expected, _) if expected != value => vec![gives(next, t, AGAIN)],
        Step::Wait(..) => {
            next.asleep[t] = true;
            vec![next]
        }
        Step::Wake(most) => {
            let sleeps = |&other: &usize| state.asleep[other] && threads[other][state.at[other]].0 == futex;
            let sleepers: Vec<usize> = (0..threads.len()).filter(sleeps).collect();
            let woken: Vec<Vec<usize>> = match sleepers.len() {
                0 => vec![Vec::new()],
                _ if most == 1 => sleepers.iter().map(|&one| vec![one]).collect(),
                _ => vec![sleepers],
            };
            let wakes = |woken: Vec<usize>| {
                let number = woken.len() as i64;
                let next = woken.into_iter().fold(state.clone(), |next, one| gives(next, one, 0));
                gives(next, t, number)
            };
            woken.into_iter().map(wakes).collect()
        }
        Step::Load => vec![gives(next, t, value)],
        Step::Add => {
            next.memory[futex] += 1;
            vec![gives(next, t, value)]
        }
        Step::Store(new) => {
            next.memory[futex] = new;
            next.at[t] += 1;
            vec![next]
        }
    }
}

/// What hmc says of a program.
fn explored(folder: &Path, text: &str, told: &[String]) -> Outcomes {
    let file = folder.join("futex.c");
    std::fs::write(&file, text).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_hmc"))
        .args([
            "--cat",
            "sc",
            "--equivalence",
            "rf+co",
            "--keep-going",
            "--format",
            "json",
            "--observe",
            &told.join(","),
        ])
        .arg(&file)
        .output()
        .expect("hmc can be started");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}\n{}\n{text}", String::from_utf8_lossy(&output.stderr)));
    let result = &report["results"][0];
    let verdict = result["verdict"].as_str().unwrap_or_default();
    assert!(verdict == "holds" || verdict == "violated", "{result}\n{text}");
    let stuck = verdict == "violated";
    assert!(!stuck || result["violation"]["kind"] == "liveness", "{result}\n{text}");
    let states = result["states"].as_array().cloned().unwrap_or_default();
    let value = |state: &str, name: &str| -> i64 {
        let parts = state.split(';').filter_map(|part| part.trim().split_once('='));
        parts.into_iter().find(|(known, _)| *known == name).and_then(|(_, value)| value.parse().ok()).expect("a value")
    };
    let end = |state: &serde_json::Value| {
        let state = state.as_str().unwrap_or_default();
        told.iter().map(|name| value(state, name)).collect()
    };
    Outcomes { ends: states.iter().map(end).collect(), stuck }
}

#[test]
fn futexes_do_what_a_machine_does() {
    if !clang_is_there() {
        eprintln!("notice: no clang from version 15 on is installed; futexes are not checked");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (mut stuck, mut again, mut timed_out, mut woken) = (0, 0, 0, 0);
    for seed in 1..=PROGRAMS {
        let threads = random(&mut Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
        let (text, told) = c(&threads);
        let expected = run(&threads);
        assert_eq!(explored(folder.path(), &text, &told), expected, "seed {seed}\n{text}");
        stuck += u64::from(expected.stuck);
        let gives = |value: i64| {
            let waits = threads.concat().iter().any(|(_, step)| matches!(step, Step::Wait(..)));
            u64::from(waits && expected.ends.iter().any(|end| end[FUTEXES..].contains(&value)))
        };
        (again, timed_out, woken) = (again + gives(AGAIN), timed_out + gives(TIMED_OUT), woken + gives(2));
    }
    println!("{PROGRAMS} programs: stuck {stuck}, another value {again}, time-outs {timed_out}, several woken {woken}");
    assert!(stuck > 10 && again > 10 && timed_out > 5 && woken > 0, "{stuck} {again} {timed_out} {woken}");
}
