//! The `#[graph_fn]` attribute.
