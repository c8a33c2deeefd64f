//! Programs of critical sections, in the notation of `../shared/lapor/tests.tsv`: `L0` lock, `U0` unlock, `Rx` read, `Wx` write; threads apart by `|`. All values that are written differ, and all threads are joined.

use super::left_out::shared;
use super::random::Rng;
use std::path::{Path, PathBuf};

/// A line of the table.
pub struct Row {
    pub name: String,
    pub text: String,
    pub plain: u64,
    pub content: Option<u64>,
    pub content_rf: Option<u64>,
    pub racy: Option<u64>,
    pub mixed: Option<u64>,
    pub verdict: String,
    pub note: String,
}

/// The rows of a kind; none where the table is absent.
pub fn rows(kind: &str) -> Option<Vec<Row>> {
    let table = std::fs::read_to_string(shared("lapor/tests.tsv")?).expect("a table");
    let lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let number = |text: &str| text.parse().ok();
    let rows = lines.filter(|line| line[0] == kind).map(|line| {
        let at = |n: usize| line.get(n).copied().unwrap_or_default();
        Row {
            name: at(1).to_owned(),
            text: at(2).to_owned(),
            plain: number(at(4)).unwrap_or(0),
            content: number(at(5)),
            content_rf: number(at(6)),
            racy: number(at(7)),
            mixed: number(at(8)),
            verdict: at(9).to_owned(),
            note: at(10).to_owned(),
        }
    });
    Some(rows.collect())
}

/// The program in C. `plain`: with ordinary accesses in place of relaxed ones.
pub fn c(text: &str, plain: bool) -> String {
    let threads: Vec<Vec<&str>> = text.split('|').map(|thread| thread.split_whitespace().collect()).collect();
    let mut out = String::from("#include <pthread.h>\n#include <stdatomic.h>\n");
    let of_kind = |kinds: &str| {
        let words = threads.iter().flatten().filter(|word| kinds.contains(&word[..1]));
        words.map(|word| word[1..].to_owned()).collect::<std::collections::BTreeSet<_>>()
    };
    for name in of_kind("LU") {
        out += &format!("pthread_mutex_t m{name} = PTHREAD_MUTEX_INITIALIZER;\n");
    }
    for name in of_kind("RW") {
        out += &if plain { format!("int {name};\n") } else { format!("atomic_int {name};\n") };
    }
    let mut value = 0;
    for (t, thread) in threads.iter().enumerate() {
        out += &format!("static void *t{t}(void *arg) {{\n");
        for (at, word) in thread.iter().enumerate() {
            let name = &word[1..];
            out += &match (&word[..1], plain) {
                ("L", _) => format!("  pthread_mutex_lock(&m{name});\n"),
                ("U", _) => format!("  pthread_mutex_unlock(&m{name});\n"),
                ("R", true) => format!("  volatile int r{at} = {name};\n"),
                ("R", false) => format!("  atomic_load_explicit(&{name}, memory_order_relaxed);\n"),
                (_, plain) => {
                    value += 1;
                    match plain {
                        true => format!("  {name} = {value};\n"),
                        false => format!("  atomic_store_explicit(&{name}, {value}, memory_order_relaxed);\n"),
                    }
                }
            };
        }
        out += "  return 0;\n}\n";
    }
    let count = threads.len();
    out += &format!("int main(void) {{\n  pthread_t t[{count}];\n");
    (0..count).for_each(|t| out += &format!("  pthread_create(&t[{t}], 0, t{t}, 0);\n"));
    (0..count).for_each(|t| out += &format!("  pthread_join(t[{t}], 0);\n"));
    out + "  return 0;\n}\n"
}

/// Writes a program with relaxed accesses to a file.
pub fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    std::fs::create_dir_all(folder).expect("a folder");
    let file = folder.join(format!("{name}.c"));
    std::fs::write(&file, c(text, false)).expect("a file");
    file
}

/// A program of two or three threads with sections of one lock or two, always taken in one order, and accesses in and around them.
pub fn random(rng: &mut Rng) -> String {
    let threads = 2 + rng.below(2);
    let access = |rng: &mut Rng| format!("{}{} ", ["R", "W"][rng.below(2) as usize], ["x", "y"][rng.below(2) as usize]);
    let thread = |rng: &mut Rng| {
        let mut out = String::new();
        for _ in 0..1 + rng.below(if threads == 2 { 2 } else { 1 }) {
            let some = |rng: &mut Rng, out: &mut String| (0..rng.below(2)).for_each(|_| *out += &access(rng));
            some(rng, &mut out);
            let lock = rng.below(2);
            out += &format!("L{lock} ");
            some(rng, &mut out);
            if lock == 0 && rng.below(3) == 0 {
                out += "L1 ";
                some(rng, &mut out);
                out += "U1 ";
            }
            out += &format!("U{lock} ");
        }
        if rng.below(3) == 0 {
            out += &access(rng);
        }
        out.trim_end().to_owned()
    };
    (0..threads).map(|_| thread(rng)).collect::<Vec<_>>().join(" | ")
}

/// So many random programs as files.
pub fn random_files(folder: &Path, count: u64) -> Vec<PathBuf> {
    let text = |seed: u64| random(&mut Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
    (1..=count).map(|seed| write(folder, &format!("s{seed}"), &text(seed))).collect()
}
