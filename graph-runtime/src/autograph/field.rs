//! The fields of a struct with `#[derive(GraphState)]`. Each must be state. One that can't even be a result is reported where the derived code splits
//! it, so it isn't reported here a second time.

use std::marker::PhantomData;

use crate::state::{GraphState, Nest};

/// A field of this type.
pub struct Field<T>(PhantomData<T>);

/// A field of this type.
pub fn field<T>() -> Field<T> {
    Field(PhantomData)
}

/// A field that can be a result.
pub trait FieldOfResult<T> {
    #[doc(hidden)]
    fn must_be_state(self)
    where
        T: GraphState;
}
impl<T: Nest> FieldOfResult<T> for Field<T> {
    fn must_be_state(self)
    where
        T: GraphState,
    {
    }
}

/// Any other field.
pub trait FieldOfOther {
    #[doc(hidden)]
    fn must_be_state(&self);
}
impl<T> FieldOfOther for Field<T> {
    fn must_be_state(&self) {}
}
