//! Textual LLVM IR as a tree.
//!
//! Only what running a program needs is kept: attributes, linkage and metadata that say nothing about values are skipped
//! by the parser ([`parse`]), and pointee types are dropped on the way in, so typed-pointer (LLVM ≤ 14 style) and
//! opaque-pointer modules look the same from here on. An instruction that the parser does not know becomes
//! [`Op::Unsupported`] and is a problem only when it is reached.
//!
//! Source: the LLVM Language Reference. Limits: no integers wider than 64 bits, of exceptions only those of the Itanium ABI ([`unwinding`]).

pub mod consts;
pub mod instrs;
pub mod lex;
pub mod link;
pub mod metadata;
pub mod parse;
pub mod types;
pub mod unwinding;
mod vectors;

pub use metadata::Metadata;
pub use types::{Type, TypeId, Types};

use rustc_hash::{FxHashMap, FxHashSet};

/// A function-local value name (parameter, instruction result).
pub type Local = u32;

/// C11 memory orders; [`Order::Na`] is an ordinary access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Order {
    Na,
    Rlx,
    Con,
    Acq,
    Rel,
    AcqRel,
    Sc,
}

/// A value as an operand.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A parameter or an instruction's result.
    Local(Local),
    /// The address of a global variable or function.
    Global(String),
    /// An integer of at most 64 bits, with a sign or without.
    Int(u64),
    /// An integer that does not fit into 64 bits with a sign.
    Wide(u128),
    /// A floating-point number as the bits of a double.
    Float(f64),
    /// `null`, `zeroinitializer`, `none`.
    Zero,
    /// `undef`, `poison`.
    Undef,
    /// Array and structure constants.
    Aggregate(Vec<(TypeId, Value)>),
    /// `c"…"`.
    Bytes(Vec<u8>),
    /// A constant expression.
    Expr(Box<ConstExpr>),
    /// Inline assembly: template and constraints.
    Asm(String, String),
    /// A metadata operand: the local or global that it wraps, if it wraps one.
    Metadata(Option<Box<Value>>, Option<u32>),
    /// Something that cannot be run, by name.
    Unsupported(String),
}

/// A constant expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ConstExpr {
    /// Address arithmetic.
    Gep { source: TypeId, base: Value, indices: Vec<(TypeId, Value)> },
    /// A conversion.
    Cast { op: String, from: TypeId, value: Value, to: TypeId },
    /// Arithmetic.
    Bin { op: String, ty: TypeId, a: Value, b: Value },
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Arg {
    /// Its type.
    pub ty: TypeId,
    /// Its value.
    pub value: Value,
    /// What an address is known to be a multiple of; 1 when nothing is known.
    pub align: u64,
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Alloca {
        ty: TypeId,
        count: Option<Value>,
    },
    Load {
        ty: TypeId,
        ptr: Value,
        order: Order,
        volatile: bool,
    },
    Store {
        ty: TypeId,
        value: Value,
        ptr: Value,
        order: Order,
        volatile: bool,
        /// Past the cache.
        streams: bool,
    },
    /// A fence between threads (`order`), or only between a thread and its signal handlers (`None`).
    Fence {
        order: Option<Order>,
    },
    CmpXchg {
        ty: TypeId,
        ptr: Value,
        expected: Value,
        new: Value,
        success: Order,
        failure: Order,
        weak: bool,
    },
    AtomicRmw {
        op: String,
        ty: TypeId,
        ptr: Value,
        value: Value,
        order: Order,
    },
    Gep {
        source: TypeId,
        base: Value,
        indices: Vec<(TypeId, Value)>,
    },
    Bin {
        op: String,
        /// The result must fit as a signed number (`nsw`).
        signed: bool,
        ty: TypeId,
        a: Value,
        b: Value,
    },
    FNeg {
        ty: TypeId,
        a: Value,
    },
    Compare {
        float: bool,
        predicate: String,
        ty: TypeId,
        a: Value,
        b: Value,
    },
    Cast {
        op: String,
        from: TypeId,
        value: Value,
        to: TypeId,
    },
    Select {
        cond_ty: TypeId,
        cond: Value,
        ty: TypeId,
        a: Value,
        b: Value,
    },
    Phi {
        ty: TypeId,
        incoming: Vec<(Value, Local)>,
    },
    ExtractValue {
        ty: TypeId,
        value: Value,
        path: Vec<u32>,
    },
    InsertValue {
        ty: TypeId,
        value: Value,
        part_ty: TypeId,
        part: Value,
        path: Vec<u32>,
    },
    ExtractElement {
        ty: TypeId,
        value: Value,
        index_ty: TypeId,
        index: Value,
    },
    InsertElement {
        ty: TypeId,
        value: Value,
        part: Value,
        index_ty: TypeId,
        index: Value,
    },
    /// The elements of two vectors that a mask names.
    Shuffle {
        ty: TypeId,
        a: Value,
        b: Value,
        mask_ty: TypeId,
        mask: Value,
    },
    Call {
        ret: TypeId,
        callee: Value,
        args: Vec<Arg>,
    },
    Freeze {
        ty: TypeId,
        value: Value,
    },
    Branch {
        to: Local,
    },
    CondBranch {
        cond: Value,
        then: Local,
        otherwise: Local,
    },
    Switch {
        ty: TypeId,
        value: Value,
        default: Local,
        cases: Vec<(Value, Local)>,
    },
    Return {
        value: Option<(TypeId, Value)>,
    },
    Unreachable,
    /// Debug information: this address is the variable that the metadata describes.
    Declare {
        address: Value,
        variable: u32,
    },
    Unsupported(String),
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    /// The name of its result.
    pub result: Option<Local>,
    /// What it does.
    pub op: Op,
    /// Its `!dbg` attachment.
    pub debug: Option<u32>,
}

/// A basic block.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Its label; labels share the name space of locals.
    pub label: Local,
    /// Its instructions, the last one a terminator.
    pub instructions: Vec<Instruction>,
}

impl Block {
    /// The labels of the blocks that come next, as often as its terminator names them.
    pub fn successors(&self) -> Vec<Local> {
        match self.instructions.last().map(|last| &last.op) {
            Some(Op::Branch { to }) => vec![*to],
            Some(Op::CondBranch { then, otherwise, .. }) => vec![*then, *otherwise],
            Some(Op::Switch { default, cases, .. }) => {
                std::iter::once(*default).chain(cases.iter().map(|(_, to)| *to)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// Its type.
    pub ty: TypeId,
    /// Its name.
    pub local: Local,
    /// The callee gets a private copy of what this pointer points to.
    pub byval: Option<TypeId>,
}

/// A function definition or declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name without `@`.
    pub name: String,
    /// Its return type.
    pub ret: TypeId,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Whether it takes more arguments than it names.
    pub varargs: bool,
    /// Empty for a declaration.
    pub blocks: Vec<Block>,
    /// Names of locals.
    pub locals: Vec<String>,
    /// Its `!dbg` attachment.
    pub debug: Option<u32>,
}

/// A global variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// Its name without `@`.
    pub name: String,
    /// The type of its contents.
    pub ty: TypeId,
    /// Initial contents; `None` for a declaration.
    pub init: Option<Value>,
    /// `constant` rather than `global`.
    pub constant: bool,
    /// One instance a thread.
    pub thread_local: bool,
    /// Whether no other module may name it.
    pub private: bool,
    /// The section that the program asks for.
    pub section: Option<String>,
    /// Its alignment, when stated.
    pub align: u64,
    /// Its `!dbg` attachment.
    pub debug: Option<u32>,
}

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// All types.
    pub types: Types,
    /// Global variables in order.
    pub globals: Vec<Global>,
    /// Aliases: name and what they stand for.
    pub aliases: Vec<(String, Value)>,
    /// Functions in order, declarations included.
    pub functions: Vec<Function>,
    /// Position in `functions`, by name.
    pub function_index: FxHashMap<String, usize>,
    /// Functions and variables that are declared weak, and need not be defined anywhere.
    pub weak: FxHashSet<String>,
    /// Debug information.
    pub metadata: Metadata,
    /// What `main` is given behind the name of the program.
    pub arguments: Vec<String>,
    /// `target triple`.
    pub triple: String,
    /// Whether some access is marked as non-temporal.
    pub streams: bool,
    /// Whether there is assembly outside of functions.
    pub assembly: bool,
    /// Whether some access may be at an address that its type would not allow.
    pub packed: bool,
    /// Whether a call may be left, by an exception or by `longjmp`.
    pub unwinds: bool,
}

impl Module {
    /// The program's own function of a name.
    pub fn definition(&self, name: &str) -> Option<&Function> {
        self.function_index.get(name).map(|&i| &self.functions[i]).filter(|f| !f.blocks.is_empty())
    }

    /// Whether a name is the program's own, as a function or as another name of one. Then it never stands for a function of the library.
    pub fn defines(&self, name: &str) -> bool {
        self.definition(name).is_some() || self.aliases.iter().any(|(alias, _)| alias == name)
    }

    /// Whether the program uses a function of this name that it does not define: the library's.
    pub fn uses_library(&self, name: &str) -> bool {
        self.function_index.contains_key(name) && !self.defines(name)
    }

    /// The function of the library that a callee is.
    pub fn library_callee<'v>(&self, callee: &'v Value) -> Option<&'v str> {
        match callee {
            Value::Global(name) if !self.defines(name) => Some(name),
            _ => None,
        }
    }

    /// Width in bits of the C type `long`, which the target decides.
    pub fn long_bits(&self) -> u8 {
        const NARROW: [&str; 9] = ["i386", "i486", "i586", "i686", "arm", "thumb", "powerpc", "riscv32", "mips"];
        let (machine, rest) = self.triple.split_once('-').unwrap_or((&self.triple, ""));
        let is_narrow = NARROW.iter().any(|name| machine.starts_with(name));
        let is_wide = machine.contains("64") && !rest.ends_with("x32") && !rest.contains("ilp32");
        if is_narrow && !is_wide || rest.ends_with("x32") { 32 } else { 64 }
    }
}
