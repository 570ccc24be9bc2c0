//! Everything that a program with graph functions needs: `use graph_runtime::prelude::*;`.

pub use crate::autodiff::{
    ForwardAccumulator, GradientTape, custom_gradient, grad, hessian, jacobian, jvp, recompute,
    stop_gradient, value_and_grad, vjp,
};
pub use crate::device::OpenDevice;
// The derive macro and the methods of models.
pub use crate::nn::Module;
// The methods of a stream, as in `random::with_seed(1).uniform(&[3])`. The name stays free.
pub use crate::random::{self, Rng as _};
pub use crate::strings;
pub use crate::tensor::{
    Any, Axis, AxisRange, Const, Dyn, Ellipsis, Float, Integer, NewAxis, Number, One, Padding, S0,
    S1, S2, S3, S4, S5, S6, ShapeSpec, Tensor, Window, bf16, concat, einsum, eye, eye_rectangular,
    f16, fill, full, linspace, matmul, maximum, meshgrid, meshgrid_ij, minimum, ones, ones_like,
    range, scatter_nd, select, stack, string_join, tensor, where_, zeros, zeros_like,
};
pub use crate::{
    Dataset, Element, GraphFunction, GraphState, TensorArray, TensorSpec, TraceType, Variable,
    cond, debug, debug_values, disable_check_numerics, enable_check_numerics, flush_denormals,
    fold, map_fn, run_functions_eagerly, scan, set_recursion_limit, set_threads, switch_case,
    while_loop, while_loop_at_most,
};
pub use crate::{graph_assert, graph_print, shape};
pub use graph_macros::graph_fn;
