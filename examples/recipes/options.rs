//! **Option pricing by Monte Carlo**: what the right to buy a share later is worth, the mean over many futures, and its derivatives
//! with respect to the price and the volatility. The formula of Black and Scholes has the exact values.

use graph_runtime::prelude::*;

/// A call option: all that its price depends on.
#[derive(Clone, GraphState, TraceType)]
struct Terms {
    price: Tensor<f64>,
    strike: Tensor<f64>,
    rate: Tensor<f64>,
    volatility: Tensor<f64>,
    years: Tensor<f64>,
}

/// The discounted gain in each of some futures.
#[graph_fn]
fn gains(terms: &Terms, futures: usize) -> Tensor<f64> {
    let Terms {
        price,
        strike,
        rate,
        volatility,
        years,
    } = terms;
    let luck = random::normal([futures]);
    let drift = (rate - volatility.square() / 2.0) * years;
    let end = price * (drift + volatility * years.sqrt() * luck).exp();
    (end - strike).relu() * (-rate * years).exp()
}

/// The price, its standard error, and its derivatives with respect to the share's price and the volatility.
#[graph_fn]
fn value(terms: &Terms, futures: usize) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>, Tensor<f64>) {
    let tape = GradientTape::new();
    tape.watch((&terms.price, &terms.volatility));
    let gains = gains(terms, futures);
    let mean = gains.mean();
    let error = gains.std() / (futures as f64).sqrt();
    let (delta, vega) = tape.gradient(&mean, (&terms.price, &terms.volatility));
    (mean, error, delta.unwrap(), vega.unwrap())
}

/// The exact price, delta and vega.
#[graph_fn]
fn black_scholes(terms: &Terms) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>) {
    let Terms {
        price,
        strike,
        rate,
        volatility,
        years,
    } = terms;
    let spread = volatility * years.sqrt();
    let d1 = ((price / strike).log() + (rate + volatility.square() / 2.0) * years) / spread;
    let below = |x: Tensor<f64>| 0.5 * (-x / f64::sqrt(2.0)).erfc();
    let now = strike * (-rate * years).exp();
    let value = price * below(d1) - now * below(d1 - spread);
    let bell = (d1.square() * -0.5).exp() / f64::sqrt(std::f64::consts::TAU);
    (value, below(d1), price * bell * years.sqrt())
}

fn terms() -> Terms {
    let [price, strike, rate, volatility, years] = [100.0, 105.0, 0.05, 0.2, 1.0].map(tensor);
    Terms {
        price,
        strike,
        rate,
        volatility,
        years,
    }
}

/// What is timed.
pub fn work() {
    value(&terms(), 100_000);
}

/// The program.
pub fn main() {
    let (price, error, delta, vega) = value(&terms(), 1_000_000);
    let error = error.item();
    println!("Monte Carlo     {}", line(price, delta, vega));
    println!("standard error  {error:.4}");
    let (price, delta, vega) = black_scholes(&terms());
    println!("Black, Scholes  {}", line(price, delta, vega));
}

fn line(price: Tensor<f64>, delta: Tensor<f64>, vega: Tensor<f64>) -> String {
    let [price, delta, vega] = [price, delta, vega].map(|x| x.item());
    format!("{price:.4}, delta {delta:.4}, vega {vega:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn the_formula_is_pythons() {
        let (price, delta, vega) = black_scholes(&terms());
        close(
            &[price.item(), delta.item(), vega.item()],
            &[8.021352235143176, 0.5422283335848053, 39.67052380842653],
            1e-12,
        );
    }

    /// Five standard errors: a right program fails once in a million seeds, and the seed is fixed. Futures give deltas that
    /// stray by 0.593 and vegas that stray by 74.2 (`reference.py`).
    #[test]
    fn the_mean_of_many_futures_is_near_the_formula() {
        random::set_seed(3);
        let (price, error, delta, vega) = value(&terms(), 100_000);
        let (exact, exact_delta, exact_vega) = black_scholes(&terms());
        let root = 100_000f64.sqrt();
        assert!((price - exact).item().abs() < 5.0 * error.item());
        assert!((delta - exact_delta).item().abs() < 5.0 * 0.593 / root);
        assert!((vega - exact_vega).item().abs() < 5.0 * 74.2 / root);
    }
}
