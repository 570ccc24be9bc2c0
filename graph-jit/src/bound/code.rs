//! A finished loop: the memory in which its code is, and the calls into it.

use std::fmt;
use std::sync::Arc;

use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::TargetIsa;
use graph_kernels::codegen::{LoopCode, LoopFunction, LoopSource};
use graph_kernels::{BoundEnd, DType, Registers};
use memmap2::Mmap;
use smallvec::SmallVec;

use super::{Part, Parts};
use crate::chain::Vector;
use crate::code::compiled;

/// The code's signature: the addresses of the arrays, the vectors of values that are the same for all elements, the registers, and where the number
/// of iterations is written.
type Entry = unsafe extern "C" fn(*mut *mut u8, *mut Vector, *mut u64, *mut u64) -> u64;

/// A function that the code calls, and the bytes that it gets.
pub struct Called {
    pub function: Arc<dyn LoopFunction>,
    pub operands: SmallVec<[usize; 4]>,
    pub result: usize,
}

/// What code calls for a function. Returns 1 if it is done.
///
/// # Safety
/// Behind the pointers, one for each operand and one for the result, there must be as many bytes as `called` says, in arrays of their own, and those of the
/// result must be free to be written.
pub unsafe extern "C" fn call_function(called: *const Called, pointers: *const *mut u8) -> u32 {
    // SAFETY: the caller passes one.
    let called = unsafe { &*called };
    let mut operands: SmallVec<[&[u8]; 12]> = SmallVec::new();
    for (n, len) in called.operands.iter().enumerate() {
        // SAFETY: the caller passes that many pointers, with these bytes behind them, which nobody writes meanwhile.
        operands.push(unsafe { std::slice::from_raw_parts(*pointers.add(n), *len) });
    }
    // SAFETY: the result's pointer comes last; its bytes aren't among those of the operands.
    let result =
        unsafe { std::slice::from_raw_parts_mut(*pointers.add(operands.len()), called.result) };
    u32::from(called.function.run(&operands, result))
}

/// The machine code of a bound loop.
pub struct Code {
    /// The pages of the code, which can be executed and not written.
    memory: Mmap,
    /// The functions that it calls.
    parts: Parts,
    /// The bytes of the arrays.
    fixed: Vec<usize>,
    changing: Vec<usize>,
}

impl Code {
    /// The code of a function that [`around`](super::around::function) made of a loop whose steps [fit](super::check::fits). `None` if it can't be
    /// compiled, or if there is no memory for it.
    pub fn new(
        isa: &dyn TargetIsa,
        function: Function,
        source: &LoopSource,
        parts: Parts,
    ) -> Option<Code> {
        let bytes = |arrays: &[(DType, usize)]| {
            let arrays = arrays.iter();
            arrays.map(|(dtype, len)| dtype.bytes() * len).collect()
        };
        Some(Code {
            memory: compiled(isa, function)?,
            parts,
            fixed: bytes(&source.fixed),
            changing: bytes(&source.changing),
        })
    }

    /// Whether this thread's level is one that the code can run at, and gives the bits of.
    fn fits_level(&self) -> bool {
        self.parts.steps.iter().all(|part| match part {
            Part::Chain(function, _) => function.fits_level(),
            Part::Words(code) => code.fits_level(),
            Part::Function(_) | Part::None => true,
        })
    }
}

impl LoopCode for Code {
    fn run(
        &self,
        fixed: &[&[u8]],
        changing: &mut [&mut [u8]],
        registers: &mut Registers,
    ) -> Option<BoundEnd> {
        let fits = fixed
            .iter()
            .map(|bytes| bytes.len())
            .eq(self.fixed.iter().copied())
            && changing
                .iter()
                .map(|bytes| bytes.len())
                .eq(self.changing.iter().copied());
        if !fits || !self.fits_level() {
            return None;
        }
        let mut table: SmallVec<[*mut u8; 32]> = SmallVec::new();
        table.extend(fixed.iter().map(|bytes| bytes.as_ptr().cast_mut()));
        table.extend(changing.iter_mut().map(|bytes| bytes.as_mut_ptr()));
        let mut vectors: SmallVec<[Vector; 8]> = SmallVec::new();
        vectors.resize(self.parts.vectors, Vector::EMPTY);
        let mut iterations = 0;
        // SAFETY: the memory begins with a function of this signature.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(self.memory.as_ptr()) };
        // SAFETY: the code is in memory of `self`, which is borrowed, as are the functions that it calls, which need no instructions beyond those of this
        // thread's level. It reads and exchanges addresses of the table, of which it knows the number, only those of arrays that change; it writes only to
        // these, which are borrowed mutably. That it stays within arrays of these sizes was found out before it was made (`check`); positions
        // of rows it compares itself. It writes to as many vectors as its parts need, and to registers, whose indices are bytes.
        let stopped = unsafe {
            entry(
                table.as_mut_ptr(),
                vectors.as_mut_ptr(),
                registers.as_mut_ptr(),
                &raw mut iterations,
            )
        };
        for (n, address) in table[fixed.len()..].iter().enumerate() {
            let is_there = |k: &usize| changing[*k].as_ptr() == address.cast_const();
            if let Some(from) = (n..changing.len()).find(is_there) {
                changing.swap(n, from);
            }
        }
        Some(BoundEnd {
            iterations,
            stopped: stopped.checked_sub(1).map(|step| step as usize),
        })
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "machine code of a loop of {} bytes", self.memory.len())
    }
}
