//! Integer arithmetic that depends on the type. Sums, differences and low halves of products need no type: their low bits depend only on
//! the low bits of the operands.

/// One of Rust's integer types of PTX's sizes.
pub(crate) trait Integer: Copy + Ord {
    const BITS: u32;
    /// The value in the low bits of a register.
    fn of(register: u64) -> Self;
    /// The register of a value, with its sign extended.
    fn register(self) -> u64;
    fn wide(self) -> i128;
    /// The nearest value to `x`; 0 for NaN.
    fn saturating(x: f64) -> Self;
    fn clamped(x: i128) -> Self;
    /// Quotient and remainder; all ones and the dividend if `by` is zero.
    fn divided(self, by: Self) -> (Self, Self);
}

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl Integer for $t {
            const BITS: u32 = <$t>::BITS;
            #[inline]
            fn of(register: u64) -> Self {
                register as $t
            }
            #[inline]
            fn register(self) -> u64 {
                self as u64
            }
            #[inline]
            fn wide(self) -> i128 {
                i128::from(self)
            }
            #[inline]
            fn saturating(x: f64) -> Self {
                x as $t
            }
            #[inline]
            fn clamped(x: i128) -> Self {
                x.clamp(i128::from(<$t>::MIN), i128::from(<$t>::MAX)) as $t
            }
            #[inline]
            fn divided(self, by: Self) -> (Self, Self) {
                if by == 0 { (!0, self) } else { (self.wrapping_div(by), self.wrapping_rem(by)) }
            }
        }
    )*};
}
integers!(u8, u16, u32, u64, i8, i16, i32, i64);

/// Evaluates an expression with `$T` as the Rust type of an integer or untyped PTX type.
macro_rules! with_integer {
    ($of:expr, $T:ident => $e:expr) => {
        match ($of.is_signed(), $of.bits) {
            (false, 8) => {
                type $T = u8;
                $e
            }
            (false, 16) => {
                type $T = u16;
                $e
            }
            (false, 32) => {
                type $T = u32;
                $e
            }
            (false, _) => {
                type $T = u64;
                $e
            }
            (true, 8) => {
                type $T = i8;
                $e
            }
            (true, 16) => {
                type $T = i16;
                $e
            }
            (true, 32) => {
                type $T = i32;
                $e
            }
            (true, _) => {
                type $T = i64;
                $e
            }
        }
    };
}
pub(crate) use with_integer;

pub(crate) fn add(a: u64, b: u64, _: u64, _: u64) -> u64 {
    a.wrapping_add(b)
}

pub(crate) fn sub(a: u64, b: u64, _: u64, _: u64) -> u64 {
    a.wrapping_sub(b)
}

pub(crate) fn mul_low(a: u64, b: u64, _: u64, _: u64) -> u64 {
    a.wrapping_mul(b)
}

pub(crate) fn mad_low(a: u64, b: u64, c: u64, _: u64) -> u64 {
    a.wrapping_mul(b).wrapping_add(c)
}

pub(crate) fn neg(a: u64, _: u64, _: u64, _: u64) -> u64 {
    a.wrapping_neg()
}

/// The product of `T`s, exact in twice their size.
#[inline]
fn product<T: Integer>(a: u64, b: u64) -> i128 {
    T::of(a).wide().wrapping_mul(T::of(b).wide())
}

pub(crate) fn mul_wide<T: Integer>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    product::<T>(a, b) as u64
}

pub(crate) fn mad_wide<T: Integer>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    (product::<T>(a, b) as u64).wrapping_add(c)
}

pub(crate) fn mul_high<T: Integer>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    (product::<T>(a, b) >> T::BITS) as u64
}

pub(crate) fn mad_high<T: Integer>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    mul_high::<T>(a, b, 0, 0).wrapping_add(c)
}

pub(crate) fn div<T: Integer>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    T::of(a).divided(T::of(b)).0.register()
}

pub(crate) fn rem<T: Integer>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    T::of(a).divided(T::of(b)).1.register()
}

pub(crate) fn min<T: Integer>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    T::of(a).min(T::of(b)).register()
}

pub(crate) fn max<T: Integer>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    T::of(a).max(T::of(b)).register()
}

pub(crate) fn abs<T: Integer>(a: u64, _: u64, _: u64, _: u64) -> u64 {
    T::of(a).wide().unsigned_abs() as u64
}

/// `c` plus the distance of `a` and `b`.
pub(crate) fn sad<T: Integer>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    ((T::of(a).wide() - T::of(b).wide()).unsigned_abs() as u64).wrapping_add(c)
}

pub(crate) fn add_saturating<T: Integer>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    T::clamped(T::of(a).wide() + T::of(b).wide()).register()
}

pub(crate) fn sub_saturating<T: Integer>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    T::clamped(T::of(a).wide() - T::of(b).wide()).register()
}

/// The wrapped increment of `atom.inc`: 0 after `bound`.
pub(crate) fn increment(a: u64, bound: u64, _: u64, _: u64) -> u64 {
    let (a, bound) = (a as u32, bound as u32);
    u64::from(if a >= bound { 0 } else { a + 1 })
}

/// The wrapped decrement of `atom.dec`: `bound` after 0, and from above `bound`.
pub(crate) fn decrement(a: u64, bound: u64, _: u64, _: u64) -> u64 {
    let (a, bound) = (a as u32, bound as u32);
    u64::from(if a == 0 || a > bound { bound } else { a - 1 })
}

pub(crate) fn compare_and_swap<T: Integer>(old: u64, expected: u64, new: u64, _: u64) -> u64 {
    if T::of(old) == T::of(expected) {
        new
    } else {
        old
    }
}

pub(crate) fn second(_: u64, b: u64, _: u64, _: u64) -> u64 {
    b
}

/// `a + b` with carries in and out, in `T`'s size.
pub(crate) fn add_carry<T: Integer>(a: u64, b: u64, _: u64, carry: u64) -> (u64, u64) {
    sum_with_carry::<T>(a, b, carry)
}

/// `a - b`; the carry is a borrow.
pub(crate) fn sub_carry<T: Integer>(a: u64, b: u64, _: u64, borrow: u64) -> (u64, u64) {
    let difference = unsigned::<T>(a) - unsigned::<T>(b) - i128::from(borrow);
    (difference as u64, u64::from(difference < 0))
}

pub(crate) fn mad_low_carry<T: Integer>(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    sum_with_carry::<T>(a.wrapping_mul(b), c, carry)
}

pub(crate) fn mad_high_carry<T: Integer>(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    sum_with_carry::<T>(mul_high::<T>(a, b, 0, 0), c, carry)
}

fn sum_with_carry<T: Integer>(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = unsigned::<T>(a) + unsigned::<T>(b) + i128::from(carry);
    (sum as u64, u64::from(sum >> T::BITS != 0))
}

/// The low bits of a register as a non-negative number.
fn unsigned<T: Integer>(a: u64) -> i128 {
    i128::from(a) & ((1i128 << T::BITS) - 1)
}
