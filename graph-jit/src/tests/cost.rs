//! What compiling costs, and what the code of a loop takes.

use std::time::Instant;

use graph_kernels::codegen::{Codegen, MemoryTypes, WordSource};
use graph_kernels::{DType, ElementOp, Memory, WordStep};
use smallvec::smallvec;

use super::ZEROS;
use crate::Cranelift;

/// Counts the steps of the Collatz sequence of r0 in r1.
fn collatz() -> WordSource {
    let apply = |op, a, b, to| WordStep::Apply {
        op,
        dtype: DType::I64,
        operands: smallvec![a, b],
        to,
    };
    let unless = |op, operands, target| WordStep::UnlessHolds {
        op,
        dtype: DType::I64,
        operands,
        target,
    };
    let steps = [
        unless(ElementOp::NotEqual, [0, 10], 9),
        apply(ElementOp::Rem, 0, 12, 2),
        unless(ElementOp::Equal, [2, 11], 5),
        apply(ElementOp::Div, 0, 12, 0),
        WordStep::Jump(7),
        apply(ElementOp::Mul, 0, 13, 0),
        apply(ElementOp::Add, 0, 10, 0),
        apply(ElementOp::Add, 1, 10, 1),
        WordStep::Jump(0),
    ];
    WordSource {
        constants: vec![(10, 1), (11, 0), (12, 2), (13, 3)],
        ..super::source(&steps, &[(1, DType::I64)])
    }
}

#[test]
#[ignore = "a measurement"]
fn collatz_takes_so_long() {
    let codegen = Cranelift::new().unwrap();
    let (mut compiling, mut running) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..200 {
        let start = Instant::now();
        let code = codegen
            .words(&collatz(), &MemoryTypes::default(), 1)
            .unwrap();
        compiling = compiling.min(start.elapsed().as_secs_f64());
        for _ in 0..20 {
            let mut registers = ZEROS;
            registers[0] = 837_799;
            let start = Instant::now();
            assert!(code.run(&mut registers, &mut Memory::of(&[]), 0));
            running = running.min(start.elapsed().as_secs_f64());
            assert_eq!(registers[1], 524);
        }
        println!("{code:?}");
    }
    println!(
        "compiled in {:.0} µs, run in {:.3} µs",
        compiling * 1e6,
        running * 1e6
    );
}
