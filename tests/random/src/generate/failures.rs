//! What may fail when a program runs: at most one place of a program, an effect or an op.

use graph_runtime::DType;
use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::{Attr, Attrs};

use super::operands::number;
use super::{Writer, types};
use crate::program::{Expr, Fails, Statement, Write};

impl Writer {
    /// A statement that may fail, if the program lacks one and the scope has what it needs.
    pub(super) fn failing(&mut self) -> Option<Statement> {
        let statement = match self.lacks? {
            Fails::Effect if self.random.once_in(2) => self.failing_write(),
            Fails::Effect => self.assertion(),
            Fails::Op => self.failing_op(),
        }?;
        self.lacks = None;
        Some(statement)
    }

    fn assertion(&mut self) -> Option<Statement> {
        let shown = self.small()?;
        Some(Statement::Assert(self.condition(), shown))
    }

    /// A change of a row that a variable doesn't have.
    fn failing_write(&mut self) -> Option<Statement> {
        let has_rows = |ty: &TensorType| ty.shape.rank().is_some_and(|rank| rank > 0);
        let (Expr::Read(name), ty) = self.read(has_rows)? else {
            return None;
        };
        let sizes = types::sizes(&ty);
        let position = self.at_least(sizes[0])?;
        let row = self.of_type(&TensorType::new(ty.dtype, Shape::known(&sizes[1..])));
        let may_write = self.may_act;
        may_write.then(|| Statement::Write(Write::Row, name, vec![position, row]))
    }

    /// A new name for the result of an op that fails.
    fn failing_op(&mut self) -> Option<Statement> {
        let op = match self.random.below(6) {
            0 => self.outside("index", []),
            1 => self.outside("gather", [("axis", Attr::Int(0))]),
            2 => self.new_row_outside(),
            3 => self.divided("div"),
            4 => self.divided("floor_mod"),
            _ => self.not_finite(),
        }?;
        let ty = self.known_type(&op)?;
        let instead = [self.array(&ty), self.array(&ty)].map(Into::into);
        let failing = Expr::Failing(Box::new(op), instead);
        Some(Statement::Let(self.declare(ty), failing))
    }

    /// A number that is too large for a position below `n`, computed from one in scope.
    fn at_least(&mut self, n: usize) -> Option<Expr> {
        let scalar = TensorType::scalar(DType::I32);
        let (x, _) = self.pick_name(&|ty: &TensorType| *ty == scalar)?;
        let small = Expr::apply("floor_mod", vec![x, number(DType::I32, 4.0)]);
        Some(Expr::apply(
            "add",
            vec![small, number(DType::I32, n as f64)],
        ))
    }

    /// A value with at least one axis, and a position outside of its first one.
    fn with_position_outside(&mut self) -> Option<(Expr, TensorType, Expr)> {
        let (x, ty) = self.of_rank(super::ops::ALL, 1);
        let at = self.at_least(types::sizes(&ty)[0])?;
        Some((x, ty, at))
    }

    fn outside<const N: usize>(
        &mut self,
        op: &str,
        attrs: [(&'static str, Attr); N],
    ) -> Option<Expr> {
        let (x, _, at) = self.with_position_outside()?;
        let attrs = attrs
            .into_iter()
            .fold(Attrs::new(), |attrs, (name, value)| attrs.with(name, value));
        Some(Expr::with(op, attrs, vec![x, at]))
    }

    fn new_row_outside(&mut self) -> Option<Expr> {
        let (x, ty, at) = self.with_position_outside()?;
        let row = TensorType::new(ty.dtype, Shape::known(&types::sizes(&ty)[1..]));
        let row = self.of_type(&row);
        Some(Expr::apply("set_row", vec![x, at, row]))
    }

    /// Integers that are divided by zero.
    fn divided(&mut self, op: &str) -> Option<Expr> {
        let (x, _) = self.pick(|ty| ty.dtype == DType::I32 && ty.shape.size() != Some(0))?;
        let zero = self.at_least(0)?;
        let zero = Expr::apply("floor_div", vec![zero, number(DType::I32, 4.0)]);
        Some(Expr::apply(op, vec![x, zero]))
    }

    /// A check of floats that aren't finite.
    fn not_finite(&mut self) -> Option<Expr> {
        let fits = |ty: &TensorType| ty.dtype.is_float() && ty.shape.size() != Some(0);
        let (x, _) = self.pick_name(&fits)?;
        let zero = Expr::apply("sub", vec![x.clone(), x.clone()]);
        let quotient = Expr::apply("div", vec![x, zero]);
        let attrs = Attrs::new().with("message", Attr::Text("a quotient".to_owned()));
        Some(Expr::with("check_numerics", attrs, vec![quotient]))
    }
}
