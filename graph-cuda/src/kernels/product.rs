//! Matrix products: by cuBLAS where it is installed, otherwise by a kernel in which a block computes a tile of the result, from parts of both matrices
//! in shared memory. That kernel can let the elements go through a chain before it stores them, such as a bias and an activation.

use graph_kernels::{DType, ElementOp};

use super::chain::{Access, Input, Places, Step, Walk, coordinates, values};
use super::view::{PerAxis, View, join_axes};
use super::{Description, Kernels};
use crate::driver::{Blas, Buffer, Failed, Launch, Side, Sizes, multiplies};
use crate::ptx::{self, Code, Reg, Width};

const THREADS: u32 = 256;
/// The threads of a block are as many rows as columns.
const THREADS_PER_SIDE: u32 = 16;
/// How many columns of the left matrix are in shared memory at a time.
const DEPTH: u32 = 16;
/// A thread computes groups of so many rows and columns.
const GROUP: u32 = 4;

/// A kernel that multiplies matrices of a dtype, in batches along some axes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Multiply {
    dtype: DType,
    batch_rank: usize,
    /// The groups of rows, and of columns, of a thread.
    groups: u32,
    after: Option<After>,
}

/// What is computed of each element of a product.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct After {
    /// The operands of the steps behind the first one, which is the element.
    operands: Vec<(DType, Access)>,
    steps: Vec<Step>,
    /// The dtype of the last step.
    dtype: DType,
    rank: usize,
}

/// The registers of operands, and of the sizes of the axes along which they are found.
struct AfterRegisters {
    operands: Places,
    dims: Vec<Reg>,
}

/// A chain behind a product. It can't fail.
pub struct Then<'a> {
    /// The sizes of the result's axes.
    pub dims: &'a [usize],
    /// The steps; the first operand is the product.
    pub steps: Vec<Step>,
    /// The dtype of the result.
    pub dtype: DType,
    /// The operands behind the product.
    pub inputs: Vec<Input<'a>>,
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

/// One matrix of a product, or one per batch.
pub struct Matrix<'a> {
    /// The values.
    pub buffer: &'a Buffer,
    /// The step from row to row.
    pub row: u64,
    /// The step from column to column.
    pub column: u64,
    /// The steps along the axes of the batch.
    pub batch: View,
}

/// A product of matrices, `rows × depth` and `depth × columns`.
pub struct Product<'a> {
    /// The dtype of the elements.
    pub dtype: DType,
    /// The sizes of the batch's axes.
    pub batch: &'a [usize],
    /// The rows of the result.
    pub rows: usize,
    /// The columns of the result.
    pub columns: usize,
    /// The columns of the left matrix.
    pub depth: usize,
    /// The matrices.
    pub left: Matrix<'a>,
    /// The right matrix.
    pub right: Matrix<'a>,
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
        let places = self.own().flat_map(|i| self.own().map(move |j| (i, j)));
        for ((i, j), sum) in places.zip(&sums) {
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
        let operands = Places::parameters(code, &self.operands, self.rank, wide);
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
        let places = &registers.operands;
        let coordinates = match registers.dims.is_empty() {
            true => Vec::new(),
            false => coordinates(code, index, &registers.dims),
        };
        let mut operands = vec![element];
        for operand in 0..self.operands.len() {
            let own = places.along(code, operand, 0, &coordinates, None);
            operands.push(places.load(code, operand, index, own));
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

/// A matrix as cuBLAS takes it; `None` if neither its rows nor its columns are contiguous.
fn side(matrix: &Matrix<'_>, [rows, columns]: [usize; 2], batch: i64) -> Option<Side> {
    let least = |size: usize| size.max(1) as u64;
    let (is_transposed, step) = match (matrix.row, matrix.column) {
        (row, 1) if row >= least(columns) => (false, row),
        (1, column) if column >= least(rows) => (true, column),
        _ => return None,
    };
    Some(Side {
        address: matrix.buffer.address(),
        is_transposed,
        step,
        batch,
    })
}

impl Kernels {
    /// Multiplies matrices. The result lies row by row.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn product(&self, out: &Buffer, product: Product<'_>) -> Result<(), Failed> {
        self.product_then(out, product, None)
    }

    /// Whether products of a dtype are computed by the kernel that can do something with the elements.
    pub fn multiplies_itself(&self, dtype: DType) -> bool {
        !multiplies(dtype) || self.blas().is_none()
    }

    /// Multiplies matrices [itself](Self::multiplies_itself) if a chain follows. The GPU has all functions of the chain.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn product_then(
        &self,
        out: &Buffer,
        product: Product<'_>,
        then: Option<Then<'_>>,
    ) -> Result<(), Failed> {
        let mut views = [product.left.batch.clone(), product.right.batch.clone()];
        let batch: PerAxis<usize> = join_axes(product.batch, &mut views);
        let count: usize = batch.iter().product();
        if then.is_none() && self.by_blas(out, &product, &batch, &views)? {
            return Ok(());
        }
        let tiles_of = |side: u32, size: usize| size.div_ceil((16 * side) as usize);
        let all = |side| tiles_of(side, product.rows) * tiles_of(side, product.columns) * count;
        // Large tiles read less, but there must be enough of them.
        let is_large = all(8) >= self.gpu().multiprocessors as usize;
        let groups = if is_large { 2 } else { 1 };
        let tiles = |size: usize| tiles_of(GROUP * groups, size);
        let (down, across) = (tiles(product.rows), tiles(product.columns));
        let mut parameters = vec![out.address()];
        parameters.extend([product.rows, product.columns, product.depth, across].map(|x| x as u64));
        for matrix in [&product.left, &product.right] {
            parameters.extend([matrix.buffer.address(), matrix.row, matrix.column]);
        }
        parameters.extend(batch.iter().map(|size| *size as u64));
        for view in &views {
            parameters.extend(view.strides.iter().map(|stride| *stride as u64));
        }
        let after = then.map(|then| {
            let walk = Walk::new(then.dims, then.dims.len(), &then.inputs);
            parameters.extend(then.inputs.iter().map(Input::parameter));
            parameters.extend(walk.steps());
            let is_found = |access: &Access| matches!(access, Access::Strided | Access::Position);
            if walk.accesses.iter().any(is_found) {
                parameters.extend(walk.dims.iter().map(|size| *size as u64));
            }
            After {
                operands: walk.operands(&then.inputs),
                steps: then.steps,
                dtype: then.dtype,
                rank: walk.dims.len(),
            }
        });
        let description = Multiply {
            dtype: product.dtype,
            batch_rank: batch.len(),
            groups,
            after,
        };
        // A launch has at most 65,535 blocks on its second axis.
        let launch = Launch {
            blocks: ((down * across) as u32, count as u32),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Multiply::write` reads them, and the matrices lie in their buffers.
        unsafe { self.launch(&description, &launch) }
    }

    /// Multiplies by cuBLAS, if it is installed and takes these matrices.
    fn by_blas(
        &self,
        out: &Buffer,
        product: &Product<'_>,
        batch: &[usize],
        views: &[View; 2],
    ) -> Result<bool, Failed> {
        let Product {
            dtype,
            rows,
            columns,
            depth,
            ..
        } = *product;
        let most = i32::MAX as usize;
        let is_small = [rows, columns, depth].iter().all(|size| *size <= most);
        let is_empty = [rows, columns, depth].contains(&0);
        if !multiplies(dtype) || batch.len() > 1 || !is_small || is_empty {
            return Ok(false);
        }
        let step = |view: &View| view.strides.first().copied().unwrap_or(0);
        let left = side(&product.left, [rows, depth], step(&views[0]));
        let right = side(&product.right, [depth, columns], step(&views[1]));
        let (Some(left), Some(right), Some(blas)) = (left, right, self.blas()) else {
            return Ok(false);
        };
        let sizes = Sizes {
            dtype,
            rows,
            columns,
            depth,
            batch: batch.iter().product(),
        };
        // SAFETY: the matrices are of these sizes and lie in their buffers.
        unsafe { blas.multiply(sizes, left, right, out.address()) }?;
        Ok(true)
    }

    /// cuBLAS, if it is installed.
    fn blas(&self) -> Option<&Blas> {
        let blas = self.blas.get_or_init(|| match Blas::open(self.gpu()) {
            Ok(blas) => Some(blas),
            Err(reason) => {
                log::info!("matrix products are computed without cuBLAS: {reason}");
                None
            }
        });
        blas.as_ref()
    }
}

/// The most products of a batch that one launch computes.
pub const MOST_IN_BATCH: usize = 65_535;

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
