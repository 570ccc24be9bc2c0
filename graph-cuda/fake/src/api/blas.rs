//! A library that stands in for cuBLAS: those functions of it that programs here call. Its products are work of the emulated driver's streams. It shows
//! whether a program passes the right matrices, types and streams, and nothing of NVIDIA's library itself.

use super::{Handle, api, put};
use crate::driver::graph::Node;
use crate::driver::product::{Elements, Matrices, Product};
use crate::driver::{Answer, driver, queue, ready};

/// cuBLAS's codes.
const INVALID_VALUE: u32 = 7;
const NOT_SUPPORTED: u32 = 15;

/// The numbers of the types in which cuBLAS adds.
const IN_F32: i32 = 68;
const IN_F64: i32 = 70;
const IN_TF32: i32 = 77;

/// A factor of the host.
unsafe fn factor(at: *const std::ffi::c_void, elements: Elements) -> f64 {
    // SAFETY: the caller passes a number of the type in which it adds.
    unsafe {
        match elements {
            Elements::F64 => at.cast::<f64>().read(),
            _ => f64::from(at.cast::<f32>().read()),
        }
    }
}

/// Whether columns of this many elements lie apart.
fn lie_apart(matrices: &Matrices, [rows, columns]: [usize; 2]) -> Answer {
    let rows = if matrices.transposed { columns } else { rows };
    if matrices.leading >= rows.max(1) {
        return Ok(());
    }
    driver().refuse(INVALID_VALUE, "a step from column to column is too small")
}

api! {
    fn cublasCreate_v2(to: *mut Handle) {
        let mut d = ready()?;
        let handle = d.handle();
        d.blas.insert(handle, Default::default());
        drop(d);
        put(to, handle as Handle)
    }

    fn cublasSetStream_v2(handle: Handle, stream: Handle) {
        let mut d = ready()?;
        match d.blas.get_mut(&(handle as usize)) {
            // The library forgets its workspace with the stream.
            Some(blas) => (blas.stream, blas.workspace) = (stream as usize, false),
            None => return d.refuse(INVALID_VALUE, "not a handle of cuBLAS"),
        }
        Ok(())
    }

    fn cublasSetWorkspace_v2(handle: Handle, at: Handle, bytes: usize) {
        let mut d = ready()?;
        if d.memory.bytes(at as u64, bytes).is_err() {
            return d.refuse(INVALID_VALUE, "a workspace that isn't allocated");
        }
        match d.blas.get_mut(&(handle as usize)) {
            Some(blas) => blas.workspace = true,
            None => return d.refuse(INVALID_VALUE, "not a handle of cuBLAS"),
        }
        Ok(())
    }

    fn cublasGemmStridedBatchedEx(
        handle: Handle,
        left_transposed: i32,
        right_transposed: i32,
        rows: i32,
        columns: i32,
        depth: i32,
        alpha: *const std::ffi::c_void,
        left: Handle,
        left_type: i32,
        left_step: i32,
        left_stride: i64,
        right: Handle,
        right_type: i32,
        right_step: i32,
        right_stride: i64,
        beta: *const std::ffi::c_void,
        out: Handle,
        out_type: i32,
        out_step: i32,
        out_stride: i64,
        batch: i32,
        sums: i32,
        _algorithm: i32,
    ) {
        let mut d = ready()?;
        let Some(blas) = d.blas.get(&(handle as usize)).copied() else {
            return d.refuse(INVALID_VALUE, "not a handle of cuBLAS");
        };
        if d.stream(blas.stream)?.capture.is_some() && !blas.workspace {
            return d.refuse(NOT_SUPPORTED, "a product without a workspace while a stream is recorded");
        }
        let elements = Elements::of(left_type).filter(|_| left_type == right_type && left_type == out_type);
        let (Some(elements), false) = (elements, [rows, columns, depth, batch].iter().any(|n| *n < 0)) else {
            return d.refuse(NOT_SUPPORTED, "a product of these types or sizes");
        };
        let fits = match elements {
            Elements::F64 => sums == IN_F64,
            Elements::F32 => sums == IN_F32 || sums == IN_TF32,
            _ => sums == IN_F32,
        };
        if !fits || factor(beta, elements) != 0.0 {
            return d.refuse(NOT_SUPPORTED, "sums of another type, or a product that is added to something");
        }
        drop(d);
        let matrices = |at: Handle, transposed: i32, step: i32, stride: i64| Matrices {
            at: at as u64,
            transposed: transposed != 0,
            leading: step as usize,
            stride,
        };
        let [rows, columns, depth] = [rows, columns, depth].map(|n| n as usize);
        let product = Product {
            elements,
            tf32: sums == IN_TF32,
            rows,
            columns,
            depth,
            left: matrices(left, left_transposed, left_step, left_stride),
            right: matrices(right, right_transposed, right_step, right_stride),
            out: matrices(out, 0, out_step, out_stride),
            batch: batch as usize,
            factor: factor(alpha, elements),
        };
        lie_apart(&product.left, [rows, depth])?;
        lie_apart(&product.right, [depth, columns])?;
        lie_apart(&product.out, [rows, columns])?;
        queue::submit(blas.stream, Node::Product(product))
    }
}
