//! What graph functions ask of types: the traits that the compiler names where a program breaks a rule. None of them is implemented or
//! called by hand.

pub use crate::autograph::{
    Assertable, CallableHere, Called, CompareWith, ComparedUnderGraphFnOnly, Condition, CountTo,
    HasMethods, IndexedBy, ItemsAssigned, Iterate, Keep, Lift, Logic, LoopedOverUnderGraphFnOnly,
    OfGraphFunction, OfOneSize, Scrutinee, SetOnEveryWay, Unsized, VariableOfRust,
    VariableWithoutValue, WithoutElse,
};
