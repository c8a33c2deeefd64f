//! Instructions of the register machine.
//!
//! Values are 64-bit patterns; an operation says on how many low bits it works and leaves the rest zero. Each register
//! carries, besides its value, the set of events that the value depends on; the interpreter keeps that by itself, so an
//! instruction only says what is *special* about dependencies (a branch whose control dependency ends, a select that does
//! not depend on its condition).

use super::fault::Fault;
use crate::ids::{FuncId, SpanId, TagSetId};
use serde::{Deserialize, Serialize};

/// A frame-local register.
pub type Reg = u32;
/// An index into [`Function::code`].
pub type Pc = u32;

/// A source operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// A constant.
    Const(u64),
}

/// Two-operand arithmetic, on the low `bits` bits. Comparisons give 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    Eq,
    Ne,
    ULt,
    ULe,
    UGt,
    UGe,
    SLt,
    SLe,
    SGt,
    SGe,
    SMin,
    SMax,
    UMin,
    UMax,
    /// `a & ~b`
    AndNot,
    /// Floating point (`bits` is 32 or 64): arithmetic, and ordered comparisons giving 0 or 1.
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    FEq,
    /// As in C: also true when one side is NaN.
    FNe,
    FLt,
    FLe,
    FGt,
    FGe,
    /// True when one side is NaN.
    FUno,
}

/// One-operand arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UnOp {
    /// Bitwise complement of the low `bits` bits.
    Not,
    /// Two's complement negation of the low `bits` bits.
    Neg,
    /// Keeps the low `bits` bits (also zero extension).
    Trunc,
    /// Sign-extends from `bits` bits to 64.
    Sext,
    /// Number of one bits, leading zeros, trailing zeros of the low `bits` bits.
    PopCount,
    /// Leading zeros.
    Clz,
    /// Trailing zeros.
    Ctz,
    /// Byte swap of `bits` bits.
    ByteSwap,
    /// Bit reversal of `bits` bits.
    BitReverse,
    /// Floating-point negation at width `bits`.
    FNeg,
    /// 32-bit float to 64-bit float.
    FExt,
    /// 64-bit float to 32-bit float.
    FTrunc,
    /// Signed integer of 64 bits to float of width `bits`.
    SToF,
    /// Unsigned integer of 64 bits to float of width `bits`.
    UToF,
    /// Float of width `bits` to signed 64-bit integer.
    FToS,
    /// Float of width `bits` to unsigned 64-bit integer.
    FToU,
}

/// Whether an access is one half of an atomic read-modify-write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash, Serialize, Deserialize)]
pub enum Half {
    /// An ordinary access.
    #[default]
    None,
    /// The read of a single-instruction read-modify-write; pairs with the next `AmoWrite` of the same instruction instance.
    AmoRead,
    /// The write of one.
    AmoWrite,
    /// As `AmoRead`, but the two halves are *one* event in the model's eyes (in `R` and in `W`).
    FusedRead,
    /// The write half of a fused event.
    FusedWrite,
    /// Load-exclusive / load-reserve / load-link.
    ExRead,
    /// Store-exclusive: pairs with the thread's last `ExRead` when no exclusive access is in between.
    ExWrite,
}

/// What a load reads as, depending on the value that it reads (compare-and-swap, trylock).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unless {
    /// When the value read differs from this …
    pub expected: Operand,
    /// … the event carries these tags instead …
    pub tags: TagSetId,
    /// … and is this half.
    pub half: Half,
}

/// A memory read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Gets the value, zero-extended.
    pub dst: Reg,
    /// The address.
    pub addr: Operand,
    /// Bytes: 1, 2, 4 or 8.
    pub size: u8,
    /// Tags of the event (besides being in `R` and `M`).
    pub tags: TagSetId,
    /// Half of a read-modify-write.
    pub half: Half,
    /// Compare-and-swap: tags of a failing read.
    pub unless: Option<Unless>,
    /// The event stays out of `R` and `M` (lock events of the kernel model): its tags say all.
    pub hidden: bool,
}

/// A memory write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Store {
    /// The address.
    pub addr: Operand,
    /// The value.
    pub value: Operand,
    /// Bytes: 1, 2, 4 or 8.
    pub size: u8,
    /// Tags of the event (besides being in `W` and `M`).
    pub tags: TagSetId,
    /// Half of a read-modify-write.
    pub half: Half,
    /// As for loads.
    pub hidden: bool,
}

/// Where a control dependency of a branch ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Join {
    /// It does not: everything later in the thread depends on the condition (assembly).
    Never,
    /// When this instruction of the same frame is reached, or the frame is left.
    At(Pc),
    /// When the frame is left.
    AtReturn,
    /// The branch makes no control dependency.
    NoDependency,
    /// To be computed by [`super::FunctionBuilder::finish`]: the immediate post-dominator.
    Merge,
}

/// The kind of memory that [`Instr::Alloc`] makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Region {
    /// Lives until the frame is left.
    Stack,
    /// Lives until freed; contents undefined.
    Heap,
    /// Lives until freed; contents zero.
    ZeroedHeap,
}

/// Why a thread stops at a condition that does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Stop {
    /// It waits: another thread is expected to make the condition true (locks, spin loops).
    Await,
    /// The user says that such executions are of no interest (`assume`).
    Assume,
}

/// One instruction.
#[derive(Clone, PartialEq, Debug)]
pub enum Instr {
    /// Copies.
    Set { dst: Reg, src: Operand },
    /// `dst = a op b` on the low `bits` bits.
    Bin { dst: Reg, op: BinOp, bits: u8, a: Operand, b: Operand },
    /// `dst = op a` on the low `bits` bits.
    Un { dst: Reg, op: UnOp, bits: u8, a: Operand },
    /// `dst = cond != 0 ? a : b`. The result depends on the chosen operand, and on `cond` when `on_cond`, else by a pick only.
    Select { dst: Reg, cond: Operand, a: Operand, b: Operand, on_cond: bool },
    /// Copies; the result depends besides on the thread's last store-exclusive (the status of RISC-V's).
    SetStatus { dst: Reg, src: Operand },
    /// Memory read.
    Load(Load),
    /// Memory write.
    Store(Store),
    /// A fence, or any other event without a value; with an address it has a location (`synchronize_srcu`).
    Fence { tags: TagSetId, addr: Option<Operand>, is_fence: bool },
    /// Each of the values in turn, in different executions. No dependency.
    Choose { dst: Reg, values: Box<[u64]> },
    /// Each of the bits that are set in a value in turn, as a value with that bit only, in different executions. Not all are clear. No dependency.
    ChooseBit { dst: Reg, of: Operand },
    /// Unconditional jump.
    Jump(Pc),
    /// Conditional jump (`cond != 0` goes to `then`).
    Branch { cond: Operand, then: Pc, otherwise: Pc, join: Join },
    /// A function call; the arguments become the callee's first registers, the rest (varargs) the following ones.
    Call { callee: Callee, args: Box<[Operand]>, dst: Option<Reg> },
    /// Leaves the frame (the thread, for its outermost frame).
    Return { value: Option<Operand> },
    /// As `Return`, with a structure of several scalars: they go to the call's `dst` and the registers after it.
    ReturnMany { values: Box<[Operand]> },
    /// The begin or the end of an operation that a specification speaks of, or one of its arguments: an event that no model sees.
    Mark { mark: Mark, value: Operand },
    /// Starts a thread that runs `function(arg)`; `dst` gets its number.
    Spawn { dst: Reg, function: Operand, arg: Operand },
    /// Waits for a thread to end; `dst` gets its result.
    JoinThread { dst: Option<Reg>, thread: Operand },
    /// Reaches a barrier.
    Arrive { barrier: Operand },
    /// Waits until as many threads as the barrier counts have reached it in this round.
    Depart { barrier: Operand, count: Operand },
    /// `dst` gets the running thread's number.
    ThreadSelf { dst: Reg },
    /// `dst` gets what the thread keeps under this number ([`WORDS`]): no event. At first it is 0.
    ReadWord { dst: Reg, word: u8 },
    /// The thread keeps a value under this number.
    WriteWord { word: u8, value: Operand },
    /// `dst` gets 1 where the thread may come by again: a loop is around the instruction or around a call that leads there, or a function on the way there has called itself; else 0.
    Repeats { dst: Reg },
    /// `dst` gets the address of new memory.
    Alloc { dst: Reg, size: Operand, region: Region, name: Box<str> },
    /// Ends the life of heap memory; with `stack`, of a variable whose function returns.
    Free { addr: Operand, stack: bool },
    /// Frame-private memory (an array local whose address does not escape): no events.
    LocalLoad { dst: Reg, offset: Operand, size: u8 },
    /// See `LocalLoad`.
    LocalStore { offset: Operand, value: Operand, size: u8 },
    /// Stops the thread when the condition is false.
    StopUnless { cond: Operand, why: Stop },
    /// A finding when the condition is false.
    Assert { cond: Operand, message: Box<str> },
    /// A finding of this kind when the condition is false.
    Check { cond: Operand, fault: Box<Fault> },
    /// A finding whenever it is reached (`abort`, `__builtin_trap`, an unsupported path that must not be silently skipped).
    Fail { message: Box<str>, unsupported: bool },
    /// As [`Instr::Fail`], with values in the message.
    Panic { message: Box<[Piece]> },
    /// Ends the thread (`pthread_exit`): as a return from its outermost frame.
    ExitThread { value: Operand },
    /// Ends the program (`exit`).
    ExitProgram { code: Operand },
}

/// What is told of an operation that a specification speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Mark {
    /// Its place in [`super::Program::operations`].
    pub operation: u32,
    /// What.
    pub told: Told,
}

/// A part of what is told of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Told {
    /// It begins; without a value.
    Call,
    /// An argument that is a number.
    Number,
    /// An argument that is an address.
    Address,
    /// A part of its result.
    Result,
    /// It has ended; without a value.
    Return,
}

impl Told {
    /// Whether the operation begins or ends there.
    pub fn is_end(self) -> bool {
        matches!(self, Told::Call | Told::Return)
    }
}

impl Mark {
    const ALL: [Told; 5] = [Told::Call, Told::Number, Told::Address, Told::Result, Told::Return];

    /// As a number.
    pub fn code(self) -> u64 {
        let told = Mark::ALL.iter().position(|&told| told == self.told).unwrap_or_default();
        u64::from(self.operation) * Mark::ALL.len() as u64 + told as u64
    }

    /// What a number stands for.
    pub fn of(code: u64) -> Mark {
        let parts = Mark::ALL.len() as u64;
        Mark { operation: (code / parts) as u32, told: Mark::ALL[(code % parts) as usize] }
    }
}

/// A piece of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// As it stands.
    Text(Box<str>),
    /// A number of so many bits, which may be signed.
    Number { value: Operand, bits: u8, signed: bool },
    /// Whether it is not 0.
    Truth(Operand),
    /// No text: what the message is about is at this place, the number of a [`SpanId`].
    Place(Operand),
}

impl Piece {
    /// The text, given the values of operands.
    pub fn shown(&self, value: impl Fn(Operand) -> u64) -> String {
        match *self {
            Piece::Text(ref text) => text.to_string(),
            Piece::Number { value: operand, bits, signed } => {
                let unused = 64 - u32::from(bits.clamp(1, 64));
                let number = value(operand) << unused;
                match signed {
                    true => (number as i64 >> unused).to_string(),
                    false => (number >> unused).to_string(),
                }
            }
            Piece::Truth(operand) => (value(operand) != 0).to_string(),
            Piece::Place(_) => String::new(),
        }
    }
}

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A known function.
    Direct(FuncId),
    /// A function pointer: the value is `FUNCTION_BASE + 16 * id`.
    Indirect(Operand),
}

/// The message of [`Instr::Fail`] at a place that no program without undefined behaviour reaches.
pub const UNREACHABLE: &str = "undefined behaviour: a place that cannot be reached was reached";

/// How many words a thread keeps that no other one sees, and that are no memory to a model: the state of its processor.
pub const WORDS: usize = 16;

/// Addresses from here on are functions.
pub const FUNCTION_BASE: u64 = 0x7f00_0000_0000_0000;

/// A loop, as [`super::FunctionBuilder::finish`] finds it.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// Its head: the target of the backward jumps.
    pub head: Pc,
    /// 1 for an outermost loop.
    pub depth: u8,
    /// Registers whose value at the head may still be read.
    pub live: Box<[Reg]>,
}

/// Which part of which access an instruction makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// The number of the access in its function; 0: the instruction makes a whole access.
    pub access: u32,
    /// Where the part begins in the access.
    pub offset: u8,
    /// The size of the access.
    pub whole: u8,
}

/// A function.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Function {
    /// As the user knows it.
    pub name: String,
    /// Number of parameters (registers `0 ..`).
    pub params: u32,
    /// Number of registers.
    pub regs: u32,
    /// Bytes of frame-private memory.
    pub local_bytes: u32,
    /// The variables in it: offset and bytes.
    pub locals: Vec<(u32, u32)>,
    /// The code; entry at 0. The last instruction does not fall through.
    pub code: Vec<Instr>,
    /// Source position of each instruction.
    pub spans: Vec<SpanId>,
    /// Instruction instance of each instruction: consecutive instructions with the same number belong to one source
    /// instruction (statement), whose events are related by [`super::InstructionOrder`] only.
    pub group: Vec<u32>,
    /// Of which access each instruction makes a part; empty while all make whole ones.
    pub parts: Vec<Part>,
    /// Loops, outer before inner.
    pub loops: Vec<Loop>,
    /// For each instruction, the loop whose head it is, plus one; 0 for none.
    pub head_at: Vec<u32>,
    /// For each instruction, the number of loops around it (a head counts its own).
    pub depth_at: Vec<u8>,
    /// For each instruction, whether something may have to be done on arrival there: branches end or meet there, a loop begins or ends.
    pub arrivals: Vec<bool>,
    /// For each instruction that is in a loop, whether it leads, without an effect, to one that can come round without an effect, so that a thread may
    /// spin there; empty without loops.
    pub may_idle_at: Vec<bool>,
    /// Whether a condition can stop it other than by spinning: one that it waits for, or assumes.
    pub may_stop: bool,
    /// What differs where ways meet, by branch; empty where values do not depend on what selected them.
    pub meetings: Vec<super::meeting::Meeting>,
    /// Registers whose final value is observed when this is a thread's outermost frame (litmus conditions).
    pub observed: Vec<Reg>,
    /// Into which structure of [`super::Program::layouts`] some accesses go, and at which offset, by place in the code.
    pub layouts: Vec<(Pc, u32, u64)>,
    /// What some instructions are to the user of a library, by place in the code.
    pub operations: Vec<(Pc, super::operation::Operation)>,
    /// Names of registers, for reports and for litmus conditions; may be shorter than `regs`.
    pub reg_names: Vec<String>,
}
