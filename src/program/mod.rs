//! The one program form that every front end lowers to, and the thread interpreter that tracks dependencies.
//!
//! A program is a set of functions over frame-local registers ([`instr`]), memory objects with initial bytes, and either a
//! set of threads that start together (litmus tests) or a `main` (C programs). The interpreter knows no memory model and
//! no language: what a primitive means to a model is said by the *tags* on its accesses, and the order that a language
//! gives to the accesses of one instruction by [`InstructionOrder`].
//!
//! - [`instr`]: instructions and their operands.
//! - [`build`]: the builder that front ends use; labels, spans, and the closing analyses.
//! - `tidy`: leaves out copies of values. [`rounds`]: loops of litmus tests without the rounds that change nothing.
//! - [`cuts`]: accesses that others overlap in part are made of parts.
//! - [`reached`]: which instructions threads have run.
//! - [`crash`]: what survives a crash, and what runs then.
//! - [`flow`]: control-flow facts of a finished function; [`creates`]: where the code of a program may lead to the creation of a thread; [`pointers`]: which functions
//!   calls through pointers may run; [`merging`]: what differs where the ways of branches meet.

pub mod arith;
pub mod build;
pub mod crash;
pub mod creates;
pub mod cuts;
pub mod deps;
pub mod edit;
pub mod fault;
pub mod flow;
pub mod instr;
pub mod meeting;
pub mod merging;
pub mod operation;
pub mod pointers;
pub mod reached;
pub mod rounds;
pub mod show;
pub mod thread;
mod tidy;

pub use build::{FunctionBuilder, Label, ProgramBuilder};
pub use instr::*;

use crate::ids::{FuncId, SpanId, TagId, TagSetId};

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// As the user knows it (test name, file name).
    pub name: String,
    /// All functions.
    pub functions: Vec<Function>,
    /// What runs.
    pub start: Start,
    /// Structure types, for the names of what is inside memory that has no name of its own.
    pub layouts: Vec<Layout>,
    /// Memory that exists from the start (globals, litmus locations).
    pub objects: Vec<Object>,
    /// Names of tags, in order of [`TagId`].
    pub tags: Vec<String>,
    /// Interned tag sets, in order of [`TagSetId`]; each sorted. Entry 0 is the empty set.
    pub tag_sets: Vec<Vec<TagId>>,
    /// Source files by name.
    pub files: Vec<String>,
    /// Source positions, in order of [`SpanId`]. Entry 0 is "nowhere".
    pub spans: Vec<Span>,
    /// How events of one instruction are ordered.
    pub order: InstructionOrder,
    /// The tags of the fence that orders everything.
    pub full_fence: TagSetId,
    /// Whether it detaches threads.
    pub detaches: bool,
    /// Whether a thread may end by a call; when `main` does, the program goes on until all others have ended.
    pub leaves: bool,
    /// The tags of a relaxed write.
    pub relaxed_write: TagSetId,
    /// Whether the read of a compare-and-swap depends on what it compares with (`casdep`); so it is where the model asks for that.
    pub compares: bool,
    /// Whether every access must be at a multiple of its size (not so when the program packs structures).
    pub aligned: bool,
    /// Whether the first byte of a number is its most significant one.
    pub big_endian: bool,
    /// What the front end could not translate faithfully but did not refuse, each once, as a sentence.
    pub notes: Vec<String>,
    /// Whether it has executions that none of its translation stands for: values come from outside, and only a few are tried.
    pub samples: bool,
    /// Whether a conditional select makes its result depend on the condition for control only, as on that of a branch.
    pub selects: bool,
    /// The tags of plain accesses, where dependencies are followed through such memory.
    pub plain: Option<Plain>,
    /// Variables whose values at the end a user may ask for.
    pub variables: Vec<Variable>,
    /// Calls that show values to the user.
    pub shown: Vec<Shown>,
    /// Functions whose calls are marked, by name.
    pub operations: Vec<String>,
    /// What survives a crash, and what runs then.
    pub persistence: crash::Persistence,
    creates: creates::Known,
    pointers: pointers::Known,
}

/// A variable of the program's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its place in [`Program::objects`].
    pub object: u32,
    /// Whether other files of the program may name it.
    pub external: bool,
    /// Offsets of the pointers in it, sorted.
    pub pointers: Vec<u64>,
}

/// A call that shows values: each thread keeps those of its last one in memory of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The call, as the user knows it.
    pub name: String,
    /// Where a thread-local object begins: a word that is 1 behind the call, and a word for each value.
    pub address: u64,
    /// How many values.
    pub values: u32,
}

/// The tags of plain accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    /// Of reads.
    pub read: TagSetId,
    /// Of writes.
    pub write: TagSetId,
}

/// What runs at the start.
#[derive(Clone, Debug)]
pub enum Start {
    /// Litmus tests: all these threads, at once.
    Together(Vec<Entry>),
    /// C programs: this function; it creates the other threads. Its writes before the first creation are the initial state.
    Main(FuncId),
}

impl Default for Start {
    fn default() -> Self {
        Start::Together(Vec::new())
    }
}

/// One initial thread.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The code.
    pub function: FuncId,
    /// Initial values of its first registers.
    pub args: Vec<u64>,
    /// Shown to the user (`P0`).
    pub name: String,
    /// Event sets that all its events belong to (`P0:Name` annotations of litmus tests).
    pub tags: TagSetId,
}

/// A memory object that exists from the start.
#[derive(Clone, Debug)]
pub struct Object {
    /// As the user knows it.
    pub name: String,
    /// First address.
    pub address: u64,
    /// Initial contents; its length is the object's size.
    pub bytes: Vec<u8>,
    /// Scalar cells (offset, size), sorted, when the type is known: how block copies are split into accesses, and names.
    pub cells: Vec<Cell>,
    /// One instance a thread (`_Thread_local`); `address` then stands for the running thread's instance.
    pub thread_local: bool,
    /// The user may not write it.
    pub read_only: bool,
}

/// A scalar inside an object.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Byte offset in the object.
    pub offset: u64,
    /// Size in bytes.
    pub size: u8,
    /// How to call it (`.next`, `[3]`, empty for a scalar object).
    pub path: String,
}

/// Addresses of the objects of a program of code start here.
pub const FIRST_ADDRESS: u64 = 0x1000;

/// Distance between the instances of a thread-local object: thread `n` has its own at the object's address and `n + 1` times this.
pub const THREAD_LOCAL_STRIDE: u64 = 1 << 44;

/// A structure type.
#[derive(Clone, Debug)]
pub struct Layout {
    /// As the user knows it.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Its scalars.
    pub cells: Vec<Cell>,
}

/// A source position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Index into [`Program::files`].
    pub file: u32,
    /// From 1; 0 is unknown.
    pub line: u32,
    /// From 1; 0 is unknown.
    pub column: u32,
    /// Where a compiler has put in what stands here.
    pub inlined_at: Option<SpanId>,
}

/// How `po` relates the events of one instruction (one statement, for C litmus tests).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InstructionOrder {
    /// Not at all (machine instructions).
    #[default]
    None,
    /// An event follows those that it depends on, and the write of a read-modify-write follows its read (C).
    DataFlow,
}

impl Program {
    /// The tags of a set.
    pub fn tags_of(&self, set: TagSetId) -> impl Iterator<Item = &str> {
        self.tag_sets[set.index()].iter().map(|t| self.tags[t.index()].as_str())
    }

    /// The number that these bytes of memory are, of which there are eight at most.
    pub fn number(&self, bytes: &[u8]) -> u64 {
        let digits = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self.big_endian {
            true => bytes.iter().fold(0, digits),
            false => bytes.iter().rev().fold(0, digits),
        }
    }

    /// Which part of which access an instruction makes.
    pub fn part_at(&self, function: FuncId, pc: Pc) -> Part {
        let parts = self.functions.get(function.index()).map(|function| &function.parts);
        parts.and_then(|parts| parts.get(pc as usize)).copied().unwrap_or_default()
    }

    /// Whether the access at which a frame stands, or the one of which that is a part, is not at a multiple of its size, where that matters: by how much
    /// it begins before the address, and its size.
    pub fn misaligned(&self, frame: &thread::Frame, address: u64, size: u8) -> Option<(u8, u8)> {
        if !self.aligned {
            return None;
        }
        let part = self.part_at(frame.func, frame.pc);
        let (before, whole) = if part.access == 0 { (0, size) } else { (part.offset, part.whole) };
        let begin = address.wrapping_sub(before.into());
        (whole > 1 && !begin.is_multiple_of(whole.into())).then_some((before, whole))
    }

    /// The structure that the access at which a frame stands goes into, and the offset in it.
    pub fn layout_at(&self, function: FuncId, pc: Pc) -> Option<(&Layout, u64)> {
        let layouts = &self.functions.get(function.index())?.layouts;
        let &(_, layout, offset) = &layouts[layouts.binary_search_by_key(&pc, |l| l.0).ok()?];
        Some((self.layouts.get(layout as usize)?, offset))
    }

    /// The set of these tags.
    pub fn intern_tags(&mut self, names: &[String]) -> TagSetId {
        let mut set: Vec<TagId> = Vec::new();
        for name in names {
            let known = self.tags.iter().position(|t| t == name);
            set.push(TagId::at(known.unwrap_or_else(|| {
                self.tags.push(name.clone());
                self.tags.len() - 1
            })));
        }
        set.sort_unstable();
        set.dedup();
        TagSetId::at(self.tag_sets.iter().position(|s| *s == set).unwrap_or_else(|| {
            self.tag_sets.push(set);
            self.tag_sets.len() - 1
        }))
    }

    /// The object that contains `address`, if any.
    pub fn object_at(&self, address: u64) -> Option<&Object> {
        self.objects.iter().find(|o| address >= o.address && address - o.address < o.bytes.len().max(1) as u64)
    }

    /// What the instruction at which a frame stands was marked with.
    pub fn operation_at(&self, function: FuncId, pc: Pc) -> Option<operation::Operation> {
        let marks = &self.functions.get(function.index())?.operations;
        marks.binary_search_by_key(&pc, |m| m.0).ok().map(|at| marks[at].1)
    }

    /// The position behind a span.
    pub fn span(&self, span: SpanId) -> &Span {
        &self.spans[span.index()]
    }
}
