//! Operands and attributes for each op of the table that TensorFlow has.

mod elementwise;
mod others;
mod positions;
mod reductions;
mod shapes;

use graph_ir::ops::{Attr, Attrs};
use graph_kernels::Array;

type Case = (&'static str, Attrs, Vec<Array>);

/// The cases of all ops.
pub fn all() -> Vec<Case> {
    let families = [
        elementwise::elementwise,
        reductions::reductions,
        shapes::shapes,
        positions::positions,
        shapes::lists,
        others::images,
        others::algebra,
        others::strings,
        others::random,
    ];
    families.iter().flat_map(|family| family()).collect()
}

fn attrs<const N: usize>(given: [(&'static str, Attr); N]) -> Attrs {
    given
        .into_iter()
        .fold(Attrs::new(), |attrs, (name, value)| attrs.with(name, value))
}

fn int(n: i64) -> Attr {
    Attr::Int(n)
}

fn ints(values: &[i64]) -> Attr {
    Attr::Ints(values.to_vec())
}

fn yes(value: bool) -> Attr {
    Attr::Bool(value)
}

fn text(value: &str) -> Attr {
    Attr::Text(value.to_owned())
}

/// Floats between -1.5 and 2, no two alike in a small array.
fn floats(shape: &[usize]) -> Array {
    let value = |i: usize| (i * 37 % 101) as f32 / 29.0 - 1.5;
    Array::new(
        shape,
        (0..shape.iter().product()).map(value).collect::<Vec<f32>>(),
    )
}

/// Floats between 0.1 and 0.9.
fn small(shape: &[usize]) -> Array {
    let value = |i: usize| (i * 31 % 97) as f32 / 121.0 + 0.1;
    Array::new(
        shape,
        (0..shape.iter().product()).map(value).collect::<Vec<f32>>(),
    )
}

fn vector(values: &[i32]) -> Array {
    Array::new(&[values.len()], values.to_vec())
}

fn scalar(n: i32) -> Array {
    Array::scalar(n)
}

fn bools(values: &[bool]) -> Array {
    Array::new(&[values.len()], values.to_vec())
}

fn texts(values: &[&str]) -> Array {
    Array::new(
        &[values.len()],
        values
            .iter()
            .map(|text| (*text).to_owned())
            .collect::<Vec<String>>(),
    )
}

fn plain(name: &'static str, operands: Vec<Array>) -> Case {
    (name, Attrs::new(), operands)
}
