//! Lookups: each element of the result is an element of a tensor at positions that other tensors contain. And the positions themselves, as keys that
//! `scatter` sorts.

use graph_kernels::DType;

use super::chain::{Access, Addresses, Input, Walk, coordinates};
use super::map::thread_and_step;
use super::{Description, Kernels, View};
use crate::driver::{Buffer, Failed, Fault, Launch};
use crate::ptx::{Code, Operand, Reg, Width};

const THREADS: u32 = 256;

/// What an index that isn't a position on its axis means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outside {
    /// It is wrong.
    Wrong,
    /// A negative one counts from the end; others are wrong.
    FromTheEnd,
    /// A negative one leads nowhere; others are wrong.
    NegativeIsNowhere,
    /// A large one leads nowhere; negative ones are wrong.
    LargeIsNowhere,
}

/// A key that leads nowhere, behind all others.
pub const NOWHERE: i64 = -1;

/// A kernel that looks elements up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Find {
    /// The dtype of the elements; if there is none, the results are keys.
    dtype: Option<DType>,
    /// The start of the elements, as a position, then the indices.
    operands: Vec<(DType, Access)>,
    rank: usize,
    outside: Outside,
}

/// Indices along one axis of the tensor in which elements are looked up.
#[derive(Clone)]
pub struct Along<'a> {
    /// The indices, with a view over the axes of the result.
    pub indices: Input<'a>,
    /// The size of the axis.
    pub size: usize,
    /// The step along the axis.
    pub stride: i64,
}

/// A lookup.
#[derive(Clone)]
pub struct Lookup<'a> {
    /// Where a lookup begins, over the axes of the result.
    pub start: View,
    /// The positions that are added.
    pub along: Vec<Along<'a>>,
    /// What indices outside of their axes mean.
    pub outside: Outside,
}

impl Find {
    /// The kernel of keys of one index each.
    #[cfg(test)]
    pub fn keys(outside: Outside) -> Find {
        Find {
            dtype: None,
            operands: vec![
                (DType::I64, Access::Position),
                (DType::I32, Access::Strided),
            ],
            rank: 2,
            outside,
        }
    }

    /// An index as a position on its axis, and where the index leads nowhere; reports a wrong one.
    fn position(&self, code: &mut Code, index: Reg, dtype: DType, size: Reg) -> (Reg, Option<Reg>) {
        let wide = Width::Double;
        let mut index = match dtype {
            DType::I64 => index,
            _ => code.op(wide, "cvt.s64.s32", &[index.into()]),
        };
        let below = [index.into(), Operand::Int(0)];
        let below = code.op(Width::Predicate, "setp.lt.s64", &below);
        if self.outside == Outside::FromTheEnd {
            let other = code.add(index, size);
            let chosen = [other.into(), index.into(), below.into()];
            index = code.op(wide, "selp.b64", &chosen);
        }
        // As unsigned numbers, so that negative ones are too large.
        let outside = code.compare("ge", index, size);
        let wrong = match self.outside {
            Outside::Wrong | Outside::FromTheEnd => outside,
            Outside::LargeIsNowhere => below,
            Outside::NegativeIsNowhere => {
                let inside = code.op(Width::Predicate, "not.pred", &[below.into()]);
                let wrong = [outside.into(), inside.into()];
                code.op(Width::Predicate, "and.pred", &wrong)
            }
        };
        code.fail_if(wrong);
        let inside = [Operand::Int(0), index.into(), outside.into()];
        let position = code.op(wide, "selp.b64", &inside);
        let can_be_nowhere = !matches!(self.outside, Outside::Wrong | Outside::FromTheEnd);
        (position, can_be_nowhere.then_some(outside))
    }
}

impl Description for Find {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let wide = Width::Double;
        let out = code.address();
        let x = self.dtype.map(|dtype| (dtype, code.address()));
        let count = code.parameter();
        code.fault_parameter();
        let addresses = Addresses::parameters(code, &self.operands, self.rank, wide);
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
                let own = addresses.along(code, operand, 0, &coordinates, None);
                addresses.load(code, operand, i, own)
            };
            let mut at = load(code, 0);
            let mut nowheres = Vec::new();
            for (operand, (size, stride)) in (1..).zip(&axes) {
                let index = load(code, operand);
                let dtype = self.operands[operand].0;
                let (position, nowhere) = self.position(code, index, dtype, *size);
                nowheres.extend(nowhere);
                at = code.mul_add(position, *stride, at);
            }
            if let Some((dtype, x)) = x {
                let value = code.load(dtype, x, at);
                return code.store(dtype, out, i, value);
            }
            let high = code.op(wide, "shl.b64", &[at.into(), Operand::Int(32)]);
            let mut key = code.op(wide, "or.b64", &[high.into(), i.into()]);
            for nowhere in nowheres {
                let chosen = [Operand::Int(NOWHERE), key.into(), nowhere.into()];
                key = code.op(wide, "selp.b64", &chosen);
            }
            code.store(DType::I64, out, i, key);
        });
    }
}

impl Kernels {
    /// Looks up elements of `x`, which are of this dtype, for a result of this shape. A wrong index is reported as a fault.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn lookup(
        &self,
        out: &Buffer,
        (dtype, x): (DType, &Buffer),
        shape: &[usize],
        lookup: &Lookup<'_>,
    ) -> Result<(), Failed> {
        self.find(out, Some((dtype, x)), shape, lookup)
    }

    /// Writes a key for each position that is looked up: the position, and in the low 32 bits the number of the lookup. The key of an index that
    /// leads nowhere is [`NOWHERE`].
    ///
    /// # Errors
    /// If the driver fails.
    pub fn keys(&self, out: &Buffer, shape: &[usize], lookup: &Lookup<'_>) -> Result<(), Failed> {
        self.find(out, None, shape, lookup)
    }

    fn find(
        &self,
        out: &Buffer,
        x: Option<(DType, &Buffer)>,
        shape: &[usize],
        lookup: &Lookup<'_>,
    ) -> Result<(), Failed> {
        let mut inputs = vec![Input::Position(lookup.start.clone())];
        inputs.extend(lookup.along.iter().map(|along| along.indices.clone()));
        let walk = Walk::new(shape, shape.len(), &inputs);
        let find = Find {
            dtype: x.map(|(dtype, _)| dtype),
            operands: walk.operands(&inputs),
            rank: walk.dims.len(),
            outside: lookup.outside,
        };
        let mut parameters = vec![out.address()];
        parameters.extend(x.map(|(_, x)| x.address()));
        parameters.push(walk.count() as u64);
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
