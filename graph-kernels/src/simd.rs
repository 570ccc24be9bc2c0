//! Instruction sets, chosen at run time. A kernel is written once, as plain loops in a `Kernel`; `run` compiles it for each [`Level`] up
//! to the kernel's `UP_TO`, and calls the best version that the CPU supports.
//!
//! The level is determined once per thread and can be lowered: with `GRAPH_SIMD=portable` (or `avx2`, `avx512`, `neon`) in the
//! environment for the whole process, with [`with_level`] for a piece of code. Levels may differ in the last bits of floats, because of
//! `MulAdd`; at one level every result is the same in every run.
//!
//! This module, `simd::narrow`, `stream` and `huge_pages` are the only ones with `unsafe` code.

mod mul_add;
pub(crate) mod narrow;

use std::cell::Cell;
use std::sync::OnceLock;

pub(crate) use mul_add::{Fused, MulAdd, Unfused};

/// A set of instructions that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// The instructions that every CPU of the target has.
    Portable,
    /// 64-bit ARM with fused multiply-add.
    Neon,
    /// AVX2, FMA and F16C.
    Avx2,
    /// AVX-512 F, BW, DQ and VL, and all of AVX2's.
    Avx512,
}

/// Code to run with the instructions of a level. `run` must be `#[inline(always)]`, and so must be what it calls in its
/// inner loops: a function that isn't inlined is compiled for the portable level.
pub(crate) trait Kernel: Sized {
    type Output;
    /// The highest level that it is compiled for. A copy for a higher level adds to everybody's build time, so it must be worth that.
    const UP_TO: Level = Level::Avx512;
    /// Does the work; `M` does `a * b + c` in the way of the level.
    fn run<M: MulAdd>(self) -> Self::Output;
}

impl Level {
    /// Every level, from the lowest to the highest.
    pub const ALL: [Level; 4] = [Level::Portable, Level::Neon, Level::Avx2, Level::Avx512];

    /// The level's name in `GRAPH_SIMD`.
    pub fn name(self) -> &'static str {
        match self {
            Level::Portable => "portable",
            Level::Neon => "neon",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// The width in bytes of the widest panel of a product's right operand: as many registers of sums as the rows of a tile leave free.
    pub(crate) const fn panel(self) -> usize {
        match self {
            Level::Avx512 => 256,
            Level::Avx2 | Level::Neon => 64,
            Level::Portable => 32,
        }
    }

    /// Whether `a * b + c` is rounded once in products and formulas.
    pub fn fuses(self) -> bool {
        self != Level::Portable
    }

    /// Whether this CPU can run code of the level.
    pub fn is_supported(self) -> bool {
        match self {
            Level::Portable => true,
            Level::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("f16c")
            }
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                Level::Avx2.is_supported()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Level::Avx2 | Level::Avx512 => false,
        }
    }

    /// The levels that this CPU supports, from the lowest to the highest.
    pub fn supported() -> impl Iterator<Item = Level> {
        Level::ALL.into_iter().filter(|level| level.is_supported())
    }

    /// The highest supported level, but at most the one that the environment names.
    fn of_process() -> Level {
        static LEVEL: OnceLock<Level> = OnceLock::new();
        *LEVEL.get_or_init(|| {
            let name = std::env::var("GRAPH_SIMD").unwrap_or_default();
            let limit = Level::ALL.into_iter().find(|level| level.name() == name);
            let allowed = |level: &Level| limit.is_none_or(|limit| *level <= limit);
            Level::supported()
                .filter(allowed)
                .last()
                .unwrap_or(Level::Portable)
        })
    }
}

thread_local! {
    /// The level of this thread, once it is determined. Invariant: the level is supported.
    static CURRENT: Cell<Option<Level>> = const { Cell::new(None) };
}

/// The level that kernels of this thread run at.
#[inline]
pub fn level() -> Level {
    CURRENT.get().unwrap_or_else(|| {
        let level = Level::of_process();
        CURRENT.set(Some(level));
        level
    })
}

/// Runs code of this thread at another level; `None` if the CPU doesn't support it. For tests, and for threads that work for this one.
///
/// ```
/// # use graph_kernels::simd::{Level, level, with_level};
/// assert_eq!(with_level(Level::Portable, level), Some(Level::Portable));
/// ```
pub fn with_level<R>(level: Level, work: impl FnOnce() -> R) -> Option<R> {
    /// Restores the level, also when `work` panics.
    struct Restore(Option<Level>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    if !level.is_supported() {
        return None;
    }
    let _restore = Restore(CURRENT.replace(Some(level)));
    Some(work())
}

/// Runs a kernel at this thread's [`level`].
#[inline]
pub(crate) fn run<K: Kernel>(kernel: K) -> K::Output {
    // Constant conditions, so that copies that a kernel doesn't need aren't compiled.
    #[cfg(target_arch = "x86_64")]
    if const { K::UP_TO as u8 >= Level::Avx512 as u8 } && level() == Level::Avx512 {
        // SAFETY: `level` returns only supported levels: `CURRENT` is written with `of_process`, which filters by `is_supported`, with a
        // level that `with_level` checked, or with a previous value of `CURRENT`. `is_supported` asks the CPU for every feature that the
        // function called here enables.
        return unsafe { kernel.avx512() };
    }
    #[cfg(target_arch = "x86_64")]
    if const { K::UP_TO as u8 >= Level::Avx2 as u8 } && level() >= Level::Avx2 {
        // SAFETY: as above; AVX-512 is only supported where AVX2 is.
        return unsafe { kernel.avx2() };
    }
    // These instructions are the target's own baseline. On other targets this would be one more copy of every kernel.
    #[cfg(target_arch = "aarch64")]
    if const { K::UP_TO as u8 >= Level::Neon as u8 } && level() == Level::Neon {
        return kernel.run::<Fused<{ Level::Neon.panel() }>>();
    }
    kernel.portable()
}

/// The code of a kernel for each level. These are methods and not functions, because the compiler then assigns them to the module of
/// their kernel: kernels are compiled in parallel, where functions of this module would all be one unit.
trait Compiled: Kernel {
    /// # Safety
    /// [`Level::Avx512`] must be supported.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")]
    unsafe fn avx512(self) -> Self::Output {
        self.run::<Fused<{ Level::Avx512.panel() }>>()
    }

    /// # Safety
    /// [`Level::Avx2`] must be supported.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn avx2(self) -> Self::Output {
        self.run::<Fused<{ Level::Avx2.panel() }>>()
    }

    /// A function of its own, as the other levels are, so that the caller of [`run`] stays small.
    #[inline(never)]
    fn portable(self) -> Self::Output {
        self.run::<Unfused>()
    }
}

impl<K: Kernel> Compiled for K {}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'a>(&'a [f32]);

    impl Kernel for Sum<'_> {
        type Output = f32;
        #[inline(always)]
        fn run<M: MulAdd>(self) -> f32 {
            self.0
                .iter()
                .fold(0.0, |sum, v| M::mul_add_f32(*v, 2.0, sum))
        }
    }

    #[test]
    fn every_supported_level_runs_a_kernel() {
        let values: Vec<f32> = (0..100u8).map(f32::from).collect();
        for level in Level::supported() {
            let ran = with_level(level, || (super::level(), run(Sum(&values))));
            assert_eq!(ran, Some((level, 9900.0)));
        }
    }

    #[test]
    fn a_level_ends_with_its_scope_and_an_unsupported_one_is_refused() {
        let before = level();
        let panicked = std::panic::catch_unwind(|| with_level(Level::Portable, || panic!("out")));
        assert!(panicked.is_err());
        assert_eq!(level(), before);
        let foreign = match cfg!(target_arch = "aarch64") {
            true => Level::Avx2,
            false => Level::Neon,
        };
        assert_eq!(with_level(foreign, || ()), None);
    }
}
