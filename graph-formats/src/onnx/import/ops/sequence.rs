//! Sequences and optional values. They exist only while the model is read: the number of tensors in a sequence must be known.

use graph_kernels::{Array, DType};

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::{Many, One};
use super::super::table::Row;
use super::super::terms;
use super::super::types::{self, Type};
use super::super::value::{Sequence, Value};

pub(crate) const ROWS: &[Row] = &[
    ("SequenceConstruct", Many(construct)),
    ("SequenceEmpty", Many(empty)),
    (
        "SequenceAt",
        One(|n, g| {
            let sequence = sequence(n, 0)?;
            let at = position(n, g, 1, sequence.items.len(), false)?;
            Ok(sequence.items[at])
        }),
    ),
    ("SequenceInsert", Many(insert)),
    ("SequenceErase", Many(erase)),
    (
        "SequenceLength",
        One(|n, g| {
            let len = sequence(n, 0)?.items.len();
            Ok(g.int(len as i64))
        }),
    ),
    ("SplitToSequence", Many(split)),
    ("ConcatFromSequence", One(concat)),
    ("SequenceMap", Many(map)),
    ("Optional", Many(optional)),
    (
        "OptionalHasElement",
        One(|n, g| {
            let has = !matches!(n.value(0), None | Some(Value::Absent));
            Ok(g.constant(Array::scalar(has)))
        }),
    ),
    (
        "OptionalGetElement",
        Many(|n, _| match n.value(0) {
            None | Some(Value::Absent) => invalid("an optional without a value"),
            Some(value) => Ok(vec![value.clone()]),
        }),
    ),
];

fn sequence(n: &Node<'_>, at: usize) -> Result<Sequence> {
    match n.value(at) {
        Some(value) => value.sequence().cloned(),
        None => invalid(format!("operand {at} is missing")),
    }
}

/// A position in a sequence: an operand, or the end if there is none.
fn position(n: &Node<'_>, g: &Build<'_>, at: usize, len: usize, may_be_end: bool) -> Result<usize> {
    let Some(given) = n.known_ints(at, g)? else {
        return Ok(if may_be_end {
            len
        } else {
            len.saturating_sub(1)
        });
    };
    let [given] = given[..] else {
        return invalid("a position is one number");
    };
    let from_front = if given < 0 {
        given.saturating_add(len as i64)
    } else {
        given
    };
    let found = usize::try_from(from_front)
        .ok()
        .filter(|at| *at < len + usize::from(may_be_end));
    found.map_or_else(
        || invalid(format!("position {given} in a sequence of {len}")),
        Ok,
    )
}

fn construct(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let items = n.tensors()?;
    match items.first() {
        Some(first) => Ok(vec![Sequence::of(g.dtype(*first), items)]),
        None => invalid("it takes at least one operand"),
    }
}

fn empty(n: &Node<'_>, _: &mut Build<'_>) -> Result<Vec<Value>> {
    let dtype = n.dtype("dtype")?.unwrap_or(DType::F32);
    Ok(vec![Sequence::of(dtype, Vec::new())])
}

fn insert(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let (old, item) = (sequence(n, 0)?, n.tensor(1)?);
    if g.dtype(item) != old.dtype {
        return invalid(format!(
            "a {} in a sequence of {}",
            g.dtype(item),
            old.dtype
        ));
    }
    g.make(old.items.len())?;
    let mut items = old.items.to_vec();
    items.insert(position(n, g, 2, items.len(), true)?, item);
    Ok(vec![Sequence::of(old.dtype, items)])
}

fn erase(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let old = sequence(n, 0)?;
    g.make(old.items.len())?;
    let mut items = old.items.to_vec();
    let at = position(n, g, 1, items.len(), false)?;
    if items.is_empty() {
        return invalid("the sequence is empty");
    }
    items.remove(at);
    Ok(vec![Sequence::of(old.dtype, items)])
}

/// The most parts that a tensor is split into: each takes its own node.
const MAX_PARTS: usize = 1 << 16;

fn split(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let x = n.tensor(0)?;
    let axis = terms::axis(n.int("axis")?.unwrap_or(0), g.rank(x)?)?;
    let keeps = n.flag("keepdims", true)?;
    let Some(size) = g.shape(x).get(axis) else {
        return Err(Fault::NeedsShape("the size of the axis".to_owned()));
    };
    let given = n.optional(1)?;
    let check = |count: usize| match count <= MAX_PARTS {
        true => Ok(count),
        false => unsupported(format!("a sequence of {count} parts")),
    };
    let sizes = match given {
        None => vec![1; check(size)?],
        Some(given) => {
            let sizes = super::shape::sizes_of(&g.known_ints(given, "the sizes of the parts")?)?;
            match (g.rank(given)?, &sizes[..]) {
                (0, [each]) if *each > 0 => {
                    let count = check(size.div_ceil(*each))?;
                    (0..count).map(|n| (*each).min(size - n * each)).collect()
                }
                _ => sizes,
            }
        }
    };
    let mut items = super::parts::cut(g, x, axis, &sizes)?;
    if given.is_none() && !keeps {
        for item in &mut items {
            *item = g.squeeze(*item, &[axis as i64])?;
        }
    }
    Ok(vec![Sequence::of(g.dtype(x), items)])
}

fn concat(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let sequence = sequence(n, 0)?;
    let axis = n.required("axis", n.int("axis")?)?;
    if sequence.items.is_empty() {
        return invalid("the sequence is empty");
    }
    if n.flag("new_axis", false)? {
        g.stack(&sequence.items, axis)
    } else {
        g.concat(&sequence.items, axis)
    }
}

/// Applies a subgraph to each item; tensors beside the first sequence are the same for all.
fn map(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let body = n.required("body", n.graph("body")?)?;
    let len = sequence(n, 0)?.items.len();
    let mut columns: Vec<Vec<Val>> = vec![Vec::new(); body.output.len()];
    for at in 0..len {
        if at > 0 {
            g.again(body)?;
        }
        let inputs: Result<Vec<Value>> = (0..n.len())
            .map(|input| match n.value(input) {
                Some(Value::Sequence(s)) => match s.items.get(at) {
                    Some(item) => Ok(Value::Tensor(*item)),
                    None => invalid("the sequences have different lengths"),
                },
                Some(value) => Ok(value.clone()),
                None => invalid(format!("operand {input} is missing")),
            })
            .collect();
        let outputs = g.subgraph(body, &inputs?)?;
        for (column, output) in columns.iter_mut().zip(outputs) {
            column.push(output.tensor()?);
        }
    }
    let dtype = |column: &[Val], g: &Build<'_>| column.first().map_or(DType::F32, |v| g.dtype(*v));
    Ok(columns
        .into_iter()
        .map(|column| Sequence::of(dtype(&column, g), column))
        .collect())
}

fn optional(n: &Node<'_>, _: &mut Build<'_>) -> Result<Vec<Value>> {
    let ty = n.type_proto("type")?.map(types::read).transpose()?;
    match (n.value(0), ty) {
        (Some(value), _) => Ok(vec![value.clone()]),
        (None, Some(Type::Tensor(_) | Type::Sequence(_) | Type::Optional(_))) => {
            Ok(vec![Value::Absent])
        }
        (None, None) => invalid("it has neither a value nor a type"),
    }
}
