//! Ops on an emulated driver: each gives the CPU's bits, from kernels of the GPU.

use std::sync::{Arc, Mutex, PoisonError};

use graph_cuda_fake::control;
use graph_kernels::{Padding, Window};
use graph_runtime::device::{Device, Storage};
use graph_runtime::graph::Shape;
use graph_runtime::ops::{self, Attr, Attrs, OpDef};
use graph_runtime::{Array, DType};

use common::{alone, gpu, is_real};

#[path = "../common/mod.rs"]
mod common;

mod arrangements;
mod images;
mod random;
mod scatters;
mod sorts;

/// Keeps what the backend says about ops that it leaves to the CPU.
struct Refusals(Mutex<Vec<String>>);

static REFUSALS: Refusals = Refusals(Mutex::new(Vec::new()));

impl Refusals {
    /// What was said since the last call.
    fn taken(&self) -> Vec<String> {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut said)
    }
}

impl log::Log for Refusals {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let said = record.args().to_string();
        if said.contains("runs on the CPU") {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(said);
        }
    }

    fn flush(&self) {}
}

/// An op on operands that are too large to be computed by the CPU for their size.
struct Applied {
    op: &'static OpDef,
    attrs: Attrs,
    operands: Vec<Array>,
}

impl Applied {
    fn new(op: &'static OpDef, attrs: &[Attr], operands: Vec<Array>) -> Applied {
        let named = op.attrs.iter().zip(attrs);
        Applied {
            op,
            attrs: named.fold(Attrs::new(), |attrs, (name, attr)| {
                attrs.with(name, attr.clone())
            }),
            operands,
        }
    }

    fn on(&self, device: Device) -> Result<Array, String> {
        let storage = |x: &Array| {
            let x = Storage::Host(Arc::new(x.clone()));
            device.bring(&x).map_err(|error| error.to_string())
        };
        let operands: Result<Vec<Storage>, String> = self.operands.iter().map(storage).collect();
        let operands = operands?;
        let operands: Vec<&Storage> = operands.iter().collect();
        let result = device.apply(self.op, &self.attrs, &operands)?;
        let array = result.to_host().map_err(|error| error.to_string())?;
        Ok(Array::clone(&array))
    }

    /// The results of the CPU and of the GPU, which has launched kernels.
    fn on_both(&self) -> [Result<Array, String>; 2] {
        let _alone = alone();
        let expected = self.on(Device::cpu());
        let device = gpu();
        let _ = log::set_logger(&REFUSALS);
        log::set_max_level(log::LevelFilter::Debug);
        control::reset_counts();
        REFUSALS.taken();
        let found = self.on(device);
        assert_eq!(REFUSALS.taken(), [""; 0], "{:?}", self.attrs);
        let launches = control::counts().launches;
        assert!(
            is_real() || launches > 0,
            "`{}` has launched nothing",
            self.op.name
        );
        [expected, found]
    }

    /// Checks that both give the same bits.
    fn gives_the_same(&self) {
        let [expected, found] = self.on_both().map(Result::unwrap);
        let (op, what) = (self.op.name, &self.attrs);
        assert_eq!(expected.dtype(), found.dtype(), "{op} {what:?}");
        assert_eq!(expected.shape(), found.shape(), "{op} {what:?}");
        assert!(
            expected.bytes() == found.bytes(),
            "{op} {what:?}\n{expected:?}\n{found:?}"
        );
    }

    /// Checks that both find the same fault.
    fn fails_the_same(&self) {
        let [expected, found] = self.on_both().map(Result::unwrap_err);
        assert_eq!(expected, found, "{}", self.op.name);
    }
}

/// Checks that both give the same floats, up to the order of sums of this many products.
fn gives_about_the_same(applied: &Applied, terms: usize) {
    let [expected, found] = applied.on_both().map(Result::unwrap);
    let op = applied.op.name;
    assert_eq!(expected.dtype(), found.dtype(), "{op}");
    assert_eq!(expected.shape(), found.shape(), "{op}");
    let precision = match expected.dtype() {
        DType::F64 => 1e-15,
        DType::F32 => 1e-7,
        DType::F16 => 1e-3,
        DType::BF16 => 8e-3,
        _ => 0.0,
    };
    let [expected, found] = [expected, found].map(|x| cast(&x, DType::F64));
    let expected = expected.values::<f64>().unwrap();
    let largest = expected.iter().fold(0f64, |most, x| most.max(x.abs()));
    let bound = largest * precision * (terms as f64).sqrt() * 4.0;
    let pairs = expected.iter().zip(found.values::<f64>().unwrap());
    for (at, (expected, found)) in pairs.enumerate() {
        let near = (expected - found).abs() <= bound;
        assert!(near, "{op} {:?} {at}: {expected} {found}", applied.attrs);
    }
}

/// Numbers that repeat after a while, as an array of a shape.
fn numbers(shape: &[usize]) -> Array {
    let count: usize = shape.iter().product();
    let value = |i: usize| ((i * 37 + 11) % 101) as f32 * 0.37 - 15.0;
    Array::new(shape, (0..count).map(value).collect::<Vec<f32>>())
}

/// Positions below a limit, some of them the same.
fn positions(shape: &[usize], limit: usize) -> Array {
    let count: usize = shape.iter().product();
    let value = |i: usize| ((i * i * 7 + i * 3) % limit) as i32;
    Array::new(shape, (0..count).map(value).collect::<Vec<i32>>())
}

/// Numbers with many equal ones, both zeros, infinities and NaN.
fn special(shape: &[usize]) -> Array {
    let count: usize = shape.iter().product();
    let all = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0];
    let value = |i: usize| match i % 3 {
        0 => all[i * i / 7 % all.len()],
        _ => (i * 29 % 53) as f32 - 20.0,
    };
    Array::new(shape, (0..count).map(value).collect::<Vec<f32>>())
}

fn cast(x: &Array, dtype: DType) -> Array {
    let mut out = Array::default();
    graph_kernels::cast(x, dtype, &mut out).unwrap();
    out
}

const DTYPES: [DType; 8] = [
    DType::F32,
    DType::F64,
    DType::F16,
    DType::BF16,
    DType::I32,
    DType::I64,
    DType::I8,
    DType::U8,
];

fn ints(values: &[i64]) -> Attr {
    Attr::Ints(values.to_vec())
}
