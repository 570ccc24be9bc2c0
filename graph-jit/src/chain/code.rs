//! A finished chain: the memory in which its code is, and the calls into it. All that is unsafe about chains is here.

use std::fmt;
use std::ops::Range;

use graph_kernels::codegen::{ChainCode, ChainInput, ChainSource};
use graph_kernels::simd::{Level, level};
use memmap2::Mmap;
use smallvec::SmallVec;

use super::body::Function;
use super::instructions::Vectors;
use super::{Layout, Source, VECTOR};
use crate::code::executable;

/// The code's signature: pointers to the inputs and the results, the number of values, and the vectors that stay the same.
type Entry = unsafe extern "sysv64" fn(*const *mut u8, u64, *const Vector);

/// Room for a vector of any level.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Vector([u8; VECTOR]);

impl Vector {
    pub const EMPTY: Vector = Vector([0; VECTOR]);
}

/// From this number of vectors on they are stored at multiples of their size.
const ALIGNED: usize = 64;

/// The machine code of a chain.
pub struct Code {
    /// The pages of the code, which can be executed and not written.
    memory: Mmap,
    /// Where the function for one vector at once begins, the one for two if there is one, and one that stores past the caches, which takes as
    /// many at once as the larger of these.
    one: usize,
    two: Option<usize>,
    streams: Option<usize>,
    /// The lowest level that has its instructions.
    level: Level,
    layout: Layout,
    /// The bytes of a value of each input and of each result.
    sizes: SmallVec<[usize; 8]>,
    results: SmallVec<[usize; 4]>,
    /// Whether the code has loops, which take as long as the values of the lanes say.
    loops: bool,
    /// For each result, whether its old contents are read.
    is_read: SmallVec<[bool; 4]>,
    /// The inputs with one value for all elements, in order.
    same: SmallVec<[usize; 8]>,
    /// The inputs with a value for each element, in order.
    each: SmallVec<[usize; 8]>,
}

impl Code {
    /// The code of functions that [`function`](super::body::function) made for a layout: for one vector at once, for two, and for stores past the
    /// caches. `None` if there is no memory for it, or no function for one.
    pub(super) fn new(
        source: &ChainSource,
        layout: Layout,
        functions: [Option<Function>; 3],
    ) -> Option<Code> {
        let mut bytes = Vec::new();
        let [one, two, streams] = functions.map(|function| {
            let function = function?;
            bytes.resize(usize::next_multiple_of(bytes.len(), 64), 0);
            let entry = bytes.len() + function.entry;
            bytes.extend(function.bytes);
            Some(entry)
        });
        let one = one?;
        let memory = executable(&bytes)
            .inspect_err(|error| log::warn!("no memory for machine code: {error}"))
            .ok()?;
        let is_same = |n: &usize| matches!(layout.inputs[*n], Source::Vector(_));
        let is_each = |n: &usize| {
            source.inputs[*n] == ChainInput::Each
                && matches!(layout.inputs[*n], Source::Pointer { .. })
        };
        let is_read = |n| source.inputs.contains(&ChainInput::Result(n));
        Some(Code {
            memory,
            one,
            two,
            streams,
            level: match layout.vectors {
                Vectors::Narrow => Level::Avx2,
                Vectors::Wide => Level::Avx512,
            },
            sizes: source.dtypes.iter().map(|dtype| dtype.bytes()).collect(),
            results: source.results.iter().map(|dtype| dtype.bytes()).collect(),
            loops: source.program.has_loops(),
            is_read: (0..source.results.len()).map(is_read).collect(),
            same: (0..source.inputs.len()).filter(is_same).collect(),
            each: (0..source.inputs.len()).filter(is_each).collect(),
            layout,
        })
    }

    /// Whether the slices are long enough for the values that are read and written.
    fn fits(&self, len: usize, inputs: &[&[u8]], results: &[&mut [u8]]) -> bool {
        let has = |n: &usize, values: usize| {
            let input = inputs.get(*n);
            input.is_some_and(|input| input.len() >= values.saturating_mul(self.sizes[*n]))
        };
        let mut written = results.iter().zip(&self.results);
        results.len() == self.results.len()
            && written.all(|(result, size)| result.len() >= len.saturating_mul(*size))
            && self.each.iter().all(|n| has(n, len))
            && self.same.iter().all(|n| has(n, 1))
    }

    /// The vectors of the inputs that have one value. Of truth values the bytes become masks.
    fn vectors(&self, times: u64, inputs: &[&[u8]]) -> SmallVec<[Vector; 8]> {
        let mut vectors = SmallVec::new();
        for n in &self.same {
            let mut vector = Vector::EMPTY;
            match inputs[*n][..self.sizes[*n]] {
                [truth] => vector.0.fill(0u8.wrapping_sub(truth)),
                // Of sizes that the compiler knows: these are two stores, and not a call for each lane.
                [a, b, c, d] => vector.0.as_chunks_mut().0.fill([a, b, c, d]),
                [a, b, c, d, e, f, g, h] => {
                    vector.0.as_chunks_mut().0.fill([a, b, c, d, e, f, g, h]);
                }
                _ => {}
            }
            vectors.push(vector);
        }
        if self.layout.times.is_some() {
            let mut vector = Vector::EMPTY;
            vector.0[..8].copy_from_slice(&times.to_le_bytes());
            vectors.push(vector);
        }
        vectors
    }
}

impl ChainCode for Code {
    fn run(&self, len: usize, inputs: &[&[u8]], results: &mut [&mut [u8]], streams: bool) -> bool {
        self.run_all((len, 1), inputs, results, streams)
    }

    fn run_times(
        &self,
        times: u64,
        len: usize,
        inputs: &[&[u8]],
        results: &mut [&mut [u8]],
    ) -> bool {
        times > 0 && self.run_all((len, times), inputs, results, false)
    }
}

impl Code {
    fn run_all(
        &self,
        (len, times): (usize, u64),
        inputs: &[&[u8]],
        results: &mut [&mut [u8]],
        streams: bool,
    ) -> bool {
        if !self.fits_level() || !self.fits(len, inputs, results) {
            return false;
        }
        let vectors = self.vectors(times, inputs);
        let lanes = self.layout.lanes;
        let step = lanes * if self.two.is_some() { 2 } else { 1 };
        let head = self.head(len, results);
        let most = head + (len - head) / step * step;
        let whole = head + (len - head) / lanes * lanes;
        self.rest(0..head, inputs, results, &vectors);
        let is_aligned = |result: &&mut [u8]| {
            let address = result.as_ptr().addr() + head * self.layout.size;
            address.is_multiple_of(self.layout.vectors.bytes())
        };
        let streams = self
            .streams
            .filter(|_| streams && results.iter().all(is_aligned));
        let main = streams.or(self.two).unwrap_or(self.one);
        self.whole(main, head..most, inputs, results, &vectors);
        self.whole(self.one, most..whole, inputs, results, &vectors);
        self.rest(whole..len, inputs, results, &vectors);
        true
    }
}

/// What other code that calls this needs to know.
impl Code {
    /// The inputs with one value for all elements, each of which has a vector, in order.
    pub fn same(&self) -> &[usize] {
        &self.same
    }

    /// The inputs with a value for each element, whose pointers come before those of the results.
    pub fn each(&self) -> &[usize] {
        &self.each
    }

    /// Whether this thread's level has the code's instructions.
    pub fn fits_level(&self) -> bool {
        level() >= self.level
    }

    /// The calls that calculate `len` values: for each the address of the function, and its elements. The last values, which don't fill a vector, have no
    /// function of their own, but [`call_rest`].
    pub fn calls(&self, len: usize) -> Vec<(Option<usize>, Range<usize>)> {
        let begin = self.memory.as_ptr().addr();
        let lanes = self.layout.lanes;
        let most = self.two.map_or(0, |_| len / (2 * lanes) * (2 * lanes));
        let whole = len / lanes * lanes;
        let calls = [
            (self.two.map(|entry| begin + entry), 0..most),
            (Some(begin + self.one), most..whole),
            (None, whole..len),
        ];
        let calls = calls.into_iter();
        calls.filter(|(_, elements)| !elements.is_empty()).collect()
    }
}

/// What other code calls for values that don't fill a vector, of a chain with one result.
///
/// # Safety
/// `code` must be that of a chain for a level that this thread has. Behind the pointers, as many as the chain has inputs with a value for each element and
/// one for the result, there must be `len` values, fewer than a vector has lanes; those of the result are written. There must be as many vectors as inputs
/// with one value.
pub unsafe extern "C" fn call_rest(
    code: *const Code,
    pointers: *const *mut u8,
    len: u64,
    vectors: *const Vector,
) {
    // SAFETY: the caller passes such code.
    let code = unsafe { &*code };
    let len = len as usize;
    let mut parts: SmallVec<[Vector; 12]> = SmallVec::new();
    let result = code.each.len();
    for n in 0..=result {
        let size = code
            .each
            .get(n)
            .map_or(code.layout.size, |n| code.sizes[*n]);
        let mut part = Vector::EMPTY;
        // SAFETY: the caller passes that many pointers, and there are `len` values of this size behind each; a vector has room for as many as it has lanes.
        unsafe { std::ptr::copy_nonoverlapping(*pointers.add(n), part.0.as_mut_ptr(), len * size) };
        parts.push(part);
    }
    let own: Pointers = parts.iter_mut().map(|part| part.0.as_mut_ptr()).collect();
    // SAFETY: the caller passes as many vectors as there are inputs with one value.
    let vectors = unsafe { std::slice::from_raw_parts(vectors, code.same.len()) };
    // SAFETY: behind each pointer there is a vector of its own.
    unsafe { code.call(code.one, &own, code.layout.lanes, vectors) };
    let bytes = len * code.layout.size;
    // SAFETY: behind the last pointer there are `len` values, which may be written, and in the vector as well.
    unsafe {
        std::ptr::copy_nonoverlapping(own[result].cast_const(), *pointers.add(result), bytes)
    };
}

type Pointers = SmallVec<[*mut u8; 12]>;

impl Code {
    /// The number of values before the first one that begins at a multiple of a vector's size in the first result. Vectors across the ends of
    /// cache lines take longer, and those that stream must not be there. For few values, calculating the first ones apart takes longer.
    fn head(&self, len: usize, results: &[&mut [u8]]) -> usize {
        let bytes = self.layout.vectors.bytes();
        if len * self.layout.size < ALIGNED * bytes {
            return 0;
        }
        let address = results.first().map_or(0, |result| result.as_ptr().addr());
        let size = self.results.first().map_or(1, |size| *size);
        (address.next_multiple_of(bytes) - address) / size
    }

    /// Calculates as many whole vectors as the function at `entry` takes at once, or a multiple.
    fn whole(
        &self,
        entry: usize,
        elements: Range<usize>,
        inputs: &[&[u8]],
        results: &mut [&mut [u8]],
        vectors: &[Vector],
    ) {
        if elements.is_empty() {
            return;
        }
        let range = |size: usize| elements.start * size..elements.end * size;
        let mut pointers = Pointers::new();
        for n in &self.each {
            let values = &inputs[*n][range(self.sizes[*n])];
            pointers.push(values.as_ptr().cast_mut());
        }
        for (result, size) in results.iter_mut().zip(&self.results) {
            let values = &mut result[range(*size)];
            pointers.push(values.as_mut_ptr());
        }
        // SAFETY: behind each pointer there are as many values as are calculated, a number of vectors that the function takes. The
        // results are borrowed mutably, so they don't overlap with anything else. A function that streams only gets aligned results.
        unsafe { self.call(entry, &pointers, elements.len(), vectors) };
    }

    /// Calculates the values that don't fill a vector, in vectors of their own.
    fn rest(
        &self,
        elements: Range<usize>,
        inputs: &[&[u8]],
        results: &mut [&mut [u8]],
        vectors: &[Vector],
    ) {
        if elements.is_empty() {
            return;
        }
        let range = |size: usize| elements.start * size..elements.end * size;
        let mut parts: SmallVec<[Vector; 12]> = SmallVec::new();
        let mut add = |bytes: &[u8]| {
            let mut part = Vector::EMPTY;
            part.0[..bytes.len()].copy_from_slice(bytes);
            if self.loops {
                // Lanes without values of their own have those of others, and so take no longer than these.
                repeat(&mut part.0, bytes.len());
            }
            parts.push(part);
        };
        for n in &self.each {
            add(&inputs[*n][range(self.sizes[*n])]);
        }
        for ((result, is_read), size) in results.iter().zip(&self.is_read).zip(&self.results) {
            add(if *is_read { &result[range(*size)] } else { &[] });
        }
        let pointers = parts.iter_mut().map(|part| part.0.as_mut_ptr());
        let pointers: Pointers = pointers.collect();
        // SAFETY: behind each pointer there is a vector of its own, in which there are as many values as a vector has lanes.
        unsafe { self.call(self.one, &pointers, self.layout.lanes, vectors) };
        let parts = parts[self.each.len()..].iter().zip(&self.results);
        for (result, (part, size)) in results.iter_mut().zip(parts) {
            let result = &mut result[range(*size)];
            result.copy_from_slice(&part.0[..result.len()]);
        }
    }

    /// Runs the code from `entry` on.
    ///
    /// # Safety
    /// The thread's level must be that of the code or higher. Behind the pointers of `each` inputs and of the results, in this order, there must be
    /// `len` values, a multiple of the lanes of the vectors that the function takes at once and not 0; those of the results must be free to be written.
    unsafe fn call(&self, entry: usize, pointers: &Pointers, len: usize, vectors: &[Vector]) {
        // SAFETY: the position is that of a function of this signature in the memory.
        let entry =
            unsafe { std::mem::transmute::<*const u8, Entry>(self.memory.as_ptr().add(entry)) };
        // SAFETY: the code is in memory of `self`, which is borrowed, and needs no instructions beyond those of its level, which the CPU has. It reads the
        // pointers, of which it knows the number, and `vectors`, of which there are as many as the layout counts; it reads and writes
        // behind the pointers from the first value to the last, and on its own stack. The caller answers for the rest.
        unsafe { entry(pointers.as_ptr(), len as u64, vectors.as_ptr()) };
    }
}

/// Repeats the first bytes of a vector in the others.
fn repeat(bytes: &mut [u8], len: usize) {
    if len > 0 {
        (len..bytes.len()).for_each(|n| bytes[n] = bytes[n - len]);
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "machine code of a chain of {} bytes", self.memory.len())
    }
}
