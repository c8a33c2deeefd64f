//! Small executions of one width or another.

use super::code::{LastCode, SmallCode};
use super::{Act, Beyond, Fact, Small};
use std::ops::Range;

/// Words a row in the wider forms.
const DOUBLE: usize = 2;
const WIDE: usize = 4;
const WIDEST: usize = 16;

/// An execution that is small: at most 64 events, at most 128, at most 256, or at most 1,024.
pub(in crate::kernel) enum AnySmall {
    Narrow(Box<Small<1>>),
    Double(Box<Small<DOUBLE>>),
    Wide(Box<Small<WIDE>>),
    Widest(Box<Small<WIDEST>>),
}

/// The forms that an execution is not in: which it was in before it grew, and into which an earlier one grew. They have room, and nothing else of them counts.
/// The widest is not kept: it takes much memory.
#[derive(Default)]
pub(in crate::kernel) struct Rooms {
    narrow: Option<Box<Small<1>>>,
    double: Option<Box<Small<DOUBLE>>>,
    wide: Option<Box<Small<WIDE>>>,
}

/// An execution in a wider form, with the storage of that if there is some.
fn grown<const N: usize, const M: usize>(
    code: &SmallCode,
    small: &mut Small<N>,
    room: Option<Box<Small<M>>>,
) -> Box<Small<M>> {
    let mut wide = room.unwrap_or_else(|| Box::new(Small::new(code)));
    small.grow(code, &mut wide);
    wide
}

/// Does the same in either form.
macro_rules! either {
    ($any:expr, $small:ident => $act:expr) => {
        match $any {
            AnySmall::Narrow($small) => $act,
            AnySmall::Double($small) => $act,
            AnySmall::Wide($small) => $act,
            AnySmall::Widest($small) => $act,
        }
    };
}

/// An event that is being added to a small execution.
pub struct Addition<'a, const N: usize> {
    small: &'a mut Small<N>,
    code: &'a SmallCode,
}

/// The same in one of the forms.
pub enum SmallEvent<'a> {
    /// Rows are below 64.
    Narrow(Addition<'a, 1>),
    /// Rows are below 128.
    Double(Addition<'a, DOUBLE>),
    /// Rows are below 256.
    Wide(Addition<'a, WIDE>),
    /// Rows are below 1,024.
    Widest(Addition<'a, WIDEST>),
}

impl<const N: usize> Addition<'_, N> {
    /// Makes the event a member of some input sets, which [`Plan::small_sets`](crate::kernel::plan::Plan::small_sets) says.
    #[inline]
    pub fn add_to_sets(&mut self, sets: u64) {
        self.small.join(sets);
    }

    /// Enters all edges of the event in an input relation, which come from some events and lead to the same ones (`both`) or to none. These are there, or are
    /// the event itself if its edges lead both ways.
    #[inline]
    pub fn set_edges(&mut self, input: usize, others: &[u64; N], both: bool) {
        self.small.set_edges(self.code, input, others, both);
    }

    /// Adds edges of the event to an input relation, to some events and from some.
    #[inline]
    pub fn add_edges(&mut self, input: usize, targets: &[u64; N], sources: &[u64; N]) {
        self.small.relate(self.code, input, targets, sources);
    }
}

impl AnySmall {
    /// An execution without events.
    pub fn new(code: &SmallCode) -> AnySmall {
        AnySmall::Narrow(Box::new(Small::new(code)))
    }

    /// The same with room for more events; itself if there is no such form.
    pub fn wider(self, code: &SmallCode, rooms: &mut Rooms) -> Result<AnySmall, AnySmall> {
        Ok(match self {
            AnySmall::Narrow(mut small) => {
                let wide = grown(code, &mut small, rooms.double.take());
                rooms.narrow = Some(small);
                AnySmall::Double(wide)
            }
            AnySmall::Double(mut small) => {
                let wide = grown(code, &mut small, rooms.wide.take());
                rooms.double = Some(small);
                AnySmall::Wide(wide)
            }
            AnySmall::Wide(mut small) => {
                let wide = grown(code, &mut small, None);
                rooms.wide = Some(small);
                AnySmall::Widest(wide)
            }
            AnySmall::Widest(_) => return Err(self),
        })
    }

    /// The form for few events, which costs least, with what this one has found out; to be reset before it is used.
    pub fn narrowest(self, rooms: &mut Rooms) -> AnySmall {
        let Some(mut narrow) = rooms.narrow.take() else { return self };
        match self {
            AnySmall::Narrow(small) => narrow = small,
            AnySmall::Double(mut small) => {
                narrow.learn_from(&mut small);
                rooms.double = Some(small);
            }
            AnySmall::Wide(mut small) => {
                narrow.learn_from(&mut small);
                rooms.wide = Some(small);
            }
            AnySmall::Widest(mut small) => narrow.learn_from(&mut small),
        }
        AnySmall::Narrow(narrow)
    }

    /// See [`Small::reset`].
    pub fn reset(&mut self, code: &SmallCode) {
        either!(self, small => small.reset(code));
    }

    /// See [`Small::events`].
    pub fn events(&self) -> &[u64] {
        either!(self, small => small.events())
    }

    /// See [`Small::add_event`].
    #[inline]
    pub fn add_event(&mut self, code: &SmallCode, row: u32) -> Result<(), Beyond> {
        either!(self, small => small.add_event(code, row))
    }

    /// The event that was just added.
    #[inline]
    pub fn event<'a>(&'a mut self, code: &'a SmallCode) -> SmallEvent<'a> {
        match self {
            AnySmall::Narrow(small) => SmallEvent::Narrow(Addition { small, code }),
            AnySmall::Double(small) => SmallEvent::Double(Addition { small, code }),
            AnySmall::Wide(small) => SmallEvent::Wide(Addition { small, code }),
            AnySmall::Widest(small) => SmallEvent::Widest(Addition { small, code }),
        }
    }

    /// See [`Small::add_to_set`].
    pub fn add_to_set(&mut self, code: &SmallCode, input: usize, row: u32) -> Result<(), Beyond> {
        either!(self, small => small.add_to_set(code, input, row))
    }

    /// See [`Small::add_edges`].
    pub fn add_edges(
        &mut self,
        code: &SmallCode,
        input: usize,
        row: u32,
        others: &[u64],
        outgoing: bool,
    ) -> Result<(), Beyond> {
        either!(self, small => small.add_edges(code, input, row, others, outgoing))
    }

    /// See [`Small::settle`].
    #[inline]
    pub fn settle(&mut self, code: &SmallCode) -> Result<(), Beyond> {
        either!(self, small => small.settle(code))
    }

    /// See [`Small::violated`].
    #[inline]
    pub fn violated(&self) -> Option<usize> {
        either!(self, small => small.violated())
    }

    /// See [`Small::finish`].
    pub fn finish(&mut self, code: &SmallCode, checks: &[LastCode], enough: &mut dyn FnMut(usize) -> bool) {
        either!(self, small => small.finish(code, checks, enough));
    }

    /// See [`Small::push`].
    #[inline]
    pub fn push(&mut self) {
        either!(self, small => small.push());
    }

    /// See [`Small::pop`].
    #[inline]
    pub fn pop(&mut self, code: &SmallCode) {
        either!(self, small => small.pop(code));
    }

    /// See [`Small::set_aside`].
    pub fn set_aside(&mut self, code: &SmallCode, kept: usize) -> bool {
        either!(self, small => small.set_aside(code, kept))
    }

    /// See [`Small::put_back`].
    pub fn put_back(&mut self, code: &SmallCode) {
        either!(self, small => small.put_back(code));
    }

    /// See [`Small::additions`].
    pub fn additions(&self) -> usize {
        either!(self, small => small.additions())
    }

    /// See [`Small::told`].
    pub fn told(&self) -> usize {
        either!(self, small => small.told())
    }

    /// See [`Small::tell`].
    pub fn tell(&mut self, code: &SmallCode, additions: Range<usize>, each: &mut dyn FnMut(u32, Fact<'_>)) {
        either!(self, small => small.tell(code, additions, each));
    }

    /// See [`Small::history`].
    pub fn history(&self, code: &SmallCode) -> Vec<Act> {
        either!(self, small => small.history(code))
    }
}
