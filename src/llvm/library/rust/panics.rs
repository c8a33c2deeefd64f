//! Panics of Rust: each is a finding at the place that the program says, with its message. Nothing is unwound.
//!
//! Texts are constants of the program. Of what is formatted, only the constant parts are known here; the operands of `assert_eq!` and `assert_ne!` are shown where they are
//! numbers or truth values, of which the name of the function tells the type.

use crate::llvm::ir::Order;
use crate::llvm::library::{Emit, SUCCESS, arg};
use crate::llvm::lower::function::code::Code;
use crate::program::*;

/// Longest text that is shown.
const LONGEST: u64 = 4096;

/// What is done instead of a function.
pub fn find(path: &str) -> Option<Emit> {
    Some(match path {
        "core::panicking::panic_fmt" => |code, args| panic_with(code, &formatted(code, args), arg(args, 2)),
        "core::panicking::panic_nounwind_fmt" => |code, args| panic_with(code, &formatted(code, args), arg(args, 3)),
        "core::panicking::panic"
        | "core::panicking::panic_nounwind"
        | "core::panicking::panic_nounwind_nobacktrace"
        | "core::option::expect_failed"
        | "std::panicking::begin_panic::<&str>" => |code, args| panic_with(code, &text(code, args), place(args)),
        "core::result::unwrap_failed" => {
            |code, args| panic_with(code, &format!("{}, and the result is an error", text(code, args)), place(args))
        }
        "core::option::unwrap_failed" => {
            |code, args| panic_with(code, "called `Option::unwrap()` on a `None` value", place(args))
        }
        "core::panicking::panic_bounds_check" => |code, args| {
            let number = |value| Piece::Number { value, bits: 64, signed: false };
            let message = [
                Piece::Text("index out of bounds: the len is ".into()),
                number(arg(args, 1)),
                Piece::Text(" but the index is ".into()),
                number(arg(args, 0)),
            ];
            panic(code, message.into(), place(args))
        },
        "core::panicking::panic_in_cleanup" | "core::panicking::panic_cannot_unwind" => {
            |code, args| panic_with(code, "a panic in a function that cannot unwind", place(args))
        }
        "core::panicking::panic_const::panic_const_div_by_zero" => {
            |code, args| panic_with(code, "attempt to divide by zero", place(args))
        }
        "core::panicking::panic_const::panic_const_rem_by_zero" => {
            |code, args| panic_with(code, "attempt to calculate the remainder with a divisor of zero", place(args))
        }
        _ if path.starts_with("core::panicking::panic_const::") => {
            |code, args| panic_with(code, "arithmetic whose result does not fit", place(args))
        }
        "alloc::alloc::handle_alloc_error" => |code, _| panic_with(code, "memory is exhausted", Operand::Const(0)),
        "std::process::abort" => |code, _| panic_with(code, "the program aborts", Operand::Const(0)),
        _ => return assertion(path.strip_prefix("core::panicking::assert_failed::<")?.strip_suffix('>')?),
    })
}

/// What `assert_eq!` and `assert_ne!` do with operands of these types.
fn assertion(types: &str) -> Option<Emit> {
    let (left, right) = types.split_once(", ")?;
    Some(match left {
        _ if left != right => opaque_operands,
        "u8" => operands::<8, false>,
        "u16" => operands::<16, false>,
        "u32" => operands::<32, false>,
        "u64" | "usize" => operands::<64, false>,
        "i8" => operands::<8, true>,
        "i16" => operands::<16, true>,
        "i32" => operands::<32, true>,
        "i64" | "isize" => operands::<64, true>,
        "bool" => operands::<1, false>,
        _ => opaque_operands,
    })
}

fn operands<const BITS: u8, const SIGNED: bool>(code: &mut Code<'_, '_>, args: &[Operand]) -> Option<Operand> {
    let size = BITS.div_ceil(8);
    let mut part = |at: Operand| {
        let value = code.load_new(at, size, Order::Na);
        if BITS == 1 { Piece::Truth(value) } else { Piece::Number { value, bits: BITS, signed: SIGNED } }
    };
    let (left, right) = (part(arg(args, 1)), part(arg(args, 2)));
    let message = [
        Piece::Text(format!("{} (left: ", relation(arg(args, 0))).into()),
        left,
        Piece::Text(", right: ".into()),
        right,
        Piece::Text(")".into()),
    ];
    panic(code, message.into(), place(args))
}

fn opaque_operands(code: &mut Code<'_, '_>, args: &[Operand]) -> Option<Operand> {
    panic_with(code, &relation(arg(args, 0)), place(args))
}

fn relation(kind: Operand) -> String {
    let relation = match kind {
        Operand::Const(0) => "==",
        Operand::Const(1) => "!=",
        _ => "matches",
    };
    format!("assertion `left {relation} right` failed")
}

/// Where a panic says that it is: the last argument.
fn place(args: &[Operand]) -> Operand {
    args.last().copied().unwrap_or(Operand::Const(0))
}

fn panic_with(code: &mut Code<'_, '_>, message: &str, place: Operand) -> Option<Operand> {
    panic(code, [Piece::Text(message.into())].into(), place)
}

/// Ends with a finding at a place: `core::panic::Location`, a file's name, a line and a column.
fn panic(code: &mut Code<'_, '_>, message: Box<[Piece]>, place: Operand) -> Option<Operand> {
    if let Some(span) = location(code, place) {
        code.f.at(span);
    }
    code.f.push(Instr::Panic { message });
    SUCCESS
}

fn location(code: &mut Code<'_, '_>, place: Operand) -> Option<crate::ids::SpanId> {
    let Operand::Const(at) = place else { return None };
    let number = |offset, size| number(code, at.wrapping_add(offset), size);
    let (name, length, line, column) = (number(0, 8)?, number(8, 8)?, number(16, 4)?, number(20, 4)?);
    // The name of a file ends with a zero, which its length does not count.
    let file = bytes(code, name, length)?;
    let builder = &mut code.cx.builder;
    let file = builder.file(&file);
    Some(builder.span(Span { file, line: line as u32, column: column as u32, inlined_at: None }))
}

/// The text of the first two arguments.
fn text(code: &Code<'_, '_>, args: &[Operand]) -> String {
    match (arg(args, 0), arg(args, 1)) {
        (Operand::Const(at), Operand::Const(len)) => bytes(code, at, len).unwrap_or_else(|| "a panic".to_owned()),
        _ => "a panic".to_owned(),
    }
}

/// The constant parts of `core::fmt::Arguments`, the first two arguments: a text with its length, or a template with its operands.
fn formatted(code: &Code<'_, '_>, args: &[Operand]) -> String {
    let shown = match (arg(args, 0), arg(args, 1)) {
        // The length of a text stands in place of a pointer, which would be even.
        (Operand::Const(at), Operand::Const(len)) if len % 2 == 1 => bytes(code, at, len / 2),
        (Operand::Const(at), _) => template(code, at),
        _ => None,
    };
    shown.unwrap_or_else(|| "a panic, with a message that is computed".to_owned())
}

/// A template: texts with their lengths in front, and places of operands, up to a zero.
fn template(code: &Code<'_, '_>, mut at: u64) -> Option<String> {
    const LONG_TEXT: u64 = 0x80;
    const OPERAND: u64 = 0xc0;
    let mut shown = String::new();
    loop {
        let tag = number(code, at, 1)?;
        at += 1;
        match tag {
            0 => return Some(shown),
            1..LONG_TEXT => {
                shown += &bytes(code, at, tag)?;
                at += tag;
            }
            LONG_TEXT => {
                let len = number(code, at, 2)?;
                shown += &bytes(code, at + 2, len)?;
                at += 2 + len;
            }
            OPERAND.. => {
                shown += "{}";
                // Flags, width, precision and number, each if its bit says so.
                at += [4, 2, 2, 2].iter().enumerate().map(|(bit, size)| (tag >> bit & 1) * size).sum::<u64>();
            }
            _ => return None,
        }
    }
}

/// A number in constant memory.
fn number(code: &Code<'_, '_>, at: u64, size: usize) -> Option<u64> {
    let mut number = [0; 8];
    number[..size].copy_from_slice(constant(code, at, size as u64)?);
    Some(u64::from_le_bytes(number))
}

/// A text in constant memory.
fn bytes(code: &Code<'_, '_>, at: u64, len: u64) -> Option<String> {
    let text = if len == 0 { &[] } else { constant(code, at, len.min(LONGEST))? };
    Some(String::from_utf8_lossy(text).into_owned())
}

fn constant<'c>(code: &'c Code<'_, '_>, at: u64, len: u64) -> Option<&'c [u8]> {
    let objects = &code.cx.builder.program.objects;
    let object = objects.iter().find(|o| o.read_only && at >= o.address && at - o.address < o.bytes.len() as u64)?;
    let from = (at - object.address) as usize;
    object.bytes.get(from..from.checked_add(len as usize)?)
}
