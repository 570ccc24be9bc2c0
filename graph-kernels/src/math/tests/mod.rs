//! Tests of the error bounds that the functions state and of their special values, and measurements. The `f64` functions are compared
//! with [`reference`], the `f32` functions with those of `f64`.
//!
//! Fused and unfused arithmetic are both tested on any CPU: `mul_add` is fused everywhere, and only slow on some CPUs.

mod bounds;
mod reference;
mod special;
mod speed;
