//! The traits that compiler messages name when a program breaks a rule of graph functions. Programs neither implement nor call them by hand.

#[cfg(feature = "onnx")]
pub use crate::autograph::{ModelArgument, ModelResult};

pub use crate::autograph::{
    AllowsTry, Assertable, CallableHere, Called, ChangedByPointer, ChangesHere, CompareWith,
    ComparedUnderGraphFnOnly, Condition, CountTo, HasMethods, IndexedBy, ItemsAssigned, Iterate,
    Keep, Lift, Logic, LoopedOverUnderGraphFnOnly, OfGraphFunction, OfOneSize, Scrutinee,
    SetOnEveryWay, Unsized, VariableOfRust, VariableWithoutValue, WhatIsPointedTo, WithoutElse,
};
