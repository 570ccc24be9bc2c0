//! Products of matrices.

use graph_ir::ops::{self, Attr, Attrs};

use super::super::build::{Build, Val};
use super::super::error::{Result, unsupported};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;

pub(crate) const ROWS: &[Row] = &[
    (
        "MatMul",
        One(|n, g| {
            let (a, b) = (n.tensor(0)?, n.tensor(1)?);
            matmul(g, a, b)
        }),
    ),
    ("Gemm", One(gemm)),
    (
        "Einsum",
        One(|n, g| {
            let equation = n.required("equation", n.text("equation")?)?.to_owned();
            let operands = n.tensors()?;
            g.einsum(&equation.replace(' ', ""), &operands)
        }),
    ),
    ("Det", One(det)),
];

/// As NumPy's: a vector on the left is a row, on the right a column, and the new axis is dropped.
pub(crate) fn matmul(g: &mut Build<'_>, a: Val, b: Val) -> Result<Val> {
    let (left, right) = (g.rank(a)? == 1, g.rank(b)? == 1);
    let a = if left { g.expand_dims(a, 0)? } else { a };
    let b = if right { g.expand_dims(b, -1)? } else { b };
    let product = g.matmul(a, b, false)?;
    let product = if right {
        g.squeeze(product, &[-1])?
    } else {
        product
    };
    match (left, right) {
        (true, true) => g.squeeze(product, &[-1]),
        (true, false) => g.squeeze(product, &[-2]),
        (false, _) => Ok(product),
    }
}

fn gemm(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (a, b) = (n.tensor(0)?, n.tensor(1)?);
    let (alpha, beta) = (
        n.float("alpha")?.unwrap_or(1.0),
        n.float("beta")?.unwrap_or(1.0),
    );
    let attrs = Attrs::new()
        .with("transpose_a", Attr::Bool(n.flag("transA", false)?))
        .with("transpose_b", Attr::Bool(n.flag("transB", false)?));
    if n.version < 7 {
        n.flag("broadcast", false)?;
    }
    let product = g.op(&ops::MATMUL, &[a, b], attrs)?;
    let product = if alpha == 1.0 {
        product
    } else {
        g.scale(product, alpha)?
    };
    match n.optional(2)? {
        None => Ok(product),
        Some(c) => {
            let c = if beta == 1.0 { c } else { g.scale(c, beta)? };
            g.add(product, c)
        }
    }
}

/// By expansion along the first row: right for small matrices.
fn det(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    /// The largest matrix: an expansion has n! products.
    const MAX: usize = 5;
    let x = n.tensor(0)?;
    let dims = g.dims(x)?;
    match dims[..] {
        [.., rows, columns] if rows == columns && (1..=MAX).contains(&rows) => {
            let all: Vec<usize> = (0..rows).collect();
            minor(g, x, &all, 0)
        }
        _ => unsupported(format!(
            "matrices of shape {dims:?} (square ones of up to {MAX} rows are)"
        )),
    }
}

/// The determinant of the rows from `row` on, and these columns.
fn minor(g: &mut Build<'_>, x: Val, columns: &[usize], row: usize) -> Result<Val> {
    let mut sum: Option<Val> = None;
    for (n, column) in columns.iter().enumerate() {
        let (row_at, column_at) = (g.int(row as i64), g.int(*column as i64));
        let element = g.index_axis(x, row_at, -2)?;
        let element = g.index_axis(element, column_at, -1)?;
        let rest: Vec<usize> = columns
            .iter()
            .copied()
            .filter(|other| other != column)
            .collect();
        let term = if rest.is_empty() {
            element
        } else {
            let rest = minor(g, x, &rest, row + 1)?;
            g.mul(element, rest)?
        };
        sum = Some(match sum {
            None => term,
            Some(sum) if n % 2 == 0 => g.add(sum, term)?,
            Some(sum) => g.sub(sum, term)?,
        });
    }
    sum.map_or_else(|| unsupported("a matrix without columns"), Ok)
}
