//! The portfolio of least variance out of a table of prices, its drawdown, and its value at risk.

use graph_runtime::prelude::*;

/// The covariance of the columns.
#[graph_fn]
fn covariance(returns: &Tensor<f64>) -> Tensor<f64> {
    let n = returns.shape()[0];
    let centered = returns - returns.mean_axis(0, true);
    centered.transpose().matmul(&centered) / (n - 1) as f64
}

#[graph_fn]
fn least_variance(returns: &Tensor<f64>) -> Tensor<f64> {
    let sigma = covariance(returns);
    let ones = ones([returns.shape()[1], 1]);
    let weights = sigma.solve(&ones).squeeze();
    &weights / weights.sum()
}

#[graph_fn]
fn max_drawdown(values: &Tensor<f64>) -> Tensor<f64> {
    let mut peak = values[0];
    let mut worst = tensor(0.0);
    for value in values {
        if value > peak {
            peak = value;
        }
        worst = worst.maximum(1.0 - value / peak);
    }
    worst
}

fn main() {
    let prices = tensor([
        [100.0, 50.0],
        [110.0, 49.0],
        [99.0, 51.0],
        [108.9, 50.0],
        [120.0, 52.0],
    ]);
    let returns = &prices[1..] / &prices[..-1] - 1.0;
    let weights = least_variance(&returns);
    assert!((weights.sum().item() - 1.0).abs() < 1e-12);
    // With two assets: w = (b - c) / (a + b - 2c).
    let sigma = covariance(&returns).to_vec();
    let (a, c, b) = (sigma[0], sigma[1], sigma[3]);
    assert!((weights.get(0).item() - (b - c) / (a + b - 2.0 * c)).abs() < 1e-9);

    let portfolio = returns.matvec(&weights);
    let wealth = (&portfolio + 1.0).cumprod(0);
    assert_eq!(wealth.shape(), [4]);
    let drawdown = max_drawdown(&tensor([100.0, 120.0, 90.0, 130.0, 117.0]));
    assert!((drawdown.item() - 0.25).abs() < 1e-12);
    let risk = -returns.quantile(0.25);
    assert!(risk.item() > 0.0);
}
