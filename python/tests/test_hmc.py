"""The package as it is installed: `HMC_PROGRAM` names the command that it is compared with."""

import json
import os
import subprocess
import threading
from pathlib import Path

import pytest

import hmc

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("HMC_PROGRAM")

SB = """C SB
{ }
P0(atomic_int* x, atomic_int* y) { atomic_store_explicit(x, 1, memory_order_relaxed); int r0 = atomic_load_explicit(y, memory_order_relaxed); }
P1(atomic_int* x, atomic_int* y) { atomic_store_explicit(y, 1, memory_order_relaxed); int r0 = atomic_load_explicit(x, memory_order_relaxed); }
exists (0:r0=0 /\\ 1:r0=0)
"""
SC = 'SC\nlet com = rf | co | fr\nacyclic po | com as sc\n'
LONG = """#include <stdatomic.h>
#include <pthread.h>
atomic_int x;
void *f(void *p) { for (int i = 0; i < 40; i++) x++; return 0; }
int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0); for (int i = 0; i < 4; i++) pthread_join(t[i], 0); }
"""


def timeless(report):
    for result in report["results"]:
        result["seconds"] = 0
    return report


@pytest.mark.skipif(not PROGRAM, reason="HMC_PROGRAM names no command")
@pytest.mark.parametrize(
    "file, model",
    [
        ("examples/message_passing.c", "rc11"),
        ("examples/message_passing_broken.c", "rc11"),
        ("tests/c/bench/lamport.c", "sc"),
        ("tests/litmus/c11/LB+relaxed.litmus", "rc11"),
    ],
)
def test_the_report_is_that_of_the_command(file, model):
    os.chdir(ROOT)
    told = subprocess.run([PROGRAM, "--format", "json", "--cat", model, file], capture_output=True, text=True)
    assert timeless(hmc.check(hmc.Program(file), model).to_dict()) == timeless(json.loads(told.stdout))


def test_texts_are_called_by_their_names():
    report = hmc.check(hmc.litmus(SB, name="SB.litmus"), hmc.Model.from_text(SC, name="mine"))
    assert (report.verdict, report.observation, report.file) == (hmc.Verdict.HOLDS, "Never", "SB.litmus")
    assert report.verdict == "holds" and report.holds and report.executions.complete == 3
    assert hmc.check(hmc.litmus(SB), "rc11").observation == "Sometimes"
    with pytest.raises(TypeError):
        bool(report)


def test_findings():
    report = hmc.check(hmc.Program(str(ROOT / "examples/message_passing_broken.c")), "rc11")
    assert report.verdict is hmc.Verdict.VIOLATED and report.findings[0].kind == "race"
    assert report.findings[0]._repr_svg_().startswith("<svg") and "<svg" in report._repr_html_()
    with pytest.raises(hmc.Violation):
        report.raise_for_violation()


def test_errors_have_code_place_and_help():
    with pytest.raises(hmc.ModelError) as model:
        hmc.Model.from_text("m\nacyclic nothing as x\n", name="wrong")
    assert model.value.code and model.value.help and model.value.place[1:] == (2, 9)
    assert "wrong" in model.value.place[0]
    with pytest.raises(hmc.ProgramError) as program:
        hmc.check(hmc.litmus("C x\n{ }\nP0(atomic_int* x { }\nexists (x=1)\n"), "sc")
    assert program.value.place
    with pytest.raises(hmc.ProgramError):
        hmc.check("nowhere.litmus", "sc")
    with pytest.raises(ValueError):
        hmc.check(hmc.litmus(SB), "sc", properties=["beauty"])


def test_executions_and_relations():
    found = list(hmc.executions(hmc.litmus(SB), "rc11"))
    assert len(found) == 4
    one = found[0]
    hb = one.relation("hb")
    assert "hb" in one.relations and hb == hb.plus() and hb.is_acyclic()
    rf, po = one.rf, one.relation("po")
    assert len(rf) == 2 and all(one.events[b].action == "read" for _, b in rf)
    assert (~rf @ one.co).pairs() == one.relation("fr").pairs() or "fr" not in one.relations
    assert (po | rf) - rf == po - rf and len(po.to_bytes()) == po.size**2
    assert sum(po.to_bytes()) == len(po)
    assert one._repr_svg_().startswith("<svg") and "W" in repr(one)
    with pytest.raises(KeyError):
        one.relation("nothing")


def test_relations_are_arrays():
    numpy = pytest.importorskip("numpy")
    one = next(iter(hmc.executions(hmc.litmus(SB), "sc")))
    array = numpy.asarray(one.rf)
    assert array.dtype == bool and array.sum() == len(one.rf)
    assert {tuple(map(int, pair)) for pair in numpy.argwhere(array)} == set(one.rf)


def test_an_iterator_can_be_left():
    with hmc.executions(hmc.c(LONG, name="long.c"), "sc") as found:
        assert next(found).events
    assert len(list(hmc.executions(hmc.c(LONG), "sc", limit=3))) == 3


def test_tables():
    rows = hmc.table([hmc.litmus(SB)], ["sc", "tso", "rc11"])
    assert [row["observation"] for row in rows] == ["Never", "Sometimes", "Sometimes"]
    assert rows._repr_html_().count("<tr>") == 4
    assert [program.name for program, _, _ in hmc.diff([hmc.litmus(SB)], "sc", "tso")] == ["test.litmus"]
    assert hmc.compare(hmc.litmus(SB), ["sc"])["sc"].holds
    assert hmc.robust(hmc.litmus(SB), "rc11")["executions"] == 4


def test_parts():
    program = hmc.Program(str(ROOT / "tests/c/bench/fib.c"), args=["-DN=5"])
    job = hmc.split(program, "rc11", parts=3)
    parts = job.parts
    assert len(parts) >= 3
    assert hmc.merge(job).verdict is hmc.Verdict.BOUNDED
    hmc.run(parts[0])
    hmc.run(job)
    merged, whole = hmc.merge(job), hmc.check(program, "rc11")
    assert timeless(merged.to_dict()) == timeless(whole.to_dict())


def test_threads_side_by_side():
    reports = []
    work = [threading.Thread(target=lambda: reports.append(hmc.check(hmc.litmus(SB), "sc"))) for _ in range(4)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert [report.observation for report in reports] == ["Never"] * 4


def test_ctrl_c_ends_a_check():
    import signal
    import time

    begun = time.monotonic()
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        hmc.check(hmc.c(LONG), "sc")
    assert time.monotonic() - begun < 10


def test_minimal_tests():
    tests = hmc.synth("sc", size=4)
    assert tests
    assert any(hmc.check(test, "sc").observation == "Never" for test in tests)


def test_the_command_line():
    told = subprocess.run([os.sys.executable, "-m", "hmc", "--version"], capture_output=True, text=True)
    assert told.returncode == 0 and told.stdout.startswith("hmc ")


def test_docs():
    import doctest

    assert doctest.testmod(hmc).failed == 0
