//! Fused instructions: elementwise ops, one or a chain of them, and perhaps a reduction of the last one's values, as a
//! block program that is built when the plan is. A product before the chain of a fusion node is a kernel of its own.

use std::fmt;

use graph_kernels::{Array, Axes, DType, KernelError, Operand, Program, Step};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::{Error, Location};
use crate::graph::fusion::element;
use crate::graph::{Graph, Node, Op, TensorType, ValueId};
use crate::ops::{Attrs, OpDef};

/// A chain of elementwise ops made ready to run.
#[derive(Debug)]
pub struct Fused {
    program: Program,
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

/// A chain with the values that it reads, in the order of the program's inputs.
pub(super) struct Chain {
    pub fused: Fused,
    pub inputs: Vec<ValueId>,
}

impl Chain {
    /// The chain of some elementwise nodes of a graph, and perhaps a reduction of the last one's value; the last node gives
    /// the result. `None` if they make no program.
    pub fn of(graph: &Graph, nodes: &[&Node]) -> Option<Chain> {
        let mut inputs: Vec<ValueId> = Vec::new();
        let mut places: FxHashMap<ValueId, Operand> = FxHashMap::default();
        let (mut steps, mut parts) = (Vec::new(), Vec::new());
        let mut total = true;
        for (n, node) in nodes.iter().enumerate() {
            let Op::Primitive(op, attrs) = &node.op else {
                return None;
            };
            let operand = |value: &ValueId| {
                *places.entry(*value).or_insert_with(|| {
                    inputs.push(*value);
                    Operand::Input(inputs.len() - 1)
                })
            };
            let operands: SmallVec<[Operand; 3]> = node.inputs.iter().map(operand).collect();
            if let Some(element) = element(graph, node) {
                total &= element.is_total(graph.ty(*node.inputs.last()?).dtype);
                steps.push(Step {
                    op: element,
                    operands: operands.clone(),
                });
            } else if operands[..] != [Operand::Step(steps.len().checked_sub(1)?)] {
                return None;
            }
            parts.push(Part {
                op,
                attrs: attrs.clone(),
                operands,
                location: node.location.clone(),
            });
            places.insert(node.outputs[0], Operand::Step(n));
        }
        let dtypes: Vec<DType> = inputs.iter().map(|v| graph.ty(*v).dtype).collect();
        let mut program = Program::new(&dtypes, &steps).ok()?;
        // All nodes but a reduction at the end are steps.
        let reduces = steps.len() < nodes.len();
        if reduces {
            let last = parts.last().filter(|_| steps.len() + 1 == nodes.len())?;
            let axes = Axes {
                axes: last.attrs.ints("axes").ok()?,
                keep_dims: last.attrs.bool("keep_dims").ok()?,
            };
            program = program.reduced(last.op.reduction?, axes).ok()?;
        }
        Some(Chain {
            fused: Fused {
                program,
                parts,
                overwrites: total && !reduces,
            },
            inputs,
        })
    }
}

impl Fused {
    /// True if the result may be written over an operand of the given type: it is of the same type as far as is known.
    pub(super) fn may_overwrite(&self, operand: &TensorType, result: &TensorType) -> bool {
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

    /// Runs the chain; an input that is `None` is what `out` holds.
    pub(crate) fn run(&self, inputs: &[Option<&Array>], out: &mut Array) -> Result<(), Error> {
        let result = self.program.run(inputs, out);
        result.map_err(|error| self.error(&error, inputs, out))
    }

    /// The error of the op that failed, found by running the chain op by op: what it failed for, a shape or a value of
    /// an input, is still there.
    #[cold]
    fn error(&self, error: &KernelError, inputs: &[Option<&Array>], out: &Array) -> Error {
        let mut values: Vec<Array> = Vec::new();
        for part in &self.parts {
            let operand = |operand: &Operand| match *operand {
                Operand::Input(n) => inputs[n].unwrap_or(out),
                Operand::Step(n) => &values[n],
            };
            let operands: SmallVec<[&Array; 3]> = part.operands.iter().map(operand).collect();
            let mut value = Array::default();
            let result = (part.op.kernel)(&operands, &part.attrs, &mut value);
            if let Err(error) = result {
                let types = operands.iter().map(|array| TensorType::of_array(array));
                return Error::run(part.op.failure(&error, types), part.location.clone());
            }
            drop(operands);
            values.push(value);
        }
        let location = self.parts.first().map(|part| part.location.clone());
        Error::run(
            error.to_string(),
            location.unwrap_or_else(Location::unknown),
        )
    }
}

impl fmt::Display for Fused {
    /// The names of the ops: `mul+add`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.parts.iter().map(|part| part.op.name).collect();
        f.write_str(&names.join("+"))
    }
}
