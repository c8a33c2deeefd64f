//! Reports of the shards of a run (`--shard k/n`) as one.

use crate::cli::BAD_INPUT;
use crate::cli::args::MergeArgs;
use crate::cli::output::out::{say, tell};
use crate::cli::output::outputs::Outputs;
use crate::cli::output::summary::Summary;
use crate::cli::output::width::styled;
use crate::driver::inputs::messages::bare;
use crate::report::human;
use crate::verdict::{FileResult, Sources, Verdict};
use serde::Deserialize;
use std::path::Path;

/// What is read of a JSON report.
#[derive(Deserialize)]
struct Report {
    results: Vec<FileResult>,
}

/// Reads the reports and writes them as one.
pub fn merge(args: &MergeArgs) -> u8 {
    let style = styled(&std::io::stdout());
    let shown = args.report.format.is_empty();
    let mut outputs = Outputs::begin(&args.report.format, shown, style);
    let (sources, mut summary, mut worst) = (Sources::default(), Summary::new(&[]), Verdict::Holds);
    let mut all = Vec::new();
    let mut seconds = 0.0;
    for file in &args.inputs {
        let results = match read(file) {
            Ok(results) => results,
            Err(why) => {
                let help = "shards are reported with `--format json=FILE`; a job is a directory";
                let message = format!("`{}` is no JSON report of hmc: {why}", file.display());
                tell(&human::messages(&[bare("hmc::job-report", message, Some(help))], styled(&std::io::stderr())));
                return BAD_INPUT;
            }
        };
        for result in results {
            if shown {
                say(&human::body(&result, &sources, style));
            }
            worst = worst.worse(result.verdict);
            seconds += result.seconds;
            summary.add(&result);
            outputs.add(&result, &sources);
            all.push(result.in_brief());
        }
    }
    tell(&summary.text(seconds));
    if outputs.end(&all) { worst.exit_code() } else { BAD_INPUT }
}

fn read(file: &Path) -> Result<Vec<FileResult>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    serde_json::from_str::<Report>(&text).map(|report| report.results).map_err(|e| e.to_string())
}
