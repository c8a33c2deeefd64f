//! Random litmus tests of the kernel's primitives, each answered in three ways: as `hmc` does by default (programs whose events are
//! always the same are searched, not explored), by exploration with every execution judged again, and by enumeration. Locks,
//! critical sections of RCU, and read-modify-writes of every strength come together in them.

use crate::support::random::{Rng, all_agree};
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Engine, Settings, check};
use hmc::verdict::{FileResult, Sources, Verdict};
use std::path::Path;
use std::time::Duration;

/// The statements of a thread, and how many registers it has.
struct Thread {
    text: String,
    registers: usize,
}

impl Thread {
    fn line(&mut self, depth: usize, line: &str) {
        self.text += &format!("{}{line}\n", "\t".repeat(depth));
    }

    /// A register for the value of an expression.
    fn bind(&mut self, depth: usize, value: &str) -> usize {
        let register = self.registers;
        self.registers += 1;
        self.line(depth, &format!("int r{register} = {value};"));
        register
    }
}

/// One of several texts.
fn one<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.below(of.len() as u64) as usize]
}

/// Statements with up to `budget` accesses; `locked` where the lock must not be taken again.
fn statements(rng: &mut Rng, thread: &mut Thread, depth: usize, budget: &mut u64, locked: bool, last: Option<usize>) {
    let mut last = last;
    while *budget > 0 {
        *budget -= 1;
        let var = one(rng, &["x", "y"]);
        let value = match last {
            Some(r) if rng.below(3) == 0 => format!("r{r}"),
            Some(r) if rng.below(4) == 0 => format!("(r{r} ^ r{r}) + 1"),
            _ => format!("{}", 1 + rng.below(2)),
        };
        match rng.below(16) {
            0 | 1 => last = Some(thread.bind(depth, &format!("READ_ONCE(*{var})"))),
            2 => last = Some(thread.bind(depth, &format!("smp_load_acquire({var})"))),
            3 | 4 => thread.line(depth, &format!("WRITE_ONCE(*{var}, {value});")),
            5 => thread.line(depth, &format!("smp_store_release({var}, {value});")),
            6 => {
                let fence = one(rng, &["smp_mb();", "smp_rmb();", "smp_wmb();", "synchronize_rcu();"]);
                thread.line(depth, fence);
            }
            7 => {
                let exchange = one(rng, &["xchg", "xchg_relaxed", "xchg_acquire", "xchg_release"]);
                last = Some(thread.bind(depth, &format!("{exchange}({var}, {value})")));
            }
            8 => last = Some(thread.bind(depth, &format!("cmpxchg({var}, 0, {value})"))),
            9 => thread.line(depth, &format!("*{var} = {value};")),
            10 => last = Some(thread.bind(depth, &format!("*{var}"))),
            11 if depth < 3 => {
                thread.line(depth, "rcu_read_lock();");
                let mut inside = (1 + rng.below(2)).min(*budget);
                *budget -= inside;
                statements(rng, thread, depth, &mut inside, locked, last);
                thread.line(depth, "rcu_read_unlock();");
            }
            12 if !locked && depth < 3 => {
                let mut inside = (1 + rng.below(2)).min(*budget);
                *budget -= inside;
                if rng.below(4) == 0 {
                    let got = thread.bind(depth, "spin_trylock(l)");
                    thread.line(depth, &format!("if (r{got}) {{"));
                    statements(rng, thread, depth + 1, &mut inside, true, last);
                    thread.line(depth + 1, "spin_unlock(l);");
                    thread.line(depth, "}");
                } else {
                    thread.line(depth, "spin_lock(l);");
                    statements(rng, thread, depth, &mut inside, true, last);
                    thread.line(depth, "spin_unlock(l);");
                }
            }
            // A flag that is set in a branch: no dependency leads through it.
            14 | 15 if last.is_some() => {
                let (read, value) = (last.unwrap_or_default(), 1 + rng.below(2));
                last = Some(thread.bind(depth, "0"));
                let flag = thread.registers - 1;
                thread.line(depth, &format!("if (r{read}) {{ r{flag} = {value}; }}"));
            }
            13 if !locked && rng.below(3) == 0 => last = Some(thread.bind(depth, "spin_is_locked(l)")),
            _ => thread.line(depth, &format!("WRITE_ONCE(*{var}, {value});")),
        }
    }
}

/// A test that shows every register and variable.
fn random_test(rng: &mut Rng, events: u64) -> String {
    let threads = 2 + rng.below(2);
    let mut text = String::from("C random\n\n{}\n\n");
    let mut shown = String::from("x; y;");
    for t in 0..threads {
        let mut thread = Thread { text: String::new(), registers: 0 };
        let mut budget = 1 + rng.below(events / threads);
        statements(rng, &mut thread, 1, &mut budget, false, None);
        text += &format!("P{t}(int *x, int *y, spinlock_t *l)\n{{\n{}}}\n\n", thread.text);
        (0..thread.registers).for_each(|r| shown += &format!(" {t}:r{r};"));
    }
    text + &format!("locations [{shown}]\nexists (x=1 /\\ y=1)\n")
}

/// What must be the same in all answers.
fn facts(result: &FileResult) -> String {
    let messages: Vec<&str> = result.messages.iter().map(|m| m.message.as_str()).collect();
    let FileResult { kind, observation, positive, negative, states, flags, .. } = result;
    let flags: Vec<_> = flags.iter().map(|f| (&f.name, f.undefined)).collect();
    format!("{kind:?} {observation:?} {positive:?} {negative:?} {flags:?} {messages:?}\n{}", states.join("\n"))
}

fn compare(models: &Models, seed: u64, events: u64, folder: &Path) -> bool {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let text = random_test(&mut rng, events);
    let file = folder.join(format!("{seed}.litmus"));
    std::fs::write(&file, &text).expect("a test to be written");
    let answer = |settings: &Settings| check(&file, "lkmm", models, settings, &Sources::default());
    let default = answer(&Settings::default());
    let explored = answer(&Settings { audit: true, ..Settings::default() });
    let brief = Some(Duration::from_secs(2));
    let enumerated = answer(&Settings { engine: Engine::Enumerate, timeout: brief, ..Settings::default() });
    let mut same = default.log.is_some();
    for (how, other) in [("explored", &explored), ("enumerated", &enumerated)] {
        // An enumeration that takes too long says nothing.
        if other.verdict != Verdict::Bounded && facts(&default) != facts(other) {
            println!("seed {seed}\n{text}\nby default:\n{}\n{how}:\n{}", facts(&default), facts(other));
            same = false;
        }
    }
    same
}

#[test]
fn three_ways_to_answer_a_kernel_test_agree() {
    let models = Models::new(LoadRequest::named("lkmm"), Vec::new(), false);
    let folder = tempfile::tempdir().expect("a temporary folder");
    all_agree(300, 9, |seed, events| compare(&models, seed, events, folder.path()));
}
