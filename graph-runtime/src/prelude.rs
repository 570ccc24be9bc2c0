//! Everything a program with graph functions needs: `use graph_runtime::prelude::*;`.

pub use crate::autodiff::GradientTape;
pub use crate::tensor::{
    Any, Axis, AxisRange, Const, Dyn, Ellipsis, NewAxis, One, S0, S1, S2, S3, S4, S5, S6,
    ShapeSpec, Tensor, bf16, concat, eye, f16, fill, full, linspace, matmul, maximum, meshgrid,
    minimum, ones, range, range_step, scatter_nd, select, stack, tensor, zeros,
};
pub use crate::{
    Dataset, GraphFunction, TensorArray, TensorSpec, Variable, fold, map_fn, run_functions_eagerly,
    scan,
};
pub use crate::{graph_assert, graph_print, shape};
pub use graph_macros::graph_fn;
