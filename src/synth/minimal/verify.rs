//! Whether a test is minimal, judged by the reference evaluator: nothing is shared with the search that has found it but the test.

use super::{Minimality, Witness};
use crate::cat::Loaded;
use crate::cat::reference::{self, Branch, Options};
use crate::synth::Test;
use crate::synth::programs::plain::{Execution, Row};
use crate::synth::programs::vocabulary::{Relaxation, Vocabulary};
use std::collections::BTreeSet;

/// A model, its programs, and what minimal means.
pub struct Verifier<'a> {
    /// The model.
    pub loaded: &'a Loaded,
    /// What tests are made of.
    pub vocabulary: &'a Vocabulary,
    /// Which definition counts.
    pub minimality: Minimality,
    /// The relaxations that tests have to stand.
    pub relaxations: &'a [Relaxation],
    /// The names of the model's axioms, by number.
    pub axioms: &'a [String],
}

impl Verifier<'_> {
    /// What is wrong with a test: nothing, where each of its outcomes is forbidden, by the axioms that it claims, and allowed after every relaxation.
    ///
    /// Errors: what the reference evaluator says of the model.
    pub fn check(&self, test: &Test) -> Result<Vec<String>, String> {
        let row = Row::of(&test.program);
        let executions = row.executions(self.vocabulary);
        let mut wrong = Vec::new();
        for witness in &test.outcomes {
            let own = Execution { rf: witness.rf.clone(), co: witness.co.clone() };
            let same: Vec<&Execution> = match self.minimality {
                Minimality::Outcome => executions.iter().filter(|other| own.agrees(other, &row)).collect(),
                Minimality::Execution => vec![&own],
            };
            wrong.extend(self.forbidden(&row, &same, witness)?);
            for relaxed in row.relaxed(self.vocabulary, self.relaxations) {
                let agreeing: Vec<Execution> = match self.minimality {
                    Minimality::Outcome => {
                        relaxed.executions(self.vocabulary).into_iter().filter(|x| own.agrees(x, &relaxed)).collect()
                    }
                    Minimality::Execution => vec![own.restricted(&relaxed)],
                };
                let mut allowed = false;
                for execution in &agreeing {
                    allowed = allowed || self.branches(&relaxed, execution)?.iter().any(Branch::accepted);
                }
                if !allowed {
                    wrong.push(format!("the outcome stays forbidden after {}", relaxed.how));
                }
            }
        }
        Ok(wrong)
    }

    fn forbidden(&self, row: &Row, same: &[&Execution], witness: &Witness) -> Result<Vec<String>, String> {
        let mut wrong = Vec::new();
        let claimed = (0..self.axioms.len()).filter(|i| witness.axioms >> i & 1 == 1);
        let claimed: BTreeSet<&String> = claimed.map(|i| &self.axioms[i]).collect();
        for execution in same {
            for branch in self.branches(row, execution)? {
                if branch.accepted() {
                    wrong.push("an execution with the outcome is allowed".to_owned());
                    continue;
                }
                let failed: Vec<&String> = branch.failed.iter().filter_map(|f| f.name.as_ref()).collect();
                let named = |name: &&&String| self.loaded.model.checks.iter().any(|c| c.name.as_ref() == Some(**name));
                for axiom in claimed.iter().filter(named).filter(|axiom| !failed.contains(*axiom)) {
                    wrong.push(format!("an execution with the outcome does not violate {axiom}"));
                }
            }
        }
        Ok(wrong)
    }

    fn branches(&self, row: &Row, execution: &Execution) -> Result<Vec<Branch>, String> {
        let candidate = row.candidate(self.vocabulary, execution);
        let options = Options { through: true, ..Options::default() };
        reference::run(self.loaded, &candidate, &options).map_err(|e| e.message)
    }
}
