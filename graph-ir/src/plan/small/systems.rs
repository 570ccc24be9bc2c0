//! Small systems of linear equations, as the kernel solves them (`graph-kernels/src/solve.rs`): by LU decomposition with partial pivoting.
//! Which row is the pivot, the values decide, so rows are exchanged by choosing between elements.

use super::elements::number;
use super::split::{Scope, Splitter};
use crate::error::Location;
use crate::graph::{Graph, Node, Op, TensorType, ValueId};
use crate::ops::{self, Attrs, OpDef};

/// The most rows of a system.
const MAX_ROWS: usize = 4;
/// How many nodes of scalars take as long as the kernel, beyond those that any node may become.
const NODES: usize = 128;

impl Splitter {
    /// Writes the solution of a system of equations.
    pub(super) fn system(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        (op, attrs): (&'static OpDef, &Attrs),
        to: &mut Graph,
    ) -> Option<Vec<ValueId>> {
        let [a, b] = node.inputs[..] else {
            return None;
        };
        let (dims_a, dims_b) = (scope.dims(a)?, scope.dims(b)?);
        let ([n, _], [_, columns]) = (&dims_a[..], &dims_b[..]) else {
            return None;
        };
        let (n, columns) = (*n, *columns);
        if n > MAX_ROWS {
            return None;
        }
        self.budget += NODES;
        let ty = scope.scalar(a);
        let types = [a, b].map(|value| scope.graph.ty(value).clone());
        let adjoint = attrs.bool("adjoint").ok()?;
        let element = |i: usize, j: usize| if adjoint { j * n + i } else { i * n + j };
        let a = scope.elements(a)?;
        let rows = (0..n).map(|i| (0..n).map(|j| a[element(i, j)]).collect());
        let mut system = System {
            zero: self.constant(to, number(ty.dtype, 0.0)?, &node.location)?,
            splitter: self,
            to,
            at: &node.location,
            singular: op.failure(&graph_kernels::singular("the matrix"), types.into_iter()),
            ty,
            rows: rows.collect(),
            sides: scope
                .elements(b)?
                .chunks(columns)
                .map(<[_]>::to_vec)
                .collect(),
        };
        for k in 0..n {
            system.pivot(k)?;
            system.eliminate(k)?;
        }
        system.substitute()?;
        Some(system.sides.concat())
    }
}

/// A system while it is solved.
struct System<'a> {
    splitter: &'a mut Splitter,
    to: &'a mut Graph,
    at: &'a Location,
    /// The message if the matrix is singular.
    singular: String,
    /// The type of an element.
    ty: TensorType,
    zero: ValueId,
    /// The matrix.
    rows: Vec<Vec<ValueId>>,
    /// The right sides, which become the solution.
    sides: Vec<Vec<ValueId>>,
}

impl System<'_> {
    fn apply(
        &mut self,
        op: &'static OpDef,
        inputs: Vec<ValueId>,
        ty: TensorType,
    ) -> Option<ValueId> {
        let op = (op, Attrs::new());
        self.splitter.scalar(self.to, op, inputs, ty, self.at)
    }

    fn number(&mut self, op: &'static OpDef, inputs: Vec<ValueId>) -> Option<ValueId> {
        let ty = self.ty.clone();
        self.apply(op, inputs, ty)
    }

    fn truth(&mut self, op: &'static OpDef, inputs: Vec<ValueId>) -> Option<ValueId> {
        self.apply(op, inputs, TensorType::scalar(graph_kernels::DType::Bool))
    }

    /// Exchanges row `k` with the row from `k` on that has the largest value in column `k`, the first of equal ones.
    fn pivot(&mut self, k: usize) -> Option<()> {
        let mut largest = self.number(&ops::ABS, vec![self.rows[k][k]])?;
        // For each row below, whether it is better than all before it.
        let mut better = Vec::new();
        for i in k + 1..self.rows.len() {
            let size = self.number(&ops::ABS, vec![self.rows[i][k]])?;
            let is_better = self.truth(&ops::GREATER, vec![size, largest])?;
            largest = self.number(&ops::SELECT, vec![is_better, size, largest])?;
            better.push((i, is_better));
        }
        let before = (self.rows[k].clone(), self.sides[k].clone());
        // The last row that is better is the pivot.
        let mut found: Option<ValueId> = None;
        for (i, is_better) in better.iter().rev() {
            let is_pivot = match found {
                None => *is_better,
                Some(found) => {
                    let not_found = self.truth(&ops::LOGICAL_NOT, vec![found])?;
                    self.truth(&ops::LOGICAL_AND, vec![*is_better, not_found])?
                }
            };
            found = Some(match found {
                None => *is_better,
                Some(found) => self.truth(&ops::LOGICAL_OR, vec![found, *is_better])?,
            });
            self.exchange(k, *i, is_pivot, &before)?;
        }
        let regular = self.truth(&ops::NOT_EQUAL, vec![self.rows[k][k], self.zero])?;
        let check = Op::Assert(Box::new(self.singular.clone().into()));
        self.splitter
            .add(self.to, check, vec![regular], Vec::new(), self.at)?;
        Some(())
    }

    /// If row `i` is the pivot, puts it in place of row `k`, and the row that was there before in its own place.
    fn exchange(
        &mut self,
        k: usize,
        i: usize,
        is_pivot: ValueId,
        (row, side): &(Vec<ValueId>, Vec<ValueId>),
    ) -> Option<()> {
        for (j, before) in row.iter().enumerate() {
            let own = self.rows[i][j];
            self.rows[k][j] = self.number(&ops::SELECT, vec![is_pivot, own, self.rows[k][j]])?;
            self.rows[i][j] = self.number(&ops::SELECT, vec![is_pivot, *before, own])?;
        }
        for (j, before) in side.iter().enumerate() {
            let own = self.sides[i][j];
            self.sides[k][j] = self.number(&ops::SELECT, vec![is_pivot, own, self.sides[k][j]])?;
            self.sides[i][j] = self.number(&ops::SELECT, vec![is_pivot, *before, own])?;
        }
        Some(())
    }

    /// Subtracts multiples of row `k` from the rows below it; the factors stay in column `k`.
    fn eliminate(&mut self, k: usize) -> Option<()> {
        let n = self.rows.len();
        for i in k + 1..n {
            let factor = self.number(&ops::DIV, vec![self.rows[i][k], self.rows[k][k]])?;
            self.rows[i][k] = factor;
            for j in k + 1..n {
                self.rows[i][j] = self.minus_product(self.rows[i][j], factor, self.rows[k][j])?;
            }
        }
        Some(())
    }

    /// `x - factor * y`, which the kernel rounds twice at each level.
    fn minus_product(&mut self, x: ValueId, factor: ValueId, y: ValueId) -> Option<ValueId> {
        let product = self.number(&ops::MUL, vec![factor, y])?;
        self.number(&ops::SUB, vec![x, product])
    }

    /// Replaces the right sides by the solutions: with the left factor from the first row to the last, then with the right one back.
    fn substitute(&mut self) -> Option<()> {
        let n = self.rows.len();
        for i in 0..n {
            self.subtract(i, 0..i)?;
        }
        for i in (0..n).rev() {
            self.subtract(i, i + 1..n)?;
            for column in 0..self.sides[i].len() {
                let inputs = vec![self.sides[i][column], self.rows[i][i]];
                self.sides[i][column] = self.number(&ops::DIV, inputs)?;
            }
        }
        Some(())
    }

    /// Subtracts from right side `i` the other right sides, each multiplied by its element of row `i`.
    fn subtract(&mut self, i: usize, others: std::ops::Range<usize>) -> Option<()> {
        for j in others {
            for column in 0..self.sides[i].len() {
                let (own, factor) = (self.sides[i][column], self.rows[i][j]);
                self.sides[i][column] = self.minus_product(own, factor, self.sides[j][column])?;
            }
        }
        Some(())
    }
}
