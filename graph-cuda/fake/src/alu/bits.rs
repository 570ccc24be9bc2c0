//! Logic, shifts and bit fields.

use super::integer::Integer;

pub(crate) fn copy(a: u64, _: u64, _: u64, _: u64) -> u64 {
    a
}

pub(crate) fn and(a: u64, b: u64, _: u64, _: u64) -> u64 {
    a & b
}

pub(crate) fn or(a: u64, b: u64, _: u64, _: u64) -> u64 {
    a | b
}

pub(crate) fn xor(a: u64, b: u64, _: u64, _: u64) -> u64 {
    a ^ b
}

pub(crate) fn not(a: u64, _: u64, _: u64, _: u64) -> u64 {
    !a
}

pub(crate) fn not_predicate(a: u64, _: u64, _: u64, _: u64) -> u64 {
    u64::from(a == 0)
}

/// 1 for zero, 0 for everything else.
pub(crate) fn cnot<T: Integer>(a: u64, _: u64, _: u64, _: u64) -> u64 {
    u64::from(T::of(a).wide() == 0)
}

/// `a` if the predicate `c` holds, else `b`.
pub(crate) fn select(a: u64, b: u64, c: u64, _: u64) -> u64 {
    if c != 0 { a } else { b }
}

/// `a` if the integer `c` is not negative, else `b`.
pub(crate) fn select_by_integer(a: u64, b: u64, c: u64, _: u64) -> u64 {
    if c as i32 >= 0 { a } else { b }
}

/// `a` if the float `c` is not negative, else `b`; `b` for NaN.
pub(crate) fn select_by_float(a: u64, b: u64, c: u64, _: u64) -> u64 {
    if f32::from_bits(c as u32) >= 0.0 {
        a
    } else {
        b
    }
}

pub(crate) fn shl<T: Integer>(a: u64, by: u64, _: u64, _: u64) -> u64 {
    let by = by as u32;
    if by >= T::BITS { 0 } else { a << by }
}

/// Fills with the sign for signed types; amounts beyond the size leave only that.
pub(crate) fn shr<T: Integer>(a: u64, by: u64, _: u64, _: u64) -> u64 {
    (T::of(a).wide() >> (by as u32).min(T::BITS)) as u64
}

/// The low `T::BITS` bits.
fn unsigned<T: Integer>(a: u64) -> u64 {
    if T::BITS == 64 {
        a
    } else {
        a & ((1 << T::BITS) - 1)
    }
}

pub(crate) fn popc<T: Integer>(a: u64, _: u64, _: u64, _: u64) -> u64 {
    u64::from(unsigned::<T>(a).count_ones())
}

pub(crate) fn clz<T: Integer>(a: u64, _: u64, _: u64, _: u64) -> u64 {
    u64::from(unsigned::<T>(a).leading_zeros() - (64 - T::BITS))
}

pub(crate) fn brev<T: Integer>(a: u64, _: u64, _: u64, _: u64) -> u64 {
    a.reverse_bits() >> (64 - T::BITS)
}

/// The position of the highest bit that isn't the sign, or all ones.
pub(crate) fn bfind<T: Integer>(a: u64, _: u64, _: u64, _: u64) -> u64 {
    let a = T::of(a).wide();
    let a = if a < 0 { !a } else { a };
    if a == 0 {
        u64::from(u32::MAX)
    } else {
        u64::from(127 - a.leading_zeros())
    }
}

/// The shift amount of `bfind.shiftamt`: how far that bit is from the highest.
pub(crate) fn bfind_shift<T: Integer>(a: u64, _: u64, _: u64, _: u64) -> u64 {
    match bfind::<T>(a, 0, 0, 0) as u32 {
        u32::MAX => u64::from(u32::MAX),
        at => u64::from(T::BITS - 1 - at),
    }
}

/// The field of `length` bits from bit `at`, with its sign extended for signed types.
pub(crate) fn bfe<T: Integer>(a: u64, at: u64, length: u64, _: u64) -> u64 {
    let (at, length) = (at as u32 & 0xff, length as u32 & 0xff);
    if length == 0 {
        return 0;
    }
    let last = T::BITS - 1;
    let kept = if at > last {
        0
    } else {
        length.min(T::BITS - at)
    };
    let a = u128::from(unsigned::<T>(a));
    let low = (a >> at.min(64)) & ((1 << kept) - 1);
    let signed = T::of(u64::MAX).wide() < 0;
    // Bits beyond the value are copies of its sign.
    let sign = signed && a >> (at + length - 1).min(last) & 1 != 0;
    (if sign { low | !0 << kept } else { low }) as u64
}

/// Inserts the low `length` bits of `a` into `b` from bit `at`.
pub(crate) fn bfi<T: Integer>(a: u64, b: u64, at: u64, length: u64) -> u64 {
    let (at, length) = (at as u32 & 0xff, length as u32 & 0xff);
    if at >= T::BITS || length == 0 {
        return b;
    }
    let mask = if length >= 64 {
        u64::MAX
    } else {
        (1 << length) - 1
    } << at;
    (b & !mask) | (a << at & mask)
}

/// The bitwise function of three operands whose table is `table`.
pub(crate) fn lop3(a: u64, b: u64, c: u64, table: u64) -> u64 {
    (0..8).filter(|i| table >> i & 1 != 0).fold(0, |found, i| {
        let side = |bit: u32, v: u64| if i >> bit & 1 != 0 { v } else { !v };
        found | side(2, a) & side(1, b) & side(0, c)
    })
}

/// Picks four bytes out of `a` and `b` by the nibbles of `c`; a nibble's high bit asks for the byte's sign only.
pub(crate) fn prmt(a: u64, b: u64, c: u64, _: u64) -> u64 {
    let bytes = u64::from(a as u32) | b << 32;
    (0..4).fold(0, |found, i| {
        let pick = c >> (4 * i) & 0xf;
        let byte = bytes >> (8 * (pick & 7)) & 0xff;
        let byte = if pick & 8 == 0 {
            byte
        } else {
            (byte >> 7) * 0xff
        };
        found | byte << (8 * i)
    })
}

/// The high half of `b:a` shifted left; amounts beyond 32 count as 32.
pub(crate) fn funnel_left_clamp(a: u64, b: u64, by: u64, _: u64) -> u64 {
    joined(a, b) << (by as u32).min(32) >> 32
}

pub(crate) fn funnel_left_wrap(a: u64, b: u64, by: u64, _: u64) -> u64 {
    joined(a, b) << (by & 31) >> 32
}

/// The low half of `b:a` shifted right.
pub(crate) fn funnel_right_clamp(a: u64, b: u64, by: u64, _: u64) -> u64 {
    joined(a, b) >> (by as u32).min(32) & 0xffff_ffff
}

pub(crate) fn funnel_right_wrap(a: u64, b: u64, by: u64, _: u64) -> u64 {
    joined(a, b) >> (by & 31) & 0xffff_ffff
}

fn joined(low: u64, high: u64) -> u64 {
    u64::from(low as u32) | high << 32
}

/// Joins parts of `T`'s size, the first lowest.
pub(crate) fn pack<T: Integer>(a: u64, b: u64, c: u64, d: u64) -> u64 {
    let part = |v: u64, at: u32| unsigned::<T>(v).checked_shl(at * T::BITS).unwrap_or(0);
    part(a, 0) | part(b, 1) | part(c, 2) | part(d, 3)
}
