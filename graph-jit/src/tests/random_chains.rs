//! Random chains of the functions that code knows, with more values at once than there are registers.

use graph_kernels::codegen::compile_words_after;
use graph_kernels::{Array, DType, ElementOp, Operand, Program, Step};

use super::chains::{Random, step, with_vectors};

/// Functions of numbers of a dtype, with their numbers of operands. Truth values come from comparisons and are used by selects.
fn numeric(dtype: DType) -> &'static [ElementOp] {
    match dtype {
        DType::I32 => &[
            ElementOp::Add,
            ElementOp::Sub,
            ElementOp::Mul,
            ElementOp::Maximum,
            ElementOp::BitXor,
            ElementOp::Abs,
            ElementOp::Neg,
            ElementOp::Relu,
        ],
        _ => &[
            ElementOp::Add,
            ElementOp::Sub,
            ElementOp::Mul,
            ElementOp::Div,
            ElementOp::Maximum,
            ElementOp::Minimum,
            ElementOp::Exp,
            ElementOp::Tanh,
            ElementOp::Sigmoid,
            ElementOp::Sqrt,
            ElementOp::Floor,
            ElementOp::Log,
            ElementOp::Abs,
            ElementOp::Square,
            ElementOp::LeakyRelu,
        ],
    }
}

const TRUTHS: [ElementOp; 4] = [
    ElementOp::Less,
    ElementOp::GreaterEqual,
    ElementOp::NotEqual,
    ElementOp::LogicalAnd,
];

/// A chain over inputs of a dtype and of truth values, whose last step is a sum.
struct Case {
    inputs: Vec<DType>,
    steps: Vec<Step>,
}

fn case(seed: u64, dtype: DType) -> Case {
    let mut random = Random::new(seed);
    let inputs: Vec<DType> = (0..1 + random.below(6))
        .map(|n| if n % 4 == 3 { DType::Bool } else { dtype })
        .collect();
    let all = inputs.iter().enumerate();
    let mut values: Vec<(Operand, DType)> = all.map(|(n, ty)| (Operand::Input(n), *ty)).collect();
    let mut steps: Vec<Step> = Vec::new();
    let count = 2 + random.below(60);
    while steps.len() < count {
        let mut pick = |wanted: DType| {
            let fits: Vec<Operand> = values
                .iter()
                .filter(|(_, ty)| *ty == wanted)
                .map(|(operand, _)| *operand)
                .collect();
            let n = random.below(fits.len().max(1));
            fits.get(n).copied()
        };
        let (a, b, truth) = (pick(dtype), pick(dtype), pick(DType::Bool));
        let (Some(a), Some(b)) = (a, b) else { break };
        let (op, output, operands) = match (random.below(6), truth) {
            (0, Some(truth)) => (ElementOp::Select, dtype, vec![truth, a, b]),
            (1, _) => (TRUTHS[random.below(3)], DType::Bool, vec![a, b]),
            (2, Some(truth)) if random.below(2) == 0 => {
                (TRUTHS[3], DType::Bool, vec![truth, truth])
            }
            _ => {
                let ops = numeric(dtype);
                let op = ops[random.below(ops.len())];
                (op, dtype, [a, b][..op.arity()].to_vec())
            }
        };
        values.push((Operand::Step(steps.len()), output));
        steps.push(step(op, &operands));
    }
    // What is read last is used last, so that many values wait for it.
    let numbers: Vec<Operand> = values
        .iter()
        .filter(|(_, ty)| *ty == dtype)
        .map(|v| v.0)
        .collect();
    let mut sum = numbers[0];
    for number in numbers {
        steps.push(step(ElementOp::Add, &[sum, number]));
        sum = Operand::Step(steps.len() - 1);
    }
    Case { inputs, steps }
}

#[test]
fn random_chains_give_the_bits_of_the_interpreter() {
    with_vectors(|| {
        for seed in 0..900 {
            let dtype = [DType::F32, DType::F64, DType::I32][seed as usize % 3];
            let Case { inputs, steps } = case(seed, dtype);
            let program = Program::new(&inputs, &steps).unwrap();
            let mut random = Random::new(seed + 1000);
            let n = 1 + random.below(300);
            let arrays: Vec<Array> = inputs
                .iter()
                .map(|dtype| match random.below(4) {
                    0 => random.array(*dtype, &[]),
                    _ => random.array(*dtype, &[n]),
                })
                .collect();
            let arrays: Vec<&Array> = arrays.iter().collect();
            let [interpreted, code] = super::chains::both(&program, &arrays, &Array::default());
            assert_eq!(interpreted, code, "{seed}: {inputs:?} {steps:?}");
            assert!(program.has_code(), "{seed}: {inputs:?} {steps:?}");
        }
        compile_words_after(None);
    });
}
