//! Elementwise functions.

use graph_runtime::DType;

use super::{Data, Noise, Plain};

/// Applies an elementwise op to operands that broadcast; `None` if it isn't elementwise or isn't implemented here.
pub fn apply(op: &str, operands: &[Plain], noise: &mut Noise) -> Option<Plain> {
    match operands {
        [x] => unary(op, x, noise),
        [a, b] => {
            let shape = broadcast(&[a, b])?;
            let (a, b) = (spread(a, &shape)?, spread(b, &shape)?);
            binary(op, &a, &b, noise)
        }
        [condition, a, b] if op == "select" => {
            let shape = broadcast(&[condition, a, b])?;
            let (condition, a) = (spread(condition, &shape)?, spread(a, &shape)?);
            let b = spread(b, &shape)?;
            select(&condition, &a, &b)
        }
        _ => None,
    }
}

/// The shape to which all operands broadcast.
fn broadcast(operands: &[&Plain]) -> Option<Vec<usize>> {
    let rank = operands.iter().map(|x| x.shape.len()).max()?;
    let mut shape = vec![1; rank];
    for x in operands {
        for (to, n) in shape.iter_mut().rev().zip(x.shape.iter().rev()) {
            match (*to, *n) {
                (1, n) => *to = n,
                (to, n) if n == 1 || n == to => {}
                _ => return None,
            }
        }
    }
    Some(shape)
}

/// Repeats the values to a shape.
pub fn spread(x: &Plain, shape: &[usize]) -> Option<Plain> {
    let missing = shape.len().checked_sub(x.shape.len())?;
    let count: usize = shape.iter().product();
    let place = |mut i: usize| {
        let (mut at, mut stride) = (0, 1);
        for axis in (0..shape.len()).rev() {
            let position = i % shape[axis];
            i /= shape[axis];
            if axis >= missing {
                let n = x.shape[axis - missing];
                at += if n == 1 { 0 } else { position * stride };
                stride *= n;
            }
        }
        at
    };
    Some(x.taken(shape, (0..count).map(place)))
}

fn select(condition: &Plain, a: &Plain, b: &Plain) -> Option<Plain> {
    let Data::Ints(holds) = &condition.data else {
        return None;
    };
    let data = match (&a.data, &b.data) {
        (Data::Floats(a), Data::Floats(b)) => Data::Floats(chosen(holds, a, b)),
        (Data::Ints(a), Data::Ints(b)) => Data::Ints(chosen(holds, a, b)),
        _ => return None,
    };
    Some(Plain { data, ..a.clone() })
}

fn chosen<T: Copy>(holds: &[i64], a: &[T], b: &[T]) -> Vec<T> {
    let pairs = a.iter().zip(b).zip(holds);
    pairs
        .map(|((a, b), holds)| if *holds != 0 { *a } else { *b })
        .collect()
}

fn unary(op: &str, x: &Plain, noise: &mut Noise) -> Option<Plain> {
    match &x.data {
        Data::Ints(values) => {
            let f = of_int(op)?;
            let values = values.iter().map(|v| f(*v)).collect();
            // The only unary op on truth values is `not`.
            let is_bool = x.dtype == DType::Bool;
            let fits = is_bool == (op == "logical_not") && (x.dtype != DType::U8 || op != "neg");
            fits.then(|| Plain::ints(x.dtype, &x.shape, values))
        }
        Data::Floats(values) => {
            if let Some(test) = test_of(op) {
                let values = values.iter().map(|v| i64::from(test(*v))).collect();
                return Some(Plain::ints(DType::Bool, &x.shape, values));
            }
            if let Some(f) = exact_of(op) {
                let values = values.iter().map(|v| f(*v)).collect();
                return Some(Plain::floats(x.dtype, &x.shape, values));
            }
            let f = rounded_of(op)?;
            let moved = |v: &f64| {
                let y = f(*v);
                noise.rounded(x.dtype, y, y.abs())
            };
            let values = values.iter().map(moved).collect();
            Some(Plain::floats(x.dtype, &x.shape, values))
        }
    }
}

fn of_int(op: &str) -> Option<fn(i64) -> i64> {
    Some(match op {
        "neg" => |v| v.wrapping_neg(),
        "abs" => |v| v.wrapping_abs(),
        "sign" => |v| v.signum(),
        "square" => |v| v.wrapping_mul(v),
        "relu" => |v| v.max(0),
        "relu6" => |v| v.clamp(0, 6),
        "bit_not" => |v| !v,
        "logical_not" => |v| i64::from(v == 0),
        _ => return None,
    })
}

fn test_of(op: &str) -> Option<fn(f64) -> bool> {
    Some(match op {
        "is_nan" => f64::is_nan,
        "is_inf" => f64::is_infinite,
        "is_finite" => f64::is_finite,
        _ => return None,
    })
}

/// Unary functions whose result IEEE 754 defines to the last bit.
fn exact_of(op: &str) -> Option<fn(f64) -> f64> {
    Some(match op {
        "neg" => |v| -v,
        "abs" => f64::abs,
        "square" => |v| v * v,
        "sqrt" => f64::sqrt,
        "reciprocal" => |v| 1.0 / v,
        "floor" => f64::floor,
        "ceil" => f64::ceil,
        "round" => f64::round_ties_even,
        "trunc" => f64::trunc,
        _ => return None,
    })
}

fn rounded_of(op: &str) -> Option<fn(f64) -> f64> {
    Some(match op {
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "tanh" => f64::tanh,
        "sigmoid" => |v| 1.0 / (1.0 + (-v).exp()),
        "asin" => f64::asin,
        "acos" => f64::acos,
        "atan" => f64::atan,
        "sinh" => f64::sinh,
        "cosh" => f64::cosh,
        "exp" => f64::exp,
        "exp2" => f64::exp2,
        "expm1" => f64::exp_m1,
        "log" => f64::ln,
        "log1p" => f64::ln_1p,
        "log2" => f64::log2,
        "log10" => f64::log10,
        "cbrt" => f64::cbrt,
        "rsqrt" => |v| 1.0 / v.sqrt(),
        "softsign" => |v| v / (1.0 + v.abs()),
        "elu" => |v| if v > 0.0 { v } else { v.exp_m1() },
        _ => return None,
    })
}

fn binary(op: &str, a: &Plain, b: &Plain, noise: &mut Noise) -> Option<Plain> {
    if a.dtype != b.dtype {
        return None;
    }
    match (&a.data, &b.data) {
        (Data::Ints(x), Data::Ints(y)) => {
            let pairs = x.iter().zip(y);
            if let Some(compare) = comparison_of::<i64>(op) {
                let values = pairs.map(|(x, y)| i64::from(compare(x, y))).collect();
                return Some(Plain::ints(DType::Bool, &a.shape, values));
            }
            let f = of_ints(op, a.dtype)?;
            let values = pairs.map(|(x, y)| f(*x, *y)).collect();
            Some(Plain::ints(a.dtype, &a.shape, values))
        }
        (Data::Floats(x), Data::Floats(y)) => {
            let pairs = x.iter().zip(y);
            if let Some(compare) = comparison_of::<f64>(op) {
                let values = pairs.map(|(x, y)| i64::from(compare(x, y))).collect();
                return Some(Plain::ints(DType::Bool, &a.shape, values));
            }
            if let Some(f) = exact_of_floats(op) {
                let values = pairs.map(|(x, y)| f(*x, *y)).collect();
                return Some(Plain::floats(a.dtype, &a.shape, values));
            }
            let f = rounded_of_floats(op)?;
            let moved = |(x, y): (&f64, &f64)| {
                let z = f(*x, *y);
                noise.rounded(a.dtype, z, z.abs())
            };
            let values = pairs.map(moved).collect();
            Some(Plain::floats(a.dtype, &a.shape, values))
        }
        _ => None,
    }
}

fn comparison_of<T: PartialOrd>(op: &str) -> Option<fn(&T, &T) -> bool> {
    Some(match op {
        "less" => T::lt,
        "less_equal" => T::le,
        "greater" => T::gt,
        "greater_equal" => T::ge,
        "equal" => T::eq,
        "not_equal" => T::ne,
        _ => return None,
    })
}

fn of_ints(op: &str, dtype: DType) -> Option<fn(i64, i64) -> i64> {
    if dtype == DType::Bool {
        return Some(match op {
            "logical_and" | "bit_and" => |a, b| a & b,
            "logical_or" | "bit_or" => |a, b| a | b,
            "logical_xor" | "bit_xor" => |a, b| a ^ b,
            _ => return None,
        });
    }
    Some(match op {
        "add" => i64::wrapping_add,
        "sub" => i64::wrapping_sub,
        "mul" => i64::wrapping_mul,
        "maximum" => |a, b| a.max(b),
        "minimum" => |a, b| a.min(b),
        "div" => i64::wrapping_div,
        "rem" => i64::wrapping_rem,
        "floor_div" => |a, b| {
            let q = a.wrapping_div(b);
            if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) {
                q - 1
            } else {
                q
            }
        },
        "floor_mod" => |a, b| {
            let r = a.wrapping_rem(b);
            if r != 0 && (r < 0) != (b < 0) {
                r + b
            } else {
                r
            }
        },
        "pow" => |a, b| a.wrapping_pow(b as u32),
        "bit_and" => |a, b| a & b,
        "bit_or" => |a, b| a | b,
        "bit_xor" => |a, b| a ^ b,
        "left_shift" => |a, b| a << b,
        "right_shift" => |a, b| a >> b,
        _ => return None,
    })
}

/// Binary functions whose result IEEE 754 defines to the last bit, and those that only choose an operand.
fn exact_of_floats(op: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match op {
        "add" => |a, b| a + b,
        "sub" => |a, b| a - b,
        "mul" => |a, b| a * b,
        "div" | "true_div" => |a, b| a / b,
        "divide_no_nan" => |a, b| if b == 0.0 { 0.0 } else { a / b },
        "leaky_relu" => |a, b| if a > 0.0 { a } else { a * b },
        "maximum" => |a, b| if a.is_nan() || a > b { a } else { b },
        "minimum" => |a, b| if a.is_nan() || a < b { a } else { b },
        _ => return None,
    })
}

fn rounded_of_floats(op: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match op {
        "pow" => f64::powf,
        "atan2" => f64::atan2,
        "squared_difference" => |a, b| (a - b) * (a - b),
        _ => return None,
    })
}
