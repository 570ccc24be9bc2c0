//! How a product and a sum are done: the one thing about the instruction set that formulas depend on. And the one thing that loops
//! over registers depend on: how much fits into them.

use super::Level;

/// How `a * b + c` is done. Fused where the instruction set has it, else in two roundings: a call of the library's
/// `fma` takes eighty times as long.
pub(crate) trait MulAdd: Copy {
    /// The bytes of the widest panel that a product multiplies at a time: [`Level::panel`].
    const PANEL: usize;
    fn mul_add_f32(a: f32, b: f32, c: f32) -> f32;
    fn mul_add_f64(a: f64, b: f64, c: f64) -> f64;
    /// `a * b` less `product`, which is `a * b` rounded.
    fn lost_f64(a: f64, b: f64, product: f64) -> f64;
}

/// One instruction, one rounding. For code compiled with an instruction set that has it. (Formulas don't ask for the panel: their tests leave it out.)
#[derive(Clone, Copy)]
pub(crate) struct Fused<const PANEL: usize = { Level::Avx2.panel() }>;

/// A product and a sum, each rounded. For code compiled for any CPU.
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
    /// Dekker's: the products of halves are exact.
    #[inline(always)]
    fn lost_f64(a: f64, b: f64, product: f64) -> f64 {
        let ((a, a_low), (b, b_low)) = (halves(a), halves(b));
        ((a * b - product) + a * b_low + a_low * b) + a_low * b_low
    }
}

/// A number as a sum of two with half its digits (Veltkamp).
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let scaled = x * 134_217_729.0;
    let high = scaled - (scaled - x);
    (high, x - high)
}
