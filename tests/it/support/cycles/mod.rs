//! A generator of litmus tests from cycles of relaxations, as the field's own generators make them.
//!
//! A cycle goes through accesses. Between threads it leads along communication (a read from a write, a write after a read or a write);
//! within a thread along program order, with a dependency, a fence, or neither. Each access is made by one of several means: an
//! instruction, an exclusive pair that is tried once or until it succeeds, an atomic instruction, a compare-and-swap; plainly or with
//! the strength of acquire and release. The condition of a test asks for the outcome that goes around the cycle.
//!
//! - `cycle`: random cycles.
//! - `dialect`: what an architecture offers; the columns of a test of assembly.
//! - One file an architecture; `c` for C.

mod aarch64;
mod arm;
mod c;
mod cycle;
mod dialect;
mod mips;
mod ppc;
mod riscv;
mod x86_64;

use super::random::Rng;
use dialect::{Dialect, assembly};

/// A test, and the models that it is run under.
pub struct Generated {
    pub text: String,
    pub models: &'static [&'static str],
    /// Whether an exclusive pair is tried until it succeeds.
    pub retries: bool,
}

/// The architectures for which tests are made.
pub const ARCHITECTURES: [&str; 7] = ["AArch64", "PPC", "RISCV", "ARM", "MIPS", "X86_64", "C"];

/// A test with about so many accesses for one of [`ARCHITECTURES`].
pub fn random_test(rng: &mut Rng, architecture: &str, accesses: u64) -> Generated {
    let dialect: &dyn Dialect = match architecture {
        "AArch64" => &aarch64::AArch64,
        "PPC" => &ppc::Ppc,
        "RISCV" => &riscv::RiscV,
        "ARM" => &arm::Arm,
        "MIPS" => &mips::Mips,
        "X86_64" => &x86_64::X86,
        _ => {
            let cycle = cycle::random(rng, &c::C, accesses);
            return Generated { text: c::text(&cycle), models: c::MODELS, retries: false };
        }
    };
    let cycle = cycle::random(rng, dialect, accesses);
    let retries = cycle.accesses().any(|access| access.means == cycle::Means::Retried);
    Generated { text: assembly(dialect, &cycle), models: dialect.models(), retries }
}
