//! Whether a revisit that is not made from the graph at hand is made from the one from which it can be.
//!
//! What revisits may keep is found out from what is in holes. That is another thing in each graph, and so a revisit that leaves reads open ([`crate::explore::holes::keep_sets`]) may be thought of here and not where it could be made. Nothing comes of
//! it then, and a larger one that would come of it has to be made. So the graph is sought from which it is maximal, and what revisits of the same read keep there is looked at.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::explore::holes::keep_sets::Open;
use crate::explore::holes::known::Question;
use crate::graph::event::Event;
use crate::ids::EventId;
use crate::relation::bits::Bits;

impl<J: Checker> Search<'_, '_, J> {
    /// Whether a revisit that keeps this is made from its maximal graph. While holes are filled it is taken to be.
    pub(in crate::explore) fn is_made_elsewhere(
        &mut self,
        event: &Event,
        prefix: &Bits,
        r: EventId,
        keep: &Bits,
    ) -> bool {
        if self.filling.lookahead.is_some() {
            return true;
        }
        let key = self.fingerprint(event, r, keep);
        self.answer(key, Question::Made, |search| {
            let read = search.graph.event(r).clone();
            let mut rest = keep.clone();
            rest.remove(r.0);
            let mut is_made = false;
            let goal = search.to_reach(event, &rest);
            search.reaches(&rest, Some(goal), read.stamp, u32::MAX, |search| {
                is_made = search.fill() && search.makes(event, prefix, &read, &rest);
                is_made
            });
            is_made
        })
    }

    /// Whether a revisit of a read that keeps this besides it is made from the graph at hand, where it is maximal.
    fn makes(&mut self, event: &Event, prefix: &Bits, read: &Event, rest: &Bits) -> bool {
        let name = (read.thread, read.key);
        if self.named(name).is_none() && !self.adds_again(read) {
            return false;
        }
        let Some(r) = self.named(name) else { return false };
        // What was older than the read is what a revisit keeps at least.
        self.graph.event_mut(r).stamp = read.stamp;
        let mut keep = rest.clone();
        keep.insert(r.0);
        let grown = self.growing(event, prefix, r, &Open::new());
        let mut all = self.sparing(event, prefix, &grown.needed, r);
        all.extend(grown.keeps());
        all.retain(|other| other.events.iter().all(|e| keep.contains(e)));
        all.iter_mut().for_each(|other| other.is_made = Some(other.events.len() == keep.len()));
        all.sort_by_key(|other| other.events.len());
        self.made(event, prefix, r, &all).iter().any(|(made, _)| made.len() == keep.len())
    }
}
