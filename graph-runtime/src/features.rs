//! Compiler messages for methods whose feature is off. Such a method exists, but requires a trait that nothing implements; the
//! trait's message names the feature. (For types and functions that a feature leaves out, the compiler itself says so.)

/// Required by saving and loading of models while the feature `safetensors` is off.
#[cfg(not(feature = "safetensors"))]
#[diagnostic::on_unimplemented(
    message = "models are saved and loaded with the feature `safetensors` of graph-runtime",
    label = "the feature `safetensors` is off",
    note = "in Cargo.toml, put `features = [\"safetensors\"]` beside the version of graph-runtime"
)]
pub trait NeedsSafetensors {
    /// Replaces the value that the method would return.
    fn never<R>(&self) -> R;
}

/// Required by conversion to `ndarray` arrays while the feature `ndarray` is off.
#[cfg(not(feature = "ndarray"))]
#[diagnostic::on_unimplemented(
    message = "tensors become arrays of ndarray with the feature `ndarray` of graph-runtime",
    label = "the feature `ndarray` is off",
    note = "in Cargo.toml, put `features = [\"ndarray\"]` beside the version of graph-runtime"
)]
pub trait NeedsNdarray {
    /// Replaces the value that the method would return.
    fn never<R>(&self) -> R;
}
