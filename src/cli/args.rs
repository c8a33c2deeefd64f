//! What the command line can say.

use crate::cat::{Dialect, vocabulary};
use crate::driver::{Engine, Symmetry};
use crate::explore::Equivalence;
use crate::llvm::{Dependencies, Mapping};
use crate::report::Format;
use crate::verdict::Property;
use clap::{Args, Parser, Subcommand};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Checks concurrent programs and litmus tests against a memory model read from a .cat file.
#[derive(Parser, Debug)]
#[command(name = "hmc", version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct CommandLine {
    /// What to do; `check` when nothing is said.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What to check.
    #[command(flatten)]
    pub check: CheckArgs,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check programs and litmus tests (this is what hmc does when no command is named)
    Check(CheckArgs),
    /// Show the files on which two models differ
    Diff(DiffArgs),
    /// Compare the executions of a model with those of a stronger one, and say where fences remove the difference
    Robust(RobustArgs),
    /// Run tests under several models and show one table: as text, CSV or an HTML page
    RunTable(RunTableArgs),
    /// Synthesise all minimal litmus tests of a model, up to a size
    Synth(super::synth::args::SynthArgs),
    /// Explain a code that an error message shows
    Explain(ExplainArgs),
    /// List the bundled models
    ListModels,
    /// Look at a model, have it checked, format it
    #[command(subcommand)]
    Model(ModelCommand),
}

/// What to do with a model.
#[derive(Subcommand, Debug)]
pub enum ModelCommand {
    /// Show what a model includes, defines and needs, and how each check is judged
    Info(ModelArgs),
    /// Warn about what is allowed but hardly meant; exit code 1 when there is a warning
    Check(ModelArgs),
    /// Format model files in place; prints the names of those that change
    Fmt(FormatArgs),
    /// List the sets and relations that executions give, with their meaning
    Names(NamesArgs),
}

/// Which base names to list.
#[derive(Args, Debug)]
pub struct NamesArgs {
    /// Only those that tests of this architecture have
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<String>,
}

/// A model to look at.
#[derive(Args, Debug)]
pub struct ModelArgs {
    /// A path, or the name of a bundled model
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// Its bell file, when it does not stand beside it
    #[arg(long, value_name = "FILE")]
    pub bell: Option<PathBuf>,
    /// A directory for included files
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// The architecture of the tests that it is for
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<String>,
    /// The dialect (herd, dartagnan); recognised when not said
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub dialect: Option<Dialect>,
    /// A variant that the model may ask for (`if "NAME"`); may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub variant: Vec<String>,
}

/// Files to format.
#[derive(Args, Debug)]
pub struct FormatArgs {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; exit code 1 when a file would change
    #[arg(long)]
    pub check: bool,
    /// The dialect (herd, dartagnan); herd when not said
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub dialect: Option<Dialect>,
}

/// The arguments of `check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The memory model: a path, or the name of a bundled model; several, separated by commas, are compared
    #[arg(long, value_name = "MODEL", required = true, value_delimiter = ',')]
    pub cat: Vec<String>,
    /// What to check: .litmus, .c, .cc, .cpp, .ll, a directory (all litmus tests below it), or @LIST (a file of files)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// How and where models and files are read
    #[command(flatten)]
    pub input: InputArgs,
    /// An output form (human, herd, json, sarif, junit), as FORM or FORM=FILE; may be repeated
    #[arg(long, value_name = "FORM[=FILE]", value_parser = output)]
    pub format: Vec<Output>,
    /// Write the first violation (or litmus witness) as Graphviz DOT to this file
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Write the first violation (or litmus witness) as SVG to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// What to look for in programs; all but `overflow` when not said
    #[arg(long, value_name = "PROPERTY", value_delimiter = ',', value_parser = property)]
    pub properties: Vec<Property>,
    /// Do not look for races and undefined behaviour as the model defines them
    #[arg(long)]
    pub no_race: bool,
    /// Go on after the first violation of a program, and report each kind and place once
    #[arg(long)]
    pub keep_going: bool,
    /// A test or program that differs from what is expected counts as violated; when nothing is said about it, a litmus test whose
    /// condition fails or that raises a flag
    #[arg(long)]
    pub strict: bool,
    /// Say why: an execution that gives a litmus test's outcome, or what rejects each candidate that would; for a program
    /// without errors, what rejects each candidate that ends in one
    #[arg(long)]
    pub explain: bool,
    /// C programs: list the assertions that no execution reaches, and the lines that none runs
    #[arg(long)]
    pub coverage: bool,
    /// Which rounds of loops that try again count: `all`, or only those that are `needed`, the value that a failed compare-and-swap found being read at first
    #[arg(long, value_name = "WHICH", value_enum, default_value = "needed")]
    pub retries: Retries,
    /// Say what was explored: blocked explorations by cause, events, revisits, and the time that the model took
    #[arg(long)]
    pub stats: bool,
    /// Compare tests and programs with the results in this file: a table (expected.tsv), a log of herd or litmus, or a JSON report of
    /// hmc; may be repeated. What it does not know is listed as not compared; with `--strict` the exit code is then not 0
    #[arg(long, value_name = "FILE")]
    pub expect: Vec<PathBuf>,
    /// Leave out the litmus tests that this log of herd or JSON report of hmc answers already
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// How executions are found (explore, enumerate): by exploration, or by trying all values, sources and orders; of C programs by
    /// both, so that none is missing
    #[arg(long, value_name = "ENGINE", default_value = "explore", value_parser = engine, conflicts_with = "audit")]
    pub engine: Engine,
    /// Litmus tests: answer the condition only; leave out what cannot change it, stop at the first execution that decides it, list no states
    #[arg(long, conflicts_with = "audit")]
    pub condition_only: bool,
    /// Which executions count as one: those that differ in coherence only are told apart (rf+co) or not (rf), but for the last
    /// writes of locations that are looked at in the end; auto tells them apart but at locations that no thread reads
    #[arg(long, value_name = "EQUIVALENCE", default_value = "auto", value_parser = equivalence)]
    pub equivalence: Counting,
    /// C programs: explore threads that are known to be interchangeable once up to renaming (auto), say why when there are none (on), or
    /// explore everything (off); the counts are those of all executions in any case
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = symmetry)]
    pub symmetry: Symmetry,
    /// Show the execution of a violation as one list of steps, when an interleaving explains it
    #[arg(long)]
    pub trace: bool,
    /// Remember every execution, report duplicates, judge each again with the plain evaluator (slow)
    #[arg(long)]
    pub audit: bool,
}

/// How models and files are read, and what bounds the run.
#[derive(Args, Debug)]
pub struct InputArgs {
    /// The model's bell file; one that stands beside the model under the same stem is found without this
    #[arg(long, value_name = "FILE")]
    pub bell: Option<PathBuf>,
    /// A macro (.def) file for the primitives of C programs; one that stands beside the model is found without this
    #[arg(long, value_name = "FILE")]
    pub macros: Vec<PathBuf>,
    /// The dialect of the model (herd, dartagnan); recognised when not said
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub dialect: Option<Dialect>,
    /// A variant that the model may ask for (`if "NAME"`); may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub variant: Vec<String>,
    /// A check of the model, by its name, that is not to be made; may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub skip_check: Vec<String>,
    /// The skipped checks have to fail: keep the executions that fail all of them and no other check
    #[arg(long, requires = "skip_check")]
    pub strict_skip: bool,
    /// Run a model on tests of another architecture than its title claims
    #[arg(long)]
    pub no_arch_check: bool,
    /// A directory for files that models and programs include
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// The architecture that C programs are compiled for; that of the model when not said
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<String>,
    /// How C11 accesses are compiled: the name of a bundled mapping (power, power-trailing, aarch64, aarch64-ldar, aarch64-llsc, …) or a file
    #[arg(long, value_name = "MAPPING")]
    pub mapping: Option<String>,
    /// What values of C programs depend on: `semantic`, also on the conditions of branches that selected them (what every compiler
    /// keeps); `syntactic`, only on what they are computed from, as in litmus tests
    #[arg(long, value_name = "WHICH", value_enum, default_value = "semantic")]
    pub dependencies: DependencyKind,
    /// Cut a thread when a loop has gone round N times (idle spinning needs no bound)
    #[arg(long, value_name = "N")]
    pub unroll: Option<u32>,
    /// Cut a thread that would make an execution of more than N events
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), default_value_t = 4096)]
    pub max_events: u32,
    /// Use N threads: for several files at the same time, and for one program where there are fewer files; as many as there are
    /// processors when not said. The result is the same for every N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Stop after S seconds a file (compiling, searching and explaining) and say what is known then
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<f64>,
    /// Arguments for clang
    #[arg(last = true, value_name = "CLANG ARGUMENT", allow_hyphen_values = true)]
    pub clang: Vec<String>,
}

/// The arguments of `diff`.
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// One model
    #[arg(value_name = "MODEL A")]
    pub a: String,
    /// Another model
    #[arg(value_name = "MODEL B")]
    pub b: String,
    /// What to compare them on
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// For each difference, show an execution that one model allows, and the axiom and the cycle by which the other forbids it
    #[arg(long)]
    pub explain: bool,
    /// How and where models and files are read
    #[command(flatten)]
    pub input: InputArgs,
}

/// The arguments of `robust`.
#[derive(Args, Debug)]
pub struct RobustArgs {
    /// The weaker model
    #[arg(long, value_name = "MODEL", required = true)]
    pub cat: String,
    /// The stronger model
    #[arg(long, value_name = "MODEL", default_value = "sc")]
    pub against: String,
    /// What to compare them on: programs or litmus tests
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
    /// How and where models and files are read
    #[command(flatten)]
    pub input: InputArgs,
}

/// The arguments of `run-table`.
#[derive(Args, Debug)]
pub struct RunTableArgs {
    /// The models, separated by commas
    #[arg(long, value_name = "MODEL", required = true, value_delimiter = ',')]
    pub cat: Vec<String>,
    /// What to run
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// The form of the table
    #[arg(long, value_enum, default_value_t = TableForm::Text)]
    pub format: TableForm,
    /// Write the table to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Only tests on which the models differ
    #[arg(long)]
    pub differing: bool,
    /// Answer conditions only
    #[arg(long)]
    pub condition_only: bool,
    /// How and where models and files are read
    #[command(flatten)]
    pub input: InputArgs,
}

/// What values of C programs depend on.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DependencyKind {
    /// Also on what selected them.
    Semantic,
    /// Only on what they are computed from.
    Syntactic,
}

impl From<DependencyKind> for Dependencies {
    fn from(kind: DependencyKind) -> Dependencies {
        match kind {
            DependencyKind::Semantic => Dependencies::Semantic,
            DependencyKind::Syntactic => Dependencies::Syntactic,
        }
    }
}

/// The form of a table.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableForm {
    /// For a terminal.
    Text,
    /// Comma-separated values.
    Csv,
    /// A page for a browser.
    Html,
}

/// The arguments of `explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The code, as the message shows it
    #[arg(value_name = "CODE")]
    pub code: String,
}

/// An output form and where it goes.
#[derive(Clone, Debug)]
pub struct Output {
    /// The form.
    pub format: Format,
    /// The file; standard output when there is none.
    pub file: Option<PathBuf>,
}

fn output(text: &str) -> Result<Output, String> {
    let (name, file) = match text.split_once('=') {
        Some((_, "")) => return Err("the file's name is empty".into()),
        Some((name, file)) => (name, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let format = match name {
        "human" => Format::Human,
        "herd" => Format::Herd,
        "json" => Format::Json,
        "sarif" => Format::Sarif,
        "junit" => Format::Junit,
        _ => return Err("the forms are human, herd, json, sarif and junit".into()),
    };
    Ok(Output { format, file })
}

fn engine(text: &str) -> Result<Engine, String> {
    match text {
        "explore" => Ok(Engine::Explore),
        "enumerate" => Ok(Engine::Enumerate),
        _ => Err("the engines are explore and enumerate".into()),
    }
}

/// Which executions count as one; nothing: as fits the program and the model.
#[derive(Clone, Debug)]
pub struct Counting(pub Option<Equivalence>);

fn equivalence(text: &str) -> Result<Counting, String> {
    match text {
        "auto" => Ok(Counting(None)),
        "rf" => Ok(Counting(Some(Equivalence::ReadsFrom))),
        "rf+co" => Ok(Counting(Some(Equivalence::ReadsFromAndCoherence))),
        _ => Err("the equivalences are auto, rf and rf+co".into()),
    }
}

fn symmetry(text: &str) -> Result<Symmetry, String> {
    match text {
        "auto" => Ok(Symmetry::Auto),
        "on" => Ok(Symmetry::On),
        "off" => Ok(Symmetry::Off),
        _ => Err("symmetry is auto, on or off".into()),
    }
}

fn dialect(text: &str) -> Result<Dialect, String> {
    Dialect::from_name(text).ok_or_else(|| "the dialects are herd and dartagnan".to_owned())
}

fn property(text: &str) -> Result<Property, String> {
    Property::ALL.into_iter().find(|p| p.name() == text).ok_or_else(|| {
        let names: Vec<&str> = Property::ALL.iter().map(|p| p.name()).collect();
        format!("the properties are {}", names.join(", "))
    })
}

/// The architecture of this name, in the spelling that models and mappings know.
pub(super) fn arch(text: &str) -> Result<String, String> {
    let titles: Vec<String> = Mapping::bundled().into_iter().flat_map(|mapping| mapping.titles).collect();
    let known = vocabulary::architecture_ignoring_case(text).map(str::to_owned);
    if let Some(known) = known.or_else(|| titles.iter().find(|title| title.eq_ignore_ascii_case(text)).cloned()) {
        return Ok(known);
    }
    let names: BTreeSet<String> = vocabulary::architectures().map(str::to_owned).chain(titles).collect();
    Err(format!("the architectures are {}", names.into_iter().collect::<Vec<_>>().join(", ")))
}

/// A time so long that nobody waits for its end; a machine's clock may not count much further.
const FOR_EVER: f64 = 1e9;

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 => Ok(s.min(FOR_EVER)),
        _ => Err("a number of seconds above 0".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory;
        CommandLine::command().debug_assert();
    }

    #[test]
    fn check_need_not_be_named() {
        let line =
            CommandLine::try_parse_from(["hmc", "--cat", "strong,weak", "a.c", "b.c", "--", "-DX"]).expect("valid");
        assert_eq!(line.check.cat, ["strong", "weak"]);
        assert_eq!(line.check.files, ["a.c", "b.c"]);
        assert_eq!(line.check.input.clang, ["-DX"]);
        let line = CommandLine::try_parse_from(["hmc", "check", "--cat", "strong", "a.c"]).expect("valid");
        assert!(matches!(line.command, Some(Command::Check(_))));
    }

    #[test]
    fn architectures_are_known_in_any_case() {
        let arch = |name: &str| {
            CommandLine::try_parse_from(["hmc", "--cat", "strong", "--arch", name, "a.c"]).map(|l| l.check.input.arch)
        };
        assert_eq!(arch("aarch64").expect("valid").as_deref(), Some("AArch64"));
        assert_eq!(arch("power").expect("valid").as_deref(), Some("Power"));
        assert!(arch("nonsense").is_err_and(|e| e.to_string().contains("AArch64")));
    }

    #[test]
    fn a_long_time_is_a_time() {
        assert_eq!(seconds("1e30"), Ok(FOR_EVER));
        assert_eq!(seconds("0.5"), Ok(0.5));
        assert!(seconds("nan").is_err() && seconds("0").is_err());
    }

    #[test]
    fn bad_usage_is_refused() {
        for bad in [
            &["hmc", "a.c"][..],
            &["hmc", "--cat", "strong"],
            &["hmc", "--cat", "strong", "--format", "xml", "a.c"],
            &["hmc", "--cat", "strong", "--format", "json=", "a.c"],
            &["hmc", "--cat", "strong", "--timeout", "-1", "a.c"],
            &["hmc", "--cat", "strong", "--properties", "beauty", "a.c"],
            &["hmc", "--cat", "strong", "--threads", "0", "a.c"],
        ] {
            assert!(CommandLine::try_parse_from(bad).is_err(), "{bad:?}");
        }
    }
}

/// Which rounds of loops that try again count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Retries {
    /// Those that no execution does without
    Needed,
    /// All
    All,
}
