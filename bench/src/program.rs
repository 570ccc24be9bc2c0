//! A workload's function with its arguments, ready to be called repeatedly.

use std::hint::black_box;
use std::path::Path;

use graph_runtime::Tensor;

use crate::npy::{FileError, Inputs, Outputs, Value};

/// A program that can be timed.
pub trait Program {
    /// Calls the function once. The call is complete when this returns.
    fn call(&mut self);

    /// Calls the function once and writes its results.
    ///
    /// # Errors
    /// If a file can't be written.
    fn write_outputs(&mut self, folder: &Path) -> Result<(), FileError>;
}

/// A program of a closure that makes one call.
struct Calls<F>(F);

impl<R: Outputs, F: FnMut() -> R> Program for Calls<F> {
    fn call(&mut self) {
        black_box((self.0)());
    }

    fn write_outputs(&mut self, folder: &Path) -> Result<(), FileError> {
        (self.0)().write(folder)
    }
}

/// Builds the program of a workload from the inputs in a folder.
pub type Build = Box<dyn Fn(&Path) -> Result<Box<dyn Program>, FileError>>;

/// Makes a program of a closure that makes one call.
pub fn calls<R: Outputs>(call: impl FnMut() -> R + 'static) -> Box<dyn Program> {
    Box::new(Calls(call))
}

/// Functions of tensors. `Args` are the types of the parameters.
pub trait Function<Args>: Copy + 'static {
    /// Makes a program of the function and its inputs.
    ///
    /// # Errors
    /// If inputs are missing or don't have the dtypes of the parameters.
    fn with_inputs(self, inputs: Inputs<'_>) -> Result<Box<dyn Program>, FileError>;
}

macro_rules! functions {
    ($(($($type:ident $argument:ident),*))*) => { $(
        impl<Func, R, $($type),*> Function<($(Tensor<$type>,)*)> for Func
        where
            Func: Fn($(Tensor<$type>),*) -> R + Copy + 'static,
            R: Outputs,
            $($type: Value,)*
        {
            fn with_inputs(self, mut inputs: Inputs<'_>) -> Result<Box<dyn Program>, FileError> {
                $(let $argument = inputs.take::<$type>()?;)*
                Ok(calls(move || self($($argument.clone()),*)))
            }
        }
    )* };
}
functions! {
    (A a)
    (A a, B b)
    (A a, B b, C c)
    (A a, B b, C c, D d, E e)
    (A a, B b, C c, D d, E e, F f)
    (A a, B b, C c, D d, E e, F f, G g)
}

/// Builds the program of a graph function whose arguments are the inputs, unchanged.
pub fn function<Args>(f: impl Function<Args>) -> Build {
    Box::new(move |folder| f.with_inputs(Inputs::new(folder)))
}
