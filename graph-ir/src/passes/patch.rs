//! The change that a pass makes: the graph that it wrote, and the nodes in which that graph differs from the one before. Only their types
//! are checked, since the rest was checked before.

use std::ops::Deref;

use crate::graph::{Graph, SharedGraph, verify_nodes};

/// A graph that a pass wrote.
pub(super) struct Patch {
    graph: Graph,
    /// The positions of the nodes that the pass wrote, and of those that read other types than before.
    changed: Vec<usize>,
}

impl Patch {
    /// A graph that differs at these nodes from one that was verified.
    pub fn new(graph: Graph, changed: Vec<usize>) -> Patch {
        Patch { graph, changed }
    }

    /// True if the types of the changed nodes fit.
    pub fn fits(&self) -> bool {
        verify_nodes(&self.graph, &self.changed)
    }

    pub fn into_graph(self) -> Graph {
        self.graph
    }
}

/// A graph every node of which may have changed.
impl From<Graph> for Patch {
    fn from(graph: Graph) -> Patch {
        let changed = (0..graph.nodes.len()).collect();
        Patch { graph, changed }
    }
}

/// A subgraph, which isn't checked again with the node that holds it if it fits.
impl From<Patch> for SharedGraph {
    fn from(patch: Patch) -> SharedGraph {
        let fits = patch.fits();
        let graph = SharedGraph::from(patch.graph);
        if fits {
            graph.note_fits();
        }
        graph
    }
}

impl Deref for Patch {
    type Target = Graph;

    fn deref(&self) -> &Graph {
        &self.graph
    }
}

#[cfg(test)]
mod tests {
    use graph_kernels::DType;

    use super::*;
    use crate::graph::{Shape, TensorType, ValueId};
    use crate::passes::rebuild::Rebuild;
    use crate::passes::testing::parse;

    /// Replaces the value of the first node by another value.
    fn with_first_replaced(graph: &Graph, by: ValueId) -> Patch {
        let mut rebuild = Rebuild::new(graph);
        let by = rebuild.new_of(by);
        rebuild.replace(graph.nodes[0].outputs[0], by);
        for node in &graph.nodes[1..] {
            rebuild.keep(node);
        }
        rebuild.finish()
    }

    #[test]
    fn a_reader_of_another_type_is_checked_again() {
        let graph = parse(
            "graph (x: float32[2], y: float32[2], z: float32[3]) -> float32[2] {
              a = exp(x) : float32[2]
              b = add(a, y) : float32[2]
              return b
            }",
        );
        let [same, other] = [1, 2].map(|i| with_first_replaced(&graph, graph.inputs[i]));
        assert!(same.fits() && same.changed.is_empty());
        assert!(!other.fits());
    }

    #[test]
    fn a_subgraph_of_a_changed_node_is_checked_unless_it_is_known_to_fit() {
        let graph = parse(
            "graph (p: bool[], x: float32[2]) -> float32[2] {
              y = cond p (x) : float32[2] {
                then (x: float32[2]) { y = exp(x) : float32[2] return y }
                else (x: float32[2]) { return x }
              }
              return y
            }",
        );
        let with_type_of_exp = |ty: &TensorType| {
            let mut wrong = graph.clone();
            let mut branches = wrong.nodes[0].op.subgraphs_mut();
            let branch = branches.swap_remove(0);
            let exp = branch.nodes[0].outputs[0];
            branch.values[exp.index()].ty = ty.clone();
            Patch::new(wrong, vec![0]).fits()
        };
        let of = |dims| TensorType::new(DType::F32, Shape::known(dims));
        assert!(with_type_of_exp(&of(&[2])));
        assert!(!with_type_of_exp(&of(&[3])));
        // Its own nodes are right, but it no longer gives what the node gives.
        let mut wrong = graph.clone();
        wrong.values[graph.outputs[0].index()].ty = of(&[3]);
        assert!(!Patch::new(wrong, vec![0]).fits());
    }
}
