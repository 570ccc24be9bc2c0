//! The price of a European call and its greeks, by differentiation; the implied volatility by Newton's method.

use graph_runtime::prelude::*;

fn normal_cdf(x: &Tensor<f64>) -> Tensor<f64> {
    0.5 * (1.0 + (x / 2f64.sqrt()).erf())
}

#[graph_fn]
fn call_price(spot: &Tensor<f64>, strike: &Tensor<f64>, rate: f64, volatility: &Tensor<f64>, years: f64) -> Tensor<f64> {
    let deviation = volatility * years.sqrt();
    let d1 = ((spot / strike).ln() + (rate + volatility.square() / 2.0) * years) / &deviation;
    let d2 = &d1 - &deviation;
    spot * normal_cdf(&d1) - strike * (-rate * years).exp() * normal_cdf(&d2)
}

#[graph_fn]
fn greeks(spot: &Tensor<f64>, strike: &Tensor<f64>, volatility: &Tensor<f64>) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>) {
    let mut outer = GradientTape::new();
    outer.watch(spot);
    let mut inner = GradientTape::new();
    inner.watch(spot);
    inner.watch(volatility);
    let price = call_price(spot, strike, 0.05, volatility, 1.0);
    let (delta, vega) = inner.gradient(&price, (spot, volatility));
    let delta = delta.unwrap();
    let gamma = outer.gradient(&delta, spot).unwrap();
    (delta, gamma, vega.unwrap())
}

#[graph_fn]
fn implied_volatility(price: Tensor<f64>, spot: Tensor<f64>, strike: Tensor<f64>) -> Tensor<f64> {
    let mut volatility = tensor(0.5);
    let mut steps = 0;
    loop {
        let tape = GradientTape::new();
        tape.watch(&volatility);
        let error = call_price(&spot, &strike, 0.05, &volatility, 1.0) - &price;
        let vega = tape.gradient(&error, &volatility).unwrap();
        if error.abs() < 1e-10 {
            break;
        }
        volatility -= error / vega;
        steps += 1;
        if steps == 50 {
            break;
        }
    }
    volatility
}

fn main() {
    let (spot, strike, sigma) = (tensor(100.0), tensor(100.0), tensor(0.2));
    let price = call_price(&spot, &strike, 0.05, &sigma, 1.0);
    // Hull, "Options, Futures, and Other Derivatives": c = 10.4506.
    assert!((price.item() - 10.450583572185565).abs() < 1e-9);
    let (delta, gamma, vega) = greeks(&spot, &strike, &sigma);
    assert!((delta.item() - 0.6368306511756191).abs() < 1e-9);
    assert!((gamma.item() - 0.018762017345846895).abs() < 1e-9);
    assert!((vega.item() - 37.52403469169379).abs() < 1e-7);
    let found = implied_volatility(price, spot, strike);
    assert!((found.item() - 0.2).abs() < 1e-9);
}
