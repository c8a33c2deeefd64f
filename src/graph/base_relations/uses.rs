//! Which base names a program can give a meaning to, found by reading its code once.

use super::kinds::{Kinds, Label, Labels};
use super::names::{PlaceName, RelName, SetName, fixed_set_name, rel_name, set_name};
use crate::algebra::Sort;
use crate::algebra::facts::order::Halves;
use crate::graph::event::Kind;
use crate::ids::{TagId, TagSetId};
use crate::program::crash::Unit;
use crate::program::{Half, Instr, InstructionOrder, Program, Start};
use crate::relation::bits::Bits;

/// A base name of a model, looked up as far as that does not need a program.
#[derive(Debug)]
pub(crate) enum BaseName {
    /// A set that every graph gives a meaning to.
    Set(SetName),
    /// A relation.
    Rel(RelName),
    /// A set: a tag, if the program has it.
    Other(String),
    /// A relation that nothing gives a meaning to.
    Unknown,
}

impl BaseName {
    /// Looks a name up.
    pub fn of(name: &str, sort: Sort) -> BaseName {
        match sort {
            Sort::Set => fixed_set_name(name).map_or_else(|| BaseName::Other(name.to_owned()), BaseName::Set),
            Sort::Rel => rel_name(name).map_or(BaseName::Unknown, BaseName::Rel),
        }
    }
}

/// What occurs in a program.
pub struct Uses<'p> {
    program: &'p Program,
    tags: Bits,
    /// Tags of write halves that share an event with their read half.
    late_tags: Bits,
    compared: bool,
    fused: bool,
    fence: bool,
    amo: bool,
    exclusive: bool,
    hidden_read: bool,
    pick: bool,
    sync: bool,
    labels: Labels,
}

impl<'p> Uses<'p> {
    /// Reads a program's code.
    pub fn of(program: &'p Program) -> Uses<'p> {
        let (tags, late_tags) = (Bits::new(), Bits::new());
        let [compared, fused, fence, amo, exclusive, hidden_read, pick, sync] = [false; 8];
        let labels = Labels::new();
        let mut uses =
            Uses { program, tags, late_tags, compared, fused, fence, amo, exclusive, hidden_read, pick, sync, labels };
        if let Start::Together(entries) = &program.start {
            entries.iter().for_each(|entry| uses.add_tags(entry.tags));
        }
        program.functions.iter().flat_map(|f| &f.code).for_each(|instr| uses.add(instr));
        if let Some(tags) = program.persistence.reads {
            uses.add_label(Label::new(Kind::Read, false, false), tags);
            uses.add_tags(tags);
            // It is asked what else could have been forced.
            for &tags in program.persistence.forces.iter().flat_map(|(tags, _)| tags) {
                uses.add_label(Label::new(Kind::Fence, false, false), tags);
                uses.add_tags(tags);
            }
        }
        uses
    }

    fn add_tags(&mut self, set: TagSetId) {
        self.program.tag_sets[set.index()].iter().for_each(|tag| self.tags.insert(tag.0));
    }

    fn add_half(&mut self, half: Half) {
        match half {
            Half::AmoRead | Half::AmoWrite => self.amo = true,
            Half::ExRead | Half::ExWrite => self.exclusive = true,
            Half::FusedWrite => self.fused = true,
            _ => {}
        }
    }

    fn add_label(&mut self, label: Label, tags: TagSetId) {
        if !self.labels.contains(&(label, tags)) {
            self.labels.push((label, tags));
        }
    }

    fn add(&mut self, instr: &Instr) {
        match instr {
            Instr::Load(load) => {
                let label = Label::new(Kind::Read, load.hidden, false);
                self.add_label(label, load.tags);
                self.add_tags(load.tags);
                self.add_half(load.half);
                self.hidden_read |= load.hidden;
                if let Some(unless) = load.unless {
                    self.compared |= self.program.compares;
                    self.add_label(label, unless.tags);
                    self.add_tags(unless.tags);
                    self.add_half(unless.half);
                }
            }
            Instr::Store(store) => {
                self.add_label(Label::new(Kind::Write, store.hidden, false), store.tags);
                self.add_tags(store.tags);
                self.add_half(store.half);
                if store.half == Half::FusedWrite {
                    self.program.tag_sets[store.tags.index()].iter().for_each(|tag| self.late_tags.insert(tag.0));
                }
            }
            Instr::Fence { tags, is_fence, .. } => {
                self.add_label(Label::new(Kind::Fence, false, *is_fence), *tags);
                self.add_tags(*tags);
                self.fence |= is_fence;
            }
            Instr::Select { on_cond: false, .. } => self.pick = true,
            Instr::Spawn { .. } | Instr::Arrive { .. } => self.sync = true,
            _ => {}
        }
    }

    /// The kinds of the program's events. None where an event comes to be of another kind, or there are too many.
    pub(crate) fn kinds(&self) -> Option<Kinds<'p>> {
        if self.fused { None } else { Kinds::new(self.program, &self.labels) }
    }

    /// Whether there are events of locks that read.
    pub fn has_lock_reads(&self) -> bool {
        self.hidden_read
    }

    /// The least that orders the reads and the writes of its instructions.
    pub fn halves(&self) -> Halves {
        if self.program.order == InstructionOrder::DataFlow {
            return Halves::Ordered;
        }
        let loose = self.program.functions.iter().any(|function| {
            let halves = function.code.iter().zip(&function.group);
            let loads = halves.clone().filter_map(|(instr, group)| match instr {
                Instr::Load(load) => Some((load.half, group)),
                _ => None,
            });
            let mut stores = halves.filter_map(|(instr, group)| match instr {
                Instr::Store(store) if store.half == Half::None => Some(group),
                _ => None,
            });
            stores.any(|group| loads.clone().any(|(half, of)| half == Half::None && of == group))
        });
        match (loose, self.amo) {
            (true, _) => Halves::Loose,
            (false, true) => Halves::Locked,
            (false, false) => Halves::Ordered,
        }
    }

    /// Whether a base name can be non-empty in the program.
    pub fn present(&self, name: &str, sort: Sort) -> bool {
        match sort {
            Sort::Set => set_name(self.program, name).is_some_and(|name| self.has_set(name)),
            Sort::Rel => rel_name(name).is_some_and(|name| self.has_rel(name)),
        }
    }

    fn has_set(&self, name: SetName) -> bool {
        match name {
            SetName::Fence => self.fence,
            SetName::Tag(TagId(tag)) => self.tags.contains(tag),
            _ => true,
        }
    }

    fn has_rel(&self, name: RelName) -> bool {
        match name {
            RelName::Amo => self.amo,
            RelName::Lxsx => self.exclusive,
            RelName::RfLock => self.hidden_read,
            RelName::Compared => self.compared,
            RelName::ThreadSync => self.sync,
            RelName::PickAddr | RelName::PickData | RelName::PickCtrl => self.pick,
            RelName::Place(PlaceName::Same(unit)) => self.program.persistence.units.size(unit) > 0,
            RelName::Place(_) => self.program.persistence.units.size(Unit::Inode) > 0,
            _ => true,
        }
    }

    /// What [`Self::present`] and [`Self::late`] say of a list of base names, two bits each.
    pub(crate) fn of_all(&self, names: &[BaseName]) -> impl Iterator<Item = u8> {
        names.iter().map(|name| match name {
            BaseName::Set(name) => u8::from(self.has_set(*name)) | u8::from(self.is_late_set(*name)) << 1,
            BaseName::Rel(name) => u8::from(self.has_rel(*name)) | u8::from(self.is_late_rel(*name)) << 1,
            BaseName::Other(name) => {
                let tag = self.program.tags.iter().position(|t| t == name);
                let tag = tag.map(|tag| SetName::Tag(TagId::at(tag)));
                tag.map_or(0, |tag| u8::from(self.has_set(tag)) | u8::from(self.is_late_set(tag)) << 1)
            }
            BaseName::Unknown => 0,
        })
    }

    /// Whether an event that is there already may get new edges or memberships of a base name: it does in those of the write
    /// half of a read-modify-write that is one event for the model, when it is added to its read half, and in pick dependencies, when
    /// the interpreter reaches an event that a revisit kept.
    pub fn late(&self, name: &str, sort: Sort) -> bool {
        match sort {
            Sort::Set => set_name(self.program, name).is_some_and(|name| self.is_late_set(name)),
            Sort::Rel => rel_name(name).is_some_and(|name| self.is_late_rel(name)),
        }
    }

    fn is_late_set(&self, name: SetName) -> bool {
        match name {
            SetName::Write => self.fused,
            SetName::Tag(TagId(tag)) => self.late_tags.contains(tag),
            _ => false,
        }
    }

    fn is_late_rel(&self, name: RelName) -> bool {
        let late = [RelName::Co, RelName::Addr, RelName::Data, RelName::Ctrl];
        match name {
            RelName::PickAddr | RelName::PickData | RelName::PickCtrl => self.pick,
            name => self.fused && late.contains(&name),
        }
    }
}
