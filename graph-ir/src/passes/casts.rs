//! Removes casts that change nothing, and merges two casts if the first one loses no information.

use graph_kernels::DType::{
    self, BF16, Bool, F16, F32, F64, I8, I16, I32, I64, Str, U8, U16, U32, U64,
};

use super::patch::Patch;
use super::rewrite::{Edit, Use, View, rewrite};
use crate::graph::Graph;
use crate::ops;

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    rewrite(graph, &[(&ops::CAST, cast)])
}

fn cast(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let (x, dtype) = (of.inputs[0], view.dtype(of.output));
    if view.dtype(x) == dtype {
        return Some(Edit::Value(x));
    }
    let first = view.operand_of(x, of.op)?;
    if !keeps_values(view.dtype(first), view.dtype(x)) || dtype == Str {
        return None;
    }
    if view.dtype(first) == dtype {
        return Some(Edit::Value(first));
    }
    // An integer that is out of the result's range wraps around, but a float is clamped.
    let is_cut = view.dtype(x).is_float() && dtype.is_integer();
    if is_cut && view.dtype(first).is_integer() && !keeps_values(view.dtype(first), dtype) {
        return None;
    }
    Some(Edit::primitive(of.op, of.attrs.clone(), &[first]))
}

/// True if every value of `from` can be represented in the other dtype.
fn keeps_values(from: DType, to: DType) -> bool {
    match from {
        Bool => to.is_number(),
        U8 => to.is_number() && to != I8,
        I8 => matches!(to, I16 | I32 | I64 | F16 | BF16 | F32 | F64),
        U16 => matches!(to, U32 | U64 | I32 | I64 | F32 | F64),
        I16 => matches!(to, I32 | I64 | F32 | F64),
        U32 => matches!(to, U64 | I64 | F64),
        F16 | BF16 => matches!(to, F32 | F64),
        I32 => matches!(to, I64 | F64),
        F32 => to == F64,
        I64 | U64 | F64 | Str => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn what_was_widened_is_narrowed_from_the_start() {
        check(
            super::run,
            "graph (x: float32[2], i: int32[*], b: bool[]) -> (float32[2], int32[2], float64[*], int32[*], float16[]) {
              a = cast(x) {dtype = float32} : float32[2]
              c = cast(x) {dtype = float64} : float64[2]
              d = cast(c) {dtype = int32} : int32[2]
              e = cast(i) {dtype = int64} : int64[*]
              f = cast(e) {dtype = float64} : float64[*]
              g = cast(f) {dtype = int32} : int32[*]
              h = cast(b) {dtype = uint8} : uint8[]
              j = cast(h) {dtype = float16} : float16[]
              return a, d, f, g, j
            }",
            "graph (x: float32[2], i: int32[*], b: bool[]) -> (float32[2], int32[2], float64[*], int32[*], float16[]) {
              c = cast(x) {dtype = float64} : float64[2]
              d = cast(x) {dtype = int32} : int32[2]
              e = cast(i) {dtype = int64} : int64[*]
              f = cast(i) {dtype = float64} : float64[*]
              g = cast(f) {dtype = int32} : int32[*]
              h = cast(b) {dtype = uint8} : uint8[]
              j = cast(b) {dtype = float16} : float16[]
              return x, d, f, g, j
            }",
        );
    }

    /// 300 as `uint8` is 44, but 300.0 is 255.
    #[test]
    fn an_integer_that_a_float_holds_is_cut_as_that() {
        check_unchanged(
            super::run,
            "graph (i: int32[2], u: uint8[]) -> (uint8[2], int8[]) {
              a = cast(i) {dtype = float64} : float64[2]
              b = cast(a) {dtype = uint8} : uint8[2]
              c = cast(u) {dtype = float16} : float16[]
              d = cast(c) {dtype = int8} : int8[]
              return b, d
            }",
        );
    }

    #[test]
    fn what_loses_values_stays() {
        check_unchanged(
            super::run,
            "graph (x: float32[2], i: int32[], l: int64[]) -> (float32[2], int32[], int64[]) {
              a = cast(x) {dtype = int32} : int32[2]
              b = cast(a) {dtype = float32} : float32[2]
              c = cast(i) {dtype = float32} : float32[]
              d = cast(c) {dtype = int32} : int32[]
              e = cast(l) {dtype = float64} : float64[]
              f = cast(e) {dtype = int64} : int64[]
              return b, d, f
            }",
        );
    }
}
