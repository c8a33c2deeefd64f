//! What the codes of this program's own messages mean, for `hmc explain`; those about models are explained by `cat::diagnostics`, those about
//! litmus tests by `litmus::codes`.

/// By code.
pub const OWN: &[(&str, &str)] = &[
    ("hmc::bad-input", "The file is not what its name says."),
    (
        "hmc::clang-ended",
        "The program was still being compiled when the time limit was reached or the run was interrupted: clang was ended, and nothing is known of the program.",
    ),
    (
        "hmc::clang-missing",
        "C programs are compiled by clang 15 or newer. On Debian: apt-get install clang. HMC_CLANG names one that is not on the path.",
    ),
    (
        "hmc::clang-rejects",
        "The program does not compile. The message is clang's. Arguments for clang follow `--` on the command line.",
    ),
    (
        "hmc::expectation",
        "`hmc test` reads what a program says is expected of it: options of hmc, flags of clang behind ` -- `, and behind `=>` a verdict (holds, violated, bounded, unsupported; of a litmus test also Never, Sometimes, Always), then what else is known: the kind of what is found, its line (@17), executions=N.",
    ),
    ("hmc::file-empty", "The file has no contents, so there is nothing to check."),
    (
        "hmc::file-missing",
        "There is no file of this name. Names are relative to the directory in which hmc was started.",
    ),
    ("hmc::file-too-large", "hmc reads files of up to 64 MiB."),
    ("hmc::file-unreadable", "The file is there, but the system does not let hmc read it."),
    ("hmc::file-unwritable", "A report was to be written to this file, and the system does not allow it."),
    ("hmc::internal", "An error in hmc. Please report it with the command line and the files."),
    (
        "hmc::job-engine",
        "HyperQueue or Slurm did not take what was submitted. `hmc cluster` runs `hq` or `sbatch`, which have to be on the path and to know their server. The message is theirs.",
    ),
    ("hmc::job-exists", "The directory holds the job of another check. `hmc run --job DIR` goes on with it."),
    ("hmc::job-file", "A file of a job cannot be read or written."),
    (
        "hmc::job-foreign",
        "A list or a result in the directory of a job names another job. Parts of different jobs are never counted together.",
    ),
    (
        "hmc::job-format",
        "A file of a job, or a list of parts, is not what `hmc split` or `hmc merge --pending` writes.",
    ),
    ("hmc::job-part", "There is no open part of this name. It may be done: its result is in the directory then."),
    ("hmc::job-report", "`hmc merge` makes one report of JSON reports of hmc, one a shard, and this file is none."),
    (
        "hmc::job-result",
        "Results do not fit together: a part is left by two others, or a record cannot be what this program wrote. Nothing is counted then.",
    ),
    (
        "hmc::job-undivided",
        "The check cannot be divided: it enumerates, is audited, or is compared with other results while it runs. `docs/cluster.md` lists what can be divided.",
    ),
    (
        "hmc::job-version",
        "The job was made by another version or build of hmc. A part is a path of choices, which only the same program walks to the same place.",
    ),
    (
        "hmc::macro-file",
        "A macro (.def) file gives the primitives of a model, such as READ_ONCE, their meaning. The message shows where it cannot be read.",
    ),
    (
        "hmc::model-evaluation",
        "A part of the model can only be evaluated on executions, and on one of this program that failed, for instance because a `match` has no case for a value, a `let rec` never settles, or an `assert` fails. Nothing is said of such an execution; the verdict is `unsupported`, unless something is wrong in another one.",
    ),
    (
        "hmc::model-failed",
        "The model has errors, or is for another architecture; that was shown with the first file that was to be checked under it.",
    ),
    (
        "hmc::needs-scopes",
        "The model has sets or relations of scopes (of a GPU, or of a bell file), and no litmus test or program that hmc reads has a tree of scopes. What the model would say is not known, so nothing runs under it.",
    ),
    (
        "hmc::no-expectations",
        "`hmc test` runs files that say what is expected of them, in lines that begin with `// hmc:` (or `(* hmc:` in litmus tests), and the harnesses of hmc.toml. There were none where it looked.",
    ),
    (
        "hmc::no-kernel-tests",
        "With `--linux`, a C file is a harness: it includes files of the kernel, `<hmc/linux.h>` behind them, and has tests, `HMC_TEST(name) { … }`. This one has none, or none of the name that `--test` gives. `docs/kernel.md` has a first test.",
    ),
    (
        "hmc::no-relation",
        "`--relations` names what pictures show: relations and sets that the model defines with `let`, and base names such as rf, co, fr or po-loc (`docs/models.md`). The model has none of this name.",
    ),
    (
        "hmc::no-tests",
        "A directory stands for all files below it that end in .litmus, and there are none. C files are named one by one, because most directories of C files are not directories of programs.",
    ),
    (
        "hmc::no-variable",
        "`--observe` names global variables that the program may change. Constants, thread-local variables and local ones have no value at the end that can be named; `hmc_observe(value)` of <hmc.h> shows any value.",
    ),
    (
        "hmc::not-a-file",
        "A file was expected, and a directory, a pipe or a device was found. A directory on the command line stands for all litmus tests below it; inside a list it does not.",
    ),
    (
        "hmc::not-a-program",
        "A litmus test is complete in itself. `--link FILE` adds a source file to a program, and `--entry FUNCTION` says where it begins.",
    ),
    (
        "hmc::not-compiled",
        "`hmc compiled` compiles a program twice, without and with optimisation. Litmus tests and LLVM IR are not compiled.",
    ),
    (
        "hmc::not-only-starting",
        "`hmc compiled --target` and `--assembly` run the threads of a program as they were compiled, without `main`. So `main` has to create them, join them, and do nothing else between that threads or the outcome could see; what it writes before is the initial state.",
    ),
    ("hmc::not-utf8", "Text files are read as UTF-8. The message says at which byte the file stops being that."),
    (
        "hmc::other-accesses",
        "`hmc repair` and `hmc relax` change a program that is to hold under all models named, so it has to have the same accesses under all of them. A model with macros of its own makes another program of the same text.",
    ),
    (
        "hmc::page-missing",
        "`hmc playground` serves a page that is built: `web/build` does that in the sources of hmc (docs/teaching.md). `--page DIR` names the folder that has its index.html.",
    ),
    (
        "hmc::page-port",
        "The port on this machine cannot be listened on: another program may have it. `--port` names another one.",
    ),
    (
        "hmc::persistency",
        "With `--persist MODEL` a program's files survive a crash as the model allows; with a model such as px86, memory that `hmc_persistent` marks. The recovery (`__VERIFIER_recovery_routine`) runs on each state. docs/persistency.md has the models, the words and the calls.",
    ),
    (
        "hmc::project",
        "hmc.toml says what holds for all programs of a project: models, include, properties, clang, unroll, timeout, tests, and a [[harness]] for each program that is made of several files or begins in another function than `main`.",
    ),
    (
        "hmc::question",
        "A question about models could not be asked or answered. The message says why; `docs/questions.md` says what can be asked.",
    ),
    (
        "hmc::recorded-results",
        "--expect and --resume take results of an earlier run: a table whose first line names its columns (`test`, then any of verdict, kind, observation, positive, negative, flags, nstates, states), a log of herd or litmus, or a JSON report of hmc.",
    ),
    (
        "hmc::rustc-missing",
        "Rust programs are compiled by rustc, packages built by cargo: https://rustup.rs. HMC_RUSTC names one that is not on the path.",
    ),
    (
        "hmc::rustc-rejects",
        "The program or the package does not compile. The message is rustc's. Arguments for rustc follow `--` on the command line of hmc.",
    ),
    (
        "hmc::specification",
        "`--linearizable` holds the calls of functions against sequential C that defines functions of the same names, or against a specification that comes with hmc (queue, stack, set, register, counter, lock, deque, priority-queue). docs/linearizability.md has examples.",
    ),
    (
        "hmc::synth",
        "`hmc synth` could not begin, or could not print or write what it found. The message says why; `docs/synthesis.md` says what models and lattice files it takes.",
    ),
    (
        "hmc::unknown-kind",
        "The extension decides how a file is read: .litmus is a litmus test; .c, .cc, .cpp and .cxx are compiled by clang, .rs by rustc; .ll is LLVM IR as text.",
    ),
    (
        "hmc::unsupported",
        "The program does something that hmc cannot run, at the place shown. Nothing is said about executions that come there: the verdict is `unsupported`, not `holds`.",
    ),
];

#[cfg(test)]
mod tests {
    use super::OWN;
    use crate::litmus;
    use std::path::Path;

    /// The codes that stand in the source, at least one a file of those that report anything.
    fn shown(directory: &Path, codes: &mut Vec<String>) {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                shown(&path, codes);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file");
            for start in ["\"hmc::", "\"litmus::"] {
                let words = text.match_indices(start).filter_map(|(at, _)| text[at + 1..].split('"').next());
                let is_code = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c == ':');
                codes.extend(words.filter(is_code).map(str::to_owned));
            }
        }
    }

    #[test]
    fn every_code_that_is_shown_is_explained() {
        let mut codes = Vec::new();
        shown(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut codes);
        codes.retain(|code| code.split("::").nth(1).is_some_and(|name| !name.is_empty()));
        assert!(codes.len() > 100, "{}", codes.len());
        let is_known = |code: &str| OWN.iter().any(|(own, _)| *own == code) || litmus::codes::find(code).is_some();
        let missing: Vec<_> = codes.iter().filter(|code| !is_known(code)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(OWN.is_sorted_by(|a, b| a.0 < b.0), "in order");
        assert!(litmus::codes::CODES.is_sorted_by(|a, b| a.name < b.name), "in order");
    }
}
