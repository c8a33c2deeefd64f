//! Interned sets of events that a value or a control point depends on.
//!
//! Register files are copied at every event, so a dependency set is a 32-bit number in them; the sets live in one table a
//! worker. Unions are memoised: in a running exploration nearly every union has been seen before.
//!
//! A set also says on which events a value depends by a *pick* only: they decided which of several values was taken (the
//! condition of a conditional select), without being part of it. Programs without such instructions have no picks in any set.
//!
//! And it says which events a value is *selected* by: conditions of branches whose ways gave it different values. What uses the value depends on these
//! for control. Events are told so when they are made ([`DepTable::selection`]); their own sets are without ([`DepTable::computed`]).

use crate::index_types;
use crate::relation::bits::Bits;
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

/// A set: what a value is computed from, what picked it, and what selected it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Set {
    events: Bits,
    picks: Bits,
    selects: Bits,
}

/// Other sets of the members of a set.
#[derive(Clone, Copy, Debug)]
struct Views {
    computed: DepId,
    selection: DepId,
    control: DepId,
}

/// The table of dependency sets.
#[derive(Clone, Debug)]
pub struct DepTable {
    sets: Vec<Set>,
    /// By set, up to the last that something selected.
    views: Vec<Option<Views>>,
    selected: FxHashMap<(DepId, DepId), DepId>,
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
            views: Vec::new(),
            selected: FxHashMap::default(),
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

    /// Whether a set has all members of another one, in each of the ways in which these are members; with this event in it where the other one has that.
    pub fn covers(&self, set: DepId, own: u32, other: DepId, others: u32) -> bool {
        if other == DepId::NONE || set == other && own == others {
            return true;
        }
        let (set, other) = (&self.sets[set.index()], &self.sets[other.index()]);
        let has_all = |own_part: &Bits, part: &Bits| {
            part.iter().all(|member| own_part.contains(if member == others { own } else { member }))
        };
        has_all(&set.events, &other.events)
            && has_all(&set.picks, &other.picks)
            && has_all(&set.selects, &other.selects)
    }

    /// Whether two sets have the same members, whatever picked what.
    #[inline]
    pub fn same_members(&self, a: DepId, b: DepId) -> bool {
        a == b || self.has_picks && self.get(a) == self.get(b)
    }

    fn intern(&mut self, set: Set) -> DepId {
        if set.events.is_empty() && set.picks.is_empty() && set.selects.is_empty() {
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
        self.ids.insert(set.clone(), id);
        if !set.selects.is_empty() {
            self.look_at(id, set);
        }
        id
    }

    /// Makes the other sets of a set that something selected.
    fn look_at(&mut self, id: DepId, set: Set) {
        let Set { events, picks, selects } = set;
        let mut all = events.clone();
        all.union_with(&selects);
        let views = Views {
            computed: self.intern(Set { events, picks: picks.clone(), selects: Bits::new() }),
            selection: self.intern(Set { events: selects, ..Set::default() }),
            control: self.intern(Set { events: all, picks, selects: Bits::new() }),
        };
        if self.views.len() <= id.index() {
            self.views.resize(id.index() + 1, None);
        }
        self.views[id.index()] = Some(views);
    }

    #[inline]
    fn views(&self, id: DepId) -> Option<Views> {
        self.views.get(id.index()).copied().flatten()
    }

    /// The set without what only selected the value.
    #[inline]
    pub fn computed(&self, id: DepId) -> DepId {
        self.views(id).map_or(id, |views| views.computed)
    }

    /// What selected the value: what uses it depends on this for control.
    #[inline]
    pub fn selection(&self, id: DepId) -> DepId {
        self.views(id).map_or(DepId::NONE, |views| views.selection)
    }

    /// What depends on a condition of this set does so for control: on all that the condition is computed from, and selected by.
    #[inline]
    pub fn control(&self, id: DepId) -> DepId {
        self.views(id).map_or(id, |views| views.control)
    }

    /// What a value depends on that a condition selected, given what the condition depends on for control.
    pub fn selected(&mut self, value: DepId, condition: DepId) -> DepId {
        if condition == DepId::NONE {
            return value;
        }
        if let Some(&id) = self.selected.get(&(value, condition)) {
            return id;
        }
        let mut set = self.sets[value.index()].clone();
        let control = self.control(condition);
        set.selects.union_with(&self.sets[control.index()].events);
        let id = self.intern(set);
        self.selected.insert((value, condition), id);
        id
    }

    /// The set with one member.
    pub fn singleton(&mut self, member: u32) -> DepId {
        match self.singletons.get(member as usize) {
            Some(&id) if id != DepId::NONE => id,
            _ => {
                let id = self.intern(Set { events: Bits::from_iter([member]), ..Set::default() });
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
        let Set { events, picks, selects } = &self.sets[id.index()];
        if picks.is_empty()
            && selects.is_empty()
            && let Some(only) = events.only()
        {
            return self.singleton(name(only));
        }
        let set = Set { events: rename(events), picks: rename(picks), selects: rename(selects) };
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
        set.selects.union_with(&self.sets[b.index()].selects);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_selects_a_value_is_no_part_of_what_it_is_computed_from() {
        let mut table = DepTable::default();
        let [a, b, c] = [1, 2, 3].map(|event| table.singleton(event));
        let selected = table.selected(a, b);
        assert_eq!([table.computed(selected), table.selection(selected)], [a, b]);
        assert_eq!(table.control(selected), table.union(a, b));
        let sum = table.union(selected, c);
        assert_eq!([table.computed(sum), table.selection(sum)], [table.union(a, c), b]);
        let twice = table.selected(c, selected);
        assert_eq!(table.selection(twice), table.union(a, b));
        assert_eq!(table.selected(a, DepId::NONE), a);
    }

    #[test]
    fn names_of_selecting_events_change_too() {
        let mut table = DepTable::default();
        let [a, b] = [1, 2].map(|event| table.singleton(event));
        let selected = table.selected(a, b);
        let renamed = table.renamed(selected, |event| event + 10);
        assert_eq!(table.selection(renamed), table.singleton(12));
    }
}
