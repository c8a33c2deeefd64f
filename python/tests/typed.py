"""What the stubs have to accept, and what they have to refuse: read by mypy."""

import hmc


def used() -> None:
    model: hmc.Model = hmc.Model.from_text("SC\nacyclic po | rf | co as sc\n")
    program = hmc.c("prog.c", args=["-DN=2"])
    report = hmc.check(program, model, keep_going=True, timeout=10, threads=2, unroll=None)
    complete: int | None = report.executions.complete
    kinds: list[str] = [finding.kind for finding in report.findings]
    holds: bool = report.holds
    for execution in hmc.executions(program, "rc11", limit=100):
        order: hmc.Relation = (execution.rf | ~execution.co @ execution.rf).plus()
        pairs: list[tuple[int, int]] = order.pairs()
    rows: hmc.Table = hmc.table([program], ["sc", model])
    job = hmc.split(program, model, parts=100)
    hmc.run(job.parts[0], slice=60)
    merged: hmc.Report = hmc.merge(job)
    hmc.check(program, model, keep=True)  # type: ignore[call-arg]
    hmc.check(program, 3)  # type: ignore[arg-type]
