//! Kernels and functions that NVIDIA's compiler made, against the same computed in Rust.
//!
//! `tests/ptx` has what `nvcc` 13.0 writes for kernels of sums and products and for CUDA's mathematical functions, in both precisions.

use crate::common::*;

const KERNELS: &str = include_str!("../ptx/kernels.ptx");
const KERNELS64: &str = include_str!("../ptx/kernels64.ptx");
const PRELUDE: &str = include_str!("../ptx/prelude.ptx");
const PRELUDE64: &str = include_str!("../ptx/prelude64.ptx");

/// Numbers that look random and repeat.
pub fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    (0..count)
        .map(|_| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((state >> 40) as f64) / f64::from(1 << 23) - 1.0
        })
        .collect()
}

fn singles(count: usize, seed: u64) -> Vec<f32> {
    numbers(count, seed).into_iter().map(|x| x as f32).collect()
}

#[test]
fn sums_are_exact_for_sizes_around_the_grid() {
    open();
    let module = load(KERNELS);
    for n in [1usize, 3, 255, 256, 257, 1000] {
        let (a, b) = (singles(n, 1), singles(n, 2));
        let (x, y, out) = (upload(&a), upload(&b), alloc(4 * n));
        let args = [Arg::U64(out), Arg::U64(x), Arg::U64(y), Arg::U64(n as u64)];
        assert_eq!(
            run(function(module, "add_f32"), 2, 256, &args),
            0,
            "{}",
            graph_cuda_fake::last_error()
        );
        let want: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        assert_eq!(download::<f32>(out, n), want);
    }
}

#[test]
fn sums_of_four_lanes_are_exact() {
    open();
    let module = load(KERNELS64);
    let (a, b) = (numbers(64, 1), numbers(64, 2));
    let (x, y, out) = (upload(&a), upload(&b), alloc(8 * 64));
    let args = [Arg::U64(out), Arg::U64(x), Arg::U64(y), Arg::U64(16)];
    assert_eq!(
        run(function(module, "add_f64x4"), 1, 32, &args),
        0,
        "{}",
        graph_cuda_fake::last_error()
    );
    let want: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    assert_eq!(download::<f64>(out, 64), want);
}

#[test]
fn rows_are_summed_with_shuffles_and_barriers() {
    open();
    let (rows, columns) = (5, 700);
    let x = singles(rows * columns, 3);
    let (at, out) = (upload(&x), alloc(4 * rows));
    let args = [
        Arg::U64(out),
        Arg::U64(at),
        Arg::U32(rows as u32),
        Arg::U32(columns as u32),
    ];
    assert_eq!(
        run(function(load(KERNELS), "row_sum_f32"), 3, 256, &args),
        0,
        "{}",
        graph_cuda_fake::last_error()
    );
    for (row, got) in x.chunks(columns).zip(download::<f32>(out, rows)) {
        let want: f64 = row.iter().map(|&v| f64::from(v)).sum();
        assert!((f64::from(got) - want).abs() < 1e-3, "{got} {want}");
    }
}

/// The product as the kernel computes it: fused steps in the order of `k`.
fn product(a: &[f32], b: &[f32], [m, n, k]: [usize; 3]) -> Vec<f32> {
    let mut c = vec![0.0; m * n];
    for i in 0..m {
        for j in 0..n {
            c[i * n + j] = (0..k).fold(0.0, |sum, q| a[i * k + q].mul_add(b[q * n + j], sum));
        }
    }
    c
}

#[test]
fn products_of_tiles_are_exact() {
    open();
    for [m, n, k] in [[3usize, 5, 7], [130, 129, 17]] {
        let (a, b) = (singles(m * k, 4), singles(k * n, 5));
        let (x, y, out) = (upload(&a), upload(&b), alloc(4 * m * n));
        let args = [
            Arg::U64(out),
            Arg::U64(x),
            Arg::U64(y),
            Arg::U32(m as u32),
            Arg::U32(n as u32),
            Arg::U32(k as u32),
        ];
        let grid = [n.div_ceil(128) as u32, m.div_ceil(128) as u32, 1];
        let f = function(load(KERNELS), "sgemm_f32");
        assert_eq!(
            try_launch(f, grid, [256, 1, 1], 0, std::ptr::null_mut(), &args),
            0
        );
        assert_eq!(
            download::<f32>(out, m * n),
            product(&a, &b, [m, n, k]),
            "{}",
            graph_cuda_fake::last_error()
        );
    }
}

/// A kernel that applies a function of one or two arguments.
fn mapping(prelude: &str, name: &str, arguments: usize, of: &str) -> String {
    let bits = &of[1..];
    let (mut declared, mut passed, mut loads) = (String::new(), vec![], String::new());
    for i in 0..arguments {
        declared += &format!("{{ .param .b{bits} a{i}; st.param.{of} [a{i}], %x{i};\n");
        passed.push(format!("a{i}"));
        loads += &format!(
            "ld.param.u64 %at, [p{i}]; add.s64 %at, %at, %off; ld.global.{of} %x{i}, [%at];\n"
        );
    }
    let bytes: u32 = bits.parse::<u32>().unwrap() / 8;
    format!(
        "{prelude}
.visible .entry mapping(.param .u64 out, .param .u64 p0, .param .u64 p1) {{
  .reg .{of} %x<3>; .reg .b64 %at, %off; .reg .b32 %t;
  mov.u32 %t, %tid.x; mul.wide.u32 %off, %t, {bytes};
  {loads}
  {declared} .param .b{bits} r; call.uni (r), {name}, ({}); ld.param.{of} %x2, [r]; {}
  ld.param.u64 %at, [out]; add.s64 %at, %at, %off; st.global.{of} [%at], %x2;
  ret; }}",
        passed.join(", "),
        "}".repeat(arguments),
    )
}

type Function = (&'static str, fn(f64) -> f64, f64, f64);

const FUNCTIONS: [Function; 9] = [
    ("exp", f64::exp, -90.0, 88.0),
    ("log", f64::ln, 1e-30, 1e30),
    ("tanh", f64::tanh, -12.0, 12.0),
    ("sqrt", f64::sqrt, 0.0, 1e20),
    ("rsqrt", |x| 1.0 / x.sqrt(), 1e-20, 1e20),
    ("sin", f64::sin, -1e6, 1e6),
    ("cos", f64::cos, -1e6, 1e6),
    ("log1p", f64::ln_1p, -0.9, 1e10),
    ("expm1", f64::exp_m1, -20.0, 80.0),
];

/// Values between two bounds, some of them close to zero.
fn spread(low: f64, high: f64) -> Vec<f64> {
    numbers(256, 9)
        .into_iter()
        .enumerate()
        .map(|(i, x)| low + (x + 1.0) / 2.0 * (high - low) * if i % 3 == 0 { 1e-5 } else { 1.0 })
        .collect()
}

#[test]
fn functions_in_single_precision_are_those_of_mathematics() {
    open();
    for (name, exact, low, high) in FUNCTIONS {
        let x: Vec<f32> = spread(low, high).into_iter().map(|x| x as f32).collect();
        let (at, out) = (upload(&x), alloc(4 * x.len()));
        let f = function(
            load(&mapping(PRELUDE, &format!("m_{name}"), 1, "f32")),
            "mapping",
        );
        assert_eq!(
            run(f, 1, 256, &[Arg::U64(out), Arg::U64(at), Arg::U64(at)]),
            0,
            "{}",
            graph_cuda_fake::last_error()
        );
        for (x, got) in x.iter().zip(download::<f32>(out, x.len())) {
            let want = exact(f64::from(*x));
            assert!(
                (f64::from(got) - want).abs() <= 4e-7 * want.abs() + 1e-37,
                "{name}({x}) = {got}, not {want}"
            );
        }
    }
}

#[test]
fn functions_in_double_precision_are_those_of_mathematics() {
    open();
    for (name, exact, low, high) in FUNCTIONS {
        let x = spread(low, high);
        let (at, out) = (upload(&x), alloc(8 * x.len()));
        let f = function(
            load(&mapping(PRELUDE64, &format!("d_{name}"), 1, "f64")),
            "mapping",
        );
        assert_eq!(
            run(f, 1, 256, &[Arg::U64(out), Arg::U64(at), Arg::U64(at)]),
            0,
            "{}",
            graph_cuda_fake::last_error()
        );
        for (x, got) in x.iter().zip(download::<f64>(out, x.len())) {
            let want = exact(*x);
            assert!(
                (got - want).abs() <= 1e-15 * want.abs() + 1e-300,
                "{name}({x}) = {got}, not {want}"
            );
        }
    }
}

#[test]
fn powers_and_remainders_take_two_arguments() {
    open();
    let (x, y): (Vec<f64>, Vec<f64>) = (spread(0.1, 30.0), spread(-4.0, 5.0));
    let (a, b, out) = (upload(&x), upload(&y), alloc(8 * x.len()));
    let args = [Arg::U64(out), Arg::U64(a), Arg::U64(b)];
    for (name, exact) in [
        ("d_pow", f64::powf as fn(f64, f64) -> f64),
        ("d_mod", |x, y| x % y),
        ("d_div", |x, y| x / y),
    ] {
        let f = function(load(&mapping(PRELUDE64, name, 2, "f64")), "mapping");
        assert_eq!(
            run(f, 1, 256, &args),
            0,
            "{}",
            graph_cuda_fake::last_error()
        );
        for ((x, y), got) in x.iter().zip(&y).zip(download::<f64>(out, x.len())) {
            let want = exact(*x, *y);
            assert!(
                (got - want).abs() <= 1e-14 * want.abs(),
                "{name}({x}, {y}) = {got}, not {want}"
            );
        }
    }
}
