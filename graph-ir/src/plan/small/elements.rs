//! The ops of small tensors as ops of scalars: elementwise ones, those that only move elements, and reductions of a few elements. The bits are
//! those of the kernels.

use std::sync::Arc;

use graph_kernels::{Array, DType, Dims, ReduceOp};

use super::lists::List;
use super::split::{Scope, Splitter};
use crate::error::Location;
use crate::graph::fusion::element;
use crate::graph::{Graph, Node, Op, TensorType, ValueId};
use crate::ops::{self, Attr, Attrs, OpDef};
use crate::passes::never_fails;
use crate::plan::words::ELEMENT;

/// Which operands of an op hold the elements that it moves. The others are constants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moved {
    First,
    All,
}

/// The ops that only move elements, or put zeros between them.
static MOVES: &[(&OpDef, Moved)] = &[
    (&ops::RESHAPE, Moved::First),
    (&ops::RELAX_SHAPE, Moved::First),
    (&ops::EXPAND_DIMS, Moved::First),
    (&ops::SQUEEZE, Moved::First),
    (&ops::TRANSPOSE, Moved::First),
    (&ops::BROADCAST_TO, Moved::First),
    (&ops::TILE, Moved::First),
    (&ops::INDEX, Moved::First),
    (&ops::INDEX_AXIS, Moved::First),
    (&ops::STRIDED_SLICE, Moved::First),
    (&ops::ROLL, Moved::First),
    (&ops::REPEAT, Moved::First),
    (&ops::DIAG, Moved::First),
    (&ops::DIAG_PART, Moved::First),
    (&ops::BAND_PART, Moved::First),
    (&ops::CONCAT, Moved::All),
    (&ops::STACK, Moved::All),
];

/// From this length on, the kernels of reductions combine several elements at a time.
pub(super) const LONG: usize = 16;

/// Whether an op has a form for scalars.
pub(super) fn can_split(op: &OpDef, attrs: &Attrs) -> bool {
    let others = [
        &ops::MATMUL,
        &ops::EINSUM,
        &ops::TENSORDOT,
        &ops::SOLVE,
        &ops::INDEX_ADD,
    ];
    (op.element)(attrs).is_some()
        || op.reduction.is_some()
        || moved(op).is_some()
        || takes_rows(op)
        || others.contains(&op)
}

/// Whether the first operand of an op may be an array or a list of any size.
pub(super) fn takes_rows(op: &OpDef) -> bool {
    [&ops::INDEX, &ops::LIST_READ, &ops::LIST_WRITE].contains(&op)
}

fn moved(op: &OpDef) -> Option<Moved> {
    let found = MOVES.iter().find(|(other, _)| *other == op);
    found.map(|(_, moved)| *moved)
}

impl Splitter {
    /// Writes an op of the table. Returns the elements of its result.
    pub(super) fn primitive(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        (op, attrs): (&'static OpDef, &Attrs),
        to: &mut Graph,
    ) -> Option<Vec<ValueId>> {
        if element(scope.graph, node).is_some() {
            return self.elementwise(scope, node, (op, attrs), to);
        }
        if op.reduction.is_some() {
            return self.reduction(scope, node, (op, attrs), to);
        }
        match op {
            op if *op == ops::INDEX => self.index(scope, node, (op, attrs), to),
            op if *op == ops::LIST_READ => self.list_read(scope, node, (op, attrs), to),
            op if [&ops::MATMUL, &ops::EINSUM, &ops::TENSORDOT].contains(&op) => {
                self.product(scope, node, (op, attrs), to)
            }
            op if *op == ops::SOLVE => self.system(scope, node, (op, attrs), to),
            op if *op == ops::INDEX_ADD => self.index_add(scope, node, to),
            _ => self.moves(scope, node, (op, attrs), to),
        }
    }

    /// An element of a small tensor, or a row of an array.
    fn index(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        (op, attrs): (&'static OpDef, &Attrs),
        to: &mut Graph,
    ) -> Option<Vec<ValueId>> {
        match (&node.inputs[..], scope.array(node.inputs[0])) {
            ([x, position], Some(array))
                if scope.elements(*x).is_none() || scope.constant(*position).is_none() =>
            {
                let position = *scope.elements(*position)?.first()?;
                self.read(scope, node, (op, &Attrs::new()), [array, position], to)
            }
            _ => self.moves(scope, node, (op, attrs), to),
        }
    }

    /// The sum of a small tensor and of a part at positions that are constants.
    fn index_add(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        to: &mut Graph,
    ) -> Option<Vec<ValueId>> {
        let (whole, rest) = node.inputs.split_first()?;
        let (part, positions) = rest.split_first()?;
        let positions = positions.iter().map(|value| scope.constant(*value));
        let positions: Vec<&Arc<Array>> = positions.collect::<Option<_>>()?;
        let dims = [scope.dims(*whole)?];
        let changed = origins(&ops::INDEX, &Attrs::new(), &dims, &positions)?;
        let mut results = scope.elements(*whole)?.to_vec();
        for (at, value) in changed.into_iter().zip(scope.elements(*part)?) {
            let (add, inputs) = ((&ops::ADD, Attrs::new()), vec![results[at], *value]);
            results[at] = self.scalar(to, add, inputs, scope.scalar(*whole), &node.location)?;
        }
        Some(results)
    }

    /// A row of a list. A list that has no row shape yet has rows of zeros only if the op knows the shape.
    fn list_read(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        (op, attrs): (&'static OpDef, &Attrs),
        to: &mut Graph,
    ) -> Option<Vec<ValueId>> {
        let (list, row) = (node.inputs[0], scope.dims(node.outputs[0])?);
        let known = attrs.shape("shape").ok()?.dims()?;
        if !known
            .get(1..)?
            .iter()
            .copied()
            .eq(row.iter().copied().map(Some))
        {
            return None;
        }
        let input = match scope.list(list) {
            Some(list) => {
                self.lists.fresh(list)?;
                self.lists.has_rows(list, &row)?;
                list.input
            }
            None => scope.array(list)?,
        };
        let position = *scope.elements(node.inputs[1])?.first()?;
        self.read(scope, node, (op, attrs), [input, position], to)
    }

    /// Writes a write of a row to a list, with the row's elements as operands behind the position. Its result isn't used: it changes the list for
    /// which its first operand stands.
    pub(super) fn list_write(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        attrs: &Attrs,
        to: &mut Graph,
    ) -> Option<List> {
        let list = scope.operand(node, 0)?.list?;
        self.lists.has_rows(list, &scope.dims(node.inputs[2])?)?;
        let mut inputs = vec![list.input, *scope.elements(node.inputs[1])?.first()?];
        inputs.extend(scope.elements(node.inputs[2])?);
        let unused = TensorType::scalar(DType::Bool);
        let write = (&ops::LIST_WRITE, attrs.clone());
        self.scalar(to, write, inputs, unused, &node.location)?;
        self.lists.written(list)
    }

    /// Writes an op of the table on scalars. Returns its result, which is of this type.
    pub(super) fn scalar(
        &mut self,
        to: &mut Graph,
        (op, attrs): (&'static OpDef, Attrs),
        inputs: Vec<ValueId>,
        ty: TensorType,
        at: &Location,
    ) -> Option<ValueId> {
        let outputs = self.add(to, Op::Primitive(op, attrs), inputs, vec![ty], at)?;
        outputs.first().copied()
    }

    /// Reads the elements of a row of an array from outside, or of a list.
    fn read(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        (op, attrs): (&'static OpDef, &Attrs),
        operands: [ValueId; 2],
        to: &mut Graph,
    ) -> Option<Vec<ValueId>> {
        let output = node.outputs[0];
        let dims = scope.dims(output)?;
        let mut results = Vec::new();
        for element in 0..dims.iter().product() {
            let attrs = match dims.is_empty() {
                true => attrs.clone(),
                false => attrs.clone().with(ELEMENT, Attr::Int(element as i64)),
            };
            let scalar = scope.scalar(output);
            results.push(self.scalar(
                to,
                (op, attrs),
                operands.to_vec(),
                scalar,
                &node.location,
            )?);
        }
        Some(results)
    }

    fn elementwise(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        (op, attrs): (&'static OpDef, &Attrs),
        to: &mut Graph,
    ) -> Option<Vec<ValueId>> {
        let output = node.outputs[0];
        let dims = scope.dims(output)?;
        // The error of a kernel names the types of its operands, which scalars don't have.
        if !dims.is_empty() && !never_fails(scope.graph, node) {
            return None;
        }
        let shape: Vec<i64> = dims.iter().map(|size| *size as i64).collect();
        let broadcast = Attrs::new().with("shape", Attr::Ints(shape));
        let operands = node.inputs.iter().map(|value| {
            let elements = scope.elements(*value)?;
            let origins = origins(&ops::BROADCAST_TO, &broadcast, &[scope.dims(*value)?], &[])?;
            let operand = origins.into_iter().map(|origin| elements[origin]);
            Some(operand.collect::<Vec<ValueId>>())
        });
        let operands: Vec<Vec<ValueId>> = operands.collect::<Option<_>>()?;
        let scalar = scope.scalar(output);
        let count = dims.iter().product();
        let mut results = Vec::with_capacity(count);
        for i in 0..count {
            let inputs = operands.iter().map(|operand| operand[i]).collect();
            let function = (op, attrs.clone());
            results.push(self.scalar(to, function, inputs, scalar.clone(), &node.location)?);
        }
        Some(results)
    }

    /// An op that moves elements. Its kernel tells how, by moving their numbers.
    fn moves(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        (op, attrs): (&'static OpDef, &Attrs),
        to: &mut Graph,
    ) -> Option<Vec<ValueId>> {
        let count = match moved(op)? {
            Moved::First => 1,
            Moved::All => node.inputs.len(),
        };
        let (data, rest) = node.inputs.split_at_checked(count)?;
        let constants = rest.iter().map(|value| scope.constant(*value));
        let constants: Vec<&Arc<Array>> = constants.collect::<Option<_>>()?;
        let mut elements: Vec<ValueId> = Vec::new();
        let mut shapes = Vec::new();
        for value in data {
            elements.extend(scope.elements(*value)?);
            shapes.push(scope.dims(*value)?);
        }
        let numbers = numbers(op, attrs, &shapes, &constants)?;
        let dtype = scope.graph.ty(node.outputs[0]).dtype;
        let mut zero = None;
        let mut results = Vec::with_capacity(numbers.len());
        for number in numbers {
            results.push(match number.checked_sub(1) {
                Some(origin) => elements[origin],
                None => match zero {
                    Some(zero) => zero,
                    None => {
                        let value = Array::of_word(dtype, 0);
                        *zero.insert(self.constant(to, value, &node.location)?)
                    }
                },
            });
        }
        Some(results)
    }

    /// A reduction over the last axes, one element after the other, as the kernel does it.
    fn reduction(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        (op, attrs): (&'static OpDef, &Attrs),
        to: &mut Graph,
    ) -> Option<Vec<ValueId>> {
        let operand = node.inputs[0];
        let dims = scope.dims(operand)?;
        let dtype = scope.graph.ty(operand).dtype;
        let axes = attrs.ints("axes").ok()?;
        let rank = dims.len() as i64;
        let is_reduced = |axis: &usize| {
            let axis = *axis as i64;
            axes.is_empty() || axes.contains(&axis) || axes.contains(&(axis - rank))
        };
        let kept = (0..dims.len()).take_while(|axis| !is_reduced(axis)).count();
        if !(kept..dims.len()).all(|axis| is_reduced(&axis)) {
            return None;
        }
        let length: usize = dims[kept..].iter().product();
        let fold = Fold::of(op.reduction?, dtype).filter(|_| length < LONG)?;
        let scalar = TensorType::scalar(dtype);
        let mut results = Vec::new();
        for row in scope.elements(operand)?.chunks(length) {
            let mut sum = self.constant(to, fold.identity.clone(), &node.location)?;
            for value in row {
                let (combine, inputs) = ((fold.combine, Attrs::new()), vec![sum, *value]);
                sum = self.scalar(to, combine, inputs, scalar.clone(), &node.location)?;
            }
            if fold.is_mean {
                let count = number(dtype, length as f64)?;
                let inputs = vec![sum, self.constant(to, count, &node.location)?];
                let divide = (&ops::DIV, Attrs::new());
                sum = self.scalar(to, divide, inputs, scalar.clone(), &node.location)?;
            }
            results.push(sum);
        }
        Some(results)
    }
}

/// How a reduction combines elements.
struct Fold {
    combine: &'static OpDef,
    identity: Array,
    is_mean: bool,
}

impl Fold {
    /// The fold of the kernel; `None` for dtypes that are combined in another one.
    fn of(op: ReduceOp, dtype: DType) -> Option<Fold> {
        let is_float = matches!(dtype, DType::F32 | DType::F64);
        let is_number = is_float || matches!(dtype, DType::I32 | DType::I64);
        let (combine, identity) = match op {
            ReduceOp::Sum if is_number => (&ops::ADD, number(dtype, 0.0)?),
            ReduceOp::Mean if is_float => (&ops::ADD, number(dtype, 0.0)?),
            ReduceOp::Prod if is_number => (&ops::MUL, number(dtype, 1.0)?),
            ReduceOp::Max if is_float => (&ops::MAXIMUM, number(dtype, f64::NEG_INFINITY)?),
            ReduceOp::Min if is_float => (&ops::MINIMUM, number(dtype, f64::INFINITY)?),
            ReduceOp::Any if dtype == DType::Bool => (&ops::LOGICAL_OR, Array::scalar(false)),
            ReduceOp::All if dtype == DType::Bool => (&ops::LOGICAL_AND, Array::scalar(true)),
            _ => return None,
        };
        Some(Fold {
            combine,
            identity,
            is_mean: op == ReduceOp::Mean,
        })
    }
}

/// A scalar of a dtype.
pub(super) fn number(dtype: DType, value: f64) -> Option<Array> {
    let mut scalar = Array::default();
    graph_kernels::cast(&Array::scalar(value), dtype, &mut scalar).ok()?;
    Some(scalar)
}

/// The number of the element that each element of an op's result is, if the op puts no zeros between them.
fn origins(
    op: &OpDef,
    attrs: &Attrs,
    shapes: &[Dims],
    constants: &[&Arc<Array>],
) -> Option<Vec<usize>> {
    let numbers = numbers(op, attrs, shapes, constants)?;
    numbers.into_iter().map(|n| n.checked_sub(1)).collect()
}

/// The number of the element that each element of an op's result is, counted from 1 through all operands; 0 for a zero.
fn numbers(
    op: &OpDef,
    attrs: &Attrs,
    shapes: &[Dims],
    constants: &[&Arc<Array>],
) -> Option<Vec<usize>> {
    let mut next = 1..;
    let numbered: Vec<Array> = shapes
        .iter()
        .map(|dims| {
            let count = dims.iter().product();
            Array::new(dims, next.by_ref().take(count).collect::<Vec<i64>>())
        })
        .collect();
    let constants = constants.iter().map(|array| &***array);
    let operands: Vec<&Array> = numbered.iter().chain(constants).collect();
    let mut out = Array::default();
    (op.kernel)(&operands, attrs, &mut out).ok()?;
    let numbers = out.values::<i64>()?.iter();
    numbers.map(|n| usize::try_from(*n).ok()).collect()
}
