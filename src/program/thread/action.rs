//! What a thread hands to the execution graph: the action at which it stopped.

use super::context::Slot;
use super::frame::Frame;
use super::state::pointed_to;
use crate::ids::{FuncId, TagSetId};
use crate::program::deps::{DepId, DepTable};
use crate::program::fault::Fault;
use crate::program::instr::{Half, Instr, Mark, Operand, Region, Stop};
use crate::program::{Program, arith};

/// What a load reads as when it does not find the expected value, with operands resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Otherwise {
    /// The value that decides.
    pub expected: u64,
    /// Tags when another value is read.
    pub tags: TagSetId,
    /// Half when another value is read.
    pub half: Half,
}

/// Where a thread stopped.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// A read: to be completed with a value.
    Read {
        addr: u64,
        size: u8,
        tags: TagSetId,
        half: Half,
        otherwise: Option<Otherwise>,
        hidden: bool,
        addr_deps: DepId,
        /// Of what it is compared with, where [`Program::compares`].
        data_deps: DepId,
    },
    /// A write.
    Write {
        addr: u64,
        size: u8,
        value: u64,
        tags: TagSetId,
        half: Half,
        hidden: bool,
        addr_deps: DepId,
        data_deps: DepId,
    },
    /// A fence or another event without a value.
    Fence { tags: TagSetId, addr: Option<u64>, is_fence: bool, addr_deps: DepId },
    /// To be completed with one of the values.
    Choose { values: Box<[u64]> },
    /// Creates a thread: to be completed with its number.
    Spawn { function: FuncId, arg: Slot },
    /// Reaches a barrier.
    Arrive { barrier: u64, deps: DepId },
    /// Waits for the others of a barrier's round: to be completed with 1 in one thread, else 0.
    Depart { barrier: u64, count: u64, deps: DepId },
    /// Waits for a thread: to be completed with its result.
    Join { thread: u64, deps: DepId },
    /// New memory: to be completed with its address.
    Alloc { size: u64, region: Region, deps: DepId },
    /// The end of memory's life: by `free`, or of a variable whose function returns.
    Free { addr: u64, stack: bool, deps: DepId },
    /// Something is told of an operation.
    Mark { mark: Mark, value: u64 },
    /// The thread has ended.
    Finished,
    /// A condition that stops the thread does not hold; what it depends on.
    Stopped { why: Stop, deps: DepId },
    /// A loop iteration was idle; the thread's events from this number on are what it waits for.
    Idle { since: u32 },
    /// A bound was reached.
    Cut,
    /// The program ends here.
    Exit,
    /// A finding.
    Fault(Fault),
}

/// Whether the execution graph must decide how an instruction ends.
pub(super) fn is_visible(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::Load(_)
            | Instr::Store(_)
            | Instr::Fence { .. }
            | Instr::Choose { .. }
            | Instr::ChooseBit { .. }
            | Instr::Spawn { .. }
            | Instr::JoinThread { .. }
            | Instr::Arrive { .. }
            | Instr::Mark { .. }
            | Instr::Depart { .. }
            | Instr::Alloc { .. }
            | Instr::Free { .. }
    )
}

/// The action of an instruction that the execution graph must decide.
pub(super) fn visible(instr: &Instr, frame: &Frame, program: &Program, deps: &DepTable) -> Action {
    let get = |operand: Operand| {
        let slot = frame.get(operand);
        Slot { deps: deps.computed(slot.deps), ..slot }
    };
    match instr {
        Instr::Load(load) => {
            let addr = get(load.addr);
            Action::Read {
                addr: addr.value,
                size: load.size,
                tags: load.tags,
                half: load.half,
                otherwise: load.unless.map(|u| Otherwise {
                    expected: arith::truncate(get(u.expected).value, load.size * 8),
                    tags: u.tags,
                    half: u.half,
                }),
                hidden: load.hidden,
                addr_deps: addr.deps,
                data_deps: match load.unless {
                    Some(unless) if program.compares => get(unless.expected).deps,
                    _ => DepId::NONE,
                },
            }
        }
        Instr::Store(store) => {
            let (addr, value) = (get(store.addr), get(store.value));
            Action::Write {
                addr: addr.value,
                size: store.size,
                value: arith::truncate(value.value, store.size * 8),
                tags: store.tags,
                half: store.half,
                hidden: store.hidden,
                addr_deps: addr.deps,
                data_deps: value.deps,
            }
        }
        Instr::Fence { tags, addr, is_fence } => {
            let addr = addr.map(get);
            Action::Fence {
                tags: *tags,
                addr: addr.map(|a| a.value),
                is_fence: *is_fence,
                addr_deps: addr.map_or(DepId::NONE, |a| a.deps),
            }
        }
        Instr::Choose { values, .. } => Action::Choose { values: values.clone() },
        Instr::ChooseBit { of, .. } => {
            let of = get(*of).value;
            Action::Choose { values: (0..u64::BITS).map(|bit| of & 1 << bit).filter(|&bit| bit != 0).collect() }
        }
        Instr::Spawn { function, arg, .. } => match pointed_to(program, frame, *function) {
            Ok(function) => Action::Spawn { function, arg: get(*arg) },
            Err(fault) => Action::Fault(fault),
        },
        Instr::JoinThread { thread, .. } => {
            let thread = get(*thread);
            Action::Join { thread: super::context::thread_called(thread.value), deps: thread.deps }
        }
        Instr::Mark { mark, value } => Action::Mark { mark: *mark, value: get(*value).value },
        Instr::Arrive { barrier } => {
            let barrier = get(*barrier);
            Action::Arrive { barrier: barrier.value, deps: barrier.deps }
        }
        Instr::Depart { barrier, count, .. } => {
            let barrier = get(*barrier);
            Action::Depart { barrier: barrier.value, count: get(*count).value, deps: barrier.deps }
        }
        Instr::Alloc { size, region, .. } => {
            let size = get(*size);
            Action::Alloc { size: size.value, region: *region, deps: size.deps }
        }
        Instr::Free { addr, stack } => {
            let addr = get(*addr);
            Action::Free { addr: addr.value, stack: *stack, deps: addr.deps }
        }
        _ => Action::Fault(Fault::Unsupported("an instruction that the interpreter does not know".into())),
    }
}
