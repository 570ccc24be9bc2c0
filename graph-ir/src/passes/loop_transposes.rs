//! If products in a loop read a loop-invariant matrix transposed, as the gradient of a recurrent network does with its weight, the matrix
//! is transposed once before the loop. Otherwise each product would rearrange it.

use super::patch::Patch;
use super::rebuild::Rebuild;
use crate::graph::{Graph, Node, Op, Shape, TensorType, ValueId};
use crate::ops::{self, Attr, Attrs};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    Rebuild::loops(graph, |rebuild, node, parts| {
        let found = turned(parts[1], node.outputs.len());
        turn(rebuild, node, parts, &found);
        !found.is_empty()
    })
}

/// The loop-invariant operands of this body that products read transposed.
fn turned(body: &Graph, state: usize) -> Vec<ValueId> {
    let same = &body.inputs[state..];
    let reads = |value: &&ValueId| body.nodes.iter().any(|node| turns(body, node, **value));
    same.iter().filter(reads).copied().collect()
}

/// True for a product whose right operand is this value, read transposed. A product of a matrix and a vector adds up in another order
/// if its operand is transposed, so both sizes of the result must be known.
fn turns(body: &Graph, node: &Node, value: ValueId) -> bool {
    let Op::Primitive(op, attrs) = &node.op else {
        return false;
    };
    let result = node.outputs.first().and_then(|v| body.ty(*v).shape.dims());
    **op == ops::MATMUL
        && node.inputs[1] == value
        && attrs.bool("transpose_b") == Ok(true)
        && matches!(result, Some([.., Some(2..), Some(2..)]))
        && body.ty(value).shape.rank().is_some()
}

/// Writes the transposes of some operands, and the loop with them as additional operands.
fn turn(rebuild: &mut Rebuild<'_>, node: &Node, parts: [&Graph; 2], found: &[ValueId]) {
    let mut inputs = rebuild.all_new_of(&node.inputs);
    let [mut cond, mut body] = parts.map(Graph::clone);
    for value in found {
        let place = body.inputs.iter().position(|input| input == value);
        let Some(outside) = place.map(|place| inputs[place]) else {
            continue;
        };
        let (ty, perm) = transposed(rebuild.ty(outside));
        let op = Op::Primitive(&ops::TRANSPOSE, Attrs::new().with("perm", Attr::Ints(perm)));
        let at = node.location.clone();
        inputs.extend(rebuild.add_node(op, vec![outside], vec![ty], at));
        let (ty, _) = transposed(body.ty(*value));
        cond.add_input(ty.clone(), None);
        let inside = body.add_input(ty, None);
        for i in 0..body.nodes.len() {
            if turns(&body, &body.nodes[i], *value) {
                let product = &mut body.nodes[i];
                product.inputs[1] = inside;
                if let Op::Primitive(_, attrs) = &mut product.op {
                    let flags = attrs.iter_mut().filter(|(name, _)| *name == "transpose_b");
                    flags.for_each(|(_, flag)| *flag = Attr::Bool(false));
                }
            }
        }
    }
    rebuild.keep_around(node, [cond, body], inputs);
}

/// The transpose of a type of known rank with the last two axes exchanged, and the order of axes for it.
fn transposed(ty: &TensorType) -> (TensorType, Vec<i64>) {
    let mut dims = ty.shape.dims().unwrap_or_default().to_vec();
    let mut perm: Vec<i64> = (0..).take(dims.len()).collect();
    if let Some(before) = dims.len().checked_sub(2) {
        dims.swap(before, before + 1);
        perm.swap(before, before + 1);
    }
    (TensorType::new(ty.dtype, Shape::of(dims)), perm)
}

#[cfg(test)]
mod tests {
    use graph_kernels::Array;

    use crate::passes::testing::{check, check_unchanged, same_results_on};

    const LOOP: &str = "graph (h: float32[3,4], n: int32[], w: float32[4,4]) -> (float32[3,4], int32[]) {
      a, b = while_loop (h, n; w) : float32[3,4], int32[] {
        cond (h: float32[3,4], i: int32[], w: float32[4,4]) { z = constant 0 : int32[] p = greater(i, z) : bool[] return p }
        body (h: float32[3,4], i: int32[], w: float32[4,4]) {
          g = matmul(h, w) {transpose_a = false, transpose_b = true} : float32[3,4]
          k = matmul(g, w) {transpose_a = false, transpose_b = true} : float32[3,4]
          l = matmul(k, w) {transpose_a = false, transpose_b = false} : float32[3,4]
          one = constant 1 : int32[]
          j = sub(i, one) : int32[]
          return l, j
        }
      }
      return a, b
    }";

    #[test]
    fn what_stays_the_same_is_transposed_before_the_loop() {
        check(
            super::run,
            LOOP,
            "graph (h: float32[3,4], n: int32[], w: float32[4,4]) -> (float32[3,4], int32[]) {
              %3 = transpose(w) {perm = [1, 0]} : float32[4,4]
              a, b = while_loop (h, n; w, %3) : float32[3,4], int32[] {
                cond (h: float32[3,4], i: int32[], w: float32[4,4], %3: float32[4,4]) {
                  z = constant 0 : int32[] p = greater(i, z) : bool[] return p
                }
                body (h: float32[3,4], i: int32[], w: float32[4,4], %3: float32[4,4]) {
                  g = matmul(h, %3) {transpose_a = false, transpose_b = false} : float32[3,4]
                  k = matmul(g, %3) {transpose_a = false, transpose_b = false} : float32[3,4]
                  l = matmul(k, w) {transpose_a = false, transpose_b = false} : float32[3,4]
                  one = constant 1 : int32[]
                  j = sub(i, one) : int32[]
                  return l, j
                }
              }
              return a, b
            }",
        );
    }

    #[test]
    fn results_keep_their_bits() {
        let uneven = |len: usize| (0..len).map(|i| ((i * 7919 % 1000) as f32 - 500.0) / 7.0);
        let matrix = |rows, columns| {
            Array::new(
                &[rows, columns],
                uneven(rows * columns).collect::<Vec<f32>>(),
            )
        };
        for turns in [0, 1, 3] {
            let inputs = [matrix(3, 4), Array::scalar(turns), matrix(4, 4)];
            same_results_on(super::run, LOOP, &inputs);
        }
    }

    #[test]
    fn what_changes_and_what_may_be_a_vector_stays() {
        check_unchanged(
            super::run,
            "graph (h: float32[?,4], v: float32[1,4], w: float32[4,4], m: float32[4,4]) -> (float32[?,4], float32[1,4], float32[4,4]) {
              a, b, c = while_loop (h, v, m; w) : float32[?,4], float32[1,4], float32[4,4] {
                cond (h: float32[?,4], v: float32[1,4], m: float32[4,4], w: float32[4,4]) { p = constant false : bool[] return p }
                body (h: float32[?,4], v: float32[1,4], m: float32[4,4], w: float32[4,4]) {
                  g = matmul(h, w) {transpose_a = false, transpose_b = true} : float32[?,4]
                  x = matmul(v, w) {transpose_a = false, transpose_b = true} : float32[1,4]
                  y = matmul(w, m) {transpose_a = false, transpose_b = true} : float32[4,4]
                  return g, x, y
                }
              }
              return a, b, c
            }",
        );
    }
}
