//! Transposes: copies whose operand lies contiguously along another axis than the result. A block moves a tile through shared memory, so that
//! neighbouring threads read neighbours and write neighbours.

use graph_kernels::DType;

use super::chain::{Step, Walk, coordinates};
use super::view::PerAxis;
use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Launch};
use crate::ptx::{Code, Operand, Reg, Width};

const THREADS: u32 = 256;
/// The sides of a tile.
const SIDE: i64 = 32;
/// Rows of a tile in shared memory are one element longer, so that a column is in all banks.
const ROW: i64 = SIDE + 1;
/// How many rows of a tile the threads move at a time.
const ROWS: i64 = THREADS as i64 / SIDE;
/// Axes shorter than this fill too little of a tile.
const SHORT: usize = 8;

/// A kernel that transposes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// An unsigned dtype of the elements' size.
    dtype: DType,
    /// How many other axes there are.
    others: usize,
    wide: bool,
}

/// A transpose: the axis along which the operand is contiguous. The result is contiguous along the last one.
pub struct Transpose {
    axis: usize,
}

/// A list of numbers for each of the other axes.
struct Others {
    dims: Vec<Reg>,
    from: Vec<Reg>,
    to: Vec<Reg>,
}

impl Tile {
    /// The kernel for elements of a dtype, with some other axes.
    pub fn new(dtype: DType, others: usize, wide: bool) -> Tile {
        let dtype = match dtype.bytes() {
            1 => DType::U8,
            2 => DType::U16,
            4 => DType::U32,
            _ => DType::U64,
        };
        Tile {
            dtype,
            others,
            wide,
        }
    }

    fn index(&self) -> Width {
        match self.wide {
            true => Width::Double,
            false => Width::Word,
        }
    }

    /// The address in shared memory of an element of the tile.
    fn shared(&self, code: &mut Code, tile: Reg, row: Reg, column: Reg) -> Reg {
        let at = code.mul_add(row, ROW, column);
        code.mul_add(at, self.dtype.bytes() as i64, tile)
    }

    /// Runs code for each row of the tile that this thread moves, where the tile's row `first + y` and column are inside of these sizes.
    fn each(
        &self,
        code: &mut Code,
        thread: [Reg; 2],
        first: [Reg; 2],
        sizes: [Reg; 2],
        mut then: impl FnMut(&mut Code, Reg, [Reg; 2]),
    ) {
        let [column, start] = thread;
        for i in 0..SIDE / ROWS {
            let row = code.add(start, i * ROWS);
            let at: [Reg; 2] = [0, 1].map(|axis| {
                let own = code.widened([row, column][axis], self.index());
                code.add(first[axis], own)
            });
            let inside = [0, 1].map(|axis| code.compare("lt", at[axis], sizes[axis]));
            let inside = inside.map(Operand::from);
            let inside = code.op(Width::Predicate, "and.pred", &inside);
            code.when(inside, |code| then(code, row, at));
        }
    }
}

/// `start` plus coordinates by steps.
fn along(code: &mut Code, start: Reg, coordinates: &[Reg], steps: &[Reg]) -> Reg {
    let pairs = coordinates.iter().zip(steps);
    pairs.fold(start, |sum, (x, step)| code.mul_add(*x, *step, sum))
}

impl Description for Tile {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let index = self.index();
        let (out, x) = (code.address(), code.address());
        // Of the operand: rows are along the result's last axis, columns along the axis on which the operand is contiguous.
        let [tiles, down, across, rows, columns, offset, step, to_step] =
            [(); 8].map(|()| code.number(index));
        let list = |code: &mut Code| (0..self.others).map(|_| code.number(index)).collect();
        let others = Others {
            dims: list(code),
            from: list(code),
            to: list(code),
        };
        let bytes = ROW * SIDE * self.dtype.bytes() as i64;
        let tile = code.shared(bytes as u32);
        let tile = code.shared_address(tile);
        let thread = code.special("%tid.x");
        let column = [thread.into(), Operand::Int(SIDE - 1)];
        let column = code.op(Width::Word, "and.b32", &column);
        let start = code.div(thread, SIDE);
        let [block, blocks] = ["%ctaid.x", "%nctaid.x"].map(|name| {
            let register = code.special(name);
            code.widened(register, index)
        });
        let number = code.copy(block, index);
        code.count_up(number, tiles, blocks, |code| {
            let place = coordinates(code, number, &[tiles, down, across]);
            let first = [place[1], place[2]].map(|tile| code.mul(tile, SIDE));
            let outer = coordinates(code, place[0], &others.dims);
            let from = along(code, offset, &outer, &others.from);
            let zero = code.copy(0, index);
            let to = along(code, zero, &outer, &others.to);
            // The tile before may still be read.
            code.barrier();
            self.each(
                code,
                [column, start],
                first,
                [rows, columns],
                |code, row, at| {
                    let from = code.mul_add(at[0], step, from);
                    let from = code.add(from, at[1]);
                    let value = code.load(self.dtype, x, from);
                    let place = self.shared(code, tile, row, column);
                    code.store_at("shared", self.dtype, place, value);
                },
            );
            code.barrier();
            let first = [first[1], first[0]];
            self.each(
                code,
                [column, start],
                first,
                [columns, rows],
                |code, row, at| {
                    let place = self.shared(code, tile, column, row);
                    let value = code.load_at("shared", self.dtype, place);
                    let to = code.mul_add(at[0], to_step, to);
                    let to = code.add(to, at[1]);
                    code.store(self.dtype, out, to, value);
                },
            );
        });
    }
}

/// The transpose that a copy is, by the walk over its result: `None` if it is none, or if an axis is short.
pub fn transpose(walk: &Walk, steps: &[Step]) -> Option<Transpose> {
    let ([Step::Operand(0)], [view]) = (steps, &walk.views[..]) else {
        return None;
    };
    let last = walk.dims.len().checked_sub(1)?;
    let axis = view.strides.iter().position(|stride| *stride == 1)?;
    let is_long = |axis: usize| walk.dims[axis] >= SHORT;
    let is_transposed = axis != last && view.strides[last] != 0;
    (is_transposed && is_long(axis) && is_long(last)).then_some(Transpose { axis })
}

impl Kernels {
    /// Copies elements of a dtype from `x` to a result that lies as the walk's axes do.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn transpose(
        &self,
        (out, x): (&Buffer, u64),
        dtype: DType,
        walk: &Walk,
        transpose: &Transpose,
    ) -> Result<(), Failed> {
        let (dims, view) = (&walk.dims, &walk.views[0]);
        let (axis, last) = (transpose.axis, dims.len() - 1);
        let whole = super::View::of(dims);
        let others: PerAxis<usize> = (0..last).filter(|other| *other != axis).collect();
        let side = SIDE as usize;
        let (down, across) = (dims[last].div_ceil(side), dims[axis].div_ceil(side));
        let batch: usize = others.iter().map(|axis| dims[*axis]).product();
        let tiles = batch * down * across;
        let mut parameters = vec![out.address(), x];
        parameters.extend([tiles, down, across, dims[last], dims[axis]].map(|x| x as u64));
        let steps = [view.offset, view.strides[last], whole.strides[axis]];
        parameters.extend(steps.map(|x| x as u64));
        parameters.extend(others.iter().map(|axis| dims[*axis] as u64));
        for strides in [&view.strides, &whole.strides] {
            parameters.extend(others.iter().map(|axis| strides[*axis] as u64));
        }
        let launch = Launch {
            blocks: (self.blocks(tiles, 32), 1),
            parameters: &parameters,
        };
        let description = Tile::new(dtype, others.len(), walk.wide);
        // SAFETY: the parameters are in the order in which `Tile::write` reads them. The view lies in the operand's buffer.
        unsafe { self.launch(&description, &launch) }
    }
}
