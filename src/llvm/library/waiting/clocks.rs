//! Time: it passes for a thread where one of its timed waits times out, and at no other moment.
//!
//! So what C++ computes from clocks after a timed wait agrees with what the wait came to. Nobody tells how long anything takes, so clocks
//! that are only read stand still; a note says so.

use crate::llvm::ir::Order;
use crate::llvm::library::emit::{Emit, SUCCESS, arg};
use crate::llvm::library::threads::object;
use crate::llvm::lower::function::code::Code;
use crate::program::*;

/// What reads a clock.
pub const READING: [&str; 6] =
    ["time", "clock_gettime", "gettimeofday", "timespec_get", STEADY, "_ZNSt6chrono3_V212system_clock3nowEv"];

const STEADY: &str = "_ZNSt6chrono3_V212steady_clock3nowEv";
/// By how many seconds a clock goes on where a timed wait times out: more than a program waits for.
const STEP: u64 = 1_000_000;
/// Nanoseconds of a second.
const SECOND: Operand = Operand::Const(1_000_000_000);

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "time" => |code, args| {
            let seconds = seconds(code);
            if arg(args, 0) != Operand::Const(0) {
                let (wanted, done) = (code.f.label(), code.f.label());
                code.inner_branch(arg(args, 0), wanted, done);
                code.f.place(wanted);
                code.store(arg(args, 0), seconds, 8, Order::Na);
                code.f.place(done);
            }
            Some(seconds)
        },
        "clock_gettime" => |code, args| {
            write(code, arg(args, 1));
            SUCCESS
        },
        "gettimeofday" => |code, args| {
            write(code, arg(args, 0));
            SUCCESS
        },
        "timespec_get" => |code, args| {
            write(code, arg(args, 0));
            Some(arg(args, 1))
        },
        "clock" => |code, _| {
            say(code);
            SUCCESS
        },
        _ if READING.contains(&name) => |code, _| {
            let seconds = seconds(code);
            Some(code.bin(BinOp::Mul, 64, seconds, SECOND))
        },
        _ => return None,
    })
}

/// Says that clocks stand still.
pub(in crate::llvm::library) fn say(code: &mut Code<'_, '_>) {
    code.cx.note("time does not pass but where a timed wait times out: clocks stand still");
}

/// What the clock of the running thread says.
fn seconds(code: &mut Code<'_, '_>) -> Operand {
    say(code);
    let clock = clock(code);
    code.load_new(clock, 8, Order::Na)
}

fn clock(code: &mut Code<'_, '_>) -> Operand {
    object(code, "clock", 8, true)
}

/// Writes the time as seconds and a part of a second.
fn write(code: &mut Code<'_, '_>, to: Operand) {
    let seconds = seconds(code);
    code.store(to, seconds, 8, Order::Na);
    let rest = code.offset(to, 8);
    code.store(rest, Operand::Const(0), 8, Order::Na);
}

/// Whether a timed wait times out, differently in different executions.
pub(in crate::llvm::library) fn times_out(code: &mut Code<'_, '_>) -> Operand {
    code.choose(&[0, 1])
}

/// A wait that may be over before it is granted: `late`, after which time has passed and the rest is skipped, or `in_time`.
pub(in crate::llvm::library) fn timed(
    code: &mut Code<'_, '_>,
    late: impl FnOnce(&mut Code<'_, '_>),
    in_time: impl FnOnce(&mut Code<'_, '_>),
) {
    let [is_late, is_in_time, done] = [(); 3].map(|()| code.f.label());
    let choice = times_out(code);
    code.inner_branch(choice, is_late, is_in_time);
    code.f.place(is_late);
    pass(code);
    late(code);
    code.jump(done);
    code.f.place(is_in_time);
    in_time(code);
    code.f.place(done);
}

/// Has time pass for the running thread.
pub(in crate::llvm::library) fn pass(code: &mut Code<'_, '_>) {
    if code.cx.uses.clocks {
        let clock = clock(code);
        let before = code.load_new(clock, 8, Order::Na);
        let after = code.offset(before, STEP);
        code.store(clock, after, 8, Order::Na);
    }
}
