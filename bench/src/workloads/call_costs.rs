//! The overhead of calls: each workload adds one to the scalar 1.5 by another way of calling. They need no inputs from files.
//! `call-overhead` prints them side by side; `scripts/call_costs.py` compares them with TensorFlow and JAX.

use std::sync::Arc;

use graph_runtime::prelude::*;
use graph_runtime::{ConcreteFunction, Error, TraceType};

use crate::program::{Build, Program, calls};

type Scalar = Tensor<f32>;

/// A workload: its name, its description, and how it is made.
pub struct CallCost {
    /// The workload's name.
    pub name: &'static str,
    /// How the call is made.
    pub about: &'static str,
    /// The program that makes one call.
    pub program: fn() -> Result<Box<dyn Program>, Error>,
}

/// All ways of calling.
pub const CALL_COSTS: [CallCost; 7] = [
    CallCost {
        name: "call_eager",
        about: "no graph: the operation, called as plain Rust",
        program: eager,
    },
    CallCost {
        name: "call_one_scalar",
        about: "one scalar",
        program: one_scalar,
    },
    CallCost {
        name: "call_eight_arguments",
        about: "eight arguments",
        program: eight_arguments,
    },
    CallCost {
        name: "call_struct_of_twenty",
        about: "a struct of twenty tensors",
        program: struct_of_twenty,
    },
    CallCost {
        name: "call_one_of_a_hundred_traces",
        about: "a scalar and a number, which chooses one of a hundred traces",
        program: one_of_a_hundred_traces,
    },
    CallCost {
        name: "call_concrete",
        about: "a concrete function, by values",
        program: concrete_by_values,
    },
    CallCost {
        name: "call_concrete_flat",
        about: "a concrete function, flat",
        program: concrete_flat,
    },
];

/// The builder of the workload with this name; `None` if there is none.
pub fn find(name: &str) -> Option<Build> {
    let cost = CALL_COSTS.iter().find(|cost| cost.name == name)?;
    Some(Box::new(|_| {
        Ok((cost.program)().unwrap_or_else(|error| panic!("{error}")))
    }))
}

fn scalar() -> Scalar {
    tensor(1.5)
}

#[graph_fn]
fn add_scalar(x: Tensor<f32>) -> Tensor<f32> {
    x + 1.0
}

fn eager() -> Result<Box<dyn Program>, Error> {
    let x = scalar();
    Ok(calls(move || &x + 1.0))
}

fn one_scalar() -> Result<Box<dyn Program>, Error> {
    let x = scalar();
    Ok(calls(move || add_scalar(x.clone())))
}

fn eight_arguments() -> Result<Box<dyn Program>, Error> {
    #[graph_fn]
    #[allow(clippy::too_many_arguments, reason = "eight is what is timed")]
    fn add_to_first(
        a: Scalar,
        _b: Scalar,
        _c: Scalar,
        _d: Scalar,
        _e: Scalar,
        _f: Scalar,
        _g: Scalar,
        _h: Scalar,
    ) -> Scalar {
        a + 1.0
    }
    let eight = [(); 8].map(|()| scalar());
    Ok(calls(move || {
        let [a, b, c, d, e, f, g, h] = eight.clone();
        add_to_first(a, b, c, d, e, f, g, h)
    }))
}

#[derive(TraceType)]
struct Twenty {
    tensors: [Scalar; 20],
}

fn struct_of_twenty() -> Result<Box<dyn Program>, Error> {
    #[graph_fn]
    fn add_to_first(model: &Twenty) -> Scalar {
        &model.tensors[0] + 1.0
    }
    let model = Twenty {
        tensors: [(); 20].map(|()| scalar()),
    };
    Ok(calls(move || add_to_first(&model)))
}

fn one_of_a_hundred_traces() -> Result<Box<dyn Program>, Error> {
    #[graph_fn]
    fn add_one(x: Scalar, _number: i32) -> Scalar {
        x + 1.0
    }
    let x = scalar();
    (0..100).for_each(|number| drop(add_one(x.clone(), number)));
    let mut number = 0;
    Ok(calls(move || {
        number = (number + 1) % 100;
        add_one(x.clone(), number)
    }))
}

fn concrete() -> Result<Arc<ConcreteFunction>, Error> {
    add_scalar::concrete(scalar())
}

fn concrete_by_values() -> Result<Box<dyn Program>, Error> {
    let (concrete, x) = (concrete()?, scalar());
    Ok(calls(move || given(concrete.call(x.clone()))))
}

fn concrete_flat() -> Result<Box<dyn Program>, Error> {
    let (concrete, x) = (concrete()?, scalar());
    Ok(calls(move || given(concrete.call_flat(&[x.as_any()]))))
}

fn given(result: Result<Scalar, Error>) -> Scalar {
    result.unwrap_or_else(|error| panic!("{error}"))
}
