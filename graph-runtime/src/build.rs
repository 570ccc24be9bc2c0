//! `cond`, `while_loop` and `switch_case` by hand: the same control flow as `#[graph_fn]` writes, as plain functions with closures.
//! Outside of a trace they are ordinary Rust control flow on concrete tensors.

use smallvec::{SmallVec, smallvec};

use crate::autograph::{Condition, Decision};
use crate::error::Location;
use crate::state::{GraphState, Parts, Variable};
use crate::tensor::Tensor;
use crate::trace::{self, Branching, LoopKind, Looping, Step, Vars};

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
    while branching.next(&mut vars) == Step::Run {
        let value = if branching.branch() {
            then_branch.take().map(|f| f())
        } else {
            else_branch.take().map(|f| f())
        };
        branching.yields(value.and_then(|v| Parts::of(&v)));
    }
    whole(branching.take_value())
}

/// Runs `body` on a state as long as `test` holds, and gives the last state. (`tf.while_loop`) The state keeps its structure, dtypes and shapes.
///
/// ```
/// # use graph_runtime::{prelude::*, while_loop};
/// let (_, power) = while_loop(|(i, _)| i.lt(10), |(i, p)| (i + 1, p * 2), (tensor(0), tensor(1)));
/// assert_eq!(power.item(), 1024);
/// ```
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
        if step != Step::Run {
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

/// Chooses one of several values by an index; an index out of range takes the last one, as in TensorFlow.
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
#[track_caller]
pub fn switch_case<R: GraphState>(
    index: Tensor<i32>,
    branches: Vec<Box<dyn FnOnce() -> R + '_>>,
) -> R {
    let location = Location::caller();
    assert!(!branches.is_empty(), "a switch has at least one branch");
    let last = branches.len() - 1;
    if !trace::is_tracing() {
        let index = usize::try_from(index.item()).map_or(last, |i| i.min(last));
        let mut branches = branches;
        return branches.swap_remove(index)();
    }
    trace::switch(
        index.as_any(),
        branches.into_iter().map(|b| move || Parts::of(&b())),
        location,
    )
    .map_or_else(|error| trace::fail(error), whole)
}

fn whole<R: GraphState>(parts: Parts) -> R {
    let leaves = parts.leaves.clone();
    parts.rebuild(leaves)
}
