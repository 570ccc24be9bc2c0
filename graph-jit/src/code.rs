//! Finished machine code: the memory in which it is, and the calls into it and out of it. All that is unsafe is here.

use std::fmt;

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::TargetIsa;
use graph_kernels::codegen::{MemoryTypes, WordCode, WordSource};
use graph_kernels::simd::level;
use graph_kernels::{List, Memory, Registers, WordFunction};
use memmap2::{Mmap, MmapMut};
use smallvec::SmallVec;

use crate::access::has_mul_add;
use crate::row::{ListRow, Row};

/// The code's signature: the registers, the rows of arrays and of lists, and the step at which it begins.
type Entry = unsafe extern "C" fn(*mut u64, *const Row, *mut ListRow, u64) -> u32;

/// The machine code of a word program.
pub struct Code {
    /// The pages of the code, which can be executed and not written.
    memory: Mmap,
    /// The types of the arrays that it reads, and of the lists.
    types: MemoryTypes,
    /// Whether its multiply-adds are fused, if it has some.
    fuses: Option<bool>,
    /// The steps at which it can begin.
    entries: [usize; 2],
}

impl Code {
    /// The code of a function that [`translate`](crate::translate::function) made of a program for this memory and this entry. `None` if it can't be
    /// compiled, or if there is no memory for it.
    pub fn new(
        isa: &dyn TargetIsa,
        function: Function,
        (source, types): (&WordSource, &MemoryTypes),
        entry: usize,
    ) -> Option<Code> {
        Some(Code {
            memory: compiled(isa, function)?,
            types: types.clone(),
            fuses: has_mul_add(&source.steps).then(|| level().fuses()),
            entries: [0, entry],
        })
    }
}

impl Code {
    /// Whether this thread's level is one whose multiply-adds the code has.
    pub fn fits_level(&self) -> bool {
        self.fuses.is_none_or(|fuses| fuses == level().fuses())
    }

    /// Where the function begins, for other code that calls it.
    pub fn address(&self) -> usize {
        self.memory.as_ptr().addr()
    }
}

/// Pages with the code of a function. `None` if it can't be compiled, or if there is no memory for it.
pub fn compiled(isa: &dyn TargetIsa, function: Function) -> Option<Mmap> {
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
    executable(buffer.data())
        .inspect_err(|error| log::warn!("no memory for machine code: {error}"))
        .ok()
}

/// Pages with these bytes that can be executed.
pub fn executable(bytes: &[u8]) -> std::io::Result<Mmap> {
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
    fn run(&self, registers: &mut Registers, memory: &mut Memory<'_>, at: usize) -> bool {
        if !self.entries.contains(&at)
            || !self.fits_level()
            || MemoryTypes::of(memory) != self.types
        {
            return false;
        }
        let rows = memory.arrays.iter().zip(&self.types.arrays);
        let rows = rows.map(|(array, dtype)| Row::of(array, *dtype));
        let lists = memory.lists.iter_mut().map(list_row);
        let (Some(rows), Some(mut lists)) = (
            rows.collect::<Option<SmallVec<[Row; 4]>>>(),
            lists.collect::<Option<SmallVec<[ListRow; 4]>>>(),
        ) else {
            return false;
        };
        // SAFETY: the memory begins with a function of this signature.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(self.memory.as_ptr()) };
        // SAFETY: the code is in memory of `self`, which is borrowed. It reads and writes words of `registers` alone, whose indices are
        // bytes, and names as many arrays and lists as there are, all of the types that the code was made for. Each row lies in an array
        // that is borrowed; positions in it, and numbers of values at a position, are compared with the sizes that the row has. Each row
        // of a list lies in the list's room, which is borrowed and which only `grow_list` moves: it gets the list from the row, whose
        // pointer is the only way to the list while the code runs.
        let done = unsafe {
            entry(
                registers.as_mut_ptr(),
                rows.as_ptr(),
                lists.as_mut_ptr(),
                at as u64,
            )
        };
        for (list, row) in memory.lists.iter_mut().zip(&lists) {
            if row.written != 0 {
                list.wrote(row.len as usize);
            }
        }
        done == 1
    }
}

/// A list as code sees it; `None` for strings. All pointers come from one, so that the code may use them in any order.
fn list_row(list: &mut List) -> Option<ListRow> {
    let (len, room) = (list.len() as u64, list.room() as u64);
    let list = std::ptr::from_mut(list);
    // SAFETY: it was a reference a line above.
    let data = unsafe { (*list).data() }?;
    Some(ListRow {
        data,
        len,
        room,
        written: 0,
        list,
    })
}

/// What code calls if a list has no room for a row at a position. Returns 0, or 1 if there can be none.
///
/// # Safety
/// `row` must be that of a list, to which there is no reference.
pub unsafe extern "C" fn grow_list(row: *mut ListRow, index: i64) -> u32 {
    // SAFETY: the caller passes such a row.
    let row = unsafe { &mut *row };
    // SAFETY: the list is borrowed by the run, and nobody else refers to it.
    let list = unsafe { &mut *row.list };
    let written = row.written;
    if list.grow(index, true).is_err() {
        return 1;
    }
    match list_row(list) {
        Some(grown) => {
            *row = ListRow { written, ..grown };
            0
        }
        None => 1,
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
