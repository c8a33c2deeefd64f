//! Sequential C as a specification: its functions are run one by one, on memory of their own.

use super::history::{Argument, Call};
use crate::explore::Options;
use crate::graph::memory::{Block, Memory};
use crate::ids::{FuncId, SpanId};
use crate::program::deps::{DepId, DepTable};
use crate::program::thread::{Slot, Thread};
use crate::program::{Program, Told};
use crate::sequential::{Choices, End, Marked, Solo};

/// Bytes that a call may store through a pointer.
const STORED: usize = 8;

/// The most steps of one call.
const LONGEST: u64 = 100_000;

/// What a specification makes of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The result.
    pub result: Vec<u64>,
    /// What is stored through each argument that is an address.
    pub stored: Vec<Option<u64>>,
}

/// A state of the specified object.
#[derive(Clone, Debug)]
pub struct State {
    memory: Memory,
}

impl State {
    /// All that later calls can depend on.
    pub fn key(&self) -> Vec<u8> {
        let mut key = Vec::new();
        for block in self.memory.blocks().iter().filter(|block| !block.read_only) {
            key.extend(block.address.to_le_bytes());
            key.extend((block.bytes.len() as u64).to_le_bytes());
            key.push(u8::from(block.freed));
            key.extend(&block.bytes);
            key.extend(block.defined.iter().map(|&defined| u8::from(defined)));
        }
        key
    }
}

/// Functions of a program without threads.
#[derive(Debug)]
pub struct Specification {
    program: Program,
    /// The functions, in the order of the operations.
    functions: Vec<FuncId>,
    options: Options,
}

/// Why a call cannot be run by a specification.
pub type Refusal = String;

impl Specification {
    /// The functions of a program by the names of the operations, or the names that it lacks.
    pub fn new(program: Program, operations: &[String]) -> Result<Specification, Vec<String>> {
        let find = |name: &String| program.functions.iter().position(|f| f.name == *name).map(FuncId::at);
        let missing: Vec<String> = operations.iter().filter(|name| find(name).is_none()).cloned().collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let functions = operations.iter().filter_map(find).collect();
        let options = Options { max_local_steps: LONGEST, ..Options::default() };
        Ok(Specification { program, functions, options })
    }

    /// The state before any call.
    pub fn initial(&self) -> State {
        State { memory: Memory::of(&self.program) }
    }

    /// What a call may give in a state, and the states behind it; nothing where it waits.
    pub fn run(&self, state: &State, call: &Call) -> Result<Vec<(Outcome, State)>, Refusal> {
        let function = self.functions[call.operation];
        let slots = self.arguments(function, call)?;
        let mut found = Vec::new();
        let mut choices = Choices::default();
        loop {
            let mut memory = state.memory.clone();
            let lent: Vec<u64> = addresses(call).filter(|&at| memory.is_free(at, STORED as u64)).collect();
            lent.iter().for_each(|&at| memory.add(lend(at)));
            let thread = Thread::start(&self.program, function, &slots, DepId::NONE);
            let mut solo = Solo::on(thread, memory);
            match solo.run(&self.program, &self.options.limits(), &mut DepTable::default(), &mut choices) {
                End::Finished => {
                    let stored = call.arguments.iter().map(|argument| stored(&solo.memory, argument)).collect();
                    lent.iter().for_each(|&at| solo.memory.remove(at));
                    let told = |marked: &&Marked| marked.mark.told == Told::Result;
                    let depth_one = outermost(&solo.marks);
                    let result = depth_one.iter().filter(told).map(|marked| marked.value).collect();
                    found.push((Outcome { result, stored }, State { memory: solo.memory }));
                }
                End::Stuck | End::Assumed => {}
                End::Spawn => return Err("the specification creates a thread".to_owned()),
                End::Cut | End::Survives | End::Asks(..) | End::Chooses(_) => {
                    return Err("a call of the specification does not end".to_owned());
                }
                End::Fault(fault) => return Err(format!("the specification goes wrong: {fault:?}")),
            }
            if !choices.advance() {
                return Ok(found);
            }
        }
    }

    /// A function takes the object only if its parameters are as many as with it.
    fn arguments(&self, function: FuncId, call: &Call) -> Result<Vec<Slot>, Refusal> {
        let values: Vec<u64> = call
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Number(value) | Argument::Address(value, _) => *value,
            })
            .collect();
        let function = &self.program.functions[function.index()];
        let params = function.params as usize;
        let with_object = call.object.into_iter().chain(values.iter().copied());
        let values = match params {
            n if n == values.len() => values,
            n if n == values.len() + 1 && call.object.is_some() => with_object.collect(),
            n => {
                let given = values.len() + usize::from(call.object.is_some());
                return Err(format!("`{}` is called with {given} arguments; its specification has {n}", function.name));
            }
        };
        Ok(values.into_iter().map(|value| Slot { value, ..Slot::default() }).collect())
    }
}

/// What is told of the call itself, not of calls inside it.
fn outermost(marks: &[Marked]) -> Vec<Marked> {
    let mut depth = 0;
    let mut kept = Vec::new();
    for marked in marks {
        depth += i32::from(marked.mark.told == Told::Call);
        if depth == 1 {
            kept.push(*marked);
        }
        depth -= i32::from(marked.mark.told == Told::Return);
    }
    kept
}

/// The addresses among a call's arguments.
fn addresses(call: &Call) -> impl Iterator<Item = u64> {
    let mut addresses: Vec<u64> = call
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Address(at, _) if *at != 0 => Some(*at),
            _ => None,
        })
        .collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses.into_iter()
}

/// Memory for what a call stores through a pointer.
fn lend(address: u64) -> Block {
    Block {
        address,
        bytes: vec![0; STORED],
        defined: vec![false; STORED],
        freed: false,
        read_only: false,
        heap: false,
        stack: false,
        made: SpanId::default(),
        name: "*argument".to_owned(),
    }
}

/// What was stored there. The first bytes are defined where something was.
fn stored(memory: &Memory, argument: &Argument) -> Option<u64> {
    let Argument::Address(address, _) = argument else { return None };
    let block = memory.block_at(*address).filter(|block| block.name == "*argument")?;
    let size = block.defined.iter().take_while(|&&defined| defined).count();
    let size = [8, 4, 2, 1].into_iter().find(|&n| n <= size)?;
    Some(memory.read(*address, size as u8).value)
}
