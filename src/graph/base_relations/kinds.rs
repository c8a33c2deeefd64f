//! The kinds of events that a program can have: all that decides which base sets an event is a member of.

use super::names::{SetName, set_name};
use crate::algebra::facts::settled::MOST_KINDS;
use crate::graph::event::{Event, Kind};
use crate::ids::TagSetId;
use crate::program::{Program, Start};
use smallvec::{SmallVec, smallvec};

/// What decides about an event's base sets, but for tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::graph) struct Label {
    kind: Kind,
    hidden: bool,
    is_fence: bool,
}

impl Label {
    pub(in crate::graph) fn new(kind: Kind, hidden: bool, is_fence: bool) -> Label {
        Label { kind, hidden, is_fence }
    }

    pub(in crate::graph) fn of(event: &Event) -> Label {
        Label::new(event.kind, event.hidden, event.is_fence)
    }

    pub(in crate::graph) fn is_member(self, name: SetName) -> bool {
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

/// Whether events of this kind, hidden or not, fences or not, with tags of their own and of their thread, are in a base set.
pub(crate) fn is_member(
    program: &Program,
    kind: Kind,
    [hidden, is_fence]: [bool; 2],
    tags: [TagSetId; 2],
    name: &str,
) -> bool {
    match set_name(program, name) {
        None => false,
        Some(SetName::Tag(tag)) => tags.iter().any(|set| program.tag_sets[set.index()].contains(&tag)),
        Some(name) => Label::new(kind, hidden, is_fence).is_member(name),
    }
}

/// Labels with the tags of the event.
pub(in crate::graph) type Labels = SmallVec<[(Label, TagSetId); 16]>;

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
    pub(in crate::graph) fn new(program: &'p Program, labels: &Labels) -> Option<Kinds<'p>> {
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

#[cfg(test)]
mod tests {
    use crate::graph::base_relations::uses::Uses;
    use crate::ids::TagSetId;
    use crate::program::{
        Entry, FunctionBuilder, Half, Instr, Load, Operand, Program, ProgramBuilder, Start, Store, Unless,
    };

    /// `P0` makes a compare-and-swap, `P1`, which has a tag of its own, a fence.
    fn program(halves: [Half; 2]) -> Program {
        let mut builder = ProgramBuilder::new("test", 0x1000);
        let [own, failed, once] = ["OWN", "FAILED", "ONCE"].map(|tag| builder.tag_set([tag]));
        let (addr, value) = (Operand::Const(0x1000), Operand::Const(0));
        let unless = Some(Unless { expected: value, tags: failed, half: Half::None });
        let load = Load { dst: 0, addr, size: 4, tags: once, half: halves[0], unless, hidden: false };
        let store = Store { addr, value, size: 4, tags: once, half: halves[1], hidden: false };
        let swap = vec![Instr::Load(load), Instr::Store(store)];
        let fence = vec![Instr::Fence { tags: TagSetId(0), addr: None, is_fence: true }];
        let threads = [("P0", swap, TagSetId(0)), ("P1", fence, own)];
        let entries = threads.map(|(name, code, tags)| {
            let mut body = FunctionBuilder::new(name, 1);
            code.into_iter().for_each(|instr| body.push(instr));
            let function = builder.declare(name);
            builder.define(function, body.finish());
            Entry { function, args: Vec::new(), name: name.into(), tags }
        });
        builder.program.start = Start::Together(entries.into());
        builder.program
    }

    #[test]
    fn every_event_that_can_come_about_is_of_a_kind() {
        let program = program([Half::AmoRead, Half::AmoWrite]);
        let kinds = Uses::of(&program).kinds().expect("few kinds");
        let [all, memory, init, fence] = ["_", "M", "IW", "F"].map(|name| kinds.members(name));
        let [read, write, once, failed, own] = ["R", "W", "ONCE", "FAILED", "OWN"].map(|name| kinds.members(name));
        assert_eq!((all, memory & fence, memory | fence), (0, 0, u64::MAX >> (64 - kinds.count())));
        // Reads that succeed, reads that fail, writes, fences: in either thread; and initial writes.
        assert_eq!((kinds.count(), init.count_ones(), fence.count_ones()), (9, 1, 2));
        assert_eq!((read & failed, read & once & failed, write & failed), (failed, 0, 0));
        assert_eq!((write & once).count_ones() + 1, write.count_ones());
        assert_eq!((own & init, own & fence != 0, fence & !own != 0), (0, true, true));
    }

    #[test]
    fn halves_that_become_one_event_have_no_kind() {
        assert!(Uses::of(&program([Half::FusedRead, Half::FusedWrite])).kinds().is_none());
    }
}
