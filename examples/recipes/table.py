"""Times the recipes and what reference.py has of them, one after the other, and writes the table into the guide's page.

    cargo build --release --example recipes
    python3 examples/recipes/table.py target/release/examples/recipes
"""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "graph-runtime/src/guide/recipes.md"
BEGIN, END = "<!-- times -->", "<!-- end of times -->"


def main():
    lines = subprocess.run([sys.argv[1], "--time"], check=True, capture_output=True, text=True).stdout.splitlines()
    theirs = json.loads(subprocess.run([sys.executable, HERE / "reference.py", "--time"], check=True, capture_output=True).stdout)
    rows = ["| recipe | first call, ms | later calls, ms | NumPy, ms | NumPy : ours |", "|---|---|---|---|---|"]
    for name, first, later in (line.split() for line in lines):
        first, later, numpys = 1e3 * float(first), 1e3 * float(later), 1e3 * theirs[name]
        rows.append(f"| `{name}` | {first:.3g} | {later:.3g} | {numpys:.3g} | {numpys / later:.2g} |")
    rows += ["", f"One run on a shared machine with {os.cpu_count()} cores ({platform.machine()}), NumPy {numpy.__version__}: read the ratios as rough."]
    text = PAGE.read_text()
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    PAGE.write_text(before + BEGIN + "\n" + "\n".join(rows) + "\n" + END + after)


if __name__ == "__main__":
    main()
