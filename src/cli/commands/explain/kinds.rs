//! What the kinds of findings and the verdicts mean, for `hmc explain`.

/// By name.
pub const KINDS: &[(&str, &str)] = &[
    (
        "arithmetic",
        "A division by zero, or a signed division whose result does not fit. The finding shows the execution in which the operands get these values: look for the read that gives one of them.",
    ),
    (
        "assertion",
        "An `assert` fails, `abort` is called, or code is reached that must not be (`__builtin_unreachable`, `reach_error`). The finding shows an execution that does it. Where no interleaving explains it, the lines that the model does not keep in order are named: `hmc repair` looks for the memory orders that do. Where one does, memory orders do not help.",
    ),
    (
        "bounded",
        "A verdict: nothing was found, but not every execution was looked at to its end. A note says why: `--unroll` or `--timeout` cut the search, values come from outside, executions may be missing, or no execution is complete. Exit code 3. It never means `holds`.",
    ),
    (
        "crash",
        "After a crash, the recovery fails on a state of the disk, or of persistent memory, that the persistency model allows. The finding names a write that had survived, an earlier one that had not, and the force that was missing between them. docs/persistency.md says how to write a recovery.",
    ),
    (
        "error",
        "A verdict: the file or the model cannot be read. The messages say what is wrong; `hmc explain CODE` says more about each. Exit code 2.",
    ),
    ("exit-code", "`main` returns another value than 0, or `exit` is called with one."),
    (
        "holds",
        "A verdict: every consistent execution of the program was looked at (a litmus test: it ran), and nothing of what `--properties` names is wrong in any. It is about this program with these arguments under this model: another client of the same code may go wrong. Exit code 0.",
    ),
    ("leak", "A warning: memory is never freed and nothing points to it in the end. It changes no verdict."),
    (
        "linearizability",
        "No order of the calls of one object explains their results, or a call does not see one that it has to see. docs/linearizability.md says what is compared.",
    ),
    (
        "liveness",
        "Threads wait for ever: all that they read is final, or they go round a loop that nothing ends and that changes nothing. The finding says which threads, where, and for whom they wait.",
    ),
    (
        "locks",
        "A mutex, spin lock, reader-writer lock, condition variable, barrier or semaphore is used as it must not be: initialised twice, used before that or after its end, unlocked by somebody who does not hold it.",
    ),
    (
        "memory",
        "An access that may not be made: through a null or wild pointer, beyond an object, after `free` or after the return of a variable's function, to constant memory; a `free` or an allocation that nothing orders with an access; a double `free`.",
    ),
    ("never-joined", "A warning: a thread is neither joined nor detached. It changes no verdict."),
    (
        "overflow",
        "Signed arithmetic whose result does not fit. It is looked for with `--properties overflow` only, since much code relies on wrapping.",
    ),
    (
        "race",
        "The model raises a flag with `race` in its name: of C11, two accesses of different threads to one place, one of them a write and one of them not atomic, that happens-before does not order. That is undefined behaviour, whatever the values are. The finding shows both accesses, the chain between them if there is one, and the step of it that does not synchronise: `hmc repair` looks for the order that makes it do so. Models of processors, sc and tso know no races: `--race-model rc11`.",
    ),
    ("threads", "A join with something that is no thread, or a second join with one."),
    (
        "undefined",
        "The model says `undefined_unless` of something that fails in this execution: the behaviour of the program is undefined.",
    ),
    (
        "uninitialised",
        "A read of memory of which no byte was ever written, other than by copying or comparing blocks, or of a local variable that nothing was written to.",
    ),
    (
        "unsupported",
        "A verdict: nothing was found, but an execution comes to something that hmc cannot run. The message names it and its line. Exit code 4. It never means `holds`.",
    ),
    (
        "violated",
        "A verdict: something is wrong, and the finding shows an execution in which it is. A search ends at the first finding; `--keep-going` looks for all. Exit code 1.",
    ),
];

#[cfg(test)]
mod tests {
    use super::KINDS;
    use crate::verdict::{Property, Verdict};

    #[test]
    fn every_kind_and_verdict_is_explained() {
        let is_known = |name: &str| KINDS.iter().any(|(known, _)| *known == name);
        assert!(Property::ALL.iter().all(|property| is_known(property.name())));
        let verdicts = [Verdict::Holds, Verdict::Violated, Verdict::Bounded, Verdict::Unsupported, Verdict::Error];
        assert!(verdicts.iter().all(|verdict| is_known(verdict.word())));
        assert!(["leak", "never-joined", "undefined"].iter().all(|kind| is_known(kind)));
        assert!(KINDS.is_sorted_by(|a, b| a.0 < b.0), "in order");
    }
}
