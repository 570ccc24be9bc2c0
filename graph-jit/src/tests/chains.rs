//! Chains as machine code, held against the block programs: every function of the table, random chains, all lengths around those of
//! vectors, and all ways to read inputs.

use graph_kernels::codegen::compile_words_after;
use graph_kernels::simd::{Level, with_level};
use graph_kernels::{Array, DType, ElementOp, Operand, Program, Step, Width};
use smallvec::SmallVec;

use super::functions::functions;
use super::hot::alone;
use super::{comparable, words};

/// The dtypes that lanes hold.
const LANES: [DType; 4] = [DType::F32, DType::F64, DType::I32, DType::Bool];

/// Runs a test at each level of the machine that has code for all chains.
pub fn with_vectors(test: impl Fn()) {
    let _alone = alone();
    with_level(Level::Avx2, &test);
    with_level(Level::Avx512, &test);
}

/// An array of values given as words.
pub fn array(dtype: DType, shape: &[usize], words: &[u64]) -> Array {
    match dtype {
        DType::F32 => {
            let values = words.iter().map(|word| f32::from_bits(*word as u32));
            Array::new(shape, values.collect::<Vec<f32>>())
        }
        DType::F64 => {
            let values = words.iter().map(|word| f64::from_bits(*word));
            Array::new(shape, values.collect::<Vec<f64>>())
        }
        DType::I32 => {
            let values = words.iter().map(|word| *word as i32);
            Array::new(shape, values.collect::<Vec<i32>>())
        }
        _ => {
            let values = words.iter().map(|word| *word == 1);
            Array::new(shape, values.collect::<Vec<bool>>())
        }
    }
}

/// The values of an array as words, in which all NaNs are one.
fn values(array: &Array) -> Vec<u64> {
    let words: Vec<u64> = match array.dtype() {
        DType::F32 => {
            let values = array.values::<f32>().unwrap().iter();
            values.map(|v| v.to_bits().into()).collect()
        }
        DType::F64 => {
            let values = array.values::<f64>().unwrap().iter();
            values.map(|v| v.to_bits()).collect()
        }
        _ => {
            let values = array.values::<i32>().unwrap().iter();
            values.map(|v| *v as u32 as u64).collect()
        }
    };
    words
        .into_iter()
        .map(|word| comparable(array.dtype(), word))
        .collect()
}

pub fn step(op: ElementOp, operands: &[Operand]) -> Step {
    Step {
        op: op.into(),
        operands: operands.into(),
    }
}

/// The result of a program by the interpreter, and then by its code, if it has some.
pub fn both(program: &Program, inputs: &[&Array], out: &Array) -> [Result<Vec<u64>, String>; 2] {
    let inputs: Vec<Option<&Array>> = inputs.iter().map(|input| Some(*input)).collect();
    both_in_place(program, &inputs, out)
}

/// As [`both`], where inputs may be the contents of the result.
pub fn both_in_place(
    program: &Program,
    inputs: &[Option<&Array>],
    out: &Array,
) -> [Result<Vec<u64>, String>; 2] {
    [None, Some(0)].map(|jumps| {
        compile_words_after(jumps);
        let mut out = out.clone();
        let done = program.run(inputs, &mut out);
        done.map(|()| values(&out))
            .map_err(|error| error.to_string())
    })
}

/// A generator of numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    /// A word of a dtype: often a special one, else a number of any size.
    pub fn word(&mut self, dtype: DType) -> u64 {
        let special = words(dtype);
        let exponent = self.below(16) as i32 - 6;
        let number = (self.below(2_000_001) as f64 / 1e6 - 1.0) * 2f64.powi(exponent);
        match (self.below(4), dtype) {
            (0, _) | (_, DType::Bool) => special[self.below(special.len())],
            (_, DType::F32) => (number as f32).to_bits().into(),
            (_, DType::F64) => number.to_bits(),
            _ => self.next() >> self.below(64) & u64::from(u32::MAX),
        }
    }

    pub fn array(&mut self, dtype: DType, shape: &[usize]) -> Array {
        let words: Vec<u64> = (0..shape.iter().product())
            .map(|_| self.word(dtype))
            .collect();
        array(dtype, shape, &words)
    }
}

/// A second step, so that a function is a chain whose result is a number.
fn behind(op: ElementOp, output: DType, operand: DType) -> Vec<Step> {
    let operands: SmallVec<[Operand; 3]> = (0..op.arity()).map(Operand::Input).collect();
    let last = match (output, operand) {
        (DType::Bool, DType::F64) => ElementOp::ToF64,
        (DType::Bool, DType::I32) => ElementOp::ToI32,
        (DType::Bool, _) => ElementOp::ToF32,
        _ => ElementOp::Neg,
    };
    let first = Step {
        op: op.into(),
        operands,
    };
    vec![first, step(last, &[Operand::Step(0)])]
}

/// Functions that call a library, calculate in another type, or divide by any integer. Chains with them stay with the interpreter.
const INTERPRETED: [ElementOp; 15] = [
    ElementOp::Atan2,
    ElementOp::Rem,
    ElementOp::FloorDiv,
    ElementOp::FloorMod,
    ElementOp::Pow,
    ElementOp::Sign,
    ElementOp::Cbrt,
    ElementOp::Log2,
    ElementOp::Log10,
    ElementOp::Sin,
    ElementOp::Cos,
    ElementOp::Tan,
    ElementOp::Erfc,
    ElementOp::LeftShift,
    ElementOp::RightShift,
];

#[test]
fn every_function_gives_the_bits_of_the_interpreter() {
    with_vectors(|| {
        let mut random = Random::new(1);
        let mut compiled = 0;
        for (op, dtype, dtypes, output) in functions() {
            let lanes = |dtype: &DType| LANES.contains(dtype);
            if !dtypes.iter().all(lanes) || !lanes(&output) {
                continue;
            }
            let converts = output != DType::Bool
                && dtypes
                    .iter()
                    .all(|own| *own != output && *own != DType::Bool);
            let integer = matches!(op, ElementOp::Div | ElementOp::TrueDiv) && dtype == DType::I32;
            let other_size = converts && output.bytes() != dtype.bytes();
            let program = Program::new(dtypes, &behind(op, output, dtype)).unwrap();
            let special: Vec<Array> = combinations(dtypes);
            let numbers: Vec<Array> = dtypes.iter().map(|d| random.array(*d, &[1001])).collect();
            for inputs in [special, numbers] {
                let inputs: Vec<&Array> = inputs.iter().collect();
                let [interpreted, code] = both(&program, &inputs, &Array::default());
                assert_eq!(interpreted, code, "{op:?} of {dtype}");
            }
            let stays = INTERPRETED.contains(&op) || integer || other_size;
            assert_eq!(program.has_code(), !stays, "{op:?} of {dtype}");
            compiled += u32::from(program.has_code());
        }
        assert!(compiled > 100, "{compiled}");
    });
}

/// All combinations of special values, as arrays.
fn combinations(dtypes: &[DType]) -> Vec<Array> {
    let all = dtypes.iter().fold(vec![Vec::new()], |all, dtype| {
        let more = all.iter().flat_map(|before: &Vec<u64>| {
            let words = words(*dtype).into_iter();
            words.map(move |word| [before.as_slice(), &[word]].concat())
        });
        more.collect()
    });
    let column = |n: usize| all.iter().map(move |words| words[n]);
    let dtypes = dtypes.iter().enumerate();
    dtypes
        .map(|(n, dtype)| array(*dtype, &[all.len()], &column(n).collect::<Vec<_>>()))
        .collect()
}

/// `tanh(x * y + 1) - select(x > y, x, z)`.
fn chain() -> Vec<Step> {
    use Operand::{Input, Step as Of};
    vec![
        step(ElementOp::Mul, &[Input(0), Input(1)]),
        step(ElementOp::Add, &[Of(0), Input(2)]),
        step(ElementOp::Tanh, &[Of(1)]),
        step(ElementOp::Greater, &[Input(0), Input(1)]),
        step(ElementOp::Select, &[Of(3), Input(0), Input(2)]),
        step(ElementOp::Sub, &[Of(2), Of(4)]),
    ]
}

#[test]
fn all_lengths_and_all_ways_to_read_inputs() {
    with_vectors(|| {
        let mut random = Random::new(2);
        for n in [
            0, 1, 7, 8, 9, 15, 16, 17, 31, 33, 1000, 1024, 1031, 5000, 40_000,
        ] {
            let shapes: [[&[usize]; 3]; 6] = [
                [&[n], &[n], &[n]],
                [&[n], &[n], &[]],
                [&[n], &[], &[1]],
                [&[3, n], &[n], &[]],
                [&[3, n], &[3, 1], &[n]],
                [&[n, 1], &[1, 5], &[]],
            ];
            for shapes in shapes {
                let program = Program::new(&[DType::F32; 3], &chain()).unwrap();
                let inputs = shapes.map(|shape| random.array(DType::F32, shape));
                let [interpreted, code] = both(&program, &inputs.each_ref(), &Array::default());
                assert_eq!(interpreted, code, "{shapes:?}");
                assert!(program.has_code());
            }
        }
    });
}

#[test]
fn a_result_takes_the_place_of_an_input() {
    with_vectors(|| {
        let mut random = Random::new(3);
        for n in [1, 8, 100, 1003, 40_000] {
            let inputs = [0; 3].map(|_| random.array(DType::F32, &[n]));
            for held in 0..3 {
                let program = Program::new(&[DType::F32; 3], &chain()).unwrap();
                let given: Vec<Option<&Array>> = (0..3)
                    .map(|k| Some(&inputs[k]).filter(|_| k != held))
                    .collect();
                let [interpreted, code] = both_in_place(&program, &given, &inputs[held]);
                assert_eq!(interpreted, code, "{n} {held}");
                assert!(program.has_code());
            }
        }
    });
}

/// `m += (g - m) * a; v += (g * g - v) * b; p -= m * rate / (sqrt(v) + e)`: a step of Adam.
fn adam() -> Program {
    use Operand::{Input, Step as Of};
    let steps = [
        step(ElementOp::Sub, &[Input(3), Input(0)]),
        step(ElementOp::Mul, &[Of(0), Input(4)]),
        step(ElementOp::Add, &[Input(0), Of(1)]),
        step(ElementOp::Mul, &[Input(3), Input(3)]),
        step(ElementOp::Sub, &[Of(3), Input(1)]),
        step(ElementOp::Mul, &[Of(4), Input(5)]),
        step(ElementOp::Add, &[Input(1), Of(5)]),
        step(ElementOp::Mul, &[Of(2), Input(6)]),
        step(ElementOp::Sqrt, &[Of(6)]),
        step(ElementOp::Add, &[Of(8), Input(7)]),
        step(ElementOp::Div, &[Of(7), Of(9)]),
        step(ElementOp::Sub, &[Input(2), Of(10)]),
    ];
    let (row, one) = ((DType::F32, Width::Row), (DType::F32, Width::Uniform));
    let inputs = [row, row, row, row, one, one, one, one];
    Program::updating(&inputs, &steps, &[2, 6, 11]).unwrap()
}

/// Holds the code of several results against the interpreter, for arrays of `n` values.
fn compare_updates(n: usize, level: Level) {
    let mut random = Random::new(4);
    let program = adam();
    let start = [0; 3].map(|_| random.array(DType::F32, &[n]));
    let gradient = random.array(DType::F32, &[n]);
    let numbers = [0.1f32, 0.001, 0.01, 1e-7].map(Array::scalar);
    let others: Vec<&Array> = [&gradient].into_iter().chain(&numbers).collect();
    let [interpreted, code] = [None, Some(0)].map(|jumps| {
        compile_words_after(jumps);
        let [mut m, mut v, mut p] = start.clone();
        let mut arrays = [&mut m, &mut v, &mut p];
        program.update(&mut arrays, &others).unwrap();
        arrays.map(|array| values(array))
    });
    assert_eq!(interpreted, code, "{n} {level:?}");
    assert_eq!(program.has_code(), level >= Level::Avx2);
}

#[test]
fn several_results_are_one_pass_at_every_level() {
    let _alone = alone();
    for n in [1, 7, 8, 1000, 70_001] {
        for level in Level::supported() {
            with_level(level, || compare_updates(n, level));
        }
    }
}

/// `select(x % d == 0, x / d, x * y)`.
fn divisions() -> Program {
    use Operand::{Input, Step as Of};
    let steps = [
        step(ElementOp::Rem, &[Input(0), Input(1)]),
        step(ElementOp::Equal, &[Of(0), Input(2)]),
        step(ElementOp::Div, &[Input(0), Input(1)]),
        step(ElementOp::Mul, &[Input(0), Input(3)]),
        step(ElementOp::Select, &[Of(1), Of(2), Of(3)]),
    ];
    Program::new(&[DType::I32; 4], &steps).unwrap()
}

#[test]
fn code_knows_the_divisor_and_runs_for_no_other() {
    with_vectors(|| {
        let x = Random::new(5).array(DType::I32, &[1003]);
        let program = divisions();
        for divisor in [2, 4, 2, 3, 0, -1, i32::MIN, 2] {
            let numbers = [divisor, 0, 3].map(Array::scalar);
            let inputs: Vec<&Array> = [&x].into_iter().chain(&numbers).collect();
            let [interpreted, code] = both(&program, &inputs, &Array::default());
            assert_eq!(interpreted, code, "{divisor}");
            assert_eq!(code.is_err(), divisor == 0, "{code:?}");
            assert!(program.has_code());
        }
        // Numbers that aren't powers of two are left to the interpreter, and so is the error.
        for divisor in [3, 0] {
            let program = divisions();
            let numbers = [divisor, 0, 3].map(Array::scalar);
            let inputs: Vec<&Array> = [&x].into_iter().chain(&numbers).collect();
            let [interpreted, code] = both(&program, &inputs, &Array::default());
            assert_eq!(interpreted, code);
            assert!(!program.has_code());
        }
    });
}

#[test]
fn large_results_are_stored_past_the_caches() {
    with_vectors(|| {
        let n = (16 << 20) / 4 + 13;
        let program = Program::new(&[DType::F32; 3], &chain()).unwrap();
        let mut random = Random::new(6);
        let inputs = [&[n][..], &[n], &[]].map(|shape| random.array(DType::F32, shape));
        // There is a result already, whose place is taken.
        let out = Array::zeros(DType::F32, &[n]);
        let [interpreted, code] = both(&program, &inputs.each_ref(), &out);
        assert!(interpreted == code);
        assert!(program.has_code());
    });
}

#[test]
fn a_chain_becomes_code_when_it_has_run_for_long_enough() {
    with_vectors(|| {
        let x = Random::new(7).array(DType::F32, &[10]);
        let program = Program::new(&[DType::F32; 3], &chain()).unwrap();
        let run = || {
            let mut out = Array::default();
            program.run(&[Some(&x); 3], &mut out).unwrap();
            program.has_code()
        };
        compile_words_after(None);
        assert!(!run());
        compile_words_after(Some(50));
        let runs = (1..1000).find(|_| run());
        assert!(runs.is_some_and(|runs| runs > 5), "{runs:?}");
    });
}

#[test]
fn rolled_inputs_are_put_together_for_code() {
    with_vectors(|| {
        for shape in [&[40][..], &[3, 50], &[60, 64]] {
            let steps = [
                step(ElementOp::Add, &[Operand::Input(0), Operand::Input(1)]),
                step(ElementOp::Mul, &[Operand::Step(0), Operand::Input(0)]),
            ];
            let program = Program::new(&[DType::F32; 2], &steps).unwrap();
            let program = program.known(&[shape; 2]).with_roll(1, shape.len() - 1);
            let program = program.unwrap();
            let mut random = Random::new(shape.len() as u64);
            let [x, y] = [(); 2].map(|()| random.array(DType::F32, shape));
            for shift in [0, 1, -1, 33] {
                let shift = Array::new(&[1], vec![shift]);
                let [interpreted, code] = both(&program, &[&x, &y, &shift], &Array::default());
                assert_eq!(interpreted, code, "{shape:?}");
            }
            assert!(program.has_code());
        }
        compile_words_after(None);
    });
}

#[test]
fn large_results_of_single_functions_are_those_of_the_kernels() {
    // Stored past the caches, from the second run on, which has the memory of the first.
    let cases = [
        (ElementOp::Relu, DType::F32, 1),
        (ElementOp::Add, DType::F32, 2),
        (ElementOp::Mul, DType::F64, 2),
        (ElementOp::BitXor, DType::I32, 2),
        (ElementOp::Greater, DType::F32, 2),
    ];
    with_vectors(|| {
        for (seed, (op, dtype, arity)) in cases.into_iter().enumerate() {
            let mut random = Random::new(seed as u64);
            let len = (12 << 20) / dtype.bytes() + 37;
            let few: Vec<u64> = (0..1009).map(|_| random.word(dtype)).collect();
            let all: Vec<u64> = few.iter().copied().cycle().take(len).collect();
            let x = array(dtype, &[len], &all);
            let one = random.array(dtype, &[]);
            for others in [[&x], [&one]] {
                let operands: Vec<&Array> = [&x, others[0]][..arity].to_vec();
                compile_words_after(None);
                let mut expected = Array::default();
                graph_kernels::elementwise(op, &operands, &mut expected).unwrap();
                compile_words_after(Some(0));
                let mut out = Array::default();
                for _ in 0..2 {
                    graph_kernels::elementwise(op, &operands, &mut out).unwrap();
                    assert!(same(&out, &expected), "{op:?} {dtype}");
                }
            }
        }
        compile_words_after(None);
    });
}

/// Whether two arrays have the same bits at many places, where all NaNs are one.
fn same(a: &Array, b: &Array) -> bool {
    let word = |array: &Array, n| comparable(array.dtype(), array.word_at(n).unwrap());
    let places = (0..a.len()).step_by(61);
    let mut places = places.chain(a.len().saturating_sub(200)..a.len());
    a.shape() == b.shape() && places.all(|n| word(a, n) == word(b, n))
}
