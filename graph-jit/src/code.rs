//! Finished machine code: the memory in which it is, and the calls into it and out of it. All that is unsafe is here.

use std::fmt;

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::TargetIsa;
use graph_kernels::codegen::WordCode;
use graph_kernels::{Array, DType, Registers, WordFunction};
use memmap2::{Mmap, MmapMut};
use smallvec::SmallVec;

use crate::row::Row;

/// The code's signature: the registers, the rows, and the step at which it begins.
type Entry = unsafe extern "C" fn(*mut u64, *const Row, u64) -> u32;

/// The machine code of a word program.
pub struct Code {
    /// The pages of the code, which can be executed and not written.
    memory: Mmap,
    /// The dtypes of the arrays that it reads.
    arrays: Box<[DType]>,
    /// The steps at which it can begin.
    entries: [usize; 2],
}

impl Code {
    /// The code of a function that [`translate`](crate::translate::function) made for these arrays and this entry. `None` if it can't be
    /// compiled, or if there is no memory for it.
    pub fn new(
        isa: &dyn TargetIsa,
        function: Function,
        arrays: &[DType],
        entry: usize,
    ) -> Option<Code> {
        let mut context = Context::for_function(function);
        let compiled = context.compile(isa, &mut ControlPlane::default());
        let buffer = &compiled
            .inspect_err(|error| log::warn!("no machine code for a loop: {:?}", error.inner))
            .ok()?
            .buffer;
        // Addresses that are only known now would be those of functions of the C library, for CPUs that lack an instruction.
        if !buffer.relocs().is_empty() {
            return None;
        }
        let memory = executable(buffer.data())
            .inspect_err(|error| log::warn!("no memory for machine code: {error}"))
            .ok()?;
        Some(Code {
            memory,
            arrays: arrays.into(),
            entries: [0, entry],
        })
    }
}

/// Pages with these bytes that can be executed.
fn executable(bytes: &[u8]) -> std::io::Result<Mmap> {
    let mut memory = MmapMut::map_anon(bytes.len())?;
    memory.copy_from_slice(bytes);
    let memory = memory.make_exec()?;
    #[cfg(target_arch = "aarch64")]
    {
        use wasmtime_internal_jit_icache_coherence::{clear_cache, pipeline_flush_mt};
        // SAFETY: the bytes are those of the mapping.
        unsafe { clear_cache(memory.as_ptr().cast(), memory.len()) }?;
        pipeline_flush_mt()?;
    }
    Ok(memory)
}

impl WordCode for Code {
    fn run(&self, registers: &mut Registers, arrays: &[&Array], at: usize) -> bool {
        if !self.entries.contains(&at) || arrays.len() != self.arrays.len() {
            return false;
        }
        let rows = arrays.iter().zip(&self.arrays);
        let rows = rows.map(|(array, dtype)| Row::of(array, *dtype));
        let Some(rows) = rows.collect::<Option<SmallVec<[Row; 4]>>>() else {
            return false;
        };
        // SAFETY: the memory begins with a function of this signature.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(self.memory.as_ptr()) };
        // SAFETY: the code is in memory of `self`, which is borrowed. It reads and writes words of `registers` alone, whose indices are
        // bytes, and reads as many rows as `arrays` has; each row lies in an array that is borrowed and has the dtype that the code was
        // made for. Positions in it, and numbers of values at a position, are compared with
        // the sizes that the row has.
        unsafe { entry(registers.as_mut_ptr(), rows.as_ptr(), at as u64) == 1 }
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "machine code of {} bytes", self.memory.len())
    }
}

/// What code calls for a function that has no instructions. `function` is a [`WordFunction`]. The word that it gives is written to
/// `result`. Returns 0, or 1 if it isn't defined for the operands.
///
/// # Safety
/// `function` must be a [`WordFunction`], and `result` a place that can be written.
pub unsafe extern "C" fn call_function(
    function: *const (),
    a: u64,
    b: u64,
    c: u64,
    result: *mut u64,
) -> u32 {
    // SAFETY: the caller passes such a function.
    let function = unsafe { std::mem::transmute::<*const (), WordFunction>(function) };
    match function([a, b, c]) {
        Ok(word) => {
            // SAFETY: the caller passes such a place.
            unsafe { *result = word };
            0
        }
        Err(_) => 1,
    }
}
