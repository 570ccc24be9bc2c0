//! Times of the functions, next to the standard library's. Here only the compiler's flags select the vector width, so run `RUSTFLAGS="-C
//! target-cpu=native" cargo test --release -p graph-kernels speed -- --ignored --nocapture`.

use std::hint::black_box;
use std::time::Instant;

use crate::math::Math;
use crate::simd::Fused;

/// Nanoseconds per number: the least of many runs over a block that stays in the nearest cache.
fn time<T: Copy + Default>(input: &[T], f: impl Fn(T) -> T) -> f64 {
    let mut output = vec![T::default(); input.len()];
    let mut least = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        for (output, input) in black_box(&mut output).iter_mut().zip(black_box(input)) {
            *output = f(*input);
        }
        least = least.min(start.elapsed().as_nanos() as f64 / input.len() as f64);
    }
    least
}

fn compare<T: Copy + Default>(
    name: &str,
    input: &[T],
    ours: impl Fn(T) -> T,
    std: impl Fn(T) -> T,
) {
    let (ours, std) = (time(input, ours), time(input, std));
    let dtype = std::any::type_name::<T>();
    println!(
        "{name:10} {dtype} {ours:6.3} ns, std {std:6.2} ns, ratio {:.3}",
        ours / std
    );
}

macro_rules! rows {
    ($wide:ident, $narrow:ident: $($name:ident $std32:expr, $std64:expr;)*) => { $(
        compare(stringify!($name), &$narrow, Math::$name::<Fused>, $std32);
        compare(stringify!($name), &$wide, Math::$name::<Fused>, $std64);
    )* };
}

#[test]
#[ignore = "a measurement, of a release build"]
fn speed() {
    let wide: Vec<f64> = (1..=2048)
        .map(|i| f64::from(i * 877 % 2048) / 256.0 + 0.001)
        .collect();
    let narrow: Vec<f32> = wide.iter().map(|x| *x as f32).collect();
    rows! { wide, narrow:
        exp f32::exp, f64::exp;
        exp2 f32::exp2, f64::exp2;
        expm1 f32::exp_m1, f64::exp_m1;
        sigmoid |x| 1.0 / (1.0 + (-x).exp()), |x| 1.0 / (1.0 + (-x).exp());
        sinh f32::sinh, f64::sinh;
        cosh f32::cosh, f64::cosh;
        tanh f32::tanh, f64::tanh;
        log f32::ln, f64::ln;
        log1p f32::ln_1p, f64::ln_1p;
        softplus |x| x.exp().ln_1p(), |x| x.exp().ln_1p();
        near_sin f32::sin, f64::sin;
        near_cos f32::cos, f64::cos;
        near_tan f32::tan, f64::tan;
        atan f32::atan, f64::atan;
        asinh f32::asinh, f64::asinh;
        erf libm::erff, libm::erf;
    }
}
