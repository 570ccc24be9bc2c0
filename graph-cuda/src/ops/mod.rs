//! The ops of the table on a GPU: for each op, the function that queues its kernels. An op that isn't here runs on the CPU.
//!
//! - `arrangements`: ops that reorder, repeat and mirror slices;
//! - `convolutions`, `poolings`: images, with `windows`, their windows as views;
//! - `einsum`: sums of products over named axes;
//! - `elementwise`: functions applied element by element;
//! - `reductions`: sums and the like;
//! - `along`: positions of extremes, running sums;
//! - `softmax`: what is made of a row's exponentials;
//! - `left`: the ops that the CPU runs, and why;
//! - `lists`: lists of rows;
//! - `masks`: what a mask chooses;
//! - `moves`: ops that arrange elements in another way;
//! - `parts`: ops that take and write parts at positions;
//! - `slices`: parts that are copied, added to or replaced;
//! - `sorts`: sorting, and searching in what is sorted;
//! - `sources`: ops that make tensors of a few numbers;
//! - `products`: products of matrices;
//! - `random`: random numbers;
//! - `scatters`: updates at positions;
//! - `segments`: reductions of rows with the same number.

mod along;
mod arrangements;
mod convolutions;
mod einsum;
mod elementwise;
mod left;
mod lists;
mod masks;
mod moves;
mod parts;
mod poolings;
mod products;
mod random;
mod reductions;
mod scatters;
mod segments;
mod slices;
mod softmax;
mod sorts;
mod sources;
mod windows;

use std::sync::{Arc, LazyLock};

use graph_ir::ops::{Attrs, OpDef};
use graph_kernels::{DType, KernelError};
use rustc_hash::FxHashMap;

use crate::driver::{Buffer, Failed};
use crate::kernels::Kernels;
use crate::value::{Tensor, Value};
pub use elementwise::table_dtype;
pub use left::reason;

/// One application of an op to operands of types that its type rule accepts.
pub struct Call<'a> {
    /// The op.
    pub op: &'static OpDef,
    /// Its attributes.
    pub attrs: &'a Attrs,
    /// Its operands, which are on the GPU.
    pub operands: &'a [Tensor],
    /// The dtype of the result.
    pub dtype: DType,
    /// The shape of the result, if the types of the operands determine it.
    pub shape: Option<&'a [usize]>,
}

/// Why an op wasn't run on the GPU.
pub enum Trouble {
    /// The driver failed.
    Failed(Failed),
    /// The GPU has no kernel for this application: the reason.
    NoKernel(&'static str),
}

impl From<Failed> for Trouble {
    fn from(failed: Failed) -> Trouble {
        Trouble::Failed(failed)
    }
}

/// The CPU will say what is wrong.
impl From<graph_ir::ops::AttrError> for Trouble {
    fn from(_: graph_ir::ops::AttrError) -> Trouble {
        Trouble::NoKernel("an attribute is missing")
    }
}

impl From<KernelError> for Trouble {
    fn from(_: KernelError) -> Trouble {
        Trouble::NoKernel("an operand is wrong")
    }
}

impl From<graph_ir::error::Error> for Trouble {
    fn from(_: graph_ir::error::Error) -> Trouble {
        Trouble::NoKernel("an operand couldn't be copied")
    }
}

/// The result of an op.
pub type Outcome = Result<Tensor, Trouble>;

/// Queues the kernels of an op.
pub type Run = fn(&Kernels, &Call<'_>) -> Outcome;

pub use products::matmul_then;

/// The families of ops.
const FAMILIES: &[&[(&str, Run)]] = &[
    reductions::OPS,
    softmax::OPS,
    along::OPS,
    moves::OPS,
    parts::OPS,
    sources::OPS,
    products::OPS,
    random::OPS,
    scatters::OPS,
    segments::OPS,
    convolutions::OPS,
    poolings::OPS,
    slices::OPS,
    arrangements::OPS,
    einsum::OPS,
    masks::OPS,
    lists::OPS,
    sorts::OPS,
];

static OPS: LazyLock<FxHashMap<&'static str, Run>> = LazyLock::new(|| {
    let all = FAMILIES.iter().flat_map(|family| family.iter().copied());
    all.collect()
});

/// How the GPU runs an op; `None` if the CPU does.
pub fn find(op: &OpDef, attrs: &Attrs) -> Option<Run> {
    if (op.element)(attrs).is_some() {
        return Some(elementwise::run);
    }
    if op.reduction.is_some() {
        return Some(reductions::run);
    }
    OPS.get(op.name).copied()
}

impl Call<'_> {
    /// The shape of the result.
    fn shape(&self) -> Result<&[usize], Trouble> {
        let reason = "the shape of the result depends on values";
        self.shape.ok_or(Trouble::NoKernel(reason))
    }

    /// The only operand.
    fn operand(&self) -> Result<&Tensor, Trouble> {
        let first = self.operands.first();
        first.ok_or(Trouble::NoKernel("an operand is missing"))
    }

    /// The operands, of which there are `N`.
    fn all<const N: usize>(&self) -> Result<&[Tensor; N], Trouble> {
        let all = self.operands.try_into();
        all.map_err(|_| Trouble::NoKernel("an operand is missing"))
    }
}

impl Kernels {
    /// Memory for a result.
    pub fn room(&self, dtype: DType, shape: &[usize]) -> Result<Arc<Buffer>, Failed> {
        let count: usize = shape.iter().product();
        Ok(Arc::new(Buffer::new(self.gpu(), count * dtype.bytes())?))
    }

    /// A result that `write` computes into new memory.
    fn result(
        &self,
        dtype: DType,
        shape: &[usize],
        write: impl FnOnce(&Buffer) -> Result<(), Trouble>,
    ) -> Outcome {
        let buffer = self.room(dtype, shape)?;
        write(&buffer)?;
        Ok(Value::computed(dtype, shape, buffer))
    }
}
