#!/usr/bin/env python3
"""Measures the time of a first build with this project and with other Rust crates for tensors, one after the other in one run. The program
multiplies two matrices; it is a crate of its own outside of this workspace.

    python3 scripts/build_time.py                     all projects; half an hour on two cores
    python3 scripts/build_time.py --only ours,candle
    python3 scripts/build_time.py --json build.json   also writes the figures to a file

For each project, these are measured: the number of crates; `cargo build --release` and `cargo build` from nothing, with cargo's default
profiles; both again after a change of the line that prints; and the size of the stripped release binary. Sources are downloaded before the
clock starts. The script needs Rust, Python 3.11 and, to download sources, the network.
"""
import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

OURS = """
use graph_runtime::prelude::*;

#[graph_fn]
fn layer(x: Tensor<f32>, w: Tensor<f32>) -> Tensor<f32> {
    x.matmul(w).relu().sum()
}

fn main() {
    let sum = layer(tensor([[1.0, 2.0], [3.0, 4.0]]), tensor([[1.0, -1.0], [0.5, -2.0]]));
    println!("sum: {}", sum.item());
}
"""

CANDLE = """
use candle_core::{Device, Result, Tensor};

fn main() -> Result<()> {
    let x = Tensor::new(&[[1f32, 2.0], [3.0, 4.0]], &Device::Cpu)?;
    let w = Tensor::new(&[[1f32, -1.0], [0.5, -2.0]], &Device::Cpu)?;
    let sum = x.matmul(&w)?.relu()?.sum_all()?;
    println!("sum: {}", sum.to_scalar::<f32>()?);
    Ok(())
}
"""

BURN = """
use burn::tensor::activation::relu;
use burn::tensor::{Device, Tensor};

fn main() {
    let device = Device::default();
    let x = Tensor::<2>::from_floats([[1.0, 2.0], [3.0, 4.0]], &device);
    let w = Tensor::<2>::from_floats([[1.0, -1.0], [0.5, -2.0]], &device);
    println!("sum: {}", relu(x.matmul(w)).sum().into_scalar::<f32>());
}
"""

# Tract multiplies without `relu`, which makes no difference for what is built.
TRACT = """
use tract_core::ops::einsum::EinSum;
use tract_core::ops::nn::{Reduce, Reducer};
use tract_core::prelude::*;

fn main() -> TractResult<()> {
    let mut model = TypedModel::default();
    let x = model.add_source("x", f32::fact([2, 2]))?;
    let w = model.add_const("w", tensor2(&[[1f32, -1.0], [0.5, -2.0]]))?;
    let product = EinSum::new("mk,kn->mn".parse()?, f32::datum_type());
    let product = model.wire_node("product", product, &[x, w])?;
    let sum = model.wire_node("sum", Reduce::new(tvec!(0, 1), Reducer::Sum), &product)?;
    model.select_output_outlets(&sum)?;
    let plan = model.into_optimized()?.into_runnable()?;
    let sum = plan.run(tvec!(tensor2(&[[1f32, 2.0], [3.0, 4.0]]).into()))?;
    println!("sum: {:?}", sum[0]);
    Ok(())
}
"""

# Name, dependency, program.
CRATES = {
    "ours": ("this project", f'graph-runtime = {{ path = "{ROOT}/graph-runtime" }}', OURS),
    "candle": ("candle-core 0.11.1", 'candle-core = "=0.11.1"', CANDLE),
    "tract": ("tract-core 0.23.9", 'tract-core = "=0.23.9"', TRACT),
    "burn": (
        "burn 0.22.1 (ndarray)",
        'burn = { version = "=0.22.1", default-features = false, features = ["std", "ndarray"] }',
        BURN,
    ),
}


def cargo(folder, *arguments):
    """Runs cargo in a folder, in an environment without this workspace's settings, and returns the time in seconds."""
    names = ("RUSTFLAGS", "CARGO_INCREMENTAL", "CARGO_TARGET_DIR", "CARGO_BUILD_JOBS")
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in names and not name.startswith("CARGO_PROFILE_")
    }
    start = time.monotonic()
    done = subprocess.run(
        ["cargo", *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"cargo {' '.join(arguments)} in {folder}:\n{done.stderr}")
    return time.monotonic() - start, done.stdout


def crates_of(folder):
    """The number of crates of which the program is built, not counting itself."""
    tree = cargo(folder, "tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}")[1]
    packages = {line.removesuffix(" (*)") for line in tree.splitlines() if line}
    return len(packages) - 1


def stripped_size(binary):
    copy = binary.with_suffix(".stripped")
    shutil.copy(binary, copy)
    subprocess.run(["strip", str(copy)], check=True)
    return copy.stat().st_size


def measure(key, folder):
    title, dependency, program = CRATES[key]
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "small"\nversion = "0.1.0"\nedition = "2024"\n\n[dependencies]\n{dependency}\n\n[workspace]\n'
    )
    source = folder / "src" / "main.rs"
    source.write_text(program)
    cargo(folder, "fetch")
    row = {"name": title, "crates": crates_of(folder)}
    for profile, flags in (("release", ["--release"]), ("dev", [])):
        row[profile] = cargo(folder, "build", *flags)[0]
        output = subprocess.run(
            [folder / "target" / ("release" if flags else "debug") / "small"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        print(f"{title}, {profile}: {row[profile]:.1f} s, prints {output.strip()}", file=sys.stderr)
        source.write_text(program.replace("sum: ", "the sum: "))
        row[f"{profile}_again"] = cargo(folder, "build", *flags)[0]
        source.write_text(program)
    row["bytes"] = stripped_size(folder / "target" / "release" / "small")
    return row


def again(seconds):
    """The time of a second build; None if something else changed in the meantime."""
    return "–" if seconds is None else f"{seconds:.1f} s"


def table(rows):
    lines = [
        "| | crates | release | one line later | dev | one line later | binary |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        lines.append(
            f"| {row['name']} | {row['crates']} | {row['release']:.0f} s | {again(row['release_again'])} | {row['dev']:.0f} s "
            f"| {again(row['dev_again'])} | {row['bytes'] / 1e6:.1f} MB |"
        )
    return lines


def machine():
    """The processor, if the system tells."""
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text().splitlines() if cpus.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores"


def page(figures):
    """The section of BENCHMARKS.md."""
    return [
        "## First builds",
        "",
        "What cargo takes to build a program that multiplies two matrices, in a crate outside of this workspace, with nothing built before;",
        f"one after the other in one run ({figures['machine']}, {figures['rustc']}). `scripts/build_time.py` measures it.",
        "",
        *table(figures["rows"]),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default=",".join(CRATES), help="which of " + ", ".join(CRATES))
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    arguments = parser.parse_args()
    keys = arguments.only.split(",")
    if unknown := [key for key in keys if key not in CRATES]:
        parser.error(f"no such crate: {', '.join(unknown)}")
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True)
    rows = []
    figures = {"machine": machine(), "rustc": " ".join(rustc.stdout.split()[:2]), "rows": rows}
    with tempfile.TemporaryDirectory() as folder:
        for key in keys:
            rows.append(measure(key, Path(folder) / key))
            shutil.rmtree(Path(folder) / key)
            # After each project, so that the results of an interrupted run are kept.
            if arguments.json:
                arguments.json.write_text(json.dumps(figures, indent=1) + "\n")
    print("\n".join(page(figures)))


if __name__ == "__main__":
    main()
