//! Builds the block program of a fusion from its nodes. A product before them becomes part of the same instruction if
//! possible.

use std::sync::Arc;

use graph_kernels::{
    Axes, DType, InputPart, Operand, Program, ReduceOp, Step, StepOp, Width, normalize_axis,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::product::{Product, Sums};
use super::{ChainOp, Fused, Read};
use crate::graph::fusion::{self, element};
use crate::graph::{Graph, Node, Op, TensorType, ValueId};
use crate::ops::{self, Attrs};

/// A chain with the values that it reads, in the order of the program's inputs.
pub(in crate::plan) struct Chain {
    pub fused: Fused,
    pub inputs: Vec<ValueId>,
    /// How many inputs, at the end of the list, are positions of rows, and shifts.
    positions: usize,
}

impl Chain {
    /// The chain of elementwise nodes, slices and reductions of a graph, in one of the forms that a fusion can have. The last node gives
    /// the result. `None` if the nodes can't be one program. If they read the output of the node `before` them, it is the first input; if that
    /// node is a product and the result can be written over it, the product becomes part of the chain.
    pub fn of(graph: &Graph, nodes: &[&Node], before: Option<&Node>) -> Option<Chain> {
        let mut taken = Taken::of(graph, nodes, before)?;
        let result = graph.ty(nodes.last()?.outputs[0]);
        let types = taken.types(graph);
        let product = before.filter(|node| taken.may_follow(graph, node, result));
        let product = product.and_then(Product::of);
        let sums = match &product {
            Some(_) => Sums::of(&taken.steps, &taken.reads, &types),
            None => Sums::default(),
        };
        let positions = taken.add_positions();
        let last = &taken.parts.last()?.attrs;
        let program = program(&types, &taken.reads, &taken.steps, &sums, last)?;
        let mut inputs = taken.inputs;
        if let (Some(_), Some(node)) = (&product, before) {
            inputs.splice(0..1, node.inputs.iter().copied());
        }
        Some(Chain {
            fused: Fused {
                // The operands of the product are read until the last value is written, so they can't be overwritten.
                overwrites: taken.overwrites && product.is_none(),
                product,
                program: Arc::new(program),
                reads: taken.reads,
                results: [taken.parts.len() - 1].into_iter().collect(),
                parts: taken.parts,
            },
            inputs,
            positions,
        })
    }

    /// The chain that changes the first `count` inputs of a graph in place: their new values are the graph's outputs. `None` if the elementwise
    /// nodes of the graph can't be one program of that kind.
    pub fn of_updates(graph: &Graph, count: usize) -> Option<Chain> {
        let mut taken = Taken::with_inputs(graph.inputs[..count].iter().copied());
        let nodes = graph.nodes.iter();
        for node in nodes.filter(|node| element(graph, node).is_some()) {
            taken.node(graph, node)?;
        }
        let result = |value: &ValueId| match taken.places.get(value) {
            Some(Operand::Step(step)) => Some(*step),
            _ => None,
        };
        let results = graph
            .outputs
            .iter()
            .map(result)
            .collect::<Option<Vec<_>>>()?;
        let types = taken.types(graph);
        let inputs = types.iter().map(|ty| match ty.shape.size() {
            Some(1) => (ty.dtype, Width::Uniform),
            _ => (ty.dtype, Width::Row),
        });
        let inputs: Vec<(DType, Width)> = inputs.collect();
        let mut program = Program::updating(&inputs, &taken.steps, &results).ok()?;
        let shapes: Option<Vec<Vec<usize>>> = types.iter().map(|ty| sizes(ty)).collect();
        if let Some(shapes) = shapes {
            let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
            program = program.known(&shapes);
        }
        Some(Chain {
            fused: Fused {
                product: None,
                program: Arc::new(program),
                reads: taken.reads,
                parts: taken.parts,
                results: results.into_iter().collect(),
                overwrites: true,
            },
            inputs: taken.inputs,
            positions: 0,
        })
    }

    /// True if the result may be written over an operand.
    pub fn may_overwrite(&self, graph: &Graph, operand: ValueId, result: &TensorType) -> bool {
        let mut reads = self.fused.reads.iter();
        // A part of the operand may be at another offset than the values that are calculated from it.
        let in_parts = reads.any(|read| self.inputs.get(read.input) == Some(&operand));
        let (_, positions) = self.inputs.split_at(self.inputs.len() - self.positions);
        !in_parts
            && !positions.contains(&operand)
            && self.fused.overwrites
            && is_like(graph.ty(operand), result)
    }

    /// True if the product before the chain is part of it.
    pub fn follows_product(&self) -> bool {
        self.fused.product.is_some()
    }
}

/// True if a result may overwrite an operand as far as their static types tell.
fn is_like(operand: &TensorType, result: &TensorType) -> bool {
    operand == result && operand.shape.rank().is_some()
}

/// The program under construction, and what has been collected for it.
struct Taken<'a> {
    inputs: Vec<ValueId>,
    /// Where the steps find each value.
    places: FxHashMap<ValueId, Operand>,
    steps: Vec<Step>,
    parts: Vec<ChainOp>,
    reads: Vec<Read>,
    /// The nodes of the reads that are rows or rolled, in the order of these.
    placed: Vec<&'a Node>,
    /// True if the result can be written over an operand.
    overwrites: bool,
}

impl<'a> Taken<'a> {
    /// A program without steps whose first inputs are some values.
    fn with_inputs(inputs: impl IntoIterator<Item = ValueId>) -> Taken<'a> {
        let inputs = Vec::from_iter(inputs);
        let places = inputs.iter().enumerate();
        Taken {
            places: places.map(|(n, v)| (*v, Operand::Input(n))).collect(),
            inputs,
            steps: Vec::new(),
            parts: Vec::new(),
            reads: Vec::new(),
            placed: Vec::new(),
            overwrites: true,
        }
    }

    fn of(graph: &Graph, nodes: &[&'a Node], before: Option<&Node>) -> Option<Taken<'a>> {
        let first = before.map(|node| node.outputs[0]);
        let first = first.filter(|v| nodes.iter().any(|node| node.inputs.contains(v)));
        let mut taken = Taken::with_inputs(first);
        for node in nodes {
            taken.node(graph, node)?;
        }
        taken.parts.shrink_to_fit();
        let last = taken.steps.last()?;
        taken.overwrites &= matches!(last.op, StepOp::Element(_));
        Some(taken)
    }

    fn node(&mut self, graph: &Graph, node: &'a Node) -> Option<()> {
        let Op::Primitive(op, attrs) = &node.op else {
            return None;
        };
        let part = |operands| ChainOp {
            op,
            attrs: attrs.clone(),
            operands,
            location: node.location.clone(),
        };
        let kind = fusion::FusionRole::of(graph, node);
        use fusion::FusionRole::{Roll, Row, Slice};
        if let Some(Slice | Row | Roll) = kind {
            let operand = Operand::Input(self.inputs.len());
            self.reads.push(Read {
                input: self.inputs.len(),
                part: part([operand].into_iter().collect()),
            });
            self.placed.extend((kind != Some(Slice)).then_some(node));
            self.inputs.push(node.inputs[0]);
            self.places.insert(node.outputs[0], operand);
            return Some(());
        }
        let operands = node.inputs.iter().map(|value| self.operand(*value));
        let operands: SmallVec<[Operand; 3]> = operands.collect();
        let step = match element(graph, node) {
            Some(element) => {
                self.overwrites &= element.is_total(graph.ty(*node.inputs.last()?).dtype);
                StepOp::Element(element)
            }
            None => StepOp::Reduce(op.reduction?),
        };
        let place = Operand::Step(self.steps.len());
        self.steps.push(Step {
            op: step,
            operands: operands.clone(),
        });
        self.parts.push(part(operands));
        self.places.insert(node.outputs[0], place);
        Some(())
    }

    /// The operand for a value. A value that no node of the chain defines becomes a new input.
    fn operand(&mut self, value: ValueId) -> Operand {
        *self.places.entry(value).or_insert_with(|| {
            self.inputs.push(value);
            Operand::Input(self.inputs.len() - 1)
        })
    }

    /// The types of the inputs as the program sees them: for an input of which rows are read, the type of a row.
    fn types<'g>(&self, graph: &'g Graph) -> Vec<&'g TensorType> {
        let mut types: Vec<&TensorType> = self.inputs.iter().map(|v| graph.ty(*v)).collect();
        let reads = self.reads.iter().filter(|read| read.has_positions());
        for (read, node) in reads.zip(&self.placed) {
            types[read.input] = graph.ty(node.outputs[0]);
        }
        types
    }

    /// True if the chain can run in place on the output of the node before it.
    fn may_follow(&self, graph: &Graph, before: &Node, result: &TensorType) -> bool {
        let value = before.outputs[0];
        let comes_first = self.inputs.first() == Some(&value);
        comes_first && self.overwrites && is_like(graph.ty(value), result)
    }

    /// Appends the positions of rows and the shifts to the inputs, and returns how many there are.
    fn add_positions(&mut self) -> usize {
        let before = self.inputs.len();
        let reads = self.reads.iter_mut().filter(|read| read.has_positions());
        for (read, node) in reads.zip(&self.placed) {
            for position in &node.inputs[1..] {
                read.part.operands.push(Operand::Input(self.inputs.len()));
                self.inputs.push(*position);
            }
        }
        self.inputs.len() - before
    }
}

/// The program of some steps over inputs of some types, without the additions that the product does. If the last step is a reduction,
/// `last` are its attributes, and it reduces the value of the step before it.
fn program(
    inputs: &[&TensorType],
    reads: &[Read],
    steps: &[Step],
    sums: &Sums,
    last: &Attrs,
) -> Option<Program> {
    let (before, reduction) = reduction_at_the_end(steps)?;
    let by_rows = before
        .iter()
        .any(|step| matches!(step.op, StepOp::Reduce(_)));
    // If all inputs have a single value, the program works on a single position.
    let one_place = inputs.iter().all(|ty| width(ty) == Width::Uniform);
    let width = |ty: &TensorType| match width(ty) {
        Width::Uniform if by_rows || !one_place => Width::Uniform,
        width if by_rows => width,
        _ => Width::Row,
    };
    let shapes: Option<Vec<Vec<usize>>> = inputs.iter().map(|ty| sizes(ty)).collect();
    let ranks: Vec<Option<usize>> = inputs.iter().map(|ty| ty.shape.rank()).collect();
    let inputs: Vec<_> = inputs.iter().map(|ty| (ty.dtype, width(ty))).collect();
    let mut program = sums.program(&inputs, before)?;
    if reads.iter().any(|read| !read.has_positions()) {
        program = of_parts(program, &shapes?, reads)?;
    } else if let Some(shapes) = shapes {
        let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
        program = program.known(&shapes);
    }
    for read in reads.iter().filter(|read| read.has_positions()) {
        program = if *read.part.op == ops::ROLL {
            let [axis] = *read.part.attrs.ints("axes").ok()? else {
                return None;
            };
            let axis = normalize_axis(axis, ranks[read.input]?).ok()?;
            program.with_roll(read.input, axis)?
        } else {
            let positions = read.part.operands.len() - 1;
            program.with_row(read.input, positions, *read.part.op == ops::LIST_READ)
        };
    }
    let Some(op) = reduction else {
        return Some(program);
    };
    let axes = Axes {
        axes: last.ints("axes").ok()?,
        keep_dims: last.bool("keep_dims").ok()?,
    };
    program.reduced(op, axes).ok()
}

/// Splits off a reduction at the end. `None` if it reduces another value than that of the step before it.
fn reduction_at_the_end(steps: &[Step]) -> Option<(&[Step], Option<ReduceOp>)> {
    let (last, before) = steps.split_last()?;
    let StepOp::Reduce(op) = last.op else {
        return Some((steps, None));
    };
    let value = Operand::Step(before.len().checked_sub(1)?);
    (last.operands[..] == [value]).then_some((before, Some(op)))
}

/// Makes the program read slices directly from inputs of these shapes, without copies.
fn of_parts(program: Program, shapes: &[Vec<usize>], reads: &[Read]) -> Option<Program> {
    let mut taken = vec![SmallVec::new(); shapes.len()];
    for read in reads.iter().filter(|read| !read.has_positions()) {
        taken[read.input] = ops::slices(&read.part.attrs).ok()?;
    }
    let parts = shapes.iter().zip(&taken);
    let parts: Vec<_> = parts
        .map(|(shape, slices)| InputPart { shape, slices })
        .collect();
    program.known_parts(&parts)
}

/// The sizes of all axes, if they are known.
fn sizes(ty: &TensorType) -> Option<Vec<usize>> {
    ty.shape.dims()?.iter().copied().collect()
}

/// How an input of a fusion by rows is read for each row; the last axis is known.
fn width(ty: &TensorType) -> Width {
    match ty.shape.dims() {
        _ if ty.shape.size() == Some(1) => Width::Uniform,
        Some([.., Some(1)]) => Width::Column,
        _ => Width::Row,
    }
}
