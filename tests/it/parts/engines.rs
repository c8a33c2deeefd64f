//! Engines: threads, HyperQueue (a stand-in for its command line, and its own LocalCluster where the wheel is), Slurm (a node of its own, where root has the daemons). Tasks are killed in the middle.

use crate::cli::support::{command, ran};
use crate::parts::jobs::{Parted, hmc, without_times};
use crate::support::clang_is_there;
use crate::support::left_out::left_out;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const CHECK: [&str; 5] = ["--cat", "rc11", "tests/c/bench/fib.c", "--", "-DN=5"];

fn whole() -> Value {
    let mut whole = vec!["--format", "json"];
    whole.extend(CHECK);
    without_times(&hmc(&whole).out)
}

/// Kills a process that searches parts of a job, as soon as there is one. Whether there was.
fn kill_a_worker(job: &Path) -> bool {
    let until = Instant::now() + Duration::from_secs(40);
    let wanted = format!("{}/lists/", job.display());
    while Instant::now() < until {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        for process in processes {
            let Ok(line) = std::fs::read(process.path().join("cmdline")) else { continue };
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            let name = process.file_name();
            // The worker itself, not a shell that starts it.
            if line.contains(&wanted) && line.contains(" run --job") && !line.starts_with("sh") {
                std::thread::sleep(Duration::from_millis(60));
                return Command::new("kill").arg("-9").arg(name).status().is_ok_and(|s| s.success());
            }
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

/// Runs an engine on a job, kills a worker in the middle, and compares what comes out.
fn survives(parted: &Parted, mut engine: Command, what: &str) {
    let job = parted.path().canonicalize().expect("a job");
    let child = engine.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started");
    let was_killed = kill_a_worker(&job);
    let ran = ran(child.wait_with_output().expect("it ends"));
    assert!(was_killed, "{what}: no worker was seen\n{}", ran.err);
    assert!([0, 1].contains(&ran.code), "{what}: {}\n{}", ran.out, ran.err);
    let merged = parted.merge(&["--format", "json"]);
    assert_eq!(without_times(&merged.out), whole(), "{what}: {}", ran.err);
}

#[test]
fn threads_of_this_machine() {
    if !clang_is_there() {
        return;
    }
    let parted = Parted::split(&CHECK);
    let path = parted.path();
    let ran = hmc(&["cluster", "local", path.to_str().expect("UTF-8"), "--slice", "0.2", "--format", "json"]);
    assert_eq!(without_times(&ran.out), whole(), "{}", ran.err);
    assert!(parted.lines().len() > 2);
}

/// A stand-in for `hq`: runs the tasks of an array side by side.
const STAND_IN: &str = r#"#!/bin/sh
case "$*" in *cancel*) exit 0;; esac
for word in "$@"; do case "$word" in --array=0-*) last=${word#--array=0-};; esac; done
while [ "$1" != "--" ]; do shift; done
shift
echo 1
task=0
while [ "$task" -le "$last" ]; do HQ_TASK_ID=$task "$@" & task=$((task + 1)); done
wait
"#;

#[test]
fn tasks_of_an_array() {
    if !clang_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a directory");
    let hq = folder.path().join("hq");
    std::fs::write(&hq, STAND_IN).expect("written");
    std::fs::set_permissions(&hq, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let parted = Parted::split(&CHECK);
    let mut engine = command();
    let path = std::env::var("PATH").unwrap_or_default();
    engine.env("PATH", format!("{}:{path}", folder.path().display()));
    engine.args(["cluster", "hq", "--slice", "1", "--workers", "2"]).arg(parted.path());
    survives(&parted, engine, "a stand-in for hq");
}

#[test]
fn an_engine_that_is_not_there_is_told() {
    if !clang_is_there() {
        return;
    }
    let parted = Parted::split(&CHECK);
    let ran = ran(command()
        .env("PATH", "/nowhere")
        .args(["cluster", "hq"])
        .arg(parted.path())
        .output()
        .expect("hmc can be started"));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("hmc::job-engine"), "{}", ran.err);
}

/// A Python that has what a test needs: `HMC_TEST_PYTHON`.
fn python_with(module: &str) -> Option<String> {
    let python = std::env::var("HMC_TEST_PYTHON").ok()?;
    let has = Command::new(&python).args(["-c", &format!("import {module}")]).stderr(Stdio::null()).status();
    has.is_ok_and(|status| status.success()).then_some(python)
}

#[test]
fn hyperqueue() {
    let Some(python) = python_with("hyperqueue").filter(|_| clang_is_there()) else {
        left_out("HyperQueue's LocalCluster: HMC_TEST_PYTHON names no Python with `hyperqueue`");
        return;
    };
    let parted = Parted::split(&CHECK);
    let mut engine = Command::new(python);
    engine.arg("contrib/hyperqueue_local.py").arg(parted.path());
    engine.args(["--slice", "1", "--workers", "2", "--hmc", env!("CARGO_BIN_EXE_hmc")]);
    survives(&parted, engine, "HyperQueue");
}

/// A cluster of one node, which goes away with it.
struct Slurm {
    folder: tempfile::TempDir,
    daemons: Vec<Child>,
}

impl Slurm {
    /// Starts one, where there are the daemons and root may.
    fn start() -> Option<Slurm> {
        let has = |name: &str| {
            let places = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"];
            places.iter().any(|place| Path::new(place).join(name).is_file())
        };
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
        if !is_root || !["munged", "slurmctld", "slurmd", "sbatch"].into_iter().all(has) {
            return None;
        }
        let folder = tempfile::tempdir().expect("a directory");
        let at = folder.path().display().to_string();
        for name in ["run", "state", "spool"] {
            std::fs::create_dir(folder.path().join(name)).expect("a directory");
        }
        // munged asks that others may pass through.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).expect("allowed");
        let key: Vec<u8> = (0..128u8).map(|n| n.wrapping_mul(37).wrapping_add(std::process::id() as u8)).collect();
        let key_file = folder.path().join("munge.key");
        std::fs::write(&key_file, key).expect("written");
        std::fs::set_permissions(&key_file, std::fs::Permissions::from_mode(0o600)).expect("allowed");
        let host = Command::new("hostname").output().expect("a name").stdout;
        let host = String::from_utf8(host).expect("UTF-8").trim().to_owned();
        let ports = 20_000 + std::process::id() % 20_000;
        let configuration = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n\
             AuthType=auth/munge\nAuthInfo=socket={at}/run/munge.sock,cred_expire=5\nCredType=cred/munge\n\
             SlurmctldPort={ports}\nSlurmdPort={}\nMpiDefault=none\nSwitchType=switch/none\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
             SchedulerType=sched/backfill\nSchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0\n\
             StateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool\nSlurmctldPidFile={at}/run/ctld.pid\n\
             SlurmdPidFile={at}/run/d.pid\nSlurmctldLogFile={at}/ctld.log\nSlurmdLogFile={at}/d.log\n\
             MaxArraySize=1001\nReturnToService=2\nJobRequeue=1\nKillWait=2\nSlurmdTimeout=10\nBatchStartTimeout=2\n\
             MessageTimeout=5\nNodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
             PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP\n",
            ports + 1
        );
        std::fs::write(folder.path().join("slurm.conf"), configuration).expect("written");
        let mut slurm = Slurm { folder, daemons: Vec::new() };
        let munge = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            format!("--key-file={at}/munge.key"),
            format!("--socket={at}/run/munge.sock"),
            format!("--pid-file={at}/run/munge.pid"),
            format!("--log-file={at}/munge.log"),
            format!("--seed-file={at}/munge.seed"),
        ];
        slurm.daemon("munged", &munge);
        std::thread::sleep(Duration::from_millis(300));
        let configured = ["-D".to_owned(), "-f".to_owned(), format!("{at}/slurm.conf")];
        slurm.daemon("slurmctld", &configured);
        slurm.daemon("slurmd", &configured);
        let until = Instant::now() + Duration::from_secs(30);
        while Instant::now() < until {
            let asked = slurm.client("sinfo").args(["-h", "-o", "%T"]).stderr(Stdio::null()).output();
            if asked.is_ok_and(|out| out.stdout.starts_with(b"idle")) {
                return Some(slurm);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        let log = |name: &str| std::fs::read_to_string(slurm.folder.path().join(name)).unwrap_or_default();
        panic!("Slurm does not start:\n{}\n{}\n{}", log("munge.log"), log("ctld.log"), log("d.log"));
    }

    fn configuration(&self) -> String {
        self.folder.path().join("slurm.conf").display().to_string()
    }

    fn daemon(&mut self, name: &str, arguments: &[String]) {
        let path =
            if Path::new("/usr/sbin").join(name).is_file() { format!("/usr/sbin/{name}") } else { name.to_owned() };
        let mut command = Command::new(path);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.daemons.push(command.spawn().expect("a daemon"));
    }

    fn client(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.env("SLURM_CONF", self.configuration());
        command
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            let _ = Command::new("kill").arg(daemon.id().to_string()).status();
            let until = Instant::now() + Duration::from_secs(5);
            while daemon.try_wait().is_ok_and(|ended| ended.is_none()) && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(50));
            }
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

#[test]
fn slurm() {
    let Some(slurm) = Some(()).filter(|()| clang_is_there()).and_then(|()| Slurm::start()) else {
        left_out("Slurm: root has no munged, slurmctld, slurmd and sbatch here");
        return;
    };
    let parted = Parted::split(&CHECK);
    let mut engine = command();
    engine.env("SLURM_CONF", slurm.configuration());
    engine.args(["cluster", "slurm", "--slice", "4", "--workers", "2", "--threads", "1"]);
    engine.args(["--submit", "--no-requeue"]).arg(parted.path());
    survives(&parted, engine, "Slurm");
}
