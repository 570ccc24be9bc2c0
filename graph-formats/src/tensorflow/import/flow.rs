//! Control flow and calls. The nodes of a called function are read where it is called. A branch, or a loop's condition or body, becomes a subgraph; its
//! inputs are neither constants nor variables.

use graph_ir::graph::{Op, SharedGraph};
use graph_ir::ops::{self, Attr, Attrs};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::DType;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Reader;
use super::build::{Build, Val};
use super::node::{Node, Value};
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::proto::{FunctionDef, NodeDef};

/// Reads a node of control flow or a call; `None` for another op.
pub(super) fn read(
    reader: &mut Reader<'_>,
    g: &mut Build,
    node: &Node<'_>,
) -> Result<Option<Vec<Value>>> {
    Ok(Some(match node.def.op.as_str() {
        "PartitionedCall" | "StatefulPartitionedCall" => {
            let function = node.required("f", node.func("f")?)?;
            reader.call(g, function, node.inputs.clone())?
        }
        "If" | "StatelessIf" => {
            let function = |name| node.required(name, node.func(name)?);
            let branches = [function("then_branch")?, function("else_branch")?];
            choice(reader, g, node, &branches, true)?
        }
        "Case" | "StatelessCase" => {
            let branches = node.required("branches", node.list("branches")?)?;
            let branches: Vec<&str> = branches
                .func
                .iter()
                .map(|func| func.name.as_str())
                .collect();
            choice(reader, g, node, &branches, false)?
        }
        "While" | "StatelessWhile" => repeat(reader, g, node)?,
        op if reader.functions.contains_key(op) => reader.call(g, op, node.inputs.clone())?,
        _ => return Ok(None),
    }))
}

/// How a subgraph gets a value from the graph around it.
enum Passed {
    /// As an input.
    Input(Val),
    /// Not at all: it is no tensor, and the same in all graphs.
    Same(Value),
    /// As a constant of its own.
    Known(Val),
}

fn passed(g: &Build, value: &Value) -> Result<Passed> {
    Ok(match value {
        Value::Tensor(val) if g.known(*val).is_some() => Passed::Known(*val),
        Value::Tensor(val) => Passed::Input(*val),
        Value::AxesTo(_) => return Err(Error::unsupported("axes that are known only at run time")),
        same => Passed::Same(same.clone()),
    })
}

/// The value in the subgraph. If it is an input, it has this type.
fn inside(outer: &Build, inner: &mut Build, passed: &Passed, ty: Option<&TensorType>) -> Value {
    match passed {
        Passed::Same(value) => value.clone(),
        Passed::Known(val) => match outer.known(*val) {
            Some(array) => Value::Tensor(inner.constant(array.clone())),
            None => Value::Nothing,
        },
        Passed::Input(val) => {
            let value = &outer.graph.values[val.index()];
            let ty = ty.unwrap_or(&value.ty).clone();
            Value::Tensor(inner.input(ty, value.name.as_deref()))
        }
    }
}

/// A scalar of this dtype.
fn scalar(g: &mut Build, val: Val, dtype: DType) -> Result<Val> {
    let val = match (g.dtype(val), dtype) {
        (DType::Str, _) => return Err(Error::unsupported("a string as a condition")),
        (own, DType::Bool) if own != DType::Bool => {
            let zero = g.number(0.0, own)?;
            g.plain(&ops::NOT_EQUAL, &[val, zero])?
        }
        _ => g.cast(val, dtype)?,
    };
    if g.ty(val).shape.rank() == Some(0) {
        return Ok(val);
    }
    let attrs = Attrs::new().with("shape", Attr::Shape(Shape::scalar()));
    g.op(&ops::RELAX_SHAPE, &[val], attrs)
}

fn choice(
    reader: &mut Reader<'_>,
    g: &mut Build,
    node: &Node<'_>,
    functions: &[&str],
    is_if: bool,
) -> Result<Vec<Value>> {
    let (chooser, operands) = node
        .inputs
        .split_first()
        .ok_or_else(|| Error::invalid("it has no operands"))?;
    let chooser = scalar(
        g,
        chooser.tensor()?,
        if is_if { DType::Bool } else { DType::I32 },
    )?;
    let passed: Result<Vec<Passed>> = operands.iter().map(|value| passed(g, value)).collect();
    let passed = passed?;
    let mut branches: Vec<(Build, Vec<Value>)> = Vec::new();
    for function in functions {
        let mut inner = g.inner();
        let arguments = passed
            .iter()
            .map(|passed| inside(g, &mut inner, passed, None))
            .collect();
        let results = reader.call(&mut inner, function, arguments)?;
        branches.push((inner, results));
    }
    let count = branches.first().map_or(0, |(_, results)| results.len());
    let (mut outputs, mut types) = (Vec::new(), Vec::new());
    for at in 0..count {
        let values: Option<Vec<&Value>> = branches
            .iter()
            .map(|(_, results)| results.get(at))
            .collect();
        let values = values
            .ok_or_else(|| Error::invalid("the branches give different numbers of values"))?;
        if !matches!(values[0], Value::Tensor(_)) && values.iter().all(|value| *value == values[0])
        {
            outputs.push(Some(values[0].clone()));
            continue;
        }
        outputs.push(None);
        let own = branches
            .iter()
            .map(|(inner, results)| Ok(inner.ty(results[at].tensor()?).clone()));
        types.push(joined(own)?);
    }
    let graphs: Result<Vec<SharedGraph>> = branches
        .into_iter()
        .map(|(inner, results)| closed(inner, &results, &outputs))
        .collect();
    let graphs = graphs?;
    let mut inputs = vec![chooser];
    inputs.extend(passed.iter().filter_map(Passed::input));
    let op = match <[SharedGraph; 2]>::try_from(graphs) {
        Ok([then_branch, else_branch]) if is_if => Op::Cond {
            then_branch,
            else_branch,
        },
        Ok(branches) => Op::SwitchCase {
            branches: branches.into(),
        },
        Err(branches) => Op::SwitchCase { branches },
    };
    let mut tensors = g.node(op, &inputs, types).into_iter();
    let output = |same: Option<Value>| {
        same.or_else(|| tensors.next().map(Value::Tensor))
            .unwrap_or(Value::Nothing)
    };
    Ok(outputs.into_iter().map(output).collect())
}

impl Passed {
    fn input(&self) -> Option<Val> {
        match self {
            Passed::Input(val) => Some(*val),
            _ => None,
        }
    }
}

/// The most specific type that covers all.
fn joined(types: impl Iterator<Item = Result<TensorType>>) -> Result<TensorType> {
    let mut all: Option<TensorType> = None;
    for ty in types {
        let ty = ty?;
        all = Some(match all {
            None => ty,
            Some(so_far) => so_far
                .join(&ty)
                .ok_or_else(|| Error::invalid(format!("branches give {so_far} and {ty}")))?,
        });
    }
    all.ok_or_else(|| Error::invalid("there are no branches"))
}

/// The subgraph. Its outputs are the results that aren't the same in all branches or iterations.
fn closed(inner: Build, results: &[Value], same: &[Option<Value>]) -> Result<SharedGraph> {
    let mut graph = inner.graph;
    let own = results.iter().zip(same).filter(|(_, same)| same.is_none());
    graph.outputs = own
        .map(|(value, _)| value.tensor())
        .collect::<Result<_>>()?;
    Ok(graph.into())
}

/// The most nodes without an effect on the value that are followed from a result back to an argument.
const MAX_CHAIN: usize = 64;

/// Which arguments a loop's body returns unchanged.
fn unchanged(body: &FunctionDef) -> Vec<bool> {
    let Some(signature) = &body.signature else {
        return Vec::new();
    };
    let arguments: FxHashSet<&str> = signature
        .input_arg
        .iter()
        .map(|arg| arg.name.as_str())
        .collect();
    let nodes: FxHashMap<&str, &NodeDef> = body
        .node_def
        .iter()
        .map(|node| (node.name.as_str(), node))
        .collect();
    let is_identity = |op: &str| matches!(op, "Identity" | "PreventGradient");
    let argument = |output: &str| {
        let mut source = body.ret.get(output)?.as_str();
        for _ in 0..MAX_CHAIN {
            let name = source.split(':').next()?;
            if arguments.contains(name) {
                return Some(name);
            }
            let node = nodes.get(name)?;
            source = node.input.first().filter(|_| is_identity(&node.op))?;
        }
        None
    };
    let pairs = signature.input_arg.iter().zip(&signature.output_arg);
    pairs
        .map(|(arg, output)| argument(&output.name) == Some(arg.name.as_str()))
        .collect()
}

/// How often the types of a loop's state may become less specific: sizes, then ranks.
const MAX_ROUNDS: usize = 8;

fn repeat(reader: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let function = |name| node.required(name, node.func(name)?);
    let (cond, body) = (function("cond")?, function("body")?);
    let definition = reader.functions.get(body).copied();
    let unchanged = definition.map(unchanged).unwrap_or_default();
    let is_state = |at: usize| {
        matches!(node.inputs[at], Value::Tensor(_)) && !unchanged.get(at).copied().unwrap_or(false)
    };
    let passed: Result<Vec<Passed>> = node.inputs.iter().map(|value| passed(g, value)).collect();
    let mut passed = passed?;
    for (at, value) in node
        .inputs
        .iter()
        .enumerate()
        .filter(|(at, _)| is_state(*at))
    {
        passed[at] = Passed::Input(value.tensor()?);
    }
    let state: Vec<usize> = (0..passed.len()).filter(|at| is_state(*at)).collect();
    let mut types: Vec<TensorType> = state
        .iter()
        .map(|at| Ok(g.ty(node.inputs[*at].tensor()?).clone()))
        .collect::<Result<_>>()?;
    let mut part = |g: &Build, types: &[TensorType], function: &str| {
        let (mut inner, mut arguments) = (g.inner(), vec![Value::Nothing; passed.len()]);
        // The state comes first, then what doesn't change.
        for (at, ty) in state.iter().zip(types) {
            arguments[*at] = inside(g, &mut inner, &passed[*at], Some(ty));
        }
        for at in (0..passed.len()).filter(|at| !is_state(*at)) {
            arguments[at] = inside(g, &mut inner, &passed[at], None);
        }
        let results = reader.call(&mut inner, function, arguments)?;
        Ok::<_, Error>((inner, results))
    };
    let mut rounds = 0;
    let (inner, results) = loop {
        let (inner, results) = part(g, &types, body)?;
        let next = state.iter().zip(&types).map(|(at, ty)| {
            let result = results
                .get(*at)
                .ok_or_else(|| Error::invalid("the body gives too few values"))?;
            joined([Ok(ty.clone()), Ok(inner.ty(result.tensor()?).clone())].into_iter())
        });
        let next: Vec<TensorType> = next.collect::<Result<_>>()?;
        if next == types {
            break (inner, results);
        }
        rounds += 1;
        if rounds > MAX_ROUNDS {
            return Err(Error::unsupported("a loop whose state has no type"));
        }
        types = next;
    };
    let mut body_graph = inner.graph;
    body_graph.outputs = state
        .iter()
        .map(|at| results[*at].tensor())
        .collect::<Result<_>>()?;
    let (mut inner, condition) = part(g, &types, cond)?;
    let condition = condition
        .first()
        .ok_or_else(|| Error::invalid("the condition gives no value"))?
        .tensor()?;
    inner.graph.outputs = vec![scalar(&mut inner, condition, DType::Bool)?];
    let rest = (0..passed.len()).filter(|at| !is_state(*at));
    let inputs: Vec<Val> = state
        .iter()
        .copied()
        .chain(rest)
        .filter_map(|at| passed[at].input())
        .collect();
    let op = Op::WhileLoop {
        cond: inner.graph.into(),
        body: body_graph.into(),
    };
    let mut outputs = node.inputs.clone();
    for (at, val) in state.iter().zip(g.node(op, &inputs, types)) {
        outputs[*at] = Value::Tensor(val);
    }
    Ok(outputs)
}
