//! Memory: taking it, giving it back, and copies that are allocated.

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
