//! Random numbers: Philox as the CPU's kernels compute it, so that a seed draws the same numbers on both. A thread makes the numbers of one block of
//! random words at a time.

use graph_kernels::{DType, ElementOp};

use super::chain::{Access, Addresses, Input, Walk};
use super::map::thread_and_step;
use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Fault, Launch};
use crate::ptx::{self, Code, Operand, Reg, Width};

const THREADS: u32 = 256;

/// The constants of Philox4x32-10, and the key under which seeds are scrambled (`graph-kernels/src/random/philox.rs`).
const MULTIPLIERS: [i64; 2] = [0xD251_1F53, 0xCD9E_8D57];
const KEY_STEPS: [i64; 2] = [0x9E37_79B9, 0xBB67_AE85];
const SCRAMBLING_KEY: [i64; 2] = [0x3EC8_F720, 0x0246_1E29];
const ROUNDS: usize = 10;

/// The number of words that are reserved for each truncated normal number.
const WORDS_PER_TRUNCATED: i64 = 256;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distribution {
    /// Floats from 0 to 1.
    Uniform,
    /// Normal floats.
    Normal,
    /// Normal floats that are less than 2 from the mean.
    Truncated,
    /// Integers of any value.
    Bits,
    /// Integers between two bounds, the third and the fourth operand.
    Integers,
}

/// A kernel that draws numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Draw {
    /// What is drawn.
    pub distribution: Distribution,
    /// The dtype of the numbers.
    pub dtype: DType,
    /// The two parts of the seed, then the bounds.
    operands: Vec<(DType, Access)>,
}

/// A generator in a kernel: its key, and the high words of its counter.
struct Generator {
    key: [Reg; 2],
    high: [Reg; 2],
}

/// The two halves of a register of 64 bits, the low one first.
fn halves(code: &mut Code, wide: Reg) -> [Reg; 2] {
    let low = code.widened(wide, Width::Word);
    let high = code.op(Width::Double, "shr.u64", &[wide.into(), Operand::Int(32)]);
    [low, code.widened(high, Width::Word)]
}

/// A register of 64 bits of two words, the low one first.
fn joined(code: &mut Code, low: Reg, high: Reg) -> Reg {
    let wide = code.register(Width::Double);
    code.line(format_args!("mov.b64 {wide}, {{{low}, {high}}};"));
    wide
}

/// The block of a counter under a key.
fn block(code: &mut Code, mut words: [Reg; 4], mut key: [Reg; 2]) -> [Reg; 4] {
    let xor = |code: &mut Code, a: Reg, b: Reg| -> Reg {
        code.op(Width::Word, "xor.b32", &[a.into(), b.into()])
    };
    for round in 0..ROUNDS {
        if round > 0 {
            key = [0, 1].map(|i| code.add(key[i], KEY_STEPS[i]));
        }
        let [(low0, high0), (low1, high1)] = [0, 1].map(|i| {
            let factors = [words[2 * i].into(), Operand::Int(MULTIPLIERS[i])];
            let low = code.op(Width::Word, "mul.lo.u32", &factors);
            (low, code.op(Width::Word, "mul.hi.u32", &factors))
        });
        let first = xor(code, high1, words[1]);
        let third = xor(code, high0, words[3]);
        words = [
            xor(code, first, key[0]),
            low1,
            xor(code, third, key[1]),
            low0,
        ];
    }
    words
}

impl Generator {
    /// The generator of a seed of two numbers of 64 bits.
    fn seeded(code: &mut Code, seed: [Reg; 2]) -> Generator {
        let [[a, b], [c, d]] = seed.map(|part| halves(code, part));
        let key = SCRAMBLING_KEY.map(|word| code.copy(word, Width::Word));
        let [w0, w1, w2, w3] = block(code, [a, b, c, d], key);
        Generator {
            key: [w0, w1],
            high: [w2, w3],
        }
    }

    /// The words of a block.
    fn block(&self, code: &mut Code, number: Reg) -> [Reg; 4] {
        let [low, high] = halves(code, number);
        block(code, [low, high, self.high[0], self.high[1]], self.key)
    }
}

impl Draw {
    /// The kernel that draws numbers with a seed, and bounds, that are parameters.
    #[cfg(test)]
    pub fn of(distribution: Distribution, dtype: DType) -> Draw {
        let mut operands = vec![(DType::I64, Access::Value); 2];
        operands.resize(operand_count(distribution), (dtype, Access::Value));
        Draw {
            distribution,
            dtype,
            operands,
        }
    }

    /// How many numbers are made of a block.
    fn group(&self) -> usize {
        match self.dtype.bytes() {
            8 => 2,
            _ => 4,
        }
    }

    /// The numbers that a block makes.
    fn numbers(&self, code: &mut Code, words: [Reg; 4], bounds: &[Reg]) -> Vec<Reg> {
        let is_double = self.dtype.bytes() == 8;
        match self.distribution {
            Distribution::Uniform if is_double => units_f64(code, words).to_vec(),
            Distribution::Uniform => {
                let (mask, shift) = match self.dtype {
                    DType::F16 => (0x3FF, 13),
                    DType::BF16 => (0x7F, 16),
                    _ => (0x7F_FFFF, 0),
                };
                words.map(|word| unit_f32(code, word, mask, shift)).to_vec()
            }
            Distribution::Normal | Distribution::Truncated if is_double => {
                let [a, b] = units_f64(code, words);
                normal_pair(code, DType::F64, a, b).to_vec()
            }
            Distribution::Normal | Distribution::Truncated => {
                let [a, b, c, d] = words.map(|word| unit_f32(code, word, 0x7F_FFFF, 0));
                let pairs = [(a, b), (c, d)];
                let pairs = pairs.map(|(a, b)| normal_pair(code, DType::F32, a, b));
                pairs.into_iter().flatten().collect()
            }
            Distribution::Bits => integers(code, words, is_double),
            Distribution::Integers => {
                let words = integers(code, words, is_double);
                let count = code.sub(bounds[1], bounds[0]);
                let ty = if is_double { "u64" } else { "u32" };
                let below = |code: &mut Code, word: Reg| {
                    let divided = [word.into(), count.into()];
                    let rest = code.op(word.width, &format!("rem.{ty}"), &divided);
                    code.add(bounds[0], rest)
                };
                words.into_iter().map(|word| below(code, word)).collect()
            }
        }
    }
}

/// The words of a block as integers of 32 or 64 bits.
fn integers(code: &mut Code, words: [Reg; 4], is_double: bool) -> Vec<Reg> {
    let [a, b, c, d] = words;
    match is_double {
        true => vec![joined(code, a, b), joined(code, c, d)],
        false => words.to_vec(),
    }
}

/// A float from 0 to 1: the masked bits of a word, moved to be those behind the point.
fn unit_f32(code: &mut Code, word: Reg, mask: i64, shift: i64) -> Reg {
    let bits = [word.into(), Operand::Int(mask)];
    let bits = code.op(Width::Word, "and.b32", &bits);
    let bits = [bits.into(), Operand::Int(shift)];
    let bits = code.op(Width::Word, "shl.b32", &bits);
    let bits = [bits.into(), Operand::Int(0x3F80_0000)];
    let above_one = code.op(Width::Word, "or.b32", &bits);
    let one = Operand::F32(1f32.to_bits());
    code.op(Width::Word, "sub.rn.f32", &[above_one.into(), one])
}

/// Two floats from 0 to 1 of two words each, of which the first is the high one.
fn units_f64(code: &mut Code, [a, b, c, d]: [Reg; 4]) -> [Reg; 2] {
    [(a, b), (c, d)].map(|(high, low)| {
        let bits = [high.into(), Operand::Int(0xF_FFFF)];
        let bits = code.op(Width::Word, "and.b32", &bits);
        let bits = [bits.into(), Operand::Int(0x3FF0_0000)];
        let high = code.op(Width::Word, "or.b32", &bits);
        let above_one = joined(code, low, high);
        let one = Operand::F64(1f64.to_bits());
        code.op(Width::Double, "sub.rn.f64", &[above_one.into(), one])
    })
}

/// Two normal numbers of two numbers from 0 to 1 (Box and Muller).
fn normal_pair(code: &mut Code, dtype: DType, a: Reg, b: Reg) -> [Reg; 2] {
    let is_double = dtype == DType::F64;
    let number = |code: &mut Code, value: f64| {
        let bits = match is_double {
            true => value.to_bits(),
            false => u64::from((value as f32).to_bits()),
        };
        ptx::constant(code, dtype, bits)
    };
    let apply = |code: &mut Code, op: ElementOp, operands: &[Reg]| -> Reg {
        match ptx::element(code, op, dtype, operands) {
            Some(value) => value,
            None => unreachable!("floats have {op:?}"),
        }
    };
    let smallest = number(code, 1e-7);
    let limited = apply(code, ElementOp::Maximum, &[a, smallest]);
    let log = apply(code, ElementOp::Log, &[limited]);
    let minus_two = number(code, -2.0);
    let square = apply(code, ElementOp::Mul, &[minus_two, log]);
    let radius = apply(code, ElementOp::Sqrt, &[square]);
    let turn = Operand::F64(std::f64::consts::TAU.to_bits());
    // The angle is computed in double precision.
    let angle = match is_double {
        true => code.op(Width::Double, "mul.rn.f64", &[b.into(), turn]),
        false => {
            let wide = code.op(Width::Double, "cvt.f64.f32", &[b.into()]);
            let angle = code.op(Width::Double, "mul.rn.f64", &[wide.into(), turn]);
            code.op(Width::Word, "cvt.rn.f32.f64", &[angle.into()])
        }
    };
    [ElementOp::Sin, ElementOp::Cos].map(|op| {
        let part = apply(code, op, &[angle]);
        apply(code, ElementOp::Mul, &[part, radius])
    })
}

impl Description for Draw {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let wide = Width::Double;
        let (out, count) = (code.address(), code.parameter());
        if self.distribution == Distribution::Integers {
            code.fault_parameter();
        }
        let addresses = Addresses::parameters(code, &self.operands, 0, wide);
        let (thread, step) = thread_and_step(code, wide);
        let operands: Vec<Reg> = (0..self.operands.len())
            .map(|operand| {
                let own = addresses.along(code, operand, 0, &[], None);
                addresses.load(code, operand, thread, own)
            })
            .collect();
        let seed = [0, 1].map(|part| match self.operands[part].0 {
            DType::I64 => operands[part],
            _ => code.op(wide, "cvt.s64.s32", &[operands[part].into()]),
        });
        let bounds = &operands[2..];
        if let [low, high] = bounds {
            let empty = ptx::element(code, ElementOp::GreaterEqual, self.dtype, &[*low, *high]);
            if let Some(empty) = empty {
                code.fail_if(empty);
            }
        }
        let generator = Generator::seeded(code, seed);
        let size = self.group() as i64;
        let more = code.add(count, size - 1);
        let groups = code.div(more, size);
        let group = code.copy(thread, wide);
        code.count_up(group, groups, step, |code| {
            let first = code.mul(group, size);
            match self.distribution {
                Distribution::Truncated => {
                    self.write_within(code, &generator, [group, first], out, count);
                }
                _ => {
                    let words = generator.block(code, group);
                    let numbers = self.numbers(code, words, bounds);
                    self.write_group(code, &numbers, first, out, count);
                }
            }
        });
    }
}

impl Draw {
    /// Stores the numbers of a group; the last group may be longer than what is left of the result.
    fn write_group(&self, code: &mut Code, numbers: &[Reg], first: Reg, out: Reg, count: Reg) {
        let (end, some, done) = (
            code.add(first, numbers.len() as i64),
            code.label(),
            code.label(),
        );
        let whole = code.compare("le", end, count);
        code.jump_if(whole, false, some);
        let address = code.element_address(out, first, self.dtype);
        code.store_many(self.dtype, address, numbers);
        code.jump(done);
        code.place(some);
        for (lane, number) in numbers.iter().enumerate() {
            let at = code.add(first, lane as i64);
            let inside = code.compare("lt", at, count);
            code.when(inside, |code| code.store(self.dtype, out, at, *number));
        }
        code.place(done);
    }

    /// Draws normal numbers until those of a group are found that are close enough to the mean.
    fn write_within(
        &self,
        code: &mut Code,
        generator: &Generator,
        [group, first]: [Reg; 2],
        out: Reg,
        count: Reg,
    ) {
        let size = self.group() as i64;
        let block = code.mul(group, size * WORDS_PER_TRUNCATED / 4);
        let found = code.copy(0, Width::Double);
        let head = code.label();
        code.place(head);
        let words = generator.block(code, block);
        for number in self.numbers(code, words, &[]) {
            let (ty, bound) = match self.dtype {
                DType::F64 => ("f64", Operand::F64(2f64.to_bits())),
                _ => ("f32", Operand::F32(2f32.to_bits())),
            };
            let distance = code.op(number.width, &format!("abs.{ty}"), &[number.into()]);
            let near = code.op(
                Width::Predicate,
                &format!("setp.lt.{ty}"),
                &[distance.into(), bound],
            );
            let wanted = code.compare("lt", found, size);
            let taken = [near.into(), wanted.into()];
            let taken = code.op(Width::Predicate, "and.pred", &taken);
            code.when(taken, |code| {
                let at = code.add(first, found);
                let inside = code.compare("lt", at, count);
                code.when(inside, |code| code.store(self.dtype, out, at, number));
                code.set(found, "add.u64", &[found.into(), Operand::Int(1)]);
            });
        }
        code.set(block, "add.u64", &[block.into(), Operand::Int(1)]);
        let missing = code.compare("lt", found, size);
        code.jump_if(missing, true, head);
    }
}

/// The number of operands: the parts of the seed, and the bounds.
#[cfg(test)]
fn operand_count(distribution: Distribution) -> usize {
    if distribution == Distribution::Integers {
        4
    } else {
        2
    }
}

impl Kernels {
    /// Draws `count` numbers. The inputs are the two parts of the seed and, for integers, the bounds; bounds without a number between them are
    /// reported as a fault.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn draw(
        &self,
        out: &Buffer,
        count: usize,
        (distribution, dtype): (Distribution, DType),
        inputs: &[Input<'_>],
    ) -> Result<(), Failed> {
        let walk = Walk::new(&[], 0, inputs);
        let draw = Draw {
            distribution,
            dtype,
            operands: walk.operands(inputs),
        };
        let mut parameters = vec![out.address(), count as u64];
        if distribution == Distribution::Integers {
            parameters.push(Fault::of_thread(self.gpu())?.parameter());
        }
        parameters.extend(inputs.iter().map(Input::parameter));
        parameters.extend(walk.steps());
        let groups = count.div_ceil(draw.group()).div_ceil(THREADS as usize);
        let launch = Launch {
            blocks: (self.blocks(groups, 16), 1),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Draw::write` reads them. The result has room for `count` numbers.
        unsafe { self.launch(&draw, &launch) }
    }
}
