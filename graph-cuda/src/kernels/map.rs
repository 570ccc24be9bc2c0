//! The kernel of a chain: each thread computes elements of the result, four neighbours at a time if all operands lie as the result does.

use super::chain::{
    Access, Addresses, Chain, Input, Step, Walk, can_fail, compute, coordinates, store_neighbours,
};
use super::tile::transpose;
use super::view::View;
use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Fault, Launch};
use crate::ptx::{Code, Reg, Width};
use graph_kernels::DType;

/// The number of threads in a block.
pub const THREADS: u32 = 256;
/// How many neighbours a thread computes at a time.
pub const LANES: usize = 4;

/// A kernel that writes a result element by element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    chain: Chain,
    rank: usize,
    /// Whether the result is a part of a larger tensor, which is found by steps.
    scattered: bool,
    wide: bool,
}

/// Where a kernel writes.
pub enum Target<'a> {
    /// All elements of a tensor.
    Whole(&'a Buffer),
    /// Some elements of a tensor.
    Part(&'a Buffer, View),
}

impl Map {
    /// The kernel of a chain whose result is written in order.
    #[cfg(test)]
    pub fn of(chain: Chain, rank: usize) -> Map {
        Map {
            chain,
            rank,
            scattered: false,
            wide: false,
        }
    }

    /// Whether threads compute neighbours.
    fn lanes(&self) -> usize {
        let lies_along = |access| matches!(access, Access::Value | Access::Same | Access::First);
        let mut operands = self.chain.operands.iter();
        let all = operands.all(|(_, access)| lies_along(*access));
        if all && !self.scattered { LANES } else { 1 }
    }

    /// Computes and stores the element of an index.
    fn one(&self, code: &mut Code, registers: &Registers, index: Reg) {
        let coordinates = match registers.dims.is_empty() {
            true => Vec::new(),
            false => coordinates(code, index, &registers.dims),
        };
        let operands: Vec<Reg> = (0..self.chain.operands.len())
            .map(|operand| {
                let own = registers
                    .operands
                    .along(code, operand, 0, &coordinates, None);
                registers.operands.load(code, operand, index, own)
            })
            .collect();
        let Some(result) = compute(code, &self.chain, &operands) else {
            return;
        };
        let at = match &registers.target {
            None => index,
            Some((offset, strides)) => {
                let pairs = coordinates.iter().zip(strides);
                pairs.fold(*offset, |sum, (x, stride)| code.mul_add(*x, *stride, sum))
            }
        };
        code.store(self.chain.dtype, registers.out, at, result);
    }

    /// Computes and stores the elements from `LANES * group` on.
    fn group(&self, code: &mut Code, registers: &Registers, group: Reg) {
        let first = code.mul(group, LANES as i64);
        let loaded: Vec<Vec<Reg>> = (0..self.chain.operands.len())
            .map(|operand| {
                let operands = &registers.operands;
                operands.load_many(code, operand, first, LANES)
            })
            .collect();
        let results: Option<Vec<Reg>> = (0..LANES)
            .map(|lane| {
                let operands: Vec<Reg> = loaded.iter().map(|values| values[lane]).collect();
                compute(code, &self.chain, &operands)
            })
            .collect();
        let Some(results) = results else { return };
        store_neighbours(code, self.chain.dtype, registers.out, first, &results);
    }
}

/// The registers that the kernel's parameters are in.
struct Registers {
    out: Reg,
    operands: Addresses,
    dims: Vec<Reg>,
    target: Option<(Reg, Vec<Reg>)>,
}

impl Description for Map {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let index = Width::of_indices(self.wide);
        let out = code.address();
        let count = code.number(index);
        if self.chain.checks {
            code.fault_parameter();
        }
        let operands = Addresses::parameters(code, &self.chain.operands, self.rank, index);
        let target = self.scattered.then(|| {
            let offset = code.number(index);
            (offset, (0..self.rank).map(|_| code.number(index)).collect())
        });
        let axes = match operands.need_coordinates() || self.scattered {
            true => self.rank,
            false => 0,
        };
        let dims = (0..axes).map(|_| code.number(index)).collect();
        let registers = Registers {
            out,
            operands,
            dims,
            target,
        };
        let (thread, step) = thread_and_step(code, index);
        if self.lanes() == 1 {
            let i = code.copy(thread, index);
            code.count_up(i, count, step, |code| self.one(code, &registers, i));
            return;
        }
        let groups = code.div(count, LANES as i64);
        let group = code.copy(thread, index);
        code.count_up(group, groups, step, |code| {
            self.group(code, &registers, group)
        });
        let done = code.mul(groups, LANES as i64);
        let i = code.add(done, thread);
        code.count_up(i, count, step, |code| self.one(code, &registers, i));
    }
}

/// The number of this thread among all, and the number of all threads.
pub fn thread_and_step(code: &mut Code, index: Width) -> (Reg, Reg) {
    let block = code.special("%ctaid.x");
    let size = code.special("%ntid.x");
    let thread = code.special("%tid.x");
    let blocks = code.special("%nctaid.x");
    let [block, size, thread, blocks] =
        [block, size, thread, blocks].map(|register| code.widened(register, index));
    let first = code.mul_add(block, size, thread);
    (first, code.mul(size, blocks))
}

impl Kernels {
    /// Computes a chain for each element of a result of this shape. The dtypes have kernels ([`Chain::is_supported`]).
    ///
    /// # Errors
    /// If the driver fails.
    pub fn map(
        &self,
        target: &Target<'_>,
        shape: &[usize],
        dtype: DType,
        steps: Vec<Step>,
        inputs: &[Input<'_>],
    ) -> Result<(), Failed> {
        let mut all = inputs.to_vec();
        let out = match target {
            Target::Whole(buffer) => buffer,
            // The result is walked as an operand is.
            Target::Part(buffer, view) => {
                all.push(Input::Tensor(dtype, buffer, view.clone()));
                buffer
            }
        };
        let mut walk = Walk::new(shape, shape.len(), &all);
        let scattered = match target {
            Target::Whole(_) => None,
            Target::Part(..) => {
                walk.accesses.pop();
                walk.views.pop()
            }
        };
        if let (None, [Input::Tensor(_, x, _)], Some(transpose)) =
            (&scattered, inputs, transpose(&walk, &steps))
        {
            return self.transpose((out, x.address()), dtype, &walk, &transpose);
        }
        let map = Map {
            chain: Chain {
                operands: walk.operands(inputs),
                checks: can_fail(&steps, inputs),
                steps,
                dtype,
            },
            rank: walk.dims.len(),
            scattered: scattered.is_some(),
            wide: walk.wide,
        };
        let count = walk.count();
        let mut parameters = vec![out.address(), count as u64];
        if map.chain.checks {
            parameters.push(Fault::of_thread(self.gpu())?.parameter());
        }
        parameters.extend(inputs.iter().map(Input::parameter));
        parameters.extend(walk.steps());
        if let Some(view) = &scattered {
            parameters.push(view.offset as u64);
            parameters.extend(view.strides.iter().map(|stride| *stride as u64));
        }
        let strided = |access: &Access| matches!(access, Access::Strided | Access::Position);
        if scattered.is_some() || walk.accesses.iter().any(strided) {
            parameters.extend(walk.dims.iter().map(|size| *size as u64));
        }
        let groups = count.div_ceil(map.lanes()).div_ceil(THREADS as usize);
        let blocks = (self.blocks(groups, 16), 1);
        let launch = Launch {
            blocks,
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Map::write` reads them. The views lie in their tensors' buffers.
        unsafe { self.launch(&map, &launch) }
    }
}
