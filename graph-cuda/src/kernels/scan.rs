//! Running sums and products along an axis. A thread walks along a row where neighbouring rows lie side by side, or where rows are short. Else a block
//! walks, as many elements at a time as it has threads. The order of the combinations is fixed.

use graph_kernels::{DType, ElementOp};

use super::combine::{add, neutral};
use super::map::thread_and_step;
use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Launch};
use crate::ptx::{self, Code, Operand, Reg, Width};

const THREADS: u32 = 256;
const WARP: u32 = 32;
/// Rows up to this length are walked by one thread each.
const SHORT: usize = 64;
/// From this many rows on, threads have rows of their own if these lie side by side.
const MANY: usize = 4096;

/// A kernel of running sums or products.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scan {
    /// The dtype of the elements. 16-bit floats are combined in `f32`.
    pub dtype: DType,
    /// How elements are combined: by addition or multiplication.
    pub combine: ElementOp,
    /// Whether an element of the result leaves out the operand's element at the same place.
    pub exclusive: bool,
    /// Whether it goes from the last element to the first.
    pub reverse: bool,
    /// Whether a thread has rows of its own.
    pub by_thread: bool,
    /// Whether indices need 64 bits.
    pub wide: bool,
}

/// A tensor as rows along an axis.
#[derive(Clone, Copy)]
pub struct ScannedRows {
    /// The number of rows.
    pub rows: usize,
    /// The number of elements of a row.
    pub length: usize,
    /// The step from one element of a row to the next; as many rows lie side by side.
    pub inner: usize,
}

/// The registers that the kernel's parameters are in.
struct Registers {
    out: Reg,
    x: Reg,
    rows: Reg,
    length: Reg,
    inner: Reg,
}

impl Scan {
    fn sum(&self) -> DType {
        match self.dtype {
            DType::F16 | DType::BF16 => DType::F32,
            other => other,
        }
    }

    fn index(&self) -> Width {
        match self.wide {
            true => Width::Double,
            false => Width::Word,
        }
    }

    fn add(&self, code: &mut Code, sum: Reg, value: Reg) {
        add(code, self.combine, self.sum(), sum, value);
    }

    /// The value that changes nothing.
    fn none(&self, code: &mut Code) -> Reg {
        let none = ptx::constant(code, self.sum(), neutral(self.combine, self.sum()));
        code.copy(none, none.width)
    }

    /// The index of the first element of a row.
    fn start(code: &mut Code, registers: &Registers, row: Reg) -> Reg {
        let outer = code.div(row, registers.inner);
        let before = code.mul(outer, registers.inner);
        let column = code.sub(row, before);
        let rows = code.mul(before, registers.length);
        code.add(rows, column)
    }

    /// The index of an element, counted in the direction of the walk.
    fn at(&self, code: &mut Code, registers: &Registers, start: Reg, k: Reg) -> Reg {
        let mut position = k;
        if self.reverse {
            let last = code.sub(registers.length, 1);
            position = code.sub(last, k);
        }
        code.mul_add(position, registers.inner, start)
    }

    fn by_thread(&self, code: &mut Code, registers: &Registers) {
        let (thread, step) = thread_and_step(code, self.index());
        let row = code.copy(thread, self.index());
        code.count_up(row, registers.rows, step, |code| {
            let start = Scan::start(code, registers, row);
            let sum = self.none(code);
            let k = code.copy(0, self.index());
            code.count_up(k, registers.length, 1, |code| {
                let at = self.at(code, registers, start, k);
                let value = code.load(self.dtype, registers.x, at);
                if self.exclusive {
                    code.store(self.dtype, registers.out, at, sum);
                }
                self.add(code, sum, value);
                if !self.exclusive {
                    code.store(self.dtype, registers.out, at, sum);
                }
            });
        });
    }

    fn by_block(&self, code: &mut Code, registers: &Registers) {
        let index = self.index();
        let bytes = self.sum().bytes() as i64;
        let totals = code.shared(THREADS / WARP * bytes as u32);
        let totals = code.shared_address(totals);
        let thread = code.special("%tid.x");
        let warp = code.div(thread, i64::from(WARP));
        let lane = [thread.into(), Operand::Int(i64::from(WARP) - 1)];
        let lane = code.op(Width::Word, "and.b32", &lane);
        let own = code.mul_add(warp, bytes, totals);
        let [row, blocks] = ["%ctaid.x", "%nctaid.x"].map(|name| {
            let register = code.special(name);
            code.widened(register, index)
        });
        let row = code.copy(row, index);
        let thread = code.widened(thread, index);
        code.count_up(row, registers.rows, blocks, |code| {
            let start = Scan::start(code, registers, row);
            let carried = self.none(code);
            let first = code.copy(0, index);
            code.count_up(first, registers.length, i64::from(THREADS), |code| {
                let k = code.add(first, thread);
                let inside = code.compare("lt", k, registers.length);
                let at = self.at(code, registers, start, k);
                let sum = self.none(code);
                code.when(inside, |code| {
                    let value = code.load(self.dtype, registers.x, at);
                    code.assign(sum, value);
                });
                self.within_warp(code, lane, sum);
                let is_last = code.compare("eq", lane, i64::from(WARP) - 1);
                code.when(is_last, |code| {
                    code.store_at("shared", self.sum(), own, sum);
                });
                code.barrier();
                let before = self.before_warp(code, totals, warp, carried);
                let result = self.element(code, lane, before, sum);
                code.when(inside, |code| {
                    code.store(self.dtype, registers.out, at, result);
                });
                // The totals are written again in the next turn.
                code.barrier();
            });
        });
    }

    /// Combines the values of the warp's threads up to this one.
    fn within_warp(&self, code: &mut Code, lane: Reg, sum: Reg) {
        let mut distance = 1;
        while distance < WARP {
            let other = code.of_earlier(sum, distance);
            let exists = code.compare("ge", lane, i64::from(distance));
            code.when(exists, |code| {
                self.add(code, other, sum);
                code.assign(sum, other);
            });
            distance *= 2;
        }
    }

    /// What is before this thread's warp; `carried` becomes what is before the block's next turn.
    fn before_warp(&self, code: &mut Code, totals: Reg, warp: Reg, carried: Reg) -> Reg {
        let before = code.copy(carried, carried.width);
        for number in 0..i64::from(THREADS / WARP) {
            let total = code.add(totals, number * self.sum().bytes() as i64);
            let total = code.load_at("shared", self.sum(), total);
            self.add(code, carried, total);
            let is_before = code.compare("gt", warp, number);
            code.when(is_before, |code| code.assign(before, carried));
        }
        before
    }

    /// The element of the result, from what is before the warp and the sum up to this thread in the warp.
    fn element(&self, code: &mut Code, lane: Reg, before: Reg, sum: Reg) -> Reg {
        let result = code.copy(before, before.width);
        match self.exclusive {
            false => self.add(code, result, sum),
            true => {
                let earlier = code.of_earlier(sum, 1);
                let exists = code.compare("ne", lane, 0);
                code.when(exists, |code| self.add(code, result, earlier));
            }
        }
        result
    }
}

impl Description for Scan {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let (out, x) = (code.address(), code.address());
        let [rows, length, inner] = [(); 3].map(|()| {
            let parameter = code.parameter();
            code.widened(parameter, self.index())
        });
        let registers = Registers {
            out,
            x,
            rows,
            length,
            inner,
        };
        match self.by_thread {
            true => self.by_thread(code, &registers),
            false => self.by_block(code, &registers),
        }
    }
}

impl Kernels {
    /// Running sums or products of a tensor's rows; the result lies as the tensor does.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn scan(
        &self,
        (out, x): (&Buffer, &Buffer),
        along: ScannedRows,
        (dtype, combine): (DType, ElementOp),
        (exclusive, reverse): (bool, bool),
    ) -> Result<(), Failed> {
        let ScannedRows {
            rows,
            length,
            inner,
        } = along;
        if rows == 0 || length == 0 {
            return Ok(());
        }
        let by_thread = length <= SHORT || inner > 1 && rows >= MANY;
        let scan = Scan {
            dtype,
            combine,
            exclusive,
            reverse,
            by_thread,
            wide: rows.saturating_mul(length) >= 1 << 31,
        };
        let mut parameters = vec![out.address(), x.address()];
        parameters.extend([rows, length, inner].map(|size| size as u64));
        let workers = match by_thread {
            true => rows.div_ceil(THREADS as usize),
            false => rows,
        };
        let launch = Launch {
            blocks: (self.blocks(workers, 32), 1),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Scan::write` reads them, and both buffers have the rows' elements.
        unsafe { self.launch(&scan, &launch) }
    }
}
