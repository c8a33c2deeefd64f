//! Where the machine keeps what a C program has: locals in registers, globals in cells.

/// The locals `r0`, `r1` and so on come first.
pub const LOCALS: usize = 5;
/// The argument `n` of a function.
pub const ARGUMENT: usize = 5;
/// The counter of a loop.
pub const INDEX: usize = 6;
/// `p`.
pub const POINTER: usize = 7;
/// What a compare-and-swap found.
pub const EXPECTED: usize = 8;
/// What is needed for a step or two.
pub const SCRATCH: usize = 9;
/// Whether a read-modify-write wrote.
pub const OK: usize = 10;

/// The variables, in the first cells.
pub const VARS: [&str; 3] = ["x", "y", "z"];
/// `a`.
pub const ARRAY: usize = 3;
/// `h`.
pub const HEAD: usize = 5;
/// `d`, which `first` adds to.
pub const ONCE_DATA: usize = 6;
/// `m`.
pub const MUTEX: usize = 8;
/// `l`.
pub const LOCK: usize = 10;
/// `o`.
pub const ONCE: usize = 12;
/// `ret`: what threads returned.
pub const RESULTS: usize = 16;
/// `own`, one for each thread.
pub const LOCAL: usize = 20;
/// `g`: what the first mutex guards, and what the reader-writer lock guards.
pub const GUARDED: usize = 28;
/// Two nodes of two cells for each thread.
pub const HEAP: usize = 32;
pub const CELLS: usize = 64;

/// The global numbers that are told: name, offset and cell.
pub const TOLD: [(&str, u64, usize); 8] = [
    ("x", 0, 0),
    ("y", 0, 1),
    ("z", 0, 2),
    ("a", 0, ARRAY),
    ("a", 4, ARRAY + 1),
    ("d", 0, ONCE_DATA),
    ("g", 0, GUARDED),
    ("g", 4, GUARDED + 1),
];

/// The names and offsets of what is told, with what so many threads return.
pub fn told(threads: usize) -> Vec<(&'static str, u64)> {
    let results = (0..threads).map(|t| ("ret", 4 * t as u64));
    TOLD.iter().map(|&(name, offset, _)| (name, offset)).chain(results).collect()
}

/// The cells of what is told.
pub fn told_cells(threads: usize) -> Vec<usize> {
    TOLD.iter().map(|&(_, _, cell)| cell).chain(RESULTS..RESULTS + threads).collect()
}
