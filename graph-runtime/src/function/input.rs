//! Parameters whose types specify a shape: such a type is an input signature. The function accepts every tensor that fits it. If an
//! argument's static type leaves the fit open, the call checks it and reports TensorFlow's error message.

use graph_ir::types::TypeSpec;
use graph_kernels::Element;

use super::call::Call;
use super::describe::no_cast;
use super::{IntoArgument, TensorSpec};
use crate::error::{Error, Location};
use crate::graph::TensorType;
use crate::signature::{Argument, Signature};
use crate::tensor::{Any, FitsShape, S0, S1, S2, S3, ShapeSpec, Tensor, of_shape, spec_of, tensor};
use crate::trace::{self, AnyTensor, Repr};
use crate::variable::Variable;

/// Arguments for a parameter of type `P`, a tensor type that specifies its shape: a tensor whose shape may fit, or Rust values that make one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be given for a parameter of type `{P}`",
    label = "expected a `{P}`, or a `Tensor` of the same elements without a shape in its type"
)]
pub trait IntoSpec<P> {
    /// The tensor; its shape isn't checked yet.
    #[doc(hidden)]
    #[track_caller]
    fn into_unchecked(self) -> P;
}

#[diagnostic::do_not_recommend]
impl<T: Element, S: FitsShape<P>, P> IntoSpec<Tensor<T, P>> for Tensor<T, S> {
    fn into_unchecked(self) -> Tensor<T, P> {
        Tensor::from_any(self.into_any())
    }
}

/// A reference stands for its tensor, and a variable for its value at the time of the call.
macro_rules! others {
    ($($type:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element, S: FitsShape<P>, P> IntoSpec<Tensor<T, P>> for $type {
            fn into_unchecked(self) -> Tensor<T, P> {
                IntoArgument::<Tensor<T, S>>::into_argument(self).into_unchecked()
            }
        }
    )* };
}
others! { &Tensor<T, S> &&Tensor<T, S> Variable<T, S> &Variable<T, S> }

/// Arguments for a parameter of type `P` with a shape, where the function is traced without being called: whatever a call accepts,
/// or a [`TensorSpec`]; the trace then uses the shape of the parameter's type.
#[diagnostic::on_unimplemented(
    message = "a function can't be traced with `{Self}` for a parameter of type `{P}`",
    label = "expected a `{P}` or a `TensorSpec` of the same elements"
)]
pub trait InputOrSpec<P> {
    /// The argument after conversion.
    type Given: IntoSpec<P>;
    /// The argument to trace with.
    #[doc(hidden)]
    fn to_trace(self) -> Self::Given;
}

impl<P, A: IntoSpec<P>> InputOrSpec<P> for A {
    type Given = A;
    fn to_trace(self) -> A {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, S: ShapeSpec + FitsShape<S>> InputOrSpec<Tensor<T, S>> for TensorSpec<T> {
    type Given = Tensor<T, S>;
    fn to_trace(self) -> Tensor<T, S> {
        self.within(spec_of::<S>()).placeholder()
    }
}

/// Rust values that make a tensor: their types, and the shape that each type implies.
macro_rules! values {
    ($([$($parameters:tt)*] $type:ty => $shape:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element, P, $($parameters)*> IntoSpec<Tensor<T, P>> for $type
        where
            $shape: FitsShape<P>,
        {
            fn into_unchecked(self) -> Tensor<T, P> {
                Tensor::from_any(tensor(self).into_any())
            }
        }
    )* };
}
values! {
    [] T => S0;
    [] Vec<T> => (Any,);
    [const A: usize] [T; A] => S1<A>;
    [const A: usize, const B: usize] [[T; B]; A] => S2<A, B>;
    [const A: usize, const B: usize, const C: usize] [[[T; C]; B]; A] => S3<A, B, C>;
}

impl Call {
    /// Converts the argument of a parameter whose type specifies a shape. If it doesn't fit, the call fails before it begins.
    #[track_caller]
    pub fn input<T: Element, S: ShapeSpec>(
        &mut self,
        parameter: &str,
        argument: impl IntoSpec<Tensor<T, S>>,
    ) -> Input<T, S> {
        let argument = argument.into_unchecked();
        if is_plainly_of::<S>(argument.as_any()) {
            return Input(argument);
        }
        let ty = TensorType::new(T::DTYPE, spec_of::<S>());
        let found = argument.as_any().ty();
        if ty.shape.may_be(&found.shape) {
            return Input(Tensor::from_any(of_shape(argument.as_any(), ty.shape)));
        }
        let location = self.location();
        let [found, ty] = [found, ty].map(TypeSpec::OfTensor);
        let message = format!(
            "Binding inputs to `{}` failed due to {}",
            self.function.name(),
            no_cast(&found, &ty, parameter),
        );
        self.refused
            .get_or_insert_with(|| Error::trace(message, location));
        Input(Tensor::from_any(AnyTensor::new(Repr::Poisoned(T::DTYPE))))
    }
}

/// The argument of a parameter whose type is an input signature: that type enters the signature, whatever the argument's own shape is.
pub struct Input<T: Element, S>(Tensor<T, S>);

impl<T: Element, S: ShapeSpec> Input<T, S> {
    /// Enters the argument into the call's signature.
    pub fn bind(mut self, call: &mut Call) -> Tensor<T, S> {
        if call.enters(<Self as Argument>::holds(0)) {
            let line = call.line;
            call.record().signature.owned(&mut self, line);
        }
        self.0
    }
}

impl<T: Element, S: ShapeSpec> Argument for Input<T, S> {
    fn trace_type(&self, signature: &mut Signature) {
        let ty = TensorType::new(T::DTYPE, spec_of::<S>());
        signature.tensor_of(self.0.as_any(), ty);
    }
    fn set_apart(&mut self, location: &Location) {
        self.0.set_apart(location);
    }
}

/// True for a tensor of this shape outside of any trace. Its own shape is then exact, so nothing else needs to be asked.
fn is_plainly_of<S: ShapeSpec>(x: &AnyTensor) -> bool {
    let (Repr::Concrete(value), Some(sizes)) = (&x.repr, S::SIZES) else {
        return false;
    };
    let mut pairs = sizes.iter().zip(value.shape());
    sizes.len() == value.shape().len()
        && pairs.all(|(size, n)| size.is_none_or(|size| size == *n))
        && !trace::active()
}
