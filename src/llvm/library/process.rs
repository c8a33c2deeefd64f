//! Aborting, choices, and what is told of the machine.

use super::emit::{Emit, SUCCESS, arg};
use crate::llvm::lower::function::code::Code;
use crate::program::*;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "abort" | "__assert_rtn" | "_ZSt9terminatev" | "__cxa_pure_virtual" => {
            |code, _| fail(code, "the program aborts")
        }
        _ if name.starts_with("_ZSt") && name.contains("__throw_") => {
            |code, _| fail(code, "the program aborts: the C++ library throws an exception")
        }
        "reach_error" | "__VERIFIER_error" => |code, _| fail(code, "an error location is reached"),
        "__VERIFIER_assume" | "hmc_assume" => |code, args| stop_unless(code, args, Stop::Assume),
        "assume_abort_if_not" => |code, args| stop_unless(code, args, Stop::Assume),
        "hmc_await" => |code, args| stop_unless(code, args, Stop::Await),
        "__VERIFIER_assert" | "hmc_assert" => |code, args| {
            code.assert(arg(args, 0), "a condition that the program asserts is false");
            SUCCESS
        },
        "hmc_choose" => |code, _| Some(code.choose(&[0, 1])),
        "rand" | "random" | "rand_r" | "lrand48" => |code, _| Some(sample(code, "random numbers")),
        "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool" => |code, _| Some(code.choose(&[0, 1])),
        _ if name.starts_with("__VERIFIER_nondet_") => {
            |code, _| Some(sample(code, "the values of __VERIFIER_nondet_ functions"))
        }
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => |code, _| {
            code.unsupported(
                "atomic sections (`__VERIFIER_atomic_begin`) are not supported: use an atomic operation or a lock",
            );
            SUCCESS
        },
        "pthread_cancel" | "pthread_testcancel" => |code, _| {
            code.unsupported("`pthread_cancel` is not supported: threads end by themselves");
            SUCCESS
        },
        "sysconf" | "get_nprocs" | "_ZNSt6thread20hardware_concurrencyEv" => |code, _| {
            code.cx.note("the machine is taken to have two processors");
            Some(Operand::Const(2))
        },
        "getpagesize" => |_, _| Some(Operand::Const(4096)),
        "getenv" => |code, _| {
            code.cx.note("no environment variable is set");
            SUCCESS
        },
        _ => return None,
    })
}

fn fail(code: &mut Code<'_, '_>, message: &str) -> Option<Operand> {
    code.f.push(Instr::Fail { message: message.into(), unsupported: false });
    SUCCESS
}

fn stop_unless(code: &mut Code<'_, '_>, args: &[Operand], why: Stop) -> Option<Operand> {
    code.stop_unless(arg(args, 0), why);
    SUCCESS
}

/// A value that may be any: two of them.
fn sample(code: &mut Code<'_, '_>, what: &str) -> Operand {
    code.cx.note(&format!("{what} are 0 or 1, in different executions; what comes of others is not looked at"));
    code.cx.builder.program.samples = true;
    code.choose(&[0, 1])
}
