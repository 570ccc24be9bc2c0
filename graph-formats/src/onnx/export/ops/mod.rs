//! The ops of the table: each family is a file with a function for each op, which writes the nodes that compute it, and a table of them.

mod arithmetic;
mod arrange;
mod common;
mod compare;
mod conv;
mod conv_gradient;
mod count;
mod diagonal;
mod dynamic;
mod gather;
mod halves;
mod index;
mod linalg;
mod list;
mod mathematics;
mod pad;
mod parts;
mod reduce;
mod scatter;
mod segment;
mod shape;
mod sort;
mod source;
mod special;
mod strings;

use graph_ir::ops::{Attrs, OpDef};
use graph_ir::types::TensorType;
use graph_kernels::DType;

use super::left;
use super::writer::{Tensor, Writer};

/// The value that an op gives, or why it can't be written.
pub(super) type Written = Result<Tensor, String>;

/// Writes one op.
pub(super) type Write = fn(&mut Use<'_>) -> Written;

/// One use of an op.
pub(super) struct Use<'a> {
    w: &'a mut Writer,
    op: &'static OpDef,
    x: &'a [Tensor],
    attrs: &'a Attrs,
    /// The type of the result.
    ty: &'a TensorType,
}

impl Use<'_> {
    /// A node that gives the result.
    fn result(&mut self, operator: &str, inputs: &[&Tensor]) -> Tensor {
        let ty = self.ty.clone();
        self.w.op(operator, inputs).gives(ty)
    }

    /// The dtype of the first operand.
    fn dtype(&self) -> DType {
        self.x.first().map_or(self.ty.dtype, Tensor::dtype)
    }

    /// Fails for models of an older version of the operators.
    fn since(&self, opset: i64, what: &str) -> Result<(), String> {
        match self.w.options.opset {
            chosen if chosen < opset => {
                Err(format!("{what} needs opset {opset} or newer, not {chosen}"))
            }
            _ => Ok(()),
        }
    }
}

/// Writes the operator that the op table names, which takes the same operands and has no attributes.
fn direct(u: &mut Use<'_>) -> Written {
    let operator = u.op.onnx.ok_or("no operator is named")?;
    let inputs: Vec<&Tensor> = u.x.iter().collect();
    Ok(u.result(operator, &inputs))
}

static FAMILIES: &[&[(&OpDef, Write)]] = &[
    arithmetic::ROWS,
    mathematics::ROWS,
    special::ROWS,
    compare::ROWS,
    reduce::ROWS,
    shape::ROWS,
    index::ROWS,
    dynamic::ROWS,
    gather::ROWS,
    scatter::ROWS,
    pad::ROWS,
    arrange::ROWS,
    sort::ROWS,
    count::ROWS,
    segment::ROWS,
    diagonal::ROWS,
    linalg::ROWS,
    conv::ROWS,
    conv_gradient::ROWS,
    source::ROWS,
    strings::ROWS,
    list::ROWS,
];

/// What writes an op.
pub(super) fn find(op: &OpDef) -> Option<Write> {
    let mut rows = FAMILIES.iter().flat_map(|family| family.iter());
    rows.find(|(row, _)| *row == op).map(|(_, write)| *write)
}

/// Writes an op whose result has this type.
///
/// # Errors
/// The reason why ONNX can't say it.
pub(super) fn write(
    w: &mut Writer,
    op: &'static OpDef,
    x: &[Tensor],
    attrs: &Attrs,
    ty: &TensorType,
) -> Written {
    let write =
        find(op).ok_or_else(|| left::reason(op.name).unwrap_or("there is no rule for it"))?;
    let mut used = Use {
        w,
        op,
        x,
        attrs,
        ty,
    };
    match x.iter().any(|x| halves::are_widened(op, x.dtype())) {
        true => halves::write(&mut used, write),
        false => write(&mut used),
    }
}
