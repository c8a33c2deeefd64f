//! Persistent environments: immutable maps from names to slots.
//!
//! cat's scoping is lexical and definitions shadow, so closures and lazy definitions keep the environment of their place. An
//! environment is a small radix tree over symbol numbers that shares what did not change; its values are indices into an
//! evaluator's table of slots, so that dropping one never recurses.

use super::syntax::ast::Sym;
use std::rc::Rc;

const BITS: u32 = 4;
const FAN_OUT: usize = 1 << BITS;

/// Index of a definition in an evaluator's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot(pub u32);

#[derive(Clone, Debug)]
enum Node {
    Branch([Option<Rc<Node>>; FAN_OUT]),
    Leaf([Option<Slot>; FAN_OUT]),
}

/// An environment.
#[derive(Clone, Default, Debug)]
pub struct Env {
    root: Option<Rc<Node>>,
    /// Number of branch levels above the leaves.
    height: u32,
}

impl Env {
    /// The slot of a name.
    pub fn get(&self, name: Sym) -> Option<Slot> {
        if name.0 >> (BITS * (self.height + 1)) != 0 {
            return None;
        }
        let mut node = self.root.as_ref()?;
        let mut level = self.height;
        loop {
            let index = digit(name, level);
            match &**node {
                Node::Leaf(slots) => return slots[index],
                Node::Branch(children) => {
                    node = children[index].as_ref()?;
                    level -= 1;
                }
            }
        }
    }

    /// Binds a name, hiding an earlier binding.
    pub fn bind(&mut self, name: Sym, slot: Slot) {
        while name.0 >> (BITS * (self.height + 1)) != 0 {
            if let Some(old) = self.root.take() {
                let mut children = [const { None }; FAN_OUT];
                children[0] = Some(old);
                self.root = Some(Rc::new(Node::Branch(children)));
            }
            self.height += 1;
        }
        self.root = Some(insert(self.root.take(), name, slot, self.height));
    }
}

fn digit(name: Sym, level: u32) -> usize {
    (name.0 >> (BITS * level)) as usize & (FAN_OUT - 1)
}

fn insert(node: Option<Rc<Node>>, name: Sym, slot: Slot, level: u32) -> Rc<Node> {
    let index = digit(name, level);
    let mut node = node.unwrap_or_else(|| {
        Rc::new(if level == 0 { Node::Leaf([None; FAN_OUT]) } else { Node::Branch([const { None }; FAN_OUT]) })
    });
    match Rc::make_mut(&mut node) {
        Node::Leaf(slots) => slots[index] = Some(slot),
        Node::Branch(children) => children[index] = Some(insert(children[index].take(), name, slot, level - 1)),
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shadowing_leaves_older_environments_alone() {
        let mut env = Env::default();
        assert_eq!(env.get(Sym(0)), None);
        for i in 0..5_000 {
            env.bind(Sym(i), Slot(i));
        }
        let old = env.clone();
        env.bind(Sym(17), Slot(99));
        env.bind(Sym(70_000), Slot(1));
        assert_eq!(env.get(Sym(17)), Some(Slot(99)));
        assert_eq!(old.get(Sym(17)), Some(Slot(17)));
        assert_eq!(env.get(Sym(4_999)), Some(Slot(4_999)));
        assert_eq!((env.get(Sym(70_000)), old.get(Sym(70_000))), (Some(Slot(1)), None));
    }
}
