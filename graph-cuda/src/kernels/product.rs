//! Matrix products: by cuBLAS where it is installed, otherwise by a kernel (`multiply`). That kernel can let the elements go through a chain before
//! it stores them, such as a bias and an activation.

mod multiply;

use graph_kernels::DType;

pub(super) use self::multiply::Multiply;
use self::multiply::{After, GROUP};
use super::Kernels;
use super::chain::{Access, Input, Step, Walk};
use super::view::{PerAxis, View, join_axes};
use crate::driver::{Blas, Buffer, Failed, Launch, Side, Sizes, multiplies};

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
        self.pass()?;
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
