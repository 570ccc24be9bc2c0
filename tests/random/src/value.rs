//! A tensor of any dtype, as programs use it. It connects the interpreter, which knows dtypes only at run time, with the public API, which
//! has them in types.

use graph_runtime::function::Signature;
use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::{self, Attr, Attrs};
use graph_runtime::prelude::*;
use graph_runtime::tensor::AnyTensor;
use graph_runtime::{Argument, Array, DType, Location, Nest};

/// A tensor whose static type doesn't have the dtype.
#[derive(Clone, Debug)]
pub struct Value(pub AnyTensor);

/// Runs code with the Rust type of a dtype that programs use.
#[macro_export]
macro_rules! for_dtype {
    ($dtype:expr, $T:ident => $body:expr) => {
        match $dtype {
            graph_runtime::DType::F64 => {
                type $T = f64;
                $body
            }
            graph_runtime::DType::F32 => {
                type $T = f32;
                $body
            }
            graph_runtime::DType::I32 => {
                type $T = i32;
                $body
            }
            graph_runtime::DType::I64 => {
                type $T = i64;
                $body
            }
            graph_runtime::DType::U8 => {
                type $T = u8;
                $body
            }
            graph_runtime::DType::Bool => {
                type $T = bool;
                $body
            }
            other => unreachable!("no program has a value of {other}"),
        }
    };
}

impl Value {
    /// A constant.
    pub fn constant(array: &Array) -> Value {
        Value(AnyTensor::constant(array.clone()))
    }

    /// The value of a tensor with a static type.
    pub fn of<T: Element>(tensor: Tensor<T>) -> Value {
        Value(tensor.into_any())
    }

    /// The tensor with a static type.
    ///
    /// # Panics
    /// If it has another dtype, which can only be while a program is made smaller.
    pub fn typed<T: Element>(&self) -> Tensor<T> {
        assert_eq!(self.0.dtype(), T::DTYPE, "a value of another dtype");
        Tensor::from_any(self.0.clone())
    }

    /// The same value with all sizes unknown while tracing.
    pub fn relaxed(&self) -> Value {
        let Some(rank) = self.0.shape().rank() else {
            return self.clone();
        };
        if rank == 0 {
            return self.clone();
        }
        let shape = Attr::Shape(Shape::of(vec![None; rank]));
        let attrs = Attrs::new().with("shape", shape);
        Value(AnyTensor::apply(&ops::RELAX_SHAPE, attrs, &[&self.0]))
    }

    /// A placeholder of this type with unknown sizes, to trace a function without calling it.
    pub fn placeholder(ty: &TensorType) -> Value {
        let open = vec![None; ty.shape.rank().expect("programs know ranks")];
        for_dtype!(ty.dtype, T => Value::of(TensorSpec::<T>::new(&open).placeholder::<Dyn>()))
    }
}

impl Nest for Value {
    type Structure = ();
    fn structure(&self) -> Option<()> {
        Some(())
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        visit(&self.0);
    }
    fn rebuild((): &(), next: &mut dyn FnMut() -> AnyTensor) -> Value {
        Value(next())
    }
}

impl GraphState for Value {}

impl Argument for Value {
    fn trace_type(&self, signature: &mut Signature) {
        signature.tensor(&self.0);
    }
    fn set_apart(&mut self, location: &Location) {
        for_dtype!(self.0.dtype(), T => {
            let mut tensor = self.typed::<T>();
            tensor.set_apart(location);
            self.0 = tensor.into_any();
        });
    }
}

/// The values as numbers of `f64`.
pub fn numbers(array: &Array) -> Vec<f64> {
    fn of<T: Element>(array: &Array, number: impl Fn(&T) -> f64) -> Vec<f64> {
        let values = array.values::<T>().expect("the dtype says so");
        values.iter().map(number).collect()
    }
    match array.dtype() {
        DType::F64 => of(array, |v: &f64| *v),
        DType::F32 => of(array, |v: &f32| f64::from(*v)),
        DType::I32 => of(array, |v: &i32| f64::from(*v)),
        DType::I64 => of(array, |v: &i64| *v as f64),
        DType::U8 => of(array, |v: &u8| f64::from(*v)),
        DType::Bool => of(array, |v: &bool| f64::from(u8::from(*v))),
        other => unreachable!("no program has a value of {other}"),
    }
}

/// An array of a dtype with these numbers, which the dtype must be able to hold.
pub fn array_of(dtype: DType, shape: &[usize], numbers: &[f64]) -> Array {
    fn of<T: Element>(shape: &[usize], numbers: &[f64], value: impl Fn(f64) -> T) -> Array {
        Array::new(shape, numbers.iter().map(|n| value(*n)).collect())
    }
    match dtype {
        DType::F64 => of(shape, numbers, |n| n),
        DType::F32 => of(shape, numbers, |n| n as f32),
        DType::I32 => of(shape, numbers, |n| n as i32),
        DType::I64 => of(shape, numbers, |n| n as i64),
        DType::U8 => of(shape, numbers, |n| n as u8),
        DType::Bool => of(shape, numbers, |n| n != 0.0),
        other => unreachable!("no program has a value of {other}"),
    }
}
