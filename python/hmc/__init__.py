"""Checks concurrent programs and litmus tests against memory models.

>>> import hmc
>>> sb = hmc.litmus('''C SB
... { }
... P0(atomic_int* x, atomic_int* y) { atomic_store_explicit(x, 1, memory_order_seq_cst); int r0 = atomic_load_explicit(y, memory_order_seq_cst); }
... P1(atomic_int* x, atomic_int* y) { atomic_store_explicit(y, 1, memory_order_seq_cst); int r0 = atomic_load_explicit(x, memory_order_seq_cst); }
... exists (0:r0=0 /\\\\ 1:r0=0)
... ''')
>>> hmc.check(sb, "rc11").observation
'Never'
"""

from __future__ import annotations

import json as _json
import os as _os
import subprocess as _subprocess
import sys as _sys
import tempfile as _tempfile
from dataclasses import dataclass as _dataclass
from enum import Enum as _Enum
from html import escape as _escape
from pathlib import Path as _Path

from . import _native

__version__ = _native.__version__

__all__ = [
    "Error",
    "Execution",
    "Finding",
    "InternalError",
    "Job",
    "Model",
    "ModelError",
    "Part",
    "Program",
    "ProgramError",
    "Relation",
    "Report",
    "Row",
    "Table",
    "Unsupported",
    "Verdict",
    "Violation",
    "bundled",
    "c",
    "check",
    "compare",
    "diff",
    "executions",
    "litmus",
    "llvm",
    "merge",
    "robust",
    "run",
    "split",
    "synth",
    "table",
]


class Verdict(str, _Enum):
    """What a check comes to; each is also a text."""

    HOLDS = "holds"
    VIOLATED = "violated"
    ERROR = "error"
    BOUNDED = "bounded"
    UNSUPPORTED = "unsupported"

    def __str__(self):
        return self.value


class Error(Exception):
    """Something could not be checked. `code` is for `hmc explain`, `place` is file, line and column."""

    def __init__(self, text, code=None, place=None, help=None):
        super().__init__(text)
        self.code, self.place, self.help = code, place, help


class ModelError(Error):
    """A model is wrong."""


class ProgramError(Error):
    """A program or litmus test is wrong, or not there."""


class Unsupported(Error):
    """What is asked is right, and not supported."""


class InternalError(Error):
    """An error in hmc."""


class Violation(Exception):
    """What `Report.raise_for_violation` raises."""

    def __init__(self, report):
        super().__init__(str(report))
        self.report = report


_KINDS = {"model": ModelError, "program": ProgramError, "unsupported": Unsupported, "internal": InternalError}


def _failed(failure, names=()):
    first = (failure["messages"] or [{}])[0]
    place = first.get("place")
    place = (_renamed(place["file"], names), place["line"], place["column"]) if place else None
    text = _renamed(failure["text"] or first.get("message", "it failed"), names)
    kind = _KINDS.get(failure["kind"], Error)
    return kind(text, first.get("code"), place, first.get("help"))


def _native_call(function, *arguments):
    try:
        return function(*arguments)
    except RuntimeError as error:
        raise InternalError(str(error)) from None


def _renamed(text, names):
    """Names of temporary files are the names that the user gave."""
    for path, name in names:
        text = text.replace(path, name)
    return text


def bundled():
    """The names of the bundled models and their files."""
    return _native.bundled()


class _Files:
    """Texts as files, for as long as somebody needs them."""

    def __init__(self, texts):
        self.folder = _tempfile.TemporaryDirectory(prefix="hmc-")
        self.names = []
        for name, text in texts.items():
            path = _Path(self.folder.name, _Path(name).name)
            path.write_text(text, encoding="utf-8")
            self.names.append((str(path), name))

    @property
    def first(self):
        return self.names[0][0]


class Model:
    """A memory model: the name of a bundled one, or a path; see also `from_text` and `from_file`."""

    def __init__(self, name, *, bell=None, variants=(), include=(), skip_checks=()):
        self.name = str(name)
        self._files = None
        self._asked = {
            "name": self.name,
            "bell": None if bell is None else str(bell),
            "variants": list(variants),
            "include": [str(directory) for directory in include],
            "skip_checks": list(skip_checks),
        }
        self._known = None

    @classmethod
    def from_text(cls, cat, *, bell=None, name="model"):
        """A model given as text."""
        stem = _Path(name).stem
        texts = {f"{stem}.cat": cat}
        if bell is not None:
            texts[f"{stem}.bell"] = bell
        files = _Files(texts)
        model = cls(files.first)
        model._files, model.name = files, name
        model._info()
        return model

    @classmethod
    def from_file(cls, path, **options):
        """A model in a file."""
        model = cls(_os.fspath(path), **options)
        model._info()
        return model

    @property
    def _names(self):
        return [] if self._files is None else [(path, name.rsplit(".", 1)[0] if name.endswith(".cat") else name) for path, name in self._files.names]

    def _info(self):
        if self._known is None:
            known = _json.loads(_native_call(_native.model, _json.dumps({"models": [self._asked]})))
            if "failure" in known:
                raise _failed(known["failure"], self._files.names if self._files else ())
            self._known = known
        return self._known

    @property
    def title(self):
        """The title in the file."""
        return self._info()["title"]

    @property
    def arch(self):
        """The architecture that the title claims, if any."""
        return self._info()["arch"]

    @property
    def checks(self):
        """The names of its checks."""
        return self._info()["checks"]

    @property
    def definitions(self):
        """The names of its relations and sets."""
        return self._info()["definitions"]

    @property
    def sha256(self):
        """What tells its texts from those of others."""
        return self._info()["sha256"]

    def __repr__(self):
        return f"hmc.Model({self.name!r})"


def _model(model):
    return model if isinstance(model, Model) else Model(model)


class Program:
    """A program or litmus test; made by `c`, `litmus` and `llvm`."""

    def __init__(self, path, *, args=(), files=None, name=None):
        self.path = _os.fspath(path)
        self.name = name or self.path
        self.args = list(args)
        self._files = files

    @property
    def _names(self):
        return [] if self._files is None else self._files.names

    def __repr__(self):
        return f"hmc.Program({self.name!r})"


def _program(what, name, args, ending):
    if isinstance(what, str) and "\n" in what:
        files = _Files({name if name.endswith(ending) else name + ending: what})
        return Program(files.first, args=args, files=files, name=files.names[0][1])
    return Program(what, args=args)


def c(text_or_path, *, args=(), name="program.c"):
    """A program in C or C++. `args` are for clang. A text has several lines."""
    ending = ".cc" if name.endswith((".cc", ".cpp", ".cxx")) else ".c"
    return _program(text_or_path, name, args, _Path(name).suffix or ending)


def litmus(text_or_path, *, name="test.litmus"):
    """A litmus test. A text has several lines."""
    return _program(text_or_path, name, (), ".litmus")


def llvm(text_or_path, *, name="program.ll"):
    """A program in LLVM IR. A text has several lines."""
    return _program(text_or_path, name, (), ".ll")


def _as_program(program):
    return program if isinstance(program, Program) else Program(program)


def _clang():
    """A clang for machines without one: that of `ziglang`, if it is there (`pip install hmc-check[clang]`)."""
    import shutil

    if _os.environ.get("HMC_CLANG"):
        return _os.environ["HMC_CLANG"]
    if any(shutil.which(name) for name in ["clang", *(f"clang-{n}" for n in range(15, 41))]):
        return None
    try:
        import ziglang
    except ImportError:
        return None
    script = _Path(_tempfile.gettempdir(), f"hmc-clang-{_os.getuid() if hasattr(_os, 'getuid') else 0}")
    zig = _Path(ziglang.__file__).parent / "zig"
    script.write_text(f'#!/bin/sh\nexec "{zig}" cc "$@"\n')
    script.chmod(0o700)
    return str(script)


def _asked(programs, models, options):
    programs = [_as_program(program) for program in programs]
    models = [_model(model) for model in models]
    if "race_model" in options and options["race_model"] is not None:
        options["race_model"] = _model(options["race_model"])._asked
    for name in ("include", "link"):
        if name in options:
            options[name] = [str(path) for path in options[name]]
    asked = {
        "files": [program.path for program in programs],
        "models": [model._asked for model in models],
        "clang_args": [arg for program in programs for arg in program.args],
        "clang": _clang(),
        **{name: value for name, value in options.items() if value is not None},
    }
    names = [name for thing in [*programs, *models] for name in thing._names]
    return _json.dumps(asked), names


@_dataclass(frozen=True)
class Executions:
    """How many executions there are; `None`: more than 64 bits can count."""

    complete: int | None
    blocked: int
    up_to_renaming: int | None


class Finding:
    """Something that is wrong with a program, and an execution that shows it."""

    def __init__(self, data):
        self._data = data
        self.kind = data["kind"]
        self.message = data["message"]
        place = data["place"]
        self.place = (place["file"], place["line"], place["column"]) if place else None
        self.notes = data["notes"]

    def to_dict(self):
        """As in the JSON report."""
        return self._data

    def svg(self):
        """A picture of the execution."""
        return _native.svg(_json.dumps(self._data["execution"]), self.message, self._data["events"])

    def _repr_svg_(self):
        return self.svg()

    def __repr__(self):
        where = f" at {self.place[0]}:{self.place[1]}" if self.place else ""
        return f"<hmc.Finding {self.kind}: {self.message}{where}>"


class Report:
    """What a check came to."""

    def __init__(self, report, text):
        self._report, self._text = report, text
        self._result = report["results"][0]

    @property
    def verdict(self):
        """The verdict."""
        return Verdict(self._result["verdict"])

    @property
    def holds(self):
        """Whether nothing is wrong, and everything was seen."""
        return self.verdict is Verdict.HOLDS

    @property
    def file(self):
        """The file, as it was named."""
        return self._result["file"]

    @property
    def model(self):
        """The model, as it was named."""
        return self._result["model"]

    @property
    def executions(self):
        """Counts."""
        counted = self._result["executions"]
        return Executions(counted["complete"], counted["blocked"], counted.get("up_to_renaming"))

    @property
    def findings(self):
        """What is wrong, the first one first."""
        found = [self._result["violation"], *self._result["more_violations"]]
        return [Finding(finding) for finding in found if finding]

    @property
    def warnings(self):
        """What is not wrong but hardly meant."""
        return [Finding(finding) for finding in self._result.get("warnings", [])]

    @property
    def states(self):
        """Final states of a litmus test."""
        return self._result["states"]

    @property
    def flags(self):
        """Flags of the model: name, and in how many executions."""
        return {flag["name"]: flag["executions"] for flag in self._result["flags"]}

    @property
    def condition(self):
        """Of a litmus test: `Ok`, `No`, `Undef`, or `None`."""
        return self._result.get("condition")

    @property
    def observation(self):
        """Of a litmus test: `Never`, `Sometimes`, `Always`, or `None`."""
        return self._result.get("observation")

    @property
    def notes(self):
        """What else is to be known."""
        return self._result["notes"]

    @property
    def seconds(self):
        """Time taken."""
        return self._result["seconds"]

    def raise_for_violation(self):
        """Raises `Violation` if something is wrong."""
        if self.verdict is Verdict.VIOLATED:
            raise Violation(self)
        return self

    def to_dict(self):
        """As `hmc --format json` prints it."""
        return self._report

    def to_json(self):
        """The same as text."""
        return _json.dumps(self._report, indent=2)

    def __bool__(self):
        raise TypeError("a report is neither true nor false: ask `.holds` or `.verdict`")

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"<hmc.Report {self.file} under {self.model}: {self.verdict}, {self.executions.complete} executions>"

    def _repr_html_(self):
        head = f"<b>{_escape(str(self.verdict))}</b>: {_escape(self.file)} under {_escape(self.model)}, {self.executions.complete} executions"
        if self.findings:
            return f"<p>{head}<br>{_escape(self.findings[0].message)}</p>{self.findings[0].svg()}"
        return f"<p>{head}</p>"


def _checked(programs, models, options):
    asked, names = _asked(programs, models, options)
    answer = _json.loads(_renamed(_native_call(_native.check, asked), names))
    if answer["failure"]:
        raise _failed(answer["failure"], names)
    return answer


def check(
    program,
    model,
    *,
    keep_going=False,
    timeout=None,
    threads=None,
    unroll=None,
    max_events=None,
    properties=None,
    race_model=None,
    symmetry=None,
    equivalence=None,
    all_retries=False,
    condition_only=False,
    coverage=False,
    explain=False,
    stats=False,
    strict=False,
    include=(),
    link=(),
    entry=None,
):
    """Checks a program or litmus test under a model. A violation is a result, no exception."""
    options = dict(
        keep_going=keep_going,
        timeout=timeout,
        threads=threads,
        unroll=unroll,
        max_events=max_events,
        properties=properties,
        race_model=race_model,
        symmetry=symmetry,
        equivalence=equivalence,
        all_retries=all_retries,
        condition_only=condition_only,
        coverage=coverage,
        explain=explain,
        stats=stats,
        strict=strict,
        include=include,
        link=link,
        entry=entry,
    )
    answer = _checked([program], [model], options)
    return Report(answer["report"], answer["texts"][0])


class Relation:
    """Pairs of events of an execution."""

    def __init__(self, size, pairs):
        self.size = size
        self._pairs = frozenset(pairs)

    def pairs(self):
        """The pairs, in order."""
        return sorted(self._pairs)

    def to_bytes(self):
        """A byte a pair of events, row by row: 1 where the pair is in it."""
        table = bytearray(self.size * self.size)
        for a, b in self._pairs:
            table[a * self.size + b] = 1
        return bytes(table)

    def __array__(self, dtype=None, copy=None):
        import numpy

        array = numpy.frombuffer(self.to_bytes(), dtype=bool).reshape(self.size, self.size)
        return array.copy() if dtype is None else array.astype(dtype)

    def _other(self, other):
        if not isinstance(other, Relation):
            return NotImplemented
        if other.size != self.size:
            raise ValueError("relations of different executions")
        return other._pairs

    def __or__(self, other):
        pairs = self._other(other)
        return pairs if pairs is NotImplemented else Relation(self.size, self._pairs | pairs)

    def __and__(self, other):
        pairs = self._other(other)
        return pairs if pairs is NotImplemented else Relation(self.size, self._pairs & pairs)

    def __sub__(self, other):
        pairs = self._other(other)
        return pairs if pairs is NotImplemented else Relation(self.size, self._pairs - pairs)

    def __invert__(self):
        """The other way round, as `~r` in papers on models."""
        return Relation(self.size, ((b, a) for a, b in self._pairs))

    def __matmul__(self, other):
        """One after the other, `;` in cat."""
        pairs = self._other(other)
        if pairs is NotImplemented:
            return pairs
        after = {}
        for a, b in pairs:
            after.setdefault(a, []).append(b)
        return Relation(self.size, ((a, c) for a, b in self._pairs for c in after.get(b, ())))

    def plus(self):
        """The transitive closure."""
        closed = self
        while True:
            more = closed | closed @ closed
            if more == closed:
                return closed
            closed = more

    def is_acyclic(self):
        """Whether nothing comes before itself."""
        return all(a != b for a, b in self.plus()._pairs)

    def __eq__(self, other):
        return isinstance(other, Relation) and (self.size, self._pairs) == (other.size, other._pairs)

    def __hash__(self):
        return hash((self.size, self._pairs))

    def __contains__(self, pair):
        return pair in self._pairs

    def __iter__(self):
        return iter(self.pairs())

    def __len__(self):
        return len(self._pairs)

    def __bool__(self):
        return bool(self._pairs)

    def __repr__(self):
        return f"<hmc.Relation {self.pairs()}>"


@_dataclass(frozen=True)
class Row:
    """An event."""

    thread: int
    action: str
    tags: tuple
    location: str | None
    value: str | None
    place: tuple | None


class Execution:
    """An execution; it outlives its search."""

    def __init__(self, native, names=()):
        self._native = native
        self._names = names
        self._picture = None

    @property
    def picture(self):
        """What is drawn of it, as data."""
        if self._picture is None:
            self._picture = _json.loads(_renamed(self._native.picture(), self._names))
        return self._picture

    @property
    def events(self):
        """The events; relations number them, and initial writes after them."""
        rows = []
        for row in self.picture["events"]:
            place = row["place"]
            place = (place["file"], place["line"], place["column"]) if place else None
            rows.append(Row(row["thread"], row["action"], tuple(row["tags"]), row["location"], row["value"], place))
        return rows

    @property
    def is_wrong(self):
        """Whether it ends in an error."""
        return self._native.is_wrong()

    @property
    def relations(self):
        """The names that `relation` knows: those of the model, and of the execution."""
        return self._native.names()

    def relation(self, name):
        """A relation of the model or of the execution; of a set, the identity on it."""
        return Relation(self._native.size(), self._native.pairs(name))

    @property
    def rf(self):
        """Reads-from."""
        return self.relation("rf")

    @property
    def co(self):
        """Coherence."""
        return self.relation("co")

    def svg(self):
        """A picture."""
        return _native.svg(_json.dumps(self.picture), "", [])

    def _repr_svg_(self):
        return self.svg()

    def __repr__(self):
        return _renamed(self._native.text(), self._names)


class _Search:
    """Executions as they are found; a context manager, too."""

    def __init__(self, asked, names, limit, keep):
        self._search = _native.Executions(asked, limit)
        self._names = names
        self._keep = keep

    def __iter__(self):
        return self

    def __next__(self):
        found = self._search.next()
        if found is None:
            raise StopIteration
        execution, failure = found
        if failure is not None:
            raise _failed(_json.loads(failure), self._names)
        return Execution(execution, self._names)

    def close(self):
        """Ends the search."""
        self._search.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def executions(program, model, *, limit=None, unroll=None, max_events=None, timeout=None, equivalence=None):
    """The executions of a program, one by one. The search waits until the next one is asked for, and ends when the iterator is left."""
    options = dict(unroll=unroll, max_events=max_events, timeout=timeout, equivalence=equivalence)
    program, model = _as_program(program), _model(model)
    asked, names = _asked([program], [model], options)
    return _Search(asked, names, limit, (program, model))


class Table(list):
    """Rows as dictionaries: `pandas.DataFrame(table)` takes them."""

    def _repr_html_(self):
        if not self:
            return "<p>nothing</p>"
        heads = list(self[0])
        head = "".join(f"<th>{_escape(str(name))}</th>" for name in heads)
        rows = "".join("<tr>" + "".join(f"<td>{_escape(str(row[name]))}</td>" for name in heads) + "</tr>" for row in self)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _row(report):
    first = report.findings[0] if report.findings else None
    return {
        "program": report.file,
        "model": report.model,
        "verdict": str(report.verdict),
        "observation": report.observation,
        "finding": first.kind if first else None,
        "executions": report.executions.complete,
        "seconds": report.seconds,
    }


def table(programs, models, **options):
    """Each program under each model, a row each."""
    return Table(_row(check(program, model, **options)) for program in programs for model in models)


def compare(program, models, **options):
    """A report a model, by its name."""
    return {_model(model).name: check(program, model, **options) for model in models}


def diff(programs, first, second, **options):
    """The programs on which two models differ: in verdict, or in states, each with both reports."""
    different = []
    for program in programs:
        pair = [check(program, model, **options) for model in (first, second)]
        told = [(report.verdict, report.observation, sorted(report.states)) for report in pair]
        if told[0] != told[1]:
            different.append((_as_program(program), *pair))
    return different


def robust(program, model, *, against="sc", timeout=None):
    """Compares the executions of a model with those of a stronger one; a dictionary."""
    asked, names = _asked([program], [model, against], dict(timeout=timeout))
    answer = _json.loads(_renamed(_native_call(_native.robust, asked), names))
    if answer["failure"]:
        raise _failed(answer["failure"], names)
    return answer["report"]


def _command(arguments):
    """Runs the command line in a process of its own, which Ctrl-C ends too."""
    command = [_sys.executable, "-m", "hmc", *map(str, arguments)]
    environment = {**_os.environ, "NO_COLOR": "1"}
    clang = _clang()
    if clang:
        environment["HMC_CLANG"] = clang
    done = _subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode in (2, 70):
        raise Error(done.stderr.strip() or "the command failed")
    return done


def synth(model, *, size=4, timeout=None):
    """All minimal litmus tests of a model, up to a size: programs."""
    model = _model(model)
    folder = _tempfile.TemporaryDirectory(prefix="hmc-")
    arguments = ["synth", "--cat", model._asked["name"], "--size", size, "-o", folder.name]
    if timeout is not None:
        arguments += ["--timeout", timeout]
    _command(arguments)
    tests = []
    for path in sorted(_Path(folder.name).rglob("*.litmus")):
        tests.append(litmus(path.read_text(encoding="utf-8"), name=path.name))
    return tests


class Part:
    """A part of a job."""

    def __init__(self, job, line):
        self.job, self._line = job, line
        self.name = _json.loads(line)["part"]

    def __repr__(self):
        return f"<hmc.Part {self.name}>"


class Job:
    """A check in parts, in a directory that all workers see."""

    def __init__(self, directory, keep=None):
        self.directory = _os.fspath(directory)
        self._keep = keep

    @property
    def parts(self):
        """The parts that are open."""
        with _tempfile.TemporaryDirectory(prefix="hmc-") as folder:
            pending = _Path(folder, "pending.jsonl")
            _command(["merge", "-q", self.directory, "--pending", pending])
            return [Part(self, line) for line in pending.read_text().splitlines()]

    def __repr__(self):
        return f"hmc.Job({self.directory!r})"


def split(program, model, *, directory=None, parts=None, keep_going=False, unroll=None):
    """Makes a job of a check. Without a directory it goes away with the job."""
    keep = None
    if directory is None:
        keep = _tempfile.TemporaryDirectory(prefix="hmc-job-")
        directory = _Path(keep.name, "job")
    program, model = _as_program(program), _model(model)
    arguments = ["split", "--cat", model._asked["name"], "-o", directory]
    arguments += ["-n", parts] if parts else []
    arguments += ["--keep-going"] if keep_going else []
    arguments += ["--unroll", unroll] if unroll is not None else []
    arguments += [program.path, *(["--", *program.args] if program.args else [])]
    _command(arguments)
    return Job(directory, (keep, program, model))


def run(what, *, slice=None, threads=None):
    """Searches a part, or all that is open of a job."""
    job, part = (what.job, what) if isinstance(what, Part) else (what, None)
    arguments = ["run", "--job", job.directory]
    arguments += ["--threads", threads] if threads else []
    arguments += ["--slice", slice] if slice else []
    if part is None:
        _command([*arguments, "-q"])
        return
    with _tempfile.TemporaryDirectory(prefix="hmc-") as folder:
        parts = _Path(folder, "parts.jsonl")
        parts.write_text(part._line + "\n")
        _command([*arguments, "--parts", parts])


def merge(job):
    """The report of a job, as that of one run."""
    done = _command(["merge", job.directory, "--format", "json"])
    return Report(_json.loads(done.stdout), done.stderr)
