//! A suite as files: a test each, an index, tables for other programs.
//!
//! [`name`], [`print`](mod@print): tests as the field names and writes them; [`drawn`]: as executions that are drawn. [`reduce`]: the minimal tests that a test contains.

pub mod drawn;
pub mod name;
pub mod print;
pub mod reduce;

use super::minimal::Witness;
use super::minimal::judge::Axioms;
use super::programs::program::Program;
use super::programs::vocabulary::{Relaxation, Vocabulary};
use super::{Suite, Test};
use name::Names;
use print::{Condition, litmus};
use serde::Serialize;
use std::collections::HashMap;

/// A test, ready to be written.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its name, also that of its file.
    pub name: String,
    /// The number of events.
    pub size: usize,
    /// The program in canonical form.
    pub program: String,
    /// The axioms for which it is minimal; none where different executions of its outcome violate different ones.
    pub axioms: Vec<String>,
    /// The relaxations that were applied, by tag.
    pub relaxations: Vec<&'static str>,
    /// One execution for each minimal outcome.
    pub executions: Vec<String>,
    /// The litmus test.
    #[serde(skip)]
    pub text: String,
}

/// Names and prints the tests of a suite.
///
/// Errors: what [`litmus`] says.
pub fn entries(
    suite: &Suite,
    vocabulary: &Vocabulary,
    relaxations: &[Relaxation],
    condition: Condition,
) -> Result<Vec<Entry>, String> {
    let names = Names::new(vocabulary);
    let mut used: HashMap<String, usize> = HashMap::new();
    let mut entries = Vec::with_capacity(suite.tests.len());
    for test in &suite.tests {
        let base = names.of(&test.program);
        let count = used.entry(base.clone()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { base } else { format!("{base}-{count}") };
        let axioms = axiom_names(axioms(test), &suite.axioms);
        let applied = applied(test, vocabulary, relaxations);
        let by = if axioms.is_empty() { "the whole model".to_owned() } else { axioms.join(", ") };
        let comment = match applied.as_slice() {
            [] => by,
            some => format!("minimal for {by}; allowed after {}", some.join(", ")),
        };
        let comment = [comment];
        let text = litmus(test, vocabulary, &name, &comment, condition)?;
        let executions = test.outcomes.iter().map(|w| execution(&test.program, w)).collect();
        let program = test.program.text(vocabulary);
        entries.push(Entry {
            name,
            size: test.program.size(),
            program,
            axioms,
            relaxations: applied,
            executions,
            text,
        });
    }
    Ok(entries)
}

/// The index of a suite as a table: size, program, axioms, name, the first execution.
pub fn table(entries: &[Entry]) -> String {
    let row = |e: &Entry| {
        let execution = e.executions.first().map_or("", String::as_str);
        format!("{}\t{}\t{}\t{}\t{execution}\n", e.size, e.program, e.axioms.join(","), e.name)
    };
    entries.iter().map(row).collect()
}

/// The axioms for which some outcome of a test is minimal.
pub fn axioms(test: &Test) -> Axioms {
    test.outcomes.iter().fold(0, |all, witness| all | witness.axioms)
}

fn axiom_names(axioms: Axioms, names: &[String]) -> Vec<String> {
    names.iter().enumerate().filter(|(i, _)| axioms >> i & 1 == 1).map(|(_, name)| name.clone()).collect()
}

fn applied(test: &Test, vocabulary: &Vocabulary, relaxations: &[Relaxation]) -> Vec<&'static str> {
    let layout = super::minimal::frame::Layout::new(&test.program, vocabulary);
    let used = layout.applications(vocabulary, relaxations);
    relaxations.iter().filter(|r| used.iter().any(|a| a.relaxation == **r)).map(|r| r.tag()).collect()
}

/// An execution: the source of each read, then each pair of neighbours in coherence.
fn execution(program: &Program, witness: &Witness) -> String {
    let size = program.size();
    let source = |w: usize| if w < size { w.to_string() } else { "init".to_owned() };
    let reads = witness.rf.iter().map(|&(read, w)| format!("{read}<-{}", source(w)));
    let orders = witness.co.iter().flat_map(|order| order.windows(2).map(|w| format!("{}co{}", w[0], w[1])));
    reads.chain(orders).collect::<Vec<_>>().join(" ")
}
