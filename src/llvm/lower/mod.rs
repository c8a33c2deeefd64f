//! From a module to a [`Program`].
//!
//! - [`globals`]: memory objects, constants, and the addresses that both need; `per_cpu`: variables of which each processor has its own; `persistent`: those that survive a crash.
//! - [`values`]: which locals are registers, and what pointers point to.
//! - [`function`]: one function.
//! - [`reachable`]: what a program can come to; `start`: what runs before `main` and behind it.
//! - [`leaving`]: calls that are left by exceptions and `longjmp`.
//! - `barriers`, `destructors`, `mutexes`: what of the library a program looks at.
//!
//! A construct that cannot be run becomes an instruction that says so when it is reached, with its source position; only a
//! module without `main`, or with initial contents that cannot be computed, is refused as a whole.

mod barriers;
mod destructors;
pub mod function;
pub mod globals;
pub mod leaving;
mod mutexes;
mod per_cpu;
mod persistent;
pub mod reachable;
mod start;
pub mod values;

use super::ir::{Arg, Module, Op, Order, TypeId, Value};
use super::library;
use super::mapping::{Access, Step};
use super::names::signature;
use super::{Error, ErrorKind, Mapping, Options};
use crate::ids::{FuncId, SpanId};
use crate::program::{FIRST_ADDRESS, FunctionBuilder, Layout, Plain, Program, ProgramBuilder, Span, Start, merging};
use function::code::{Code, Context, Uses};
use rustc_hash::FxHashMap;

/// Longer chains of inlined functions are cut.
const MAX_INLINED: u32 = 32;

/// Everything that lowering a function needs to know about its module.
pub struct Lowering<'m> {
    /// The module.
    pub module: &'m Module,
    /// What is shared with library functions.
    pub cx: Context<'m>,
    /// Addresses of global variables, and what they alias.
    pub addresses: FxHashMap<&'m str, u64>,
    /// Where the thread-local ones are: address and size.
    pub thread_local: Vec<(u64, u64)>,
    /// Contents of constant globals, for arguments that must be known (tags, assertion texts).
    pub texts: FxHashMap<&'m str, &'m [u8]>,
    /// Those of which each processor has its own: their object, and the offset of each.
    pub per_cpu: per_cpu::PerCpu,
    /// Structure types that accesses go into, by type: the number of their layout.
    pub layouts: FxHashMap<TypeId, Option<u32>>,
    /// Function numbers given so far.
    pub functions: FxHashMap<&'m str, FuncId>,
    /// Functions of the library or without a body whose address was taken: a body is owed.
    pub owed: Vec<(&'m str, FuncId)>,
    /// Largest number of arguments that a call passes to a function that takes a variable number of them.
    pub most_args: usize,
}

/// Calls `visit` with every operand of an operation.
pub fn operands<'o>(op: &'o Op, visit: &mut dyn FnMut(&'o Value)) {
    match op {
        Op::Alloca { count, .. } => count.iter().for_each(visit),
        Op::Load { ptr, .. } => visit(ptr),
        Op::Store { value, ptr, .. } => {
            visit(value);
            visit(ptr);
        }
        Op::CmpXchg { ptr, expected, new, .. } => [ptr, expected, new].into_iter().for_each(visit),
        Op::AtomicRmw { ptr, value, .. } => {
            visit(ptr);
            visit(value);
        }
        Op::Gep { base, indices, .. } => {
            visit(base);
            indices.iter().for_each(|(_, v)| visit(v));
        }
        Op::Bin { a, b, .. } | Op::Compare { a, b, .. } => {
            visit(a);
            visit(b);
        }
        Op::FNeg { a, .. } => visit(a),
        Op::Cast { value, .. } | Op::Freeze { value, .. } | Op::ExtractValue { value, .. } => visit(value),
        Op::Select { cond, a, b, .. } => [cond, a, b].into_iter().for_each(visit),
        Op::Phi { incoming, .. } => incoming.iter().for_each(|(v, _)| visit(v)),
        Op::InsertValue { value, part, .. } => {
            visit(value);
            visit(part);
        }
        Op::ExtractElement { value, index, .. } => [value, index].into_iter().for_each(visit),
        Op::InsertElement { value, part, index, .. } => [value, part, index].into_iter().for_each(visit),
        Op::Shuffle { a, b, mask, .. } => [a, b, mask].into_iter().for_each(visit),
        Op::Call { callee, args, .. } => {
            visit(callee);
            args.iter().for_each(|a| visit(&a.value));
        }
        Op::CondBranch { cond, .. } => visit(cond),
        Op::Switch { value, .. } => visit(value),
        Op::Return { value } => value.iter().for_each(|(_, v)| visit(v)),
        Op::Declare { address, .. } => visit(address),
        Op::Fence { .. } | Op::Branch { .. } | Op::Unreachable | Op::Unsupported(_) => {}
    }
}

/// Lowers a module that has a `main`.
pub fn program(
    module: &Module,
    name: &str,
    mapping: &Mapping,
    options: Options,
    operations: &[String],
) -> Result<Program, Vec<Error>> {
    let mut builder = ProgramBuilder::new(name, FIRST_ADDRESS);
    builder.program.operations = operations.to_vec();
    builder.program.order = mapping.order;
    builder.program.aligned = !module.packed;
    // A thread that is created detached has an attribute that says so.
    let detaching = ["pthread_detach", "thrd_detach", "pthread_attr_setdetachstate", "_ZNSt6thread6detachEv"];
    let there = reachable::from(module, "main");
    let calls_one = |names: &[&str]| names.iter().any(|name| there.contains(name) && module.uses_library(name));
    builder.program.detaches = calls_one(&detaching);
    builder.program.leaves = calls_one(&["pthread_exit", "thrd_exit"]);
    builder.program.full_fence = builder.tag_set(mapping.full_fence().iter().map(String::as_str));
    let uses = Uses {
        mutex_kinds: mutexes::have_kinds(module),
        checking_mutexes: mutexes::may_check(module),
        serial_threads: barriers::tell_one(module),
        destructors: destructors::may_be(module),
        clocks: library::waiting::clocks::READING.iter().any(|name| module.uses_library(name)),
        errno: module.uses_library("__errno_location"),
        marks: module.uses_library(library::words::MARKING),
        checks: options.checks,
        accesses_order_threads: options.accesses_order_threads,
        persists: options.persists,
        lines: options.lines,
        unwinds: module.unwinds,
    };
    let mut lowering = Lowering {
        module,
        cx: Context {
            builder,
            mapping,
            uses,
            fences: Vec::new(),
            own_functions: Vec::new(),
            own_objects: Vec::new(),
            besides: Vec::new(),
            starts: FxHashMap::default(),
            run_at_end: None,
        },
        addresses: FxHashMap::default(),
        thread_local: Vec::new(),
        texts: FxHashMap::default(),
        per_cpu: per_cpu::PerCpu::default(),
        layouts: FxHashMap::default(),
        functions: FxHashMap::default(),
        owed: Vec::new(),
        most_args: most_args(module),
    };
    let Some(main) = module.definition("main") else {
        let error = Error::new(ErrorKind::BadInput, "there is no function `main`")
            .with_help("a program starts in `main`, which creates the threads");
        return Err(vec![Error { file: name.to_owned(), ..error }]);
    };
    for function in module.functions.iter().filter(|f| !f.blocks.is_empty()) {
        let id = lowering.cx.builder.declare(&function.name);
        lowering.functions.insert(&function.name, id);
        if destructors::runs_those_of_rust(&function.name) {
            lowering.cx.run_at_end = Some(id);
        }
    }
    let mut errors = lowering.place_globals(name);
    if errors.is_empty() {
        errors = lowering.fill_globals(name);
    }
    if errors.is_empty() {
        errors = lowering.fill_per_cpu(name);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    lowering.cx.fences = lowering.fences();
    let around = start::Around::of(&mut lowering)
        .map_err(|message| vec![Error { file: name.to_owned(), ..Error::new(ErrorKind::Unsupported, message) }])?;
    for function in module.functions.iter().filter(|f| !f.blocks.is_empty()) {
        let id = lowering.functions[function.name.as_str()];
        let body = function::lower(&mut lowering, function);
        lowering.cx.builder.define(id, body);
    }
    for (is_there, text) in [
        (module.streams && !options.persists, library::ignored::STREAMING),
        (module.assembly, library::ignored::ASSEMBLY),
    ] {
        if is_there {
            lowering.cx.note(text);
        }
    }
    // A non-temporal access may be overtaken by others where an ordinary one may not.
    lowering.cx.builder.program.samples |= module.streams && !options.persists;
    let main_id = lowering.functions[main.name.as_str()];
    let first = around.write(&mut lowering, main_id, main.params.len());
    lowering.pay_owed();
    library::specific::name_starts(&mut lowering.cx);
    if options.persists {
        persistent::find(&mut lowering);
    }
    let mut builder = lowering.cx.builder;
    builder.program.start = Start::Main(first);
    // Last, since tags are shown in the order in which they are met.
    let relaxed = mapping.steps(Access::Store, Order::Rlx).iter().find_map(|step| match step {
        Step::Write(tags) => Some(builder.tag_set(tags.iter().map(String::as_str))),
        _ => None,
    });
    builder.program.relaxed_write = relaxed.unwrap_or_default();
    builder.program.selects = mapping.is_semantic();
    // Where branches never end, everything behind one depends on it anyway.
    // Where ordinary accesses are relaxed ones, memory that only its thread accesses is not told from other memory.
    if mapping.is_semantic() && !mapping.branches_never_end && !mapping.plain_relaxed {
        let mut tags = |access| {
            mapping.steps(access, Order::Na).iter().find_map(|step| match step {
                Step::Read(tags) | Step::Write(tags) => Some(builder.tag_set(tags.iter().map(String::as_str))),
                _ => None,
            })
        };
        let (read, write) = (tags(Access::Load), tags(Access::Store));
        builder.program.plain = read.zip(write).map(|(read, write)| Plain { read, write });
        merging::analyse(&mut builder.program);
    }
    Ok(builder.program)
}

impl<'m> Lowering<'m> {
    /// The span of a place, and of those where it was inlined.
    fn position(&mut self, debug: u32, depth: u32) -> Option<SpanId> {
        let place = self.module.metadata.place(debug)?;
        let outer = self.module.metadata.inlined_at(debug).filter(|_| depth < MAX_INLINED);
        let inlined_at = outer.and_then(|outer| self.position(outer, depth + 1));
        let builder = &mut self.cx.builder;
        let file = builder.file(&place.file);
        Some(builder.span(Span { file, line: place.line, column: place.column, inlined_at }))
    }

    /// The annotations of the fences of the model that the program has.
    fn fences(&self) -> Vec<String> {
        let instructions = self.module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
        let tags = instructions.filter_map(|instruction| match &instruction.op {
            Op::Call { callee: Value::Global(name), args, .. } if name == library::kernel::FENCE => {
                match args.first() {
                    Some(Arg { value: Value::Global(text), .. }) => self.texts.get(text.as_str()),
                    _ => None,
                }
            }
            _ => None,
        });
        let text = |bytes: &&[u8]| String::from_utf8_lossy(bytes.strip_suffix(b"\0").unwrap_or(bytes)).into_owned();
        tags.map(text).collect()
    }

    /// Whether a name is declared weak, and neither the program nor the library has something of that name: its address is 0.
    pub fn is_absent(&self, name: &str) -> bool {
        globals::is_absent(self.module, name)
    }

    /// The number of a function by name; one without a body here gets a body made from the library.
    pub fn function(&mut self, name: &'m str) -> FuncId {
        if let Some(&id) = self.functions.get(name) {
            return id;
        }
        let id = self.cx.builder.declare(name);
        self.functions.insert(name, id);
        self.owed.push((name, id));
        id
    }

    /// The number of the layout of a structure type that debug information describes.
    pub fn layout(&mut self, ty: TypeId) -> Option<u32> {
        if let Some(&known) = self.layouts.get(&ty) {
            return known;
        }
        let full = self.module.types.name(ty);
        let name = full.strip_prefix("%struct.").or_else(|| full.strip_prefix("%class."));
        let layout = name.and_then(|name| {
            let cells = self.module.metadata.structure_cells(name)?;
            Some(Layout { name: name.to_owned(), size: self.module.types.size(ty).max(1), cells })
        });
        let layouts = &mut self.cx.builder.program.layouts;
        let number = layout.map(|layout| {
            layouts.push(layout);
            layouts.len() as u32 - 1
        });
        self.layouts.insert(ty, number);
        number
    }

    fn pay_owed(&mut self) {
        while let Some((name, id)) = self.owed.pop() {
            let declared = self.module.function_index.get(name).map(|&i| &self.module.functions[i]);
            let params = declared.map_or(0, |f| f.params.len()) as u32;
            let mut f = FunctionBuilder::new(name, params);
            let mut code = Code { f: &mut f, cx: &mut self.cx };
            let args: Vec<_> = (0..params).map(crate::program::Operand::Reg).collect();
            match library::find(name) {
                Some(emit) => {
                    let value = emit(&mut code, &args);
                    code.f.push(crate::program::Instr::Return { value });
                }
                None => code.unsupported(no_body(name)),
            }
            let body = f.finish_tidy();
            self.cx.builder.define(id, body);
        }
    }
}

/// The function that is called and not known, by what [`no_body`] says of it.
pub fn unknown_function(message: &str) -> Option<&str> {
    let (name, rest) = message.split_once("the function `")?.1.split_once('`')?;
    rest.ends_with(UNKNOWN).then_some(name)
}

/// The end of that sentence.
const UNKNOWN: &str = " is called, which is neither defined in this file nor known to the library";

/// How a program gets files.
const WITH_FILES: &str = "; with `--persist ext4` there are files";

/// What is said when a function is called that is neither defined nor known.
pub fn no_body(name: &str) -> String {
    const FILES: [&str; 10] =
        ["open", "open64", "openat", "fopen", "stat64", "statx", "socket", "connect", "fork", "posix_spawnp"];
    if FILES.contains(&name) {
        return format!(
            "the function `{name}` is called: there are no files, no network and no other processes here{WITH_FILES}"
        );
    }
    if ["creat", "fsync", "fdatasync", "sync", "rename", "unlink", "link", "truncate", "ftruncate"].contains(&name) {
        return format!("the function `{name}` is called: there are no files here{WITH_FILES}");
    }
    format!("the function `{}`{UNKNOWN}", signature(name))
}

fn most_args(module: &Module) -> usize {
    let instructions = module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
    instructions
        .filter_map(|i| if let Op::Call { args, .. } = &i.op { Some(args.len()) } else { None })
        .max()
        .unwrap_or(0)
}
