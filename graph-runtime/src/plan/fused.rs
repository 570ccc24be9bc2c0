//! Fused instructions: elementwise ops, one or a chain of them, and perhaps reductions of rows or one of the last op's values, as
//! a block program that is built when the plan is. A product of matrices before the chain is part of the instruction if its
//! values can be overwritten by the result.

use std::fmt;
use std::iter::once;

use graph_kernels::{
    Array, Axes, InputPart, KernelError, Operand, Program, Step, StepOp, Width, matmul_then,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::{Error, Location};
use crate::graph::fusion::{self, element};
use crate::graph::{Graph, Node, Op, TensorType, ValueId};
use crate::ops::{self, Attrs, OpDef};

/// A chain of elementwise ops made ready to run.
#[derive(Debug)]
pub struct Fused {
    /// What the chain follows on; its two operands come before those of the chain.
    product: Option<Product>,
    program: Program,
    /// The inputs of the program of which it reads a part, with the slices and rows that are these parts.
    reads: Vec<Read>,
    /// The ops of the chain, to say which one failed.
    parts: Vec<Part>,
    /// True if the result can be written over an operand of its type: no value makes an op fail, and nothing is reduced.
    overwrites: bool,
}

/// One op of a chain, the reduction included.
#[derive(Debug)]
struct Part {
    op: &'static OpDef,
    attrs: Attrs,
    operands: SmallVec<[Operand; 3]>,
    location: Location,
}

/// A part of an input, which is read where it is.
#[derive(Debug)]
struct Read {
    input: usize,
    /// The op that would take it.
    part: Part,
}

impl Read {
    fn is_row(&self) -> bool {
        *self.part.op != ops::STRIDED_SLICE
    }
}

/// A product of matrices that a chain goes on with: the first input of the program.
#[derive(Debug)]
struct Product {
    transposed: [bool; 2],
    part: Part,
}

/// A chain with the values that it reads, in the order of the program's inputs.
pub(super) struct Chain {
    pub fused: Fused,
    pub inputs: Vec<ValueId>,
    /// How many of the inputs at the end are positions of rows.
    positions: usize,
}

impl Chain {
    /// The chain of some elementwise nodes, slices and reductions of a graph, of one of the forms of a fusion; the last node gives the
    /// result. `None` if they make no program. The value of the node `before` them comes first, if they read it.
    pub fn of(graph: &Graph, nodes: &[&Node], before: Option<&Node>) -> Option<Chain> {
        let first = before.map(|node| node.outputs[0]);
        let first = first.filter(|v| nodes.iter().any(|node| node.inputs.contains(v)));
        let mut inputs: Vec<ValueId> = Vec::from_iter(first);
        let mut places: FxHashMap<ValueId, Operand> = FxHashMap::default();
        places.extend(first.map(|v| (v, Operand::Input(0))));
        let (mut steps, mut parts, mut reads) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows: Vec<&Node> = Vec::new();
        let mut total = true;
        for node in nodes {
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
                let operand = Operand::Input(inputs.len());
                reads.push(Read {
                    input: inputs.len(),
                    part: part([operand].into_iter().collect()),
                });
                rows.extend((kind == Some(fusion::Part::Row)).then_some(*node));
                inputs.push(node.inputs[0]);
                places.insert(node.outputs[0], operand);
                continue;
            }
            let operand = |value: &ValueId| {
                *places.entry(*value).or_insert_with(|| {
                    inputs.push(*value);
                    Operand::Input(inputs.len() - 1)
                })
            };
            let operands: SmallVec<[Operand; 3]> = node.inputs.iter().map(operand).collect();
            let step = match element(graph, node) {
                Some(element) => {
                    total &= element.is_total(graph.ty(*node.inputs.last()?).dtype);
                    StepOp::Element(element)
                }
                None => StepOp::Reduce(op.reduction?),
            };
            steps.push(Step {
                op: step,
                operands: operands.clone(),
            });
            parts.push(part(operands));
            places.insert(node.outputs[0], Operand::Step(steps.len() - 1));
        }
        let mut types: Vec<&TensorType> = inputs.iter().map(|v| graph.ty(*v)).collect();
        let before = inputs.len();
        for (read, node) in reads.iter_mut().filter(|read| read.is_row()).zip(rows) {
            types[read.input] = graph.ty(node.outputs[0]);
            for position in &node.inputs[1..] {
                read.part.operands.push(Operand::Input(inputs.len()));
                inputs.push(*position);
            }
        }
        let program = program(&types, &reads, &steps, &parts.last()?.attrs)?;
        let overwrites = total && matches!(steps.last()?.op, StepOp::Element(_));
        Some(Chain {
            fused: Fused {
                product: None,
                program,
                reads,
                parts,
                overwrites,
            },
            positions: inputs.len() - before,
            inputs,
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
            && self.fused.may_overwrite(graph.ty(operand), result)
    }

    /// Takes in the product of matrices that the chain goes on with, if the result may be written over it. Says whether it did.
    pub fn follow(&mut self, graph: &Graph, node: &Node, result: &TensorType) -> bool {
        let output = node.outputs[0];
        let fits = self.inputs.first() == Some(&output)
            && self.fused.may_overwrite(graph.ty(output), result);
        let Some(product) = Product::of(node).filter(|_| fits) else {
            return false;
        };
        self.inputs.splice(0..1, node.inputs.iter().copied());
        // The operands of the product are read until the last value is written.
        self.fused.overwrites = false;
        self.fused.product = Some(product);
        true
    }
}

/// The program of some steps over inputs of some types. A reduction at the end, whose attributes are given, reduces the value of the
/// step before it.
fn program(
    inputs: &[&TensorType],
    reads: &[Read],
    steps: &[Step],
    last: &Attrs,
) -> Option<Program> {
    let (before, reduction) = match steps.split_last()? {
        (
            Step {
                op: StepOp::Reduce(op),
                operands,
            },
            before,
        ) => {
            let value = Operand::Step(before.len().checked_sub(1)?);
            (before, (operands[..] == [value]).then_some(Some(*op))?)
        }
        _ => (steps, None),
    };
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
    let mut program = Program::of_rows(&inputs, before).ok()?;
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

impl Product {
    fn of(node: &Node) -> Option<Product> {
        let Op::Primitive(op, attrs) = &node.op else {
            return None;
        };
        if **op != ops::MATMUL {
            return None;
        }
        let flag = |name| attrs.bool(name).ok();
        Some(Product {
            transposed: [flag("transpose_a")?, flag("transpose_b")?],
            part: Part {
                op,
                attrs: attrs.clone(),
                operands: (0..2).map(Operand::Input).collect(),
                location: node.location.clone(),
            },
        })
    }

    fn run(
        &self,
        program: &Program,
        inputs: &mut [Option<&Array>],
        out: &mut Array,
    ) -> Result<(), KernelError> {
        let [Some(a), second, ..] = inputs else {
            return Err(KernelError::Value("a product has two operands".to_owned()));
        };
        let (a, b) = (*a, second.take());
        let Some(b) = b else {
            return Err(KernelError::Value("a product is overwritten".to_owned()));
        };
        // The place of the second operand is that of the product, which the output holds.
        let result = matmul_then([a, b], self.transposed, program, &inputs[1..], out);
        inputs[1] = Some(b);
        result
    }
}

impl Fused {
    /// True if the result may be written over an operand of the given type: it is of the same type as far as is known.
    fn may_overwrite(&self, operand: &TensorType, result: &TensorType) -> bool {
        self.overwrites && operand == result && operand.shape.rank().is_some()
    }

    /// True if the chain can be written over the array, which is an input that is `None`: it doesn't fail for any value, and
    /// all operands broadcast to the array's shape.
    pub(crate) fn works_in_place(&self, array: &Array, inputs: &[Option<&Array>]) -> bool {
        let fits = |x: &&Array| {
            let axes = x.shape().iter().rev().zip(array.shape().iter().rev());
            x.rank() <= array.rank() && axes.into_iter().all(|(n, m)| n == m || *n == 1)
        };
        self.overwrites
            && self.program.output() == array.dtype()
            && inputs.iter().flatten().all(fits)
    }

    /// Runs the chain; an input that is `None` is what `out` holds. The inputs are as they were afterwards.
    pub(crate) fn run(&self, inputs: &mut [Option<&Array>], out: &mut Array) -> Result<(), Error> {
        let result = match &self.product {
            None => self.program.run(inputs, out),
            Some(product) => product.run(&self.program, inputs, out),
        };
        result.or_else(|error| self.one_by_one(&error, inputs, out))
    }

    /// Runs the chain op by op, for the error of the one that failed: what it failed for, a shape or a value of an input, is still
    /// there. Where a row was to be read that stands nowhere, such as one of a list in which nothing was written, none of them may fail.
    #[cold]
    fn one_by_one(
        &self,
        error: &KernelError,
        inputs: &[Option<&Array>],
        out: &mut Array,
    ) -> Result<(), Error> {
        let result = match &self.product {
            None => self.run_parts(inputs, out),
            Some(product) => {
                let value = product.part.run(inputs, &[], out);
                value.and_then(|value| {
                    let chain: SmallVec<[_; 8]> = once(Some(&value))
                        .chain(inputs[2..].iter().copied())
                        .collect();
                    self.run_parts(&chain, out)
                })
            }
        };
        match result? {
            Some(value) if self.reads.iter().any(Read::is_row) => {
                *out = value;
                Ok(())
            }
            _ => {
                let location = self.parts.first().map(|part| part.location.clone());
                let location = location.unwrap_or_else(Location::unknown);
                Err(Error::run(error.to_string(), location))
            }
        }
    }

    /// The value of the last op.
    fn run_parts(&self, inputs: &[Option<&Array>], out: &Array) -> Result<Option<Array>, Error> {
        let read = |read: &Read| read.part.run(inputs, &[], out);
        let reads = self.reads.iter().map(read);
        let reads: Vec<Array> = reads.collect::<Result<_, Error>>()?;
        let mut inputs: SmallVec<[Option<&Array>; 8]> = inputs.into();
        for (read, value) in self.reads.iter().zip(&reads) {
            inputs[read.input] = Some(value);
        }
        let mut values: Vec<Array> = Vec::new();
        for part in &self.parts {
            values.push(part.run(&inputs, &values, out)?);
        }
        Ok(values.pop())
    }
}

impl Part {
    /// The value of the op alone, after those of the steps before it.
    fn run(&self, inputs: &[Option<&Array>], steps: &[Array], out: &Array) -> Result<Array, Error> {
        let operand = |operand: &Operand| match *operand {
            Operand::Input(n) => inputs[n].unwrap_or(out),
            Operand::Step(n) => &steps[n],
        };
        let operands: SmallVec<[&Array; 3]> = self.operands.iter().map(operand).collect();
        let mut value = Array::default();
        let result = (self.op.kernel)(&operands, &self.attrs, &mut value);
        result.map_err(|error| {
            let types = operands.iter().map(|array| TensorType::of_array(array));
            Error::run(self.op.failure(&error, types), self.location.clone())
        })?;
        Ok(value)
    }
}

impl fmt::Display for Fused {
    /// The names of the ops: `mul+add`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let product = self.product.iter().map(|product| &product.part);
        let reads = self.reads.iter().map(|read| &read.part);
        let names: Vec<&str> = product
            .chain(reads)
            .chain(&self.parts)
            .map(|part| part.op.name)
            .collect();
        f.write_str(&names.join("+"))
    }
}
