//! The properties of a level that code depends on: whether a product and a sum are fused, which changes the results of formulas, and the
//! width of the widest panel, which depends on the registers.

use super::Level;

/// How `a * b + c` is calculated: fused where the instruction set has such an instruction, else in two roundings, because calling the
/// library's `fma` takes eighty times as long.
pub(crate) trait MulAdd: Copy {
    /// The width in bytes of the widest panel of a product: [`Level::panel`].
    const PANEL: usize;
    fn mul_add_f32(a: f32, b: f32, c: f32) -> f32;
    fn mul_add_f64(a: f64, b: f64, c: f64) -> f64;
    /// `a * b` minus `product`, which is `a * b` rounded.
    fn lost_f64(a: f64, b: f64, product: f64) -> f64;
}

/// One instruction, one rounding. For code that is compiled for an instruction set with fused multiply-add. (Formulas don't use `PANEL`,
/// so their tests leave it out.)
#[derive(Clone, Copy)]
pub(crate) struct Fused<const PANEL: usize = { Level::Avx2.panel() }>;

/// A product and a sum, each rounded. For code that is compiled for any CPU.
#[derive(Clone, Copy)]
pub(crate) struct Unfused;

impl<const PANEL: usize> MulAdd for Fused<PANEL> {
    const PANEL: usize = PANEL;
    #[inline(always)]
    fn mul_add_f32(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
    #[inline(always)]
    fn mul_add_f64(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
    #[inline(always)]
    fn lost_f64(a: f64, b: f64, product: f64) -> f64 {
        a.mul_add(b, -product)
    }
}

impl MulAdd for Unfused {
    const PANEL: usize = Level::Portable.panel();
    #[inline(always)]
    fn mul_add_f32(a: f32, b: f32, c: f32) -> f32 {
        a * b + c
    }
    #[inline(always)]
    fn mul_add_f64(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
    /// Dekker's algorithm: the products of halves are exact.
    #[inline(always)]
    fn lost_f64(a: f64, b: f64, product: f64) -> f64 {
        let ((a, a_low), (b, b_low)) = (halves(a), halves(b));
        ((a * b - product) + a * b_low + a_low * b) + a_low * b_low
    }
}

/// A number as the sum of two numbers with half its digits (Veltkamp).
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let scaled = x * 134_217_729.0;
    let high = scaled - (scaled - x);
    (high, x - high)
}
