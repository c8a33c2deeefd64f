//! Who is shown what exploration finds.

use crate::explore::engine::context::World;
use crate::graph::Graph;
use crate::ids::{SpanId, ThreadId};
use crate::program::fault::Fault;
use crate::sequential::Solo;

/// A graph with what is needed to read it.
pub struct Execution<'w, 'p> {
    /// The graph.
    pub graph: &'w Graph,
    /// Tables.
    pub world: &'w World<'p>,
    /// Flags raised, as indices of the model's checks; only for complete executions, and those that are shown as unfinished.
    pub flags: &'w [usize],
    /// Memory at the very end, when a single thread ran on after the last event (C programs).
    pub last: Option<&'w Solo>,
    /// Whether the first thread of a C program has joined all others at its end.
    pub all_joined: bool,
    /// For how many executions it stands, which differ in the names of interchangeable threads only.
    pub stands_for: u64,
}

impl Execution<'_, '_> {
    /// What memory holds in the end: the last write, put together where there are parts.
    pub fn last_value(&self, address: u64, size: u8) -> u64 {
        let (graph, world) = (self.graph, self.world);
        if let Some(solo) = self.last {
            return solo.memory.read(address, size).value;
        }
        if let Some(write) = world.locs.find(address, size).and_then(|loc| graph.last_write(loc)) {
            return graph.event(write).value;
        }
        let mut memory = world.memory.clone();
        for (loc, _) in graph.places() {
            let (start, bytes) = world.locs.get(loc);
            let overlaps = start < address + u64::from(size) && address < start + u64::from(bytes);
            if let Some(write) = graph.last_write(loc).filter(|_| overlaps) {
                memory.write(start, bytes, Some(graph.event(write).value).into());
            }
        }
        memory.read(address, size).value
    }
}

/// A problem of the program that an execution shows.
#[derive(Clone, PartialEq, Debug)]
pub enum Problem {
    /// A thread stopped with an error.
    Fault(ThreadId, SpanId, Fault),
    /// Threads wait for ever: all that they read is already final.
    Stuck(Vec<ThreadId>),
}

/// What to do after an execution was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// Go on.
    On,
    /// End the search.
    Stop,
}

/// Sees executions as they are found. Observation stays out of the search.
pub trait Visitor {
    /// A complete consistent execution.
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go;
    /// A consistent execution, complete or not, that shows a problem.
    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go;
    /// A consistent execution in which threads still wait, and of which a part is in no complete execution. What is wrong with two accesses there is wrong with the
    /// program; what is missing may still come.
    fn unfinished(&mut self, _execution: &Execution<'_, '_>) -> Go {
        Go::On
    }

    /// A consistent execution that does not end, or of which no more is known. Its flags are raised in an execution of the program, too.
    fn endless(&mut self, _execution: &Execution<'_, '_>) -> Go {
        Go::On
    }

    /// Whether [`Self::blocked`] is to be called.
    fn wants_blocked(&self) -> bool {
        false
    }

    /// A consistent execution that goes no further: a thread waits for what comes in others, or an assumption fails.
    fn blocked(&mut self, _execution: &Execution<'_, '_>) {}

    /// An exploration was cut at a bound: it has no more to show.
    fn cut(&mut self) -> Go {
        Go::On
    }

    /// Whether no execution is of interest in which the registers of threads, by number, end with the values that are given; `None`
    /// where that is not certain yet. Asked only under [`Options::prune`](super::Options::prune); problems in what is left out are not shown either.
    fn rules_out(&self, _value: &dyn Fn(u32, u32) -> Option<u64>) -> bool {
        false
    }
}

/// Looks at nothing: for searches of which only the counts are wanted, or what they pass.
#[derive(Clone, Copy, Default, Debug)]
pub struct Nobody;

impl Visitor for Nobody {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

/// Passes calls on to another visitor, for those that stand between exploration and observation.
macro_rules! pass_on {
    ($to:tt: $($call:ident)*) => { $($crate::explore::visitor::pass_on!(@$call $to);)* };
    (@problem $to:tt) => {
        fn problem(
            &mut self,
            execution: &$crate::explore::visitor::Execution<'_, '_>,
            problem: &$crate::explore::visitor::Problem,
        ) -> $crate::explore::visitor::Go {
            self.$to.problem(execution, problem)
        }
    };
    (@unfinished $to:tt) => {
        fn unfinished(&mut self, execution: &$crate::explore::visitor::Execution<'_, '_>) -> $crate::explore::visitor::Go {
            self.$to.unfinished(execution)
        }
    };
    (@endless $to:tt) => {
        fn endless(&mut self, execution: &$crate::explore::visitor::Execution<'_, '_>) -> $crate::explore::visitor::Go {
            self.$to.endless(execution)
        }
    };
    (@wants_blocked $to:tt) => {
        fn wants_blocked(&self) -> bool {
            self.$to.wants_blocked()
        }
    };
    (@blocked $to:tt) => {
        fn blocked(&mut self, execution: &$crate::explore::visitor::Execution<'_, '_>) {
            self.$to.blocked(execution);
        }
    };
    (@cut $to:tt) => {
        fn cut(&mut self) -> $crate::explore::visitor::Go {
            self.$to.cut()
        }
    };
    (@rules_out $to:tt) => {
        fn rules_out(&self, value: &dyn Fn(u32, u32) -> Option<u64>) -> bool {
            self.$to.rules_out(value)
        }
    };
}
pub(crate) use pass_on;

impl<V: Visitor + ?Sized> Visitor for &mut V {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        (**self).complete(execution)
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        (**self).problem(execution, problem)
    }

    fn unfinished(&mut self, execution: &Execution<'_, '_>) -> Go {
        (**self).unfinished(execution)
    }

    fn endless(&mut self, execution: &Execution<'_, '_>) -> Go {
        (**self).endless(execution)
    }

    fn wants_blocked(&self) -> bool {
        (**self).wants_blocked()
    }

    fn blocked(&mut self, execution: &Execution<'_, '_>) {
        (**self).blocked(execution);
    }

    fn cut(&mut self) -> Go {
        (**self).cut()
    }

    fn rules_out(&self, value: &dyn Fn(u32, u32) -> Option<u64>) -> bool {
        (**self).rules_out(value)
    }
}
