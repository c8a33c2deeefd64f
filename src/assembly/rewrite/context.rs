//! What the translations for all processors share: what an instruction may come to, names of variables and labels.

use crate::assembly::data::{Datum, Variable, symbol};
use crate::assembly::unit::Unit;
use std::collections::HashSet;

/// What an instruction comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// These instructions.
    Rows(Vec<String>),
    /// A call of a function.
    Call(String),
    /// A jump to the beginning of a function, which returns to the caller.
    TailCall(String),
    /// A return.
    Return,
    /// A return where the condition of this jump holds.
    ReturnIf(String),
}

impl Step {
    pub(super) fn row(text: impl Into<String>) -> Step {
        Step::Rows(vec![text.into()])
    }
}

/// Why there is nothing to be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The text is wrong.
    Wrong(String),
    /// hmc cannot do this.
    Unsupported(String),
}

/// What a translation knows.
pub struct Context<'u> {
    /// The file.
    pub unit: &'u Unit,
    /// Labels of the function that is translated.
    pub labels: HashSet<&'u str>,
    /// Which copy of the function it is.
    pub copy: usize,
    /// Variables that were named.
    pub named: Vec<String>,
}

impl<'u> Context<'u> {
    /// The variable that an operand names, by its name in the test, and the distance from its beginning.
    pub(super) fn variable(&mut self, text: &str) -> Result<(String, i64), Refusal> {
        let (name, offset) = symbol(text).ok_or_else(|| Refusal::Wrong(format!("`{text}` is no symbol")))?;
        let Some((variable, more)) = self.unit.data.resolve(&name) else {
            let message = format!("`{name}` is not defined in this file, or hmc does not know its section");
            return Err(Refusal::Unsupported(message));
        };
        self.checked(variable)?;
        let offset = offset.wrapping_add(more);
        if offset < 0 || offset.unsigned_abs() > variable.size() {
            let message = format!("`{text}` is outside of `{}`, which has {} bytes", variable.name, variable.size());
            return Err(Refusal::Unsupported(message));
        }
        let plain = self.unit.plain_name(&variable.name).to_owned();
        self.named.push(variable.name.clone());
        Ok((plain, offset))
    }

    fn checked(&self, variable: &Variable) -> Result<(), Refusal> {
        if variable.anchored {
            let message = format!("`{}` is reached by the place of another variable", variable.name);
            return Err(Refusal::Unsupported(format!("{message}; compile with `-fno-section-anchors`")));
        }
        Ok(())
    }

    /// The symbol whose address an entry of a table of addresses holds.
    pub(super) fn entry(&self, name: &str) -> Option<String> {
        let (variable, 0) = self.unit.data.resolve(name)? else { return None };
        match variable.contents.first() {
            Some(Datum::Address(name, offset)) if !variable.global => Some(format!("{name}+{offset}")),
            _ => None,
        }
    }

    /// A label of the function that is translated, by its name in the test.
    pub(super) fn label(&self, name: &str) -> Option<String> {
        self.labels.contains(name).then(|| self.unique(name))
    }

    /// The name of a label in this copy. Numbers are the assembler's own: they may stand several times.
    pub fn unique(&self, name: &str) -> String {
        match name.bytes().all(|b| b.is_ascii_digit()) {
            true => name.to_owned(),
            false => format!("{name}.{}", self.copy),
        }
    }

    /// Operands with the labels of this copy.
    pub(super) fn relabelled(&self, operands: &[String]) -> String {
        let named = operands.iter().map(|operand| self.label(operand).unwrap_or_else(|| operand.clone()));
        named.collect::<Vec<_>>().join(",")
    }

    pub(super) fn is_function(&self, name: &str) -> bool {
        self.unit.function(name).is_some()
    }
}

/// An instruction as a test has it.
pub(super) fn spelled(mnemonic: &str, operands: &str) -> String {
    format!("{mnemonic} {operands}").trim_end().to_owned()
}

/// A name without what says how it is linked: `f@PLT`.
pub(super) fn unlinked(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

pub(super) fn unknown_call(name: &str) -> Refusal {
    Refusal::Unsupported(format!("`{name}` is called, and this file does not define it"))
}
