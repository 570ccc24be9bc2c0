//! How many instructions a second the interpreter executes, for kernels that the tests have, and how fast it loads them: `cargo run -p graph-cuda-fake --example speed`.

#[path = "../tests/common/mod.rs"]
mod common;

use common::*;
use graph_cuda_fake::control::counts;
use std::time::Instant;

const KERNELS: &str = include_str!("../tests/ptx/kernels.ptx");

fn main() {
    open();
    let module = load(KERNELS);
    loading();
    let n = 1 << 20;
    let (x, y, out) = (upload(&vec![1f32; n]), upload(&vec![2f32; n]), alloc(4 * n));
    let pointers = [Arg::U64(out), Arg::U64(x), Arg::U64(y)];
    let with = |rest: &[Arg]| [&pointers[..], rest].concat();
    timed("sums", || {
        run(
            function(module, "add_f32"),
            64,
            256,
            &with(&[Arg::U64(n as u64)]),
        )
    });
    let rows = [Arg::U64(out), Arg::U64(x), Arg::U32(1024), Arg::U32(1024)];
    timed("sums of rows", || {
        run(function(module, "row_sum_f32"), 64, 256, &rows)
    });
    timed("products", || {
        let sizes = with(&[Arg::U32(256); 3]);
        try_launch(
            function(module, "sgemm_f32"),
            [2, 2, 1],
            [256, 1, 1],
            0,
            std::ptr::null_mut(),
            &sizes,
        )
    });
}

/// How long a text takes to load.
fn loading() {
    let start = Instant::now();
    for _ in 0..20 {
        load(KERNELS);
    }
    println!(
        "loading {} kB: {:.2} ms",
        KERNELS.len() / 1000,
        start.elapsed().as_secs_f64() * 1000.0 / 20.0
    );
}

fn timed(name: &str, run: impl Fn() -> u32) {
    let before = counts().instructions;
    let start = Instant::now();
    assert_eq!(run(), 0, "{}", graph_cuda_fake::last_error());
    let seconds = start.elapsed().as_secs_f64();
    let executed = (counts().instructions - before) as f64;
    println!(
        "{name}: {executed:.2e} instructions, {:.0} million a second",
        executed / seconds / 1e6
    );
}
