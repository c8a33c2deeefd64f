//! Executions of few events under checks that are unions of paths: one word a row, or two, four, or sixteen, and little work an event.
//!
//! A session starts with this where the plan allows it ([`SmallCode::compile`]), and goes over to the code for any plan and
//! any size (`State`, `Eval`) when something happens that this does not handle: too many events, or edges between older events that it has no use for. An execution of one word a row goes
//! over to two first, then to four, and then to sixteen; the storage of forms that it is not in is kept for the next one that grows (`Rooms`).
//! [`Small::history`] is what the other one is told then.
//!
//! What is kept of an execution: the members of each set; for each event one row of sources for each relation, one of targets for those
//! relations that are often followed forwards from older events (and neither for relations that nothing follows from an older event: those of a
//! new one are in its delta); and for each cycle check one row of successors in the union of its
//! paths, and one of the predecessors that it had when it was new. Besides the relations that are given there are a few that follow from them (`derive`): transitive closures, and paths with a condition on their ends that
//! are part of other paths.
//!
//! What an event adds to a relation or a check is found by its place on the paths: a new event is the first one of a path, the last, or one in the middle. Which
//! of these it can be is mostly known from the sets that it is in and from which of its words are empty (`Term`, `prepared`), and what several paths share is
//! walked once (`automaton`). So a new event has
//! successors, most of them found in one step; it rarely has predecessors, and only then is a cycle looked for, from it to them. An event's successors are older than
//! it, unless they were entered later; so where none of the events that are as old as where the search begins was given a later one, there is no cycle, however
//! many predecessors there are. Where it
//! is in the middle, the events before it have new successors, from which a cycle would lead back to them.
//!
//! An event may come to be in a set when it is no longer new, by an edge of a new event (`late`): then what paths lead through it at the places
//! where it could not be before is gained.
//!
//! Checks that may look at complete executions only, and flags, are evaluated as a whole when they are asked for (`finish`). Relations that only they
//! look at have empty rows until then. Where some of them are no unions of paths, the code for any plan is told of the execution ([`Small::tell`]) and evaluates them.
//!
//! Undoing takes the newest event out of all sets and rows; only what older events gained is on a log, as are changes of their sets. What is set aside is taken out at
//! once, with the rows as they are, and put back so (`aside`).
//!
//! Limits: at most 1,024 events, 32 relations, 64 sets, 32 conditions.

mod aside;
mod automaton;
mod check;
mod code;
mod compile;
mod derive;
mod finish;
mod history;
mod late;
mod path;
mod prepared;
mod walk;
mod wider;
mod width;

pub(super) use code::{Input, SmallCode};
pub(super) use compile::{Last, Numbered, Wishes};
pub use path::Ends;
pub use width::{Addition, SmallEvent};
pub(super) use width::{AnySmall, Rooms};

use super::row::{self, Row, bits};
use code::{MOST_CHECKS, MOST_STATES};
use prepared::Known;

/// There is room for so many events at first.
const FIRST: usize = 16;

/// Words of sources.
const EVEN: u64 = u64::MAX / 3;

/// What is being added: an event, or edges of one that is there. Words of relations are by twice their number for sources, one more
/// for targets.
struct Delta<const N: usize> {
    /// Whether there is one.
    open: bool,
    row: usize,
    /// Whether the event is new.
    fresh: bool,
    /// Which sets it is a member of.
    sets: u64,
    /// Which words have a bit; others mean nothing.
    filled: u64,
    words: [Row<N>; 64],
    /// All events at the other ends of its edges, but for those that are known to be there.
    others: Row<N>,
}

/// A delta that was taken over.
#[derive(Clone, Copy)]
struct Record {
    row: u16,
    fresh: bool,
    sets: u64,
    filled: u64,
    /// Where its words begin.
    words: u32,
    /// The length of the log before.
    log: u32,
    /// How many changes of sets there were before.
    changes: u32,
}

/// A frame: the number of records, and what was violated.
#[derive(Clone, Copy)]
struct Frame {
    records: usize,
    violated: Option<usize>,
}

/// What was set aside together: how many frames stayed, where it begins on the stacks, and what else was so then.
#[derive(Clone)]
struct Lot {
    kept: usize,
    records: usize,
    words: usize,
    frames: usize,
    rows: usize,
    log: usize,
    changes: usize,
    written: usize,
    /// Whether all rows were set aside; and then how many records had been entered for checks of complete executions.
    swapped: Option<usize>,
    violated: Option<usize>,
}

/// Records and their words, the oldest first.
struct Stack<const N: usize> {
    records: Vec<Record>,
    words: Vec<Row<N>>,
    frames: Vec<Frame>,
}

/// See the module.
pub(super) struct Small<const N: usize> {
    /// All events, then the members of each set, by its number. An event stays in the sets that it was in when it is taken back: those that are there
    /// are in the first. Mostly it comes again, in the same ones.
    sets: [Row<N>; 64],
    /// The sets that each event that has been there is in, as it was added.
    member_of: Vec<u64>,
    /// The rows that belong to no event, then those of all events, each with as many as the code says ([`SmallCode::at`]). The rows of an event that is
    /// not there may hold anything.
    rows: Vec<Row<N>>,
    /// One more than the highest row number since the last reset.
    high: usize,
    delta: Delta<N>,
    /// Relations that have had edges in this execution or an earlier one, by the bit of their even words: along others no step leads anywhere.
    met: u64,
    stack: Stack<N>,
    /// Overwritten words of rows.
    log: Vec<(u32, Row<N>)>,
    /// Changes of the sets that events are in.
    changes: Vec<Change>,
    /// How many records have been entered in the rows that only checks of complete executions need.
    finished: usize,
    /// How many of the first records are as the code for any plan was told.
    told: usize,
    aside: Stack<N>,
    /// The rows of events that were set aside, by their numbers, and the log and the changes.
    aside_rows: Vec<Row<N>>,
    aside_log: Vec<(u32, Row<N>)>,
    aside_changes: Vec<Change>,
    /// What was in the rows that setting aside has overwritten.
    aside_written: Vec<(u32, Row<N>)>,
    /// Arrays of rows that were set aside as a whole, and others that are free.
    aside_whole: Vec<Vec<Row<N>>>,
    spare: Vec<Vec<Row<N>>>,
    lots: Vec<Lot>,
    /// The pruning check that is violated, once one is.
    violated: Option<usize>,
    /// What the delta adds to each check, or to a derived relation, while that is found out.
    found: [Found<N>; MOST_CHECKS],
    pairs: Vec<Pairs<N>>,
    /// The events of each state of an automaton that is being run.
    states: [Row<N>; MOST_STATES],
    /// What relations gained between events that were there.
    gains: Vec<Gain<N>>,
    /// Events that are there, and the sets on paths that they came to be in.
    joined: Vec<(usize, u64)>,
    known: Known,
}

/// Something that cannot be handled.
pub(super) enum Beyond {
    /// There is no such row.
    Size,
    /// Something else, in any size.
    Kind,
}

impl<const N: usize> Small<N> {
    /// Row numbers are below this.
    pub const ROWS: usize = 64 * N;

    /// An execution without events.
    pub fn new(code: &SmallCode) -> Self {
        Small {
            sets: [row::none(); 64],
            member_of: vec![0; FIRST],
            rows: vec![row::none(); code.rows_up_to(FIRST)],
            high: 0,
            delta: Delta {
                open: false,
                row: 0,
                fresh: false,
                sets: 0,
                filled: 0,
                words: [row::none(); 64],
                others: row::none(),
            },
            met: 0,
            stack: Stack::default(),
            log: Vec::new(),
            changes: Vec::new(),
            finished: 0,
            told: 0,
            aside: Stack::default(),
            aside_rows: Vec::new(),
            aside_log: Vec::new(),
            aside_changes: Vec::new(),
            aside_written: Vec::new(),
            aside_whole: Vec::new(),
            spare: Vec::new(),
            lots: Vec::new(),
            violated: None,
            found: [Found::NONE; MOST_CHECKS],
            pairs: Vec::new(),
            states: [row::none(); MOST_STATES],
            gains: Vec::new(),
            joined: Vec::new(),
            known: Known::default(),
        }
    }

    /// Back to no events and no frames.
    pub fn reset(&mut self, code: &SmallCode) {
        self.sets = [row::none(); 64];
        self.member_of.fill(0);
        self.rows[..code.rows_up_to(0)].fill(row::none());
        self.high = 0;
        self.delta.open = false;
        for stack in [&mut self.stack, &mut self.aside] {
            stack.records.clear();
            stack.words.clear();
            stack.frames.clear();
        }
        self.log.clear();
        self.changes.clear();
        self.finished = 0;
        self.told = 0;
        self.aside_rows.clear();
        self.aside_log.clear();
        self.aside_changes.clear();
        self.aside_written.clear();
        self.spare.append(&mut self.aside_whole);
        self.lots.clear();
        self.violated = None;
    }

    /// The rows of all events.
    pub fn events(&self) -> &[u64] {
        &self.sets[0]
    }

    fn open(&mut self, row: usize, fresh: bool) {
        let delta = &mut self.delta;
        (delta.open, delta.row, delta.fresh, delta.sets, delta.filled) = (true, row, fresh, 0, 0);
        delta.others = row::none();
    }

    /// Goes on with the delta at hand, if it is one of this event; else begins another one.
    #[inline]
    fn at(&mut self, code: &SmallCode, row: u32) -> Result<(), Beyond> {
        if self.delta.open && self.delta.row == row as usize {
            return Ok(());
        }
        self.settle(code)?;
        if row as usize >= Self::ROWS {
            return Err(Beyond::Size);
        }
        self.open(row as usize, false);
        Ok(())
    }

    /// Adds an event.
    #[inline]
    pub fn add_event(&mut self, code: &SmallCode, row: u32) -> Result<(), Beyond> {
        self.settle(code)?;
        if row as usize >= Self::ROWS {
            return Err(Beyond::Size);
        }
        if row::has(&self.sets[0], row as usize) {
            return Err(Beyond::Kind);
        }
        self.make_room(code, row as usize);
        self.open(row as usize, true);
        Ok(())
    }

    #[inline]
    fn make_room(&mut self, code: &SmallCode, row: usize) {
        if row >= self.high {
            self.high = row + 1;
            if self.high > self.member_of.len() {
                let room = self.high.next_power_of_two();
                self.member_of.resize(room, 0);
                self.rows.resize(code.rows_up_to(room), row::none());
            }
        }
    }

    /// Makes an event a member of an input set.
    #[inline]
    pub fn add_to_set(&mut self, code: &SmallCode, input: usize, row: u32) -> Result<(), Beyond> {
        let Input::Set(set) = code.inputs[input] else { return Ok(()) };
        self.at(code, row)?;
        let is_member = row::has(&self.sets[set as usize], row as usize);
        if !self.delta.fresh && !is_member {
            return Err(Beyond::Kind);
        }
        self.delta.sets |= 1 << set;
        Ok(())
    }

    /// Adds edges of an event to an input relation: to `others`, or from them.
    #[inline]
    pub fn add_edges(
        &mut self,
        code: &SmallCode,
        input: usize,
        row: u32,
        others: &[u64],
        outgoing: bool,
    ) -> Result<(), Beyond> {
        let Input::Relation(relation) = code.inputs[input] else { return Ok(()) };
        self.at(code, row)?;
        if others.iter().skip(N).any(|&word| word != 0) {
            return Err(Beyond::Size);
        }
        let others = std::array::from_fn(|k| others.get(k).copied().unwrap_or(0));
        self.delta.add(2 * relation as usize + usize::from(outgoing), &others);
        Ok(())
    }

    /// Makes the event that is being added a member of some sets.
    #[inline]
    pub fn join(&mut self, sets: u64) {
        self.delta.sets |= sets;
    }

    /// Adds edges of the event that is being added.
    #[inline]
    pub fn relate(&mut self, code: &SmallCode, input: usize, targets: &Row<N>, sources: &Row<N>) {
        if let Input::Relation(relation) = code.inputs[input] {
            self.delta.add(2 * relation as usize + 1, targets);
            self.delta.add(2 * relation as usize, sources);
        }
    }

    /// Enters all edges that the event that is being added has in an input relation: from some events, and to the same ones or to none. That these can be
    /// its ends is left to the caller.
    #[inline]
    pub fn set_edges(&mut self, code: &SmallCode, input: usize, others: &Row<N>, both: bool) {
        if let Input::Relation(relation) = code.inputs[input] {
            debug_assert!(self.can_be_ends(others, both), "edges lead between events that are there");
            self.delta.set(2 * relation as usize, others);
            if both {
                self.delta.set(2 * relation as usize + 1, others);
            }
        }
    }

    fn can_be_ends(&self, others: &Row<N>, both: bool) -> bool {
        let mut older = *others;
        if both {
            row::remove(&mut older, self.delta.row);
        }
        self.delta.fresh && row::is_none(&row::minus(&older, &self.sets[0]))
    }

    /// Takes over what was added last.
    #[inline]
    pub fn settle(&mut self, code: &SmallCode) -> Result<(), Beyond> {
        if self.delta.open { self.take_over(code) } else { Ok(()) }
    }

    /// The pruning check that is violated. Everything that was added has been taken over.
    pub fn violated(&self) -> Option<usize> {
        self.violated
    }
}

impl<const N: usize> Default for Stack<N> {
    fn default() -> Self {
        Stack { records: Vec::new(), words: Vec::new(), frames: Vec::new() }
    }
}

impl<const N: usize> Delta<N> {
    #[inline]
    fn add(&mut self, word: usize, more: &Row<N>) {
        if !row::is_none(more) {
            self.words[word] = row::or(&self.word(word), more);
            self.filled |= 1 << word;
            row::join(&mut self.others, more);
        }
    }

    /// Enters a word that has no bit yet. Who does that knows the other ends.
    #[inline]
    fn set(&mut self, word: usize, all: &Row<N>) {
        debug_assert!(self.filled >> word & 1 == 0, "a word is entered once");
        if !row::is_none(all) {
            self.words[word] = *all;
            self.filled |= 1 << word;
        }
    }

    /// The relations that it has edges of, by the bit of their even words.
    #[inline]
    fn relations(&self) -> u64 {
        (self.filled | self.filled >> 1) & EVEN
    }

    #[inline]
    fn word(&self, word: usize) -> Row<N> {
        if self.filled >> word & 1 == 1 { self.words[word] } else { row::none() }
    }
}

/// Something that there is of an event. Inputs are given by their numbers.
pub(super) enum Fact<'a> {
    /// The event.
    New,
    /// It is in an input set.
    Member(usize),
    /// An input relation leads from it to some events.
    To(usize, &'a [u64]),
    /// And to it from some.
    From(usize, &'a [u64]),
}

/// What a session did, in a form that another one can do again.
pub(super) enum Act {
    /// Opened a frame.
    Push,
    /// Added an event, or edges of one that was there: whether it is new, its input sets; inputs with targets, with sources.
    Add { row: u32, fresh: bool, sets: Vec<usize>, to: Vec<(usize, Box<[u64]>)>, from: Vec<(usize, Box<[u64]>)> },
    /// Set frames aside, from this one on.
    SetAside(usize),
}

/// An event, and the sets that it comes to be in or is not in any more.
#[derive(Clone, Copy)]
struct Change {
    event: u16,
    sets: u64,
}

impl Change {
    /// Makes the change, or takes it back.
    pub fn flip<const N: usize>(self, sets: &mut [Row<N>; 64]) {
        bits(self.sets).for_each(|set| row::flip(&mut sets[set], self.event as usize));
    }
}

/// What was found of a relation so far: events that the new one is related to, those that are related to it.
#[derive(Clone, Copy)]
struct Found<const N: usize> {
    pub after: Row<N>,
    pub before: Row<N>,
}

/// New pairs of events: each of `sources` is related to all of `targets` in some checks, or in the relation at hand.
#[derive(Clone, Copy)]
struct Pairs<const N: usize> {
    pub checks: u32,
    pub sources: Row<N>,
    pub targets: Row<N>,
}

/// The same for edges that a relation gained between events that were there. Some may have been there as well.
#[derive(Clone, Copy)]
struct Gain<const N: usize> {
    pub relation: u8,
    pub sources: Row<N>,
    pub targets: Row<N>,
}

impl<const N: usize> Found<N> {
    /// Nothing.
    pub const NONE: Self = Found { after: [0; N], before: [0; N] };

    #[inline]
    pub fn is_none(&self) -> bool {
        row::is_none(&row::or(&self.after, &self.before))
    }
}
