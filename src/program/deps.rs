//! Interned sets of events that a value or a control point depends on.
//!
//! Register files are copied at every event, so a dependency set is a 32-bit number in them; the sets live in one table a
//! worker. Unions are memoised: in a running exploration nearly every union has been seen before.
//!
//! A set also says on which events a value depends by a *pick* only: they decided which of several values was taken (the
//! condition of a conditional select), without being part of it. Programs without such instructions have no picks in any set.

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

/// Room is made for so many sets at once: most programs have fewer.
const ROOM: usize = 14;

/// A set: what a value is computed from, and what picked it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Set {
    events: Bits,
    picks: Bits,
}

/// The table of dependency sets.
#[derive(Clone, Debug)]
pub struct DepTable {
    sets: Vec<Set>,
    ids: FxHashMap<Set, DepId>,
    decided: FxHashMap<(DepId, DepId), DepId>,
    has_picks: bool,
    unions: FxHashMap<(DepId, DepId), DepId>,
    singletons: Vec<DepId>,
}

impl Default for DepTable {
    fn default() -> Self {
        let mut sets = Vec::with_capacity(ROOM);
        sets.push(Set::default());
        DepTable {
            sets,
            ids: FxHashMap::default(),
            decided: FxHashMap::default(),
            has_picks: false,
            unions: FxHashMap::default(),
            singletons: Vec::new(),
        }
    }
}

impl DepTable {
    /// The members of a set.
    #[inline]
    pub fn get(&self, id: DepId) -> &Bits {
        &self.sets[id.index()].events
    }

    /// The events on which it depends by a pick.
    #[inline]
    pub fn picks(&self, id: DepId) -> &Bits {
        &self.sets[id.index()].picks
    }

    /// Whether any set has picks.
    #[inline]
    pub fn has_picks(&self) -> bool {
        self.has_picks
    }

    /// Whether two sets have the same members, whatever picked what.
    #[inline]
    pub fn same_members(&self, a: DepId, b: DepId) -> bool {
        a == b || self.has_picks && self.get(a) == self.get(b)
    }

    fn intern(&mut self, set: Set) -> DepId {
        if set.events.is_empty() && set.picks.is_empty() {
            return DepId::NONE;
        }
        if let Some(&id) = self.ids.get(&set) {
            return id;
        }
        if self.ids.is_empty() {
            self.ids.reserve(ROOM);
        }
        let id = DepId::at(self.sets.len());
        self.has_picks |= !set.picks.is_empty();
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }

    /// The set with one member.
    pub fn singleton(&mut self, member: u32) -> DepId {
        match self.singletons.get(member as usize) {
            Some(&id) if id != DepId::NONE => id,
            _ => {
                let id = self.intern(Set { events: Bits::from_iter([member]), picks: Bits::new() });
                if self.singletons.len() <= member as usize {
                    self.singletons.resize(member as usize + 1, DepId::NONE);
                }
                self.singletons[member as usize] = id;
                id
            }
        }
    }

    /// The set in which each member has another name.
    #[inline]
    pub fn renamed(&mut self, id: DepId, name: impl Fn(u32) -> u32) -> DepId {
        if id == DepId::NONE { id } else { self.renamed_members(id, name) }
    }

    fn renamed_members(&mut self, id: DepId, name: impl Fn(u32) -> u32) -> DepId {
        let rename = |members: &Bits| members.iter().map(&name).collect();
        let Set { events, picks } = &self.sets[id.index()];
        if picks.is_empty()
            && let Some(only) = events.only()
        {
            return self.singleton(name(only));
        }
        let set = Set { events: rename(events), picks: rename(picks) };
        self.intern(set)
    }

    /// The union of two sets.
    #[inline]
    pub fn union(&mut self, a: DepId, b: DepId) -> DepId {
        match (a, b) {
            (_, DepId::NONE) => a,
            (DepId::NONE, _) => b,
            _ if a == b => a,
            _ => self.united(a, b),
        }
    }

    fn united(&mut self, a: DepId, b: DepId) -> DepId {
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let mut set = self.sets[a.index()].clone();
        set.events.union_with(&self.sets[b.index()].events);
        set.picks.union_with(&self.sets[b.index()].picks);
        let id = self.intern(set);
        if self.unions.is_empty() {
            self.unions.reserve(ROOM);
        }
        self.unions.insert(key, id);
        id
    }

    /// What a value depends on that was chosen among several because of a condition.
    pub fn picked(&mut self, chosen: DepId, condition: DepId) -> DepId {
        if condition == DepId::NONE {
            return chosen;
        }
        if let Some(&id) = self.decided.get(&(chosen, condition)) {
            return id;
        }
        let mut set = self.sets[chosen.index()].clone();
        let decision = &self.sets[condition.index()];
        set.picks.union_with(&decision.events);
        set.picks.union_with(&decision.picks);
        let id = self.intern(set);
        self.decided.insert((chosen, condition), id);
        id
    }
}
