//! Memory outside the graph: the initial contents, and the locations that accesses name.

use crate::ids::{LocId, SpanId, ThreadId};
use crate::program::Program;
use crate::program::fault::{BadAccess, Fault};
use rustc_hash::FxHashMap;

/// Largest object that is allocated while the program runs.
const LARGEST_OBJECT: u64 = 1 << 26;

/// An error unless an object may be so large: there is memory for it here, and no other object gets addresses inside.
pub fn check_size(size: u64) -> Result<(), Fault> {
    match size > LARGEST_OBJECT {
        true => Err(Fault::Unsupported(format!(
            "an object of {size} bytes; objects of up to {LARGEST_OBJECT} bytes are supported"
        ))),
        false => Ok(()),
    }
}

/// The address that an allocation gets: a function of who allocates and where, so that it is the same in all executions.
pub fn allocation_address(thread: ThreadId, key: u64) -> u64 {
    let hash = (key ^ u64::from(thread.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    0x2000_0000_0000 + ((hash >> 34) << 17)
}

/// A block of memory with contents.
#[derive(Clone, Debug)]
pub struct Block {
    /// First address.
    pub address: u64,
    /// Contents.
    pub bytes: Vec<u8>,
    /// Which bytes are defined; empty when all are.
    pub defined: Vec<bool>,
    /// Whether its life has ended.
    pub freed: bool,
    /// Whether it may not be written.
    pub read_only: bool,
    /// Whether it came from an allocation (and may be freed).
    pub heap: bool,
    /// Whether it is a variable of a function.
    pub stack: bool,
    /// Where it was allocated, when that is not told by an event.
    pub made: SpanId,
    /// Shown to the user.
    pub name: String,
}

/// What memory holds somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// The value; bytes that are undefined are zero.
    pub value: u64,
    /// Which bytes are undefined: one bit each, from the first. All bits are set when no byte is defined.
    pub undefined: u8,
}

impl Contents {
    /// Nothing that is defined.
    pub const UNDEFINED: Contents = Contents { value: 0, undefined: u8::MAX };

    /// Whether no byte is defined. Where some are, that is no error by itself: a structure that is passed by value is read with its padding.
    pub fn is_undefined(self) -> bool {
        self.undefined == u8::MAX
    }
}

impl From<Option<u64>> for Contents {
    fn from(value: Option<u64>) -> Contents {
        value.map_or(Contents::UNDEFINED, |value| Contents { value, undefined: 0 })
    }
}

/// Initial memory, and memory of a single-threaded phase.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    blocks: Vec<Block>,
    big_endian: bool,
}

impl Memory {
    /// The objects of a program.
    pub fn of(program: &Program) -> Memory {
        let mut blocks: Vec<Block> = program
            .objects
            .iter()
            .filter(|o| !o.thread_local)
            .map(|o| Block {
                address: o.address,
                bytes: o.bytes.clone(),
                defined: Vec::new(),
                freed: false,
                read_only: o.read_only,
                heap: false,
                stack: false,
                made: SpanId::default(),
                name: o.name.clone(),
            })
            .collect();
        blocks.sort_by_key(|b| b.address);
        Memory { blocks, big_endian: program.big_endian }
    }

    /// All blocks, by address.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Adds a block.
    pub fn add(&mut self, block: Block) {
        let at = self.blocks.partition_point(|b| b.address < block.address);
        self.blocks.insert(at, block);
    }

    /// Takes away the block that contains an address.
    pub fn remove(&mut self, address: u64) {
        if let Some(at) = self.find(address) {
            self.blocks.remove(at);
        }
    }

    fn find(&self, address: u64) -> Option<usize> {
        let at = self.blocks.partition_point(|b| b.address <= address).checked_sub(1)?;
        let block = &self.blocks[at];
        (address - block.address < block.bytes.len().max(1) as u64).then_some(at)
    }

    /// The position in [`Self::blocks`] of the block that contains an address.
    pub fn index_at(&self, address: u64) -> Option<usize> {
        self.find(address)
    }

    /// The block that contains an address.
    pub fn block_at(&self, address: u64) -> Option<&Block> {
        self.find(address).map(|i| &self.blocks[i])
    }

    /// As [`Self::block_at`], to change it.
    pub fn block_at_mut(&mut self, address: u64) -> Option<&mut Block> {
        self.find(address).map(|i| &mut self.blocks[i])
    }

    /// Whether an access is all right, and the block that it goes to.
    pub fn check(&self, address: u64, size: u8, write: bool) -> Result<&Block, BadAccess> {
        if address < 4096 {
            return Err(BadAccess::Null);
        }
        let block = self.block_at(address).ok_or(BadAccess::Wild)?;
        if block.freed {
            return Err(if block.stack { BadAccess::Returned } else { BadAccess::Freed });
        }
        if address - block.address + u64::from(size) > block.bytes.len() as u64 {
            return Err(BadAccess::OutOfBounds);
        }
        if write && block.read_only {
            return Err(BadAccess::ReadOnly);
        }
        Ok(block)
    }

    /// Whether no block has a byte of these.
    pub fn is_free(&self, address: u64, size: u64) -> bool {
        let end = address.saturating_add(size.max(1));
        let next = self.blocks.partition_point(|b| b.address < end);
        let before = next.checked_sub(1).map(|i| &self.blocks[i]);
        before.is_none_or(|b| b.address + b.bytes.len().max(1) as u64 <= address)
    }

    /// What is at an address inside a block.
    pub fn read(&self, address: u64, size: u8) -> Contents {
        let Some(block) = self.block_at(address) else { return Contents::UNDEFINED };
        let start = (address - block.address) as usize;
        let range = start..start + usize::from(size);
        let Some(bytes) = block.bytes.get(range.clone()) else { return Contents::UNDEFINED };
        let mut word = [0; 8];
        word[..usize::from(size)].copy_from_slice(bytes);
        if self.big_endian {
            word[..usize::from(size)].reverse();
        }
        let defined = block.defined.get(range).unwrap_or_default().iter();
        let undefined = defined.enumerate().fold(0, |set, (i, defined)| set | u8::from(!defined) << i);
        match undefined.trailing_ones() == u32::from(size) {
            true => Contents::UNDEFINED,
            false => Contents { value: u64::from_le_bytes(word), undefined },
        }
    }

    /// Writes inside a block.
    pub fn write(&mut self, address: u64, size: u8, contents: Contents) {
        let big_endian = self.big_endian;
        let Some(block) = self.block_at_mut(address) else { return };
        let start = (address - block.address) as usize;
        let range = start..start + usize::from(size);
        if contents.undefined != 0 && block.defined.is_empty() {
            block.defined = vec![true; block.bytes.len()];
        }
        if let Some(bytes) = block.bytes.get_mut(range.clone()) {
            bytes.copy_from_slice(&contents.value.to_le_bytes()[..usize::from(size)]);
            if big_endian {
                bytes.reverse();
            }
        }
        for (i, defined) in block.defined.get_mut(range).into_iter().flatten().enumerate() {
            *defined = contents.undefined >> i & 1 == 0;
        }
    }
}

/// Names of locations: an address and a size.
#[derive(Clone, Debug, Default)]
pub struct LocTable {
    ids: FxHashMap<(u64, u8), LocId>,
    locs: Vec<(u64, u8)>,
    overlaps: Vec<Vec<LocId>>,
}

impl LocTable {
    /// The location of an access.
    pub fn intern(&mut self, address: u64, size: u8) -> LocId {
        if let Some(&id) = self.ids.get(&(address, size)) {
            return id;
        }
        let id = LocId::at(self.locs.len());
        let end = address.saturating_add(u64::from(size));
        let mut hits = Vec::new();
        for (i, &(a, s)) in self.locs.iter().enumerate() {
            if a < end && address < a.saturating_add(u64::from(s)) {
                hits.push(LocId::at(i));
                self.overlaps[i].push(id);
            }
        }
        self.ids.insert((address, size), id);
        self.locs.push((address, size));
        self.overlaps.push(hits);
        id
    }

    /// The location of an access, if it was named before.
    pub fn find(&self, address: u64, size: u8) -> Option<LocId> {
        self.ids.get(&(address, size)).copied()
    }

    /// Address and size.
    pub fn get(&self, id: LocId) -> (u64, u8) {
        self.locs[id.index()]
    }

    /// Other locations that share a byte with this one.
    pub fn overlapping(&self, id: LocId) -> &[LocId] {
        &self.overlaps[id.index()]
    }

    /// Number of locations named so far.
    pub fn len(&self) -> usize {
        self.locs.len()
    }

    /// Whether no location was named yet.
    pub fn is_empty(&self) -> bool {
        self.locs.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(address: u64, size: usize, defined: Vec<bool>) -> Block {
        let (made, name) = (SpanId::default(), String::new());
        let bytes = vec![0; size];
        Block { address, bytes, defined, freed: false, read_only: false, heap: true, stack: false, made, name }
    }

    #[test]
    fn bytes_are_undefined_one_by_one() {
        let mut memory = Memory::default();
        memory.add(block(0x1000, 8, vec![false; 8]));
        memory.add(block(0x2000, 8, Vec::new()));
        memory.write(0x1004, 2, Some(0x0201).into());
        assert!(memory.read(0x1000, 4).is_undefined());
        let contents = memory.read(0x1000, 8);
        assert_eq!(contents, Contents { value: 0x0201_0000_0000, undefined: 0b1100_1111 });
        memory.write(0x2000, 8, contents);
        assert_eq!(memory.read(0x2000, 8), contents);
        assert_eq!(memory.read(0x2004, 2), Some(0x0201).into());
        memory.write(0x2000, 4, Some(7).into());
        assert_eq!(memory.read(0x2000, 4), Some(7).into());
    }

    #[test]
    fn a_new_block_is_placed_where_it_has_room() {
        let mut memory = Memory::default();
        memory.add(block(0x2000, 16, Vec::new()));
        assert!(memory.is_free(0x1000, 0x1000) && memory.is_free(0x2010, 1));
        assert!(!memory.is_free(0x1000, 0x1001) && !memory.is_free(0x200f, 1) && !memory.is_free(0x2004, 0));
    }
}
