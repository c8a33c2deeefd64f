//! Block copies and fills: which accesses they are made of.
//!
//! A block is copied in the scalars in which its object is accessed otherwise, as far as that can be told: accesses of different sizes to
//! the same bytes are not supported in threads. Whatever is guessed, every byte of the block is accessed once, also those between the
//! members of a structure, and none at an address that is not a multiple of the size of its access.

use super::memory::Place;
use super::{FunctionLowering, Lowered};
use crate::llvm::ir::{Arg, ConstExpr, Order, Type, TypeId, Value};
use crate::llvm::library::texts::strings;
use crate::llvm::lower::globals::mask;
use crate::llvm::lower::values::pieces::{Piece, WORD, cover, in_units};
use crate::llvm::lower::values::pointees;
use crate::llvm::lower::values::promote::{Inside, block_accesses, constant_offset};
use crate::program::operation::Operation;
use crate::program::*;

/// Most scalars that a block operation is split into; beyond, it is done in the largest units.
const MAX_PIECES: usize = 4096;
/// Longest block that is copied or filled without a loop.
const MAX_BLOCK: u64 = 1 << 14;
/// Where the length of a block is known only when it is copied or filled, it is compared with those of so many structures.
const MOST_LENGTHS: usize = 8;

/// One end of a block operation.
#[derive(Clone, Copy)]
struct End {
    place: Place,
    /// What the instruction says its address is a multiple of; 1 when it does not know.
    align: u64,
    /// Whether the pieces are those of the object that is here, which is where they may be.
    own: bool,
}

impl End {
    /// What the address is known to be a multiple of; private memory has no addresses.
    fn align(&self) -> u64 {
        match self.place {
            Place::Private(..) => WORD,
            Place::Shared(Operand::Const(0)) => WORD,
            Place::Shared(Operand::Const(c)) => 1 << c.trailing_zeros().min(3),
            Place::Shared(Operand::Reg(_)) => self.align.clamp(1, WORD),
        }
    }

    /// The largest accesses that are likely. The alignment of a pointer is that of the type to which it points, but for one to bytes, which
    /// may point to anything.
    fn unit(&self) -> Option<u64> {
        match (self.place, self.align()) {
            (Place::Private(..), _) | (Place::Shared(Operand::Reg(_)), 1) => None,
            (_, align) => Some(align),
        }
    }
}

/// Where pieces have the right addresses.
enum Fit {
    Always,
    Never,
    /// Where this is zero.
    If(Operand),
}

impl FunctionLowering<'_, '_> {
    /// `memcpy`, and `memmove`, whose blocks may overlap.
    pub(in crate::llvm::lower) fn copy(&mut self, to: &Arg, from: &Arg, len: &Value, overlapping: bool) -> Lowered<()> {
        let of_private = |this: &Self, a: &Value| this.promotion.private(a).and_then(|_| this.pointee(a));
        let known = of_private(self, &to.value).or_else(|| of_private(self, &from.value));
        let known = known.or_else(|| self.pointee(&to.value)).or_else(|| self.pointee(&from.value));
        let known = known.or_else(|| self.likely_pointee(&to.value, len));
        let known = known.or_else(|| self.likely_pointee(&from.value, len));
        let own = |this: &Self, a: &Value| known.is_some() && this.pointee(a) == known;
        let (to_own, from_own) = (own(self, &to.value), own(self, &from.value));
        let to = End { place: self.place(&to.value)?, align: to.align, own: to_own };
        let from = End { place: self.place(&from.value)?, align: from.align, own: from_own };
        match (self.module.constant(len, 0), to.place, from.place) {
            (Some(len), ..) if len <= MAX_BLOCK => self.copy_block(to, from, len, known, overlapping),
            (constant, Place::Shared(target), Place::Shared(source)) => {
                let len = constant.map_or_else(|| self.pointer(len), |n| Ok(Operand::Const(n)))?;
                let unit = [to, from].iter().filter_map(End::unit).min();
                let of_length = |this: &mut Self, n: u64| this.copy_block(to, from, n, None, overlapping);
                self.by_length(len, unit, of_length, |this| {
                    this.copy_by_loop(target, source, len, strings::units(unit.unwrap_or(WORD)), overlapping);
                })
            }
            _ => Err("a block copy of unknown or huge length to or from a local variable is not supported".into()),
        }
    }

    /// Copies a structure in shared memory.
    pub(in crate::llvm::lower) fn copy_memory(
        &mut self,
        to: Operand,
        from: Operand,
        len: u64,
        ty: TypeId,
    ) -> Lowered<()> {
        let end = |at| End { place: Place::Shared(at), align: WORD, own: true };
        self.copy_block(end(to), end(from), len, Some((ty, 0)), false)
    }

    fn copy_block(
        &mut self,
        mut to: End,
        mut from: End,
        len: u64,
        known: Option<(TypeId, u64)>,
        overlapping: bool,
    ) -> Lowered<()> {
        let unit = [to, from].iter().filter_map(End::unit).min();
        let (pieces, right) = self.pieces(len, known, unit);
        (to.own, from.own) = (to.own && right, from.own && right);
        let other = |this: &mut Self| match (to.place, from.place) {
            (Place::Shared(target), Place::Shared(source)) => {
                this.copy_by_loop(target, source, Operand::Const(len), strings::units(WORD), overlapping);
                Ok(())
            }
            _ => this.copy_pieces(to.place, from.place, &pieces, Some(to.align().min(from.align()))),
        };
        let straight = |this: &mut Self| this.copy_pieces(to.place, from.place, &pieces, None);
        let fit = self.fit(&[to, from], &pieces);
        self.where_it_fits(fit, straight, other)
    }

    fn copy_by_loop(&mut self, to: Operand, from: Operand, len: Operand, units: &[u8], overlapping: bool) {
        match overlapping {
            true => strings::move_loop(&mut self.code(), to, from, len, units),
            false => strings::copy_loop(&mut self.code(), to, from, len, units),
        }
    }

    /// `memset`.
    pub(in crate::llvm::lower) fn fill(&mut self, to: &Arg, byte: &Arg, len: &Value) -> Lowered<()> {
        let known = self.pointee(&to.value);
        let own = known.is_some();
        let known = known.or_else(|| self.likely_pointee(&to.value, len));
        let end = End { place: self.place(&to.value)?, align: to.align, own };
        let byte = self.operand(byte.ty, &byte.value)?;
        match (self.module.constant(len, 0), end.place) {
            (Some(len), _) if len <= MAX_BLOCK => self.fill_block(end, byte, len, known),
            (constant, Place::Shared(to)) => {
                let len = constant.map_or_else(|| self.pointer(len), |n| Ok(Operand::Const(n)))?;
                let of_length = |this: &mut Self, n: u64| this.fill_block(end, byte, n, None);
                self.by_length(len, end.unit(), of_length, |this| {
                    strings::fill_loop(&mut this.code(), to, byte, len, strings::units(end.unit().unwrap_or(WORD)));
                })
            }
            _ => Err("a block fill of unknown or huge length in a local variable is not supported".into()),
        }
    }

    fn fill_block(&mut self, mut end: End, byte: Operand, len: u64, known: Option<(TypeId, u64)>) -> Lowered<()> {
        let (pieces, right) = self.pieces(len, known, end.unit());
        end.own &= right;
        let other = |this: &mut Self| match end.place {
            Place::Shared(to) => {
                strings::fill_loop(&mut this.code(), to, byte, Operand::Const(len), strings::units(WORD));
                Ok(())
            }
            place => this.fill_pieces(place, byte, &pieces),
        };
        let fit = self.fit(&[end], &pieces);
        self.where_it_fits(fit, |this| this.fill_pieces(end.place, byte, &pieces), other)
    }

    /// Does a block operation whose length is known only when it is done (in a function that allocates and clears whatever it is asked for, say): where that is
    /// the length of a structure, in the scalars of the structure, else by a loop.
    fn by_length(
        &mut self,
        len: Operand,
        unit: Option<u64>,
        of_length: impl Fn(&mut Self, u64) -> Lowered<()>,
        by_loop: impl Fn(&mut Self),
    ) -> Lowered<()> {
        let done = self.f.label();
        for length in self.lengths_of_structures(len, unit) {
            let (same, next) = (self.f.label(), self.f.label());
            let is_same = self.code().bin(BinOp::Eq, 64, len, Operand::Const(length));
            self.code().inner_branch(is_same, same, next);
            self.f.place(same);
            of_length(self, length)?;
            self.code().jump(done);
            self.f.place(next);
        }
        by_loop(self);
        self.code().jump(done);
        self.f.place(done);
        Ok(())
    }

    /// The lengths for which it makes a difference that a structure has them.
    fn lengths_of_structures(&self, len: Operand, unit: Option<u64>) -> Vec<u64> {
        if matches!(len, Operand::Const(_)) {
            return Vec::new();
        }
        let types = &self.module.module.types;
        let mut lengths: Vec<u64> = types.structures().map(|ty| types.size(ty)).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let in_units = |length: u64| in_units(0, length, unit.unwrap_or(WORD));
        lengths.retain(|&length| length <= MAX_BLOCK && self.pieces(length, None, unit).0 != in_units(length));
        lengths.truncate(MOST_LENGTHS);
        lengths
    }

    /// Does a block operation in one way where its pieces have the right addresses, and in another way elsewhere.
    fn where_it_fits(
        &mut self,
        fit: Fit,
        straight: impl Fn(&mut Self) -> Lowered<()>,
        other: impl Fn(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        match fit {
            Fit::Always => straight(self),
            Fit::Never => other(self),
            Fit::If(rest) => {
                let (fits, misfit, done) = (self.f.label(), self.f.label(), self.f.label());
                self.code().inner_branch(rest, misfit, fits);
                self.f.place(fits);
                straight(self)?;
                self.code().jump(done);
                self.f.place(misfit);
                other(self)?;
                self.f.place(done);
                Ok(())
            }
        }
    }

    /// Where the pieces of a block have addresses that are multiples of their sizes, in a program where that matters.
    fn fit(&mut self, ends: &[End], pieces: &[Piece]) -> Fit {
        let largest = pieces.iter().copied().max_by_key(|&(_, size)| size);
        let Some((first, need)) = largest.filter(|&(_, size)| size > 1 && self.module.cx.builder.program.aligned)
        else {
            return Fit::Always;
        };
        // What the address of the block is, modulo the size of its largest piece.
        let skew = first.wrapping_neg() % need;
        if pieces.iter().any(|(at, size)| !(at + skew).is_multiple_of(*size)) {
            return Fit::Never;
        }
        let mut rests = Vec::new();
        for end in ends.iter().filter(|end| !end.own) {
            match end.place {
                Place::Private(..) => {}
                Place::Shared(Operand::Const(c)) if c % need == skew => {}
                Place::Shared(Operand::Const(_)) => return Fit::Never,
                Place::Shared(Operand::Reg(_)) if skew == 0 && end.align() >= need => {}
                Place::Shared(address) => {
                    let mut code = self.code();
                    let start = code.offset(address, skew.wrapping_neg());
                    rests.push(code.bin(BinOp::And, 64, start, Operand::Const(need - 1)));
                }
            }
        }
        match rests.into_iter().reduce(|a, b| self.code().bin(BinOp::Or, 64, a, b)) {
            Some(rest) => Fit::If(rest),
            None => Fit::Always,
        }
    }

    /// Copies piece by piece: all reads before all writes, as overlapping copies need. Where the pieces may have the wrong addresses, it is
    /// said what both blocks begin at a multiple of: shared memory is accessed in what that leaves of a piece.
    pub(in crate::llvm::lower) fn copy_pieces(
        &mut self,
        to: Place,
        from: Place,
        pieces: &[Piece],
        align: Option<u64>,
    ) -> Lowered<()> {
        let unit = |at: u64| align.map_or(WORD, |align| align.min(1 << at.trailing_zeros().min(3)));
        let shared = matches!((to, from), (Place::Shared(_), Place::Shared(_)));
        let mut values = Vec::with_capacity(pieces.len());
        for &(at, size) in pieces {
            // Bytes between the members of a structure, or members that nobody set, may be copied.
            let mark = matches!(from, Place::Shared(_)).then_some(Operation::Copy);
            let value = self.read_in_units(from, at, size, unit(at), mark)?;
            // A variable's own register would change under a copy within the variable.
            values.push(if matches!((to, from), (Place::Private(..), Place::Private(..))) {
                self.in_register(value)
            } else {
                value
            });
        }
        // What of a variable is written is told before any of it changes.
        let written: Vec<Option<Operand>> =
            pieces.iter().map(|&(at, size)| self.written(from, at, size)).collect::<Lowered<_>>()?;
        for ((&(at, size), value), written) in pieces.iter().zip(values).zip(written) {
            if shared {
                self.f.mark(Operation::Paste);
            }
            self.write_in_units(to, at, size, value, unit(at))?;
            if written.is_some() {
                self.note_written(to, at, size, written)?;
            }
        }
        Ok(())
    }

    /// Fills piece by piece with a byte.
    fn fill_pieces(&mut self, to: Place, byte: Operand, pieces: &[Piece]) -> Lowered<()> {
        for &(at, size) in pieces {
            let value = match byte {
                Operand::Const(b) => {
                    Operand::Const(mask((b & 0xff).wrapping_mul(0x0101_0101_0101_0101), size as u8 * 8))
                }
                Operand::Reg(_) => {
                    let mut code = self.code();
                    let low = code.un(UnOp::Trunc, 8, byte);
                    let factor = mask(0x0101_0101_0101_0101, size as u8 * 8);
                    code.bin(BinOp::Mul, size as u8 * 8, low, Operand::Const(factor))
                }
            };
            self.write(to, at, size, value, Order::Na)?;
        }
        Ok(())
    }

    /// How a block of `len` bytes is accessed: by the scalars of the object that is known to be at one of its ends, by those of the only
    /// structure of that size and alignment, or in units. And whether the pieces have the right addresses where that object is.
    fn pieces(&self, len: u64, known: Option<(TypeId, u64)>, unit: Option<u64>) -> (Vec<Piece>, bool) {
        let types = &self.module.module.types;
        if let Some((ty, from)) = known {
            let inside = Inside { variable: 0, offset: Some(from) };
            let accesses = block_accesses(types, ty, inside, len, MAX_PIECES);
            if accesses.iter().all(|(at, size)| at.is_some() && matches!(size, 1 | 2 | 4 | 8)) {
                let right = accesses.iter().all(|(at, size)| at.is_some_and(|at| at.is_multiple_of(*size)));
                return (accesses.iter().filter_map(|(at, size)| Some((at.as_ref()? - from, *size))).collect(), right);
            }
        }
        let alike = types.structures().filter(|&ty| {
            let (size, align) = types.size_align(ty);
            // Of one that is packed (clang makes classes with padding at their end so) the type does not say how it is aligned.
            let is_packed = matches!(types.get(ty), Type::Struct { packed: true, .. });
            size == len && (is_packed || unit.is_none_or(|unit| align.min(WORD) == unit))
        });
        let mut layouts = alike.filter_map(|ty| Some(cover(&types.leaves(ty, MAX_PIECES)?, 0, len)));
        match layouts.next() {
            Some(layout) if layouts.all(|other| other == layout) => (layout, false),
            _ => (in_units(0, len, unit.unwrap_or(WORD)), false),
        }
    }

    /// As [`Self::pointee`], for a block of constant length and by what the code does with the address: the object need not be of this type.
    fn likely_pointee(&mut self, address: &Value, len: &Value) -> Option<(TypeId, u64)> {
        let len = self.module.constant(len, 0)?;
        pointees::likely(self.module.module, self.source, address, len)
    }

    /// The type of the object to which an address points, and the offset in it, when that can be told.
    pub(in crate::llvm::lower) fn pointee(&self, address: &Value) -> Option<(TypeId, u64)> {
        match address {
            Value::Local(local) => {
                let inside = self.promotion.inside.get(local)?;
                Some((self.promotion.homes.get(&inside.variable)?.0, inside.offset?))
            }
            Value::Global(name) => Some((self.module.module.globals.iter().find(|g| g.name == *name)?.ty, 0)),
            Value::Expr(expr) => match &**expr {
                ConstExpr::Gep { source, base, indices } => {
                    let (ty, start) = self.pointee(base)?;
                    let by = constant_offset(&self.module.module.types, *source, indices)?;
                    Some((ty, start.wrapping_add(by)))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
