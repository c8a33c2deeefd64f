//! Symmetry: threads that run the same code and that nothing tells apart are explored once up to renaming.
//!
//! Of the executions that differ in the names of such threads only, one is shown, and counted as often as there are others. The argument
//! is in `docs/reductions.md`, *Symmetry*; the order between interchangeable threads, and how an earlier thread becomes part of what a
//! later one depends on, are after Kokologiannakis, Marmanis and Vafeiadis, *SPORE: Combining Symmetry and Partial Order Reduction*
//! (PLDI 2024). That causality excuses a descent, and the choice among what is left at the end, are ours.
//!
//! - [`order`]: which of the graphs that differ in names are explored.
//! - [`orbit`]: which of them is shown, and for how many it stands.
//!
//! Which threads are interchangeable, `analysis::interchangeable` says.
//!
//! Only where revisits keep program order and the coherence of what is read is explored; elsewhere everything is explored.

mod orbit;
mod order;

use crate::analysis::interchangeable::{self, Kin, Reason};
use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::explore::options::{Options, prefix_kind};
use crate::graph::Status;
use crate::graph::event::Event;
use crate::graph::prefix::PrefixKind;
use crate::ids::EventId;
use crate::kernel::plan::Plan;
use crate::program::deps::DepTable;
use crate::program::{Program, Start};
use crate::relation::bits::Bits;
use crate::sequential::{Choices, End, Solo};

/// Why symmetry is not used whatever the program is, if it is not.
fn not_supported(kind: PrefixKind, options: &Options) -> Option<Reason> {
    if kind != PrefixKind::ProgramOrder {
        Some("the model allows cycles of program order and reads-from, or does not show that it forbids them")
    } else if options.equivalence.is_reads_from() || options.first_of_sources {
        Some("executions that differ in coherence only are not told apart")
    } else if options.prune {
        Some("only one outcome is looked for")
    } else {
        None
    }
}

/// Why no threads of a program are treated as interchangeable, to end a sentence; `None` if some are.
pub fn why_not(program: &Program, plan: &Plan, options: &Options) -> Option<Reason> {
    let kin = || match &program.start {
        Start::Together(entries) => interchangeable::together(program, entries),
        Start::Main(main) => {
            let mut first = Solo::start(program, *main);
            match first.run(program, &options.limits(), &mut DepTable::default(), &mut Choices::default()) {
                End::Spawn => interchangeable::created(program, &first, &options.limits()),
                _ => Err("`main` creates no threads"),
            }
        }
    };
    not_supported(prefix_kind(plan, options), options).or_else(|| kin().err())
}

impl<J: Checker> Search<'_, '_, J> {
    /// Lets the search treat these threads as interchangeable, where it can.
    pub(in crate::explore) fn rename(&mut self, kin: &Kin) {
        if self.world.options.symmetry && not_supported(self.kind, self.world.options).is_none() {
            self.symmetry.kin = kin.clone();
            self.statistics.renamed = kin.threads();
        }
    }

    /// Adds to what a write depends on the threads before its own that have done the same so far.
    pub(in crate::explore) fn add_kin(&self, write: &Event, prefix: &mut Bits) {
        if !self.symmetry.kin.is_empty() {
            order::extend(&self.graph, &self.symmetry.kin, write, prefix);
        }
    }

    /// Whether an event that was just added, or that has just got another source, comes in the order of interchangeable threads.
    pub(in crate::explore) fn is_in_order(&self, event: EventId) -> bool {
        self.symmetry.kin.is_empty() || order::is_in_order(&self.graph, &self.symmetry.kin, event)
    }

    /// Of the executions that differ from a finished one in names only: whether it is the one that is shown, and how many there are. Which thread
    /// a bound on the size of graphs cuts depends on names: nothing else stands for a graph that was cut.
    pub(in crate::explore) fn orbit(&self) -> (bool, u64) {
        match self.symmetry.kin.is_empty() || self.graph.lanes().iter().any(|lane| lane.status == Status::Cut) {
            true => (true, 1),
            false => (orbit::is_shown(&self.graph, &self.symmetry.kin), orbit::size(&self.graph, &self.symmetry.kin)),
        }
    }
}
