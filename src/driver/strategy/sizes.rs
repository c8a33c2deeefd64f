//! Programs in which accesses of different sizes meet: explored anew with these cut into parts, under the model over parts, as often as more of them are found.

use crate::driver::inputs::models::Usable;
use crate::driver::inputs::settings::Settings;
use crate::explore::sizes::Found;
use crate::program::Program;
use crate::program::cuts;
use std::sync::Arc;

/// What is said where threads share such memory under a model that does not say what it means.
const READ_AS: &str = "accesses of different sizes meet, and the model names no `si`: what it says of one location was taken for each part of an access, everything else for whole accesses";

/// Whether a model can be asked about parts of accesses: one of which something is evaluated on each execution is not rewritten.
pub(in crate::driver) fn may_be_cut(usable: &Usable) -> bool {
    !usable.loaded.dynamic || usable.names_parts()
}

/// Whether a program has accesses that are made of parts before others meet them: those of sixteen bytes.
pub(in crate::driver) fn has_parts(program: &Program) -> bool {
    program.functions.iter().any(|function| !function.parts.is_empty())
}

/// A program with accesses that are cut, and the model for it; neither as long as nothing is.
#[derive(Default)]
pub(crate) struct Sizes {
    cut: Option<(Program, Arc<Usable>)>,
    shared: bool,
}

impl Sizes {
    /// Nothing is cut yet, unless all is to be.
    pub fn new(program: &Program, usable: &Usable, settings: &Settings) -> Sizes {
        let mut sizes = Sizes::default();
        if has_parts(program) && may_be_cut(usable) {
            sizes.cut = Some((program.clone(), usable.over_parts()));
        }
        if settings.cut_bytes && may_be_cut(usable) {
            sizes.grow(program, usable, Found { cuts: cuts::everywhere(program), shared: false });
        }
        sizes
    }

    /// The program as it is to be explored.
    pub fn program<'a>(&'a self, program: &'a Program) -> &'a Program {
        self.cut.as_ref().map_or(program, |(program, _)| program)
    }

    /// The model as it is to be used.
    pub fn model<'a>(&'a self, usable: &'a Usable) -> &'a Usable {
        self.cut.as_ref().map_or(usable, |(_, usable)| usable)
    }

    /// Cuts more. `false`: there is nothing to be cut.
    pub fn grow(&mut self, program: &Program, usable: &Usable, found: Found) -> bool {
        if found.cuts.is_empty() {
            return false;
        }
        self.shared |= found.shared;
        let (mut program, usable) = self.cut.take().unwrap_or_else(|| (program.clone(), usable.over_parts()));
        cuts::cut(&mut program, &found.cuts);
        self.cut = Some((program, usable));
        true
    }

    /// What is to be said.
    pub fn note(&self, usable: &Usable) -> Option<&'static str> {
        (self.shared && !usable.names_parts()).then_some(READ_AS)
    }
}
