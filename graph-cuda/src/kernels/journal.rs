//! The journal: memory in which kernels of loops and branches that only the GPU decides write down what the host reads behind the launch. It begins with
//! two words, and the next seed of each stream from which kernels draw; then follow entries, one behind the other. An entry is the number of a print
//! and the values that it prints, each at a multiple of eight bytes.

use graph_kernels::DType;

use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Launch};
use crate::ptx::{Code, Width};

/// Where the word lies that says where the next entry begins.
pub const NEXT: usize = 0;
/// Where the word lies that is set when an entry has no room. No entry is written behind that.
pub const FULL: usize = 8;
/// Where the seeds lie.
pub const SEEDS: usize = 16;
/// The bytes of a seed.
pub const SEED: usize = 16;

/// A kernel that writes an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// For each value, the unsigned type of its elements' size.
    pub values: Vec<DType>,
}

/// A kernel that draws a seed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NextSeed;

/// The unsigned type whose values are copied instead of those of a dtype, so that no bit changes.
fn bits_of(dtype: DType) -> DType {
    match dtype.bytes() {
        1 => DType::U8,
        2 => DType::U16,
        4 => DType::U32,
        _ => DType::U64,
    }
}

impl Description for Entry {
    fn threads(&self) -> u32 {
        128
    }

    fn write(&self, code: &mut Code) {
        let journal = code.address();
        let [end, length, print] = [(); 3].map(|()| code.parameter());
        let values: Vec<_> = self
            .values
            .iter()
            .map(|dtype| (*dtype, code.address(), code.parameter()))
            .collect();
        let full = code.add(journal, FULL as i64);
        let start = code.load_at("global", DType::U64, journal);
        let was_full = code.load_at("global", DType::U64, full);
        let after = code.add(start, length);
        // All threads have read the words before one of them writes.
        code.barrier();
        let out = code.label();
        let was_full = code.compare("ne", was_full, 0);
        code.jump_if(was_full, true, out);
        let fits = code.compare("le", after, end);
        let (writes, thread) = (code.label(), code.special("%tid.x"));
        let is_first = code.compare("eq", thread, 0);
        code.jump_if(fits, true, writes);
        code.when(is_first, |code| {
            let one = code.copy(1, Width::Double);
            code.store_at("global", DType::U64, full, one);
        });
        code.jump(out);
        code.place(writes);
        let entry = code.add(journal, start);
        code.when(is_first, |code| {
            code.store_at("global", DType::U64, journal, after);
            code.store_at("global", DType::U64, entry, print);
        });
        let mut to = code.add(entry, 8);
        for (dtype, from, count) in values {
            let index = code.widened(thread, Width::Double);
            let index = code.copy(index, Width::Double);
            code.count_up(index, count, 128, |code| {
                let value = code.load(dtype, from, index);
                code.store(dtype, to, index, value);
            });
            let bytes = code.mul_add(count, dtype.bytes() as i64, 7);
            let bytes = code.op(Width::Double, "and.b64", &[bytes.into(), (-8).into()]);
            to = code.add(to, bytes);
        }
        code.place(out);
    }
}

impl Description for NextSeed {
    fn threads(&self) -> u32 {
        1
    }

    fn write(&self, code: &mut Code) {
        let [seed, out] = [(); 2].map(|()| code.address());
        let [second, second_out] = [seed, out].map(|at| code.add(at, 8));
        let stream = code.load_at("global", DType::I64, seed);
        let number = code.load_at("global", DType::I64, second);
        code.store_at("global", DType::I64, out, stream);
        code.store_at("global", DType::I64, second_out, number);
        let next = code.add(number, 1);
        code.store_at("global", DType::I64, second, next);
    }
}

/// The bytes of an entry with values of these numbers of bytes.
pub fn entry_bytes(values: impl IntoIterator<Item = usize>) -> usize {
    let values = values.into_iter().map(|bytes| bytes.next_multiple_of(8));
    values.fold(8, usize::saturating_add)
}

impl Kernels {
    /// Writes an entry: the number of a print, and the values, each with its dtype and number of elements.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn enter(
        &self,
        journal: &Buffer,
        print: usize,
        values: &[(&Buffer, DType, usize)],
    ) -> Result<(), Failed> {
        let sizes = values.iter().map(|(_, dtype, count)| count * dtype.bytes());
        let length = entry_bytes(sizes) as u64;
        let mut parameters = vec![
            journal.address(),
            journal.bytes() as u64,
            length,
            print as u64,
        ];
        for (buffer, _, count) in values {
            parameters.extend([buffer.address(), *count as u64]);
        }
        let values = values.iter().map(|(_, dtype, _)| bits_of(*dtype)).collect();
        let launch = Launch {
            blocks: (1, 1),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Entry::write` reads them, and each value has as many elements.
        unsafe { self.launch(&Entry { values }, &launch) }
    }

    /// Draws a seed of the stream with a number.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn draw_seed(&self, journal: &Buffer, stream: usize, out: &Buffer) -> Result<(), Failed> {
        let seed = journal.address() + (SEEDS + stream * SEED) as u64;
        let launch = Launch {
            blocks: (1, 1),
            parameters: &[seed, out.address()],
        };
        // SAFETY: the parameters are in the order in which `NextSeed::write` reads them, and a seed has two elements.
        unsafe { self.launch(&NextSeed, &launch) }
    }
}
