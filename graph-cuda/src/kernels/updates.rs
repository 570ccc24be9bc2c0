//! Updates of variables: one kernel computes the new values of many arrays, of which each piece of the work is a few that belong together, such as a
//! parameter and its moments. Each block of threads belongs to one piece.

use graph_kernels::DType;

use super::chain::{Access, Addresses, Input, Step, Walk, store_neighbours, values};
use super::map::{LANES, THREADS};
use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Launch};
use crate::ptx::{self, Code, Label, Reg, Width};

/// The most parameters of a launch; a driver takes 4096 bytes of them.
const MOST_PARAMETERS: usize = 500;

/// The new values of some arrays of one shape.
pub struct Piece<'a> {
    /// The sizes of the arrays' axes.
    pub shape: &'a [usize],
    /// What is computed for each element.
    pub steps: Vec<Step>,
    /// The steps that are new values, with their dtypes.
    pub results: Vec<(usize, DType)>,
    /// The operands of the steps.
    pub inputs: Vec<Input<'a>>,
    /// Where the new values are written, in the order of the results.
    pub outputs: Vec<&'a Buffer>,
}

/// What is computed for each element of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Rule {
    operands: Vec<(DType, Access)>,
    steps: Vec<Step>,
    results: Vec<(usize, DType)>,
}

/// A kernel for some pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Updates {
    rules: Vec<Rule>,
    /// The rule of each piece.
    pieces: Vec<usize>,
    wide: bool,
}

impl Piece<'_> {
    fn walk(&self) -> Walk {
        Walk::new(self.shape, self.shape.len(), &self.inputs)
    }

    /// Whether the operands are numbers and arrays that lie as the new values do.
    pub fn is_simple(&self) -> bool {
        let lies_along = |access| matches!(access, Access::Value | Access::Same | Access::First);
        self.walk().accesses.into_iter().all(lies_along)
    }

    fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// How many parameters stand for the piece: where its blocks end, its number of elements, and its operands and results.
    fn parameters(&self) -> usize {
        2 + self.inputs.len() + self.outputs.len()
    }
}

/// The registers that a piece fills before the code of its rule runs.
struct Registers {
    code: Label,
    /// The first block of the piece, and the number of its blocks.
    first: Reg,
    blocks: Reg,
    count: Reg,
    operands: Vec<Reg>,
    outputs: Vec<Reg>,
}

impl Registers {
    fn new(code: &mut Code, rule: &Rule, index: Width) -> Registers {
        let operand = |(dtype, access): &(DType, Access)| match access {
            Access::Value => ptx::width(*dtype),
            _ => Width::Double,
        };
        let widths: Vec<Width> = rule.operands.iter().map(operand).collect();
        Registers {
            code: code.label(),
            first: code.register(index),
            blocks: code.register(index),
            count: code.register(index),
            operands: widths.into_iter().map(|w| code.register(w)).collect(),
            outputs: (0..rule.results.len())
                .map(|_| code.register(Width::Double))
                .collect(),
        }
    }
}

impl Updates {
    /// Adds a piece.
    fn add(&mut self, piece: &Piece<'_>) {
        let walk = piece.walk();
        let rule = Rule {
            operands: walk.operands(&piece.inputs),
            steps: piece.steps.clone(),
            results: piece.results.clone(),
        };
        let known = self.rules.iter().position(|known| *known == rule);
        self.pieces.push(known.unwrap_or(self.rules.len()));
        if known.is_none() {
            self.rules.push(rule);
        }
        self.wide |= walk.wide;
    }
}

impl Rule {
    /// Reads the parameters of a piece whose blocks begin with `first` and end before `end`.
    fn fill(&self, code: &mut Code, registers: &Registers, first: Reg, end: Reg) {
        let blocks = code.sub(end, first);
        code.assign(registers.first, first);
        code.assign(registers.blocks, blocks);
        let count = code.number(registers.count.width);
        code.assign(registers.count, count);
        for ((dtype, access), to) in self.operands.iter().zip(&registers.operands) {
            let operand = match access {
                Access::Value => code.scalar_parameter(*dtype),
                _ => code.address(),
            };
            code.assign(*to, operand);
        }
        for to in &registers.outputs {
            let output = code.address();
            code.assign(*to, output);
        }
    }

    /// Computes and stores some neighbouring elements, the first of which is a multiple of their number.
    fn elements(&self, code: &mut Code, registers: &Registers, first: Reg, count: usize) {
        let addresses = Addresses::of(&self.operands, &registers.operands);
        let loaded: Vec<Vec<Reg>> = (0..self.operands.len())
            .map(|operand| addresses.load_many(code, operand, first, count))
            .collect();
        let lanes = (0..count).map(|lane| {
            let operands: Vec<Reg> = loaded.iter().map(|values| values[lane]).collect();
            values(code, &self.steps, &operands)
        });
        // Every function was tried before.
        let Some(lanes) = lanes.collect::<Option<Vec<_>>>() else {
            return;
        };
        for ((step, dtype), output) in self.results.iter().zip(&registers.outputs) {
            let results: Vec<Reg> = lanes.iter().map(|values| values[*step]).collect();
            store_neighbours(code, *dtype, *output, first, &results);
        }
    }

    /// The code that all pieces with this rule share.
    fn write(&self, code: &mut Code, registers: &Registers, block: Reg) {
        let own = code.sub(block, registers.first);
        let thread = code.special("%tid.x");
        let thread = code.widened(thread, block.width);
        let thread = code.mul_add(own, i64::from(THREADS), thread);
        let step = code.mul(registers.blocks, i64::from(THREADS));
        let groups = code.div(registers.count, LANES as i64);
        let group = code.copy(thread, block.width);
        code.count_up(group, groups, step, |code| {
            let first = code.mul(group, LANES as i64);
            self.elements(code, registers, first, LANES);
        });
        let done = code.mul(groups, LANES as i64);
        let i = code.add(done, thread);
        code.count_up(i, registers.count, step, |code| {
            self.elements(code, registers, i, 1);
        });
    }
}

impl Description for Updates {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let index = Width::of_indices(self.wide);
        let block = code.special("%ctaid.x");
        let block = code.widened(block, index);
        let rules = self.rules.iter();
        let registers: Vec<Registers> = rules
            .map(|rule| Registers::new(code, rule, index))
            .collect();
        let mut first = code.copy(0, index);
        for piece in &self.pieces {
            let (next, end) = (code.label(), code.number(index));
            let is_later = code.compare("ge", block, end);
            code.jump_if(is_later, true, next);
            self.rules[*piece].fill(code, &registers[*piece], first, end);
            code.jump(registers[*piece].code);
            code.place(next);
            first = end;
        }
        let done = code.label();
        code.jump(done);
        for (rule, registers) in self.rules.iter().zip(&registers) {
            code.place(registers.code);
            rule.write(code, registers, block);
            code.jump(done);
        }
        code.place(done);
    }
}

impl Kernels {
    /// Computes the new values of pieces that [are simple](Piece::is_simple), in as few launches as parameters allow. The GPU has all functions.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn update(&self, mut pieces: &[Piece<'_>]) -> Result<(), Failed> {
        while !pieces.is_empty() {
            let mut parameters = 0;
            let fits = pieces.iter().take_while(|piece| {
                parameters += piece.parameters();
                parameters <= MOST_PARAMETERS
            });
            // A single piece has few operands.
            let (now, later) = pieces.split_at(fits.count().max(1));
            self.update_at_once(now)?;
            pieces = later;
        }
        Ok(())
    }

    fn update_at_once(&self, pieces: &[Piece<'_>]) -> Result<(), Failed> {
        let (mut updates, mut parameters, mut end) = (Updates::default(), Vec::new(), 0);
        for piece in pieces {
            updates.add(piece);
            let groups = piece.count().div_ceil(LANES).div_ceil(THREADS as usize);
            end += self.blocks(groups, 16);
            parameters.extend([u64::from(end), piece.count() as u64]);
            parameters.extend(piece.inputs.iter().map(Input::parameter));
            parameters.extend(piece.outputs.iter().map(|output| output.address()));
        }
        let launch = Launch {
            blocks: (end, 1),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Updates::write` reads them. Operands are numbers, or as large as the results.
        unsafe { self.launch(&updates, &launch) }
    }
}

#[cfg(test)]
impl Updates {
    /// A kernel that changes arrays `v` and `x` of a dtype by `v = v * c + g; x = x - v`, for two pieces of which one has a number for `g`.
    pub fn sample(dtype: DType) -> Updates {
        use graph_kernels::ElementOp::{Add, Mul, Sub};
        let rule = |gradient| Rule {
            operands: [Access::Same, Access::Same, gradient, Access::Value]
                .map(|access| (dtype, access))
                .to_vec(),
            steps: (0..4)
                .map(Step::Operand)
                .chain([
                    Step::Element(Mul, dtype, vec![0, 3]),
                    Step::Element(Add, dtype, vec![4, 2]),
                    Step::Element(Sub, dtype, vec![1, 5]),
                ])
                .collect(),
            results: vec![(5, dtype), (6, dtype)],
        };
        Updates {
            rules: vec![rule(Access::Same), rule(Access::First)],
            pieces: vec![0, 1, 0],
            wide: dtype == DType::F64,
        }
    }
}
