// The attribute on an `impl` block makes each method a graph function.
use graph_runtime::TraceType;
use graph_runtime::prelude::*;

#[derive(Clone, TraceType)]
struct Line {
    slope: Tensor<f32>,
    offset: f32,
}

#[graph_fn]
impl Line {
    pub fn at(&self, x: Tensor<f32>) -> Tensor<f32> {
        let y = self.slope * x + self.offset;
        if y > 0.0 { y } else { 0.0 }
    }

    pub fn steeper(&self, other: &Line) -> Tensor<bool> {
        self.slope > other.slope
    }
}

#[test]
fn runs() {
    let line = Line {
        slope: tensor(2.0),
        offset: 1.0,
    };
    let flat = Line {
        slope: tensor(0.5),
        offset: 0.0,
    };
    assert_eq!(line.at(tensor(3.0)).item(), 7.0);
    assert_eq!(line.at(tensor(-3.0)).item(), 0.0);
    assert!(line.steeper(&flat).item());
    assert!(Line::at_to_code().contains("if_stmt"));
    assert_eq!(Line::at_function().trace_count(), 1);
}
