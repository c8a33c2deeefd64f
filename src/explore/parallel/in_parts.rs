//! The search of a program as one that is done in parts ([`crate::explore::parallel::divide`]).
//!
//! A place is a line: the beginning of the program (a number, and `+` where all later ones belong to the part), from which turn on what is left belongs to the part, what
//! is left of the last choice (`next`, or `next/revisits`), and the turns.

use crate::explore::each_start;
use crate::explore::engine::context::{Numbers, World};
use crate::explore::holes::known::Found;
use crate::explore::options::Options;
use crate::explore::parallel::divide::{Dividable, Item, Searched, Seen, Slice, Worthless};
use crate::explore::parallel::notes::{All, Notes};
use crate::explore::parallel::parts::{Single, Split};
use crate::explore::parallel::path::{Path, Rest, Turn};
use crate::explore::parallel::team::{Beginning, Task, explore_shared};
use crate::explore::statistics::Statistics;
use crate::explore::visitor::{Go, Visitor};
use crate::kernel::plan::Plan;
use crate::program::Program;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Of so many executions a part gives all names; of more, a sample.
const MOST_NAMES: usize = 1 << 16;

/// Where a part begins.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    beginning: usize,
    /// Later beginnings belong to it, too.
    later: bool,
    path: Path,
}

impl Place {
    fn parse(text: &str) -> Option<Place> {
        let mut words = text.split_ascii_whitespace();
        let first = words.next()?;
        let (number, later) = first.strip_suffix('+').map_or((first, false), |number| (number, true));
        let own = words.next()?.parse().ok()?;
        let rest = match words.next() {
            None => None,
            Some(word) => {
                let (next, revisits) = word.split_once('/').map_or((word, None), |(next, n)| (next, Some(n)));
                let revisits = revisits.map(str::parse).transpose().ok()?;
                Some(Rest { next: next.parse().ok()?, revisits })
            }
        };
        let turn = |word: &str| {
            let n = word.get(1..)?.parse().ok()?;
            Some(match word.as_bytes().first()? {
                b's' => Turn::Source(n),
                b'p' => Turn::Position(n),
                b'v' => Turn::Value(n),
                b'r' => Turn::Revisit(n),
                _ => return None,
            })
        };
        let turns = words.map(turn).collect::<Option<Vec<Turn>>>()?;
        Some(Place { beginning: number.parse().ok()?, later, path: Path { turns, own, rest } })
    }

    fn text(&self) -> String {
        let Place { beginning, later, path } = self;
        let mut out = format!("{beginning}{} {}", if *later { "+" } else { "" }, path.own);
        if let Some(Rest { next, revisits }) = path.rest {
            out += &format!(" {next}");
            out += &revisits.map(|n| format!("/{n}")).unwrap_or_default();
        }
        for turn in &path.turns {
            out += &match turn {
                Turn::Source(n) => format!(" s{n}"),
                Turn::Position(n) => format!(" p{n}"),
                Turn::Value(n) => format!(" v{n}"),
                Turn::Revisit(n) => format!(" r{n}"),
            };
        }
        out
    }
}

/// A piece that was searched.
pub(crate) struct Piece<V> {
    pub statistics: Statistics,
    pub seen: V,
    pub go: Go,
    pub notes: Notes,
}

/// Pieces as they come, in depth-first order.
pub(crate) struct Pieces<V> {
    pristine: V,
    /// The piece that is not ended yet.
    last: Option<(Statistics, V, All)>,
    items: Vec<Item>,
    /// Events added in all that was searched.
    events: u64,
    stops: bool,
}

impl<V: Split> Pieces<V> {
    /// None, to be seen by one like this.
    pub fn new(pristine: V) -> Self {
        Pieces { pristine, last: None, items: Vec::new(), events: 0, stops: false }
    }

    /// The next piece was searched.
    pub fn saw(&mut self, piece: Piece<V>) {
        if self.stops {
            return;
        }
        let Piece { statistics, seen: visitor, go, notes } = piece;
        let (counted, seen, noted) =
            self.last.get_or_insert_with(|| (Statistics::default(), self.pristine.fork(), All::default()));
        counted.add(&statistics);
        noted.add(&notes);
        self.events += statistics.events;
        self.stops |= seen.join(visitor) == Go::Stop || go == Go::Stop;
    }

    /// The next piece is left.
    pub fn left(&mut self, place: String) {
        if !self.stops {
            self.end_piece();
            self.items.push(Item::Left(place));
        }
    }

    fn end_piece(&mut self) {
        if let Some((statistics, seen, noted)) = self.last.take() {
            self.items.push(Item::Seen(Box::new(record(statistics, &seen, noted.notes(), self.stops))));
        }
    }

    /// All pieces.
    pub fn into_items(mut self) -> Vec<Item> {
        self.end_piece();
        self.items
    }
}

/// What was seen, as data.
fn record<V: Split>(statistics: Statistics, seen: &V, notes: Notes, stops: bool) -> Seen {
    Seen { statistics, visitor: seen.recorded().unwrap_or_default(), notes, stops }
}

/// What was taken of the parts of a search.
pub(crate) struct Taken<V> {
    pristine: V,
    pub statistics: Statistics,
    pub seen: V,
    noted: All,
}

impl<V: Split> Taken<V> {
    /// Nothing.
    pub fn new(pristine: V) -> Self {
        Taken { seen: pristine.fork(), statistics: Statistics::default(), noted: All::default(), pristine }
    }

    /// What was taken. Tells whoever does the search, with these options, what was noted.
    pub fn told(mut self, options: &Options) -> (Statistics, V) {
        self.noted.tell(&mut self.statistics, options.met.as_deref());
        (self.statistics, self.seen)
    }

    /// See [`Dividable::take`].
    pub fn take(&mut self, seen: &Seen) -> Result<Go, String> {
        let visitor = self.pristine.restored(&seen.visitor)?;
        self.statistics.add(&seen.statistics);
        self.noted.add(&seen.notes);
        let go = self.seen.join(visitor);
        Ok(if seen.stops { Go::Stop } else { go })
    }

    /// See [`Dividable::forget`].
    pub fn forget(&mut self) {
        *self = Taken::new(self.pristine.fork());
    }

    /// See [`Dividable::taken`].
    pub fn record(&self) -> Option<Seen> {
        let (statistics, notes) = (self.statistics, self.noted.notes());
        self.seen.recorded().map(|visitor| Seen { statistics, visitor, notes, stops: false })
    }
}

/// A search of a program in parts.
pub(in crate::explore) struct InParts<'e, V> {
    program: &'e Program,
    plan: &'e Arc<Plan>,
    options: &'e Options,
    taken: Taken<V>,
    /// Tables of the last part, and of which beginning.
    tables: Option<(usize, Numbers, World<'e>)>,
    /// Executions that the current part has found.
    found: Arc<Found>,
}

impl<'e, V: Visitor + Split> InParts<'e, V> {
    /// `options`: those of a search that nothing ends ([`Options::apart`]).
    pub fn new(program: &'e Program, plan: &'e Arc<Plan>, options: &'e Options, pristine: V) -> Self {
        InParts { program, plan, options, taken: Taken::new(pristine), tables: None, found: Arc::default() }
    }

    /// See [`Taken::told`].
    pub fn told(self, options: &Options) -> (Statistics, V) {
        self.taken.told(options)
    }

    /// Searches a part from one beginning. Gives the parts that it leaves, in depth-first order.
    fn part(
        &mut self,
        (number, beginning): (usize, &Beginning<'_>),
        path: &Path,
        slice: &Slice<'_>,
    ) -> Result<(Piece<V>, Vec<Path>), Worthless> {
        let task = Task { program: self.program, plan: self.plan, options: self.options, beginning, found: 0 };
        let (numbers, world) = match self.tables.take() {
            Some((of, numbers, world)) if of == number => (numbers, world),
            _ => {
                let numbers = Numbers::default();
                let mut world = beginning.world(self.program, self.options);
                world.share_numbers(&numbers);
                (numbers, world)
            }
        };
        let left = RefCell::new(Vec::new());
        let give = |path: Path| left.borrow_mut().push(path);
        let single = Single::default();
        let mut visitor = self.taken.pristine.fork();
        let search = task.search(world, &mut visitor).remembering_with(&self.found);
        let (statistics, world, go) = search.run_part(path, single.share(slice, &give));
        let depends_on_timing = numbers.depend_on_timing();
        self.tables = Some((number, numbers, world));
        if single.is_broken() {
            return Err(Worthless::Lost);
        }
        if depends_on_timing {
            return Err(Worthless::Timing);
        }
        if statistics.twofold {
            return Err(Worthless::Twofold);
        }
        // The lowest choices, which come last, are given first.
        let mut left = left.into_inner();
        left.reverse();
        let notes = self.options.drain_notes();
        Ok((Piece { statistics, seen: visitor, go, notes }, left))
    }

    /// Searches a part from one beginning, and tries what it leaves.
    fn pieces(
        &mut self,
        beginning: (usize, &Beginning<'_>),
        path: &Path,
        slice: &Slice<'_>,
        pieces: &mut Pieces<V>,
    ) -> Result<(), Worthless> {
        let (piece, left) = self.part(beginning, path, slice)?;
        pieces.saw(piece);
        for path in left {
            if pieces.stops {
                break;
            }
            let found = Arc::new(Found::default());
            let before = std::mem::replace(&mut self.found, found);
            let tried = match slice.probe {
                events if events > 0 && !(slice.hurries)() => {
                    Some(self.part(beginning, &path, &Slice::of(events))?).filter(|(_, left)| left.is_empty())
                }
                _ => None,
            };
            let found = std::mem::replace(&mut self.found, before);
            match tried {
                Some((piece, _)) => {
                    if !self.found.takes(&found) {
                        return Err(Worthless::Twofold);
                    }
                    pieces.saw(piece);
                }
                None => pieces.left(Place { beginning: beginning.0, later: false, path }.text()),
            }
        }
        Ok(())
    }
}

impl<V: Visitor + Split> Dividable for InParts<'_, V> {
    fn whole(&self) -> Option<&'static str> {
        if self.options.first_of_sources {
            return Some("executions that differ in coherence only are told apart by one thread, which remembers them");
        }
        (self.options.max_work != u64::MAX).then_some("it ends after a certain amount of work")
    }

    fn search(&mut self, place: &str, slice: &Slice<'_>) -> Result<Searched, Worthless> {
        let place = Place::parse(place).ok_or(Worthless::Lost)?;
        let (program, options) = (self.program, self.options);
        self.found = Arc::default();
        let mut pieces = Pieces::new(self.taken.pristine.fork());
        let (mut number, mut outcome, mut ended) = (0, Ok(()), false);
        each_start(program, options, |beginning| {
            let at = number;
            number += 1;
            if at < place.beginning {
                return false;
            }
            let is_first = at == place.beginning;
            if !is_first && !place.later {
                return true;
            }
            if ended {
                pieces.left(Place { beginning: at, later: true, path: Path::default() }.text());
                return true;
            }
            let path = if is_first { place.path.clone() } else { Path::default() };
            outcome = self.pieces((at, &beginning), &path, slice, &mut pieces);
            ended = matches!(pieces.items.last(), Some(Item::Left(_))) || slice.is_over(pieces.events, 0);
            outcome.is_err() || pieces.stops
        });
        outcome?;
        if number <= place.beginning {
            return Err(Worthless::Lost);
        }
        let (names, sampled) = self.found.sample(MOST_NAMES);
        Ok(Searched { items: pieces.into_items(), names, sampled })
    }

    fn search_whole(&mut self, interrupt: &Arc<AtomicBool>) -> Result<Seen, Worthless> {
        let options = Options { interrupt: interrupt.clone(), ..self.options.clone() };
        let mut seen = self.taken.pristine.fork();
        let statistics = explore_shared(self.program, self.plan, &options, &mut seen);
        if interrupt.load(Ordering::Relaxed) {
            return Err(Worthless::Interrupted);
        }
        Ok(record(statistics, &seen, self.options.drain_notes(), false))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_written() {
        let turns = vec![Turn::Source(0), Turn::Position(12), Turn::Value(3), Turn::Revisit(1)];
        for rest in [None, Some(Rest { next: 4, revisits: None }), Some(Rest { next: 0, revisits: Some(7) })] {
            // Without a rest there are no turns.
            let turns = if rest.is_some() { turns.clone() } else { Vec::new() };
            for later in [true, false] {
                let place = Place { beginning: 3, later, path: Path { turns: turns.clone(), own: 2, rest } };
                assert_eq!(Place::parse(&place.text()), Some(place));
            }
        }
        let root = Place { beginning: 0, later: true, path: Path::default() };
        assert_eq!(root.text(), crate::explore::parallel::divide::ROOT);
        assert_eq!(["", "0", "0+ x", "0 0 1 q2", "0 0 1 s", "-1 0"].map(Place::parse), [const { None }; 6]);
    }
}
