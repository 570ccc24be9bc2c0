//! Operands of ops: names in scope, constants, and expressions that keep values in the domain of a function.

use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::{Attr, Attrs, OpDef};
use graph_runtime::{Array, DType};

use super::{Writer, types};
use crate::program::{Custom, Expr};
use crate::value::array_of;

/// The interval in which a function of floats is defined, or doesn't grow too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Everywhere.
    Any,
    /// Above 0.
    Positive,
    /// Between -1 and 1.
    Unit,
    /// Above 1.
    AboveOne,
}

/// An expression with its type.
pub type Typed = (Expr, TensorType);

/// A scalar constant of a dtype.
pub fn number(dtype: DType, value: f64) -> Expr {
    Expr::constant(array_of(dtype, &[], &[value]))
}

/// A vector of integers.
pub fn integers(values: &[i32]) -> Expr {
    Expr::constant(Array::new(&[values.len()], values.to_vec()))
}

/// An attribute that is a list of integers.
pub fn ints(values: impl IntoIterator<Item = i64>) -> Attr {
    Attr::Ints(values.into_iter().collect())
}

impl Writer {
    /// A random name whose type satisfies `holds`, or the value of such a variable.
    pub(super) fn pick(&mut self, holds: impl Fn(&TensorType) -> bool) -> Option<Typed> {
        let read = self.random.once_in(4);
        let read = read.then(|| self.read(&holds)).flatten();
        read.or_else(|| self.pick_name(&holds))
    }

    /// A random name whose type satisfies `holds`. Later names are more likely.
    pub(super) fn pick_name(&mut self, holds: &impl Fn(&TensorType) -> bool) -> Option<Typed> {
        let fitting: Vec<usize> = (0..self.scope.len())
            .filter(|i| holds(&self.scope[*i].ty))
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let [a, b] = [0; 2].map(|_| self.random.below(fitting.len()));
        let local = &self.scope[fitting[a.max(b)]];
        Some((Expr::Name(local.name), local.ty.clone()))
    }

    /// A name or a new constant of one of these dtypes.
    pub(super) fn of_dtype(&mut self, dtypes: &[DType]) -> Typed {
        if !self.random.once_in(8)
            && let Some(picked) = self.pick(|ty| dtypes.contains(&ty.dtype))
        {
            return picked;
        }
        let ty = TensorType::new(self.random.one_of(dtypes), self.shape());
        self.constant(ty)
    }

    /// A value of one of these dtypes with at least `rank` axes.
    pub(super) fn of_rank(&mut self, dtypes: &[DType], rank: usize) -> Typed {
        let fits = |ty: &TensorType| {
            dtypes.contains(&ty.dtype) && ty.shape.rank().is_some_and(|r| r >= rank)
        };
        if let Some(picked) = self.pick(fits) {
            return picked;
        }
        let [n, m] = self.sizes;
        let shape = Shape::known(&[m, n, 2][..rank.max(1)]);
        let dtype = self.random.one_of(dtypes);
        self.constant(TensorType::new(dtype, shape))
    }

    /// A value of exactly this type.
    pub(super) fn of_type(&mut self, ty: &TensorType) -> Expr {
        match self.pick(|other| other == ty) {
            Some((expr, _)) if !self.random.once_in(5) => expr,
            _ => self.constant(ty.clone()).0,
        }
    }

    /// A value of the same dtype whose shape broadcasts to that of the type.
    pub(super) fn beside(&mut self, ty: &TensorType) -> Expr {
        let dims = types::sizes(ty);
        let fits = |other: &TensorType| {
            other.dtype == ty.dtype && broadcasts_to(&types::sizes(other), &dims)
        };
        if !self.random.once_in(6)
            && let Some((expr, _)) = self.pick(fits)
        {
            return expr;
        }
        let keep = self.random.below(dims.len() + 1);
        let ty = TensorType::new(ty.dtype, Shape::known(&dims[keep..]));
        self.constant(ty).0
    }

    /// A new constant.
    pub(super) fn constant(&mut self, ty: TensorType) -> Typed {
        let array = self.array(&ty);
        (Expr::constant(array), ty)
    }

    /// Moves a float into a domain. If the program needn't be smooth, it is sometimes left outside.
    pub(super) fn within(&mut self, domain: Domain, x: Expr, dtype: DType) -> Expr {
        if domain == Domain::Any || (!self.smooth && self.random.once_in(3)) {
            return x;
        }
        let positive = |x: Expr| {
            let square = Expr::apply("square", vec![Expr::apply("tanh", vec![x])]);
            Expr::apply("add", vec![square, number(dtype, 0.5)])
        };
        match domain {
            Domain::Any => x,
            Domain::Positive => positive(x),
            Domain::AboveOne => Expr::apply("add", vec![positive(x), number(dtype, 0.75)]),
            Domain::Unit => {
                let tanh = Expr::apply("tanh", vec![x]);
                Expr::apply("mul", vec![tanh, number(dtype, 0.875)])
            }
        }
    }

    /// Integers of a shape that are positions from 0 to below `n`.
    pub(super) fn positions(&mut self, n: usize, dtype: DType, shape: &[usize]) -> Expr {
        debug_assert!(n > 0, "there is a position");
        let ty = TensorType::new(dtype, Shape::known(shape));
        if self.random.once_in(2)
            && let Some((expr, _)) = self.pick(|other| *other == ty)
        {
            return Expr::apply("floor_mod", vec![expr, number(dtype, n as f64)]);
        }
        let count = shape.iter().product();
        let numbers: Vec<f64> = (0..count).map(|_| self.random.below(n) as f64).collect();
        Expr::constant(array_of(dtype, shape, &numbers))
    }

    /// An integer scalar that is a position below `n`.
    pub(super) fn position(&mut self, n: usize) -> Expr {
        self.positions(n, DType::I32, &[])
    }

    /// A scalar truth value.
    pub(super) fn condition(&mut self) -> Expr {
        if self.random.once_in(3)
            && let Some((expr, _)) = self.pick(|ty| *ty == TensorType::scalar(DType::Bool))
        {
            return expr;
        }
        let dtypes: &[DType] = match self.random.below(3) {
            0 => &[DType::F64, DType::F32],
            _ => &[DType::I32, DType::I64],
        };
        let (x, ty) = self.of_dtype(dtypes);
        let compare = self
            .random
            .one_of(&["less", "greater_equal", "greater", "not_equal"]);
        let x = self.reduced("reduce_sum", x, &ty);
        let limit = self.number(ty.dtype);
        Expr::apply(compare, vec![x, number(ty.dtype, limit)])
    }

    /// Reduces a value, which may have axes, to a scalar.
    pub(super) fn reduced(&mut self, op: &str, x: Expr, ty: &TensorType) -> Expr {
        match ty.shape.rank() {
            Some(0) => x,
            _ => Expr::with(op, all_axes(), vec![x]),
        }
    }

    /// A small count.
    pub(super) fn count(&mut self) -> Expr {
        let scalar = TensorType::scalar(DType::I32);
        match self.pick(|ty| *ty == scalar) {
            Some((expr, _)) if self.random.once_in(2) => {
                Expr::apply("floor_mod", vec![expr, number(DType::I32, 4.0)])
            }
            _ => number(DType::I32, self.random.below(4) as f64),
        }
    }

    /// A function with a custom gradient.
    pub(super) fn custom(&mut self) -> Expr {
        let (x, _) = self.of_dtype(&[DType::F64, DType::F32]);
        let custom = self
            .random
            .one_of(&[Custom::Square, Custom::Sine, Custom::Tanh]);
        Expr::Custom(custom, Box::new(x))
    }
}

/// Applies an op to operands, with its attributes in the order of the op table.
pub fn applied<const N: usize>(
    op: &'static OpDef,
    attrs: [Attr; N],
    operands: impl Into<Vec<Expr>>,
) -> Option<Expr> {
    debug_assert_eq!(op.attrs.len(), N, "attributes of {}", op.name);
    let attrs: Attrs = op.attrs.iter().copied().zip(attrs).collect();
    Some(Expr::Apply(op, Box::new(attrs), operands.into()))
}

/// The value with exactly these sizes known.
pub fn pinned(x: Expr, sizes: &[usize]) -> Expr {
    let attrs = Attrs::new().with("shape", Attr::Shape(Shape::known(sizes)));
    Expr::with("relax_shape", attrs, vec![x])
}

/// The sum of a value whose sizes may be unknown.
pub fn summed(x: Expr) -> Expr {
    Expr::with("reduce_sum", all_axes(), vec![x])
}

/// The attributes of a reduction over all axes.
pub fn all_axes() -> Attrs {
    Attrs::new()
        .with("axes", ints([]))
        .with("keep_dims", Attr::Bool(false))
}

/// Whether the first shape broadcasts to the second.
fn broadcasts_to(from: &[usize], to: &[usize]) -> bool {
    let mut pairs = from.iter().rev().zip(to.iter().rev());
    from.len() <= to.len() && pairs.all(|(a, b)| a == b || *a == 1)
}
