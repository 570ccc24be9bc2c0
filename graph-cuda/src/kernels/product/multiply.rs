//! The kernel of a product: a block computes a tile of the result, from parts of both matrices in shared memory.

use graph_kernels::{DType, ElementOp};

use crate::kernels::Description;
use crate::kernels::chain::{Access, Addresses, Step, coordinates, values};
use crate::ptx::{self, Code, Reg, Width};

const THREADS: u32 = 256;
/// The threads of a block form a square with this many rows and columns.
const THREADS_PER_SIDE: u32 = 16;
/// How many columns of the left matrix are in shared memory at a time.
const DEPTH: u32 = 16;
/// The rows, and the columns, of each group of elements that a thread computes.
pub(super) const GROUP: u32 = 4;

/// A kernel that multiplies matrices of a dtype, in batches along some axes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Multiply {
    pub(super) dtype: DType,
    pub(super) batch_rank: usize,
    /// The groups of rows, and of columns, of a thread.
    pub(super) groups: u32,
    pub(super) after: Option<After>,
}

/// What is computed of each element of a product.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct After {
    /// The operands of the steps behind the first one, which is the element.
    pub(super) operands: Vec<(DType, Access)>,
    pub(super) steps: Vec<Step>,
    /// The dtype of the last step.
    pub(super) dtype: DType,
    pub(super) rank: usize,
}

/// The registers of operands, and of the sizes of the axes along which they are found.
struct AfterRegisters {
    operands: Addresses,
    dims: Vec<Reg>,
}

impl Multiply {
    /// The rows and columns of a block's tile.
    fn tile(&self) -> u32 {
        THREADS_PER_SIDE * GROUP * self.groups
    }

    /// The rows, or columns, that a thread computes, relative to the first one of its first group.
    fn own(&self) -> impl Iterator<Item = u32> + use<> {
        let apart = THREADS_PER_SIDE * GROUP;
        (0..self.groups).flat_map(move |group| (0..GROUP).map(move |i| group * apart + i))
    }
}

/// The dtype in which products are added.
fn summed_as(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        other => other,
    }
}

/// A matrix in a kernel: its address, and the steps from row to row and from column to column.
#[derive(Clone, Copy)]
struct MatrixRegisters {
    base: Reg,
    row: Reg,
    column: Reg,
}

impl Multiply {
    /// The start of a matrix in its buffer for the batch that this block computes.
    fn offset(code: &mut Code, batch: &[Reg], strides: &[Reg]) -> Reg {
        let zero = code.copy(0, Width::Double);
        let pairs = batch.iter().zip(strides);
        pairs.fold(zero, |sum, (x, stride)| code.mul_add(*x, *stride, sum))
    }

    /// An element of a matrix, or 0 outside of it.
    fn element(
        &self,
        code: &mut Code,
        matrix: MatrixRegisters,
        at: [Reg; 2],
        sizes: [Reg; 2],
    ) -> Reg {
        let value = ptx::constant(code, summed_as(self.dtype), 0);
        let inside = [0, 1].map(|axis| code.compare("lt", at[axis], sizes[axis]));
        let inside = code.op(
            Width::Predicate,
            "and.pred",
            &[inside[0].into(), inside[1].into()],
        );
        code.when(inside, |code| {
            let index = code.mul(at[0], matrix.row);
            let index = code.mul_add(at[1], matrix.column, index);
            let loaded = code.load(self.dtype, matrix.base, index);
            code.assign(value, loaded);
        });
        value
    }

    /// The dtype of the result.
    fn result(&self) -> DType {
        self.after.as_ref().map_or(self.dtype, |after| after.dtype)
    }

    /// The element of the product as it would be in memory.
    fn rounded(&self, code: &mut Code, sum: Reg) -> Reg {
        match self.dtype {
            DType::F16 => code.rounded_to_f16(sum),
            DType::BF16 => code.rounded_to_bf16(sum),
            _ => sum,
        }
    }

    /// Adds the product of two values to a sum. A product and its sum are rounded once.
    fn multiply_add(&self, code: &mut Code, sum: Reg, x: Reg, y: Reg) {
        let dtype = summed_as(self.dtype);
        match dtype {
            DType::F32 => code.set(sum, "fma.rn.f32", &[x.into(), y.into(), sum.into()]),
            DType::F64 => code.set(sum, "fma.rn.f64", &[x.into(), y.into(), sum.into()]),
            _ => {
                let product = ptx::element(code, ElementOp::Mul, dtype, &[x, y]);
                let new =
                    product.and_then(|p| ptx::element(code, ElementOp::Add, dtype, &[sum, p]));
                if let Some(new) = new {
                    code.assign(sum, new);
                }
            }
        }
    }
}

impl Description for Multiply {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let sum_type = summed_as(self.dtype);
        let bytes = i64::from(sum_type.bytes() as u32);
        let wide = Width::Double;
        let out = code.address();
        let [rows, columns, depth, tiles] = [(); 4].map(|()| code.parameter());
        let matrix = |code: &mut Code| MatrixRegisters {
            base: code.address(),
            row: code.parameter(),
            column: code.parameter(),
        };
        let (mut left, mut right) = (matrix(code), matrix(code));
        let list = |code: &mut Code| -> Vec<Reg> {
            (0..self.batch_rank).map(|_| code.parameter()).collect()
        };
        let (dims, left_steps, right_steps) = (list(code), list(code), list(code));
        let after = self.after.as_ref().map(|after| after.registers(code));

        // `%ctaid.x` counts the tiles of a result, row by row, `%ctaid.y` the results of the batch.
        let tile = code.special("%ctaid.x");
        let tile = code.widened(tile, wide);
        let tile_row = code.div(tile, tiles);
        let whole = code.mul(tile_row, tiles);
        let tile_column = code.sub(tile, whole);
        let batch = code.special("%ctaid.y");
        let batch = code.widened(batch, wide);
        let in_batch = coordinates(code, batch, &dims);
        for (matrix, steps) in [(&mut left, &left_steps), (&mut right, &right_steps)] {
            let offset = Multiply::offset(code, &in_batch, steps);
            matrix.base = code.element_address(matrix.base, offset, self.dtype);
        }
        let size = code.mul(rows, columns);
        let start = code.mul(size, batch);
        let out = code.element_address(out, start, self.result());

        let tile = self.tile();
        let thread = code.special("%tid.x");
        let shared = tile * DEPTH * sum_type.bytes() as u32;
        let [left_shared, right_shared] = [(); 2].map(|()| {
            let offset = code.shared(shared);
            code.shared_address(offset)
        });
        let per_side = i64::from(THREADS_PER_SIDE);
        let thread_row = code.div(thread, per_side);
        let before = code.mul(thread_row, per_side);
        let thread_column = code.sub(thread, before);
        let side = GROUP * self.groups;
        let sums: Vec<Reg> = (0..side * side)
            .map(|_| ptx::constant(code, sum_type, 0))
            .collect();
        let first_row = code.mul(tile_row, i64::from(tile));
        let first_column = code.mul(tile_column, i64::from(tile));
        let left_at = code.mul_add(thread_row, bytes * i64::from(GROUP), left_shared);
        let right_at = code.mul_add(thread_column, bytes * i64::from(GROUP), right_shared);

        let k = code.copy(0, wide);
        code.count_up(k, depth, i64::from(DEPTH), |code| {
            for i in 0..tile * DEPTH / THREADS {
                let number = code.add(thread, i64::from(i * THREADS));
                // The left part lies column by column, the right part row by row.
                let (row, column) = split(code, number, DEPTH);
                let at = code.mul_add(column, i64::from(tile), row);
                let [row, column] = [row, column].map(|x| code.widened(x, wide));
                let row = code.add(first_row, row);
                let column = code.add(k, column);
                let value = self.element(code, left, [row, column], [rows, depth]);
                let at = code.mul_add(at, bytes, left_shared);
                code.store_at("shared", sum_type, at, value);

                let (row, column) = split(code, number, tile);
                let [row, column] = [row, column].map(|x| code.widened(x, wide));
                let row = code.add(k, row);
                let column = code.add(first_column, column);
                let value = self.element(code, right, [row, column], [depth, columns]);
                let at = code.mul_add(number, bytes, right_shared);
                code.store_at("shared", sum_type, at, value);
            }
            code.barrier();
            for step in 0..DEPTH {
                let start = i64::from(step * tile) * bytes;
                let values = |code: &mut Code, base: Reg| -> Vec<Reg> {
                    (0..self.groups)
                        .flat_map(|group| {
                            let apart = i64::from(group * THREADS_PER_SIDE * GROUP) * bytes;
                            let at = code.add(base, start + apart);
                            code.load_shared(sum_type, at, GROUP as usize)
                        })
                        .collect()
                };
                let (x, y) = (values(code, left_at), values(code, right_at));
                for (i, sum) in sums.iter().enumerate() {
                    let (row, column) = (i / side as usize, i % side as usize);
                    self.multiply_add(code, *sum, x[row], y[column]);
                }
            }
            code.barrier();
        });

        let [thread_row, thread_column] =
            [thread_row, thread_column].map(|x| code.widened(x, wide));
        let row = code.mul_add(thread_row, i64::from(GROUP), first_row);
        let column = code.mul_add(thread_column, i64::from(GROUP), first_column);
        let positions = self.own().flat_map(|i| self.own().map(move |j| (i, j)));
        for ((i, j), sum) in positions.zip(&sums) {
            let row = code.add(row, i64::from(i));
            let column = code.add(column, i64::from(j));
            let inside =
                [(row, rows), (column, columns)].map(|(x, end)| code.compare("lt", x, end));
            let inside = code.op(
                Width::Predicate,
                "and.pred",
                &[inside[0].into(), inside[1].into()],
            );
            code.when(inside, |code| {
                let at = code.mul_add(row, columns, column);
                let value = match (&self.after, &after) {
                    (Some(after), Some(registers)) => {
                        let element = self.rounded(code, *sum);
                        let index = code.add(start, at);
                        after.value(code, registers, element, index)
                    }
                    _ => *sum,
                };
                code.store(self.result(), out, at, value);
            });
        }
    }
}

impl After {
    /// Reads the parameters.
    fn registers(&self, code: &mut Code) -> AfterRegisters {
        let wide = Width::Double;
        let operands = Addresses::parameters(code, &self.operands, self.rank, wide);
        let axes = if operands.need_coordinates() {
            self.rank
        } else {
            0
        };
        let dims = (0..axes).map(|_| code.parameter()).collect();
        AfterRegisters { operands, dims }
    }

    /// What is stored for an element of the product, whose index in the result this is.
    fn value(&self, code: &mut Code, registers: &AfterRegisters, element: Reg, index: Reg) -> Reg {
        let addresses = &registers.operands;
        let coordinates = match registers.dims.is_empty() {
            true => Vec::new(),
            false => coordinates(code, index, &registers.dims),
        };
        let mut operands = vec![element];
        for operand in 0..self.operands.len() {
            let own = addresses.along(code, operand, 0, &coordinates, None);
            operands.push(addresses.load(code, operand, index, own));
        }
        let values = values(code, &self.steps, &operands);
        // Every function was tried before.
        values
            .and_then(|values| values.last().copied())
            .unwrap_or(element)
    }
}

/// A number as a row and a column of rows of some length.
fn split(code: &mut Code, number: Reg, length: u32) -> (Reg, Reg) {
    let row = code.div(number, i64::from(length));
    let whole = code.mul(row, i64::from(length));
    (row, code.sub(number, whole))
}

#[cfg(test)]
impl Multiply {
    /// A kernel whose elements get a bias and an activation; the bias is found by steps.
    pub fn sample(dtype: DType, groups: u32) -> Multiply {
        let steps = vec![
            Step::Operand(0),
            Step::Operand(1),
            Step::Element(ElementOp::Add, dtype, vec![0, 1]),
            Step::Element(ElementOp::Relu, dtype, vec![2]),
        ];
        Multiply {
            dtype,
            batch_rank: 1,
            groups,
            after: Some(After {
                operands: vec![(dtype, Access::Strided)],
                steps,
                dtype,
                rank: 2,
            }),
        }
    }
}
