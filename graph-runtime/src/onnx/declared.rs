//! Functions whose body is a model: what the code of `#[graph_fn(onnx = "model.onnx")]` calls, and the checks of their types, which the compiler
//! evaluates.

use std::path::Path;
use std::sync::OnceLock;

use graph_formats::onnx;
use graph_kernels::{DType, Element};

use super::load::{function, name_of};
use crate::error::{Error, Location, Result};
use crate::function::LoadedFunction;
use crate::function::finished::{Ended, Finished};
use crate::state::Nest;
use crate::tensor::{ShapeSpec, Tensor};
use crate::trace::AnyTensor;
use crate::tuples::up_to_twelve;

/// A model that a function declares. It is read at the first call.
pub struct ModelFile {
    /// The path as it is written.
    path: &'static str,
    source: Source,
    loaded: OnceLock<Result<LoadedFunction>>,
}

enum Source {
    /// The content of the file.
    Bytes(&'static [u8]),
    /// Where the compiler found the file.
    File(&'static str),
}

impl ModelFile {
    /// A model that is part of the program.
    pub const fn embedded(path: &'static str, bytes: &'static [u8]) -> ModelFile {
        ModelFile::new(path, Source::Bytes(bytes))
    }

    /// A model that is read when the program runs: from the path, or else from where the compiler found it.
    pub const fn in_file(path: &'static str, found: &'static str) -> ModelFile {
        ModelFile::new(path, Source::File(found))
    }

    const fn new(path: &'static str, source: Source) -> ModelFile {
        ModelFile {
            path,
            source,
            loaded: OnceLock::new(),
        }
    }

    /// Calls the model: a node of the trace of the function that declares it.
    #[track_caller]
    pub fn call<R: Nest>(&self, arguments: &[&AnyTensor]) -> Finished<R> {
        let location = Location::caller();
        let result = self
            .loaded(&location)
            .and_then(|loaded| loaded.call_tensors(arguments, &location));
        Finished::new(result.map(Ended::Result))
    }

    fn loaded(&self, location: &Location) -> Result<&LoadedFunction> {
        let loaded = self.loaded.get_or_init(|| {
            let name = name_of(Path::new(self.path));
            let loaded = self.read().and_then(|model| function(&name, &model));
            loaded.map_err(|error| {
                let message = format!("the model `{}` can't be used: {error}", self.path);
                Error::trace(message, location.clone())
            })
        });
        loaded.as_ref().map_err(Error::clone)
    }

    fn read(&self) -> Result<onnx::Model, onnx::Error> {
        match self.source {
            Source::Bytes(bytes) => onnx::Model::from_bytes(bytes),
            Source::File(found) => {
                let is_here = Path::new(self.path).exists();
                onnx::Model::load(if is_here { self.path } else { found })
            }
        }
    }
}

/// What a model declares of an input or output.
pub struct DeclaredTensor {
    /// The dtype.
    pub dtype: DType,
    /// The sizes of the axes, if their number is known.
    pub sizes: Option<&'static [Option<usize>]>,
}

/// A parameter of a function whose body is a model.
#[diagnostic::on_unimplemented(
    message = "a model takes tensors, and `{Self}` is none",
    label = "expected a `Tensor`"
)]
pub trait ModelArgument {
    /// What the type says.
    const DECLARED: DeclaredTensor;
}

impl<T: Element, S: ShapeSpec> ModelArgument for Tensor<T, S> {
    const DECLARED: DeclaredTensor = DeclaredTensor {
        dtype: T::DTYPE,
        sizes: S::SIZES,
    };
}

#[diagnostic::do_not_recommend]
impl<A: ModelArgument> ModelArgument for &A {
    const DECLARED: DeclaredTensor = A::DECLARED;
}

/// The result of a function whose body is a model.
#[diagnostic::on_unimplemented(
    message = "a model gives tensors, which `{Self}` can't hold",
    label = "expected a `Tensor`, a tuple of them, or a `Result` of those"
)]
pub trait ModelResult {
    /// What the type says of each tensor.
    const DECLARED: &'static [DeclaredTensor];
}

#[diagnostic::do_not_recommend]
impl<T: Element, S: ShapeSpec> ModelResult for Tensor<T, S> {
    const DECLARED: &'static [DeclaredTensor] = &[<Self as ModelArgument>::DECLARED];
}

#[diagnostic::do_not_recommend]
impl<R: ModelResult, E> ModelResult for Result<R, E> {
    const DECLARED: &'static [DeclaredTensor] = R::DECLARED;
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($name: ModelArgument),*> ModelResult for ($($name,)*) {
            const DECLARED: &'static [DeclaredTensor] = &[$($name::DECLARED),*];
        }
    )* };
}
up_to_twelve!(tuples);

/// Fails with the message if the function accepts what the model doesn't. A type without a shape leaves the check to the call.
#[track_caller]
pub const fn check_argument<A: ModelArgument>(declared: &DeclaredTensor, message: &str) {
    let given = A::DECLARED;
    if !same_dtype(&given, declared) || !fits(given.sizes, declared.sizes, false) {
        panic!("{}", message);
    }
}

/// Fails with the message of a result if it can't be what the function returns, or with that for all of them if their number is another.
#[track_caller]
pub const fn check_results<R: ModelResult>(declared: &[(DeclaredTensor, &str)], all: &str) {
    let given = R::DECLARED;
    if given.len() != declared.len() {
        panic!("{}", all);
    }
    let mut i = 0;
    while i < given.len() {
        let (declared, message) = &declared[i];
        if !same_dtype(&given[i], declared) || !fits(given[i].sizes, declared.sizes, true) {
            panic!("{}", *message);
        }
        i += 1;
    }
}

const fn same_dtype(a: &DeclaredTensor, b: &DeclaredTensor) -> bool {
    a.dtype as u8 == b.dtype as u8
}

/// Whether a declared shape fits the model's. A size that only the model knows fits if it may be open in the function.
const fn fits(
    given: Option<&[Option<usize>]>,
    model: Option<&[Option<usize>]>,
    may_be_open: bool,
) -> bool {
    let (Some(given), Some(model)) = (given, model) else {
        return true;
    };
    if given.len() != model.len() {
        return false;
    }
    let mut i = 0;
    while i < given.len() {
        let fit = match (given[i], model[i]) {
            (Some(given), Some(model)) => given == model,
            (None, Some(_)) => may_be_open,
            (_, None) => true,
        };
        if !fit {
            return false;
        }
        i += 1;
    }
    true
}
