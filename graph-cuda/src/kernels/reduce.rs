//! Reductions: each result is combined from a row of elements, which a chain computes. Either the threads of a block share a row, or each thread
//! has rows of its own. The order of the combinations is fixed, so runs repeat to the bit.

mod launch;

use graph_kernels::{DType, ElementOp};

use super::Description;
#[cfg(test)]
use super::chain::Access;
use super::chain::{Addresses, Chain, Step, compute, coordinates};
use super::combine::{self, convert, mean, neutral};
use super::map::thread_and_step;
use crate::ptx::{self, Code, Operand, Reg, Width};
pub use launch::Reduction;

const THREADS: u32 = 256;

/// Who reduces a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Way {
    Block,
    Thread,
}

/// A kernel that reduces rows of elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduce {
    chain: Chain,
    combine: ElementOp,
    /// The dtype in which elements are combined.
    sum: DType,
    /// Whether the result is divided by the length of a row.
    mean: bool,
    /// The dtype of the result.
    result: DType,
    kept: usize,
    reduced: usize,
    way: Way,
    wide: bool,
}

/// The registers that the kernel's parameters are in.
struct Registers {
    out: Reg,
    rows: Reg,
    length: Reg,
    parts: Reg,
    part_length: Reg,
    operands: Addresses,
    dims: Vec<Reg>,
}

impl Reduce {
    /// The element at a position of a row, as the dtype of the sum.
    fn element(
        &self,
        code: &mut Code,
        registers: &Registers,
        row: Reg,
        starts: &[Option<Reg>],
        position: Reg,
    ) -> Option<Reg> {
        let same = code.mul_add(row, registers.length, position);
        let inner = match registers.operands.need_coordinates() {
            true => coordinates(code, position, &registers.dims[self.kept..]),
            false => Vec::new(),
        };
        let operands: Vec<Reg> = (0..self.chain.operands.len())
            .map(|operand| {
                let start = starts[operand];
                let addresses = &registers.operands;
                let own = addresses.along(code, operand, self.kept, &inner, start);
                registers.operands.load(code, operand, same, own)
            })
            .collect();
        let element = compute(code, &self.chain, &operands)?;
        convert(code, self.chain.dtype, self.sum, element)
    }

    /// Combines the elements of this thread: from `first` up to `end`.
    fn combine(
        &self,
        code: &mut Code,
        registers: &Registers,
        row: Reg,
        (first, end, step): (Reg, Reg, Operand),
    ) -> Reg {
        let outer = match registers.operands.need_coordinates() {
            true => coordinates(code, row, &registers.dims[..self.kept]),
            false => Vec::new(),
        };
        let starts: Vec<Option<Reg>> = (0..self.chain.operands.len())
            .map(|operand| registers.operands.along(code, operand, 0, &outer, None))
            .collect();
        let sum = ptx::constant(code, self.sum, neutral(self.combine, self.sum));
        let position = code.copy(first, first.width);
        // Several elements are loaded before the first of them is combined, because loads take long.
        let many = self.at_once();
        let [all, before] = [many, many - 1].map(|count| times(code, step, count, first.width));
        let limit = code.sub(end, before);
        let is_short = code.compare("lt", end, before);
        let nothing = code.copy(0, first.width);
        let select = match first.width {
            Width::Double => "selp.b64",
            _ => "selp.b32",
        };
        let limit = [nothing.into(), limit.into(), is_short.into()];
        let limit = code.op(first.width, select, &limit);
        code.count_up(position, limit, all, |code| {
            let mut at = position;
            let mut elements = Vec::new();
            for i in 0..many {
                if i > 0 {
                    at = code.add(at, step);
                }
                elements.extend(self.element(code, registers, row, &starts, at));
            }
            for element in elements {
                self.add(code, sum, element);
            }
        });
        code.count_up(position, end, step, |code| {
            let element = self.element(code, registers, row, &starts, position);
            if let Some(element) = element {
                self.add(code, sum, element);
            }
        });
        sum
    }

    /// How many elements a thread loads at once.
    fn at_once(&self) -> i64 {
        let mut steps = self.chain.steps.iter();
        match steps.any(|step| matches!(step, Step::Element(..))) {
            true => 4,
            false => 8,
        }
    }

    /// Combines a value with the sum.
    fn add(&self, code: &mut Code, sum: Reg, value: Reg) {
        combine::add(code, self.combine, self.sum, sum, value);
    }

    /// Combines the values of all threads of the block; thread 0 has the result.
    fn across_block(&self, code: &mut Code, sum: Reg) {
        let bytes = self.sum.bytes() as u32;
        let start = code.shared(THREADS * bytes);
        let base = code.shared_address(start);
        let thread = code.special("%tid.x");
        let own = code.mul_add(thread, i64::from(bytes), base);
        // The row before may still be read.
        code.barrier();
        code.store_at("shared", self.sum, own, sum);
        let mut half = THREADS / 2;
        while half > 0 {
            code.barrier();
            let takes_part = code.compare("lt", thread, i64::from(half));
            code.when(takes_part, |code| {
                let other = code.add(own, i64::from(half * bytes));
                let other = code.load_at("shared", self.sum, other);
                self.add(code, sum, other);
                code.store_at("shared", self.sum, own, sum);
            });
            half /= 2;
        }
    }

    fn store(&self, code: &mut Code, registers: &Registers, row: Reg, part: Reg, sum: Reg) {
        let mut value = sum;
        if self.mean {
            value = mean(code, self.sum, sum, registers.length).unwrap_or(sum);
        }
        let value = convert(code, self.sum, self.result, value).unwrap_or(value);
        let at = code.mul_add(row, registers.parts, part);
        code.store(self.result, registers.out, at, value);
    }
}

/// A step, `count` times.
fn times(code: &mut Code, step: Operand, count: i64, width: Width) -> Reg {
    match step {
        Operand::Reg(step) => code.mul(step, count),
        Operand::Int(step) => code.copy(step * count, width),
        _ => unreachable!("a step is an integer"),
    }
}

impl Description for Reduce {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let index = Width::of_indices(self.wide);
        let out = code.address();
        let [rows, length, parts, part_length] = [(); 4].map(|()| code.number(index));
        if self.chain.checks {
            code.fault_parameter();
        }
        let rank = self.kept + self.reduced;
        let operands = Addresses::parameters(code, &self.chain.operands, rank, index);
        let axes = if operands.need_coordinates() { rank } else { 0 };
        let dims = (0..axes).map(|_| code.number(index)).collect();
        let registers = Registers {
            out,
            rows,
            length,
            parts,
            part_length,
            operands,
            dims,
        };
        let part = code.special("%ctaid.y");
        let part = code.widened(part, index);
        let first = code.mul(part, registers.part_length);
        let end = code.add(first, registers.part_length);
        let min = format!("min.{}", if self.wide { "u64" } else { "u32" });
        let end = code.op(index, &min, &[end.into(), registers.length.into()]);
        match self.way {
            Way::Thread => {
                let (thread, step) = thread_and_step(code, index);
                let row = code.copy(thread, index);
                code.count_up(row, registers.rows, step, |code| {
                    let elements = (first, end, Operand::Int(1));
                    let sum = self.combine(code, &registers, row, elements);
                    self.store(code, &registers, row, part, sum);
                });
            }
            Way::Block => {
                let row = code.special("%ctaid.x");
                let row = code.widened(row, index);
                let row = code.copy(row, index);
                let blocks = code.special("%nctaid.x");
                let blocks = code.widened(blocks, index);
                code.count_up(row, registers.rows, blocks, |code| {
                    let thread = code.special("%tid.x");
                    let wide = code.widened(thread, index);
                    let mine = code.add(first, wide);
                    let elements = (mine, end, Operand::Int(i64::from(THREADS)));
                    let sum = self.combine(code, &registers, row, elements);
                    self.across_block(code, sum);
                    let is_first = code.compare("eq", thread, 0);
                    code.when(is_first, |code| {
                        self.store(code, &registers, row, part, sum);
                    });
                });
            }
        }
    }
}

#[cfg(test)]
impl Reduce {
    /// A kernel for each dtype and way.
    pub fn samples() -> Vec<Reduce> {
        let dtypes = [
            DType::F32,
            DType::F64,
            DType::F16,
            DType::BF16,
            DType::I8,
            DType::U64,
        ];
        let sample = |dtype, way, wide| Reduce {
            chain: Chain {
                operands: vec![(dtype, Access::Same), (dtype, Access::Strided)],
                steps: vec![
                    Step::Operand(0),
                    Step::Operand(1),
                    Step::Element(ElementOp::Mul, dtype, vec![0, 1]),
                ],
                dtype,
                checks: false,
            },
            combine: ElementOp::Add,
            sum: combine::combined_as(graph_kernels::ReduceOp::Mean, dtype),
            mean: true,
            result: dtype,
            kept: 1,
            reduced: 2,
            way,
            wide,
        };
        let ways = [(Way::Block, false), (Way::Thread, true)];
        let all = dtypes
            .iter()
            .flat_map(|dtype| ways.map(|(way, wide)| sample(*dtype, way, wide)));
        all.collect()
    }
}
