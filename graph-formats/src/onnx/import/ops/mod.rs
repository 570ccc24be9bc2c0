//! The importers, by families of ops. Each op of ONNX is one function, which adds the nodes that compute it.

pub(super) mod activation;
pub(super) mod attention;
pub(super) mod control;
pub(super) mod conv;
pub(super) mod deform;
pub(super) mod detect;
pub(super) mod elementwise;
pub(super) mod grid;
pub(super) mod linear;
pub(super) mod loss;
pub(super) mod ml;
pub(super) mod ml_models;
pub(super) mod ngrams;
pub(super) mod normalize;
pub(super) mod order;
pub(super) mod pad;
pub(super) mod parts;
pub(super) mod pool;
pub(super) mod quantize;
pub(super) mod recurrent;
pub(super) mod reduce;
pub(super) mod resize;
pub(super) mod scatter;
pub(super) mod sequence;
pub(super) mod shape;
pub(super) mod signal;
pub(super) mod source;
pub(super) mod text;
pub(super) mod training;

mod window;
