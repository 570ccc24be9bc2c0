//! Finds attributes that an op accepts, by means of its errors.

use graph_ir::graph::TensorType;
use graph_ir::ops::{Attr, Attrs, OpDef};
use graph_kernels::{Array, DType};

use super::random::Random;

/// Attributes for which the type rule accepts the operands, and the type of the result.
pub fn attributes(
    random: &mut Random,
    op: &'static OpDef,
    types: &[TensorType],
) -> Option<(Attrs, TensorType)> {
    let unknown = |name: &&'static str| (*name, Attr::Text("?".to_owned()));
    let mut attrs = op.attrs.iter().map(unknown).collect::<Attrs>();
    // Each attribute is corrected at most twice: once if it is of the wrong kind, once if it isn't one of the allowed words.
    for _ in 0..=2 * op.attrs.len() {
        match (op.infer)(types, &attrs) {
            Ok(ty) => {
                complete(random, &mut attrs);
                return Some((attrs, ty));
            }
            Err(message) => correct(random, &mut attrs, &message)?,
        }
    }
    None
}

/// Gives the attribute named by an error message a value of the right kind.
fn correct(random: &mut Random, attrs: &mut Attrs, message: &str) -> Option<()> {
    let (_, message) = message.split_once("the attribute `")?;
    let (name, expected) = message.split_once("` must be given as ")?;
    let (_, value) = attrs.iter_mut().find(|(n, _)| *n == name)?;
    *value = random.attribute(expected)?;
    Some(())
}

/// Gives any values to attributes that the type rule doesn't read; the kernel says whether it accepts them.
fn complete(random: &mut Random, attrs: &mut Attrs) {
    let unknown = Attr::Text("?".to_owned());
    for (_, value) in attrs.iter_mut().filter(|(_, value)| *value == unknown) {
        *value = random.any_attribute();
    }
}

/// True if an array with these sizes stays small.
pub fn is_tame(array: &Array) -> bool {
    let is_tame = |v: f64| !v.is_finite() || v == 0.0 || (0.1..=20.0).contains(&v.abs());
    match array.dtype() {
        DType::F32 => values::<f32>(array).iter().all(|v| is_tame(f64::from(*v))),
        DType::F64 => values::<f64>(array).iter().all(|v| is_tame(*v)),
        DType::I32 => values::<i32>(array).iter().all(|v| v.abs_diff(0) <= 20),
        DType::I64 => values::<i64>(array).iter().all(|v| v.abs_diff(0) <= 20),
        DType::U8 => values::<u8>(array).iter().all(|v| *v <= 20),
        DType::I8 => values::<i8>(array).iter().all(|v| v.abs_diff(0) <= 20),
        DType::I16 => values::<i16>(array).iter().all(|v| v.abs_diff(0) <= 20),
        DType::U16 => values::<u16>(array).iter().all(|v| *v <= 20),
        DType::U32 => values::<u32>(array).iter().all(|v| *v <= 20),
        DType::U64 => values::<u64>(array).iter().all(|v| *v <= 20),
        DType::Bool | DType::Str => true,
        _ => false,
    }
}

fn values<T: graph_kernels::Element>(array: &Array) -> &[T] {
    array.values::<T>().expect("the dtype says so")
}
