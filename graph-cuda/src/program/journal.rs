//! The journal of a recording. A launch has loops and branches that only the GPU decides, so the host doesn't know what they print, or how many seeds
//! they draw. Their kernels write it down in a part of the GPU's memory, which the host reads behind the launch.
//!
//! If there is no room for an entry, the journal is full: loops end, the launch is void, and the call runs again, kernel by kernel. The next recording
//! has a journal that is eight times as large, up to a limit, beyond which the program isn't recorded any more.

use std::collections::VecDeque;
use std::sync::Arc;

use graph_ir::device::Host;
use graph_ir::error::{Error, Location};
use graph_ir::plan::{Instruction, Plan};
use graph_kernels::{Array, DType, Dims};

use super::effects::{Seen, Told};
use super::run::Problem;
use super::seeds::Seeds;
use crate::driver::{Buffer, Failed, Gpu};
use crate::kernels::{FULL, Kernels, NEXT, SEED, SEEDS, entry_bytes};
use crate::value::{Tensor, report_download};

/// The room for entries of the first journal.
const LEAST: usize = 16 << 10;
/// The most room for entries.
const MOST: usize = 64 << 20;
/// How much larger the next journal is when one is full.
const GROWTH: usize = 8;
/// How much is read at first, before it is known how much was written.
const FIRST_READ: usize = 4 << 10;

/// Room for entries, as a program needs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Room(usize);

impl Room {
    /// Room for a few times the entries that were told in a rehearsal.
    pub fn for_told<'a>(self, told: impl Iterator<Item = &'a Told>) -> Room {
        let bytes = told.map(|told| {
            let arrays = told.values.iter().filter_map(|value| match value {
                Seen::Now(array) => Some(array.bytes().unwrap_or_default().len()),
                Seen::Later(_) => None,
            });
            entry_bytes(arrays)
        });
        let bytes = bytes.fold(0, usize::saturating_add);
        Room(self.0.max(bytes.saturating_mul(4)).min(MOST))
    }

    /// More room; `None` if there is none.
    pub fn more(self) -> Option<Room> {
        let bytes = self.bytes();
        (bytes < MOST).then(|| Room((bytes * GROWTH).min(MOST)))
    }

    fn bytes(self) -> usize {
        self.0.max(LEAST)
    }
}

/// The journal of a recording.
pub struct Journal {
    buffer: Arc<Buffer>,
    /// Where the first entry lies.
    first: usize,
    /// The streams from which the GPU draws.
    streams: Vec<Option<i64>>,
    prints: Vec<Print>,
}

/// A print or summary whose entries are in the journal.
struct Print {
    /// The position of its instruction.
    at: usize,
    operands: Vec<Operand>,
}

/// What a print prints.
enum Operand {
    /// It is the same each time.
    Known(Arc<Array>),
    /// It is in the entry.
    Entered(DType, Dims),
}

/// What a launch has left in a journal.
pub struct Read {
    bytes: Vec<u8>,
    next: usize,
    /// Whether an entry had no room.
    pub is_full: bool,
    /// How many seeds of each stream were drawn, and the first of them.
    seeds: Vec<(Option<i64>, [i64; 2], u64)>,
}

impl Read {
    /// Tells the host which seeds were drawn. Returns whether they may be; if not, `drawn` gets those that the host counts as drawn.
    pub fn take_seeds(&self, host: &dyn Host, drawn: &mut Seeds) -> bool {
        let taken = |(stream, first, count): &(_, _, _)| host.take_seeds(*stream, *first, *count);
        // Another thread may draw from a stream, too.
        let Some(refused) = self.seeds.iter().position(|seeds| !taken(seeds)) else {
            return true;
        };
        for (stream, [of, first], count) in &self.seeds[..refused] {
            let numbers = (0..count.cast_signed()).map(|i| first.wrapping_add(i));
            numbers.for_each(|number| drawn.add(*stream, [*of, number]));
        }
        false
    }
}

impl Journal {
    /// A journal for a plan; `None` if it neither prints nor draws seeds.
    ///
    /// # Errors
    /// If the GPU has too little memory.
    pub fn new(gpu: &'static Gpu, plan: &Plan, room: Room) -> Result<Option<Journal>, Failed> {
        let draws =
            |instruction: &&Instruction| matches!(instruction, Instruction::NextSeed { .. });
        let tells = |instruction: &Instruction| {
            matches!(
                instruction,
                Instruction::Print { .. } | Instruction::Summary { .. }
            )
        };
        let draws = plan.instructions.iter().filter(draws).count();
        if draws == 0 && !plan.instructions.iter().any(tells) {
            return Ok(None);
        }
        let first = SEEDS + draws * SEED;
        Ok(Some(Journal {
            buffer: Arc::new(Buffer::new(gpu, first + room.bytes())?),
            first,
            streams: Vec::new(),
            prints: Vec::new(),
        }))
    }

    /// Whether the recording uses it.
    pub fn is_used(&self) -> bool {
        !self.streams.is_empty() || !self.prints.is_empty()
    }

    /// How many prints there are.
    pub fn prints(&self) -> usize {
        self.prints.len()
    }

    /// The address of the word that is set when it is full, if there are entries.
    pub fn full_at(&self) -> Option<u64> {
        (!self.prints.is_empty()).then(|| self.buffer.address() + FULL as u64)
    }

    /// Queues a kernel that writes an entry.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn enter(
        &mut self,
        kernels: &Kernels,
        at: usize,
        values: &[Tensor],
    ) -> Result<(), Problem> {
        let (mut operands, mut entered) = (Vec::new(), Vec::new());
        for value in values {
            operands.push(match value.known() {
                Some(array) => Operand::Known(array.clone()),
                None => {
                    entered.push((&**value.buffer()?, value.dtype, value.count()));
                    Operand::Entered(value.dtype, value.shape.clone())
                }
            });
        }
        kernels.enter(&self.buffer, self.prints.len(), &entered)?;
        self.prints.push(Print { at, operands });
        Ok(())
    }

    /// Whether the GPU draws from a stream.
    pub fn draws_from(&self, stream: Option<i64>) -> bool {
        self.streams.contains(&stream)
    }

    /// Queues a kernel that draws a seed.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn draw(
        &mut self,
        kernels: &Kernels,
        stream: Option<i64>,
        to: &Buffer,
    ) -> Result<(), Failed> {
        let known = self.streams.iter().position(|other| *other == stream);
        let number = known.unwrap_or_else(|| {
            self.streams.push(stream);
            self.streams.len() - 1
        });
        kernels.draw_seed(&self.buffer, number, to)
    }

    /// Queues what a launch needs: a journal without entries, with the next seeds. Returns these.
    ///
    /// # Errors
    /// If the driver fails, or if only the host can draw seeds.
    pub fn begin(&self, host: &dyn Host) -> Result<Vec<[i64; 2]>, Error> {
        let coming = self.streams.iter().map(|stream| host.coming_seed(*stream));
        let seeds = coming.collect::<Option<Vec<[i64; 2]>>>();
        let seeds = seeds.ok_or_else(|| problem("only the host can draw seeds"))?;
        let mut bytes = vec![0; SEEDS];
        bytes[NEXT..NEXT + 8].copy_from_slice(&(self.first as u64).to_le_bytes());
        bytes.extend(seeds.iter().flatten().flat_map(|part| part.to_le_bytes()));
        self.buffer.write(&bytes)?;
        Ok(seeds)
    }

    /// Waits for a launch, which began with some seeds, and reads what it has left.
    ///
    /// # Errors
    /// If the driver fails, or if it isn't a journal that was left.
    pub fn read(&self, began: &[[i64; 2]]) -> Result<Read, Failed> {
        let damaged = || Failed::new("a journal that is damaged", 999);
        let mut bytes = vec![0; self.buffer.bytes().min(self.first.max(FIRST_READ))];
        self.buffer.read(&mut bytes)?;
        let word = |at: usize| number(&bytes, at).ok_or_else(damaged);
        let next = word(NEXT)? as usize;
        let is_full = word(FULL)? != 0;
        let mut seeds = Vec::new();
        for (i, (stream, first)) in self.streams.iter().zip(began).enumerate() {
            let next = word(SEEDS + i * SEED + 8)?;
            seeds.push((*stream, *first, next.wrapping_sub(first[1].cast_unsigned())));
        }
        if !(self.first..=self.buffer.bytes()).contains(&next) {
            return Err(damaged());
        }
        if next > bytes.len() && !is_full {
            bytes.resize(next, 0);
            self.buffer.read(&mut bytes)?;
        }
        report_download(self.buffer.gpu(), bytes.len());
        Ok(Read {
            bytes,
            next,
            is_full,
            seeds,
        })
    }

    /// The entries, in order: the numbers of their prints, and what these tell.
    ///
    /// # Errors
    /// If an entry is damaged.
    pub fn entries(&self, read: &Read) -> Result<VecDeque<(usize, Told)>, Error> {
        let mut entries = VecDeque::new();
        let mut at = self.first;
        while at < read.next {
            let number = number(&read.bytes, at).map(|number| number as usize);
            let print = number.and_then(|number| Some((number, self.prints.get(number)?)));
            let (number, print) = print.ok_or_else(|| problem("an entry of no print"))?;
            at += 8;
            let mut values = Vec::new();
            for operand in &print.operands {
                values.push(Seen::Now(match operand {
                    Operand::Known(array) => array.clone(),
                    Operand::Entered(dtype, shape) => {
                        let array = array_at(&read.bytes, at, *dtype, shape)?;
                        at += array.bytes().unwrap_or_default().len().next_multiple_of(8);
                        Arc::new(array)
                    }
                }));
            }
            entries.push_back((
                number,
                Told {
                    at: print.at,
                    values,
                },
            ));
        }
        Ok(entries)
    }
}

/// The word at a position.
fn number(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(word.try_into().ok()?))
}

/// The array at a position.
fn array_at(bytes: &[u8], at: usize, dtype: DType, shape: &[usize]) -> Result<Array, Error> {
    enum Wrong {
        Short,
        Kernel(graph_kernels::KernelError),
    }
    impl From<graph_kernels::KernelError> for Wrong {
        fn from(error: graph_kernels::KernelError) -> Wrong {
            Wrong::Kernel(error)
        }
    }
    let array = Array::of_bytes(dtype, shape, |to| {
        let from = bytes.get(at..at + to.len()).ok_or(Wrong::Short)?;
        to.copy_from_slice(from);
        Ok(())
    });
    array.map_err(|wrong| match wrong {
        Wrong::Short => problem("an entry that ends early"),
        Wrong::Kernel(error) => problem(&error.to_string()),
    })
}

fn problem(message: &str) -> Error {
    Error::run(message, Location::unknown())
}
