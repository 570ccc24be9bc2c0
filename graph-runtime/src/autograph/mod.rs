//! The operators in generated code: they replace `if`, `while`, `for`, `<`, `&&` and so on, and let types choose between Rust and
//! the graph. Users see them only in expanded code; the names follow TensorFlow's AutoGraph.

mod again;
mod assert_stmt;
mod beside;
mod compare;
mod convert;
mod elements;
mod field;
mod if_stmt;
mod indexed;
mod item;
mod items;
mod iter;
mod leave;
mod logic;
mod loop_stmt;
mod match_stmt;
mod missing;
mod outside;
mod print;
mod range;
mod sought;
mod texts;
mod tried;
mod unpack;
mod unwrapped;

pub use crate::function::bind::{Bind, argument, borrowed, parameter, reference};
pub use crate::function::body::{Begun, Ran, body, rust_body};
pub use crate::function::call::{Call, call, only_traced};
pub use crate::function::finished::{Finished, ResultOfCall};
pub use crate::kind::{
    AnyPlace, CallableHere, Called, ChangedByPointer, ChangesHere, HasMethods, OfOneSize,
    SetOnEveryWay, Unsized, Var, VariableOfRust, VariableWithoutValue, WhatIsPointedTo, called,
    changing, place, pointed, unset, var,
};
pub use crate::kind::{
    Carried, Condition, Decision, Either, Graph, Keep, Kind, KindOf, OnlyRust, Passes, Rust, kind,
};
#[cfg(feature = "onnx")]
pub use crate::onnx::declared::{
    DeclaredTensor, ModelArgument, ModelFile, ModelResult, check_argument, check_results,
};
pub use again::{Again, Captured, Copied, Moved, NotMoved, UsableAgain, again, captured};
pub use assert_stmt::{
    Assertable, Says, Side, assert_says, assert_sides, assert_stmt, assert_summarized, side,
};
pub use beside::{Beside, OfFloats, beside};
pub use compare::{Cmp, CompareWith, cmp};
pub use convert::{
    Kept, Lift, Like, Operand, Shaped, WithoutElse, kept, lift, like, load, operand, otherwise,
    shaped, untold,
};
pub use elements::{Elements, Iterable, iterable};
pub use field::{Field, field};
pub use if_stmt::{If, IfGraph, if_stmt};
pub use item::{IndexedBy, Row, target};
pub use items::{Items, Iterate, Limit, RustItems, TensorRows};
pub use iter::{Counted, Iter, Numbered, Pairs, Values, Walk, WithRows};
pub use leave::{Leave, Leaving, Target};
pub use logic::{Logic, and, or};
pub use loop_stmt::{Each, Escapes, Loop, LoopGraph, block_stmt, for_stmt, loop_stmt, while_stmt};
pub use match_stmt::{
    Four, Match, MatchGraph, Matched, Matching, Scrutinee, ScrutineeOf, Three, Two, match_guards,
    match_stmt, scrutinee,
};
// Items of `std` for generated code in crates that don't link `std`.
pub use std::fmt::format as formatted;
pub use std::ops::ControlFlow;
pub use std::option::Option::{None, Some};
pub use std::result::Result::{Err, Ok};
pub use std::sync::Arc;
pub use std::{cfg, format, panic, unreachable};

pub use crate::graph::PrintTo;
pub use indexed::{Indexed, ItemsAssigned, Never, OfGraphFunction, Rvalue, indexed, rvalue};
pub use missing::{Missing, Unwrapping, unwrapping};
pub use outside::{ComparedUnderGraphFnOnly, LoopedOverUnderGraphFnOnly};
pub use print::{ByDebug, Listed, Printing, listed, printing};
pub use range::{Bounds, CountTo, Countable, TensorRange, bounds};
pub use sought::{Holds, Sought, sought};
pub use texts::{Texts, texts};
pub use tried::{AllowsTry, tried};
pub use unpack::Unpack;
pub use unwrapped::{CopyOf, NoCopyOf, Shown, Unwrapped, unwrapped};

/// The traits whose methods generated code calls; it imports them by `use … as _`.
pub mod methods {
    pub use super::again::{
        AgainCopied as _, AgainMoved as _, AgainReused as _, CapturedCopied as _,
        CapturedReused as _,
    };
    pub use super::assert_stmt::{SidePlain as _, SideTensor as _};
    pub use super::beside::{FloatBesideOther as _, FloatBesideTensor as _};
    pub use super::compare::{
        Incomparable as _, RustAssert as _, RustEq as _, RustEqOfPointer as _, RustOrd as _,
        RustOrdBehind as _, TensorCmp as _,
    };
    pub use super::convert::{
        LikeNoLiteral as _, OperandCloned as _, OperandMoved as _, ShapedOther as _,
    };
    pub use super::elements::{EachElement as _, EachItem as _};
    pub use super::field::{FieldOfOther as _, FieldOfResult as _};
    pub use super::indexed::{IndexedPlace as _, IndexedTensor as _};
    pub use super::item::IndexedBy as _;
    pub use super::leave::Leave as _;
    pub use super::match_stmt::{ScrutineeBehind as _, ScrutineeCloned as _, ScrutineeLent as _};
    pub use super::missing::{CheckedOther as _, CheckedWrapped as _};
    pub use super::print::{ListedDebug as _, ListedDisplay as _, Unlisted as _};
    pub use super::range::{RustBounds as _, TensorBounds as _, Uncountable as _};
    pub use super::sought::{SoughtTensor as _, SoughtValue as _};
    pub use super::unwrapped::{UnwrappedCopied as _, UnwrappedOther as _, UnwrappedReused as _};
    pub use crate::function::bind::{
        BindArgument as _, BindBorrowed as _, BindBorrowedOpaque as _, BindOpaque as _,
        BindOpaqueMut as _, BindRust as _, BindState as _, ParameterOpaque as _,
        ParameterRust as _, ParameterState as _,
    };
    pub use crate::function::body::{RunInline as _, RunTraced as _};
    pub use crate::function::finished::{GiveOrPanic as _, GiveResult as _};
    pub use crate::kind::{PlaceOfSize as _, PlaceUnsized as _};
}
