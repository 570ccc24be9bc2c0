//! `Term`: a tensor in a gradient rule, with operators for formulas. The ops of a rule have the source location of the op that is
//! differentiated. Like any op, they run at once or become nodes of the graph being traced.

use std::ops::{Add, Div, Mul, Neg, Sub};

use graph_kernels::{Array, DType, bf16, f16};

use crate::error::Location;
use crate::graph::{Shape, TensorType};
use crate::ops::{self, Attr, Attrs, OpDef};
use crate::trace::{self, AnyTensor};

/// A tensor of a formula.
#[derive(Clone)]
pub(crate) struct Term {
    pub tensor: AnyTensor,
    pub location: Location,
}

impl Term {
    pub fn new(tensor: AnyTensor, location: &Location) -> Term {
        Term {
            tensor,
            location: location.clone(),
        }
    }

    /// Applies an op to this and other terms.
    pub fn apply(&self, op: &'static OpDef, attrs: Attrs, others: &[&Term]) -> Term {
        let operands: Vec<&AnyTensor> = [self]
            .iter()
            .chain(others)
            .map(|term| &term.tensor)
            .collect();
        let tensor = trace::apply(op, attrs, &operands, self.location.clone());
        Term::new(tensor, &self.location)
    }

    /// Applies an op of one operand and no attributes.
    pub fn map(&self, op: &'static OpDef) -> Term {
        self.apply(op, Attrs::new(), &[])
    }

    /// Applies an op of two operands and no attributes.
    pub fn with(&self, op: &'static OpDef, other: &Term) -> Term {
        self.apply(op, Attrs::new(), &[other])
    }

    /// Applies an op with attributes.
    pub fn map_with<const N: usize>(
        &self,
        op: &'static OpDef,
        attrs: [(&'static str, Attr); N],
    ) -> Term {
        self.apply(op, attrs_of(attrs), &[])
    }

    /// A constant array of the formula.
    pub fn constant(&self, array: Array) -> Term {
        Term::new(
            trace::constant(array, self.location.clone()),
            &self.location,
        )
    }

    /// A scalar constant of this term's dtype.
    pub fn number(&self, value: f64) -> Term {
        self.constant(scalar(self.dtype(), value))
    }

    pub fn ty(&self) -> TensorType {
        self.tensor.ty()
    }

    pub fn dtype(&self) -> DType {
        self.tensor.dtype()
    }

    /// The shape, as far as it is known.
    pub fn shape(&self) -> Shape {
        self.tensor.shape()
    }

    /// The sizes, as a vector of `int32`.
    pub fn sizes(&self) -> Term {
        match self.shape().to_known() {
            Some(sizes) => self.constant(Array::new(
                &[sizes.len()],
                sizes.iter().map(|n| *n as i32).collect(),
            )),
            None => self.map(&ops::SHAPE_OF),
        }
    }

    /// A constant vector of integers.
    pub fn integers(&self, values: &[i32]) -> Term {
        self.constant(Array::new(&[values.len()], values.to_vec()))
    }

    /// Elements picked from the sizes, extended by the integers in `others`.
    pub fn sizes_picked(&self, order: &[i32], others: &Term) -> Term {
        let axis = || attrs_of([("axis", Attr::Int(0))]);
        let all = self.sizes().apply(&ops::CONCAT, axis(), &[others]);
        all.apply(&ops::GATHER, axis(), &[&self.integers(order)])
    }

    /// A constant in this term's shape.
    pub fn full_like(&self, value: f64) -> Term {
        let value = self.number(value);
        match self.shape().to_known() {
            Some(sizes) => value.map_with(&ops::FILL, [("shape", ints(&sizes))]),
            None => value.with(&ops::FILL_TO, &self.sizes()).of_type(&self.ty()),
        }
    }

    pub fn zeros_like(&self) -> Term {
        self.full_like(0.0)
    }

    /// The sum with another gradient with respect to the same value. The gradients may be lists of different lengths: zeros made
    /// before the first row was written have no rows, while the gradient of the writes has some.
    pub fn plus_gradient(&self, other: &Term) -> Term {
        let is_list = [self, other].into_iter().any(|term| {
            let shape = term.shape();
            shape.rank().is_none() || ops::is_open(&shape)
        });
        match is_list {
            true => self.with(&ops::LIST_ADD, other),
            false => self.with(&ops::ADD, other),
        }
    }

    /// The same values, with exactly this static type.
    pub fn of_type(&self, ty: &TensorType) -> Term {
        if self.ty() == *ty {
            return self.clone();
        }
        self.map_with(
            &ops::RELAX_SHAPE,
            [("shape", Attr::Shape(ty.shape.clone()))],
        )
    }

    /// The sum over the axes along which `like` was broadcast to this term's shape.
    pub fn sum_to(&self, like: &Term) -> Term {
        let (whole, part) = (self.shape(), like.shape());
        let (Some(sizes), Some(own)) = (whole.to_known(), part.to_known()) else {
            return self.with(&ops::SUM_TO, &like.sizes()).of_type(&like.ty());
        };
        if sizes == own {
            return self.clone();
        }
        let Ok(axes) = graph_kernels::repeated_axes(&sizes, &own) else {
            // The op reports the error.
            return self.with(&ops::SUM_TO, &like.sizes());
        };
        let keep = sizes.len() == own.len();
        self.sum(axes.to_vec(), keep).reshaped_to(&own)
    }

    /// The sum over axes; over all if the list is empty.
    pub fn sum(&self, axes: Vec<i64>, keep_dims: bool) -> Term {
        self.map_with(
            &ops::REDUCE_SUM,
            [
                ("axes", Attr::Ints(axes)),
                ("keep_dims", Attr::Bool(keep_dims)),
            ],
        )
    }

    /// Reshaped to a known shape.
    pub fn reshaped_to(&self, sizes: &[usize]) -> Term {
        if self.shape().to_known().as_deref() == Some(sizes) {
            return self.clone();
        }
        self.map_with(&ops::RESHAPE, [("shape", ints(sizes))])
    }

    /// Reshaped to the shape of another term of the same size.
    pub fn reshaped_as(&self, like: &Term) -> Term {
        match like.shape().to_known() {
            Some(sizes) => self.reshaped_to(&sizes),
            None => self
                .with(&ops::RESHAPE_TO, &like.sizes())
                .of_type(&like.ty()),
        }
    }

    /// Broadcast to the shape of another term.
    pub fn broadcast_as(&self, like: &Term) -> Term {
        match like.shape().to_known() {
            Some(sizes) if self.shape().to_known().as_ref() == Some(&sizes) => self.clone(),
            Some(sizes) => self.map_with(&ops::BROADCAST_TO, [("shape", ints(&sizes))]),
            None => self
                .with(&ops::BROADCAST_AS, &like.sizes())
                .of_type(&like.ty()),
        }
    }

    pub fn cast(&self, dtype: DType) -> Term {
        if self.dtype() == dtype {
            return self.clone();
        }
        self.map_with(&ops::CAST, [("dtype", Attr::DType(dtype))])
    }

    pub fn reshaped_as_vector(&self) -> Term {
        self.map_with(&ops::RESHAPE, [("shape", Attr::Ints(vec![-1]))])
    }

    pub fn expand_dims(&self, axis: i64) -> Term {
        self.map_with(&ops::EXPAND_DIMS, [("axis", Attr::Int(axis))])
    }

    /// `a` where this is true, `b` elsewhere.
    pub fn select(&self, a: &Term, b: &Term) -> Term {
        self.apply(&ops::SELECT, Attrs::new(), &[a, b])
    }

    /// This where a condition is true, 0 elsewhere.
    pub fn where_(&self, condition: &Term) -> Term {
        condition.select(self, &self.number(0.0))
    }
}

/// The attributes, given in the order of the op's row.
pub(crate) fn attrs_of<const N: usize>(attrs: [(&'static str, Attr); N]) -> Attrs {
    attrs.into_iter().collect()
}

/// An attribute of several sizes.
pub(crate) fn ints(sizes: &[usize]) -> Attr {
    Attr::Ints(sizes.iter().map(|n| *n as i64).collect())
}

/// A number as a scalar of a dtype; the default value for booleans and strings.
pub(crate) fn scalar(dtype: DType, value: f64) -> Array {
    match dtype {
        DType::F32 => Array::scalar(value as f32),
        DType::F64 => Array::scalar(value),
        DType::F16 => Array::scalar(f16::from_f64(value)),
        DType::BF16 => Array::scalar(bf16::from_f64(value)),
        DType::I32 => Array::scalar(value as i32),
        DType::I64 => Array::scalar(value as i64),
        DType::U8 => Array::scalar(value as u8),
        DType::I8 => Array::scalar(value as i8),
        DType::I16 => Array::scalar(value as i16),
        DType::U16 => Array::scalar(value as u16),
        DType::U32 => Array::scalar(value as u32),
        DType::U64 => Array::scalar(value as u64),
        DType::Bool | DType::Str => Array::zeros(dtype, &[]),
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => { $(
        impl $trait<&Term> for &Term {
            type Output = Term;
            fn $method(self, other: &Term) -> Term {
                self.with(&ops::$op, other)
            }
        }
        impl $trait<Term> for &Term {
            type Output = Term;
            fn $method(self, other: Term) -> Term {
                self.with(&ops::$op, &other)
            }
        }
        impl $trait<&Term> for Term {
            type Output = Term;
            fn $method(self, other: &Term) -> Term {
                self.with(&ops::$op, other)
            }
        }
        impl $trait<Term> for Term {
            type Output = Term;
            fn $method(self, other: Term) -> Term {
                self.with(&ops::$op, &other)
            }
        }
        impl $trait<f64> for &Term {
            type Output = Term;
            fn $method(self, other: f64) -> Term {
                self.with(&ops::$op, &self.number(other))
            }
        }
        impl $trait<f64> for Term {
            type Output = Term;
            fn $method(self, other: f64) -> Term {
                self.with(&ops::$op, &self.number(other))
            }
        }
        impl $trait<&Term> for f64 {
            type Output = Term;
            fn $method(self, other: &Term) -> Term {
                other.number(self).with(&ops::$op, other)
            }
        }
        impl $trait<Term> for f64 {
            type Output = Term;
            fn $method(self, other: Term) -> Term {
                other.number(self).with(&ops::$op, &other)
            }
        }
    )* };
}
operators! {
    Add add ADD;
    Sub sub SUB;
    Mul mul MUL;
    Div div DIV;
}

impl Neg for Term {
    type Output = Term;
    fn neg(self) -> Term {
        self.map(&ops::NEG)
    }
}

impl Neg for &Term {
    type Output = Term;
    fn neg(self) -> Term {
        self.map(&ops::NEG)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tangent::parameter;
    use super::*;
    use crate::graph::Op;
    use crate::trace::Beginning;

    /// The ops that `sum_to` adds.
    fn sum_ops(whole: &[usize], part: &[usize]) -> Vec<&'static str> {
        let _open = trace::begin(Beginning::default());
        let term = |sizes: &[usize]| {
            let tensor = parameter(TensorType::new(DType::F32, Shape::known(sizes)));
            Term::new(tensor, &Location::unknown())
        };
        let sum = term(whole).sum_to(&term(part));
        assert_eq!(sum.shape(), Shape::known(part));
        let traced = trace::finish(&[]).expect("a sum");
        let ops = traced.graph.nodes.iter().filter_map(|node| match &node.op {
            Op::Primitive(op, _) => Some(op.name),
            _ => None,
        });
        ops.collect()
    }

    #[test]
    fn a_sum_to_a_known_shape_has_no_more_ops_than_it_needs() {
        assert!(sum_ops(&[2, 3], &[2, 3]).is_empty());
        assert_eq!(sum_ops(&[2, 3], &[3]), ["reduce_sum"]);
        assert_eq!(sum_ops(&[2, 3], &[2, 1]), ["reduce_sum"]);
        assert_eq!(sum_ops(&[4, 2, 3], &[1, 3]), ["reduce_sum", "reshape"]);
    }
}
