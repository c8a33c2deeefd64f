//! What the codes of this program's own messages mean, for `hmc explain`; those about models are explained by `cat::diagnostics`.

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
        "hmc::macro-file",
        "A macro (.def) file gives the primitives of a model, such as READ_ONCE, their meaning. The message shows where it cannot be read.",
    ),
    (
        "hmc::model-evaluation",
        "A part of the model can only be evaluated on executions, and on one of this program that failed, for instance because a `match` has no case for a value. What is said of the program is not to be relied on: the verdict is `unsupported`.",
    ),
    (
        "hmc::model-failed",
        "The model has errors, or is for another architecture; that was shown with the first file that was to be checked under it.",
    ),
    (
        "hmc::no-tests",
        "A directory stands for all files below it that end in .litmus, and there are none. C files are named one by one, because most directories of C files are not directories of programs.",
    ),
    (
        "hmc::not-a-file",
        "A file was expected, and a directory, a pipe or a device was found. A directory on the command line stands for all litmus tests below it; inside a list it does not.",
    ),
    ("hmc::not-utf8", "Text files are read as UTF-8. The message says at which byte the file stops being that."),
    (
        "hmc::recorded-results",
        "--expect and --resume take results of an earlier run: a table whose first line names its columns (`test`, then any of verdict, kind, observation, positive, negative, flags, nstates, states), a log of herd or litmus, or a JSON report of hmc.",
    ),
    (
        "hmc::unknown-kind",
        "The extension decides how a file is read: .litmus is a litmus test; .c, .cc, .cpp and .cxx are compiled by clang; .ll is LLVM IR as text.",
    ),
    (
        "hmc::unsupported",
        "The program does something that hmc cannot run, at the place shown. Nothing is said about executions that come there: the verdict is `unsupported`, not `holds`.",
    ),
    (
        "litmus::address-of",
        "In tests in C, local variables have no address: pointers point to the variables of the initial state.",
    ),
    ("litmus::arch", "The first word of a test is its architecture: AArch64, ARM, PPC, RISCV, X86, X86_64, MIPS or C."),
    (
        "litmus::arguments",
        "An operation of C11 or a primitive of the model is called with too many or too few arguments.",
    ),
    (
        "litmus::array",
        "`int t[3];` in the initial state declares an array, `t={1,2,3}` gives it values; `t[0]` is a cell, and a condition compares a whole array with a list of as many values as it has cells.",
    ),
    (
        "litmus::c-syntax",
        "The program section of a test in C is a function `P0(…) { … }` for each thread. Here it cannot be read.",
    ),
    ("litmus::character", "A character that no word of a litmus test can begin with."),
    (
        "litmus::condition",
        "A test ends with `exists`, `~exists` or `forall` and a proposition: comparisons such as `0:EAX=1` or `[x]=2`, joined by `/\\`, `\\/`, `not` and `=>`. Here it cannot be read.",
    ),
    ("litmus::duplicate", "The initial state gives one register or variable two values."),
    (
        "litmus::fault-handler",
        "Columns `P0.F` are fault handlers. No access of a test faults here, so they are not supported.",
    ),
    ("litmus::header", "The first line of a test is its architecture and its name: `X86 SB`."),
    (
        "litmus::init",
        "The initial state is `{ x=1; 0:EAX=2; int y; }`: values of variables and registers, each ended by `;`. Here it cannot be read.",
    ),
    ("litmus::instruction", "A cell of the program is an instruction or a label. Here it cannot be read as either."),
    ("litmus::label", "A jump, an address or a condition names a label that the thread does not have, or has twice."),
    ("litmus::lvalue", "What is assigned to, or accessed atomically, is `*pointer` or a variable."),
    (
        "litmus::macro",
        "A primitive of the model's macro file is called with too many or too few arguments, or expands to too much.",
    ),
    ("litmus::memory", "Variables are too large or too many for the memory of a test."),
    (
        "litmus::memory-order",
        "A memory order is one of memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel and memory_order_seq_cst.",
    ),
    (
        "litmus::mixed-size",
        "Two instructions access one location in different sizes. Executions here have one value an access, so such tests are not supported.",
    ),
    ("litmus::nesting", "Parentheses or statements are nested deeper than a person would write them."),
    ("litmus::no-init", "Behind the header comes the initial state in braces, which may be empty: `{ }`."),
    (
        "litmus::no-program",
        "Behind the initial state comes the program: `P0 | P1 ;` and rows of instructions, or functions in C.",
    ),
    ("litmus::no-value", "An operation that has no value stands where one is needed."),
    ("litmus::number", "A number cannot be read, or does not fit in 64 bits."),
    ("litmus::operands", "The instruction is known, and has other operands."),
    ("litmus::parameter", "The parameters of a thread are pointers to variables of the test: `P0(atomic_int *x)`."),
    (
        "litmus::register",
        "Registers have the names of the test's architecture, and belong to a thread: `0:X1`, `1:EAX`.",
    ),
    ("litmus::row", "The rows of the program have a cell for each thread, separated by `|`, and end with `;`."),
    ("litmus::size", "Litmus tests of more than 4 MB are refused."),
    (
        "litmus::thread",
        "Threads are P0, P1, … in this order; the test does not have the one that is meant, or has too many.",
    ),
    ("litmus::unclosed-init", "The brace that opens the initial state is not closed."),
    (
        "litmus::unknown-call",
        "A function that is neither an operation of C11 nor a primitive of the model's macro file (--macros).",
    ),
    ("litmus::unknown-instruction", "The architecture has no such instruction, as far as hmc knows."),
    ("litmus::unknown-location", "A name that occurs neither in the initial state nor in the program."),
    ("litmus::unsupported-condition", "The condition asks for something that hmc does not know, such as faults."),
    ("litmus::unsupported-init", "The initial state has something that hmc does not know, such as page table entries."),
    ("litmus::unsupported-instruction", "The architecture has this instruction, and hmc cannot run it."),
    (
        "litmus::variant",
        "The test asks for a variant of its meaning (virtual memory, instruction fetches, accesses of mixed size, …) that hmc does not have.",
    ),
];

#[cfg(test)]
mod tests {
    use super::OWN;
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
        let missing: Vec<_> = codes.iter().filter(|code| OWN.iter().all(|(own, _)| own != code)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(OWN.is_sorted_by(|a, b| a.0 < b.0), "in order");
    }
}
