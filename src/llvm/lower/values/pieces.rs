//! A block of memory as accesses of at most eight bytes.

use crate::llvm::ir::types::Leaf;

/// Largest access.
pub const WORD: u64 = 8;

/// One access of a block operation: its offset in the block and its size.
pub type Piece = (u64, u64);

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::ir::TypeId;

    #[test]
    fn every_byte_of_a_block_is_in_one_piece() {
        let leaf = |offset, size| Leaf { offset, bits: 8, size, ty: TypeId(0) };
        // Padding between the members and behind the last, and a member of three bytes.
        let leaves = [leaf(0, 1), leaf(4, 3), leaf(8, 8), leaf(16, 2)];
        let all = [(0, 1), (1, 1), (2, 2), (4, 1), (5, 1), (6, 1), (7, 1), (8, 8), (16, 2), (18, 2), (20, 4)];
        assert_eq!(cover(&leaves, 0, 24), all);
        assert_eq!(cover(&leaves, 8, 18), [(8, 8), (16, 2)]);
        // Members that are in the block by a part only.
        assert_eq!(cover(&leaves, 2, 12), [(2, 2), (4, 1), (5, 1), (6, 1), (7, 1), (8, 4)]);
    }

    #[test]
    fn units_are_no_larger_than_the_alignment() {
        assert_eq!(in_units(0, 12, 8), [(0, 8), (8, 4)]);
        assert_eq!(in_units(0, 12, 4), [(0, 4), (4, 4), (8, 4)]);
        assert_eq!(in_units(4, 15, 8), [(4, 4), (8, 4), (12, 2), (14, 1)]);
        assert_eq!(in_units(3, 3, 8), []);
    }
}
