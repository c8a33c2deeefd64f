//! `hmc explain CODE`: what a message means, at length.

use super::BAD_INPUT;
use super::args::ExplainArgs;
use crate::cat::diagnostics;

/// The codes of this program's own messages; those about models are explained by `cat::diagnostics`.
const OWN: &[(&str, &str)] = &[
    (
        "hmc::file-missing",
        "There is no file of this name. Names are relative to the directory in which hmc was started.",
    ),
    ("hmc::file-unreadable", "The file is there, but the system does not let hmc read it."),
    ("hmc::file-unwritable", "A report was to be written to this file, and the system does not allow it."),
    (
        "hmc::not-a-file",
        "A file was expected and a directory was found. A directory on the command line stands for all litmus tests below it; inside a list it does not.",
    ),
    ("hmc::file-empty", "The file has no contents, so there is nothing to check."),
    ("hmc::file-too-large", "hmc reads files of up to 64 MiB."),
    ("hmc::not-utf8", "Text files are read as UTF-8. The message says at which byte the file stops being that."),
    (
        "hmc::unknown-kind",
        "The extension decides how a file is read: .litmus is a litmus test; .c, .cc, .cpp and .cxx are compiled by clang; .ll is LLVM IR as text.",
    ),
    (
        "hmc::no-tests",
        "A directory stands for all files below it that end in .litmus, and there are none. C files are named one by one, because most directories of C files are not directories of programs.",
    ),
    ("hmc::model-failed", "The model has errors; they were shown with the first file that was checked under it."),
    (
        "hmc::macro-file",
        "A macro (.def) file gives the primitives of a model, such as READ_ONCE, their meaning. The message shows where it cannot be read.",
    ),
    (
        "hmc::clang-missing",
        "C programs are compiled by clang 15 or newer. On Debian: apt-get install clang. HMC_CLANG names one that is not on the path.",
    ),
    (
        "hmc::clang-rejects",
        "The program does not compile. The message is clang's. Arguments for clang follow `--` on the command line.",
    ),
    ("hmc::bad-input", "The file is not what its name says."),
    (
        "hmc::unsupported",
        "The program does something that hmc cannot run, at the place shown. Nothing is said about executions that come there: the verdict is `unsupported`, not `holds`.",
    ),
    (
        "hmc::recorded-results",
        "--expect and --resume take results of an earlier run: a table whose first line names its columns (`test`, then any of verdict, kind, observation, positive, negative, flags, nstates, states), a log of herd or litmus, or a JSON report of hmc.",
    ),
    ("hmc::internal", "An error in hmc. Please report it with the command line and the files."),
];

/// Runs the subcommand.
pub fn run(args: &ExplainArgs) -> u8 {
    let code = args.code.trim_matches(|c| c == '[' || c == ']');
    if let Some((_, text)) = OWN.iter().find(|(own, _)| own.eq_ignore_ascii_case(code)) {
        println!("{code}\n\n{text}");
        return 0;
    }
    match diagnostics::explain(code) {
        Some(kind) => {
            println!("{}: {}\n\n{}", kind.code, kind.title, kind.explanation.trim());
            0
        }
        None => {
            let own = OWN.iter().map(|(code, _)| *code);
            let known: Vec<&str> = own.chain(diagnostics::ALL.iter().map(|k| k.code)).collect();
            eprintln!("hmc: no message has the code `{code}`; the codes are {}", known.join(", "));
            BAD_INPUT
        }
    }
}
