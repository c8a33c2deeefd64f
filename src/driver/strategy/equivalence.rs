//! Which executions count as one when the user does not say: those that differ only in the coherence of locations that no thread reads, where telling them apart
//! would multiply executions by the orders of writes that nobody looks at.
//!
//! That is done only where what the model reports of the program (races among plain accesses, if it has any) does not depend on coherence. The last
//! writes that a condition, or the end of a C program, looks at are told apart all the same.
//!
//! Limits: where a thread reads one of these locations through a pointer, all orders are told apart.

use crate::analysis::unread::{MANY, Unread, is_cut, unread};
use crate::driver::inputs::models::Usable;
use crate::driver::inputs::settings::Settings;
use crate::explore::{Equivalence, Options, prefix_kind};
use crate::graph::base_relations;
use crate::graph::prefix::PrefixKind;
use crate::program::{Program, Start};

/// Which executions count as one.
#[derive(Default)]
pub(in crate::driver) struct Counting {
    /// What exploration tells apart.
    pub equivalence: Equivalence,
    /// Whether of what it tells apart the first with the same sources is shown ([`Options::first_of_sources`]).
    pub first_of_sources: bool,
    /// Something to tell the user.
    pub note: Option<String>,
}

/// What a run that can count either way does.
pub(in crate::driver) fn counted(program: &Program, usable: &Usable, settings: &Settings) -> Counting {
    if settings.equivalence.is_some() || settings.condition_only {
        return asked(program, usable, settings);
    }
    let unread = unread(program);
    let most = unread.iter().map(|location| location.writers).max().unwrap_or(0);
    let is_worth_it = || {
        let counts_otherwise = matches!(program.start, Start::Together(_)) || !keeps_program_order(program, usable);
        !counts_otherwise || most >= MANY
    };
    if most < 2 || depends_on_coherence(program, usable) || !is_worth_it() {
        return Counting::default();
    }
    let written_by_several = unread.iter().filter(|location| location.writers > 1);
    let name =
        written_by_several.filter_map(|location| program.object_at(location.address)).map(|object| &object.name).min();
    let note = name.map(|name| {
        format!(
            "executions that differ only in the order of the writes to `{name}`, which no thread reads, count as one (`--equivalence rf+co` tells them apart)"
        )
    });
    Counting { equivalence: where_read(&unread), note, ..Counting::default() }
}

/// What the user asked for, as far as the model allows it.
pub(in crate::driver) fn asked(program: &Program, usable: &Usable, settings: &Settings) -> Counting {
    match &settings.equivalence {
        Some(Equivalence::ReadsFrom) if usable.loaded.dynamic => {
            let note = "the model looks at values, so executions that differ only in coherence are told apart";
            Counting { note: Some(note.to_owned()), ..Counting::default() }
        }
        Some(Equivalence::ReadsFrom) if depends_on_coherence(program, usable) => {
            let note = "flags of the model can depend on coherence, so executions that differ only in that are explored, by one thread, and counted once where their flags are the same";
            Counting { first_of_sources: true, note: Some(note.to_owned()), ..Counting::default() }
        }
        Some(Equivalence::ReadsFrom) if is_cut(program) => Counting { first_of_sources: true, ..Counting::default() },
        equivalence => Counting { equivalence: equivalence.clone().unwrap_or_default(), ..Counting::default() },
    }
}

fn where_read(unread: &[Unread]) -> Equivalence {
    match unread {
        [] => Equivalence::default(),
        _ => Equivalence::WhereRead(unread.iter().map(|location| location.address).collect()),
    }
}

/// Whether revisits of a program keep program order.
fn keeps_program_order(program: &Program, usable: &Usable) -> bool {
    let plan = usable.plans.get(&usable.model, program, &Equivalence::default());
    prefix_kind(&plan, &Options::default()) == PrefixKind::ProgramOrder
}

/// Whether what is said of executions could differ between those that differ in coherence only.
fn depends_on_coherence(program: &Program, usable: &Usable) -> bool {
    let plan = usable.plans.get(&usable.model, program, &Equivalence::default());
    usable.loaded.dynamic || plan.reported().iter().any(|base| base_relations::is_coherence(&base.name, base.sort))
}
