#!/usr/bin/env python3
"""110 small programs for `hmc compiled --target`: litmus shapes in C11.

    shapes.py DIRECTORY                         writes them
    shapes.py HMC DIRECTORY ARGUMENT...         runs `HMC compiled ARGUMENT...` on each and counts the answers

Threads are the functions P0, P1, ...; what they read is in external variables. The shapes: eleven with seven pairs of
orders; fences of four kinds; exchange, addition (its result used or not) and compare-and-swap with five orders;
dependencies and branches.
"""

import json
import pathlib
import subprocess
import sys
from collections import Counter

ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
PAIRS = [("relaxed", "relaxed"), ("release", "acquire"), ("seq_cst", "seq_cst"), ("relaxed", "acquire"),
         ("release", "relaxed"), ("seq_cst", "acquire"), ("release", "seq_cst")]
# Threads as words: Wx2 stores 2 to x, Rx loads x.
SHAPES = {
    "MP": "Wx1 Wy1 | Ry Rx", "SB": "Wx1 Ry | Wy1 Rx", "LB": "Rx Wy1 | Ry Wx1", "S": "Wx2 Wy1 | Ry Wx1",
    "R": "Wx1 Wy1 | Wy2 Rx", "WRC": "Wx1 | Rx Wy1 | Ry Rx", "RWC": "Wx1 | Rx Ry | Wy1 Rx",
    "Z6.3": "Wx1 Wy1 | Wy2 Wz1 | Rz Rx", "IRIW": "Wx1 | Wy1 | Rx Ry | Ry Rx", "ISA2": "Wx1 Wy1 | Ry Wz1 | Rz Rx",
    "2+2W": "Wx1 Wy2 | Wy1 Wx2",
}


def program(threads):
    """A program of threads, each a list of statements; `rN` are numbered through."""
    reads = sum(line.count("$") for thread in threads for line in thread)
    names, lines = iter(f"r{i}" for i in range(reads)), ["#include <stdatomic.h>", "atomic_int x, y, z;"]
    if reads:
        lines.append("int " + ", ".join(f"r{i}" for i in range(reads)) + ";")
    for i, thread in enumerate(threads):
        body = [line.replace("$", next(names)) if "$" in line else line for line in thread]
        lines += [f"void P{i}(void) {{"] + [f"    {line}" for line in body] + ["}"]
    return "\n".join(lines) + "\n"


def store(place, value, order):
    return f"atomic_store_explicit(&{place}, {value}, memory_order_{order});"


def load(place, order):
    return f"atomic_load_explicit(&{place}, memory_order_{order})"


def fence(order):
    return f"atomic_thread_fence(memory_order_{order});"


def shape(words, pair):
    def statement(word):
        if word[0] == "W":
            return store(word[1], word[2], pair[0])
        return f"$ = {load(word[1], pair[1])};"
    return [[statement(word) for word in thread.split()] for thread in words.split("|")]


def programs():
    for name, words in SHAPES.items():
        for pair in PAIRS:
            yield f"{name}-{pair[0]}-{pair[1]}", program(shape(words, pair))
    for name in ("MP", "SB"):
        for order in ORDERS[1:]:
            threads = shape(SHAPES[name], PAIRS[0])
            yield f"{name}-fence-{order}", program([[a, fence(order), b] for a, b in threads])
    for order in ORDERS:
        change = {
            "exchange": f"atomic_exchange_explicit(&y, 2, memory_order_{order});",
            "add": f"atomic_fetch_add_explicit(&y, 2, memory_order_{order});",
            "add-used": f"$ = atomic_fetch_add_explicit(&y, 2, memory_order_{order});",
        }
        failure = {"release": "relaxed", "acq_rel": "acquire"}.get(order, order)
        success, failing = f"memory_order_{order}", f"memory_order_{failure}"
        change["cas"] = f"int one = 1; atomic_compare_exchange_strong_explicit(&y, &one, 2, {success}, {failing});"
        for name, line in change.items():
            writer = [store("x", 1, "relaxed"), store("y", 1, "release")]
            reader = [line, fence("acquire"), f"$ = {load('x', 'relaxed')};"]
            yield f"{name}-{order}", program([writer, reader])
    first, other = f"int a = {load('x', 'relaxed')};", [f"$ = {load('y', 'relaxed')};", store("x", 1, "relaxed")]
    for name, then in {
        "data": [store("y", "a", "relaxed")],
        "control": [f"if (a) {store('y', 1, 'relaxed')}"],
        "false-data": [store("y", "1 + (a ^ a)", "relaxed")],
        "both-branches": [f"if (a) {store('y', 1, 'relaxed')} else {store('y', 1, 'relaxed')}"],
    }.items():
        yield f"LB-{name}", program([[first] + then + ["$ = a;"], other])
    reader = [f"int a = {load('y', 'relaxed')};", "$ = a;", f"$ = atomic_load_explicit(&x + (a ^ a), memory_order_relaxed);"]
    yield "MP-false-address", program([[store("x", 1, "relaxed"), store("y", 1, "release")], reader])


def main():
    arguments = sys.argv[1:]
    directory = pathlib.Path(arguments[0] if len(arguments) == 1 else arguments[1])
    directory.mkdir(parents=True, exist_ok=True)
    files = []
    for name, text in programs():
        files.append(directory / f"{name}.c")
        files[-1].write_text(text)
    if len(arguments) == 1:
        print(len(files), "programs")
        return
    counts = {}
    for file in files:
        command = [arguments[0], "compiled", "--json", "--cat", "rc11", file, *arguments[2:]]
        done = subprocess.run(command, capture_output=True, text=True)
        if not done.stdout:
            print(file.stem, done.stderr)
            continue
        for compiled in json.loads(done.stdout):
            if not compiled["levels"]:
                print(file.stem, compiled["answer"], compiled["messages"])
            for level in compiled["levels"]:
                answer, count = level["answer"], counts.setdefault(level["name"], Counter())
                kind = answer
                if answer == "holds":
                    kind = "load buffering" if level.get("load_buffering") else "fewer" if level["fewer"] else "equal"
                count[kind] += 1
                if answer not in ("holds", "bounded"):
                    print(file.stem, level["name"], answer, level["new_outcomes"], [m["message"] for m in level["messages"]])
    for name, count in counts.items():
        print(f"{name}: {dict(count)}")


if __name__ == "__main__":
    main()
