//! Filling holes as they were filled before.
//!
//! What a write needs besides its dependencies can differ with what fills the holes: a loop that its thread leaves at once when its own
//! exclusive store has succeeded may wait for another thread when it has failed. So it is asked whether what fills holes now can come of a smaller revisit too. It can if
//! the holes can be filled with the same choices, sources and places in coherence. A read whose source is not there
//! yet may read anything: it is revisited later, and what was added after it is done again then, so from there on all is free. Whether it can be revisited then,
//! with what was kept before the revisit behind it still there, is asked next ([`crate::explore::holes::trial`]).

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::explore::holes::keep_sets::Keep;
use crate::explore::holes::known::{Held, Name, Script};
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_EVENT};
use crate::ids::EventId;
use crate::relation::bits::Bits;

impl<J: Checker> Search<'_, '_, J> {
    /// What an event is called; a source that is being exchanged has no name that another event has.
    pub(in crate::explore) fn name_of(&self, e: EventId) -> Name {
        if e == NO_EVENT {
            return (INIT_THREAD, u64::MAX);
        }
        let event = self.graph.event(e);
        (event.thread, event.key)
    }

    pub(in crate::explore) fn named(&self, (t, key): Name) -> Option<EventId> {
        let lane = self.graph.lanes().get(t.index())?;
        lane.order.iter().copied().find(|&e| self.graph.event(e).key == key)
    }

    /// The choices of the events that are in `full` and not in `keep`; reads that it leaves open are to read the write.
    pub(in crate::explore) fn script(
        &self,
        keep: &Bits,
        write: &Event,
        Keep { events: full, open, .. }: &Keep,
    ) -> Script {
        let write = (write.thread, write.key);
        let open = open.iter().map(|&e| (self.name_of(e), Held::Source(write)));
        let held = full.iter().filter(|&e| !keep.contains(e)).map(EventId).filter_map(|e| {
            let event = self.graph.event(e);
            let held = match event.kind {
                Kind::Choose => Held::Value(event.value),
                Kind::Read => Held::Source(self.name_of(event.rf)),
                Kind::Write => {
                    let co = &self.graph.place(event.loc).filter(|place| !place.unordered)?.co[1..];
                    let (before, behind) = co.split_at(co.iter().position(|&w| w == e)?);
                    let names = |writes: &[EventId]| {
                        writes.iter().filter(|w| full.contains(w.0)).map(|&w| self.name_of(w)).collect()
                    };
                    Held::Place(names(before), names(&behind[1..]))
                }
                _ => return None,
            };
            Some((self.name_of(e), held))
        });
        Script(held.chain(open).collect())
    }

    /// Whether a read that was not there when the script was written has another source than it says.
    pub(in crate::explore) fn strays_from_script(&self) -> bool {
        let Script(script) = &self.filling.script;
        script.iter().any(|(name, held)| match held {
            Held::Source(source) => self.named(*name).is_some_and(|e| self.name_of(self.graph.event(e).rf) != *source),
            _ => false,
        })
    }

    /// Whether a choice that is made (for a write: this place in coherence), but not added yet, is one that must be made.
    pub(in crate::explore) fn follows_script(&self, event: &Event, co: usize) -> bool {
        let Script(script) = &self.filling.script;
        let Some((_, held)) = script.iter().find(|(name, _)| *name == (event.thread, event.key)) else { return true };
        if self.strays_from_script() {
            return true;
        }
        match held {
            Held::Value(value) => event.value == *value,
            Held::Source(source) => {
                let is_there = source.0 == INIT_THREAD || self.named(*source).is_some();
                !is_there || self.name_of(event.rf) == *source
            }
            Held::Place(before, behind) => self.graph.place(event.loc).is_none_or(|place| {
                let has = |writes: &[EventId], names: &[Name]| writes.iter().any(|&w| names.contains(&self.name_of(w)));
                !has(&place.co[1..co], behind) && !has(&place.co[co..], before)
            }),
        }
    }
}
