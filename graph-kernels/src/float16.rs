//! The 16-bit floats: their storage, and their conversions to wider floats and back. Kernels calculate with them in `f32`.
//!
//! The conversions are integer and `f32` arithmetic without branches and without subnormal operands, so that loops over them become
//! vector code and flushed denormals don't matter.
//!
//! Why not the `half` crate: its dependencies `zerocopy` and a second `syn` take 13 of the 240 CPU seconds of a full first build, and
//! only these few functions are needed. The feature `half` converts to its types and back.

use std::cmp::Ordering;
use std::fmt;
use std::num::ParseFloatError;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::str::FromStr;

use bytemuck::{Pod, Zeroable};

/// A 16-bit float of IEEE 754, `binary16`: 5 bits of exponent, 10 of mantissa.
///
/// ```
/// use graph_kernels::f16;
/// assert_eq!(f16::from_f32(0.1).to_f32(), 0.099975586);
/// assert_eq!(f16::from_f32(65520.0), f16::INFINITY);
/// ```
#[allow(non_camel_case_types, reason = "named as the primitive types are")]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct f16(u16);

/// The upper half of an `f32`: 8 bits of exponent, 7 of mantissa.
///
/// ```
/// use graph_kernels::bf16;
/// assert_eq!(bf16::from_f32(1.01).to_f32(), 1.0078125);
/// assert_eq!(bf16::from_f32(257.0).to_f32(), 256.0);
/// ```
#[allow(non_camel_case_types, reason = "named as the primitive types are")]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct bf16(u16);

impl f16 {
    /// The value; `f32` represents every `f16` exactly.
    #[inline(always)]
    pub const fn to_f32(self) -> f32 {
        let sign = (self.0 as u32 & 0x8000) << 16;
        // Exponent and mantissa at their positions in an `f32`, whose exponent bias is larger by 112.
        let magnitude = (self.0 as u32 & 0x7fff) << 13;
        let bits = if magnitude >= 31 << 23 {
            // NaN and infinity: the largest exponent of both.
            magnitude + (224 << 23)
        } else if magnitude < 1 << 23 {
            // Subnormal: the mantissa of a number with the exponent -14, minus that number's leading bit.
            let leading = f32::from_bits(113 << 23);
            (f32::from_bits(magnitude + (113 << 23)) - leading).to_bits()
        } else {
            magnitude + (112 << 23)
        };
        f32::from_bits(bits | sign)
    }

    /// The nearest value, ties to the even one.
    #[inline(always)]
    pub const fn from_f32(value: f32) -> f16 {
        let magnitude = value.to_bits() & 0x7fff_ffff;
        let sign = (value.to_bits() >> 16) & 0x8000;
        let bits = if magnitude > 255 << 23 {
            0x7e00
        } else if magnitude >= 143 << 23 {
            // From 2^16 on: infinity.
            0x7c00
        } else if magnitude < 113 << 23 {
            // The last bit of 0.5 is the last bit of a subnormal `f16`, so that the sum rounds to it.
            (f32::from_bits(magnitude) + 0.5).to_bits() - 0.5f32.to_bits()
        } else {
            let odd = (magnitude >> 13) & 1;
            (magnitude - (112 << 23) + 0xfff + odd) >> 13
        };
        f16((bits | sign) as u16)
    }
}

impl bf16 {
    /// The value; `f32` represents every `bf16` exactly.
    #[inline(always)]
    pub const fn to_f32(self) -> f32 {
        f32::from_bits((self.0 as u32) << 16)
    }

    /// The nearest value, ties to the even one.
    #[inline(always)]
    pub const fn from_f32(value: f32) -> bf16 {
        let bits = value.to_bits();
        let odd = (bits >> 16) & 1;
        let rounded = bits.wrapping_add(0x7fff + odd) >> 16;
        let quiet = (bits >> 16) | 0x40;
        let is_nan = bits & 0x7fff_ffff > 255 << 23;
        bf16(if is_nan { quiet } else { rounded } as u16)
    }
}

/// An `f32` near the number that rounds to the same 16 bits as the number: its last bit is 1, unless the number itself is an `f32`
/// (rounding to odd; Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
#[inline(always)]
const fn nearly(value: f64) -> f32 {
    let nearest = value as f32;
    let (back, bits) = (nearest as f64, nearest.to_bits());
    if back == value || value.is_nan() || bits & 1 == 1 {
        nearest
    } else if back.abs() > value.abs() {
        f32::from_bits(bits - 1)
    } else {
        f32::from_bits(bits + 1)
    }
}

/// What both types share; their constants are given as bits.
macro_rules! floats {
    ($($type:ident: one $one:literal, infinity $infinity:literal, nan $nan:literal, max $max:literal;)*) => { $(
        impl $type {
            /// 0.
            pub const ZERO: $type = $type(0);
            /// 1.
            pub const ONE: $type = $type($one);
            /// The largest finite value.
            pub const MAX: $type = $type($max);
            /// The smallest finite value.
            pub const MIN: $type = $type($max | 0x8000);
            /// Positive infinity.
            pub const INFINITY: $type = $type($infinity);
            /// Negative infinity.
            pub const NEG_INFINITY: $type = $type($infinity | 0x8000);
            /// Not a number.
            pub const NAN: $type = $type($nan);

            /// The value of these bits.
            #[inline(always)]
            pub const fn from_bits(bits: u16) -> $type {
                $type(bits)
            }

            /// The bits of the value.
            #[inline(always)]
            pub const fn to_bits(self) -> u16 {
                self.0
            }

            /// The value of two bytes, the lower one first.
            #[inline(always)]
            pub const fn from_le_bytes(bytes: [u8; 2]) -> $type {
                $type(u16::from_le_bytes(bytes))
            }

            /// The bytes of the value, the lower one first.
            #[inline(always)]
            pub const fn to_le_bytes(self) -> [u8; 2] {
                self.0.to_le_bytes()
            }

            /// The nearest value, ties to the even one: rounded once.
            #[inline(always)]
            pub const fn from_f64(value: f64) -> $type {
                $type::from_f32(nearly(value))
            }

            /// The value.
            #[inline(always)]
            pub const fn to_f64(self) -> f64 {
                self.to_f32() as f64
            }

            /// True if it isn't a number.
            #[inline(always)]
            pub const fn is_nan(self) -> bool {
                self.0 & 0x7fff > $infinity
            }

            /// True unless it is an infinity or NaN.
            #[inline(always)]
            pub const fn is_finite(self) -> bool {
                self.0 & 0x7fff < $infinity
            }

            /// True for negative numbers, -0.0, and NaN with a sign.
            #[inline(always)]
            pub const fn is_sign_negative(self) -> bool {
                self.0 >> 15 == 1
            }
        }

        impl PartialEq for $type {
            #[inline(always)]
            fn eq(&self, other: &$type) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl PartialOrd for $type {
            #[inline(always)]
            fn partial_cmp(&self, other: &$type) -> Option<Ordering> {
                self.to_f32().partial_cmp(&other.to_f32())
            }
        }

        impl Neg for $type {
            type Output = $type;
            #[inline(always)]
            fn neg(self) -> $type {
                $type(self.0 ^ 0x8000)
            }
        }

        floats!(@ $type: Add add, Sub sub, Mul mul, Div div);

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }

        impl FromStr for $type {
            type Err = ParseFloatError;
            fn from_str(text: &str) -> Result<$type, ParseFloatError> {
                text.parse().map($type::from_f64)
            }
        }

        impl From<$type> for f32 {
            #[inline(always)]
            fn from(value: $type) -> f32 {
                value.to_f32()
            }
        }

        impl From<$type> for f64 {
            #[inline(always)]
            fn from(value: $type) -> f64 {
                value.to_f64()
            }
        }

        #[cfg(feature = "half")]
        impl From<$type> for half::$type {
            fn from(value: $type) -> half::$type {
                half::$type::from_bits(value.to_bits())
            }
        }

        #[cfg(feature = "half")]
        impl From<half::$type> for $type {
            fn from(value: half::$type) -> $type {
                $type::from_bits(value.to_bits())
            }
        }
    )* };
    (@ $type:ident: $($Trait:ident $function:ident),*) => { $(
        /// The operation in `f32`, rounded once.
        impl $Trait for $type {
            type Output = $type;
            #[inline(always)]
            fn $function(self, other: $type) -> $type {
                $type::from_f32($Trait::$function(self.to_f32(), other.to_f32()))
            }
        }
    )* };
}
floats! {
    f16: one 0x3c00, infinity 0x7c00, nan 0x7e00, max 0x7bff;
    bf16: one 0x3f80, infinity 0x7f80, nan 0x7fc0, max 0x7f7f;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that one type agrees with that of the crate `half`.
    macro_rules! same_as_half {
        ($($module:ident: $type:ident largest $max:literal;)*) => { $(
            mod $module {
                use crate::$type;

                #[test]
                fn every_value_widens_to_its_value_and_narrows_back() {
                    for bits in 0..=u16::MAX {
                        let (own, theirs) = ($type::from_bits(bits), half::$type::from_bits(bits));
                        assert_eq!(own.is_nan(), theirs.is_nan());
                        assert_eq!(own.is_finite(), theirs.is_finite());
                        assert_eq!(own.to_string(), theirs.to_string());
                        assert_eq!(format!("{own:?}"), format!("{theirs:?}"));
                        if own.is_nan() {
                            assert!(own.to_f32().is_nan() && $type::from_f32(own.to_f32()).is_nan());
                        } else {
                            assert_eq!(own.to_f32().to_bits(), theirs.to_f32_const().to_bits());
                            assert_eq!($type::from_f32(own.to_f32()).to_bits(), bits);
                            assert_eq!(own.to_string().parse(), Ok(own));
                        }
                    }
                }

                #[test]
                fn floats_narrow_to_the_nearest_with_ties_to_even() {
                    // Every exponent, with mantissas around the places where rounding changes.
                    for high in 0..=0xffffu32 {
                        for low in [0, 1, 0xfff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001, 0xffff] {
                            let value = f32::from_bits(high << 16 | low);
                            let (own, theirs) = ($type::from_f32(value), half::$type::from_f32_const(value));
                            if value.is_nan() {
                                assert!(own.is_nan());
                            } else {
                                assert_eq!(own.to_bits(), theirs.to_bits(), "{value:e}");
                            }
                        }
                    }
                }

                #[test]
                fn wide_floats_are_rounded_once() {
                    // Close to each value and to each midpoint between two, by less than an `f32` can represent.
                    for bits in 0..$max {
                        let (low, high) = ($type::from_bits(bits), $type::from_bits(bits + 1));
                        let middle = (low.to_f64() + high.to_f64()) / 2.0;
                        let even = if bits % 2 == 0 { low } else { high };
                        let same = |wide, value: $type| assert_eq!($type::from_f64(wide).to_bits(), value.to_bits());
                        same(middle, even);
                        same(middle.next_up(), high);
                        same(middle.next_down(), low);
                        same(-middle.next_up(), -high);
                    }
                    assert_eq!($type::from_f64(1e300), $type::INFINITY);
                    assert_eq!($type::from_f64(-1e300), $type::NEG_INFINITY);
                    assert_eq!($type::from_f64(-1e-300).to_bits(), 0x8000);
                    assert!($type::from_f64(f64::NAN).is_nan());
                }
            }
        )* };
    }
    same_as_half! {
        binary16: f16 largest 0x7bffu16;
        bfloat16: bf16 largest 0x7f7fu16;
    }

    #[test]
    fn arithmetic_and_order_are_those_of_the_values() {
        let (a, b) = (f16::from_f32(1.5), f16::from_f32(-0.25));
        assert_eq!(
            [a + b, a - b, a * b, a / b].map(f16::to_f32),
            [1.25, 1.75, -0.375, -6.0]
        );
        assert!(b < a && -a < b && f16::NAN.partial_cmp(&a).is_none());
        assert_eq!(f16::from_bits(0x8000), f16::ZERO);
        assert!(bf16::MIN < bf16::MAX && f32::from(bf16::MAX) == 3.389_531_4e38);
        assert_eq!((f16::MAX.to_f32(), f16::MIN.to_f64()), (65504.0, -65504.0));
    }
}
