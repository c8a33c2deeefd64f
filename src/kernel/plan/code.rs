//! The instruction set of a [`Plan`](super::Plan).
//!
//! A *slot* holds the value of one expression: a set slot one row, a relation slot a matrix of rows (row `x` = the targets
//! of `x`). Most operators are not instructions of their own: a relation is a union of [`Chain`]s, each a composition of
//! slots, restrictions and jumps, filtered by other slots, and is evaluated row by row without intermediate matrices.

use super::wake::Wake;
use crate::algebra::Predicate;
use crate::kernel::small::SmallCode;

/// A set slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::kernel) struct SetSlot(pub u32);

/// A relation slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::kernel) struct RelSlot(pub u32);

/// A slot of either sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::kernel) enum Place {
    Set(SetSlot),
    Rel(RelSlot),
}

/// The slot of the set of all events.
pub(in crate::kernel) const UNIVERSE: SetSlot = SetSlot(0);

/// One factor of a composition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::kernel) enum Step {
    /// A relation, or its reflexive closure.
    Rel { slot: RelSlot, opt: bool },
    /// `[S]`
    Mask(SetSlot),
    /// `_ * S`
    Jump(SetSlot),
}

/// `(steps; … & and… \ not…)`, perhaps only the pairs that carry different values. Without steps: the identity.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::kernel) struct Chain {
    pub steps: Vec<Step>,
    pub and: Vec<RelSlot>,
    pub not: Vec<RelSlot>,
    pub differ: bool,
    /// The slots of which one must have gained more than edges from new events to older ones and new members, for the chain to have
    /// gained more than edges from new events to older ones, or to have lost something, unless one of them was lost from. Nothing where
    /// that cannot be said.
    pub sources: Option<Wake>,
}

/// One instruction: computes the slot `out`.
#[derive(Clone, Debug)]
pub(in crate::kernel) enum Instr {
    /// A union of chains.
    Rows { out: RelSlot, chains: Vec<Chain> },
    /// Transitive closure.
    Plus { out: RelSlot, of: RelSlot },
    /// Converse.
    Transpose { out: RelSlot, of: RelSlot },
    /// Sources of a relation.
    Domain { out: SetSlot, of: RelSlot },
    /// Union of sets.
    Union { out: SetSlot, of: Vec<SetSlot> },
    /// Intersection of sets.
    Inter { out: SetSlot, of: Vec<SetSlot> },
    /// Difference of sets.
    Minus { out: SetSlot, from: SetSlot, not: SetSlot },
    /// A recursive group.
    Group(Box<Group>),
}

/// A recursive group: each variable's slot ends up equal to its equation's.
#[derive(Clone, Debug)]
pub(in crate::kernel) struct Group {
    /// The variables' slots.
    pub vars: Vec<Place>,
    /// The slots of the right-hand sides, as computed by `body` (or from outside).
    pub bodies: Vec<Place>,
    /// How to run it.
    pub form: Form,
    /// Slots from outside the group that its code reads.
    pub outer: Vec<Place>,
    /// Those of them that stand to the right of a difference in code that depends on the variables.
    pub outer_negative: Vec<Place>,
}

/// Two ways of running a recursive group.
#[derive(Clone, Debug)]
pub(in crate::kernel) enum Form {
    /// Monotone: any fair order of evaluation reaches the least fixpoint, also from an earlier one when inputs only grew.
    Least { body: Vec<Instr> },
    /// Anything else: the very loop of the language, one code segment an equation. `failed` receives a member when the `when`
    /// test fails or the loop does not end.
    Exact { segments: Vec<Vec<Instr>>, when: Option<When>, failed: SetSlot },
}

/// A `when` test: its code, then the test.
#[derive(Clone, Debug)]
pub(in crate::kernel) struct When {
    pub code: Vec<Instr>,
    pub test: Test,
    pub negated: bool,
}

/// A predicate on a value that needs no slot.
#[derive(Clone, Debug)]
pub(in crate::kernel) struct Test {
    pub predicate: Predicate,
    pub of: Operand,
    /// Which of the session's topological orders belongs to it, if one does: that of a cycle check which is kept up to date.
    pub order: Option<usize>,
}

/// The operand of a test.
#[derive(Clone, Debug)]
pub(in crate::kernel) enum Operand {
    Set(SetSlot),
    Rows(Vec<Chain>),
}

/// A check, as a schedule reaches it.
#[derive(Clone, Debug)]
pub(in crate::kernel) struct Check {
    /// Index in the model.
    pub index: usize,
    /// All of them must hold.
    pub tests: Vec<Test>,
    /// Whether the check speaks up when they all hold, or when they do not.
    pub fires_when: bool,
    /// Whether the check speaks up when a group below it fails.
    pub fires_on_failure: bool,
    /// Groups below the check that may fail.
    pub failures: Vec<SetSlot>,
}

/// One entry of a schedule.
#[derive(Clone, Debug)]
pub(in crate::kernel) enum Item {
    Do(Instr),
    Check(Check),
    Section(Section),
}

/// Code for checks of emptiness that hold for certain while each of their alternatives has an empty guard.
#[derive(Clone, Debug)]
pub(in crate::kernel) struct Section {
    /// The guards, by alternative.
    pub guards: Vec<Vec<Place>>,
    /// Groups below the checks that may fail; when one does, the section runs.
    pub failures: Vec<SetSlot>,
    /// Has a member while the section's slots are up to date; nothing when they are scratch.
    pub valid: Option<SetSlot>,
    /// Code and checks, no sections.
    pub body: Vec<Item>,
}

/// Everything that a session runs.
#[derive(Clone, Default, Debug)]
pub(in crate::kernel) struct Code {
    /// Number of set slots: the universe, inputs, then derived values kept up to date, then scratch.
    pub sets: u32,
    /// Number of relation slots, laid out in the same way.
    pub rels: u32,
    /// Input sets: slots by input; input relations: slots of the two directions, where used.
    pub inputs: Vec<InputSlots>,
    /// The pruning checks in the form for small executions, where there is one.
    pub small: Option<SmallCode>,
    /// The pruning checks and what they need, kept up to date as events come and go.
    pub partial: Vec<Item>,
    /// What each of its items waits for.
    pub wakes: Vec<Wake>,
    /// The other required checks; their values are scratch.
    pub last: Vec<Item>,
    /// Flags, undefinedness conditions and assertions; their values are scratch. They read what `last` left.
    pub flags: Vec<Item>,
    /// Number of topological orders.
    pub orders: usize,
    /// Whether event values matter.
    pub uses_values: bool,
}

/// The slots of one input.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::kernel) struct InputSlots {
    pub set: Option<SetSlot>,
    pub forward: Option<RelSlot>,
    pub backward: Option<RelSlot>,
}

/// How an instruction uses a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::kernel) enum Access {
    Write,
    Read,
    /// Read to the right of a difference.
    Negative,
}

/// A slot mentioned by an instruction.
pub(in crate::kernel) enum Mention<'a> {
    Set(&'a mut SetSlot, Access),
    Rel(&'a mut RelSlot, Access),
}

type Visitor<'v> = &'v mut dyn FnMut(Mention<'_>);

impl Chain {
    fn visit(&mut self, see: Visitor<'_>) {
        for step in &mut self.steps {
            match step {
                Step::Rel { slot, .. } => see(Mention::Rel(slot, Access::Read)),
                Step::Mask(slot) | Step::Jump(slot) => see(Mention::Set(slot, Access::Read)),
            }
        }
        self.and.iter_mut().for_each(|slot| see(Mention::Rel(slot, Access::Read)));
        self.not.iter_mut().for_each(|slot| see(Mention::Rel(slot, Access::Negative)));
    }
}

impl Test {
    pub(in crate::kernel) fn visit(&mut self, see: Visitor<'_>) {
        match &mut self.of {
            Operand::Set(slot) => see(Mention::Set(slot, Access::Read)),
            Operand::Rows(chains) => chains.iter_mut().for_each(|chain| chain.visit(see)),
        }
    }
}

impl Place {
    fn visit(&mut self, access: Access, see: Visitor<'_>) {
        match self {
            Place::Set(slot) => see(Mention::Set(slot, access)),
            Place::Rel(slot) => see(Mention::Rel(slot, access)),
        }
    }
}

impl Instr {
    /// Shows every slot that the instruction mentions, inside groups too.
    pub(in crate::kernel) fn visit(&mut self, see: Visitor<'_>) {
        match self {
            Instr::Rows { out, chains } => {
                chains.iter_mut().for_each(|chain| chain.visit(see));
                see(Mention::Rel(out, Access::Write));
            }
            Instr::Plus { out, of } | Instr::Transpose { out, of } => {
                see(Mention::Rel(of, Access::Read));
                see(Mention::Rel(out, Access::Write));
            }
            Instr::Domain { out, of } => {
                see(Mention::Rel(of, Access::Read));
                see(Mention::Set(out, Access::Write));
            }
            Instr::Union { out, of } | Instr::Inter { out, of } => {
                of.iter_mut().for_each(|slot| see(Mention::Set(slot, Access::Read)));
                see(Mention::Set(out, Access::Write));
            }
            Instr::Minus { out, from, not } => {
                see(Mention::Set(from, Access::Read));
                see(Mention::Set(not, Access::Negative));
                see(Mention::Set(out, Access::Write));
            }
            Instr::Group(group) => group.visit(see),
        }
    }
}

impl Group {
    fn visit(&mut self, see: Visitor<'_>) {
        self.vars.iter_mut().for_each(|place| place.visit(Access::Write, see));
        match &mut self.form {
            Form::Least { body } => body.iter_mut().for_each(|instr| instr.visit(see)),
            Form::Exact { segments, when, failed } => {
                segments.iter_mut().flatten().for_each(|instr| instr.visit(see));
                if let Some(when) = when {
                    when.code.iter_mut().for_each(|instr| instr.visit(see));
                    when.test.visit(see);
                }
                see(Mention::Set(failed, Access::Write));
            }
        }
        self.bodies.iter_mut().for_each(|place| place.visit(Access::Read, see));
        self.outer.iter_mut().for_each(|place| place.visit(Access::Read, see));
        self.outer_negative.iter_mut().for_each(|place| place.visit(Access::Read, see));
    }
}

impl Item {
    /// Shows every union of chains outside recursive groups.
    pub(in crate::kernel) fn visit_chains(&mut self, see: &mut dyn FnMut(&mut Chain)) {
        match self {
            Item::Do(Instr::Rows { chains, .. }) => chains.iter_mut().for_each(see),
            Item::Do(_) => {}
            Item::Check(check) => {
                for test in &mut check.tests {
                    if let Operand::Rows(chains) = &mut test.of {
                        chains.iter_mut().for_each(&mut *see);
                    }
                }
            }
            Item::Section(section) => section.body.iter_mut().for_each(|item| item.visit_chains(see)),
        }
    }

    /// Shows every slot that the item mentions.
    pub(in crate::kernel) fn visit(&mut self, see: Visitor<'_>) {
        match self {
            Item::Do(instr) => instr.visit(see),
            Item::Check(check) => {
                check.tests.iter_mut().for_each(|test| test.visit(see));
                check.failures.iter_mut().for_each(|slot| see(Mention::Set(slot, Access::Read)));
            }
            Item::Section(section) => {
                section.guards.iter_mut().flatten().for_each(|place| place.visit(Access::Read, see));
                section.failures.iter_mut().for_each(|slot| see(Mention::Set(slot, Access::Read)));
                section.valid.iter_mut().for_each(|slot| see(Mention::Set(slot, Access::Write)));
                section.body.iter_mut().for_each(|item| item.visit(see));
            }
        }
    }
}
