//! Arithmetic element by element: binary operations with broadcasting, and unary ones.

use crate::dispatch::{dispatch, typed};
use crate::number::{Float, Number};
use crate::zip::{View, map, zip_same};
use crate::{Array, Buffer, KernelError};

/// A binary kernel for a class of dtypes: `f` on two values of one type.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident: $class:ident, $f:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// If the shapes don't broadcast, or the dtypes differ or aren't of the kernel's class.
        pub fn $name(a: &Array, b: &Array, out: &mut Array) -> Result<(), KernelError> {
            let op = stringify!($name);
            dispatch!($class op, a, x => zip_same(op, (a, x), b, out, $f))
        }
    )* };
}

binary! {
    /// `a - b`.
    sub: number, |a, b| a.sub(*b);
    /// `a * b`.
    mul: number, |a, b| a.mul(*b);
    /// The larger of `a` and `b`; NaN wins.
    maximum: number, |a, b| Number::maximum(*a, *b);
    /// The smaller of `a` and `b`; NaN wins.
    minimum: number, |a, b| Number::minimum(*a, *b);
}

/// `a + b`; of strings, the concatenation.
///
/// # Errors
/// If the shapes don't broadcast, or the dtypes differ or are `bool`.
pub fn add(a: &Array, b: &Array, out: &mut Array) -> Result<(), KernelError> {
    if let Buffer::Str(x) = a.buffer() {
        return zip_same("add", (a, x), b, out, |a, b| {
            [a.as_str(), b.as_str()].concat()
        });
    }
    dispatch!(number "add", a, x => zip_same("add", (a, x), b, out, |a, b| a.add(*b)))
}

/// Fails if there is an integer to divide and a divisor is zero.
fn check_divisors<T: Number>(
    dividends: &[T],
    op: &str,
    divisors: &Array,
) -> Result<(), KernelError> {
    if T::IS_INTEGER && !dividends.is_empty() && typed::<T>(op, divisors)?.contains(&T::ZERO) {
        return Err(KernelError::Value("Integer division by zero".to_owned()));
    }
    Ok(())
}

/// A binary kernel whose second operand is a divisor.
macro_rules! division {
    ($($(#[$doc:meta])* $name:ident, $f:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// If an integer divisor is zero, the shapes don't broadcast, or the dtypes differ or aren't numbers.
        pub fn $name(a: &Array, b: &Array, out: &mut Array) -> Result<(), KernelError> {
            let op = stringify!($name);
            dispatch!(number op, a, x => {
                check_divisors(x, op, b)?;
                zip_same(op, (a, x), b, out, $f)
            })
        }
    )* };
}

division! {
    /// `a / b` as in Rust: integers truncate.
    div, |a, b| a.div(*b);
    /// `a % b` as in Rust: the remainder has the sign of `a`.
    rem, |a, b| a.rem(*b);
    /// `a / b` rounded down.
    floor_div, |a, b| a.floor_div(*b);
    /// The remainder of [`floor_div`]: it has the sign of `b`.
    floor_mod, |a, b| a.floor_mod(*b);
}

/// `a / b`: of integers the `float64` quotient, of floats the quotient.
///
/// # Errors
/// If the shapes don't broadcast, or the dtypes differ or aren't numbers.
pub fn true_div(a: &Array, b: &Array, out: &mut Array) -> Result<(), KernelError> {
    if a.dtype().is_float() {
        return div(a, b, out);
    }
    dispatch!(integer "true_div", a, x => {
        zip_same("true_div", (a, x), b, out, |a, b| a.to_f64() / b.to_f64())
    })
}

/// `a` to the power `b`; integers wrap.
///
/// # Errors
/// If an integer exponent is negative, the shapes don't broadcast, or the dtypes differ or aren't numbers.
pub fn pow(a: &Array, b: &Array, out: &mut Array) -> Result<(), KernelError> {
    dispatch!(number "pow", a, x => pow_values((a, x), b, out))
}

fn pow_values<T: Number>(a: (&Array, &[T]), b: &Array, out: &mut Array) -> Result<(), KernelError> {
    let y = typed::<T>("pow", b)?;
    if T::IS_INTEGER && y.iter().any(|y| *y < T::ZERO) {
        let text = "Integers to negative integer powers are not allowed";
        return Err(KernelError::Value(text.to_owned()));
    }
    if b.rank() == 0 && y == [T::ONE.add(T::ONE)] {
        map(View::new(a.0.shape(), a.1), out, |a| a.mul(*a));
        return Ok(());
    }
    zip_same("pow", a, b, out, |a, b| a.pow(*b))
}

/// A bitwise kernel: integers and truth values.
macro_rules! bitwise {
    ($($(#[$doc:meta])* $name:ident $operator:tt;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// If the shapes don't broadcast, or the dtypes differ or are neither integers nor `bool`.
        pub fn $name(a: &Array, b: &Array, out: &mut Array) -> Result<(), KernelError> {
            let op = stringify!($name);
            if let Buffer::Bool(x) = a.buffer() {
                return zip_same(op, (a, x), b, out, |a, b| *a $operator *b);
            }
            dispatch!(integer op, a, x => zip_same(op, (a, x), b, out, |a, b| *a $operator *b))
        }
    )* };
}

bitwise! {
    /// `a & b`.
    bit_and &;
    /// `a | b`.
    bit_or |;
    /// `a ^ b`.
    bit_xor ^;
}

/// A unary kernel for a class of dtypes.
macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident: $class:ident, $f:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// If the dtype isn't of the kernel's class.
        pub fn $name(x: &Array, out: &mut Array) -> Result<(), KernelError> {
            dispatch!($class stringify!($name), x, v => { map(View::new(x.shape(), v), out, $f); Ok(()) })
        }
    )* };
}

unary! {
    /// `-x`; integers wrap.
    neg: number, |x| x.neg();
    /// The absolute value; integers wrap.
    abs: number, |x| Number::abs(*x);
    /// -1, 0 or 1; NaN stays.
    sign: number, |x| x.sign();
    /// `x * x`.
    square: number, |x| x.mul(*x);
    /// The larger of `x` and 0; NaN stays.
    relu: number, |x| relu_of(*x);
    /// `!x`, bit by bit.
    bit_not: integer, |x| !*x;
    /// `e` to the power `x`.
    exp: float, |x| Float::exp(*x);
    /// The natural logarithm.
    log: float, |x| Float::log(*x);
    /// The square root.
    sqrt: float, |x| Float::sqrt(*x);
    /// One over the square root.
    rsqrt: float, |x| Number::div(Number::ONE, Float::sqrt(*x));
    /// The sine.
    sin: float, |x| Float::sin(*x);
    /// The cosine.
    cos: float, |x| Float::cos(*x);
    /// The hyperbolic tangent.
    tanh: float, |x| Float::tanh(*x);
    /// `1 / (1 + exp(-x))`.
    sigmoid: float, |x| sigmoid_of(*x);
    /// The next integer below.
    floor: float, |x| Float::floor(*x);
    /// The next integer above.
    ceil: float, |x| Float::ceil(*x);
    /// The nearest integer, halves to the even one.
    round: float, |x| Float::round(*x);
    /// True where `x` is not a number.
    is_nan: float, |x| Number::is_nan(*x);
}

#[inline(always)]
fn relu_of<T: Number>(x: T) -> T {
    if x < T::ZERO { T::ZERO } else { x }
}

#[inline(always)]
fn sigmoid_of<T: Float>(x: T) -> T {
    // exp(-x) overflows to infinity for very negative x, and 1 / infinity is the right 0.
    T::ONE.div(T::ONE.add(x.neg().exp()))
}

/// `!x` of truth values.
///
/// # Errors
/// If `x` isn't `bool`.
pub fn logical_not(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    map(
        View::new(x.shape(), typed::<bool>("logical_not", x)?),
        out,
        |x| !x,
    );
    Ok(())
}
