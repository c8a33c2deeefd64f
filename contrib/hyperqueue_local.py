#!/usr/bin/env python3
"""Searches the parts of a job with HyperQueue's LocalCluster, which comes with its wheel (`pip install hyperqueue`).

    hmc split prog.c --cat rc11 -n 8 -o job
    python3 contrib/hyperqueue_local.py job --workers 2 --slice 10
    hmc merge job

`hmc cluster hq` does the same where the program `hq` and a server are. LocalCluster listens on all interfaces without a key: on a machine of
your own only.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

FEW = 4
SHORTEST = 0.5


def pending(hmc: str, job: Path) -> list[str]:
    """The parts that are open, a line each."""
    parts = job / "pending.jsonl"
    merged = subprocess.run([hmc, "merge", "-q", str(job), "--pending", str(parts)], capture_output=True, text=True)
    if merged.returncode == 2:
        sys.exit(merged.stderr)
    return parts.read_text().splitlines()


def deal(parts: list[str], workers: int, folder: Path) -> list[Path]:
    """A list for each task."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    lists = []
    for number in range(min(workers, len(parts))):
        file = folder / f"{number}.jsonl"
        file.write_text("".join(part + "\n" for part in parts[number::workers]))
        lists.append(file)
    return lists


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", type=Path)
    parser.add_argument("--hmc", default="hmc", help="the program")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--slice", type=float, default=60.0, help="seconds of a task")
    args = parser.parse_args()
    hmc = shutil.which(args.hmc) or args.hmc
    job = args.job.resolve()
    rounds = 0
    with LocalCluster(worker_config=WorkerConfig(cores=args.workers)) as cluster:
        client = cluster.client()
        while parts := pending(hmc, job):
            few = len(parts) < FEW * args.workers
            seconds = max(args.slice / 10, min(SHORTEST, args.slice)) if few else args.slice
            # Without `max_fails` the first task that fails ends all.
            tasks = Job(max_fails=None)
            for file in deal(parts, args.workers, job / "lists"):
                command = [hmc, "run", "--job", str(job), "--parts", str(file), "--slice", str(seconds), "--threads", "1"]
                tasks.program(command, stdout=None, stderr=None)
            client.wait_for_jobs([client.submit(tasks)], raise_on_error=False)
            rounds += 1
            print(f"round {rounds}: {len(parts)} parts were open", flush=True)


if __name__ == "__main__":
    main()
