//! `cond`, `while_loop` and `switch_case` for use by hand: the control flow that `#[graph_fn]` generates, as plain functions with
//! closures. Outside of a trace they are ordinary Rust control flow on concrete tensors.

use smallvec::{SmallVec, smallvec};

use crate::error::Location;
use crate::kind::{Condition, Decision};
use crate::ops::OneValue;
use crate::state::GraphState;
use crate::tensor::{AsOperand, Tensor, tensor};
use crate::trace::{self, AfterPass, Branching, LoopKind, Looping, Parts, Variable, Vars};

/// Chooses between two values by a boolean scalar. In a graph only the chosen branch runs; both must give the same structure and
/// dtypes, and may differ in shape.
///
/// ```
/// # use graph_runtime::{cond, prelude::*};
/// let x = tensor(-3);
/// let y = cond(x.lt(0), || -&x, || x.clone());
/// assert_eq!(y.item(), 3);
/// ```
#[track_caller]
pub fn cond<R: GraphState>(
    predicate: Tensor<bool>,
    then_branch: impl FnOnce() -> R,
    else_branch: impl FnOnce() -> R,
) -> R {
    let location = Location::caller();
    let condition = match predicate.decide(location.clone()) {
        Decision::Known(true) => return then_branch(),
        Decision::Known(false) => return else_branch(),
        Decision::Traced(condition) => condition.into_any(),
    };
    let mut branching = Branching::new(&condition, location);
    let mut vars = Vars(SmallVec::new());
    let (mut then_branch, mut else_branch) = (Some(then_branch), Some(else_branch));
    while branching.next(&mut vars) == AfterPass::Run {
        let value = if branching.branch() {
            then_branch.take().map(|f| f())
        } else {
            else_branch.take().map(|f| f())
        };
        branching.yields(value.and_then(|v| Parts::of(&v)));
    }
    whole(branching.take_value())
}

/// Runs `body` on a state as long as `test` holds, and returns the last state. (`tf.while_loop`) The state keeps its structure, dtypes and shapes.
///
/// ```
/// # use graph_runtime::{prelude::*, while_loop};
/// let (_, power) = while_loop(|(i, _)| i.lt(10), |(i, p)| (i + 1, p * 2), (tensor(0), tensor(1)));
/// assert_eq!(power.item(), 1024);
/// ```
#[doc(alias("fori_loop"))]
#[track_caller]
pub fn while_loop<S: GraphState>(
    mut test: impl FnMut(&S) -> Tensor<bool>,
    mut body: impl FnMut(S) -> S,
    mut state: S,
) -> S {
    let location = Location::caller();
    if !trace::is_tracing() {
        while matches!(test(&state).decide(location.clone()), Decision::Known(true)) {
            state = body(state);
        }
        return state;
    }
    let mut looping = Looping::new(LoopKind::While, location.clone());
    let mut state = Some(state);
    loop {
        let step = match &mut state {
            Some(state) => {
                looping.next(&mut Vars(smallvec![("state", state as &mut dyn Variable)]))
            }
            None => unreachable!("the body gives the state back"),
        };
        if step != AfterPass::Run {
            return state.expect("the body gave the state back");
        }
        if let Some(state) = &state
            && let Decision::Traced(condition) = test(state).decide(location.clone())
        {
            looping.test(&condition.into_any());
        }
        state = state.map(&mut body);
    }
}

/// Like [`while_loop`], but runs the body at most `limit` times; `limit` may be a tensor. (`tf.while_loop` with `maximum_iterations`)
///
/// In a graph function, a `for` with a `break` does the same: `for _ in 0..limit { if !test { break; } .. }`. TensorFlow's other
/// options for loops have no counterpart: iterations run one after the other, and [`relax_shape`](Tensor::relax_shape) declares a
/// state whose shape changes.
///
/// ```
/// # use graph_runtime::{prelude::*, while_loop_at_most};
/// #[graph_fn]
/// fn by_hand(x: Tensor<f32>, limit: Tensor<i32>) -> Tensor<f32> {
///     while_loop_at_most(limit, |x| x.gt(1.0), |x| x / 2.0, x)
/// }
/// assert_eq!(by_hand(tensor(8.0), tensor(10)).item(), 1.0);
/// assert_eq!(by_hand(tensor(8192.0), tensor(10)).item(), 8.0);
///
/// #[graph_fn]
/// fn halved(mut x: Tensor<f32>, limit: Tensor<i32>) -> Tensor<f32> {
///     for _ in 0..limit {
///         if x <= 1.0 {
///             break;
///         }
///         x /= 2.0;
///     }
///     x
/// }
/// assert_eq!(halved(tensor(8192.0), tensor(10)).item(), 8.0);
/// ```
#[track_caller]
pub fn while_loop_at_most<S: GraphState>(
    limit: impl AsOperand<i32>,
    mut test: impl FnMut(&S) -> Tensor<bool>,
    mut body: impl FnMut(S) -> S,
    state: S,
) -> S {
    let limit = Tensor::<i32>::from_any(limit.into_operand());
    let (_, state) = while_loop(
        |(i, state)| i.lt(&limit).logical_and(test(state)),
        |(i, state)| (i + 1, body(state)),
        (tensor(0), state),
    );
    state
}

/// Chooses one of several values by an index. An index out of range chooses the last value, as in TensorFlow.
///
/// ```
/// # use graph_runtime::{prelude::*, switch_case};
/// let x = tensor(5);
/// let y = switch_case(tensor(1), vec![Box::new(|| &x + 10), Box::new(|| &x * 2)]);
/// assert_eq!(y.item(), 10);
/// ```
///
/// # Panics
/// If there are no branches.
#[doc(alias("switch"))]
#[track_caller]
pub fn switch_case<R: GraphState>(
    index: Tensor<i32>,
    branches: Vec<Box<dyn FnOnce() -> R + '_>>,
) -> R {
    let location = Location::caller();
    assert!(!branches.is_empty(), "a switch has at least one branch");
    let last = branches.len() - 1;
    let index = trace::scalar(index.as_any(), OneValue::Switch, &location);
    if !trace::is_tracing() {
        let index = Tensor::<i32>::from_any(index).item();
        let index = usize::try_from(index).map_or(last, |i| i.min(last));
        let mut branches = branches;
        return branches.swap_remove(index)();
    }
    let branches = branches.into_iter().map(|b| move || Parts::of(&b()));
    whole(trace::or_fail(trace::switch(&index, branches, location)))
}

fn whole<R: GraphState>(parts: Parts) -> R {
    let leaves = parts.leaves.clone();
    parts.rebuild(leaves)
}
