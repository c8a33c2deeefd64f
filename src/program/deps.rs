//! Interned sets of events that a value or a control point depends on.
//!
//! Register files are copied at every event, so a dependency set is a 32-bit number in them; the sets live in one table a
//! worker. Unions are memoised: in a running exploration nearly every union has been seen before.

use crate::index_types;
use crate::kernel::bits::Bits;
use rustc_hash::FxHashMap;

index_types! {
    /// An interned dependency set; `DepId(0)` is empty.
    DepId;
}

impl DepId {
    /// No dependency.
    pub const NONE: DepId = DepId(0);
}

/// The table of dependency sets.
#[derive(Clone, Debug)]
pub struct DepTable {
    sets: Vec<Bits>,
    ids: FxHashMap<Bits, DepId>,
    unions: FxHashMap<(DepId, DepId), DepId>,
    singletons: Vec<DepId>,
}

impl Default for DepTable {
    fn default() -> Self {
        DepTable {
            sets: vec![Bits::new()],
            ids: FxHashMap::from_iter([(Bits::new(), DepId::NONE)]),
            unions: FxHashMap::default(),
            singletons: Vec::new(),
        }
    }
}

impl DepTable {
    /// The members of a set.
    #[inline]
    pub fn get(&self, id: DepId) -> &Bits {
        &self.sets[id.index()]
    }

    /// Interns a set.
    pub fn intern(&mut self, bits: Bits) -> DepId {
        if let Some(&id) = self.ids.get(&bits) {
            return id;
        }
        let id = DepId::at(self.sets.len());
        self.sets.push(bits.clone());
        self.ids.insert(bits, id);
        id
    }

    /// The set with one member.
    pub fn singleton(&mut self, member: u32) -> DepId {
        match self.singletons.get(member as usize) {
            Some(&id) if id != DepId::NONE => id,
            _ => {
                let id = self.intern(Bits::from_iter([member]));
                if self.singletons.len() <= member as usize {
                    self.singletons.resize(member as usize + 1, DepId::NONE);
                }
                self.singletons[member as usize] = id;
                id
            }
        }
    }

    /// The union of two sets.
    #[inline]
    pub fn union(&mut self, a: DepId, b: DepId) -> DepId {
        if a == b || b == DepId::NONE {
            return a;
        }
        if a == DepId::NONE {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let mut bits = self.sets[a.index()].clone();
        bits.union_with(&self.sets[b.index()]);
        let id = self.intern(bits);
        self.unions.insert(key, id);
        id
    }
}
