//! Gradients of programs whose derivatives are known, eagerly and traced.

mod calls;
mod control_flow;
mod custom;
mod forward;
mod functional;
mod left_early;
mod programs;
mod recompute;
mod tapes;

/// The result of a function, traced and run eagerly.
fn both<R>(f: impl Fn() -> R) -> [R; 2] {
    let traced = f();
    let _scope = graph_runtime::debug::EAGER.scope(true);
    [traced, f()]
}
