//! Scratch slots of a schedule share storage: a slot lives from the item that writes it to the last item that reads it.

use super::code::{Item, Mention, RelSlot, SetSlot};
use rustc_hash::FxHashMap;

/// Renumbers the slots of `items` from `sets` and `rels` on, reusing those that are dead. Returns the numbers of slots that are
/// then in use in total.
pub(in crate::kernel) fn allocate(items: &mut [Item], sets: u32, rels: u32) -> (u32, u32) {
    let mut set_ends: FxHashMap<u32, usize> = FxHashMap::default();
    let mut rel_ends: FxHashMap<u32, usize> = FxHashMap::default();
    for (at, item) in items.iter_mut().enumerate() {
        item.visit(&mut |mention| {
            match mention {
                Mention::Set(slot, _) if slot.0 >= sets => set_ends.insert(slot.0, at),
                Mention::Rel(slot, _) if slot.0 >= rels => rel_ends.insert(slot.0, at),
                _ => None,
            };
        });
    }
    let mut set_bank = Bank { base: sets, next: sets, ..Bank::default() };
    let mut rel_bank = Bank { base: rels, next: rels, ..Bank::default() };
    for (at, item) in items.iter_mut().enumerate() {
        item.visit(&mut |mention| match mention {
            Mention::Set(slot, _) => *slot = SetSlot(set_bank.place(slot.0)),
            Mention::Rel(slot, _) => *slot = RelSlot(rel_bank.place(slot.0)),
        });
        set_bank.release(at, &set_ends);
        rel_bank.release(at, &rel_ends);
    }
    (set_bank.next, rel_bank.next)
}

#[derive(Default)]
struct Bank {
    base: u32,
    next: u32,
    idle: Vec<u32>,
    live: FxHashMap<u32, u32>,
}

impl Bank {
    fn place(&mut self, virtual_slot: u32) -> u32 {
        if virtual_slot < self.base {
            return virtual_slot;
        }
        if let Some(&slot) = self.live.get(&virtual_slot) {
            return slot;
        }
        let slot = self.idle.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        self.live.insert(virtual_slot, slot);
        slot
    }

    fn release(&mut self, at: usize, ends: &FxHashMap<u32, usize>) {
        let idle = &mut self.idle;
        self.live.retain(|virtual_slot, slot| {
            let keep = ends.get(virtual_slot).is_some_and(|&end| end > at);
            if !keep {
                idle.push(*slot);
            }
            keep
        });
        // Lowest first, for the same numbering in every run.
        idle.sort_unstable_by(|a, b| b.cmp(a));
    }
}
