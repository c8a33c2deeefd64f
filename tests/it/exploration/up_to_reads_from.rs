//! Exploration up to reads-from against exploration of everything, on C programs that wait: the same executions but for coherence, each once, and the same problems.
//!
//! (That threads wait for ever was said of a loop that reads one location twice, of two writes that cannot both be last: `peterson_loop.c`.)

use crate::support::without_coherence;
use hmc::candidates::enumerate::signature;
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::explore::{Equivalence, Execution, Go, Options, Problem, Visitor, explore};
use hmc::graph::prefix::PrefixKind;
use hmc::llvm::{self, Mapping};
use hmc::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const PROGRAMS: [(&str, &str); 8] = [
    ("bench/peterson_loop.c", "-DL=2"),
    ("bench/parker_loop.c", "-DN=2"),
    ("bench/parker.c", ""),
    ("bench/szymanski_loop.c", "-DN=1"),
    ("bench/lamport.c", "-DT=2"),
    ("bench/dekker.c", ""),
    ("correct/lock/ttas.c", "-DN=2"),
    ("correct/lock/seqlock.c", "-DN=2"),
];

/// Executions without their coherence, and how often each; problems, by what they say.
#[derive(Default)]
struct Seen {
    executions: BTreeMap<String, usize>,
    problems: BTreeSet<String>,
}

impl Visitor for Seen {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let sources = without_coherence(&signature(execution), &|_| true, false);
        *self.executions.entry(format!("{sources}\n{:?}", execution.flags)).or_default() += 1;
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, problem: &Problem) -> Go {
        self.problems.insert(format!("{problem:?}"));
        Go::On
    }
}

/// `None`: there is no clang.
fn compiled(file: &str, define: &str) -> Option<Program> {
    let request = llvm::CompileRequest {
        path: format!("tests/c/{file}").into(),
        clang_args: define.split_whitespace().map(str::to_owned).collect(),
        mapping: Mapping::for_arch(None),
        ..Default::default()
    };
    match llvm::compile(&request) {
        Ok(program) => Some(program),
        Err(errors) if errors.iter().any(|e| e.kind == llvm::ErrorKind::ClangMissing) => {
            println!("no clang from 15 on: C programs not compared");
            None
        }
        Err(errors) => panic!("{file}: {errors:?}"),
    }
}

#[test]
fn programs_that_wait() {
    let up_to = |equivalence| Options { equivalence, ..Options::default() };
    compare(&["sc", "tso", "rc11"], &up_to(Equivalence::ReadsFrom), &PROGRAMS);
    compare(&["sc", "tso", "rc11"], &up_to(Equivalence::ReadsFromBut([].into())), &PROGRAMS);
}

/// Under models that allow cycles of program order and reads-from.
#[test]
fn programs_that_keep_dependencies() {
    let up_to = |equivalence| Options { equivalence, prefix: Some(PrefixKind::Dependencies), ..Options::default() };
    compare(&["rc11", "imm", "aarch64"], &up_to(Equivalence::ReadsFrom), &PROGRAMS[2..]);
    compare(&["rc11", "imm", "aarch64"], &up_to(Equivalence::ReadsFromBut([].into())), &PROGRAMS[2..]);
}

/// Where coherence is explored, and the first execution with the same sources is shown.
#[test]
fn programs_of_which_coherence_is_explored() {
    let first = Options { first_of_sources: true, ..Options::default() };
    let fewer = compare(&["rc11", "imm", "aarch64", "lkmm", "c11"], &first, &PROGRAMS[2..]);
    assert!(fewer >= 5, "{fewer}");
}

/// Explores programs so, and telling everything apart. How often executions were fewer.
fn compare(models: &[&str], options: &Options, programs: &[(&str, &str)]) -> usize {
    let mut fewer = 0;
    for name in models {
        let models = Models::new(LoadRequest::named(*name), Vec::new(), false);
        let Ok(usable) = models.get(None) else { panic!("{name} does not load") };
        for (file, define) in programs {
            let Some(program) = compiled(file, define) else { return usize::MAX };
            let seen = |options: &Options| {
                let plan = usable.plans.get(&usable.model, &program, &options.equivalence);
                let mut options = Options { observed: Some(Arc::from([])), ..options.clone() };
                loop {
                    let mut seen = Seen::default();
                    let statistics = explore(&program, &plan, &options, &mut seen);
                    if let (Some(address), Equivalence::ReadsFromBut(open)) =
                        (statistics.ambiguous, &options.equivalence)
                    {
                        options.equivalence =
                            Equivalence::ReadsFromBut(open.iter().copied().chain([address]).collect());
                        continue;
                    }
                    assert!(!statistics.stopped && statistics.cut == 0, "{file} under {name}");
                    break seen;
                }
            };
            let (all, once) = (seen(&Options::default()), seen(options));
            fewer += usize::from(all.executions.values().any(|&n| n > 1));
            assert!(once.executions.keys().eq(all.executions.keys()), "{file} under {name}: other executions");
            assert!(once.executions.values().all(|&n| n == 1), "{file} under {name}: more than once");
            assert_eq!(once.problems, all.problems, "{file} under {name}");
        }
    }
    fewer
}

/// A read of 1 or 2 is of the last write or not: two executions, as their flags differ. A read of 0 is never of the last write, however the others are ordered: one.
#[test]
fn executions_with_other_flags_count_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, test) = (folder.path().join("stale.cat"), folder.path().join("t.litmus"));
    let cat = "stale\ninclude \"cos.cat\"\nacyclic po-loc | rf | co | fr as coherence\nflag ~empty fr as stale\n";
    let litmus = "AArch64 t\n{ 0:X1=x; 1:X1=x; 2:X1=x; }\n P0 | P1 | P2 ;\n MOV W0,#1 | MOV W0,#2 | LDR W0,[X1] ;\n STR W0,[X1] | STR W0,[X1] | ;\nexists (2:X0=1)\n";
    std::fs::write(&model, cat).expect("written");
    std::fs::write(&test, litmus).expect("written");
    for (equivalence, executions) in [("rf", 5), ("rf+co", 6)] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hmc"));
        command.arg("--cat").arg(&model).args(["--equivalence", equivalence, "--format", "json"]).arg(&test);
        let output = command.output().expect("hmc runs");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["results"][0]["executions"]["complete"], executions, "{equivalence}");
    }
}
