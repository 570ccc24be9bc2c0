//! Strings.

use graph_ir::ops::{self, Attrs};

use super::super::error::unsupported;
use super::super::table::Import::One;
use super::super::table::Row;
use super::shape;

pub(crate) const ROWS: &[Row] = &[
    (
        "StringConcat",
        One(|n, g| {
            let (a, b) = (n.tensor(0)?, n.tensor(1)?);
            g.add(a, b)
        }),
    ),
    (
        "StringNormalizer",
        One(|n, g| {
            let x = n.tensor(0)?;
            n.text("locale")?;
            let is_exact = n.flag("is_case_sensitive", false)?;
            let stopwords = n.texts("stopwords")?.unwrap_or_default();
            let upper = n.text("case_change_action")?.unwrap_or("NONE").to_owned();
            if g.rank(x)? != 1 {
                return unsupported("strings of another rank than 1");
            }
            let lower = |g: &mut super::super::build::Build<'_>, x| {
                g.op(&ops::STRING_LOWER, &[x], Attrs::new())
            };
            let compared = if is_exact { x } else { lower(g, x)? };
            let mut kept = x;
            let mut mask = None;
            for word in stopwords {
                let word = if is_exact { word } else { word.to_lowercase() };
                let word = g.constant(graph_kernels::Array::scalar(word));
                let other = g.not_equal(compared, word)?;
                mask = Some(mask.map_or(Ok(other), |mask| g.and(mask, other))?);
            }
            if let Some(mask) = mask {
                kept = g.boolean_mask(x, mask)?;
            }
            // Where nothing is left, the result is one empty string.
            let size = g.size_of(kept)?;
            let size = g.index_of(size)?;
            let (zero, one) = (g.int(0), g.int(1));
            let is_empty = g.equal(size, zero)?;
            let (more, empty) = (
                g.select(is_empty, one, zero)?,
                g.constant(graph_kernels::Array::scalar(String::new())),
            );
            let more = g.reshape(more, &[1])?;
            let more = shape::filled(g, empty, more)?;
            let kept = g.concat(&[kept, more], 0)?;
            match upper.as_str() {
                "LOWER" => lower(g, kept),
                "UPPER" => g.op(&ops::STRING_UPPER, &[kept], Attrs::new()),
                "NONE" => Ok(kept),
                other => super::super::error::invalid(format!("the case change `{other}`")),
            }
        }),
    ),
];
