//! What threads did from where, so that a thread that stands again where it stood before need not run again.
//!
//! Exploration comes back to the same snapshots over and over: every choice of one thread is followed by the same
//! instructions of the others. A snapshot is known by its place in memory, which each entry keeps alive. When the
//! snapshots held weigh too much, all are forgotten; that costs time only. Before exploration has gone back for the first time
//! (many programs have one execution, and litmus tests are run once) only long runs are remembered.

use super::{Action, Context, Identity, Slot, State, Thread};
use crate::ids::{FuncId, ThreadId};
use crate::program::Program;
use crate::program::deps::DepId;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};

/// How many bytes the snapshots held may take, by estimate.
const MAX_WEIGHT: usize = 8 << 20;
/// A run of more instructions is remembered even when nothing says yet that the thread will come by again.
const LONG: u64 = 64;

/// See the module.
#[derive(Default)]
pub struct Memo {
    starts: FxHashMap<(FuncId, Option<Slot>), Thread>,
    runs: FxHashMap<RunKey, Run>,
    /// What a thread will do that is about to run, if it was looked at before.
    ahead: Option<(RunKey, Run)>,
    weight: usize,
    /// Whether exploration has gone back.
    goes_back: bool,
}

/// All that a run depends on, given that bounds do not change.
#[derive(PartialEq, Eq)]
struct RunKey {
    from: Identity,
    thread: ThreadId,
    events: u32,
    go_on: bool,
}

impl RunKey {
    fn new(thread: &Thread, cx: &Context<'_>) -> RunKey {
        RunKey { from: thread.identity(), thread: cx.thread, events: cx.events, go_on: cx.go_on }
    }
}

impl Hash for RunKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.from.hash(state);
        let flags = u64::from(self.go_on);
        state.write_u64(u64::from(self.events) | u64::from(self.thread.0) << 32 ^ flags << 62);
    }
}

struct Run {
    _from: Thread,
    to: Thread,
    action: Action,
}

impl Memo {
    /// A thread about to enter a function with at most one argument.
    pub fn start(&mut self, program: &Program, func: FuncId, arg: Option<Slot>) -> Thread {
        let start = || Thread::start(program, func, arg.as_slice(), DepId::NONE);
        if !self.goes_back {
            return start();
        }
        self.starts.entry((func, arg)).or_insert_with(start).clone()
    }

    /// Exploration goes back: threads will come by where they were.
    pub fn go_back(&mut self) {
        self.goes_back = true;
    }

    /// As [`Thread::run`]. `cx` must have the same bounds whenever it is called.
    pub fn run(&mut self, thread: &mut Thread, cx: &mut Context<'_>) -> Action {
        if let Some(action) = thread.stands_at(cx) {
            return action;
        }
        if thread.is_alone() {
            // Nobody comes by a snapshot again that nobody else has.
            return thread.run(cx);
        }
        let key = RunKey::new(thread, cx);
        if let Some((_, run)) = self.ahead.take_if(|(from, _)| *from == key) {
            *thread = run.to;
            return run.action;
        }
        if let Some(run) = self.runs.get(&key) {
            *thread = run.to.clone();
            return run.action.clone();
        }
        let (from, budget) = (thread.clone(), cx.budget);
        let action = thread.run(cx);
        if !self.goes_back && budget - cx.budget <= LONG {
            return action;
        }
        self.make_room(thread);
        self.runs.insert(key, Run { _from: from, to: thread.clone(), action: action.clone() });
        action
    }

    /// What a thread does next that will mostly run next. It is where it then stands, too.
    pub fn look_ahead(&mut self, thread: &Thread, cx: &mut Context<'_>) -> (Thread, Action) {
        let (key, mut to) = (RunKey::new(thread, cx), thread.clone());
        let action = self.run(&mut to, cx);
        if !self.goes_back {
            self.ahead = Some((key, Run { _from: thread.clone(), to: to.clone(), action: action.clone() }));
        }
        (to, action)
    }

    fn make_room(&mut self, thread: &State) {
        let frame = thread.frame();
        self.weight += 512 + size_of_val(frame) + frame.local.len() + size_of_val(&frame.regs[..]);
        if self.weight > MAX_WEIGHT {
            self.runs.clear();
            self.weight = 0;
        }
    }
}
