//! Values as terms over what a function's registers and memory hold at some place in it: two ways give a register the same value if they give it the same term.

use crate::program::arith;
use crate::program::instr::{BinOp, Operand, Pc, Reg, UnOp};
use crate::program::meeting::Address;
use rustc_hash::FxHashMap;

/// A term, interned in [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Term(u32);

/// What holds a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Cell {
    /// A register of the frame.
    Reg(Reg),
    /// Frame-private memory: offset and size.
    Local(u32, u8),
    /// A variable in frame-private memory of which some element was written, by its offset.
    Variable(u32),
    /// Plain memory at an address.
    Memory(Term),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Const(u64),
    /// What a cell holds at the place from which one starts.
    Start(Cell),
    Bin(BinOp, u8, Term, Term),
    Un(UnOp, u8, Term),
    Select(Term, Term, Term),
    /// A result of an instruction.
    Made(Pc, u32),
    /// What a cell holds where ways meet that give it different values.
    Met(Pc, Cell),
}

/// The terms of a function.
#[derive(Default)]
pub(super) struct Terms {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Term>,
}

impl Terms {
    fn intern(&mut self, node: Node) -> Term {
        let next = Term(self.nodes.len() as u32);
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            next
        })
    }

    fn node(&self, term: Term) -> Node {
        self.nodes[term.0 as usize]
    }

    pub fn constant(&mut self, value: u64) -> Term {
        self.intern(Node::Const(value))
    }

    pub fn start(&mut self, cell: Cell) -> Term {
        self.intern(Node::Start(cell))
    }

    pub fn made(&mut self, at: Pc, which: u32) -> Term {
        self.intern(Node::Made(at, which))
    }

    pub fn met(&mut self, at: Pc, cell: Cell) -> Term {
        self.intern(Node::Met(at, cell))
    }

    pub fn bin(&mut self, op: BinOp, bits: u8, a: Term, b: Term) -> Term {
        if let (Node::Const(x), Node::Const(y)) = (self.node(a), self.node(b))
            && let Some(value) = arith::binary(op, bits, x, y)
        {
            return self.constant(value);
        }
        self.intern(Node::Bin(op, bits, a, b))
    }

    pub fn un(&mut self, op: UnOp, bits: u8, a: Term) -> Term {
        match self.node(a) {
            Node::Const(x) => self.constant(arith::unary(op, bits, x)),
            _ => self.intern(Node::Un(op, bits, a)),
        }
    }

    pub fn select(&mut self, cond: Term, a: Term, b: Term) -> Term {
        match self.node(cond) {
            _ if a == b => a,
            Node::Const(value) => {
                if value != 0 {
                    a
                } else {
                    b
                }
            }
            _ => self.intern(Node::Select(cond, a, b)),
        }
    }

    /// A term as an address that is computed from registers, all of which hold what they held at the start.
    pub fn address(&self, term: Term, is_unchanged: &impl Fn(Reg) -> bool) -> Option<Address> {
        Some(match self.node(term) {
            Node::Const(value) => Address::Is(Operand::Const(value)),
            Node::Start(Cell::Reg(register)) if is_unchanged(register) => Address::Is(Operand::Reg(register)),
            Node::Bin(op, bits, a, b) => {
                let [a, b] = [a, b].map(|term| self.address(term, is_unchanged));
                Address::Bin(op, bits, Box::new((a?, b?)))
            }
            Node::Un(op, bits, a) => Address::Un(op, bits, Box::new(self.address(a, is_unchanged)?)),
            _ => return None,
        })
    }

    /// An address of a function, as a term of one that calls it with these arguments.
    pub fn in_call(&mut self, address: &Address, arguments: &[Term]) -> Option<Term> {
        Some(match address {
            Address::Is(Operand::Const(value)) => self.constant(*value),
            Address::Is(Operand::Reg(register)) => *arguments.get(*register as usize)?,
            Address::Bin(op, bits, both) => {
                let (a, b) = (self.in_call(&both.0, arguments)?, self.in_call(&both.1, arguments)?);
                self.bin(*op, *bits, a, b)
            }
            Address::Un(op, bits, of) => {
                let of = self.in_call(of, arguments)?;
                self.un(*op, *bits, of)
            }
        })
    }
}
