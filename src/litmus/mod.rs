//! Litmus tests: reads `.litmus` files of every architecture into the one program form.
//!
//! Format and meaning are those of the field's reference tool, as `LITMUS.md` describes them. A file is cut into sections
//! by its text ([`split`]); the initial state ([`init`]), the program (columns of instructions, [`columns`] and
//! [`processors`], or C, [`c`]) and the condition ([`condition`]) are read on their own, so that all errors come back.
//! What an execution's end means for the test is in [`outcome`].
//!
//! What is not supported is said so: the features that [`foreign`] recognises.

mod arch;
pub mod c;
pub mod codes;
pub mod columns;
pub mod condition;
pub mod processors;

pub mod error;
pub mod foreign;
pub mod hash;
pub mod init;
pub mod memory;
pub mod mixed;
pub mod outcome;
pub mod split;
pub mod syntax;
mod threads;
pub mod token;
pub mod types;

pub use arch::Arch;
pub use condition::{Context, Item, Prop, Source, Watch};
pub use error::Error;
pub use syntax::Quantifier;

use crate::cat::def::MacroTable;
use crate::program::{Function, Program, ProgramBuilder};
use condition::Resolver;
use init::Initial;
use std::sync::Arc;

/// What a test is read with.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The macros of the model, for tests in C.
    pub macros: Arc<MacroTable>,
}

/// A litmus test.
#[derive(Clone, Debug)]
pub struct Test {
    /// From the header, else the file's name.
    pub name: String,
    /// What it is written for.
    pub arch: Arch,
    /// The program to explore.
    pub program: Program,
    /// What is watched of a final state, and how it is printed. A final state is given as one value a watch, in this order.
    pub context: Context,
    /// Executions that end otherwise are of no interest.
    pub filter: Option<Prop>,
    /// How the condition is to be read. A test without a condition requires `true`.
    pub quantifier: Quantifier,
    /// The condition.
    pub condition: Prop,
    /// What is printed of a state, in order.
    pub items: Vec<Item>,
    /// The test's identity for log-comparing tools, 32 hexadecimal digits (or what its metadata says).
    pub hash: String,
    /// `key = value` lines of the file.
    pub metadata: Vec<(String, String)>,
    /// What the test says of its own result, in the words of the kernel's tests: `Never`, `Sometimes DATARACE`.
    pub result: Option<String>,
    /// Loop bound that the test asks for.
    pub unroll: Option<u32>,
}

impl Test {
    /// Addresses and sizes of the memory that the test looks at in the end.
    pub fn observed_memory(&self) -> Arc<[(u64, u64)]> {
        let memory = |source: &Source| match *source {
            Source::Memory { address, size } => Some((address, u64::from(size))),
            Source::Register { .. } => None,
        };
        self.context.watches.iter().filter_map(|w| memory(&w.source)).collect()
    }

    /// Whether the filter lets a final state through.
    pub fn accepts(&self, values: &[u64]) -> bool {
        self.filter.as_ref().is_none_or(|filter| self.context.holds(filter, values))
    }

    /// Whether a final state satisfies the condition's proposition.
    pub fn satisfies(&self, values: &[u64]) -> bool {
        self.context.holds(&self.condition, values)
    }
}

/// Files larger than this are refused.
const MAX_BYTES: usize = 4 << 20;

/// Reads a test. `file_name` is used in source positions, and for the name of a test whose header has none.
pub fn parse(text: &str, file_name: &str, options: &Options) -> Result<Test, Vec<Error>> {
    if text.len() > MAX_BYTES {
        return Err(vec![Error::new("litmus::size", 0..0, "a litmus test of more than 4 MB")]);
    }
    let sections = split::split(text)?;
    let Some(arch) = Arch::from_header(&sections.arch) else {
        return Err(vec![unknown_arch(&sections)]);
    };
    let mut errors = foreign::features(&sections, arch);
    if !errors.is_empty() {
        // What stands beside it may be what hmc cannot read for the same reason.
        return Err(errors);
    }
    let name = if sections.name.is_empty() { base_name(file_name) } else { sections.name.clone() };
    let constants = constants(&[&sections.init.text, &sections.program.text, &sections.condition.text]);
    let listing = threads::read(&sections.program, arch, &mut errors);
    let labels = threads::code_labels(&listing);
    let mut initial = init::read(&sections.init, arch, &constants, &labels, &mut errors);
    let mut builder = ProgramBuilder::new(name.as_str(), 0);
    let source = threads::Source::new(text, builder.file(file_name));
    let constraints = condition::parse(&sections.condition).unwrap_or_else(|all| {
        errors.extend(all);
        Default::default()
    });
    let mut functions = Vec::new();
    let entries =
        threads::lower(&listing, &source, &options.macros, &mut builder, &mut initial, &mut functions, &mut errors);
    let accesses: Vec<_> = functions.iter().zip(&entries).flat_map(|(f, e)| mixed::accesses(f, &e.args)).collect();
    mixed::fit(&mut initial.memory, &accesses);
    mixed::cut(&mut initial.memory, &accesses);
    if errors.is_empty()
        && let Some((span, message)) = mixed::overrun(&initial.memory, &accesses)
    {
        let place = source.offset(&builder.program.spans[span.index()]);
        let help = "a variable has the size of its type, `int` where none is declared";
        errors.push(Error::new("litmus::overrun", place..place + 1, message).help(help));
    }
    let is_read = errors.is_empty();
    let resolved = resolve(&constraints, arch, &initial, &mut functions, sections.condition.start, &mut errors);
    if !is_read {
        // A name may occur in what could not be read.
        errors.retain(|e| e.code != "litmus::unknown-location");
    }
    if !errors.is_empty() {
        errors.sort_by_key(|e| e.span.start);
        return Err(errors);
    }
    let hash = hash::of(&sections.metadata, &initial, &listing, text, &resolved.observed);
    builder.program.notes.extend(resolved.doubts.iter().map(|doubt| doubt.as_note(text)));
    let program = finish(builder, arch, entries, functions, &initial);
    Ok(Test {
        name,
        arch,
        program,
        context: Context { watches: resolved.watches, memory: initial.memory },
        filter: resolved.filter,
        quantifier: resolved.quantifier,
        condition: resolved.condition,
        items: resolved.items,
        hash,
        result: own_result(text, sections.init.start),
        unroll: unroll(&sections.metadata),
        metadata: sections.metadata,
    })
}

fn base_name(file_name: &str) -> String {
    let base = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    base.strip_suffix(".litmus").unwrap_or(base).to_owned()
}

fn unknown_arch(sections: &split::Sections) -> Error {
    let name = &sections.arch;
    let span = sections.arch_span.clone();
    if let Some(language) = foreign::language(name) {
        let message = format!("a test in {language}, and hmc has no front end for it");
        return Error::unsupported("litmus::language", span, message);
    }
    let known: Vec<&str> = Arch::ALL.into_iter().map(Arch::name).collect();
    let help = error::nearest(name, known.iter().copied())
        .map_or_else(|| format!("known are {}", known.join(", ")), |near| format!("is `{near}` meant?"));
    Error::new("litmus::arch", span, format!("`{name}` is not an architecture")).help(help)
}

fn unroll(metadata: &[(String, String)]) -> Option<u32> {
    metadata.iter().find(|(key, _)| key.eq_ignore_ascii_case("unroll")).and_then(|(_, value)| value.parse().ok())
}

/// The words after `Result:` before the initial state.
fn own_result(text: &str, init: usize) -> Option<String> {
    let line = text
        .get(..init)?
        .lines()
        .find_map(|line| line.trim_start_matches(['(', '*', ' ', '\t']).strip_prefix("Result:"))?;
    Some(line.trim_end_matches(['*', ')', ' ']).trim().to_owned())
}

/// All numbers that are written in the test.
fn constants(texts: &[&str]) -> Vec<u64> {
    let mut all = Vec::new();
    for text in texts {
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
            if word.starts_with(|c: char| c.is_ascii_digit())
                && let Some(value) = token::number(word)
            {
                all.push(value);
                all.push(value.wrapping_neg());
            }
        }
    }
    all
}

/// The condition section with all names resolved.
struct Resolved {
    watches: Vec<Watch>,
    filter: Option<Prop>,
    quantifier: Quantifier,
    condition: Prop,
    items: Vec<Item>,
    observed: hash::Observed,
    doubts: Vec<Error>,
}

fn resolve(
    constraints: &syntax::Constraints,
    arch: Arch,
    initial: &Initial,
    functions: &mut [Function],
    start: usize,
    errors: &mut Vec<Error>,
) -> Resolved {
    let mut resolver = Resolver {
        arch,
        initial,
        threads: functions,
        watches: Vec::new(),
        spelled: Default::default(),
        errors: Vec::new(),
        doubts: Vec::new(),
        start,
    };
    let mut items = Vec::new();
    for (place, span) in &constraints.locations {
        items.extend(resolver.place(place, span));
    }
    let (quantifier, condition) = match &constraints.condition {
        Some((quantifier, proposition)) => (*quantifier, resolver.proposition(proposition)),
        None => (Quantifier::Forall, Prop::Constant(true)),
    };
    let filter = constraints.filter.as_ref().map(|filter| resolver.proposition(filter));
    condition::items_of(&condition, &mut items);
    errors.append(&mut resolver.errors);
    let doubts = resolver.doubts;
    let (watches, spelled) = (resolver.watches, resolver.spelled);
    let items = condition::order_items(items, &watches, arch);
    let observed = hash::Observed::new(spelled, &items, &watches);
    Resolved { items, observed, filter, quantifier, condition, watches, doubts }
}

fn finish(
    mut builder: ProgramBuilder,
    arch: Arch,
    mut entries: Vec<crate::program::Entry>,
    functions: Vec<Function>,
    initial: &Initial,
) -> Program {
    for (entry, function) in entries.iter_mut().zip(functions) {
        entry.function = builder.declare(&function.name);
        builder.define(entry.function, function);
    }
    builder.program.big_endian = arch.is_big_endian();
    builder.program.objects = initial.memory.objects(arch.is_big_endian());
    builder.program.start = crate::program::Start::Together(entries);
    builder.program.order = match arch {
        Arch::C => crate::program::InstructionOrder::DataFlow,
        _ => crate::program::InstructionOrder::None,
    };
    builder.program
}
