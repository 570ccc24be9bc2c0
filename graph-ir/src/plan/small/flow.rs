//! Branches and loops of small tensors as branches and loops of scalars. Lists aren't state of the loops: an
//! input of each subgraph stands for the list, which is the same in each iteration.

use super::lists::{List, Lists};
use super::split::{Parts, Scope, Splitter};
use crate::graph::{Graph, Node, Op, TensorType};

/// For each result of a branch or of an iteration, the list that it is.
type Results = Vec<Option<List>>;

impl Splitter {
    /// Writes a branch or a loop.
    pub(super) fn flow(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        to: &mut Graph,
    ) -> Option<Vec<Parts>> {
        let operands = self.operands(scope, node)?;
        let (subgraphs, results) = match &node.op {
            Op::WhileLoop { cond, body } => self.iteration([cond, body], node, &operands)?,
            // The first operand of a branch is its condition, which the subgraphs don't take.
            op => self.branches(&op.subgraphs(), &operands[1..])?,
        };
        let inputs = operands.iter().flat_map(Parts::all);
        let lists = operands.iter().filter_map(|operand| operand.list);
        let inputs = inputs.chain(lists.map(|list| list.input)).collect();
        let mut types: Vec<Vec<TensorType>> = Vec::new();
        for (value, list) in node.outputs.iter().zip(&results) {
            types.push(match list {
                Some(_) => Vec::new(),
                None => {
                    let count = scope.dims(*value)?.iter().product();
                    vec![scope.scalar(*value); count]
                }
            });
        }
        let op = node.op.with_subgraphs(subgraphs);
        let outputs = self.add(to, op, inputs, types.concat(), &node.location)?;
        let mut outputs = outputs.into_iter();
        let mut given = Vec::new();
        for (types, list) in types.iter().zip(results) {
            given.push(match list {
                Some(list) => {
                    // Inside, another input stands for the list.
                    let own = operands.iter().filter_map(|operand| operand.list);
                    let own = { own }.find(|own| own.number == list.number)?;
                    Parts::of_list(self.lists.latest(own))
                }
                None => Parts::of(outputs.by_ref().take(types.len()).collect()),
            });
        }
        Some(given)
    }

    /// The operands of a branch or a loop.
    fn operands(&self, scope: &Scope<'_>, node: &Node) -> Option<Vec<Parts>> {
        let changing = match &node.op {
            Op::WhileLoop { .. } => node.outputs.len(),
            Op::Cond { .. } | Op::SwitchCase { .. } => 1,
            _ => return None,
        };
        let operand = |position: usize| {
            let mut parts = scope.operand(node, position)?;
            match parts.list {
                Some(list) => drop(self.lists.fresh(list)?),
                None if position < changing => {
                    // What changes from one iteration to the next is no array from outside.
                    parts = parts.without_array()?;
                }
                None => {}
            }
            Some(parts)
        };
        (0..node.inputs.len()).map(operand).collect()
    }

    /// The condition and the body of a loop.
    fn iteration(
        &mut self,
        [cond, body]: [&Graph; 2],
        node: &Node,
        operands: &[Parts],
    ) -> Option<(Vec<Graph>, Results)> {
        let before = self.lists.clone();
        let (cond, _) = self.subgraph(cond, operands)?;
        let written = |lists: &Lists, list: &List| lists.changed_since(&before, list.number);
        let all = operands.iter().filter_map(|operand| operand.list);
        if { all }.any(|list| written(&self.lists, &list)) {
            return None;
        }
        let (body, results) = self.subgraph(body, operands)?;
        let (state, others) = operands.split_at(node.outputs.len());
        // In the next iteration, a list that doesn't change is what it was.
        let others = others.iter().filter_map(|operand| operand.list);
        if { others }.any(|list| written(&self.lists, &list)) {
            return None;
        }
        let number = |list: Option<List>| list.map(|list| list.number);
        let mut both = state.iter().zip(&results);
        let same = both.all(|(before, after)| number(before.list) == number(*after));
        same.then_some((vec![cond, body], results))
    }

    /// The branches, one of which is taken.
    fn branches(
        &mut self,
        branches: &[&Graph],
        operands: &[Parts],
    ) -> Option<(Vec<Graph>, Results)> {
        let before = self.lists.clone();
        let mut after = before.clone();
        let mut graphs = Vec::new();
        let mut results: Option<Results> = None;
        for branch in branches {
            self.lists = self.lists.with_versions_of(&before);
            let (graph, own) = self.subgraph(branch, operands)?;
            graphs.push(graph);
            after = {
                let mut both = self.lists.with_versions_of(&after);
                both.join(&self.lists, &before);
                both
            };
            let number = |list: &Option<List>| list.map(|list| list.number);
            if let Some(others) = &results
                && !others.iter().map(number).eq(own.iter().map(number))
            {
                return None;
            }
            results = Some(own);
        }
        self.lists = after;
        Some((graphs, results?))
    }

    /// The graph of scalars for a subgraph with operands of these forms, and which of its results are lists.
    fn subgraph(&mut self, graph: &Graph, operands: &[Parts]) -> Option<(Graph, Results)> {
        let (mut scope, mut to) = (Scope::of(graph), Graph::default());
        for (value, outer) in graph.inputs.iter().zip(operands) {
            let parts = outer.inside(graph.ty(*value), &mut to);
            scope.define(*value, parts);
        }
        // The inputs for lists come last, because they aren't state.
        for (value, outer) in graph.inputs.iter().zip(operands) {
            if let Some(list) = outer.list {
                let input = to.add_input(graph.ty(*value).clone(), None);
                scope.define(*value, Parts::of_list(list.at(input)));
            }
        }
        self.nodes(&mut scope, &graph.nodes, &mut to)?;
        let mut results = Vec::new();
        for value in &graph.outputs {
            let list = scope.list(*value);
            match list {
                Some(list) => drop(self.lists.fresh(list)?),
                None => to.outputs.extend(scope.elements(*value)?),
            }
            results.push(list);
        }
        Some((to, results))
    }
}

impl Parts {
    /// The parts as those of a value that changes.
    fn without_array(self) -> Option<Parts> {
        self.elements().map(|elements| Parts::of(elements.to_vec()))
    }

    /// Adds inputs to a subgraph for such parts; for lists, none.
    fn inside(&self, ty: &TensorType, to: &mut Graph) -> Parts {
        Parts::given(ty, &self.form(), to)
    }
}
