//! Every function of the table at every dtype and instruction set: the loops over blocks, the code for single values and a plain
//! calculation agree. Programs give the same results as their steps one by one.

mod programs;
mod rolls;
mod rows;
mod updates;
mod values;

use crate::block::{Block, BlockMut};
use crate::{
    Array, Axes, DType, ElementOp, KernelError, Operand, Step, StepOp, elementwise, reduce,
};

/// An array of values given as words.
fn array(dtype: DType, shape: &[usize], words: &[u64]) -> Array {
    let mut array = Array::zeros(dtype, shape);
    assert_eq!(array.len(), words.len());
    for (n, word) in words.iter().enumerate() {
        let mut block = BlockMut::of(array.buffer_mut(), words.len()).unwrap();
        block.put_word(n, *word);
    }
    array
}

/// The values as words. All NaNs become one word, because the bits of a NaN are unspecified.
fn words(array: &Array) -> Vec<u64> {
    let block = Block::of(array.buffer()).unwrap();
    let word = |n| match (array.dtype(), block.word(n)) {
        (DType::F32, word) if f32::from_bits(word as u32).is_nan() => u64::MAX,
        (DType::F64, word) if f64::from_bits(word).is_nan() => u64::MAX,
        (DType::F16, word) if crate::f16::from_bits(word as u16).is_nan() => u64::MAX,
        (DType::BF16, word) if crate::bf16::from_bits(word as u16).is_nan() => u64::MAX,
        (_, word) => word,
    };
    (0..array.len()).map(word).collect()
}

/// A step of a program.
fn step(op: impl Into<StepOp>, operands: &[Operand]) -> Step {
    Step {
        op: op.into(),
        operands: operands.into(),
    }
}

/// The result of applying each step to whole arrays.
fn one_by_one(inputs: &[&Array], steps: &[Step]) -> Result<Array, KernelError> {
    let mut values: Vec<Array> = Vec::new();
    for step in steps {
        let operand = |operand: &Operand| match *operand {
            Operand::Input(n) => inputs[n],
            Operand::Step(n) => &values[n],
        };
        let operands: Vec<&Array> = step.operands.iter().map(operand).collect();
        let mut out = Array::default();
        let last = Axes {
            axes: &[-1],
            keep_dims: true,
        };
        match step.op {
            StepOp::Element(op) => elementwise(op, &operands, &mut out)?,
            StepOp::Reduce(op) => reduce(op, operands[0], last, &mut out)?,
        }
        drop(operands);
        values.push(out);
    }
    Ok(values.pop().unwrap())
}

/// Values of a dtype that functions may treat differently, as words.
fn samples(dtype: DType) -> Vec<u64> {
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        3.7,
        -3.7,
        7.0,
        20.0,
        -20.0,
        1e-3,
        1e4,
        -1e4,
        1e30,
        -1e30,
        1e-30,
        1e-310,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let integers = [
        0,
        1,
        -1,
        2,
        -2,
        3,
        7,
        -7,
        31,
        63,
        64,
        100,
        -100,
        i64::MAX,
        i64::MIN,
    ];
    match dtype {
        DType::F32 => floats.map(|v| u64::from((v as f32).to_bits())).to_vec(),
        DType::F64 => floats.map(f64::to_bits).to_vec(),
        DType::F16 => floats
            .map(|v| u64::from(crate::f16::from_f64(v).to_bits()))
            .to_vec(),
        DType::BF16 => floats
            .map(|v| u64::from(crate::bf16::from_f64(v).to_bits()))
            .to_vec(),
        DType::I32 => {
            let edges = [i32::MAX, i32::MIN].map(|v| u64::from(v as u32));
            let small = integers.iter().filter_map(|v| i32::try_from(*v).ok());
            small.map(|v| u64::from(v as u32)).chain(edges).collect()
        }
        DType::I64 => integers.map(|v| v as u64).to_vec(),
        DType::U8 => vec![0, 1, 2, 3, 7, 8, 100, 127, 128, 255],
        // The limits of the low bits of each integer type, and the values on both sides of its sign bit and of its limits.
        DType::I8 | DType::I16 | DType::U16 | DType::U32 | DType::U64 => {
            let bits = dtype.bytes() * 8;
            let edges = [
                1u64 << (bits - 1),
                (1 << (bits - 1)) - 1,
                u64::MAX,
                u64::MAX - 4,
            ];
            let all = integers.iter().map(|v| *v as u64).chain(edges);
            all.map(|word| word & u64::MAX >> (64 - bits)).collect()
        }
        DType::Bool => vec![0, 1],
        DType::Str => vec![],
    }
}

/// The dtypes of a function's operands when the last one is of the given dtype; `None` if it isn't defined for that.
fn operand_dtypes(op: ElementOp, dtype: DType) -> Option<Vec<DType>> {
    let mut dtypes = vec![dtype; op.arity()];
    if op == ElementOp::Select {
        dtypes[0] = DType::Bool;
    }
    op.output(&dtypes).is_ok().then_some(dtypes)
}

/// Every combination of samples of the operands, as one vector of words for each operand.
fn combinations(dtypes: &[DType]) -> Vec<Vec<u64>> {
    let samples: Vec<Vec<u64>> = dtypes.iter().map(|dtype| samples(*dtype)).collect();
    let len = samples.iter().map(Vec::len).product();
    let operand = |n: usize| -> Vec<u64> {
        let later: usize = samples[n + 1..].iter().map(Vec::len).product();
        (0..len)
            .map(|i| samples[n][i / later % samples[n].len()])
            .collect()
    };
    (0..dtypes.len()).map(operand).collect()
}
