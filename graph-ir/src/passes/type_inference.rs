//! Makes types as precise as possible. After inlining, and with the exact operand types of loops and branches, the type rules infer more
//! than tracing could. The same inference specializes a graph to known sizes of its inputs.
//!
//! A part that always fails for the more precise types is left unchanged, so that the run reports the error if it is reached: a branch or
//! loop keeps the types of its inputs, and if the whole graph fails, it is left unchanged.

use rustc_hash::FxHashMap;

use super::patch::Patch;
use crate::graph::{Flow, Graph, Node, Op, SharedGraph, TensorType, ValueId, steps, verify};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let new = Inference::default().sharpened(graph, &graph.types(&graph.inputs));
    new.graph.filter(|_| new.may_be_right).map(Patch::from)
}

/// The graph specialized to these input types; `None` if it always fails for them.
pub(super) fn for_inputs(graph: &Graph, inputs: &[TensorType]) -> Option<Graph> {
    let own = graph.types(&graph.inputs);
    if own.len() != inputs.len() || own.iter().zip(inputs).any(|(own, new)| !own.covers(new)) {
        return None;
    }
    let new = Inference::default().sharpened(graph, inputs);
    let graph = new.graph.unwrap_or_else(|| graph.clone());
    (new.may_be_right && verify(&graph).is_ok()).then_some(graph)
}

/// The result of specializing a graph to more precise input types.
#[derive(Clone)]
struct Sharpened<G> {
    /// `None` if no type in the graph becomes more precise.
    graph: Option<G>,
    /// False if a type rule rejects the operand types of an op.
    may_be_right: bool,
}

/// The results for subgraphs, by address and input types. A loop's body is inferred several times; without this cache, the work would
/// multiply with each level of nested loops.
#[derive(Default)]
struct Inference {
    found: FxHashMap<(*const Graph, Vec<TensorType>), Sharpened<SharedGraph>>,
}

impl Inference {
    /// A subgraph specialized to these input types, which its own types cover.
    fn inside(&mut self, graph: &SharedGraph, inputs: &[TensorType]) -> Sharpened<SharedGraph> {
        let key = (graph.as_ptr(), inputs.to_vec());
        if let Some(found) = self.found.get(&key) {
            return found.clone();
        }
        let new = self.sharpened(graph, inputs);
        let new = Sharpened {
            graph: new.graph.map(SharedGraph::from),
            may_be_right: new.may_be_right,
        };
        self.found.insert(key, new.clone());
        new
    }

    /// The graph specialized to these input types, which its own types cover.
    fn sharpened(&mut self, graph: &Graph, inputs: &[TensorType]) -> Sharpened<Graph> {
        let mut new: Option<Graph> = None;
        let mut may_be_right = true;
        for (value, ty) in graph.inputs.iter().zip(inputs) {
            if graph.ty(*value) != ty {
                let new = new.get_or_insert_with(|| graph.clone());
                new.values[value.index()].ty = ty.clone();
            }
        }
        steps::count(graph.nodes.len());
        for i in 0..graph.nodes.len() {
            let current = new.as_ref().unwrap_or(graph);
            match self.change(graph, current, &current.nodes[i]) {
                Ok(Some(change)) => change.apply(new.get_or_insert_with(|| graph.clone()), i),
                Ok(None) => {}
                Err(Refused) => may_be_right = false,
            }
        }
        Sharpened {
            graph: new,
            may_be_right,
        }
    }
}

/// A type rule rejects the operand types.
struct Refused;

/// The more precise types of a node.
#[derive(Default)]
struct Change {
    /// The types of all outputs; empty if nothing changes.
    outputs: Vec<TensorType>,
    /// The changed subgraphs, with their positions.
    subgraphs: Vec<(usize, SharedGraph)>,
}

impl Change {
    fn apply(self, graph: &mut Graph, node: usize) {
        let node = &mut graph.nodes[node];
        for (i, subgraph) in self.subgraphs {
            *node.op.inner_mut()[i] = subgraph;
        }
        for (value, ty) in node.outputs.iter().zip(self.outputs) {
            graph.values[value.index()].ty = ty;
        }
    }
}

impl Inference {
    /// The change of a node of `graph`; `old` is the graph before.
    fn change(
        &mut self,
        old: &Graph,
        graph: &Graph,
        node: &Node,
    ) -> Result<Option<Change>, Refused> {
        let change = match &node.op {
            Op::Primitive(op, attrs) => {
                // Exact types can't become more precise, but an operand's new type may contradict them.
                let is_same = |v: &ValueId| old.ty(*v) == graph.ty(*v);
                if node.outputs.iter().all(|v| graph.ty(*v).shape.is_known())
                    && node.inputs.iter().all(is_same)
                {
                    return Ok(None);
                }
                let output = (op.infer)(&graph.types(&node.inputs), attrs).map_err(|_| Refused)?;
                Change {
                    outputs: vec![output],
                    ..Change::default()
                }
            }
            // A custom gradient fits only the types that the graph has.
            Op::Call { graph: body, .. } | Op::Fusion { body } if body.derivation.is_none() => {
                self.body(body, &graph.types(&node.inputs))
            }
            _ => match node.flow() {
                Some(Flow::Choice) => self.branches(graph, node),
                Some(Flow::Loop { cond, body, .. }) => {
                    match self.while_loop(graph, node, cond, body) {
                        Some(change) => change,
                        None => return Ok(None),
                    }
                }
                None => return Ok(None),
            },
        };
        let recorded = graph.types(&node.outputs);
        // Less precise or contradicting types are ignored: the run reports the error.
        let better = recorded.len() == change.outputs.len()
            && recorded
                .iter()
                .zip(&change.outputs)
                .all(|(old, new)| old.covers(new));
        let outputs = if better && recorded != change.outputs {
            change.outputs
        } else {
            Vec::new()
        };
        let change = Change { outputs, ..change };
        Ok((!change.outputs.is_empty() || !change.subgraphs.is_empty()).then_some(change))
    }

    /// The inputs of branches get the operands' types, and the outputs get types that cover the results of all branches.
    fn branches(&mut self, graph: &Graph, node: &Node) -> Change {
        let operands = graph.types(node.passed());
        let mut change = Change::default();
        for (i, branch) in node.op.shared().into_iter().enumerate() {
            let new = self.inside(branch, &operands);
            let new = new.graph.filter(|_| new.may_be_right);
            let results = results(new.as_deref().unwrap_or(branch));
            change.outputs = match i {
                0 => results,
                _ => joined(&change.outputs, &results),
            };
            change.subgraphs.extend(new.map(|new| (i, new)));
        }
        change
    }

    /// The inputs of a called graph or a fusion get the operands' types.
    fn body(&mut self, body: &SharedGraph, operands: &[TensorType]) -> Change {
        if body.types(&body.inputs) == operands {
            return Change::default();
        }
        let new = self.inside(body, operands);
        match new.graph.filter(|_| new.may_be_right) {
            Some(new) => Change {
                outputs: results(&new),
                subgraphs: vec![(0, new)],
            },
            None => Change::default(),
        }
    }

    /// The state of a loop gets types that cover its initial value and the body's results.
    fn while_loop(
        &mut self,
        graph: &Graph,
        node: &Node,
        cond: &SharedGraph,
        body: &SharedGraph,
    ) -> Option<Change> {
        /// In each try, another size or rank of the state turns out to be unknown.
        const MAX_TRIES: usize = 8;
        let mut inputs = graph.types(&node.inputs);
        for _ in 0..MAX_TRIES {
            let new = self.inside(body, &inputs);
            let next = results(new.graph.as_deref().unwrap_or(body));
            let state = joined(&inputs[..next.len()], &next);
            if state == inputs[..next.len()] {
                let subgraphs = [self.inside(cond, &inputs), new];
                if subgraphs.iter().any(|new| !new.may_be_right) {
                    return None;
                }
                let subgraphs = (0..)
                    .zip(subgraphs)
                    .filter_map(|(i, new)| Some((i, new.graph?)));
                return Some(Change {
                    outputs: state,
                    subgraphs: subgraphs.collect(),
                });
            }
            inputs[..state.len()].clone_from_slice(&state);
        }
        None
    }
}

fn results(graph: &Graph) -> Vec<TensorType> {
    graph.types(&graph.outputs)
}

/// Types that cover both. For different dtypes, which don't occur in a verified graph, it is the first type.
fn joined(a: &[TensorType], b: &[TensorType]) -> Vec<TensorType> {
    let join = |(a, b): (&TensorType, &TensorType)| a.join(b).unwrap_or_else(|| a.clone());
    a.iter().zip(b).map(join).collect()
}

#[cfg(test)]
mod tests {
    use crate::graph::{Graph, Shape};
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn types_follow_the_operands_into_branches() {
        check(
            super::run,
            "graph (p: bool[], x: float32[2,3]) -> float32[*] {
              a = add(x, x) : float32[*]
              b = cond p (a, p) : float32[*] {
                then (y: float32[*], p: bool[]) { z = exp(y) : float32[*] return z }
                else (y: float32[*], p: bool[]) { z = reduce_sum(y) {axes = [0], keep_dims = true} : float32[*] return z }
              }
              return b
            }",
            "graph (p: bool[], x: float32[2,3]) -> float32[?,3] {
              a = add(x, x) : float32[2,3]
              b = cond p (a, p) : float32[?,3] {
                then (y: float32[2,3], p: bool[]) { z = exp(y) : float32[2,3] return z }
                else (y: float32[2,3], p: bool[]) { z = reduce_sum(y) {axes = [0], keep_dims = true} : float32[1,3] return z }
              }
              return b
            }",
        );
    }

    #[test]
    fn the_state_of_a_loop_is_as_precise_as_all_its_iterations() {
        check(
            super::run,
            "graph (x: float32[2,3], n: int32[]) -> (float32[*], float32[*], int32[]) {
              a, b, i = while_loop (x, x, n) : float32[*], float32[*], int32[] {
                cond (a: float32[*], b: float32[*], i: int32[]) { z = constant 0 : int32[] p = less(i, z) : bool[] return p }
                body (a: float32[*], b: float32[*], i: int32[]) {
                  c = neg(a) : float32[*]
                  d = concat(b, a) {axis = 0} : float32[*]
                  return c, d, i
                }
              }
              return a, b, i
            }",
            "graph (x: float32[2,3], n: int32[]) -> (float32[2,3], float32[?,3], int32[]) {
              a, b, i = while_loop (x, x, n) : float32[2,3], float32[?,3], int32[] {
                cond (a: float32[2,3], b: float32[?,3], i: int32[]) { z = constant 0 : int32[] p = less(i, z) : bool[] return p }
                body (a: float32[2,3], b: float32[?,3], i: int32[]) {
                  c = neg(a) : float32[2,3]
                  d = concat(b, a) {axis = 0} : float32[?,3]
                  return c, d, i
                }
              }
              return a, b, i
            }",
        );
    }

    #[test]
    fn sizes_of_inputs_reach_all_but_what_can_not_be_right() {
        let graph: Graph =
            "graph (p: bool[], x: float32[?,?], w: float32[3,2]) -> (float32[?,?], float32[?]) {
              a = neg(x) : float32[?,?]
              b = cond p (a, w) : float32[?] {
                then (a: float32[?,?], w: float32[3,2]) {
                  c = matmul(a, w) {transpose_a = false, transpose_b = false} : float32[?,2]
                  d = reduce_sum(c) {axes = [1], keep_dims = false} : float32[?]
                  return d
                }
                else (a: float32[?,?], w: float32[3,2]) {
                  d = reduce_sum(a) {axes = [1], keep_dims = false} : float32[?]
                  return d
                }
              }
              return a, b
            }"
            .parse()
            .unwrap();
        let of = |rows, columns| {
            let mut inputs = graph.types(&graph.inputs);
            inputs[1].shape = Shape::known(&[rows, columns]);
            super::for_inputs(&graph, &inputs)
                .expect("it may be right")
                .to_string()
        };
        let fits = of(5, 3);
        assert!(!fits.contains('?'), "{fits}");
        // The branch that fails is unchanged, and reports the error if it is taken.
        let wrong = of(5, 4);
        assert!(
            wrong.contains(
                "c = matmul(a, w) {transpose_a = false, transpose_b = false} : float32[?,2]"
            ),
            "{wrong}"
        );
        assert!(wrong.contains("a = neg(x) : float32[5,4]"), "{wrong}");
        let product: Graph = "graph (x: float32[?,?], w: float32[3,2]) -> float32[?,2] {
              c = matmul(x, w) {transpose_a = false, transpose_b = false} : float32[?,2]
              return c
            }"
        .parse()
        .unwrap();
        let mut inputs = product.types(&product.inputs);
        inputs[0].shape = Shape::known(&[5, 4]);
        assert_eq!(super::for_inputs(&product, &inputs), None);
        // Types of another number of inputs or of another rank are rejected.
        assert_eq!(super::for_inputs(&product, &inputs[..1]), None);
        inputs[0].shape = Shape::known(&[3]);
        assert_eq!(super::for_inputs(&product, &inputs), None);
    }

    #[test]
    fn what_must_fail_and_what_is_unknown_stays() {
        check_unchanged(
            super::run,
            "graph (x: float32[*], y: float32[?,2]) -> (float32[*], float32[?,2]) {
              a = add(x, y) : float32[*]
              b = exp(y) : float32[?,2]
              return a, b
            }",
        );
    }
}
