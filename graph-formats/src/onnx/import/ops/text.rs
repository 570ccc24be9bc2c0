//! Strings.

use graph_ir::ops::{self, Attr, Attrs};
use graph_kernels::Array;

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::{Many, One};
use super::super::table::Row;
use super::super::terms::{self, signed};
use super::super::value::Value;
use super::shape;

pub(crate) const ROWS: &[Row] = &[
    (
        "StringConcat",
        One(|n, g| {
            let (a, b) = (n.tensor(0)?, n.tensor(1)?);
            g.add(a, b)
        }),
    ),
    ("StringNormalizer", One(normalizer)),
    ("StringSplit", Many(split)),
];

fn lower(g: &mut Build<'_>, x: Val) -> Result<Val> {
    g.op(&ops::STRING_LOWER, &[x], Attrs::new())
}

/// A list of words, [words] or [1, words], without stopwords and in one case.
fn normalizer(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    n.text("locale")?;
    let is_exact = n.flag("is_case_sensitive", false)?;
    let stopwords = n.texts("stopwords")?.unwrap_or_default();
    let rank = g.rank(x)?;
    let words = match rank {
        1 => x,
        2 => g.squeeze(x, &[0])?,
        _ => return invalid(format!("strings of rank {rank}")),
    };
    let kept = without(g, words, stopwords, is_exact)?;
    let kept = or_one_empty(g, kept)?;
    let kept = match n.text("case_change_action")?.unwrap_or("NONE") {
        "LOWER" => lower(g, kept)?,
        "UPPER" => g.op(&ops::STRING_UPPER, &[kept], Attrs::new())?,
        "NONE" => kept,
        other => return invalid(format!("the case change `{other}`")),
    };
    if rank == 2 {
        g.expand_dims(kept, 0)
    } else {
        Ok(kept)
    }
}

/// The words that aren't stopwords.
fn without(g: &mut Build<'_>, words: Val, stopwords: Vec<String>, is_exact: bool) -> Result<Val> {
    let compared = if is_exact { words } else { lower(g, words)? };
    let mut mask = None;
    for word in stopwords {
        let word = if is_exact { word } else { word.to_lowercase() };
        let word = g.constant(Array::scalar(word));
        let other = g.not_equal(compared, word)?;
        mask = Some(mask.map_or(Ok(other), |mask| g.and(mask, other))?);
    }
    mask.map_or(Ok(words), |mask| g.boolean_mask(words, mask))
}

/// The words, or one empty string if there are none.
fn or_one_empty(g: &mut Build<'_>, words: Val) -> Result<Val> {
    let count = g.size_of(words)?;
    let count = g.index_of(count)?;
    let (zero, one) = (g.int(0), g.int(1));
    let is_empty = g.equal(count, zero)?;
    let more = g.select(is_empty, one, zero)?;
    let more = g.reshape(more, &[1])?;
    let empty = g.constant(Array::scalar(String::new()));
    let more = shape::filled(g, empty, more)?;
    g.concat(&[words, more], 0)
}

/// The most strings that are split, each by nodes of its own.
const MAX_SPLIT: usize = 1 << 10;

/// The pieces of each string along a new last axis, filled up with empty strings, and their numbers.
fn split(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let x = n.tensor(0)?;
    let separator = n.text("delimiter")?.unwrap_or_default().to_owned();
    if n.int("maxsplit")?.is_some() {
        return unsupported("the attribute `maxsplit`");
    }
    let dims = g.dims(x)?;
    let count = terms::len(&dims)?;
    if count > MAX_SPLIT {
        return unsupported(format!("more than {MAX_SPLIT} strings to split"));
    }
    if count == 0 {
        let shape = [&dims[..], &[0]].concat();
        let (pieces, counts) = (
            Array::new(&shape, Vec::<String>::new()),
            Array::new(&dims, Vec::<i64>::new()),
        );
        return Ok(vec![g.constant(pieces).into(), g.constant(counts).into()]);
    }
    let flat = g.reshape(x, &[-1])?;
    let (mut all, mut counts) = (Vec::new(), Vec::new());
    for at in 0..count {
        let at = g.int(at as i64);
        let text = g.index(flat, at)?;
        let attrs = Attrs::new().with("separator", Attr::Text(separator.clone()));
        let pieces = g.op(&ops::STRING_SPLIT, &[text], attrs)?;
        let own = g.size_of(pieces)?;
        counts.push(g.index_of(own)?);
        all.push(pieces);
    }
    let counts = g.stack(&counts, 0)?;
    let most = g.max(counts, &[0], false)?;
    let empty = g.constant(Array::scalar(String::new()));
    for (at, pieces) in all.iter_mut().enumerate() {
        let at = g.int(at as i64);
        let own = g.index(counts, at)?;
        let missing = g.sub(most, own)?;
        let missing = g.reshape(missing, &[1])?;
        let missing = shape::filled(g, empty, missing)?;
        *pieces = g.concat(&[*pieces, missing], 0)?;
    }
    let all = g.stack(&all, 0)?;
    let dims = signed(&dims);
    let mut sizes: Vec<Val> = dims.iter().map(|size| g.int(*size)).collect();
    sizes.push(most);
    Ok(vec![
        g.reshape_sizes(all, &sizes)?.into(),
        g.reshape(counts, &dims)?.into(),
    ])
}
