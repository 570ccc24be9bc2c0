//! Faults planted in kernels that work: each must be caught, by a check or by a wrong result. So tests on the emulated driver find such
//! faults in kernels of ours.

use crate::alone;
use crate::common::*;
use graph_cuda_fake::control;
use std::ptr::null_mut;

const KERNELS: &str = include_str!("../ptx/kernels.ptx");

/// What to replace in the kernel of which task: the text, and which of its occurrences.
type Fault = (
    &'static str,
    &'static str,
    usize,
    &'static str,
    &'static str,
);

const FAULTS: [Fault; 24] = [
    (
        "add_f32",
        "setp.lt.u64 %p2",
        0,
        "setp.le.u64 %p2",
        "the loop goes one too far",
    ),
    (
        "add_f32/short",
        "setp.ge.u64 %p1",
        0,
        "setp.gt.u64 %p1",
        "the first test lets one too many in",
    ),
    (
        "add_f32",
        "@%p2 bra $L__BB0_2;",
        0,
        "",
        "the rest after the first grid is missing",
    ),
    (
        "add_f32",
        "shl.b64 %rd16, %rd20, 2;",
        0,
        "shl.b64 %rd16, %rd20, 3;",
        "the offset has another element size",
    ),
    (
        "add_f32",
        "[%rd19]",
        0,
        "[%rd19+4]",
        "the result goes to the next element",
    ),
    (
        "add_f32",
        "add.f32 %f3",
        0,
        "sub.f32 %f3",
        "another operation",
    ),
    (
        "add_f32",
        "%rd4, %rd10",
        0,
        "%rd4, %rd9",
        "the result is read instead of an operand",
    ),
    (
        "add_f32",
        "mul.lo.s64 %rd3, %rd15, %rd1;",
        0,
        "mul.lo.s64 %rd3, %rd15, 64;",
        "the step is too long",
    ),
    (
        "add_f32",
        "mov.u32 %r3, %tid.x",
        0,
        "mov.u32 %r3, %tid.y",
        "the thread's number is another axis's",
    ),
    (
        "add_f32x4",
        "{%f20, %f19, %f18, %f17}",
        0,
        "{%f20, %f19, %f17, %f18}",
        "two lanes are swapped",
    ),
    (
        "add_f32x4",
        "shl.b64 %rd16, %rd20, 4;",
        0,
        "shl.b64 %rd16, %rd20, 3;",
        "the offset is half of a vector",
    ),
    (
        "add_f32x4",
        "[%rd17]",
        0,
        "[%rd17+8]",
        "a vector begins in the middle",
    ),
    (
        "row_sum_f32",
        "bar.sync 0;",
        0,
        "",
        "the barrier before the parts are read is missing",
    ),
    (
        "row_sum_f32",
        "bar.sync 0;",
        1,
        "",
        "the barrier before the parts are overwritten is missing",
    ),
    (
        "row_sum_f32",
        "mov.u32 %r19, 16;",
        0,
        "mov.u32 %r19, 8;",
        "a shuffle has another distance",
    ),
    (
        "row_sum_f32",
        "mov.u32 %r20, -1;",
        0,
        "mov.u32 %r20, 65535;",
        "a shuffle names half of the warp",
    ),
    (
        "row_sum_f32",
        "add.s32 %r53, %r53, 256;",
        0,
        "add.s32 %r53, %r53, 255;",
        "the step isn't the block's size",
    ),
    (
        "row_sum_f32",
        "shr.u32 %r13, %r2, 3;",
        0,
        "shr.u32 %r13, %r2, 4;",
        "two warps share a part",
    ),
    (
        "sgemm_f32",
        "bar.sync 0;",
        0,
        "",
        "the barrier after the tile is stored is missing",
    ),
    (
        "sgemm_f32",
        "bar.sync 0;",
        1,
        "",
        "the barrier before the next tile is missing",
    ),
    (
        "sgemm_f32",
        "setp.ge.u32 %p5, %r80, %r36;",
        0,
        "setp.gt.u32 %p5, %r80, %r36;",
        "a column beyond the last is read",
    ),
    (
        "sgemm_f32",
        "setp.lt.u32 %p26, %r123, %r37;",
        0,
        "setp.lt.u32 %p26, %r123, 16;",
        "the last tile is missing",
    ),
    (
        "sgemm_f32",
        "st.shared.f32 [%r10], %f992;",
        0,
        "",
        "a part of the tile isn't stored",
    ),
    (
        "sgemm_f32",
        "fma.rn.f32 %f283, %f282, %f281, %f1040;",
        0,
        "fma.rn.f32 %f283, %f282, %f1040, %f281;",
        "two operands are swapped",
    ),
];

/// The text with single blanks.
fn plain() -> String {
    KERNELS
        .lines()
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ") + "\n")
        .collect()
}

/// The kernel of a task: `add_f32/short` is a task of `add_f32`.
fn kernel_of(task: &str) -> &str {
    task.split('/').next().unwrap_or(task)
}

/// Replaces an occurrence of a text in a kernel.
fn planted(kernel: &str, from: &str, which: usize, to: &str) -> String {
    let text = plain();
    let start = text.find(&format!(".entry {kernel}(")).unwrap();
    let end = text[start + 1..]
        .find(".visible")
        .map_or(text.len(), |n| start + 1 + n);
    let (at, _) = text[start..end]
        .match_indices(from)
        .nth(which)
        .unwrap_or_else(|| panic!("`{from}` isn't in `{kernel}`"));
    format!(
        "{}{to}{}",
        &text[..start + at],
        &text[start + at + from.len()..]
    )
}

/// Numbers whose sums are exact, each different from the others.
fn numbers(count: usize) -> Vec<f32> {
    (0..count)
        .map(|i| ((i * 7919) % 1009) as f32 - 500.0)
        .collect()
}

/// A task: how it is launched, and the right result.
struct Task {
    grid: [u32; 3],
    block: u32,
    inputs: Vec<Vec<f32>>,
    sizes: Vec<Arg>,
    want: Vec<f32>,
}

fn task(name: &str) -> Task {
    match name {
        "add_f32" | "add_f32x4" | "add_f32/short" => {
            let n = if name == "add_f32x4" { 4 * 150 } else { 150 };
            let (a, b) = (numbers(n), numbers(2 * n)[n..].to_vec());
            let want = a.iter().zip(&b).map(|(a, b)| a + b).collect();
            Task {
                // More than two rounds, or one that isn't full.
                grid: [if name == "add_f32/short" { 5 } else { 2 }, 1, 1],
                block: 32,
                inputs: vec![a, b],
                sizes: vec![Arg::U64(150)],
                want,
            }
        }
        "row_sum_f32" => {
            let (rows, columns) = (5, 600);
            let x = numbers(rows * columns);
            let want = x.chunks(columns).map(|row| row.iter().sum()).collect();
            Task {
                grid: [2, 1, 1],
                block: 256,
                inputs: vec![x],
                sizes: vec![Arg::U32(rows as u32), Arg::U32(columns as u32)],
                want,
            }
        }
        _ => {
            let (m, n, k) = (130, 70, 24);
            let (a, b) = (numbers(m * k), numbers(2 * k * n)[k * n..].to_vec());
            let dot = |i: usize, j: usize| (0..k).map(|q| a[i * k + q] * b[q * n + j]).sum();
            let want = (0..m * n).map(|i| dot(i / n, i % n)).collect();
            Task {
                grid: [1, 2, 1],
                block: 256,
                inputs: vec![a, b],
                sizes: [m, n, k].map(|v| Arg::U32(v as u32)).to_vec(),
                want,
            }
        }
    }
}

/// The result of a kernel of this text, or why there is none.
fn outcome(text: &str, kernel: &str, t: &Task) -> Result<Vec<f32>, String> {
    let module = try_load(text).map_err(|(code, message)| format!("{code}: {message}"))?;
    let out = alloc(4 * t.want.len());
    let inputs: Vec<u64> = t.inputs.iter().map(|x| upload(x)).collect();
    let args: Vec<Arg> = [out]
        .iter()
        .chain(&inputs)
        .map(|at| Arg::U64(*at))
        .chain(t.sizes.iter().copied())
        .collect();
    let launched = try_launch(
        function(module, kernel),
        t.grid,
        [t.block, 1, 1],
        0,
        null_mut(),
        &args,
    );
    let code = crate::call!(cuStreamSynchronize(null_mut() => Handle));
    let message = graph_cuda_fake::last_error();
    control::reset_error();
    let found = if launched == 0 && code == 0 {
        Ok(download(out, t.want.len()))
    } else {
        Err(message)
    };
    inputs.into_iter().chain([out]).for_each(free);
    found
}

#[test]
fn kernels_without_a_fault_are_right_in_either_order() {
    let _alone = alone();
    for kernel in ["add_f32", "add_f32x4", "row_sum_f32", "sgemm_f32"] {
        let t = task(kernel);
        for backwards in [false, true] {
            control::run_backwards(backwards);
            assert_eq!(
                outcome(&plain(), kernel, &t),
                Ok(t.want.clone()),
                "{kernel}"
            );
        }
    }
}

#[test]
fn every_planted_fault_is_caught() {
    let _alone = alone();
    let mut missed = vec![];
    for (name, from, which, to, what) in FAULTS {
        let (t, kernel) = (task(name), kernel_of(name));
        let found = outcome(&planted(kernel, from, which, to), kernel, &t);
        println!(
            "{kernel}, {what}: {}",
            found
                .as_ref()
                .map_or_else(String::clone, |_| "the result".to_owned())
        );
        if found == Ok(t.want.clone()) {
            missed.push(what);
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

#[test]
fn wrong_launches_are_caught() {
    let _alone = alone();
    let mut t = task("row_sum_f32");
    t.sizes.swap(0, 1);
    assert!(
        outcome(&plain(), "row_sum_f32", &t).is_err(),
        "swapped sizes"
    );
    let mut t = task("add_f32");
    t.inputs[1].truncate(149);
    assert!(
        outcome(&plain(), "add_f32", &t)
            .unwrap_err()
            .contains("596 bytes"),
        "an operand that is too short"
    );
    let mut t = task("sgemm_f32");
    t.grid = [1, 1, 1];
    assert_ne!(
        outcome(&plain(), "sgemm_f32", &t),
        Ok(t.want.clone()),
        "a grid that is too small"
    );
}
