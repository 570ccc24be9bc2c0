// A struct of tensors as the state of a loop and as a result.
use graph_runtime::prelude::*;
use graph_runtime::{GraphState, TraceType};

#[derive(Clone, GraphState, TraceType)]
struct Body {
    position: Tensor<f32>,
    speed: Tensor<f32>,
}

#[graph_fn]
fn fall(mut body: Body, steps: Tensor<i32>) -> Body {
    for _ in 0..steps {
        body.speed += 10.0;
        body.position = body.position - body.speed;
        if body.position < 0.0 {
            body = Body {
                position: tensor(0.0),
                speed: -body.speed,
            };
        }
    }
    body
}

#[test]
fn runs() {
    let body = fall(
        Body {
            position: tensor(100.0),
            speed: tensor(0.0),
        },
        tensor(2),
    );
    assert_eq!((body.position.item(), body.speed.item()), (70.0, 20.0));
    let body = fall(
        Body {
            position: tensor(25.0),
            speed: tensor(0.0),
        },
        tensor(2),
    );
    assert_eq!((body.position.item(), body.speed.item()), (0.0, -20.0));
}
