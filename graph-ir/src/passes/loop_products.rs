//! A loop may index a sequence by its counter and multiply each element by the same matrix, as a recurrent network does with its
//! inputs. This pass multiplies the whole sequence before the loop, and the loop indexes the product. One large product reads and
//! packs the matrix only once, unlike many small ones.
//!
//! Each row of the large product has the same bits as the row's own product, so results don't change. The cost is memory.

use std::cell::LazyCell;

use super::patch::Patch;
use super::rebuild::Rebuild;
use super::rewrite::View;
use crate::graph::{Graph, Node, Op, Shape, TensorType, ValueId};
use crate::ops::{self, Attrs};

/// The maximum number of bytes of the product of a sequence, which should fit into the outer cache. Reading it back from memory would take
/// longer than the saved arithmetic.
const MAX_BYTES: usize = 8 << 20;
/// The minimum length of the rows: for shorter ones, writing and reading the result costs as much as some products.
const MIN_ROW: usize = 16;

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let view = LazyCell::new(|| View::of(graph));
    Rebuild::loops(graph, |rebuild, node, parts| {
        let found = Count::of(&view, node, parts).map(|count| count.products(parts[1]));
        let found = found.unwrap_or_default();
        multiply(rebuild, node, parts, &found);
        !found.is_empty()
    })
}

/// The counter of a loop that runs from 0 to a known number.
struct Count {
    /// The counter's value in the body.
    counter: ValueId,
    number: usize,
    /// The number of state values; the operands after them are loop-invariant.
    state: usize,
}

impl Count {
    /// The counter of a loop, if its condition is only `counter < number`.
    fn of(around: &View<'_>, node: &Node, [cond, body]: [&Graph; 2]) -> Option<Count> {
        let (in_cond, in_body) = (View::of(cond), View::of(body));
        let less = in_cond
            .made_by(*cond.outputs.first()?)
            .filter(|test| test.op == &ops::LESS)?;
        let place = cond
            .inputs
            .iter()
            .position(|input| *input == less.inputs[0])?;
        let counter = body.inputs[place];
        let next = in_body
            .made_by(*body.outputs.get(place)?)
            .filter(|next| next.op == &ops::ADD)?;
        let [number] = in_cond.integers(less.inputs[1])?[..] else {
            return None;
        };
        let counts = next.inputs[0] == counter
            && in_body.integers(next.inputs[1])? == [1]
            && around.integers(node.inputs[place])? == [0];
        Some(Count {
            counter,
            number: usize::try_from(number).ok().filter(|_| counts)?,
            state: node.outputs.len(),
        })
    }

    /// The products of the body that can be computed before the loop.
    fn products(&self, body: &Graph) -> Vec<Product> {
        let view = View::of(body);
        let numbered = body.nodes.iter().enumerate();
        numbered
            .filter_map(|(at, _)| self.product(&view, at))
            .collect()
    }

    /// The product of the whole sequence, if this node of the body multiplies one element of it.
    fn product(&self, view: &View<'_>, at: usize) -> Option<Product> {
        let (body, node) = (view.graph, &view.graph.nodes[at]);
        let each = view
            .made_by(*node.outputs.first()?)
            .filter(|each| each.op == &ops::MATMUL)?;
        let element = view
            .made_by(each.inputs[0])
            .filter(|element| element.op == &ops::INDEX)?;
        let [sequence, counter] = element.inputs[..] else {
            return None;
        };
        let stays = |value: ValueId| body.inputs[self.state..].contains(&value);
        let matrix = each.inputs[1];
        let (rows, columns) = (
            view.shape(sequence).to_known()?,
            view.shape(matrix).to_known()?,
        );
        let result = view.shape(each.output).to_known()?;
        let fits = counter == self.counter
            && stays(sequence)
            && (stays(matrix) || view.constant(matrix).is_some())
            && rows[0] == self.number
            && columns.len() == 2
            && each.attrs.bool("transpose_a") == Ok(false)
            && (each.attrs.bool("transpose_b") == Ok(false) || has_rows(&result));
        let ty = TensorType::new(
            view.dtype(each.output),
            Shape::of(
                [Some(self.number)]
                    .into_iter()
                    .chain(result.iter().copied().map(Some)),
            ),
        );
        let bytes = ty.shape.size()?.checked_mul(ty.dtype.bytes())?;
        let pays = *rows.last()? >= MIN_ROW && bytes <= MAX_BYTES;
        (fits && pays).then_some(Product {
            at,
            operands: [sequence, matrix],
            counter,
            ty,
        })
    }
}

/// False for a single vector: its product with a transposed matrix adds up in another order.
fn has_rows(result: &[usize]) -> bool {
    let (columns, rows) = result.split_last().unwrap_or((&1, &[]));
    *columns > 1 && rows.iter().product::<usize>() > 1
}

/// The product of a whole sequence.
struct Product {
    /// The position of the node in the body that multiplies one element.
    at: usize,
    /// The sequence and the matrix, as values of the body.
    operands: [ValueId; 2],
    /// The loop's counter in the body.
    counter: ValueId,
    /// The type of the result.
    ty: TensorType,
}

/// Writes the products before the loop, and the loop with them as additional operands that it indexes.
fn multiply(rebuild: &mut Rebuild<'_>, node: &Node, parts: [&Graph; 2], found: &[Product]) {
    let view = View::of(parts[1]);
    let mut inputs = rebuild.all_new_of(&node.inputs);
    let [mut cond, mut body] = parts.map(Graph::clone);
    for product in found {
        let step = &mut body.nodes[product.at];
        let mut operands = Vec::with_capacity(2);
        for value in product.operands {
            let place = view.graph.inputs.iter().position(|input| *input == value);
            let outside = place.map(|place| inputs[place]);
            let constant = || {
                view.constant(value)
                    .map(|array| rebuild.constant(array.clone(), step.location.clone()))
            };
            operands.extend(outside.or_else(constant));
        }
        let (op, types) = (step.op.clone(), vec![product.ty.clone()]);
        inputs.extend(rebuild.add_node(op, operands, types, step.location.clone()));
        step.op = Op::Primitive(&ops::INDEX, Attrs::new());
        cond.add_input(product.ty.clone(), None);
        let inside = body.add_input(product.ty.clone(), None);
        body.nodes[product.at].inputs = vec![inside, product.counter];
    }
    rebuild.keep_around(node, [cond, body], inputs);
}

#[cfg(test)]
mod tests {
    use graph_kernels::Array;

    use crate::passes::testing::{check, check_unchanged, same_results_on};

    /// A loop over the rows of a sequence: `h = h + x U`.
    fn program(rows: usize, attrs: &str, counter: &str) -> String {
        format!(
            "graph (xs: float32[5,{rows},16], h: float32[{rows},16], u: float32[16,16]) -> float32[{rows},16] {{
              zero = constant 0 : int32[]
              a, b = while_loop (h, zero; xs, u) : float32[{rows},16], int32[] {{
                cond (h: float32[{rows},16], i: int32[], xs: float32[5,{rows},16], u: float32[16,16]) {{
                  n = constant 5 : int32[] p = less(i, n) : bool[] return p
                }}
                body (h: float32[{rows},16], i: int32[], xs: float32[5,{rows},16], u: float32[16,16]) {{
                  x = index(xs, i) : float32[{rows},16]
                  z = matmul(x, u) {{{attrs}}} : float32[{rows},16]
                  k = add(h, z) : float32[{rows},16]
                  one = constant 1 : int32[]
                  j = {counter} : int32[]
                  return k, j
                }}
              }}
              return a
            }}"
        )
    }

    const PLAIN: &str = "transpose_a = false, transpose_b = false";
    const TURNED: &str = "transpose_a = false, transpose_b = true";

    #[test]
    fn a_sequence_is_multiplied_before_the_loop_over_it() {
        check(
            super::run,
            &program(1, PLAIN, "add(i, one)"),
            "graph (xs: float32[5,1,16], h: float32[1,16], u: float32[16,16]) -> float32[1,16] {
              zero = constant 0 : int32[]
              %4 = matmul(xs, u) {transpose_a = false, transpose_b = false} : float32[5,1,16]
              a, b = while_loop (h, zero; xs, u, %4) : float32[1,16], int32[] {
                cond (h: float32[1,16], i: int32[], xs: float32[5,1,16], u: float32[16,16], %4: float32[5,1,16]) {
                  n = constant 5 : int32[] p = less(i, n) : bool[] return p
                }
                body (h: float32[1,16], i: int32[], xs: float32[5,1,16], u: float32[16,16], %4: float32[5,1,16]) {
                  x = index(xs, i) : float32[1,16]
                  z = index(%4, i) : float32[1,16]
                  k = add(h, z) : float32[1,16]
                  one = constant 1 : int32[]
                  j = add(i, one) : int32[]
                  return k, j
                }
              }
              return a
            }",
        );
    }

    #[test]
    fn results_keep_their_bits() {
        let uneven = |len: usize| (0..len).map(|i| ((i * 7919 % 1000) as f32 - 500.0) / 7.0);
        let array = |shape: &[usize]| {
            let len = shape.iter().product();
            Array::new(shape, uneven(len).collect::<Vec<f32>>())
        };
        for (rows, attrs) in [(1, PLAIN), (3, PLAIN), (3, TURNED)] {
            let inputs = [array(&[5, rows, 16]), array(&[rows, 16]), array(&[16, 16])];
            same_results_on(super::run, &program(rows, attrs, "add(i, one)"), &inputs);
        }
    }

    #[test]
    fn loops_that_do_not_take_all_elements_and_vectors_of_another_order_stay() {
        check_unchanged(super::run, &program(3, PLAIN, "add(i, i)"));
        check_unchanged(super::run, &program(3, PLAIN, "sub(i, one)"));
        check_unchanged(super::run, &program(1, TURNED, "add(i, one)"));
        let shorter = program(3, PLAIN, "add(i, one)").replace("constant 5", "constant 4");
        check_unchanged(super::run, &shorter);
        let later = program(3, PLAIN, "add(i, one)").replace("constant 0", "constant 2");
        check_unchanged(super::run, &later);
    }
}
