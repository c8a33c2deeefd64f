//! The data of an assembly file: variables with their initial contents, other names for them, entries of a table of addresses.

use super::target::Target;
use super::text::{Kind, Statement};
use crate::litmus::token::number;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A part of a variable's initial contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Datum {
    /// A number of so many bytes.
    Number(u8, u64),
    /// So many bytes of zero.
    Zero(u64),
    /// The address of a symbol, and what is added.
    Address(String, i64),
    /// What hmc does not understand.
    Other(Range<usize>, u64),
}

impl Datum {
    fn size(&self) -> u64 {
        match self {
            Datum::Number(size, _) => u64::from(*size),
            Datum::Zero(size) | Datum::Other(_, size) => *size,
            Datum::Address(..) => 8,
        }
    }
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub span: Range<usize>,
    /// Its alignment in bytes, if it has one.
    pub align: u64,
    /// What it holds at the start.
    pub contents: Vec<Datum>,
    /// Whether other files may name it.
    pub global: bool,
    /// Whether code may reach it by the place of another variable of its section.
    pub anchored: bool,
}

impl Variable {
    /// Bytes.
    pub fn size(&self) -> u64 {
        self.contents.iter().map(Datum::size).sum()
    }

    /// Bytes of its elements, and how many, when it is taken for an array: the numbers of its contents have that size.
    pub fn cells(&self) -> (u8, u64) {
        let size = self.size();
        let numbers = self.contents.iter().filter_map(|datum| match datum {
            Datum::Number(size, _) => Some(u64::from(*size)),
            Datum::Address(..) => Some(8),
            Datum::Zero(..) | Datum::Other(..) => None,
        });
        let widest = match self.align {
            // Compilers align larger arrays by more than their elements need.
            0 | 16.. => 4,
            align => align,
        };
        let alone = if self.contents.len() == 1 { Some(size) } else { None };
        let limit = numbers.min().or(alone.filter(|_| size <= 8 && size <= self.align)).unwrap_or(widest).min(8);
        let fits = |cell: &u64| size.is_multiple_of(*cell) && *cell <= limit;
        let cell = [8, 4, 2, 1].into_iter().find(fits).unwrap_or(1);
        (cell as u8, size / cell)
    }
}

/// The data of a file.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Its variables, in order.
    pub variables: Vec<Variable>,
    /// Other names: what they stand for, and what is added.
    aliases: HashMap<String, (String, i64)>,
    /// Names that `.type` says are functions.
    functions: HashSet<String>,
    /// Names that other files may use.
    globals: HashSet<String>,
}

/// How often a name may stand for another one.
const MOST_NAMES: usize = 16;

impl Data {
    /// What directives say.
    pub fn read(statements: &[Statement], target: Target) -> Data {
        let mut reader = Reader::new(target);
        for statement in statements {
            match &statement.kind {
                Kind::Label(name) => reader.label(name, &statement.span),
                Kind::Directive(name, operands) => reader.directive(name, operands, &statement.span),
                Kind::Instruction(..) => {}
            }
        }
        reader.finish()
    }

    /// The variable that a name stands for, and the distance from its beginning.
    pub fn resolve(&self, name: &str) -> Option<(&Variable, i64)> {
        let (mut name, mut offset) = (name, 0);
        for _ in 0..MOST_NAMES {
            if let Some(variable) = self.variables.iter().find(|variable| variable.name == name) {
                return Some((variable, offset));
            }
            let (next, more) = self.aliases.get(name)?;
            (name, offset) = (next, offset.wrapping_add(*more));
        }
        None
    }

    /// Whether a label of code begins a function.
    pub fn is_function(&self, label: &str) -> bool {
        let is_named = self.functions.contains(label) || self.globals.contains(label);
        is_named || self.functions.is_empty() && thread_number(label).is_some()
    }
}

/// The number of a thread whose function is called `P0`, `P1`, …
pub fn thread_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('P')?;
    digits.parse().ok().filter(|n: &u32| n.to_string() == digits)
}

/// `x`, `x+4`, `x-4`: the name, and what is added.
pub fn symbol(text: &str) -> Option<(String, i64)> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "_.$".contains(c))).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || "_.$".contains(c)) {
        return None;
    }
    let rest = rest.trim();
    let value = |digits: &str| number(digits.trim()).map(|n| n as i64);
    let offset = match rest.strip_prefix('+') {
        Some(digits) => value(digits)?,
        None if rest.is_empty() => 0,
        None => value(rest.strip_prefix('-')?)?.wrapping_neg(),
    };
    Some((name.to_owned(), offset))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Code,
    Data,
    Other,
}

struct Reader {
    target: Target,
    data: Data,
    section: Section,
    name: String,
    /// Bytes of each section so far.
    sizes: HashMap<String, u64>,
    /// Where variables begin.
    begins: HashMap<(String, u64), String>,
    /// Sections with an anchor, and where it is.
    anchors: Vec<(String, u64, String)>,
    align: u64,
    open: bool,
}

impl Reader {
    fn new(target: Target) -> Reader {
        Reader {
            target,
            data: Data::default(),
            section: Section::Code,
            name: ".text".to_owned(),
            sizes: HashMap::new(),
            begins: HashMap::new(),
            anchors: Vec::new(),
            align: 0,
            open: false,
        }
    }

    fn place(&self) -> u64 {
        self.sizes.get(&self.name).copied().unwrap_or(0)
    }

    fn label(&mut self, name: &str, span: &Range<usize>) {
        if self.section != Section::Data {
            return;
        }
        let key = (self.name.clone(), self.place());
        if let Some(first) = self.begins.get(&key) {
            self.data.aliases.insert(name.to_owned(), (first.clone(), 0));
            return;
        }
        self.begins.insert(key, name.to_owned());
        self.variable(name, span, self.align);
        (self.align, self.open) = (0, true);
    }

    fn variable(&mut self, name: &str, span: &Range<usize>, align: u64) {
        let (name, span) = (name.to_owned(), span.clone());
        let variable = Variable { name, span, align, contents: Vec::new(), global: false, anchored: false };
        self.data.variables.push(variable);
    }

    fn add(&mut self, datum: Datum) {
        *self.sizes.entry(self.name.clone()).or_default() += datum.size();
        let open = self.open;
        if let Some(variable) = self.data.variables.last_mut().filter(|_| open) {
            variable.contents.push(datum);
        }
    }

    fn enter(&mut self, name: &str) {
        let name = name.trim_matches('"');
        let starts = |prefixes: &[&str]| {
            prefixes.iter().any(|p| name.strip_prefix(p).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
        };
        self.section = match name {
            _ if starts(&[".text"]) => Section::Code,
            _ if starts(&[".data", ".bss", ".sdata", ".sbss", ".rodata", ".srodata", ".toc"]) => Section::Data,
            _ => Section::Other,
        };
        name.clone_into(&mut self.name);
        (self.align, self.open) = (0, false);
    }

    fn directive(&mut self, name: &str, operands: &[String], span: &Range<usize>) {
        let first = operands.first().map_or("", String::as_str);
        let count = |i: usize| operands.get(i).and_then(|text| number(text.trim()));
        match name {
            ".text" | ".data" | ".bss" => self.enter(name),
            ".section" | ".pushsection" => self.enter(first),
            ".globl" | ".global" => drop(self.data.globals.insert(first.to_owned())),
            ".type" if operands.get(1).is_some_and(|kind| kind.contains("function")) => {
                self.data.functions.insert(first.to_owned());
            }
            ".comm" | ".lcomm" => {
                self.variable(first, span, count(2).unwrap_or(8));
                if let (Some(size), Some(variable)) = (count(1), self.data.variables.last_mut()) {
                    variable.contents.push(Datum::Zero(size));
                    variable.global = name == ".comm";
                }
                self.open = false;
            }
            ".set" | ".equ" => self.alias(first, operands.get(1).map_or("", String::as_str)),
            _ if self.section != Section::Data => {}
            ".align" if self.target.aligns_by_powers() => self.aligned(1 << count(0).unwrap_or(0).min(12)),
            ".p2align" => self.aligned(1 << count(0).unwrap_or(0).min(12)),
            ".align" | ".balign" => self.aligned(count(0).unwrap_or(1)),
            ".zero" | ".space" | ".skip" => self.add(count(0).map_or(Datum::Other(span.clone(), 0), Datum::Zero)),
            ".tc" => self.values(&operands[1.min(operands.len())..], 8, span),
            ".ascii" | ".asciz" | ".string" => self.add(Datum::Other(span.clone(), first.len() as u64)),
            ".byte" => self.values(operands, 1, span),
            ".short" | ".half" | ".hword" | ".2byte" | ".value" => self.values(operands, 2, span),
            ".word" | ".long" | ".4byte" | ".int" => self.values(operands, 4, span),
            ".quad" | ".xword" | ".dword" | ".8byte" => self.values(operands, 8, span),
            _ => {}
        }
    }

    fn aligned(&mut self, bytes: u64) {
        let place = self.place().checked_next_multiple_of(bytes.max(1)).unwrap_or(0);
        self.sizes.insert(self.name.clone(), place);
        // What is filled up belongs to nothing.
        (self.align, self.open) = (bytes, false);
    }

    fn values(&mut self, operands: &[String], size: u8, span: &Range<usize>) {
        for operand in operands {
            let value = number(operand.trim()).map(|value| Datum::Number(size, value));
            let address = || symbol(operand).filter(|_| size == 8).map(|(name, offset)| Datum::Address(name, offset));
            self.add(value.or_else(address).unwrap_or(Datum::Other(span.clone(), u64::from(size))));
        }
    }

    /// `name = value`; a value `. + 0` is the place where the section is.
    fn alias(&mut self, name: &str, value: &str) {
        let here = value.strip_prefix('.').map(str::trim_start).filter(|rest| rest.is_empty() || rest.starts_with('+'));
        if let Some(rest) = here {
            let distance = number(rest.trim_start_matches('+').trim()).unwrap_or(0);
            self.anchors.push((self.name.clone(), self.place() + distance, name.to_owned()));
        } else if let Some(target) = symbol(value) {
            self.data.aliases.insert(name.to_owned(), target);
        }
    }

    fn finish(mut self) -> Data {
        for (section, place, name) in std::mem::take(&mut self.anchors) {
            if let Some(first) = self.begins.get(&(section.clone(), place)) {
                self.data.aliases.insert(name, (first.clone(), 0));
            }
            let inside: Vec<&String> = self.begins.iter().filter(|(at, _)| at.0 == section).map(|(_, n)| n).collect();
            let several = inside.len() > 1;
            let anchored = |variable: &&mut Variable| several && inside.contains(&&variable.name);
            self.data.variables.iter_mut().filter(anchored).for_each(|variable| variable.anchored = true);
        }
        let Data { variables, globals, .. } = &mut self.data;
        variables.iter_mut().for_each(|variable| variable.global |= globals.contains(&variable.name));
        self.data
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::text;

    fn data(text: &str, target: Target) -> Data {
        Data::read(&text::read(text, target).unwrap().statements, target)
    }

    #[test]
    fn variables_of_all_kinds() {
        let text = "\t.bss\n\t.globl x\n\t.p2align 2\nx:\n\t.word 0\n\t.p2align 2\nt:\n\t.zero 8\n\t.data\np:\n\t.quad x+4\n\t.comm c,8,8\n.set other, t+4\n";
        let data = data(text, Target::X86_64);
        let shape = |name: &str| data.resolve(name).map(|(v, at)| (v.name.as_str(), v.cells(), at, v.global));
        assert_eq!(shape("x"), Some(("x", (4, 1), 0, true)));
        assert_eq!(shape("other"), Some(("t", (4, 2), 4, false)));
        assert_eq!(shape("c"), Some(("c", (8, 1), 0, true)));
        assert_eq!(shape("p"), Some(("p", (8, 1), 0, false)));
        assert_eq!(data.resolve("p").unwrap().0.contents, [Datum::Address("x".into(), 4)]);
        assert!(data.resolve("q").is_none());
    }

    #[test]
    fn anchors_reach_what_lies_behind_them() {
        let one = "\t.bss\n\t.set .LANCHOR0,. + 0\nx:\n\t.zero 4\n";
        let two = format!("{one}y:\n\t.zero 4\n");
        let anchor = |text: &str| {
            let data = data(text, Target::AArch64);
            data.resolve(".LANCHOR0").map(|(v, at)| (v.name.clone(), at, v.anchored))
        };
        assert_eq!(anchor(one), Some(("x".into(), 0, false)));
        assert_eq!(anchor(&two), Some(("x".into(), 0, true)));
    }
}
