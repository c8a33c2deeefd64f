"""Runs a notebook; a cell that fails is an error, and so is a notebook without a picture."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

file = Path(sys.argv[1])
notebook = nbformat.read(file, as_version=4)
NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(file.parent)}}).execute()
outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
kinds = {kind for output in outputs for kind in output.get("data", {})}
if not {"image/svg+xml", "text/html"} <= kinds:
    sys.exit(f"{file}: no picture and no table among {sorted(kinds)}")
print(f"{file}: {len(outputs)} outputs")
