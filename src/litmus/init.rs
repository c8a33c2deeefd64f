//! The initial state: reads the declarations and gives variables and registers their types and values.

use super::error::Error;
use super::memory::Memory;
use super::split::Section;
use super::syntax::{Declaration, Place, Value};
use super::token::{self, number, syntax_error};
use super::types::Type;
use crate::litmus::arch::Arch;
use std::ops::Range;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused, missing_docs)]
    grammar,
    "/litmus_init.rs"
);

/// A register with an initial value.
#[derive(Clone, Debug)]
pub struct InitialRegister {
    /// Its thread; nothing for a symbolic register of all threads.
    pub thread: Option<u32>,
    /// Canonical name.
    pub name: String,
    /// Declared type, or the default.
    pub ty: Type,
    /// Its value.
    pub value: u64,
}

/// The initial state.
#[derive(Clone, Debug)]
pub struct Initial {
    /// Variables.
    pub memory: Memory,
    /// Registers, in order of declaration.
    pub registers: Vec<InitialRegister>,
    /// The declarations, with canonical register names.
    pub declarations: Vec<Declaration>,
    /// The places of the declarations as they are written.
    pub spelled: Vec<Place>,
}

impl Initial {
    /// The type of a register.
    pub fn register_type(&self, thread: u32, name: &str) -> Type {
        self.registers
            .iter()
            .find(|r| r.thread.is_none_or(|t| t == thread) && r.name == name)
            .map_or(Type::DEFAULT, |r| r.ty)
    }
}

/// Reads the initial state. Numbers that occur elsewhere in the test are `constants`: no variable gets such an address. The
/// `labels` of the program can be values.
pub fn read(
    section: &Section,
    arch: Arch,
    constants: &[u64],
    labels: &[(u32, &str, usize)],
    errors: &mut Vec<Error>,
) -> Initial {
    let mut declarations = Vec::new();
    for item in items(&section.text) {
        let text = &section.text[item.clone()];
        let base = section.start + item.start;
        match parse(text) {
            Ok(declaration) => {
                let span = declaration.span.start + base..declaration.span.end + base;
                declarations.push(Declaration { span, ..declaration });
            }
            Err(all) => errors.extend(all.into_iter().map(|e| e.shifted(base))),
        }
    }
    let spelled = declarations.iter().map(|declaration| declaration.place.clone()).collect();
    for declaration in &mut declarations {
        canonical(declaration, arch, errors);
    }
    duplicates(&declarations, errors);
    let mut initial = Initial { memory: Memory::new(constants), registers: Vec::new(), declarations, spelled };
    for &(thread, name, index) in labels {
        initial.memory.add_label(thread, name, index);
    }
    declare(&mut initial, arch, errors);
    assign(&mut initial, arch, errors);
    initial
}

/// Items between semicolons, blank ones left out.
fn items(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut all = Vec::new();
    for part in text.split(';') {
        let trimmed = part.trim();
        if !trimmed.is_empty() {
            let lead = part.len() - part.trim_start().len();
            all.push(start + lead..start + lead + trimmed.len());
        }
        start += part.len() + 1;
    }
    all
}

fn parse(text: &str) -> Result<Declaration, Vec<Error>> {
    let tokens = token::tokens(text)?;
    grammar::ItemParser::new()
        .parse(tokens.into_iter().map(Ok))
        .map_err(|e| vec![syntax_error(e, text, "litmus::init", "the initial state")])
}

fn canonical(declaration: &mut Declaration, arch: Arch, errors: &mut Vec<Error>) {
    if let Place::Register(_, name) = &mut declaration.place {
        match arch.register(name) {
            Some(canonical) => *name = canonical,
            None => {
                let message = format!("`{name}` is not a register of {}", arch.name());
                errors.push(Error::new("litmus::register", declaration.span.clone(), message));
            }
        }
    }
}

fn duplicates(declarations: &[Declaration], errors: &mut Vec<Error>) {
    let mut seen = rustc_hash::FxHashSet::default();
    for declaration in declarations {
        if !seen.insert(format!("{:?}", declaration.place)) {
            let message = "this location is initialised twice";
            errors.push(Error::new("litmus::duplicate", declaration.span.clone(), message));
        }
    }
}

/// The type of a declaration: what it says, else natural size for an address.
fn type_of(declaration: &Declaration, arch: Arch) -> Type {
    let pointer = arch.pointer_size();
    let mut ty = if declaration.stars > 0 {
        Type::pointer(pointer)
    } else if !declaration.words.is_empty() {
        // A type that is not known here holds one number, as an `int` does.
        Type::named(&declaration.words, pointer).unwrap_or(Type { declared: true, ..Type::DEFAULT })
    } else if matches!(declaration.value, Some(Value::Address(_) | Value::CellAddress(..) | Value::Label(..))) {
        Type { declared: false, ..Type::pointer(pointer) }
    } else {
        Type::DEFAULT
    };
    if arch == Arch::C {
        // The reference computes C tests on 32 bits, whatever the type.
        ty.size = ty.size.min(4);
    }
    ty
}

fn declare(initial: &mut Initial, arch: Arch, errors: &mut Vec<Error>) {
    for declaration in &initial.declarations {
        let Place::Variable(name) = &declaration.place else { continue };
        let listed = match &declaration.value {
            Some(Value::List(values)) => Some(values.len() as u64),
            _ => None,
        };
        let length = match (declaration.array, listed) {
            (Some(Some(length)), Some(listed)) if length != listed => {
                let message = format!("an array of {length} is given {listed} values");
                errors.push(Error::new("litmus::array", declaration.span.clone(), message));
                Some(length)
            }
            (Some(Some(length)), _) => Some(length),
            (Some(None), Some(listed)) => Some(listed),
            (None, None) => None,
            (Some(None), None) => {
                errors.push(Error::new("litmus::array", declaration.span.clone(), "the array has no size"));
                None
            }
            (None, Some(_)) => {
                let message = "only an array takes a list of values";
                errors.push(Error::new("litmus::array", declaration.span.clone(), message));
                None
            }
        };
        if initial.memory.add(name, type_of(declaration, arch), length).is_none() {
            errors.push(Error::new(
                "litmus::memory",
                declaration.span.clone(),
                "the variables of this test are too large",
            ));
        }
    }
}

fn assign(initial: &mut Initial, arch: Arch, errors: &mut Vec<Error>) {
    let Initial { memory, registers, declarations, .. } = initial;
    for declaration in declarations.iter() {
        let ty = type_of(declaration, arch);
        let mut values = Vec::new();
        match &declaration.value {
            None => values.push(0),
            Some(Value::List(list)) => {
                for value in list {
                    values.push(evaluate(value, memory, &declaration.span, errors));
                }
            }
            Some(value) => values.push(evaluate(value, memory, &declaration.span, errors)),
        }
        match &declaration.place {
            Place::Variable(name) => {
                if let Some(variable) = memory.find_mut(name) {
                    for (cell, value) in variable.values.iter_mut().zip(values) {
                        *cell = value;
                    }
                }
            }
            Place::Register(thread, name) => {
                let value = values.first().copied().unwrap_or(0);
                registers.push(InitialRegister { thread: Some(*thread), name: name.clone(), ty, value });
            }
            Place::EveryRegister(name) => {
                let value = values.first().copied().unwrap_or(0);
                registers.push(InitialRegister { thread: None, name: name.clone(), ty, value });
            }
            Place::Cell(..) => {}
        }
    }
    if arch.pointer_size() == 4 {
        for register in registers {
            register.value &= 0xffff_ffff;
        }
    }
}

fn evaluate(value: &Value, memory: &mut Memory, span: &Range<usize>, errors: &mut Vec<Error>) -> u64 {
    let mut complain = |code, message: String| {
        errors.push(Error::new(code, span.clone(), message));
        0
    };
    match value {
        Value::Number(spelling) => number(spelling)
            .unwrap_or_else(|| complain("litmus::number", format!("`{spelling}` does not fit in 64 bits"))),
        Value::Address(name) => memory
            .address(name)
            .unwrap_or_else(|| complain("litmus::memory", "there are too many variables".to_owned())),
        Value::CellAddress(name, index) => match memory.find(name) {
            Some(variable) if *index < variable.length.unwrap_or(1) => variable.cell_address(*index),
            _ => complain("litmus::array", format!("`{name}` has no cell {index}")),
        },
        Value::Label(thread, name) => memory
            .label_address(*thread, name)
            .unwrap_or_else(|| complain("litmus::label", format!("there is no label `{name}` on P{thread}"))),
        Value::List(_) | Value::Contents(_) | Value::Foreign(_) => {
            complain("litmus::init", "this value cannot stand here".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn initial(text: &str, arch: Arch) -> (Initial, Vec<Error>) {
        let mut errors = Vec::new();
        let section = Section { text: text.to_owned(), start: 10 };
        (read(&section, arch, &[], &[(1, "L", 3)], &mut errors), errors)
    }

    #[test]
    fn shapes() {
        let text = "x; y=1; int z = -1; uint64_t 0:X7=0xffffffffffffffff; P1:X2=x; int *p=&z; [q]=3; int t[2]={1,2}; \
                    volatile int *r = y; 1:X3=&t[1]; atomic_t a = ATOMIC_INIT(5); %v=x; 0:X9=P1:L; 0:X8=label:\"P1:L\"";
        let (initial, errors) = initial(text, Arch::AArch64);
        assert!(errors.is_empty(), "{errors:?}");
        let value = |name: &str| initial.memory.find(name).unwrap().values[0];
        assert_eq!((value("y"), value("z"), value("q"), value("a")), (1, u64::MAX, 3, 5));
        assert_eq!(value("p"), initial.memory.find("z").unwrap().address);
        assert_eq!(initial.memory.find("p").unwrap().ty.size, 8);
        assert_eq!(initial.memory.find("t").unwrap().values, [1, 2]);
        assert_eq!(initial.registers.len(), 6);
        assert_eq!(initial.memory.name(initial.registers[4].value).as_deref(), Some("label:\"P1:L\""));
        assert_eq!(initial.registers[4].value, initial.registers[5].value);
        assert_eq!(initial.registers[2].value, initial.memory.find("t").unwrap().address + 4);
        assert_eq!(initial.register_type(0, "X7").size, 8);
    }

    #[test]
    fn mistakes_are_all_reported() {
        let (_, errors) = initial("x=1; x=2; 0:W1=3; int t[2]={1}; y=)", Arch::AArch64);
        assert_eq!(errors.len(), 4, "{errors:?}");
    }
}
