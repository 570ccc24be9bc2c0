//! Everything that a program with graph functions needs: `use graph_runtime::prelude::*;`.

pub use crate::autodiff::{
    ForwardAccumulator, GradientTape, custom_gradient, grad, hessian, jacobian, jvp, recompute,
    stop_gradient, value_and_grad, vjp,
};
pub use crate::random;
pub use crate::strings;
pub use crate::tensor::{
    Any, Axis, AxisRange, Const, Dyn, Ellipsis, Float, Integer, NewAxis, Number, One, Padding, S0,
    S1, S2, S3, S4, S5, S6, ShapeSpec, Tensor, Window, bf16, concat, einsum, eye, f16, fill, full,
    linspace, matmul, maximum, meshgrid, minimum, ones, range, scatter_nd, select, stack, tensor,
    where_, zeros,
};
pub use crate::{
    Dataset, Element, GraphFunction, GraphState, TensorArray, TensorSpec, TraceType, Variable,
    cond, fold, map_fn, run_functions_eagerly, scan, switch_case, while_loop,
};
pub use crate::{graph_assert, graph_print, shape};
pub use graph_macros::graph_fn;
