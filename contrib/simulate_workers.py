#!/usr/bin/env python3
"""What share of their time workers would be busy, simulated from the measured parts of a job.

    hmc split prog.c --cat rc11 -o job; hmc run --job job --slice-events 3000 --threads 1
    python3 contrib/simulate_workers.py job 2 32 128

A worker takes the outermost waiting part; a part costs the events that were added in it, and what it left waits then. Events are the same on
every machine, whatever else runs there.
"""

import hashlib
import heapq
import json
import sys
from pathlib import Path


def measured(job: Path) -> dict[str, tuple[float, list[str]]]:
    """Events of each part, and the paths that it left; the first result of a part counts."""
    parts: dict[str, tuple[float, list[str]]] = {}
    for file in sorted((job / "results").glob("*.jsonl")):
        for line in file.read_text().splitlines():
            try:
                result = json.loads(line)["result"]
            except ValueError:
                continue
            left = [item["left"] for item in result["items"] if "left" in item]
            seen = [item["seen"]["statistics"]["events"] for item in result["items"] if "seen" in item]
            parts.setdefault(result["part"], (float(sum(seen)), left))
    return parts


def tree(job: Path):
    """The parts as a tree: `(events, depth, paths)`."""
    parts = measured(job)
    identity = hashlib.sha256((job / "job.json").read_bytes()).hexdigest()
    try:
        import xxhash
    except ImportError:
        sys.exit("needs the module `xxhash`, by which parts are named")

    def name(path: str) -> str:
        return xxhash.xxh3_128_hexdigest(f"{identity} 0 0 {path}".encode())

    def node(path: str):
        spent, left = parts.get(name(path), (0.0, []))
        return spent, len(path.split()), left

    return node


def simulated(node, workers: int) -> tuple[float, float, int]:
    """The span, the busy share and the number of parts."""
    waiting: list[tuple[int, int, str]] = [(0, 0, "0+ 0")]
    running: list[tuple[float, int, list[str]]] = []
    now = busy = 0.0
    number = done = 0
    while waiting or running:
        while waiting and len(running) < workers:
            _, _, path = heapq.heappop(waiting)
            spent, _, left = node(path)
            busy += spent
            number += 1
            heapq.heappush(running, (now + spent, number, left))
        now, _, left = heapq.heappop(running)
        done += 1
        for path in left:
            number += 1
            heapq.heappush(waiting, (len(path.split()), number, path))
    return now, busy / (now * workers) if now else 1.0, done


def main() -> None:
    node = tree(Path(sys.argv[1]))
    for workers in map(int, sys.argv[2:] or ["2", "32", "128", "10000"]):
        span, share, parts = simulated(node, workers)
        print(f"{workers:6} workers: {span:12.0f} events in a row, busy {share:6.1%}, {parts} parts")


if __name__ == "__main__":
    main()
