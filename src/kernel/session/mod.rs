//! A growing execution under a plan: add rows, check, undo.
//!
//! What is guaranteed:
//!
//! - The answers are those of the plain evaluator (`algebra::naive`) on the events, memberships, edges and values added and
//!   not undone; tests compare the two on random models and histories.
//! - Between two resets everything is additive, and [`Session::pop`] undoes exactly what happened since the matching
//!   [`Session::push`].
//! - Nothing is allocated once the buffers have reached the size that the executions need.
//! - Relations are dense: a session takes `slots * n * n / 8` bytes at `n` rows. At most [`MAX_ROWS`] rows.
//!
//! Contract: an edge is added after (or together with, before the next check) both its events.

pub(super) mod answers;
mod complete;

use crate::kernel::eval::{Eval, Scratch};
use crate::kernel::plan::Plan;
use crate::kernel::plan::code::{Code, InputSlots, Item, UNIVERSE};
use crate::kernel::plan::wake::Wake;
use crate::kernel::small::{Act, AnySmall, Beyond, Rooms, SmallCode, SmallEvent};
use crate::kernel::state::spare::Storage;
use crate::kernel::state::{State, WIDTHS};
use std::sync::Arc;

/// Row numbers are below this.
pub const MAX_ROWS: u32 = 64 * WIDTHS[WIDTHS.len() - 1] as u32;

/// One worker's execution: rows are added, checked and undone.
pub struct Session {
    plan: Arc<Plan>,
    /// The execution, as long as it is small and the plan of a certain kind; the rest is not used then, but for checks of complete executions that
    /// have no such form ([`Self::shown`]).
    small: Option<AnySmall>,
    rooms: Rooms,
    state: State,
    scratch: Scratch,
    frames: Vec<Frame>,
    /// Frames that were set aside, and where each lot begins.
    aside: Vec<Frame>,
    lots: Vec<Lot>,
    /// The pruning check that is violated, once one is.
    violated: Option<usize>,
    /// Whether something was added since the pruning checks were last evaluated.
    pending: bool,
    /// Whether the scratch slots hold what the final checks leave there for the flags.
    finished: bool,
    /// How many additions to the small execution the form for any knows of, and how many it knew of when each of its frames was opened.
    told: usize,
    shown_at: Vec<usize>,
}

impl Drop for Session {
    fn drop(&mut self) {
        // What was interrupted in the middle of an evaluation is not in order.
        if self.has_storage() && !std::thread::panicking() {
            let (state, mut rooms) = (std::mem::take(&mut self.state), std::mem::take(&mut self.rooms));
            // The next execution begins with few events, too.
            let small = self.small.take().map(|small| small.narrowest(&mut rooms));
            self.plan.spare.give(Storage { state, small, rooms });
        }
    }
}

struct Frame {
    trail: usize,
    values: usize,
    violated: Option<usize>,
}

/// Frames that were set aside together.
struct Lot {
    /// How many frames stayed.
    kept: usize,
    /// How many had been set aside before.
    before: usize,
    /// What was violated then.
    violated: Option<usize>,
}

impl Session {
    /// An execution without events.
    pub fn new(plan: Arc<Plan>) -> Session {
        let mut session = Session::unready(plan);
        session.reset();
        session
    }

    /// A session that is to be reset before it is used. It takes no storage before.
    pub fn unready(plan: Arc<Plan>) -> Session {
        Session {
            plan,
            small: None,
            rooms: Rooms::default(),
            state: State::default(),
            scratch: Scratch::default(),
            frames: Vec::new(),
            aside: Vec::new(),
            lots: Vec::new(),
            violated: None,
            pending: true,
            finished: false,
            told: 0,
            shown_at: Vec::new(),
        }
    }

    /// Back to no events and no frames.
    pub fn reset(&mut self) {
        if !self.has_storage() {
            self.take_storage();
        }
        if let (Some(small), Some(code)) = (&mut self.small, &self.plan.code.small) {
            small.reset(code);
        }
        self.state.reset();
        self.frames.clear();
        self.aside.clear();
        self.lots.clear();
        self.violated = None;
        self.pending = true;
        self.finished = false;
        self.told = 0;
        self.shown_at.clear();
    }

    fn has_storage(&self) -> bool {
        self.state.shape.words > 0
    }

    fn take_storage(&mut self) {
        let code = &self.plan.code;
        let fresh = || {
            let state = State::new(code.sets, code.rels, code.orders);
            Storage { state, small: None, rooms: Rooms::default() }
        };
        let Storage { state, small, rooms } = self.plan.spare.take().unwrap_or_else(fresh);
        (self.state, self.rooms) = (state, rooms);
        self.small = small.or_else(|| code.small.as_ref().map(AnySmall::new));
    }

    /// Opens a frame.
    #[inline]
    pub fn push(&mut self) {
        self.settle();
        if let Some(small) = &mut self.small {
            return small.push();
        }
        self.state.catch_up();
        self.frames.push(Frame {
            trail: self.state.trail.len(),
            values: self.state.value_trail.len(),
            violated: self.violated,
        });
        self.state.logging = true;
    }

    /// Undoes everything since the matching [`Session::push`].
    #[inline]
    pub fn pop(&mut self) {
        if let (Some(small), Some(code)) = (&mut self.small, &self.plan.code.small) {
            return small.pop(code);
        }
        if let Some(frame) = self.frames.pop() {
            self.state.undo(frame.trail, frame.values);
            self.violated = frame.violated;
            self.back();
        }
    }

    /// Undoes everything since the push of a frame (counted from the outermost, 0), until [`Session::put_back`]. Without such a frame nothing
    /// is done.
    pub fn set_aside(&mut self, frame: usize) -> bool {
        self.settle();
        if let (Some(small), Some(code)) = (&mut self.small, &self.plan.code.small) {
            return small.set_aside(code, frame);
        }
        self.state.catch_up();
        let Some(first) = self.frames.get(frame) else { return false };
        self.lots.push(Lot { kept: frame, before: self.aside.len(), violated: self.violated });
        self.state.set_aside(first.trail, first.values);
        self.violated = first.violated;
        self.aside.extend(self.frames.drain(frame..));
        self.back();
        true
    }

    /// Undoes what was done since the last [`Session::set_aside`], and does again what that has undone, frames included.
    pub fn put_back(&mut self) {
        if let (Some(small), Some(code)) = (&mut self.small, &self.plan.code.small) {
            return small.put_back(code);
        }
        let Some(lot) = self.lots.pop() else { return };
        while self.frames.len() > lot.kept {
            self.pop();
        }
        self.state.catch_up();
        self.state.put_back();
        self.frames.extend(self.aside.drain(lot.before..));
        self.violated = lot.violated;
        self.back();
    }

    /// The state is one in which everything was evaluated.
    fn back(&mut self) {
        self.state.clean();
        self.pending = false;
        self.finished = false;
        self.state.logging = !self.frames.is_empty();
    }

    /// The rows of all events, as of the last time that something was asked or undone.
    pub fn rows(&mut self) -> &[u64] {
        if let Some(small) = &self.small {
            return small.events();
        }
        self.state.catch_up();
        let words = self.state.shape.words;
        &self.state.array[UNIVERSE.0 as usize * words..][..words]
    }

    /// Adds an event. Its row number may have been used before, by an event that has been undone.
    ///
    /// # Panics
    ///
    /// If `row` is not below [`MAX_ROWS`].
    pub fn add_event(&mut self, row: u32) {
        assert!(row < MAX_ROWS, "an execution of more than {MAX_ROWS} events");
        if self.in_small(|small, code| small.add_event(code, row)) {
            return;
        }
        self.pending = true;
        self.state.catch_up();
        self.state.make_room(row as usize);
        self.state.add_member(UNIVERSE, row as usize);
    }

    /// Adds an event, if the execution is one of few events under a plan of a certain kind; else nothing is done, and it is added by
    /// [`Self::add_event`]. Its edges have both ends among the rows that such an execution can have.
    #[inline]
    pub fn add_small_event(&mut self, row: u32) -> Option<SmallEvent<'_>> {
        if !self.in_small(|small, code| small.add_event(code, row)) {
            return None;
        }
        let (Some(small), Some(code)) = (&mut self.small, &self.plan.code.small) else { return None };
        Some(small.event(code))
    }

    fn input(&mut self, input: usize) -> InputSlots {
        self.pending = true;
        self.state.catch_up();
        self.plan.code.inputs[input]
    }

    /// Makes an event a member of an input set.
    pub fn add_to_set(&mut self, input: usize, row: u32) {
        if self.in_small(|small, code| small.add_to_set(code, input, row)) {
            return;
        }
        if let Some(slot) = self.input(input).set {
            self.state.add_member(slot, row as usize);
        }
    }

    /// Adds an edge from `row` to each target to an input relation.
    pub fn add_row(&mut self, input: usize, row: u32, targets: &[u64]) {
        if self.in_small(|small, code| small.add_edges(code, input, row, targets, true)) {
            return;
        }
        let InputSlots { forward, backward, .. } = self.input(input);
        forward.into_iter().chain(backward).for_each(|slot| self.state.note_edges(slot, row as usize));
        if let Some(slot) = forward {
            self.state.add_targets(slot, row as usize, targets);
        }
        if let Some(slot) = backward {
            self.state.add_column(slot, members(targets), row as usize);
        }
    }

    /// Adds an edge from each source to `row` to an input relation.
    pub fn add_column(&mut self, input: usize, sources: &[u64], row: u32) {
        if self.in_small(|small, code| small.add_edges(code, input, row, sources, false)) {
            return;
        }
        let InputSlots { forward, backward, .. } = self.input(input);
        forward.into_iter().chain(backward).for_each(|slot| self.state.note_edges(slot, row as usize));
        if let Some(slot) = backward {
            self.state.add_targets(slot, row as usize, sources);
        }
        if let Some(slot) = forward {
            self.state.add_column(slot, members(sources), row as usize);
        }
    }

    /// Sets the value that an event carries.
    pub fn set_value(&mut self, row: u32, value: u64) {
        if self.plan.code.uses_values {
            self.pending = true;
            self.state.catch_up();
            self.state.set_value(row as usize, value);
        }
    }

    /// A pruning check that the execution so far violates: among the violated ones, the one that is cheapest to evaluate.
    /// Everything before the last push is taken to be consistent.
    pub fn violated_partial(&mut self) -> Option<usize> {
        self.settle();
        self.found()
    }

    /// The pruning check that was found violated.
    #[inline]
    fn found(&self) -> Option<usize> {
        self.small.as_ref().map_or(self.violated, |small| small.violated())
    }

    /// Evaluates the pruning checks if anything was added since they were evaluated last.
    #[inline]
    fn settle(&mut self) {
        if !self.in_small(|small, code| small.settle(code)) {
            self.evaluate();
        }
    }

    fn evaluate(&mut self) {
        if self.pending {
            self.pending = false;
            self.finished = false;
            if self.violated.is_none() {
                let Session { plan, state, scratch, .. } = self;
                let Code { partial, wakes, .. } = &plan.code;
                self.violated = run(state, scratch, partial, Some(wakes), &mut |_| true);
            }
            self.state.clean();
        }
    }

    /// Does something with a small execution, and tells whether that is all there is to do. An execution that grows beyond what is handled there is
    /// handed over.
    #[inline]
    fn in_small(&mut self, act: impl Fn(&mut AnySmall, &SmallCode) -> Result<(), Beyond>) -> bool {
        let (Some(small), Some(code)) = (&mut self.small, &self.plan.code.small) else { return false };
        match act(small, code) {
            Ok(()) => true,
            Err(why) => self.hand_over(why, &act),
        }
    }

    /// Goes over to a form with room for more events, if that helps, or else to none: then all that was done is done again. Whether there is
    /// such a form and it could do what was about to be done.
    #[cold]
    fn hand_over(&mut self, why: Beyond, act: &dyn Fn(&mut AnySmall, &SmallCode) -> Result<(), Beyond>) -> bool {
        let (Some(small), Some(code)) = (self.small.take(), &self.plan.code.small) else { return false };
        let grown = match why {
            Beyond::Size => small.wider(code, &mut self.rooms),
            Beyond::Kind => Err(small),
        };
        match grown {
            Ok(wider) => self.small = Some(wider),
            Err(small) => {
                let history = small.history(code);
                self.reset();
                history.into_iter().for_each(|act| self.again(act));
            }
        }
        self.in_small(act)
    }

    fn again(&mut self, act: Act) {
        match act {
            Act::Push => self.push(),
            Act::SetAside(frame) => {
                self.set_aside(frame);
            }
            Act::Add { row, fresh, sets, to, from } => {
                if fresh {
                    self.add_event(row);
                }
                sets.into_iter().for_each(|input| self.add_to_set(input, row));
                to.into_iter().for_each(|(input, targets)| self.add_row(input, row, &targets));
                from.into_iter().for_each(|(input, sources)| self.add_column(input, &sources, row));
            }
        }
    }
}

/// Runs a schedule, in full or (given what its items wait for) for what has changed; stops at the first check that speaks up and
/// is accepted by `stop`.
fn run(
    state: &mut State,
    scratch: &mut Scratch,
    items: &[Item],
    changed: Option<&[Wake]>,
    stop: &mut dyn FnMut(usize) -> bool,
) -> Option<usize> {
    state.catch_up();
    match state.shape.words {
        1 => run_wide::<1>(state, scratch, items, changed, stop),
        2 => run_wide::<2>(state, scratch, items, changed, stop),
        4 => run_wide::<4>(state, scratch, items, changed, stop),
        8 => run_wide::<8>(state, scratch, items, changed, stop),
        16 => run_wide::<16>(state, scratch, items, changed, stop),
        32 => run_wide::<32>(state, scratch, items, changed, stop),
        64 => run_wide::<64>(state, scratch, items, changed, stop),
        128 => run_wide::<128>(state, scratch, items, changed, stop),
        256 => run_wide::<256>(state, scratch, items, changed, stop),
        _ => run_wide::<1024>(state, scratch, items, changed, stop),
    }
}

fn run_wide<const N: usize>(
    state: &mut State,
    scratch: &mut Scratch,
    items: &[Item],
    changed: Option<&[Wake]>,
    stop: &mut dyn FnMut(usize) -> bool,
) -> Option<usize> {
    let mut eval = Eval::<N> { state, scratch, in_group: false };
    match changed {
        Some(wakes) => eval.run_changed(items, wakes, stop),
        None => eval.run(items, true, stop),
    }
}

fn members(words: &[u64]) -> impl Iterator<Item = usize> + Clone + '_ {
    words.iter().enumerate().flat_map(|(i, &w)| {
        let mut w = w;
        std::iter::from_fn(move || {
            (w != 0).then(|| {
                let bit = w.trailing_zeros() as usize;
                w &= w - 1;
                i * 64 + bit
            })
        })
    })
}
