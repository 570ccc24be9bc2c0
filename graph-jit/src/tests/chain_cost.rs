//! What chains take: by the kernels' interpreter, as code for AVX2, and as code for AVX-512.

use std::time::Instant;

use graph_kernels::codegen::compile_words_after;
use graph_kernels::simd::{Level, with_level};
use graph_kernels::{Array, DType, ElementOp, Operand, Program, Step};

use super::chains::{Random, step};
use super::hot::alone;

/// `f(… f(f(x) * y + x) * y …)` with some of these functions of one operand, one after another.
fn chain(functions: &[ElementOp], rounds: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut last = Operand::Input(0);
    for function in functions.iter().cycle().take(rounds) {
        for (op, other) in [
            (*function, None),
            (ElementOp::Mul, Some(Operand::Input(1))),
            (ElementOp::Add, Some(Operand::Input(0))),
        ] {
            let operands: Vec<Operand> = [last].into_iter().chain(other).collect();
            steps.push(step(op, &operands));
            last = Operand::Step(steps.len() - 1);
        }
    }
    steps
}

/// The least nanoseconds of a call, of many.
fn least(program: &Program, inputs: &[Option<&Array>], out: &mut Array, len: usize) -> f64 {
    let calls = (200_000 / len).max(3);
    let mut least = f64::INFINITY;
    for _ in 0..15 {
        let start = Instant::now();
        for _ in 0..calls {
            program.run(inputs, out).unwrap();
        }
        least = least.min(start.elapsed().as_secs_f64() * 1e9 / calls as f64);
    }
    least
}

#[test]
#[ignore = "a measurement"]
fn chains_take_so_long() {
    let _alone = alone();
    let arithmetic = [ElementOp::Neg, ElementOp::Abs];
    let cases: [(&str, DType, Vec<Step>); 9] = [
        ("arithmetic", DType::F32, chain(&arithmetic, 2)),
        ("arithmetic", DType::F32, chain(&arithmetic, 16)),
        ("tanh", DType::F32, chain(&[ElementOp::Tanh], 1)),
        (
            "functions",
            DType::F32,
            chain(&[ElementOp::Exp, ElementOp::Sigmoid], 4),
        ),
        ("roots", DType::F32, chain(&[ElementOp::Sqrt], 2)),
        ("arithmetic", DType::F64, chain(&arithmetic, 4)),
        (
            "functions",
            DType::F64,
            chain(&[ElementOp::Exp, ElementOp::Tanh], 2),
        ),
        ("arithmetic", DType::I32, chain(&arithmetic, 2)),
        ("arithmetic", DType::I32, chain(&arithmetic, 16)),
    ];
    println!("nanoseconds: interpreter, AVX2, AVX-512");
    for (name, dtype, steps) in cases {
        for len in [16, 100, 1000, 10_000, 100_000, 1_000_000, 8_000_000] {
            let mut random = Random::new(1);
            let arrays = [random.array(dtype, &[len]), random.array(dtype, &[len])];
            let inputs = arrays.each_ref().map(Some);
            let taken = [None, Some(Level::Avx2), Some(Level::Avx512)].map(|level| {
                let program = Program::new(&[dtype; 2], &steps).unwrap();
                let mut out = Array::zeros(dtype, &[len]);
                compile_words_after(level.map(|_| 0));
                if let Some(level) = level {
                    with_level(level, || program.run(&inputs, &mut out).unwrap());
                }
                least(&program, &inputs, &mut out, len)
            });
            let [interpreted, narrow, wide] = taken;
            println!(
                "{name:>11} {dtype} {:>3} steps {len:>8}: {interpreted:>9.0} {narrow:>9.0} {wide:>9.0}",
                steps.len()
            );
        }
    }
    compile_words_after(None);
}
