//! The kinds of events that a program can have: all that decides which base sets an event is a member of.

use super::event::{Event, Kind};
use super::names::{SetName, set_name};
use crate::algebra::settled::MOST_KINDS;
use crate::ids::TagSetId;
use crate::program::{Program, Start};
use smallvec::{SmallVec, smallvec};

/// What decides about an event's base sets, but for tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
    kind: Kind,
    hidden: bool,
    is_fence: bool,
}

impl Label {
    pub(super) fn new(kind: Kind, hidden: bool, is_fence: bool) -> Label {
        Label { kind, hidden, is_fence }
    }

    pub(super) fn of(event: &Event) -> Label {
        Label::new(event.kind, event.hidden, event.is_fence)
    }

    pub(super) fn is_member(self, name: SetName) -> bool {
        match name {
            SetName::Memory => matches!(self.kind, Kind::Init | Kind::Read | Kind::Write) && !self.hidden,
            SetName::Read => self.kind == Kind::Read && !self.hidden,
            SetName::Write => self.kind.writes() && !self.hidden,
            SetName::InitialWrite => self.kind == Kind::Init,
            SetName::Fence => self.kind == Kind::Fence && self.is_fence,
            SetName::Tag(_) => false,
        }
    }
}

/// Labels with the tags of the event.
pub(super) type Labels = SmallVec<[(Label, TagSetId); 16]>;

/// The kinds of a program's events. Initial writes are one.
pub(crate) struct Kinds<'p> {
    program: &'p Program,
    /// By kind: the label, and the tags of the event and of its thread.
    of: SmallVec<[(Label, [TagSetId; 2]); 16]>,
    /// By tag, the kinds that carry it.
    carriers: Vec<u64>,
}

impl<'p> Kinds<'p> {
    /// Those of events with these labels, which are all that instructions of the program have. None when there are more than are told apart.
    pub(super) fn new(program: &'p Program, labels: &Labels) -> Option<Kinds<'p>> {
        const NONE: TagSetId = TagSetId(0);
        let mut threads: SmallVec<[TagSetId; 4]> = smallvec![NONE];
        if let Start::Together(entries) = &program.start {
            threads.extend(entries.iter().map(|entry| entry.tags));
            threads.sort_unstable();
            threads.dedup();
        }
        let mut of: SmallVec<[_; 16]> = smallvec![(Label::new(Kind::Init, false, false), [NONE; 2])];
        of.extend(labels.iter().flat_map(|&(label, own)| threads.iter().map(move |&thread| (label, [own, thread]))));
        let mut carriers = vec![0; program.tags.len()];
        for (number, (_, sets)) in of.iter().enumerate().take(MOST_KINDS as usize) {
            let tags = sets.iter().flat_map(|set| &program.tag_sets[set.index()]);
            tags.for_each(|tag| carriers[tag.index()] |= 1 << number);
        }
        (of.len() <= MOST_KINDS as usize).then_some(Kinds { program, of, carriers })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.of.len() as u32
    }

    /// Which of them are members of a base set, one bit each.
    pub(crate) fn members(&self, name: &str) -> u64 {
        match set_name(self.program, name) {
            None => 0,
            Some(SetName::Tag(tag)) => self.carriers[tag.index()],
            Some(name) => {
                let member = |(_, (label, _)): &(usize, &(Label, [TagSetId; 2]))| label.is_member(name);
                self.of.iter().enumerate().filter(member).fold(0, |all, (number, _)| all | 1 << number)
            }
        }
    }
}
