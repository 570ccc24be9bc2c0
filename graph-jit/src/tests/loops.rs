//! Random bound loops as machine code, held against their run step by step.

use std::sync::Arc;

use graph_kernels::BoundArray::{Changing, Fixed};
use graph_kernels::codegen::compile_words_after;
use graph_kernels::{
    Array, BoundArray, BoundEnd, BoundLoop, BoundStep, BoundWords, DType, Dims, ElementOp, Operand,
    Program, REGISTERS, ReduceOp, Step, WordProgram, WordStep, WrittenWords,
};
use smallvec::smallvec;

use super::chains::{Random, step, with_vectors};
use super::comparable;

// The arrays that stay the same: rows, a vector and a scalar.
const ROWS: BoundArray = Fixed(0);
const VECTOR: BoundArray = Fixed(1);
const SCALAR: BoundArray = Fixed(2);
// Those that change: the position, two vectors, a list of vectors, and a scalar.
const POSITION: usize = 0;
const FIRST: usize = 1;
const SECOND: usize = 2;
const LIST: usize = 3;
const NUMBER: usize = 4;

struct Case {
    dtype: DType,
    index: DType,
    /// The number of rows, and of values in each.
    rows: usize,
    len: usize,
    random: Random,
}

impl Case {
    fn new(seed: u64) -> Case {
        let mut random = Random::new(seed);
        Case {
            dtype: [DType::F32, DType::F64, DType::I32][seed as usize % 3],
            index: [DType::I32, DType::I64][random.below(2)],
            rows: 1 + random.below(30),
            len: [1 + random.below(40), 16, 32, 64, 100][random.below(5)],
            random,
        }
    }

    fn fixed(&mut self) -> Vec<Array> {
        let shapes = [vec![self.rows, self.len], vec![self.len], vec![]];
        let arrays = shapes
            .iter()
            .map(|shape| self.random.array(self.dtype, shape));
        arrays.collect()
    }

    fn changing(&mut self) -> Vec<Array> {
        let position = Array::of_word(self.index, 0);
        let shapes = [
            vec![self.len],
            vec![self.len],
            vec![self.rows, self.len],
            vec![],
        ];
        let others = shapes
            .iter()
            .map(|shape| self.random.array(self.dtype, shape));
        [position].into_iter().chain(others).collect()
    }

    /// A chain of some functions over what there is, to one of the vectors.
    fn chain(&mut self) -> BoundStep {
        let to = [FIRST, SECOND][self.random.below(2)];
        let all = [
            ROWS,
            VECTOR,
            SCALAR,
            Changing(FIRST),
            Changing(SECOND),
            Changing(LIST),
            Changing(NUMBER),
        ];
        // The first input has a value for each element.
        let first = [VECTOR, Changing(FIRST), Changing(SECOND), ROWS][self.random.below(4)];
        let others = (0..self.random.below(3)).map(|_| all[self.random.below(all.len())]);
        let arrays: Vec<BoundArray> = [first].into_iter().chain(others).collect();
        let count = arrays.len();
        let row = arrays
            .iter()
            .position(|a| [ROWS, Changing(LIST)].contains(a));
        // One input is read by rows; of others that would be, another one is taken.
        let mut arrays: Vec<BoundArray> = arrays;
        for (n, array) in arrays.iter_mut().enumerate() {
            if row != Some(n) && [ROWS, Changing(LIST)].contains(array) {
                *array = VECTOR;
            }
        }
        let scalars = |array: &BoundArray| [SCALAR, Changing(NUMBER)].contains(array);
        let shapes: Vec<Vec<usize>> = arrays
            .iter()
            .map(|array| {
                if scalars(array) {
                    vec![]
                } else {
                    vec![self.len]
                }
            })
            .collect();
        let ops: &[ElementOp] = match self.dtype {
            DType::I32 => &[
                ElementOp::Add,
                ElementOp::Sub,
                ElementOp::Mul,
                ElementOp::Neg,
                ElementOp::Maximum,
            ],
            _ => &[
                ElementOp::Add,
                ElementOp::Mul,
                ElementOp::Tanh,
                ElementOp::Maximum,
                ElementOp::Sqrt,
                ElementOp::Exp,
            ],
        };
        let mut steps: Vec<Step> = Vec::new();
        for n in 0..1 + self.random.below(4) {
            let op = ops[self.random.below(ops.len())];
            let operand = |random: &mut Random| match random.below(2) {
                0 if n > 0 => Operand::Step(random.below(n)),
                _ => Operand::Input(random.below(count)),
            };
            let operands: Vec<Operand> =
                (0..op.arity()).map(|_| operand(&mut self.random)).collect();
            steps.push(step(op, &operands));
        }
        let last = Operand::Step(steps.len() - 1);
        steps.push(step(ElementOp::Add, &[last, Operand::Input(0)]));
        let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
        let mut program = Program::new(&vec![self.dtype; count], &steps)
            .unwrap()
            .known(&shapes);
        let place = |array: &BoundArray| (*array != Changing(to)).then_some(*array);
        let mut inputs: Vec<Option<BoundArray>> = arrays.iter().map(place).collect();
        if let Some(row) = row {
            let of_list = arrays[row] == Changing(LIST);
            program = program.with_row(row, 1, of_list);
            inputs.push(Some(Changing(POSITION)));
        }
        BoundStep::Chain {
            program: Arc::new(program),
            inputs,
            to,
        }
    }

    /// Adds 1 to the position, or takes 2 from it, and squares the number; leaves the loop at a limit.
    fn count(&mut self, limit: u64) -> BoundStep {
        let apply = |op, dtype, operands, to| WordStep::Apply {
            op,
            dtype,
            operands,
            to,
        };
        let steps = [
            apply(ElementOp::Add, self.index, smallvec![0, 1], 0),
            apply(ElementOp::Less, self.index, smallvec![0, 2], 3),
            apply(ElementOp::Mul, self.dtype, smallvec![4, 4], 4),
        ];
        let results = [(0, self.index), (3, DType::Bool), (4, self.dtype)];
        let program = WordProgram::with_results(&steps, &[(1, 1), (2, limit)], &results).unwrap();
        let written = |to, dtype, register| WrittenWords {
            to,
            dtype,
            shape: Dims::new(),
            registers: smallvec![register],
        };
        BoundStep::Words(BoundWords {
            program: Arc::new(program),
            inputs: vec![(Changing(POSITION), None, 0), (Changing(NUMBER), None, 4)],
            arrays: vec![],
            outputs: vec![
                written(POSITION, self.index, 0),
                written(NUMBER, self.dtype, 4),
            ],
            leaves_unless: Some(3),
        })
    }

    fn steps(&mut self) -> Vec<BoundStep> {
        let mut steps = Vec::new();
        for _ in 0..1 + self.random.below(6) {
            let vector = |random: &mut Random| [FIRST, SECOND][random.below(2)];
            steps.push(match self.random.below(8) {
                3 => BoundStep::Row {
                    from: [ROWS, Changing(LIST)][self.random.below(2)],
                    positions: vec![Changing(POSITION)],
                    to: vector(&mut self.random),
                },
                4 => BoundStep::Reduce {
                    op: [ReduceOp::Sum, ReduceOp::Max][self.random.below(2)],
                    axes: vec![-1],
                    from: [VECTOR, Changing(vector(&mut self.random))][self.random.below(2)],
                    to: NUMBER,
                },
                0 => BoundStep::Write {
                    list: LIST,
                    at: Changing(POSITION),
                    row: [VECTOR, Changing(vector(&mut self.random))][self.random.below(2)],
                },
                1 => BoundStep::Swap(FIRST, SECOND),
                2 => BoundStep::Copy {
                    to: FIRST,
                    from: [VECTOR, Changing(SECOND)][self.random.below(2)],
                },
                _ => self.chain(),
            });
        }
        // Sometimes the position leaves the rows before the loop ends.
        let limit = self.random.below(self.rows + 3) as u64;
        let at = self.random.below(steps.len() + 1);
        steps.insert(at, self.count(limit));
        steps
    }
}

/// The values of arrays as words, in which all NaNs are one.
fn words_of(arrays: &[Array]) -> Vec<Vec<u64>> {
    let words = |array: &Array| {
        let words = (0..array.len()).map(|n| array.word_at(n).unwrap());
        words.map(|word| comparable(array.dtype(), word)).collect()
    };
    arrays.iter().map(words).collect()
}

/// How a loop ends, and what its arrays are then, if it becomes code after so many jumps.
fn run(
    steps: &[BoundStep],
    fixed: &[Array],
    changing: &[Array],
    jumps: Option<u64>,
) -> (Option<BoundEnd>, Vec<Vec<u64>>, bool) {
    compile_words_after(jumps);
    let code = BoundLoop::new(steps.to_vec(), None);
    let fixed: Vec<&Array> = fixed.iter().collect();
    let mut changing = changing.to_vec();
    let end = code.run(
        &fixed,
        &mut changing.iter_mut().collect::<Vec<_>>(),
        &mut [0; REGISTERS],
    );
    (end, words_of(&changing), code.has_code())
}

#[test]
fn random_loops_give_the_bits_of_their_steps() {
    with_vectors(|| {
        let (mut stops, mut ends) = (0, 0);
        for seed in 0..200 {
            let mut case = Case::new(seed);
            let (fixed, changing, steps) = (case.fixed(), case.changing(), case.steps());
            let (end, expected, _) = run(&steps, &fixed, &changing, None);
            // From the first iteration on, and from a later one.
            for jumps in [0, 20] {
                let (ended, values, has_code) = run(&steps, &fixed, &changing, Some(jumps));
                assert_eq!(ended, end, "{seed}: {steps:?}");
                assert_eq!(values, expected, "{seed}: {steps:?}");
                assert!(has_code || jumps > 0, "{seed}: {steps:?}");
            }
            match end.unwrap().stopped {
                Some(_) => stops += 1,
                None => ends += 1,
            }
        }
        assert!(stops > 10 && ends > 60, "{stops} {ends}");
        compile_words_after(None);
    });
}

/// `h = tanh(h w + x[i])`, as in a recurrent network, and `i` counts.
#[test]
fn products_are_called_with_the_chains_behind_them() {
    with_vectors(|| {
        for n in [1, 5, 16, 40] {
            let mut random = Random::new(n as u64);
            let fixed = [[n, n], [12, n]].map(|shape| random.array(DType::F32, &shape));
            let fixed = [fixed[0].clone(), fixed[1].clone().reshaped(&[12, 1, n])];
            let changing = [
                Array::of_word(DType::I32, 0),
                random.array(DType::F32, &[1, n]),
                random.array(DType::F32, &[1, n]),
            ];
            let steps = [
                step(ElementOp::Add, &[Operand::Input(0), Operand::Input(1)]),
                step(ElementOp::Tanh, &[Operand::Step(0)]),
            ];
            let chain = Program::new(&[DType::F32; 2], &steps).unwrap();
            let chain = chain.known(&[&[1, n], &[1, n]]).with_row(1, 1, false);
            let product = BoundStep::Product {
                operands: [Changing(1), Fixed(0)],
                transposed: [false, false],
                behind: Some((
                    Arc::new(chain),
                    vec![None, Some(Fixed(1)), Some(Changing(0))],
                )),
                to: 2,
            };
            let apply = |op, operands, to| WordStep::Apply {
                op,
                dtype: DType::I32,
                operands,
                to,
            };
            // Once with the end at the last row, and once with the error of a row that isn't there.
            for limit in [12, 20] {
                let words = [
                    apply(ElementOp::Add, smallvec![0, 1], 0),
                    apply(ElementOp::Less, smallvec![0, 2], 3),
                ];
                let results = [(0, DType::I32), (3, DType::Bool)];
                let program = WordProgram::with_results(&words, &[(1, 1), (2, limit)], &results);
                let count = BoundStep::Words(BoundWords {
                    program: Arc::new(program.unwrap()),
                    inputs: vec![(Changing(0), None, 0)],
                    arrays: vec![],
                    outputs: vec![WrittenWords {
                        to: 0,
                        dtype: DType::I32,
                        shape: Dims::new(),
                        registers: smallvec![0],
                    }],
                    leaves_unless: Some(3),
                });
                let steps = [product.clone(), BoundStep::Swap(1, 2), count];
                let (end, expected, _) = run(&steps, &fixed, &changing, None);
                let (ended, values, has_code) = run(&steps, &fixed, &changing, Some(0));
                assert_eq!((ended, &values), (end, &expected), "{n}");
                assert!(has_code);
                assert_eq!(end.unwrap().stopped.is_some(), limit == 20);
            }
        }
        compile_words_after(None);
    });
}
