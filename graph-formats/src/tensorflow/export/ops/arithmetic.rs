//! Elementwise ops without one op of TensorFlow, and products of matrices.

use graph_ir::ops::Attrs;
use graph_ir::types::TensorType;
use graph_kernels::DType;

use super::Rules;
use super::common::rank;
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::Tensor;
use crate::tensorflow::export::writer::Writer;

pub(super) const RULES: Rules = &[
    ("add", add),
    ("true_div", true_div),
    ("bit_and", |w, x, a, ty| {
        bits(w, x, a, ty, ["BitwiseAnd", "LogicalAnd"])
    }),
    ("bit_or", |w, x, a, ty| {
        bits(w, x, a, ty, ["BitwiseOr", "LogicalOr"])
    }),
    ("bit_xor", |w, x, a, ty| {
        bits(w, x, a, ty, ["BitwiseXor", "NotEqual"])
    }),
    ("cast", cast),
    ("logical_xor", |w, x, _, ty| {
        Ok(w.op("NotEqual", &[&x[0], &x[1]]).gives(ty.clone()))
    }),
    ("exp2", exp2),
    ("log2", |w, x, _, ty| {
        scaled_log(w, x, ty, std::f64::consts::LN_2)
    }),
    ("log10", |w, x, _, ty| {
        scaled_log(w, x, ty, std::f64::consts::LN_10)
    }),
    ("cbrt", cbrt),
    ("trunc", trunc),
    ("check_numerics", check_numerics),
    ("leaky_relu", leaky_relu),
    ("after", after),
    ("one_value", one_value),
    ("grad_div", |w, x, _, ty| {
        Ok(w.op("Xdivy", &[&x[0], &x[1]]).gives(ty.clone()))
    }),
    ("matmul", matmul),
    ("solve", solve),
    ("einsum", einsum),
    ("tensordot", tensordot),
];

fn add(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    if ty.dtype == DType::Str {
        let join = w.op("StringJoin", &[]).list(x);
        return Ok(join
            .attr("separator", attributes::text(""))
            .gives(ty.clone()));
    }
    Ok(w.op("AddV2", &[&x[0], &x[1]]).gives(ty.clone()))
}

fn true_div(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let operands = [w.cast(&x[0], ty.dtype), w.cast(&x[1], ty.dtype)];
    Ok(w.op("RealDiv", &[&operands[0], &operands[1]])
        .gives(ty.clone()))
}

fn bits(
    w: &mut Writer,
    x: &[Tensor],
    _: &Attrs,
    ty: &TensorType,
    [integers, bools]: [&str; 2],
) -> Result<Tensor, String> {
    let op = if ty.dtype == DType::Bool {
        bools
    } else {
        integers
    };
    Ok(w.op(op, &[&x[0], &x[1]]).gives(ty.clone()))
}

fn cast(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    match (x[0].dtype(), ty.dtype) {
        (DType::Str, DType::Str) => Ok(w.identity(&x[0])),
        (DType::Str, DType::F32 | DType::F64 | DType::I32 | DType::I64) => {
            Ok(w.op("StringToNumber", &[&x[0]]).gives(ty.clone()))
        }
        (DType::Str, dtype) => Err(format!("TensorFlow doesn't parse a string as {dtype}")),
        // Its shortest text of 2 is `2`, not `2.0`, and otherwise it writes six places.
        (dtype, DType::Str) if dtype.is_float() => Err(format!(
            "TensorFlow writes other texts of {dtype} than a conversion here; `as_string` is the same in both"
        )),
        (_, DType::Str) => Ok(w.op("AsString", &[&x[0]]).gives(ty.clone())),
        _ => Ok(w.op("Cast", &[&x[0]]).gives(ty.clone())),
    }
}

fn exp2(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let two = w.number(2.0, ty.dtype);
    Ok(w.op("Pow", &[&two, &x[0]]).gives(ty.clone()))
}

fn scaled_log(w: &mut Writer, x: &[Tensor], ty: &TensorType, base: f64) -> Result<Tensor, String> {
    let log = w.op("Log", &[&x[0]]).like(&x[0]);
    let scale = w.number(base, ty.dtype);
    Ok(w.op("RealDiv", &[&log, &scale]).gives(ty.clone()))
}

fn cbrt(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let size = w.op("Abs", &[&x[0]]).like(&x[0]);
    let third = w.number(1.0 / 3.0, ty.dtype);
    let root = w.binary("Pow", &size, &third);
    let sign = w.op("Sign", &[&x[0]]).like(&x[0]);
    Ok(w.op("Mul", &[&sign, &root]).gives(ty.clone()))
}

fn trunc(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let zero = w.number(0.0, ty.dtype);
    let negative = w.op("Less", &[&x[0], &zero]).of(DType::Bool);
    let ceil = w.op("Ceil", &[&x[0]]).like(&x[0]);
    let floor = w.op("Floor", &[&x[0]]).like(&x[0]);
    Ok(w.op("SelectV2", &[&negative, &ceil, &floor])
        .gives(ty.clone()))
}

fn check_numerics(
    w: &mut Writer,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let message = attributes::text(a.text("message")?);
    Ok(w.op("CheckNumerics", &[&x[0]])
        .attr("message", message)
        .gives(ty.clone()))
}

fn leaky_relu(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let zero = w.number(0.0, ty.dtype);
    let positive = w.op("Greater", &[&x[0], &zero]).of(DType::Bool);
    let scaled = w.binary("Mul", &x[0], &x[1]);
    Ok(w.op("SelectV2", &[&positive, &x[0], &scaled])
        .gives(ty.clone()))
}

fn after(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let mut node = w.op("Identity", &[&x[0]]);
    for other in &x[1..] {
        node = node.after(other);
    }
    Ok(node.gives(ty.clone()))
}

fn one_value(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let scalar = w.ints(&[]);
    Ok(w.op("Reshape", &[&x[0], &scalar]).gives(ty.clone()))
}

fn matmul(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let transposed = [a.bool("transpose_a")?, a.bool("transpose_b")?].map(attributes::bool);
    let [of_a, of_b] = transposed;
    let is_matrix = |x: &Tensor| x.rank() == Some(2);
    let product = match is_matrix(&x[0]) && is_matrix(&x[1]) {
        true => w
            .op("MatMul", &[&x[0], &x[1]])
            .attr("transpose_a", of_a)
            .attr("transpose_b", of_b),
        false => w
            .op("BatchMatMulV2", &[&x[0], &x[1]])
            .attr("adj_x", of_a)
            .attr("adj_y", of_b),
    };
    Ok(product.gives(ty.clone()))
}

fn solve(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let adjoint = attributes::bool(a.bool("adjoint")?);
    Ok(w.op("MatrixSolve", &[&x[0], &x[1]])
        .attr("adjoint", adjoint)
        .gives(ty.clone()))
}

fn einsum(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let equation = a.text("equation")?;
    if !equation.contains("->") {
        return Err(format!(
            "the equation `{equation}` doesn't name the result's axes"
        ));
    }
    let equation = attributes::text(&equation.replace(' ', ""));
    Ok(w.op("Einsum", &[])
        .list(x)
        .attr("equation", equation)
        .gives(ty.clone()))
}

/// A sum of products over pairs of axes, as an einsum whose letters are those of the axes.
fn tensordot(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let ranks = [rank(&x[0])?, rank(&x[1])?];
    let mut letters = ('a'..='z').chain('A'..='Z');
    let mut label = |count: usize| letters.by_ref().take(count).collect::<Vec<char>>();
    let (of_a, mut of_b) = (label(ranks[0]), label(ranks[1]));
    if of_a.len() < ranks[0] || of_b.len() < ranks[1] {
        return Err("its operands have too many axes".to_owned());
    }
    let pairs = a.ints("axes_a")?.iter().zip(a.ints("axes_b")?);
    for (on_a, on_b) in pairs {
        let on_a = super::common::from_start(&x[0], *on_a)?;
        let on_b = super::common::from_start(&x[1], *on_b)?;
        of_b[on_b] = of_a[on_a];
    }
    let text = |labels: &[char]| labels.iter().collect::<String>();
    let only = |own: &[char], other: &[char]| {
        own.iter()
            .filter(|label| !other.contains(label))
            .collect::<String>()
    };
    let (left, right) = (only(&of_a, &of_b), only(&of_b, &of_a));
    let equation = format!("{},{}->{left}{right}", text(&of_a), text(&of_b));
    let einsum = w.op("Einsum", &[]).list(x);
    Ok(einsum
        .attr("equation", attributes::text(&equation))
        .gives(ty.clone()))
}
