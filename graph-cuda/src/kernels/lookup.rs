//! Lookups: each element of the result is an element of a tensor at positions that other tensors contain.

use graph_kernels::DType;

use super::chain::{Access, Chain, Input, Places, Walk, coordinates};
use super::map::thread_and_step;
use super::{Description, Kernels, View};
use crate::driver::{Buffer, Failed, Fault, Launch};
use crate::ptx::{Code, Operand, Reg, Width};

const THREADS: u32 = 256;

/// A kernel that looks elements up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Find {
    dtype: DType,
    /// The start of the elements, as a position, then the indices.
    operands: Vec<(DType, Access)>,
    rank: usize,
    /// Whether negative indices count from the end.
    from_the_end: bool,
}

/// Indices along one axis of the tensor in which elements are looked up.
pub struct Along<'a> {
    /// The indices, with a view over the axes of the result.
    pub indices: Input<'a>,
    /// The size of the axis.
    pub size: usize,
    /// The step along the axis.
    pub stride: i64,
}

/// A lookup.
pub struct Lookup<'a> {
    /// The dtype of the elements.
    pub dtype: DType,
    /// The elements.
    pub x: &'a Buffer,
    /// Where a lookup begins, over the axes of the result.
    pub start: View,
    /// The positions that are added.
    pub along: Vec<Along<'a>>,
    /// Whether negative indices count from the end.
    pub from_the_end: bool,
}

impl Find {
    fn chain(&self) -> Chain {
        Chain {
            operands: self.operands.clone(),
            steps: Vec::new(),
            dtype: self.dtype,
            checks: false,
        }
    }

    /// An index as a position on its axis; reports one that is outside.
    fn position(&self, code: &mut Code, index: Reg, dtype: DType, size: Reg) -> Reg {
        let wide = Width::Double;
        let mut index = match dtype {
            DType::I64 => index,
            _ => code.op(wide, "cvt.s64.s32", &[index.into()]),
        };
        if self.from_the_end {
            let below = [index.into(), Operand::Int(0)];
            let below = code.op(Width::Predicate, "setp.lt.s64", &below);
            let other = code.add(index, size);
            let chosen = [other.into(), index.into(), below.into()];
            index = code.op(wide, "selp.b64", &chosen);
        }
        // As unsigned numbers, so that negative ones are too large.
        let outside = code.compare("ge", index, size);
        code.fail_if(outside);
        let inside = [Operand::Int(0), index.into(), outside.into()];
        code.op(wide, "selp.b64", &inside)
    }
}

impl Description for Find {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let wide = Width::Double;
        let chain = self.chain();
        let (out, x) = (code.address(), code.address());
        let count = code.parameter();
        code.fault_parameter();
        let places = Places::parameters(code, &chain, self.rank, wide);
        let axes: Vec<(Reg, Reg)> = self.operands[1..]
            .iter()
            .map(|_| (code.parameter(), code.parameter()))
            .collect();
        let dims: Vec<Reg> = (0..self.rank).map(|_| code.parameter()).collect();
        let (thread, step) = thread_and_step(code, wide);
        let i = code.copy(thread, wide);
        code.count_up(i, count, step, |code| {
            let coordinates = coordinates(code, i, &dims);
            let load = |code: &mut Code, operand: usize| {
                let own = places.along(code, operand, 0, &coordinates, None);
                places.load(code, &chain, operand, i, own)
            };
            let mut at = load(code, 0);
            for (operand, (size, stride)) in (1..).zip(&axes) {
                let index = load(code, operand);
                let position = self.position(code, index, self.operands[operand].0, *size);
                at = code.mul_add(position, *stride, at);
            }
            let value = code.load(self.dtype, x, at);
            code.store(self.dtype, out, i, value);
        });
    }
}

impl Kernels {
    /// Looks elements up for a result of this shape. An index that is outside of its axis is reported as a fault.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn lookup(&self, out: &Buffer, shape: &[usize], lookup: &Lookup<'_>) -> Result<(), Failed> {
        let mut inputs = vec![Input::Position(lookup.start.clone())];
        inputs.extend(lookup.along.iter().map(|along| along.indices.clone()));
        let walk = Walk::new(shape, shape.len(), &inputs);
        let find = Find {
            dtype: lookup.dtype,
            operands: walk.operands(&inputs),
            rank: walk.dims.len(),
            from_the_end: lookup.from_the_end,
        };
        let mut parameters = vec![out.address(), lookup.x.address(), walk.count() as u64];
        parameters.push(Fault::of_thread(self.gpu())?.parameter());
        parameters.extend(inputs.iter().map(Input::parameter));
        parameters.extend(walk.steps());
        for along in &lookup.along {
            parameters.extend([along.size as u64, along.stride as u64]);
        }
        parameters.extend(walk.dims.iter().map(|size| *size as u64));
        let blocks = walk.count().div_ceil(THREADS as usize);
        let launch = Launch {
            blocks: (self.blocks(blocks, 16), 1),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Find::write` reads them. The start's view and the checked positions lead to elements
        // of `x`.
        unsafe { self.launch(&find, &launch) }
    }
}
