//! What a tensor's Rust type says of its shape: the second parameter of [`Tensor`](super::Tensor).

/// Says nothing of the shape: any rank, any sizes, known when run (or when traced, see
/// [`Tensor::shape`](super::Tensor::shape)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dyn;
