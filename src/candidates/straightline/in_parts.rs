//! The search of a program with fixed events as one that is done in parts ([`crate::explore::parallel::divide`]).
//!
//! A place is a line: the number of the run (and `+` where later sets belong to the part), the guesses, and what each choice on the way has taken and has left (`taken/left`).

use super::assign::Assigner;
use super::sets::each_set;
use super::share::{Level, Set, Way};
use super::threads::Ended;
use super::{Part, Shape};
use crate::explore::parallel::divide::{Dividable, Searched, Seen, Slice, Worthless};
use crate::explore::parallel::in_parts::{Piece, Pieces, Taken};
use crate::explore::parallel::parts::{Single, Split};
use crate::explore::{Go, Options, Statistics, Visitor};
use crate::kernel::plan::Plan;
use crate::program::{Program, Start};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A search in parts.
pub(super) struct InParts<'e, V> {
    program: &'e Program,
    shape: &'e Shape,
    plan: &'e Arc<Plan>,
    options: &'e Options,
    fresh: Part<V>,
    taken: Taken<Part<V>>,
}

impl<'e, V: Visitor + Split> InParts<'e, V> {
    /// `options`: those of a search that nothing ends.
    pub fn new(
        program: &'e Program,
        shape: &'e Shape,
        plan: &'e Arc<Plan>,
        options: &'e Options,
        fresh: Part<V>,
    ) -> Self {
        InParts { program, shape, plan, options, taken: Taken::new(fresh.fork()), fresh }
    }

    /// See [`Taken::told`].
    pub fn told(self, options: &Options) -> (Statistics, Part<V>) {
        self.taken.told(options)
    }

    /// Searches a part. Gives the parts that it leaves, in depth-first order.
    fn part(&self, way: Way, slice: &Slice<'_>) -> (Piece<Part<V>>, Vec<Way>) {
        let left = RefCell::new(Vec::new());
        let give = |way: Way| left.borrow_mut().push(way);
        let single = Single::default();
        let mut part = self.fresh.fork();
        let mut assigner = Assigner::new(self.plan, self.program, &self.shape.guessed, &mut part.seen);
        assigner.begin(way, single.share(slice, &give));
        let ended = match &self.program.start {
            Start::Together(entries) => each_set(self.program, entries, self.options, &mut assigner),
            Start::Main(_) => Err(Ended::Unsuitable),
        };
        let mut statistics = assigner.statistics;
        drop(assigner);
        statistics.stopped = matches!(ended, Err(Ended::Stopped | Ended::Sated));
        part.is_unsuitable = matches!(ended, Err(Ended::Unsuitable));
        let stops = part.is_unsuitable || statistics.stopped;
        // The lowest choices, which come last, are given first.
        let mut left = left.into_inner();
        left.reverse();
        let go = if stops { Go::Stop } else { Go::On };
        (Piece { statistics, seen: part, go, notes: self.options.drain_notes() }, left)
    }
}

impl<V: Visitor + Split> Dividable for InParts<'_, V> {
    fn whole(&self) -> Option<&'static str> {
        None
    }

    fn search(&mut self, place: &str, slice: &Slice<'_>) -> Result<Searched, Worthless> {
        let way = parse(place, self.shape.guessed.len()).ok_or(Worthless::Lost)?;
        let mut pieces = Pieces::new(self.fresh.fork());
        let (piece, left) = self.part(way, slice);
        pieces.saw(piece);
        for way in left {
            let is_tried = slice.probe > 0 && !(slice.hurries)();
            let tried = is_tried.then(|| self.part(way.clone(), &Slice::of(slice.probe)));
            match tried.filter(|(_, left)| left.is_empty()) {
                Some((piece, _)) => pieces.saw(piece),
                None => pieces.left(text(&way)),
            }
        }
        Ok(Searched { items: pieces.into_items(), ..Searched::default() })
    }

    fn search_whole(&mut self, _: &Arc<AtomicBool>) -> Result<Seen, Worthless> {
        Err(Worthless::Lost)
    }

    fn take(&mut self, seen: &Seen) -> Result<Go, String> {
        self.taken.take(seen)
    }

    fn forget(&mut self) {
        self.taken.forget();
    }

    fn leave_open(&mut self) {
        self.taken.statistics.stopped = true;
    }

    fn taken(&self) -> Option<Seen> {
        self.taken.record()
    }
}

fn text(way: &Way) -> String {
    let mut out = format!("{}{}", way.set.run, if way.is_last { "" } else { "+" });
    out += " g";
    out += &way.set.chosen.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    for level in &way.levels {
        out += &format!(" {}/{}", level.taken, level.left);
    }
    out
}

/// Reads a place; the place of the whole search is that of any search.
fn parse(text: &str, guessed: usize) -> Option<Way> {
    if text == crate::explore::parallel::divide::ROOT {
        return Some(Way::default());
    }
    let mut words = text.split_ascii_whitespace();
    let first = words.next()?;
    let (run, is_last) = first.strip_suffix('+').map_or((first, true), |run| (run, false));
    let numbers = words.next()?.strip_prefix('g')?;
    let chosen =
        numbers.split(',').filter(|n| !n.is_empty()).map(str::parse).collect::<Result<Vec<usize>, _>>().ok()?;
    let level = |word: &str| {
        let (taken, left) = word.split_once('/')?;
        Some(Level { taken: taken.parse().ok()?, left: left.parse().ok()? })
    };
    let levels = words.map(level).collect::<Option<Vec<Level>>>()?;
    let set = Set { chosen, run: run.parse().ok()? };
    (set.chosen.len() == guessed).then_some(Way { set, levels, is_last })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_written() {
        for (chosen, is_last) in [(vec![], true), (vec![0, 3], false)] {
            let levels = vec![Level { taken: 2, left: 0 }, Level { taken: 0, left: 5 }];
            let way = Way { set: Set { chosen, run: 4 }, levels, is_last };
            assert_eq!(parse(&text(&way), way.set.chosen.len()), Some(way));
        }
        assert_eq!(["", "0", "1 g0 x", "1 g", "1+ g0 1/"].map(|text| parse(text, 1)), [const { None }; 5]);
    }
}
