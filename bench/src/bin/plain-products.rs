//! `plain-products`: a worker like `bench-worker` that knows products of matrices only. It computes them with `ndarray`, whose kernels are
//! those of `matrixmultiply`, so that the page of benchmarks shows them beside ours.

use std::path::Path;

use graph_bench::npy::{FileError, Inputs, Outputs, Value};
use graph_bench::program::{Build, Program, calls};
use graph_bench::protocol;
use graph_runtime::prelude::*;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array, Array3, ArrayD, Dimension, Ix2, Ix3, LinalgScalar, Zip};

fn main() -> std::io::Result<()> {
    protocol::serve(find)
}

/// The builder of a product; `None` for another workload.
fn find(name: &str) -> Option<Build> {
    Some(match name {
        "matmul_f32_64" | "matmul_f32_256" | "matmul_f32_1024" => Box::new(product::<f32>),
        "matmul_f64_512" => Box::new(product::<f64>),
        "batched_matmul_32x128x128" => Box::new(products),
        _ => return None,
    })
}

/// A result that becomes a tensor only where it is written.
struct Plain<T>(ArrayD<T>);

impl<T: Value> Outputs for Plain<T> {
    fn write(&self, folder: &Path) -> Result<(), FileError> {
        tensor(&self.0).write(folder)
    }
}

fn take<T: Value, D: Dimension>(inputs: &mut Inputs<'_>) -> Result<Array<T, D>, FileError> {
    let array = inputs.take::<T>()?.to_ndarray();
    Ok(array.into_dimensionality().expect("the workload's rank"))
}

fn product<T: Value + LinalgScalar>(folder: &Path) -> Result<Box<dyn Program>, FileError> {
    let mut inputs = Inputs::new(folder);
    let a = take::<T, Ix2>(&mut inputs)?;
    let b = take::<T, Ix2>(&mut inputs)?;
    Ok(calls(move || Plain(a.dot(&b).into_dyn())))
}

fn products(folder: &Path) -> Result<Box<dyn Program>, FileError> {
    let mut inputs = Inputs::new(folder);
    let a = take::<f32, Ix3>(&mut inputs)?;
    let b = take::<f32, Ix3>(&mut inputs)?;
    Ok(calls(move || {
        let (count, rows, _) = a.dim();
        let mut c = Array3::zeros((count, rows, b.dim().2));
        Zip::from(c.outer_iter_mut())
            .and(a.outer_iter())
            .and(b.outer_iter())
            .for_each(|mut c, a, b| general_mat_mul(1.0, &a, &b, 0.0, &mut c));
        Plain(c.into_dyn())
    }))
}
