//! Transposes: two in a row become one, a transpose that changes nothing is removed, one that moves only axes of size 1 is a reshape, and a
//! transpose of the last two axes of an operand of `matmul` becomes an attribute of the `matmul`.

use graph_kernels::permutation;

use super::patch::Patch;
use super::rewrite::{Edit, Use, View, rewrite};
use crate::graph::{Graph, ValueId};
use crate::ops::{self, Attr, Attrs};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    rewrite(
        graph,
        &[(&ops::TRANSPOSE, transposed), (&ops::MATMUL, multiplied)],
    )
}

/// The permutation of a transpose whose operand has a known, fitting rank, so that it can't fail.
fn axes(view: &View<'_>, of: &Use<'_>) -> Option<Vec<usize>> {
    let rank = view.shape(of.inputs[0]).rank()?;
    Some(
        permutation(of.attrs.ints("perm").ok()?, rank)
            .ok()?
            .to_vec(),
    )
}

fn transposed(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let last = axes(view, of)?;
    if last.iter().copied().eq(0..last.len()) {
        return Some(Edit::Value(of.inputs[0]));
    }
    if let Some(sizes) = view.shape(of.inputs[0]).to_known()
        && (last.iter().filter(|axis| sizes[**axis] != 1)).is_sorted()
    {
        let sizes = last.iter().map(|axis| i64::try_from(sizes[*axis]).ok());
        let attrs = Attrs::new().with("shape", Attr::Ints(sizes.collect::<Option<_>>()?));
        return Some(Edit::primitive(&ops::RESHAPE, attrs, of.inputs));
    }
    let first_use = view
        .made_by(of.inputs[0])
        .filter(|inner| inner.op == of.op)?;
    let first = axes(view, &first_use)?;
    let perm = last.iter().map(|axis| i64::try_from(first[*axis]).ok());
    let attrs = Attrs::new().with("perm", Attr::Ints(perm.collect::<Option<_>>()?));
    Some(Edit::primitive(of.op, attrs, first_use.inputs))
}

/// A product of a matrix and a vector adds up in another order if its operand is transposed, so both sizes of the result must be known.
fn multiplied(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let [.., Some(2..), Some(2..)] = view.shape(of.output).dims()? else {
        return None;
    };
    let mut flags = [
        of.attrs.bool("transpose_a").ok()?,
        of.attrs.bool("transpose_b").ok()?,
    ];
    let mut inputs = [of.inputs[0], of.inputs[1]];
    let before = inputs;
    for (input, flag) in inputs.iter_mut().zip(&mut flags) {
        if let Some(untransposed) = of_matrices(view, *input) {
            *input = untransposed;
            *flag = !*flag;
        }
    }
    let [transpose_a, transpose_b] = flags.map(Attr::Bool);
    let attrs = Attrs::new()
        .with("transpose_a", transpose_a)
        .with("transpose_b", transpose_b);
    (inputs != before).then(|| Edit::primitive(of.op, attrs, &inputs))
}

/// The operand of the transpose that defines a value, if it exchanges exactly the last two axes.
fn of_matrices(view: &View<'_>, value: ValueId) -> Option<ValueId> {
    let transpose = view
        .made_by(value)
        .filter(|inner| inner.op == &ops::TRANSPOSE)?;
    let axes = axes(view, &transpose)?;
    let rank = axes.len();
    let batch = rank.checked_sub(2)?;
    let exchanged = (0..batch).chain([batch + 1, batch]);
    axes.into_iter()
        .eq(exchanged)
        .then_some(transpose.inputs[0])
}

#[cfg(test)]
mod tests {
    use graph_kernels::Array;

    use crate::passes::testing::{check, check_unchanged, same_results_on};

    #[test]
    fn two_are_one_or_none() {
        check(
            super::run,
            "graph (x: float32[2,3,4]) -> (float32[3,4,2], float32[2,3,4], float32[2,3,4]) {
              a = transpose(x) {perm = [2, 0, 1]} : float32[4,2,3]
              b = transpose(a) {perm = [2, 0, 1]} : float32[3,4,2]
              c = transpose(a) {perm = [1, 2, 0]} : float32[2,3,4]
              d = transpose(x) {perm = [0, 1, -1]} : float32[2,3,4]
              return b, c, d
            }",
            "graph (x: float32[2,3,4]) -> (float32[3,4,2], float32[2,3,4], float32[2,3,4]) {
              a = transpose(x) {perm = [2, 0, 1]} : float32[4,2,3]
              b = transpose(x) {perm = [1, 2, 0]} : float32[3,4,2]
              c = transpose(x) {perm = [0, 1, 2]} : float32[2,3,4]
              return b, c, x
            }",
        );
    }

    #[test]
    fn one_that_moves_only_axes_of_size_1_is_a_reshape() {
        check(
            super::run,
            "graph (x: float32[2,1,1,4], y: float32[1,3,2]) -> (float32[2,4,1,1], float32[3,2,1], float32[2,1,3]) {
              a = transpose(x) {perm = [0, 3, 1, 2]} : float32[2,4,1,1]
              b = transpose(y) {perm = [1, 2, 0]} : float32[3,2,1]
              c = transpose(y) {perm = [2, 0, 1]} : float32[2,1,3]
              return a, b, c
            }",
            "graph (x: float32[2,1,1,4], y: float32[1,3,2]) -> (float32[2,4,1,1], float32[3,2,1], float32[2,1,3]) {
              a = reshape(x) {shape = [2, 4, 1, 1]} : float32[2,4,1,1]
              b = reshape(y) {shape = [3, 2, 1]} : float32[3,2,1]
              c = transpose(y) {perm = [2, 0, 1]} : float32[2,1,3]
              return a, b, c
            }",
        );
    }

    #[test]
    fn products_read_their_operands_the_other_way() {
        check(
            super::run,
            "graph (x: float32[5,2,3], w: float32[4,3], v: float32[3,6]) -> (float32[5,2,4], float32[4,6]) {
              a = transpose(w) {perm = [1, 0]} : float32[3,4]
              b = matmul(x, a) {transpose_a = false, transpose_b = false} : float32[5,2,4]
              c = transpose(v) {perm = [1, 0]} : float32[6,3]
              d = matmul(a, c) {transpose_a = true, transpose_b = true} : float32[4,6]
              return b, d
            }",
            "graph (x: float32[5,2,3], w: float32[4,3], v: float32[3,6]) -> (float32[5,2,4], float32[4,6]) {
              a = transpose(w) {perm = [1, 0]} : float32[3,4]
              b = matmul(x, w) {transpose_a = false, transpose_b = true} : float32[5,2,4]
              c = transpose(v) {perm = [1, 0]} : float32[6,3]
              d = matmul(w, v) {transpose_a = false, transpose_b = false} : float32[4,6]
              return b, d
            }",
        );
    }

    /// The kernel adds up in the same order whether an operand is transposed or not.
    #[test]
    fn products_keep_their_bits() {
        for (m, k, n) in [(2, 37, 5), (5, 37, 2), (7, 1, 3), (9, 70, 17), (33, 40, 35)] {
            for (perm_a, perm_b) in [([1, 0], [0, 1]), ([0, 1], [1, 0]), ([1, 0], [1, 0])] {
                let [rows, columns] = perm_a.map(|axis| [m, k][axis]);
                let [rows_b, columns_b] = perm_b.map(|axis| [k, n][axis]);
                let text = format!(
                    "graph (x: float32[{rows},{columns}], y: float32[{rows_b},{columns_b}]) -> float32[{m},{n}] {{
                      a = transpose(x) {{perm = {perm_a:?}}} : float32[{m},{k}]
                      b = transpose(y) {{perm = {perm_b:?}}} : float32[{k},{n}]
                      c = matmul(a, b) {{transpose_a = false, transpose_b = false}} : float32[{m},{n}]
                      return c
                    }}"
                );
                let uneven =
                    |len: usize| (0..len).map(|i| ((i * 7919 % 1000) as f32 - 500.0) / 7.0);
                let inputs = [(rows, columns), (rows_b, columns_b)]
                    .map(|(a, b)| Array::new(&[a, b], uneven(a * b).collect::<Vec<f32>>()));
                same_results_on(super::run, &text, &inputs);
            }
        }
    }

    #[test]
    fn other_axes_unknown_ranks_and_vectors_stay() {
        check_unchanged(
            super::run,
            "graph (x: float32[3,3,3], y: float32[*], v: float32[1,3], w: float32[4,3]) -> (float32[3,3,3], float32[?,?], float32[1,4]) {
              t = transpose(w) {perm = [1, 0]} : float32[3,4]
              u = matmul(v, t) {transpose_a = false, transpose_b = false} : float32[1,4]
              a = transpose(x) {perm = [1, 0, 2]} : float32[3,3,3]
              b = matmul(a, x) {transpose_a = false, transpose_b = false} : float32[3,3,3]
              c = transpose(y) {perm = [0, 1]} : float32[?,?]
              return b, c, u
            }",
        );
    }
}
