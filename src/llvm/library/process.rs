//! Memory, aborting, choices, and what is told of the machine.

use super::emit::{Emit, INVALID, SUCCESS, arg};
use crate::llvm::lower::function::code::Code;
use crate::program::*;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "malloc" | "kmalloc" | "valloc" | "_Znwm" | "_Znam" | "_ZnwmRKSt9nothrow_t" | "_ZnamRKSt9nothrow_t" => {
            |code, args| Some(allocate(code, arg(args, 0), Region::Heap))
        }
        "_ZnwmSt11align_val_t" | "_ZnamSt11align_val_t" => |code, args| {
            refuse_alignment(code, arg(args, 1));
            Some(allocate(code, arg(args, 0), Region::Heap))
        },
        "kzalloc" => |code, args| Some(allocate(code, arg(args, 0), Region::ZeroedHeap)),
        "calloc" => |code, args| {
            let size = match (arg(args, 0), arg(args, 1)) {
                (Operand::Const(a), Operand::Const(b)) => Operand::Const(a.saturating_mul(b)),
                (a, b) => saturating_product(code, a, b),
            };
            Some(allocate(code, size, Region::ZeroedHeap))
        },
        "aligned_alloc" | "memalign" => |code, args| {
            refuse_alignment(code, arg(args, 0));
            Some(allocate(code, arg(args, 1), Region::Heap))
        },
        "posix_memalign" => |code, args| {
            if let Operand::Const(alignment) = arg(args, 1)
                && !(alignment.is_power_of_two() && alignment >= 8)
            {
                return Some(Operand::Const(INVALID));
            }
            refuse_alignment(code, arg(args, 1));
            let block = allocate(code, arg(args, 2), Region::Heap);
            code.store(arg(args, 0), block, 8, crate::llvm::ir::Order::Na);
            SUCCESS
        },
        "realloc" => |code, args| match arg(args, 0) {
            Operand::Const(0) => Some(allocate(code, arg(args, 1), Region::Heap)),
            _ => {
                code.unsupported("`realloc` of memory that exists is not supported: its old size is not known here");
                SUCCESS
            }
        },
        "strdup" => |code, args| {
            let len = super::texts::strings::length(code, arg(args, 0));
            let size = code.offset(len, 1);
            let copy = allocate(code, size, Region::Heap);
            super::texts::strings::copy_loop(code, copy, arg(args, 0), size, &[]);
            Some(copy)
        },
        "free"
        | "cfree"
        | "kfree"
        | "_ZdlPv"
        | "_ZdaPv"
        | "_ZdlPvm"
        | "_ZdaPvm"
        | "_ZdlPvSt11align_val_t"
        | "_ZdaPvSt11align_val_t"
        | "_ZdlPvmSt11align_val_t"
        | "_ZdaPvmSt11align_val_t" => |code, args| {
            code.f.next_group();
            code.f.push(Instr::Free { addr: arg(args, 0), stack: false });
            SUCCESS
        },
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

fn allocate(code: &mut Code<'_, '_>, size: Operand, region: Region) -> Operand {
    let dst = code.f.reg();
    code.f.push(Instr::Alloc { dst, size, region, name: "heap".into() });
    Operand::Reg(dst)
}

/// The product of two sizes, or the largest size where it is larger.
fn saturating_product(code: &mut Code<'_, '_>, a: Operand, b: Operand) -> Operand {
    let product = code.bin(BinOp::Mul, 64, a, b);
    let divisor = code.bin(BinOp::UMax, 64, b, Operand::Const(1));
    let most = code.bin(BinOp::UDiv, 64, Operand::Const(u64::MAX), divisor);
    let fits = code.bin(BinOp::ULe, 64, a, most);
    let dst = code.f.reg();
    code.f.push(Instr::Select { dst, cond: fits, a: product, b: Operand::Const(u64::MAX), on_cond: false });
    Operand::Reg(dst)
}

/// Stops where more is asked for than what all allocated memory is aligned to.
fn refuse_alignment(code: &mut Code<'_, '_>, alignment: Operand) {
    const MOST: u64 = 1 << 17;
    let (fits, too_large) = (code.f.label(), code.f.label());
    let small = code.bin(BinOp::ULe, 64, alignment, Operand::Const(MOST));
    code.inner_branch(small, fits, too_large);
    code.f.place(too_large);
    code.unsupported(format!("memory is aligned to {MOST} bytes here, and no further"));
    code.f.place(fits);
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
