//! The workloads by name. Each is a graph function, written like a user's, with the same algorithm as the programs in the frameworks that
//! it is compared with.

pub mod call_costs;
pub mod calls;
pub mod dense;
pub mod elementwise;
pub mod equations;
pub mod filters;
pub mod gpt;
pub mod loops;
pub mod pictures;
pub mod recurrent;
pub mod rows;
pub mod searches;
pub mod training;
pub mod unrolled;

use graph_runtime::prelude::*;

use crate::program::{Build, function};

/// The builder of the workload with this name; `None` if there is none.
pub fn find(name: &str) -> Option<Build> {
    Some(match name {
        "call_overhead_add_scalar" => function(calls::add_scalar),
        "seed_square_if_positive_scalar" => function(calls::square_if_positive),
        "trace_time_100_ops" => Box::new(calls::trace_anew),

        "seed_sum_even_4" => function(loops::sum_even),
        "seed_fizzbuzz_like_counter" => function(loops::fizzbuzz),
        "seed_for_rows_100x100" => function(loops::for_rows),
        "while_scalar_collatz" => function(loops::collatz_steps),
        "while_newton_sqrt" => function(loops::newton_sqrt),

        "ode_rk45_2d" => function(equations::adaptive),
        "grad_ode_rk4_2d" => function(equations::gradient),
        "kalman_2x2" => function(filters::kalman),
        "grad_kalman_2x2" => function(filters::gradient),
        "viterbi_32x200" => function(searches::viterbi),
        "kmeans_10k_8_10" => function(searches::k_means),
        "mandelbrot_256" => function(pictures::mandelbrot),
        "life_256_100" => function(pictures::life),
        "scan_rows_32x1000" => function(loops::scan_rows),
        "map_small_fn" => function(loops::cube_roots),

        "while_rnn_1000_b1" | "while_rnn_1000_b32" => function(recurrent::rnn),
        "seed_lstm_cell_10" => function(recurrent::lstm_cell),
        "lstm_seq_128x64" => function(recurrent::lstm_sequence),
        "lstm_gradient_128x64" => function(recurrent::lstm_gradient),

        "seed_power_10x10_i32_100" => function(unrolled::power),
        "seed_costly_100x100_f32_99" => function(unrolled::costly),

        "matmul_f32_64" | "matmul_f32_256" | "matmul_f32_1024" | "batched_matmul_32x128x128" => {
            function(dense::product::<f32>)
        }
        "matmul_f64_512" => function(dense::product::<f64>),
        "attention_b8_h8_s256_d64" => function(dense::attention),
        "seed_conv2d_200x200x100_100f_3x3" => function(dense::conv2d),

        "elementwise_chain_1e6" | "elementwise_chain_1e3" => function(elementwise::chain),
        "relu_4e6" => function(elementwise::relu),
        "seed_collatz_vec" => function(elementwise::collatz),

        "softmax_rows_4096x1024" | "softmax_rows_4096x256" => function(rows::softmax),
        "layernorm_4096x1024" | "layernorm_4096x4096" => function(rows::layer_norm),
        "gelu_mlp_block" => function(rows::gelu_block),
        "seed_vectorized_100x100" => function(rows::vectorized),
        "reduce_sum_axis0_4096x1024" => function(rows::column_sums),
        "reduce_sum_all_1e7" => function(rows::sum),
        "transpose_2048" => function(rows::transpose),

        "grad_while_100" => function(training::while_gradient),
        "grad_mlp_value_and_grad" => Box::new(training::gradients),
        "mlp_train_step_bs128_784_512_512_10" => Box::new(training::one_step),
        "adam_1e6" | "adam_4e6" | "adam_16e6" => Box::new(training::one_update),
        "seed_mlp_mnist_train" => Box::new(training::all_steps),
        "gpt_train_step" => Box::new(gpt::training),
        "gpt_sample_32" => Box::new(gpt::sampling),
        _ => return call_costs::find(name),
    })
}

/// Calls a function once, so that the first call of a workload doesn't include what only the first call of the process costs.
pub fn warm_up() {
    #[graph_fn]
    fn double(x: Tensor<f32>) -> Tensor<f32> {
        x * 2.0
    }
    double(tensor(1.0));
}
