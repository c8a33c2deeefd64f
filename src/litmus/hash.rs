//! The hash by which log-comparing tools recognise a test, computed as the reference tool does (`LITMUS.md` §5.8).
//!
//! It covers the initial state as written, the program in canonical spelling, and what is observed; not the name, the
//! quantifier, the proposition, comments or blanks. Known difference: the reference replaces symbolic registers by the real
//! ones that it chose; here they keep their names.

use super::arch::Arch;
use super::c::syntax::Thread;
use super::columns::{Column, Item as Cell};
use super::condition::{Item, Watch};
use super::init::Initial;
use super::operand::{Instruction, Operand};
use super::syntax::{Declaration, Place, Value};
use super::threads::Listing;
use md5::{Digest, Md5};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The hash of a test; one that its metadata gives is taken as it is.
pub fn of(
    metadata: &[(String, String)],
    initial: &Initial,
    listing: &Listing,
    text: &str,
    observed: &[Item],
    watches: &[Watch],
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
    all.update(Md5::digest(observation(observed, watches)));
    all.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
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
    let key = |d: &Declaration| match &d.place {
        Place::EveryRegister(name) => (0, 0, name.clone()),
        Place::Register(thread, name) => (1, *thread, name.clone()),
        Place::Variable(name) | Place::Cell(name, _) => (2, 0, name.clone()),
    };
    let mut sorted: Vec<&Declaration> = initial.declarations.iter().collect();
    sorted.sort_by_key(|d| key(d));
    let items: Vec<String> = sorted.into_iter().map(declaration).collect();
    items.join("; ")
}

fn declaration(declaration: &Declaration) -> String {
    let place = match &declaration.place {
        Place::Register(thread, name) => format!("{thread}:{name}"),
        Place::EveryRegister(name) | Place::Variable(name) | Place::Cell(name, _) => name.clone(),
    };
    let words = declaration.words.join(" ").replace("atomic_int", "_Atomic int");
    let stars = "*".repeat(declaration.stars as usize);
    let blank = if words.is_empty() { "" } else { " " };
    let spelt = declaration.value.as_ref().map_or_else(|| "0".to_owned(), value);
    match declaration.array {
        Some(length) => {
            let listed = match &declaration.value {
                Some(Value::List(values)) => values.len() as u64,
                _ => 1,
            };
            let given = if declaration.value.is_some() { format!("={spelt}") } else { String::new() };
            format!("{words}{blank}{stars}{place}[{}]{given}", length.unwrap_or(listed))
        }
        None => format!("{words}{blank}{stars}{place}={spelt}"),
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
        let cells: Vec<String> = columns
            .iter()
            .zip(&widths)
            .map(|(column, width)| format!(" {:<width$} ", column.get(row).map_or("", String::as_str)))
            .collect();
        all.push_str(&cells.join("|"));
        all.push_str(";\n");
    }
    all
}

fn function(thread: &Thread, text: &str) -> String {
    let parameters: Vec<String> = thread
        .parameters
        .iter()
        .map(|p| {
            let words = p.words.join(" ").replace("atomic_int", "_Atomic int");
            format!("{words}{} {}", "*".repeat(p.stars as usize), p.name)
        })
        .collect();
    let body = text.get(thread.inside.clone()).unwrap_or_default();
    format!("{}({}) {{\n{body}\n}}\n", thread.name, parameters.join(", "))
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
    let upper = matches!(arch, Arch::AArch64 | Arch::Arm | Arch::X86);
    let mut name = instruction.mnemonic.replace(".aq.rl", ".aqrl");
    if upper {
        name = name.to_ascii_uppercase();
    }
    let operands: Vec<String> = instruction.operands.iter().map(|o| operand(arch, o, labels)).collect();
    let operands = match (arch, operands.as_slice()) {
        (Arch::Ppc, [register, offset, base]) if name.starts_with(['l', 's']) && offset.parse::<i64>().is_ok() => {
            format!("{register},{offset}({base})")
        }
        _ => operands.join(","),
    };
    let lock = if instruction.locked { "lock; " } else { "" };
    let gap = match (arch, name.as_str()) {
        (Arch::Ppc, "b") => "   ",
        (Arch::Ppc, "beq" | "bne" | "blt" | "ble" | "bgt" | "bge") => "  ",
        _ if operands.is_empty() => "",
        _ => " ",
    };
    format!("{lock}{name}{gap}{operands}")
}

fn operand(arch: Arch, operand: &Operand, labels: &BTreeMap<&str, String>) -> String {
    let list = |parts: &[Operand]| {
        let parts: Vec<String> = parts.iter().map(|p| self::operand(arch, p, labels)).collect();
        parts.join(",")
    };
    match operand {
        Operand::Name(name) => match labels.get(name.as_str()) {
            Some(label) => label.clone(),
            None => word(arch, name),
        },
        Operand::Immediate(k) => match arch {
            Arch::AArch64 | Arch::Arm => format!("#{k}"),
            Arch::X86 | Arch::X86_64 => format!("${k}"),
            _ => k.to_string(),
        },
        Operand::Modifier(name, None) => name.clone(),
        Operand::Modifier(name, Some(amount)) => format!("{name} #{amount}"),
        Operand::Bracket(parts, back) => format!("[{}]{}", list(parts), if *back { "!" } else { "" }),
        Operand::Based(offset, parts) => {
            let offset = match offset.as_deref() {
                Some(Operand::Immediate(k)) => k.to_string(),
                Some(other) => self::operand(arch, other, labels),
                None => String::new(),
            };
            format!("{offset}({})", list(parts))
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

fn observation(observed: &[Item], watches: &[Watch]) -> String {
    let names: Vec<String> = observed
        .iter()
        .map(|item| match item {
            Item::Array(name, _) => name.clone(),
            Item::Scalar(watch) => match watches.get(*watch).map(|w| w.name.as_str()) {
                Some(name) => name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name).to_owned(),
                None => String::new(),
            },
        })
        .collect();
    names.join("; ")
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
        assert_eq!("abc", hash("X86 a\nHash=abc\n{ x=0; }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)"));
    }
}
