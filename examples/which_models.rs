//! Which models allow the outcome of a litmus test: `cargo run --example which_models`.

use hmc::{Checker, Model, Problems, Program};

const TEST: &str = "C MP
{}
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (1:r0=1 /\\ 1:r1=0)
";

fn main() -> Result<(), Problems> {
    let test = Program::litmus("mp.litmus", TEST);
    for name in ["sc", "tso", "pso", "ra", "rc11", "c11"] {
        let report = Checker::new().check(&test, &Model::named(name)?);
        let result = report.result();
        println!("{name:5} {:9} {} states", result.observation.as_deref().unwrap_or("-"), result.states.len());
    }
    Ok(())
}
