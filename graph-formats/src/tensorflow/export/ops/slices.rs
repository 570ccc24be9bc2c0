//! Parts of arrays: `StridedSlice` and the op that replaces what it takes. Both have a position for each axis, and masks of bits.

use graph_kernels::DType;

use super::common::from_start;
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::Tensor;
use crate::tensorflow::export::writer::{Building, Writer};

/// A part of a tensor: what it takes of each axis, from the first.
#[derive(Default)]
pub(super) struct Part {
    axes: Vec<AxisPart>,
}

/// The part of an axis.
#[derive(Clone)]
struct AxisPart {
    begin: Tensor,
    end: Tensor,
    step: Tensor,
    /// Bit 1 means no begin, bit 2 no end, bit 4 the position at begin, without its axis.
    mask: i64,
}

/// Neither begin nor end.
const WHOLE: i64 = 3;

impl Part {
    fn set(&mut self, w: &mut Writer, axis: usize, part: AxisPart) {
        while self.axes.len() <= axis {
            let (zero, one) = (w.int(0), w.int(1));
            self.axes.push(AxisPart {
                begin: zero.clone(),
                end: zero,
                step: one,
                mask: WHOLE,
            });
        }
        self.axes[axis] = part;
    }

    /// The position on an axis, which is dropped.
    pub fn at(&mut self, w: &mut Writer, axis: usize, position: &Tensor) {
        let part = AxisPart {
            begin: position.clone(),
            end: w.int(0),
            step: w.int(1),
            mask: 4,
        };
        self.set(w, axis, part);
    }

    /// The positions from begin to before end, with a step.
    pub fn between(
        &mut self,
        w: &mut Writer,
        axis: usize,
        [begin, end, step]: [&Tensor; 3],
        mask: i64,
    ) {
        let part = AxisPart {
            begin: begin.clone(),
            end: end.clone(),
            step: step.clone(),
            mask,
        };
        self.set(w, axis, part);
    }

    /// As the attributes of `strided_slice` say.
    pub fn of_attributes(
        w: &mut Writer,
        x: &Tensor,
        a: &graph_ir::ops::Attrs,
    ) -> Result<Part, String> {
        let mut part = Part::default();
        let (begins, ends, steps) = (a.ints("begins")?, a.ints("ends")?, a.ints("steps")?);
        let masks = a.ints("masks")?;
        for (i, given) in a.ints("axes")?.iter().enumerate() {
            let value = |list: &[i64]| list.get(i).copied().unwrap_or(0);
            let [begin, end, step] = [begins, ends, steps].map(|list| w.scalar(value(list)));
            let axis = from_start(x, *given)?;
            part.between(w, axis, [&begin, &end, &step], value(masks));
        }
        Ok(part)
    }

    /// The three vectors of positions, all `int64` if one of them is.
    fn vectors(&self, w: &mut Writer) -> [Tensor; 3] {
        let all = self
            .axes
            .iter()
            .flat_map(|axis| [&axis.begin, &axis.end, &axis.step]);
        let dtype = match all.into_iter().any(|x| x.dtype() == DType::I64) {
            true => DType::I64,
            false => DType::I32,
        };
        let parts: [fn(&AxisPart) -> &Tensor; 3] =
            [|axis| &axis.begin, |axis| &axis.end, |axis| &axis.step];
        parts.map(|part| {
            let of_axes: Vec<Tensor> = self
                .axes
                .iter()
                .map(|axis| w.index(part(axis), dtype))
                .collect();
            w.vector(&of_axes, dtype)
        })
    }

    fn masked<'w>(&self, mut node: Building<'w>) -> Building<'w> {
        for (name, bit) in [("begin_mask", 1), ("end_mask", 2), ("shrink_axis_mask", 4)] {
            let bits = self
                .axes
                .iter()
                .enumerate()
                .filter(|(_, axis)| axis.mask & bit != 0);
            let mask = bits.fold(0i64, |mask, (axis, _)| mask | 1 << axis.min(62));
            node = node.attr(name, attributes::int(mask));
        }
        node
    }

    /// The part of an array.
    pub fn take<'w>(&self, w: &'w mut Writer, x: &Tensor) -> Building<'w> {
        let [begin, end, step] = self.vectors(w);
        self.masked(w.op("StridedSlice", &[x, &begin, &end, &step]))
    }

    /// The array with another part.
    pub fn replace<'w>(&self, w: &'w mut Writer, x: &Tensor, part: &Tensor) -> Building<'w> {
        let [begin, end, step] = self.vectors(w);
        self.masked(w.op("TensorStridedSliceUpdate", &[x, &begin, &end, &step, part]))
    }

    /// The array with values added to a part.
    pub fn add<'w>(&self, w: &'w mut Writer, x: &Tensor, values: &Tensor) -> Building<'w> {
        let part = self.take(w, x).of(x.dtype());
        let sum = w.binary("AddV2", &part, values);
        self.replace(w, x, &sum)
    }
}

impl Writer {
    /// An integer scalar of this dtype.
    fn index(&mut self, x: &Tensor, dtype: DType) -> Tensor {
        match known(x) {
            Some(n) => match dtype {
                DType::I32 => self.int(n),
                _ => self.scalar(n),
            },
            None => self.cast(x, dtype),
        }
    }

    /// Integer scalars as a vector, which is a constant if all are known.
    fn vector(&mut self, scalars: &[Tensor], dtype: DType) -> Tensor {
        let values: Option<Vec<i64>> = scalars.iter().map(known).collect();
        match (values, dtype) {
            (Some(values), DType::I32) => self.ints(&values),
            (Some(values), _) => {
                Tensor::constant(graph_kernels::Array::new(&[values.len()], values))
            }
            (None, _) => self.packed(scalars),
        }
    }
}

/// The value of an integer scalar, if it is a constant.
fn known(x: &Tensor) -> Option<i64> {
    let crate::tensorflow::export::body::Source::Constant(array) = &x.source else {
        return None;
    };
    match (array.values::<i32>(), array.values::<i64>()) {
        (Some([n]), _) => Some(i64::from(*n)),
        (_, Some([n])) => Some(*n),
        _ => None,
    }
}
