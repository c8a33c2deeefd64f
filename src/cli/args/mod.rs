//! What the command line can say: the subcommands. What single options take is in [`values`].

mod check;
mod compare;
mod model;
mod parts;
mod synth;
mod test;
mod tune;
mod values;

pub use check::{CheckArgs, InputArgs};
pub use compare::{CompiledArgs, DiffArgs, RobustArgs, RunTableArgs, TableForm};
pub use model::{
    ClaimArgs, CompareArgs, FormatArgs, MappingArgs, ModelArgs, ModelCommand, PropertiesArgs, QuestionArgs,
};
pub use parts::{ClusterArgs, MergeArgs, ReportArgs, RunArgs, Shard, SplitArgs, Workers};
pub use synth::SynthArgs;
pub use test::TestArgs;
pub use tune::{RelaxArgs, RepairArgs, TuneArgs};
pub(in crate::cli) use values::specification;
pub use values::{Counting, Cut, DependencyKind, Lines, Output, PlainAccesses, Retries, Sees, output, seconds};

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Checks concurrent programs and litmus tests against a memory model read from a .cat file.
#[derive(Parser, Debug)]
#[command(name = "hmc", version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true, after_long_help = EXAMPLES)]
pub struct CommandLine {
    /// What to do; `check` when nothing is said.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Whether text has colours; auto: on a terminal that shows them, unless NO_COLOR is set, or where FORCE_COLOR is
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Colored::Auto)]
    pub color: Colored,
    /// What to check.
    #[command(flatten)]
    pub check: CheckArgs,
}

/// Whether text has colours.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colored {
    /// As terminal and environment say.
    Auto,
    /// Yes.
    Always,
    /// No.
    Never,
}

/// Shown below `hmc --help`.
const EXAMPLES: &str = "\
Examples:
  hmc prog.c                            C11's model, or the kernel's, by the file
  hmc --cat rc11,aarch64,power prog.c   three models, and a table
  hmc repair prog.c                     which memory order makes it hold?
  hmc test                              files that say what is expected of them
  hmc --cat tso tests/                  all litmus tests of a directory
  hmc --format github --quiet src/*.c   annotations for a code host

More: hmc help models, hmc help properties, hmc help loops, hmc help COMMAND,
hmc explain KIND (race, liveness, bounded, ...)";

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check programs and litmus tests (this is what hmc does when no command is named)
    Check(CheckArgs),
    /// Run programs and litmus tests that say what is expected of them (`// hmc: --cat rc11 => holds`), and those of hmc.toml
    Test(TestArgs),
    /// Show the files on which two models differ
    Diff(DiffArgs),
    /// Compare what a program may do as clang optimises it with what its source may do, and name the pass that is to blame
    Compiled(CompiledArgs),
    /// Find the smallest changes of memory orders and fences with which a program holds
    Repair(RepairArgs),
    /// Find how weak the memory orders and fences of a program that holds can be
    Relax(RelaxArgs),
    /// Compare the executions of a model with those of a stronger one, and say where fences remove the difference
    Robust(RobustArgs),
    /// Run tests under several models and show one table: as text, CSV or an HTML page
    RunTable(RunTableArgs),
    /// Serve the page on which models are written, run and seen to a browser on this machine
    Playground(PlaygroundArgs),
    /// Serve an editor: what is wrong with models, bell files and litmus tests, what names mean, and what tests give
    Lsp(LspArgs),
    /// Synthesise all minimal litmus tests of a model, up to a size
    Synth(SynthArgs),
    /// Make a job of a check, to be searched in parts, by other processes or machines, or at other times
    Split(SplitArgs),
    /// Search parts of a job; when none is named, all that is open, and report
    Run(RunArgs),
    /// Report what is known of a job, as one run would, and list what is open; or report shards of a run as one
    Merge(MergeArgs),
    /// Have the parts of a job searched by HyperQueue, Slurm, or threads of this machine, and report
    Cluster(ClusterArgs),
    /// Explain a code that a message shows, a kind of finding, or a verdict
    Explain(ExplainArgs),
    /// Print the JSON schema of the JSON report
    Schema,
    /// List the bundled models: what each is for, where it comes from, what it is stronger than
    ListModels,
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Write man pages, one a command
    Man(ManArgs),
    /// Help about a command, or about models, properties or loops
    Help(HelpArgs),
    /// Look at a model, have it checked, format it
    #[command(subcommand)]
    Model(ModelCommand),
}

/// The arguments of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

/// The arguments of `man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// The directory to write them into; standard output gets the page of hmc itself when none is named
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// The arguments of `playground`.
#[derive(Args, Debug)]
pub struct PlaygroundArgs {
    /// The folder of the built page; when none is named, share/hmc/page or web/dist beside the program, or web/dist
    #[arg(long, value_name = "DIR")]
    pub page: Option<PathBuf>,
    /// The port on this machine; 0: any that is free
    #[arg(long, value_name = "PORT", default_value_t = 7420)]
    pub port: u16,
}

/// The arguments of `lsp`.
#[derive(Args, Debug)]
pub struct LspArgs {
    /// The models that tests are run under, separated by commas; those of hmc.toml when none is named, else the usual one of each test
    #[arg(long, value_name = "MODEL", value_delimiter = ',')]
    pub cat: Vec<String>,
    /// A directory for included files
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Stop a test after S seconds
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    pub timeout: f64,
    /// Standard input and output, which is all that there is: editors may say so
    #[arg(long)]
    pub stdio: bool,
}

/// The arguments of `help`.
#[derive(Args, Debug)]
pub struct HelpArgs {
    /// A command, or models, properties, loops
    #[arg(value_name = "TOPIC")]
    pub topic: Option<String>,
}

/// The arguments of `explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The code, as the message shows it, or a kind (race, memory, …) or verdict (holds, bounded, …)
    #[arg(value_name = "CODE")]
    pub code: String,
}

#[cfg(test)]
mod tests {
    use super::values::FOR_EVER;
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
        let line = CommandLine::try_parse_from(["hmc", "a.c"]).expect("valid");
        assert!(line.check.cat.is_empty());
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
            &["hmc", "--cat", "strong"][..],
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
