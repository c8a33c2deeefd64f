//! Which base names a program can give a meaning to, found by reading its code once.

use super::names::{RelName, SetName, rel_name, set_name};
use crate::algebra::Sort;
use crate::ids::{TagId, TagSetId};
use crate::kernel::bits::Bits;
use crate::program::{Half, Instr, Program, Start};

/// What occurs in a program.
pub struct Uses<'p> {
    program: &'p Program,
    tags: Bits,
    /// Tags of write halves that share an event with their read half.
    late_tags: Bits,
    fused: bool,
    fence: bool,
    amo: bool,
    exclusive: bool,
    hidden_read: bool,
    pick: bool,
    sync: bool,
}

impl<'p> Uses<'p> {
    /// Reads a program's code.
    pub fn of(program: &'p Program) -> Uses<'p> {
        let (tags, late_tags) = (Bits::new(), Bits::new());
        let [fused, fence, amo, exclusive, hidden_read, pick, sync] = [false; 7];
        let mut uses = Uses { program, tags, late_tags, fused, fence, amo, exclusive, hidden_read, pick, sync };
        if let Start::Together(entries) = &program.start {
            entries.iter().for_each(|entry| uses.add_tags(entry.tags));
        }
        program.functions.iter().flat_map(|f| &f.code).for_each(|instr| uses.add(instr));
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

    fn add(&mut self, instr: &Instr) {
        match instr {
            Instr::Load(load) => {
                self.add_tags(load.tags);
                self.add_half(load.half);
                self.hidden_read |= load.hidden;
                if let Some(unless) = load.unless {
                    self.add_tags(unless.tags);
                    self.add_half(unless.half);
                }
            }
            Instr::Store(store) => {
                self.add_tags(store.tags);
                self.add_half(store.half);
                if store.half == Half::FusedWrite {
                    self.program.tag_sets[store.tags.index()].iter().for_each(|tag| self.late_tags.insert(tag.0));
                }
            }
            Instr::Fence { tags, is_fence, .. } => {
                self.add_tags(*tags);
                self.fence |= is_fence;
            }
            Instr::Select { on_cond: false, .. } => self.pick = true,
            Instr::Spawn { .. } | Instr::Arrive { .. } => self.sync = true,
            _ => {}
        }
    }

    /// Whether a base name can be non-empty in the program.
    pub fn present(&self, name: &str, sort: Sort) -> bool {
        match sort {
            Sort::Set => match set_name(self.program, name) {
                None => false,
                Some(SetName::Fence) => self.fence,
                Some(SetName::Tag(TagId(tag))) => self.tags.contains(tag),
                Some(_) => true,
            },
            Sort::Rel => match rel_name(name) {
                None => false,
                Some(RelName::Amo) => self.amo,
                Some(RelName::Lxsx) => self.exclusive,
                Some(RelName::RfLock) => self.hidden_read,
                Some(RelName::ThreadSync) => self.sync,
                Some(RelName::PickAddr | RelName::PickData | RelName::PickCtrl) => self.pick,
                Some(_) => true,
            },
        }
    }

    /// Whether an event that is there already may get new edges or memberships of a base name: it does in those of the write
    /// half of a read-modify-write that is one event for the model, when it is added to its read half, and in pick dependencies, when
    /// the interpreter reaches an event that a revisit kept.
    pub fn late(&self, name: &str, sort: Sort) -> bool {
        match sort {
            Sort::Set => match set_name(self.program, name) {
                Some(SetName::Write) => self.fused,
                Some(SetName::Tag(TagId(tag))) => self.late_tags.contains(tag),
                _ => false,
            },
            Sort::Rel => {
                let late = [RelName::Co, RelName::Addr, RelName::Data, RelName::Ctrl];
                match rel_name(name) {
                    Some(RelName::PickAddr | RelName::PickData | RelName::PickCtrl) => self.pick,
                    Some(name) => self.fused && late.contains(&name),
                    None => false,
                }
            }
        }
    }
}
