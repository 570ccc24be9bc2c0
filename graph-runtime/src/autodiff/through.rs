//! Stacks that a loop passes to its inner loops: finds the values saved by a loop's body that are stacks of a loop in it, and makes
//! both halves of the body continue one stack over all iterations.

use rustc_hash::FxHashMap;

use super::split::{Residual, Split};
use crate::graph::{Flow, Graph, Node, Op, TensorType, ValueId};
use crate::ops::{self, OpDef};
use graph_kernels::DType;

/// The stack of an inner loop.
pub(super) struct Through {
    /// The position of the inner loop in the forward graph, and which of its states is the stack.
    forward: (usize, usize),
    /// The position of the inner backward loop in the backward graph, and which of its states is the stack's length.
    backward: (usize, usize),
}

impl Through {
    /// Makes the loop of the forward graph continue an existing stack.
    pub fn go_on_with(&self, forward: &mut Graph, list: ValueId) {
        let (node, state) = self.forward;
        forward.nodes[node].inputs[state] = list;
    }

    /// Makes the stack's length an input of the backward graph; its length before this iteration becomes the last output.
    pub fn take_end(&self, backward: &mut Graph) {
        let (node, state) = self.backward;
        let end = backward.add_input(TensorType::scalar(DType::I32), None);
        let node = &mut backward.nodes[node];
        node.inputs[state] = end;
        backward.outputs.push(node.outputs[state]);
    }
}

/// For each value that the forward graph saves: the inner loop's stack, if it is one.
pub(super) fn found(split: &Split, own: usize) -> Vec<Option<Through>> {
    let (forward, backward) = (Index::of(&split.forward), Index::of(&split.backward));
    let saved = split.forward.outputs[own..].iter().enumerate();
    saved
        .map(|(k, value)| {
            let residual = split
                .residuals
                .iter()
                .position(|r| *r == Residual::Saved(k))?;
            Some(Through {
                forward: forward.inner_stack(*value)?,
                backward: backward.way_back(split.backward.inputs[residual])?,
            })
        })
        .collect()
}

/// The definitions and uses of a graph's values.
struct Index<'a> {
    graph: &'a Graph,
    defined: FxHashMap<ValueId, usize>,
    /// The nodes that read a value, once for each use; the number of nodes means a graph output.
    read: FxHashMap<ValueId, Vec<usize>>,
}

impl Index<'_> {
    fn of(graph: &Graph) -> Index<'_> {
        let mut defined = FxHashMap::default();
        let mut read: FxHashMap<ValueId, Vec<usize>> = FxHashMap::default();
        for (i, node) in graph.nodes.iter().enumerate() {
            defined.extend(node.outputs.iter().map(|v| (*v, i)));
            for input in &node.inputs {
                read.entry(*input).or_default().push(i);
            }
        }
        for output in &graph.outputs {
            read.entry(*output).or_default().push(graph.nodes.len());
        }
        Index {
            graph,
            defined,
            read,
        }
    }

    fn readers(&self, value: ValueId) -> &[usize] {
        self.read.get(&value).map_or(&[], Vec::as_slice)
    }

    /// The loop that returns a value, and which of its states it is, if the state begins empty, only grows at its end, and isn't
    /// read by anything else.
    fn inner_stack(&self, value: ValueId) -> Option<(usize, usize)> {
        let at = *self.defined.get(&value)?;
        let node = &self.graph.nodes[at];
        let Some(Flow::Loop { body, .. }) = node.flow() else {
            return None;
        };
        let state = node.outputs.iter().position(|v| *v == value)?;
        let list = node.inputs[state];
        let new = &self.graph.nodes[*self.defined.get(&list)?];
        let is_own = is(new, &ops::LIST_NEW)
            && self.readers(list) == [at]
            && self.readers(value) == [self.graph.nodes.len()]
            && grows_at_end(body, state);
        is_own.then_some((at, state))
    }

    /// The backward loop that pops a stack, and which of its states is the stack's length, if nothing else reads the stack.
    fn way_back(&self, list: ValueId) -> Option<(usize, usize)> {
        let &[a, b] = self.readers(list) else {
            return None;
        };
        let size = [a, b].into_iter().find(|i| {
            let node = self.graph.nodes.get(*i);
            node.is_some_and(|node| is(node, &ops::LIST_SIZE))
        })?;
        let back = if size == a { b } else { a };
        let node = self.graph.nodes.get(back)?;
        let end = self.graph.nodes[size].outputs[0];
        let state = node.inputs.iter().position(|v| *v == end)?;
        let flow = node.flow().filter(|flow| flow.state() > state)?;
        let goes_back = self.readers(end) == [back] && !node.inputs[..flow.state()].contains(&list);
        goes_back.then_some((back, state))
    }
}

fn is(node: &Node, op: &OpDef) -> bool {
    matches!(&node.op, Op::Primitive(own, _) if *own == op)
}

/// Whether each iteration of a loop appends to a state of its body, and does nothing else with it.
fn grows_at_end(body: &Graph, state: usize) -> bool {
    let (list, next) = (body.inputs[state], body.outputs[state]);
    let defines = |value: ValueId| {
        body.nodes
            .iter()
            .rev()
            .find(move |n| n.outputs.contains(&value))
    };
    let Some(node) = defines(next) else {
        return false;
    };
    if let Some(Flow::Loop { body, .. }) = node.flow() {
        let inner = node.outputs.iter().position(|v| *v == next);
        return inner.is_some_and(|inner| node.inputs[inner] == list && grows_at_end(body, inner));
    }
    let at_end = |i: ValueId| {
        defines(i).is_some_and(|size| is(size, &ops::LIST_SIZE) && size.inputs == [list])
    };
    match node.inputs[..] {
        [to, _] => is(node, &ops::LIST_EXTEND) && to == list,
        [to, i, _] => is(node, &ops::LIST_WRITE) && to == list && at_end(i),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Graph {
        text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    /// Which result of a loop is found to be a stack. The loop's list starts as `begin`, after the nodes `before`; the body writes
    /// `x` at index `place`, and the nodes `behind` follow the loop.
    fn stack(
        before: &str,
        begin: &str,
        place: &str,
        behind: &str,
        results: &str,
    ) -> Option<(usize, usize)> {
        let graph = parse(&format!(
            "graph (n: int32[], x: float32[]) -> (float32[?]{results}) {{
              zero = constant 0 : int32[]
              new = list_new(zero) {{dtype = float32, shape = dims[?]}} : float32[?]
              {before}
              i, list = while_loop (zero, {begin}; n, x) : int32[], float32[?] {{
                cond (i: int32[], list: float32[?], n: int32[], x: float32[]) {{
                  more = less(i, n) : bool[]
                  return more
                }}
                body (i: int32[], list: float32[?], n: int32[], x: float32[]) {{
                  one = constant 1 : int32[]
                  j = add(i, one) : int32[]
                  end = list_size(list) : int32[]
                  longer = list_write(list, {place}, x) {{grows = true}} : float32[?]
                  return j, longer
                }}
              }}
              {behind}
            }}"
        ));
        Index::of(&graph).inner_stack(graph.outputs[0])
    }

    #[test]
    fn a_stack_begins_empty_grows_at_its_end_and_is_only_saved() {
        assert_eq!(stack("", "new", "end", "return list", ""), Some((2, 1)));
        let one = "one = list_write(new, zero, x) {grows = true} : float32[?]";
        assert_eq!(stack(one, "one", "end", "return list", ""), None);
        let (read, integer) = ("size = list_size(new) : int32[]", ", int32[]");
        assert_eq!(
            stack(read, "new", "end", "return list, size", integer),
            None
        );
        let read = "size = list_size(list) : int32[] return list, size";
        assert_eq!(stack("", "new", "end", read, integer), None);
        assert_eq!(stack("", "new", "i", "return list", ""), None);
    }

    /// Which loop is found to pop the list, for a use of the list given by `back`.
    fn way(back: &str) -> Option<(usize, usize)> {
        let graph = parse(&format!(
            "fn last(end: int32[], list: float32[?]) -> int32[] {{ return end }}
            graph (list: float32[?], n: int32[]) -> int32[] {{
              end = list_size(list) : int32[]
              {back}
            }}"
        ));
        Index::of(&graph).way_back(graph.inputs[0])
    }

    /// A loop with these operands, the first of which are its state.
    fn looping(operands: &str, state: [&str; 2], rest: &str) -> String {
        let [first, second] = state;
        let inputs = format!("(a: {first}, b: {second}{rest})");
        format!(
            "k, last = while_loop ({operands}) : {first}, {second} {{
              cond {inputs} {{ none = constant 0 : int32[] more = less(none, a) : bool[] return more }}
              body {inputs} {{ one = constant 1 : int32[] less = sub(a, one) : int32[] return less, b }}
            }}"
        )
    }

    #[test]
    fn a_loop_goes_back_where_its_state_ends_and_its_operand_is_the_stack() {
        let integers = ["int32[]", "int32[]"];
        let list = ", list: float32[?]";
        let back = looping("n, end; list", integers, list);
        assert_eq!(way(&format!("{back} return k")), Some((1, 1)));
        assert_eq!(way(&format!("{back} return end")), None);
        assert_eq!(
            way("last = call last(end, list) : int32[] return last"),
            None
        );
        let constant = looping(
            "n, n; end, list",
            integers,
            &format!(", end: int32[]{list}"),
        );
        assert_eq!(way(&format!("{constant} return k")), None);
        let changing = looping("end, list", ["int32[]", "float32[?]"], "");
        assert_eq!(way(&format!("{changing} return k")), None);
    }
}
