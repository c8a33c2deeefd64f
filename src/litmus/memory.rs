//! The variables of a test: where they live, what they hold at the start, and how addresses are called.
//!
//! Symbolic addresses become numbers below 2³¹, so that they survive 32-bit registers; the region is chosen so that no
//! constant of the test falls into it, and a value inside it is an address whenever it is printed or compared.

use super::syntax::MAX_THREADS;
use super::types::Type;
use crate::program::{Cell, Object};
use std::collections::BTreeMap;

/// Distance between the first bytes of neighbouring variables (more when one is larger).
const STRIDE: u64 = 0x1000;
/// More variables than this in one test are refused.
const MAX_VARIABLES: usize = 4096;
/// Bytes reserved for variables.
const REGION: u64 = 0x0800_0000;
/// The part of it at the end that code addresses come from; a thread has so much of it.
const CODE: u64 = MAX_THREADS as u64 * CODE_OF_THREAD;
const CODE_OF_THREAD: u64 = 0x1_0000;

/// One variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// First byte.
    pub address: u64,
    /// Type of the variable, or of one cell.
    pub ty: Type,
    /// Size of a cell in memory; differs from the type's when that was not declared.
    pub cell: u8,
    /// Number of cells, when it is an array.
    pub length: Option<u64>,
    /// Initial contents of the cells.
    pub values: Vec<u64>,
    /// Places and sizes of the pieces in which memory holds it, when these are not its cells.
    pub pieces: Option<Vec<(u64, u8)>>,
}

/// All variables of a test.
#[derive(Clone, Debug)]
pub struct Memory {
    base: u64,
    next: u64,
    variables: Vec<Variable>,
    /// Names of code addresses that labels have given or instructions have made.
    code: BTreeMap<u64, String>,
    labels: BTreeMap<(u32, String), u64>,
}

impl Memory {
    /// An empty memory whose addresses differ from all of `constants`.
    pub fn new(constants: &[u64]) -> Self {
        let bases = [0x4000_0000u64, 0x5000_0000, 0x6000_0000, 0x3000_0000, 0x2000_0000, 0x1000_0000];
        let free = |base: &&u64| !constants.iter().any(|c| (**base..**base + REGION).contains(&(c & 0xffff_ffff)));
        let base = bases.iter().find(free).copied().unwrap_or(bases[0]);
        Memory { base, next: base, variables: Vec::new(), code: BTreeMap::new(), labels: BTreeMap::new() }
    }

    /// The variable of that name.
    pub fn find(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|v| v.name == name)
    }

    /// The variable of that name, to be changed.
    pub fn find_mut(&mut self, name: &str) -> Option<&mut Variable> {
        self.variables.iter_mut().find(|v| v.name == name)
    }

    /// All variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Makes a variable, or returns the one that there is. Nothing when there are too many.
    pub fn add(&mut self, name: &str, ty: Type, length: Option<u64>) -> Option<&mut Variable> {
        if let Some(i) = self.variables.iter().position(|v| v.name == name) {
            return self.variables.get_mut(i);
        }
        let cells = length.unwrap_or(1);
        let bytes = cells.checked_mul(8)?;
        let end = self.next.checked_add(bytes)?.checked_add(64)?.div_ceil(STRIDE) * STRIDE;
        if self.variables.len() >= MAX_VARIABLES || end > self.base + REGION - CODE {
            return None;
        }
        let address = std::mem::replace(&mut self.next, end);
        let values = vec![0; cells as usize];
        let name = name.to_owned();
        self.variables.push(Variable { name, address, ty, cell: ty.size, length, values, pieces: None });
        self.variables.last_mut()
    }

    /// The address of a variable; one that was never declared appears, with the default type.
    pub fn address(&mut self, name: &str) -> Option<u64> {
        self.add(name, Type::DEFAULT, None).map(|v| v.address)
    }

    /// The variable that an address points into, and how far.
    pub fn locate(&self, address: u64) -> Option<(&Variable, u64)> {
        let at = self.variables.partition_point(|v| v.address <= address).checked_sub(1)?;
        let variable = &self.variables[at];
        (address < self.next).then(|| (variable, address - variable.address))
    }

    /// Whether a value is an address.
    pub fn is_address(&self, value: u64) -> bool {
        (self.base..self.next).contains(&value) || self.code.contains_key(&value)
    }

    fn code_place(&self, thread: u32, index: usize) -> u64 {
        let offset = (4 * index as u64).min(CODE_OF_THREAD - 4);
        self.base + REGION - CODE + u64::from(thread) * CODE_OF_THREAD + offset
    }

    /// The address of an instruction.
    pub fn code_address(&mut self, thread: u32, index: usize) -> u64 {
        let address = self.code_place(thread, index);
        self.code.entry(address).or_insert_with(|| format!("P{thread}+{}", 4 * index));
        address
    }

    /// Says that a label stands before an instruction; the first one there gives the address its name.
    pub fn add_label(&mut self, thread: u32, name: &str, index: usize) {
        let address = self.code_place(thread, index);
        self.code.entry(address).or_insert_with(|| format!("label:\"P{thread}:{name}\""));
        self.labels.insert((thread, name.to_owned()), address);
    }

    /// The address that a label stands for.
    pub fn label_address(&self, thread: u32, name: &str) -> Option<u64> {
        self.labels.get(&(thread, name.to_owned())).copied()
    }

    /// How an address is called: `x`, `x+4`.
    pub fn name(&self, address: u64) -> Option<String> {
        if let Some(name) = self.code.get(&address) {
            return Some(name.clone());
        }
        let (variable, offset) = self.locate(address)?;
        Some(if offset == 0 { variable.name.clone() } else { format!("{}+{offset}", variable.name) })
    }

    /// The memory objects of the program.
    pub fn objects(&self, big_endian: bool) -> Vec<Object> {
        self.variables.iter().map(|variable| variable.object(big_endian)).collect()
    }
}

impl Variable {
    /// The address of a cell.
    pub fn cell_address(&self, index: u64) -> u64 {
        self.address + index * u64::from(self.cell)
    }

    /// Its bytes.
    pub fn size(&self) -> u64 {
        u64::from(self.cell) * self.length.unwrap_or(1)
    }

    /// Whether memory has a piece of this size there.
    pub fn has_piece(&self, offset: u64, size: u8) -> bool {
        match &self.pieces {
            Some(pieces) => pieces.contains(&(offset, size)),
            None => {
                size == self.cell
                    && offset.is_multiple_of(u64::from(size))
                    && offset.checked_add(u64::from(size)).is_some_and(|end| end <= self.size())
            }
        }
    }

    fn object(&self, big_endian: bool) -> Object {
        let size = usize::from(self.cell);
        let mut bytes = Vec::with_capacity(size * self.values.len());
        let mut cells = Vec::with_capacity(self.values.len());
        for (i, value) in self.values.iter().enumerate() {
            bytes.extend_from_slice(&value.to_le_bytes()[..size]);
            if big_endian {
                let cell = bytes.len() - size;
                bytes[cell..].reverse();
            }
            let path = if self.length.is_some() { format!("[{i}]") } else { String::new() };
            cells.push(Cell { offset: (i * size) as u64, size: self.cell, path });
        }
        if let Some(pieces) = &self.pieces {
            let cell = |&(offset, size): &(u64, u8)| Cell { offset, size, path: format!("+{offset}") };
            cells = pieces.iter().map(cell).collect();
        }
        Object { name: self.name.clone(), address: self.address, bytes, cells, thread_local: false, read_only: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_names_and_avoid_constants() {
        let mut memory = Memory::new(&[0x4000_0004]);
        let x = memory.address("x").unwrap();
        let y = memory.address("y").unwrap();
        assert!((0x5000_0000..1 << 31).contains(&x));
        assert_eq!(memory.address("x"), Some(x));
        assert_eq!(memory.name(x).as_deref(), Some("x"));
        assert_eq!(memory.name(y + 4).as_deref(), Some("y+4"));
        assert_eq!(memory.name(5), None);
        assert!(memory.add("huge", Type::DEFAULT, Some(u64::MAX)).is_none());
    }
}
