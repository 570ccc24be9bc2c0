//! Random word programs: nested loops, branches and switches over values of all dtypes, whose registers are used again for other dtypes.

use graph_kernels::codegen::{MemoryTypes, WordSource};
use graph_kernels::{
    Array, DType, ElementOp, List, Memory, REGISTERS, Register, Registers, Rows, WordStep,
};
use smallvec::SmallVec;

use super::functions::functions;
use super::{DTYPES, words};

/// The registers that programs compute with. Those behind are for the counters of loops and for constants.
const COMPUTED: usize = 24;
const COUNTERS: usize = 32;
const LIMITS: usize = 64;
/// The constants 1, 0 and others.
const ONE: Register = 128;
const CONSTANTS: [(Register, u64); 3] = [(ONE, 1), (129, 0), (130, 4)];

/// A program with the registers and arrays that it begins with.
pub struct Case {
    pub source: WordSource,
    pub registers: Registers,
    pub arrays: Vec<Array>,
    /// The arrays of its lists, with their dtypes and the shapes of their rows.
    pub lists: Vec<(Array, DType, Vec<usize>)>,
}

impl Case {
    /// The lists before a run.
    pub fn lists(&self) -> Vec<List> {
        let lists = self.lists.iter();
        lists
            .map(|(array, dtype, row)| List::new(array.clone(), *dtype, row).unwrap())
            .collect()
    }

    /// The types of its arrays and lists.
    pub fn types(&self) -> MemoryTypes {
        let arrays: Vec<&Array> = self.arrays.iter().collect();
        MemoryTypes::of(&Memory {
            arrays: &arrays,
            lists: &mut self.lists(),
        })
    }
}

/// The numbers of a linear congruential generator.
pub struct Draws(u64);

impl Draws {
    pub fn of(seed: u64) -> Draws {
        Draws(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// The dtype of each register's value; `None` where nothing is read.
type Types = [Option<DType>; COMPUTED];

struct Writer {
    draws: Draws,
    functions: Vec<(ElementOp, DType, &'static [DType], DType)>,
    steps: Vec<WordStep>,
    types: Types,
    /// The registers that keep their dtypes, because a loop around reads them again.
    kept: [bool; COMPUTED],
    arrays: Vec<DType>,
    /// The dtypes of the lists, and how many values their rows have. The last one is only read, the others are only written.
    lists: Vec<(DType, usize)>,
    loops: usize,
}

/// The program of a seed.
pub fn case(seed: u64) -> Case {
    case_of(seed, Vec::new())
}

/// The program of a seed, with lists.
pub fn case_with_lists(seed: u64) -> Case {
    let open = Array::zeros(
        DType::F32,
        &[[3].as_slice(), &graph_kernels::NO_SHAPE].concat(),
    );
    let read = Array::new(
        &[4, 2],
        vec![1.5f64, -0.0, 2.0, f64::NAN, 0.1, 7.0, -3.0, 1e300],
    );
    let lists = vec![
        (Array::zeros(DType::I64, &[0]), DType::I64, vec![]),
        (open, DType::F32, vec![1, 3]),
        (Array::zeros(DType::Bool, &[4]), DType::Bool, vec![]),
        (read, DType::F64, vec![2]),
    ];
    case_of(seed, lists)
}

fn case_of(seed: u64, lists: Vec<(Array, DType, Vec<usize>)>) -> Case {
    let mut draws = Draws::of(seed);
    let mut registers = [0; REGISTERS];
    let mut types = [None; COMPUTED];
    for (register, ty) in types.iter_mut().enumerate() {
        if draws.below(4) > 0 {
            let dtype = draws.one(&DTYPES);
            registers[register] = draws.one(&words(dtype));
            *ty = Some(dtype);
        }
    }
    for limit in &mut registers[LIMITS..2 * LIMITS] {
        *limit = draws.below(6) as u64;
    }
    let arrays = vec![
        Array::new(&[5], vec![3i64, -1, 0, i64::MAX, 4]),
        Array::new(&[3], vec![0.5f32, f32::NAN, -2.0]),
        Array::new(&[4], vec![true, false, false, true]),
    ];
    let mut writer = Writer {
        functions: functions().collect(),
        steps: Vec::new(),
        types,
        kept: [false; COMPUTED],
        arrays: arrays.iter().map(Array::dtype).collect(),
        lists: lists
            .iter()
            .map(|(_, dtype, row)| (*dtype, row.iter().product()))
            .collect(),
        loops: 0,
        draws,
    };
    writer.statements(3);
    let types = writer.types.iter().enumerate();
    let results = types.filter_map(|(register, ty)| Some((register as Register, (*ty)?)));
    Case {
        source: WordSource {
            results: results.collect(),
            steps: writer.steps,
            constants: CONSTANTS.to_vec(),
        },
        registers,
        arrays,
        lists,
    }
}

impl Writer {
    fn statements(&mut self, depth: usize) {
        for _ in 0..2 + self.draws.below(4) {
            if !self.lists.is_empty() && self.draws.below(3) == 0 {
                self.list();
                continue;
            }
            match self.draws.below(12) {
                0 | 1 if depth > 0 => self.branch(depth - 1),
                2 if depth > 0 => self.switch(depth - 1),
                3 | 4 if depth > 0 => self.repeat(depth - 1),
                5 => self.read(),
                6 => self.moved(),
                7 => self.assert(),
                _ => self.apply(),
            }
        }
    }

    /// A register with a value of a dtype.
    fn operand(&mut self, dtype: DType) -> Option<Register> {
        let types = self.types.iter().enumerate();
        let mut all: Vec<Register> = types
            .filter(|(_, ty)| **ty == Some(dtype))
            .map(|(register, _)| register as Register)
            .collect();
        if matches!(dtype, DType::I32 | DType::I64) {
            all.extend(CONSTANTS.map(|(register, _)| register));
        }
        (!all.is_empty()).then(|| self.draws.one(&all))
    }

    /// A register that may receive a value of a dtype.
    fn target(&mut self, dtype: DType) -> Option<Register> {
        let places = (0..COMPUTED).filter(|n| !self.kept[*n] || self.types[*n] == Some(dtype));
        let places: Vec<usize> = places.collect();
        if places.is_empty() {
            return None;
        }
        let register = self.draws.one(&places);
        self.types[register] = Some(dtype);
        Some(register as Register)
    }

    fn apply(&mut self) {
        let (op, dtype, dtypes, output) = {
            let n = self.draws.below(self.functions.len());
            self.functions[n]
        };
        let operands = dtypes.iter().map(|dtype| self.operand(*dtype)).collect();
        if let Some(operands) = operands
            && let Some(to) = self.target(output)
        {
            self.steps.push(WordStep::Apply {
                op,
                dtype,
                operands,
                to,
            });
        }
    }

    fn read(&mut self) {
        let dtype = self.draws.one(&[DType::I32, DType::I64]);
        let array = self.draws.below(self.arrays.len());
        if let Some(index) = self.operand(dtype)
            && let Some(to) = self.target(self.arrays[array])
        {
            let from = Rows::Array(array as u8);
            self.steps.push(WordStep::Read {
                element: 0,
                from,
                index,
                dtype,
                to,
            });
        }
    }

    /// A step that programs without lists haven't.
    fn list(&mut self) {
        let list = self.draws.below(self.lists.len());
        let (dtype, size) = self.lists[list];
        let position = self.draws.one(&[DType::I32, DType::I64]);
        // Not far behind the end, where there is no memory.
        let Some(index) = self.operand(position).filter(|index| *index >= ONE) else {
            return self.mul_add();
        };
        if list + 1 < self.lists.len() {
            let from: Option<SmallVec<[Register; 4]>> =
                (0..size).map(|_| self.operand(dtype)).collect();
            if let Some(from) = from {
                self.steps.push(WordStep::Write {
                    list: list as u8,
                    index,
                    dtype: position,
                    from,
                    grows: self.draws.below(8) > 0,
                });
            }
        } else if let Some(to) = self.target(dtype) {
            self.steps.push(WordStep::Read {
                from: Rows::List(list as u8),
                element: self.draws.below(size) as u16,
                index,
                dtype: position,
                to,
            });
        }
    }

    fn mul_add(&mut self) {
        let dtype = self.draws.one(&[DType::F32, DType::F64]);
        let operands: Option<Vec<Register>> = (0..3).map(|_| self.operand(dtype)).collect();
        if let Some(operands) = operands
            && let Some(to) = self.target(dtype)
        {
            self.steps.push(WordStep::MulAdd {
                dtype,
                operands: [operands[0], operands[1], operands[2]],
                to,
            });
        }
    }

    fn moved(&mut self) {
        let dtype = self.draws.one(&DTYPES);
        if let Some(from) = self.operand(dtype)
            && let Some(to) = self.target(dtype)
        {
            self.steps.push(WordStep::Move { to, from });
        }
        let same: Vec<Register> = (0..COMPUTED as Register)
            .filter(|n| self.types[usize::from(*n)] == Some(dtype))
            .collect();
        if same.len() > 1 && self.draws.below(2) == 0 {
            let pair = [self.draws.one(&same), self.draws.one(&same)];
            self.steps.push(WordStep::Swap(pair[0], pair[1]));
        }
    }

    /// An assertion that two values are equal or differ. Most of them hold.
    fn assert(&mut self) {
        if self.draws.below(3) == 0
            && let Some(condition) = self.operand(DType::Bool)
        {
            self.steps.push(WordStep::Assert(condition));
        }
    }

    /// A conditional jump whose target is set later.
    fn condition(&mut self) -> Option<usize> {
        let tests: Vec<(ElementOp, DType)> = self
            .functions
            .iter()
            .map(|(op, dtype, ..)| (*op, *dtype))
            .filter(|(op, dtype)| op.is_test(*dtype))
            .collect();
        let (op, dtype) = self.draws.one(&tests);
        let operands = [self.operand(dtype)?, self.operand(dtype)?];
        let step = match (self.draws.below(3), self.operand(DType::Bool)) {
            (0, Some(condition)) => WordStep::Unless {
                condition,
                target: 0,
            },
            _ => WordStep::UnlessHolds {
                op,
                dtype,
                operands,
                target: 0,
            },
        };
        self.steps.push(step);
        Some(self.steps.len() - 1)
    }

    fn aim(&mut self, at: usize, number: usize) {
        let here = self.steps.len();
        self.steps[at].targets_mut()[number] = here;
    }

    /// What is known after two ways: what is of the same dtype in both.
    fn meet(&mut self, other: &Types) {
        for (ty, other) in self.types.iter_mut().zip(other) {
            if ty != other {
                *ty = None;
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let Some(jump) = self.condition() else { return };
        let before = self.types;
        match self.draws.below(2) {
            0 => self.apply(),
            _ => self.statements(depth),
        }
        if self.draws.below(2) == 0 {
            self.aim(jump, 0);
            return self.meet(&before);
        }
        self.steps.push(WordStep::Jump(0));
        let end = self.steps.len() - 1;
        self.aim(jump, 0);
        let then = std::mem::replace(&mut self.types, before);
        self.apply();
        self.meet(&then);
        self.aim(end, 0);
    }

    fn switch(&mut self, depth: usize) {
        let Some(index) = self.operand(DType::I32) else {
            return;
        };
        let ways = 1 + self.draws.below(3);
        let switch = self.steps.len();
        self.steps.push(WordStep::Switch {
            index,
            targets: vec![0; ways],
        });
        let before = self.types;
        let mut after = None::<Types>;
        let mut ends = Vec::new();
        for way in 0..ways {
            self.aim(switch, way);
            self.types = before;
            self.statements(depth.min(1));
            if let Some(other) = after {
                self.meet(&other);
            }
            after = Some(self.types);
            ends.push(self.steps.len());
            self.steps.push(WordStep::Jump(0));
        }
        ends.iter().for_each(|end| self.aim(*end, 0));
    }

    /// A loop of a few iterations, some of which are left in the middle.
    fn repeat(&mut self, depth: usize) {
        let (counter, limit) = (COUNTERS + self.loops, LIMITS + self.loops);
        if self.loops == COUNTERS {
            return;
        }
        self.loops += 1;
        let [counter, limit] = [counter, limit].map(|register| register as Register);
        self.steps.push(WordStep::Move {
            to: counter,
            from: 129,
        });
        let (before, kept) = (self.types, self.kept);
        for (kept, ty) in self.kept.iter_mut().zip(before) {
            *kept |= ty.is_some();
        }
        let head = self.steps.len();
        self.steps.push(WordStep::UnlessHolds {
            op: ElementOp::Less,
            dtype: DType::I64,
            operands: [counter, limit],
            target: 0,
        });
        self.statements(depth);
        let leave = (self.draws.below(2) == 0)
            .then(|| self.condition())
            .flatten();
        self.statements(0);
        self.steps.push(WordStep::Apply {
            op: ElementOp::Add,
            dtype: DType::I64,
            operands: [counter, ONE].into_iter().collect(),
            to: counter,
        });
        self.steps.push(WordStep::Jump(head));
        self.aim(head, 0);
        if let Some(leave) = leave {
            self.aim(leave, 0);
        }
        (self.types, self.kept) = (before, kept);
    }
}
