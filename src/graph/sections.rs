//! Critical sections of locks whose order is witnessed: it is one of those that make the graph consistent, and tells no graphs apart.
//!
//! The order is the coherence of the lock's word: the write of an acquisition, right behind it the release of the same section if there is one, and so on. What an acquisition reads follows from that: the write
//! before its own, or the last one while its own is not there. So a change of the order changes what acquisitions read. The value that they read stays, that of a free lock: where the section before is open, its
//! release is still to come.

use super::Graph;
use super::event::{Kind, NO_EVENT};
use crate::ids::{EventId, LocId, ThreadId};
use smallvec::SmallVec;

/// What a thread does from an acquisition of a lock up to its release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section {
    /// The word of the lock.
    pub loc: LocId,
    /// Whose it is.
    pub thread: ThreadId,
    /// The read of the acquisition.
    pub read: EventId,
    /// Its write, once it is there.
    pub write: Option<EventId>,
    /// The release; none while the section is open.
    pub release: Option<EventId>,
}

impl Section {
    /// Its writes, in their order.
    pub fn writes(&self) -> impl Iterator<Item = EventId> {
        self.write.into_iter().chain(self.release)
    }

    /// Whether its end is still to come.
    pub fn is_open(&self) -> bool {
        self.release.is_none()
    }
}

impl Graph {
    /// Says that the sections of a lock, of which nobody has accessed the word so far, have a witness order.
    pub fn set_witnessed(&mut self, loc: LocId) {
        self.places[loc.index()].witnessed = true;
        if !self.locks.contains(&loc) {
            self.locks.push(loc);
        }
    }

    /// Whether a location is the word of a lock whose sections have a witness order.
    #[inline]
    pub fn is_witnessed(&self, loc: LocId) -> bool {
        !self.locks.is_empty() && self.places.get(loc.index()).is_some_and(|place| place.witnessed)
    }

    /// The words of locks whose sections have a witness order.
    pub fn locks(&self) -> impl Iterator<Item = LocId> + '_ {
        self.locks.iter().copied().filter(|&loc| self.place(loc).is_some_and(|place| place.witnessed))
    }

    /// The sections of such a lock in their order, one whose acquisition has only been begun last.
    pub fn sections(&self, loc: LocId) -> SmallVec<[Section; 8]> {
        let mut all = SmallVec::<[Section; 8]>::new();
        let Some(place) = self.place(loc) else { return all };
        for &w in &place.co[1..] {
            let write = self.event(w);
            match all.last_mut() {
                Some(section) if write.partner == NO_EVENT => section.release = Some(w),
                _ => {
                    let (thread, read) = (write.thread, write.partner);
                    all.push(Section { loc, thread, read, write: Some(w), release: None });
                }
            }
        }
        let begun = self.begun(loc).map(|read| (self.event(read).thread, read));
        all.extend(begun.map(|(thread, read)| Section { loc, thread, read, write: None, release: None }));
        all
    }

    /// The read of an acquisition without its write. There is one at most: nothing is done between the two.
    fn begun(&self, loc: LocId) -> Option<EventId> {
        let place = self.place(loc)?;
        let has_write = |read: EventId| place.co.iter().any(|&w| self.event(w).partner == read);
        place.reads.iter().rev().copied().find(|&read| !has_write(read))
    }

    /// The threads that are inside a section, each with the word of its lock.
    pub fn holders(&self) -> SmallVec<[(ThreadId, LocId); 4]> {
        let mut all = SmallVec::new();
        for loc in self.locks() {
            let Some(place) = self.place(loc) else { continue };
            for (i, &w) in place.co.iter().enumerate().skip(1) {
                let is_taken = self.event(w).partner != NO_EVENT;
                let is_given_back = place.co.get(i + 1).is_some_and(|&next| self.event(next).partner == NO_EVENT);
                if is_taken && !is_given_back {
                    all.push((self.event(w).thread, loc));
                }
            }
        }
        all
    }

    /// Whether some section comes before another one of its lock and is open.
    pub fn has_open_before_others(&self) -> bool {
        self.locks().any(|loc| {
            let Some(place) = self.place(loc) else { return false };
            let is_acquisition = |w: EventId| self.event(w).partner != NO_EVENT;
            let is_between = place.co[1..].windows(2).any(|pair| is_acquisition(pair[0]) && is_acquisition(pair[1]));
            let last_is_open = || place.co[1..].last().is_some_and(|&w| is_acquisition(w));
            is_between || last_is_open() && self.begun(loc).is_some()
        })
    }

    /// Has the acquisitions of a lock read what they read by the order of its sections, if that is a witness.
    #[inline]
    pub(super) fn settle_sections(&mut self, loc: LocId) {
        if self.is_witnessed(loc) {
            self.settle_reads(loc);
        }
    }

    fn settle_reads(&mut self, loc: LocId) {
        let Some(last) = self.last_write(loc) else { return };
        if let Some(begun) = self.begun(loc) {
            self.event_mut(begun).rf = last;
        }
        let place = &self.places[loc.index()];
        for pair in place.co.windows(2) {
            let partner = self.events[pair[1].index()].partner;
            if partner != NO_EVENT {
                self.events[partner.index()].rf = pair[0];
            }
        }
    }

    /// Moves a section to another location, which nothing else accesses and which holds there what the word of its lock holds at first.
    pub fn move_section(&mut self, section: &Section, loc: LocId) {
        let contents = {
            let init = self.event(self.places[section.loc.index()].init);
            (!init.undefined).then_some(init.value)
        };
        let init = self.add_init(loc, contents);
        let gone: SmallVec<[EventId; 3]> = section.writes().chain([section.read]).collect();
        let old = &mut self.places[section.loc.index()];
        old.co.retain(|w| !gone.contains(w));
        old.reads.retain(|r| !gone.contains(r));
        for &e in &gone {
            let row = self.row(e);
            let old = &mut self.places[section.loc.index()];
            old.rows.remove(row);
            old.writes.remove(row);
            self.event_mut(e).loc = loc;
            let is_write = self.event(e).kind == Kind::Write;
            let new = &mut self.places[loc.index()];
            new.rows.insert(row);
            if is_write {
                new.writes.insert(row);
            }
        }
        let new = &mut self.places[loc.index()];
        new.reads.push(section.read);
        new.co.extend(section.writes());
        self.event_mut(section.read).rf = init;
        self.settle_sections(section.loc);
    }

    /// A location that no event names.
    pub fn unused_location(&self) -> LocId {
        LocId::at(self.places.len())
    }
}
