//! What does nothing here: functions, functions of LLVM and machine instructions that are known and passed over, in one table.
//!
//! Each row says why that is right under every model, or has a note beside the verdict say what is not looked at. None of them looks at what its
//! arguments point to.

use super::waiting::clocks;
use super::{Emit, SUCCESS};

/// Things that are passed over for one reason.
pub struct Row {
    /// What they are called.
    pub names: &'static [&'static str],
    /// Why an execution is the same without them, or what an execution lacks.
    pub why: &'static str,
    /// What is done instead: nothing, or a note.
    pub effect: Emit,
}

const NOTHING: Emit = |_, _| SUCCESS;
const NO_SIGNALS: Emit = |code, _| {
    code.cx.note("no signal is delivered: handlers of signals never run");
    SUCCESS
};
const NO_FLUSHES: Emit = |code, _| {
    code.cx.note(FLUSHES);
    SUCCESS
};
const STOPPED_CLOCK: Emit = |code, _| {
    clocks::say(code);
    SUCCESS
};
const NO_ADDRESS: Emit = |code, _| {
    code.cx.note("addresses of frames and return addresses are 0");
    SUCCESS
};

const FLUSHES: &str =
    "cache flushes do nothing here: no model sees them, and what memory keeps without power is not looked at";
/// What is said of a program with non-temporal accesses.
pub const STREAMING: &str =
    "non-temporal accesses are ordinary accesses here: the weaker order of the machine is not looked at";
/// What is said of a program with assembly outside of functions.
pub const ASSEMBLY: &str = "assembly outside of functions is not looked at";

/// Functions of libraries. All give 0.
pub const FUNCTIONS: &[Row] = &[
    Row {
        names: &["sched_yield", "thrd_yield", "pthread_yield"],
        why: "Every schedule is looked at.",
        effect: NOTHING,
    },
    Row {
        names: &["usleep", "sleep", "nanosleep", "thrd_sleep", "clock_nanosleep"],
        why: "A pause of any length is a schedule, and every schedule is looked at.",
        effect: NOTHING,
    },
    Row {
        names: &["srand", "srandom"],
        why: "Random numbers are chosen, whatever they begin with; a note of theirs says so.",
        effect: NOTHING,
    },
    Row { names: &["signal", "sigaction", "alarm"], why: "Handlers of signals are not modelled.", effect: NO_SIGNALS },
    Row {
        names: &[
            "__tsan_mutex_destroy",
            "__tsan_mutex_pre_lock",
            "__tsan_mutex_post_lock",
            "__tsan_mutex_pre_unlock",
            "__tsan_mutex_post_unlock",
            "__tsan_mutex_pre_signal",
            "__tsan_mutex_post_signal",
        ],
        why: "They tell the thread sanitizer of libstdc++'s own locks, whose accesses are there.",
        effect: NOTHING,
    },
    Row {
        names: &[
            "pthread_attr_init",
            "pthread_attr_destroy",
            "pthread_attr_setstacksize",
            "pthread_attr_setscope",
            "pthread_rwlockattr_init",
            "pthread_rwlockattr_destroy",
            "pthread_barrierattr_init",
            "pthread_barrierattr_destroy",
            "pthread_condattr_init",
            "pthread_condattr_destroy",
            "pthread_mutexattr_destroy",
        ],
        why: "The attributes that can be set say nothing about values and order; the kind of a mutex has its own function.",
        effect: NOTHING,
    },
    Row {
        names: &["__VERIFIER_loop_bound", "__VERIFIER_loop_begin", "__VERIFIER_spin_start", "__VERIFIER_spin_end"],
        why: "Hints for the search of another checker: loops are followed as far as they go, and those that wait are found.",
        effect: NOTHING,
    },
    Row {
        names: &["pthread_condattr_setclock"],
        why: "A timed wait may time out whatever the time is.",
        effect: NOTHING,
    },
    Row {
        names: &["pthread_condattr_setpshared", "pthread_mutexattr_setpshared"],
        why: "There is one process.",
        effect: NOTHING,
    },
    Row {
        names: &["dlsym"],
        why: "Rust's library asks for functions of newer systems, and does without.",
        effect: NOTHING,
    },
    Row { names: &["pthread_atfork"], why: "There is one process: `fork` is unsupported.", effect: NOTHING },
    Row {
        names: &["pthread_detach", "thrd_detach", "pthread_attr_setdetachstate"],
        why: "What a detached thread does is the same; that nobody joins it is no finding in such a program.",
        effect: NOTHING,
    },
    Row {
        names: &["pthread_setcancelstate", "pthread_setcanceltype", "pthread_testcancel"],
        why: "No thread is cancelled: `pthread_cancel` is unsupported.",
        effect: NOTHING,
    },
    Row {
        names: &["pthread_setname_np", "pthread_setconcurrency", "pthread_setaffinity_np", "sched_setaffinity"],
        why: "Where and how threads run is a schedule, and every schedule is looked at.",
        effect: NOTHING,
    },
    Row {
        names: &["_ZNSt8ios_base4InitC1Ev", "_ZNSt8ios_base4InitD1Ev", "setlocale"],
        why: "Nothing is printed.",
        effect: NOTHING,
    },
];

/// Functions of LLVM, without `llvm.` and the types behind their names. Those with a result give 0.
pub const INTRINSICS: &[Row] = &[
    Row {
        names: &["dbg", "var.annotation", "pseudoprobe", "fake.use"],
        why: "They describe the program.",
        effect: NOTHING,
    },
    Row {
        names: &[
            "assume",
            "sideeffect",
            "donothing",
            "invariant.start",
            "invariant.end",
            "experimental.noalias.scope.decl",
            "is.constant",
        ],
        why: "They tell the optimiser what it may rely on; nothing is optimised here.",
        effect: NOTHING,
    },
    Row {
        names: &["lifetime.start", "lifetime.end", "stacksave", "stackrestore", "get.dynamic.area.offset"],
        why: "A variable lives as long as its function.",
        effect: NOTHING,
    },
    Row { names: &["va_end"], why: "It ends the use of a list that is a variable like others.", effect: NOTHING },
    Row { names: &["prefetch"], why: "It changes no value and orders nothing.", effect: NOTHING },
    Row {
        names: &["x86.sse2.pause", "aarch64.hint"],
        why: "It is a schedule, and every schedule is looked at.",
        effect: NOTHING,
    },
    Row {
        names: &["x86.sse2.clflush", "x86.clflushopt", "x86.clwb", "x86.cldemote", "clear_cache"],
        why: "What is written back, and when, is not modelled.",
        effect: NO_FLUSHES,
    },
    Row { names: &["readcyclecounter", "readsteadycounter"], why: "Clocks stand still.", effect: STOPPED_CLOCK },
    Row {
        names: &["returnaddress", "frameaddress", "addressofreturnaddress", "sponentry"],
        why: "Code and frames have no addresses.",
        effect: NO_ADDRESS,
    },
];

/// Machine instructions of inline assembly.
pub const INSTRUCTIONS: &[Row] = &[
    Row {
        names: &["pause", "nop", "rep", "yield"],
        why: "It is a schedule, and every schedule is looked at.",
        effect: NOTHING,
    },
    Row {
        names: &["prefetcht0", "prefetcht1", "prefetcht2", "prefetchnta", "prefetchw"],
        why: "It changes no value and orders nothing.",
        effect: NOTHING,
    },
    Row {
        names: &["clflush", "clflushopt", "clwb", "cldemote"],
        why: "What is written back, and when, is not modelled.",
        effect: NO_FLUSHES,
    },
];

/// What is done for a function of this name, if it is passed over.
pub fn function(name: &str) -> Option<Emit> {
    find(FUNCTIONS, |known| known == name)
}

/// As [`function`], for a function of LLVM without `llvm.`.
pub fn intrinsic(base: &str) -> Option<Emit> {
    find(INTRINSICS, |known| base == known || base.strip_prefix(known).is_some_and(|rest| rest.starts_with('.')))
}

/// As [`function`], for a machine instruction.
pub fn instruction(mnemonic: &str) -> Option<Emit> {
    find(INSTRUCTIONS, |known| known == mnemonic)
}

fn find(rows: &[Row], is_meant: impl Fn(&str) -> bool) -> Option<Emit> {
    rows.iter().find(|row| row.names.iter().any(|name| is_meant(name))).map(|row| row.effect)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_stands_in_one_row_that_says_why() {
        for table in [FUNCTIONS, INTRINSICS, INSTRUCTIONS] {
            let mut names: Vec<&str> = table.iter().flat_map(|row| row.names).copied().collect();
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all, "a name stands in two rows");
            assert!(table.iter().all(|row| row.why.ends_with('.') && row.why.split(' ').count() < 25));
        }
    }

    #[test]
    fn what_takes_types_is_found_by_its_beginning() {
        assert!(intrinsic("lifetime.start.p0").is_some() && intrinsic("dbg.value").is_some());
        assert!(intrinsic("x86.clwb").is_some() && intrinsic("assumed").is_none());
    }
}
