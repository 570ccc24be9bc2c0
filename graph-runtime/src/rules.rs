//! What graph functions ask of types: the traits that the compiler names where a program breaks a rule. None of them is implemented or
//! called by hand.

pub use crate::autograph::{
    Assertable, CompareWith, Condition, CountTo, IndexedBy, Iterate, Keep, Lift, Logic, Scrutinee,
    SetOnEveryWay, VariableOfRust, VariableWithoutValue,
};
