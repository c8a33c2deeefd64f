//! What the codes of errors in litmus tests mean, and what to do about them when an error does not know better.

/// A code, what it means, and what to do.
pub struct Code {
    /// Such as `litmus::arch`.
    pub name: &'static str,
    /// For `hmc explain`.
    pub explanation: &'static str,
    /// In a few words.
    pub help: &'static str,
}

/// In the order of their names.
pub const CODES: &[Code] = &[
    Code {
        name: "litmus::address-of",
        explanation: "In tests in C, local variables have no address: pointers point to the variables of the initial state.",
        help: "declare a variable in the initial state, or pass the value",
    },
    Code {
        name: "litmus::arch",
        explanation: "The first word of a test is its architecture: AArch64, ARM, PPC, RISCV, X86, X86_64, MIPS or C.",
        help: "name one of them in the first line: `X86 SB`",
    },
    Code {
        name: "litmus::arguments",
        explanation: "An operation of C11 or a primitive of the model is called with too many or too few arguments.",
        help: "compare the call with the declaration of the operation, or with the primitive in the macro file (`--macros`)",
    },
    Code {
        name: "litmus::array",
        explanation: "`int t[3];` in the initial state declares an array, `t={1,2,3}` gives it values; `t[0]` is a cell, and a condition compares a whole array with a list of as many values as it has cells.",
        help: "`int t[3];` declares an array, `t={1,2,3}` gives it values, `t[0]` is a cell",
    },
    Code {
        name: "litmus::assembly",
        explanation: "A line of an assembly file is no label, directive or instruction as compilers write them for aarch64, riscv64, powerpc64le and x86_64.",
        help: "give the file as the compiler wrote it (`cc -S`); `# litmus: target NAME` says what it is written for",
    },
    Code {
        name: "litmus::assembly-call",
        explanation: "The code of a function is put in the place of its call, so functions cannot call themselves, and the code of a thread has a limit.",
        help: "write the function as a loop, or make the thread smaller",
    },
    Code {
        name: "litmus::assembly-data",
        explanation: "A variable of an assembly file that threads use has contents that hmc does not read: strings, differences of labels, addresses of functions.",
        help: "let threads use numbers, arrays of numbers, and pointers to variables",
    },
    Code {
        name: "litmus::assembly-stack",
        explanation: "Each thread has a stack of its own, as large as its code needs: 64 KB at most, and of a size that is known beforehand.",
        help: "use no arrays of variable length and no `alloca`, and small arrays",
    },
    Code {
        name: "litmus::assembly-threads",
        explanation: "The threads of an assembly file are its functions P0, P1, …, or those that a comment `litmus: threads f, g(1), h(x)` names.",
        help: "name the functions: `# litmus: threads writer, reader`",
    },
    Code {
        name: "litmus::c-syntax",
        explanation: "The program section of a test in C is a function `P0(…) { … }` for each thread. Here it cannot be read.",
        help: "a thread is a function: `P0(atomic_int *x) { … }`",
    },
    Code {
        name: "litmus::character",
        explanation: "A character that no word of a litmus test can begin with.",
        help: "comments are `(* … *)`, in C also `//` and `/* … */`",
    },
    Code {
        name: "litmus::condition",
        explanation: "A test ends with `exists`, `~exists` or `forall` and a proposition: comparisons such as `0:EAX=1` or `[x]=2`, joined by `/\\`, `\\/`, `not` and `=>`. Here it cannot be read.",
        help: "write comparisons such as `0:EAX=1` or `[x]=2`, joined by `/\\`, `\\/` and `not`",
    },
    Code {
        name: "litmus::duplicate",
        explanation: "The initial state gives one register or variable two values.",
        help: "keep one of the two values",
    },
    Code {
        name: "litmus::feature",
        explanation: "The test is about something that hmc does not have: memory tags, page tables, faults, code that changes, pointer authentication, guarded control stacks, vector registers, integers of 128 bits and the like. Nothing is said about it: the verdict is `unsupported`.",
        help: "docs/litmus.md says what tests are about here",
    },
    Code {
        name: "litmus::header",
        explanation: "The first line of a test is its architecture and its name: `X86 SB`.",
        help: "write `X86 SB`, with the architecture and the name of your test",
    },
    Code {
        name: "litmus::init",
        explanation: "The initial state is `{ x=1; 0:EAX=2; int y; }`: values of variables and registers, each ended by `;`. Here it cannot be read.",
        help: "write `{ x=1; 0:EAX=2; int y; }`: each value ends with `;`",
    },
    Code {
        name: "litmus::instruction",
        explanation: "A cell of the program is an instruction or a label. Here it cannot be read as either.",
        help: "a cell holds an instruction or a label; cells are separated by `|`",
    },
    Code {
        name: "litmus::label",
        explanation: "A jump, an address or a condition names a label that the thread does not have, or has twice.",
        help: "write `NAME:` before an instruction of the same thread",
    },
    Code {
        name: "litmus::language",
        explanation: "The test is written in a language that hmc has no front end for: BPF, LISA, Java, ASL, PTX, Vulkan or OpenCL. Nothing is said about it: the verdict is `unsupported`.",
        help: "hmc reads AArch64, ARM, PPC, RISCV, X86, X86_64, MIPS and C",
    },
    Code {
        name: "litmus::lvalue",
        explanation: "What is assigned to, or accessed atomically, is `*pointer` or a variable.",
        help: "write `*pointer`, or the name of a variable",
    },
    Code {
        name: "litmus::macro",
        explanation: "A primitive of the model's macro file is called with too many or too few arguments, or expands to too much.",
        help: "compare the call with the macro's definition (`--macros`)",
    },
    Code {
        name: "litmus::memory",
        explanation: "Variables are too large or too many for the memory of a test.",
        help: "take fewer or smaller variables",
    },
    Code {
        name: "litmus::memory-order",
        explanation: "A memory order is one of memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel and memory_order_seq_cst.",
        help: "write `memory_order_relaxed`, `memory_order_acquire`, … in full",
    },
    Code {
        name: "litmus::nesting",
        explanation: "Parentheses or statements are nested deeper than a person would write them.",
        help: "give parts a name, or write them one after the other",
    },
    Code {
        name: "litmus::no-init",
        explanation: "Behind the header comes the initial state in braces, which may be empty: `{ }`.",
        help: "write `{ }` behind the header when everything begins at 0",
    },
    Code {
        name: "litmus::no-program",
        explanation: "Behind the initial state comes the program: `P0 | P1 ;` and rows of instructions, or functions in C.",
        help: "write `P0 | P1 ;` and rows of instructions, or functions in C",
    },
    Code {
        name: "litmus::no-value",
        explanation: "An operation that has no value stands where one is needed.",
        help: "write it as a statement of its own",
    },
    Code {
        name: "litmus::number",
        explanation: "A number cannot be read, or does not fit in 64 bits.",
        help: "numbers are decimal or `0x…`, and have at most 64 bits",
    },
    Code {
        name: "litmus::operands",
        explanation: "The instruction is known, and has other operands.",
        help: "compare their order, number and kinds with the architecture's manual",
    },
    Code {
        name: "litmus::overrun",
        explanation: "An access reaches beyond the end of its variable, which has the size of its declared type (`int` where none is declared), or of its cells where it is an array.",
        help: "declare the variable with a larger type, or access less",
    },
    Code {
        name: "litmus::parameter",
        explanation: "The parameters of a thread are pointers to variables of the test: `P0(atomic_int *x)`.",
        help: "write `P0(atomic_int *x, int *y)`",
    },
    Code {
        name: "litmus::register",
        explanation: "Registers have the names of the test's architecture, and belong to a thread: `0:X1`, `1:EAX`.",
        help: "write `0:X1`, `1:EAX`: the thread, and a register of the test's architecture",
    },
    Code {
        name: "litmus::row",
        explanation: "The rows of the program have a cell for each thread, separated by `|`, and end with `;`.",
        help: "separate cells by `|`, blank ones too, and end the row with `;`",
    },
    Code { name: "litmus::size", explanation: "Litmus tests of more than 4 MB are refused.", help: "divide the test" },
    Code {
        name: "litmus::thread",
        explanation: "Threads are P0, P1, … in this order; the test does not have the one that is meant, or has too many.",
        help: "threads are P0, P1, … in this order",
    },
    Code {
        name: "litmus::unclosed-init",
        explanation: "The brace that opens the initial state is not closed.",
        help: "write `}` behind the last value",
    },
    Code {
        name: "litmus::unknown-call",
        explanation: "A function that is neither an operation of C11 nor a primitive of the model's macro file (--macros).",
        help: "primitives of a model are in its macro file: `--macros FILE`",
    },
    Code {
        name: "litmus::unknown-instruction",
        explanation: "The architecture has no such instruction, as far as hmc knows.",
        help: "the first word of the test says of which architecture its instructions are",
    },
    Code {
        name: "litmus::unknown-location",
        explanation: "A name that occurs neither in the initial state nor in the program.",
        help: "declare it in the initial state: `{ x=0; }`",
    },
    Code {
        name: "litmus::unsupported-condition",
        explanation: "The condition compares with a kind of value that hmc does not know.",
        help: "ask for values of registers and variables",
    },
    Code {
        name: "litmus::unsupported-instruction",
        explanation: "The architecture has this instruction, and hmc cannot run it.",
        help: "docs/litmus.md says what is read of each architecture",
    },
];

/// The code of this name.
pub fn find(name: &str) -> Option<&'static Code> {
    CODES.iter().find(|code| code.name.eq_ignore_ascii_case(name))
}
