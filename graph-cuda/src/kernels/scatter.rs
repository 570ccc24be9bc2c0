//! Updates of elements at positions that a tensor contains. The positions become keys with the numbers of the updates in their low bits. Sorted, the
//! keys of one element are neighbours, in the order of the updates; so one thread applies them in the CPU's order, and no sum depends on which thread
//! comes first.

use graph_kernels::{DType, ElementOp};

use super::chain::{Access, Addresses, Input, Step, Walk, coordinates};
use super::lookup::{Lookup, NOWHERE};
use super::map::{Target, thread_and_step};
use super::view::View;
use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Launch};
use crate::ptx::{self, Code, Operand, Reg, Width};

const THREADS: u32 = 256;
/// Positions and numbers of updates are below this limit.
const MOST: usize = (1 << 32) - 1;

/// How an update changes an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// The update replaces the element.
    Replace,
    /// The function of the element and the update.
    Combine(ElementOp),
    /// As [`Combine`](Change::Combine), but the first update meets this number, given by its bits, in place of the element.
    Reduce(ElementOp, u64),
    /// The mean of the updates.
    Mean,
}

/// A kernel that applies updates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Apply {
    /// The dtype of the elements.
    pub dtype: DType,
    /// How they change.
    pub change: Change,
    /// The updates, and the elements of a row as positions behind its first.
    operands: [(DType, Access); 2],
    /// The axes of the rows of updates, and the axes of a row.
    ranks: [usize; 2],
}

/// Rows of updates, each for a position.
pub struct Scatter<'a> {
    /// The dtype of the elements.
    pub dtype: DType,
    /// How they change.
    pub change: Change,
    /// The axes of the rows of updates.
    pub rows: &'a [usize],
    /// Where each row goes, over these axes.
    pub positions: Lookup<'a>,
    /// The axes of a row.
    pub row: &'a [usize],
    /// The elements of a row, over all axes: as they lie in the tensor, from the row's position on.
    pub elements: View,
    /// The updates, over all axes.
    pub updates: Input<'a>,
    /// Whether the rows are in the order of their positions.
    pub sorted: bool,
}

impl Apply {
    /// The kernel of updates that lie as they are numbered.
    #[cfg(test)]
    pub fn of(dtype: DType, change: Change) -> Apply {
        Apply {
            dtype,
            change,
            operands: [(dtype, Access::Strided), (DType::I64, Access::Position)],
            ranks: [2, 1],
        }
    }

    /// The function of the element so far and the next update.
    fn combined(&self, code: &mut Code, old: Reg, new: Reg) -> Reg {
        let op = match self.change {
            Change::Replace => return new,
            Change::Combine(op) | Change::Reduce(op, _) => op,
            Change::Mean => ElementOp::Add,
        };
        // The op's entry asks whether the function exists.
        ptx::element(code, op, self.dtype, &[old, new]).unwrap_or(new)
    }

    /// The value that is stored after some updates.
    fn finished(&self, code: &mut Code, value: Reg, updates: Reg) -> Reg {
        let conversion = ElementOp::conversion(self.dtype);
        match (self.change, conversion) {
            (Change::Mean, Some(op)) => {
                let count = ptx::element(code, op, DType::U64, &[updates]);
                let mean = count.and_then(|count| {
                    ptx::element(code, ElementOp::Div, self.dtype, &[value, count])
                });
                mean.unwrap_or(value)
            }
            _ => value,
        }
    }

    /// What the first update meets.
    fn first(&self, code: &mut Code, out: Reg, at: Reg) -> Reg {
        let value = match self.change {
            Change::Reduce(_, bits) => ptx::constant(code, self.dtype, bits),
            Change::Mean => ptx::constant(code, self.dtype, 0),
            Change::Replace | Change::Combine(_) => code.load(self.dtype, out, at),
        };
        code.copy(value, ptx::width(self.dtype))
    }
}

/// The position in a key.
fn position(code: &mut Code, key: Reg) -> Reg {
    code.op(Width::Double, "shr.u64", &[key.into(), Operand::Int(32)])
}

impl Description for Apply {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let (wide, [rows, _]) = (Width::Double, self.ranks);
        let (out, keys) = (code.address(), code.address());
        let (count, length) = (code.parameter(), code.parameter());
        let rank = self.ranks[0] + self.ranks[1];
        let addresses = Addresses::parameters(code, &self.operands, rank, wide);
        let dims: Vec<Reg> = (0..rank).map(|_| code.parameter()).collect();
        let (row_dims, dims) = dims.split_at(rows);
        let (thread, step) = thread_and_step(code, wide);
        let all = code.mul(count, length);
        let n = code.copy(thread, wide);
        code.count_up(n, all, step, |code| {
            let next = code.label();
            let begin = code.div(n, length);
            let begin_elements = code.mul(begin, length);
            let lane = code.sub(n, begin_elements);
            let key = code.load(DType::U64, keys, begin);
            let nowhere = code.compare("eq", key, NOWHERE);
            code.jump_if(nowhere, true, next);
            // The thread of the first update of an element applies them all.
            let at = position(code, key);
            let is_first = code.compare("eq", begin, 0);
            let first = code.label();
            code.jump_if(is_first, true, first);
            let before = code.sub(begin, 1);
            let before = code.load(DType::U64, keys, before);
            let before = position(code, before);
            let same = code.compare("eq", before, at);
            code.jump_if(same, true, next);
            code.place(first);
            let of_row = coordinates(code, lane, dims);
            let own = addresses.along(code, 1, rows, &of_row, None);
            let own = addresses.load(code, 1, lane, own);
            let to = code.add(at, own);
            let value = self.first(code, out, to);
            let i = code.copy(begin, wide);
            let (head, done) = (code.label(), code.label());
            code.place(head);
            let number = code.op(wide, "and.b64", &[key.into(), Operand::Int(0xFFFF_FFFF)]);
            let of_rows = coordinates(code, number, row_dims);
            let from = addresses.along(code, 0, 0, &of_rows, None);
            let from = addresses.along(code, 0, rows, &of_row, from);
            let same_index = code.mul_add(number, length, lane);
            let update = addresses.load(code, 0, same_index, from);
            let changed = self.combined(code, value, update);
            code.assign(value, changed);
            code.set(i, "add.u64", &[i.into(), Operand::Int(1)]);
            let over = code.compare("ge", i, count);
            code.jump_if(over, true, done);
            let following = code.load(DType::U64, keys, i);
            code.assign(key, following);
            let there = position(code, key);
            let again = code.compare("eq", there, at);
            code.jump_if(again, true, head);
            code.place(done);
            let updates = code.sub(i, begin);
            let value = self.finished(code, value, updates);
            code.store(self.dtype, out, to, value);
            code.place(next);
        });
    }
}

/// How many of the joined axes make up the rows. None has size 1.
pub fn axes_of(walk: &Walk, rows: usize) -> usize {
    let products = walk.dims.iter().scan(1, |product, size| {
        let before = *product;
        *product *= size;
        Some(before)
    });
    products.take_while(|before| *before < rows).count()
}

impl Kernels {
    /// Whether updates of elements of a tensor can be numbered.
    pub fn can_scatter(elements: usize, rows: usize) -> bool {
        elements < MOST && rows < MOST
    }

    /// Applies updates to elements of `out`.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn scatter(&self, out: &Buffer, scatter: &Scatter<'_>) -> Result<(), Failed> {
        let count: usize = scatter.rows.iter().product();
        let length: usize = scatter.row.iter().product();
        if count == 0 || length == 0 {
            return Ok(());
        }
        let sorts = !scatter.sorted && count > 1;
        let room = if sorts {
            count.next_power_of_two()
        } else {
            count
        };
        let keys = Buffer::new(self.gpu(), room * 8)?;
        if room > count {
            let nowhere = [Input::Value(DType::I64, NOWHERE as u64)];
            let steps = vec![Step::Operand(0)];
            self.map(&Target::Whole(&keys), &[room], DType::I64, steps, &nowhere)?;
        }
        self.keys(&keys, scatter.rows, &scatter.positions)?;
        if sorts {
            self.sort(&keys, 1, room)?;
        }
        let mut dims = scatter.rows.to_vec();
        dims.extend_from_slice(scatter.row);
        let inputs = [
            scatter.updates.clone(),
            Input::Position(scatter.elements.clone()),
        ];
        let walk = Walk::new(&dims, scatter.rows.len(), &inputs);
        let operands = walk.operands(&inputs);
        let rows = axes_of(&walk, count);
        let apply = Apply {
            dtype: scatter.dtype,
            change: scatter.change,
            operands: [operands[0], operands[1]],
            ranks: [rows, walk.dims.len() - rows],
        };
        let mut parameters = vec![out.address(), keys.address(), count as u64, length as u64];
        parameters.extend(inputs.iter().map(Input::parameter));
        parameters.extend(walk.steps());
        parameters.extend(walk.dims.iter().map(|size| *size as u64));
        let blocks = (count * length).div_ceil(THREADS as usize);
        let launch = Launch {
            blocks: (self.blocks(blocks, 16), 1),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Apply::write` reads them. The keys are checked positions, from which the elements of a
        // row lie in the tensor; the updates' view lies in theirs.
        unsafe { self.launch(&apply, &launch) }
    }
}
