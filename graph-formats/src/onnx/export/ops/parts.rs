//! Parts of an array that are read and written by position: the positions of a part are the part of an array of all positions, so
//! that what takes a part also says where to write one.

use graph_kernels::DType;

use super::common::{counted, flat, reshape, sizes};
use crate::onnx::export::writer::{Tensor, Writer};

/// How a written value meets the one that was there: `ScatterElements` names these.
#[derive(Clone, Copy)]
pub(super) enum Meets {
    Replaces,
    Adds,
    Multiplies,
    Smaller,
    Larger,
}

impl Meets {
    fn name(self) -> &'static str {
        match self {
            Meets::Replaces => "none",
            Meets::Adds => "add",
            Meets::Multiplies => "mul",
            Meets::Smaller => "min",
            Meets::Larger => "max",
        }
    }
}

/// An array of the same shape, whose values count from 0.
pub(super) fn positions(w: &mut Writer, x: &Tensor) -> Tensor {
    let size = w.op("Size", &[x]).of(DType::I64);
    let one = w.ints(&[1]);
    let size = w.op("Reshape", &[&size, &one]).of(DType::I64);
    let all = counted(w, &size);
    let shape = sizes(w, x);
    let positions = reshape(w, &all, &shape);
    Tensor {
        ty: graph_ir::types::TensorType::new(DType::I64, x.ty.shape.clone()),
        ..positions
    }
}

/// The array with values at a part of its positions. They broadcast to the part, and are written in order.
pub(super) fn write(
    w: &mut Writer,
    x: &Tensor,
    part: &Tensor,
    values: &Tensor,
    meets: Meets,
) -> Tensor {
    let shape = w.op("Shape", &[part]).of(DType::I64);
    let values = w.op("Expand", &[values, &shape]).of(x.dtype());
    let [to, part, values] = [x, part, &values].map(|x| flat(w, x));
    let scatter = w
        .op("ScatterElements", &[&to, &part, &values])
        .int("axis", 0);
    let written = scatter.text("reduction", meets.name()).of(x.dtype());
    let shape = w.op("Shape", &[x]).of(DType::I64);
    let written = reshape(w, &written, &shape);
    Tensor {
        ty: x.ty.clone(),
        ..written
    }
}
