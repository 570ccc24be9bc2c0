//! A group normalization has the outputs and gradients of PyTorch's 2.15 (`torch.nn.functional.group_norm`, with the channels moved).

use graph_runtime::nn::{GroupNorm, Module};
use graph_runtime::prelude::*;

use super::both;

fn x() -> Tensor<f32> {
    tensor([
        [[[1.0, -2.0, 0.5, 3.0], [0.0, 4.0, -1.0, 2.0]]],
        [[[2.0, 2.5, -3.0, 1.0], [-1.0, 0.25, 1.5, -2.0]]],
    ])
}

/// The output, and the gradients of the sum of its squares with respect to the input, the factors and the offsets.
#[graph_fn]
fn run(layer: &GroupNorm, x: Tensor<f32>) -> [Tensor<f32>; 4] {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = layer.call(&x);
    let (of_weights, of_x) = tape.gradient(&y.square().sum(), (layer, &x));
    let [gamma, beta] = [0, 1].map(|i| of_weights[i].tensor::<f32>().unwrap());
    [y, of_x.unwrap(), gamma, beta]
}

#[track_caller]
fn check(groups: usize, expected: [&[f32]; 4]) {
    let layer = GroupNorm::new(groups, 4);
    let weights = [[1.0, 2.0, -0.5, 0.25], [0.5, 0.0, -1.0, 2.0]];
    for (parameter, weight) in layer.parameters().iter().zip(weights) {
        parameter.variable::<f32>().unwrap().assign(tensor(weight));
    }
    for found in both(|| run(&layer, x())) {
        for (found, expected) in found.iter().zip(expected) {
            let found = found.to_vec();
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 2e-5, "{found}, not {expected}");
            }
        }
    }
}

#[test]
fn one_group() {
    let y = [
        0.5332732, -3.1276808, -0.8835438, 2.274504, 0.000902, 3.2607737, -0.4842654, 2.141411,
        1.4967092, 2.5340066, -0.1468845, 2.1140304, -0.1250549, 0.1013603, -1.3632076, 1.7085893,
    ];
    let of_x = [
        0.1302947, -2.632544, 0.7770875, -2.808936, 1.0518928, 2.0409553, 2.7971773, -1.3559273,
        -0.6037159, 2.9610782, 0.8216234, -1.0576841, -0.5786437, -0.9652961, -1.1885743,
        0.6112125,
    ];
    let of_gamma = [3.174487, 26.846495, -0.0686854, 5.362734];
    let of_beta = [3.811659, 5.536919, -5.7558026, 16.47707];
    check(1, [&y, &of_x, &of_gamma, &of_beta]);
}

#[test]
fn several_groups() {
    let y = [
        0.6154577, -2.5400703, -0.7938483, 2.3092275, 0.1536268, 3.0019011, -0.2990844, 2.1443062,
        1.2608294, 2.2377336, -0.3803727, 2.2119777, -0.8873948, -0.9846027, -1.5544034, 1.8206342,
    ];
    let of_x = [
        -0.2351508, -0.5430258, 0.0646286, -0.0510909, 0.9892509, -0.2110742, -0.0495332,
        0.0359955, -1.4501688, 2.1066957, -0.0684963, -0.108299, 1.7551152, -2.4116418, 0.0733769,
        0.1034184,
    ];
    let of_gamma = [4.41658, 21.440262, -1.0111644, 9.32675];
    let of_beta = [2.2850382, 3.4299233, -6.0554175, 16.972292];
    check(2, [&y, &of_x, &of_gamma, &of_beta]);
}

#[test]
fn as_many_groups_as_channels() {
    let y = [
        1.498006, -1.9998889, -1.4995561, 2.2495015, -0.498006, 1.9998889, -0.5004439, 1.7504985,
        1.4997779, 1.9992104, -0.5000494, 2.2499444, -0.4997779, -1.9992104, -1.4999506, 1.7500556,
    ];
    let of_x = [
        0.0158728, -0.0002962, 0.001181, 0.000992, -0.0158728, 0.0002962, -0.001181, -0.000992,
        0.0005921, 0.0056098, -4.39e-05, 3.7e-05, -0.0005921, -0.0056098, 4.39e-05, -3.7e-05,
    ];
    let of_gamma = [7.982287, 15.992795, -3.9960558, 1.9955717];
    check(4, [&y, &of_x, &of_gamma, &[4.0, 0.0, -8.0, 16.0]]);
}

#[test]
fn batches_whose_size_only_a_run_knows() {
    #[graph_fn]
    fn normalized(layer: &GroupNorm, x: Tensor<f32, shape![_, _, _, 4]>) -> Tensor<f32> {
        layer.call(x)
    }
    let found = normalized(&GroupNorm::new(2, 4).epsilon(0.0), x());
    assert_eq!(found.shape(), [2, 1, 2, 4]);
    // The first group of the second example: 2, 2.5, -1 and 0.25, whose mean is 15/16.
    let values = [2.0, 2.5, -1.0, 0.25f32].map(|v| v - 15.0 / 16.0);
    let deviation = (values.iter().map(|v| v * v).sum::<f32>() / 4.0).sqrt();
    let first = found.get((1, 0, 0, 0)).item();
    assert!((first - values[0] / deviation).abs() < 1e-6, "{first}");
}

#[test]
fn groups_that_do_not_divide_the_channels() {
    #[graph_fn]
    fn made(x: Tensor<f32>, groups: usize) -> graph_runtime::Result<Tensor<f32>> {
        Ok(GroupNorm::new(groups, 4).call(x))
    }
    for groups in [0, 3] {
        let message = made(x(), groups).unwrap_err().to_string();
        let expected = format!("GroupNorm can't divide 4 channels into {groups} groups");
        assert!(message.contains(&expected), "{message}");
    }
}
