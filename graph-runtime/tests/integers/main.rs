//! Signed and unsigned integers of 8 to 64 bits: eager code, graphs and plain Rust compute the same for all values, for scalars, short
//! and long arrays. Every op that moves values supports these types.

use graph_runtime::prelude::*;

/// An integer type as plain Rust has it.
trait Plain: Integer + Copy + Ord + std::fmt::Display + std::fmt::Debug {
    const MIN: Self;
    const MAX: Self;
    /// The number with these low bits.
    fn cut(word: u64) -> Self;
    fn wide(self) -> i128;
    /// The number with the low bits of a wide one.
    fn wrapped(value: i128) -> Self;
}

macro_rules! plain {
    ($($type:ident)*) => { $(
        impl Plain for $type {
            const MIN: $type = $type::MIN;
            const MAX: $type = $type::MAX;
            fn cut(word: u64) -> $type { word as $type }
            fn wide(self) -> i128 { self.into() }
            fn wrapped(value: i128) -> $type { value as $type }
        }
    )* };
}
plain! { i8 i16 i32 i64 u8 u16 u32 u64 }

/// Calls a generic function for every integer type.
macro_rules! each_integer {
    ($function:ident) => {
        $function::<i8>();
        $function::<i16>();
        $function::<i32>();
        $function::<i64>();
        $function::<u8>();
        $function::<u16>();
        $function::<u32>();
        $function::<u64>();
    };
}

mod arithmetic;
mod casts;
mod in_graphs;
mod rows;

/// Values of a type; among them are its limits, and numbers around the limits of narrower types.
fn values<T: Plain>(len: usize, seed: u64) -> Vec<T> {
    let (mut state, mut all) = (seed, Vec::new());
    for n in 0..len {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let word = state >> 20 ^ state << 31;
        all.push(match n % 5 {
            0 => T::cut(word),
            1 => T::cut(word % 7),
            2 => T::cut((word % 7).wrapping_sub(3)),
            3 => [
                T::MIN,
                T::MAX,
                T::cut(1 << 63),
                T::cut((1 << 63) - 1),
                T::cut(1 << 31),
            ][word as usize % 5],
            _ => T::cut(word % 300),
        });
    }
    all
}

#[test]
fn ranges_reach_the_ends_of_their_type() {
    let top = u64::MAX - 3;
    assert_eq!(range(top, u64::MAX, 2).to_vec(), [top, top + 2]);
    assert_eq!(range(250u8, 255, 2).to_vec(), [250, 252, 254]);
    assert_eq!(range(-128i8, 127, 100).to_vec(), [-128, -28, 72]);
    assert_eq!(range(3i16, -3, -2).to_vec(), [3, 1, -1]);
    assert_eq!(range(u32::MAX - 1, u32::MAX, 1).to_vec(), [u32::MAX - 1]);
    assert_eq!(range(5u64, 2, 1).to_vec(), [0u64; 0]);
}

/// Numbers that fit only `u64`.
#[test]
fn what_is_above_the_largest_i64_is_exact() {
    let top = 1u64 << 63;
    let x = tensor([top, top + 1, u64::MAX, 3]);
    assert_eq!((&x / 3).to_vec(), [top / 3, (top + 1) / 3, u64::MAX / 3, 1]);
    assert_eq!((&x % 10).to_vec(), [8, 9, 5, 3]);
    assert_eq!(x.floor_div(tensor(top)).to_vec(), [1, 1, 1, 0]);
    assert_eq!(x.gt(top).to_vec(), [false, true, true, false]);
    assert_eq!(
        (x.max().item(), x.min().item(), x.argmax(0).item()),
        (u64::MAX, 3, 2)
    );
    assert_eq!(
        x.sum().item(),
        top.wrapping_add(top + 1)
            .wrapping_add(u64::MAX)
            .wrapping_add(3)
    );
    assert_eq!(
        tensor([top, top + 2]).cast::<f64>().to_vec(),
        [9223372036854775808.0; 2]
    );
    assert_eq!(tensor([u64::MAX, 3]).mean().item(), 1);
    assert_eq!(
        x.to_string(),
        "[ 9223372036854775808  9223372036854775809 18446744073709551615\n                    3]"
    );
}
