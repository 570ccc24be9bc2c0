//! Methods: each has a function beside it that gives access to its traces, even a private one if the attribute is on its `impl` block.

use graph_runtime::TraceType;
use graph_runtime::prelude::*;

#[derive(Clone, TraceType)]
struct Line {
    slope: Tensor<f32>,
    offset: i32,
}

#[graph_fn]
impl Line {
    fn at(&self, x: Tensor<f32>) -> Tensor<f32> {
        x * &self.slope + self.offset as f32
    }

    fn moved<const N: usize>(mut self, by: Tensor<f32, shape![_]>) -> Tensor<f32> {
        self.slope = self.slope + by.sum().dynamic();
        self.slope * N as f32
    }

    fn unit(x: Tensor<f32>) -> Tensor<f32> {
        x / 2.0
    }
}

fn line() -> Line {
    Line {
        slope: tensor(2.0),
        offset: 1,
    }
}

#[test]
fn a_private_method_has_its_graph_function_beside_it() {
    assert_eq!(line().at(tensor([1.0, 2.0])).to_vec(), [3.0, 5.0]);
    assert!(Line::at_function().trace_count() > 0);
    assert!(Line::at_to_code().contains("fn at"));
    assert_eq!(Line::unit(tensor(4.0)).item(), 2.0);
    assert!(Line::unit_function().trace_count() > 0);
}

#[test]
fn concrete_functions_of_methods_take_specs() {
    let at = line().at_concrete(TensorSpec::new(&[None, None])).unwrap();
    let y: Tensor<f32> = at.call((&line(), tensor([[1.0f32], [2.0]]))).unwrap();
    assert_eq!(y.to_vec(), [3.0, 5.0]);
    let moved = line()
        .moved_concrete::<3>(TensorSpec::new(&[None]))
        .unwrap();
    let y: Tensor<f32> = moved.call((line(), tensor([1.0f32, 2.0]))).unwrap();
    assert_eq!(y.item(), 15.0);
    assert_eq!(line().moved::<3>(tensor([1.0f32; 9])).item(), 33.0);
    assert_eq!(Line::moved_function().trace_count(), 1);
    let unit = Line::unit_concrete(TensorSpec::of_any_rank()).unwrap();
    assert!(unit.signature().contains("<unknown>"));
}

#[graph_fn]
fn first(x: Tensor<f32, shape![_]>) -> graph_runtime::Result<Tensor<f32>> {
    Ok(x.dynamic())
}

#[graph_fn]
fn first_or_panic(x: Tensor<f32, shape![_]>) -> Tensor<f32> {
    x.dynamic()
}

const ENDLESS: u32 = line!() + 3;
#[graph_fn]
fn endless(x: Tensor<f32>) -> graph_runtime::Result<Tensor<f32>> {
    endless(x + 1.0)
}

/// An argument that doesn't fit is reported at the line of the call, not at the function that was called.
#[test]
fn an_argument_that_does_not_fit_is_an_error_of_the_line_that_gives_it() {
    let matrix = || tensor([[1.0f32]]).dynamic();
    let errors = [
        (line!(), first(matrix()).unwrap_err()),
        (line!(), first::concrete(matrix()).unwrap_err()),
        (line!(), first_or_panic::concrete(matrix()).unwrap_err()),
    ];
    for (line, error) in errors {
        assert_eq!(error.location().line, line, "{error}");
        assert!(error.location().file.ends_with("methods.rs"), "{error}");
    }
    // A recursion without end is reported at the call in the body.
    let error = endless(tensor(1.0)).unwrap_err();
    assert_eq!(error.location().line, ENDLESS, "{error}");
}
