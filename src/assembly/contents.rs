//! Variables of an assembly file as declarations of a litmus test.

use super::data::{Datum, Variable};
use super::target::Target;
use super::unit::Unit;
use crate::litmus::Error;
use std::collections::BTreeSet;
use std::ops::Range;

/// Declarations of these variables, each with its place, and a register `%x` for the address of each where the processor has no other way to name it.
pub fn declarations(unit: &Unit, named: &BTreeSet<String>) -> Result<Vec<(String, Range<usize>)>, Vec<Error>> {
    // What these point to is a variable as well.
    let mut all: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = named.iter().map(String::as_str).collect();
    while let Some(name) = open.pop() {
        let Some((variable, _)) = unit.data.resolve(name) else { continue };
        if !all.insert(&variable.name) {
            continue;
        }
        open.extend(variable.contents.iter().filter_map(|datum| match datum {
            Datum::Address(name, _) => Some(name.as_str()),
            _ => None,
        }));
    }
    let (mut texts, mut errors) = (Vec::new(), Vec::new());
    for variable in unit.data.variables.iter().filter(|variable| all.contains(variable.name.as_str())) {
        match declaration(unit, variable) {
            Ok(text) => texts.push((text, variable.span.clone())),
            Err(error) => errors.push(error),
        }
    }
    let has_registers = unit.target != Target::X86_64;
    for variable in unit.data.variables.iter().filter(|v| has_registers && all.contains(v.name.as_str())) {
        let name = unit.plain_name(&variable.name);
        texts.push((format!("%{name}={name};"), variable.span.clone()));
    }
    if errors.is_empty() { Ok(texts) } else { Err(errors) }
}

/// The address of a place in a variable, as an initial state has it.
pub fn address(unit: &Unit, variable: &Variable, offset: i64) -> Option<String> {
    let name = unit.plain_name(&variable.name);
    let (cell, count) = variable.cells();
    let offset = u64::try_from(offset).ok()?;
    let is_cell = offset.is_multiple_of(u64::from(cell)) && offset / u64::from(cell) < count;
    match (offset, count) {
        (0, _) => Some(name.to_owned()),
        (_, 2..) if is_cell => Some(format!("&{name}[{}]", offset / u64::from(cell))),
        _ => None,
    }
}

fn declaration(unit: &Unit, variable: &Variable) -> Result<String, Error> {
    let name = unit.plain_name(&variable.name);
    let (cell, count) = variable.cells();
    let refuse = |what: &str| {
        let message = format!("`{}` {what}", variable.name);
        Error::unsupported("litmus::assembly-data", variable.span.clone(), message)
    };
    if count == 0 || count > 1 << 16 {
        return Err(refuse("has no size, or a very large one"));
    }
    let mut values = Vec::new();
    for datum in &variable.contents {
        match datum {
            Datum::Zero(bytes) => values.extend((0..bytes / u64::from(cell)).map(|_| "0".to_owned())),
            Datum::Number(size, value) => values.extend(pieces(*value, *size, cell)),
            Datum::Address(target, offset) => {
                let place = unit.data.resolve(target).and_then(|(v, more)| address(unit, v, offset + more));
                values.push(
                    place.filter(|_| cell == 8).ok_or_else(|| refuse("holds an address that hmc does not know"))?,
                );
            }
            Datum::Other(..) => return Err(refuse("has contents that hmc does not read")),
        }
    }
    let is_pointer = count == 1 && matches!(variable.contents.first(), Some(Datum::Address(..)));
    let ty = match cell {
        1 => "int8_t",
        2 => "int16_t",
        4 => "int",
        _ if is_pointer => "int *",
        _ => "int64_t",
    };
    match values.as_slice() {
        [value] => Ok(format!("{ty} {name}={value};")),
        values if values.iter().all(|value| value == "0") => Ok(format!("{ty} {name}[{count}];")),
        values => Ok(format!("{ty} {name}[{count}]={{{}}};", values.join(","))),
    }
}

/// A number as smaller ones, the lowest bytes first.
fn pieces(value: u64, size: u8, cell: u8) -> impl Iterator<Item = String> {
    let bits = u32::from(cell) * 8;
    let mask = u64::MAX >> (64 - bits.min(64));
    (0..u32::from(size / cell)).map(move |i| (value.checked_shr(i * bits).unwrap_or(0) & mask).to_string())
}
