//! Whether dependencies and reads-from may form a cycle: exploration finds no such execution.

use crate::analysis::load_buffering;
use crate::explore::{Options, prefix_kind};
use crate::graph::prefix::PrefixKind;
use crate::kernel::plan::Plan;
use crate::program::{Instr, Join, Program, Start};

/// Whether there may be executions in which dependencies and reads-from form a cycle, for all that is seen of the program and of the model.
pub(super) fn may_go_round(program: &Program, plan: &Plan, options: &Options) -> bool {
    let forbids = || plan.keeps_dependencies_acyclic(controls_last(program));
    let is_ordered = || match (&program.start, prefix_kind(plan, options)) {
        // Of a test all candidates can be looked at; that costs less than to know.
        (Start::Together(_), _) | (_, PrefixKind::Dependencies) => false,
        // The proof that a program has no cycles may take for granted that these are none.
        (Start::Main(_), PrefixKind::ProgramOrder) => load_buffering::is_ordered_by_the_model(program, plan.pruning()),
    };
    !forbids() && !is_ordered()
}

/// Whether each control dependency goes on to the end of its thread.
fn controls_last(program: &Program) -> bool {
    program.functions.iter().flat_map(|function| &function.code).all(|instr| match instr {
        Instr::Branch { join, then, otherwise, .. } => {
            then == otherwise || matches!(join, Join::Never | Join::NoDependency)
        }
        _ => true,
    })
}
