//! Neural networks: layers, losses, optimizers, learning rates and metrics compared with Keras (`keras.json`, recorded by
//! `record_keras.py`), eagerly and in graphs; models and their files.

mod attention;
mod group_norm;
mod layers;
mod losses;
mod metrics;
mod modules;
mod optimizers;
mod record;
mod saving;
mod trained;

/// The result of a function, traced and run eagerly.
fn both<R>(f: impl Fn() -> R) -> [R; 2] {
    let traced = f();
    let _eager = graph_runtime::debug::EAGER.scope(true);
    [traced, f()]
}
