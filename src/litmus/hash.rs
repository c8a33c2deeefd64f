//! The hash by which log-comparing tools recognise a test, computed as the reference tool does (`LITMUS.md` §5.8).
//!
//! It covers the initial state as written, the program in canonical spelling, and what is observed; not the name, the
//! quantifier, the proposition, comments or blanks. Known difference: some instructions have spellings of their own there.

use super::c::syntax::Thread;
use super::columns::{Column, Item as Cell};
use super::condition::{Item, Source, Watch};
use super::init::Initial;
use super::processors::aarch64::hash_spelling;
use super::processors::operand::{Instruction, Operand};
use super::syntax::{Declaration, Place, Value};
use super::threads::Listing;
use crate::litmus::arch::Arch;
use md5::{Digest, Md5};
use std::collections::{BTreeMap, BTreeSet};

/// What is observed, in the order of the reference tool: registers by thread and by the letters of their names as they are
/// written (`x10` before `x5`, where states have `x5` first), then variables.
pub struct Observed(Vec<String>);

impl Observed {
    /// From the registers as they are written, and the items of a state.
    pub fn new(registers: BTreeSet<(u32, String)>, items: &[Item], watches: &[Watch]) -> Observed {
        let bare = |name: &str| name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name).to_owned();
        let variable = |item: &Item| match item {
            Item::Array(name, _) => Some(name.clone()),
            Item::Scalar(watch) => match watches.get(*watch)? {
                Watch { source: Source::Register { .. }, .. } => None,
                Watch { name, .. } => Some(bare(name)),
            },
        };
        let registers = registers.into_iter().map(|(thread, name)| format!("{thread}:{name}"));
        Observed(registers.chain(items.iter().filter_map(variable)).collect())
    }
}

/// The hash of a test; one that its metadata gives is taken as it is.
pub fn of(
    metadata: &[(String, String)],
    initial: &Initial,
    listing: &Listing,
    text: &str,
    observed: &Observed,
) -> String {
    if let Some((_, hash)) = metadata.iter().find(|(key, _)| key.eq_ignore_ascii_case("hash")) {
        return hash.clone();
    }
    let mut all = Md5::new();
    if let Some(info) = info(metadata) {
        all.update(Md5::digest(info));
    }
    all.update(Md5::digest(init(initial)));
    all.update(Md5::digest(code(listing, text)));
    all.update(Md5::digest(observed.0.join("; ")));
    let digits = all.finalize().into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect()
}

/// The metadata that changes what a test means to hardware.
fn info(metadata: &[(String, String)]) -> Option<String> {
    const KEYS: [&str; 3] = ["memorytype", "mt", "cachetype"];
    let lower = metadata.iter().map(|(key, value)| (key.to_ascii_lowercase(), value));
    let relevant: BTreeMap<_, _> = lower.filter(|(key, _)| KEYS.contains(&key.as_str())).collect();
    let text: String = relevant.iter().rev().map(|(key, value)| format!("{key}={value}")).collect();
    (!relevant.is_empty()).then_some(text)
}

fn init(initial: &Initial) -> String {
    let key = |place: &Place| match place {
        Place::Register(thread, name) => (0, *thread, name.clone()),
        Place::EveryRegister(name) => (1, 0, name.clone()),
        Place::Variable(name) | Place::Cell(name, _) => (2, 0, name.clone()),
    };
    let mut sorted: Vec<(&Declaration, &Place)> = initial.declarations.iter().zip(&initial.spelled).collect();
    sorted.sort_by_cached_key(|(_, place)| key(place));
    let mut all = String::new();
    for (i, (one, place)) in sorted.into_iter().enumerate() {
        all.push_str(if i == 0 { "" } else { "; " });
        declaration(one, place, &mut all);
    }
    all
}

fn declaration(declaration: &Declaration, place: &Place, to: &mut String) {
    let before = to.len();
    type_words(&declaration.words, to);
    if to.len() > before {
        to.push(' ');
    }
    to.extend(std::iter::repeat_n('*', declaration.stars as usize));
    match place {
        Place::Register(thread, name) => to.extend([&thread.to_string(), ":", name]),
        Place::EveryRegister(name) => to.push_str(name.trim_start_matches('%')),
        Place::Variable(name) | Place::Cell(name, _) => to.push_str(name),
    }
    if let Some(length) = declaration.array {
        let listed = match &declaration.value {
            Some(Value::List(values)) => values.len() as u64,
            _ => 1,
        };
        to.extend(["[", &length.unwrap_or(listed).to_string(), "]"]);
    }
    match &declaration.value {
        // The values of an array do not count.
        _ if declaration.array.is_some() => {}
        Some(given) => to.extend(["=", &value(given)]),
        None => to.push_str("=0"),
    }
}

/// A type as the reference tool prints it.
fn type_words(words: &[String], to: &mut String) {
    for (i, word) in words.iter().enumerate() {
        to.push_str(if i == 0 { "" } else { " " });
        to.push_str(&word.replace("atomic_int", "_Atomic int"));
    }
}

fn value(value: &Value) -> String {
    match value {
        Value::Number(spelling) => spelling.clone(),
        Value::Address(name) => name.clone(),
        Value::CellAddress(name, index) => format!("{name}[{index}]"),
        Value::List(values) => {
            let values: Vec<String> = values.iter().map(self::value).collect();
            format!("{{{}}}", values.join(","))
        }
        Value::Label(thread, name) => format!("{thread}:{name}"),
        Value::Contents(_) | Value::Foreign(_) => String::new(),
    }
}

fn code(listing: &Listing, text: &str) -> String {
    let columns: Vec<Vec<String>> = match listing {
        Listing::Columns(arch, columns) => {
            let labels = labels(columns);
            columns.iter().map(|c| c.items.iter().map(|item| cell(*arch, item, &labels)).collect()).collect()
        }
        Listing::C(threads) => threads.iter().map(|t| vec![function(t, text)]).collect(),
    };
    let widths: Vec<usize> = columns.iter().map(|c| c.iter().map(String::len).max().unwrap_or(0)).collect();
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut all = String::new();
    for row in 0..rows {
        for (i, (column, &width)) in columns.iter().zip(&widths).enumerate() {
            let cell = column.get(row).map_or("", String::as_str);
            all.push_str(if i == 0 { " " } else { "| " });
            all.push_str(cell);
            all.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.chars().count()) + 1));
        }
        all.push_str(";\n");
    }
    all
}

fn function(thread: &Thread, text: &str) -> String {
    let mut all = String::new();
    all.push_str(&thread.name);
    all.push('(');
    for (i, parameter) in thread.parameters.iter().enumerate() {
        all.push_str(if i == 0 { "" } else { ", " });
        type_words(&parameter.words, &mut all);
        all.extend(std::iter::repeat_n('*', parameter.stars as usize));
        all.extend([" ", &parameter.name]);
    }
    all.extend([") {\n", text.get(thread.inside.clone()).unwrap_or_default(), "\n}\n"]);
    all
}

/// Canonical names of labels: by order of their names.
fn labels(columns: &[Column]) -> BTreeMap<&str, String> {
    let names: BTreeSet<&str> = columns
        .iter()
        .flat_map(|c| &c.items)
        .filter_map(|item| match item {
            Cell::Label(name, _) => Some(name.as_str()),
            Cell::Instruction(_) => None,
        })
        .collect();
    names.into_iter().enumerate().map(|(i, name)| (name, format!("L{i:02}"))).collect()
}

fn cell(arch: Arch, item: &Cell, labels: &BTreeMap<&str, String>) -> String {
    match item {
        Cell::Label(name, _) => format!("{}:", labels.get(name.as_str()).unwrap_or(name)),
        Cell::Instruction(instruction) => canonical(arch, instruction, labels),
    }
}

/// The canonical spelling of an instruction.
fn canonical(arch: Arch, instruction: &Instruction, labels: &BTreeMap<&str, String>) -> String {
    match (arch, instruction.mnemonic.as_str()) {
        (Arch::AArch64, name) => {
            hash_spelling::marks(name, written(arch, &hash_spelling::operands(instruction), labels))
        }
        (Arch::X86_64, "nop" | "nopl" | "nopw" | "endbr64") => "NOP".to_owned(),
        _ => written(arch, instruction, labels),
    }
}

/// An instruction by its own words.
fn written(arch: Arch, instruction: &Instruction, labels: &BTreeMap<&str, String>) -> String {
    let upper = matches!(arch, Arch::AArch64 | Arch::Arm | Arch::X86);
    let mut name = instruction.mnemonic.replace(".aq.rl", ".aqrl");
    if upper {
        name.make_ascii_uppercase();
    }
    let mut all = String::with_capacity(32);
    all.push_str(if instruction.locked { "lock; " } else { "" });
    all.push_str(&name);
    all.push_str(match (arch, name.as_str()) {
        (Arch::Ppc, "b") => "   ",
        (Arch::Ppc, "beq" | "bne" | "blt" | "ble" | "bgt" | "bge") => "  ",
        _ if instruction.operands.is_empty() => "",
        _ => " ",
    });
    match (arch, instruction.operands.as_slice()) {
        (Arch::Ppc, [register, Operand::Immediate(offset), base]) if name.starts_with(['l', 's']) => {
            operand(arch, register, labels, &mut all);
            all.extend([",", &offset.to_string(), "("]);
            operand(arch, base, labels, &mut all);
            all.push(')');
        }
        (_, operands) => list(arch, operands, labels, &mut all),
    }
    all
}

fn list(arch: Arch, operands: &[Operand], labels: &BTreeMap<&str, String>, to: &mut String) {
    for (i, one) in operands.iter().enumerate() {
        to.push_str(if i == 0 { "" } else { "," });
        operand(arch, one, labels, to);
    }
}

fn operand(arch: Arch, operand: &Operand, labels: &BTreeMap<&str, String>, to: &mut String) {
    match operand {
        Operand::Name(name) => match labels.get(name.as_str()) {
            Some(label) => to.push_str(label),
            None => to.push_str(&word(arch, name)),
        },
        Operand::Immediate(k) => {
            to.push_str(match arch {
                Arch::AArch64 | Arch::Arm => "#",
                Arch::X86 | Arch::X86_64 => "$",
                _ => "",
            });
            to.push_str(&k.to_string());
        }
        Operand::Modifier(name, None) => to.push_str(name),
        Operand::Modifier(name, Some(amount)) => to.extend([name, " #", &amount.to_string()]),
        Operand::Bracket(parts, back) => {
            to.push('[');
            list(arch, parts, labels, to);
            to.push_str(if *back { "]!" } else { "]" });
        }
        Operand::List(parts) => {
            to.push('{');
            for (i, (first, last)) in parts.iter().enumerate() {
                to.push_str(if i == 0 { "" } else { "," });
                self::operand(arch, first, labels, to);
                if last != first {
                    to.push('-');
                    self::operand(arch, last, labels, to);
                }
            }
            to.push('}');
        }
        Operand::Segment(segment, place) => {
            to.extend([segment, ":"]);
            self::operand(arch, place, labels, to);
        }
        Operand::Based(offset, parts) => {
            match offset.as_deref() {
                Some(Operand::Immediate(k)) => to.push_str(&k.to_string()),
                Some(other) => self::operand(arch, other, labels, to),
                None => {}
            }
            to.push('(');
            list(arch, parts, labels, to);
            to.push(')');
        }
    }
}

/// A register by its canonical name (keeping which part of it is meant), other words as they are usually spelt.
fn word(arch: Arch, name: &str) -> String {
    match arch {
        Arch::AArch64 | Arch::Arm => name.to_ascii_uppercase(),
        Arch::X86_64 => name.to_owned(),
        _ => arch.register(name).unwrap_or_else(|| name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use crate::litmus::{Options, parse};

    fn hash(text: &str) -> String {
        parse(text, "t.litmus", &Options::default()).map_or_else(|e| format!("{e:?}"), |t| t.hash)
    }

    #[test]
    fn what_counts_and_what_does_not() {
        let base = hash("X86 a\n{ x=0; }\n P0 ;\n MOV [x],$1 ;\nL: ;\nexists (x=1)");
        assert_eq!(base.len(), 32);
        assert_eq!(base, hash("X86 b \"doc\"\n{ x=0; }\n P0 ;\n mov [x] , 1 ;\n M: ;\n~exists (x=2)"));
        assert_ne!(base, hash("X86 a\n{ x=1; }\n P0 ;\n MOV [x],$1 ;\nL: ;\nexists (x=1)"));
        assert_ne!(base, hash("X86 a\n{ x=0; }\n P0 ;\n MOV [x],$2 ;\nL: ;\nexists (x=1)"));
        assert_ne!(base, hash("X86 a\nMT=1\n{ x=0; }\n P0 ;\n MOV [x],$1 ;\nL: ;\nexists (x=1)"));
        // Registers count as they are spelled, arrays without their values.
        let sum = |register, values| {
            hash(&format!("MIPS a\n{{ int t[2]={values}; }}\n P0 ;\n move $v0,$2 ;\nexists (0:{register}=1)"))
        };
        assert_eq!(sum("$2", "{1,2}"), sum("$2", "{3,4}"));
        assert_ne!(sum("$2", "{1,2}"), sum("v0", "{1,2}"));
        assert_eq!("abc", hash("X86 a\nHash=abc\n{ x=0; }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)"));
    }
}
