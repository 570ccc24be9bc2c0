//! Types as precise as they are known by now: after inlining and with loops and branches narrowed to the operands they
//! are given, type rules tell more than tracing could. Also as precise as they get once the sizes of the inputs are known.
//!
//! What can't be right for more precise operands stays as it was, so that the run says what is wrong if it comes to it: a branch or
//! loop keeps the types of its inputs, and a graph that is wrong itself stays as a whole.

use rustc_hash::FxHashMap;

use crate::graph::{Flow, Graph, Node, Op, SharedGraph, TensorType, ValueId, steps, verify};

pub(super) fn run(graph: &Graph) -> Option<Graph> {
    let new = Inference::default().sharpened(graph, &graph.types(&graph.inputs));
    new.graph.filter(|_| new.may_be_right)
}

/// The graph for inputs of these types, unless it can't be right for them.
pub(super) fn for_inputs(graph: &Graph, inputs: &[TensorType]) -> Option<Graph> {
    let own = graph.types(&graph.inputs);
    if own.len() != inputs.len() || own.iter().zip(inputs).any(|(own, new)| !own.covers(new)) {
        return None;
    }
    let new = Inference::default().sharpened(graph, inputs);
    let graph = new.graph.unwrap_or_else(|| graph.clone());
    (new.may_be_right && verify(&graph).is_ok()).then_some(graph)
}

/// What becomes of a graph for more precise inputs.
#[derive(Clone)]
struct Sharpened<G> {
    /// `None` if no type in it gets more precise.
    graph: Option<G>,
    /// False if a type rule refuses what an op would be given.
    may_be_right: bool,
}

/// What was found so far of subgraphs, by where they are and the types of their inputs. Loops look at their bodies more than once; so that this
/// doesn't multiply from loop to loop inside, nothing is found twice.
#[derive(Default)]
struct Inference {
    found: FxHashMap<(*const Graph, Vec<TensorType>), Sharpened<SharedGraph>>,
}

impl Inference {
    /// A subgraph for inputs of these types, which its own cover.
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

    /// The graph for inputs of these types, which its own cover.
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

/// A type rule refuses the operands.
struct Refused;

/// What is known better of a node.
#[derive(Default)]
struct Change {
    /// By output; empty if nothing changes.
    outputs: Vec<TensorType>,
    /// Subgraphs by position.
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

fn is_known(ty: &TensorType) -> bool {
    ty.shape.dims().is_some_and(|dims| !dims.contains(&None))
}

impl Inference {
    /// What is known better of a node of `graph`, which was `old`.
    fn change(
        &mut self,
        old: &Graph,
        graph: &Graph,
        node: &Node,
    ) -> Result<Option<Change>, Refused> {
        let change = match &node.op {
            Op::Primitive(op, attrs) => {
                // What is known can't get more precise, but turn out to be wrong.
                let is_same = |v: &ValueId| old.ty(*v) == graph.ty(*v);
                if node.outputs.iter().all(|v| is_known(graph.ty(*v)))
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
            // A gradient by hand is one for the types that the graph has.
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
        // Less precise or contradicting types are not taken: the run decides.
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

    /// Branches take the operands' types and give what covers all their results.
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

    /// A called graph or a fusion takes the operands' types.
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

    /// A loop's state is what covers its first value and what the body makes of it.
    fn while_loop(
        &mut self,
        graph: &Graph,
        node: &Node,
        cond: &SharedGraph,
        body: &SharedGraph,
    ) -> Option<Change> {
        /// Each time, some size or rank of the state turns out to be unknown after all.
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

/// Types that cover both; of values with different dtypes, which no verified graph joins, the first.
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
        // The branch that is wrong is as it was, and says so if it is taken.
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
        // Nor are inputs of another number or kind its own.
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
