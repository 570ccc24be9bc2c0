//! The source that most datasets begin with: the rows of tensors in memory. An element refers to its rows and copies nothing.

use std::fmt;
use std::sync::Arc;

use graph_kernels::Array;

use super::{Column, Cursor, Element, Iterable, Operands};
use crate::error::{Error, Location};
use crate::types::{Dim, Shape, TensorType};

/// The rows of this many tensors.
pub struct Slices(pub usize);

/// The number of rows that all tensors have, if it is known.
fn rows(operands: &[TensorType]) -> Result<Dim, String> {
    let mut known: Dim = None;
    for ty in operands {
        match (ty.shape.dims(), known) {
            (Some([]), _) => {
                return Err("a scalar has no rows to be the elements of a dataset".to_owned());
            }
            (Some([Some(rows), ..]), Some(others)) if *rows != others => {
                return Err(format!(
                    "the elements of a dataset are rows of tensors that have as many, not {others} and {rows}"
                ));
            }
            (Some([Some(rows), ..]), _) => known = Some(*rows),
            _ => {}
        }
    }
    Ok(known)
}

impl Iterable for Slices {
    fn operands(&self) -> usize {
        self.0
    }

    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        rows(operands)?;
        let row = |ty: &TensorType| {
            let row = ty.shape.dims().map(|dims| Shape::of(dims[1..].to_vec()));
            TensorType::new(ty.dtype, row.unwrap_or_else(Shape::unknown))
        };
        Ok(operands.iter().map(row).collect())
    }

    fn begin(&self, operands: &[Arc<Array>], _: u64) -> Result<Box<dyn Cursor>, Error> {
        let types: Vec<TensorType> = operands.iter().map(|x| TensorType::of_array(x)).collect();
        let rows = rows(&types).map_err(|message| Error::run(message, Location::unknown()))?;
        Ok(Box::new(RowCursor {
            arrays: operands.iter().cloned().collect(),
            next: 0,
            rows: rows.unwrap_or(0),
        }))
    }

    fn is_seed(&self, _: usize) -> bool {
        false
    }
    fn is_pure(&self) -> bool {
        true
    }

    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        rows(operands).ok().flatten()
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slices({})", self.0)
    }
}

struct RowCursor {
    arrays: Operands,
    next: usize,
    rows: usize,
}

impl Cursor for RowCursor {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        if self.next == self.rows {
            return Ok(None);
        }
        let element = self.row(self.next);
        self.next += 1;
        Ok(Some(element))
    }

    fn skip(&mut self, count: usize) -> Result<bool, Error> {
        let left = self.rows - self.next;
        self.next += count.min(left);
        Ok(count <= left)
    }

    fn at_hand(&self) -> Option<usize> {
        Some(self.rows - self.next)
    }

    fn peek(&self, behind: usize) -> Option<Element> {
        Some(self.row(self.next + behind))
    }
}

impl RowCursor {
    fn row(&self, row: usize) -> Element {
        let column = |array: &Arc<Array>| Column {
            array: array.clone(),
            row: Some(row),
        };
        self.arrays.iter().map(column).collect()
    }
}
