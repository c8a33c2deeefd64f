//! The primitives that kernel files get from hmc's bottom layer (`--linux`), each in a small test beside the same test with the primitives of the model's
//! own file: the same states and as many executions. They need a tree, as `linux_files` does: `HMC_LINUX=DIR`, or the one that it has unpacked.

use crate::support::linux_tree;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What gives a number and may order: on `y` (`atomic_t`), on `w` (`long`), with a lock, or by itself.
const PRIMITIVES: [&str; 39] = [
    "smp_mb()",
    "smp_rmb()",
    "smp_wmb()",
    "smp_mb__before_atomic()",
    "smp_mb__after_atomic()",
    "smp_store_release(&y.counter, 1)",
    "r = smp_load_acquire(&y.counter)",
    "smp_store_mb(y.counter, 1)",
    "r = atomic_read(&y)",
    "r = atomic_read_acquire(&y)",
    "atomic_set(&y, 1)",
    "atomic_set_release(&y, 1)",
    "atomic_add(1, &y)",
    "atomic_inc(&y)",
    "atomic_or(1, &y)",
    "r = atomic_add_return(1, &y)",
    "r = atomic_add_return_relaxed(1, &y)",
    "r = atomic_sub_return_acquire(-1, &y)",
    "r = atomic_inc_return_release(&y)",
    "r = atomic_fetch_add(1, &y)",
    "r = atomic_fetch_or_relaxed(1, &y)",
    "r = atomic_fetch_xor_acquire(1, &y)",
    "r = atomic_fetch_inc_release(&y)",
    "r = atomic_dec_and_test(&y)",
    "r = atomic_xchg(&y, 1)",
    "r = xchg_relaxed(&y.counter, 1)",
    "r = xchg_acquire(&y.counter, 1)",
    "r = xchg_release(&y.counter, 1)",
    "r = cmpxchg(&y.counter, 0, 1)",
    "r = atomic_cmpxchg_relaxed(&y, 0, 1)",
    "r = atomic_cmpxchg_acquire(&y, 0, 1)",
    "r = atomic_cmpxchg_release(&y, 0, 1)",
    "r = atomic_add_unless(&y, 1, 5)",
    "set_bit(0, &w); smp_mb__after_atomic()",
    "r = test_and_set_bit(0, &w)",
    "r = test_and_set_bit_lock(0, &w)",
    "clear_bit_unlock(0, &w)",
    "spin_lock(&l); y.counter = y.counter; spin_unlock(&l)",
    "if (spin_trylock(&l)) { r = 1; spin_unlock(&l); }",
];

/// A test of a primitive: what comes before it and behind it, and another thread that looks at that from two sides.
fn program(primitive: &str) -> String {
    // What is changed without a mark is not looked at by others.
    let look = if primitive.contains("&w") { "READ_ONCE(w)" } else { "atomic_read(&y)" };
    let look = if primitive.contains("y.counter = ") { "0" } else { look };
    format!(
        "#ifdef LINUX
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/spinlock.h>
#include <hmc/linux.h>
#define START(f) hmc_cpu(0, f)
#define RESULT void
#define PARAMETER void
#define END
#else
#include <pthread.h>
static pthread_t id;
#define START(f) pthread_create(&id, 0, f, 0)
#define RESULT void *
#define PARAMETER void *nothing
#define END return 0;
#endif
#include <hmc.h>
static int x, z;
static atomic_t y;
static unsigned long w;
static DEFINE_SPINLOCK(l);
static RESULT first(PARAMETER)
{{
	int r = 0, s;
	WRITE_ONCE(x, 1);
	{primitive};
	s = READ_ONCE(z);
	hmc_observe(r, s);
	END
}}
static RESULT second(PARAMETER)
{{
	int r, s;
	WRITE_ONCE(z, 1);
	smp_mb();
	r = {look};
	smp_rmb();
	s = READ_ONCE(x);
	hmc_observe(r, s);
	END
}}
#ifdef LINUX
HMC_TEST(both) {{ hmc_cpu(0, first); hmc_cpu(1, second); hmc_join(); }}
#else
int main(void) {{ START(first); START(second); return 0; }}
#endif
"
    )
}

/// The states and the number of executions.
fn states(file: &Path, more: &[&str]) -> Result<(Value, Value), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    command.args(["--cat", "lkmm", "--format", "json", "--no-race", "--threads", "1"]).args(more);
    let output = command.output().expect("hmc");
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("{}: {e}: {}", file.display(), String::from_utf8_lossy(&output.stderr)))?;
    let result = &report["results"][0];
    match result["verdict"].as_str() {
        Some("holds") => Ok((result["states"].clone(), result["executions"]["complete"].clone())),
        _ => Err(format!("{}: {}", result["verdict"], String::from_utf8_lossy(&output.stderr))),
    }
}

#[test]
fn primitives_of_the_layer_give_the_states_of_those_of_the_model() {
    let Some(tree) = linux_tree::tree() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (next, wrong, seen) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let compared = |at: usize, primitive: &str| {
        let file = folder.path().join(format!("{at}.c"));
        std::fs::write(&file, program(primitive)).map_err(|e| e.to_string())?;
        let (name, tree) = (file.display().to_string(), tree.display().to_string());
        let of_model = states(&file, &[&name])?;
        let of_layer = states(&file, &["--linux", &tree, &name, "--", "-DLINUX"])?;
        seen.lock().expect("no panic").push(of_layer.0.clone());
        if of_model == of_layer { Ok(()) } else { Err(format!("{of_layer:?}, and by the model {of_model:?}")) }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(primitive) = PRIMITIVES.get(at) else { break };
                    if let Err(what) = compared(at, primitive) {
                        wrong.lock().expect("no panic").push(format!("{primitive}: {what}"));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} primitives differ:\n{}", wrong.len(), wrong.join("\n"));
    let seen = seen.into_inner().expect("no panic");
    assert!(seen.iter().any(|states| *states != seen[0]), "the tests tell primitives apart");
}
