//! From the program section to one function a thread.

use super::c;
use super::columns::{self, Column, Item};
use super::error::{Error, nearest};
use super::init::Initial;
use super::processors::asm::Lowering;
use super::processors::operand::{Fault, Instruction, Operand};
use super::split::Section;
use super::syntax::{Declaration, MAX_THREADS, Value, thread_number};
use super::types::Type;
use crate::cat::def::MacroTable;
use crate::ids::FuncId;
use crate::litmus::arch::Arch;
use crate::program::{Entry, Function, ProgramBuilder, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The program as read.
pub enum Listing {
    /// Columns of instructions.
    Columns(Arch, Vec<Column>),
    /// Functions in C.
    C(Vec<c::syntax::Thread>),
}

/// The file, for source positions.
pub struct Source<'a> {
    /// Its text.
    text: &'a str,
    /// Its number in the program.
    file: u32,
    /// Where its lines start.
    lines: Vec<usize>,
}

impl Source<'_> {
    /// A file of the program by its number.
    pub fn new(text: &str, file: u32) -> Source<'_> {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        Source { text, file, lines: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// The position of an offset.
    pub fn position(&self, offset: usize) -> Span {
        let before = self.lines.partition_point(|&start| start <= offset).max(1);
        let start = self.lines.get(before - 1).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(0, |text| text.chars().count());
        Span { file: self.file, line: before as u32, column: column as u32 + 1, inlined_at: None }
    }

    /// The offset of a position.
    pub fn offset(&self, span: &Span) -> usize {
        let line = self.lines.get(span.line.saturating_sub(1) as usize).copied().unwrap_or(self.text.len());
        let column = span.column.saturating_sub(1) as usize;
        let rest = &self.text[line..];
        line + rest.char_indices().nth(column).map_or(0, |(i, _)| i)
    }
}

/// Reads the program section.
pub fn read(section: &Section, arch: Arch, errors: &mut Vec<Error>) -> Listing {
    match arch {
        Arch::C => Listing::C(c::syntax::parse(section, errors)),
        arch => Listing::Columns(arch, columns::columns(section, arch, errors)),
    }
}

/// The labels of all columns: thread, name, number of the instruction behind.
pub fn code_labels(listing: &Listing) -> Vec<(u32, &str, usize)> {
    let Listing::Columns(_, columns) = listing else { return Vec::new() };
    let mut all = Vec::new();
    for (thread, column) in columns.iter().enumerate() {
        let mut index = 0;
        for item in &column.items {
            match item {
                Item::Label(name, _) => all.push((thread as u32, name.as_str(), index)),
                Item::Instruction(_) => index += 1,
            }
        }
    }
    all
}

/// Translates all threads; the functions go to `functions`, in order, and are not part of the program yet.
pub fn lower(
    listing: &Listing,
    source: &Source,
    macros: &MacroTable,
    builder: &mut ProgramBuilder,
    initial: &mut Initial,
    functions: &mut Vec<Function>,
    errors: &mut Vec<Error>,
) -> Vec<Entry> {
    let mut entries = Vec::new();
    match listing {
        Listing::Columns(arch, columns) => {
            check_threads(initial, columns.len(), errors);
            for i in 0..columns.len() {
                let (entry, function) = column_thread(*arch, i as u32, columns, source, builder, initial, errors);
                entries.push(entry);
                functions.push(function);
            }
        }
        Listing::C(threads) => {
            if threads.len() > MAX_THREADS as usize {
                errors.push(Error::new(
                    "litmus::thread",
                    threads[0].head.clone(),
                    format!("more than {MAX_THREADS} threads"),
                ));
                return entries;
            }
            check_threads(initial, threads.len(), errors);
            check_parameters(initial, threads, errors);
            for (i, thread) in threads.iter().enumerate() {
                let (entry, function) = c_thread(i as u32, thread, source, macros, builder, initial, errors);
                entries.push(entry);
                functions.push(function);
            }
        }
    }
    entries
}

/// Initial values of registers of threads that there are not.
fn check_threads(initial: &Initial, threads: usize, errors: &mut Vec<Error>) {
    for declaration in &initial.declarations {
        if let super::syntax::Place::Register(thread, _) = declaration.place
            && thread as usize >= threads
        {
            let message = format!("there is no thread {thread}: the test has {threads}");
            errors.push(Error::new("litmus::thread", declaration.span.clone(), message));
        }
    }
}

/// Initial values of what is no register of a thread in C, but stands for a location.
fn check_parameters(initial: &Initial, threads: &[c::syntax::Thread], errors: &mut Vec<Error>) {
    for declaration in &initial.declarations {
        if let super::syntax::Place::Register(thread, name) = &declaration.place
            && let Some(own) = threads.get(*thread as usize)
            && own.parameters.iter().any(|parameter| parameter.name == *name)
            && declaration.value.as_ref().is_some_and(|value| *value != Value::Address(name.clone()))
        {
            let message = format!(
                "`{name}` is a parameter of P{thread}: it stands for the location `{name}`, and has no value of its own"
            );
            let error = Error::unsupported("litmus::parameter", declaration.span.clone(), message);
            errors.push(error.help(format!(
                "`{name}=VALUE` is the initial value of the location; another name is that of a register"
            )));
        }
    }
}

/// The registers of a thread that have initial values, with these values.
fn initial_registers(initial: &Initial, thread: u32) -> (Vec<String>, Vec<u64>) {
    let own = initial.registers.iter().filter(|r| r.thread.is_none_or(|t| t == thread));
    own.map(|r| (r.name.clone(), r.value)).unzip()
}

fn column_thread(
    arch: Arch,
    number: u32,
    columns: &[Column],
    source: &Source,
    builder: &mut ProgramBuilder,
    initial: &mut Initial,
    errors: &mut Vec<Error>,
) -> (Entry, Function) {
    let name = format!("P{number}");
    let own = &columns[number as usize];
    let tags = builder.tag_set(own.annotations.iter().map(String::as_str));
    let (registers, args) = initial_registers(initial, number);
    let foreign = foreign_columns(arch, number, columns, initial);
    let mut at = Lowering::new(builder, &mut initial.memory, arch, &name, &registers);
    let jumps = !foreign.is_empty() || has_addresses(arch, own);
    let all: Vec<u32> = std::iter::once(number).chain(foreign).collect();
    for &thread in all.iter().filter(|_| jumps) {
        number_code(&mut at, arch, thread, &columns[thread as usize]);
    }
    let end = at.function.label();
    for (i, &thread) in all.iter().enumerate() {
        // What is wrong with the code of others is said there.
        let mut unheard = Vec::new();
        let errors = if i == 0 { &mut *errors } else { &mut unheard };
        column_code(&mut at, thread, &columns[thread as usize], source, errors);
        if all.len() > 1 {
            at.jump(end);
        }
    }
    at.function.place(end);
    if at.exhausted() {
        errors.push(Error::new("litmus::memory", 0..0, "there are too many variables"));
    }
    let function = at.function.finish();
    (Entry { function: FuncId(0), args, name, tags }, function)
}

/// The code of one column; labels belong to the column.
fn column_code(at: &mut Lowering, thread: u32, column: &Column, source: &Source, errors: &mut Vec<Error>) {
    let labels = labels(column, errors);
    at.at_column(thread);
    let mut index = 0;
    for item in &column.items {
        match item {
            Item::Label(label, _) => {
                let label = at.label(label);
                at.function.place(label);
                at.take_targets();
            }
            Item::Instruction(instruction) => {
                let span = at.builder.span(source.position(instruction.span.start));
                at.function.at(span);
                at.next_instruction();
                at.at_instruction(index);
                index += 1;
                match at.arch.lower(at, instruction) {
                    Ok(()) => check_target(instruction, &labels, at, &format!("P{thread}"), errors),
                    Err(fault) => errors.push(complaint(fault, instruction, at.arch)),
                }
            }
        }
    }
    at.at_instruction(index);
}

fn instructions(column: &Column) -> impl Iterator<Item = &Instruction> {
    column.items.iter().filter_map(|item| match item {
        Item::Instruction(instruction) => Some(instruction),
        Item::Label(..) => None,
    })
}

fn uses_addresses(arch: Arch, instruction: &Instruction) -> bool {
    arch.code_mnemonics().contains(&instruction.mnemonic.as_str())
}

/// Whether a column uses code addresses or relative targets.
fn has_addresses(arch: Arch, column: &Column) -> bool {
    let is_relative = |o: &Operand| matches!(o, Operand::Name(n) if n.starts_with(".+") || n.starts_with(".-"));
    instructions(column).any(|i| uses_addresses(arch, i) || i.operands.iter().any(is_relative))
}

/// Threads of programs with more instructions and labels than this do not jump into each other's code.
const MAX_SHARED: usize = 4096;

/// The other threads into whose code a thread may jump: it jumps to addresses, and some of their labels are values of the initial
/// state or of their own code.
fn foreign_columns(arch: Arch, number: u32, columns: &[Column], initial: &Initial) -> Vec<u32> {
    // Each thread has a copy: of large programs they would be too much.
    let is_small = columns.iter().map(|c| c.items.len()).sum::<usize>() <= MAX_SHARED;
    if !is_small || !instructions(&columns[number as usize]).any(|i| uses_addresses(arch, i)) {
        return Vec::new();
    }
    let in_code = |thread: u32| instructions(&columns[thread as usize]).any(|i| arch.names_code(&i.mnemonic));
    let mut all = Vec::new();
    for thread in (0..columns.len() as u32).filter(|&t| t != number) {
        let is_label = |value: &Value| matches!(value, Value::Label(t, _) if *t == thread);
        let in_value = |d: &Declaration| match &d.value {
            Some(Value::List(values)) => values.iter().any(is_label),
            Some(value) => is_label(value),
            None => false,
        };
        if initial.declarations.iter().any(in_value) || in_code(thread) {
            all.push(thread);
        }
    }
    all
}

/// Numbers the instructions of a column.
fn number_code(at: &mut Lowering, arch: Arch, thread: u32, column: &Column) {
    let mut entries = Vec::new();
    let mut index = 0;
    for item in &column.items {
        match item {
            Item::Label(..) => entries.push(index),
            Item::Instruction(instruction) => {
                index += 1;
                if uses_addresses(arch, instruction) {
                    entries.push(index);
                }
            }
        }
    }
    entries.dedup();
    at.number_code(thread, index, entries);
}

/// The labels of a column; a name given twice is an error.
fn labels<'c>(column: &'c Column, errors: &mut Vec<Error>) -> FxHashSet<&'c str> {
    let mut all = FxHashSet::default();
    for item in &column.items {
        if let Item::Label(name, span) = item
            && !all.insert(name.as_str())
        {
            errors.push(Error::new("litmus::label", span.clone(), format!("the label `{name}` is given twice")));
        }
    }
    all
}

/// A label that was used by the instruction but stands nowhere in the column.
fn check_target(
    instruction: &Instruction,
    labels: &FxHashSet<&str>,
    at: &mut Lowering,
    thread: &str,
    errors: &mut Vec<Error>,
) {
    for name in at.take_targets() {
        if !labels.contains(name.as_str()) {
            let help = nearest(&name, labels.iter().copied()).map(|near| format!("is `{near}` meant?"));
            let message = format!("there is no label `{name}` on {thread}");
            errors.push(Error::new("litmus::label", instruction.span.clone(), message).maybe_help(help));
        }
    }
}

fn complaint(fault: Fault, instruction: &Instruction, arch: Arch) -> Error {
    let span = instruction.span.clone();
    let name = &instruction.mnemonic;
    match fault {
        Fault::Unknown => {
            let help = nearest(name, arch.mnemonics()).map(|near| format!("is `{near}` meant?"));
            let message = format!("`{name}` is not a known instruction of {}", arch.name());
            Error::new("litmus::unknown-instruction", span, message).maybe_help(help)
        }
        Fault::Operands(message) => Error::new("litmus::operands", span, format!("in `{name}`: {message}")),
        Fault::Unsupported(message) => Error::unsupported("litmus::unsupported-instruction", span, message),
    }
}

fn c_thread(
    number: u32,
    thread: &c::syntax::Thread,
    source: &Source,
    macros: &MacroTable,
    builder: &mut ProgramBuilder,
    initial: &mut Initial,
    errors: &mut Vec<Error>,
) -> (Entry, Function) {
    let name = format!("P{number}");
    if thread_number(&thread.name) != Some(number) || !thread.name.starts_with('P') {
        let message = format!("expected the thread `{name}`, found `{}`", thread.name);
        errors.push(Error::new("litmus::thread", thread.head.clone(), message));
    }
    let (mut registers, mut args) = (Vec::new(), Vec::new());
    let mut sizes = FxHashMap::default();
    for parameter in &thread.parameters {
        if parameter.stars == 0 {
            let message = format!("the parameter `{}` is not a pointer", parameter.name);
            errors.push(Error::new("litmus::parameter", parameter.span.clone(), message));
        }
        let small = Type::named(&parameter.words, 4).filter(|t| parameter.stars == 1 && t.size < 4);
        if let Some(ty) = small {
            sizes.insert(parameter.name.clone(), ty.size);
        }
        let ty = small.map_or(Type::DEFAULT, |ty| Type { declared: false, ..ty });
        match initial.memory.add(&parameter.name, ty, None) {
            Some(variable) => {
                registers.push(parameter.name.clone());
                args.push(variable.address);
            }
            None => errors.push(Error::new("litmus::memory", parameter.span.clone(), "there are too many variables")),
        }
    }
    let (more, values) = initial_registers(initial, number);
    for (register, value) in more.into_iter().zip(values) {
        if !registers.contains(&register) {
            registers.push(register);
            args.push(value);
        }
    }
    let mut at = Lowering::new(builder, &mut initial.memory, Arch::C, &name, &registers);
    let mut translator = c::Translator::new(&mut at, macros, sizes);
    let mut mark = |at: &mut Lowering, span: &Range<usize>| {
        let span = at.builder.span(source.position(span.start));
        at.function.at(span);
    };
    translator.statements(&thread.body, &mut mark);
    errors.append(&mut translator.errors);
    let tags = at.builder.tag_set([]);
    let function = at.function.finish();
    (Entry { function: FuncId(0), args, name, tags }, function)
}
