//! A block of memory as accesses of at most eight bytes.

use crate::llvm::ir::types::Leaf;

/// The accesses to all bytes from `from` to `to`: those scalars of an object that are in there whole, and what is between them.
pub fn cover(leaves: &[Leaf], from: u64, to: u64) -> Vec<Piece> {
    let (mut pieces, mut at) = (Vec::new(), from);
    for leaf in leaves.iter().filter(|l| l.offset >= from && l.offset + l.size <= to) {
        pieces.extend(in_units(at, leaf.offset, WORD));
        pieces.extend(parts(leaf.size).map(|(by, size)| (leaf.offset + by, size)));
        at = leaf.offset + leaf.size;
    }
    pieces.extend(in_units(at, to, WORD));
    pieces
}

/// The accesses that one of this size consists of: bytes, where none has that size.
pub fn parts(size: u64) -> impl Iterator<Item = Piece> {
    let unit = if matches!(size, 1 | 2 | 4 | 8) { size } else { 1 };
    (0..size / unit).map(move |i| (i * unit, unit))
}

/// The largest pieces of at most `most` bytes, each at a multiple of its size.
pub fn in_units(from: u64, to: u64, most: u64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = from;
    while at < to {
        let fits = |s: &u64| *s <= most && to - at >= *s && at.is_multiple_of(*s);
        let size = [8, 4, 2, 1].into_iter().find(fits).unwrap_or(1);
        pieces.push((at, size));
        at += size;
    }
    pieces
}

/// Largest access.
pub const WORD: u64 = 8;

/// One access of a block operation: its offset in the block and its size.
pub type Piece = (u64, u64);
