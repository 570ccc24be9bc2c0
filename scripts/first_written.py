#!/usr/bin/env python3
"""Reports how many programs compile as they were first written.

    python3 scripts/first_written.py            # all programs: the share, and the first error of each that doesn't compile
    python3 scripts/first_written.py a001 c0    # the programs whose names begin like this, with all their errors
    python3 scripts/first_written.py --run      # also runs the programs that compile

`tests/first_written` has programs by people who knew Rust and TensorFlow, but of this project only its README. None had been compiled before
it was added, and none is changed: if a program doesn't compile, the library is improved, or its message says what to write. Each is checked
as its own program, because errors in one would hide those in others. The package is outside the workspace and depends on the library as
the README says."""

import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "first_written"
PACKAGE = ROOT / "target" / "first_written"
MANIFEST = f"""[package]
name = "first_written"
edition = "2024"

[dependencies]
graph-runtime = {{ path = "{ROOT / 'graph-runtime'}" }}

[workspace]

[profile.dev]
debug = 0

[profile.dev.package.graph-kernels]
opt-level = 1
"""


def main():
    arguments = sys.argv[1:]
    runs = "--run" in arguments
    prefixes = tuple(a for a in arguments if not a.startswith("--"))
    names = [p.stem for p in sorted(PROGRAMS.glob("[a-g]*.rs")) if p.stem.startswith(prefixes or "")]
    lay_out(names)
    errors = check(names)
    for name in names:
        found = errors.get(name, [])
        for error in found if prefixes else found[:1]:
            print(error)
    compiled = [name for name in names if name not in errors]
    print(f"{len(compiled)} of {len(names)} compile: {len(compiled) / len(names):.1%}")
    if runs:
        failed = [name for name in compiled if not run(name)]
        print(f"{len(compiled) - len(failed)} of these run as they say; not: {failed}")


def lay_out(names):
    bins = PACKAGE / "src" / "bin"
    shutil.rmtree(bins, ignore_errors=True)
    bins.mkdir(parents=True)
    (PACKAGE / "Cargo.toml").write_text(MANIFEST)
    shutil.copy(ROOT / "Cargo.lock", PACKAGE / "Cargo.lock")
    for name in names:
        shutil.copy(PROGRAMS / f"{name}.rs", bins)


def check(names):
    """The errors of each program that has any, in the compiler's form."""
    command = ["cargo", "check", "--bins", "--keep-going", "--message-format=json", "--quiet"]
    errors = {}
    process = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True)
    for line in process.stdout.splitlines():
        message = json.loads(line)
        if message.get("reason") == "compiler-message" and message["message"]["level"] == "error":
            name, text = message["target"]["name"], message["message"]["rendered"]
            if name in names and not text.startswith("error: aborting"):
                errors.setdefault(name, []).append(text)
    if not errors and process.returncode:
        sys.exit(process.stderr)
    return errors


def run(name):
    return subprocess.run(["cargo", "run", "--quiet", "--bin", name], cwd=PACKAGE, capture_output=True).returncode == 0


main()
