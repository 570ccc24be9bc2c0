//! Axes and sizes as files give them: checked before anything is calculated with them.

use graph_kernels::normalize_axis;

use super::error::{Fault, Result, invalid, unsupported};

/// The axis, counted from the first.
pub(crate) fn axis(axis: i64, rank: usize) -> Result<usize> {
    normalize_axis(axis, rank).map_err(|error| Fault::Invalid(error.to_string()))
}

/// The axes, counted from the first, each once.
pub(crate) fn axes(given: &[i64], rank: usize) -> Result<Vec<usize>> {
    let mut found = Vec::with_capacity(given.len().min(rank));
    for given in given {
        let axis = axis(*given, rank)?;
        if found.contains(&axis) {
            return invalid(format!("axis {given} is given twice"));
        }
        found.push(axis);
    }
    Ok(found)
}

/// The most elements of an array that importers calculate with: far more than fit into memory, and far less than overflows.
const MAX_LEN: usize = 1 << 38;

/// The number of elements of an array of these sizes.
pub(crate) fn len(sizes: &[usize]) -> Result<usize> {
    match graph_kernels::len_of(sizes) {
        // Sizes beside a 0 count, too: importers multiply some of them.
        Some(len) if sizes.iter().all(|n| *n <= MAX_LEN) && len <= MAX_LEN => Ok(len),
        _ => unsupported(format!("a tensor of shape {sizes:?}")),
    }
}

/// Sizes as ops take them.
pub(crate) fn signed(sizes: &[usize]) -> Vec<i64> {
    sizes
        .iter()
        .map(|n| i64::try_from(*n).unwrap_or(i64::MAX))
        .collect()
}
