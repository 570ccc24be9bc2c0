//! From the nodes of a fusion to what runs them: steps of a block program, with the product before them if that can be one
//! instruction with them.

use graph_kernels::{Axes, InputPart, Operand, Program, ReduceOp, Step, StepOp, Width};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::product::{Product, Sums};
use super::{Fused, Part, Read};
use crate::graph::fusion::{self, element};
use crate::graph::{Graph, Node, Op, TensorType, ValueId};
use crate::ops::{self, Attrs};

/// A chain with the values that it reads, in the order of the program's inputs.
pub(in crate::plan) struct Chain {
    pub fused: Fused,
    pub inputs: Vec<ValueId>,
    /// How many of the inputs at the end are positions of rows.
    positions: usize,
}

impl Chain {
    /// The chain of some elementwise nodes, slices and reductions of a graph, of one of the forms of a fusion; the last node gives the
    /// result. `None` if they make no program. If they read the value of the node `before` them, it comes first; if that is a product
    /// over which the result may be written, the chain takes it in.
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
                // The operands of a product are read until the last value is written.
                overwrites: taken.overwrites && product.is_none(),
                product,
                program,
                reads: taken.reads,
                parts: taken.parts,
            },
            inputs,
            positions,
        })
    }

    /// True if the result may be written over an operand.
    pub fn may_overwrite(&self, graph: &Graph, operand: ValueId, result: &TensorType) -> bool {
        let mut reads = self.fused.reads.iter();
        // Parts of it may lie elsewhere than what is calculated from them.
        let in_parts = reads.any(|read| self.inputs.get(read.input) == Some(&operand));
        let (_, positions) = self.inputs.split_at(self.inputs.len() - self.positions);
        !in_parts
            && !positions.contains(&operand)
            && self.fused.overwrites
            && is_like(graph.ty(operand), result)
    }

    /// True if the product before it is part of it.
    pub fn follows_product(&self) -> bool {
        self.fused.product.is_some()
    }
}

/// True if a result may be written over an operand, as far as their types tell: they are the same, as far as is known.
fn is_like(operand: &TensorType, result: &TensorType) -> bool {
    operand == result && operand.shape.rank().is_some()
}

/// What is taken of some nodes.
struct Taken<'a> {
    inputs: Vec<ValueId>,
    /// Where the values are that steps read.
    places: FxHashMap<ValueId, Operand>,
    steps: Vec<Step>,
    parts: Vec<Part>,
    reads: Vec<Read>,
    /// The nodes of those reads that are rows.
    rows: Vec<&'a Node>,
    /// True if the result can be written over an operand.
    overwrites: bool,
}

impl<'a> Taken<'a> {
    fn of(graph: &Graph, nodes: &[&'a Node], before: Option<&Node>) -> Option<Taken<'a>> {
        let first = before.map(|node| node.outputs[0]);
        let first = first.filter(|v| nodes.iter().any(|node| node.inputs.contains(v)));
        let mut taken = Taken {
            inputs: Vec::from_iter(first),
            places: first.map(|v| (v, Operand::Input(0))).into_iter().collect(),
            steps: Vec::new(),
            parts: Vec::new(),
            reads: Vec::new(),
            rows: Vec::new(),
            overwrites: true,
        };
        for node in nodes {
            taken.node(graph, node)?;
        }
        let last = taken.steps.last()?;
        taken.overwrites &= matches!(last.op, StepOp::Element(_));
        Some(taken)
    }

    fn node(&mut self, graph: &Graph, node: &'a Node) -> Option<()> {
        let Op::Primitive(op, attrs) = &node.op else {
            return None;
        };
        let part = |operands| Part {
            op,
            attrs: attrs.clone(),
            operands,
            location: node.location.clone(),
        };
        let kind = fusion::Part::of(graph, node);
        if let Some(fusion::Part::Slice | fusion::Part::Row) = kind {
            let operand = Operand::Input(self.inputs.len());
            self.reads.push(Read {
                input: self.inputs.len(),
                part: part([operand].into_iter().collect()),
            });
            self.rows
                .extend((kind == Some(fusion::Part::Row)).then_some(node));
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

    /// Where a value is, which is a new input if it is none of the nodes'.
    fn operand(&mut self, value: ValueId) -> Operand {
        *self.places.entry(value).or_insert_with(|| {
            self.inputs.push(value);
            Operand::Input(self.inputs.len() - 1)
        })
    }

    /// The types of what is read of the inputs.
    fn types<'g>(&self, graph: &'g Graph) -> Vec<&'g TensorType> {
        let mut types: Vec<&TensorType> = self.inputs.iter().map(|v| graph.ty(*v)).collect();
        let reads = self.reads.iter().filter(|read| read.is_row());
        for (read, node) in reads.zip(&self.rows) {
            types[read.input] = graph.ty(node.outputs[0]);
        }
        types
    }

    /// True if the nodes can go on in place with the values of the one before them.
    fn may_follow(&self, graph: &Graph, before: &Node, result: &TensorType) -> bool {
        let value = before.outputs[0];
        let comes_first = self.inputs.first() == Some(&value);
        comes_first && self.overwrites && is_like(graph.ty(value), result)
    }

    /// Adds the positions of rows behind the other inputs, and says how many they are.
    fn add_positions(&mut self) -> usize {
        let before = self.inputs.len();
        let reads = self.reads.iter_mut().filter(|read| read.is_row());
        for (read, node) in reads.zip(&self.rows) {
            for position in &node.inputs[1..] {
                read.part.operands.push(Operand::Input(self.inputs.len()));
                self.inputs.push(*position);
            }
        }
        self.inputs.len() - before
    }
}

/// The program of some steps over inputs of some types, but for the sums that a product takes over. A reduction at the end, whose
/// attributes are given, reduces the value of the step before it.
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
    // Where all have one value, there is one place.
    let one_place = inputs.iter().all(|ty| width(ty) == Width::Uniform);
    let width = |ty: &TensorType| match width(ty) {
        Width::Uniform if by_rows || !one_place => Width::Uniform,
        width if by_rows => width,
        _ => Width::Row,
    };
    let shapes: Option<Vec<Vec<usize>>> = inputs.iter().map(|ty| sizes(ty)).collect();
    let inputs: Vec<_> = inputs.iter().map(|ty| (ty.dtype, width(ty))).collect();
    let mut program = sums.program(&inputs, before)?;
    if reads.iter().any(|read| !read.is_row()) {
        program = of_parts(program, &shapes?, reads)?;
    } else if let Some(shapes) = shapes {
        let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
        program = program.known(&shapes);
    }
    for read in reads.iter().filter(|read| read.is_row()) {
        let positions = read.part.operands.len() - 1;
        program = program.with_row(read.input, positions, *read.part.op == ops::LIST_READ);
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

/// The steps before a reduction at the end, and that; `None` if it reduces something else than the value of the step before it.
fn reduction_at_the_end(steps: &[Step]) -> Option<(&[Step], Option<ReduceOp>)> {
    let (last, before) = steps.split_last()?;
    let StepOp::Reduce(op) = last.op else {
        return Some((steps, None));
    };
    let value = Operand::Step(before.len().checked_sub(1)?);
    (last.operands[..] == [value]).then_some((before, Some(op)))
}

/// A program that reads slices of inputs of these shapes where they are.
fn of_parts(program: Program, shapes: &[Vec<usize>], reads: &[Read]) -> Option<Program> {
    let mut taken = vec![SmallVec::new(); shapes.len()];
    for read in reads.iter().filter(|read| !read.is_row()) {
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

/// How many values a row takes of an input of a fusion by rows, whose last axes are known.
fn width(ty: &TensorType) -> Width {
    match ty.shape.dims() {
        _ if ty.shape.size() == Some(1) => Width::Uniform,
        Some([.., Some(1)]) => Width::Column,
        _ => Width::Row,
    }
}
