//! The arguments of `check`, and those that all subcommands share that look at files.

use super::parts::{Shard, shard};
use super::values::{
    Counting, Cut, DependencyKind, Lines, Output, PlainAccesses, Retries, Sees, arch, dialect, engine, equivalence,
    locks, output, property, seconds, show, specification, symmetry,
};
use crate::cat::Dialect;
use crate::driver::{Engine, Locks, Show, Symmetry};
use crate::explore::bounds::Bound;
use crate::linearizability::library::By;
use crate::shelf::Shelf;
use crate::verdict::Property;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

const MODEL: &str = "Model";
const PROGRAM: &str = "Programs";
const LOOKED: &str = "What is looked for";
const SEARCH: &str = "How executions are found";
const BOUNDS: &str = "Bounds";
const REPORT: &str = "Reports";

/// The arguments of `check`.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// The memory model: a path, or the name of a bundled model; several, separated by commas, are compared. When none is named:
    /// rc11 for C, C++, Rust and LLVM IR, lkmm where primitives of the Linux kernel are used, the processor's for litmus tests in assembly
    #[arg(long, value_name = "MODEL", value_delimiter = ',', help_heading = MODEL)]
    pub cat: Vec<String>,
    /// What to check: .litmus, .c, .cc, .cpp, .rs, .ll, a directory (all litmus tests below it), or @LIST (a file of files)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// How and where models and files are read
    #[command(flatten)]
    pub input: InputArgs,
    /// Say nothing of what holds, and of the rest one line each
    #[arg(short, long, help_heading = REPORT)]
    pub quiet: bool,
    /// An output form (human, herd, json, sarif, junit, github), as FORM or FORM=FILE; may be repeated
    #[arg(long, value_name = "FORM[=FILE]", value_parser = output, help_heading = REPORT)]
    pub format: Vec<Output>,
    /// Write the first violation (or litmus witness; with --explain, the first candidate that is forbidden) as Graphviz DOT to this file
    #[arg(long, value_name = "FILE", help_heading = REPORT)]
    pub dot: Option<PathBuf>,
    /// Write the first violation (or litmus witness; with --explain, the first candidate that is forbidden) as SVG to this file
    #[arg(long, value_name = "FILE", help_heading = REPORT)]
    pub svg: Option<PathBuf>,
    /// With --dot and --svg, draw all events, also those that the violation does not depend on
    #[arg(long, help_heading = REPORT)]
    pub full: bool,
    /// The relations that --dot, --svg, --html and --show have: names of the model or base names, such as `rf,fr,hb`; by default rf, co, fr
    /// and those that the model shows
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = REPORT)]
    pub relations: Vec<String>,
    /// List executions, each as a picture: the first N, `all` (the first 10,000), or candidates that the model forbids (`forbidden`, `forbidden=N`)
    #[arg(long, value_name = "WHICH", value_parser = show, conflicts_with_all = ["linearizable", "persist", "bound", "checkpoint", "quiet"], help_heading = REPORT)]
    pub show: Option<Show>,
    /// Write all results, with their executions and sources, as a page to this file: one file, which needs no other (docs/teaching.md)
    #[arg(long, value_name = "FILE", help_heading = REPORT)]
    pub html: Option<PathBuf>,
    /// What to look for in programs; all but `overflow` when not said
    #[arg(long, value_name = "PROPERTY", value_delimiter = ',', value_parser = property, help_heading = LOOKED)]
    pub properties: Vec<Property>,
    /// A model that says what a race is (rc11, rc20, c11, lkmm), for programs under models that do not (sc, tso, aarch64, …)
    #[arg(long, value_name = "MODEL", conflicts_with = "no_race", help_heading = LOOKED)]
    pub race_model: Option<String>,
    /// Do not look for races and undefined behaviour as the model defines them
    #[arg(long, help_heading = LOOKED)]
    pub no_race: bool,
    /// Go on after the first violation of a program, and report each kind and place once
    #[arg(long, help_heading = LOOKED)]
    pub keep_going: bool,
    /// A test or program that differs from what is expected counts as violated; when nothing is said about it, a litmus test whose
    /// condition fails or that raises a flag
    #[arg(long, help_heading = LOOKED)]
    pub strict: bool,
    /// Say why: an execution that gives a litmus test's outcome, or what rejects each candidate that would; for a program
    /// without errors, what rejects each candidate that ends in one
    #[arg(long, help_heading = REPORT)]
    pub explain: bool,
    /// C programs: list the assertions that no execution reaches, and the lines that none runs
    #[arg(long, help_heading = REPORT)]
    pub coverage: bool,
    /// Which rounds of loops that try again count: `all`, or only those that are `needed`, the value that a failed compare-and-swap found being read at first
    #[arg(long, value_name = "WHICH", value_enum, default_value = "needed", help_heading = LOOKED)]
    pub retries: Retries,
    /// Where accesses are cut into parts: as `needed`, where others overlap them, or at all `bytes`, which changes neither states nor counts
    #[arg(long, value_name = "WHERE", value_enum, default_value = "needed", help_heading = LOOKED)]
    pub cut: Cut,
    /// Say what was explored: blocked explorations by cause, events, revisits, and the time that the model took
    #[arg(long, help_heading = REPORT)]
    pub stats: bool,
    /// Say how executions were found: which search ran, and why it began anew or another one took its place
    #[arg(long, help_heading = REPORT)]
    pub verbose: bool,
    /// Compare tests and programs with the results in this file: a table (expected.tsv), a log of herd or litmus, or a JSON report of
    /// hmc; may be repeated. What it does not know is listed as not compared; with `--strict` the exit code is then not 0
    #[arg(long, value_name = "FILE", help_heading = LOOKED)]
    pub expect: Vec<PathBuf>,
    /// Leave out the litmus tests that this log of herd or JSON report of hmc answers already
    #[arg(long, value_name = "FILE", help_heading = LOOKED)]
    pub resume: Option<PathBuf>,
    /// How executions are found (explore, enumerate): by exploration, or by trying all values, sources and orders; of C programs by
    /// both, so that none is missing
    #[arg(long, value_name = "ENGINE", default_value = "explore", value_parser = engine, conflicts_with = "audit", help_heading = SEARCH)]
    pub engine: Engine,
    /// Litmus tests: answer the condition only; leave out what cannot change it, stop at the first execution that decides it, list no states
    #[arg(long, conflicts_with = "audit", help_heading = SEARCH)]
    pub condition_only: bool,
    /// Which executions count as one: those that differ in coherence only are told apart (rf+co) or not (rf), but for the last
    /// writes of locations that are looked at in the end; auto tells them apart but at locations that no thread reads
    #[arg(long, value_name = "EQUIVALENCE", default_value = "auto", value_parser = equivalence, help_heading = SEARCH)]
    pub equivalence: Counting,
    /// C programs: executions that differ in the order of critical sections only count each (order) or as one (content, one); content
    /// explores each order until one for all is seen to pay, one does so from the start
    #[arg(long, value_name = "WHICH", default_value = "order", value_parser = locks, conflicts_with_all = ["bound", "condition_only", "linearizable", "persist", "checkpoint", "audit"], help_heading = SEARCH)]
    pub locks: Locks,
    /// C programs: explore threads that are known to be interchangeable once up to renaming (auto), say why when there are none (on), or
    /// explore everything (off); the counts are those of all executions in any case
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = symmetry, help_heading = SEARCH)]
    pub symmetry: Symmetry,
    /// Look at the executions only that an interleaving shows with at most N preemptions (context=N), or in which threads take turns at most N times more (round=N)
    #[arg(long, value_name = "WHAT=N", value_parser = Bound::read, conflicts_with_all = ["condition_only", "linearizable", "persist"], help_heading = BOUNDS)]
    pub bound: Option<Bound>,
    /// Show the execution of a violation as one list of steps, when an interleaving explains it
    #[arg(long, help_heading = REPORT)]
    pub trace: bool,
    /// Show the calls on the way to each event of an execution
    #[arg(long, help_heading = REPORT)]
    pub frames: bool,
    /// Remember every execution, report duplicates, judge each again with the plain evaluator (slow)
    #[arg(long, help_heading = SEARCH)]
    pub audit: bool,
    /// Keep what is done in this directory: a run that is ended (Ctrl-C, SIGTERM, SIGUSR1, `--timeout`) is gone on with by the same command, or by
    /// `hmc run --job DIR`
    #[arg(long, value_name = "DIR", help_heading = BOUNDS)]
    pub checkpoint: Option<PathBuf>,
    /// Check the k-th of n pieces of the files only; `hmc merge` makes one report of the JSON reports of all
    #[arg(long, value_name = "K/N", value_parser = shard, help_heading = BOUNDS)]
    pub shard: Option<Shard>,
}

/// How models and files are read, and what bounds the run.
#[derive(Args, Clone, Debug)]
pub struct InputArgs {
    /// The model's bell file; one that stands beside the model under the same stem is found without this
    #[arg(long, value_name = "FILE", help_heading = MODEL)]
    pub bell: Option<PathBuf>,
    /// A macro (.def) file for the primitives of C programs; one that stands beside the model is found without this
    #[arg(long, value_name = "FILE", help_heading = MODEL)]
    pub macros: Vec<PathBuf>,
    /// The dialect of the model (herd, dartagnan); recognised when not said
    #[arg(long, value_name = "DIALECT", value_parser = dialect, help_heading = MODEL)]
    pub dialect: Option<Dialect>,
    /// A variant that the model may ask for (`if "NAME"`); may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = MODEL)]
    pub variant: Vec<String>,
    /// A check of the model, by its name, that is not to be made; may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = MODEL)]
    pub skip_check: Vec<String>,
    /// The skipped checks have to fail: keep the executions that fail all of them and no other check
    #[arg(long, requires = "skip_check", help_heading = MODEL)]
    pub strict_skip: bool,
    /// Run a model on tests of another architecture than its title claims
    #[arg(long, help_heading = MODEL)]
    pub no_arch_check: bool,
    /// A directory for files that models and programs include
    #[arg(short = 'I', value_name = "DIR", help_heading = PROGRAM)]
    pub include: Vec<PathBuf>,
    /// A further source file of the same program; may be repeated
    #[arg(long, value_name = "FILE", help_heading = PROGRAM)]
    pub link: Vec<PathBuf>,
    /// A folder with the sources of the Linux kernel: C files are tests of files of it, which they include. Implies `--cat lkmm` (docs/kernel.md)
    #[arg(long, value_name = "DIR", help_heading = PROGRAM)]
    pub linux: Option<PathBuf>,
    /// Tests of kernel files: run this one (`HMC_TEST(NAME)`) only; may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "linux", conflicts_with = "entry", help_heading = PROGRAM)]
    pub test: Vec<String>,
    /// What accesses of C programs are that nothing marks: `plain`, or `once`, as if each were a relaxed one, to look behind a first race
    #[arg(long, value_name = "AS", value_enum, default_value = "plain", help_heading = PROGRAM)]
    pub plain: PlainAccesses,
    /// The function that a program begins in, instead of `main`
    #[arg(long, value_name = "FUNCTION", help_heading = PROGRAM)]
    pub entry: Option<String>,
    /// C programs: a word that `main` is given in `argv`, behind the name of the program; may be repeated
    #[arg(long, value_name = "WORD", allow_hyphen_values = true, help_heading = PROGRAM)]
    pub args: Vec<String>,
    /// C programs: list the values that these global variables end with, as litmus tests list states; `hmc_observe` of <hmc.h> shows other values
    #[arg(long, value_name = "VARIABLE", value_delimiter = ',', help_heading = PROGRAM)]
    pub observe: Vec<String>,
    /// C programs: hold the calls of functions against a sequential specification: a C file with functions of the same names, or
    /// queue, stack, set, register, counter, lock, deque, priority-queue, as in `queue:enqueue,dequeue;empty=-1`
    #[arg(long, value_name = "SPEC", value_parser = specification, help_heading = PROGRAM)]
    pub linearizable: Option<By>,
    /// With --linearizable, which calls must be seen by later ones: `values` (what one takes from whom has put it), `inserts`, `removes`, or `none`
    #[arg(long, value_name = "WHICH", value_delimiter = ',', default_value = "values", requires = "linearizable", help_heading = PROGRAM)]
    pub synchronised: Vec<Sees>,
    /// With --linearizable: the file has only the structure; look at all clients of up to N calls, with every order that they could impose
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8), requires = "linearizable", help_heading = PROGRAM)]
    pub clients: Option<u8>,
    /// C programs with files: run the recovery (`__VERIFIER_recovery_routine`) on every state that a crash may leave by this model: ext4, posix, persevere, or a file
    #[arg(long, value_name = "MODEL", help_heading = PROGRAM)]
    pub persist: Option<String>,
    /// With --persist, words for the model and the file system: `block=N`, `largest=N`, `nodelalloc`, `writeback`, `data-journal`, `errors`; may be repeated
    #[arg(long, value_name = "WORD", value_delimiter = ',', requires = "persist", help_heading = PROGRAM)]
    pub persist_with: Vec<String>,
    /// With --persist, the calls on files as C, in place of those that come with hmc
    #[arg(long, value_name = "FILE", requires = "persist", help_heading = PROGRAM)]
    pub fs: Option<PathBuf>,
    /// With --persist: one `fsync` or `fdatasync` may fail; what it was to force is dropped, and no later one brings it to the disk
    #[arg(long, requires = "persist", help_heading = PROGRAM)]
    pub fsync_fails: bool,
    /// The recovery may write to what survives, and create files; no second crash comes meanwhile
    #[arg(long, help_heading = PROGRAM)]
    pub recovery_writes: bool,
    /// Which variables of persistent memory share a line of the cache: as they are laid out; none, each has lines of its own; or not even the parts of one
    #[arg(long, value_name = "HOW", value_enum, default_value = "layout", help_heading = PROGRAM)]
    pub lines: Lines,
    /// The architecture that C programs are compiled for; that of the model when not said
    #[arg(long, value_name = "ARCH", value_parser = arch, help_heading = PROGRAM)]
    pub arch: Option<String>,
    /// How C11 accesses are compiled: the name of a bundled mapping (power, power-trailing, aarch64, aarch64-ldar, aarch64-llsc, …) or a file
    #[arg(long, value_name = "MAPPING", help_heading = PROGRAM)]
    pub mapping: Option<String>,
    /// What values of C programs depend on: `semantic`, also on the conditions of branches that selected them (what every compiler
    /// keeps); `syntactic`, only on what they are computed from, as in litmus tests
    #[arg(long, value_name = "WHICH", value_enum, default_value = "semantic", help_heading = PROGRAM)]
    pub dependencies: DependencyKind,
    /// Cut a thread when a loop has gone round N times (idle spinning needs no bound)
    #[arg(long, value_name = "N", help_heading = BOUNDS)]
    pub unroll: Option<u32>,
    /// Cut a thread that would make an execution of more than N events
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), default_value_t = 4096, help_heading = BOUNDS)]
    pub max_events: u32,
    /// Use N threads: for several files at the same time, and for one program where there are fewer files; as many as there are
    /// processors when not said. The result is the same for every N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = BOUNDS)]
    pub threads: Option<u16>,
    /// Stop after S seconds a file (compiling, searching and explaining) and say what is known then
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = BOUNDS)]
    pub timeout: Option<f64>,
    /// Arguments for clang
    #[arg(last = true, value_name = "CLANG ARGUMENT", allow_hyphen_values = true)]
    pub clang: Vec<String>,
    /// Texts that stand in for files: those of a job
    #[arg(skip)]
    pub shelf: Option<Arc<Shelf>>,
}
