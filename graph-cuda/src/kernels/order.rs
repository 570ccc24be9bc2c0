//! Keys by which values are sorted, and binary searches. A key is an integer with the order of the value, with the value's position in its low bits, so
//! that equal values keep their order; NaN comes last. Values of 64 bits are sorted by their low halves, and then by their high ones.

use graph_kernels::{DType, ElementOp};

use super::chain::{Access, Addresses, Input, Walk, coordinates};
use super::lookup::NOWHERE;
use super::map::thread_and_step;
use super::scatter::axes_of;
use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Launch};
use crate::ptx::{self, Code, Operand, Reg, Width};

const THREADS: u32 = 256;

/// Which bits of a value's key are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Digits {
    /// All 32 of them.
    All,
    /// The low ones of 64.
    Low,
    /// The high ones of 64. The values are in the order of keys by the low ones, and the positions are those in this order.
    High,
}

/// A kernel that writes keys of the values of rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    /// The dtype of the values.
    pub dtype: DType,
    /// Whether large values come first.
    pub descending: bool,
    /// What is sorted by.
    pub digits: Digits,
    access: Access,
    /// The axes of the rows, and of a row.
    ranks: [usize; 2],
}

/// Rows of values to be sorted.
pub struct Ranked<'a> {
    /// The axes of the rows.
    pub rows: &'a [usize],
    /// The length of a row.
    pub length: usize,
    /// The values, over the axes of the rows and the one of a row.
    pub values: Input<'a>,
    /// Their dtype.
    pub dtype: DType,
    /// Whether large values come first.
    pub descending: bool,
}

impl Rank {
    /// The kernel of values that are found by steps.
    #[cfg(test)]
    pub fn of(dtype: DType, descending: bool, digits: Digits) -> Rank {
        Rank {
            dtype,
            descending,
            digits,
            access: Access::Strided,
            ranks: [1, 1],
        }
    }

    /// The integer with the order of a value, of 32 or 64 bits.
    fn ordered(&self, code: &mut Code, value: Reg) -> Reg {
        let width = value.width;
        let (bits, top) = match width {
            Width::Double => ("64", Operand::Int(i64::MIN)),
            _ => ("32", Operand::Int(0x8000_0000)),
        };
        let xor = format!("xor.b{bits}");
        let mut key = value;
        if self.dtype.is_float() {
            // The sum has no negative zero.
            let zero = ptx::constant(code, wide(self.dtype), 0);
            let sum = code.op(
                width,
                &format!("add.rn.f{bits}"),
                &[value.into(), zero.into()],
            );
            let shift = [sum.into(), Operand::Int(if bits == "64" { 63 } else { 31 })];
            let sign = code.op(width, &format!("shr.s{bits}"), &shift);
            let flipped = code.op(width, &format!("or.b{bits}"), &[sign.into(), top]);
            key = code.op(width, &xor, &[sum.into(), flipped.into()]);
        } else if !self.dtype.is_unsigned() {
            key = code.op(width, &xor, &[value.into(), top]);
        }
        if self.descending {
            key = code.op(width, &format!("not.b{bits}"), &[key.into()]);
        }
        if self.dtype.is_float() {
            let is_nan = [value.into(), value.into()];
            let is_nan = code.op(Width::Predicate, &format!("setp.nan.f{bits}"), &is_nan);
            let chosen = [Operand::Int(-1), key.into(), is_nan.into()];
            key = code.op(width, &format!("selp.b{bits}"), &chosen);
        }
        key
    }

    /// The digits that are sorted by, as the low bits of a wide register.
    fn digits(&self, code: &mut Code, key: Reg) -> Reg {
        let wide = Width::Double;
        match self.digits {
            Digits::All => code.widened(key, wide),
            Digits::Low => code.op(wide, "and.b64", &[key.into(), Operand::Int(0xFFFF_FFFF)]),
            Digits::High => code.op(wide, "shr.u64", &[key.into(), Operand::Int(32)]),
        }
    }
}

/// The dtype in whose registers a float is.
fn wide(dtype: DType) -> DType {
    match dtype {
        DType::F64 => DType::F64,
        _ => DType::F32,
    }
}

impl Description for Rank {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let (wide, [rows, _]) = (Width::Double, self.ranks);
        let out = code.address();
        let before = (self.digits == Digits::High).then(|| code.address());
        let (count, room, length) = (code.parameter(), code.parameter(), code.parameter());
        let rank = self.ranks[0] + self.ranks[1];
        let operands = [(self.dtype, self.access)];
        let addresses = Addresses::parameters(code, &operands, rank, wide);
        let dims: Vec<Reg> = (0..rank).map(|_| code.parameter()).collect();
        let (row_dims, dims) = dims.split_at(rows);
        let (thread, step) = thread_and_step(code, wide);
        let n = code.copy(thread, wide);
        code.count_up(n, count, step, |code| {
            let row = code.div(n, room);
            let start = code.mul(row, room);
            let slot = code.sub(n, start);
            let key = code.copy(NOWHERE, wide);
            let inside = code.compare("lt", slot, length);
            code.when(inside, |code| {
                let position = match before {
                    None => slot,
                    Some(before) => {
                        let key = code.load(DType::U64, before, n);
                        let low = [key.into(), Operand::Int(0xFFFF_FFFF)];
                        code.op(wide, "and.b64", &low)
                    }
                };
                let of_rows = coordinates(code, row, row_dims);
                let own = addresses.along(code, 0, 0, &of_rows, None);
                let of_row = coordinates(code, position, dims);
                let own = addresses.along(code, 0, rows, &of_row, own);
                let same = code.mul_add(row, length, position);
                let value = addresses.load(code, 0, same, own);
                let ordered = self.ordered(code, value);
                let digits = self.digits(code, ordered);
                let high = code.op(wide, "shl.b64", &[digits.into(), Operand::Int(32)]);
                code.set(key, "or.b64", &[high.into(), slot.into()]);
            });
            code.store(DType::U64, out, n, key);
        });
    }
}

/// A kernel that searches values in sorted rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Search {
    /// The dtype of the values.
    pub dtype: DType,
    /// Whether a value belongs behind those that are equal to it.
    pub right: bool,
}

impl Description for Search {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let wide = Width::Double;
        let (out, sorted, values) = (code.address(), code.address(), code.address());
        let (count, length, per_row) = (code.parameter(), code.parameter(), code.parameter());
        let (thread, step) = thread_and_step(code, wide);
        let i = code.copy(thread, wide);
        code.count_up(i, count, step, |code| {
            let wanted = code.load(self.dtype, values, i);
            let row = code.div(i, per_row);
            let start = code.mul(row, length);
            let (low, high) = (code.copy(0, wide), code.copy(length, wide));
            let (head, below, done) = (code.label(), code.label(), code.label());
            code.place(head);
            let found = code.compare("ge", low, high);
            code.jump_if(found, true, done);
            let sum = code.add(low, high);
            let middle = code.op(wide, "shr.u64", &[sum.into(), Operand::Int(1)]);
            let at = code.add(start, middle);
            let value = code.load(self.dtype, sorted, at);
            let operands = match self.right {
                true => [wanted, value],
                false => [value, wanted],
            };
            if let Some(less) = ptx::element(code, ElementOp::Less, self.dtype, &operands) {
                code.jump_if(less, !self.right, below);
            }
            code.assign(high, middle);
            code.jump(head);
            code.place(below);
            code.set(low, "add.u64", &[middle.into(), Operand::Int(1)]);
            code.jump(head);
            code.place(done);
            code.store(DType::I64, out, i, low);
        });
    }
}

impl Kernels {
    /// Writes a row of sorted keys for each row of values; the low 32 bits of a key are the position of its value. Rows are padded to a length that is a
    /// power of two. `before` are such keys, by the low digits.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn rank(
        &self,
        keys: &Buffer,
        ranked: &Ranked<'_>,
        digits: Digits,
        before: Option<&Buffer>,
    ) -> Result<(), Failed> {
        let rows: usize = ranked.rows.iter().product();
        let room = ranked.length.next_power_of_two();
        let mut dims = ranked.rows.to_vec();
        dims.push(ranked.length);
        let inputs = [ranked.values.clone()];
        let walk = Walk::new(&dims, ranked.rows.len(), &inputs);
        let of_rows = axes_of(&walk, rows);
        let rank = Rank {
            dtype: ranked.dtype,
            descending: ranked.descending,
            digits,
            access: walk.accesses[0],
            ranks: [of_rows, walk.dims.len() - of_rows],
        };
        let count = rows * room;
        let mut parameters = vec![keys.address()];
        parameters.extend(before.map(Buffer::address));
        parameters.extend([count, room, ranked.length].map(|size| size as u64));
        parameters.extend(inputs.iter().map(Input::parameter));
        parameters.extend(walk.steps());
        parameters.extend(walk.dims.iter().map(|size| *size as u64));
        let blocks = count.div_ceil(THREADS as usize);
        let launch = Launch {
            blocks: (self.blocks(blocks, 16), 1),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Rank::write` reads them. The view lies in its tensor; the keys have room for all rows.
        unsafe { self.launch(&rank, &launch)? };
        self.sort(keys, rows, room)
    }

    /// Writes the positions of `count` values in sorted rows, as `int64`; `per_row` of the values belong to each row, which has `length` numbers.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn search(
        &self,
        out: &Buffer,
        [sorted, values]: [&Buffer; 2],
        [count, length, per_row]: [usize; 3],
        search: &Search,
    ) -> Result<(), Failed> {
        let mut parameters = vec![out.address(), sorted.address(), values.address()];
        parameters.extend([count, length, per_row].map(|size| size as u64));
        let blocks = count.div_ceil(THREADS as usize);
        let launch = Launch {
            blocks: (self.blocks(blocks, 16), 1),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Search::write` reads them. Each value has a row of `length` numbers.
        unsafe { self.launch(search, &launch) }
    }
}
