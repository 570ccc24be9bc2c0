//! Gradients of lookups. The gradient of `table.gather(rows)` is an array as large as the table with only a few rows that aren't zero.
//! Gradient descent `table -= rate * gradient` would read and write the whole table. This pass updates only these rows: their
//! gradients are added up in the same order as before, and each row is updated once.
//!
//! All other rows would become `row - rate * 0`. That is `row` if `rate * 0` is a neutral zero: 0 if it is subtracted, -0 if it is added. If
//! constants don't tell, the run tests this, and updates the whole table if it doesn't hold: for a rate that is negative or NaN, and
//! for a plain addition, which turns -0 into 0. The update runs where the table is written, later than before, so it must not fail: an
//! earlier lookup must have used the same indices. (If denormals are flushed, denormals that are in untouched rows are kept.)

mod writer;

use graph_kernels::Array;
use rustc_hash::{FxHashMap, FxHashSet};

use self::writer::Writer;
use super::constant_folding;
use super::fuse::{Uses, elements_of};
use super::patch::Patch;
use super::rebuild::{Rebuild, splice};
use super::rewrite::View;
use crate::error::Location;
use crate::graph::{Graph, Node, Op, Shape, TensorType, ValueId, VariableId};
use crate::ops::{self, Attr, Attrs, OpDef};

/// The minimum number of values in a table; smaller tables are updated as a whole.
const MIN_VALUES: usize = 4096;
/// The minimum number of a table's rows for each index.
const MIN_ROWS_PER_INDEX: usize = 4;

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let has = |is: fn(&Op) -> bool| graph.nodes.iter().any(|node| is(&node.op));
    if !has(|op| matches!(op, Op::UpdateVariable { .. }))
        || !has(|op| matches!(op, Op::Primitive(op, _) if *op == &ops::GATHER_ADD))
    {
        return None;
    }
    let finder = Finder::of(graph);
    let updates: Vec<Option<RowUpdate>> = graph.nodes.iter().map(|n| finder.update(n)).collect();
    let sums = || updates.iter().flatten().flat_map(|update| update.sums());
    let mut gone: FxHashSet<ValueId> = sums().flat_map(|s| s.adds.iter().map(|a| a.sum)).collect();
    if gone.is_empty() {
        return None;
    }
    let stays = |node: &&Node| !node.outputs.iter().any(|v| gone.contains(v));
    let read = graph
        .nodes
        .iter()
        .filter(stays)
        .flat_map(|node| &node.inputs);
    let read: FxHashSet<&ValueId> = read.chain(&graph.outputs).collect();
    let unread: Vec<ValueId> = sums()
        .map(|s| s.zeros)
        .filter(|v| !read.contains(v))
        .collect();
    gone.extend(unread);
    let mut rebuild = Rebuild::new(graph);
    for (node, update) in graph.nodes.iter().zip(&updates) {
        match update {
            Some(update) => update.write(&mut rebuild, node, &finder.view),
            None if node.outputs.iter().any(|v| gone.contains(v)) => {}
            None => rebuild.keep(node),
        }
    }
    Some(rebuild.finish())
}

/// Finds updates of tables that change only a few rows.
struct Finder<'a> {
    view: View<'a>,
    uses: Uses,
    /// The lookups: the value of the indices, and the number of rows of the table.
    lookups: FxHashSet<(ValueId, usize)>,
}

impl<'a> Finder<'a> {
    fn of(graph: &'a Graph) -> Finder<'a> {
        let view = View::of(graph);
        let mut lookups = FxHashSet::default();
        let mut adding = FxHashSet::default();
        for node in &graph.nodes {
            let (Op::Primitive(op, attrs), [array, .., last]) = (&node.op, &node.inputs[..]) else {
                continue;
            };
            let Some([Some(rows), ..]) = view.shape(*array).dims() else {
                continue;
            };
            // An addition before the first lookup with the same indices may be the node that fails.
            if *op == &ops::GATHER_ADD {
                adding.insert((*last, *rows));
            } else if (*op == &ops::GATHER || *op == &ops::BATCH_GATHER)
                && is_along_rows(attrs)
                && !adding.contains(&(*last, *rows))
            {
                lookups.insert((*last, *rows));
            }
        }
        Finder {
            view,
            uses: Uses::of(graph),
            lookups,
        }
    }

    /// The update that a node makes, if it changes only a few rows of a table.
    fn update(&self, node: &'a Node) -> Option<RowUpdate<'a>> {
        let Op::UpdateVariable { variable, body } = &node.op else {
            return None;
        };
        let table = body.ty(body.inputs[0]);
        let sizes = table.shape.to_known().filter(|sizes| !sizes.is_empty())?;
        elements_of(body)?;
        let (change, op) = change(body)?;
        let operand = |v: &ValueId| match self.view.shape(*v).rank() {
            Some(0) => Some(Operand::Scalar(*v)),
            _ => self.sum(*v, &sizes).map(Operand::Sum),
        };
        let operands = node
            .inputs
            .iter()
            .map(operand)
            .collect::<Option<Vec<_>>>()?;
        let update = RowUpdate {
            variable: *variable,
            body,
            change,
            op,
            table,
            operands,
            test: None,
            location: &node.location,
        };
        let indices = update.indices();
        let pays = indices > 0
            && indices.checked_mul(MIN_ROWS_PER_INDEX)? <= sizes[0]
            && table.shape.size()? >= MIN_VALUES
            && table.dtype.is_number();
        pays.then_some(())?;
        let test = update.test(&self.view);
        // If the test depends on constants only, its result is known.
        let known = test
            .inputs
            .is_empty()
            .then(|| constant_folding::run(&test))
            .flatten();
        let known = known.as_ref().and_then(|g| View::of(g).truth(g.outputs[0]));
        (known != Some(false)).then_some(RowUpdate {
            test: known.is_none().then_some(test),
            ..update
        })
    }

    /// The chain of additions to zeros that computes a value, in execution order, if nothing else reads the intermediate values.
    fn sum(&self, value: ValueId, sizes: &[usize]) -> Option<Sum> {
        let mut adds = Vec::new();
        let mut sum = value;
        loop {
            let made_by = self.view.made_by(sum)?;
            if made_by.op == &ops::FILL {
                let zero = self.view.number(made_by.inputs[0])?;
                let is_zero = zero.to_bits() == 0.0f64.to_bits();
                let fits = is_zero && self.view.shape(sum).to_known()?[..] == *sizes;
                adds.reverse();
                let zeros = sum;
                return (fits && !adds.is_empty()).then_some(Sum { zeros, adds });
            }
            let [next, part, indices] = made_by.inputs[..] else {
                return None;
            };
            let fits = made_by.op == &ops::GATHER_ADD
                && is_along_rows(made_by.attrs)
                && self.uses.only_use_of(sum).is_some()
                && self.lookups.contains(&(indices, sizes[0]));
            let count = self.view.shape(indices).size().filter(|_| fits)?;
            adds.push(Add {
                sum,
                part,
                indices,
                count,
            });
            sum = next;
        }
    }
}

fn is_along_rows(attrs: &Attrs) -> bool {
    attrs.int("axis") == Ok(0) && attrs.int("batch_dims").unwrap_or(0) == 0
}

/// What an update subtracts from the variable or adds to it: the value in the body, and the op that does the same on rows. `None` if the
/// body does something else with the variable's value.
fn change(body: &Graph) -> Option<(ValueId, &'static OpDef)> {
    let (last, rest) = body.nodes.split_last()?;
    let held = body.inputs[0];
    let (Op::Primitive(op, _), [a, b]) = (&last.op, &last.inputs[..]) else {
        return None;
    };
    let (change, on_rows) = match op {
        op if **op == ops::SUB && *a == held => (*b, &ops::SCATTER_SUB),
        op if **op == ops::ADD && *a == held => (*b, &ops::SCATTER_ADD),
        op if **op == ops::ADD && *b == held => (*a, &ops::SCATTER_ADD),
        _ => return None,
    };
    let alone = change != held && rest.iter().all(|node| !node.inputs.contains(&held));
    let whole = body.ty(change).shape == body.ty(held).shape;
    (alone && whole).then_some((change, on_rows))
}

/// An operand of an update.
enum Operand {
    /// A number.
    Scalar(ValueId),
    Sum(Sum),
}

/// Zeros to which parts are added at some rows, one addition after the other.
struct Sum {
    zeros: ValueId,
    adds: Vec<Add>,
}

/// `sum = gather_add(.., part, indices)`.
struct Add {
    sum: ValueId,
    part: ValueId,
    indices: ValueId,
    /// The number of indices.
    count: usize,
}

/// An update of a table that changes only a few rows.
struct RowUpdate<'a> {
    variable: VariableId,
    body: &'a Graph,
    /// The value in the body that is subtracted or added.
    change: ValueId,
    /// The op that subtracts or adds it at rows.
    op: &'static OpDef,
    table: &'a TensorType,
    operands: Vec<Operand>,
    /// A graph that tests whether the other rows stay unchanged; its inputs are the scalar operands that aren't constants. `None` if they
    /// certainly do.
    test: Option<Graph>,
    location: &'a Location,
}

impl RowUpdate<'_> {
    fn sums(&self) -> impl Iterator<Item = &Sum> {
        self.operands.iter().filter_map(|operand| match operand {
            Operand::Sum(sum) => Some(sum),
            Operand::Scalar(_) => None,
        })
    }

    fn adds(&self) -> impl Iterator<Item = &Add> {
        self.sums().flat_map(|sum| &sum.adds)
    }

    /// The number of indices of all additions.
    fn indices(&self) -> usize {
        self.adds().map(|add| add.count).sum()
    }

    /// The part of the body that computes the change. Operands that aren't scalars get this shape.
    fn changes(&self, shape: &Shape) -> Graph {
        let mut graph = Graph::default();
        let mut map = FxHashMap::default();
        let retyped = |ty: &TensorType| match ty.shape.rank() {
            Some(0) => ty.clone(),
            _ => TensorType::new(ty.dtype, shape.clone()),
        };
        for input in &self.body.inputs[1..] {
            map.insert(*input, graph.add_input(retyped(self.body.ty(*input)), None));
        }
        let (_, nodes) = self.body.nodes.split_last().expect("it changes something");
        for node in nodes {
            let inputs = node.inputs.iter().map(|v| map[v]).collect();
            let types = node.outputs.iter().map(|v| retyped(self.body.ty(*v)));
            let outputs = graph.add_node(
                node.op.clone(),
                inputs,
                types.collect(),
                node.location.clone(),
            );
            map.extend(node.outputs.iter().copied().zip(outputs));
        }
        graph.outputs = vec![map[&self.change]];
        graph
    }

    /// A graph that tests whether the change of a row of zeros is a neutral zero. Its inputs are the scalar operands that aren't constants.
    fn test(&self, view: &View<'_>) -> Graph {
        let mut test = Writer::new(self.location);
        let zero = test.constant(Array::zeros(self.table.dtype, &[]));
        let mut operands = Vec::new();
        for operand in &self.operands {
            operands.push(match operand {
                Operand::Sum(_) => zero,
                Operand::Scalar(value) => match view.constant(*value) {
                    Some(array) => test.constant(Array::clone(array)),
                    None => test.graph.add_input(view.graph.ty(*value).clone(), None),
                },
            });
        }
        let change = splice(&mut test.graph, &self.changes(&Shape::scalar()), &operands)[0];
        let mut neutral = test.primitive(&ops::EQUAL, Attrs::new(), &[change, zero]);
        if self.table.dtype.is_float() {
            let sign = if *self.op == ops::SCATTER_SUB {
                &ops::GREATER
            } else {
                &ops::LESS
            };
            let infinity = test.primitive(&ops::RECIPROCAL, Attrs::new(), &[change]);
            let signed = test.primitive(sign, Attrs::new(), &[infinity, zero]);
            neutral = test.primitive(&ops::LOGICAL_AND, Attrs::new(), &[neutral, signed]);
        }
        test.graph.outputs = vec![neutral];
        test.graph
    }

    /// The operands of a branch: the part and the indices of each addition, then the scalars.
    fn inputs(&self) -> Vec<ValueId> {
        let scalars = self.operands.iter().filter_map(|operand| match operand {
            Operand::Scalar(value) => Some(*value),
            Operand::Sum(_) => None,
        });
        let adds = self.adds().flat_map(|add| [add.part, add.indices]);
        adds.chain(scalars).collect()
    }

    /// Writes the update of a few rows. If a test is needed, writes a choice between it and the update of the whole table.
    fn write(&self, rebuild: &mut Rebuild<'_>, node: &Node, view: &View<'_>) {
        let inputs = rebuild.all_new_of(&self.inputs());
        let Some(test) = &self.test else {
            rebuild.splice(&self.of_rows(view), &inputs);
            return;
        };
        let open = self.operands.iter().filter_map(|operand| match operand {
            Operand::Scalar(value) => view.constant(*value).is_none().then_some(*value),
            Operand::Sum(_) => None,
        });
        let open = rebuild.all_new_of(&open.collect::<Vec<_>>());
        let neutral = rebuild.splice(test, &open);
        let op = Op::Cond {
            then_branch: self.of_rows(view).into(),
            else_branch: self.of_all(node, view).into(),
        };
        let inputs = neutral.into_iter().chain(inputs).collect();
        rebuild.keep_with(node, op, inputs);
    }

    /// A branch under construction, and for each outer value the branch's input.
    fn branch(&self, view: &View<'_>) -> (Writer<'_>, FxHashMap<ValueId, ValueId>) {
        let mut branch = Writer::new(self.location);
        let mut inside = FxHashMap::default();
        for value in self.inputs() {
            let known = &view.graph.values[value.index()];
            let input = branch.graph.add_input(known.ty.clone(), known.name.clone());
            inside.insert(value, input);
        }
        (branch, inside)
    }

    /// The update of the whole table, as it was.
    fn of_all(&self, node: &Node, view: &View<'_>) -> Graph {
        let (mut branch, inside) = self.branch(view);
        let sizes = self.table.shape.to_known().unwrap_or_default();
        let zeros = branch.zeros(self.table.dtype, &sizes);
        let mut operands = Vec::new();
        for operand in &self.operands {
            operands.push(match operand {
                Operand::Scalar(value) => inside[value],
                Operand::Sum(Sum { adds, .. }) => adds.iter().fold(zeros, |sum, add| {
                    branch.add_rows(sum, inside[&add.part], inside[&add.indices])
                }),
            });
        }
        let location = self.location.clone();
        branch
            .graph
            .add_node(node.op.clone(), operands, vec![], location);
        branch.graph
    }

    /// The update of the rows only. Each distinct row is updated once, in the order in which the indices first name them.
    fn of_rows(&self, view: &View<'_>) -> Graph {
        let (mut branch, inside) = self.branch(view);
        let dtype = self.table.dtype;
        let sizes = self.table.shape.to_known().unwrap_or_default();
        let indices: Vec<ValueId> = self
            .adds()
            .map(|add| branch.vector(inside[&add.indices]))
            .collect();
        let all = branch.joined(&indices);
        let rows = branch.primitive(&ops::UNIQUE, Attrs::new(), &[all]);
        let places = branch.primitive(&ops::UNIQUE_INDEX, Attrs::new(), &[all]);

        let own: Vec<usize> = [self.indices()]
            .into_iter()
            .chain(sizes[1..].iter().copied())
            .collect();
        let zeros = branch.zeros(dtype, &own);
        let mut begin = 0;
        let mut operands = Vec::new();
        for operand in &self.operands {
            operands.push(match operand {
                Operand::Scalar(value) => inside[value],
                Operand::Sum(Sum { adds, .. }) => {
                    let mut sum = zeros;
                    for add in adds {
                        let at = branch.rows(places, begin, begin + add.count);
                        let part: Vec<usize> = [add.count]
                            .into_iter()
                            .chain(sizes[1..].iter().copied())
                            .collect();
                        let part = branch.reshaped(inside[&add.part], &part);
                        sum = branch.add_rows(sum, part, at);
                        begin += add.count;
                    }
                    sum
                }
            });
        }
        let change = splice(
            &mut branch.graph,
            &self.changes(&Shape::known(&own)),
            &operands,
        )[0];
        let none = branch.constant(Array::scalar(0i32));
        let count = branch.primitive(&ops::SIZE_OF, Attrs::new(), &[rows]);
        let change = branch.primitive(&ops::SLICE_ROWS, Attrs::new(), &[change, none, count]);
        let along = Attrs::new().with("axis", Attr::Int(1));
        let rows = branch.primitive(&ops::EXPAND_DIMS, along, &[rows]);
        branch.update(self, rows, change);
        branch.graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `change` finds in a body whose inputs are a table, an array of its shape and a number: the name of the value, and the op on rows.
    fn changed(nodes: &str) -> Option<(String, &'static str)> {
        let text = format!(
            "graph (held: float32[4,2], g: float32[4,2], s: float32[]) -> float32[4,2] {{ {nodes} }}"
        );
        let body: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let (change, op) = change(&body)?;
        let name = body.values[change.index()].name.as_deref();
        Some((name.unwrap_or_default().to_owned(), op.name))
    }

    #[test]
    fn what_is_subtracted_or_added_is_found() {
        let found = |name: &str, op| Some((name.to_owned(), op));
        assert_eq!(
            changed("new = sub(held, g) : float32[4,2] return new"),
            found("g", "scatter_sub")
        );
        assert_eq!(
            changed("new = add(held, g) : float32[4,2] return new"),
            found("g", "scatter_add")
        );
        assert_eq!(
            changed("new = add(g, held) : float32[4,2] return new"),
            found("g", "scatter_add")
        );
        let scaled =
            "part = mul(g, s) : float32[4,2] new = sub(held, part) : float32[4,2] return new";
        assert_eq!(changed(scaled), found("part", "scatter_sub"));
    }

    #[test]
    fn nothing_else_is_a_change() {
        assert_eq!(
            changed("new = sub(g, held) : float32[4,2] return new"),
            None
        );
        assert_eq!(
            changed("new = mul(held, g) : float32[4,2] return new"),
            None
        );
        assert_eq!(
            changed("new = add(held, held) : float32[4,2] return new"),
            None
        );
        // An update that also changes rows that no index names.
        let decayed =
            "part = mul(held, g) : float32[4,2] new = sub(held, part) : float32[4,2] return new";
        assert_eq!(changed(decayed), None);
        assert_eq!(
            changed("new = sub(held, s) : float32[4,2] return new"),
            None
        );
    }
}
