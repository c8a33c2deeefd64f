//! Programs of which exploration says that executions may be missing: whether there are any, and which. Those that decide about themselves it does not look for; and where it went by rules of which
//! it is tested, not proved, that they lose nothing, any may be.
//!
//! What exploration notices, or the code leaves room for, are circles that there may be. Most are none, because no values go round them. Threads that
//! are run on values that there are tell that: when all executions were found in that way, their number says whether something is missing; and what is
//! missing is shown like what exploration finds. That is done within limits where something hints at such executions, and of any program, as long as it takes, where it is asked for.

use crate::candidates::enumerate::Runs;
use crate::candidates::{enumerate, traces};
use crate::driver::inputs::models::Usable;
use crate::explore::completeness::merge::{Shown, show_lost, show_others};
use crate::explore::parallel::parts::Split;
use crate::explore::{Equivalence, Execution, Go, Options, Problem, Statistics, Visitor};
use crate::graph::prefix::PrefixKind;
use crate::ids::FuncId;
use crate::kernel::plan::Plan;
use crate::program::{Instr, Program, Start, Stop};
use std::sync::Arc;

/// How much is done to find them.
#[derive(Clone, Copy)]
pub(in crate::driver) struct Effort {
    /// What the enumerator does at most, and where threads are run by themselves. A limit of time would make what is said depend on the machine.
    pub(in crate::driver) work: u64,
    work_alone: u64,
    /// The events that are added at most where every revisit is made.
    work_every: u64,
    /// How large its graphs get, if they get larger than those that were found.
    events: usize,
    /// Where the executions that were found have more events together, it is not begun: it would come to each of them by many that are none.
    found: u64,
    /// For programs that compute long on values that they never have.
    local_steps: u64,
    /// Whether executions are looked for that nothing hints at.
    unasked: bool,
}

impl Effort {
    /// Some tenths of a second, up to two on a slow machine.
    pub(in crate::driver) const SMALL: Effort = Effort {
        work: 1 << 19,
        work_alone: 5 << 20,
        work_every: 1 << 16,
        events: 64,
        found: 1 << 14,
        local_steps: 100_000,
        unasked: false,
    };
    /// Whatever it takes.
    pub(in crate::driver) const ALL: Effort = Effort {
        work: u64::MAX,
        work_alone: u64::MAX,
        work_every: u64::MAX,
        events: usize::MAX,
        found: u64::MAX,
        local_steps: u64::MAX,
        unasked: true,
    };

    fn options(&self, options: &Options, largest: usize) -> Options {
        Options {
            max_events: options.max_events.min(self.events.max(2 * largest)),
            max_local_steps: options.max_local_steps.min(self.local_steps),
            ..options.clone()
        }
    }
}

/// Executions that exploration may not have found: those that decide about themselves, of which it finds those only whose writes happen in others, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Missing {
    /// Exploration has all executions.
    #[default]
    None,
    /// The code leaves room for them.
    Imaginable,
    /// A graph hinted at them.
    Hinted,
    /// Any others: exploration went by rules of which it is not proved that nothing is lost.
    Unproved,
    /// So many were found by the enumerator, and shown; there may be more. `waits`: whether threads wait for ever in others is known. `hinted`: they were to be
    /// expected, and not lost.
    Found { count: u64, or_more: bool, waits: bool, hinted: bool },
    /// None is complete; whether threads wait for ever in any is not known.
    Waiting,
    /// All were looked for, and that came to no end; or to one at which so many graphs were found by exploration, and so many otherwise.
    Unknown { counts: Option<[u64; 2]> },
    /// There are none: another search has found the same executions, so many.
    Excluded { count: u64 },
}

impl Missing {
    /// As an exploration tells, which has come to its end.
    pub(in crate::driver) fn suspected(found: &Statistics) -> Missing {
        match found {
            Statistics { stopped: true, .. } => Missing::None,
            Statistics { circular: true, .. } => Missing::Hinted,
            Statistics { suspected: true, .. } => Missing::Imaginable,
            Statistics { unproved: true, .. } => Missing::Unproved,
            _ => Missing::None,
        }
    }

    /// Whether some are certainly not all.
    pub(in crate::driver) fn is_open(self) -> bool {
        matches!(self, Missing::Found { or_more: true, .. } | Missing::Unknown { .. })
    }

    /// What the user is to know.
    pub(in crate::driver) fn note(self) -> Option<String> {
        let such = "in which a write takes part in deciding that it happens, through no dependency that the model sees";
        let how = " (`--engine enumerate` looks for all)";
        match self {
            Missing::None => None,
            Missing::Imaginable => {
                Some(format!("the code leaves room for executions {such}; if there are any, they are missing{how}"))
            }
            Missing::Unproved => Some(
                "that no execution is missing rests on rules that are tested, not proved (`--engine enumerate` makes sure)".into(),
            ),
            Missing::Hinted => Some(format!("executions {such}, may be missing{how}")),
            Missing::Unknown { counts: None } => {
                Some(format!("enumeration came to no end: executions {such}, may be missing"))
            }
            Missing::Unknown { counts: Some([explored, other]) } => Some(format!(
                "exploration has found {}, enumeration {other}: executions {such}, may be missing",
                executions(explored)
            )),
            Missing::Excluded { count } => Some(format!("enumeration finds the same: {}", executions(count))),
            Missing::Waiting => Some(format!("whether threads wait for ever in executions {such}, is not known")),
            Missing::Found { count, or_more, waits, hinted } => {
                let (these, were) = match count {
                    1 => ("an execution".to_owned(), "was"),
                    _ => (format!("{count} executions"), "were"),
                };
                let rest = match (or_more, waits) {
                    (true, _) => "; there may be more",
                    (false, false) => "; whether threads wait for ever in others is not known",
                    (false, true) => "",
                };
                Some(match hinted {
                    true => format!("{these} {such}, {were} found by running each thread alone{rest}"),
                    false => format!("{these} that exploration has lost (please report the program) {were} found by another search{rest}"),
                })
            }
        }
    }
}

fn executions(count: u64) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} execution{s}")
}

/// What is known of executions that exploration has not found. Those that are found here are shown to the visitor, and counted.
pub(in crate::driver) fn find<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    plan: &Arc<Plan>,
    options: &Options,
    effort: &Effort,
    explored: &mut Statistics,
    visitor: &mut V,
) -> Missing {
    let suspicion = Missing::suspected(explored);
    // What decides about itself goes round in program order and reads-from.
    if matches!(suspicion, Missing::Hinted | Missing::Imaginable)
        && plan.keeps_order_and_sources_acyclic()
        && !effort.unasked
    {
        return Missing::None;
    }
    let counts_all = options.equivalence == Equivalence::ReadsFromAndCoherence && !options.first_of_sources;
    let is_comparable = counts_all && !options.prune && !usable.loaded.dynamic && !explored.stopped;
    let events = explored.graphs.saturating_mul(explored.events_max as u64);
    let is_asked = suspicion != Missing::None || effort.unasked;
    // Who asks for all is told that this is not known.
    let open = if effort.unasked && !explored.stopped { Missing::Unknown { counts: None } } else { suspicion };
    if !is_asked || !is_comparable || events > effort.found {
        return open;
    }
    let mut options = effort.options(options, explored.events_max);
    // Searches that keep dependencies have all that the others have.
    options.prefix = effort.unasked.then_some(PrefixKind::Dependencies).or(options.prefix);
    let search = Looking { program, usable, plan, options: &options, effort };
    if suspicion == Missing::Unproved
        && !effort.unasked
        && let Some(missing) = search.lost(explored, visitor)
    {
        return missing;
    }
    let mut seen = visitor.fork();
    let Some((all, Shown { counted: others, wrong })) = search.ended(&mut seen, explored.graphs) else {
        return open;
    };
    let count = others.graphs;
    // If the numbers do not agree, what was found in both ways was not seen to be the same.
    let is_unclear = ends(&all) && all.graphs != explored.graphs + count + wrong || count == 0 && !ends(&all);
    if is_unclear && !others.stopped {
        return match open {
            Missing::Unknown { .. } => Missing::Unknown { counts: ends(&all).then_some([explored.graphs, all.graphs]) },
            _ => open,
        };
    }
    let _ = visitor.join(seen);
    let waits = others.stopped || ends(&all) && search.knows_waits(visitor);
    if count == 0 {
        return match (waits, effort.unasked) {
            (true, false) => Missing::None,
            (true, true) => Missing::Excluded { count: all.graphs },
            (false, false) if suspicion == Missing::Unproved => suspicion,
            (false, false) => Missing::Waiting,
            (false, true) => open,
        };
    }
    add_to(explored, &others);
    // Who asks for all is not answered where that is not known of waits.
    let hinted = matches!(suspicion, Missing::Hinted | Missing::Imaginable);
    Missing::Found { count, or_more: !ends(&all) || effort.unasked && !waits, waits, hinted }
}

/// Counts what was not found before.
fn add_to(explored: &mut Statistics, others: &Statistics) {
    explored.add(others);
    // Of these nobody knows which are others renamed.
    (explored.complete, explored.renamed) = (explored.in_all, 0);
}

/// Whether an enumeration has come to its end.
fn ends(all: &Statistics) -> bool {
    !all.stopped && all.cut == 0
}

/// Where executions are looked for, and how much is done for it.
struct Looking<'a> {
    program: &'a Program,
    usable: &'a Usable,
    plan: &'a Arc<Plan>,
    options: &'a Options,
    effort: &'a Effort,
}

impl Looking<'_> {
    /// Where nothing hints at executions that decide about themselves: what a search shows that makes every revisit, executions in which threads wait for ever among it.
    /// `None`: it came to no end.
    fn lost<V: Visitor + Split>(&self, explored: &mut Statistics, visitor: &mut V) -> Option<Missing> {
        let options = Options { max_work: self.effort.work_every, ..self.options.clone() };
        let mut seen = visitor.fork();
        let (lost, go) = show_lost(self.program, self.plan, &options, &mut seen)?;
        if go == Go::On && !ends(&lost) {
            return None;
        }
        let _ = visitor.join(seen);
        if lost.graphs == 0 {
            return Some(Missing::None);
        }
        // That much was found again is no news here.
        add_to(explored, &Statistics { twofold: false, ..lost });
        Some(Missing::Found { count: lost.graphs, or_more: go == Go::Stop, waits: true, hinted: false })
    }

    /// Shows those that come to an end and that exploration, which has found so many, has not. `None`: the two cannot be compared.
    fn ended(&self, seen: &mut dyn Visitor, explored: u64) -> Option<(Statistics, Shown)> {
        let &Looking { program, usable, plan, options, effort } = self;
        let model = &usable.model;
        show_others(program, plan, options, seen, |visitor: &mut dyn Visitor| {
            let by_threads = traces::consistent_within(program, model, options, effort.work_alone, visitor);
            let all = by_threads.filter(|all| ends(all) || all.graphs > explored);
            all.unwrap_or_else(|| enumerate::consistent_within(program, model, options, effort.work, visitor))
        })
    }

    /// Whether it is known in which executions threads wait for ever, also of those that decide about themselves: these are shown.
    fn knows_waits<V: Visitor + Split>(&self, visitor: &mut V) -> bool {
        let &Looking { program, usable, plan, options, effort } = self;
        if !(0..program.functions.len()).any(|f| may_wait(program, FuncId::at(f))) {
            return true;
        }
        let (model, waiting) = (&usable.model, Runs::Waiting);
        let mut seen = visitor.fork();
        let shown = show_others(program, plan, options, &mut Problems(&mut seen), |visitor: &mut dyn Visitor| {
            let by_threads = traces::explained_within(program, model, options, waiting, effort.work_alone, visitor);
            by_threads
                .filter(ends)
                .unwrap_or_else(|| enumerate::explained_within(program, model, options, waiting, effort.work, visitor))
        });
        let is_known = shown.is_some_and(|(all, shown)| shown.counted.stopped || ends(&all));
        if is_known {
            let _ = visitor.join(seen);
        }
        is_known
    }
}

/// Whether a thread may wait in a function: for something to be written, at a barrier, or, if it is not `main`, for another one to end.
fn may_wait(program: &Program, f: FuncId) -> bool {
    let function = &program.functions[f.index()];
    let waits = |instr: &Instr| match instr {
        Instr::StopUnless { why: Stop::Await, .. } | Instr::Depart { .. } => true,
        Instr::JoinThread { .. } => !matches!(program.start, Start::Main(main) if main == f),
        _ => false,
    };
    function.code.iter().any(waits) || function.may_idle_at.contains(&true)
}

/// Shows problems only: what executions in which threads wait are wrong with otherwise, exploration has shown.
struct Problems<'v>(&'v mut dyn Visitor);

impl Visitor for Problems<'_> {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        Go::On
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        self.0.problem(execution, problem)
    }
}
