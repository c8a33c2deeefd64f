//! Other programs that start workers: HyperQueue and Slurm, by their command lines.
//!
//! Work goes in rounds. What is open is dealt to lists, one a task; an array of tasks is submitted and waited for; a task searches its list for a slice of time and leaves the rest. What a task that
//! was killed did not write is open in the next round. While fewer parts are open than there is room for, slices are short.
//!
//! Whether tasks succeeded is not asked of the engine: results say what is done.

use super::Error;
use super::job::{Job, Part, write_parts};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// A slice while there are few parts, of a whole one.
const SHORT: f64 = 0.1;
/// No slice is shorter, in seconds.
const SHORTEST: f64 = 0.5;
/// With fewer parts than so many times the workers, slices are short.
const FEW: usize = 4;
/// How often it is looked whether the user wants an end.
const MOMENT: Duration = Duration::from_millis(50);
/// A task gets a word so long before its time is over, in seconds.
const WARNING: u32 = 30;

/// An engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// HyperQueue.
    HyperQueue,
    /// Slurm.
    Slurm,
}

/// How a round is done.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// Who starts tasks.
    pub engine: Engine,
    /// The program `hmc`, where workers find it.
    pub program: PathBuf,
    /// Tasks at the same time.
    pub workers: usize,
    /// How long a task runs, in seconds.
    pub slice: f64,
    /// Threads of a task; all of its machine when not said.
    pub threads: Option<u16>,
    /// Arguments for the engine.
    pub arguments: Vec<String>,
}

impl Engine {
    /// The program that submits.
    fn program(self) -> &'static str {
        match self {
            Engine::HyperQueue => "hq",
            Engine::Slurm => "sbatch",
        }
    }

    /// The variable that numbers the tasks of an array.
    fn number(self) -> &'static str {
        match self {
            Engine::HyperQueue => "HQ_TASK_ID",
            Engine::Slurm => "SLURM_ARRAY_TASK_ID",
        }
    }

    /// Submits an array of tasks and waits for them.
    fn submit(self, tasks: usize, script: &str, arguments: &[String]) -> Command {
        let mut command = Command::new(self.program());
        let array = format!("--array=0-{}", tasks.saturating_sub(1));
        match self {
            Engine::HyperQueue => {
                command.args(["--output-mode=quiet", "submit", "--wait", &array, "--stdout=none", "--stderr=none"]);
                command.args(["--crash-limit=unlimited", "--max-fails=1000000"]).args(arguments);
                command.args(["--", "sh", "-c", script]);
            }
            Engine::Slurm => {
                let signal = format!("--signal=B:USR1@{WARNING}");
                command.args(["--wait", "--parsable", &array, "--output=/dev/null", "--requeue", &signal]);
                command.args(arguments).arg(format!("--wrap={script}"));
            }
        }
        command
    }

    /// Ends what was submitted.
    fn cancel(self, id: &str) {
        let mut command = match self {
            Engine::HyperQueue => {
                let mut command = Command::new("hq");
                command.args(["job", "cancel"]);
                command
            }
            Engine::Slurm => Command::new("scancel"),
        };
        // Who cannot be asked has ended.
        let _ = command.arg(id).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

impl Rounds {
    /// Has open parts searched for a while. `false`: the user wants an end.
    pub fn round(&self, job: &Job, open: Vec<Part>, interrupt: &AtomicBool) -> Result<bool, Error> {
        let is_few = open.len() < FEW * self.workers;
        let slice = if is_few { (self.slice * SHORT).max(SHORTEST.min(self.slice)) } else { self.slice };
        let directory = job.directory.join("lists");
        // What an earlier round has left is of no use any more.
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).map_err(|e| Error::file(&directory, &e))?;
        let lists = dealt(open, self.workers);
        for (number, list) in lists.iter().enumerate() {
            write_parts(&directory.join(format!("{number}.jsonl")), list)?;
        }
        let script = self.script(&job.directory, slice)?;
        self.submitted(lists.len(), &script, interrupt)
    }

    /// What a task runs.
    fn script(&self, directory: &Path, slice: f64) -> Result<String, Error> {
        let directory = directory.canonicalize().map_err(|e| Error::file(directory, &e))?;
        let (program, directory) = (quoted(&self.program), quoted(&directory));
        let threads = self.threads.map(|threads| format!(" --threads {threads}")).unwrap_or_default();
        let list = format!("{directory}/lists/\"${}\".jsonl", self.engine.number());
        Ok(format!("exec {program} run --job {directory} --parts {list} --slice {slice}{threads}"))
    }

    fn submitted(&self, tasks: usize, script: &str, interrupt: &AtomicBool) -> Result<bool, Error> {
        let failed = |why: String| Error::Engine { program: self.engine.program().to_owned(), why };
        let mut command = self.engine.submit(tasks, script, &self.arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| failed(e.to_string()))?;
        // The first line is the number of the job.
        let (send, receive) = mpsc::channel();
        let stdout = child.stdout.take();
        let reader = std::thread::spawn(move || {
            for line in stdout.into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok) {
                // Nobody waits for it any more.
                let _ = send.send(line);
            }
        });
        let stderr = child.stderr.take();
        let complaints = std::thread::spawn(move || {
            let lines = stderr.into_iter().flat_map(|err| BufReader::new(err).lines()).map_while(Result::ok);
            lines.last().unwrap_or_default()
        });
        let mut id = None;
        let status = loop {
            if let Ok(line) = receive.recv_timeout(MOMENT) {
                id.get_or_insert(line);
            }
            if let Some(status) = child.try_wait().map_err(|e| failed(e.to_string()))? {
                break status;
            }
            if interrupt.load(Ordering::Relaxed) {
                if let Some(id) = &id {
                    self.engine.cancel(id.trim());
                }
                // It may be gone by itself.
                let _ = child.kill();
                child.wait().map_err(|e| failed(e.to_string()))?;
                return Ok(false);
            }
        };
        let _ = reader.join();
        let complaint = complaints.join().unwrap_or_default();
        // With a number the tasks were there, and their results say what became of them.
        if !status.success() && id.is_none() && receive.try_recv().is_err() {
            return Err(failed(if complaint.is_empty() { status.to_string() } else { complaint }));
        }
        Ok(!interrupt.load(Ordering::Relaxed))
    }
}

/// Deals parts to lists, not more than there are workers.
fn dealt(open: Vec<Part>, workers: usize) -> Vec<Vec<Part>> {
    let count = workers.min(open.len()).max(1);
    let mut lists = vec![Vec::new(); count];
    for (n, part) in open.into_iter().enumerate() {
        lists[n % count].push(part);
    }
    lists
}

/// A path as a word for the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_dealt_once() {
        let part = |n: usize| Part { job: "j".into(), part: n.to_string(), check: 0, search: 0, path: "0+ 0".into() };
        for (parts, workers) in [(1, 4), (7, 3), (4, 4)] {
            let lists = dealt((0..parts).map(part).collect(), workers);
            assert!(lists.len() <= workers && lists.iter().all(|list| !list.is_empty()));
            let mut names: Vec<String> = lists.into_iter().flatten().map(|part| part.part).collect();
            names.sort();
            assert_eq!(names, (0..parts).map(|n| n.to_string()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn words_for_the_shell_are_quoted() {
        assert_eq!(quoted(Path::new("/a b/c'd")), r"'/a b/c'\''d'");
    }
}
