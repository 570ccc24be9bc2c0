//! Sorting: rows of keys of 64 bits, whose length is a power of two, in a bitonic network that compares in ascending order only. Tiles are sorted in
//! shared memory; the steps over larger distances compare in the GPU's memory.

use graph_kernels::DType;

use super::map::thread_and_step;
use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Launch};
use crate::ptx::{Code, Operand, Reg, Width};

const THREADS: u32 = 256;
/// The most keys of a tile.
const TILE: usize = 2048;

/// The pairs that a step of the network compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Pairs {
    /// The keys of each group of this size, the first with the last and so on.
    Mirrored(usize),
    /// Keys at this distance.
    Distant(usize),
}

/// A kernel that sorts tiles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortTile {
    /// The number of keys of a tile.
    pub size: usize,
    /// Whether the halves of a tile are in order, so that only the last steps are left.
    pub merges: bool,
}

/// A kernel that compares keys at a distance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Far {
    /// Whether groups are mirrored.
    pub mirrored: bool,
}

/// The steps by which a group of this size becomes sorted, if its halves are.
fn merging(size: usize) -> impl Iterator<Item = Pairs> {
    let distances = std::iter::successors(Some(size / 4), |distance| Some(distance / 2));
    let distances = distances.take_while(|distance| *distance > 0);
    std::iter::once(Pairs::Mirrored(size)).chain(distances.map(Pairs::Distant))
}

/// The steps of a tile.
fn steps(tile: &SortTile) -> Vec<Pairs> {
    let sizes = std::iter::successors(Some(2), |size| Some(size * 2));
    match tile.merges {
        true => merging(tile.size * 2).skip(1).collect(),
        false => sizes
            .take_while(|size| *size <= tile.size)
            .flat_map(merging)
            .collect(),
    }
}

/// Swaps two keys if they are out of order.
fn compare(code: &mut Code, space: &str, [first, second]: [Reg; 2]) {
    let x = code.load_at(space, DType::U64, first);
    let y = code.load_at(space, DType::U64, second);
    let swapped = code.compare("gt", x, y);
    code.when(swapped, |code| {
        code.store_at(space, DType::U64, first, y);
        code.store_at(space, DType::U64, second, x);
    });
}

/// The positions of the `n`th pair at a distance, a power of two.
fn distant(code: &mut Code, n: Reg, distance: impl Into<Operand>) -> [Reg; 2] {
    let distance = code.copy(distance, n.width);
    let below = code.sub(distance, 1);
    let bits = if n.width == Width::Double { 64 } else { 32 };
    let low = code.op(n.width, &format!("and.b{bits}"), &[n.into(), below.into()]);
    let high = code.sub(n, low);
    // The high part counts pairs of runs.
    let first = code.mul_add(high, 2, low);
    [first, code.add(first, distance)]
}

/// The positions of the `n`th pair of mirrored groups, whose halves are of this size.
fn mirrored(code: &mut Code, n: Reg, half: impl Into<Operand>) -> [Reg; 2] {
    let half = code.copy(half, n.width);
    let [first, second] = distant(code, n, half);
    // From the second half's beginning to its end, mirrored: what the first is behind its half's beginning, the second is before its half's end.
    let below = code.sub(half, 1);
    let bits = if n.width == Width::Double { 64 } else { 32 };
    let offset = code.op(n.width, &format!("and.b{bits}"), &[n.into(), below.into()]);
    let twice = code.mul(offset, 2);
    let end = code.add(second, below);
    [first, code.sub(end, twice)]
}

impl Description for SortTile {
    fn threads(&self) -> u32 {
        (self.size / 2) as u32
    }

    fn write(&self, code: &mut Code) {
        let (wide, word) = (Width::Double, Width::Word);
        let (keys, tiles) = (code.address(), code.parameter());
        let thread = code.special("%tid.x");
        let block = code.special("%ctaid.x");
        let blocks = code.special("%nctaid.x");
        let [tile, blocks] = [block, blocks].map(|number| code.widened(number, wide));
        let offset = code.shared((self.size * 8) as u32);
        let shared = code.shared_address(offset);
        let half = (self.size / 2) as i64;
        let own = code.mul_add(thread, 8, shared);
        let other = code.add(own, half * 8);
        let thread_wide = code.widened(thread, wide);
        code.count_up(tile, tiles, blocks, |code| {
            let first = code.mul_add(tile, self.size as i64, thread_wide);
            let first = code.element_address(keys, first, DType::U64);
            let second = code.add(first, half * 8);
            let pairs = [(first, own), (second, other)];
            for (far, near) in pairs {
                let key = code.load_at("global", DType::U64, far);
                code.store_at("shared", DType::U64, near, key);
            }
            for step in steps(self) {
                code.barrier();
                let pair = match step {
                    Pairs::Mirrored(size) => mirrored(code, thread, (size / 2) as i64),
                    Pairs::Distant(distance) => distant(code, thread, distance as i64),
                };
                let pair = pair.map(|at| {
                    let bytes = code.op(word, "shl.b32", &[at.into(), Operand::Int(3)]);
                    code.add(shared, bytes)
                });
                compare(code, "shared", pair);
            }
            code.barrier();
            for (far, near) in pairs {
                let key = code.load_at("shared", DType::U64, near);
                code.store_at("global", DType::U64, far, key);
            }
            code.barrier();
        });
    }
}

impl Description for Far {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let wide = Width::Double;
        let (keys, count, distance) = (code.address(), code.parameter(), code.parameter());
        let (thread, step) = thread_and_step(code, wide);
        let n = code.copy(thread, wide);
        code.count_up(n, count, step, |code| {
            let pair = match self.mirrored {
                true => mirrored(code, n, distance),
                false => distant(code, n, distance),
            };
            let pair = pair.map(|at| code.element_address(keys, at, DType::U64));
            compare(code, "global", pair);
        });
    }
}

impl Kernels {
    /// Sorts each row of keys as unsigned numbers. The length of a row is a power of two.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn sort(&self, keys: &Buffer, rows: usize, length: usize) -> Result<(), Failed> {
        if length < 2 {
            return Ok(());
        }
        let count = rows * length;
        let size = length.min(TILE);
        self.sort_tiles(keys, count, size, false)?;
        let mut group = size * 2;
        while group <= length {
            let far = merging(group).take_while(|pairs| match pairs {
                Pairs::Mirrored(_) => true,
                Pairs::Distant(distance) => *distance >= size,
            });
            for pairs in far {
                self.compare_far(keys, count, pairs)?;
            }
            self.sort_tiles(keys, count, size, true)?;
            group *= 2;
        }
        Ok(())
    }

    fn sort_tiles(
        &self,
        keys: &Buffer,
        count: usize,
        size: usize,
        merges: bool,
    ) -> Result<(), Failed> {
        let tiles = count / size;
        let launch = Launch {
            blocks: (self.blocks(tiles, 16), 1),
            parameters: &[keys.address(), tiles as u64],
        };
        // SAFETY: the parameters are in the order in which `SortTile::write` reads them. The tiles lie in the buffer.
        unsafe { self.launch(&SortTile { size, merges }, &launch) }
    }

    fn compare_far(&self, keys: &Buffer, count: usize, pairs: Pairs) -> Result<(), Failed> {
        let (mirrored, distance) = match pairs {
            Pairs::Mirrored(size) => (true, size / 2),
            Pairs::Distant(distance) => (false, distance),
        };
        let blocks = (count / 2).div_ceil(THREADS as usize);
        let launch = Launch {
            blocks: (self.blocks(blocks, 16), 1),
            parameters: &[keys.address(), count as u64 / 2, distance as u64],
        };
        // SAFETY: the parameters are in the order in which `Far::write` reads them. The pairs lie in the buffer.
        unsafe { self.launch(&Far { mirrored }, &launch) }
    }
}
