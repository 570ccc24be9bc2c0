//! Strings, as far as ONNX has operators for them: from opset 20 on.

use graph_ir::ops::{self, OpDef};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::{Array, DType};

use super::{Use, Write, Written};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::STRING_JOIN, string_join),
    (&ops::STRING_SPLIT, string_split),
];

fn string_join(u: &mut Use<'_>) -> Written {
    u.since(20, "to join strings")?;
    let separator = u.attrs.text("separator")?;
    let separator = u.w.constant(&Array::scalar(separator.to_owned()));
    let mut joined = u.x.first().ok_or("nothing is joined")?.clone();
    for part in &u.x[1..] {
        joined =
            u.w.op("StringConcat", &[&joined, &separator])
                .of(DType::Str);
        joined = u.w.op("StringConcat", &[&joined, part]).of(DType::Str);
    }
    Ok(u.result("Identity", &[&joined]))
}

fn string_split(u: &mut Use<'_>) -> Written {
    u.since(20, "to split strings")?;
    let separator = u.attrs.text("separator")?;
    let types = [DType::Str, DType::I64].map(|dtype| TensorType::new(dtype, Shape::unknown()));
    let node = u.w.op("StringSplit", &[&u.x[0]]);
    let node = if separator.is_empty() {
        node
    } else {
        node.text("delimiter", separator)
    };
    Ok(node.give_all(&types).swap_remove(0))
}
