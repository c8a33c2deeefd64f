//! The arguments of `split`, `run`, `merge` and `cluster`.

use super::check::CheckArgs;
use super::values::{Output, output, seconds};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The arguments of `split`.
#[derive(Args, Clone, Debug)]
pub struct SplitArgs {
    /// What is checked, and how
    #[command(flatten)]
    pub check: CheckArgs,
    /// The directory of the job
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Search until there are N parts; one part when not said
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub parts: Option<u32>,
}

/// How reports of a job are shown.
#[derive(Args, Clone, Debug, Default)]
pub struct ReportArgs {
    /// Say nothing of what holds, and of the rest one line each
    #[arg(short, long)]
    pub quiet: bool,
    /// An output form (human, herd, json, sarif, junit, github), as FORM or FORM=FILE; may be repeated
    #[arg(long, value_name = "FORM[=FILE]", value_parser = output)]
    pub format: Vec<Output>,
    /// Write the first violation (or litmus witness) as Graphviz DOT to this file
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Write the first violation (or litmus witness) as SVG to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write all results, with their executions and sources, as a page to this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// The arguments of `run`.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// The directory of the job
    #[arg(long, value_name = "DIR")]
    pub job: PathBuf,
    /// Search this part only, by its name; without this and `--parts`, everything that is open, and report
    #[arg(long, value_name = "ID", conflicts_with = "parts")]
    pub part: Option<String>,
    /// Search the parts of this list only (`hmc merge DIR --pending LIST`)
    #[arg(long, value_name = "LIST")]
    pub parts: Option<PathBuf>,
    /// End each part after S seconds, and leave the rest as new parts; with `--part` or `--parts`, the whole run
    #[arg(long, value_name = "S", value_parser = slice)]
    pub slice: Option<f64>,
    /// End each part after N events: the parts are the same on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub slice_events: Option<u64>,
    /// Use N threads; as many as there are processors when not said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// End after S seconds and leave the rest
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<f64>,
    /// End at the first violation that any thread finds, not at that of the depth-first order
    #[arg(long)]
    pub any: bool,
    /// How the report is shown
    #[command(flatten)]
    pub report: ReportArgs,
}

/// The arguments of `merge`.
#[derive(Args, Clone, Debug)]
pub struct MergeArgs {
    /// The directory of the job; or JSON reports of the shards of a run, in their order
    #[arg(value_name = "DIR|REPORT", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Write the parts that are open to this list
    #[arg(long, value_name = "LIST")]
    pub pending: Option<PathBuf>,
    /// How the report is shown
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Who starts workers.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Workers {
    /// Threads of this process
    Local,
    /// HyperQueue, by its program `hq`
    Hq,
    /// Slurm, by arrays
    Slurm,
}

/// The arguments of `cluster`.
#[derive(Args, Clone, Debug)]
pub struct ClusterArgs {
    /// Who starts workers: local, hq (HyperQueue), slurm
    #[arg(value_name = "ENGINE", value_enum)]
    pub engine: Workers,
    /// The directory of the job, which all workers see
    #[arg(value_name = "DIR")]
    pub job: PathBuf,
    /// Workers at the same time: processors for hq, nodes for slurm, threads for local
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), default_value_t = 2)]
    pub workers: u32,
    /// How long a task runs before it leaves its rest as new parts
    #[arg(long, value_name = "S", value_parser = slice, default_value = "60s")]
    pub slice: f64,
    /// Threads of a task; 1 for hq; for slurm, all processors of the node when not said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// An argument for `hq submit` or `sbatch`; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub submit: Vec<String>,
    /// How the report is shown
    #[command(flatten)]
    pub report: ReportArgs,
}

/// A number of seconds, with or without `s`.
fn slice(text: &str) -> Result<f64, String> {
    seconds(text.strip_suffix('s').unwrap_or(text))
}

/// A shard: the k-th of n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    k: usize,
    n: usize,
}

impl Shard {
    /// Its piece of a list. All pieces together, in their order, are the list.
    pub fn of<T>(self, all: Vec<T>) -> Vec<T> {
        let (from, to) = ((self.k - 1) * all.len() / self.n, self.k * all.len() / self.n);
        all.into_iter().skip(from).take(to - from).collect()
    }
}

/// Reads `k/n`.
pub(super) fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((k, n)) if 1 <= k && k <= n => Ok(Shard { k, n }),
        _ => Err("a shard is k/n, with k from 1 to n".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_all_of_a_list() {
        for n in 1..6 {
            let all: Vec<usize> = (1..=n).flat_map(|k| Shard { k, n }.of((0..4).collect::<Vec<_>>())).collect();
            assert_eq!(all, [0, 1, 2, 3]);
        }
        assert!(["0/2", "3/2", "1", "a/b", "1/0"].iter().all(|text| shard(text).is_err()));
        assert_eq!(shard("2/3"), Ok(Shard { k: 2, n: 3 }));
        assert_eq!((slice("60s"), slice("0.5")), (Ok(60.0), Ok(0.5)));
    }
}
