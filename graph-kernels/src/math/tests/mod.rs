//! The bounds that the functions state, their special values, and how long they take. The `f64` functions are held
//! against [`reference`], and the `f32` ones against those of `f64`.
//!
//! Both ways to multiply and add are tested on any CPU: `mul_add` is fused on all of them, only slow on some.

mod bounds;
mod reference;
mod special;
mod speed;
