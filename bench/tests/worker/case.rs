//! A workload with inputs in a folder, and its outputs.

use std::fs::File;
use std::path::Path;

use graph_bench::protocol::Session;
use graph_bench::workloads;
use ndarray::{Array2, ArrayD, IxDyn};
use ndarray_npy::{ReadNpyExt, ReadableElement, WritableElement, WriteNpyExt};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Sends one request and returns its reply.
pub fn answer(session: &mut Session, request: Value) -> Value {
    serde_json::from_str(&session.answer(&request.to_string())).expect("a reply is JSON")
}

/// Writes input number `index`.
pub fn write<T: WritableElement>(folder: &Path, index: usize, array: &ArrayD<T>) {
    let file = File::create(folder.join(format!("in{index}.npy"))).expect("a new file");
    array.write_npy(file).expect("an array is written");
}

/// Reads output number `index`.
pub fn read<T: ReadableElement>(folder: &Path, index: usize) -> ArrayD<T> {
    let file = File::open(folder.join(format!("got{index}.npy"))).expect("an output");
    ArrayD::read_npy(file).expect("an output is an array")
}

/// A workload and its folder. Inputs are added first, then it runs and has outputs.
pub struct Case {
    name: &'static str,
    folder: TempDir,
    inputs: usize,
    seed: u32,
}

impl Case {
    /// A workload without inputs.
    pub fn new(name: &'static str) -> Case {
        Case {
            name,
            folder: tempfile::tempdir().expect("a folder"),
            inputs: 0,
            seed: 1,
        }
    }

    /// Adds an input.
    pub fn input<T: WritableElement>(&mut self, array: &ArrayD<T>) {
        write(self.folder.path(), self.inputs, array);
        self.inputs += 1;
    }

    /// Adds an input of `float32` numbers between -1 and 1, and returns it.
    pub fn random(&mut self, shape: &[usize]) -> ArrayD<f64> {
        let values = ArrayD::from_shape_simple_fn(IxDyn(shape), || self.number());
        self.input(&values);
        values.mapv(f64::from)
    }

    /// [`random`](Case::random) as a matrix.
    pub fn matrix(&mut self, rows: usize, columns: usize) -> Array2<f64> {
        let values = self.random(&[rows, columns]);
        values.into_dimensionality().expect("two axes")
    }

    /// Draws a number by a linear congruential generator.
    fn number(&mut self) -> f32 {
        self.seed = self
            .seed
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223);
        (self.seed >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Prepares the workload, which writes its outputs.
    pub fn run(&self) {
        let request = json!({"op": "prepare", "name": self.name, "dir": self.folder.path()});
        let reply = answer(&mut Session::new(workloads::find), request);
        assert_eq!(reply["ok"], true, "{}: {reply}", self.name);
    }

    /// Output number `index` of the workload, after [`run`](Case::run).
    pub fn output<T: ReadableElement>(&self, index: usize) -> ArrayD<T> {
        read(self.folder.path(), index)
    }

    /// Runs the workload and compares its `float32` outputs.
    pub fn gives<const N: usize>(&self, expected: [ArrayD<f64>; N], tolerance: f64) {
        self.run();
        for (index, expected) in expected.iter().enumerate() {
            let got = self.output::<f32>(index).mapv(f64::from);
            assert_eq!(got.shape(), expected.shape(), "{}", self.name);
            for (got, expected) in got.iter().zip(expected) {
                let off = (got - expected).abs();
                assert!(
                    off <= tolerance * (1.0 + expected.abs()),
                    "{}: {got} where {expected} belongs",
                    self.name
                );
            }
        }
        let next = self.folder.path().join(format!("got{N}.npy"));
        assert!(!next.exists(), "{} has more outputs than {N}", self.name);
    }
}

/// The product of two matrices.
pub fn product(a: &Array2<f64>, b: &Array2<f64>) -> Array2<f64> {
    assert_eq!(a.ncols(), b.nrows());
    Array2::from_shape_fn((a.nrows(), b.ncols()), |(i, j)| {
        (0..a.ncols()).map(|k| a[[i, k]] * b[[k, j]]).sum()
    })
}

/// Softmax of each row: `exp` divided by its sum.
pub fn softmax(x: &Array2<f64>) -> Array2<f64> {
    let sum = |i: usize| -> f64 { (0..x.ncols()).map(|j| x[[i, j]].exp()).sum() };
    Array2::from_shape_fn(x.dim(), |(i, j)| x[[i, j]].exp() / sum(i))
}
