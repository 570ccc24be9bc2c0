//! Attention, and the rotary embedding of its operands.

use graph_kernels::DType;

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid};
use super::super::node::Node;
use super::super::repeat::{Iteration, repeat};
use super::super::table::Import::{Many, One};
use super::super::table::Row;
use super::super::value::Value;

pub(crate) const ROWS: &[Row] = &[
    ("Attention", Many(attention)),
    ("LinearAttention", Many(linear_attention)),
    ("RotaryEmbedding", One(rotary)),
];

/// The rows of ONNX's preview domain.
pub(crate) const PREVIEW_ROWS: &[Row] = &[("FlexAttention", One(flex_attention))];

/// A positive attribute.
fn heads(n: &Node<'_>, name: &str) -> Result<Option<usize>> {
    match n.int(name)? {
        None => Ok(None),
        Some(count) if (1..1 << 31).contains(&count) => Ok(Some(count as usize)),
        Some(count) => invalid(format!("the attribute `{name}` is {count}")),
    }
}

/// [batch, length, heads * size] as [batch, heads, length, size].
fn split_heads(g: &mut Build<'_>, x: Val, heads: usize) -> Result<Val> {
    if g.rank(x)? != 3 {
        return invalid(format!("an operand of shape {}", g.shape(x)));
    }
    let Some(width) = g.shape(x).get(2) else {
        return Err(Fault::NeedsShape("the width of an operand".to_owned()));
    };
    if !width.is_multiple_of(heads) {
        return invalid(format!("{width} columns for {heads} heads"));
    }
    let (batch, len) = (g.size_at(x, 0)?, g.size_at(x, 1)?);
    let (heads, size) = (g.int(heads as i64), g.int((width / heads) as i64));
    let x = g.reshape_sizes(x, &[batch, len, heads, size])?;
    g.transpose(x, &[0, 2, 1, 3])
}

/// [batch, heads, length, size] as [batch, length, heads * size].
fn join_heads(g: &mut Build<'_>, x: Val) -> Result<Val> {
    let x = g.transpose(x, &[0, 2, 1, 3])?;
    let (batch, len) = (g.size_at(x, 0)?, g.size_at(x, 1)?);
    let (heads, size) = (g.shape(x).get(2), g.shape(x).get(3));
    let width = heads
        .zip(size)
        .map(|(heads, size)| heads.saturating_mul(size));
    let Some(width) = width else {
        return Err(Fault::NeedsShape("the number of heads".to_owned()));
    };
    let width = g.int(width as i64);
    g.reshape_sizes(x, &[batch, len, width])
}

/// Keys or values for each head of the queries.
fn for_queries(g: &mut Build<'_>, x: Val, queries: usize) -> Result<Val> {
    match g.shape(x).get(1) {
        Some(own) if own > 0 && queries.is_multiple_of(own) => g.repeat_slices(x, 1, queries / own),
        Some(own) => invalid(format!("{queries} heads of queries and {own} of keys")),
        None => Err(Fault::NeedsShape("the number of heads".to_owned())),
    }
}

/// The products of queries and keys, scaled.
fn scores(n: &Node<'_>, g: &mut Build<'_>, q: Val, k: Val) -> Result<Val> {
    let size = g.shape(q).get(3);
    let default = size.map(|size| 1.0 / (size as f64).sqrt());
    let Some(scale) = n.float("scale")?.or(default) else {
        return Err(Fault::NeedsShape("the size of a head".to_owned()));
    };
    let (q, k) = (g.scale(q, scale.sqrt())?, g.scale(k, scale.sqrt())?);
    g.matmul(q, k, true)
}

fn attention(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let (mut q, mut k, mut v) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?);
    let (mask, past_key, past_value, lengths) = (
        n.optional(3)?,
        n.optional(4)?,
        n.optional(5)?,
        n.optional(6)?,
    );
    let is_flat = g.rank(q)? == 3;
    let (q_heads, kv_heads) = (heads(n, "q_num_heads")?, heads(n, "kv_num_heads")?);
    if is_flat {
        let q_heads = n.required("q_num_heads", q_heads)?;
        let kv_heads = n.required("kv_num_heads", kv_heads)?;
        q = split_heads(g, q, q_heads)?;
        (k, v) = (split_heads(g, k, kv_heads)?, split_heads(g, v, kv_heads)?);
    }
    if past_key.is_some() != past_value.is_some() || (past_key.is_some() && lengths.is_some()) {
        return invalid("past keys and values come together, and without lengths");
    }
    let past_len = past_key.map(|past| g.size_at(past, 2)).transpose()?;
    if let (Some(past_key), Some(past_value)) = (past_key, past_value) {
        (k, v) = (g.concat(&[past_key, k], 2)?, g.concat(&[past_value, v], 2)?);
    }
    let (present_key, present_value) = (k, v);
    let Some(queries) = g.shape(q).get(1) else {
        return Err(Fault::NeedsShape("the number of heads".to_owned()));
    };
    let bias = Bias {
        mask,
        lengths,
        past_len,
    }
    .of(n, g, q, k)?;
    (k, v) = (for_queries(g, k, queries)?, for_queries(g, v, queries)?);
    let products = scores(n, g, q, k)?;
    let mut scores = products;
    if let Some(cap) = n.float("softcap")?.filter(|cap| *cap > 0.0) {
        let small = g.scale(scores, 1.0 / cap)?;
        let small = g.tanh(small)?;
        scores = g.scale(small, cap)?;
    }
    let biased = bias.map_or(Ok(scores), |bias| g.add(scores, bias))?;
    let precision = n.dtype("softmax_precision")?.unwrap_or(g.dtype(biased));
    let wide = g.cast(biased, precision)?;
    let mut weights = g.softmax(wide, -1)?;
    if let Some(bias) = bias {
        weights = without_masked_rows(g, weights, bias)?;
    }
    let weights = g.cast(weights, g.dtype(q))?;
    let shown = match n.int("qk_matmul_output_mode")?.unwrap_or(0) {
        0 => products,
        1 => scores,
        2 => biased,
        3 => weights,
        other => return invalid(format!("the attribute `qk_matmul_output_mode` is {other}")),
    };
    let y = g.matmul(weights, v, false)?;
    let y = if is_flat { join_heads(g, y)? } else { y };
    Ok([y, present_key, present_value, shown]
        .map(Value::Tensor)
        .to_vec())
}

/// 0 in the rows of which every key is masked: a softmax has no value there.
fn without_masked_rows(g: &mut Build<'_>, weights: Val, bias: Val) -> Result<Val> {
    let most = g.max(bias, &[-1], true)?;
    let none = g.like(f64::NEG_INFINITY, most)?;
    let masked = g.equal(most, none)?;
    let zero = g.like(0.0, weights)?;
    g.select(masked, zero, weights)
}

/// What is added to scores, so that queries don't attend some keys.
struct Bias {
    mask: Option<Val>,
    /// The number of keys of each sample that aren't padding.
    lengths: Option<Val>,
    /// The number of keys before those of this call.
    past_len: Option<Val>,
}

impl Bias {
    fn of(&self, n: &Node<'_>, g: &mut Build<'_>, q: Val, k: Val) -> Result<Option<Val>> {
        let mut bias = match self.mask {
            Some(mask) => Some(additive(g, mask, q, k)?),
            None => None,
        };
        let window = |size: Option<i64>| size.filter(|size| *size >= 0);
        let (left, right) = (
            window(n.int("left_window_size")?),
            window(n.int("right_window_size")?),
        );
        let is_causal = n.flag("is_causal", false)?;
        let mut add = |g: &mut Build<'_>, allowed: Val| -> Result<()> {
            let (zero, none) = (g.like(0.0, q)?, g.like(f64::NEG_INFINITY, q)?);
            let more = g.select(allowed, zero, none)?;
            bias = Some(bias.map_or(Ok(more), |bias| g.add(bias, more))?);
            Ok(())
        };
        if is_causal || left.is_some() || right.is_some() {
            let ahead = self.ahead(g, q, k)?;
            if is_causal {
                let zero = g.int(0);
                let allowed = g.greater_equal(ahead, zero)?;
                add(g, allowed)?;
            }
            if let Some(left) = left {
                let left = g.int(left);
                let allowed = g.less_equal(ahead, left)?;
                add(g, allowed)?;
            }
            if let Some(right) = right {
                let right = g.int(right.saturating_neg());
                let allowed = g.greater_equal(ahead, right)?;
                add(g, allowed)?;
            }
        }
        if let Some(lengths) = self.lengths {
            let size = g.size_at(k, 2)?;
            let keys = g.count_to(size)?;
            let lengths = g.index_of(lengths)?;
            let lengths = g.reshape(lengths, &[-1, 1, 1, 1])?;
            let allowed = g.less(keys, lengths)?;
            add(g, allowed)?;
        }
        Ok(bias)
    }

    /// How far each query is ahead of each key: [.., queries, keys].
    fn ahead(&self, g: &mut Build<'_>, q: Val, k: Val) -> Result<Val> {
        let (queries, keys) = (g.size_at(q, 2)?, g.size_at(k, 2)?);
        let (rows, columns) = (g.count_to(queries)?, g.count_to(keys)?);
        let rows = g.expand_dims(rows, 1)?;
        let rows = match (self.past_len, self.lengths) {
            (Some(past), _) => g.add(rows, past)?,
            (None, Some(lengths)) => {
                let lengths = g.index_of(lengths)?;
                let lengths = g.reshape(lengths, &[-1, 1, 1, 1])?;
                let offset = g.sub(lengths, queries)?;
                g.add(rows, offset)?
            }
            (None, None) => rows,
        };
        g.sub(rows, columns)
    }
}

/// A mask as what is added to scores; keys behind its end are masked.
fn additive(g: &mut Build<'_>, mask: Val, q: Val, k: Val) -> Result<Val> {
    let (zero, none) = (g.like(0.0, q)?, g.like(f64::NEG_INFINITY, q)?);
    let mask = if g.dtype(mask) == DType::Bool {
        g.select(mask, zero, none)?
    } else {
        g.cast(mask, g.dtype(q))?
    };
    let last = g.rank(mask)?.saturating_sub(1);
    let missing = match (g.shape(k).get(2), g.shape(mask).get(last)) {
        (Some(keys), Some(own)) if own != 1 || keys == 1 => keys.saturating_sub(own),
        _ => 0,
    };
    let mut after = vec![0; last + 1];
    after[last] = missing as i64;
    g.pad(mask, &vec![0; last + 1], &after, none)
}

fn flex_attention(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (q, k, v) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?);
    let [_, queries, ..] = g.dims(q)?[..] else {
        return invalid("it takes operands of rank 4");
    };
    let (k, v) = (for_queries(g, k, queries)?, for_queries(g, v, queries)?);
    let scores = scores(n, g, q, k)?;
    let default = if g.dtype(q) == DType::F64 {
        DType::F64
    } else {
        DType::F32
    };
    let precision = n.dtype("softmax_precision")?.unwrap_or(default);
    let modified = |g: &mut Build<'_>, x: Val, name: &str| match n.graph(name)? {
        None => Ok(x),
        Some(graph) => match &g.subgraph(graph, &[Value::Tensor(x)])?[..] {
            [y] => {
                let y = y.tensor()?;
                g.cast(y, precision)
            }
            _ => invalid(format!("the attribute `{name}` gives more than one value")),
        },
    };
    let scores = g.cast(scores, precision)?;
    let scores = modified(g, scores, "score_mod")?;
    let weights = g.softmax(scores, -1)?;
    let weights = modified(g, weights, "prob_mod")?;
    let wide = g.cast(v, precision)?;
    let y = g.matmul(weights, wide, false)?;
    g.cast(y, g.dtype(v))
}

/// A recurrence over a state [batch, heads, keys, values], which each position decays and writes, and each query reads.
fn linear_attention(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let (query, key, value) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?);
    let (past, decay, beta) = (n.optional(3)?, n.optional(4)?, n.optional(5)?);
    n.int("chunk_size")?;
    let q_heads = n.required("q_num_heads", heads(n, "q_num_heads")?)?;
    let kv_heads = n.required("kv_num_heads", heads(n, "kv_num_heads")?)?;
    let rule = n.text("update_rule")?.unwrap_or("gated_delta").to_owned();
    let (decays, corrects) = match rule.as_str() {
        "linear" => (false, false),
        "gated" => (true, false),
        "delta" => (false, true),
        "gated_delta" => (true, true),
        other => return invalid(format!("the rule `{other}`")),
    };
    if decay.is_some() != decays || beta.is_some() != corrects {
        return invalid(format!("the rule `{rule}` with other operands"));
    }
    let wide = |g: &mut Build<'_>, x: Val, heads: usize| {
        let x = g.cast(x, DType::F32)?;
        split_heads(g, x, heads)
    };
    let (q, k, v) = (
        wide(g, query, q_heads)?,
        wide(g, key, kv_heads)?,
        wide(g, value, kv_heads)?,
    );
    let decay = decay.map(|decay| wide(g, decay, kv_heads)).transpose()?;
    let beta_heads = beta
        .and_then(|beta| g.shape(beta).get(2))
        .unwrap_or(1)
        .max(1);
    let beta = beta.map(|beta| wide(g, beta, beta_heads)).transpose()?;
    let (&[batch, _, len, keys], Some(values)) = (g.dims(q)?.as_slice(), g.shape(v).get(3)) else {
        return invalid("it takes operands of rank 3");
    };
    let state_dtype = g.dtype(past.unwrap_or(query));
    let first = match past {
        Some(past) => g.cast(past, DType::F32)?,
        None => {
            let zero = g.number(0.0, DType::F32)?;
            g.fill(zero, &[batch, kv_heads, keys, values])?
        }
    };
    let scale = n.float("scale")?.filter(|scale| *scale != 0.0);
    let scale = scale.unwrap_or(1.0 / (keys as f64).sqrt());
    let count = g.int(len as i64);
    let done = repeat(g, Some(count), None, &[first], |g, state| {
        let at = |g: &mut Build<'_>, x: Val| g.index_axis(x, state.number, 2);
        let (q, k, mut v) = (at(g, q)?, at(g, k)?, at(g, v)?);
        let mut memory = state.carried[0];
        if let Some(decay) = decay {
            let decay = at(g, decay)?;
            let factor = g.exp(decay)?;
            let factor = g.expand_dims(factor, -1)?;
            memory = g.mul(memory, factor)?;
        }
        if let Some(beta) = beta {
            let found = g.einsum("bhdm,bhd->bhm", &[memory, k])?;
            let rest = g.sub(v, found)?;
            let beta = at(g, beta)?;
            v = g.mul(beta, rest)?;
        }
        let (column, row) = (g.expand_dims(k, -1)?, g.expand_dims(v, -2)?);
        let written = g.mul(column, row)?;
        memory = g.add(memory, written)?;
        let read = for_queries(g, memory, q_heads)?;
        let out = g.einsum("bhd,bhdm->bhm", &[q, read])?;
        Ok(Iteration {
            cond: None,
            carried: vec![memory],
            rows: vec![g.scale(out, scale)?],
        })
    })?;
    let y = g.transpose(done.rows[0], &[1, 0, 2, 3])?;
    let y = g.reshape(
        y,
        &[
            batch as i64,
            len as i64,
            q_heads.saturating_mul(values) as i64,
        ],
    )?;
    let y = g.cast(y, g.dtype(query))?;
    let last = g.cast(done.carried[0], state_dtype)?;
    Ok(vec![y.into(), last.into()])
}

/// Turns pairs of values by an angle that grows with the position.
fn rotary(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, cos, sin, positions) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?, n.optional(3)?);
    // For an operand of rank 4, the number may be 0.
    let given = n
        .int("num_heads")?
        .and_then(|count| usize::try_from(count).ok());
    let heads = given.filter(|count| *count > 0);
    let is_flat = g.rank(x)? == 3;
    let x = if is_flat {
        split_heads(g, x, n.required("num_heads", heads)?)?
    } else {
        x
    };
    let Some(size) = g.shape(x).get(3) else {
        return Err(Fault::NeedsShape("the size of a head".to_owned()));
    };
    let turned = match n.int("rotary_embedding_dim")?.unwrap_or(0) {
        0 => size,
        turned => usize::try_from(turned)
            .ok()
            .filter(|turned| *turned <= size)
            .unwrap_or(size),
    };
    let interleaved = n.flag("interleaved", false)?;
    let angle = |g: &mut Build<'_>, table: Val| -> Result<Val> {
        let rows = match positions {
            Some(positions) => {
                let positions = g.index_of(positions)?;
                g.gather(table, positions, 0)?
            }
            None => table,
        };
        g.expand_dims(rows, 1)
    };
    let (cos, sin) = (angle(g, cos)?, angle(g, sin)?);
    let (part, rest) = (g.part(x, 3, 0, turned)?, g.part(x, 3, turned, size)?);
    let (a, b) = if interleaved {
        (
            g.slice(part, 3, Some(0), None, 2)?,
            g.slice(part, 3, Some(1), None, 2)?,
        )
    } else {
        (
            g.part(part, 3, 0, turned / 2)?,
            g.part(part, 3, turned / 2, turned)?,
        )
    };
    let (ac, bs, as_, bc) = (
        g.mul(a, cos)?,
        g.mul(b, sin)?,
        g.mul(a, sin)?,
        g.mul(b, cos)?,
    );
    let (first, second) = (g.sub(ac, bs)?, g.add(as_, bc)?);
    let both = if interleaved {
        let pairs = g.stack(&[first, second], -1)?;
        let mut sizes = Vec::new();
        for axis in 0..3 {
            sizes.push(g.size_at(x, axis)?);
        }
        sizes.push(g.int(turned as i64));
        g.reshape_sizes(pairs, &sizes)?
    } else {
        g.concat(&[first, second], 3)?
    };
    let y = if turned < size {
        g.concat(&[both, rest], 3)?
    } else {
        both
    };
    if is_flat { join_heads(g, y) } else { Ok(y) }
}
