//! Random loops whose iterations are independent: bodies of branches, loops and functions over values of several dtypes.

use smallvec::smallvec;

use super::{COUNTER, Case, LIMIT, ONE, ZERO, apply, unless};
use crate::element::ElementOp;
use crate::words::codegen::WordSource;
use crate::words::{REGISTERS, Register, Rows, WordStep};
use crate::{Array, DType};

/// The dtypes of the registers that bodies compute with, and the first register of each.
const KINDS: [(DType, Register); 5] = [
    (DType::F64, 10),
    (DType::F32, 20),
    (DType::I32, 30),
    (DType::I64, 40),
    (DType::Bool, 50),
];
/// How many registers there are of each.
const EACH: usize = 4;
/// The registers of counters of loops inside, and constants.
const INNER: Register = 60;
const CONSTANTS: [(Register, u64); 5] = [
    (ZERO, 0),
    (ONE, 1),
    (202, 7),
    (203, 0x3ff8_0000_0000_0000),
    (204, 0x3f00_0000),
];

const FUNCTIONS: [(ElementOp, DType); 26] = [
    (ElementOp::Add, DType::F64),
    (ElementOp::Mul, DType::F64),
    (ElementOp::Div, DType::F64),
    (ElementOp::Abs, DType::F64),
    (ElementOp::Sqrt, DType::F64),
    (ElementOp::Sin, DType::F64),
    (ElementOp::Maximum, DType::F64),
    (ElementOp::Select, DType::F64),
    (ElementOp::Less, DType::F64),
    (ElementOp::ToF32, DType::F64),
    (ElementOp::Sub, DType::F32),
    (ElementOp::Mul, DType::F32),
    (ElementOp::Tanh, DType::F32),
    (ElementOp::ToI32, DType::F32),
    (ElementOp::ToF64, DType::F32),
    (ElementOp::GreaterEqual, DType::F32),
    (ElementOp::Add, DType::I32),
    (ElementOp::Mul, DType::I32),
    (ElementOp::BitXor, DType::I32),
    (ElementOp::ToI64, DType::I32),
    (ElementOp::Less, DType::I32),
    (ElementOp::Sub, DType::I64),
    (ElementOp::Select, DType::I64),
    (ElementOp::ToF64, DType::I64),
    (ElementOp::LogicalAnd, DType::Bool),
    (ElementOp::LogicalNot, DType::Bool),
];

/// The functions among them, and a few others, that code with masks can have.
const MASKED: [(ElementOp, DType); 16] = [
    (ElementOp::Add, DType::F64),
    (ElementOp::Mul, DType::F64),
    (ElementOp::Div, DType::F64),
    (ElementOp::Abs, DType::F64),
    (ElementOp::Sqrt, DType::F64),
    (ElementOp::Maximum, DType::F64),
    (ElementOp::Select, DType::F64),
    (ElementOp::Less, DType::F64),
    (ElementOp::Sub, DType::F32),
    (ElementOp::Mul, DType::F32),
    (ElementOp::GreaterEqual, DType::F32),
    (ElementOp::Add, DType::I32),
    (ElementOp::BitXor, DType::I32),
    (ElementOp::Less, DType::I32),
    (ElementOp::LogicalAnd, DType::Bool),
    (ElementOp::LogicalNot, DType::Bool),
];

struct Writer {
    /// Whether code with masks can have all steps.
    masked: bool,
    state: u64,
    steps: Vec<WordStep>,
    loops: u8,
    /// True if no jump depends on the lane.
    together: bool,
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % n
    }

    fn register(&mut self, dtype: DType) -> Register {
        let (_, first) = KINDS.into_iter().find(|(kind, _)| *kind == dtype).unwrap();
        first + self.below(EACH) as Register
    }

    fn operand(&mut self, dtype: DType) -> Register {
        match (self.below(6), dtype) {
            (0, DType::F64) => 203,
            (0, DType::F32) => 204,
            (0, DType::I32 | DType::I64) => 202,
            (1, DType::I32) => COUNTER,
            _ => self.register(dtype),
        }
    }

    fn apply(&mut self) {
        let functions: &[(ElementOp, DType)] = match self.masked {
            true => &MASKED,
            false => &FUNCTIONS,
        };
        let (op, dtype) = functions[self.below(functions.len())];
        let (dtypes, output) = op.signature(dtype).unwrap();
        let operands: Vec<Register> = dtypes.iter().map(|dtype| self.operand(*dtype)).collect();
        let to = self.register(output);
        self.steps.push(apply(op, dtype, &operands, to));
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.below(5) {
            match self.below(10) {
                0 | 1 if depth > 0 => self.branch(depth - 1),
                2 | 3 if depth > 0 => self.repeat(depth - 1),
                4 => self.moved(),
                5 if !self.masked && self.below(12) == 0 => {
                    let condition = self.register(DType::Bool);
                    self.steps.push(WordStep::Assert(condition));
                }
                _ => self.apply(),
            }
        }
    }

    fn moved(&mut self) {
        let kinds = if self.masked { 3 } else { KINDS.len() };
        let (dtype, _) = KINDS[self.below(kinds)];
        let [a, b] = [self.register(dtype), self.register(dtype)];
        let step = match self.below(2) {
            0 => WordStep::Move { to: a, from: b },
            _ => WordStep::Swap(a, b),
        };
        self.steps.push(step);
    }

    /// A conditional jump whose target is set later.
    fn condition(&mut self) -> usize {
        let at = self.steps.len();
        let step = match self.below(3) {
            _ if self.together => unless(ElementOp::Less, DType::I32, [202, LIMIT], 0),
            0 => WordStep::Unless {
                condition: self.register(DType::Bool),
                target: 0,
            },
            1 => unless(
                ElementOp::Less,
                DType::F64,
                [self.operand(DType::F64), self.operand(DType::F64)],
                0,
            ),
            _ => unless(
                ElementOp::NotEqual,
                DType::I32,
                [self.operand(DType::I32), self.operand(DType::I32)],
                0,
            ),
        };
        self.steps.push(step);
        at
    }

    fn aim(&mut self, at: usize) {
        let here = self.steps.len();
        self.steps[at].targets_mut()[0] = here;
    }

    fn branch(&mut self, depth: usize) {
        let jump = self.condition();
        self.statements(depth);
        if self.below(2) == 0 {
            return self.aim(jump);
        }
        let end = self.steps.len();
        self.steps.push(WordStep::Jump(0));
        self.aim(jump);
        self.statements(depth);
        self.aim(end);
    }

    /// A loop of up to seven iterations, as many as a value of the lane says; some break.
    fn repeat(&mut self, depth: usize) {
        let [counter, limit] = [INNER + self.loops, INNER + self.loops + 1];
        self.loops += 2;
        self.steps.push(WordStep::Move {
            to: counter,
            from: ZERO,
        });
        let bound = match self.together {
            true => 202,
            false => self.register(DType::I32),
        };
        let and = apply(ElementOp::BitAnd, DType::I32, &[bound, 202], limit);
        self.steps.push(and);
        let head = self.steps.len();
        let test = unless(ElementOp::Less, DType::I32, [counter, limit], 0);
        self.steps.push(test);
        self.statements(depth);
        let leaves = (self.below(2) == 0).then(|| self.condition());
        self.apply();
        let count = apply(ElementOp::Add, DType::I32, &[counter, ONE], counter);
        self.steps.extend([count, WordStep::Jump(head)]);
        self.aim(head);
        if let Some(leaves) = leaves {
            self.aim(leaves);
        }
    }

    /// Reads values of the iteration, and gives all registers values.
    fn begin(&mut self) {
        for (dtype, first) in KINDS {
            for n in 0..EACH as Register {
                let to = first + n;
                let read = |from, element, to| WordStep::Read {
                    from,
                    element,
                    index: COUNTER,
                    dtype: DType::I32,
                    to,
                };
                self.steps.push(match dtype {
                    DType::F64 if n < 2 => read(Rows::Array(0), n.into(), to),
                    DType::I32 => read(Rows::Fixed(1), n.into(), to),
                    DType::F64 => apply(ElementOp::ToF64, DType::I32, &[COUNTER], to),
                    DType::F32 => apply(ElementOp::ToF32, DType::F64, &[10 + n], to),
                    DType::I64 => apply(ElementOp::ToI64, DType::I32, &[30 + n], to),
                    _ => apply(ElementOp::Less, DType::F64, &[10, 203], to),
                });
            }
        }
    }

    /// Writes what the iteration has computed.
    fn end(&mut self) {
        let grows = self.below(2) == 0;
        self.steps.push(WordStep::Write {
            list: 0,
            index: COUNTER,
            dtype: DType::I32,
            from: smallvec![10, 11, 12, 13],
            grows,
        });
        for (list, from) in [(1, 20), (2, 30), (3, 41)] {
            self.steps.push(WordStep::WriteAt {
                list,
                element: COUNTER,
                index: ONE,
                dtype: DType::I64,
                from,
                grows: true,
            });
        }
    }
}

/// The program of a seed, with this number of iterations.
pub fn case(seed: u64, count: usize) -> Case {
    case_of(seed, count, false)
}

/// As [`case`]; `masked` asks for one that may become code with masks, and in which lanes go different ways.
pub fn case_of(seed: u64, count: usize, masked: bool) -> Case {
    let mut writer = Writer {
        masked,
        state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        steps: Vec::new(),
        loops: 0,
        together: !masked && seed.is_multiple_of(3),
    };
    writer.steps.push(WordStep::Move {
        to: COUNTER,
        from: ZERO,
    });
    writer
        .steps
        .push(unless(ElementOp::Less, DType::I32, [COUNTER, LIMIT], 0));
    writer.begin();
    writer.statements(3);
    writer.end();
    let count_up = apply(ElementOp::Add, DType::I32, &[COUNTER, ONE], COUNTER);
    writer.steps.extend([count_up, WordStep::Jump(1)]);
    writer.aim(1);
    let mut registers = [0; REGISTERS];
    registers[usize::from(LIMIT)] = count as u64;
    let specials = [1.5, -0.0, f64::NAN, f64::INFINITY, -2.25, 1e-310, 1e300];
    let floats = (0..2 * count).map(|n| specials[n % 7] * (n % 11) as f64);
    let ints = (0..EACH * count).map(|n| (n * 2_654_435_761 % 1013) as i32 - 200);
    Case {
        source: WordSource {
            steps: writer.steps,
            constants: CONSTANTS.to_vec(),
            results: vec![(COUNTER, DType::I32)],
        },
        registers,
        arrays: vec![
            Array::new(&[count, 2], floats.collect::<Vec<f64>>()),
            Array::new(&[count, EACH], ints.collect::<Vec<i32>>()),
        ],
        lists: vec![
            (Array::zeros(DType::F64, &[count, 4]), vec![4]),
            (Array::zeros(DType::F32, &[2, count]), vec![count]),
            (Array::zeros(DType::I32, &[1, count]), vec![count]),
            (Array::zeros(DType::I64, &[2, count]), vec![count]),
        ],
    }
}
