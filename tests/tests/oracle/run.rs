//! Runs a case eagerly, and in a graph that is optimized.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use graph_kernels::{bf16, f16};
use graph_runtime::autodiff::{Source, Sources};
use graph_runtime::ops::{Attrs, OpDef};
use graph_runtime::prelude::*;
use graph_runtime::tensor::AnyTensor;
use graph_runtime::{Array, DType, Location, Nest, TraceType};

use crate::bits;
use crate::draw::{self, Operand};
use crate::record::Case;

/// A result, and the gradients with respect to the float operands.
pub struct Found {
    pub result: Arc<Array>,
    pub gradients: Vec<Option<Arc<Array>>>,
}

impl Found {
    /// Whether all values are the same, to the last bit.
    pub fn same_as(&self, other: &Found) -> bool {
        same(&self.result, &other.result)
            && self.gradients.len() == other.gradients.len()
            && self
                .gradients
                .iter()
                .zip(&other.gradients)
                .all(|pair| match pair {
                    (Some(a), Some(b)) => same(a, b),
                    (a, b) => a.is_none() && b.is_none(),
                })
    }
}

fn same(a: &Array, b: &Array) -> bool {
    let is_text = a.dtype() == DType::Str;
    a.dtype() == b.dtype()
        && a.shape() == b.shape()
        && if is_text {
            a == b
        } else {
            bits::of(a) == bits::of(b)
        }
}

/// A case with its operands.
pub struct Use {
    row: &'static OpDef,
    attrs: Attrs,
    case: u64,
    operands: Vec<Array>,
    has_gradients: bool,
}

impl Use {
    pub fn new(case: &Case) -> Use {
        let operands = case.operands.iter().enumerate();
        Use {
            row: case.row(),
            attrs: case.attrs(),
            case: case.case,
            operands: operands.map(|(n, x)| x.make(case.case, n as u64)).collect(),
            has_gradients: case.grads.is_some(),
        }
    }

    /// The results of the kernel and of the gradient rule, eagerly.
    pub fn eagerly(&self) -> Found {
        let operands: Vec<AnyTensor> = self.tensors().map(|x| x.tensor()).collect();
        let weights = self
            .weights()
            .map(|weights| Any(Given::new(weights).tensor()));
        found(self.apply(operands, weights))
    }

    /// The same in a graph whose inputs are the operands.
    pub fn traced(self) -> Found {
        let (operands, weights) = (self.tensors().collect(), self.weights().map(Given::new));
        let case = self.case;
        CURRENT.set(Some(Rc::new(self)));
        let found = found(traced(case, operands, weights));
        CURRENT.set(None);
        found
    }

    fn tensors(&self) -> impl Iterator<Item = Given> {
        self.operands.iter().cloned().map(Given::new)
    }

    /// The weights of the result's values. Their shape is that of the kernel's result.
    fn weights(&self) -> Option<Array> {
        if !self.has_gradients {
            return None;
        }
        let operands: Vec<&Array> = self.operands.iter().collect();
        let mut result = Array::default();
        (self.row.kernel)(&operands, &self.attrs, &mut result).unwrap_or_else(|e| panic!("{e}"));
        Some(Operand::weights(&result).make(self.case, draw::WEIGHTS))
    }

    fn apply(&self, operands: Vec<AnyTensor>, weights: Option<Any>) -> (Any, Vec<Option<Any>>) {
        let floats = operands.iter().filter(|x| x.dtype().is_float()).cloned();
        let floats: Vec<Any> = floats.map(Any).collect();
        let tape = GradientTape::new();
        tape.watch(&floats);
        let operands: Vec<&AnyTensor> = operands.iter().collect();
        let result = Any(AnyTensor::apply(self.row, self.attrs.clone(), &operands));
        let gradients = match weights {
            Some(weights) => tape.gradient_with(&result, &weights, &floats),
            None => Vec::new(),
        };
        (result, gradients)
    }
}

fn found((result, gradients): (Any, Vec<Option<Any>>)) -> Found {
    let array = |any: Any| any.0.array();
    Found {
        result: array(result),
        gradients: gradients.into_iter().map(|g| g.map(array)).collect(),
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Rc<Use>>> = const { RefCell::new(None) };
}

/// The number gives each case its own trace.
#[graph_fn]
fn traced(_case: u64, operands: Vec<Given>, weights: Option<Given>) -> (Any, Vec<Option<Any>>) {
    let used = CURRENT.with_borrow(Clone::clone).expect("a case is traced");
    let operands = operands.iter().map(Given::tensor).collect();
    used.apply(operands, weights.map(|weights| Any(weights.tensor())))
}

/// An operand as an argument: an enum with one variant for each dtype.
macro_rules! given {
    ($($variant:ident $type:ty),*) => {
        #[derive(Clone, TraceType)]
        pub enum Given {
            $($variant(Tensor<$type>)),*
        }

        impl Given {
            fn new(array: Array) -> Given {
                match array.dtype() {
                    $(DType::$variant => Given::$variant(Tensor::from_any(AnyTensor::concrete(Arc::new(array))))),*
                }
            }

            fn tensor(&self) -> AnyTensor {
                match self {
                    $(Given::$variant(tensor) => tensor.as_any().clone()),*
                }
            }
        }
    };
}

given! {
    F32 f32, F64 f64, F16 f16, BF16 bf16, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, Bool bool, Str String
}

/// A tensor of any dtype, as a result and as a source of gradients.
#[derive(Clone)]
pub struct Any(AnyTensor);

impl Nest for Any {
    type Structure = ();
    fn structure(&self) -> Option<()> {
        Some(())
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        visit(&self.0);
    }
    fn rebuild((): &(), next: &mut dyn FnMut() -> AnyTensor) -> Any {
        Any(next())
    }
}

impl Sources for Any {
    type Gradients = Option<Any>;
    type Filled = Any;
    fn sources(&self, to: &mut Vec<Source>) {
        to.push(Source::Tensor(self.0.clone()));
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Option<Any> {
        next().map(Any)
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Any {
        Any(next())
    }
    fn apart(&self, _: &Location) -> Option<Any> {
        None
    }
}
