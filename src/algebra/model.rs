//! A staged memory model: what remains of a cat file once everything that does not depend on the execution is gone.

use super::{ExprId, Pool};

/// The predicate of a check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Predicate {
    /// `acyclic r`
    Acyclic,
    /// `irreflexive r`
    Irreflexive,
    /// `empty r` or `empty S`
    Empty,
}

/// What happens when the predicate does not hold (or, for a flag, when it does).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// No prefix: the execution is rejected.
    Require,
    /// `flag`: the execution is kept and the flag is raised when the predicate *holds*.
    Flag,
    /// `undefined_unless`: the execution is kept and the program's behaviour is undefined.
    Undefined,
    /// `assert`: the model itself is wrong for this test.
    Assert,
    /// The `when` test of a recursive group: the execution is rejected when the operand, which the group computes, has no value.
    /// The predicate holds of any value.
    When,
    /// A recursive group that may never settle: the model has no answer for an execution in which the operand has no value.
    /// The predicate holds of any value. An execution that other checks reject, whatever that value would be, is rejected.
    Settle,
}

impl Role {
    /// Whether an execution is rejected by a check that speaks up.
    pub fn rejects(self) -> bool {
        matches!(self, Role::Require | Role::When)
    }

    /// Whether the model has no answer for an execution in which a check speaks up.
    pub fn is_error(self) -> bool {
        matches!(self, Role::Assert | Role::Settle)
    }

    /// Whether a check speaks up when its operand has no value, because a recursive group that it mentions fails.
    pub fn wants_value(self) -> bool {
        matches!(self, Role::When | Role::Settle)
    }
}

/// One check of a model.
#[derive(Clone, Debug)]
pub struct Check {
    /// `as name`.
    pub name: Option<String>,
    /// What it does.
    pub role: Role,
    /// What it tests.
    pub predicate: Predicate,
    /// Written with `~`.
    pub negated: bool,
    /// The operand.
    pub expr: ExprId,
    /// Where it stands: index into [`Model::files`], byte range.
    pub place: (u32, std::ops::Range<usize>),
}

/// A staged model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The title of the root file.
    pub title: String,
    /// The architecture that the title claims, when it is a known one (`AArch64`, `C`, …).
    pub arch: Option<String>,
    /// Expressions of all checks.
    pub pool: Pool,
    /// Checks in the order in which the model makes them.
    pub checks: Vec<Check>,
    /// Relations that the model wants shown: name and value.
    pub shows: Vec<(String, ExprId)>,
    /// Every top-level `let` of the model: name and value, last definition wins. For explanations and `model info`.
    pub definitions: Vec<(String, ExprId)>,
    /// The files that were read (path as shown to the user, text), root first.
    pub files: Vec<(String, String)>,
}
