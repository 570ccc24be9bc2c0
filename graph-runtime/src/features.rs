//! What the compiler says where a program calls a method whose feature is off. Such a method is there, but under a trait that nothing
//! implements and whose message names the feature. (Of types and functions that a feature leaves out, the compiler says so itself.)

/// What saving and loading models ask for while the feature `safetensors` is off.
#[cfg(not(feature = "safetensors"))]
#[diagnostic::on_unimplemented(
    message = "models are saved and loaded with the feature `safetensors` of graph-runtime",
    label = "the feature `safetensors` is off",
    note = "in Cargo.toml, put `features = [\"safetensors\"]` beside the version of graph-runtime"
)]
pub trait NeedsSafetensors {
    /// Stands for what the method would give.
    fn never<R>(&self) -> R;
}

/// What taking values out as an `ndarray` array asks for while the feature `ndarray` is off.
#[cfg(not(feature = "ndarray"))]
#[diagnostic::on_unimplemented(
    message = "tensors become arrays of ndarray with the feature `ndarray` of graph-runtime",
    label = "the feature `ndarray` is off",
    note = "in Cargo.toml, put `features = [\"ndarray\"]` beside the version of graph-runtime"
)]
pub trait NeedsNdarray {
    /// Stands for what the method would give.
    fn never<R>(&self) -> R;
}
