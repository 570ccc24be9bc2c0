//! The types of expressions, found by the type rules of the ops.

use graph_runtime::DType;
use graph_runtime::graph::{Shape, TensorType};

use super::Writer;
use super::ops::ALL;
use crate::program::{Expr, Name};

/// The sizes of a type.
///
/// # Panics
/// If a size isn't known.
pub fn sizes(ty: &TensorType) -> Vec<usize> {
    let known = ty.shape.to_known().expect("all sizes are known");
    known.to_vec()
}

impl Writer {
    /// The type of a name in scope.
    pub(super) fn type_of_name(&self, name: Name) -> Option<&TensorType> {
        let mut locals = self.scope.iter();
        locals
            .find(|local| local.name == name)
            .map(|local| &local.ty)
    }

    /// The type of an expression; `None` if an op rejects its operands.
    pub(super) fn type_of(&self, expr: &Expr) -> Option<TensorType> {
        match expr {
            Expr::Name(name) => self.type_of_name(*name).cloned(),
            Expr::Constant(array) => Some(TensorType::of_array(array)),
            Expr::Custom(_, operand) => self.type_of(operand),
            Expr::Read(name) => {
                let mut variables = self.variables.iter();
                let variable = variables.find(|local| local.name == *name)?;
                Some(variable.ty.clone())
            }
            Expr::Seed(_) => Some(TensorType::new(DType::I64, Shape::known(&[2]))),
            Expr::Failing(_, [instead, _]) => Some(TensorType::of_array(instead)),
            Expr::Apply(op, attrs, operands) => {
                let types: Option<Vec<TensorType>> =
                    operands.iter().map(|o| self.type_of(o)).collect();
                (op.infer)(&types?, attrs).ok()
            }
        }
    }

    /// The type of an expression, if all sizes are known and it isn't too large.
    pub(super) fn known_type(&self, expr: &Expr) -> Option<TensorType> {
        let ty = self.type_of(expr)?;
        let size = ty.shape.size()?;
        let fits = size <= 70_000 && ty.shape.rank()? <= 4 && ALL.contains(&ty.dtype);
        fits.then_some(ty)
    }
}
