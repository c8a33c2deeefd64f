//! AArch64: registers and instructions (`LITMUS.md` §3.1).
//!
//! - [`operands`]: registers, shifted and extended operands, addresses.
//! - [`access`]: loads and stores.
//! - [`atomic`]: exclusives, swap, compare-and-swap, fetch-and-operate.
//! - [`branch`]: branches, calls, barriers.
//! - [`compute`]: what only computes.
//! - [`hash_spelling`]: spellings for the hash.
//!
//! Not here: what [`crate::litmus::foreign`] recognises.

mod access;
mod atomic;
mod branch;
mod compute;
pub mod hash_spelling;
mod operands;

pub use operands::canonical_register;

use super::asm::Lowering;
use super::operand::{Fault, Instruction};

/// Instruction names, without the suffixes for order and size that [`lower`] also takes.
pub const MNEMONICS: &[&str] = &[
    "ldr", "ldrb", "ldrh", "ldrsb", "ldrsh", "ldrsw", "ldur", "str", "strb", "strh", "stur", "ldar", "ldarb", "ldarh",
    "ldapr", "ldaprb", "ldaprh", "ldapur", "stlr", "stlrb", "stlrh", "stlur", "ldp", "ldnp", "ldpsw", "stp", "stnp",
    "ldiapp", "ldap", "stilp", "stlp", "ldxr", "ldxrb", "ldxrh", "ldaxr", "ldaxrb", "ldaxrh", "stxr", "stxrb", "stxrh",
    "stlxr", "stlxrb", "stlxrh", "ldxp", "ldaxp", "stxp", "stlxp", "casp", "caspa", "caspl", "caspal", "swp", "swpa",
    "swpl", "swpal", "cas", "casa", "casl", "casal", "ldadd", "ldaddal", "ldeor", "ldset", "ldclr", "ldsmax", "ldsmin",
    "ldumax", "ldumin", "stadd", "steor", "stset", "stclr", "stsmax", "stsmin", "stumax", "stumin", "mov", "movz",
    "movk", "movn", "add", "adds", "sub", "subs", "and", "ands", "orr", "eor", "bic", "bics", "orn", "eon", "lsl",
    "lsr", "asr", "ror", "sxtb", "sxth", "sxtw", "uxtb", "uxth", "uxtw", "mul", "madd", "msub", "mneg", "neg", "negs",
    "mvn", "udiv", "sdiv", "rbit", "rev", "clz", "cmp", "cmn", "ccmp", "ccmn", "tst", "csel", "csinc", "csinv",
    "csneg", "cset", "csetm", "cinc", "cinv", "cneg", "adc", "sbc", "ubfx", "sbfx", "ubfm", "sbfm", "umull", "smull",
    "umnegl", "smnegl", "umaddl", "smaddl", "umsubl", "smsubl", "abs", "rev16", "rev32", "rev64", "extr", "lslv",
    "lsrv", "asrv", "rorv", "cbz", "cbnz", "tbz", "tbnz", "b", "b.eq", "b.ne", "b.lt", "b.le", "b.gt", "b.ge", "b.hi",
    "b.ls", "b.hs", "b.lo", "b.mi", "b.pl", "b.vs", "b.vc", "bl", "blr", "br", "ret", "adr", "beq", "bne", "blt",
    "ble", "bgt", "bge", "bhi", "bls", "bhs", "blo", "bmi", "bpl", "bvs", "bvc", "nop", "hint", "hlt", "yield", "wfe",
    "wfi", "sev", "sevl", "bti", "prfm", "clrex", "isb", "dmb", "dsb", "dc",
];

/// Instructions that make or use code addresses.
pub const CODE: &[&str] = &["bl", "blr", "br", "ret", "adr"];

/// Translates one instruction.
pub fn lower(at: &mut Lowering, instruction: &Instruction) -> Result<(), Fault> {
    let name = instruction.mnemonic.as_str();
    let args = instruction.operands.as_slice();
    if name == "adrp" {
        return Err(Fault::Unsupported("`adrp` needs addresses of pages, and hmc has none".to_owned()));
    }
    compute::arithmetic(at, name, args)
        .or_else(|| branch::control(at, name, args))
        .or_else(|| access::ordinary(at, name, args))
        .or_else(|| atomic::exclusive(at, name, args))
        .or_else(|| atomic::atomic(at, name, args))
        .unwrap_or(Err(Fault::Unknown))
}
